/* Exports: the same vertices in the same order in every format, whole files or none. With
   ABUT_EXPORT_FOLDER set, what the first tests write stays there for tests/python/check_exports.py.
 */
#define _GNU_SOURCE
#include "cmocka_all.h"
#include "frames.h"

#include <errno.h>
#include <locale.h>
#include <math.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include "io/export.h"
#include "io/frame_slice.h"
#include "io/readers.h"

enum { FRAMES = 5, ROOM = 8 };

static char folder[256];
static char run[300];

static const abut_format_class *const exporters[] = {&abut_format_obj, &abut_format_ply,
                                                     &abut_format_npy, &abut_format_vtkhdf};

static abut_trajectory *five_frames(abut_context *ctx)
{
  abut_trajectory *t;
  abut_context_init(ctx, NULL, 1);
  assert_ok(abut_trajectory_create(ctx, run, &frame_layout, ROOM, &t));
  for (int64_t k = 0; k < FRAMES; k++) assert_ok(frame_append(ctx, t, k));
  return t;
}

static void done(abut_context *ctx, abut_trajectory *t)
{
  abut_trajectory_close(ctx, t);
  abut_context_free(ctx);
  assert_int_equal(ctx->live, 0);
}

/* folder/name in memory that lives until the next eight calls */
static const char *in_folder(const char *name)
{
  static char path[8][600];
  static int next;
  char *p = path[next++ % 8];
  snprintf(p, sizeof path[0], "%s/%s", folder, name);
  return p;
}

static char *bytes_of(abut_context *ctx, const char *name, int64_t *size)
{
  char *data = NULL;
  assert_ok(abut_file_read(ctx, in_folder(name), &data, size));
  return data;
}

static int64_t files_in(abut_context *ctx, const char *path)
{
  char **names;
  int64_t count;
  assert_ok(abut_folder_names(ctx, path, &names, &count));
  for (int64_t k = 0; k < count; k++) {
    size_t length = strlen(names[k]);
    assert_false(length > 4 && strcmp(names[k] + length - 4, ".new") == 0);
  }
  abut_names_free(ctx, names, count);
  return count;
}

/* Case C84: four copies of each tetrahedron's corners in other programs' output. Two tetrahedra
   must come out as 5 points, the cloth as 4, in the order of the input. */
static void obj_files_hold_the_vertices_in_input_order_to_the_last_bit(void **state)
{
  static const struct {
    const char *name;
    int32_t object, faces, lines;
  } want[] = {{"obj/n_e_cloth_000003.obj", 0, 2, 0},
              {"obj/two_tets_000003.obj", 1, 6, 0},
              {"obj/thread_000003.obj", 3, 0, 1}};
  (void)state;
  abut_context ctx;
  abut_trajectory *t = five_frames(&ctx);
  assert_ok(abut_obj_export(&ctx, t, (abut_frame_slice){1, FRAMES, 2}, in_folder("obj")));
  assert_int_equal(files_in(&ctx, in_folder("obj")), 2 * FRAME_OBJECTS);
  for (size_t k = 0; k < sizeof want / sizeof *want; k++) {
    const abut_layout_object *o = &frame_object[want[k].object];
    abut_mesh_data mesh = {0};
    assert_ok(abut_obj_read(&ctx, in_folder(want[k].name), &mesh));
    assert_int_equal(mesh.vertices, o->points);
    assert_int_equal(mesh.triangles, want[k].faces);
    assert_int_equal(mesh.lines, want[k].lines);
    for (int32_t p = 0; p < o->points; p++) {
      vec3 right = frame_x(3, o->first + p);
      assert_memory_equal(&mesh.x[p], &right, sizeof right);
    }
    if (k == 0) assert_memory_equal(mesh.triangle, frame_cloth, sizeof frame_cloth);
    abut_mesh_free(&ctx, &mesh);
  }
  done(&ctx, t);
}

static void ply_files_are_doubles_in_input_order(void **state)
{
  static const char header[] =
      "ply\nformat binary_little_endian 1.0\nelement vertex 5\n"
      "property double x\nproperty double y\nproperty double z\n"
      "element face 6\nproperty list uchar int vertex_indices\nend_header\n";
  (void)state;
  abut_context ctx;
  abut_trajectory *t = five_frames(&ctx);
  int64_t size;
  assert_ok(abut_ply_export(&ctx, t, (abut_frame_slice){0, FRAMES, 1}, in_folder("ply")));
  assert_int_equal(files_in(&ctx, in_folder("ply")), FRAMES * FRAME_OBJECTS);
  char *data = bytes_of(&ctx, "ply/two_tets_000004.ply", &size);
  int64_t start = (int64_t)sizeof header - 1;
  assert_int_equal(size, start + 5 * 24 + 6 * 13);
  assert_memory_equal(data, header, sizeof header - 1);
  for (int32_t p = 0; p < 5; p++) {
    vec3 right = frame_x(4, 4 + p);
    assert_memory_equal(data + start + 24 * p, &right, sizeof right);
  }
  abut_free(&ctx, data);
  data = bytes_of(&ctx, "ply/beads_000000.ply", &size);
  assert_memory_equal(data + size - 8, &frame_radius[10], 8);
  abut_free(&ctx, data);
  done(&ctx, t);
}

/* the data of a .npy file, after checking its header */
static const char *npy_data(const char *data, int64_t size, const char *type, const char *shape)
{
  char want[200];
  snprintf(want, sizeof want, "{'descr': '%s', 'fortran_order': False, 'shape': %s, }", type,
           shape);
  assert_true(size >= 64);
  assert_memory_equal(data, "\x93NUMPY\x01\x00", 8);
  int64_t header = 10 + (unsigned char)data[8] + 256 * (unsigned char)data[9];
  assert_int_equal(header % 64, 0);
  assert_int_equal(data[header - 1], '\n');
  assert_memory_equal(data + 10, want, strlen(want));
  return data + header;
}

static void npy_files_hold_all_frames_of_an_object(void **state)
{
  (void)state;
  abut_context ctx;
  abut_trajectory *t = five_frames(&ctx);
  int64_t size;
  /* backwards: frames 4, 2, 0 */
  assert_ok(abut_npy_export(&ctx, t, (abut_frame_slice){4, -1, -2}, in_folder("npy")));
  assert_int_equal(files_in(&ctx, in_folder("npy")), 1 + 2 * FRAME_OBJECTS);
  char *data = bytes_of(&ctx, "npy/two_tets_positions.npy", &size);
  const vec3 *x = (const vec3 *)(const void *)npy_data(data, size, "<f8", "(3, 5, 3)");
  for (int32_t p = 0; p < 15; p++) {
    vec3 right = frame_x(4 - 2 * (p / 5), 4 + p % 5);
    assert_memory_equal(&x[p], &right, sizeof right);
  }
  abut_free(&ctx, data);
  data = bytes_of(&ctx, "npy/two_tets_cells.npy", &size);
  assert_memory_equal(npy_data(data, size, "<i4", "(2, 4)"), frame_tets, sizeof frame_tets);
  abut_free(&ctx, data);
  data = bytes_of(&ctx, "npy/beads_radii.npy", &size);
  assert_memory_equal(npy_data(data, size, "<f8", "(2,)"), &frame_radius[9], 16);
  abut_free(&ctx, data);
  data = bytes_of(&ctx, "npy/nothing_positions.npy", &size);
  assert_int_equal(npy_data(data, size, "<f8", "(3, 0, 3)") - data, size);
  abut_free(&ctx, data);
  data = bytes_of(&ctx, "npy/times.npy", &size);
  const double time[3] = {frame_time(4), frame_time(2), frame_time(0)};
  assert_memory_equal(npy_data(data, size, "<f8", "(3,)"), time, sizeof time);
  abut_free(&ctx, data);
  assert_false(abut_file_exists(in_folder("npy/beads_cells.npy")));
  done(&ctx, t);
}

static void a_vtkhdf_export_is_a_trajectory_of_the_chosen_frames(void **state)
{
  (void)state;
  abut_context ctx;
  abut_trajectory *t = five_frames(&ctx), *copy;
  const char *path = in_folder("vtkhdf/some frames.vtkhdf");
  assert_ok(abut_vtkhdf_export(&ctx, t, (abut_frame_slice){0, FRAMES, 2}, path));
  assert_ok(abut_trajectory_open(&ctx, path, false, &copy));
  assert_int_equal(abut_trajectory_frames(copy), 3);
  assert_int_equal(abut_trajectory_room(copy), 3);
  assert_int_equal(frames_wrong(&ctx, copy, 0, 2), 0);
  abut_trajectory_close(&ctx, copy);
  /* VTK finds frames by bisection, so time grows in a file whatever the order asked for */
  path = in_folder("vtkhdf/backwards.vtkhdf");
  assert_ok(abut_vtkhdf_export(&ctx, t, (abut_frame_slice){4, 0, -3}, path));
  assert_ok(abut_trajectory_open(&ctx, path, false, &copy));
  assert_int_equal(abut_trajectory_frames(copy), 2);
  assert_int_equal(frames_wrong(&ctx, copy, 1, 3), 0);
  abut_trajectory_close(&ctx, copy);
  done(&ctx, t);
}

static void empty_scenes_and_slices_export_in_every_format(void **state)
{
  static const abut_layout nothing = {0, NULL, 0, NULL, NULL};
  (void)state;
  abut_context ctx;
  abut_trajectory *t = five_frames(&ctx), *empty;
  assert_ok(abut_trajectory_create(&ctx, in_folder("empty.vtkhdf"), &nothing, 3, &empty));
  for (int64_t k = 0; k < 2; k++)
    assert_ok(abut_trajectory_append(&ctx, empty, frame_time(k), NULL, NULL, NULL));
  for (size_t k = 0; k < sizeof exporters / sizeof *exporters; k++) {
    char name[64];
    snprintf(name, sizeof name, "empty/%s", exporters[k]->name);
    assert_ok(
        exporters[k]->export_frames(&ctx, empty, (abut_frame_slice){0, 2, 1}, in_folder(name)));
    snprintf(name, sizeof name, "none/%s", exporters[k]->name);
    assert_ok(exporters[k]->export_frames(&ctx, t, (abut_frame_slice){3, 3, 1}, in_folder(name)));
  }
  assert_int_equal(files_in(&ctx, in_folder("empty/obj")), 0);
  assert_int_equal(files_in(&ctx, in_folder("empty/npy")), 1);
  abut_trajectory_close(&ctx, empty);
  done(&ctx, t);
}

/* names that collide after replacement: the one that needed none keeps its name */
static void names_that_become_the_same_are_told_apart(void **state)
{
  (void)state;
  abut_layout_object object[] = {{"a b", "spheres", 0, 1, 1, 1, frame_beads},
                                 {"a/b", "spheres", 1, 1, 1, 1, frame_beads},
                                 {"a_b", "spheres", 2, 1, 1, 1, frame_beads},
                                 {"a_b_2", "spheres", 3, 1, 1, 1, frame_beads},
                                 {"../\xc3\xbc", "spheres", 4, 1, 1, 1, frame_beads},
                                 {"", "spheres", 5, 1, 1, 1, frame_beads}};
  static const char *const want[] = {"a_b_3", "a_b_4", "a_b", "a_b_2", "..__", "_"};
  abut_layout layout = {6, object, 6, frame_identity, frame_radius};
  abut_context ctx;
  abut_export_plan plan;
  abut_context_init(&ctx, NULL, 1);
  assert_ok(abut_export_begin(&ctx, &layout, folder, &plan));
  for (int k = 0; k < 6; k++) assert_string_equal(plan.object[k].file, want[k]);
  abut_export_end(&ctx, &plan);
  abut_context_free(&ctx);
  assert_int_equal(ctx.live, 0);
}

static void numbers_have_a_point_whatever_the_locale(void **state)
{
  (void)state;
  abut_context ctx;
  abut_trajectory *t = five_frames(&ctx);
  int64_t size;
  const char *locale = setlocale(LC_NUMERIC, "de_DE.UTF-8");
  if (!locale) locale = setlocale(LC_NUMERIC, "fr_FR.UTF-8");
  assert_ok(abut_obj_export(&ctx, t, (abut_frame_slice){2, 3, 1}, in_folder("locale")));
  setlocale(LC_NUMERIC, "C");
  char *data = bytes_of(&ctx, "locale/thread_000002.obj", &size);
  assert_null(strchr(data, ','));
  assert_non_null(strchr(data, '.'));
  abut_free(&ctx, data);
  done(&ctx, t);
  if (!locale) print_message("no locale with a decimal comma is installed\n");
}

static void limit_files(rlim_t bytes)
{
  struct rlimit limit = {bytes, RLIM_INFINITY};
  signal(SIGXFSZ, SIG_IGN);
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

static void a_full_disk_names_the_file_and_leaves_no_half_of_it(void **state)
{
  (void)state;
  abut_context ctx;
  abut_trajectory *t = five_frames(&ctx);
  for (size_t k = 0; k < sizeof exporters / sizeof *exporters; k++) {
    char name[64];
    snprintf(name, sizeof name, "full/%s%s", exporters[k]->name,
             exporters[k]->one_file ? "/x" : "");
    limit_files(40);
    assert_int_equal(
        exporters[k]->export_frames(&ctx, t, (abut_frame_slice){0, FRAMES, 1}, in_folder(name)),
        ABUT_IO);
    limit_files(RLIM_INFINITY);
    assert_non_null(strstr(ctx.error.file, name));
    assert_non_null(strstr(ctx.error.message, strerror(EFBIG)));
    abut_error_clear(&ctx);
    snprintf(name, sizeof name, "full/%s", exporters[k]->name);
    assert_int_equal(files_in(&ctx, in_folder(name)), 0);
  }
  done(&ctx, t);
}

static abut_status export_everything(abut_context *ctx, const char *where)
{
  abut_trajectory *t;
  char path[400];
  abut_frame_slice two = {1, 3, 1};
  ABUT_TRY(abut_trajectory_open(ctx, run, false, &t));
  abut_status status = ABUT_OK;
  for (size_t k = 0; k < sizeof exporters / sizeof *exporters && status == ABUT_OK; k++) {
    snprintf(path, sizeof path, "%s/%s", where, exporters[k]->name);
    status = exporters[k]->export_frames(ctx, t, two, path);
  }
  abut_trajectory_close(ctx, t);
  return status;
}

static void lack_of_memory_is_reported_and_leaves_nothing(void **state)
{
  (void)state;
  abut_context ctx;
  abut_trajectory *t = five_frames(&ctx);
  done(&ctx, t);
  assert_true(frame_starve(export_everything, in_folder("starved")) > 100);
}

static void slices_mean_what_they_mean_in_python(void **state)
{
  static const struct {
    const char *text;
    int64_t frames, first, end, step, count;
  } cases[] = {
      {NULL, 7, 0, 7, 1, 7},
      {":", 7, 0, 7, 1, 7},
      {"::", 7, 0, 7, 1, 7},
      {"::2", 7, 0, 7, 2, 4},
      {"1:5", 7, 1, 5, 1, 4},
      {"1:5:3", 7, 1, 5, 3, 2},
      {"-2:", 7, 5, 7, 1, 2},
      {":-2", 7, 0, 5, 1, 5},
      {"-99:99", 7, 0, 7, 1, 7},
      {"5:2", 7, 5, 2, 1, 0},
      {"9:12", 7, 7, 7, 1, 0},
      {"::-1", 7, 6, -1, -1, 7},
      {"::-3", 7, 6, -1, -3, 3},
      {"4:1:-1", 7, 4, 1, -1, 3},
      {"-1:-99:-2", 7, 6, -1, -2, 4},
      {"99:0:-2", 7, 6, 0, -2, 3},
      {":2:-1", 7, 6, 2, -1, 4},
      {"3", 7, 3, 4, 1, 1},
      {"-1", 7, 6, 7, 1, 1},
      {":", 0, 0, 0, 1, 0},
      {"::-1", 0, -1, -1, -1, 0},
      {"::900000000000000000", 7, 0, 7, 900000000000000000, 1},
      {"::-900000000000000000", 7, 6, -1, -900000000000000000, 1},
  };
  static const char *const wrong[] = {"",        "7",   "-8",  "a",  "1:b", "1:2:0",
                                      "1:2:3:4", "1;2", "1.5", " 1", "1 ",  "99999999999999999999:",
                                      "-"};
  (void)state;
  abut_context ctx;
  abut_context_init(&ctx, NULL, 1);
  abut_frame_slice s;
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    assert_ok(abut_frame_slice_parse(&ctx, cases[k].text, cases[k].frames, &s));
    assert_int_equal(s.first, cases[k].first);
    assert_int_equal(s.end, cases[k].end);
    assert_int_equal(s.step, cases[k].step);
    assert_int_equal(abut_frame_slice_count(s), cases[k].count);
  }
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
    assert_int_equal(abut_frame_slice_parse(&ctx, wrong[k], 7, &s), ABUT_BAD_ARGUMENT);
    assert_non_null(ctx.error.message);
    abut_error_clear(&ctx);
  }
  assert_int_equal(abut_frame_slice_parse(&ctx, "0", 0, &s), ABUT_BAD_ARGUMENT);
  abut_context_free(&ctx);
}

static int begin(void **state)
{
  (void)state;
  const char *given = getenv("ABUT_EXPORT_FOLDER");
  snprintf(folder, sizeof folder, "%s", given ? given : "/tmp/abut-export-XXXXXX");
  if (!given && !mkdtemp(folder)) return -1;
  snprintf(run, sizeof run, "%s/trajectory.vtkhdf", folder);
  return 0;
}

static int end(void **state)
{
  char command[300];
  (void)state;
  if (getenv("ABUT_EXPORT_FOLDER")) return 0;
  snprintf(command, sizeof command, "rm -r '%s'", folder);
  return system(command);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(obj_files_hold_the_vertices_in_input_order_to_the_last_bit),
      cmocka_unit_test(ply_files_are_doubles_in_input_order),
      cmocka_unit_test(npy_files_hold_all_frames_of_an_object),
      cmocka_unit_test(a_vtkhdf_export_is_a_trajectory_of_the_chosen_frames),
      cmocka_unit_test(empty_scenes_and_slices_export_in_every_format),
      cmocka_unit_test(names_that_become_the_same_are_told_apart),
      cmocka_unit_test(numbers_have_a_point_whatever_the_locale),
      cmocka_unit_test(a_full_disk_names_the_file_and_leaves_no_half_of_it),
      cmocka_unit_test(lack_of_memory_is_reported_and_leaves_nothing),
      cmocka_unit_test(slices_mean_what_they_mean_in_python),
  };
  return cmocka_run_group_tests(tests, begin, end);
}
