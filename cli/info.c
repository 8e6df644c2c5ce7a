/* info.c: abut info DIR|MESH|SCENE */
#include "cli.h"

int cli_info(int count, char **arg)
{
  if (count != 1) return cli_misuse("info", "which run folder, mesh or scene?");
  abut_settings settings = cli_settings(false, 0);
  abut_scene *s = NULL;
  const char *text;
  abut_status status = abut_create(&settings, &s);
  if (status == ABUT_OK) status = abut_info(s, arg[0], &text);
  int code = 0;
  if (status == ABUT_OK)
    printf("%s", text);
  else
    code = cli_fail(s, status, false);
  abut_destroy(s);
  return code;
}
