/* The beginning of scenes/bag.json: the bag is put into its bin and filled. The whole of it is
   long_bag.c. */
#include "bag.h"

static void the_bag_is_filled_in_its_bin(void **state)
{
  (void)state;
  assert_exit(program("run", bag_scene(), "-o", "run", "--until", "2", "--quiet", NULL), 0);
  outcome o = program("verify", "run", NULL);
  assert_exit(o, 0);
  assert_contains(o.out, "481 frames, 0 crossings");
  json_t *summary = read_json("run/summary.json");
  assert_int_equal(number(summary, "steps"), 480);
  assert_int_equal(number(summary, "capped"), 0);
  assert_true(number(summary, "min_gap") > 0);
  assert_below(number(summary, "peak_memory_bytes"), 300e6);
  static bag b;
  bag_open(&b, "run");
  bag_read(&b, 0);
  assert_int_equal(bag_spheres_inside(&b), 0);
  bag_read(&b, 173); /* 0.72 s: 30 mm lower, in the bin */
  assert_near(b.x[0].z, 0.001, 0.0009);
  bag_read(&b, 480);
  for (int j = 0; j < COLUMNS; j++) {
    vec3 neck = b.x[NECK + j], rim = b.x[RIM + j];
    assert_near(neck.z, 0.114, 0.004); /* the neck above the bin, the flap outside it */
    assert_true(rim.z < 0.09 && hypot(rim.x, rim.y) > 0.064);
  }
  assert_int_equal(bag_spheres_inside(&b), CONTENTS);
  assert_int_equal(bag_columns_up(&b), 0);
  bag_close(&b);
}

/* shape in the header of an npy file */
static void assert_shape(const char *file, const char *type, const char *shape)
{
  size_t size;
  char *bytes = read_bytes(file, &size);
  assert_true(size > 128);
  bytes[127] = '\0';
  assert_contains(bytes + 10, type);
  assert_contains(bytes + 10, shape);
}

static void its_first_steps_export_to_arrays(void **state)
{
  (void)state;
  assert_exit(program("run", bag_scene(), "-o", "run", "--steps", "2", "--quiet", NULL), 0);
  assert_exit(program("export", "run", "--format", "npy", NULL), 0);
  assert_shape("run/export/npy/bag_positions.npy", "'<f8'", "(3, 481, 3)");
  assert_shape("run/export/npy/contents_positions.npy", "'<f8'", "(3, 7, 3)");
  assert_shape("run/export/npy/bag_cells.npy", "'<i4'", "(928, 3)");
}

/* a lifted bag whose flap still hangs down stops before the gather, by name */
static void a_flap_that_does_not_point_up_stops_the_run(void **state)
{
  (void)state;
  int index = -1;
  json_t *scene = json_load_file(bag_scene(), 0, NULL), *control;
  size_t i;
  json_array_foreach(json_object_get(scene, "controls"), i, control)
  {
    if (strcmp(json_string_value(json_object_get(control, "kind")), "require") == 0) index = (int)i;
  }
  json_decref(scene);
  assert_true(index >= 0);
  const char *early = print_text("controls[%d].at=0.05", index);
  outcome o =
      program("run", bag_scene(), "-o", "run", "--set", early, "--until", "0.1", "--quiet", NULL);
  assert_exit(o, 4);
  assert_contains(o.err, "requires vertex 449 to be above vertex 321 at 0.05 s");
  assert_contains(string(read_json("run/summary.json"), "reason"), "requires vertex 449");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      IN_FOLDER(the_bag_is_filled_in_its_bin),
      IN_FOLDER(its_first_steps_export_to_arrays),
      IN_FOLDER(a_flap_that_does_not_point_up_stops_the_run),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
