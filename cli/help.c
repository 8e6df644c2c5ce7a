/* help.c: abut help [COMMAND] */
#include <string.h>

#include "cli.h"

static const struct {
  const char *name, *usage, *text;
} pages[] = {
    {"run",
     "abut run SCENE [-o DIR] [--method M] [--threads N] [--until T] [--steps N] "
     "[--set KEY=VALUE]... [--resume] [--quiet | --json]",
     "Runs a scene file into a run folder (default: out/ and the file's name).\n"
     "  -o DIR           the run folder; an old run in it is replaced\n"
     "  --method M       another method, the scene's options kept\n"
     "  --threads N      threads; the result does not depend on it\n"
     "  --until T        stop at T seconds, counted from 0\n"
     "  --steps N        stop after N steps, counted from the start\n"
     "  --set KEY=VALUE  change a key of the scene: --set contact.friction=0.5\n"
     "  --resume         go on from the newest checkpoint in the folder\n"
     "  --quiet          no progress\n"
     "  --json           one JSON line per frame, and errors as JSON, on stdout\n\n"
     "The progress line, on stderr, is about the last step: Newton iterations, contacts, the\n"
     "smallest gap between surfaces, the smallest fraction of a Newton direction that could be\n"
     "taken; then simulated seconds per second of wall time, and the time left.\n"},
    {"check", "abut check SCENE|MESH [--json] [--weld D] [--write bad.obj]",
     "Finds the faults of the geometry before a run: crossings, touching pairs, pairs closer than\n"
     "gap or dhat, degenerate, inverted and sliver cells, isolated and near-coincident vertices.\n"
     "  --weld D         as if vertices closer than D metres were one\n"
     "  --write FILE     the offending elements as an OBJ mesh\n"
     "Exit code 3 when an error is found; warnings alone give 0.\n"},
    {"verify", "abut verify DIR [--json]",
     "Tests every saved frame of a run for crossings, with exact predicates and code of its own.\n"
     "Exit code 3 when one is found.\n"},
    {"info", "abut info DIR|MESH|SCENE", "Says what a run folder, mesh or scene holds.\n"},
    {"export", "abut export DIR --format obj|ply|npy|vtkhdf [--frames A:B:S] [-o PATH]",
     "Writes frames of a run in another format (default path: DIR/export/FORMAT).\n"
     "  --frames A:B:S   frames A, A + S, ... before B, as a Python slice\n"},
    {"list", "abut list methods|energies|linear|formats|shapes", "Names what a scene can use.\n"},
    {"help", "abut help [COMMAND]", "This text.\n"},
};

const char *cli_usage(const char *command)
{
  for (size_t k = 0; command && k < sizeof pages / sizeof *pages; k++)
    if (strcmp(command, pages[k].name) == 0) return pages[k].usage;
  return "abut COMMAND ..., see `abut help`";
}

int cli_help(int count, char **arg)
{
  for (size_t k = 0; count > 0 && k < sizeof pages / sizeof *pages; k++)
    if (strcmp(arg[0], pages[k].name) == 0) {
      printf("%s\n\n%s", pages[k].usage, pages[k].text);
      return 0;
    }
  if (count > 0) return cli_misuse("help", "there is no command \"%s\"", arg[0]);
  printf("abut %s: penetration-free simulation of film, cloth and soft solids\n\n", abut_version());
  for (size_t k = 0; k < sizeof pages / sizeof *pages; k++) printf("  %s\n", pages[k].usage);
  printf(
      "  abut --version\n\nExit codes: 0 done; 2 usage, or a scene or mesh file is invalid; 3 "
      "degenerate, touching\nor crossing geometry; 4 the solver stopped with a named reason; 5 a "
      "file cannot be read or\nwritten; 6 out of memory; 130 interrupted.\n");
  return 0;
}
