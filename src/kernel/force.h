/* force.h: a constant force f on a vertex, textbook.
     E = -f.x, J;  grad E = -f, N;  H = 0;  f in N, x in m */
#ifndef ABUT_KERNEL_FORCE_H
#define ABUT_KERNEL_FORCE_H

#include "kernel/blocks.h"

K_KERNEL(k_force_energy, K_GLOBAL const vec3 *x, K_GLOBAL const int *v, K_GLOBAL const vec3 *f,
         K_GLOBAL double *slot)
{
  slot[i - k0] = -v3_dot(f[i], x[v[i]]);
}
K_END

K_KERNEL(k_force_gradient, K_GLOBAL const vec3 *f, K_GLOBAL vec3 *slot)
{
  slot[i - k0] = v3_neg(f[i]);
}
K_END

#endif
