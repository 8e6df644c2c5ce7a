/* The trajectory of a run: what is written comes back bit for bit, to us and to HDF5. */
#define _GNU_SOURCE
#include "cmocka_all.h"
#include "frames_folder.h"

#include <errno.h>
#include <hdf5.h>

#include "io/trajectory_file.h"

static void same_layout(const abut_layout *a, const abut_layout *b)
{
  assert_int_equal(a->objects, b->objects);
  assert_int_equal(a->points, b->points);
  for (int32_t o = 0; o < a->objects; o++) {
    const abut_layout_object *p = &a->object[o], *q = &b->object[o];
    assert_string_equal(p->name, q->name);
    assert_string_equal(p->kind, q->kind);
    assert_int_equal(p->first, q->first);
    assert_int_equal(p->points, q->points);
    assert_int_equal(p->corners, q->corners);
    assert_int_equal(p->cells, q->cells);
    assert_memory_equal(p->cell, q->cell, 4 * (size_t)p->corners * (size_t)p->cells);
  }
  assert_memory_equal(a->identity, b->identity, 4 * (size_t)a->points);
  assert_memory_equal(a->radius, b->radius, 8 * (size_t)a->points);
}

static void frames_and_layout_come_back_bit_for_bit(void **state)
{
  (void)state;
  abut_context ctx;
  abut_context_init(&ctx, NULL, 1);
  abut_trajectory *t;
  assert_ok(write_frames(&ctx, path, 4, 9));
  assert_ok(abut_trajectory_open(&ctx, path, false, &t));
  same_layout(abut_trajectory_layout(t), &frame_layout);
  assert_int_equal(abut_trajectory_frames(t), 4);
  assert_int_equal(abut_trajectory_room(t), 9);
  assert_int_equal(frames_wrong(&ctx, t, 0, 1), 0);
  vec3 x[2];
  assert_ok(abut_trajectory_read_points(&ctx, t, 3, 11, 2, x));
  vec3 right[2] = {frame_x(3, 11), frame_x(3, 12)};
  assert_memory_equal(x, right, sizeof x);
  assert_int_equal(abut_trajectory_read(&ctx, t, 4, NULL, NULL, NULL, NULL), ABUT_BAD_ARGUMENT);
  abut_trajectory_close(&ctx, t);
  abut_context_free(&ctx);
  assert_int_equal(ctx.live, 0);
}

/* what HDF5 itself finds: length of Values, NSteps */
static void hdf5_sees(const char *at, int64_t *values, int64_t *steps)
{
  hsize_t extent[2] = {99, 99};
  hid_t file = H5Fopen(at, H5F_ACC_RDONLY, H5P_DEFAULT);
  hid_t set = H5Dopen2(file, "/VTKHDF/Steps/Values", H5P_DEFAULT), space = H5Dget_space(set);
  hid_t count = H5Aopen_by_name(file, "/VTKHDF/Steps", "NSteps", H5P_DEFAULT, H5P_DEFAULT);
  assert_int_equal(H5Sget_simple_extent_dims(space, extent, NULL), 1);
  assert_true(H5Aread(count, H5T_NATIVE_INT64, steps) >= 0);
  *values = (int64_t)extent[0];
  double time[16];
  assert_true(*values <= 16 &&
              H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, time) >= 0);
  for (int64_t k = 0; k < *values; k++) assert_true(time[k] == frame_time(k));
  H5Aclose(count);
  H5Sclose(space);
  H5Dclose(set);
  H5Fclose(file);
}

/* VTK 9.7 reads all of Steps/Values into an array of NSteps numbers: with Values as long as the
   room it wrote past the array's end and died (free(): invalid next size), so both must say the
   same. */
static void hdf5_sees_as_many_times_as_frames_after_every_call(void **state)
{
  (void)state;
  abut_context ctx;
  abut_context_init(&ctx, NULL, 1);
  abut_trajectory *t;
  int64_t values, steps;
  assert_ok(abut_trajectory_create(&ctx, path, &frame_layout, 6, &t));
  for (int64_t k = 0; k <= 6; k++) {
    hdf5_sees(path, &values, &steps);
    assert_int_equal(values, k);
    assert_int_equal(steps, k);
    if (k < 6) assert_ok(frame_append(&ctx, t, k));
  }
  assert_int_equal(frame_append(&ctx, t, 6), ABUT_BAD_ARGUMENT);
  assert_ok(abut_trajectory_cut(&ctx, t, 2));
  hdf5_sees(path, &values, &steps);
  assert_int_equal(values, 2);
  assert_int_equal(steps, 2);
  /* one sector of 512 bytes holds all that changes but the frames */
  assert_int_equal(t->index.count_at / 512, (t->index.extent_at + 15) / 512);
  abut_trajectory_close(&ctx, t);
  abut_context_free(&ctx);
}

static void a_cut_run_goes_on_with_other_frames(void **state)
{
  (void)state;
  abut_context ctx;
  abut_context_init(&ctx, NULL, 1);
  abut_trajectory *t;
  assert_ok(write_frames(&ctx, path, 7, 10));
  assert_ok(abut_trajectory_open(&ctx, path, true, &t));
  assert_int_equal(abut_trajectory_cut(&ctx, t, 8), ABUT_BAD_ARGUMENT);
  abut_error_clear(&ctx);
  assert_ok(abut_trajectory_cut(&ctx, t, 3));
  assert_ok(frame_append(&ctx, t, 33));
  assert_ok(abut_trajectory_sync(&ctx, t));
  abut_trajectory_close(&ctx, t);
  assert_ok(abut_trajectory_open(&ctx, path, false, &t));
  assert_int_equal(abut_trajectory_frames(t), 4);
  vec3 x[FRAME_POINTS];
  assert_ok(abut_trajectory_read(&ctx, t, 2, NULL, x, NULL, NULL));
  assert_true(x[5].x == frame_x(2, 5).x);
  assert_ok(abut_trajectory_read(&ctx, t, 3, NULL, x, NULL, NULL));
  assert_true(x[5].x == frame_x(33, 5).x);
  abut_trajectory_close(&ctx, t);
  abut_context_free(&ctx);
}

static void room_grows_and_shrinks_and_frames_stay(void **state)
{
  static const int64_t room[] = {4, 50, 5, 4};
  (void)state;
  abut_context ctx;
  abut_context_init(&ctx, NULL, 1);
  abut_trajectory *t;
  int64_t size = 0;
  assert_ok(write_frames(&ctx, path, 4, 1000));
  for (size_t k = 0; k < sizeof room / sizeof *room; k++) {
    assert_ok(abut_trajectory_resize(&ctx, path, room[k]));
    assert_ok(abut_trajectory_open(&ctx, path, false, &t));
    assert_int_equal(abut_trajectory_room(t), room[k]);
    assert_int_equal(abut_trajectory_frames(t), 4);
    assert_int_equal(frames_wrong(&ctx, t, 0, 1), 0);
    same_layout(abut_trajectory_layout(t), &frame_layout);
    if (k == 0) size = t->index.size;
    if (k == 3) assert_int_equal(t->index.size, size);
    abut_trajectory_close(&ctx, t);
  }
  /* frames are never dropped by the way */
  assert_int_equal(abut_trajectory_resize(&ctx, path, 3), ABUT_BAD_ARGUMENT);
  abut_context_free(&ctx);
}

static void a_scene_with_nothing_in_it_has_frames(void **state)
{
  static const abut_layout nothing = {0, NULL, 0, NULL, NULL};
  (void)state;
  abut_context ctx;
  abut_context_init(&ctx, NULL, 1);
  abut_trajectory *t;
  for (int64_t room = 0; room < 3; room++) {
    assert_ok(abut_trajectory_create(&ctx, path, &nothing, room, &t));
    for (int64_t k = 0; k < room; k++)
      assert_ok(abut_trajectory_append(&ctx, t, frame_time(k), NULL, NULL, NULL));
    abut_trajectory_close(&ctx, t);
    assert_ok(abut_trajectory_open(&ctx, path, false, &t));
    assert_int_equal(abut_trajectory_layout(t)->objects, 0);
    assert_int_equal(abut_trajectory_layout(t)->points, 0);
    assert_int_equal(abut_trajectory_frames(t), room);
    assert_int_equal(frames_wrong(&ctx, t, 0, 1), 0);
    abut_trajectory_close(&ctx, t);
  }
  abut_context_free(&ctx);
}

/* 20,000 frames of 200,000 points: 4e9 rows, 12e9 numbers, 196 GB if it were not a hole */
static void more_numbers_than_32_bits_count(void **state)
{
  enum { POINTS = 200000, ROOM = 20000, COUNT = ROOM - 2 };
  (void)state;
  abut_context ctx;
  abut_context_init(&ctx, NULL, 1);
  abut_trajectory *t;
  abut_layout layout = loose_layout(POINTS);
  assert_ok(abut_trajectory_create(&ctx, path, &layout, ROOM, &t));
  /* all but two frames are there, as zeros */
  char number[8];
  abut_put_int(number, COUNT);
  assert_ok(abut_disk_write(&ctx, &t->disk, t->index.count_at, number, 8));
  assert_ok(abut_disk_write(&ctx, &t->disk, t->index.extent_at, number, 8));
  assert_ok(abut_disk_write(&ctx, &t->disk, t->index.extent_at + 8, number, 8));
  abut_trajectory_close(&ctx, t);
  assert_ok(abut_trajectory_open(&ctx, path, true, &t));
  assert_int_equal(abut_trajectory_frames(t), COUNT);
  assert_ok(frame_append(&ctx, t, COUNT));
  vec3 x[3], zero[3] = {{0, 0, 0}};
  assert_ok(abut_trajectory_read_points(&ctx, t, COUNT - 1, POINTS - 3, 3, x));
  assert_memory_equal(x, zero, sizeof x);
  assert_ok(abut_trajectory_read_points(&ctx, t, COUNT, POINTS - 3, 3, x));
  for (int32_t k = 0; k < 3; k++) assert_true(x[k].y == frame_x(COUNT, POINTS - 3 + k).y);
  assert_true(t->index.size > INT64_C(190000000000));
  abut_trajectory_close(&ctx, t);

  hsize_t row[2] = {(hsize_t)COUNT * POINTS + 7, 1}, one[2] = {1, 1};
  hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
  hid_t set = H5Dopen2(file, "/VTKHDF/Points", H5P_DEFAULT), space = H5Dget_space(set);
  hid_t memory = H5Screate_simple(2, one, NULL);
  double y = 0;
  H5Sselect_hyperslab(space, H5S_SELECT_SET, row, NULL, one, NULL);
  assert_true(H5Dread(set, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, &y) >= 0);
  assert_true(y == frame_x(COUNT, 7).y);
  H5Sclose(memory);
  H5Sclose(space);
  H5Dclose(set);
  H5Fclose(file);
  loose_drop(layout);
  abut_context_free(&ctx);
}

static void paths_may_be_long_and_hold_spaces_and_accents(void **state)
{
  (void)state;
  abut_context ctx;
  abut_context_init(&ctx, NULL, 1);
  abut_trajectory *t;
  char deep[800], name[300];
  memset(name, 'n', 299);
  name[299] = '\0';
  snprintf(deep, sizeof deep,
           "%s/out dir/n\xc3\xa9"
           "e \xc3\xbc/%.110s/%.110s/%.110s",
           folder, name, name, name);
  assert_ok(abut_folder_make(&ctx, deep));
  size_t length = strlen(deep);
  assert_true(length > 350);
  strcpy(deep + length, "/the run.vtkhdf");
  assert_ok(write_frames(&ctx, deep, 2, 2));
  assert_ok(abut_trajectory_resize(&ctx, deep, 3));
  assert_ok(abut_trajectory_open(&ctx, deep, false, &t));
  assert_int_equal(frames_wrong(&ctx, t, 0, 1), 0);
  abut_trajectory_close(&ctx, t);
  /* no file system here takes a name of 299 characters */
  snprintf(deep + length, sizeof deep - length, "/%s", name);
  assert_int_equal(abut_trajectory_create(&ctx, deep, &frame_layout, 2, &t), ABUT_IO);
  assert_string_equal(ctx.error.file, deep);
  assert_non_null(strstr(ctx.error.message, strerror(ENAMETOOLONG)));
  abut_context_free(&ctx);
}

static void frames_are_written_and_read_without_the_allocator(void **state)
{
  (void)state;
  abut_context ctx;
  abut_context_init(&ctx, NULL, 1);
  abut_trajectory *t;
  assert_ok(abut_trajectory_create(&ctx, path, &frame_layout, 5, &t));
  int64_t before = ctx.allocations;
  for (int64_t k = 0; k < 5; k++) assert_ok(frame_append(&ctx, t, k));
  assert_int_equal(frames_wrong(&ctx, t, 0, 1), 0);
  assert_int_equal(ctx.allocations, before);
  abut_trajectory_close(&ctx, t);
  abut_context_free(&ctx);
}

static void layouts_that_do_not_fit_together_are_refused(void **state)
{
  (void)state;
  abut_context ctx;
  abut_context_init(&ctx, NULL, 1);
  abut_trajectory *t;
  abut_layout layout = frame_layout;
  layout.points = 12;
  assert_int_equal(abut_trajectory_create(&ctx, path, &layout, 5, &t), ABUT_BAD_ARGUMENT);
  frame_object[1].first = 5;
  assert_int_equal(abut_trajectory_create(&ctx, path, &frame_layout, 5, &t), ABUT_BAD_ARGUMENT);
  frame_object[1].first = 4;
  frame_tets[7] = 5;
  assert_int_equal(abut_trajectory_create(&ctx, path, &frame_layout, 5, &t), ABUT_BAD_ARGUMENT);
  frame_tets[7] = 4;
  assert_int_equal(abut_trajectory_create(&ctx, path, &frame_layout, INT64_MAX / 8, &t),
                   ABUT_BAD_ARGUMENT);
  assert_false(abut_file_exists(path));
  abut_context_free(&ctx);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      WITH_FOLDER(frames_and_layout_come_back_bit_for_bit),
      WITH_FOLDER(hdf5_sees_as_many_times_as_frames_after_every_call),
      WITH_FOLDER(a_cut_run_goes_on_with_other_frames),
      WITH_FOLDER(room_grows_and_shrinks_and_frames_stay),
      WITH_FOLDER(a_scene_with_nothing_in_it_has_frames),
      WITH_FOLDER(more_numbers_than_32_bits_count),
      WITH_FOLDER(paths_may_be_long_and_hold_spaces_and_accents),
      WITH_FOLDER(frames_are_written_and_read_without_the_allocator),
      WITH_FOLDER(layouts_that_do_not_fit_together_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
