/* checkpoint.h: complete states of a run on disk. A checkpoint is the old or the new file, never
   half of one, and is refused when a bit of it has changed. The newest two are kept. */
#ifndef ABUT_IO_CHECKPOINT_H
#define ABUT_IO_CHECKPOINT_H

#include "scene/sim.h"

/* sums over a run, kept with the state so that a resumed run reports all of it */
#define ABUT_TOTALS(F)                                                                             \
  F(int64_t, newton)                                                                               \
  F(int64_t, linear_iterations)                                                                    \
  F(int64_t, factorizations)                                                                       \
  F(int64_t, capped)                                                                               \
  F(int64_t, lagged)                                                                               \
  F(int64_t, max_contacts)                                                                         \
  F(double, min_gap) /* m, +infinity without contacts */                                           \
  F(double, wall_seconds)                                                                          \
  F(int64_t, frames)    /* in the trajectory */                                                    \
  F(int64_t, log_bytes) /* of steps.jsonl */

typedef struct abut_totals {
#define F(type, name) type name;
  ABUT_TOTALS(F)
#undef F
} abut_totals;

/* of everything in a model that a state's meaning depends on */
uint64_t abut_model_hash(const abut_model *m);

/* folder: checkpoint/ of the run, made when missing */
abut_status abut_checkpoint_save(abut_context *ctx, const char *folder, uint64_t model,
                                 const abut_state *s, const abut_totals *totals);
/* The newest one that is whole. found is false when there is none; ABUT_BAD_FORMAT when it belongs
   to another model or version. */
abut_status abut_checkpoint_load(abut_context *ctx, const char *folder, uint64_t model,
                                 abut_state *s, abut_totals *totals, bool *found);
/* is there any, whole or not? */
abut_status abut_checkpoint_any(abut_context *ctx, const char *folder, bool *any);
abut_status abut_checkpoint_clear(abut_context *ctx, const char *folder);

#endif
