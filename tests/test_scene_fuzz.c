/* Scene files changed at random: values of wrong types and sizes, keys that are gone, text cut off
   or with wrong bytes. Nothing crashes, and every refusal says something. */
#include "scene_base.h"

static unsigned long long seed = 88172645463325252ULL;

static unsigned random_below(size_t n)
{
  seed ^= seed << 13;
  seed ^= seed >> 7;
  seed ^= seed << 17;
  return (unsigned)(seed % n);
}

/* one of everything that a scene can hold */
static const char everything[] =
    "{'abut': 1, 'name': 'all', 'gravity': [0,0,-9.81], 'threads': 1, 'time': {'step': 0.01, "
    "'end': 0.02, 'frame_rate': 60}, 'method': {'name': 'ipc', 'stop': 'toi', 'tolerance': 0.1, "
    "'epsilon': 0.01, 'k_min': 1, 'max_newton': 9, 'at_cap': 'accept'}, 'linear_solver': {'name': "
    "'pcg', 'tolerance': 1e-6}, 'contact': {'dhat': 1e-3, 'gap': 0, 'friction': 0.3, "
    "'friction_velocity': 'auto', 'stiffness': {'ipc': 'auto', 'offset_ipc': 100}, 'self_contact': "
    "true, 'pairs': [{'a': 'cloth', 'b': 'wood', 'friction': 0.1, 'enabled': true}]}, 'materials': "
    "{'film': {'model': 'stvk', 'youngs_modulus': 1e5, 'poissons_ratio': 0.3, 'density': 150, "
    "'thickness': 1e-3, 'bending_scale': 1, 'hinge_angle': 'wrap', 'damping': 0}, 'jelly': "
    "{'model': 'fixed_corotated', 'youngs_modulus': 1e5, 'poissons_ratio': 0.3, 'density': 1000}}, "
    "'objects': [{'name': 'cloth', 'kind': 'shell', 'material': 'film', 'weld': 1e-6, 'rest': "
    "'flat', 'velocity': [0,0,1], 'angular_velocity': [0,0,1], 'mesh': {'shape': 'grid', 'size': "
    "[1,1], 'cells': [2,2], 'pattern': 'equilateral'}, 'transform': {'scale': [1,1,1], 'rotate': "
    "[[0,0,1],5], 'translate': [0,0,0]}}, {'name': 'file', 'kind': 'shell', 'mesh': 'm.obj', "
    "'rest': {'mesh': 'm.obj'}, 'material': 'film'}, {'name': 'beads', 'kind': 'spheres', "
    "'centers': [[0,0,3],[1,0,3]], 'radii': [0.1,0.2], 'density': 250}, {'name': 'bin', 'kind': "
    "'obstacle', 'material': 'wood', 'mesh': {'shape': 'ball', 'radius': 1, 'cells': 1}, "
    "'transform': {'translate': [0,0,-2]}, 'motion': {'keys': [{'t': 0, 'ease': 'smooth'}, {'t': "
    "1, 'rotate': [[0,0,1],0], 'turns': 1}], 'center': [0,0,0]}}, {'name': 'floor', 'kind': "
    "'plane', 'point': [0,0,-5], 'normal': [0,0,1]}, {'name': 'cube', 'kind': 'solid', 'mesh': "
    "{'shape': 'box', 'size': [1,1,1], 'cells': [1,1,1], 'tets': 5}, 'material': 'jelly', "
    "'transform': {'translate': [0,0,6]}}], 'controls': [{'kind': 'pin', 'object': 'cloth', "
    "'vertices': {'range': [0,1]}, 'from': 0, 'until': 1.5, 'motion': {'keys': [{'t': 0, "
    "'positions': 'current'}, {'t': 1, 'positions': [[1,null,0],[1,20,0]]}], 'polar': {'center': "
    "[0,0,0], 'axis': [0,0,1]}, 'blend': 0.1}}, {'kind': 'support', 'object': 'cloth', 'vertices': "
    "{'box': [[-1,-1,-1],[1,1,1]]}, 'stiffness': 50, 'motion': {'linear_velocity': [0,0,1], "
    "'angular_velocity': [0,0,1]}}, {'kind': 'tie', 'object': 'beads', 'pairs': [[0,1]], "
    "'stiffness': 250, 'length': [[0,'current'],[1,0.5]]}, {'kind': 'tie', 'object': 'beads', "
    "'pairs': [[0,1]], 'stiffness': 1, 'length_scale': [[0,1]]}, {'kind': 'drag', 'object': '*', "
    "'rate': 12, 'vertices': {'sphere': [[0,0,0],9]}}, {'kind': 'gravity', 'object': 'beads', "
    "'indices': [0], 'scale': 0}, {'kind': 'force', 'object': 'file', 'vertices': {'group': 'g'}, "
    "'value': [0,0,5]}, {'kind': 'solver', 'from': 0, 'until': null, 'position_tolerance': 5e-7}, "
    "{'kind': 'require', 'at': 0.01, 'object': 'cube', 'above': [[4,0]]}], 'output': {'format': "
    "'vtkhdf', 'checkpoint_every': 1}}";

/* parses and builds, and goes a step when that is possible; whether it was */
static bool survives(const char *text)
{
  abut_scene *s = new_scene();
  abut_status status = abut_parse(s, text, folder);
  if (status == ABUT_OK) status = abut_step(s, 1, NULL);
  abut_error e = abut_last_error(s);
  assert_int_equal(e.code, status);
  if (status != ABUT_OK) {
    assert_true(status < ABUT_STATUS_COUNT && status != ABUT_NO_MEMORY);
    if (strcmp(e.message, abut_status_text(status)) == 0) fail_msg("no word about\n%s", text);
  }
  abut_destroy(kept_scene[--kept_scenes]);
  return status == ABUT_OK;
}

/* ---- trees ---- */

static int count_values(const json_t *tree)
{
  int n = 1;
  const char *key;
  size_t k;
  json_t *value;
  json_object_foreach((json_t *)(uintptr_t)tree, key, value) n += count_values(value);
  json_array_foreach(tree, k, value) n += count_values(value);
  return n;
}

static json_t *some_value(void)
{
  static const char *const some[] = {"null",
                                     "true",
                                     "false",
                                     "-1",
                                     "0",
                                     "0.5",
                                     "3",
                                     "7",
                                     "1e308",
                                     "-1e300",
                                     "1e-308",
                                     "9007199254740993",
                                     "\"\"",
                                     "\"x\"",
                                     "\"auto\"",
                                     "\"current\"",
                                     "\"all\"",
                                     "\"*\"",
                                     "\"cloth\"",
                                     "\"beads\"",
                                     "\"floor\"",
                                     "\"stvk\"",
                                     "[]",
                                     "{}",
                                     "[0]",
                                     "[0,0,0]",
                                     "[[0,1]]",
                                     "[[0,0,1],90]",
                                     "[1,1,1]",
                                     "[null,null,null]",
                                     "{\"keys\": []}",
                                     "{\"indices\": [0]}",
                                     "{\"shape\": \"box\"}",
                                     "[[[]]]"};
  return json_loads(some[random_below(sizeof some / sizeof *some)], JSON_DECODE_ANY, NULL);
}

/* replaces, or removes, value number n of a tree that is not the root; what is left of n */
static int change_value(json_t *tree, int n)
{
  const char *key;
  void *next;
  size_t k;
  json_t *value;
  json_object_foreach_safe(tree, next, key, value)
  {
    if (n == 0 && random_below(4) == 0)
      json_object_del(tree, key);
    else if (n == 0)
      json_object_set_new(tree, key, some_value());
    if (n-- == 0) return -1;
    n = change_value(value, n);
    if (n < 0) return -1;
  }
  json_array_foreach(tree, k, value)
  {
    if (n == 0 && random_below(4) == 0)
      json_array_remove(tree, k);
    else if (n == 0)
      json_array_set_new(tree, k, some_value());
    if (n-- == 0) return -1;
    n = change_value(value, n);
    if (n < 0) return -1;
  }
  return n;
}

static void write_mesh(void)
{
  write_text("m.obj", "v 5 0 0\nv 6 0 0\nv 5 1 0\ng g\nf 1 2 3\n");
}

static void values_of_any_type_and_size_are_survived(void **state)
{
  (void)state;
  write_mesh();
  json_t *all = tree_of(quoted("%s", everything));
  int values = count_values(all) - 1, fine = 0;
  assert_true(survives(quoted("%s", everything)));
  for (int trial = 0; trial < 2500; trial++) {
    json_t *copy = json_deep_copy(all);
    for (int changes = 1 + (int)random_below(2); changes > 0; changes--)
      change_value(copy, (int)random_below((size_t)values));
    char *text = json_dumps(copy, 0);
    fine += survives(text);
    free(text);
    json_decref(copy);
  }
  /* most are refused, some changes are harmless */
  assert_in_range(fine, 20, 2000);
}

static void every_value_may_be_missing(void **state)
{
  (void)state;
  write_mesh();
  json_t *all = tree_of(quoted("%s", everything));
  int values = count_values(all) - 1;
  for (int n = 0; n < values; n++)
    for (int k = 0; k < 3; k++) {
      json_t *copy = json_deep_copy(all);
      change_value(copy, n);
      char *text = json_dumps(copy, 0);
      survives(text);
      free(text);
      json_decref(copy);
    }
}

/* ---- text ---- */

static void text_cut_anywhere_and_wrong_bytes_are_survived(void **state)
{
  (void)state;
  write_mesh();
  char *whole = quoted("%s", everything);
  size_t size = strlen(whole);
  char *text = keep(malloc(size + 1));
  for (size_t n = 0; n < size; n += 7) {
    memcpy(text, whole, n);
    text[n] = '\0';
    assert_false(survives(text));
  }
  static const char bytes[] = "{}[]\",:/*\\ \n\xff\x01"
                              "0e-";
  for (int trial = 0; trial < 1500; trial++) {
    memcpy(text, whole, size + 1);
    for (int k = 1 + (int)random_below(3); k > 0; k--)
      text[random_below(size)] = bytes[random_below(sizeof bytes - 1)];
    survives(text);
  }
}

static void settings_of_any_form_are_survived(void **state)
{
  (void)state;
  static const char *const part[] = {
      "objects", "[0]",   "[1]",  "[99]", ".",    "contact",
      "dhat",    "[",     "]",    "=",    "mesh", "method",
      "name",    "{}",    "1",    "\"",   "[-1]", "[18446744073709551617]",
      "time",    "=auto", "=[1]", "={",   "x"};
  write_mesh();
  for (int trial = 0; trial < 3000; trial++) {
    char setting[256] = "";
    for (int k = 1 + (int)random_below(6); k > 0; k--)
      strcat(setting, part[random_below(sizeof part / sizeof *part)]);
    abut_scene *s = new_scene();
    must(s, abut_parse(s, "{\"abut\": 1, \"objects\": [{\"name\": \"a\", \"kind\": \"plane\"}]}",
                       folder));
    abut_status status = abut_set(s, setting);
    if (status == ABUT_OK) status = abut_step(s, 0, NULL);
    if (status != ABUT_OK)
      assert_string_not_equal(abut_last_error(s).message, abut_status_text(status));
    abut_destroy(kept_scene[--kept_scenes]);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      IN_FOLDER(values_of_any_type_and_size_are_survived),
      IN_FOLDER(every_value_may_be_missing),
      IN_FOLDER(text_cut_anywhere_and_wrong_bytes_are_survived),
      IN_FOLDER(settings_of_any_form_are_survived),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
