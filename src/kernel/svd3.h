/* svd3.h: signed singular values of a 3x3 matrix, F = U diag(s) V^T with det U = det V = 1 and
   s[0] >= s[1] >= |s[2]|; s[2] carries the sign of det F. One-sided Jacobi (Hestenes): columns of
   F V are rotated until they are at right angles, which keeps small singular values accurate. */
#ifndef ABUT_KERNEL_SVD3_H
#define ABUT_KERNEL_SVD3_H

#include "kernel/vec.h"

typedef struct svd3 {
  mat3 u, v;
  double s[3];
} svd3;

typedef struct svd3_columns {
  vec3 f[3], v[3];
} svd3_columns;

/* makes columns p and q of F V orthogonal */
K_FN svd3_columns svd3_rotate(svd3_columns a, int p, int q)
{
  double app = v3_norm2(a.f[p]), aqq = v3_norm2(a.f[q]), apq = v3_dot(a.f[p], a.f[q]);
  if (fabs(apq) <= 1e-16 * sqrt(app * aqq)) return a;
  double theta = (aqq - app) / (2 * apq);
  double t = (theta < 0 ? -1 : 1) / (fabs(theta) + sqrt(theta * theta + 1));
  double c = 1 / sqrt(t * t + 1), s = t * c;
  vec3 fp = a.f[p], vp = a.v[p];
  a.f[p] = v3_sub(v3_scale(fp, c), v3_scale(a.f[q], s));
  a.f[q] = v3_add(v3_scale(fp, s), v3_scale(a.f[q], c));
  a.v[p] = v3_sub(v3_scale(vp, c), v3_scale(a.v[q], s));
  a.v[q] = v3_add(v3_scale(vp, s), v3_scale(a.v[q], c));
  return a;
}

/* exchanges columns p and q when q is longer; the sign keeps det V */
K_FN svd3_columns svd3_order(svd3_columns a, int p, int q)
{
  if (v3_norm2(a.f[p]) >= v3_norm2(a.f[q])) return a;
  vec3 f = a.f[p], v = a.v[p];
  a.f[p] = a.f[q];
  a.v[p] = a.v[q];
  a.f[q] = v3_neg(f);
  a.v[q] = v3_neg(v);
  return a;
}

K_FN svd3 svd3_of(mat3 f)
{
  svd3_columns a = {{m3_column(f, 0), m3_column(f, 1), m3_column(f, 2)},
                    {v3(1, 0, 0), v3(0, 1, 0), v3(0, 0, 1)}};
  for (int sweep = 0; sweep < 12; sweep++) {
    double off =
        fabs(v3_dot(a.f[0], a.f[1])) + fabs(v3_dot(a.f[0], a.f[2])) + fabs(v3_dot(a.f[1], a.f[2]));
    if (off <= 1e-16 * (v3_norm2(a.f[0]) + v3_norm2(a.f[1]) + v3_norm2(a.f[2])) && sweep > 1) break;
    a = svd3_rotate(a, 0, 1);
    a = svd3_rotate(a, 0, 2);
    a = svd3_rotate(a, 1, 2);
  }
  a = svd3_order(a, 0, 1);
  a = svd3_order(a, 1, 2);
  a = svd3_order(a, 0, 1);

  /* U: the long column first, the others completed at right angles to it */
  svd3 r;
  double s0 = v3_norm(a.f[0]);
  vec3 u0 = s0 > 0 ? v3_scale(a.f[0], 1 / s0) : v3(1, 0, 0);
  vec3 w = v3_madd(a.f[1], u0, -v3_dot(a.f[1], u0));
  double s1 = v3_norm(w);
  vec3 u1 = s1 > 1e-150 && s1 > 1e-15 * s0 ? v3_scale(w, 1 / s1) : v3_perpendicular(u0);
  vec3 u2 = v3_cross(u0, u1);
  r.s[0] = s0;
  r.s[1] = v3_dot(a.f[1], u1);
  r.s[2] = v3_dot(a.f[2], u2);
  r.u = m3_columns(u0, u1, u2);
  r.v = m3_columns(a.v[0], a.v[1], a.v[2]);
  return r;
}

#endif
