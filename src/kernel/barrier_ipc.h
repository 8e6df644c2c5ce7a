/* barrier_ipc.h: the barrier of Li et al. 2020, Eq. 6, on squared distances as their program has
   it, with the thickness offset xi of Li, Kaufman, Jiang 2021 (docs/energies.md has the titles).
   Distance d, range dhat and xi in m, D = d^2:
     u = D - xi^2 = (d - xi)(d + xi), W = 2 xi dhat + dhat^2, m^2
     b(u) = -(u - W)^2 ln(u/W), m^4
     b' = db/dD = (W - u)(2 ln(u/W) - W/u + 1), m^2
     b'' = (W/u + 2) W/u - 2 ln(u/W) - 3, no unit
   Times kappa, J/m^4, it is an energy. Limits: 0 for u >= W (C^2 there); +infinity for u <= 0,
   where the derivatives are given as 0. */
#ifndef ABUT_KERNEL_BARRIER_IPC_H
#define ABUT_KERNEL_BARRIER_IPC_H

#include "kernel/prelude.h"

/* b, b' and b'', of this barrier with respect to D */
typedef struct barrier {
  double b, b1, b2;
} barrier;

/* u, m^2 */
K_FN double barrier_ipc_argument(double d, double xi)
{
  return (d - xi) * (d + xi);
}

/* W, m^2 */
K_FN double barrier_ipc_width(double dhat, double xi)
{
  return dhat * (2 * xi + dhat);
}

/* for kappa = 1 */
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
