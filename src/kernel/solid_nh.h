/* solid_nh.h: Neo-Hookean solid. Textbook, compressible with the square of a logarithm; eigenvalues
   as Smith, de Goes, Kim 2019. With the symbols and units of solid.h, p = lam log J - mu:
     W = mu/2 (|F|^2 - 3) - mu log J + lam/2 (log J)^2, Pa
     P = mu F + p F^-T;  psi_i = mu s_i + p/s_i
     A_ii = mu + (lam - p)/s_i^2, A_ij = lam/(s_i s_j)
     t_ij = mu + p/(s_i s_j), f_ij = mu - p/(s_i s_j)
   Limits: not defined for J <= 0, energy +infinity; solid_inversion_bound keeps steps on this side
   of it. */
#ifndef ABUT_KERNEL_SOLID_NH_H
#define ABUT_KERNEL_SOLID_NH_H

#include "kernel/solid.h"

/* W */
K_FN real nh_density(mat3 f, solid_element e)
{
  real j = m3_det(f);
  real lj = k_log(K_SELECT(j > 0, j, k_real(1)));
  real w = 0.5 * e.mu * (m3_dot(f, f) - 3) - e.mu * lj + 0.5 * e.lam * lj * lj;
  return K_SELECT(j > 0, w, k_real(K_INFINITY));
}

/* P, with F^-T = cof F / J */
K_FN mat3 nh_stress(mat3 f, solid_element e)
{
  real j = m3_det(f);
  return m3_madd(m3_scale(f, e.mu), m3_cofactor(f), (e.lam * k_log(j) - e.mu) / j);
}

/* A, t, f */
K_FN solid_spectrum nh_spectrum(svd3 f, solid_element e)
{
  real lj = k_log(f.s[0] * f.s[1] * f.s[2]), p = e.lam * lj - e.mu;
  solid_spectrum q;
  for (int k = 0; k < 3; k++) {
    int i = k == 0 ? 1 : 0, n = k == 2 ? 1 : 2;
    real r = 1 / (f.s[i] * f.s[n]);
    q.a[k][k] = e.mu + (e.lam - p) / (f.s[k] * f.s[k]);
    q.a[i][n] = q.a[n][i] = e.lam * r;
    q.twist[k] = e.mu + p * r;
    q.flip[k] = e.mu - p * r;
  }
  return q;
}

#if !defined(K_LANES)
K_KERNEL(k_solid_nh_energy, K_GLOBAL const vec3 *x, K_GLOBAL const int *v,
         K_GLOBAL const solid_element *e, K_GLOBAL double *slot)
{
  mat3 f = solid_deform(x[v[4 * i]], x[v[4 * i + 1]], x[v[4 * i + 2]], x[v[4 * i + 3]], e[i]);
  slot[i - k0] = e[i].volume * nh_density(f, e[i]);
}
K_END

K_KERNEL(k_solid_nh_gradient, K_GLOBAL const vec3 *x, K_GLOBAL const int *v,
         K_GLOBAL const solid_element *e, K_GLOBAL grad4 *slot)
{
  mat3 f = solid_deform(x[v[4 * i]], x[v[4 * i + 1]], x[v[4 * i + 2]], x[v[4 * i + 3]], e[i]);
  slot[i - k0] = solid_gradient(nh_stress(f, e[i]), e[i]);
}
K_END

K_KERNEL(k_solid_nh_hessian, K_GLOBAL const vec3 *x, K_GLOBAL const int *v,
         K_GLOBAL const solid_element *e, int project, K_GLOBAL hess4 *slot)
{
  svd3 f =
      svd3_of(solid_deform(x[v[4 * i]], x[v[4 * i + 1]], x[v[4 * i + 2]], x[v[4 * i + 3]], e[i]));
  solid_spectrum q = nh_spectrum(f, e[i]);
  if (project) q = solid_project(q);
  slot[i - k0] = solid_hessian(q, f, e[i]);
}
K_END

/* keeps Neo-Hookean solids from inverting; slot: largest fraction of p allowed */
K_KERNEL(k_solid_inversion, K_GLOBAL const vec3 *x, K_GLOBAL const vec3 *p, K_GLOBAL const int *v,
         K_GLOBAL double *slot)
{
  slot[i - k0] = solid_inversion_bound(
      solid_edges(x[v[4 * i]], x[v[4 * i + 1]], x[v[4 * i + 2]], x[v[4 * i + 3]]),
      solid_edges(p[v[4 * i]], p[v[4 * i + 1]], p[v[4 * i + 2]], p[v[4 * i + 3]]));
}
K_END
#endif

#endif
