/* scene_objects.c: objects and their meshes. */
#include <math.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "io/scene_read.h"

/* ---- meshes ---- */

typedef struct shape_keys {
  char *shape, *pattern;
  double radius, height;
  int64_t tets;
  bool folded;
} shape_keys;

static const abut_key shape_key[] = {
    {"shape", ABUT_KEY_TEXT, ABUT_ANY, offsetof(shape_keys, shape), "!", "",
     "one of `abut list shapes`"},
    {"size", ABUT_KEY_OTHER, ABUT_ANY, 0, NULL, "m", "grid: [a, b]; box: [a, b, c]"},
    {"cells", ABUT_KEY_OTHER, ABUT_ANY, 0, NULL, "",
     "grid [m, n]; disc rings; tube [around, along]; box [l, m, n]; ball and sphere layers"},
    {"radius", ABUT_KEY_NUMBER, ABUT_POSITIVE, offsetof(shape_keys, radius), NULL, "m",
     "disc, tube, ball, sphere"},
    {"height", ABUT_KEY_NUMBER, ABUT_POSITIVE, offsetof(shape_keys, height), NULL, "m", "tube"},
    {"pattern", ABUT_KEY_TEXT, ABUT_ANY, offsetof(shape_keys, pattern), NULL, "",
     "grid: \"alternate\" (default) or \"equilateral\""},
    {"tets", ABUT_KEY_INTEGER, ABUT_POSITIVE, offsetof(shape_keys, tets), NULL, "",
     "box: 6 (default) or 5 tetrahedra a cell"},
    {"folded", ABUT_KEY_SWITCH, ABUT_ANY, offsetof(shape_keys, folded), NULL, "",
     "bag: the flap hangs outside"},
};

/* keys of one shape alone */
static abut_status refuse_others(abut_scene_reader *s, const json_t *object, const char *shape)
{
  static const struct {
    const char *key, *shape;
  } own[] = {{"pattern", "grid"}, {"tets", "box"}, {"folded", "bag"}};
  for (size_t k = 0; k < sizeof own / sizeof *own; k++)
    if (json_object_get(object, own[k].key) && strcmp(shape, own[k].shape) != 0) {
      ABUT_TRY(abut_reader_enter(&s->r, own[k].key));
      return abut_reader_fail(&s->r, ABUT_BAD_FORMAT, "the shape %s has no %s; remove it", shape,
                              own[k].key);
    }
  return ABUT_OK;
}

static abut_status need(abut_scene_reader *s, const json_t *object, const char *key, bool wanted,
                        const char *shape)
{
  bool there = json_object_get(object, key) != NULL;
  if (there == wanted) return ABUT_OK;
  if (there) ABUT_TRY(abut_reader_enter(&s->r, key));
  return abut_reader_fail(&s->r, ABUT_BAD_FORMAT,
                          there ? "the shape %s has no %s" : "the shape %s needs %s", shape, key);
}

/* n numbers, or one number when n is 1 */
static abut_status read_numbers(abut_scene_reader *s, json_t *value, int n, bool whole,
                                double *number, int32_t *count)
{
  bool list = json_is_array(value);
  if (list ? json_array_size(value) != (size_t)n : n != 1)
    return abut_reader_fail(&s->r, ABUT_BAD_FORMAT, "this must be %s%d number%s",
                            n > 1 ? "a list of " : "", n, n > 1 ? "s" : "");
  for (int k = 0; k < n; k++) {
    const json_t *item = list ? json_array_get(value, (size_t)k) : value;
    int64_t integer = 0;
    if (whole) {
      ABUT_TRY(abut_read_integer(&s->r, item, 1, 1 << 20, &integer));
      count[k] = (int32_t)integer;
    } else {
      ABUT_TRY(abut_read_number(&s->r, item, ABUT_POSITIVE, &number[k]));
    }
  }
  return ABUT_OK;
}

static abut_status find_shape(abut_scene_reader *s, const char *name, const abut_shape_class **out)
{
  const char *nearest = NULL;
  for (const abut_shape_class *const *c = s->tables->shapes; *c; c++) {
    if (strcmp((*c)->name, name) == 0) {
      *out = *c;
      return ABUT_OK;
    }
    if (!nearest) nearest = abut_nearest_name(name, *c, 1, sizeof **c);
  }
  ABUT_TRY(abut_reader_enter(&s->r, "shape"));
  return abut_reader_fail(&s->r, ABUT_BAD_FORMAT,
                          "there is no shape \"%s\" (nearest: %s); see `abut list shapes`", name,
                          nearest ? nearest : s->tables->shapes[0]->name);
}

static abut_status make_shape(abut_scene_reader *s, json_t *object, const shape_keys *k, bool solid,
                              abut_mesh_data *mesh)
{
  abut_reader *r = &s->r;
  const abut_shape_class *c = NULL;
  ABUT_TRY(find_shape(s, k->shape, &c));
  ABUT_TRY(refuse_others(s, object, c->name));
  ABUT_TRY(need(s, object, "size", c->sizes > 0, c->name));
  ABUT_TRY(need(s, object, "cells", c->cells > 0, c->name));
  ABUT_TRY(need(s, object, "radius", c->radius, c->name));
  ABUT_TRY(need(s, object, "height", c->height, c->name));
  abut_shape shape = {
      .name = k->shape, .radius = k->radius, .height = k->height, .tets = 6, .folded = k->folded};
  if (json_object_get(object, "tets")) shape.tets = (int)k->tets;
  if (k->pattern) {
    shape.equilateral = strcmp(k->pattern, "equilateral") == 0;
    if (!shape.equilateral && strcmp(k->pattern, "alternate") != 0) {
      ABUT_TRY(abut_reader_enter(r, "pattern"));
      return abut_reader_fail(r, ABUT_BAD_FORMAT,
                              "\"%s\" is not known; write \"alternate\" or \"equilateral\"",
                              k->pattern);
    }
  }
  ABUT_READ_AT(r, object, "size", read_numbers(s, value, c->sizes, false, shape.size, NULL));
  ABUT_READ_AT(r, object, "cells", read_numbers(s, value, c->cells, true, NULL, shape.cells));
  abut_status status = c->make(r->ctx, &shape, solid, mesh);
  if (status == ABUT_BAD_ARGUMENT) abut_error_at_key(r->ctx, r->file, r->path.data);
  return status == ABUT_BAD_ARGUMENT ? ABUT_BAD_FORMAT : status;
}

static abut_status read_shape(abut_scene_reader *s, json_t *object, bool solid,
                              abut_mesh_data *mesh)
{
  shape_keys k = {0};
  abut_status status = abut_keys_read(&s->r, object, ABUT_KEYS(shape_key), &k);
  if (status == ABUT_OK) status = make_shape(s, object, &k, solid, mesh);
  abut_free(s->r.ctx, k.shape);
  abut_free(s->r.ctx, k.pattern);
  return status;
}

static abut_status find_format(abut_scene_reader *s, const char *path,
                               const abut_format_class **out)
{
  abut_status status = abut_format_find(s->r.ctx, s->tables, path, out);
  if (status != ABUT_OK) abut_reader_place(&s->r);
  if (status != ABUT_OK || *out) return status;
  return abut_reader_fail(&s->r, ABUT_UNSUPPORTED,
                          "\"%s\" has no suffix of a mesh file; .obj and .msh are read", path);
}

static abut_status read_mesh_file(abut_scene_reader *s, json_t *owner, const char *key,
                                  const char *name, char **file, abut_mesh_data *mesh)
{
  abut_context *ctx = s->r.ctx;
  const abut_format_class *format = NULL;
  ABUT_TRY(find_format(s, name, &format));
  abut_free(ctx, *file);
  *file = abut_path_join(ctx, s->file->folder, name);
  if (!*file) return ABUT_NO_MEMORY;
  ABUT_TRY(format->read(ctx, *file, mesh));
  /* the scene as run is kept in another folder */
  char *absolute = abut_path_absolute(ctx, *file);
  if (!absolute) return ABUT_NO_MEMORY;
  json_t *text;
  abut_status status = abut_json_text(ctx, absolute, &text);
  abut_free(ctx, absolute);
  ABUT_TRY(status);
  return json_object_set_new(owner, key, text) == 0
             ? ABUT_OK
             : abut_fail(ctx, ABUT_NO_MEMORY, "out of memory");
}

abut_status abut_read_mesh(abut_scene_reader *s, json_t *owner, const char *key, bool solid,
                           char **file, abut_mesh_data *mesh)
{
  json_t *value = json_object_get(owner, key);
  if (s->file->no_meshes) return ABUT_OK;
  if (json_is_object(value)) return read_shape(s, value, solid, mesh);
  if (json_is_string(value))
    return read_mesh_file(s, owner, key, json_string_value(value), file, mesh);
  return abut_reader_fail(&s->r, ABUT_BAD_FORMAT,
                          "a mesh is a path or a shape: {\"shape\": \"grid\", ...}");
}

/* ---- tables of the kinds ---- */

#define O(field) offsetof(abut_object_def, field)

#define NAME                                                                                       \
  {                                                                                                \
    "name", ABUT_KEY_TEXT, ABUT_ANY, O(name), "!", "", "unique name of the object"                 \
  }
#define KIND                                                                                       \
  {                                                                                                \
    "kind", ABUT_KEY_OTHER, ABUT_ANY, 0, "!", "", "kind of object"                                 \
  }
#define MATERIAL                                                                                   \
  {                                                                                                \
    "material", ABUT_KEY_TEXT, ABUT_ANY, O(material), NULL, "", "name of its material"             \
  }
#define MESH                                                                                       \
  {                                                                                                \
    "mesh", ABUT_KEY_OTHER, ABUT_ANY, 0, "!", "", "path of a file, or a shape"                     \
  }
#define TRANSFORM                                                                                  \
  {                                                                                                \
    "transform", ABUT_KEY_OTHER, ABUT_ANY, 0, "{}", "", "scales, then rotates, then translates"    \
  }
#define MOVES                                                                                      \
  {"velocity", ABUT_KEY_VECTOR, ABUT_ANY, O(velocity), "[0, 0, 0]", "m/s", "at the start"},        \
  {                                                                                                \
    "angular_velocity", ABUT_KEY_VECTOR, ABUT_ANY, O(angular_velocity), "[0, 0, 0]", "rad/s",      \
        "at the start, about the centre of mass"                                                   \
  }
#define WELD                                                                                       \
  {                                                                                                \
    "weld", ABUT_KEY_NUMBER, ABUT_NOT_NEGATIVE, O(weld), "0.0", "m",                               \
        "vertices closer than this are one for the solver"                                         \
  }
#define REST                                                                                       \
  {                                                                                                \
    "rest", ABUT_KEY_OTHER, ABUT_ANY, 0, "\"input\"", "",                                          \
        "\"input\", \"flat\" (rest angles 0) or {\"mesh\": ...}"                                   \
  }

static const abut_key body_keys[] = {NAME, KIND, MATERIAL, MESH, TRANSFORM, MOVES, WELD, REST};
static const abut_key spheres_keys[] = {
    NAME,
    KIND,
    MATERIAL,
    TRANSFORM,
    MOVES,
    {"centers", ABUT_KEY_OTHER, ABUT_ANY, 0, "!", "m", "list of centres"},
    {"radii", ABUT_KEY_OTHER, ABUT_ANY, 0, "!", "m", "list of radii"},
    {"density", ABUT_KEY_NUMBER, ABUT_POSITIVE, O(density), "!", "kg/m^3", "of the full spheres"},
};
static const abut_key obstacle_keys[] = {
    NAME, KIND,      MATERIAL,
    MESH, TRANSFORM, {"motion", ABUT_KEY_OTHER, ABUT_ANY, 0, NULL, "", "how it moves"},
};
static const abut_key plane_keys[] = {
    NAME,
    KIND,
    MATERIAL,
    {"point", ABUT_KEY_VECTOR, ABUT_ANY, O(point), "[0, 0, 0]", "m", "a point of the plane"},
    {"normal", ABUT_KEY_VECTOR, ABUT_ANY, O(normal), "[0, 0, 1]", "",
     "points to the free side; any length"},
};

static const char *const kind_names[] = {"shell", "solid", "spheres", "obstacle", "plane"};

/* ---- parts of an object ---- */

typedef struct transform_keys {
  vec3 translate;
} transform_keys;

static const abut_key transform_key[] = {
    {"scale", ABUT_KEY_OTHER, ABUT_ANY, 0, "1.0", "", "a number or three"},
    {"rotate", ABUT_KEY_OTHER, ABUT_ANY, 0, "[[0, 0, 1], 0]", "degrees", "[axis, angle]"},
    {"translate", ABUT_KEY_VECTOR, ABUT_ANY, offsetof(transform_keys, translate), "[0, 0, 0]", "m",
     "shift"},
};

static abut_status read_scale(abut_reader *r, const json_t *value, vec3 *scale)
{
  if (json_is_array(value)) {
    ABUT_TRY(abut_read_vector(r, value, scale));
  } else {
    double s;
    ABUT_TRY(abut_read_number(r, value, ABUT_ANY, &s));
    *scale = v3(s, s, s);
  }
  if (scale->x == 0 || scale->y == 0 || scale->z == 0)
    return abut_reader_fail(r, ABUT_BAD_FORMAT, "a scale of 0 flattens the object");
  return ABUT_OK;
}

static abut_status read_transform(abut_reader *r, json_t *object, abut_object_def *o)
{
  transform_keys k = {{0, 0, 0}};
  ABUT_TRY(abut_keys_read(r, object, ABUT_KEYS(transform_key), &k));
  o->translate = k.translate;
  ABUT_READ_AT(r, object, "scale", read_scale(r, value, &o->scale));
  ABUT_READ_AT(r, object, "rotate", abut_read_turn(r, value, &o->axis, &o->angle));
  return ABUT_OK;
}

static const abut_key rest_keys[] = {
    {"mesh", ABUT_KEY_OTHER, ABUT_ANY, 0, "!", "", "mesh with the same cells"},
};

static abut_status read_rest(abut_scene_reader *s, json_t *value, abut_object_def *o)
{
  static const char *const names[] = {"input", "flat"};
  if (json_is_object(value)) {
    char *file = NULL;
    ABUT_TRY(abut_keys_read(&s->r, value, ABUT_KEYS(rest_keys), NULL));
    ABUT_TRY(abut_reader_enter(&s->r, "mesh"));
    o->rest = ABUT_REST_MESH;
    abut_status status =
        abut_read_mesh(s, value, "mesh", o->kind == ABUT_SOLID, &file, &o->rest_mesh);
    abut_free(s->r.ctx, file);
    return status;
  }
  int which;
  ABUT_TRY(abut_read_choice(&s->r, value, names, 2, &which));
  o->rest = which == 1 ? ABUT_REST_FLAT : ABUT_REST_INPUT;
  return ABUT_OK;
}

static abut_status read_centers(abut_scene_reader *s, json_t *list, abut_object_def *o)
{
  if (!json_is_array(list))
    return abut_reader_fail(&s->r, ABUT_BAD_FORMAT, "centers must be a list of [x, y, z]");
  o->spheres = (int32_t)json_array_size(list);
  ABUT_MAKE(s->r.ctx, o->center, o->spheres);
  for (int32_t k = 0; k < o->spheres; k++) {
    int64_t length = s->r.path.length;
    ABUT_TRY(abut_reader_enter_index(&s->r, k));
    ABUT_TRY(abut_read_vector(&s->r, json_array_get(list, (size_t)k), &o->center[k]));
    abut_reader_leave(&s->r, length);
  }
  return ABUT_OK;
}

static abut_status read_radii(abut_scene_reader *s, json_t *list, abut_object_def *o)
{
  if (!json_is_array(list) || json_array_size(list) != (size_t)o->spheres)
    return abut_reader_fail(&s->r, ABUT_BAD_FORMAT,
                            "radii must be a list of %d numbers, one per "
                            "centre",
                            o->spheres);
  bool uniform = fabs(o->scale.x) == fabs(o->scale.y) && fabs(o->scale.x) == fabs(o->scale.z);
  if (!uniform)
    return abut_reader_fail(&s->r, ABUT_BAD_FORMAT, "spheres can only be scaled by one number");
  ABUT_MAKE(s->r.ctx, o->radius, o->spheres);
  for (int32_t k = 0; k < o->spheres; k++) {
    int64_t length = s->r.path.length;
    ABUT_TRY(abut_reader_enter_index(&s->r, k));
    ABUT_TRY(
        abut_read_number(&s->r, json_array_get(list, (size_t)k), ABUT_POSITIVE, &o->radius[k]));
    o->radius[k] *= fabs(o->scale.x);
    abut_reader_leave(&s->r, length);
  }
  return ABUT_OK;
}

static abut_status read_table(abut_scene_reader *s, json_t *object, abut_object_def *o)
{
  abut_reader *r = &s->r;
  switch (o->kind) {
  case ABUT_SHELL:
  case ABUT_SOLID: return abut_keys_read(r, object, ABUT_KEYS(body_keys), o);
  case ABUT_SPHERES: return abut_keys_read(r, object, ABUT_KEYS(spheres_keys), o);
  case ABUT_OBSTACLE: return abut_keys_read(r, object, ABUT_KEYS(obstacle_keys), o);
  case ABUT_PLANE: break;
  }
  ABUT_TRY(abut_keys_read(r, object, ABUT_KEYS(plane_keys), o));
  if (v3_max_abs(o->normal) > 0) return ABUT_OK;
  ABUT_TRY(abut_reader_enter(r, "normal"));
  return abut_reader_fail(r, ABUT_BAD_FORMAT, "the normal of a plane must not be zero");
}

static abut_status check_name(abut_reader *r, const char *name)
{
  const char *bad = abut_scene_bad_name(name);
  return bad ? abut_reader_fail(r, ABUT_BAD_FORMAT, "%s", bad) : ABUT_OK;
}

static abut_status fill_object(abut_scene_reader *s, json_t *object, abut_object_def *o)
{
  abut_reader *r = &s->r;
  ABUT_TRY(read_table(s, object, o));
  ABUT_READ_AT(r, object, "name", check_name(r, o->name));
  ABUT_READ_AT(r, object, "transform", read_transform(r, value, o));
  ABUT_READ_AT(r, object, "mesh",
               abut_read_mesh(s, object, "mesh", o->kind == ABUT_SOLID, &o->file, &o->mesh));
  ABUT_READ_AT(r, object, "rest", read_rest(s, value, o));
  ABUT_READ_AT(r, object, "centers", read_centers(s, value, o));
  ABUT_READ_AT(r, object, "radii", read_radii(s, value, o));
  ABUT_READ_AT(r, object, "motion", abut_read_motion(r, value, &o->motion));
  return ABUT_OK;
}

static abut_status read_kind(abut_scene_reader *s, json_t *object, int *kind)
{
  static const char *const later[] = {"rod", "particles", "affine"};
  if (!json_is_object(object))
    return abut_reader_fail(&s->r, ABUT_BAD_FORMAT,
                            "an object of a scene is {\"name\": .., "
                            "\"kind\": ..}");
  const json_t *value = json_object_get(object, "kind");
  if (!value)
    return abut_reader_fail(&s->r, ABUT_BAD_FORMAT,
                            "the key kind is missing: shell, solid, "
                            "spheres, obstacle or plane");
  ABUT_TRY(abut_reader_enter(&s->r, "kind"));
  for (size_t k = 0; k < sizeof later / sizeof *later; k++)
    if (json_is_string(value) && strcmp(json_string_value(value), later[k]) == 0)
      return abut_reader_fail(&s->r, ABUT_UNSUPPORTED,
                              "objects of kind \"%s\" are not available in this version", later[k]);
  return abut_read_choice(&s->r, value, kind_names, 5, kind);
}

/* is the fault in the object's mesh file, and may the rest of the scene be read all the same? */
static bool in_mesh_file(const abut_scene_reader *s, const abut_object_def *o, abut_status status)
{
  const char *file = s->r.ctx->error.file;
  return s->file->broken && status != ABUT_NO_MEMORY && file && o->file &&
         strcmp(file, o->file) == 0;
}

static abut_status set_aside(abut_scene_reader *s, abut_status status)
{
  abut_broken_list *list = s->file->broken;
  ABUT_RESERVE(s->r.ctx, list->item, list->room, list->count + 1);
  list->item[list->count].code = status;
  list->item[list->count++].place = abut_error_take(s->r.ctx);
  return ABUT_OK;
}

static abut_status read_object(abut_scene_reader *s, json_t *object)
{
  int kind = 0;
  int64_t length = s->r.path.length;
  ABUT_TRY(read_kind(s, object, &kind));
  abut_reader_leave(&s->r, length);
  abut_object_def o = abut_object_def_default((abut_object_kind)kind);
  abut_status status = fill_object(s, object, &o);
  if (status == ABUT_OK) return abut_scene_add_object(s->r.ctx, s->scene, &o);
  if (o.name) abut_error_at_object(s->r.ctx, o.name);
  if (in_mesh_file(s, &o, status)) status = set_aside(s, status);
  abut_object_def_free(s->r.ctx, &o);
  return status;
}

abut_status abut_read_objects(abut_scene_reader *s, json_t *list)
{
  if (!json_is_array(list))
    return abut_reader_fail(&s->r, ABUT_BAD_FORMAT, "objects must be a list");
  for (size_t k = 0; k < json_array_size(list); k++) {
    int64_t length = s->r.path.length;
    ABUT_TRY(abut_reader_enter_index(&s->r, (int64_t)k));
    ABUT_TRY(read_object(s, json_array_get(list, k)));
    abut_reader_leave(&s->r, length);
  }
  return ABUT_OK;
}
