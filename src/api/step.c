/* step.c: stepping and reading a scene. */
#include <math.h>
#include <string.h>

#include "api/handle.h"
#include "base/memory.h"
#include "registry.h"

void abut_fill_report(const abut_step_report *r, abut_report *out)
{
  out->contacts = r->contacts;
  out->time = r->time;
  out->min_gap = r->min_gap;
  out->step_fraction = r->step_fraction;
  out->kinetic = r->energy.kinetic;
  out->elastic = r->energy.elastic;
  out->bending = r->energy.bending;
  out->gravity = r->energy.gravity;
  out->contact = r->energy.contact;
  out->momentum[0] = r->momentum.x;
  out->momentum[1] = r->momentum.y;
  out->momentum[2] = r->momentum.z;
}

abut_status abut_step(abut_scene *s, int64_t steps, abut_report *out)
{
  abut_report sum = {.min_gap = HUGE_VAL};
  if (out) *out = sum;
  if (!s || steps < 0) return abut_refuse_call(s, "steps must not be negative");
  abut_begin_call(s);
  ABUT_TRY(abut_need_sim(s));
  abut_model_tables tables = {abut_registry.terms};
  abut_status status = ABUT_OK;
  sum.time = s->sim.state.time;
  while (sum.steps < steps && status == ABUT_OK &&
         abut_sim_next_time(&s->sim) > s->sim.state.time) {
    abut_step_report r;
    bool made;
    status = abut_sim_step(&s->ctx, &s->sim, &tables, &r, &made);
    if (status == ABUT_BAD_GEOMETRY) abut_explain_start(&s->ctx, &s->sim);
    s->fresh = false;
    sum.newton += r.newton;
    sum.seconds += r.wall.total;
    if (!made) break;
    sum.steps++;
    abut_fill_report(&r, &sum);
  }
  if (out) *out = sum;
  return status;
}

double abut_time(const abut_scene *s)
{
  return s && s->built ? s->sim.state.time : 0;
}

abut_body abut_find_body(abut_scene *s, const char *name)
{
  if (!s || !name) {
    abut_refuse_call(s, "name must not be NULL");
    return (abut_body){0};
  }
  abut_begin_call(s);
  if (abut_need_def(s) != ABUT_OK) return (abut_body){0};
  return (abut_body){abut_scene_find_object(&s->def, name) + 1};
}

/* starts a call; false and an error when there is no such body */
static bool begin_with_body(abut_scene *s, abut_body b)
{
  if (!s) return false;
  abut_begin_call(s);
  if (abut_need_def(s) != ABUT_OK) return false;
  if (b.index >= 1 && b.index <= s->def.objects) return true;
  abut_fail(&s->ctx, ABUT_BAD_ARGUMENT, "there is no body %d; the scene has %d", b.index,
            s->def.objects);
  return false;
}

int32_t abut_vertex_count(abut_scene *s, abut_body b)
{
  if (!begin_with_body(s, b)) return 0;
  const abut_object_def *o = &s->def.object[b.index - 1];
  if (o->kind == ABUT_PLANE) return 0;
  return o->kind == ABUT_SPHERES ? o->spheres : o->mesh.vertices;
}

/* Positions and velocities of all user vertices, made when they are asked for. Those of a start
   that touches or crosses are there too, so that the fault can be drawn. */
static abut_status refresh(abut_scene *s)
{
  abut_status status = s->faulty ? ABUT_OK : abut_need_sim(s);
  if (status != ABUT_OK && !s->faulty) return status;
  if (s->fresh) return ABUT_OK;
  if (!s->x) ABUT_MAKE(&s->ctx, s->x, s->sim.model.user_vertices);
  if (!s->v) ABUT_MAKE(&s->ctx, s->v, s->sim.model.user_vertices);
  abut_sim_positions(&s->sim, s->x, s->v);
  s->fresh = true;
  return ABUT_OK;
}

static const double *view(abut_scene *s, abut_body b, bool velocity)
{
  if (!begin_with_body(s, b)) return NULL;
  if (refresh(s) != ABUT_OK) return NULL;
  const vec3 *all = velocity ? s->v : s->x;
  return &all[s->sim.model.object[b.index - 1].first].x;
}

const double *abut_positions(abut_scene *s, abut_body b)
{
  return view(s, b, false);
}

const double *abut_velocities(abut_scene *s, abut_body b)
{
  return view(s, b, true);
}

uint64_t abut_hash(abut_scene *s)
{
  if (!s) return 0;
  abut_begin_call(s);
  return abut_need_sim(s) == ABUT_OK ? abut_state_hash(&s->sim.state) : 0;
}
