#include "step/advance.h"

#include <string.h>

#include "base/parallel.h"
#include "base/timer.h"
#include "step/active_set.h"
#include "step/objective.h"
#include "step/validate.h"

const char *abut_step_status_name(abut_step_status status)
{
  switch (status) {
  case ABUT_STEP_CONVERGED: return "converged";
  case ABUT_STEP_TOI: return "toi";
  case ABUT_STEP_LAGGED: return "lagged";
  case ABUT_STEP_NO_DECREASE: return "no_decrease";
  case ABUT_STEP_CAPPED: return "capped";
  }
  return "unknown";
}

/* ---- one piece ---- */

static abut_status enter(abut_context *ctx, const abut_system *sys, const abut_state *s,
                         abut_work *w)
{
  size_t bytes = (size_t)sys->vertices * sizeof *w->x;
  /* most steps begin with the contacts that the last one ended with */
  w->contacts_known =
      w->contacts_known && memcmp(w->x, s->x, bytes) == 0 &&
      memcmp(w->held, w->drive.prescribed, (size_t)sys->vertices * sizeof *w->held) == 0;
  memcpy(w->x0, s->x, bytes);
  memcpy(w->x, s->x, bytes);
  memset(w->p, 0, bytes);
  if (s->count.memories)
    memcpy(w->memory, s->memory, (size_t)s->count.memories * sizeof *w->memory);
  for (int32_t v = 0; v < sys->dynamic; v++)
    if (w->drive.prescribed[v]) w->drive.y[v] = w->drive.target[v];
  return abut_state_get_structure(ctx, s, &w->structure);
}

/* w->still: no solve needed an iteration. Free vertices then move by less than rounding, if at all,
   and their velocities are not known better than before. */
static abut_status commit(abut_context *ctx, const abut_system *sys, const abut_work *w,
                          abut_state *s)
{
  double dt = abut_work_dt(w);
  for (int32_t v = 0; v < sys->vertices; v++) {
    bool keep = w->still && v < sys->dynamic && !w->drive.prescribed[v];
    if (!keep) s->v[v] = v3_scale(v3_sub(w->x[v], w->x0[v]), 1 / dt);
    s->x[v] = w->x[v];
  }
  if (s->count.memories)
    memcpy(s->memory, w->memory, (size_t)s->count.memories * sizeof *s->memory);
  if (w->adapted) s->stiffness = w->stiffness;
  s->time = w->drive.end;
  ABUT_TRY(abut_active_set_save(ctx, w, s));
  return abut_state_set_structure(ctx, s, &w->structure);
}

static abut_status piece(abut_context *ctx, const abut_system *sys,
                         const abut_step_options *options, const abut_boundary *boundary,
                         double begin, double end, abut_state *s, abut_work *w)
{
  w->drive.begin = begin;
  w->drive.end = end;
  w->adapted = false;
  ABUT_TRY(boundary->prepare(ctx, boundary->self, s, begin, end, &w->drive));
  if (w->drive.turns_too_far)
    return abut_fail(ctx, ABUT_STOPPED, "a prescribed motion turns too far within the step");
  ABUT_TRY(enter(ctx, sys, s, w));
  ABUT_TRY(options->method->solve(ctx, sys, options, s, w));
#ifdef ABUT_CHECKS
  ABUT_TRY(abut_validate(ctx, sys->surface, w->drive.prescribed, w->x));
#endif
  return commit(ctx, sys, w, s);
}

/* ---- halving ---- */

static abut_status pieces(abut_context *ctx, const abut_system *sys,
                          const abut_step_options *options, const abut_boundary *boundary,
                          double begin, double end, int level, abut_state *s, abut_work *w)
{
  if (level > w->report.halvings) w->report.halvings = level;
  abut_status status = piece(ctx, sys, options, boundary, begin, end, s, w);
  double middle = begin + 0.5 * (end - begin);
  if (status != ABUT_STOPPED || level >= options->max_subdivisions) return status;
  abut_error_clear(ctx);
  ABUT_TRY(pieces(ctx, sys, options, boundary, begin, middle, level + 1, s, w));
  return pieces(ctx, sys, options, boundary, middle, end, level + 1, s, w);
}

/* ---- report ---- */

void abut_measure_motion(const abut_system *sys, const abut_state *s, abut_step_report *report)
{
  report->momentum = report->angular_momentum = v3(0, 0, 0);
  report->energy.kinetic = report->energy.gravity = 0;
  for (int32_t v = 0; v < sys->dynamic; v++) {
    vec3 p = v3_scale(s->v[v], sys->mass[v]);
    report->momentum = v3_add(report->momentum, p);
    report->angular_momentum = v3_add(report->angular_momentum, v3_cross(s->x[v], p));
    report->energy.kinetic += 0.5 * v3_dot(p, s->v[v]);
    report->energy.gravity -= sys->mass[v] * v3_dot(sys->gravity, s->x[v]);
  }
}

static abut_status measure_step(abut_context *ctx, const abut_system *sys,
                                const abut_step_options *options, const abut_state *s, abut_work *w)
{
  abut_step_report *r = &w->report;
  abut_objective e;
  ABUT_TRY(abut_objective_energy(ctx, sys, options, w, w->x, &w->now, &e));
  abut_measure_motion(sys, s, r);
  r->energy.elastic = e.ledger[ABUT_LEDGER_ELASTIC];
  r->energy.bending = e.ledger[ABUT_LEDGER_BENDING];
  r->energy.control = e.ledger[ABUT_LEDGER_CONTROL];
  /* constraints push without storing anything */
  r->energy.contact = options->method->law ? e.contact : 0;
  r->energy.friction = e.friction;
  r->contacts = w->now.count;
  r->constraints = s->count.touches;
  r->min_gap = abut_contact_set_least_gap(&w->now, NULL);
  return ABUT_OK;
}

/* what a team of threads works on together */
typedef struct advance_job {
  abut_context *ctx;
  const abut_system *sys;
  const abut_step_options *options;
  const abut_boundary *boundary;
  double begin, end;
  abut_state *s;
  abut_work *w;
  abut_status status;
} advance_job;

static void advance(void *arg)
{
  advance_job *j = arg;
  abut_status status = j->boundary->begin_step(j->ctx, j->boundary->self, j->s, j->begin);
  if (status == ABUT_OK)
    status = pieces(j->ctx, j->sys, j->options, j->boundary, j->begin, j->end, 0, j->s, j->w);
  if (status == ABUT_OK) status = measure_step(j->ctx, j->sys, j->options, j->s, j->w);
  j->status = status;
}

abut_status abut_advance(abut_context *ctx, const abut_system *sys,
                         const abut_step_options *options, const abut_boundary *boundary,
                         double begin, double end, abut_state *s, abut_work *w,
                         abut_step_report *report)
{
  double start = abut_now();
  w->report = (abut_step_report){.step_fraction = 1, .min_gap = HUGE_VAL};
  ABUT_TRY(abut_state_copy(ctx, s, &w->saved));
  advance_job job = {ctx, sys, options, boundary, begin, end, s, w, ABUT_OK};
  abut_team_run(ctx, advance, &job);
  abut_status status = job.status;
  if (status != ABUT_OK) {
    /* the copy had room for all of it, so going back cannot fail */
    abut_status back = abut_state_copy(ctx, &w->saved, s);
    if (back != ABUT_OK) status = back;
  } else {
    s->step++;
  }
  w->report.step = s->step;
  w->report.time = s->time;
  w->report.dt = end - begin;
  w->report.wall.total = abut_now() - start;
  *report = w->report;
  return status;
}
