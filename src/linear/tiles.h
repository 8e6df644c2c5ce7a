/* tiles.h: the dense kernels of a front. Tiles are column-major, ld is the distance of columns; all
   sizes are multiples of 3. A triangle L of a factor holds the inverses of its diagonal on the
   diagonal; nothing above the diagonal is read, anything may be written there. Products come from
   OpenBLAS. */
#ifndef ABUT_LINEAR_TILES_H
#define ABUT_LINEAR_TILES_H

#include <stdint.h>

/* The first n columns of a positive definite matrix become those of its factor: the triangle L and
   the m - n rows below.  Returns -1, or the first column whose pivot is not positive and finite. */
int32_t abut_tile_factor(int32_t m, int32_t n, double *a, int32_t ld);
/* X = X L^-T.  x: m x n, l: n x n, the columns of both ld apart */
void abut_tile_solve(int32_t m, int32_t n, const double *l, double *x, int32_t ld);
/* C = beta C - A B^T.  a: m x k, b: n x k, ld apart; c is not read when beta is 0 */
void abut_tile_update(int32_t m, int32_t n, int32_t k, const double *a, const double *b, int32_t ld,
                      double beta, double *c, int32_t ldc);
/* the same with the first n rows of A as B, for the lower trapezoid of C and whole 3x3 blocks on
   its diagonal */
void abut_tile_update_lower(int32_t m, int32_t n, int32_t k, const double *a, int32_t ld,
                            double beta, double *c, int32_t ldc);

/* Between these OpenBLAS runs on the calling thread only, whoever else is in between as well:
   several threads would change the bits of products. */
void abut_blas_enter(void);
void abut_blas_leave(void);

#endif
