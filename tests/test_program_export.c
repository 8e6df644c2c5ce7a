/* `abut export`: where files go, what they are called, and that they hold the run. */
#include "program.h"

#include <dirent.h>

static void run_scene(void)
{
  write_text("s.json",
             quoted("{'abut': 1, 'time': {'end': 0.05}, 'materials': {'m': {'model': 'stvk', "
                    "'youngs_modulus': 1e5, 'poissons_ratio': 0.3, 'density': 150, 'thickness': "
                    "1e-3}, 'j': {'model': 'neo_hookean', 'youngs_modulus': 1e5, "
                    "'poissons_ratio': 0.3, 'density': 150}}, 'objects': ["
                    "{'name': 'n\xc3\xa9"
                    "e/1', 'kind': 'shell', 'material': 'm', 'mesh': {'shape': 'grid', 'size': "
                    "[1,1], 'cells': [1,1]}}, {'name': 'floor', 'kind': 'plane', 'point': "
                    "[0,0,-9]}, {'name': 'beads', 'kind': 'spheres', 'centers': [[0,0,2],[0,0,4]], "
                    "'radii': [0.25,0.5], 'density': 1}, {'name': 'bin', 'kind': 'obstacle', "
                    "'mesh': {'shape': 'box', 'size': [1,1,1], 'cells': [1,1,1]}, 'transform': "
                    "{'translate': [0,0,-5]}}, {'name': 'tet', 'kind': 'solid', 'material': 'j', "
                    "'mesh': {'shape': 'box', 'size': [1,1,1], 'cells': [1,1,1]}, 'transform': "
                    "{'translate': [0,0,9]}}]}"));
  run_to_end("s.json");
}

/* sorted names in a folder, one a line */
static const char *names_in(const char *name)
{
  struct dirent **entry;
  char *all = print_text("%s", "");
  int n = scandir(at(name), &entry, NULL, alphasort);
  assert_true(n >= 0);
  for (int k = 0; k < n; k++) {
    if (entry[k]->d_name[0] != '.') all = print_text("%s%s\n", all, entry[k]->d_name);
    free(entry[k]);
  }
  free(entry);
  return all;
}

static outcome export_to(const char *format, const char *frames, const char *path)
{
  if (frames && path)
    return program("export", "out", "--format", format, "--frames", frames, "-o", path, NULL);
  if (frames) return program("export", "out", "--format", format, "--frames", frames, NULL);
  return program("export", "out", "--format", format, NULL);
}

static void files_are_named_after_objects_and_frames(void **state)
{
  (void)state;
  run_scene();
  assert_exit(export_to("obj", "0:2", NULL), 0);
  assert_string_equal(names_in("out/export/obj"),
                      "beads_000000.obj\nbeads_000001.obj\nbin_000000.obj\nbin_000001.obj\n"
                      "n_e_1_000000.obj\nn_e_1_000001.obj\ntet_000000.obj\ntet_000001.obj\n");
  assert_exit(export_to("ply", "-1", NULL), 0);
  assert_string_equal(names_in("out/export/ply"), "beads_000005.ply\nbin_000005.ply\n"
                                                  "n_e_1_000005.ply\ntet_000005.ply\n");
  assert_exit(export_to("npy", NULL, NULL), 0);
  assert_string_equal(names_in("out/export/npy"),
                      "beads_positions.npy\nbeads_radii.npy\nbin_cells.npy\nbin_positions.npy\n"
                      "n_e_1_cells.npy\nn_e_1_positions.npy\ntet_cells.npy\ntet_positions.npy\n"
                      "times.npy\n");
  assert_exit(export_to("vtkhdf", NULL, NULL), 0);
  assert_exit(export_to("obj", "4:", "some where/else"), 0);
  assert_true(there("some where/else/beads_000005.obj"));
  assert_false(there("some where/else/beads_000003.obj"));
}

static void frames_are_a_python_slice(void **state)
{
  (void)state;
  static const struct {
    const char *slice, *frames; /* the digits of the frames */
  } some[] = {{"::2", "024"}, {"1:4", "123"}, {"-2:", "45"},      {":-4", "01"},  {"3", "3"},
              {"9:", ""},     {"4:1", ""},    {"::-1", "543210"}, {"-99:2", "01"}};
  run_scene();
  for (size_t k = 0; k < sizeof some / sizeof *some; k++) {
    const char *path = print_text("slice%zu", k);
    assert_exit(export_to("obj", some[k].slice, path), 0);
    for (int f = 0; f < 6; f++) {
      bool wanted = strchr(some[k].frames, '0' + f) != NULL;
      assert_true(there(print_text("%s/tet_%06d.obj", path, f)) == wanted);
    }
  }
  static const char *const bad[] = {"a", "1:2:0", "6", "-7", "1:2:3:4", ""};
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
    outcome o = export_to("obj", bad[k], "nothing");
    assert_exit(o, 2);
    assert_false(there("nothing"));
  }
}

typedef struct array {
  const char *header;
  const void *data;
} array;

static array read_npy(const char *name)
{
  size_t size;
  char *bytes = read_bytes(name, &size);
  assert_memory_equal(bytes, "\x93NUMPY\x01\x00", 8);
  size_t length = (unsigned char)bytes[8] + 256u * (unsigned char)bytes[9];
  assert_int_equal((10 + length) % 16, 0);
  return (array){bytes + 10, bytes + 10 + length};
}

static void arrays_have_the_stated_shapes_and_types(void **state)
{
  (void)state;
  run_scene();
  assert_exit(export_to("npy", NULL, NULL), 0);
  array a = read_npy("out/export/npy/n_e_1_positions.npy");
  assert_contains(a.header, "'descr': '<f8'");
  assert_contains(a.header, "'fortran_order': False");
  assert_contains(a.header, "'shape': (6, 4, 3)");
  /* frame 0 is the start, frame 1 is one step of free fall */
  const double *x = a.data;
  assert_true(x[0] == -0.5 && x[1] == -0.5 && x[2] == 0);
  assert_near(x[12 + 2], -9.81 * 1e-4, 1e-15);
  a = read_npy("out/export/npy/n_e_1_cells.npy");
  assert_contains(a.header, "'descr': '<i4'");
  assert_contains(a.header, "'shape': (2, 3)");
  assert_contains(read_npy("out/export/npy/tet_cells.npy").header, "'shape': (6, 4)");
  assert_contains(read_npy("out/export/npy/bin_cells.npy").header, "'shape': (12, 3)");
  a = read_npy("out/export/npy/beads_radii.npy");
  assert_contains(a.header, "'descr': '<f8'");
  assert_contains(a.header, "'shape': (2,)");
  assert_true(((const double *)a.data)[1] == 0.5);
  a = read_npy("out/export/npy/times.npy");
  assert_contains(a.header, "'shape': (6,)");
  for (int k = 0; k < 6; k++)
    assert_true(((const double *)a.data)[k] == (k == 5 ? 0.05 : k * 0.01));
}

static void texts_read_back_to_the_same_numbers(void **state)
{
  (void)state;
  run_scene();
  assert_exit(export_to("obj", "5", NULL), 0);
  assert_exit(export_to("npy", "5", NULL), 0);
  const double *x = read_npy("out/export/npy/n_e_1_positions.npy").data;
  const char *obj = read_text("out/export/obj/n_e_1_000005.obj");
  int v = 0;
  for (const char *p = obj; (p = strstr(p, "v ")); v++) {
    char *rest = (char *)(uintptr_t)(p + 2);
    for (int c = 0; c < 3; c++) assert_true(strtod(rest, &rest) == x[3 * v + c]);
    p = rest;
  }
  assert_int_equal(v, 4);
  /* a mesh again */
  assert_contains(program("info", "out/export/obj/tet_000005.obj", NULL).out,
                  "vertices: 8\ntriangles: 12");
}

static void a_folder_that_is_no_run_is_left_as_it_is(void **state)
{
  (void)state;
  outcome o = program("export", "nowhere", "--format", "obj", NULL);
  assert_exit(o, 5);
  assert_contains(o.err, "nowhere/trajectory.vtkhdf");
  assert_false(there("nowhere"));
  make_folder("empty");
  assert_exit(program("export", "empty", "--format", "npy", NULL), 5);
  assert_false(there("empty/export"));
}

/* the same story as with `check --write`: a link became a plain file, P.new was taken */
static void exports_go_through_links_and_leave_other_files_alone(void **state)
{
  (void)state;
  run_scene();
  write_text("film.vtkhdf", "old");
  write_text("film.vtkhdf.new", "mine");
  write_text("link.vtkhdf.new", "mine");
  make_folder("obj");
  write_text("obj/tet_000000.obj.new", "mine");
  assert_int_equal(symlink("film.vtkhdf", at("link.vtkhdf")), 0);
  outcome o = program("export", "out", "--format", "vtkhdf", "-o", "link.vtkhdf", NULL);
  assert_exit(o, 0);
  struct stat info;
  assert_int_equal(lstat(at("link.vtkhdf"), &info), 0);
  assert_true(S_ISLNK(info.st_mode));
  assert_memory_equal(read_text("film.vtkhdf"), "\x89HDF", 4);
  assert_string_equal(read_text("film.vtkhdf.new"), "mine");
  assert_string_equal(read_text("link.vtkhdf.new"), "mine");
  assert_exit(export_to("obj", "0", "obj"), 0);
  assert_string_equal(read_text("obj/tet_000000.obj.new"), "mine");
  /* a trajectory is written at positions, which a pipe does not have */
  assert_int_equal(mkfifo(at("pipe"), 0600), 0);
  o = program("export", "out", "--format", "vtkhdf", "-o", "pipe", NULL);
  assert_exit(o, 5);
  assert_contains(o.err, "pipe: cannot replace: it is not a plain file");
  assert_int_equal(lstat(at("pipe"), &info), 0);
  assert_true(S_ISFIFO(info.st_mode));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      IN_FOLDER(files_are_named_after_objects_and_frames),
      IN_FOLDER(frames_are_a_python_slice),
      IN_FOLDER(arrays_have_the_stated_shapes_and_types),
      IN_FOLDER(texts_read_back_to_the_same_numbers),
      IN_FOLDER(a_folder_that_is_no_run_is_left_as_it_is),
      IN_FOLDER(exports_go_through_links_and_leave_other_files_alone),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
