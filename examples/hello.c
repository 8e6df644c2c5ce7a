/* A cloth falls onto a floor: the smallest program. */
#include <abut.h>
#include <stdio.h>

int main(void)
{
  static double x[21 * 21][3];
  static int32_t cell[2 * 20 * 20][3];
  int cells = 0;
  for (int i = 0; i < 21; i++)
    for (int j = 0; j < 21; j++) {
      int32_t v = 21 * i + j;
      x[v][0] = 0.05 * i, x[v][1] = 0.05 * j, x[v][2] = 0.1 + 0.01 * i;
      if (i == 20 || j == 20) continue;
      cell[cells][0] = v, cell[cells][1] = v + 21, cell[cells++][2] = v + 22;
      cell[cells][0] = v, cell[cells][1] = v + 22, cell[cells++][2] = v + 1;
    }

  abut_scene *s;
  abut_settings settings = abut_settings_default();
  abut_material cotton = abut_material_default("stvk");
  abut_mesh mesh = {21 * 21, &x[0][0], cells, &cell[0][0]};
  abut_report r;
  settings.friction = 0.4;
  cotton.density = 300;
  abut_status status = abut_create(&settings, &s);
  if (status == ABUT_OK) status = abut_add_shell(s, "cloth", &mesh, &cotton, NULL);
  if (status == ABUT_OK)
    status = abut_add_plane(s, "floor", (double[]){0, 0, 0}, (double[]){0, 0, 1}, NULL);
  if (status == ABUT_OK) status = abut_step(s, 40, &r);
  if (status == ABUT_OK)
    printf("%.2f s: %lld contacts, nearest %.2e m\n", r.time, (long long)r.contacts, r.min_gap);
  else
    fprintf(stderr, "%s\n", abut_last_error(s).message);
  abut_destroy(s);
  return abut_exit_code(status);
}
