/* augmented.h: one linearised contact constraint of Zheng, Luo and Li (arXiv 2512.12151, Eqs. 10 to
   14), in joules. The distance is linearised at an anchor a, where the pair is apart:
     c(x) = gap + n . sum of w_i (x_i - a_i), m;  gap = d(a) - offset - delta, m
   With the slack s = max(0, c - l/m) put in, the augmented Lagrangian of one constraint is
     E = share m/2 max(0, l/m - c)^2, J (less a constant)
     grad_i E = -w_i f n, N;  f = share max(0, l - m c), N
     H_ij = share m w_i w_j n n^T, N/m
   l: multiplier, N; m: stiffness, N/m, > 0; share: decay of a constraint that has been quiet. c is
   evaluated on displacements from the anchor, so that gaps of micrometres survive coordinates of
   kilometres. */
#ifndef ABUT_KERNEL_AUGMENTED_H
#define ABUT_KERNEL_AUGMENTED_H

#include "kernel/blocks.h"
#include "kernel/closest.h"

typedef struct augmented {
  double w[4];
  vec3 n;
  double gap;        /* m */
  double multiplier; /* N */
  double stiffness;  /* N/m */
  double share;
} augmented;

/* c, m; x, a: positions and anchors, m */
K_FN double augmented_value(quad x, quad a, augmented e)
{
  vec3 t = v3(0, 0, 0);
  for (int k = 0; k < 4; k++)
    if (e.w[k] != 0) t = v3_madd(t, v3_sub(x.p[k], a.p[k]), e.w[k]);
  return e.gap + v3_dot(e.n, t);
}

/* l - m c, N: the next multiplier, where it is positive */
K_FN double augmented_push(quad x, quad a, augmented e)
{
  return e.multiplier - e.stiffness * augmented_value(x, a, e);
}

K_FN double augmented_energy(quad x, quad a, augmented e)
{
  double f = augmented_push(x, a, e);
  return f > 0 ? 0.5 * e.share * f * f / e.stiffness : 0;
}

K_FN grad4 augmented_gradient(quad x, quad a, augmented e)
{
  double f = augmented_push(x, a, e);
  vec3 force = v3_scale(e.n, f > 0 ? -e.share * f : 0);
  grad4 g;
  for (int k = 0; k < 4; k++) g.g[k] = v3_scale(force, e.w[k]);
  return g;
}

#endif
