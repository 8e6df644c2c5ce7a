/* Each allocation of the library failed in turn, alone and with all that follow: always a status,
   no block kept, no crash. */
#include "scene_base.h"
#include "starve.h"

static char scene_text[4096], scene_path[96], run_path[96], out_path_of[96], bad_path[96],
    mesh_path[96];

static abut_status create(const abut_allocator *allocator, abut_scene **s)
{
  abut_settings t = abut_settings_default();
  t.threads = 1;
  t.allocator = *allocator;
  return abut_create(&t, s);
}

/* the base scene, one cloth just above the bin so that contacts come up, and every control */
static void write_all(void)
{
  const char *text = quoted(
      "%.*s, 'controls': ["
      "{'kind': 'pin', 'object': 'cloth', 'indices': [0], 'motion': {'keys': [{'t': 0, 'positions':"
      " 'current'}, {'t': 1, 'positions': [[-0.5,-0.5,1]]}]}},"
      "{'kind': 'support', 'object': 'cube', 'vertices': {'range': [0,1]}, 'stiffness': 5},"
      "{'kind': 'tie', 'object': 'beads', 'pairs': [[0,1]], 'stiffness': 5, 'length': [[0, "
      "'current'], [1, 0.9]]}, {'kind': 'drag', 'object': '*', 'rate': 1}, {'kind': 'solver', "
      "'tolerance': 0.1}, {'kind': 'require', 'object': 'cube', 'at': 1, 'above': [[4,0]]}], "
      "'contact': {'friction': 0.3, 'pairs': [{'a': 'cloth', 'b': 'floor', 'friction': 0.1}]}}",
      (int)strlen(base_scene) - 1, base_scene);
  assert_true(strlen(text) + 8 < sizeof scene_text);
  strcpy(scene_text, text);
  /* the top of the bin comes to 4 mm below the cloth, nearer than dhat */
  char *shift = strstr(scene_text, "[0,0,-2]");
  memmove(shift + 12, shift + 8, strlen(shift + 8) + 1);
  memcpy(shift, "[0,0,-0.504]", 12);
  snprintf(scene_path, sizeof scene_path, "%s/s.json", folder);
  snprintf(run_path, sizeof run_path, "%s/run", folder);
  snprintf(out_path_of, sizeof out_path_of, "%s/export", folder);
  snprintf(bad_path, sizeof bad_path, "%s/bad.obj", folder);
  write_text("s.json", scene_text);
}

static abut_status parse_and_step(const abut_allocator *allocator)
{
  abut_scene *s;
  abut_status status = create(allocator, &s);
  if (status == ABUT_OK) status = abut_parse(s, scene_text, folder);
  if (status == ABUT_OK) status = abut_set(s, "time.end=0.02");
  if (status == ABUT_OK) status = abut_set_method(s, "offset_ipc");
  if (status == ABUT_OK) status = abut_step(s, 2, NULL);
  const abut_contact_force *list;
  int64_t count;
  if (status == ABUT_OK) status = abut_contacts(s, &list, &count);
  if (status == ABUT_OK && !abut_positions(s, (abut_body){1})) status = abut_last_error(s).code;
  if (status != ABUT_OK && s) assert_non_null(abut_last_error(s).message);
  abut_destroy(s);
  return status;
}

static void reading_building_and_stepping(void **state)
{
  (void)state;
  write_all();
  assert_true(starve(parse_and_step, 7) > 200);
}

static abut_status build_pieces(const abut_allocator *allocator)
{
  static const double sheet[] = {0, 0, 1, 1, 0, 1, 0, 1, 1, 1, 1, 1};
  static const double corner[] = {5, 0, 0, 6, 0, 0, 5, 1, 0, 5, 0, 1}, up[] = {0, 0, 1};
  static const double low[] = {0, 0, -3};
  static const int32_t two[] = {0, 1, 2, 1, 3, 2}, tet[] = {0, 1, 2, 3};
  abut_mesh a = {4, sheet, 2, two}, b = {4, corner, 1, tet};
  abut_material film = abut_material_default("stvk"), jelly = abut_material_default("neo_hookean");
  abut_scene *s;
  abut_status status = create(allocator, &s);
  if (status == ABUT_OK) status = abut_add_shell(s, "a", &a, &film, NULL);
  if (status == ABUT_OK) status = abut_add_solid(s, "b", &b, &jelly, NULL);
  if (status == ABUT_OK) status = abut_add_spheres(s, "c", 1, low, &up[2], 1, NULL);
  if (status == ABUT_OK) status = abut_add_plane(s, "d", (double[3]){0, 0, -9}, up, NULL);
  if (status == ABUT_OK)
    status = abut_add_control(s, "{\"kind\": \"pin\", \"object\": \"a\", \"indices\": [0]}");
  if (status == ABUT_OK) status = abut_step(s, 1, NULL);
  abut_destroy(s);
  return status;
}

static void building_piece_by_piece(void **state)
{
  (void)state;
  assert_true(starve(build_pieces, 5) > 200);
}

static abut_status run_shortly(const abut_allocator *allocator)
{
  abut_scene *s;
  abut_run_def def = abut_run_def_default();
  def.folder = run_path;
  def.steps = 2;
  abut_status status = create(allocator, &s);
  if (status == ABUT_OK) status = abut_load(s, scene_path);
  if (status == ABUT_OK) status = abut_run(s, &def);
  def.steps = 3;
  def.resume = true;
  if (status == ABUT_OK) status = abut_run(s, &def);
  abut_destroy(s);
  return status;
}

static void a_run_and_its_resumption(void **state)
{
  (void)state;
  write_all();
  assert_true(starve(run_shortly, 23) > 200);
  /* whatever was left there is a run, or is replaced by one */
  outcome o = program("run", "s.json", "-o", "run", "--steps", "3", "--resume", NULL);
  assert_exit(o, 0);
  assert_exit(program("verify", "run", NULL), 0);
}

static abut_status check_all(const abut_allocator *allocator)
{
  abut_scene *s;
  const abut_finding *list;
  const char *text;
  int64_t n;
  abut_status status = create(allocator, &s);
  if (status == ABUT_OK) status = abut_check(s, scene_path, 0, bad_path, &list, &n);
  if (status == ABUT_OK) status = abut_check(s, mesh_path, 1e-3, NULL, &list, &n);
  if (status == ABUT_OK) status = abut_info(s, scene_path, &text);
  abut_destroy(s);
  return status;
}

static void checking_a_scene_and_a_mesh(void **state)
{
  (void)state;
  write_all();
  write_text("m.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1e-4\nv 1 0 1\nv 0 1 1\nf 1 2 3\n"
                      "f 4 5 6\n");
  snprintf(mesh_path, sizeof mesh_path, "%s/m.obj", folder);
  assert_true(starve(check_all, 11) > 200);
}

static abut_status verify_all(const abut_allocator *allocator)
{
  static const char *const format[] = {"obj", "ply", "npy", "vtkhdf"};
  abut_scene *s;
  const abut_finding *list;
  const char *text;
  int64_t n, frames;
  abut_status status = create(allocator, &s);
  if (status == ABUT_OK) status = abut_verify(s, run_path, &list, &n, &frames);
  if (status == ABUT_OK) status = abut_info(s, run_path, &text);
  for (int k = 0; k < 4 && status == ABUT_OK; k++)
    status = abut_export(s, run_path, format[k], "1:", k == 3 ? bad_path : out_path_of);
  abut_destroy(s);
  return status;
}

static void verifying_describing_and_exporting_a_run(void **state)
{
  (void)state;
  write_all();
  assert_exit(program("run", "s.json", "-o", "run", "--steps", "2", NULL), 0);
  assert_true(starve(verify_all, 17) > 200);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      IN_FOLDER(reading_building_and_stepping),
      IN_FOLDER(building_piece_by_piece),
      IN_FOLDER(a_run_and_its_resumption),
      IN_FOLDER(checking_a_scene_and_a_mesh),
      IN_FOLDER(verifying_describing_and_exporting_a_run),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
