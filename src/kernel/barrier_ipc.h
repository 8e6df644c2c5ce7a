/* barrier_ipc.h: the barrier on squared distance of Li et al. 2020, with the thickness offset xi of
   Li, Kaufman, Jiang 2021:
     b(u) = -(u - W)^2 ln(u/W),  u = D - xi^2 = (d - xi)(d + xi),  W = 2 xi dhat + dhat^2
   in m^4, times kappa in J/m^4. 0 for u >= W (C^2 there), +infinity for u <= 0. */
#ifndef ABUT_KERNEL_BARRIER_IPC_H
#define ABUT_KERNEL_BARRIER_IPC_H

#include "kernel/prelude.h"

/* value and derivatives with respect to D */
typedef struct barrier {
  double b, b1, b2;
} barrier;

K_FN double barrier_ipc_argument(double d, double xi)
{
  return (d - xi) * (d + xi);
}

K_FN double barrier_ipc_width(double dhat, double xi)
{
  return dhat * (2 * xi + dhat);
}

K_FN barrier barrier_ipc(double u, double w)
{
  barrier r = {0, 0, 0};
  if (u >= w) return r;
  if (!(u > 0)) {
    r.b = K_INFINITY;
    return r;
  }
  double l = log(u / w), q = w / u, a = u - w;
  r.b = -a * a * l;
  r.b1 = -a * (2 * l - q + 1);
  r.b2 = (q + 2) * q - 2 * l - 3;
  return r;
}

#endif
