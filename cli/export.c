/* export.c: abut export DIR --format F */
#include <string.h>

#include "cli.h"

int cli_export(int count, char **arg)
{
  const char *folder = NULL, *format = NULL, *frames = NULL, *path = NULL, *value;
  bool missing;
  for (int i = 0; i < count;) {
    if ((value = cli_option(count, arg, &i, "--format", &missing))) {
      format = value;
    } else if (!missing && (value = cli_option(count, arg, &i, "--frames", &missing))) {
      frames = value;
    } else if (!missing && (value = cli_option(count, arg, &i, "-o", &missing))) {
      path = value;
    } else if (missing) {
      return cli_misuse("export", "%s needs a value", arg[i]);
    } else if (arg[i][0] == '-' && arg[i][1]) {
      return cli_misuse("export", "there is no option %s", arg[i]);
    } else if (folder) {
      return cli_misuse("export", "one folder at a time, not %s too", arg[i]);
    } else {
      folder = arg[i++];
    }
  }
  if (!folder || !format) return cli_misuse("export", "which run folder, and which --format?");
  abut_settings settings = cli_settings(false, 0);
  abut_scene *s = NULL;
  abut_status status = abut_create(&settings, &s);
  if (status == ABUT_OK) status = abut_export(s, folder, format, frames, path);
  int code = status == ABUT_OK ? 0 : cli_fail(s, status, false);
  abut_destroy(s);
  return code;
}
