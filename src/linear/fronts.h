/* fronts.h: the numeric factorisation A = L L^T, front by front. */
#ifndef ABUT_LINEAR_FRONTS_H
#define ABUT_LINEAR_FRONTS_H

#include "linear/symbolic.h"

/* where the extra blocks of a matrix go: entries of front f are start[f] .. start[f + 1] - 1 */
typedef struct abut_extra {
  int64_t *start;    /* (fronts + 1) */
  abut_entry *entry; /* (start[fronts]) */
} abut_extra;

typedef struct abut_factor {
  abut_buffer panel;        /* L, the panels one after another */
  abut_buffer arena, stack; /* updates, see abut_job */
  int32_t *failed;          /* per front: the column whose pivot failed, or see fronts.c */
  int64_t failed_room;
} abut_factor;

/* memory for factors of s by that many threads */
abut_status abut_factor_reserve(abut_context *ctx, const abut_symbolic *s, abut_factor *l);
/* Allocates nothing. Returns -1, or the row of the first pivot, in the order of elimination, that
   is not positive and finite; l must be computed again then. */
int32_t abut_factor_compute(const abut_context *ctx, const abut_symbolic *s, const abut_matrix *a,
                            const abut_extra *extra, abut_factor *l);
void abut_factor_free(abut_context *ctx, abut_factor *l);

#endif
