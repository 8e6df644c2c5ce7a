/* barrier_free.h: a step without a barrier (Zheng, Luo and Li, arXiv 2512.12151): an iterate that
   may penetrate, solved for with constraints on linearised distances, and an anchor that follows it
   as far as collision detection allows (docs/barrier-free.md). */
#ifndef ABUT_STEP_BARRIER_FREE_H
#define ABUT_STEP_BARRIER_FREE_H

#include "step/work.h"

/* see abut_method_class.solve */
abut_status abut_barrier_free_step(abut_context *ctx, const abut_system *sys,
                                   const abut_step_options *options, const abut_state *s,
                                   abut_work *w);

#endif
