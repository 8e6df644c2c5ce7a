/* The C interface at work: scenes beside each other, scenes built piece by piece, views, runs. */
#include "scene_base.h"

#include <locale.h>
#include <pthread.h>

/* ---- piece by piece ---- */

static const double plate[] = {-1, -1, 0, 1, -1, 0, -1, 1, 0, 1, 1, 0};
static const double sheet[] = {-.5, -.4, .3, .5, -.5, .3, -.5, .5, .3, .5, .4, .35};
static const int32_t two[] = {0, 1, 2, 1, 3, 2}, tet[] = {0, 1, 2, 3};
static const double corner[] = {5, 0, .5, 6, 0, .5, 5, 1, .5, 5, 0, 1.5};
static const double center[] = {3, 0, .5}, radius[] = {.1};

static const char pin[] = "{'kind': 'pin', 'object': 'sheet', 'indices': [0]}";

static abut_scene *pieces(const char *method)
{
  abut_settings t = abut_settings_default();
  t.method = method;
  t.threads = 1;
  t.dhat = 1e-3;
  t.friction = 0.3;
  abut_scene *s;
  assert_int_equal(abut_create(&t, &s), ABUT_OK);
  kept_scene[kept_scenes++] = s;
  abut_material film = abut_material_default("stvk"), jelly = abut_material_default("neo_hookean");
  film.bending_scale = 0.5;
  abut_mesh a = {4, plate, 2, two}, b = {4, sheet, 2, two}, c = {4, corner, 1, tet};
  const double point[3] = {0, 0, -0.1}, normal[3] = {0, 0, 2};
  abut_body body;
  must(s, abut_add_obstacle(s, "plate", &a, &body));
  assert_int_equal(body.index, 1);
  must(s, abut_add_shell(s, "sheet", &b, &film, NULL));
  must(s, abut_add_solid(s, "tet", &c, &jelly, NULL));
  must(s, abut_add_spheres(s, "bead", 1, center, radius, 500, NULL));
  must(s, abut_add_plane(s, "floor", point, normal, &body));
  assert_int_equal(body.index, 5);
  must(s, abut_add_control(s, quoted("%s", pin)));
  return s;
}

static abut_scene *same_from_a_file(const char *method)
{
  write_text("plate.obj", "v -1 -1 0\nv 1 -1 0\nv -1 1 0\nv 1 1 0\nf 1 2 3\nf 2 4 3\n");
  write_text("sheet.obj",
             "v -.5 -.4 .3\nv .5 -.5 .3\nv -.5 .5 .3\nv .5 .4 .35\nf 1 2 3\nf 2 4 3\n");
  write_text("tet.msh", "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n1 5 0 .5\n2 6 0 .5\n"
                        "3 5 1 .5\n4 5 0 1.5\n$EndNodes\n$Elements\n1\n1 4 0 1 2 3 4\n"
                        "$EndElements\n");
  write_text(
      "s.json",
      quoted("{'abut': 1, 'time': {'end': 5}, 'contact': {'dhat': 1e-3, 'friction': 0.3}, "
             "'materials': {'film': {'model': 'stvk', 'youngs_modulus': 1e5, 'poissons_ratio': "
             "0.3, 'density': 1000, 'thickness': 1e-3, 'bending_scale': 0.5}, 'jelly': {'model': "
             "'neo_hookean', 'youngs_modulus': 1e5, 'poissons_ratio': 0.3, 'density': 1000}}, "
             "'objects': [{'name': 'plate', 'kind': 'obstacle', 'mesh': 'plate.obj'},"
             "{'name': 'sheet', 'kind': 'shell', 'mesh': 'sheet.obj', 'material': 'film'},"
             "{'name': 'tet', 'kind': 'solid', 'mesh': 'tet.msh', 'material': 'jelly'},"
             "{'name': 'bead', 'kind': 'spheres', 'centers': [[3,0,0.5]], 'radii': [0.1], "
             "'density': 500}, {'name': 'floor', 'kind': 'plane', 'point': [0,0,-0.1], "
             "'normal': [0,0,2]}], 'controls': [%s]}",
             pin));
  abut_scene *s = new_scene();
  must(s, abut_load(s, at("s.json")));
  must(s, abut_set_method(s, method));
  return s;
}

/* the options of barrier_free used to be zero, and no step could be made */
static void a_scene_built_piece_by_piece_is_the_scene_of_a_file(void **state)
{
  (void)state;
  const char *method, *text;
  for (int m = 0; abut_list("methods", m, &method, &text); m++) {
    abut_scene *a = pieces(method), *b = same_from_a_file(method);
    int64_t contacts = 0;
    for (int k = 0; k < 40; k++) {
      abut_report r = take_steps(a, 1);
      take_steps(b, 1);
      contacts += r.contacts;
      assert_true(abut_hash(a) == abut_hash(b));
    }
    assert_true(contacts > 0);
    /* the program too */
    assert_exit(program("run", "s.json", "-o", "out", "--steps", "40", "--method", method, NULL),
                0);
    assert_string_equal(hash_of("out"), print_text("%016llx", (unsigned long long)abut_hash(b)));
  }
}

static void the_callers_arrays_are_copied(void **state)
{
  (void)state;
  double x[12], c[3] = {0, 0, 9}, r[1] = {0.5};
  int32_t cell[6];
  char name[] = "sheet";
  memcpy(x, sheet, sizeof x);
  memcpy(cell, two, sizeof cell);
  abut_scene *s = new_scene();
  abut_mesh m = {4, x, 2, cell};
  abut_material film = abut_material_default("stvk");
  must(s, abut_add_shell(s, name, &m, &film, NULL));
  must(s, abut_add_spheres(s, "b", 1, c, r, 1, NULL));
  memset(x, 0xff, sizeof x);
  memset(cell, 0xff, sizeof cell);
  memset(name, 'z', 5);
  c[2] = r[0] = NAN;
  take_steps(s, 0);
  assert_memory_equal(positions(s, "sheet"), sheet, sizeof sheet);
  assert_true(positions(s, "b")[2] == 9);
}

/* ---- views ---- */

static void views_hold_the_present_state_until_the_next_call(void **state)
{
  (void)state;
  abut_scene *s = base();
  abut_body cloth = abut_find_body(s, "cloth");
  assert_int_equal(cloth.index, 1);
  assert_int_equal(abut_vertex_count(s, cloth), 9);
  const double *x = abut_positions(s, cloth); /* builds the scene */
  assert_non_null(x);
  assert_true(x[0] == -0.5 && x[1] == -0.5 && x[2] == 0);
  double before = x[2];
  abut_report r = take_steps(s, 2);
  assert_int_equal(r.steps, 2);
  x = abut_positions(s, cloth);
  assert_true(x[2] < before);
  const double *v = abut_velocities(s, cloth);
  assert_near(v[2], -9.81 * 0.02, 1e-12);
  /* asking again changes nothing */
  assert_true(abut_positions(s, cloth) == x);
  assert_true(abut_hash(s) == abut_hash(s));
  /* obstacles and spheres have views too */
  assert_true(positions(s, "bin")[2] == -2.5);
  assert_near(positions(s, "beads")[5], 3 - 9.81 * 3e-4, 1e-12);
}

static void steps_end_with_the_scene(void **state)
{
  (void)state;
  abut_scene *s = base();
  abut_report r;
  must(s, abut_step(s, 3, &r));
  assert_int_equal(r.steps, 3);
  assert_true(r.time == 0.03 && abut_time(s) == 0.03);
  must(s, abut_step(s, 100, &r));
  assert_int_equal(r.steps, 2);
  must(s, abut_step(s, 100, &r));
  assert_int_equal(r.steps, 0);
  assert_true(r.time == 0.05);
  assert_true(isinf(r.min_gap));
  /* a scene without a file has no end */
  s = pieces("ipc");
  assert_int_equal(take_steps(s, 150).steps, 150);
}

static bool stop_at_once(void *ctx)
{
  return ++*(int *)ctx > 3;
}

static void a_poll_that_says_stop_leaves_the_last_good_state(void **state)
{
  (void)state;
  int asked = 0;
  abut_settings t = abut_settings_default();
  t.poll = stop_at_once;
  t.poll_ctx = &asked;
  abut_scene *s;
  assert_int_equal(abut_create(&t, &s), ABUT_OK);
  kept_scene[kept_scenes++] = s;
  must(s, abut_parse(s, quoted("%s", base_scene), folder));
  abut_report r;
  assert_int_equal(abut_step(s, 5, &r), ABUT_CANCELLED);
  assert_int_equal(abut_last_error(s).code, ABUT_CANCELLED);
  assert_true(r.steps < 5);
  assert_true(abut_time(s) == r.time);
  asked = -1000;
  must(s, abut_step(s, 5, &r));
  abut_scene *whole = base();
  take_steps(whole, 5);
  assert_true(abut_hash(s) == abut_hash(whole));
}

/* ---- geometry ---- */

static void the_first_step_checks_the_geometry(void **state)
{
  (void)state;
  abut_scene *s = new_scene();
  abut_mesh a = {4, plate, 2, two}, b = {4, sheet, 2, two};
  double through[12];
  memcpy(through, sheet, sizeof through);
  through[2] = -0.3;
  b.x = through;
  abut_material film = abut_material_default("stvk");
  must(s, abut_add_obstacle(s, "plate", &a, NULL));
  must(s, abut_add_shell(s, "sheet", &b, &film, NULL));
  assert_int_equal(abut_step(s, 1, NULL), ABUT_BAD_GEOMETRY);
  abut_error e = abut_last_error(s);
  assert_true(e.has_position);
  assert_non_null(e.object);
  assert_non_null(e.element);
  assert_contains(e.message, "crossing: ");
  assert_null(e.file);
}

/* whoever wants to draw the fault needs the places of the vertices, and may then mend it */
static void a_faulty_start_can_be_drawn(void **state)
{
  (void)state;
  abut_scene *s = parse_scene(
      quoted("{'abut': 1, 'objects': [{'name': 'a', 'kind': 'spheres', 'centers': [[0,0,0.4]], "
             "'radii': [0.5], 'density': 1}, {'name': 'p', 'kind': 'plane'}]}"));
  for (int k = 0; k < 2; k++) {
    assert_int_equal(abut_step(s, 1, NULL), ABUT_BAD_GEOMETRY);
    assert_true(positions(s, "a")[2] == 0.4);
    assert_true(abut_hash(s) == 0);
  }
  must(s, abut_set(s, "objects[0].centers=[[0,0,0.6]]"));
  assert_true(positions(s, "a")[2] == 0.6);
  take_steps(s, 1);
  assert_true(positions(s, "a")[2] < 0.6);
  /* the same, put together piece by piece */
  const double low[] = {0, 0, 0.4}, size = 0.5, point[] = {0, 0, 0}, up[] = {0, 0, 1};
  s = new_scene();
  must(s, abut_add_plane(s, "p", point, up, NULL));
  must(s, abut_add_spheres(s, "a", 1, low, &size, 1, NULL));
  assert_int_equal(abut_step(s, 1, NULL), ABUT_BAD_GEOMETRY);
  assert_true(positions(s, "a")[2] == 0.4);
  must(s, abut_add_control(s, "{\"kind\": \"pin\", \"object\": \"a\"}"));
  assert_true(positions(s, "a")[2] == 0.4);
  assert_int_equal(abut_step(s, 1, NULL), ABUT_OK); /* held for good, it touches nothing */
}

/* ---- beside each other ---- */

static void scenes_in_one_process_do_not_touch(void **state)
{
  (void)state;
  abut_scene *a = pieces("ipc"), *b = base(), *alone = pieces("ipc");
  take_steps(alone, 20);
  for (int k = 0; k < 20; k++) {
    take_steps(a, 1);
    if (k < 5) take_steps(b, 1);
    assert_int_equal(abut_set(b, "nonsense"), ABUT_BAD_ARGUMENT);
    assert_int_equal(abut_last_error(a).code, ABUT_OK);
  }
  assert_true(abut_hash(a) == abut_hash(alone));
}

static void *run_alone(void *arg)
{
  abut_scene *s = arg;
  for (int k = 0; k < 60; k++)
    if (abut_step(s, 1, NULL) != ABUT_OK) break;
  /* the error of a scene that cannot be made belongs to this thread */
  abut_scene *none;
  abut_settings bad = abut_settings_default();
  bad.method = "x";
  abut_create(&bad, &none);
  return s;
}

static void scenes_in_two_threads_give_the_bits_of_one(void **state)
{
  (void)state;
  abut_scene *s[3] = {pieces("ipc"), pieces("ipc"), pieces("ipc")};
  pthread_t thread[2];
  abut_scene *none;
  abut_settings bad = abut_settings_default();
  bad.linear_solver = "y";
  assert_int_equal(abut_create(&bad, &none), ABUT_UNSUPPORTED);
  for (int k = 0; k < 2; k++)
    assert_int_equal(pthread_create(&thread[k], NULL, run_alone, s[k]), 0);
  run_alone(s[2]);
  for (int k = 0; k < 2; k++) assert_int_equal(pthread_join(thread[k], NULL), 0);
  assert_contains(abut_last_error(NULL).message, "\"x\"");
  assert_near(abut_time(s[0]), 0.6, 1e-12);
  assert_true(abut_hash(s[0]) == abut_hash(s[2]));
  assert_true(abut_hash(s[1]) == abut_hash(s[2]));
}

/* ---- folders ---- */

typedef struct seen {
  int calls, frames;
  int64_t last_frame, steps;
  double end;
} seen;

static void watch(void *ctx, const abut_report *now, double end, double seconds, int64_t frame)
{
  seen *s = ctx;
  s->calls++;
  s->frames += frame >= 0;
  if (frame >= 0) s->last_frame = frame;
  s->steps = now->steps;
  s->end = end;
  assert_true(seconds >= 0);
}

static void a_run_tells_of_its_steps_and_frames(void **state)
{
  (void)state;
  seen w = {0};
  abut_scene *s = base();
  must(s, abut_set(s, "time.frame_rate=50"));
  abut_run_def def = abut_run_def_default();
  def.folder = at("out");
  def.progress = watch;
  def.progress_ctx = &w;
  def.steps = 3;
  must(s, abut_run(s, &def));
  assert_int_equal(w.calls, 4);
  assert_int_equal(w.frames, 2); /* 0 and 0.02 s */
  assert_int_equal(w.last_frame, 1);
  /* the same scene goes on, with the numbers of the whole run */
  w = (seen){0};
  def.steps = -1;
  def.until = 0.04;
  def.resume = true;
  must(s, abut_run(s, &def));
  assert_int_equal(w.steps, 4);
  assert_int_equal(w.last_frame, 2);
  assert_true(w.end == 0.04);
}

/* a host that speaks German writes 0,01; what goes into files does not */
static void a_locale_with_decimal_commas_changes_no_file(void **state)
{
  (void)state;
  if (system(print_text("localedef -i de_DE -f UTF-8 '%s/de_DE.UTF-8' 2>/dev/null", folder)) != 0)
    skip();
  assert_int_equal(setenv("LOCPATH", folder, 1), 0);
  if (!setlocale(LC_NUMERIC, "de_DE.UTF-8")) skip();
  assert_string_equal(print_text("%g", 0.5), "0,5");
  write_text("m.obj", "v 0 0.25 0\nv 1 0 0\nv 0 1 0\nv 1.5 0 0\nf 1 2 3\n");
  const abut_finding *list;
  int64_t n;
  abut_scene *s = base();
  abut_run_def def = abut_run_def_default();
  def.folder = at("out");
  must(s, abut_run(s, &def));
  must(s, abut_check(s, at("m.obj"), 0, at("bad.obj"), &list, &n));
  must(s, abut_export(s, at("out"), "obj", "1", at("export")));
  setlocale(LC_NUMERIC, "C");
  assert_near(list[0].position[0], 1.5, 0);
  assert_contains(read_text("bad.obj"), "v 1.5 0 0\n");
  assert_lacks(read_text("export/cloth_000001.obj"), ",");
  assert_true(number(read_json("out/summary.json"), "time") == 0.05);
  assert_true(number(read_json("out/scene.json"), "time.step") == 0.01);
  json_t *line = tree_of(strtok(read_text("out/steps.jsonl"), "\n"));
  assert_true(number(line, "time") == 0.01);
  assert_true(json_is_number(find(line, "momentum[2]")));
  abut_scene *other = base();
  take_steps(other, 5);
  assert_string_equal(hash_of("out"), print_text("%016llx", (unsigned long long)abut_hash(other)));
}

static void checking_and_describing_leave_a_scene_alone(void **state)
{
  (void)state;
  write_text("other.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 9 9 9\nf 1 2 3\n");
  abut_scene *s = base(), *alone = base();
  const abut_finding *list;
  const char *text;
  int64_t n, frames;
  take_steps(s, 2);
  must(s, abut_check(s, at("other.obj"), 0, NULL, &list, &n));
  assert_int_equal(n, 1);
  assert_string_equal(list[0].object[0], "other.obj");
  assert_string_equal(list[0].kind, "isolated");
  assert_null(list[0].object[1]);
  assert_int_equal(list[0].index[0], 3);
  assert_int_equal(list[0].frame, -1);
  must(s, abut_info(s, at("other.obj"), &text));
  assert_contains(text, "vertices: 4");
  abut_run_def def = abut_run_def_default();
  def.folder = at("out");
  must(s, abut_run(s, &def));
  must(s, abut_verify(s, at("out"), &list, &n, &frames));
  assert_int_equal(n, 0);
  assert_int_equal(frames, 6);
  must(s, abut_export(s, at("out"), "ply", "::2", NULL));
  assert_int_equal(abut_vertex_count(s, abut_find_body(s, "cloth")), 9);
  take_steps(s, 2);
  take_steps(alone, 4);
  assert_true(abut_hash(s) == abut_hash(alone));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      IN_FOLDER(a_scene_built_piece_by_piece_is_the_scene_of_a_file),
      IN_FOLDER(the_callers_arrays_are_copied),
      IN_FOLDER(views_hold_the_present_state_until_the_next_call),
      IN_FOLDER(steps_end_with_the_scene),
      IN_FOLDER(a_poll_that_says_stop_leaves_the_last_good_state),
      IN_FOLDER(the_first_step_checks_the_geometry),
      IN_FOLDER(a_faulty_start_can_be_drawn),
      IN_FOLDER(scenes_in_one_process_do_not_touch),
      IN_FOLDER(scenes_in_two_threads_give_the_bits_of_one),
      IN_FOLDER(a_run_tells_of_its_steps_and_frames),
      IN_FOLDER(a_locale_with_decimal_commas_changes_no_file),
      IN_FOLDER(checking_and_describing_leave_a_scene_alone),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
