/* pair_force.h: what pushed in a finished step, pair by pair and for every method. */
#ifndef ABUT_STEP_PAIR_FORCE_H
#define ABUT_STEP_PAIR_FORCE_H

#include "step/work.h"

typedef struct abut_pair_force {
  uint64_t key;
  int32_t vertex[4]; /* -1: unused */
  double w[4];       /* of the closest points */
  vec3 n;            /* unit, from the second primitive to the first */
  double gap;        /* m, at the end of the step */
  double normal;     /* N, >= 0: times n, on the first primitive */
  vec3 tangential;   /* N, friction on the first primitive */
} abut_pair_force;

typedef struct abut_pair_forces {
  abut_pair_force *item; /* ascending by key                                     (count) */
  int64_t count, room;
} abut_pair_forces;

void abut_pair_forces_free(abut_context *ctx, abut_pair_forces *f);

/* Pairs nearer than dhat at the end of the step (of its last part, when it was halved) and all
   others that a force acted on. w: as the step left it. */
abut_status abut_pair_forces_find(abut_context *ctx, const abut_system *sys,
                                  const abut_step_options *options, const abut_work *w,
                                  abut_pair_forces *f);

#endif
