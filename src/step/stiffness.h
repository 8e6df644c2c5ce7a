/* stiffness.h: the stiffness of a contact law: a number of the scene, the law's default, or the
   adaptive rule of Li et al. 2020 (supplement) in joules, kept in the state. */
#ifndef ABUT_STEP_STIFFNESS_H
#define ABUT_STEP_STIFFNESS_H

#include "step/work.h"

typedef struct abut_stiffness_range {
  double low, high; /* J/m^4 */
} abut_stiffness_range;

/* kappa_min = 1e11 mbar / (4 D0 b''(D0)), D0 = (1e-8 L + gap)^2 - gap^2, divided by the square of
   the scene's nominal step; kappa_max = 100 kappa_min */
abut_stiffness_range abut_stiffness_range_of(const abut_system *sys);

/* Sets w->stiffness for a step that starts at w->x with contacts w->now; before: the state's. The
   adaptive rule: start anew when nothing is near; else never below what balances the gradients. */
abut_status abut_stiffness_start(abut_context *ctx, const abut_system *sys,
                                 const abut_step_options *options, double before, abut_work *w);

/* After a line search: doubles the adaptive stiffness when a pair that was closer than the scene's
   tiny distance has come closer still. Returns whether it did. */
bool abut_stiffness_adapt(const abut_system *sys, const abut_step_options *options,
                          const abut_contact_set *before, const abut_contact_set *after,
                          double *stiffness);

#endif
