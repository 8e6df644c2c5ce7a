/* pair_stiffness.h: how stiff the constraints of barrier_free are. */
#ifndef ABUT_STEP_PAIR_STIFFNESS_H
#define ABUT_STEP_PAIR_STIFFNESS_H

#include "step/work.h"

typedef struct abut_stiffness_rule {
  double literal; /* c_mu times the largest diagonal entry of M/dt^2 + K, N/m */
  double rest;    /* the same, c_mu 0.1, with the K that the run began with, N/m */
  double boost;   /* grows when the step stalls */
  double delta;   /* share of the separation: shrinks when the step stalls */
} abut_stiffness_rule;

/* sets stiffness and gap of each of w->constraints, which are linearised */
void abut_pair_stiffness(const abut_context *ctx, const abut_system *sys,
                         const abut_step_options *options, const abut_stiffness_rule *rule,
                         abut_work *w);

#endif
