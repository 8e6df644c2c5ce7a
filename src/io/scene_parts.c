/* scene_parts.c: values that several parts of a scene file share: turns, motions, selections. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "io/scene_read.h"

static abut_status wrong(abut_reader *r, const char *wanted)
{
  return abut_reader_fail(r, ABUT_BAD_FORMAT, "this must be %s", wanted);
}

abut_status abut_read_turn(abut_reader *r, json_t *value, vec3 *axis, double *radians)
{
  if (!json_is_array(value) || json_array_size(value) != 2)
    return wrong(r, "[axis, degrees], as in [[0, 0, 1], 90]");
  double degrees;
  int64_t length = r->path.length;
  ABUT_TRY(abut_reader_enter_index(r, 0));
  ABUT_TRY(abut_read_vector(r, json_array_get(value, 0), axis));
  if (!(v3_norm(*axis) > 0)) return wrong(r, "an axis that is not zero");
  abut_reader_leave(r, length);
  ABUT_TRY(abut_reader_enter_index(r, 1));
  ABUT_TRY(abut_read_number(r, json_array_get(value, 1), ABUT_ANY, &degrees));
  abut_reader_leave(r, length);
  *axis = v3_unit(*axis);
  *radians = degrees * K_PI / 180;
  return ABUT_OK;
}

/* ---- lists of whole numbers ---- */

static abut_status read_entry(abut_reader *r, const json_t *value, int n, int32_t *out)
{
  if (n > 1 && (!json_is_array(value) || json_array_size(value) != (size_t)n))
    return wrong(r, "a pair of vertex numbers");
  for (int k = 0; k < n; k++) {
    int64_t number;
    ABUT_TRY(abut_read_integer(r, n > 1 ? json_array_get(value, (size_t)k) : value, 0, INT32_MAX,
                               &number));
    out[k] = (int32_t)number;
  }
  return ABUT_OK;
}

abut_status abut_read_indices(abut_reader *r, json_t *value, int n, int32_t **index, int32_t *count)
{
  if (!json_is_array(value)) return wrong(r, "a list");
  size_t size = json_array_size(value);
  if (size > INT32_MAX / 4) return wrong(r, "a shorter list");
  ABUT_MAKE(r->ctx, *index, (int64_t)size * n);
  *count = (int32_t)size;
  for (size_t k = 0; k < size; k++) {
    int64_t length = r->path.length;
    ABUT_TRY(abut_reader_enter_index(r, (int64_t)k));
    ABUT_TRY(read_entry(r, json_array_get(value, k), n, *index + k * (size_t)n));
    abut_reader_leave(r, length);
  }
  return ABUT_OK;
}

/* ---- selections ---- */

static abut_status read_box(abut_reader *r, json_t *value, abut_selection *s)
{
  if (!json_is_array(value) || json_array_size(value) != 2)
    return wrong(r, "two corners: [[x, y, z], [x, y, z]]");
  s->kind = ABUT_SELECT_BOX;
  ABUT_TRY(abut_read_vector(r, json_array_get(value, 0), &s->low));
  return abut_read_vector(r, json_array_get(value, 1), &s->high);
}

static abut_status read_sphere(abut_reader *r, json_t *value, abut_selection *s)
{
  if (!json_is_array(value) || json_array_size(value) != 2)
    return wrong(r, "centre and radius: [[x, y, z], r]");
  s->kind = ABUT_SELECT_SPHERE;
  ABUT_TRY(abut_read_vector(r, json_array_get(value, 0), &s->center));
  return abut_read_number(r, json_array_get(value, 1), ABUT_NOT_NEGATIVE, &s->radius);
}

static abut_status read_range(abut_reader *r, json_t *value, abut_selection *s)
{
  s->kind = ABUT_SELECT_RANGE;
  ABUT_TRY(abut_read_indices(r, value, 1, &s->index, &s->count));
  return s->count == 2 ? ABUT_OK : wrong(r, "first and last: [first, last]");
}

static const abut_key selection_keys[] = {
    {"indices", ABUT_KEY_OTHER, ABUT_ANY, 0, NULL, "", "list of vertices of the mesh file"},
    {"range", ABUT_KEY_OTHER, ABUT_ANY, 0, NULL, "", "[first, last], both included"},
    {"box", ABUT_KEY_OTHER, ABUT_ANY, 0, NULL, "m", "two corners, in world space at the start"},
    {"sphere", ABUT_KEY_OTHER, ABUT_ANY, 0, NULL, "m", "[centre, radius], likewise"},
    {"group", ABUT_KEY_TEXT, ABUT_ANY, offsetof(abut_selection, group), NULL, "",
     "name of an OBJ group or MSH physical name"},
};

abut_status abut_read_selection(abut_reader *r, json_t *selection, abut_selection *s)
{
  if (json_is_string(selection) && strcmp(json_string_value(selection), "all") == 0) {
    s->kind = ABUT_SELECT_ALL;
    return ABUT_OK;
  }
  if (!json_is_object(selection) || json_object_size(selection) != 1)
    return wrong(r, "\"all\" or one of {\"indices\"}, {\"range\"}, {\"box\"}, {\"sphere\"}, "
                    "{\"group\"}");
  ABUT_TRY(abut_keys_read(r, selection, ABUT_KEYS(selection_keys), s));
  if (s->group) s->kind = ABUT_SELECT_GROUP;
  ABUT_READ_AT(r, selection, "range", read_range(r, value, s));
  ABUT_READ_AT(r, selection, "box", read_box(r, value, s));
  ABUT_READ_AT(r, selection, "sphere", read_sphere(r, value, s));
  if (json_object_get(selection, "indices")) s->kind = ABUT_SELECT_INDICES;
  ABUT_READ_AT(r, selection, "indices", abut_read_indices(r, value, 1, &s->index, &s->count));
  return ABUT_OK;
}

/* ---- motions ---- */

static const abut_key key_keys[] = {
    {"t", ABUT_KEY_NUMBER, ABUT_ANY, offsetof(abut_motion_key, t), "!", "s", "time of the key"},
    {"translate", ABUT_KEY_VECTOR, ABUT_ANY, offsetof(abut_motion_key, translate), NULL, "m",
     "shift at that time"},
    {"rotate", ABUT_KEY_OTHER, ABUT_ANY, 0, NULL, "degrees", "[axis, angle] about the centre"},
    {"turns", ABUT_KEY_NUMBER, ABUT_ANY, offsetof(abut_motion_key, turns), NULL, "",
     "revolutions about the axis since the previous key"},
    {"ease", ABUT_KEY_OTHER, ABUT_ANY, 0, NULL, "", "\"smooth\" or \"linear\" until the next key"},
    {"positions", ABUT_KEY_OTHER, ABUT_ANY, 0, NULL, "m",
     "absolute: one per selected vertex, or \"current\""},
};

static abut_status read_coordinate(abut_reader *r, const json_t *value, double *out)
{
  *out = NAN; /* null: the vertex's own at activation */
  return json_is_null(value) ? ABUT_OK : abut_read_number(r, value, ABUT_ANY, out);
}

static abut_status read_positions(abut_reader *r, json_t *value, abut_motion_key *key)
{
  if (json_is_string(value) && strcmp(json_string_value(value), "current") == 0) {
    key->kind = ABUT_KEY_CURRENT;
    return ABUT_OK;
  }
  if (!json_is_array(value)) return wrong(r, "\"current\" or a list of [x, y, z]");
  key->kind = ABUT_KEY_LIST;
  key->count = (int32_t)json_array_size(value);
  ABUT_MAKE(r->ctx, key->position, key->count);
  for (int32_t k = 0; k < key->count; k++) {
    const json_t *p = json_array_get(value, (size_t)k);
    int64_t length = r->path.length;
    ABUT_TRY(abut_reader_enter_index(r, k));
    if (!json_is_array(p) || json_array_size(p) != 3) return wrong(r, "[x, y, z]");
    ABUT_TRY(read_coordinate(r, json_array_get(p, 0), &key->position[k].x));
    ABUT_TRY(read_coordinate(r, json_array_get(p, 1), &key->position[k].y));
    ABUT_TRY(read_coordinate(r, json_array_get(p, 2), &key->position[k].z));
    abut_reader_leave(r, length);
  }
  return ABUT_OK;
}

static abut_status read_ease(abut_reader *r, const json_t *value, abut_motion_key *key)
{
  static const char *const names[] = {"linear", "smooth"};
  int which;
  ABUT_TRY(abut_read_choice(r, value, names, 2, &which));
  key->smooth = which == 1;
  return ABUT_OK;
}

static abut_status read_key(abut_reader *r, json_t *object, abut_motion_key *key)
{
  *key = (abut_motion_key){.axis = {0, 0, 1}, .turns = NAN};
  ABUT_TRY(abut_keys_read(r, object, ABUT_KEYS(key_keys), key));
  ABUT_READ_AT(r, object, "rotate", abut_read_turn(r, value, &key->axis, &key->angle));
  ABUT_READ_AT(r, object, "ease", read_ease(r, value, key));
  ABUT_READ_AT(r, object, "positions", read_positions(r, value, key));
  bool rigid = json_object_get(object, "translate") || json_object_get(object, "rotate");
  if (key->kind != ABUT_KEY_RIGID && rigid)
    return abut_reader_fail(r, ABUT_BAD_FORMAT,
                            "a key has either positions or translate and rotate, not both");
  if (!isnan(key->turns) && !json_object_get(object, "rotate"))
    return abut_reader_fail(r, ABUT_BAD_FORMAT, "turns needs the axis: \"rotate\": [axis, 0]");
  return ABUT_OK;
}

/* keys in order of time; all rigid or all positions; turns and angle must not contradict */
static abut_status check_keys(abut_reader *r, const abut_motion *m)
{
  for (int32_t k = 1; k < m->keys; k++) {
    const abut_motion_key *a = &m->key[k - 1], *b = &m->key[k];
    ABUT_TRY(abut_reader_enter_index(r, k));
    if (!(b->t > a->t))
      return abut_reader_fail(r, ABUT_BAD_FORMAT,
                              "keys must be in order of time: %g comes after "
                              "%g",
                              b->t, a->t);
    if ((a->kind == ABUT_KEY_RIGID) != (b->kind == ABUT_KEY_RIGID))
      return abut_reader_fail(r, ABUT_BAD_FORMAT,
                              "either all keys of a motion have positions or none");
    if (!isnan(b->turns) && b->angle != 0) {
      /* both given: they must lead to the same orientation */
      double whole = b->turns - (b->angle - a->angle) / (2 * K_PI);
      if (fabs(whole - round(whole)) > 1e-6)
        return abut_reader_fail(r, ABUT_BAD_FORMAT,
                                "rotate and turns disagree; turns counts all revolutions since "
                                "the previous key");
    }
    abut_reader_leave(r, r->path.length - (int64_t)strlen(strrchr(r->path.data, '[')));
  }
  return ABUT_OK;
}

static abut_status read_keys(abut_reader *r, json_t *list, abut_motion *m)
{
  if (!json_is_array(list) || json_array_size(list) == 0) return wrong(r, "a list of keys");
  int32_t n = (int32_t)json_array_size(list);
  ABUT_MAKE_ZERO(r->ctx, m->key, n);
  for (m->keys = 0; m->keys < n;) {
    int64_t length = r->path.length;
    ABUT_TRY(abut_reader_enter_index(r, m->keys));
    abut_motion_key *key = &m->key[m->keys++];
    ABUT_TRY(read_key(r, json_array_get(list, (size_t)(m->keys - 1)), key));
    abut_reader_leave(r, length);
  }
  return check_keys(r, m);
}

static const abut_key polar_keys[] = {
    {"center", ABUT_KEY_VECTOR, ABUT_ANY, offsetof(abut_motion, polar_center), "!", "m",
     "a point of the axis, where the height is 0"},
    {"axis", ABUT_KEY_VECTOR, ABUT_ANY, offsetof(abut_motion, polar_axis), "!", "",
     "direction of the axis"},
};

/* the angle counts from the x axis (or the y axis, about an axis along x) */
static abut_status read_polar(abut_reader *r, json_t *object, abut_motion *m)
{
  ABUT_TRY(abut_keys_read(r, object, ABUT_KEYS(polar_keys), m));
  if (!(v3_norm(m->polar_axis) > 0)) return wrong(r, "an axis that is not zero");
  m->polar = true;
  m->polar_axis = v3_unit(m->polar_axis);
  vec3 x = fabs(m->polar_axis.x) < 0.9 ? v3(1, 0, 0) : v3(0, 1, 0);
  m->polar_x = v3_unit(v3_madd(x, m->polar_axis, -v3_dot(x, m->polar_axis)));
  return ABUT_OK;
}

static const abut_key motion_keys[] = {
    {"keys", ABUT_KEY_OTHER, ABUT_ANY, 0, NULL, "", "list of keys, in order of time"},
    {"center", ABUT_KEY_VECTOR, ABUT_ANY, offsetof(abut_motion, center), NULL, "m",
     "centre of rotation"},
    {"linear_velocity", ABUT_KEY_VECTOR, ABUT_ANY, offsetof(abut_motion, linear), NULL, "m/s",
     "constant velocity, instead of keys"},
    {"angular_velocity", ABUT_KEY_VECTOR, ABUT_ANY, offsetof(abut_motion, angular), NULL, "rad/s",
     "constant rotation about the centre, instead of keys"},
    {"frames", ABUT_KEY_OTHER, ABUT_ANY, 0, NULL, "", "files of a recorded vertex sequence"},
    {"rate", ABUT_KEY_OTHER, ABUT_ANY, 0, NULL, "1/s", "frames per second of the recording"},
    {"polar", ABUT_KEY_OTHER, ABUT_ANY, 0, NULL, "",
     "positions are [radius m, angle degrees, height m] about an axis"},
    {"blend", ABUT_KEY_NUMBER, ABUT_NOT_NEGATIVE, offsetof(abut_motion, blend), NULL, "s",
     "goes smoothly from where each vertex is to the path"},
};

abut_status abut_read_motion(abut_reader *r, json_t *motion, abut_motion *m)
{
  ABUT_TRY(abut_keys_read(r, motion, ABUT_KEYS(motion_keys), m));
  if (json_object_get(motion, "frames")) {
    ABUT_TRY(abut_reader_enter(r, "frames"));
    return abut_reader_fail(r, ABUT_UNSUPPORTED,
                            "recorded vertex sequences are not available in this version");
  }
  if (json_object_get(motion, "rate")) {
    ABUT_TRY(abut_reader_enter(r, "rate"));
    return abut_reader_fail(r, ABUT_BAD_FORMAT, "a rate belongs to frames; remove it");
  }
  m->steady =
      json_object_get(motion, "linear_velocity") || json_object_get(motion, "angular_velocity");
  if (m->steady && json_object_get(motion, "keys"))
    return abut_reader_fail(r, ABUT_BAD_FORMAT, "a motion has either keys or velocities, not both");
  if (!m->steady && !json_object_get(motion, "keys"))
    return abut_reader_fail(r, ABUT_BAD_FORMAT,
                            "a motion needs keys, linear_velocity or angular_velocity");
  ABUT_READ_AT(r, motion, "polar", read_polar(r, value, m));
  ABUT_READ_AT(r, motion, "keys", read_keys(r, value, m));
  if (m->polar && (m->keys == 0 || m->key[0].kind == ABUT_KEY_RIGID))
    return abut_reader_fail(r, ABUT_BAD_FORMAT, "polar needs keys with positions");
  return ABUT_OK;
}
