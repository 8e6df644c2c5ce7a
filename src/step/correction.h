/* correction.h: one Newton correction: the linear solve, its size, and what rounding does to it.
   What all methods have in common. */
#ifndef ABUT_STEP_CORRECTION_H
#define ABUT_STEP_CORRECTION_H

#include "step/objective.h"

/* m, of w->x */
double abut_largest_coordinate(const abut_system *sys, const abut_work *w);

/* what prescribed vertices have left to go, into w->p; sets w->moving */
void abut_displacement_left(const abut_system *sys, abut_work *w);

/* solves H dx = w->rhs and completes w->p with it */
abut_status abut_correction_solve(abut_context *ctx, const abut_system *sys, abut_work *w);

/* speed: largest component of w->p over dt, m/s; slope: w->g times w->p, J */
abut_status abut_correction_measure(abut_context *ctx, const abut_system *sys, const abut_work *w,
                                    double *speed, double *slope);

/* the residual rule's limit, m/s */
static inline double abut_work_tolerance(const abut_work *w)
{
  double position = w->drive.position_tolerance;
  return position > 0 ? position / abut_work_dt(w) : w->drive.tolerance;
}

/* is every component of the gradient below what rounding the coordinates does to it? size: their
   largest, m */
bool abut_at_rounding_level(const abut_system *sys, const abut_work *w, double size);

/* nothing moves, nothing is led, and the gradient is rounding noise */
bool abut_at_rest(const abut_system *sys, const abut_work *w, double size);

/* rounding level of the objective, J */
double abut_energy_noise(const abut_system *sys, const abut_work *w, const abut_objective *e);

/* brings the elements' history up to w->x */
void abut_remember(const abut_context *ctx, const abut_system *sys, abut_work *w);

#endif
