/* force.h: a constant force f (N) on a vertex, E = -f.x. */
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
