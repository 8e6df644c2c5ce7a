/* The trajectory of a run when its writer is killed, its disk is full, its bytes are damaged or
   memory is short. */
#define _GNU_SOURCE
#include "cmocka_all.h"
#include "frames_folder.h"

#include <errno.h>
#include <hdf5.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "io/trajectory_file.h"

static int random_below(int n)
{
  static unsigned long long seed = 88172645463325252ULL;
  seed ^= seed << 13;
  seed ^= seed >> 7;
  seed ^= seed << 17;
  return (int)(seed % (unsigned long long)n);
}

/* goes on from the frames there are, until it is killed; starts again when the file is full */
static void append_for_ever(void)
{
  abut_context ctx;
  abut_context_init(&ctx, NULL, 1);
  abut_trajectory *t;
  if (abut_trajectory_open(&ctx, path, true, &t) != ABUT_OK) _exit(1);
  for (;;) {
    if (abut_trajectory_frames(t) == abut_trajectory_room(t)) abut_trajectory_cut(&ctx, t, 0);
    if (frame_append(&ctx, t, abut_trajectory_frames(t)) != ABUT_OK) _exit(1);
  }
}

static void kill_soon(void (*work)(void), int microseconds)
{
  int status = 0;
  pid_t child = fork();
  if (child == 0) {
    work();
    _exit(0);
  }
  assert_true(child > 0);
  usleep((useconds_t)random_below(microseconds));
  kill(child, SIGKILL);
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFSIGNALED(status));
}

static void a_killed_writer_leaves_only_complete_frames(void **state)
{
  (void)state;
  abut_context ctx;
  abut_context_init(&ctx, NULL, 1);
  abut_trajectory *t;
  abut_layout layout = loose_layout(500);
  assert_ok(abut_trajectory_create(&ctx, path, &layout, 700, &t));
  abut_trajectory_close(&ctx, t);
  int64_t seen = 0;
  for (int kills = 0; kills < 60; kills++) {
    kill_soon(append_for_ever, 6000);
    assert_ok(abut_trajectory_open(&ctx, path, false, &t));
    assert_int_equal(frames_wrong(&ctx, t, 0, 1), 0);
    seen += abut_trajectory_frames(t);
    abut_trajectory_close(&ctx, t);
  }
  assert_true(seen > 60);
  loose_drop(layout);
  abut_context_free(&ctx);
}

static void create_for_ever(void)
{
  abut_context ctx;
  abut_context_init(&ctx, NULL, 1);
  for (;;)
    if (write_frames(&ctx, path, 1, 20) != ABUT_OK) _exit(1);
}

static void a_creator_that_is_killed_leaves_a_whole_file_or_none(void **state)
{
  (void)state;
  abut_context ctx;
  abut_context_init(&ctx, NULL, 1);
  abut_trajectory *t;
  for (int kills = 0; kills < 30; kills++) {
    if (kills % 2) unlink(path);
    kill_soon(create_for_ever, 4000);
    if (!abut_file_exists(path)) continue;
    assert_ok(abut_trajectory_open(&ctx, path, false, &t));
    assert_true(abut_trajectory_frames(t) <= 1);
    assert_int_equal(frames_wrong(&ctx, t, 0, 1), 0);
    abut_trajectory_close(&ctx, t);
  }
  abut_context_free(&ctx);
}

static void limit_files(int64_t bytes)
{
  struct rlimit limit = {(rlim_t)bytes, RLIM_INFINITY};
  signal(SIGXFSZ, SIG_IGN);
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

static void blames_the_disk(abut_context *ctx, const char *file)
{
  assert_int_equal(ctx->error_code, ABUT_IO);
  assert_string_equal(ctx->error.file, file);
  assert_non_null(strstr(ctx->error.message, strerror(EFBIG)));
  abut_error_clear(ctx);
}

static void a_disk_too_small_for_the_run_is_refused_at_the_start(void **state)
{
  (void)state;
  abut_context ctx;
  abut_context_init(&ctx, NULL, 1);
  abut_trajectory *t;
  char half[128];
  snprintf(half, sizeof half, "%s.new", path);
  limit_files(64 << 10);
  assert_int_equal(abut_trajectory_create(&ctx, path, &frame_layout, 1000, &t), ABUT_IO);
  assert_null(t);
  blames_the_disk(&ctx, path);
  assert_false(abut_file_exists(path));
  assert_false(abut_file_exists(half));
  /* an older file stays */
  assert_ok(write_frames(&ctx, path, 2, 5));
  assert_int_equal(abut_trajectory_resize(&ctx, path, 1000), ABUT_IO);
  blames_the_disk(&ctx, path);
  assert_int_equal(abut_trajectory_create(&ctx, path, &frame_layout, 1000, &t), ABUT_IO);
  blames_the_disk(&ctx, path);
  assert_false(abut_file_exists(half));
  assert_ok(abut_trajectory_open(&ctx, path, false, &t));
  assert_int_equal(abut_trajectory_frames(t), 2);
  assert_int_equal(frames_wrong(&ctx, t, 0, 1), 0);
  abut_trajectory_close(&ctx, t);
  /* even the metadata does not fit */
  limit_files(4 << 10);
  assert_int_equal(abut_trajectory_create(&ctx, path, &frame_layout, 1, &t), ABUT_IO);
  blames_the_disk(&ctx, path);
  limit_files((int64_t)RLIM_INFINITY);
  abut_context_free(&ctx);
  assert_int_equal(ctx.live, 0);
}

static void a_disk_that_fills_during_the_run_keeps_the_frames_before(void **state)
{
  (void)state;
  abut_context ctx;
  abut_context_init(&ctx, NULL, 1);
  abut_trajectory *t;
  assert_ok(abut_trajectory_create(&ctx, path, &frame_layout, 100, &t));
  /* positions of three frames fit, the fourth is cut in two */
  int64_t vec = (int64_t)sizeof(vec3);
  assert_true(t->index.x_at < t->index.v_at);
  for (int64_t k = 0; k < 3; k++) assert_ok(frame_append(&ctx, t, k));
  limit_files(t->index.x_at + 3 * FRAME_POINTS * vec + 100);
  assert_int_equal(frame_append(&ctx, t, 3), ABUT_IO);
  blames_the_disk(&ctx, path);
  assert_int_equal(abut_trajectory_frames(t), 3);
  assert_int_equal(frames_wrong(&ctx, t, 0, 1), 0);
  limit_files((int64_t)RLIM_INFINITY);
  /* someone makes room: the run goes on */
  assert_ok(frame_append(&ctx, t, 3));
  abut_trajectory_close(&ctx, t);
  assert_ok(abut_trajectory_open(&ctx, path, false, &t));
  assert_int_equal(abut_trajectory_frames(t), 4);
  assert_int_equal(frames_wrong(&ctx, t, 0, 1), 0);
  abut_trajectory_close(&ctx, t);
  abut_context_free(&ctx);
}

static void put(const char *at, const void *data, size_t size)
{
  FILE *file = fopen(at, "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(data, 1, size, file), size);
  assert_int_equal(fclose(file), 0);
}

static abut_status open_and_read_all(const char *at)
{
  abut_context ctx;
  abut_context_init(&ctx, NULL, 1);
  abut_trajectory *t;
  abut_status status = abut_trajectory_open(&ctx, at, false, &t);
  if (status == ABUT_OK) {
    frames_wrong(&ctx, t, 0, 1);
    abut_trajectory_close(&ctx, t);
  } else {
    assert_null(t);
    assert_string_equal(ctx.error.file, at);
    assert_non_null(ctx.error.message);
  }
  abut_context_free(&ctx);
  assert_int_equal(ctx.live, 0);
  return status;
}

static void foreign_files_are_refused(void **state)
{
  (void)state;
  put(path, "", 0);
  assert_int_equal(open_and_read_all(path), ABUT_BAD_FORMAT);
  put(path, "v 0 0 0\nv 1 0 0\n", 16);
  assert_int_equal(open_and_read_all(path), ABUT_BAD_FORMAT);
  assert_true(H5Fclose(H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT)) >= 0);
  assert_int_equal(open_and_read_all(path), ABUT_BAD_FORMAT);
  assert_int_equal(open_and_read_all(folder), ABUT_IO);
  unlink(path);
  assert_int_equal(open_and_read_all(path), ABUT_IO);
}

static void damaged_files_are_refused_and_never_crash(void **state)
{
  (void)state;
  abut_context ctx;
  abut_context_init(&ctx, NULL, 1);
  assert_ok(write_frames(&ctx, path, 3, 3));
  char *data;
  int64_t size;
  assert_ok(abut_file_read(&ctx, path, &data, &size));
  for (int64_t cut = 0; cut < size; cut += cut < 64 ? 1 : 97) {
    put(path, data, (size_t)cut);
    assert_int_equal(open_and_read_all(path), ABUT_BAD_FORMAT);
  }
  abut_trajectory *t;
  put(path, data, (size_t)size);
  assert_ok(abut_trajectory_open(&ctx, path, false, &t));
  abut_index x = t->index;
  abut_trajectory_close(&ctx, t);
  /* every byte of the index, and one in 13 of the rest */
  for (int64_t k = 0; k < size;
       k += k >= x.index_at && k < x.index_at + (int64_t)sizeof x ? 1 : 13) {
    char right = data[k];
    data[k] = (char)(right ^ (1 << random_below(8)));
    put(path, data, (size_t)size);
    abut_status status = open_and_read_all(path);
    bool times = k >= x.values_at && k < x.values_at + 8 * x.room;
    if (k >= x.prefix || times)
      assert_int_equal(status, ABUT_OK);
    else
      assert_true(status == ABUT_BAD_FORMAT || status == ABUT_UNSUPPORTED);
    data[k] = right;
  }
  abut_free(&ctx, data);
  abut_context_free(&ctx);
}

/* a rename onto /dev/full once made a plain file of it, as root */
static void devices_and_folders_are_not_replaced(void **state)
{
  (void)state;
  abut_context ctx;
  abut_context_init(&ctx, NULL, 1);
  abut_disk disk;
  const char *const taken[] = {"/dev/null", folder};
  for (int k = 0; k < 2; k++) {
    assert_int_equal(abut_disk_create(&ctx, taken[k], &disk), ABUT_IO);
    assert_string_equal(ctx.error.file, taken[k]);
    abut_disk_close(&ctx, &disk);
    abut_error_clear(&ctx);
  }
  assert_false(abut_file_exists("/dev/null.new"));
  abut_context_free(&ctx);
  assert_int_equal(ctx.live, 0);
}

static abut_status write_resize_and_read(abut_context *ctx, const char *unused)
{
  (void)unused;
  ABUT_TRY(write_frames(ctx, path, 2, 4));
  ABUT_TRY(abut_trajectory_resize(ctx, path, 8));
  abut_trajectory *t;
  ABUT_TRY(abut_trajectory_open(ctx, path, true, &t));
  abut_status status = abut_trajectory_frames(t) == 2 ? ABUT_OK : ABUT_IO;
  abut_trajectory_close(ctx, t);
  return status;
}

static void lack_of_memory_is_reported_and_leaves_nothing(void **state)
{
  (void)state;
  char **names;
  int64_t count;
  abut_context ctx;
  abut_context_init(&ctx, NULL, 1);
  assert_true(frame_starve(write_resize_and_read, folder) > 60);
  /* no half file is left behind either */
  assert_ok(abut_folder_names(&ctx, folder, &names, &count));
  assert_int_equal(count, 1);
  assert_string_equal(names[0], "trajectory.vtkhdf");
  abut_names_free(&ctx, names, count);
  abut_context_free(&ctx);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      WITH_FOLDER(a_killed_writer_leaves_only_complete_frames),
      WITH_FOLDER(a_creator_that_is_killed_leaves_a_whole_file_or_none),
      WITH_FOLDER(a_disk_too_small_for_the_run_is_refused_at_the_start),
      WITH_FOLDER(a_disk_that_fills_during_the_run_keeps_the_frames_before),
      WITH_FOLDER(foreign_files_are_refused),
      WITH_FOLDER(damaged_files_are_refused_and_never_crash),
      WITH_FOLDER(devices_and_folders_are_not_replaced),
      WITH_FOLDER(lack_of_memory_is_reported_and_leaves_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
