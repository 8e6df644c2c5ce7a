/* triangular.h: x = L^-T L^-1 b with the factor of fronts.h. */
#ifndef ABUT_LINEAR_TRIANGULAR_H
#define ABUT_LINEAR_TRIANGULAR_H

#include "linear/fronts.h"

/* doubles of scratch that a solve with factors of s needs */
int64_t abut_triangular_size(const abut_symbolic *s);
/* x may be b.  b, x: (rows), scratch: abut_triangular_size */
void abut_triangular_solve(const abut_context *ctx, const abut_symbolic *s, const abut_factor *l,
                           const vec3 *b, double *scratch, vec3 *x);

#endif
