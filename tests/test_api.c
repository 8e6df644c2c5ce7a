/* The C interface: calls that make no sense, errors, scenes beside each other, scenes built piece
   by piece, views. */
#include "scene_base.h"

static const double square[] = {0, 0, 1, 1, 0, 1, 0, 1, 1, 1, 1, 1};
static const int32_t two[] = {0, 1, 2, 1, 3, 2}, tet[] = {0, 1, 2, 3};
static const double corner[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};

/* ---- outcomes ---- */

static void every_status_has_a_text_and_the_exit_code_of_the_manual(void **state)
{
  (void)state;
  static const int code[] = {0, 2, 2, 2, 3, 4, 5, 5, 6, 130};
  assert_int_equal(ABUT_STATUS_COUNT, 10);
  for (int s = 0; s < ABUT_STATUS_COUNT; s++) {
    assert_int_equal(abut_exit_code((abut_status)s), code[s]);
    assert_true(strlen(abut_status_text((abut_status)s)) > 3);
    for (int t = 0; t < s; t++)
      assert_string_not_equal(abut_status_text((abut_status)s), abut_status_text((abut_status)t));
  }
  assert_non_null(abut_status_text(ABUT_STATUS_COUNT));
  assert_true(abut_exit_code((abut_status)77) != 0);
}

/* ---- settings ---- */

static void *no_memory(void *ctx, size_t size)
{
  (void)ctx;
  (void)size;
  return NULL;
}

static void no_free(void *ctx, void *block, size_t size)
{
  (void)ctx;
  (void)block;
  (void)size;
}

static void settings_are_checked(void **state)
{
  (void)state;
  abut_scene *s = (abut_scene *)(uintptr_t)1;
  abut_settings bad[15];
  for (int k = 0; k < 15; k++) bad[k] = abut_settings_default();
  bad[0].cookie = 0;
  bad[1].step = 0;
  bad[2].step = NAN;
  bad[3].dhat = -1;
  bad[4].gap = INFINITY;
  bad[5].friction = -0.1;
  bad[6].tolerance = NAN;
  bad[7].max_newton = -1;
  bad[8].gravity[1] = NAN;
  bad[9].stiffness = -5;
  bad[10].friction_velocity = -1;
  bad[11].position_tolerance = -1;
  bad[12].threads = -1;
  bad[13].allocator.alloc = no_memory;
  bad[14].allocator.free = no_free;
  for (int k = 0; k < 15; k++) {
    assert_int_equal(abut_create(&bad[k], &s), ABUT_BAD_ARGUMENT);
    assert_null(s);
    abut_error e = abut_last_error(NULL);
    assert_int_equal(e.code, ABUT_BAD_ARGUMENT);
    assert_true(strlen(e.message) > 10);
  }
  bad[0] = abut_settings_default();
  bad[0].method = "ipcc";
  assert_int_equal(abut_create(&bad[0], &s), ABUT_UNSUPPORTED);
  assert_contains(abut_last_error(NULL).message, "ipcc");
  bad[0].method = NULL;
  assert_int_equal(abut_create(&bad[0], &s), ABUT_UNSUPPORTED);
  bad[0] = abut_settings_default();
  bad[0].linear_solver = "choleski";
  assert_int_equal(abut_create(&bad[0], &s), ABUT_UNSUPPORTED);
  assert_int_equal(abut_create(NULL, NULL), ABUT_BAD_ARGUMENT);
  assert_int_equal(abut_create(NULL, &s), ABUT_OK); /* the defaults */
  abut_destroy(s);
  abut_destroy(NULL);
}

/* ---- NULL everywhere ---- */

static void no_scene_is_refused_by_every_call(void **state)
{
  (void)state;
  const double p[3] = {0, 0, 0};
  abut_mesh m = {4, square, 2, two};
  abut_material mat = abut_material_default("stvk");
  abut_run_def def = abut_run_def_default();
  const abut_finding *list;
  const abut_contact_force *force;
  const char *text;
  int64_t n;
  assert_int_equal(abut_load(NULL, "a"), ABUT_BAD_ARGUMENT);
  assert_int_equal(abut_parse(NULL, "{}", ""), ABUT_BAD_ARGUMENT);
  assert_int_equal(abut_set(NULL, "a=1"), ABUT_BAD_ARGUMENT);
  assert_int_equal(abut_set_method(NULL, "ipc"), ABUT_BAD_ARGUMENT);
  assert_int_equal(abut_add_shell(NULL, "a", &m, &mat, NULL), ABUT_BAD_ARGUMENT);
  assert_int_equal(abut_add_solid(NULL, "a", &m, &mat, NULL), ABUT_BAD_ARGUMENT);
  assert_int_equal(abut_add_obstacle(NULL, "a", &m, NULL), ABUT_BAD_ARGUMENT);
  assert_int_equal(abut_add_spheres(NULL, "a", 1, p, p, 1, NULL), ABUT_BAD_ARGUMENT);
  assert_int_equal(abut_add_plane(NULL, "a", p, p, NULL), ABUT_BAD_ARGUMENT);
  assert_int_equal(abut_add_control(NULL, "{}"), ABUT_BAD_ARGUMENT);
  assert_int_equal(abut_step(NULL, 1, NULL), ABUT_BAD_ARGUMENT);
  assert_int_equal(abut_run(NULL, &def), ABUT_BAD_ARGUMENT);
  assert_int_equal(abut_check(NULL, "a", 0, NULL, &list, &n), ABUT_BAD_ARGUMENT);
  assert_int_equal(abut_verify(NULL, "a", &list, &n, &n), ABUT_BAD_ARGUMENT);
  assert_int_equal(abut_info(NULL, "a", &text), ABUT_BAD_ARGUMENT);
  assert_int_equal(abut_export(NULL, "a", "obj", NULL, NULL), ABUT_BAD_ARGUMENT);
  assert_int_equal(abut_contacts(NULL, &force, &n), ABUT_BAD_ARGUMENT);
  assert_true(abut_time(NULL) == 0);
  assert_int_equal(abut_find_body(NULL, "a").index, 0);
  assert_int_equal(abut_vertex_count(NULL, (abut_body){1}), 0);
  assert_null(abut_positions(NULL, (abut_body){1}));
  assert_null(abut_velocities(NULL, (abut_body){1}));
  assert_true(abut_hash(NULL) == 0);
}

#define REFUSED(s, call)                                                                           \
  do {                                                                                             \
    assert_int_equal((call), ABUT_BAD_ARGUMENT);                                                   \
    abut_error e_ = abut_last_error(s);                                                            \
    assert_int_equal(e_.code, ABUT_BAD_ARGUMENT);                                                  \
    assert_string_not_equal(e_.message, abut_status_text(ABUT_BAD_ARGUMENT));                      \
  } while (0)

static void null_arguments_are_refused_and_say_so(void **state)
{
  (void)state;
  const double p[3] = {0, 0, 1};
  abut_mesh m = {4, square, 2, two};
  abut_material mat = abut_material_default("stvk");
  const abut_finding *list;
  const abut_contact_force *force;
  const char *text;
  int64_t n;
  abut_scene *s = new_scene();
  REFUSED(s, abut_load(s, NULL));
  REFUSED(s, abut_parse(s, NULL, ""));
  REFUSED(s, abut_parse(s, "{}", NULL));
  REFUSED(s, abut_set(s, NULL));
  REFUSED(s, abut_set_method(s, NULL));
  REFUSED(s, abut_add_shell(s, NULL, &m, &mat, NULL));
  REFUSED(s, abut_add_shell(s, "", &m, &mat, NULL));
  REFUSED(s, abut_add_shell(s, "a", NULL, &mat, NULL));
  REFUSED(s, abut_add_shell(s, "a", &m, NULL, NULL));
  REFUSED(s, abut_add_obstacle(s, "a", NULL, NULL));
  REFUSED(s, abut_add_spheres(s, "a", 1, NULL, p, 1, NULL));
  REFUSED(s, abut_add_spheres(s, "a", 1, p, NULL, 1, NULL));
  REFUSED(s, abut_add_plane(s, "a", NULL, p, NULL));
  REFUSED(s, abut_add_plane(s, "a", p, NULL, NULL));
  REFUSED(s, abut_add_control(s, NULL));
  REFUSED(s, abut_run(s, NULL));
  REFUSED(s, abut_check(s, NULL, 0, NULL, &list, &n));
  REFUSED(s, abut_check(s, "a", 0, NULL, NULL, &n));
  REFUSED(s, abut_check(s, "a", 0, NULL, &list, NULL));
  REFUSED(s, abut_check(s, "a", -1, NULL, &list, &n));
  REFUSED(s, abut_check(s, "a", NAN, NULL, &list, &n));
  REFUSED(s, abut_verify(s, NULL, &list, &n, &n));
  REFUSED(s, abut_verify(s, "a", NULL, &n, &n));
  REFUSED(s, abut_verify(s, "a", &list, NULL, &n));
  REFUSED(s, abut_info(s, NULL, &text));
  REFUSED(s, abut_info(s, "a", NULL));
  REFUSED(s, abut_export(s, NULL, "obj", NULL, NULL));
  REFUSED(s, abut_export(s, "a", NULL, NULL, NULL));
  REFUSED(s, abut_contacts(s, NULL, &n));
  REFUSED(s, abut_contacts(s, &force, NULL));
  REFUSED(s, abut_step(s, -1, NULL));
  assert_int_equal(abut_find_body(s, NULL).index, 0);
  assert_int_equal(abut_last_error(s).code, ABUT_BAD_ARGUMENT);
  /* none of it left a trace */
  must(s, abut_add_shell(s, "a", &m, &mat, NULL));
  take_steps(s, 1);
}

/* case C89 at this interface */
static void meshes_and_materials_that_lie_are_refused(void **state)
{
  (void)state;
  const double nan[] = {0, 0, NAN, 1, 0, 0, 0, 1, 0}, p[] = {0, 0, 1};
  const int32_t far[] = {0, 1, 4}, negative[] = {0, -1, 2};
  const abut_mesh mesh[] = {{-1, square, 2, two}, {4, NULL, 2, two},
                            {4, square, 2, NULL}, {4, square, -1, two},
                            {4, square, 1, far},  {4, square, 1, negative},
                            {3, nan, 1, two},     {3, square, 2, two},
                            {0, NULL, 1, two},    {4, square, INT32_MAX / 2, two}};
  abut_material mat = abut_material_default("stvk");
  abut_scene *s = new_scene();
  abut_body b = {7};
  for (size_t k = 0; k < sizeof mesh / sizeof *mesh; k++) {
    REFUSED(s, abut_add_shell(s, "a", &mesh[k], &mat, &b));
    assert_int_equal(b.index, 0);
    REFUSED(s, abut_add_obstacle(s, "a", &mesh[k], &b));
  }
  abut_mesh solid = {3, corner, 1, tet};
  REFUSED(s, abut_add_solid(s, "a", &solid, &mat, &b));
  abut_mesh good = {4, square, 2, two};
  mat.cookie = 0;
  REFUSED(s, abut_add_shell(s, "a", &good, &mat, NULL));
  mat = abut_material_default(NULL);
  REFUSED(s, abut_add_shell(s, "a", &good, &mat, NULL));
  mat = abut_material_default("stvk");
  mat.density = 0;
  REFUSED(s, abut_add_shell(s, "a", &good, &mat, NULL));
  REFUSED(s, abut_add_spheres(s, "a", -1, p, p, 1, NULL));
  REFUSED(s, abut_add_spheres(s, "a", 1, nan, &p[2], 1, NULL));
  REFUSED(s, abut_add_spheres(s, "a", 1, p, p, 1, NULL)); /* radius 0 */
  REFUSED(s, abut_add_spheres(s, "a", 1, p, &p[2], NAN, NULL));
  REFUSED(s, abut_add_plane(s, "a", p, nan, NULL));
  REFUSED(s, abut_add_plane(s, "a", p, corner, NULL)); /* normal 0 */
}

/* A material that no body can have was taken, and the scene could never be stepped (case C61: the
   NaN among them). */
static void materials_are_refused_at_once_by_body_and_field(void **state)
{
  (void)state;
  abut_material mat[8];
  static const char *const said[] = {"neohookean", "young",     "young",     "poisson",
                                     "poisson",    "thickness", "thickness", "bending_scale"};
  for (int k = 0; k < 8; k++) mat[k] = abut_material_default(k ? "stvk" : "neohookean");
  mat[1].young = NAN;
  mat[2].young = 0;
  mat[3].poisson = 0.5;
  mat[4].poisson = -1;
  mat[5].thickness = 0;
  mat[6].thickness = INFINITY;
  mat[7].bending_scale = -1;
  abut_mesh good = {4, square, 2, two}, solid = {4, corner, 1, tet};
  abut_scene *s = new_scene();
  for (int k = 0; k < 8; k++) {
    abut_status status = abut_add_shell(s, "a", &good, &mat[k], NULL);
    assert_int_equal(status, k ? ABUT_BAD_ARGUMENT : ABUT_UNSUPPORTED);
    assert_string_equal(abut_last_error(s).object, "a");
    assert_contains(abut_last_error(s).message, said[k]);
  }
  mat[0] = abut_material_default("stvk");
  assert_int_equal(abut_add_solid(s, "b", &solid, &mat[0], NULL), ABUT_UNSUPPORTED);
  assert_contains(abut_last_error(s).message, "stable_neo_hookean");
  /* a solid has no thickness */
  mat[5].model = "fixed_corotated";
  must(s, abut_add_solid(s, "b", &solid, &mat[5], NULL));
  must(s, abut_add_shell(s, "a", &good, &mat[0], NULL));
  REFUSED(s, abut_add_shell(s, "*", &good, &mat[0], NULL));
  REFUSED(s, abut_add_control(s, "{\"kind\": \"drag\", \"object\": \"aa\", \"rate\": 1}"));
  assert_string_equal(abut_last_error(s).key, "object");
  assert_contains(abut_last_error(s).message, "no body \"aa\" (nearest: a)");
  must(s, abut_add_control(s, "{\"kind\": \"drag\", \"object\": \"*\", \"rate\": 1}"));
}

/* abut_set took anything, and the scene could not be used after a wrong key */
static void a_setting_that_is_wrong_is_refused_at_once_and_dropped(void **state)
{
  (void)state;
  static const struct {
    const char *setting;
    abut_status status;
    const char *key;
  } bad[] = {{"contact.dhatt=1", ABUT_BAD_FORMAT, "contact.dhatt"},
             {"contact.dhatt.deep=1", ABUT_BAD_FORMAT, "contact.dhatt"},
             {"contact.dhat.deep=1", ABUT_BAD_FORMAT, "contact.dhat"},
             {"controlls.deep=1", ABUT_BAD_FORMAT, "controlls"},
             {"contact.dhat=-1", ABUT_BAD_FORMAT, "contact.dhat"},
             {"contact.gap=thin", ABUT_BAD_FORMAT, "contact.gap"},
             {"method=nope", ABUT_BAD_FORMAT, "method.name"},
             {"objects[1].radii=[0.1]", ABUT_BAD_FORMAT, "objects[1].radii"},
             {"output.format=gltf", ABUT_UNSUPPORTED, "output.format"}};
  abut_scene *s = base();
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
    assert_int_equal(abut_set(s, bad[k].setting), bad[k].status);
    assert_string_equal(abut_last_error(s).key, bad[k].key);
  }
  assert_int_equal(abut_set_method(s, "nope"), ABUT_UNSUPPORTED);
  must(s, abut_set(s, "contact.dhat=2e-3"));
  /* what may still come right is left for the end */
  must(s, abut_set(s, "objects[0].material=velvet"));
  must(s, abut_set(s, quoted("materials.velvet={'model': 'stvk', 'youngs_modulus': 1e5, "
                             "'poissons_ratio': 0.3, 'density': 150, 'thickness': 1e-3}")));
  must(s, abut_set(s, "linear_solver.max_iterations=7"));
  must(s, abut_set(s, "linear_solver.name=pcg"));
  take_steps(s, 1);
}

static void limits_of_a_run_are_checked(void **state)
{
  (void)state;
  abut_scene *s = base();
  abut_run_def bad[3] = {abut_run_def_default(), abut_run_def_default(), abut_run_def_default()};
  bad[0].until = NAN;
  bad[1].until = -0.1;
  bad[2].steps = -2;
  for (int k = 0; k < 3; k++) {
    bad[k].folder = at("out");
    REFUSED(s, abut_run(s, &bad[k]));
  }
  assert_false(there("out"));
}

/* ---- order ---- */

static void calls_in_the_wrong_order_are_refused(void **state)
{
  (void)state;
  abut_mesh m = {4, square, 2, two};
  abut_material mat = abut_material_default("stvk");
  const double p[3] = {0, 0, 0}, up[3] = {0, 0, 1};
  abut_run_def def = abut_run_def_default();
  abut_scene *s = new_scene();
  REFUSED(s, abut_set(s, "time.end=1"));
  REFUSED(s, abut_set_method(s, "ipc"));
  must(s, abut_add_shell(s, "a", &m, &mat, NULL));
  REFUSED(s, abut_add_shell(s, "a", &m, &mat, NULL)); /* the name is taken */
  REFUSED(s, abut_load(s, "x.json"));
  REFUSED(s, abut_parse(s, "{}", ""));
  assert_int_equal(abut_run(s, &def), ABUT_UNSUPPORTED);
  take_steps(s, 1);
  REFUSED(s, abut_add_plane(s, "p", p, up, NULL));
  REFUSED(s, abut_add_control(s, "{\"kind\": \"drag\", \"object\": \"a\", \"rate\": 1}"));

  s = base();
  REFUSED(s, abut_parse(s, "{\"abut\": 1}", ""));
  REFUSED(s, abut_add_plane(s, "p", p, up, NULL));
  REFUSED(s, abut_add_control(s, "{\"kind\": \"drag\", \"object\": \"cloth\", \"rate\": 1}"));
  must(s, abut_set(s, "time.step=0.02"));
  assert_int_equal(abut_find_body(s, "beads").index, 2);
  must(s, abut_set(s, "time.step=0.005")); /* read, not built yet */
  assert_true(take_steps(s, 1).time == 0.005);
  REFUSED(s, abut_set(s, "time.step=0.02"));
  REFUSED(s, abut_set_method(s, "ipc"));
  def.cookie = 0;
  REFUSED(s, abut_run(s, &def));
}

/* the first failure leaked, and the scene stayed half full */
static void a_scene_that_could_not_be_read_is_empty_still(void **state)
{
  (void)state;
  abut_scene *s = new_scene();
  assert_int_equal(abut_load(s, at("gone.json")), ABUT_IO);
  assert_string_equal(abut_last_error(s).file, at("gone.json"));
  assert_int_equal(abut_parse(s, "{\"abut\": ", folder), ABUT_BAD_FORMAT);
  assert_int_equal(abut_last_error(s).line, 1);
  assert_int_equal(abut_parse(s, "[]", folder), ABUT_BAD_FORMAT);
  must(s, abut_parse(s, quoted("%s", base_scene), folder));
  assert_int_equal(abut_last_error(s).code, ABUT_OK);
  take_steps(s, 1);
}

static void controls_are_checked_by_their_own_keys(void **state)
{
  (void)state;
  abut_mesh m = {4, square, 2, two};
  abut_material mat = abut_material_default("stvk");
  abut_scene *s = new_scene();
  must(s, abut_add_shell(s, "a", &m, &mat, NULL));
  assert_int_equal(abut_add_control(s, "{"), ABUT_BAD_FORMAT);
  assert_int_equal(abut_add_control(s, "[]"), ABUT_BAD_FORMAT);
  assert_int_equal(abut_add_control(s, quoted("{'kind': 'pin', 'object': 'a', 'from': 'x'}")),
                   ABUT_BAD_FORMAT);
  assert_string_equal(abut_last_error(s).key, "from");
  assert_int_equal(abut_add_control(s, quoted("{'kind': 'pressure'}")), ABUT_UNSUPPORTED);
  must(s, abut_add_control(s, quoted("{'kind': 'pin', 'object': 'a', 'indices': [0,1,2,3]}")));
  take_steps(s, 3);
  assert_memory_equal(positions(s, "a"), square, sizeof square);
}

/* ---- errors ---- */

static void the_last_error_is_that_of_the_last_call(void **state)
{
  (void)state;
  abut_scene *s = base(), *other = base();
  assert_int_equal(abut_set(s, "x"), ABUT_BAD_ARGUMENT);
  assert_int_equal(abut_last_error(s).code, ABUT_BAD_ARGUMENT);
  assert_int_equal(abut_last_error(other).code, ABUT_OK);
  assert_non_null(abut_last_error(other).message);
  must(s, abut_set(s, "name=x"));
  assert_int_equal(abut_last_error(s).code, ABUT_OK);
  must(s, abut_set(s, "objects[0].material=nothing"));
  assert_int_equal(abut_step(s, 1, NULL), ABUT_BAD_FORMAT);
  abut_error e = abut_last_error(s);
  assert_string_equal(e.key, "objects[0].material");
  assert_string_equal(e.object, "cloth");
  assert_null(e.element);
  assert_false(e.has_position);
  assert_true(abut_hash(s) == 0);
  assert_int_equal(abut_last_error(s).code, ABUT_BAD_FORMAT);
  assert_null(abut_positions(s, (abut_body){1}));
  assert_true(abut_time(s) == 0);
}

static void bodies_that_do_not_exist_give_nothing(void **state)
{
  (void)state;
  abut_scene *s = base();
  static const int32_t none[] = {0, -1, 6, INT32_MAX, INT32_MIN};
  assert_int_equal(abut_find_body(s, "nobody").index, 0);
  for (size_t k = 0; k < 5; k++) {
    assert_null(abut_positions(s, (abut_body){none[k]}));
    assert_int_equal(abut_last_error(s).code, ABUT_BAD_ARGUMENT);
    assert_null(abut_velocities(s, (abut_body){none[k]}));
    assert_int_equal(abut_vertex_count(s, (abut_body){none[k]}), 0);
  }
  assert_int_equal(abut_vertex_count(s, abut_find_body(s, "floor")), 0);
  assert_int_equal(abut_vertex_count(s, abut_find_body(s, "cube")), 8);
}

static void lists_end(void **state)
{
  (void)state;
  const char *name = NULL, *text = NULL;
  assert_true(abut_list("shapes", 0, &name, &text));
  assert_string_equal(name, "grid");
  assert_true(abut_list("shapes", 0, NULL, NULL));
  assert_false(abut_list("shapes", 7, &name, &text));
  assert_false(abut_list("shapes", -1, &name, &text));
  assert_false(abut_list("shape", 0, &name, &text));
  assert_false(abut_list(NULL, 0, &name, &text));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      IN_FOLDER(every_status_has_a_text_and_the_exit_code_of_the_manual),
      IN_FOLDER(settings_are_checked),
      IN_FOLDER(no_scene_is_refused_by_every_call),
      IN_FOLDER(null_arguments_are_refused_and_say_so),
      IN_FOLDER(meshes_and_materials_that_lie_are_refused),
      IN_FOLDER(materials_are_refused_at_once_by_body_and_field),
      IN_FOLDER(a_setting_that_is_wrong_is_refused_at_once_and_dropped),
      IN_FOLDER(limits_of_a_run_are_checked),
      IN_FOLDER(calls_in_the_wrong_order_are_refused),
      IN_FOLDER(a_scene_that_could_not_be_read_is_empty_still),
      IN_FOLDER(controls_are_checked_by_their_own_keys),
      IN_FOLDER(the_last_error_is_that_of_the_last_call),
      IN_FOLDER(bodies_that_do_not_exist_give_nothing),
      IN_FOLDER(lists_end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
