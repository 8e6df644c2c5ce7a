/* merged.h: the sum of both parts of a matrix as one list of blocks. */
#ifndef ABUT_LINEAR_MERGED_H
#define ABUT_LINEAR_MERGED_H

#include "linear/matrix.h"

typedef struct abut_merged {
  int32_t rows;
  int64_t *start;  /* (rows + 1) */
  int32_t *column; /* ascending in a row; the first is the diagonal  (start[rows]) */
  mat3 *value;     /*                                                (start[rows]) */
  int64_t room;
  uint64_t hash; /* of the pattern; 0: none yet */
} abut_merged;

/* Makes m the sum of both parts of a; *changed says whether the pattern is another one than
   before. A zeroed m is fine. */
abut_status abut_merged_update(abut_context *ctx, const abut_matrix *a, abut_merged *m,
                               bool *changed);
void abut_merged_free(abut_context *ctx, abut_merged *m);

#endif
