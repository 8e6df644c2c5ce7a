#include "scene/controls.h"

#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "kernel/support.h"
#include "kernel/tie.h"

/* a motion that turns farther than this within a piece of a step is cut: straight paths would leave
   its arc by more than a thirteenth of the radius, and half a turn would pass through the axis */
static const double widest_turn = K_PI / 4;

static bool acts(const abut_model *m, const abut_control_def *d, double t)
{
  double slack = abut_step_slack(m->def);
  return d->from <= t + slack && t + slack < d->until;
}

/* ---- elements ---- */

static abut_status make_elements(abut_context *ctx, const abut_model *m, int32_t i,
                                 const abut_model_tables *tables, abut_controls *c)
{
  static const char *const name[] = {NULL, "support", "tie", "drag", NULL, "force", NULL, NULL};
  const abut_model_control *k = &m->control[i];
  if (!name[k->def->kind]) return ABUT_OK;
  const abut_term_class *class = abut_term_find(tables->terms, name[k->def->kind], ABUT_ON_ANY);
  if (!class)
    return abut_fail(ctx, ABUT_UNSUPPORTED, "the control \"%s\" is not available",
                     name[k->def->kind]);
  char *element = abut_calloc(ctx, k->count, class->element_size);
  if (!element) return ABUT_NO_MEMORY;
  c->element[i] = element;
  c->batch[i] = (abut_batch){class, k->count, k->vertex, element, NULL};
  for (int32_t e = 0; e < k->count; e++) {
    abut_term_input in = {
        .stiffness = k->def->stiffness, .rate = k->def->rate, .force = k->def->force};
    if (class->stencil == 1) in.mass = m->mass[k->vertex[e]];
    ABUT_TRY(class->build(ctx, &in, element + (size_t)e * class->element_size));
  }
  return ABUT_OK;
}

abut_status abut_controls_make(abut_context *ctx, const abut_model *m,
                               const abut_model_tables *tables, abut_controls *c)
{
  *c = (abut_controls){.m = m};
  ABUT_MAKE_ZERO(ctx, c->batch, m->controls);
  ABUT_MAKE_ZERO(ctx, c->acting, m->controls);
  ABUT_MAKE_ZERO(ctx, c->element, m->controls);
  ABUT_MAKE_ZERO(ctx, c->scale, m->system.dynamic);
  for (int32_t i = 0; i < m->controls; i++) ABUT_TRY(make_elements(ctx, m, i, tables, c));
  return ABUT_OK;
}

void abut_controls_free(abut_context *ctx, abut_controls *c)
{
  for (int32_t i = 0; c->element && i < c->m->controls; i++) abut_free(ctx, c->element[i]);
  abut_free(ctx, c->batch);
  abut_free(ctx, c->acting);
  abut_free(ctx, c->element);
  abut_free(ctx, c->scale);
  *c = (abut_controls){0};
}

/* ---- the start of a step ---- */

/* Controls that begin to act remember where their vertices are. */
static abut_status begin_step(abut_context *ctx, void *self, abut_state *s, double t)
{
  (void)ctx;
  const abut_model *m = ((abut_controls *)self)->m;
  for (int32_t i = 0; i < m->controls; i++) {
    const abut_model_control *k = &m->control[i];
    bool now = acts(m, k->def, t);
    if (now && !s->active[i] && k->def->kind == ABUT_CONTROL_TIE)
      for (int32_t p = 0; p < k->count; p++)
        s->anchor[k->anchor + p] =
            v3(v3_norm(v3_sub(s->x[k->vertex[2 * p]], s->x[k->vertex[2 * p + 1]])), 0, 0);
    else if (now && !s->active[i] &&
             (k->def->kind == ABUT_CONTROL_PIN || k->def->kind == ABUT_CONTROL_SUPPORT))
      for (int32_t v = 0; v < k->count; v++) s->anchor[k->anchor + v] = s->x[k->vertex[v]];
    s->active[i] = now;
  }
  return ABUT_OK;
}

/* ---- a piece of a step ---- */

static void place_inertia(const abut_controls *c, const abut_state *s, abut_drive *drive)
{
  const abut_model *m = c->m;
  double dt = drive->end - drive->begin;
  for (int32_t v = 0; v < m->system.dynamic; v++) c->scale[v] = 1;
  for (int32_t i = 0; i < m->controls; i++) {
    const abut_model_control *k = &m->control[i];
    if (k->def->kind != ABUT_CONTROL_GRAVITY || !s->active[i]) continue;
    for (int32_t v = 0; v < k->count; v++) c->scale[k->vertex[v]] *= k->def->scale;
  }
  for (int32_t v = 0; v < m->system.dynamic; v++) {
    vec3 y = v3_madd(s->x[v], s->v[v], dt);
    drive->y[v] = v3_madd(y, m->system.gravity, dt * dt * c->scale[v]);
  }
}

static void lead_obstacles(const abut_model *m, abut_drive *drive)
{
  for (int32_t v = m->system.dynamic; v < m->system.vertices; v++) {
    const abut_object_def *d = &m->def->object[m->object_of[v]];
    drive->prescribed[v] = true;
    drive->target[v] = d->kind == ABUT_OBSTACLE ? abut_motion_target(&d->motion, m->file_vertex[v],
                                                                     m->start[v], 0, drive->end)
                                                : m->start[v];
  }
  for (int32_t i = 0; i < m->objects; i++)
    if (abut_motion_angle(&m->def->object[i].motion, drive->begin, drive->end) > widest_turn)
      drive->turns_too_far = true;
}

static void lead_pins(const abut_model *m, const abut_state *s, abut_drive *drive)
{
  for (int32_t v = 0; v < m->system.dynamic; v++) drive->prescribed[v] = false;
  for (int32_t i = 0; i < m->controls; i++) {
    const abut_model_control *k = &m->control[i];
    const abut_motion *motion = &k->def->motion;
    if (k->def->kind != ABUT_CONTROL_PIN || !s->active[i]) continue;
    for (int32_t n = 0; n < k->count; n++) {
      vec3 start = s->anchor[k->anchor + n];
      drive->prescribed[k->vertex[n]] = true;
      drive->target[k->vertex[n]] = abut_motion_target(motion, n, start, k->def->from, drive->end);
    }
    if (abut_motion_angle(motion, drive->begin, drive->end) > widest_turn)
      drive->turns_too_far = true;
  }
}

static void aim_springs(abut_controls *c, const abut_state *s, int32_t i, double end)
{
  const abut_model_control *k = &c->m->control[i];
  if (k->def->kind == ABUT_CONTROL_SUPPORT) {
    support_element *e = c->element[i];
    for (int32_t n = 0; n < k->count; n++)
      e[n].target =
          abut_motion_target(&k->def->motion, n, s->anchor[k->anchor + n], k->def->from, end);
  } else if (k->def->kind == ABUT_CONTROL_TIE) {
    tie_element *e = c->element[i];
    for (int32_t n = 0; n < k->count; n++) {
      double start = s->anchor[k->anchor + n].x;
      e[n].length = abut_tie_length(k->def, start, end);
    }
  }
}

double abut_tie_length(const abut_control_def *d, double start, double t)
{
  const abut_schedule *l = &d->length;
  if (l->count == 0) return start;
  /* "current" stands for the length at activation, also inside the interpolation */
  int32_t k = 0;
  while (k < l->count && l->t[k] <= t) k++;
  int32_t a = k > 0 ? k - 1 : 0, b = k < l->count ? k : l->count - 1;
  double p = l->value[a], q = l->value[b];
  p = isnan(p) ? start : d->relative ? p * start : p;
  q = isnan(q) ? start : d->relative ? q * start : q;
  return a == b ? p : p + (t - l->t[a]) / (l->t[b] - l->t[a]) * (q - p);
}

static void set_solver(const abut_model *m, const abut_state *s, abut_drive *drive)
{
  drive->tolerance = m->options.tolerance;
  drive->position_tolerance = m->options.position_tolerance;
  drive->max_newton = m->options.max_newton;
  for (int32_t i = 0; i < m->controls; i++) {
    const abut_control_def *d = m->control[i].def;
    if (d->kind != ABUT_CONTROL_SOLVER || !s->active[i]) continue;
    if (!isnan(d->tolerance)) {
      drive->tolerance = d->tolerance;
      drive->position_tolerance = 0;
    }
    if (!isnan(d->position_tolerance)) drive->position_tolerance = d->position_tolerance;
    if (d->max_newton > 0) drive->max_newton = d->max_newton;
  }
}

static abut_status prepare(abut_context *ctx, void *self, const abut_state *s, double begin,
                           double end, abut_drive *drive)
{
  (void)ctx;
  abut_controls *c = self;
  drive->begin = begin;
  drive->end = end;
  drive->turns_too_far = false;
  place_inertia(c, s, drive);
  lead_obstacles(c->m, drive);
  lead_pins(c->m, s, drive);
  set_solver(c->m, s, drive);
  drive->controls = 0;
  for (int32_t i = 0; i < c->m->controls; i++) {
    if (!s->active[i] || !c->batch[i].class) continue;
    aim_springs(c, s, i, end);
    c->acting[drive->controls++] = c->batch[i];
  }
  drive->control = c->acting;
  return ABUT_OK;
}

abut_boundary abut_controls_boundary(abut_controls *c)
{
  return (abut_boundary){c, begin_step, prepare};
}

/* ---- what outsiders ask ---- */

void abut_controls_prescribed(const abut_model *m, double t, bool *prescribed)
{
  for (int32_t v = 0; v < m->system.vertices; v++) prescribed[v] = v >= m->system.dynamic;
  for (int32_t i = 0; i < m->controls; i++) {
    const abut_model_control *k = &m->control[i];
    if (k->def->kind != ABUT_CONTROL_PIN || !acts(m, k->def, t)) continue;
    for (int32_t n = 0; n < k->count; n++) prescribed[k->vertex[n]] = true;
  }
}

static abut_status unmet(abut_context *ctx, const abut_model *m, int32_t i, int32_t p, double low)
{
  const abut_model_control *k = &m->control[i];
  const int32_t *pair = k->def->pair + 2 * (int64_t)p;
  abut_status status =
      low == 0
          ? abut_fail(ctx, ABUT_STOPPED,
                      "controls[%d] requires vertex %d to be above vertex %d at %g s; they are at "
                      "the same height",
                      i, pair[0], pair[1], k->def->at)
          : abut_fail(ctx, ABUT_STOPPED,
                      "controls[%d] requires vertex %d to be above vertex %d at %g s; it is %.3g m "
                      "below",
                      i, pair[0], pair[1], k->def->at, low);
  abut_error_at_object(ctx, k->def->object);
  return status;
}

abut_status abut_controls_require(abut_context *ctx, const abut_model *m, const abut_state *s,
                                  double before)
{
  double slack = abut_step_slack(m->def);
  /* up is against gravity; without gravity it is +z */
  vec3 g = m->system.gravity, up = v3_norm(g) > 0 ? v3_neg(v3_unit(g)) : v3(0, 0, 1);
  for (int32_t i = 0; i < m->controls; i++) {
    const abut_model_control *k = &m->control[i];
    if (k->def->kind != ABUT_CONTROL_REQUIRE) continue;
    if (!(before + slack < k->def->at && k->def->at <= s->time + slack)) continue;
    for (int32_t p = 0; p < k->count; p++) {
      double rise = v3_dot(up, v3_sub(s->x[k->vertex[2 * p]], s->x[k->vertex[2 * p + 1]]));
      if (!(rise > 0)) return unmet(ctx, m, i, p, -rise);
    }
  }
  return ABUT_OK;
}
