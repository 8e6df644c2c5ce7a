/* matrix.h: a symmetric matrix of 3x3 blocks, upper triangle, as the sum of two parts: base, whose
   pattern is fixed for the whole run, and extra, whose pattern changes with the contacts. */
#ifndef ABUT_LINEAR_MATRIX_H
#define ABUT_LINEAR_MATRIX_H

#include "base/context.h"
#include "kernel/vec.h"

/* Blocks (i, j) with j >= i, row by row, columns ascending. value is A_ij row-major; the block
   (j, i) is its transpose. */
typedef struct abut_blocks {
  int64_t *start;  /* (rows + 1) */
  int32_t *column; /* (start[rows]) */
  mat3 *value;     /* (start[rows]) */
  int64_t room;    /* capacity of column and value */
} abut_blocks;

typedef struct abut_matrix {
  int32_t rows;      /* block rows: the matrix is 3 rows x 3 rows */
  abut_blocks base;  /* every diagonal block is there */
  abut_blocks extra; /* may repeat blocks of base; may lack diagonal blocks */
} abut_matrix;

/* both parts empty: start is there and zero, column and value are not */
abut_status abut_matrix_make(abut_context *ctx, int32_t rows, abut_matrix *a);
void abut_matrix_free(abut_context *ctx, abut_matrix *a);

/* room for count blocks; what column and value held is lost when they must grow */
abut_status abut_blocks_reserve(abut_context *ctx, abut_blocks *blocks, int64_t count);
/* index of the block (i, j), or -1 */
int64_t abut_blocks_find(const abut_blocks *blocks, int32_t i, int32_t j);
/* of the pattern, not of the values */
uint64_t abut_blocks_hash(const abut_blocks *blocks, int32_t rows);

/* y = A x on the calling thread.  x, y: (rows), not the same */
void abut_matrix_apply(const abut_context *ctx, const abut_matrix *a, const vec3 *x, vec3 *y);
/* the sum of both parts' diagonal block of a row */
mat3 abut_matrix_diagonal(const abut_matrix *a, int32_t row);

/* The same blocks seen from below the diagonal: for row j the blocks (i, j) with i < j, i
   ascending. With it every row of a product is a sum of its own. */
typedef struct abut_lower {
  int64_t *start; /* (rows + 1) */
  int32_t *row;   /* i                              (start[rows]) */
  int64_t *block; /* index of (i, j) in the blocks  (start[rows]) */
  int64_t room;
  uint64_t hash; /* of the pattern it was made from; 0: none yet */
} abut_lower;

typedef struct abut_matrix_index {
  int32_t rows;
  abut_lower base, extra;
} abut_matrix_index;

/* Makes index fit the patterns of a; a zeroed index is fine. Costs a hash of the patterns when they
   are the ones it fits already. */
abut_status abut_matrix_index_update(abut_context *ctx, const abut_matrix *a,
                                     abut_matrix_index *index);
void abut_matrix_index_free(abut_context *ctx, abut_matrix_index *index);

/* y = A x on all threads, the same bits as abut_matrix_apply */
void abut_matrix_apply_indexed(const abut_context *ctx, const abut_matrix *a,
                               const abut_matrix_index *index, const vec3 *x, vec3 *y);

#endif
