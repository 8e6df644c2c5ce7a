/* newton.h: projected Newton with a line search filtered by collision detection (Li et al. 2020,
   Algorithm 1), prescribed displacements carried inside it (docs/step.md). */
#ifndef ABUT_STEP_NEWTON_H
#define ABUT_STEP_NEWTON_H

#include "step/line_search.h"

/* Minimises the objective of the prepared drive from w->x with contacts w->now. On ABUT_OK w->x is
   the end of the step, w->now its contacts, w->report.status says how it ended. ABUT_STOPPED
   (abut_fail) names a reason that halving the step may cure. */
abut_status abut_newton_solve(abut_context *ctx, const abut_system *sys,
                              const abut_step_options *options, abut_work *w);

#endif
