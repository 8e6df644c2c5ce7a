/* check.c: abut check SCENE|MESH */
#include <string.h>

#include "cli.h"

enum { SHOWN = 50 };

static void print_findings(const char *path, const abut_finding *list, int64_t count)
{
  long long errors = 0;
  for (int64_t i = 0; i < count; i++) {
    errors += list[i].error;
    if (i < SHOWN)
      printf("%s: %s: %s\n", list[i].error ? "error" : "warning", list[i].kind, list[i].message);
  }
  if (count > SHOWN) printf("and %lld more; --json lists them all\n", (long long)count - SHOWN);
  printf("%s: %lld errors, %lld warnings\n", path, errors, (long long)count - errors);
}

static bool any_error(const abut_finding *list, int64_t count)
{
  for (int64_t i = 0; i < count; i++)
    if (list[i].error) return true;
  return false;
}

static int check(const char *path, double weld, const char *bad, bool json)
{
  abut_settings settings = cli_settings(json, 0);
  abut_scene *s = NULL;
  const abut_finding *list = NULL;
  int64_t count = 0;
  abut_status status = abut_create(&settings, &s);
  if (status == ABUT_OK) status = abut_check(s, path, weld, bad, &list, &count);
  if (list && !json) print_findings(path, list, count);
  /* one JSON document, also when a mesh could not be read and the rest was looked at */
  abut_error error = abut_last_error(s);
  if (list && json)
    cli_json_findings(stdout, path, list, count, false, status == ABUT_OK ? NULL : &error);
  int code = any_error(list, count) ? 3 : 0;
  if (status != ABUT_OK) code = list && json ? abut_exit_code(status) : cli_fail(s, status, json);
  abut_destroy(s);
  return code;
}

int cli_check(int count, char **arg)
{
  const char *path = NULL, *bad = NULL, *value;
  double weld = 0;
  bool json = false, missing;
  for (int i = 0; i < count;) {
    if ((value = cli_option(count, arg, &i, "--weld", &missing))) {
      if (!cli_number(value, &weld) || weld < 0)
        return cli_misuse("check", "--weld takes a distance in metres, not \"%s\"", value);
    } else if (!missing && (value = cli_option(count, arg, &i, "--write", &missing))) {
      bad = value;
    } else if (missing) {
      return cli_misuse("check", "%s needs a value", arg[i]);
    } else if (strcmp(arg[i], "--json") == 0) {
      json = true;
      i++;
    } else if (arg[i][0] == '-' && arg[i][1]) {
      return cli_misuse("check", "there is no option %s", arg[i]);
    } else if (path) {
      return cli_misuse("check", "one file at a time, not %s too", arg[i]);
    } else {
      path = arg[i++];
    }
  }
  if (!path) return cli_misuse("check", "which scene or mesh?");
  return check(path, weld, bad, json);
}
