/* `abut verify` by control: frames that were spoilt on purpose are refused, with frame, objects and
   elements named; pairs that are no contacts are not. */
#include "program.h"

#include "starve.h"

#include "base/memory.h"
#include "io/trajectory.h"
#include "scene/scene_def.h"

#define FILM                                                                                       \
  "'materials': {'m': {'model': 'stvk', 'youngs_modulus': 1e5, 'poissons_ratio': 0.3, "            \
  "'density': 150, 'thickness': 1e-3}}"

/* a cloth of 9 vertices 0.2 m above a plate, two beads, a plane, a small solid; 4 steps of 1 ms */
static void run_scene(const char *contact, const char *more)
{
  write_text(
      "s.json",
      quoted("{'abut': 1, 'time': {'step': 1e-3, 'end': 4e-3}, 'contact': {%s}, 'materials': {"
             "'m': {'model': 'stvk', 'youngs_modulus': 1e5, 'poissons_ratio': 0.3, 'density': 150, "
             "'thickness': 1e-3}, 'j': {'model': 'neo_hookean', 'youngs_modulus': 1e5, "
             "'poissons_ratio': 0.3, 'density': 1000}}, 'objects': ["
             "{'name': 'cloth', 'kind': 'shell', 'material': 'm', 'mesh': {'shape': 'grid', "
             "'size': [1,1], 'cells': [2,2]}, 'transform': {'translate': [0,0,0.2]}},"
             "{'name': 'plate', 'kind': 'obstacle', 'mesh': {'shape': 'grid', 'size': [3,3], "
             "'cells': [1,1]}}, {'name': 'beads', 'kind': 'spheres', 'centers': [[0.1,0.2,1], "
             "[0.1,0.2,2]], 'radii': [0.1,0.2], 'density': 1}, {'name': 'floor', 'kind': 'plane', "
             "'point': [0,0,-1]}, {'name': 'cube', 'kind': 'solid', 'material': 'j', 'mesh': "
             "{'shape': 'box', 'size': [0.2,0.2,0.2], 'cells': [1,1,1]}, 'transform': "
             "{'translate': [0,0,5]}}]%s}",
             contact, more));
  run_to_end("s.json");
}

enum { CLOTH = 0, PLATE = 9, BEADS = 13, CUBE = 15, POINTS = 23, FRAMES = 5 };

/* puts one point (or, with n, several) of a frame elsewhere, and may call all points prescribed */
static void spoil(int64_t frame, const int *point, const vec3 *place, int n, bool prescribed)
{
  static double time[FRAMES];
  static vec3 x[FRAMES][64], v[FRAMES][64];
  static uint8_t flag[FRAMES][64];
  abut_context ctx;
  abut_trajectory *t;
  abut_context_init(&ctx, NULL, 1);
  assert_ok(abut_trajectory_open(&ctx, at("out/trajectory.vtkhdf"), true, &t));
  int64_t frames = abut_trajectory_frames(t);
  assert_true(frames <= FRAMES && abut_trajectory_layout(t)->points <= 64);
  for (int64_t k = 0; k < frames; k++)
    assert_ok(abut_trajectory_read(&ctx, t, k, &time[k], x[k], v[k], flag[k]));
  for (int k = 0; k < n; k++) x[frame][point[k]] = place[k];
  if (prescribed) memset(flag[frame], 1, sizeof flag[frame]);
  assert_ok(abut_trajectory_cut(&ctx, t, frame));
  for (int64_t k = frame; k < frames; k++)
    assert_ok(abut_trajectory_append(&ctx, t, time[k], x[k], v[k], flag[k]));
  abut_trajectory_close(&ctx, t);
  abut_context_free(&ctx);
}

static void put(int64_t frame, int point, double x, double y, double z)
{
  vec3 place = v3(x, y, z);
  spoil(frame, &point, &place, 1, false);
}

static json_t *verify(int code)
{
  outcome o = program("verify", "out", "--json", NULL);
  assert_exit(o, code);
  return tree_of(o.out);
}

/* is there a finding of that kind between the two elements in that frame? */
static void assert_found(const json_t *report, const char *kind, int frame, const char *a,
                         const char *element_a, const char *b, const char *element_b)
{
  size_t k;
  json_t *f;
  json_array_foreach(find(report, "findings"), k, f)
  {
    if (strcmp(string(f, "kind"), kind) == 0 && number(f, "frame") == frame &&
        strcmp(string(f, "objects[0]"), a) == 0 && strcmp(string(f, "objects[1]"), b) == 0 &&
        strcmp(string(f, "elements[0][0]"), element_a) == 0 &&
        strcmp(string(f, "elements[1][0]"), element_b) == 0)
      return;
  }
  fail_msg("no %s of %s %s and %s %s in frame %d:\n%s", kind, a, element_a, b, element_b, frame,
           json_dumps(report, JSON_INDENT(1)));
}

/* ---- the control ---- */

static void a_run_as_it_is_has_no_crossing(void **state)
{
  (void)state;
  run_scene("", "");
  json_t *report = verify(0);
  assert_int_equal(number(report, "errors"), 0);
  assert_int_equal(json_array_size(find(report, "findings")), 0);
  outcome o = program("verify", "out", NULL);
  assert_exit(o, 0);
  assert_string_equal(o.out, "out: 5 frames, 0 crossings\n");
}

static void a_vertex_pushed_through_a_face_is_found_in_its_frame(void **state)
{
  (void)state;
  for (int frame = 0; frame < FRAMES; frame += 2) {
    run_scene("", "");
    put(frame, CLOTH + 4, 0.1, 0.05, -0.05);
    json_t *report = verify(3);
    assert_found(report, "crossing", frame, "cloth", "edge", "plate", "face");
    assert_int_equal(number(report, "errors"), json_array_size(find(report, "findings")));
    size_t k;
    json_t *f;
    json_array_foreach(find(report, "findings"), k, f)
    {
      assert_int_equal(number(f, "frame"), frame);
      assert_string_equal(string(f, "level"), "error");
      assert_near(number(f, "position[2]"), 0, 1e-12);
      assert_contains(string(f, "message"), print_text("frame %d (t = ", frame));
    }
    outcome o = program("verify", "out", NULL);
    assert_exit(o, 3);
    assert_contains(
        o.out, print_text("crossing: frame %d (t = %.6g s): cloth edge ", frame, 1e-3 * frame));
    assert_contains(o.out, "crosses plate face ");
    assert_contains(o.out, "out: 5 frames, ");
  }
}

static void a_vertex_pushed_through_its_own_sheet_is_found(void **state)
{
  (void)state;
  run_scene("", "");
  /* a corner folded over the opposite quarter, with an edge that runs through it */
  const int point[] = {CLOTH + 0, CLOTH + 1};
  const vec3 place[] = {v3(0.3, 0.2, 0.25), v3(0.3, 0.25, 0.15)};
  spoil(1, point, place, 2, false);
  assert_found(verify(3), "crossing", 1, "cloth", "edge", "cloth", "face");
}

static void the_skin_of_a_solid_is_tested(void **state)
{
  (void)state;
  run_scene("", "");
  const int point[8] = {CUBE, CUBE + 1, CUBE + 2, CUBE + 3, CUBE + 4, CUBE + 5, CUBE + 6, CUBE + 7};
  vec3 place[8];
  for (int k = 0; k < 8; k++)
    place[k] =
        v3(0.17 + (k & 1 ? 0.1 : -0.1), 0.13 + (k & 2 ? 0.1 : -0.1), 0.2 + (k & 4 ? 0.1 : -0.1));
  spoil(2, point, place, 8, false);
  json_t *report = verify(3);
  assert_found(report, "crossing", 2, "cube", "edge", "cloth", "face");
  assert_found(report, "crossing", 2, "cloth", "edge", "cube", "face");
}

/* ---- spheres and planes ---- */

static void spheres_and_planes_are_tested_too(void **state)
{
  (void)state;
  static const struct {
    int point;
    double x, y, z;
    const char *a, *element_a, *b, *element_b;
  } spoilt[] = {
      {BEADS, 0.3, 0.3, 0.09, "beads", "sphere", "plate", "face"},
      {BEADS + 1, 0.1, 0.2, 1.25, "beads", "sphere", "beads", "sphere"},
      {BEADS + 1, 5, 5, -0.85, "beads", "sphere", "floor", "plane"},
      {BEADS, 9, 9, -3, "beads", "sphere", "floor", "plane"},
      {CLOTH + 8, 9, 9, -1.001, "cloth", "vertex", "floor", "plane"},
      {CUBE + 3, 7, 7, -4, "cube", "vertex", "floor", "plane"},
  };
  for (size_t k = 0; k < sizeof spoilt / sizeof *spoilt; k++) {
    run_scene("", "");
    put(3, spoilt[k].point, spoilt[k].x, spoilt[k].y, spoilt[k].z);
    assert_found(verify(3), "crossing", 3, spoilt[k].a, spoilt[k].element_a, spoilt[k].b,
                 spoilt[k].element_b);
  }
}

static void near_is_not_a_crossing_and_touching_is_one_of_its_own(void **state)
{
  (void)state;
  run_scene("", "");
  put(1, BEADS, 1.3, 1.3, 0.1 + 1e-12);
  put(1, CLOTH + 4, 0.1, 0.05, 1e-300);
  put(2, CUBE + 3, 9, 9, -1 + 1e-15);
  verify(0);
  put(2, CLOTH + 4, 0.1, 0.05, 0);
  json_t *report = verify(3);
  assert_found(report, "touching", 2, "cloth", "edge", "plate", "face");
  outcome o = program("verify", "out", NULL);
  assert_contains(o.out, "touching: frame 2");
  assert_contains(o.out, " touches plate face ");
}

/* ---- what is no contact ---- */

static void pairs_of_prescribed_vertices_are_not_reported(void **state)
{
  (void)state;
  const int point = CLOTH + 4;
  const vec3 place = v3(0.1, 0.05, -0.05);
  run_scene("", "");
  spoil(2, &point, &place, 1, true);
  verify(0);
  /* prescribed in one frame does not excuse another */
  put(3, CLOTH + 4, 0.1, 0.05, -0.05);
  assert_found(verify(3), "crossing", 3, "cloth", "edge", "plate", "face");
  /* obstacles among themselves, and behind a plane */
  run_scene("", "");
  put(2, PLATE, -1.5, -1.5, -3);
  verify(0);
}

static void pairs_switched_off_are_not_reported(void **state)
{
  (void)state;
  run_scene("'pairs': [{'a': 'm', 'b': 'plate', 'enabled': false}]", "");
  put(2, CLOTH + 4, 0.1, 0.05, -0.05);
  verify(0);
  put(2, CLOTH + 4, 0.1, 0.05, -1.05); /* the floor is not switched off */
  assert_found(verify(3), "crossing", 2, "cloth", "vertex", "floor", "plane");
  run_scene("'self_contact': false", "");
  put(2, BEADS + 1, 0.1, 0.2, 1.05);
  put(2, CLOTH, 0.3, 0.2, 0.15);
  verify(0);
}

/* two triangles welded at a corner: they share a vertex that the file lists twice */
static void welded_vertices_are_shared(void **state)
{
  (void)state;
  write_text("w.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 0\nv 1 0 0.3\nv 0 1 0.3\nf 1 2 3\n"
                      "f 4 5 6\n");
  const char *scene = "{'abut': 1, 'gravity': [0,0,0], 'time': {'end': 0.04}, " FILM
                      ", 'objects': [{'name': 'w', 'kind': 'shell', 'mesh': 'w.obj', 'material': "
                      "'m', 'weld': 1e-9}]}";
  write_text("s.json", quoted("%s", scene));
  run_to_end("s.json");
  verify(0);
  /* an edge that has no vertex in common with the face is judged all the same */
  put(2, 4, 0.5, 0.2, -0.1);
  assert_found(verify(3), "crossing", 2, "w", "edge", "w", "face");
}

/* ---- the folder ---- */

static void meshes_that_are_gone_do_not_matter(void **state)
{
  (void)state;
  write_text("m.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  write_text("s.json", quoted("{'abut': 1, 'time': {'end': 0.02}, " FILM
                              ", 'objects': [{'name': 'a', 'kind': 'shell', 'mesh': 'm.obj', "
                              "'material': 'm', 'rest': {'mesh': 'm.obj'}}]}"));
  run_to_end("s.json");
  assert_int_equal(unlink(at("m.obj")), 0);
  verify(0);
}

static void folders_that_are_no_runs_are_refused(void **state)
{
  (void)state;
  outcome o = program("verify", "nowhere", NULL);
  assert_exit(o, 5);
  assert_contains(o.err, "nowhere/scene.json");
  run_scene("", "");
  assert_int_equal(truncate(at("out/trajectory.vtkhdf"), 9000), 0);
  o = program("verify", "out", NULL);
  assert_exit(o, 2);
  assert_contains(o.err, "out/trajectory.vtkhdf");
  assert_int_equal(unlink(at("out/trajectory.vtkhdf")), 0);
  assert_exit(program("verify", "out", NULL), 5);
  /* the scene of another run */
  run_scene("", "");
  write_text("out/scene.json", "{\"abut\": 1}");
  o = program("verify", "out", NULL);
  assert_exit(o, 2);
  assert_contains(o.err, "\"cloth\" that scene.json has not");
}

static void a_run_still_going_can_be_verified(void **state)
{
  (void)state;
  write_text("s.json", quoted("{'abut': 1, 'time': {'end': 0.05}, 'objects': [{'name': 'b', "
                              "'kind': 'spheres', 'centers': [[0,0,1]], 'radii': [0.1], "
                              "'density': 1}]}"));
  assert_exit(program("run", "s.json", "-o", "out", "--steps", "0", NULL), 0);
  assert_contains(program("verify", "out", NULL).out, "out: 1 frames, 0 crossings");
}

static void *take_little(void *ctx, size_t size)
{
  larder *l = ctx;
  return l->bytes + (int64_t)size > 50000000 ? NULL : larder_take(ctx, size);
}

/* memory for so many bodies grows with their number */
static void many_bodies_take_little_memory(void **state)
{
  (void)state;
  enum { BODIES = 120 };
  static char text[BODIES * 256];
  int n = sprintf(text, "{'abut': 1, 'time': {'step': 1e-3, 'end': 1e-3}, " FILM ", 'objects': [");
  for (int k = 0; k < BODIES; k++)
    n +=
        sprintf(text + n,
                "%s{'name': 'sheet %d', 'kind': 'shell', 'material': 'm', 'mesh': {'shape': "
                "'grid', 'size': [1, 1], 'cells': [2, 2]}, 'transform': {'translate': [0, 0, %d]}}",
                k ? ", " : "", k, k);
  sprintf(text + n, "]}");
  write_text("s.json", quoted("%s", text));
  run_to_end("s.json");
  larder memory = {.fails = -1};
  abut_settings settings = abut_settings_default();
  settings.allocator = (abut_allocator){take_little, larder_give, &memory};
  abut_scene *scene;
  const abut_finding *list;
  int64_t count, frames;
  assert_int_equal(abut_create(&settings, &scene), ABUT_OK);
  assert_int_equal(abut_verify(scene, at("out"), &list, &count, &frames), ABUT_OK);
  assert_int_equal(count, 0);
  assert_int_equal(frames, 2);
  abut_destroy(scene);
  assert_int_equal(memory.live, 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      IN_FOLDER(a_run_as_it_is_has_no_crossing),
      IN_FOLDER(a_vertex_pushed_through_a_face_is_found_in_its_frame),
      IN_FOLDER(a_vertex_pushed_through_its_own_sheet_is_found),
      IN_FOLDER(the_skin_of_a_solid_is_tested),
      IN_FOLDER(spheres_and_planes_are_tested_too),
      IN_FOLDER(near_is_not_a_crossing_and_touching_is_one_of_its_own),
      IN_FOLDER(pairs_of_prescribed_vertices_are_not_reported),
      IN_FOLDER(pairs_switched_off_are_not_reported),
      IN_FOLDER(welded_vertices_are_shared),
      IN_FOLDER(meshes_that_are_gone_do_not_matter),
      IN_FOLDER(folders_that_are_no_runs_are_refused),
      IN_FOLDER(a_run_still_going_can_be_verified),
      IN_FOLDER(many_bodies_take_little_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
