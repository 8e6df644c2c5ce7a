/* structure.h: what a direct solver must remember from one step to the next so that a resumed run
   gives the same bits as one that never stopped: the elimination order and the pairs that contacts
   have asked for. It is part of the checkpointed state; the symbolic factor that follows from it
   is not, and can be rebuilt at any time. */
#ifndef ABUT_LINEAR_STRUCTURE_H
#define ABUT_LINEAR_STRUCTURE_H

#include "base/context.h"

typedef struct abut_structure {
  int32_t rows;
  int32_t *order; /* order[k] is the row eliminated at place k        (rows) */
  uint64_t *pair; /* reserved blocks, i * 2^32 + j, i < j, ascending  (pairs) */
  int64_t pairs, room;
  double flops;  /* of a factorisation right after order was made; 0: no order yet */
  uint64_t hash; /* of order and pair: equal hashes, equal structure */
} abut_structure;

void abut_structure_free(abut_context *ctx, abut_structure *s);
/* to may be zeroed or an older copy, whose memory is used again */
abut_status abut_structure_copy(abut_context *ctx, const abut_structure *from, abut_structure *to);
/* room for an order of rows and for pairs; another number of rows forgets the order */
abut_status abut_structure_resize(abut_context *ctx, int32_t rows, int64_t pairs,
                                  abut_structure *s);
/* sets hash from the other fields */
void abut_structure_rehash(abut_structure *s);

#endif
