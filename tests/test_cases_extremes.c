/* Numbers far out of proportion: boxes in float32 overflowed, their centres were no numbers, and
   the search for contacts read memory that was not its own. All of them must end in a named error.
 */
#include "scene_base.h"

static const char scene[] =
    "{'abut': 1, 'time': {'step': 0.01, 'end': 0.05}, 'materials': {'m': {'model': 'stvk', "
    "'youngs_modulus': 1e5, 'poissons_ratio': 0.3, 'density': 150, 'thickness': 1e-3}}, 'objects': "
    "[{'name': 'cloth', 'kind': 'shell', 'mesh': {'shape': 'grid', 'size': [1,1], 'cells': "
    "[10,10]}, 'material': 'm', 'transform': {'translate': [0,0,1]}}, {'name': 'floor', 'kind': "
    "'plane'}]}";

static outcome run_with(const char *setting)
{
  write_text("s.json", quoted("%s", scene));
  return program("run", "s.json", "-o", "out", "--set", quoted("%s", setting), NULL);
}

static void what_flies_off_stops_the_run_by_name(void **state)
{
  (void)state;
  static const char *const setting[] = {
      "gravity=[0,0,-1e100]",
      "gravity=[0,0,-1e300]",
      "objects[0].velocity=[1e100,0,0]",
      "objects[0].angular_velocity=[0,0,1e80]",
      "controls=[{'kind': 'force', 'object': 'cloth', 'value': [0,0,1e200]}]",
      "controls=[{'kind': 'pin', 'object': 'cloth', 'motion': {'linear_velocity': [0,0,1e60]}}]"};
  for (size_t k = 0; k < sizeof setting / sizeof *setting; k++) {
    outcome o = run_with(setting[k]);
    assert_exit(o, 4);
    assert_contains(o.err, "farther than 1e+38 m");
    assert_string_equal(string(read_json("out/summary.json"), "status"), "stopped");
    assert_exit(program("verify", "out", NULL), 0);
  }
}

static void distances_and_places_out_of_proportion_are_refused(void **state)
{
  (void)state;
  static const struct {
    const char *setting, *said;
  } bad[] = {{"contact.dhat=1e39", "contact.dhat: 1e+39 m is too large"},
             {"contact.gap=1e39", "contact.gap: 1e+39 m is too large"},
             {"contact.dhat=1e308", "contact.dhat"},
             {"objects[0].transform.translate=[0,0,1e39]", "within 1e+37 m of the origin"},
             {"objects[0].transform.scale=1e200", "within 1e+37 m of the origin"},
             {"objects[1]={'name': 'b', 'kind': 'spheres', 'centers': [[0,0,0]], 'radii': [1e39], "
              "'density': 1e-100}",
              "within 1e+37 m of the origin"}};
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
    outcome o = run_with(bad[k].setting);
    assert_exit(o, 2);
    assert_contains(o.err, bad[k].said);
    assert_false(there("out"));
  }
}

/* Case C61: what is no number names the element, the quantity and the material that it came from,
   and the last good frame is there. (What is no number already is refused: the NaN of test_api.c's
   materials, the text of test_scene_keys.c.) */
static void a_stiffness_beyond_numbers_names_its_element(void **state)
{
  (void)state;
  static const char solid[] =
      "objects[0]={'name': 'cube', 'kind': 'solid', 'mesh': {'shape': 'box', 'size': [1,1,1], "
      "'cells': [2,2,2]}, 'material': 'j', 'transform': {'translate': [0,0,1]}}";
  static const char jelly[] = "materials.j={'model': 'neo_hookean', 'youngs_modulus': 1e308, "
                              "'poissons_ratio': 0.3, 'density': 1000}";
  const char *method, *text;
  write_text("s.json", quoted("%s", scene));
  for (int m = 0; abut_list("methods", m, &method, &text); m++)
    for (int k = 0; k < 2; k++) {
      outcome o = k ? program("run", "s.json", "-o", "out", "--method", method, "--set",
                              quoted("%s", solid), "--set", quoted("%s", jelly), NULL)
                    : program("run", "s.json", "-o", "out", "--method", method, "--set",
                              "materials.m.youngs_modulus=1e308", NULL);
      assert_exit(o, 4);
      assert_contains(o.err, k ? "Hessian of neo_hookean (vertices" : "Hessian of stvk (vertices");
      assert_contains(o.err, k ? "of cube, material j" : "of cloth, material m");
      assert_string_equal(string(read_json("out/summary.json"), "status"), "stopped");
      assert_contains(program("info", "out", NULL).out, "frames: 1");
      assert_exit(program("verify", "out", NULL), 0);
    }
}

/* its length overflowed, and the plane had no direction */
static void a_normal_may_have_any_length(void **state)
{
  (void)state;
  static const char *const normal[] = {"objects[1].normal=[0,0,1e308]",
                                       "objects[1].normal=[0,0,1e-200]"};
  assert_exit(run_with("name=x"), 0);
  const char *hash = hash_of("out");
  for (int k = 0; k < 2; k++) {
    assert_exit(run_with(normal[k]), 0);
    assert_string_equal(hash_of("out"), hash);
  }
}

static void the_library_says_the_same(void **state)
{
  (void)state;
  static const double x[] = {0, 0, 1, 1, 0, 1, 0, 1, 1, 1, 1, 1};
  static const int32_t cell[] = {0, 1, 2, 2, 1, 3};
  const double point[3] = {0, 0, 0}, up[3] = {0, 0, 1};
  abut_settings settings = abut_settings_default();
  settings.threads = 1;
  settings.gravity[2] = -1e200;
  abut_scene *s;
  assert_int_equal(abut_create(&settings, &s), ABUT_OK);
  kept_scene[kept_scenes++] = s;
  abut_mesh mesh = {4, x, 2, cell};
  abut_material film = abut_material_default("stvk");
  must(s, abut_add_shell(s, "sheet", &mesh, &film, NULL));
  must(s, abut_add_plane(s, "floor", point, up, NULL));
  assert_int_equal(abut_step(s, 1, NULL), ABUT_STOPPED);
  assert_contains(abut_last_error(s).message, "farther than 1e+38 m");
  /* the state is the last good one */
  assert_memory_equal(positions(s, "sheet"), x, sizeof x);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      IN_FOLDER(what_flies_off_stops_the_run_by_name),
      IN_FOLDER(distances_and_places_out_of_proportion_are_refused),
      IN_FOLDER(a_stiffness_beyond_numbers_names_its_element),
      IN_FOLDER(a_normal_may_have_any_length),
      IN_FOLDER(the_library_says_the_same),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
