#include "step/barrier_step.h"

#include <string.h>

#include "base/timer.h"
#include "step/newton.h"
#include "step/stiffness.h"

abut_status abut_find_contacts(abut_context *ctx, const abut_system *sys, abut_work *w)
{
  double start = abut_now();
  const abut_surface *surface = sys->surface;
  ABUT_TRY(abut_candidates_find(ctx, &w->candidates, surface, w->drive.prescribed, w->x, NULL,
                                surface->dhat));
  double broad = abut_now();
  ABUT_TRY(abut_contact_set_find(ctx, surface, &w->candidates, w->x, surface->dhat, &w->now));
  w->report.wall.narrow += abut_now() - broad;
  w->report.wall.broad += broad - start;
  memcpy(w->held, w->drive.prescribed, (size_t)sys->vertices * sizeof *w->held);
  w->contacts_known = true;
  return ABUT_OK;
}

abut_status abut_start_apart(abut_context *ctx, const abut_system *sys, abut_work *w)
{
  if (!w->contacts_known) ABUT_TRY(abut_find_contacts(ctx, sys, w));
  double gap = abut_contact_set_least_gap(&w->now, &w->tightest);
  if (gap > 0) return ABUT_OK;
  return abut_fail(ctx, ABUT_BAD_GEOMETRY,
                   "a pair is at or below its minimum separation at the start of the step "
                   "(distance minus offset %g m)",
                   gap);
}

/* contacts, stiffness and friction at the start */
static abut_status start_contact(abut_context *ctx, const abut_system *sys,
                                 const abut_step_options *options, const abut_state *s,
                                 abut_work *w)
{
  ABUT_TRY(abut_start_apart(ctx, sys, w));
  w->friction.count = 0;
  return abut_stiffness_start(ctx, sys, options, s->stiffness, w);
}

static abut_status freeze_friction(abut_context *ctx, const abut_system *sys,
                                   const abut_step_options *options, abut_work *w)
{
  abut_law_at at = {w->x, sys->surface->dhat, w->stiffness};
  double eps = abut_work_dt(w) * options->friction_velocity;
  return abut_friction_freeze(ctx, sys->surface, options->method->law, &at, &w->now, eps,
                              &w->friction);
}

abut_status abut_barrier_step(abut_context *ctx, const abut_system *sys,
                              const abut_step_options *options, const abut_state *s, abut_work *w)
{
  ABUT_TRY(start_contact(ctx, sys, options, s, w));
  bool still = true;
  for (int k = 0; k < options->friction_iterations; k++) {
    ABUT_TRY(freeze_friction(ctx, sys, options, w));
    if (k > 0 && w->friction.count == 0) break;
    ABUT_TRY(abut_newton_solve(ctx, sys, options, w));
    still = still && w->still;
  }
  w->still = still;
  w->adapted = options->method->law->adaptive && !(options->stiffness > 0);
  return ABUT_OK;
}
