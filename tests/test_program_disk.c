/* Run folders on disks that are full or closed. */
#include "run_folder.h"

/* ---- full and closed disks ---- */

static void write_falling(void)
{
  write_text("s.json", quoted("{'abut': 1, 'time': {'end': 2}, 'objects': [{'name': 'b', 'kind': "
                              "'spheres', 'centers': [[0,0,1]], 'radii': [0.1], 'density': 1}], "
                              "'output': {'checkpoint_every': 10}}"));
}

/* case C82: the log grows past 64 KiB after some hundred steps */
static void a_disk_that_fills_ends_the_run_with_path_and_reason(void **state)
{
  (void)state;
  if (THREAD_SANITIZED) skip();
  write_falling();
  undisturbed();
  file_limit = 64 << 10;
  outcome o = program("run", "s.json", "-o", "out", NULL);
  assert_exit(o, 5);
  assert_contains(o.err, "out/steps.jsonl: cannot write: ");
  assert_contains(o.err, strerror(EFBIG));
  int64_t lines = whole_lines("out", NULL);
  assert_true(lines > 50 && lines < 200);
  assert_int_equal(same_frames("out", "whole"), lines + 1);
  json_t *summary = read_json("out/summary.json");
  assert_string_equal(string(summary, "status"), "failed");
  assert_contains(string(summary, "reason"), strerror(EFBIG));
  /* still full */
  assert_exit(program("run", "s.json", "-o", "out", "--resume", NULL), 5);
  file_limit = 0;
  assert_exit(program("run", "s.json", "-o", "out", "--resume", NULL), 0);
  assert_same_run("out", "whole");
}

static void a_disk_too_small_for_the_trajectory_is_refused_at_the_start(void **state)
{
  (void)state;
  if (THREAD_SANITIZED) skip();
  write_falling();
  file_limit = 8 << 10;
  outcome o = program("run", "s.json", "-o", "out", NULL);
  file_limit = 0;
  assert_exit(o, 5);
  assert_contains(o.err, "out/trajectory.vtkhdf: cannot ");
  assert_contains(o.err, strerror(EFBIG));
  assert_false(there("out/trajectory.vtkhdf"));
  assert_false(there("out/trajectory.vtkhdf.new"));
}

static void limit_files(void *ctx, const abut_report *now, double end, double seconds,
                        int64_t frame)
{
  (void)ctx, (void)end, (void)seconds, (void)frame;
  struct rlimit limit = {16 << 10, RLIM_INFINITY};
  if (now->steps == 14) setrlimit(RLIMIT_FSIZE, &limit);
}

/* A step whose record was written but whose frame was not must not become a checkpoint: a run
   resumed from it lacked that frame. */
static void a_frame_that_cannot_be_written_is_made_again(void **state)
{
  (void)state;
  struct rlimit none;
  if (THREAD_SANITIZED) skip();
  write_falling();
  undisturbed();
  abut_scene *s = new_scene();
  must(s, abut_load(s, at("s.json")));
  abut_run_def def = abut_run_def_default();
  def.folder = at("out");
  def.progress = limit_files;
  assert_int_equal(getrlimit(RLIMIT_FSIZE, &none), 0);
  signal(SIGXFSZ, SIG_IGN);
  assert_int_equal(abut_run(s, &def), ABUT_IO);
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &none), 0);
  assert_string_equal(abut_last_error(s).file, at("out/trajectory.vtkhdf"));
  assert_false(there("out/checkpoint/000000000015.abut"));
  assert_true(there("out/checkpoint/000000000010.abut"));
  assert_exit(program("run", "s.json", "-o", "out", "--resume", NULL), 0);
  assert_same_run("out", "whole");
}

static void folders_that_cannot_be_written_are_refused(void **state)
{
  (void)state;
  write_falling();
  write_text("file", "");
  outcome o = program("run", "s.json", "-o", "file", NULL);
  assert_exit(o, 5);
  assert_contains(o.err, "file");
  assert_contains(program("run", "s.json", "-o", "file/run", NULL).err, strerror(ENOTDIR));
  make_folder("closed");
  assert_int_equal(chmod(at("closed"), 0555), 0);
  assert_int_equal(chmod(folder, 0777), 0);
  if (geteuid() == 0) run_as = 65534;
  o = program("run", "s.json", "-o", "closed/run", NULL);
  if (o.code != 127) {
    assert_exit(o, 5);
    assert_contains(o.err, "closed/run: cannot create folder: ");
    assert_contains(o.err, strerror(EACCES));
    o = program("run", "s.json", "-o", "closed", NULL);
    assert_exit(o, 5);
    assert_contains(o.err, "closed/.lock: cannot create: ");
  }
  run_as = 0;
}

static void output_that_cannot_be_written_is_exit_5(void **state)
{
  (void)state;
  if (access("/dev/full", W_OK) != 0) skip();
  write_falling();
  out_path = "/dev/full";
  outcome o = program("run", "s.json", "-o", "out", "--json", NULL);
  assert_exit(o, 5);
  assert_contains(o.err, strerror(ENOSPC));
  assert_exit(program("list", "shapes", NULL), 5);
  out_path = NULL;
  assert_string_equal(string(read_json("out/summary.json"), "status"), "done");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      IN_FOLDER(a_disk_that_fills_ends_the_run_with_path_and_reason),
      IN_FOLDER(a_disk_too_small_for_the_trajectory_is_refused_at_the_start),
      IN_FOLDER(a_frame_that_cannot_be_written_is_made_again),
      IN_FOLDER(folders_that_cannot_be_written_are_refused),
      IN_FOLDER(output_that_cannot_be_written_is_exit_5),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
