/* Runs every scenes/.../NAME.json that has a NAME.check.json beside it, verifies the run with exact
   predicates, and compares it with the numbers of the check file (format: tests/README.md). With
   ABUT_LONG=1 the scenes marked "long" run too; ABUT_SCENE=part picks scenes by a part of the path.
 */
#include "program.h"

#include <dirent.h>

#include "io/trajectory.h"
#include "kernel/vec.h"

enum { SCENES_AT_MOST = 256, SUFFIX = 11 /* .check.json */ };

static char *scene_path[SCENES_AT_MOST];
static int scenes;

/* ---- limits ---- */

/* a number or text is the value itself, {"min", "max"} a range */
static void assert_limit(const char *what, const json_t *value, const json_t *limit)
{
  if (json_is_string(limit)) {
    if (!json_is_string(value) || strcmp(json_string_value(value), json_string_value(limit)) != 0)
      fail_msg("%s is not \"%s\"", what, json_string_value(limit));
    return;
  }
  if (!json_is_number(value)) fail_msg("%s is not a number", what);
  double v = json_number_value(value), low = -HUGE_VAL, high = HUGE_VAL;
  if (json_is_number(limit)) {
    low = high = json_number_value(limit);
  } else {
    const char *key;
    json_t *bound;
    json_object_foreach((json_t *)(uintptr_t)limit, key, bound)
    {
      if (strcmp(key, "min") == 0)
        low = json_number_value(bound);
      else if (strcmp(key, "max") == 0)
        high = json_number_value(bound);
      else
        fail_msg("%s: \"%s\" is neither min nor max", what, key);
    }
  }
  if (!(v >= low && v <= high)) fail_msg("%s = %.9g, expected %.9g .. %.9g", what, v, low, high);
}

/* every limit of an object of limits; keys are paths like energy.kinetic */
static void assert_limits(const char *where, const json_t *values, const json_t *limits)
{
  const char *key;
  json_t *limit;
  json_object_foreach((json_t *)(uintptr_t)limits, key, limit)
  {
    char what[256];
    snprintf(what, sizeof what, "%s: %s", where, key);
    assert_limit(what, find(values, key), limit);
  }
}

/* ---- steps.jsonl ---- */

static void assert_steps(const json_t *check)
{
  const json_t *each = json_object_get(check, "steps"), *last = json_object_get(check, "last");
  if (!each && !last) return;
  char *text = read_text("run/steps.jsonl"), *save = NULL;
  json_t *step = NULL;
  for (char *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
    char where[32];
    json_decref(step);
    step = json_loads(line, 0, NULL);
    assert_non_null(step);
    snprintf(where, sizeof where, "step %.0f", number(step, "step"));
    assert_limits(where, step, each);
  }
  if (last) assert_non_null(step);
  assert_limits("last step", step, last);
  json_decref(step);
}

/* ---- positions ---- */

static int64_t frame_at(abut_context *ctx, abut_trajectory *t, double time)
{
  for (int64_t k = 0; k < abut_trajectory_frames(t); k++) {
    double now;
    assert_ok(abut_trajectory_read(ctx, t, k, &now, NULL, NULL, NULL));
    if (fabs(now - time) < 1e-6) return k;
  }
  fail_msg("there is no frame at t = %g", time);
  return -1;
}

/* one vertex; or the mean, least or largest of each coordinate over all vertices */
static vec3 measured(const json_t *want, const vec3 *x, int32_t n)
{
  const json_t *vertex = json_object_get(want, "vertex");
  if (vertex) {
    assert_in_range(json_integer_value(vertex), 0, n - 1);
    return x[json_integer_value(vertex)];
  }
  const char *of = string(want, "of");
  bool least = strcmp(of, "min") == 0, largest = strcmp(of, "max") == 0;
  if (!least && !largest && strcmp(of, "mean") != 0) fail_msg("of \"%s\": mean, min or max", of);
  vec3 a = x[0];
  for (int32_t v = 1; v < n; v++)
    a = least     ? v3(fmin(a.x, x[v].x), fmin(a.y, x[v].y), fmin(a.z, x[v].z))
        : largest ? v3(fmax(a.x, x[v].x), fmax(a.y, x[v].y), fmax(a.z, x[v].z))
                  : v3_add(a, x[v]);
  return least || largest ? a : v3_scale(a, 1.0 / n);
}

static void assert_position(abut_context *ctx, abut_trajectory *t, const json_t *want)
{
  static const char *const axis[] = {"x", "y", "z"};
  const abut_layout *layout = abut_trajectory_layout(t);
  const char *name = string(want, "object");
  const abut_layout_object *o = NULL;
  for (int32_t i = 0; i < layout->objects; i++)
    if (strcmp(layout->object[i].name, name) == 0) o = &layout->object[i];
  if (!o) fail_msg("there is no object \"%s\" with vertices", name);
  vec3 *x = malloc((size_t)o->points * sizeof *x);
  assert_non_null(x);
  int64_t frame = frame_at(ctx, t, number(want, "t"));
  assert_ok(abut_trajectory_read_points(ctx, t, frame, o->first, o->points, x));
  vec3 found = measured(want, x, o->points);
  free(x);
  const double value[] = {found.x, found.y, found.z};
  for (int k = 0; k < 3; k++) {
    char what[256];
    const json_t *limit = json_object_get(want, axis[k]);
    if (!limit) continue;
    json_t *number = json_real(value[k]);
    snprintf(what, sizeof what, "%s: %s at t = %g", name, axis[k],
             json_number_value(json_object_get(want, "t")));
    assert_limit(what, number, limit);
    json_decref(number);
  }
}

static void assert_positions(const json_t *check)
{
  const json_t *list = json_object_get(check, "positions");
  abut_context ctx;
  abut_trajectory *t;
  if (!list) return;
  abut_context_init(&ctx, NULL, 1);
  assert_ok(abut_trajectory_open(&ctx, at("run/trajectory.vtkhdf"), false, &t));
  for (size_t k = 0; k < json_array_size(list); k++)
    assert_position(&ctx, t, json_array_get(list, k));
  abut_trajectory_close(&ctx, t);
  abut_context_free(&ctx);
}

/* ---- one scene ---- */

static void assert_no_crossing(abut_scene *s, const json_t *check)
{
  const abut_finding *list;
  int64_t count, frames;
  must(s, abut_verify(s, at("run"), &list, &count, &frames));
  if (count > 0) fail_msg("%lld crossings, the first: %s", (long long)count, list[0].message);
  const json_t *wanted = json_object_get(check, "frames");
  if (wanted) assert_int_equal(frames, json_integer_value(wanted));
  assert_true(frames > 0);
}

static void assert_outcome(abut_scene *s, abut_status status, const json_t *check)
{
  const json_t *exit_code = json_object_get(check, "exit"), *reason = find(check, "reason");
  int64_t wanted = exit_code ? json_integer_value(exit_code) : 0;
  if (abut_exit_code(status) != wanted)
    fail_msg("exit code %d, expected %lld: %s", abut_exit_code(status), (long long)wanted,
             abut_last_error(s).message);
  if (reason) assert_contains(abut_last_error(s).message, json_string_value(reason));
}

static void scene_meets_its_numbers(void **state)
{
  const char *path = *state;
  char *check_path = print_text("%.*s.check.json", (int)strlen(path) - 5, path);
  json_t *check = read_json(check_path);
  abut_settings settings = abut_settings_default();
  abut_run_def def = abut_run_def_default();
  abut_scene *s;
  settings.log = keep_note;
  notes[0] = '\0';
  assert_ok(abut_create(&settings, &s));
  kept_scene[kept_scenes++] = s;
  def.folder = at("run");
  must(s, abut_load(s, path));
  assert_outcome(s, abut_run(s, &def), check);
  if (!there("run/summary.json")) return;
  assert_limits("summary", read_json("run/summary.json"), json_object_get(check, "summary"));
  assert_steps(check);
  assert_positions(check);
  assert_no_crossing(s, check);
}

/* each test begins in a folder of its own, with its scene as its state */
static int begin_scene(void **state)
{
  void *path = *state;
  int failed = begin(state);
  *state = path;
  return failed;
}

/* ---- finding the scenes ---- */

static bool is_long(const char *path)
{
  json_t *check = json_load_file(path, 0, NULL);
  bool yes = json_is_true(json_object_get(check, "long"));
  json_decref(check);
  return yes;
}

static void add_scene(const char *check)
{
  const char *all = getenv("ABUT_LONG"), *part = getenv("ABUT_SCENE");
  if (scenes == SCENES_AT_MOST || (part && !strstr(check, part))) return;
  if (!(all && strcmp(all, "1") == 0) && !part && is_long(check)) return;
  size_t n = strlen(check) - SUFFIX;
  char *path = malloc(n + sizeof ".json");
  if (!path) return;
  memcpy(path, check, n);
  strcpy(path + n, ".json");
  scene_path[scenes++] = path;
}

static void find_scenes(const char *top)
{
  struct dirent **entry;
  int n = scandir(top, &entry, NULL, alphasort);
  for (int k = 0; k < n; k++) {
    char path[4096];
    struct stat info;
    size_t length = strlen(entry[k]->d_name);
    snprintf(path, sizeof path, "%s/%s", top, entry[k]->d_name);
    if (entry[k]->d_name[0] != '.' && stat(path, &info) == 0) {
      if (S_ISDIR(info.st_mode))
        find_scenes(path);
      else if (length > SUFFIX && strcmp(entry[k]->d_name + length - SUFFIX, ".check.json") == 0)
        add_scene(path);
    }
    free(entry[k]);
  }
  if (n >= 0) free(entry);
}

int main(void)
{
  static struct CMUnitTest tests[SCENES_AT_MOST];
  find_scenes(ABUT_SOURCE_DIR "/scenes");
  for (int k = 0; k < scenes; k++)
    tests[k] = (struct CMUnitTest){.name = scene_path[k] + strlen(ABUT_SOURCE_DIR) + 1,
                                   .test_func = scene_meets_its_numbers,
                                   .setup_func = begin_scene,
                                   .teardown_func = end,
                                   .initial_state = scene_path[k]};
  int failed = _cmocka_run_group_tests("scenes", tests, (size_t)scenes, NULL, NULL);
  for (int k = 0; k < scenes; k++) free(scene_path[k]);
  return failed;
}
