/* Scene files as text: comments, faults of syntax with their lines, paths, settings, and the scene
   as run. */
#include "scene_base.h"

#include "api/handle.h"

/* loads the text from a file of the folder, and must fail */
static abut_error refuse_file(const char *text, abut_status code)
{
  abut_scene *s = new_scene();
  write_text("scene.json", text);
  abut_status status = abut_load(s, at("scene.json"));
  if (status == ABUT_OK) status = abut_step(s, 0, NULL);
  abut_error e = abut_last_error(s);
  if (status != code)
    fail_msg("status %d, expected %d: %s\n%s", (int)status, (int)code, e.message, text);
  assert_string_equal(e.file, at("scene.json"));
  return e;
}

/* ---- syntax ---- */

static void comments_are_skipped_and_strings_are_not(void **state)
{
  (void)state;
  write_text("scene.json", "\xef\xbb\xbf// a scene\n{ /* the\nversion */ \"abut\": 1, // one\n"
                           "\"name\": \"a // b /* c */ \\\" // d\", /**/ \"objects\": [] /* \"*/ }"
                           " // end");
  abut_scene *s = new_scene();
  must(s, abut_load(s, at("scene.json")));
  take_steps(s, 0);
  assert_string_equal(s->def.name, "a // b /* c */ \" // d");
}

static void faults_of_syntax_name_file_and_line(void **state)
{
  (void)state;
  static const struct {
    const char *text;
    int line;
  } bad[] = {{"{\n\"abut\": 1\n\"name\": 2}", 3},
             {"{\n\n\"abut\": 1,,}", 3},
             {"{\"abut\": 1}\n}", 2},
             {"", 1},
             {"// only a comment", 1},
             {"{\"abut\": 1, /* not closed\n\n", 3},
             {"{\"abut\": 1,\n\"abut\": 1}", 2},
             {"{\"abut\": 01}", 1},
             {"{\n\"gravity\": [0, 0, NaN]}", 2},
             {"{\n\"time\": {\"step\": 1e400}}", 2},
             {"{\n\n'abut': 1}", 3},
             {"[1]", 1},
             {"5", 1},
             {"{\"abut\": 1, \"name\": \"\xff\"}", 1}};
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
    abut_error e = refuse_file(bad[k].text, ABUT_BAD_FORMAT);
    if (e.line != bad[k].line)
      fail_msg("line %d, expected %d: %s in\n%s", e.line, bad[k].line, e.message, bad[k].text);
  }
  write_bytes("scene.json", "{\"abut\": 1,\0 \"name\": \"x\"}", 25);
  abut_scene *s = new_scene();
  assert_int_equal(abut_load(s, at("scene.json")), ABUT_BAD_FORMAT);
}

static void faults_of_keys_name_the_line_that_a_second_scan_finds(void **state)
{
  (void)state;
  abut_error e = refuse_file(quoted("{'abut': 1, // first line\n 'objects': [\n"
                                    "  {'name': 'a', 'kind': 'plane'},\n"
                                    "  {'name': 'b',\n   'kind': 'plane',\n   'nromal': 1}\n]}"),
                             ABUT_BAD_FORMAT);
  assert_int_equal(e.line, 6);
  assert_string_equal(e.key, "objects[1].nromal");
  /* a key that is missing: the line of its object */
  e = refuse_file(quoted("{'abut': 1,\n 'objects': [\n  {'name': 'a', 'kind': 'plane'},\n"
                         "  {'kind': 'plane'}\n]}"),
                  ABUT_BAD_FORMAT);
  assert_int_equal(e.line, 4);
  assert_string_equal(e.key, "objects[1].name");
  /* found when the scene is put together */
  e = refuse_file(quoted("{'abut': 1,\n'objects': [{'name': 'c', 'kind': 'shell',\n"
                         "'mesh': {'shape': 'grid', 'size': [1,1], 'cells': [1,1]},\n"
                         "'material': 'film'}]}"),
                  ABUT_BAD_FORMAT);
  assert_int_equal(e.line, 4);
  assert_string_equal(e.key, "objects[0].material");
  assert_string_equal(e.object, "c");
  e = refuse_file(quoted("{'abut': 1,\n'objects': [\n{'name': 'p', 'kind': 'spheres', "
                         "'centers': [[0,0,0]], 'radii': [1], 'density': 1}],\n'controls': [\n"
                         "{'kind': 'pin', 'object': 'p', 'vertices': {'range': [0, 1]}}]}"),
                  ABUT_BAD_FORMAT);
  assert_int_equal(e.line, 5);
  assert_string_equal(e.key, "controls[0].vertices.range");
}

static void the_version_of_the_format_must_be_there(void **state)
{
  (void)state;
  abut_error e = refuse_file("{}", ABUT_BAD_FORMAT);
  assert_string_equal(e.key, "abut");
  assert_contains(e.message, "missing");
  e = refuse_file("{\"abut\": 7}", ABUT_UNSUPPORTED);
  assert_contains(e.message, "not 7");
}

/* ---- paths ---- */

static void relative_paths_start_at_the_scene_file(void **state)
{
  (void)state;
  make_folder("scenes");
  make_folder("meshes");
  write_text("meshes/a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  write_text("scenes/s.json", quoted("{'abut': 1, 'time': {'end': 0.01}, 'objects': ["
                                     "{'name': 'a', 'kind': 'obstacle', 'mesh': '../meshes/a.obj'},"
                                     "{'name': 'b', 'kind': 'obstacle', 'mesh': '%s/meshes/a.obj', "
                                     "'transform': {'translate': [3,0,0]}}]}",
                                     folder));
  outcome o = program("run", "scenes/s.json", "-o", "out", NULL);
  assert_exit(o, 0);
  /* the scene as run can be run from anywhere */
  assert_string_equal(string(read_json("out/scene.json"), "objects[0].mesh"), at("meshes/a.obj"));
  work_folder = "/";
  o = program("run", at("scenes/s.json"), "-o", at("out2"), NULL);
  work_folder = NULL;
  assert_exit(o, 0);
  assert_string_equal(hash_of("out2"), hash_of("out"));
}

static void mesh_files_with_capital_suffixes_are_read(void **state)
{
  (void)state;
  write_text("A.OBJ", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  abut_scene *s = parse_scene(
      quoted("{'abut': 1, 'objects': [{'name': 'a', 'kind': 'obstacle', 'mesh': 'A.OBJ'}]}"));
  take_steps(s, 1);
  assert_exit(program("info", "A.OBJ", NULL), 0);
  assert_exit(program("check", "A.OBJ", NULL), 0);
}

static void missing_and_unreadable_meshes_are_io_errors(void **state)
{
  (void)state;
  abut_scene *s = parse_scene(
      quoted("{'abut': 1, 'objects': [{'name': 'a', 'kind': 'obstacle', 'mesh': 'gone.obj'}]}"));
  assert_int_equal(abut_step(s, 1, NULL), ABUT_IO);
  assert_string_equal(abut_last_error(s).file, at("gone.obj"));
  assert_string_equal(abut_last_error(s).object, "a");
  assert_contains(abut_last_error(s).message, strerror(ENOENT));
  make_folder("gone.obj");
  assert_int_equal(abut_step(s, 1, NULL), ABUT_IO);
  assert_contains(abut_last_error(s).message, strerror(EISDIR));
  assert_int_equal(abut_load(new_scene(), at("gone.json")), ABUT_IO);
}

/* ---- settings ---- */

static void settings_reach_every_place_by_its_path(void **state)
{
  (void)state;
  abut_scene *s = base_with(
      "contact.dhat=2e-3", "objects[1].radii[1]=0.25", "objects[2].transform.translate[2]=-1.5",
      "materials.jelly.density=2000", "time.end=0.07", "gravity=[0,1,2]", "gravity[1]=3", NULL);
  assert_true(s->def.dhat == 2e-3);
  assert_true(s->def.object[1].radius[1] == 0.25);
  assert_true(s->def.material[1].density == 2000);
  assert_true(s->def.end == 0.07);
  assert_true(s->def.gravity.y == 3);
  assert_true(positions(s, "bin")[2] == -2);
}

/* transform has no translate in the base scene, and a list has no third element to set */
static void missing_objects_are_created_and_missing_elements_are_not(void **state)
{
  (void)state;
  abut_scene *s = base();
  must(s, try_setting(s, "output.checkpoint_every=7"));
  must(s, try_setting(s, "contact.pairs=[]"));
  must(s, try_setting(s, "objects[0].transform.scale=2"));
  assert_int_equal(try_setting(s, "objects[9].name='x'"), ABUT_BAD_ARGUMENT);
  assert_contains(abut_last_error(s).message, "objects[9].name");
  assert_int_equal(try_setting(s, "objects[4294967296].name='x'"), ABUT_BAD_ARGUMENT);
  assert_int_equal(try_setting(s, "objects[99999999999999999999].name='x'"), ABUT_BAD_ARGUMENT);
  assert_int_equal(try_setting(s, "gravity[3]=1"), ABUT_BAD_ARGUMENT);
  assert_int_equal(try_setting(s, "time.step.x=1"), ABUT_BAD_ARGUMENT);
  assert_int_equal(try_setting(s, "objects[0].name.x=1"), ABUT_BAD_ARGUMENT);
  assert_int_equal(try_setting(s, "contact.=1"), ABUT_BAD_ARGUMENT);
  assert_int_equal(try_setting(s, "=1"), ABUT_BAD_ARGUMENT);
  assert_int_equal(try_setting(s, "contact"), ABUT_BAD_ARGUMENT);
  assert_contains(abut_last_error(s).message, "KEY=VALUE");
  assert_int_equal(abut_set(s, "name=\xff"), ABUT_BAD_ARGUMENT);
  take_steps(s, 0);
  assert_int_equal(s->def.checkpoint_every, 7);
  assert_true(s->def.object[0].scale.z == 2);
}

static void a_value_is_json_or_else_a_string(void **state)
{
  (void)state;
  abut_scene *s = base();
  must(s, abut_set(s, "name=two words"));
  must(s, abut_set(s, "contact.dhat=auto"));
  must(s, abut_set(s, "objects[0].material=film"));
  must(s, abut_set(s, "contact.self_contact=false"));
  must(s, abut_set(s, "contact.pairs=[{\"a\": \"cloth\", \"b\": \"bin\", \"friction\": 0.5}]"));
  take_steps(s, 0);
  assert_string_equal(s->def.name, "two words");
  assert_false(s->def.self_contact);
  assert_int_equal(s->def.pairs, 1);
  /* an equals sign in the value, and quotes that JSON takes away */
  s = base();
  must(s, abut_set(s, "name=\"a=b\""));
  take_steps(s, 0);
  assert_string_equal(s->def.name, "a=b");
}

static void short_forms_become_objects_first(void **state)
{
  (void)state;
  abut_scene *s = base();
  must(s, abut_set(s, "method=offset_ipc"));
  must(s, abut_set(s, "method.max_newton=50"));
  must(s, abut_set(s, "linear_solver=pcg"));
  must(s, abut_set(s, "linear_solver.tolerance=1e-4"));
  take_steps(s, 0);
  assert_string_equal(s->def.options.method->name, "offset_ipc");
  assert_int_equal(s->def.options.max_newton, 50);
  assert_string_equal(s->def.options.linear->name, "pcg");
  assert_true(s->def.options.linear_options.tolerance == 1e-4);
}

static void the_method_is_set_last_and_keeps_the_options(void **state)
{
  (void)state;
  abut_scene *s = base();
  must(s, abut_set_method(s, "offset_ipc"));
  must(s, try_setting(s, "method={'name': 'ipc', 'max_newton': 50, 'k_max': 3, 'filter': 1}"));
  must(s, try_setting(s, "contact.stiffness=1e9"));
  take_steps(s, 0);
  assert_string_equal(s->def.options.method->name, "offset_ipc");
  assert_int_equal(s->def.options.max_newton, 50);
  assert_true(s->def.options.stiffness == 0);
  assert_contains(notes, "method.k_max is an option of barrier_free; offset_ipc goes without it");
  assert_contains(notes, "method.filter is an option of gipc");
  assert_contains(notes, "contact.stiffness belongs to ipc; offset_ipc takes \"auto\"");
  /* one number for each method */
  s = base();
  must(s, abut_set_method(s, "offset_ipc"));
  must(s, try_setting(s, "contact.stiffness={'offset_ipc': 500, 'ipc': 'auto'}"));
  take_steps(s, 0);
  assert_true(s->def.options.stiffness == 500);
  /* a method that does not exist */
  s = base();
  assert_int_equal(abut_set_method(s, "gipc"), ABUT_UNSUPPORTED);
  assert_contains(abut_last_error(s).message, "\"gipc\" is not available");
  take_steps(s, 0);
}

/* a stiffness of another method must not turn into this method's when scene.json is run again */
static void a_scene_run_with_another_method_can_be_run_again(void **state)
{
  (void)state;
  write_text("s.json", quoted("%s", base_scene));
  outcome o = program("run", "s.json", "-o", "one", "--method", "offset_ipc", "--set",
                      "contact.stiffness=1e9", "--set", "objects[0].transform.translate=[0,0,-1.4]",
                      "--set", "time.end=0.2", NULL);
  assert_exit(o, 0);
  json_t *scene = read_json("one/scene.json");
  assert_string_equal(string(scene, "method.name"), "offset_ipc");
  assert_true(number(scene, "contact.stiffness.ipc") == 1e9);
  assert_true(number(read_json("one/summary.json"), "max_contacts") > 0);
  assert_exit(program("run", "one/scene.json", "-o", "two", NULL), 0);
  assert_string_equal(hash_of("two"), hash_of("one"));
}

/* ---- the scene as run ---- */

static void every_default_is_written_out(void **state)
{
  (void)state;
  write_text("s.json", quoted("%s", base_scene));
  run_to_end("s.json");
  json_t *scene = read_json("out/scene.json");
  static const char *const path[] = {"version",
                                     "name",
                                     "gravity",
                                     "time.step",
                                     "time.end",
                                     "method.name",
                                     "method.stop",
                                     "method.tolerance",
                                     "method.epsilon",
                                     "method.k_min",
                                     "method.max_newton",
                                     "method.max_subdivisions",
                                     "method.friction_iterations",
                                     "method.at_cap",
                                     "linear_solver.name",
                                     "threads",
                                     "contact.dhat",
                                     "contact.gap",
                                     "contact.friction",
                                     "contact.friction_velocity",
                                     "contact.stiffness",
                                     "contact.self_contact",
                                     "contact.pairs",
                                     "materials.film.bending_scale",
                                     "materials.film.hinge_angle",
                                     "materials.film.damping",
                                     "objects[0].transform.scale",
                                     "objects[0].transform.rotate",
                                     "objects[0].transform.translate",
                                     "objects[0].velocity",
                                     "objects[0].angular_velocity",
                                     "objects[0].rest",
                                     "objects[0].weld",
                                     "objects[1].velocity",
                                     "controls",
                                     "output.format",
                                     "output.checkpoint_every"};
  for (size_t k = 0; k < sizeof path / sizeof *path; k++)
    if (!find(scene, path[k])) fail_msg("%s is missing", path[k]);
  assert_string_equal(string(scene, "version"), abut_version());
  assert_true(number(scene, "gravity[2]") == -9.81);
  assert_string_equal(string(scene, "method.name"), "ipc");
  assert_true(number(scene, "method.max_newton") == 1000);
  assert_true(number(scene, "method.max_subdivisions") == 7);
  assert_true(number(scene, "method.friction_iterations") == 1);
  assert_string_equal(string(scene, "method.tolerance"), "auto");
  assert_string_equal(string(scene, "contact.dhat"), "auto");
  assert_true(number(scene, "contact.friction") == 0);
  assert_true(json_is_true(find(scene, "contact.self_contact")));
  assert_string_equal(string(scene, "materials.film.hinge_angle"), "follow");
  assert_string_equal(string(scene, "objects[0].rest"), "input");
  assert_string_equal(string(scene, "output.format"), "vtkhdf");
  assert_true(number(scene, "output.checkpoint_every") == 100);
}

static void the_scene_as_run_runs_again_to_the_same_bits(void **state)
{
  (void)state;
  write_text("s.json", quoted("%s", base_scene));
  outcome o = program("run", "s.json", "-o", "out", "--set", "contact.friction=0.3", "--set",
                      "gravity=[0.1,0,-9.8]", "--set", "time.frame_rate=60", NULL);
  assert_exit(o, 0);
  assert_exit(program("run", "out/scene.json", "-o", "again", NULL), 0);
  assert_string_equal(hash_of("again"), hash_of("out"));
  /* and is a fixed point */
  assert_string_equal(read_text("again/scene.json"), read_text("out/scene.json"));
  /* in its own folder too */
  const char *before = hash_of("out");
  assert_exit(program("run", "out/scene.json", "-o", "out", NULL), 0);
  assert_string_equal(hash_of("out"), before);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      IN_FOLDER(comments_are_skipped_and_strings_are_not),
      IN_FOLDER(faults_of_syntax_name_file_and_line),
      IN_FOLDER(faults_of_keys_name_the_line_that_a_second_scan_finds),
      IN_FOLDER(the_version_of_the_format_must_be_there),
      IN_FOLDER(relative_paths_start_at_the_scene_file),
      IN_FOLDER(mesh_files_with_capital_suffixes_are_read),
      IN_FOLDER(missing_and_unreadable_meshes_are_io_errors),
      IN_FOLDER(settings_reach_every_place_by_its_path),
      IN_FOLDER(missing_objects_are_created_and_missing_elements_are_not),
      IN_FOLDER(a_value_is_json_or_else_a_string),
      IN_FOLDER(short_forms_become_objects_first),
      IN_FOLDER(the_method_is_set_last_and_keeps_the_options),
      IN_FOLDER(a_scene_run_with_another_method_can_be_run_again),
      IN_FOLDER(every_default_is_written_out),
      IN_FOLDER(the_scene_as_run_runs_again_to_the_same_bits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
