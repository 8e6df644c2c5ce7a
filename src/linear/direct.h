/* direct.h: what direct solvers share: a solution is checked against its residual and improved,
   a failed factorisation says why. */
#ifndef ABUT_LINEAR_DIRECT_H
#define ABUT_LINEAR_DIRECT_H

#include "linear/matrix.h"

/* x = M b, where M is close to A^-1; x may be b */
typedef void abut_inverse_fn(const abut_context *ctx, void *arg, const vec3 *b, vec3 *x);

typedef struct abut_refinement {
  int32_t rows;
  vec3 *b, *r; /* copy of the right-hand side; residual, then correction  (rows) */
} abut_refinement;

abut_status abut_refinement_reserve(abut_context *ctx, int32_t rows, abut_refinement *work);
void abut_refinement_free(abut_context *ctx, abut_refinement *work);

/* Solves A x = b by inverse, and again for the residual up to twice where |b - A x| is above 1e-10
   |b|. ABUT_STOPPED when it stays above 1e-7 |b| and above what rounding in A x explains: the
   products are wrong or a value is not finite. x may be b. */
abut_status abut_refinement_solve(abut_context *ctx, const abut_matrix *a,
                                  const abut_matrix_index *index, const abut_refinement *work,
                                  abut_inverse_fn *inverse, void *arg, const vec3 *b, vec3 *x);

/* ABUT_STOPPED for a factorisation that failed at a row: a value of a is not finite, or a is not
   positive definite */
abut_status abut_fail_pivot(abut_context *ctx, const abut_matrix *a, int32_t row);

/* ABUT_BAD_ARGUMENT: solve was called without a factor */
abut_status abut_fail_unfactored(abut_context *ctx);

/* sums over all rows in a fixed order */
double abut_dot(const abut_context *ctx, int32_t rows, const vec3 *x, const vec3 *y);
double abut_norm(const abut_context *ctx, int32_t rows, const vec3 *x);

#endif
