/* svd3.h: signed singular values of a 3x3 matrix, F = U diag(s) V^T with det U = det V = 1 and
   s[0] >= s[1] >= |s[2]|; s[2] carries the sign of det F, all have the unit of F. One-sided Jacobi
   (Hestenes 1958): columns f_p, f_q of F V are rotated until they are at right angles, which keeps
   small singular values accurate,
     theta = (|f_q|^2 - |f_p|^2)/(2 f_p.f_q), tan phi = sign(theta)/(|theta| + sqrt(theta^2 + 1)) */
#ifndef ABUT_KERNEL_SVD3_H
#define ABUT_KERNEL_SVD3_H

#include "kernel/vec.h"

typedef struct svd3 {
  mat3 u, v;
  real s[3];
} svd3;

typedef struct svd3_columns {
  vec3 f[3], v[3];
} svd3_columns;

/* makes columns p and q of F V orthogonal where active */
K_FN svd3_columns svd3_rotate(svd3_columns a, int p, int q, real_mask active)
{
  real app = v3_norm2(a.f[p]), aqq = v3_norm2(a.f[q]), apq = v3_dot(a.f[p], a.f[q]);
  real theta = (aqq - app) / (2 * apq);
  real t = K_SELECT(theta < 0, k_real(-1), k_real(1)) / (k_fabs(theta) + k_sqrt(theta * theta + 1));
  active = active & (k_fabs(apq) > 1e-16 * k_sqrt(app * aqq));
  real c = 1 / k_sqrt(t * t + 1), s = t * c;
  vec3 fp = a.f[p], vp = a.v[p], fq = a.f[q], vq = a.v[q];
  a.f[p] = v3_select(active, v3_sub(v3_scale(fp, c), v3_scale(fq, s)), fp);
  a.f[q] = v3_select(active, v3_add(v3_scale(fp, s), v3_scale(fq, c)), fq);
  a.v[p] = v3_select(active, v3_sub(v3_scale(vp, c), v3_scale(vq, s)), vp);
  a.v[q] = v3_select(active, v3_add(v3_scale(vp, s), v3_scale(vq, c)), vq);
  return a;
}

/* exchanges columns p and q when q is longer; the sign keeps det V */
K_FN svd3_columns svd3_order(svd3_columns a, int p, int q)
{
  vec3 f = a.f[p], v = a.v[p];
  real_mask keep = v3_norm2(a.f[p]) >= v3_norm2(a.f[q]);
  a.f[p] = v3_select(keep, f, a.f[q]);
  a.v[p] = v3_select(keep, v, a.v[q]);
  a.f[q] = v3_select(keep, a.f[q], v3_neg(f));
  a.v[q] = v3_select(keep, a.v[q], v3_neg(v));
  return a;
}

/* are the columns still not at right angles? */
K_FN real_mask svd3_unfinished(svd3_columns a)
{
  real off = k_fabs(v3_dot(a.f[0], a.f[1])) + k_fabs(v3_dot(a.f[0], a.f[2])) +
             k_fabs(v3_dot(a.f[1], a.f[2]));
  return off > 1e-16 * (v3_norm2(a.f[0]) + v3_norm2(a.f[1]) + v3_norm2(a.f[2]));
}

K_FN svd3 svd3_of(mat3 f)
{
  real one = k_real(1), zero = k_real(0);
  svd3_columns a = {{m3_column(f, 0), m3_column(f, 1), m3_column(f, 2)},
                    {v3(one, zero, zero), v3(zero, one, zero), v3(zero, zero, one)}};
  real_mask active = svd3_unfinished(a);
  for (int sweep = 0; sweep < 12 && k_any(active); sweep++) {
    a = svd3_rotate(a, 0, 1, active);
    a = svd3_rotate(a, 0, 2, active);
    a = svd3_rotate(a, 1, 2, active);
    active = active & svd3_unfinished(a);
  }
  a = svd3_order(a, 0, 1);
  a = svd3_order(a, 1, 2);
  a = svd3_order(a, 0, 1);

  /* U: the long column first, the others completed at right angles to it */
  svd3 r;
  real s0 = v3_norm(a.f[0]);
  vec3 u0 = v3_select(s0 > 0, v3_scale(a.f[0], 1 / K_SELECT(s0 > 0, s0, one)), v3(one, zero, zero));
  vec3 w = v3_madd(a.f[1], u0, -v3_dot(a.f[1], u0));
  real s1 = v3_norm(w);
  vec3 u1 = v3_scale(w, 1 / K_SELECT(s1 > 0, s1, one));
  if (k_any((s1 <= 1e-150) | (s1 <= 1e-15 * s0)))
    u1 = v3_select((s1 <= 1e-150) | (s1 <= 1e-15 * s0), v3_perpendicular(u0), u1);
  vec3 u2 = v3_cross(u0, u1);
  r.s[0] = s0;
  r.s[1] = v3_dot(a.f[1], u1);
  r.s[2] = v3_dot(a.f[2], u2);
  r.u = m3_columns(u0, u1, u2);
  r.v = m3_columns(a.v[0], a.v[1], a.v[2]);
  return r;
}

#endif
