/* scene_controls.c: controls of a scene file. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "io/scene_read.h"

/* `from` and `until` may be null, so they are read by hand */
typedef struct control_keys {
  abut_control_def d;
  int64_t max_newton;
} control_keys;

#define C(field) offsetof(control_keys, d.field)
#define KIND                                                                                       \
  {                                                                                                \
    "kind", ABUT_KEY_OTHER, ABUT_ANY, 0, "!", "", "kind of control"                                \
  }
#define WINDOW                                                                                     \
  {"from", ABUT_KEY_OTHER, ABUT_ANY, 0, "0.0", "s", "acts in steps that start at this time"},      \
  {                                                                                                \
    "until", ABUT_KEY_OTHER, ABUT_ANY, 0, "null", "s", "or later, but before this; null: the end"  \
  }
#define OBJECT                                                                                     \
  {                                                                                                \
    "object", ABUT_KEY_TEXT, ABUT_ANY, C(object), "!", "", "name of an object, or \"*\" for all"   \
  }
#define VERTICES                                                                                   \
  {                                                                                                \
    "vertices", ABUT_KEY_OTHER, ABUT_ANY, 0, "\"all\"", "", "selection of vertices"                \
  }
#define INDICES                                                                                    \
  {                                                                                                \
    "indices", ABUT_KEY_OTHER, ABUT_ANY, 0, NULL, "", "short for vertices: {\"indices\": ..}"      \
  }
#define MOTION                                                                                     \
  {                                                                                                \
    "motion", ABUT_KEY_OTHER, ABUT_ANY, 0, NULL, "", "how the targets move"                        \
  }
#define STIFFNESS                                                                                  \
  {                                                                                                \
    "stiffness", ABUT_KEY_NUMBER, ABUT_POSITIVE, C(stiffness), "!", "N/m", "of each spring"        \
  }

static const abut_key pin_keys[] = {KIND, WINDOW, OBJECT, VERTICES, INDICES, MOTION};
static const abut_key support_keys[] = {KIND, WINDOW, OBJECT, VERTICES, INDICES, MOTION, STIFFNESS};
static const abut_key tie_keys[] = {
    KIND,
    WINDOW,
    OBJECT,
    STIFFNESS,
    {"pairs", ABUT_KEY_OTHER, ABUT_ANY, 0, "!", "", "pairs of vertices of the mesh file"},
    {"length", ABUT_KEY_OTHER, ABUT_ANY, 0, NULL, "m",
     "[[t, length], ..], linear in time; \"current\": the length at activation"},
    {"length_scale", ABUT_KEY_OTHER, ABUT_ANY, 0, NULL, "",
     "[[t, factor], ..] times each pair's length at activation"},
};
static const abut_key drag_keys[] = {
    KIND,    WINDOW,
    OBJECT,  VERTICES,
    INDICES, {"rate", ABUT_KEY_NUMBER, ABUT_NOT_NEGATIVE, C(rate), "!", "1/s", "force -rate m v"},
};
static const abut_key gravity_keys[] = {
    KIND,     WINDOW,  OBJECT,
    VERTICES, INDICES, {"scale", ABUT_KEY_NUMBER, ABUT_ANY, C(scale), "!", "", "factor on gravity"},
};
static const abut_key force_keys[] = {
    KIND,    WINDOW,
    OBJECT,  VERTICES,
    INDICES, {"value", ABUT_KEY_VECTOR, ABUT_ANY, C(force), "!", "N", "on each selected vertex"},
};
static const abut_key solver_keys[] = {
    KIND,
    WINDOW,
    {"tolerance", ABUT_KEY_NUMBER, ABUT_POSITIVE, C(tolerance), NULL, "m/s", "as in method"},
    {"position_tolerance", ABUT_KEY_NUMBER, ABUT_POSITIVE, C(position_tolerance), NULL, "m",
     "as in method"},
    {"max_newton", ABUT_KEY_INTEGER, ABUT_AT_LEAST_ONE, offsetof(control_keys, max_newton), NULL,
     "", "as in method"},
};
static const abut_key require_keys[] = {
    KIND,
    OBJECT,
    {"at", ABUT_KEY_NUMBER, ABUT_NOT_NEGATIVE, C(at), "!", "s", "when it is tested"},
    {"above", ABUT_KEY_OTHER, ABUT_ANY, 0, "!", "",
     "pairs [i, j]: vertex i must be higher than vertex j"},
};

/* in the order of abut_control_kind */
static const char *const kind_names[] = {"pin",     "support", "tie",    "drag",
                                         "gravity", "force",   "solver", "require"};
typedef struct kind_table {
  const abut_key *key;
  int keys;
} kind_table;
static const kind_table tables[] = {
    {ABUT_KEYS(pin_keys)},    {ABUT_KEYS(support_keys)}, {ABUT_KEYS(tie_keys)},
    {ABUT_KEYS(drag_keys)},   {ABUT_KEYS(gravity_keys)}, {ABUT_KEYS(force_keys)},
    {ABUT_KEYS(solver_keys)}, {ABUT_KEYS(require_keys)},
};

static abut_status read_time(abut_reader *r, const json_t *value, double null, double *out)
{
  *out = null;
  return json_is_null(value) ? ABUT_OK : abut_read_number(r, value, ABUT_ANY, out);
}

/* ---- schedules ---- */

static abut_status read_point(abut_reader *r, const json_t *point, bool relative, double *t,
                              double *value)
{
  if (!json_is_array(point) || json_array_size(point) != 2)
    return abut_reader_fail(r, ABUT_BAD_FORMAT, "this must be [time, value]");
  ABUT_TRY(abut_read_number(r, json_array_get(point, 0), ABUT_ANY, t));
  const json_t *v = json_array_get(point, 1);
  if (!relative && json_is_string(v) && strcmp(json_string_value(v), "current") == 0) {
    *value = NAN;
    return ABUT_OK;
  }
  return abut_read_number(r, v, ABUT_NOT_NEGATIVE, value);
}

static abut_status read_schedule(abut_reader *r, json_t *list, bool relative, abut_control_def *d)
{
  abut_schedule *s = &d->length;
  if (s->count > 0)
    return abut_reader_fail(r, ABUT_BAD_FORMAT, "a tie has length or length_scale, not both");
  if (!json_is_array(list) || json_array_size(list) == 0)
    return abut_reader_fail(r, ABUT_BAD_FORMAT, "this must be a list of [time, value]");
  int32_t n = (int32_t)json_array_size(list);
  ABUT_MAKE(r->ctx, s->t, n);
  ABUT_MAKE(r->ctx, s->value, n);
  d->relative = relative;
  for (int32_t k = 0; k < n; k++) {
    int64_t length = r->path.length;
    ABUT_TRY(abut_reader_enter_index(r, k));
    ABUT_TRY(read_point(r, json_array_get(list, (size_t)k), relative, &s->t[k], &s->value[k]));
    if (k > 0 && !(s->t[k] > s->t[k - 1]))
      return abut_reader_fail(r, ABUT_BAD_FORMAT, "times must be in order: %g comes after %g",
                              s->t[k], s->t[k - 1]);
    abut_reader_leave(r, length);
    s->count = k + 1;
  }
  return ABUT_OK;
}

/* ---- one control ---- */

static abut_status read_vertices(abut_scene_reader *s, json_t *object, abut_control_def *d)
{
  abut_reader *r = &s->r;
  if (!json_object_get(object, "indices")) {
    ABUT_READ_AT(r, object, "vertices", abut_read_selection(r, value, &d->vertices));
    return ABUT_OK;
  }
  const json_t *all = json_object_get(object, "vertices");
  if (all && !(json_is_string(all) && strcmp(json_string_value(all), "all") == 0))
    return abut_reader_fail(r, ABUT_BAD_FORMAT, "indices and vertices both select; keep one");
  d->vertices.kind = ABUT_SELECT_INDICES;
  d->vertices.brief = true;
  ABUT_READ_AT(r, object, "indices",
               abut_read_indices(r, value, 1, &d->vertices.index, &d->vertices.count));
  return ABUT_OK;
}

static bool changes_solver(const json_t *object)
{
  return json_object_get(object, "tolerance") || json_object_get(object, "position_tolerance") ||
         json_object_get(object, "max_newton");
}

static abut_status read_pairs(abut_reader *r, json_t *value, abut_control_def *d)
{
  ABUT_TRY(abut_read_indices(r, value, 2, &d->pair, &d->pairs));
  if (d->pairs > 0) return ABUT_OK;
  return abut_reader_fail(r, ABUT_BAD_FORMAT,
                          "the list is empty, so the control does nothing; list pairs of vertices "
                          "or remove the control");
}

static abut_status fill_control(abut_scene_reader *s, json_t *object, control_keys *k)
{
  abut_reader *r = &s->r;
  abut_control_def *d = &k->d;
  ABUT_TRY(abut_keys_read(r, object, tables[d->kind].key, tables[d->kind].keys, k));
  d->max_newton = (int)k->max_newton;
  ABUT_READ_AT(r, object, "from", read_time(r, value, 0, &d->from));
  ABUT_READ_AT(r, object, "until", read_time(r, value, HUGE_VAL, &d->until));
  if (!(d->until > d->from))
    return abut_reader_fail(r, ABUT_BAD_FORMAT, "until (%g s) must come after from (%g s)",
                            d->until, d->from);
  if (d->kind == ABUT_CONTROL_SOLVER && !s->file->draft && !changes_solver(object))
    return abut_reader_fail(r, ABUT_BAD_FORMAT,
                            "a solver control needs tolerance, position_tolerance or max_newton; "
                            "without one it changes nothing");
  ABUT_TRY(read_vertices(s, object, d));
  ABUT_READ_AT(r, object, "motion", abut_read_motion(r, value, &d->motion));
  ABUT_READ_AT(r, object, "pairs", read_pairs(r, value, d));
  ABUT_READ_AT(r, object, "above", read_pairs(r, value, d));
  ABUT_READ_AT(r, object, "length", read_schedule(r, value, false, d));
  ABUT_READ_AT(r, object, "length_scale", read_schedule(r, value, true, d));
  return ABUT_OK;
}

static abut_status read_kind(abut_scene_reader *s, json_t *object, int *kind)
{
  abut_reader *r = &s->r;
  const json_t *value = json_is_object(object) ? json_object_get(object, "kind") : NULL;
  if (!value)
    return abut_reader_fail(r, ABUT_BAD_FORMAT,
                            "a control is {\"kind\": .., ..} and its kind is "
                            "missing: pin, support, tie, drag, gravity, "
                            "force, solver or require");
  ABUT_TRY(abut_reader_enter(r, "kind"));
  if (json_is_string(value) && strcmp(json_string_value(value), "pressure") == 0)
    return abut_reader_fail(r, ABUT_UNSUPPORTED, "pressure is not available in this version");
  return abut_read_choice(r, value, kind_names, 8, kind);
}

abut_status abut_read_control(abut_scene_reader *s, json_t *object)
{
  int kind = 0;
  int64_t length = s->r.path.length;
  ABUT_TRY(read_kind(s, object, &kind));
  abut_reader_leave(&s->r, length);
  control_keys k = {.d = abut_control_def_default((abut_control_kind)kind)};
  abut_status status = fill_control(s, object, &k);
  if (status == ABUT_OK) return abut_scene_add_control(s->r.ctx, s->scene, &k.d);
  abut_control_def_free(s->r.ctx, &k.d);
  return status;
}

abut_status abut_read_controls(abut_scene_reader *s, json_t *list)
{
  if (!json_is_array(list))
    return abut_reader_fail(&s->r, ABUT_BAD_FORMAT, "controls must be a list");
  for (size_t k = 0; k < json_array_size(list); k++) {
    int64_t length = s->r.path.length;
    ABUT_TRY(abut_reader_enter_index(&s->r, (int64_t)k));
    ABUT_TRY(abut_read_control(s, json_array_get(list, k)));
    abut_reader_leave(&s->r, length);
  }
  return ABUT_OK;
}
