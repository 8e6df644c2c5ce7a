/* barrier_offset.h: the film solver's barrier in the distance minus an offset, g = |r| - c (m):
     B(g) = -k (g - dhat)^2 ln(g/dhat),  k in N/m
   0 for g >= dhat (C^2 there), +infinity for g <= 0. It is not the barrier of Li et al. 2020: that
   one takes squared distances. */
#ifndef ABUT_KERNEL_BARRIER_OFFSET_H
#define ABUT_KERNEL_BARRIER_OFFSET_H

#include "kernel/barrier_ipc.h"

/* value (m^2) and derivatives with respect to g, for k = 1 */
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
