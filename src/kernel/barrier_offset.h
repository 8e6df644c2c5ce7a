/* barrier_offset.h: the barrier of Newton IPC (docs/energies.md) in the distance minus an offset,
   g = d - c, m. With a = g - dhat:
     B(g) = -k a^2 ln(g/dhat), J;  k in N/m, dhat and c in m
     B' = -k [ 2 a ln(g/dhat) + a^2/g ], N
     B'' = -k [ 2 ln(g/dhat) + 4 a/g - (a/g)^2 ], N/m, positive for 0 < g < dhat
   It has the shape of Eq. 6 of Li et al. 2020, but another argument than barrier_ipc.h, which takes
   squared distances: neither its values nor its k are comparable. Limits: 0 for g >= dhat (C^2
   there); +infinity for g <= 0, where the derivatives are given as 0. */
#ifndef ABUT_KERNEL_BARRIER_OFFSET_H
#define ABUT_KERNEL_BARRIER_OFFSET_H

#include "kernel/barrier_ipc.h"

/* B (m^2), B' (m) and B'' with respect to g, for k = 1 */
K_FN barrier barrier_offset(double g, double dhat)
{
  barrier r = {0, 0, 0};
  if (g >= dhat) return r;
  if (!(g > 0)) {
    r.b = K_INFINITY;
    return r;
  }
  double l = log(g / dhat), a = g - dhat, q = a / g;
  r.b = -a * a * l;
  r.b1 = -(2 * a * l + a * q);
  r.b2 = -(2 * l + 4 * q - q * q);
  return r;
}

#endif
