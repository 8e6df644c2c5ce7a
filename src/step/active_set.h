/* active_set.h: the constraints of a step: from the state and back, their stiffness, their
   multipliers, what joins and what leaves (Zheng, Luo and Li, arXiv 2512.12151, section 4). */
#ifndef ABUT_STEP_ACTIVE_SET_H
#define ABUT_STEP_ACTIVE_SET_H

#include "step/pair_stiffness.h"

/* what an update of the multipliers saw */
typedef struct abut_multiplier_update {
  double change;    /* largest change over stiffness, m */
  double share;     /* sum of the changes over the sum of the multipliers */
  double violation; /* largest -c, m */
} abut_multiplier_update;

/* separation that constraints ask for, m */
double abut_separation(const abut_system *sys, const abut_step_options *options);

/* smallest distance to which collision detection lets a step take a pair, m */
double abut_collision_floor(const abut_system *sys, const abut_step_options *options);

/* w->constraints from the state, linearised at w->anchor; those of pairs that are led altogether
   are left out */
abut_status abut_active_set_load(abut_context *ctx, const abut_system *sys,
                                 const abut_step_options *options, const abut_state *s,
                                 abut_work *w);
abut_status abut_active_set_save(abut_context *ctx, const abut_work *w, abut_state *s);

/* linearises at w->anchor and sets stiffness and share of each constraint */
void abut_active_set_linearise(const abut_context *ctx, const abut_system *sys,
                               const abut_step_options *options, const abut_stiffness_rule *rule,
                               abut_work *w);

/* multipliers for the iterate w->x (Eq. 13), and which constraints were quiet */
abut_multiplier_update abut_active_set_update(const abut_step_options *options, abut_work *w);

/* Notes which constraints push at w->x. Returns the share of all pushing that is done, or was
   counted on with the wrong sign, by those that changed sides since the last call. */
double abut_active_set_switched(abut_work *w);

/* Takes in the hits that are not there yet and leaves out those that have decayed (Algorithm 3).
   added: how many came. */
abut_status abut_active_set_change(abut_context *ctx, const abut_system *sys,
                                   const abut_step_options *options, abut_work *w, int64_t *added);

/* how near pairs join without being hit, m; 0: not at all */
double abut_seed_range(const abut_system *sys, const abut_step_options *options);

typedef struct abut_seed_report {
  int64_t added, near; /* pairs that came, and those of them that are much nearer than delta */
} abut_seed_report;

/* Takes in the candidates that are nearer than the range at the anchor; what they are is in w->now
   then. */
abut_status abut_active_set_seed(abut_context *ctx, const abut_system *sys,
                                 const abut_step_options *options, abut_work *w,
                                 abut_seed_report *r);

#endif
