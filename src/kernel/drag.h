/* drag.h: force -r v against the velocity at the end of the step, v = (x - x0)/dt; textbook, with
   implicit Euler. x0: place at the start of the step, m; dt: s; r: rate times mass, kg/s.
     E = r/(2 dt) |x - x0|^2, J;  grad E = (r/dt)(x - x0), N;  H = (r/dt) I, N/m
   E is no stored energy: its gradient is what counts. */
#ifndef ABUT_KERNEL_DRAG_H
#define ABUT_KERNEL_DRAG_H

#include "kernel/blocks.h"

K_KERNEL(k_drag_energy, K_GLOBAL const vec3 *x, K_GLOBAL const vec3 *x0, double dt,
         K_GLOBAL const int *v, K_GLOBAL const double *r, K_GLOBAL double *slot)
{
  slot[i - k0] = 0.5 * r[i] / dt * v3_norm2(v3_sub(x[v[i]], x0[v[i]]));
}
K_END

K_KERNEL(k_drag_gradient, K_GLOBAL const vec3 *x, K_GLOBAL const vec3 *x0, double dt,
         K_GLOBAL const int *v, K_GLOBAL const double *r, K_GLOBAL vec3 *slot)
{
  slot[i - k0] = v3_scale(v3_sub(x[v[i]], x0[v[i]]), r[i] / dt);
}
K_END

K_KERNEL(k_drag_hessian, double dt, K_GLOBAL const double *r, K_GLOBAL mat3 *slot)
{
  double k = r[i] / dt;
  slot[i - k0] = m3_diagonal(k, k, k);
}
K_END

#endif
