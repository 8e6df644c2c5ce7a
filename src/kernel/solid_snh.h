/* solid_snh.h: stable Neo-Hookean solid (Smith, de Goes, Kim 2018) without its term in
   log(I_C + 1), I_C = |F|^2; eigenvalues as Smith, de Goes, Kim 2019. Written so that it vanishes
   at rest. With the symbols and units of solid.h, {i, j, k} = {0, 1, 2}, J/s_k = s_i s_j,
   p = lam' (J - 1) - mu:
     W = mu/2 (I_C - 3) - mu (J - 1) + lam'/2 (J - 1)^2, Pa, lam' = lam + mu
       the same as mu/2 (I_C - 3) + lam'/2 (J - a)^2 + const with a = 1 + mu/lam'
     P = mu F + p cof F;  psi_k = mu s_k + p J/s_k
     A_kk = mu + lam' (J/s_k)^2, A_ij = (lam' J + p) s_k
     t_ij = mu + p s_k, f_ij = mu - p s_k
   Without the logarithm lam' must be lam + mu: then it agrees with linear elasticity at small
   strain. Limits: none, it is finite for every F, inverted ones too. */
#ifndef ABUT_KERNEL_SOLID_SNH_H
#define ABUT_KERNEL_SOLID_SNH_H

#include "kernel/solid.h"

/* W */
K_FN real snh_density(mat3 f, solid_element e)
{
  real j = m3_det(f) - 1;
  return 0.5 * e.mu * (m3_dot(f, f) - 3) - e.mu * j + 0.5 * (e.lam + e.mu) * j * j;
}

/* P */
K_FN mat3 snh_stress(mat3 f, solid_element e)
{
  real l = e.lam + e.mu;
  return m3_madd(m3_scale(f, e.mu), m3_cofactor(f), l * (m3_det(f) - 1) - e.mu);
}

/* A, t, f */
K_FN solid_spectrum snh_spectrum(svd3 f, solid_element e)
{
  real l = e.lam + e.mu, j = f.s[0] * f.s[1] * f.s[2], dj = l * (j - 1) - e.mu;
  /* J / s_i without dividing */
  real c[3] = {f.s[1] * f.s[2], f.s[0] * f.s[2], f.s[0] * f.s[1]};
  solid_spectrum q;
  for (int k = 0; k < 3; k++) {
    int i = k == 0 ? 1 : 0, n = k == 2 ? 1 : 2;
    q.a[k][k] = e.mu + l * c[k] * c[k];
    q.a[i][n] = q.a[n][i] = (l * j + dj) * f.s[k];
    q.twist[k] = e.mu + dj * f.s[k];
    q.flip[k] = e.mu - dj * f.s[k];
  }
  return q;
}

#if !defined(K_LANES)
K_KERNEL(k_solid_snh_energy, K_GLOBAL const vec3 *x, K_GLOBAL const int *v,
         K_GLOBAL const solid_element *e, K_GLOBAL double *slot)
{
  mat3 f = solid_deform(x[v[4 * i]], x[v[4 * i + 1]], x[v[4 * i + 2]], x[v[4 * i + 3]], e[i]);
  slot[i - k0] = e[i].volume * snh_density(f, e[i]);
}
K_END

K_KERNEL(k_solid_snh_gradient, K_GLOBAL const vec3 *x, K_GLOBAL const int *v,
         K_GLOBAL const solid_element *e, K_GLOBAL grad4 *slot)
{
  mat3 f = solid_deform(x[v[4 * i]], x[v[4 * i + 1]], x[v[4 * i + 2]], x[v[4 * i + 3]], e[i]);
  slot[i - k0] = solid_gradient(snh_stress(f, e[i]), e[i]);
}
K_END

K_KERNEL(k_solid_snh_hessian, K_GLOBAL const vec3 *x, K_GLOBAL const int *v,
         K_GLOBAL const solid_element *e, int project, K_GLOBAL hess4 *slot)
{
  svd3 f =
      svd3_of(solid_deform(x[v[4 * i]], x[v[4 * i + 1]], x[v[4 * i + 2]], x[v[4 * i + 3]], e[i]));
  solid_spectrum q = snh_spectrum(f, e[i]);
  if (project) q = solid_project(q);
  slot[i - k0] = solid_hessian(q, f, e[i]);
}
K_END
#endif

#endif
