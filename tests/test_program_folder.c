/* Run folders and what a user keeps in them: scene files that a run would overwrite, runs that are
   shorter than a step, records that are gone. */
#include "scene_base.h"

static char *run_it(const char *scene, const char *where, const char *more, int code)
{
  outcome o = program("run", scene, "-o", where, more, NULL);
  assert_exit(o, code);
  return o.err;
}

/* `abut run scene.json -o .` replaced the user's file by its copy with every default written out,
   comments gone; so did a second name of the file, and any name that a run uses */
static void a_run_does_not_overwrite_the_scene_that_it_reads(void **state)
{
  (void)state;
  static const char *const name[] = {"scene.json", "summary.json", "steps.jsonl"};
  char *text = print_text("// mine\n%s", quoted("%s", base_scene));
  for (size_t k = 0; k < sizeof name / sizeof *name; k++) {
    make_folder("sub");
    const char *scene = print_text("sub/%s", name[k]);
    write_text(scene, text);
    assert_contains(run_it(scene, "sub", NULL, 2),
                    print_text("abut: %s: the run would overwrite this scene file with its own %s; "
                               "choose another folder with -o",
                               scene, name[k]));
    run_it(scene, "sub", "--resume", 2);
    assert_int_equal(link(at(scene), at("other.json")), 0);
    run_it("other.json", "sub/.", NULL, 2);
    assert_string_equal(read_text(scene), text);
    assert_false(there("sub/trajectory.vtkhdf") || there("sub/.lock"));
    run_it(scene, "out", NULL, 0);
    assert_int_equal(system(print_text("cd '%s' && rm -r sub out other.json", folder)), 0);
  }
}

static void the_scene_that_a_run_kept_can_be_run_in_place(void **state)
{
  (void)state;
  write_text("s.json", quoted("%s", base_scene));
  run_to_end("s.json");
  const char *hash = hash_of("out"), *scene = read_text("out/scene.json");
  run_it("out/scene.json", "out", NULL, 0);
  assert_string_equal(hash_of("out"), hash);
  assert_string_equal(read_text("out/scene.json"), scene);
  run_it("out/scene.json", "out", "--resume", 0);
}

/* a step of 1e-9 s had no room in the trajectory: "room for 1 frames only" */
static void a_run_much_shorter_than_its_step_has_two_frames(void **state)
{
  (void)state;
  static const char *const end[] = {"time.end=1.1e-10", "time.end=1e-9", "time.end=9e-9"};
  write_text("s.json", quoted("%s", base_scene));
  for (size_t k = 0; k < sizeof end / sizeof *end; k++) {
    assert_exit(program("run", "s.json", "-o", "out", "--set", end[k], NULL), 0);
    assert_contains(program("info", "out", NULL).out, "frames: 2,");
  }
  assert_exit(program("run", "s.json", "-o", "out", "--set", "time.end=0", NULL), 0);
  assert_contains(program("info", "out", NULL).out, "frames: 1,");
}

static void a_resumed_run_says_what_to_do_when_records_are_missing(void **state)
{
  (void)state;
  static const char *const name[] = {"out/trajectory.vtkhdf", "out/steps.jsonl"};
  write_text("s.json", quoted("%s", base_scene));
  for (int k = 0; k < 2; k++) {
    assert_exit(program("run", "s.json", "-o", "out", "--steps", "2", NULL), 0);
    assert_int_equal(unlink(at(name[k])), 0);
    char *err = run_it("s.json", "out", "--resume", 5);
    assert_contains(err, print_text("abut: %s: this record of the run to resume is missing; "
                                    "restore it from a copy, or start the run anew without "
                                    "--resume",
                                    name[k]));
  }
}

static void the_command_line_is_blamed_for_what_it_says(void **state)
{
  (void)state;
  write_text("s.json", quoted("%s", base_scene));
  outcome o = program("run", "s.json", "--method", "nope", NULL);
  assert_exit(o, 2);
  assert_contains(o.err, "abut: --method nope: there is no method \"nope\" (nearest: ");
  assert_lacks(o.err, "s.json");
  o = program("run", "s.json", "-o", "out", "--set", "time.end=.2", NULL);
  assert_exit(o, 2);
  assert_contains(o.err, "time.end: this is text; it must be a number; JSON writes this number as "
                         "0.2");
  /* settings that are right together may come in any order, the method first or last */
  o = program("run", "s.json", "-o", "out", "--set", "linear_solver.tolerance=1e-6", "--set",
              "linear_solver.name=pcg", "--method", "ipc", "--set", "method.name=offset_ipc", NULL);
  assert_exit(o, 0);
  assert_string_equal(string(read_json("out/scene.json"), "method.name"), "ipc");
}

/* a requirement at a time after the end is never looked at, and nothing said so */
static void a_requirement_after_the_end_is_noted(void **state)
{
  (void)state;
  write_text("s.json", quoted("%s", base_scene));
  outcome o = program("run", "s.json", "-o", "out", "--set",
                      "controls=[{\"kind\": \"require\", \"object\": \"cloth\", \"at\": 2, "
                      "\"above\": [[0, 1]]}]",
                      NULL);
  assert_exit(o, 0);
  assert_contains(o.err, "controls[0] requires something at 2 s, after the end at 0.05 s: it is "
                         "not tested");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      IN_FOLDER(a_run_does_not_overwrite_the_scene_that_it_reads),
      IN_FOLDER(the_scene_that_a_run_kept_can_be_run_in_place),
      IN_FOLDER(a_run_much_shorter_than_its_step_has_two_frames),
      IN_FOLDER(a_resumed_run_says_what_to_do_when_records_are_missing),
      IN_FOLDER(the_command_line_is_blamed_for_what_it_says),
      IN_FOLDER(a_requirement_after_the_end_is_noted),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
