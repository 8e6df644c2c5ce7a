/* scene_options.c: linear solver, contact and materials of a scene file. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "io/scene_read.h"

abut_status abut_read_one_of(abut_scene_reader *s, const char *key, const char *word, const char *a,
                             const char *b, bool *second)
{
  *second = strcmp(word, b) == 0;
  if (*second || strcmp(word, a) == 0) return ABUT_OK;
  ABUT_TRY(abut_reader_enter(&s->r, key));
  return abut_reader_fail(&s->r, ABUT_BAD_FORMAT, "\"%s\" is not known; write \"%s\" or \"%s\"",
                          word, a, b);
}

/* ---- linear solver ---- */

typedef struct linear_options {
  char *name;
  double tolerance;
  int64_t max_iterations;
} linear_options;

static const abut_key linear_keys[] = {
    {"name", ABUT_KEY_TEXT, ABUT_ANY, offsetof(linear_options, name), "\"auto\"", "",
     "one of `abut list linear`, or \"auto\""},
    {"tolerance", ABUT_KEY_NUMBER, ABUT_FRACTION, offsetof(linear_options, tolerance), "1e-8", "",
     "iterative solvers: residual at the end, relative to the right-hand side"},
    {"max_iterations", ABUT_KEY_INTEGER, ABUT_AT_LEAST_ONE,
     offsetof(linear_options, max_iterations), "20000", "",
     "iterative solvers: giving up after that many stops the step"},
};

static abut_status find_linear(abut_scene_reader *s, const char *name)
{
  const abut_linear_class *const *all = s->tables->linears;
  if (strcmp(name, "auto") == 0) {
    s->scene->options.linear = all[0];
    return ABUT_OK;
  }
  const char *nearest = NULL;
  for (const abut_linear_class *const *l = all; *l; l++) {
    if (strcmp((*l)->name, name) == 0) {
      s->scene->options.linear = *l;
      return ABUT_OK;
    }
    if (!nearest) nearest = abut_nearest_name(name, *l, 1, sizeof **l);
  }
  ABUT_TRY(abut_reader_enter(&s->r, "name"));
  return abut_reader_fail(&s->r, ABUT_UNSUPPORTED,
                          "there is no linear solver \"%s\" here (nearest: %s); see `abut list "
                          "linear`",
                          name, nearest ? nearest : all[0]->name);
}

/* A direct solver has no options. Those that the scene as run had in it from an earlier version are
   dropped: they were defaults. */
static abut_status refuse_direct(abut_scene_reader *s, json_t *object, const char *name,
                                 const bool *given)
{
  bool quiet = s->file->draft || json_object_get(s->file->root, "version");
  const abut_linear_class *l = s->scene->options.linear;
  for (size_t k = 1; l->direct && k < sizeof linear_keys / sizeof *linear_keys; k++) {
    const char *key = linear_keys[k].name;
    json_object_del(object, key);
    if (!given[k] || quiet) continue;
    ABUT_TRY(abut_reader_enter(&s->r, key));
    return abut_reader_fail(&s->r, ABUT_BAD_FORMAT,
                            "\"%s\"%s%s is a direct solver, which has no %s; remove the key or "
                            "name an iterative solver (pcg)",
                            name, strcmp(name, l->name) == 0 ? "" : " means ",
                            strcmp(name, l->name) == 0 ? "" : l->name, key);
  }
  return ABUT_OK;
}

static abut_status read_linear(abut_scene_reader *s, json_t *object)
{
  linear_options o = {0};
  bool given[sizeof linear_keys / sizeof *linear_keys];
  for (size_t k = 0; k < sizeof given / sizeof *given; k++)
    given[k] = json_object_get(object, linear_keys[k].name) != NULL;
  abut_status status = abut_keys_read(&s->r, object, ABUT_KEYS(linear_keys), &o);
  if (status == ABUT_OK) status = find_linear(s, o.name);
  if (status == ABUT_OK) status = refuse_direct(s, object, o.name, given);
  s->scene->options.linear_options = (abut_linear_options){o.tolerance, o.max_iterations};
  abut_free(s->r.ctx, o.name);
  return status;
}

/* ---- contact ---- */

static const abut_key contact_keys[] = {
    {"dhat", ABUT_KEY_AUTO, ABUT_POSITIVE, offsetof(abut_scene_def, dhat), "\"auto\"", "m",
     "contact acts below this distance; auto: 1e-3 L"},
    {"gap", ABUT_KEY_NUMBER, ABUT_NOT_NEGATIVE, offsetof(abut_scene_def, gap), "0.0", "m",
     "minimum separation kept between midsurfaces (thickness)"},
    {"friction", ABUT_KEY_NUMBER, ABUT_NOT_NEGATIVE, offsetof(abut_scene_def, friction), "0.0", "",
     "Coulomb coefficient of every pair not named in pairs"},
    {"friction_velocity", ABUT_KEY_AUTO, ABUT_POSITIVE,
     offsetof(abut_scene_def, options.friction_velocity), "\"auto\"", "m/s",
     "speed below which friction is smoothed; auto: 1e-3 L per second"},
    {"stiffness", ABUT_KEY_OTHER, ABUT_ANY, 0, "\"auto\"", "",
     "of the contact law: a number, \"auto\", or one of these for each method by name"},
    {"self_contact", ABUT_KEY_SWITCH, ABUT_ANY, offsetof(abut_scene_def, self_contact), "true", "",
     "does an object touch itself?"},
    {"pairs", ABUT_KEY_OTHER, ABUT_ANY, 0, "[]", "",
     "friction and on/off of pairs of objects or materials"},
};

/* one for each method; those of methods that this version does not have yet are only looked at */
typedef struct stiffnesses {
  double ipc, offset_ipc, gipc, barrier_free;
} stiffnesses;

#define S(method)                                                                                  \
  {                                                                                                \
#method, ABUT_KEY_AUTO, ABUT_POSITIVE, offsetof(stiffnesses, method), NULL, "",                \
        "of the contact law of " #method                                                           \
  }
static const abut_key stiffness_keys[] = {S(ipc), S(offset_ipc), S(gipc), S(barrier_free)};
#undef S

static abut_status read_stiffnesses(abut_scene_reader *s, json_t *object)
{
  const char *method = s->scene->options.method->name;
  stiffnesses all = {0};
  ABUT_TRY(abut_keys_read(&s->r, object, ABUT_KEYS(stiffness_keys), &all));
  for (size_t k = 0; k < sizeof stiffness_keys / sizeof *stiffness_keys; k++)
    if (strcmp(stiffness_keys[k].name, method) == 0)
      memcpy(&s->scene->options.stiffness, (const char *)&all + stiffness_keys[k].offset,
             sizeof(double));
  return ABUT_OK;
}

/* A number has the unit of the method that the file names; the scene as run says so. */
static abut_status read_stiffness(abut_scene_reader *s, json_t *contact, const char *named)
{
  json_t *value = json_object_get(contact, "stiffness"), *split;
  double *out = &s->scene->options.stiffness;
  const char *method = s->scene->options.method->name;
  *out = 0;
  if (json_is_string(value) && strcmp(json_string_value(value), "auto") == 0) return ABUT_OK;
  if (json_is_object(value)) return read_stiffnesses(s, value);
  ABUT_TRY(abut_read_number(&s->r, value, ABUT_POSITIVE, out));
  if (strcmp(named, method) == 0) return ABUT_OK;
  abut_note(s->r.ctx, "contact.stiffness belongs to %s; %s takes \"auto\"", named, method);
  *out = 0;
  bool known = false;
  for (size_t k = 0; k < sizeof stiffness_keys / sizeof *stiffness_keys; k++)
    known = known || strcmp(stiffness_keys[k].name, named) == 0;
  ABUT_JSON_MAKE(s->r.ctx, split, known ? json_pack("{s:O}", named, value) : json_string("auto"));
  return json_object_set_new(contact, "stiffness", split) == 0
             ? ABUT_OK
             : abut_fail(s->r.ctx, ABUT_NO_MEMORY, "out of memory");
}

static const abut_key pair_keys[] = {
    {"a", ABUT_KEY_TEXT, ABUT_ANY, offsetof(abut_pair_def, a), "!", "", "an object or a material"},
    {"b", ABUT_KEY_TEXT, ABUT_ANY, offsetof(abut_pair_def, b), "!", "", "an object or a material"},
    {"friction", ABUT_KEY_NUMBER, ABUT_NOT_NEGATIVE, offsetof(abut_pair_def, friction), NULL, "",
     "Coulomb coefficient of the pair"},
    {"enabled", ABUT_KEY_SWITCH, ABUT_ANY, offsetof(abut_pair_def, enabled), NULL, "",
     "may the pair touch?"},
};

static abut_status read_pair(abut_scene_reader *s, json_t *value)
{
  abut_context *ctx = s->r.ctx;
  abut_pair_def p = {0};
  abut_status status = abut_keys_read(&s->r, value, ABUT_KEYS(pair_keys), &p);
  p.has_friction = json_object_get(value, "friction") != NULL;
  p.has_enabled = json_object_get(value, "enabled") != NULL;
  if (status == ABUT_OK) return abut_scene_add_pair(ctx, s->scene, &p);
  abut_free(ctx, p.a);
  abut_free(ctx, p.b);
  return status;
}

static abut_status read_pairs(abut_scene_reader *s, json_t *list)
{
  if (!json_is_array(list))
    return abut_reader_fail(&s->r, ABUT_BAD_FORMAT, "pairs must be a list of objects");
  for (size_t k = 0; k < json_array_size(list); k++) {
    int64_t length = s->r.path.length;
    ABUT_TRY(abut_reader_enter_index(&s->r, (int64_t)k));
    ABUT_TRY(read_pair(s, json_array_get(list, k)));
    abut_reader_leave(&s->r, length);
  }
  return ABUT_OK;
}

static abut_status read_contact(abut_scene_reader *s, json_t *object, const char *named)
{
  abut_reader *r = &s->r;
  ABUT_TRY(abut_keys_read(r, object, ABUT_KEYS(contact_keys), s->scene));
  ABUT_READ_AT(r, object, "stiffness", read_stiffness(s, object, named));
  ABUT_READ_AT(r, object, "pairs", read_pairs(s, value));
  return ABUT_OK;
}

static abut_status read_options(abut_scene_reader *s, json_t *root, const char *named)
{
  abut_reader *r = &s->r;
  ABUT_READ_AT(r, root, "method", abut_read_method(s, value, named));
  ABUT_READ_AT(r, root, "linear_solver", read_linear(s, value));
  ABUT_READ_AT(r, root, "contact", read_contact(s, value, named));
  return ABUT_OK;
}

abut_status abut_read_options(abut_scene_reader *s, json_t *root)
{
  /* the method that the file names matters after --method has replaced it */
  const json_t *name = json_object_get(json_object_get(root, "method"), "name");
  char *named = abut_copy_text(s->r.ctx, json_is_string(name) ? json_string_value(name) : "ipc");
  if (!named) return ABUT_NO_MEMORY;
  abut_status status = read_options(s, root, named);
  abut_free(s->r.ctx, named);
  return status;
}

/* ---- materials ---- */

typedef struct material_keys {
  abut_material_def m;
  char *hinge_angle;
  double damping;
} material_keys;

static const abut_key material_key[] = {
    {"model", ABUT_KEY_TEXT, ABUT_ANY, offsetof(material_keys, m.model), NULL, "",
     "elastic energy: one of `abut list energies`"},
    {"youngs_modulus", ABUT_KEY_NUMBER, ABUT_POSITIVE, offsetof(material_keys, m.young), NULL, "Pa",
     "Young's modulus"},
    {"poissons_ratio", ABUT_KEY_NUMBER, ABUT_ANY, offsetof(material_keys, m.poisson), NULL, "",
     "Poisson's ratio, between -1 and 0.5"},
    {"density", ABUT_KEY_NUMBER, ABUT_POSITIVE, offsetof(material_keys, m.density), NULL, "kg/m^3",
     "mass density"},
    {"thickness", ABUT_KEY_NUMBER, ABUT_POSITIVE, offsetof(material_keys, m.thickness), NULL, "m",
     "of shells"},
    {"bending_scale", ABUT_KEY_NUMBER, ABUT_NOT_NEGATIVE, offsetof(material_keys, m.bending_scale),
     "1.0", "", "1: 6 times a plate (docs/energies.md); 1/6: plate on regular meshes; 0: none"},
    {"hinge_angle", ABUT_KEY_TEXT, ABUT_ANY, offsetof(material_keys, hinge_angle), "\"follow\"", "",
     "\"follow\" the angle through whole turns, or \"wrap\" it"},
    {"damping", ABUT_KEY_NUMBER, ABUT_NOT_NEGATIVE, offsetof(material_keys, damping), "0.0", "s",
     "stiffness-proportional damping"},
};

static abut_status use_material(abut_scene_reader *s, material_keys *k)
{
  ABUT_TRY(abut_read_one_of(s, "hinge_angle", k->hinge_angle, "follow", "wrap", &k->m.wrap));
  if (k->damping != 0) {
    ABUT_TRY(abut_reader_enter(&s->r, "damping"));
    return abut_reader_fail(&s->r, ABUT_UNSUPPORTED,
                            "damping is not available in this version; write 0 or leave it out");
  }
  return ABUT_OK;
}

static abut_status read_material(abut_scene_reader *s, const char *name, json_t *value)
{
  abut_context *ctx = s->r.ctx;
  material_keys k = {.m = abut_material_def_default()};
  abut_status status = abut_keys_read(&s->r, value, ABUT_KEYS(material_key), &k);
  if (status == ABUT_OK) status = use_material(s, &k);
  abut_free(ctx, k.hinge_angle);
  if (status == ABUT_OK) {
    k.m.name = abut_copy_text(ctx, name);
    if (!k.m.name) status = ABUT_NO_MEMORY;
  }
  if (status == ABUT_OK) return abut_scene_add_material(ctx, s->scene, &k.m);
  abut_free(ctx, k.m.model);
  return status;
}

abut_status abut_read_materials(abut_scene_reader *s, json_t *list)
{
  if (!json_is_object(list))
    return abut_reader_fail(&s->r, ABUT_BAD_FORMAT,
                            "materials must be an object with one material per name");
  const char *name;
  json_t *value;
  json_object_foreach(list, name, value)
  {
    int64_t length = s->r.path.length;
    ABUT_TRY(abut_reader_enter(&s->r, name));
    ABUT_TRY(read_material(s, name, value));
    abut_reader_leave(&s->r, length);
  }
  return ABUT_OK;
}
