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

abut_status abut_matrix_make(abut_context *ctx, int32_t rows, abut_matrix *a);
void abut_matrix_free(abut_context *ctx, abut_matrix *a);

/* y = A x; the same bits for any number of threads.  x, y: (rows) */
void abut_matrix_apply(const abut_context *ctx, const abut_matrix *a, const vec3 *x, vec3 *y);
/* the sum of both parts' diagonal block of a row */
mat3 abut_matrix_diagonal(const abut_matrix *a, int32_t row);

#endif
