/* precondition.h: approximate inverses for conjugate gradients, M = W W^T or (U^T U)^-1 with W the
   inverses of U's diagonal blocks. */
#ifndef ABUT_LINEAR_PRECONDITION_H
#define ABUT_LINEAR_PRECONDITION_H

#include "linear/merged.h"

typedef struct abut_preconditioner {
  int32_t rows;
  mat3 *inverse;      /* W: upper triangles                          (rows) */
  bool incomplete;    /* U is in use, otherwise W alone */
  abut_merged factor; /* pattern and values of U, diagonal included */
} abut_preconditioner;

void abut_preconditioner_free(abut_context *ctx, abut_preconditioner *p);

/* Diagonal blocks. ABUT_STOPPED when one is not positive definite or not finite. */
abut_status abut_block_jacobi_make(abut_context *ctx, const abut_matrix *a, abut_preconditioner *p);
/* Block incomplete Cholesky without fill, in the order of the rows. Where it breaks down it is made
   again for a matrix with a larger diagonal, and in the end the diagonal blocks are taken; both are
   noted. ABUT_STOPPED as above. */
abut_status abut_block_ic0_make(abut_context *ctx, const abut_matrix *a, abut_preconditioner *p);

/* z = M r.  r, z: (rows), not the same */
void abut_preconditioner_apply(const abut_context *ctx, const abut_preconditioner *p, const vec3 *r,
                               vec3 *z);

/* The upper triangle W with a^-1 = W W^T. Relative to the diagonal of scale, a pivot counts as
   least at least; false when one is refused or below, or not finite. */
bool abut_block_inverse(mat3 a, mat3 scale, double refused, double least, mat3 *w);

#endif
