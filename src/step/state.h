/* state.h: everything a step must remember. One list of fields drives allocation, copying, saving
   and hashing, so a field that is not in the checkpoint cannot exist. Whatever is not here may be
   dropped at any time without changing a bit of the result. */
#ifndef ABUT_STEP_STATE_H
#define ABUT_STEP_STATE_H

#include "base/context.h"
#include "kernel/vec.h"
#include "linear/structure.h"

/* F(type, name, what it is counted by) */
#define ABUT_STATE_ARRAYS(F)                                                                       \
  F(vec3, x, vertices)           /* positions, m */                                                \
  F(vec3, v, vertices)           /* velocities, m/s */                                             \
  F(double, memory, memories)    /* history of the elements: followed hinge angles, rad */         \
  F(uint8_t, active, controls)   /* 1: the control acted in the last step */                       \
  F(vec3, anchor, anchors)       /* where controlled vertices were when their control began, m */  \
  F(int32_t, order, ordered)     /* elimination order of the direct solver */                      \
  F(uint64_t, pair, pairs)       /* blocks reserved for contacts in its factor */                  \
  F(uint64_t, touch, touches)    /* pairs of the active set, ascending */                          \
  F(double, multiplier, touches) /* of their constraints, N */                                     \
  F(int32_t, quiet, touches)     /* iterations in which they were not active */

/* F(type, name) */
#define ABUT_STATE_SCALARS(F)                                                                      \
  F(int64_t, step)     /* steps done */                                                            \
  F(double, time)      /* s */                                                                     \
  F(double, stiffness) /* of an adaptive contact law; 0: not chosen yet */                         \
  F(double, flops)     /* of a factorisation when order was made */

#define ABUT_STATE_COUNTS(F)                                                                       \
  F(vertices) F(memories) F(controls) F(anchors) F(ordered) F(pairs) F(touches)

typedef struct abut_state_counts {
#define F(name) int64_t name;
  ABUT_STATE_COUNTS(F)
#undef F
} abut_state_counts;

typedef struct abut_state {
  abut_state_counts count;
#define F(type, name, n) type *name;
  ABUT_STATE_ARRAYS(F)
#undef F
#define F(type, name) type name;
  ABUT_STATE_SCALARS(F)
#undef F
  abut_state_counts room; /* capacities; not state */
} abut_state;

void abut_state_free(abut_context *ctx, abut_state *s);
/* room for the given counts; new entries are zero, old ones stay */
abut_status abut_state_resize(abut_context *ctx, abut_state *s, const abut_state_counts *count);
/* to may be zeroed or hold an older copy; allocates only when it must grow */
abut_status abut_state_copy(abut_context *ctx, const abut_state *from, abut_state *to);
uint64_t abut_state_hash(const abut_state *s);

/* the direct solver's structure as part of the state, there and back */
abut_status abut_state_get_structure(abut_context *ctx, const abut_state *s, abut_structure *to);
abut_status abut_state_set_structure(abut_context *ctx, abut_state *s, const abut_structure *from);

#endif
