/* support.h: spring from a vertex to a target that a motion moves, textbook; as the hands of Newton
   IPC (docs/energies.md).
     E = k/2 |x - target|^2, J;  grad E = k (x - target), N;  H = k I, N/m;  k in N/m, x in m */
#ifndef ABUT_KERNEL_SUPPORT_H
#define ABUT_KERNEL_SUPPORT_H

#include "kernel/blocks.h"

typedef struct support_element {
  double k;    /* N/m */
  vec3 target; /* m */
} support_element;

K_KERNEL(k_support_energy, K_GLOBAL const vec3 *x, K_GLOBAL const int *v,
         K_GLOBAL const support_element *e, K_GLOBAL double *slot)
{
  slot[i - k0] = 0.5 * e[i].k * v3_norm2(v3_sub(x[v[i]], e[i].target));
}
K_END

K_KERNEL(k_support_gradient, K_GLOBAL const vec3 *x, K_GLOBAL const int *v,
         K_GLOBAL const support_element *e, K_GLOBAL vec3 *slot)
{
  slot[i - k0] = v3_scale(v3_sub(x[v[i]], e[i].target), e[i].k);
}
K_END

K_KERNEL(k_support_hessian, K_GLOBAL const support_element *e, K_GLOBAL mat3 *slot)
{
  slot[i - k0] = m3_diagonal(e[i].k, e[i].k, e[i].k);
}
K_END

#endif
