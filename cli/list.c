/* list.c: abut list FAMILY */
#include "cli.h"

int cli_list(int count, char **arg)
{
  const char *name, *text;
  if (count != 1 || !abut_list(arg[0], 0, &name, &text)) return cli_misuse("list", "list what?");
  for (int i = 0; abut_list(arg[0], i, &name, &text); i++) printf("%-22s %s\n", name, text);
  return 0;
}
