/* Every fault of a scene or mesh file before a run: check_mesh FILE */
#include <abut.h>
#include <stdio.h>

int main(int argc, char **argv)
{
  abut_scene *s;
  const abut_finding *list;
  int64_t count, errors = 0;
  if (argc != 2) return 2;
  abut_status status = abut_create(NULL, &s);
  if (status == ABUT_OK) status = abut_check(s, argv[1], 0, NULL, &list, &count);
  if (status != ABUT_OK) {
    fprintf(stderr, "%s\n", abut_last_error(s).message);
    abut_destroy(s);
    return abut_exit_code(status);
  }
  for (int64_t i = 0; i < count; i++) {
    printf("%s: %s: %s\n", list[i].error ? "error" : "warning", list[i].kind, list[i].message);
    errors += list[i].error;
  }
  printf("%lld errors, %lld warnings\n", (long long)errors, (long long)(count - errors));
  abut_destroy(s);
  return errors > 0 ? 3 : 0;
}
