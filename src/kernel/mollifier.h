/* mollifier.h: fades out nearly parallel edge pairs, Li et al. 2020 (edge-edge mollifier).
     a = a1 - a0, b = b1 - b0, m;  c = |a x b|^2, m^4;  eps = 1e-3 |a_rest|^2 |b_rest|^2, m^4
     e = -(c/eps)^2 + 2 c/eps below eps, 1 above (C^1);  e' = 2 (1 - c/eps)/eps, e'' = -2/eps^2
     grad_a c = 2 (|b|^2 a - (a.b) b), grad_b c = 2 (|a|^2 b - (a.b) a), m^3
     c_aa = 2 (|b|^2 I - b b^T), c_bb = 2 (|a|^2 I - a a^T), m^2
     c_ab = 2 (2 a b^T - b a^T - (a.b) I), m^2
   The derivatives of c are textbook; vertices a0, a1, b0, b1 take them with signs -, +, -, +. */
#ifndef ABUT_KERNEL_MOLLIFIER_H
#define ABUT_KERNEL_MOLLIFIER_H

#include "kernel/blocks.h"
#include "kernel/closest.h"

typedef struct mollifier {
  double c, e, e1, e2; /* c in m^4; e, e' and e'' with respect to c */
} mollifier;

K_FN mollifier mollifier_at(double c, double eps)
{
  mollifier m = {c, 1, 0, 0};
  if (c >= eps) return m;
  double q = c / eps;
  m.e = q * (2 - q);
  m.e1 = 2 * (1 - q) / eps;
  m.e2 = -2 / (eps * eps);
  return m;
}

/* c */
K_FN double mollifier_cross2(quad x)
{
  return v3_norm2(v3_cross(v3_sub(x.p[1], x.p[0]), v3_sub(x.p[3], x.p[2])));
}

/* grad c, m^3, in the order a0 a1 b0 b1 */
K_FN grad4 mollifier_gradient(quad x)
{
  vec3 a = v3_sub(x.p[1], x.p[0]), b = v3_sub(x.p[3], x.p[2]);
  double ab = v3_dot(a, b);
  grad4 g;
  g.g[1] = v3_scale(v3_madd(v3_scale(a, v3_norm2(b)), b, -ab), 2);
  g.g[3] = v3_scale(v3_madd(v3_scale(b, v3_norm2(a)), a, -ab), 2);
  g.g[0] = v3_neg(g.g[1]);
  g.g[2] = v3_neg(g.g[3]);
  return g;
}

/* hess c, m^2 */
K_FN hess4 mollifier_hessian(quad x)
{
  vec3 a = v3_sub(x.p[1], x.p[0]), b = v3_sub(x.p[3], x.p[2]);
  double aa = 2 * v3_norm2(a), bb = 2 * v3_norm2(b), ab = -2 * v3_dot(a, b);
  mat3 haa = m3_add_outer(m3_diagonal(bb, bb, bb), b, b, -2);
  mat3 hbb = m3_add_outer(m3_diagonal(aa, aa, aa), a, a, -2);
  mat3 hab = m3_add_outer(m3_add_outer(m3_diagonal(ab, ab, ab), a, b, 4), b, a, -2);
  hess4 h;
  h.k[0] = h.k[4] = haa;
  h.k[1] = m3_scale(haa, -1);
  h.k[7] = h.k[9] = hbb;
  h.k[8] = m3_scale(hbb, -1);
  h.k[2] = h.k[6] = hab; /* (a0, b0), (a1, b1) */
  h.k[3] = h.k[5] = m3_scale(hab, -1);
  return h;
}

#endif
