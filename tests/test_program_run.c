/* The command line: commands, options, exit codes, errors, progress, and the records of a run. */
#include "scene_base.h"

/* ---- commands ---- */

static void the_program_names_itself_and_its_commands(void **state)
{
  (void)state;
  outcome o = program("--version", NULL);
  assert_exit(o, 0);
  assert_string_equal(o.out, print_text("abut %s\n", abut_version()));
  o = program("help", NULL);
  assert_exit(o, 0);
  static const char *const command[] = {"run", "check", "verify", "info", "export", "list", "help"};
  for (size_t k = 0; k < sizeof command / sizeof *command; k++) {
    assert_contains(o.out, print_text("  abut %s", command[k]));
    outcome page = program("help", command[k], NULL);
    assert_exit(page, 0);
    assert_contains(page.out, print_text("abut %s", command[k]));
  }
  assert_exit(program("--help", NULL), 0);
  assert_exit(program("help", "runn", NULL), 2);
  const char *alone[] = {program_path(), NULL};
  o = finish(start_list(alone));
  assert_exit(o, 2);
  assert_contains(o.out, "abut run SCENE");
}

static void unknown_and_later_commands_are_refused_by_name(void **state)
{
  (void)state;
  outcome o = program("runn", "scene.json", NULL);
  assert_exit(o, 2);
  assert_contains(o.err, "abut: there is no command \"runn\"");
  static const char *const later[] = {"compare", "convert"};
  for (int k = 0; k < 2; k++) {
    o = program(later[k], "scene.json", NULL);
    assert_exit(o, 2);
    assert_contains(o.err, print_text("the command %s is not available", later[k]));
  }
}

static void options_that_make_no_sense_are_usage_errors(void **state)
{
  (void)state;
  static const struct {
    const char *arg[4], *said;
  } bad[] = {{{"run", NULL}, "which scene?"},
             {{"run", "a.json", "b.json", NULL}, "one scene at a time"},
             {{"run", "a.json", "--stepz", NULL}, "there is no option --stepz"},
             {{"run", "a.json", "--steps", NULL}, "--steps needs a value"},
             {{"run", "a.json", "--steps=two", NULL}, "--steps takes a number, not \"two\""},
             {{"run", "a.json", "--steps=-1", NULL}, "--steps takes a number"},
             {{"run", "a.json", "--until=soon", NULL}, "--until takes a number"},
             {{"run", "a.json", "--until=nan", NULL}, "--until takes a number"},
             {{"run", "a.json", "--threads=-2", NULL}, "--threads takes a number"},
             {{"run", "a.json", "--threads=1.5", NULL}, "--threads takes a number"},
             {{"run", "a.json", "--quiet", "--json"}, "exclude each other"},
             {{"check", NULL}, "scene or mesh"},
             {{"check", "a.json", "--weld=-1", NULL}, "--weld takes a distance"},
             {{"verify", NULL}, "which run folder?"},
             {{"verify", "a", "b", NULL}, "one folder at a time"},
             {{"verify", "a", "--jsn", NULL}, "there is no option --jsn"},
             {{"info", NULL}, "which run folder, mesh or scene?"},
             {{"export", "a", NULL}, "which --format?"},
             {{"export", "a", "--format", NULL}, "--format needs a value"},
             {{"list", NULL}, "list what?"},
             {{"list", "cheeses", NULL}, "methods|energies|linear|formats|shapes"}};
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
    const char *const *a = bad[k].arg;
    outcome o = program(a[0], a[1], a[1] ? a[2] : NULL, a[1] && a[2] ? a[3] : NULL, NULL);
    assert_exit(o, 2);
    assert_contains(o.err, bad[k].said);
    assert_contains(o.err, "usage: abut");
  }
}

static void list_names_every_family(void **state)
{
  (void)state;
  static const struct {
    const char *family, *member[8];
  } all[] = {{"methods", {"ipc", "offset_ipc"}},
             {"energies", {"stvk", "neo_hookean", "stable_neo_hookean", "fixed_corotated"}},
             {"linear", {"cholesky", "pcg"}},
             {"formats", {"obj", "msh", "ply", "npy", "vtkhdf"}},
             {"shapes", {"grid", "disc", "tube", "box", "ball", "sphere"}}};
  for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
    outcome o = program("list", all[k].family, NULL);
    assert_exit(o, 0);
    for (int m = 0; m < 8 && all[k].member[m]; m++)
      assert_contains(print_text("\n%s", o.out), print_text("\n%s ", all[k].member[m]));
  }
}

/* ---- errors ---- */

static void errors_go_to_stderr_in_the_stated_form(void **state)
{
  (void)state;
  write_text("bad.json", "{\n\"abut\": 1,\n\"gravty\": 5}");
  outcome o = program("run", "bad.json", NULL);
  assert_exit(o, 2);
  assert_string_equal(o.out, "");
  assert_contains(o.err, "abut: bad.json:3: gravty: there is no such key (nearest: gravity); ");
  write_text("bad.json", "{\n\"abut\": 1,\n\"gravity\" 5}");
  assert_contains(program("run", "bad.json", NULL).err, "abut: bad.json:3: ");
  o = program("run", "gone.json", NULL);
  assert_exit(o, 5);
  assert_contains(o.err, print_text("abut: gone.json: cannot open: %s", strerror(ENOENT)));
  write_text("s.json", quoted("%s", base_scene));
  o = program("run", "s.json", "--set", "contact.dhat=-1", NULL);
  assert_exit(o, 2);
  assert_contains(o.err, "abut: s.json: contact.dhat: -1 is out of range; it must be positive");
  o = program("run", "s.json", "--set", "contact", NULL);
  assert_exit(o, 2);
  assert_contains(o.err, "KEY=VALUE");
  assert_false(there("out"));
}

static void errors_are_json_on_stdout_when_asked_for(void **state)
{
  (void)state;
  static const char *const key[] = {"code",   "file",    "line",     "key",
                                    "object", "element", "position", "message"};
  write_text("s.json", "{\"abut\": 1,\n\"objects\": [{\"name\": \"c\\\"1\", \"kind\": \"plane\",\n"
                       "\"nromal\": 1}]}");
  outcome o = program("run", "s.json", "--json", NULL);
  assert_exit(o, 2);
  json_t *e = find(tree_of(o.out), "error");
  assert_int_equal(json_object_size(e), 8);
  for (size_t k = 0; k < 8; k++) assert_non_null(json_object_get(e, key[k]));
  assert_int_equal(number(e, "code"), 2);
  assert_string_equal(string(e, "file"), "s.json");
  assert_int_equal(number(e, "line"), 3);
  assert_string_equal(string(e, "key"), "objects[0].nromal");
  assert_true(json_is_null(json_object_get(e, "element")));
  assert_true(json_is_null(json_object_get(e, "position")));
  assert_contains(string(e, "message"), "nearest: normal");
  o = program("check", "gone.json", "--json", NULL);
  assert_exit(o, 5);
  assert_int_equal(number(tree_of(o.out), "error.code"), 5);
  o = program("verify", "gone", "--json", NULL);
  assert_exit(o, 5);
  assert_string_equal(string(tree_of(o.out), "error.file"), "gone/scene.json");
}

static void features_of_later_versions_are_refused_at_the_command_line(void **state)
{
  (void)state;
  write_text("s.json", quoted("%s", base_scene));
  write_text("a.ply", "ply\n");
  run_to_end("s.json");
  static const char *const format[] = {"gltf", "usd", "pc2"};
  for (int k = 0; k < 3; k++) {
    outcome o = program("export", "out", "--format", format[k], NULL);
    assert_exit(o, 2);
    assert_contains(o.err, print_text("%s is not available", format[k]));
  }
  assert_contains(program("export", "out", "--format", "fbx", NULL).err, "no format \"fbx\"");
  outcome o = program("check", "a.ply", NULL);
  assert_exit(o, 2);
  assert_contains(o.err, ".ply files is not available");
  assert_exit(program("info", "a.ply", NULL), 2);
  o = program("run", "s.json", "--method", "gipc", NULL);
  assert_exit(o, 2);
  assert_contains(o.err, "\"gipc\" is not available");
}

/* ---- progress ---- */

static int lines_of(const char *text)
{
  int n = 0;
  for (; *text; text++) n += *text == '\n';
  return n;
}

static void progress_is_a_line_per_frame_away_from_a_terminal(void **state)
{
  (void)state;
  write_text("s.json", quoted("%s", base_scene));
  outcome o = run_to_end("s.json");
  assert_int_equal(lines_of(o.err), 5);
  assert_contains(o.err, "t 0.0500/0.0500 s  step 5  newton ");
  assert_string_equal(o.out, "");
  o = program("run", "s.json", "-o", "out", "--set", "time.frame_rate=50", NULL);
  assert_int_equal(lines_of(o.err), 2); /* frames at 0.02 and 0.04 */
  o = program("run", "s.json", "-o", "out", "--quiet", NULL);
  assert_exit(o, 0);
  assert_string_equal(o.err, "");
  o = program("run", "s.json", "-o", "out", "--json", NULL);
  assert_exit(o, 0);
  assert_int_equal(lines_of(o.out), 5);
  assert_string_equal(o.err, "");
  json_t *line = tree_of(strtok(o.out, "\n"));
  assert_int_equal(number(line, "frame"), 1);
  assert_int_equal(number(line, "step"), 1);
  assert_true(number(line, "time") == 0.01);
}

static void notes_and_warnings_are_told_apart(void **state)
{
  (void)state;
  write_text("s.json", quoted("%s", base_scene));
  outcome o = program("run", "s.json", "-o", "out", "--method", "offset_ipc", "--set",
                      "contact.stiffness=5", NULL);
  assert_exit(o, 0);
  assert_contains(o.err, "abut: note: contact.stiffness belongs to ipc");
  o = program("run", "s.json", "-o", "out", "--method", "offset_ipc", "--set",
              "contact.stiffness=5", "--quiet", NULL);
  assert_string_equal(o.err, "");
}

/* the line is written over itself */
static void progress_is_one_updating_line_on_a_terminal(void **state)
{
  (void)state;
  write_text("s.json", quoted("%s", base_scene));
  int master = posix_openpt(O_RDWR | O_NOCTTY);
  if (master < 0 || grantpt(master) != 0 || unlockpt(master) != 0) skip();
  int tty = open(ptsname(master), O_RDWR | O_NOCTTY);
  pid_t pid = fork();
  if (pid == 0) {
    close(master);
    if (tty < 0 || chdir(folder) != 0 || dup2(tty, 2) < 0) _exit(126);
    execl(program_path(), "abut", "run", "s.json", "--threads", "1", (char *)NULL);
    _exit(127);
  }
  char text[8192];
  int n = 0, status;
  close(tty);
  for (ssize_t got = 1; got > 0 && n<8000; n += got> 0 ? (int)got : 0)
    got = read(master, text + n, (size_t)(8000 - n));
  text[n] = '\0';
  close(master);
  assert_int_equal(waitpid(pid, &status, 0), pid);
  assert_int_equal(WEXITSTATUS(status), 0);
  assert_int_equal(lines_of(text), 1);
  assert_contains(text, "\r\033[Kt 0.0100/0.0500 s  step 1  newton ");
  assert_contains(text, "\r\033[Kt 0.0500/0.0500 s  step 5");
  assert_true(there("out/s/summary.json")); /* the default folder */
}

/* ---- limits ---- */

static int64_t steps_made(void)
{
  return (int64_t)number(read_json("out/summary.json"), "steps");
}

static void steps_and_until_are_totals_and_the_earlier_wins(void **state)
{
  (void)state;
  write_text("s.json", quoted("%s", base_scene));
  assert_exit(program("run", "s.json", "-o", "out", "--steps", "2", NULL), 0);
  assert_int_equal(steps_made(), 2);
  assert_string_equal(string(read_json("out/summary.json"), "status"), "done");
  /* resumed: 3 in all, not 3 more */
  assert_exit(program("run", "s.json", "-o", "out", "--steps", "3", "--resume", NULL), 0);
  assert_int_equal(steps_made(), 3);
  assert_exit(program("run", "s.json", "-o", "out", "--until", "0.04", "--resume", NULL), 0);
  assert_int_equal(steps_made(), 4);
  assert_exit(program("run", "s.json", "-o", "out", "--until", "0.02", NULL), 0);
  assert_int_equal(steps_made(), 2);
  assert_exit(
      program("run", "s.json", "-o", "out", "--until", "0.02", "--steps", "4", "--resume", NULL),
      0);
  assert_int_equal(steps_made(), 2);
  assert_exit(program("run", "s.json", "-o", "out", "--until", "9", "--steps", "1", NULL), 0);
  assert_int_equal(steps_made(), 1);
  assert_exit(program("run", "s.json", "-o", "out", "--until", "9", NULL), 0);
  assert_int_equal(steps_made(), 5);
  assert_exit(program("run", "s.json", "-o", "out", "--steps", "0", NULL), 0);
  assert_int_equal(steps_made(), 0);
  assert_contains(program("info", "out", NULL).out, "frames: 1,");
  /* a time within a step: the state that reaches it; states do not depend on the limit */
  assert_exit(program("run", "s.json", "-o", "out", "--until", "0.025", NULL), 0);
  assert_int_equal(steps_made(), 3);
}

static void a_limited_run_is_the_beginning_of_the_whole_one(void **state)
{
  (void)state;
  write_text("s.json", quoted("%s", base_scene));
  run_to_end("s.json");
  const char *whole = hash_of("out");
  for (int k = 1; k < 5; k++) {
    assert_exit(program("run", "s.json", "-o", "two", "--steps", print_text("%d", k), NULL), 0);
    assert_string_not_equal(hash_of("two"), whole);
    assert_exit(program("run", "s.json", "-o", "two", "--resume", NULL), 0);
    assert_string_equal(hash_of("two"), whole);
  }
}

/* ---- records ---- */

/* the members of an object, in order, exactly */
static void assert_keys(json_t *object, const char *keys)
{
  char *all = print_text("%s", "");
  const char *key;
  json_t *value;
  json_object_foreach(object, key, value) all = print_text("%s%s%s", all, *all ? " " : "", key);
  assert_string_equal(all, keys);
}

static bool is_number_or_null(const json_t *v)
{
  return json_is_number(v) || json_is_null(v);
}

static void steps_are_recorded_with_exactly_the_stated_keys(void **state)
{
  (void)state;
  write_text("s.json", quoted("%s", base_scene));
  assert_exit(program("run", "s.json", "-o", "out", "--set",
                      "objects[0].transform.translate=[0,0,-1.498]", NULL),
              0);
  char *rest = read_text("out/steps.jsonl"), *text;
  int n = 0;
  bool touched = false;
  while ((text = strsep(&rest, "\n")) && *text) {
    json_t *line = tree_of(text);
    assert_keys(line, "step time dt status newton linear_iterations factorizations halvings "
                      "contacts constraints candidates min_gap step_fraction residual boundary_lag "
                      "energy momentum angular_momentum wall");
    assert_keys(find(line, "energy"), "kinetic elastic bending gravity contact friction control");
    assert_keys(find(line, "wall"), "assembly linear factorization broad narrow line_search total");
    assert_int_equal(json_array_size(find(line, "momentum")), 3);
    assert_int_equal(json_array_size(find(line, "angular_momentum")), 3);
    static const char *const whole[] = {"step",           "newton",    "linear_iterations",
                                        "factorizations", "halvings",  "contacts",
                                        "constraints",    "candidates"};
    for (size_t k = 0; k < 8; k++) assert_true(json_is_integer(find(line, whole[k])));
    assert_int_equal(number(line, "step"), ++n);
    assert_true(is_number_or_null(find(line, "min_gap")));
    assert_string_equal(string(line, "status"), "converged");
    assert_true(number(line, "boundary_lag") == 0);
    assert_true(number(line, "constraints") == 0); /* only barrier_free has them */
    /* factorisations are a part of the linear solves */
    assert_true(number(line, "wall.factorization") <= number(line, "wall.linear") * 1.0001);
    assert_true(number(line, "wall.linear") <= number(line, "wall.total"));
    bool contact = number(line, "contacts") > 0;
    assert_true(json_is_number(find(line, "min_gap")) == contact);
    if (contact) assert_true(number(line, "min_gap") > 0);
    touched = touched || contact;
  }
  assert_int_equal(n, 5);
  assert_true(touched);
}

static void the_summary_has_exactly_the_stated_keys(void **state)
{
  (void)state;
  write_text("s.json", quoted("%s", base_scene));
  run_to_end("s.json");
  json_t *s = read_json("out/summary.json");
  assert_keys(s, "version scene method status reason steps capped lagged time newton "
                 "linear_iterations factorizations max_contacts min_gap wall_seconds "
                 "peak_memory_bytes threads state_hash");
  assert_string_equal(string(s, "version"), abut_version());
  assert_string_equal(string(s, "scene"), "s.json");
  assert_string_equal(string(s, "method"), "ipc");
  assert_string_equal(string(s, "status"), "done");
  assert_true(json_is_null(find(s, "reason")));
  assert_int_equal(number(s, "steps"), 5);
  assert_true(number(s, "time") == 0.05);
  assert_int_equal(number(s, "threads"), 1);
  assert_true(number(s, "peak_memory_bytes") > 1e6);
  assert_true(is_number_or_null(find(s, "min_gap")));
  const char *hash = string(s, "state_hash");
  assert_int_equal(strlen(hash), 16);
  assert_int_equal(strspn(hash, "0123456789abcdef"), 16);
  /* totals are the sums of the lines */
  double newton = 0;
  for (char *rest = read_text("out/steps.jsonl"), *t; (t = strsep(&rest, "\n")) && *t;)
    newton += number(tree_of(t), "newton");
  assert_int_equal(number(s, "newton"), newton);
}

static void a_capped_step_is_marked_and_counted(void **state)
{
  (void)state;
  write_text("s.json", quoted("%s", base_scene));
  outcome o = program("run", "s.json", "-o", "out", "--set", "method.max_newton=1", "--set",
                      "method.at_cap=accept", "--set", "method.tolerance=1e-9", "--set",
                      "objects[0].angular_velocity=[1,2,3]", NULL);
  assert_exit(o, 0);
  int capped = 0;
  for (char *rest = read_text("out/steps.jsonl"), *t; (t = strsep(&rest, "\n")) && *t;)
    capped += strcmp(string(tree_of(t), "status"), "capped") == 0;
  assert_int_equal(capped, 5);
  assert_int_equal(number(read_json("out/summary.json"), "capped"), 5);
}

static void steps_that_the_toi_rule_ends_say_so(void **state)
{
  (void)state;
  write_text("s.json", quoted("%s", base_scene));
  outcome o = program("run", "s.json", "-o", "out", "--set", "method.stop=toi", "--set",
                      "method.epsilon=0.5", "--set", "objects[0].angular_velocity=[1,2,3]", NULL);
  assert_exit(o, 0);
  assert_string_equal(string(tree_of(strtok(read_text("out/steps.jsonl"), "\n")), "status"), "toi");
}

/* 0 on the command line leaves it to the file */
static void threads_come_from_the_file_unless_the_command_line_says(void **state)
{
  (void)state;
  write_text("s.json", quoted("%s", base_scene));
  outcome o = program("run", "s.json", "-o", "out", "--set", "threads=3", "--threads=0", NULL);
  assert_exit(o, 0);
  assert_int_equal(number(read_json("out/summary.json"), "threads"), 3);
  assert_exit(program("run", "s.json", "-o", "out", "--set", "threads=3", "--threads=2", NULL), 0);
  assert_int_equal(number(read_json("out/summary.json"), "threads"), 2);
}

static void info_says_what_a_run_a_mesh_and_a_scene_hold(void **state)
{
  (void)state;
  write_text("s.json", quoted("%s", base_scene));
  write_text("m.obj", "v 0 0 0\nv 3 0 0\nv 0 4 0\ng half\nf 1 2 3\n");
  outcome o = program("info", "s.json", NULL);
  assert_exit(o, 0);
  assert_contains(o.out, "method ipc");
  assert_contains(o.out, "6 frames");
  assert_contains(o.out, "beads                spheres   2 vertices");
  o = program("info", "m.obj", NULL);
  assert_contains(o.out, "triangles: 1, area 6,");
  assert_contains(o.out, "length 3 to 5, mean 4");
  assert_contains(o.out, "group half: 3 vertices");
  run_to_end("s.json");
  o = program("info", "out", NULL);
  assert_contains(o.out, "frames: 6, the last at 0.05 s");
  assert_contains(o.out, "\"state_hash\"");
  assert_lacks(o.out, "floor"); /* a plane has no vertices */
  make_folder("empty");
  assert_exit(program("info", "empty", NULL), 5);
}

/* the process may have 200 MB; the grid alone needs more */
static void too_little_memory_is_exit_6(void **state)
{
  (void)state;
  if (SANITIZED) skip();
  write_text("s.json", quoted("{'abut': 1, 'objects': [{'name': 'c', 'kind': 'obstacle', 'mesh': "
                              "{'shape': 'grid', 'size': [1,1], 'cells': [4000,4000]}}]}"));
  const char *command =
      print_text("ulimit -v 400000; exec '%s' run s.json --threads 1", program_path());
  const char *arg[] = {"/bin/sh", "-c", command, NULL};
  pid_t pid = fork();
  if (pid == 0) {
    redirect(2, at("err"));
    if (chdir(folder) == 0) execv(arg[0], (char **)(uintptr_t)arg);
    _exit(127);
  }
  int status;
  assert_int_equal(waitpid(pid, &status, 0), pid);
  assert_int_equal(WEXITSTATUS(status), 6);
  assert_contains(read_text("err"), "out of memory");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      IN_FOLDER(the_program_names_itself_and_its_commands),
      IN_FOLDER(unknown_and_later_commands_are_refused_by_name),
      IN_FOLDER(options_that_make_no_sense_are_usage_errors),
      IN_FOLDER(list_names_every_family),
      IN_FOLDER(errors_go_to_stderr_in_the_stated_form),
      IN_FOLDER(errors_are_json_on_stdout_when_asked_for),
      IN_FOLDER(features_of_later_versions_are_refused_at_the_command_line),
      IN_FOLDER(progress_is_a_line_per_frame_away_from_a_terminal),
      IN_FOLDER(notes_and_warnings_are_told_apart),
      IN_FOLDER(progress_is_one_updating_line_on_a_terminal),
      IN_FOLDER(steps_and_until_are_totals_and_the_earlier_wins),
      IN_FOLDER(a_limited_run_is_the_beginning_of_the_whole_one),
      IN_FOLDER(steps_are_recorded_with_exactly_the_stated_keys),
      IN_FOLDER(the_summary_has_exactly_the_stated_keys),
      IN_FOLDER(a_capped_step_is_marked_and_counted),
      IN_FOLDER(steps_that_the_toi_rule_ends_say_so),
      IN_FOLDER(threads_come_from_the_file_unless_the_command_line_says),
      IN_FOLDER(info_says_what_a_run_a_mesh_and_a_scene_hold),
      IN_FOLDER(too_little_memory_is_exit_6),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
