#include "scene/model.h"

#include <string.h>

#include "base/memory.h"

static void free_batches(abut_context *ctx, abut_model *m)
{
  for (int k = 0; k < m->system.batches; k++) {
    abut_free(ctx, (void *)(uintptr_t)m->batch[k].vertex);
    abut_free(ctx, (void *)(uintptr_t)m->batch[k].element);
  }
  abut_free(ctx, m->batch);
  abut_free(ctx, m->memory);
}

void abut_model_free(abut_context *ctx, abut_model *m)
{
  if (m->batch) free_batches(ctx, m);
  abut_surface_free(ctx, &m->surface);
  for (int32_t i = 0; m->object && i < m->objects; i++) abut_free(ctx, m->object[i].cell);
  for (int32_t i = 0; m->control && i < m->controls; i++) abut_free(ctx, m->control[i].vertex);
  void *blocks[] = {m->mass,  m->object, m->solver_of,      m->object_of, m->file_vertex,
                    m->start, m->rest,   m->start_velocity, m->control};
  for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) abut_free(ctx, blocks[i]);
  *m = (abut_model){0};
}

/* v + omega x (x - centre of mass) */
static void start_velocities(abut_build *b)
{
  abut_model *m = b->m;
  for (int32_t i = 0; i < m->objects; i++) {
    const abut_object_def *d = &b->def->object[i];
    vec3 sum = v3(0, 0, 0);
    double mass = 0;
    for (int32_t v = 0; v < m->system.dynamic; v++) {
      if (m->object_of[v] != i) continue;
      sum = v3_madd(sum, m->start[v], m->mass[v]);
      mass += m->mass[v];
    }
    if (mass == 0) continue;
    vec3 center = v3_scale(sum, 1 / mass);
    for (int32_t v = 0; v < m->system.dynamic; v++)
      if (m->object_of[v] == i)
        m->start_velocity[v] =
            v3_add(d->velocity, v3_cross(d->angular_velocity, v3_sub(m->start[v], center)));
  }
}

static abut_status check_distance(abut_build *b, double value, const char *key)
{
  if (value < ABUT_FARTHEST) return ABUT_OK;
  abut_status status = abut_fail(b->ctx, ABUT_BAD_FORMAT, "%g m is too large; the limit is %g m",
                                 value, ABUT_FARTHEST);
  abut_error_at_path(b->ctx, "%s", key);
  return status;
}

static bool has_friction(const abut_model *m)
{
  const abut_pair_rules *r = &m->surface.rules;
  for (int32_t i = 0; i < r->classes; i++) {
    if (r->self_friction[i] > 0) return true;
    for (int32_t j = 0; j < r->classes; j++)
      if (r->friction[i * r->classes + j] > 0) return true;
  }
  return false;
}

static bool has_shells(const abut_scene_def *def)
{
  for (int32_t i = 0; i < def->objects; i++)
    if (def->object[i].kind == ABUT_SHELL) return true;
  return false;
}

/* what "auto" means: relative to L; iterations by what the scene has */
static abut_status resolve_options(abut_build *b)
{
  abut_model *m = b->m;
  m->options = b->def->options;
  double length = m->system.length;
  m->surface.dhat = b->def->dhat > 0 ? b->def->dhat : 1e-3 * length;
  m->surface.gap = b->def->gap;
  if (!(m->options.tolerance > 0)) m->options.tolerance = 1e-2 * length;
  if (!(m->options.friction_velocity > 0)) m->options.friction_velocity = 1e-3 * length;
  bool slow = !m->options.augmented.settle && (has_friction(m) || has_shells(b->def));
  if (m->options.k_min == 0) m->options.k_min = slow ? 6 : 2;
  ABUT_TRY(check_distance(b, m->surface.dhat, "contact.dhat"));
  return check_distance(b, m->surface.gap, "contact.gap");
}

static abut_status check_names(abut_build *b)
{
  for (int32_t i = 0; i < b->def->objects; i++)
    for (int32_t j = 0; j < i; j++)
      if (strcmp(b->def->object[i].name, b->def->object[j].name) == 0) {
        abut_status status = abut_fail(b->ctx, ABUT_BAD_FORMAT,
                                       "objects[%d] and objects[%d] have the same name", j, i);
        abut_error_at_path(b->ctx, "objects[%d].name", i);
        abut_error_at_object(b->ctx, b->def->object[i].name);
        return status;
      }
  return ABUT_OK;
}

static abut_status build(abut_build *b)
{
  abut_model *m = b->m;
  ABUT_TRY(check_names(b));
  ABUT_MAKE_ZERO(b->ctx, m->object, b->def->objects);
  m->objects = b->def->objects;
  ABUT_TRY(abut_build_places(b));
  ABUT_TRY(abut_build_elements(b));
  ABUT_TRY(abut_build_surface(b));
  ABUT_TRY(abut_build_rules(b));
  ABUT_TRY(abut_build_controls(b));
  start_velocities(b);
  ABUT_TRY(resolve_options(b));
  m->system.gravity = b->def->gravity;
  m->system.step = b->def->step;
  m->system.surface = &m->surface;
  m->counts.vertices = m->system.vertices;
  return ABUT_OK;
}

abut_status abut_model_build(abut_context *ctx, const abut_scene_def *def,
                             const abut_model_tables *tables, abut_model *m)
{
  *m = (abut_model){.def = def};
  abut_build b = {.ctx = ctx, .def = def, .tables = tables, .m = m};
  abut_status status = build(&b);
  abut_free(ctx, b.x);
  abut_free(ctx, b.rest);
  abut_free(ctx, b.target);
  abut_free(ctx, b.used);
  return status;
}

abut_status abut_model_start(abut_context *ctx, const abut_model *m, abut_state *s)
{
  ABUT_TRY(abut_state_resize(ctx, s, &m->counts));
  size_t bytes = (size_t)m->system.vertices * sizeof(vec3);
  if (bytes) memcpy(s->x, m->start, bytes);
  if (bytes) memcpy(s->v, m->start_velocity, bytes);
  s->step = 0;
  s->time = s->stiffness = s->flops = 0;
  abut_at at = {s->x, s->x, s->x, m->system.step};
  for (int k = 0; k < m->system.batches; k++) {
    abut_batch b = m->batch[k];
    b.memory = s->memory + m->memory[k];
    if (b.class->start) b.class->start(&b, &at, 0, b.count);
  }
  return ABUT_OK;
}
