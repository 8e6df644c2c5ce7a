/* advance.h: one step as a transaction: it is made whole, or in halves of halves, or not at all. */
#ifndef ABUT_STEP_ADVANCE_H
#define ABUT_STEP_ADVANCE_H

#include "step/work.h"

/* Advances the state over [begin, end] (s). On failure halves the interval up to
   max_subdivisions times; on any status but ABUT_OK the state is what it was. report: filled on
   ABUT_OK, and with counts and wall time on failure too. */
abut_status abut_advance(abut_context *ctx, const abut_system *sys,
                         const abut_step_options *options, const abut_boundary *boundary,
                         double begin, double end, abut_state *s, abut_work *w,
                         abut_step_report *report);

/* energies and momenta of a state, for frames and reports; w may be of any step */
void abut_measure_motion(const abut_system *sys, const abut_state *s, abut_step_report *report);

#endif
