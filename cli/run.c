/* run.c: abut run SCENE */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"

typedef struct run_arguments {
  const char *scene, *folder, *method;
  const char **setting;
  int settings;
  long long threads, steps;
  double until;
  bool resume, quiet, json;
} run_arguments;

/* ---- Ctrl-C ---- */

static volatile sig_atomic_t interrupted;

static void on_signal(int number)
{
  (void)number;
  /* the first asks for a checkpoint, the second ends at once */
  if (interrupted) _exit(130);
  interrupted = 1;
}

static bool was_interrupted(void *ctx)
{
  (void)ctx;
  return interrupted != 0;
}

static void catch_signals(void)
{
  struct sigaction action = {.sa_handler = on_signal};
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
  signal(SIGXFSZ, SIG_IGN); /* a full file is an error of the write, not a death */
  signal(SIGPIPE, SIG_IGN);
}

/* ---- progress ---- */

typedef struct display {
  bool terminal, json, quiet;
  double start; /* simulated time when the call began; NaN: not known yet */
  bool drawn;   /* there is a line on the terminal */
} display;

static void show_json(const abut_report *r, long long frame)
{
  printf("{\"frame\": %lld, \"step\": %lld, \"time\": %.17g, \"newton\": %lld, \"contacts\": %lld, "
         "\"min_gap\": ",
         frame, (long long)r->steps, r->time, (long long)r->newton, (long long)r->contacts);
  cli_json_number(stdout, r->min_gap);
  printf("}\n");
}

static void show(void *ctx, const abut_report *r, double end, double seconds, int64_t frame)
{
  display *d = ctx;
  if (isnan(d->start)) d->start = r->steps > 0 ? r->time : 0;
  if (r->steps == 0 || d->quiet) return;
  if (d->json) {
    if (frame >= 0) show_json(r, frame);
    return;
  }
  if (!d->terminal && frame < 0) return;
  d->drawn = true;
  double rate = seconds > 0 ? (r->time - d->start) / seconds : 0;
  double left = rate > 0 ? (end - r->time) / rate : 0;
  fprintf(stderr, "%st %.4f/%.4f s  step %lld  newton %lld  contacts %lld  gap ",
          d->terminal ? "\r\033[K" : "", r->time, end, (long long)r->steps, (long long)r->newton,
          (long long)r->contacts);
  if (isfinite(r->min_gap))
    fprintf(stderr, "%.2e m", r->min_gap);
  else
    fprintf(stderr, "-");
  fprintf(stderr, "  fraction %.3f  %.3g s/s  left %.0f s%s", r->step_fraction, rate, left,
          d->terminal ? "" : "\n");
  fflush(stderr);
}

/* ---- arguments ---- */

static int bad_number(const char *option, const char *value)
{
  return cli_misuse("run", "%s takes a number, not \"%s\"", option, value);
}

/* one option at arg[*i]; -1 when it was taken, else the exit code */
static int take_option(int count, char **arg, int *i, run_arguments *a)
{
  static const char *const names[] = {"-o", "--method", "--threads", "--until", "--steps", "--set"};
  for (int k = 0; k < 6; k++) {
    bool missing;
    const char *value = cli_option(count, arg, i, names[k], &missing);
    if (missing) return cli_misuse("run", "%s needs a value", names[k]);
    if (!value) continue;
    switch (k) {
    case 0: a->folder = value; break;
    case 1: a->method = value; break;
    case 2:
      if (!cli_integer(value, &a->threads) || a->threads < 0 || a->threads > 4096)
        return bad_number("--threads", value);
      break;
    case 3:
      if (!cli_number(value, &a->until) || a->until < 0) return bad_number("--until", value);
      break;
    case 4:
      if (!cli_integer(value, &a->steps) || a->steps < 0) return bad_number("--steps", value);
      break;
    default: a->setting[a->settings++] = value; break;
    }
    return -1;
  }
  if (strcmp(arg[*i], "--resume") == 0)
    a->resume = true;
  else if (strcmp(arg[*i], "--quiet") == 0)
    a->quiet = true;
  else if (strcmp(arg[*i], "--json") == 0)
    a->json = true;
  else if (arg[*i][0] == '-' && arg[*i][1])
    return cli_misuse("run", "there is no option %s", arg[*i]);
  else if (a->scene)
    return cli_misuse("run", "one scene at a time, not %s too", arg[*i]);
  else
    a->scene = arg[*i];
  (*i)++;
  return -1;
}

static int parse(int count, char **arg, run_arguments *a)
{
  for (int i = 0; i < count;) {
    int code = take_option(count, arg, &i, a);
    if (code >= 0) return code;
  }
  if (!a->scene) return cli_misuse("run", "which scene?");
  if (a->quiet && a->json) return cli_misuse("run", "--quiet and --json exclude each other");
  return -1;
}

static abut_status run(abut_scene *s, const run_arguments *a, display *d)
{
  abut_status status = abut_load(s, a->scene);
  if (status == ABUT_OK && a->method) status = abut_set_method(s, a->method);
  for (int k = 0; k < a->settings && status == ABUT_OK; k++) status = abut_set(s, a->setting[k]);
  if (status != ABUT_OK) return status;
  abut_run_def def = abut_run_def_default();
  def.folder = a->folder;
  def.resume = a->resume;
  if (!isnan(a->until)) def.until = a->until;
  def.steps = a->steps;
  def.progress = show;
  def.progress_ctx = d;
  return abut_run(s, &def);
}

int cli_run(int count, char **arg)
{
  run_arguments a = {.steps = -1, .until = NAN};
  a.setting = calloc((size_t)count + 1, sizeof *a.setting);
  if (!a.setting) return abut_exit_code(ABUT_NO_MEMORY);
  int code = parse(count, arg, &a);
  if (code < 0) {
    display d = {.terminal = isatty(2) != 0, .json = a.json, .quiet = a.quiet, .start = NAN};
    abut_settings settings = cli_settings(a.quiet, (int)a.threads);
    settings.poll = was_interrupted;
    abut_scene *s = NULL;
    catch_signals();
    abut_status status = abut_create(&settings, &s);
    if (status == ABUT_OK) status = run(s, &a, &d);
    if (d.terminal && d.drawn) fprintf(stderr, "\n");
    code = status == ABUT_OK ? 0 : cli_fail(s, status, a.json);
    abut_destroy(s);
  }
  free(a.setting);
  return code;
}
