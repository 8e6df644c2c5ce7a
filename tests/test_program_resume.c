/* Run folders when a run is killed, interrupted, started twice, resumed with another scene. */
#include "run_folder.h"

#include <dirent.h>

static unsigned long long seed = 88172645463325252ULL;

static unsigned random_below(unsigned n)
{
  seed ^= seed << 13;
  seed ^= seed >> 7;
  seed ^= seed << 17;
  return (unsigned)(seed % n);
}

/* ---- kills ---- */

static void kill_and_resume(const char *method)
{
  write_scene("'end': 0.8", method);
  struct timespec before, after;
  clock_gettime(CLOCK_MONOTONIC, &before);
  undisturbed();
  clock_gettime(CLOCK_MONOTONIC, &after);
  double seconds =
      (double)(after.tv_sec - before.tv_sec) + 1e-9 * (double)(after.tv_nsec - before.tv_nsec);
  unsigned span = (unsigned)(seconds * 1e6 / 3) + 1000;
  for (int kills = 0; kills < 10; kills++) {
    child c = start_program("run", "s.json", "-o", "out", "--resume", NULL);
    usleep(random_below(span));
    kill(c.pid, SIGKILL);
    outcome o = finish(c);
    assert_true(o.code == 1000 + SIGKILL || o.code == 0);
    same_frames("out", "whole");
  }
  assert_exit(program("run", "s.json", "-o", "out", "--resume", NULL), 0);
  assert_same_run("out", "whole");
  assert_true(there("out/checkpoint/000000000080.abut"));
  assert_exit(program("verify", "out", NULL), 0);
}

static void a_run_killed_at_any_moment_resumes_to_the_same_bits(void **state)
{
  (void)state;
  kill_and_resume("");
}

/* what this method keeps between steps, the set and its multipliers, is in the checkpoint */
static void so_does_one_with_constraints(void **state)
{
  (void)state;
  kill_and_resume(", 'method': 'barrier_free'");
}

/* A run was killed between its last checkpoint and its summary, which stayed that of the checkpoint
   before; resuming found nothing to do and left it so. */
static void a_run_killed_before_its_last_summary_is_concluded(void **state)
{
  (void)state;
  write_scene("'end': 0.1", "");
  undisturbed();
  assert_exit(program("run", "s.json", "-o", "out", "--steps", "8", NULL), 0);
  char *summary = read_text("out/summary.json"), *done = strstr(summary, "\"done\"");
  run_to_end("s.json");
  write_text("out/summary.json",
             print_text("%.*s\"running\"%s", (int)(done - summary), summary, done + 6));
  assert_exit(program("run", "s.json", "-o", "out", "--resume", NULL), 0);
  assert_same_run("out", "whole");
  assert_int_equal(unlink(at("out/summary.json")), 0);
  assert_exit(program("run", "s.json", "-o", "out", "--resume", NULL), 0);
  assert_same_run("out", "whole");
}

/* waits until the run has made so many steps */
static void wait_for_steps(const char *run, int steps)
{
  const char *path = at(print_text("%s/steps.jsonl", run));
  for (int k = 0; k < 20000; k++) {
    FILE *file = fopen(path, "rb");
    int lines = 0;
    for (int c; file && (c = fgetc(file)) != EOF;) lines += c == '\n';
    if (file) fclose(file);
    if (lines >= steps) return;
    usleep(1000);
  }
  fail_msg("%s makes no steps", run);
}

static void control_c_saves_a_checkpoint_and_ends_with_130(void **state)
{
  (void)state;
  static const int number_of[] = {SIGINT, SIGTERM};
  write_scene("'end': 0.8", ", 'threads': 1");
  undisturbed();
  for (int k = 0; k < 2; k++) {
    const char *out = print_text("out%d", k);
    child c = start_program("run", "s.json", "-o", out, "--set", "output.checkpoint_every=0", NULL);
    wait_for_steps(out, 6);
    kill(c.pid, number_of[k]);
    outcome o = finish(c);
    assert_exit(o, 130);
    assert_contains(o.err, "interrupted");
    json_t *summary = read_json(print_text("%s/summary.json", out));
    assert_string_equal(string(summary, "status"), "interrupted");
    assert_string_equal(string(summary, "reason"), "interrupted");
    int64_t steps = (int64_t)number(summary, "steps");
    assert_true(steps >= 6);
    assert_true(there(print_text("%s/checkpoint/%012lld.abut", out, (long long)steps)));
    assert_int_equal(same_frames(out, "whole"), steps + 1);
    assert_int_equal(whole_lines(out, NULL), steps);
    assert_exit(program("run", "s.json", "-o", out, "--resume", NULL), 0);
    assert_same_run(out, "whole");
  }
}

static void a_folder_in_use_is_refused_and_left_alone(void **state)
{
  (void)state;
  write_scene("'end': 0.8", "");
  undisturbed();
  child c = start_program("run", "s.json", "-o", "out", NULL);
  wait_for_steps("out", 1);
  outcome o = program("run", "s.json", "-o", "out", NULL);
  assert_exit(o, 5);
  wait_for_steps("out", 9);
  kill(c.pid, SIGSTOP); /* it must not end before it is disturbed again */
  assert_string_equal(string(read_json("out/summary.json"), "status"), "running");
  assert_contains(o.err, "in use by another run");
  assert_contains(o.err, "out/.lock");
  o = program("run", "s.json", "-o", "out", "--resume", NULL);
  assert_exit(o, 5);
  kill(c.pid, SIGCONT);
  assert_exit(finish(c), 0);
  assert_same_run("out", "whole");
  /* the lock goes with its holder */
  c = start_program("run", "s.json", "-o", "two", NULL);
  wait_for_steps("two", 1);
  kill(c.pid, SIGKILL);
  finish(c);
  assert_exit(program("run", "s.json", "-o", "two", NULL), 0);
  assert_same_run("two", "whole");
}

/* ---- resuming ---- */

static void a_changed_scene_is_refused_and_harmless_changes_are_not(void **state)
{
  (void)state;
  static const char *const other[] = {
      "gravity=[0,0,-1]",     "contact.friction=0.2",         "time.step=0.02",
      "method.max_newton=99", "objects[0].velocity=[0,0,-1]", "objects[1].name=b",
      "method=offset_ipc"};
  static const char *const same[] = {"threads=2", "output.checkpoint_every=7", "contact.gap=0",
                                     "contact.friction=3e-1", "materials.m.density=300.0"};
  write_scene("'end': 0.1", "");
  undisturbed();
  for (size_t k = 0; k < sizeof other / sizeof *other; k++) {
    assert_exit(program("run", "s.json", "-o", "out", "--steps", "4", NULL), 0);
    outcome o = program("run", "s.json", "-o", "out", "--resume", "--set", other[k], NULL);
    assert_exit(o, 2);
    assert_contains(o.err, "out/scene.json: the run in this folder is of a scene that differs");
    assert_int_equal(whole_lines("out", NULL), 4);
  }
  for (size_t k = 0; k < sizeof same / sizeof *same; k++) {
    assert_exit(program("run", "s.json", "-o", "out", "--steps", "4", NULL), 0);
    assert_exit(program("run", "s.json", "-o", "out", "--resume", "--set", same[k], NULL), 0);
    assert_same_run("out", "whole");
  }
}

/* same keys, but the mesh file has changed */
static void a_changed_mesh_is_refused(void **state)
{
  (void)state;
  write_text("m.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  write_text("s.json", quoted("{'abut': 1, 'time': {'end': 0.05}, 'materials': {'m': {'model': "
                              "'stvk', 'youngs_modulus': 1, 'poissons_ratio': 0, 'density': 1, "
                              "'thickness': 1}}, 'objects': [{'name': 'a', 'kind': 'shell', "
                              "'mesh': 'm.obj', 'material': 'm'}]}"));
  assert_exit(program("run", "s.json", "-o", "out", "--steps", "2", NULL), 0);
  write_text("m.obj", "v 0 0 0\nv 1 0 0\nv 0 1.5 0\nf 1 2 3\n");
  outcome o = program("run", "s.json", "-o", "out", "--resume", NULL);
  assert_exit(o, 2);
  assert_contains(o.err, "other meshes or materials");
}

static void a_longer_end_goes_on_and_other_threads_give_the_same_bits(void **state)
{
  (void)state;
  write_scene("'end': 0.5", "");
  undisturbed();
  assert_exit(program("run", "s.json", "-o", "out", "--set", "time.end=0.2", NULL), 0);
  assert_int_equal(number(read_json("out/summary.json"), "steps"), 20);
  assert_exit(program("run", "s.json", "-o", "out", "--resume", "--threads", "3", NULL), 0);
  assert_same_run("out", "whole");
  assert_int_equal(number(read_json("out/summary.json"), "threads"), 3);
  assert_true(number(read_json("out/scene.json"), "time.end") == 0.5);
  /* shorter: there already */
  assert_exit(program("run", "s.json", "-o", "out", "--resume", "--set", "time.end=0.1", NULL), 0);
  assert_same_run("out", "whole");
}

/* the step that was cut to reach the old end left a frame more than the longer run has room for */
static void a_run_whose_last_step_was_cut_can_be_made_longer(void **state)
{
  (void)state;
  static const struct {
    const char *end, *longer, *more;
    int frames;
  } run[] = {{"0.035", "0.06", "", 8},
             {"0.034", "0.05", "", 6},
             {"0.035", "0.06", ", 'frame_rate': 50", 4},
             {"0.03", "0.06", ", 'frame_rate': 30", 2},
             {"0", "0.02", "", 3}};
  for (size_t k = 0; k < sizeof run / sizeof *run; k++) {
    write_text("s.json", quoted("{'abut': 1, 'time': {'end': %s%s}, 'objects': [{'name': 'b', "
                                "'kind': 'spheres', 'centers': [[0,0,1]], 'radii': [0.1], "
                                "'density': 1}]}",
                                run[k].end, run[k].more));
    run_to_end("s.json");
    const char *set = print_text("time.end=%s", run[k].longer);
    assert_exit(program("run", "s.json", "-o", "out", "--set", set, "--resume", NULL), 0);
    assert_true(number(read_json("out/summary.json"), "time") == strtod(run[k].longer, NULL));
    assert_contains(program("info", "out", NULL).out, print_text("frames: %d,", run[k].frames));
    assert_exit(program("verify", "out", NULL), 0);
  }
}

/* names, times and contents of all files below a folder */
static char *picture_of(const char *name)
{
  char *all = print_text("%s", "");
  struct dirent **entry;
  int n = scandir(at(name), &entry, NULL, alphasort);
  assert_true(n >= 0);
  for (int k = 0; k < n; k++) {
    char *path = print_text("%s/%s", name, entry[k]->d_name);
    struct stat info;
    if (strcmp(entry[k]->d_name, ".") == 0 || strcmp(entry[k]->d_name, "..") == 0) continue;
    assert_int_equal(stat(at(path), &info), 0);
    all = S_ISDIR(info.st_mode)
              ? print_text("%s%s", all, picture_of(path))
              : print_text("%s%s %ld.%09ld %lld\n", all, path, (long)info.st_mtim.tv_sec,
                           info.st_mtim.tv_nsec, (long long)info.st_size);
  }
  for (int k = 0; k < n; k++) free(entry[k]);
  free(entry);
  return all;
}

static void what_is_reached_already_is_left_as_it_is(void **state)
{
  (void)state;
  write_scene("'end': 0.1", "");
  run_to_end("s.json");
  const char *before = picture_of("out"), *hash = hash_of("out");
  usleep(20000);
  assert_exit(program("run", "s.json", "-o", "out", "--resume", NULL), 0);
  assert_exit(program("run", "s.json", "-o", "out", "--resume", "--steps", "3", NULL), 0);
  assert_exit(program("run", "s.json", "-o", "out", "--resume", "--until", "0.02", NULL), 0);
  assert_exit(program("run", "s.json", "-o", "out", "--resume", "--until", "0.1", NULL), 0);
  assert_exit(program("run", "s.json", "-o", "out", "--resume", "--steps", "10", NULL), 0);
  assert_string_equal(picture_of("out"), before);
  assert_string_equal(hash_of("out"), hash);
}

static void resuming_without_a_checkpoint_starts_at_the_beginning(void **state)
{
  (void)state;
  write_scene("'end': 0.1", "");
  undisturbed();
  assert_exit(program("run", "s.json", "-o", "out", "--resume", NULL), 0);
  assert_same_run("out", "whole");
  /* a run of another scene that was killed before its first checkpoint */
  write_text("out/scene.json", "{\"abut\": 1}");
  assert_int_equal(system(print_text("rm -r '%s'", at("out/checkpoint"))), 0);
  assert_exit(program("run", "s.json", "-o", "out", "--resume", NULL), 0);
  assert_same_run("out", "whole");
  /* without --resume an old run is replaced, whatever it was */
  write_text("out/scene.json", "rubbish");
  write_text("out/trajectory.vtkhdf", "rubbish");
  write_text("out/steps.jsonl", "rubbish");
  assert_exit(program("run", "s.json", "-o", "out", NULL), 0);
  assert_same_run("out", "whole");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      IN_FOLDER(a_run_killed_at_any_moment_resumes_to_the_same_bits),
      IN_FOLDER(so_does_one_with_constraints),
      IN_FOLDER(a_run_killed_before_its_last_summary_is_concluded),
      IN_FOLDER(control_c_saves_a_checkpoint_and_ends_with_130),
      IN_FOLDER(a_folder_in_use_is_refused_and_left_alone),
      IN_FOLDER(a_changed_scene_is_refused_and_harmless_changes_are_not),
      IN_FOLDER(a_changed_mesh_is_refused),
      IN_FOLDER(a_longer_end_goes_on_and_other_threads_give_the_same_bits),
      IN_FOLDER(a_run_whose_last_step_was_cut_can_be_made_longer),
      IN_FOLDER(what_is_reached_already_is_left_as_it_is),
      IN_FOLDER(resuming_without_a_checkpoint_starts_at_the_beginning),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
