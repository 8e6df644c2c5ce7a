/* scene_method.c: the method of a scene file and its options. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "io/scene_read.h"

typedef struct method_options {
  char *name, *stop, *at_cap, *boundaries;
  double tolerance, position_tolerance, epsilon, k_min;
  int64_t max_newton, max_subdivisions, friction_iterations, k_max, finish_iterations;
  abut_augmented_options augmented;
  bool inactive_stiffness;
} method_options;

/* what all methods have, with the defaults that differ */
#define METHOD_KEYS(STOP, K_MIN, MAX_NEWTON)                                                       \
  {"name",                                                                                         \
   ABUT_KEY_TEXT,                                                                                  \
   ABUT_ANY,                                                                                       \
   offsetof(method_options, name),                                                                 \
   "\"ipc\"",                                                                                      \
   "",                                                                                             \
   "one of `abut list methods`"},                                                                  \
      {"stop",                                                                                     \
       ABUT_KEY_TEXT,                                                                              \
       ABUT_ANY,                                                                                   \
       offsetof(method_options, stop),                                                             \
       STOP,                                                                                       \
       "",                                                                                         \
       "\"residual\", or \"toi\": when little of the step is missing"},                            \
      {"tolerance",                                                                                \
       ABUT_KEY_AUTO,                                                                              \
       ABUT_POSITIVE,                                                                              \
       offsetof(method_options, tolerance),                                                        \
       "\"auto\"",                                                                                 \
       "m/s",                                                                                      \
       "residual: largest speed of a Newton correction; auto: 1e-2 L per second"},                 \
      {"position_tolerance",                                                                       \
       ABUT_KEY_NUMBER,                                                                            \
       ABUT_POSITIVE,                                                                              \
       offsetof(method_options, position_tolerance),                                               \
       NULL,                                                                                       \
       "m",                                                                                        \
       "residual: largest Newton correction, instead of tolerance"},                               \
      {"epsilon",                                                                                  \
       ABUT_KEY_NUMBER,                                                                            \
       ABUT_UNIT_INTERVAL,                                                                         \
       offsetof(method_options, epsilon),                                                          \
       "0.001",                                                                                    \
       "",                                                                                         \
       "toi: share of the step that may be missing"},                                              \
      {"k_min",                                                                                    \
       ABUT_KEY_AUTO,                                                                              \
       ABUT_POSITIVE,                                                                              \
       offsetof(method_options, k_min),                                                            \
       K_MIN,                                                                                      \
       "",                                                                                         \
       "toi: iterations before that share counts; auto: 2; 6 with shells or friction without "     \
       "settle"},                                                                                  \
      {"max_newton",                                                                               \
       ABUT_KEY_INTEGER,                                                                           \
       ABUT_AT_LEAST_ONE,                                                                          \
       offsetof(method_options, max_newton),                                                       \
       MAX_NEWTON,                                                                                 \
       "",                                                                                         \
       "Newton iterations at most: of a step, or of a subproblem"},                                \
      {"max_subdivisions",                                                                         \
       ABUT_KEY_INTEGER,                                                                           \
       ABUT_NOT_NEGATIVE,                                                                          \
       offsetof(method_options, max_subdivisions),                                                 \
       "7",                                                                                        \
       "",                                                                                         \
       "how often a step that cannot be made may be halved"},                                      \
      {"friction_iterations",                                                                      \
       ABUT_KEY_INTEGER,                                                                           \
       ABUT_AT_LEAST_ONE,                                                                          \
       offsetof(method_options, friction_iterations),                                              \
       "1",                                                                                        \
       "",                                                                                         \
       "solves per step, friction refreshed between them"},                                        \
  {                                                                                                \
    "at_cap", ABUT_KEY_TEXT, ABUT_ANY, offsetof(method_options, at_cap), "\"halve\"", "",          \
        "at max_newton: \"halve\" the step or \"accept\" it as capped"                             \
  }

static const abut_key method_keys[] = {METHOD_KEYS("\"residual\"", "1", "1000")};

#define A(field) offsetof(method_options, augmented.field)
static const abut_key augmented_keys[] = {
    METHOD_KEYS("\"toi\"", "\"auto\"", "8"),
    {"k_max", ABUT_KEY_INTEGER, ABUT_AT_LEAST_ONE, offsetof(method_options, k_max), "500", "",
     "outer iterations of a step at most"},
    {"finish_iterations", ABUT_KEY_INTEGER, ABUT_NOT_NEGATIVE,
     offsetof(method_options, finish_iterations), "20", "",
     "more of them at most, until nothing of the step is missing"},
    {"c_mu", ABUT_KEY_NUMBER, ABUT_POSITIVE, A(c_mu), "0.1", "",
     "stiffness without local_stiffness: this share of the largest entry of the matrix"},
    {"decay", ABUT_KEY_NUMBER, ABUT_UNIT_INTERVAL, A(decay), "0.9", "",
     "of a constraint, per iteration in which it is not active"},
    {"delta", ABUT_KEY_AUTO, ABUT_POSITIVE, A(delta), "\"auto\"", "m",
     "separation that constraints ask for; auto: contact.dhat"},
    {"push_speed", ABUT_KEY_NUMBER, ABUT_NOT_NEGATIVE, A(push_speed), "0", "m/s",
     "at which pairs nearer than delta may be pushed out; 0: at any"},
    {"multipliers", ABUT_KEY_SWITCH, ABUT_ANY, A(multipliers), "true", "",
     "false: multipliers stay 0, so that constraints are penalties"},
    {"filter", ABUT_KEY_SWITCH, ABUT_ANY, A(filter), "true", "",
     "of new contacts take in only the earliest of each vertex"},
    {"local_stiffness", ABUT_KEY_SWITCH, ABUT_ANY, A(local_stiffness), "true", "",
     "stiffness of each pair by its own mass and elasticity instead of c_mu"},
    {"settle", ABUT_KEY_SWITCH, ABUT_ANY, A(settle), "true", "",
     "toi: wait for the contact forces to settle"},
    {"seed", ABUT_KEY_SWITCH, ABUT_ANY, A(seed), "true", "",
     "toi: pairs nearer than delta join before they are hit"},
    {"floor", ABUT_KEY_SWITCH, ABUT_ANY, A(floor), "true", "",
     "collision detection stops at a fixed distance instead of a share of the last"},
    {"inactive_stiffness", ABUT_KEY_SWITCH, ABUT_ANY, offsetof(method_options, inactive_stiffness),
     "false", "", "contacts that do not push stay in the matrix"},
    {"boundaries", ABUT_KEY_TEXT, ABUT_ANY, offsetof(method_options, boundaries), "\"lag\"", "",
     "\"lag\": what is led may be late by epsilon; \"exact\": never"},
};
#undef A

/* options that only one method has, and those of methods that this version does not have yet: told
   apart from misspellings */
typedef struct foreign_option {
  const char *name, *method;
} foreign_option;

static const foreign_option foreign_options[] = {
    {"log_power", "gipc"},          {"filter", "gipc"},
    {"filter", "barrier_free"},     {"c_mu", "barrier_free"},
    {"decay", "barrier_free"},      {"delta", "barrier_free"},
    {"k_max", "barrier_free"},      {"finish_iterations", "barrier_free"},
    {"push_speed", "barrier_free"}, {"multipliers", "barrier_free"},
    {"boundaries", "barrier_free"}, {"local_stiffness", "barrier_free"},
    {"settle", "barrier_free"},     {"seed", "barrier_free"},
    {"floor", "barrier_free"},      {"inactive_stiffness", "barrier_free"},
};

/* "boundaries": "exact" is what the barrier methods do anyway */
static bool neutral(const char *name, const json_t *value)
{
  return strcmp(name, "boundaries") == 0 && json_is_string(value) &&
         strcmp(json_string_value(value), "exact") == 0;
}

static bool has_option(const char *method, const char *name)
{
  for (size_t k = 0; k < sizeof foreign_options / sizeof *foreign_options; k++)
    if (strcmp(foreign_options[k].name, name) == 0 &&
        strcmp(foreign_options[k].method, method) == 0)
      return true;
  return false;
}

static abut_status refuse_foreign(abut_scene_reader *s, json_t *object, const char *method)
{
  for (size_t k = 0; k < sizeof foreign_options / sizeof *foreign_options; k++) {
    const foreign_option *o = &foreign_options[k];
    const json_t *value = json_object_get(object, o->name);
    if (!value || has_option(method, o->name)) continue;
    if (!neutral(o->name, value) && !s->file->method && !s->file->draft) {
      ABUT_TRY(abut_reader_enter(&s->r, o->name));
      return abut_reader_fail(&s->r, ABUT_UNSUPPORTED, "this is an option of %s, not of %s",
                              o->method, method);
    }
    if (!neutral(o->name, value))
      abut_note(s->r.ctx, "method.%s is an option of %s; %s goes without it", o->name, o->method,
                method);
    json_object_del(object, o->name);
  }
  return ABUT_OK;
}

static bool is_later_method(const char *name)
{
  return strcmp(name, "gipc") == 0;
}

bool abut_method_find(const abut_tables *tables, const char *name, const abut_method_class **out,
                      const char **nearest)
{
  *nearest = NULL;
  for (const abut_method_class *const *m = tables->methods; *m; m++) {
    *out = *m;
    if (strcmp((*m)->name, name) == 0) return true;
    if (!*nearest) *nearest = abut_nearest_name(name, *m, 1, sizeof **m);
  }
  if (!*nearest) *nearest = tables->methods[0]->name;
  return false;
}

abut_status abut_method_missing(abut_context *ctx, const char *name, const char *nearest,
                                abut_text *out)
{
  if (is_later_method(name))
    return abut_text_add(ctx, out, "the method \"%s\" is not available in this version", name);
  return abut_text_add(ctx, out, "there is no method \"%s\" (nearest: %s); see `abut list methods`",
                       name, nearest);
}

static abut_status find_method(abut_scene_reader *s, const char *name)
{
  abut_context *ctx = s->r.ctx;
  const char *nearest;
  abut_text why = {0};
  if (abut_method_find(s->tables, name, &s->scene->options.method, &nearest)) return ABUT_OK;
  ABUT_TRY(abut_reader_enter(&s->r, "name"));
  ABUT_TRY(abut_method_missing(ctx, name, nearest, &why));
  abut_status status = abut_reader_fail(
      &s->r, is_later_method(name) ? ABUT_UNSUPPORTED : ABUT_BAD_FORMAT, "%s", why.data);
  abut_text_free(ctx, &why);
  return status;
}

/* what only barrier_free has */
static abut_status use_augmented(abut_scene_reader *s, const method_options *o)
{
  abut_step_options *out = &s->scene->options;
  out->augmented = o->augmented;
  out->augmented.k_max = (int)fmin((double)o->k_max, INT32_MAX);
  out->augmented.finish_iterations = (int)fmin((double)o->finish_iterations, INT32_MAX);
  out->inactive_stiffness = o->inactive_stiffness;
  if (o->friction_iterations > 1)
    abut_note(s->r.ctx, "method.friction_iterations: barrier_free goes without it");
  return abut_read_one_of(s, "boundaries", o->boundaries, "lag", "exact",
                          &out->augmented.exact_boundaries);
}

static abut_status use_method(abut_scene_reader *s, const method_options *o)
{
  abut_step_options *out = &s->scene->options;
  bool toi;
  ABUT_TRY(abut_read_one_of(s, "stop", o->stop, "residual", "toi", &toi));
  ABUT_TRY(abut_read_one_of(s, "at_cap", o->at_cap, "halve", "accept", &out->accept_at_cap));
  out->stop = toi ? ABUT_STOP_TOI : ABUT_STOP_RESIDUAL;
  out->tolerance = o->tolerance;
  out->position_tolerance = o->position_tolerance;
  out->epsilon = o->epsilon;
  if (o->k_min != floor(o->k_min) || o->k_min > INT32_MAX) {
    ABUT_TRY(abut_reader_enter(&s->r, "k_min"));
    return abut_reader_fail(&s->r, ABUT_BAD_FORMAT, "%g is not a number of iterations", o->k_min);
  }
  out->k_min = (int)o->k_min;
  out->max_newton = (int)o->max_newton;
  out->max_subdivisions = (int)o->max_subdivisions;
  out->friction_iterations = (int)o->friction_iterations;
  return o->boundaries ? use_augmented(s, o) : ABUT_OK;
}

abut_status abut_read_method(abut_scene_reader *s, json_t *object, const char *named)
{
  abut_context *ctx = s->r.ctx;
  if (s->file->method) {
    json_t *other = json_string(s->file->method);
    if (!other || json_object_set_new(object, "name", other) != 0)
      return abut_fail(ctx, ABUT_NO_MEMORY, "out of memory");
  }
  if (json_is_object(object))
    ABUT_TRY(refuse_foreign(s, object, s->file->method ? s->file->method : named));
  const json_t *name = json_object_get(object, "name");
  ABUT_TRY(find_method(s, json_is_string(name) ? json_string_value(name) : "ipc"));
  method_options o = {0};
  abut_status status = s->scene->options.method->law
                           ? abut_keys_read(&s->r, object, ABUT_KEYS(method_keys), &o)
                           : abut_keys_read(&s->r, object, ABUT_KEYS(augmented_keys), &o);
  if (status == ABUT_OK) status = use_method(s, &o);
  abut_free(ctx, o.name);
  abut_free(ctx, o.stop);
  abut_free(ctx, o.at_cap);
  abut_free(ctx, o.boundaries);
  return status;
}

abut_status abut_scene_file_method_defaults(abut_context *ctx, const abut_tables *tables,
                                            const char *method, abut_scene_def *scene)
{
  abut_scene_file none = {0};
  abut_scene_reader s = {.r = {.ctx = ctx}, .file = &none, .tables = tables, .scene = scene};
  json_t *object = json_pack("{ss}", "name", method);
  abut_status status = object ? abut_read_method(&s, object, method)
                              : abut_fail(ctx, ABUT_NO_MEMORY, "out of memory");
  json_decref(object);
  abut_text_free(ctx, &s.r.path);
  return status;
}
