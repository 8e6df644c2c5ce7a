/* main.c: the program: one command, one file. */
#include <stdlib.h>
#include <string.h>

#include "cli.h"

static const struct {
  const char *name;
  cli_command *run;
} commands[] = {
    {"run", cli_run},       {"check", cli_check}, {"verify", cli_verify}, {"info", cli_info},
    {"export", cli_export}, {"list", cli_list},   {"help", cli_help},
};

/* named in the documentation, not there yet */
static const char *const later[] = {"compare", "convert",  "repair", "view",
                                    "new",     "selftest", "explain"};

static bool asks_for_help(int count, char **arg)
{
  for (int i = 0; i < count; i++)
    if (strcmp(arg[i], "--help") == 0 || strcmp(arg[i], "-h") == 0) return true;
  return false;
}

int main(int argc, char **argv)
{
  if (argc < 2) {
    cli_help(0, NULL);
    return 2;
  }
  if (strcmp(argv[1], "--version") == 0) {
    printf("abut %s\n", abut_version());
    return 0;
  }
  if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) return cli_help(0, NULL);
  for (size_t k = 0; k < sizeof commands / sizeof *commands; k++)
    if (strcmp(argv[1], commands[k].name) == 0) {
      int code = asks_for_help(argc - 2, argv + 2) ? cli_help(1, argv + 1)
                                                   : commands[k].run(argc - 2, argv + 2);
      /* output that could not be written is a failure too */
      if ((fflush(stdout) == 0 && !ferror(stdout)) || code != 0) return code;
      perror("abut: cannot write the output");
      return 5;
    }
  for (size_t k = 0; k < sizeof later / sizeof *later; k++)
    if (strcmp(argv[1], later[k]) == 0) {
      fprintf(stderr, "abut: the command %s is not available in this version\n", argv[1]);
      return 2;
    }
  return cli_misuse(NULL, "there is no command \"%s\"", argv[1]);
}
