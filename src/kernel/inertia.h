/* inertia.h: inertia of a lumped mass. It is what makes implicit Euler's step a minimisation (Li et
   al. 2020, section 3), here divided by dt^2 and so in joules. m: kg; dt: s; x and the target
   y = x0 + dt v0 + dt^2 g: m.
     E = m/(2 dt^2) |x - y|^2, J;  grad E = (m/dt^2)(x - y), N;  H = (m/dt^2) I, N/m */
#ifndef ABUT_KERNEL_INERTIA_H
#define ABUT_KERNEL_INERTIA_H

#include "kernel/blocks.h"

K_KERNEL(k_inertia_energy, K_GLOBAL const vec3 *x, K_GLOBAL const vec3 *y, double dt,
         K_GLOBAL const int *v, K_GLOBAL const double *mass, K_GLOBAL double *slot)
{
  slot[i - k0] = 0.5 * mass[i] / (dt * dt) * v3_norm2(v3_sub(x[v[i]], y[v[i]]));
}
K_END

K_KERNEL(k_inertia_gradient, K_GLOBAL const vec3 *x, K_GLOBAL const vec3 *y, double dt,
         K_GLOBAL const int *v, K_GLOBAL const double *mass, K_GLOBAL vec3 *slot)
{
  slot[i - k0] = v3_scale(v3_sub(x[v[i]], y[v[i]]), mass[i] / (dt * dt));
}
K_END

K_KERNEL(k_inertia_hessian, double dt, K_GLOBAL const double *mass, K_GLOBAL mat3 *slot)
{
  double k = mass[i] / (dt * dt);
  slot[i - k0] = m3_diagonal(k, k, k);
}
K_END

#endif
