/* solid_fcr.h: fixed corotated solid, Stomakhin, Howes, Schroeder, Teran 2012; eigenvalues as
   Smith, de Goes, Kim 2019. With the symbols and units of solid.h, {i, j, k} = {0, 1, 2},
   J/s_k = s_i s_j, R = U V^T the rotation:
     W = mu sum of (s_i - 1)^2 + lam/2 (J - 1)^2, Pa
     P = 2 mu (F - R) + lam (J - 1) cof F;  psi_k = 2 mu (s_k - 1) + lam (J - 1) J/s_k
     A_kk = 2 mu + lam (J/s_k)^2, A_ij = lam (2 J - 1) s_k
     t_ij = 2 mu - 4 mu/(s_i + s_j) + lam (J - 1) s_k, f_ij = 2 mu - lam (J - 1) s_k
   Limits: W is finite for every F. Where s_i + s_j = 0, a flat or turned-over element, R jumps: the
   twist is -infinity there, which the projection clamps. */
#ifndef ABUT_KERNEL_SOLID_FCR_H
#define ABUT_KERNEL_SOLID_FCR_H

#include "kernel/solid.h"

/* W */
K_FN real fcr_density(mat3 f, solid_element e)
{
  svd3 d = svd3_of(f);
  real a = d.s[0] - 1, b = d.s[1] - 1, c = d.s[2] - 1, j = m3_det(f) - 1;
  return e.mu * (a * a + b * b + c * c) + 0.5 * e.lam * j * j;
}

/* P */
K_FN mat3 fcr_stress(mat3 f, solid_element e)
{
  svd3 d = svd3_of(f);
  mat3 r = m3_mul(d.u, m3_transpose(d.v));
  return m3_madd(m3_scale(m3_sub(f, r), 2 * e.mu), m3_cofactor(f), e.lam * (m3_det(f) - 1));
}

/* A, t, f */
K_FN solid_spectrum fcr_spectrum(svd3 f, solid_element e)
{
  real j = f.s[0] * f.s[1] * f.s[2], p = e.lam * (j - 1);
  real c[3] = {f.s[1] * f.s[2], f.s[0] * f.s[2], f.s[0] * f.s[1]};
  solid_spectrum q;
  for (int k = 0; k < 3; k++) {
    int i = k == 0 ? 1 : 0, n = k == 2 ? 1 : 2;
    q.a[k][k] = 2 * e.mu + e.lam * c[k] * c[k];
    q.a[i][n] = q.a[n][i] = (e.lam * j + p) * f.s[k];
    /* s_i + s_n = 0 only for a flat, turned-over element, where the mode is clamped anyway */
    real sum = f.s[i] + f.s[n];
    q.twist[k] = 2 * e.mu - K_SELECT(sum > 0, 4 * e.mu / sum, k_real(K_INFINITY)) + p * f.s[k];
    q.flip[k] = 2 * e.mu - p * f.s[k];
  }
  return q;
}

#if !defined(K_LANES)
K_KERNEL(k_solid_fcr_energy, K_GLOBAL const vec3 *x, K_GLOBAL const int *v,
         K_GLOBAL const solid_element *e, K_GLOBAL double *slot)
{
  mat3 f = solid_deform(x[v[4 * i]], x[v[4 * i + 1]], x[v[4 * i + 2]], x[v[4 * i + 3]], e[i]);
  slot[i - k0] = e[i].volume * fcr_density(f, e[i]);
}
K_END

K_KERNEL(k_solid_fcr_gradient, K_GLOBAL const vec3 *x, K_GLOBAL const int *v,
         K_GLOBAL const solid_element *e, K_GLOBAL grad4 *slot)
{
  mat3 f = solid_deform(x[v[4 * i]], x[v[4 * i + 1]], x[v[4 * i + 2]], x[v[4 * i + 3]], e[i]);
  slot[i - k0] = solid_gradient(fcr_stress(f, e[i]), e[i]);
}
K_END

K_KERNEL(k_solid_fcr_hessian, K_GLOBAL const vec3 *x, K_GLOBAL const int *v,
         K_GLOBAL const solid_element *e, int project, K_GLOBAL hess4 *slot)
{
  svd3 f =
      svd3_of(solid_deform(x[v[4 * i]], x[v[4 * i + 1]], x[v[4 * i + 2]], x[v[4 * i + 3]], e[i]));
  solid_spectrum q = fcr_spectrum(f, e[i]);
  if (project) q = solid_project(q);
  slot[i - k0] = solid_hessian(q, f, e[i]);
}
K_END
#endif

#endif
