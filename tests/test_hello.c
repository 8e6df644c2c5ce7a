/* What examples/hello.c does, on a smaller mesh; and that docs/hello.md quotes that program. */
#include "cmocka_all.h"

#include <math.h>

#include <abut.h>

static void a_sheet_falls_onto_a_floor_and_comes_to_rest_within_dhat_of_it(void **state)
{
  (void)state;
  const double x[4][3] = {{0, 0, 0.1}, {1, 0, 0.1}, {1, 1, 0.1}, {0, 1, 0.1}};
  const int32_t cell[2][3] = {{0, 1, 2}, {0, 2, 3}};
  const double origin[3] = {0, 0, 0}, up[3] = {0, 0, 1};

  abut_settings settings = abut_settings_default();
  settings.step = 0.01;
  settings.dhat = 2e-3;
  abut_scene *scene;
  assert_ok(abut_create(&settings, &scene));

  abut_mesh mesh = {.vertices = 4, .x = &x[0][0], .cells = 2, .cell = &cell[0][0]};
  abut_material cotton = abut_material_default("stvk");
  abut_body sheet;
  assert_ok(abut_add_shell(scene, "sheet", &mesh, &cotton, &sheet));
  assert_ok(abut_add_plane(scene, "floor", origin, up, NULL));

  abut_report r;
  assert_ok(abut_step(scene, 100, &r));
  const double *now = abut_positions(scene, sheet);
  assert_true(now[2] > 0 && now[2] < settings.dhat);
  assert_int_equal(r.contacts, 4);
  abut_destroy(scene);
}

/* fall from h takes sqrt(2 h / g); implicit Euler with 1 ms steps is late by less than one step */
static void the_sheet_is_on_the_floor_when_galilei_says(void **state)
{
  (void)state;
  const double x[3][3] = {{0, 0, 0.1}, {1, 0, 0.1}, {0, 1, 0.1}}, origin[3] = {0, 0, 0};
  const double up[3] = {0, 0, 1}, dhat = 1e-4, t = sqrt(2 * (0.1 - dhat) / 9.81);
  const int32_t cell[1][3] = {{0, 1, 2}};
  abut_settings settings = abut_settings_default();
  settings.step = 1e-3;
  settings.dhat = dhat;
  abut_scene *scene;
  assert_ok(abut_create(&settings, &scene));
  abut_mesh mesh = {.vertices = 3, .x = &x[0][0], .cells = 1, .cell = &cell[0][0]};
  abut_material cotton = abut_material_default("stvk");
  assert_ok(abut_add_shell(scene, "sheet", &mesh, &cotton, NULL));
  assert_ok(abut_add_plane(scene, "floor", origin, up, NULL));
  abut_report r = {0};
  while (r.contacts == 0 && abut_time(scene) < 1) assert_ok(abut_step(scene, 1, &r));
  assert_near(abut_time(scene), t, 2e-3);
  abut_destroy(scene);
}

/* docs/hello.md shows examples/hello.c from its first line to its last */
static void the_page_quotes_the_first_example(void **state)
{
  static char source[1 << 14], page[1 << 14];
  FILE *file = fopen(ABUT_SOURCE_DIR "/examples/hello.c", "r");
  (void)state;
  assert_non_null(file);
  size_t n = fread(source, 1, sizeof source - 1, file);
  fclose(file);
  assert_true(n > 0);
  file = fopen(ABUT_SOURCE_DIR "/docs/hello.md", "r");
  assert_non_null(file);
  assert_true(fread(page, 1, sizeof page - 1, file) > 0);
  fclose(file);
  const char *block = strstr(page, "```c\n");
  assert_non_null(block);
  block += strlen("```c\n");
  size_t same = 0;
  while (same < n && block[same] == source[same]) same++;
  if (same < n) fail_msg("docs/hello.md differs from examples/hello.c at: %.60s", source + same);
  assert_true(strncmp(block + n, "```", 3) == 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_sheet_falls_onto_a_floor_and_comes_to_rest_within_dhat_of_it),
      cmocka_unit_test(the_sheet_is_on_the_floor_when_galilei_says),
      cmocka_unit_test(the_page_quotes_the_first_example),
  };
  return cmocka_run_group_tests_name("hello", tests, NULL, NULL);
}
