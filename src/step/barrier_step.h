/* barrier_step.h: a step of the methods that are a contact law inside the Newton loop. */
#ifndef ABUT_STEP_BARRIER_STEP_H
#define ABUT_STEP_BARRIER_STEP_H

#include "step/work.h"

/* contacts at w->x into w->now */
abut_status abut_find_contacts(abut_context *ctx, const abut_system *sys, abut_work *w);

/* contacts at the start; ABUT_BAD_GEOMETRY when a pair is not apart there */
abut_status abut_start_apart(abut_context *ctx, const abut_system *sys, abut_work *w);

/* contacts, stiffness and friction at the start, then Newton; see abut_method_class.solve */
abut_status abut_barrier_step(abut_context *ctx, const abut_system *sys,
                              const abut_step_options *options, const abut_state *s, abut_work *w);

#endif
