/* verify.c: abut verify DIR */
#include <string.h>

#include "cli.h"

enum { SHOWN = 50 };

static void print_verdict(const char *folder, const abut_finding *list, int64_t count,
                          int64_t frames)
{
  for (int64_t i = 0; i < count && i < SHOWN; i++)
    printf("%s: %s\n", list[i].kind, list[i].message);
  if (count > SHOWN) printf("and %lld more; --json lists them all\n", (long long)count - SHOWN);
  printf("%s: %lld frames, %lld crossings\n", folder, (long long)frames, (long long)count);
}

int cli_verify(int count, char **arg)
{
  const char *folder = NULL;
  bool json = false;
  for (int i = 0; i < count; i++) {
    if (strcmp(arg[i], "--json") == 0)
      json = true;
    else if (arg[i][0] == '-' && arg[i][1])
      return cli_misuse("verify", "there is no option %s", arg[i]);
    else if (folder)
      return cli_misuse("verify", "one folder at a time, not %s too", arg[i]);
    else
      folder = arg[i];
  }
  if (!folder) return cli_misuse("verify", "which run folder?");
  abut_settings settings = cli_settings(json, 0);
  abut_scene *s = NULL;
  const abut_finding *list = NULL;
  int64_t found = 0, frames = 0;
  abut_status status = abut_create(&settings, &s);
  if (status == ABUT_OK) status = abut_verify(s, folder, &list, &found, &frames);
  int code;
  if (status != ABUT_OK) {
    code = cli_fail(s, status, json);
  } else {
    if (json)
      cli_json_findings(stdout, folder, list, found, true, NULL);
    else
      print_verdict(folder, list, found, frames);
    code = found > 0 ? 3 : 0;
  }
  abut_destroy(s);
  return code;
}
