/* report.h: what a step tells about itself: one record of steps.jsonl. */
#ifndef ABUT_STEP_REPORT_H
#define ABUT_STEP_REPORT_H

#include "base/context.h"
#include "kernel/vec.h"

typedef enum abut_step_status {
  ABUT_STEP_CONVERGED,
  ABUT_STEP_TOI,         /* the toi rule ended it */
  ABUT_STEP_LAGGED,      /* boundary_lag > 0 */
  ABUT_STEP_NO_DECREASE, /* stopped at rounding level */
  ABUT_STEP_CAPPED       /* max_newton reached and kept */
} abut_step_status;

typedef struct abut_energies {
  double kinetic, elastic, bending, gravity, contact, friction, control; /* J */
} abut_energies;

typedef struct abut_wall {
  double assembly, linear, factorization, broad, narrow, line_search, total; /* s */
} abut_wall;

typedef struct abut_step_report {
  int64_t step;
  double time, dt; /* s, at the end */
  abut_step_status status;
  int64_t newton, linear_iterations, factorizations; /* rolled-back attempts too */
  int halvings;                                      /* deepest level */
  int64_t contacts;                                  /* pairs closer than dhat at the end */
  int64_t constraints;                               /* of barrier_free's set at the end */
  int64_t candidates;                                /* pairs looked at in the last iteration */
  double min_gap;                                    /* m, +infinity without contacts */
  double step_fraction; /* smallest accepted fraction of a Newton direction */
  double residual;      /* m/s, speed of the last correction */
  double boundary_lag;  /* m */
  abut_energies energy;
  vec3 momentum, angular_momentum; /* kg m/s; kg m^2/s about the origin */
  abut_wall wall;
} abut_step_report;

const char *abut_step_status_name(abut_step_status status);

#endif
