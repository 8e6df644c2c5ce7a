/* membrane_stvk.h: St. Venant-Kirchhoff membrane, textbook. With the symbols and units of
   membrane.h:
     W = mu |eps|^2 + lam/2 (tr eps)^2, J/m^2;  S = 2 mu eps + lam tr(eps) I, N/m
     M_ij = mu (b_i.b_j) F F^T + mu (F b_j)(F b_i)^T + lam (F b_i)(F b_j)^T, N/m^3
   Its M is positive semidefinite as mu >= 0 and mu + lam >= 0, so the tangent is once S is replaced
   by its positive part. Limits: defined everywhere, and finite at no area: strong pressure makes
   triangles collapse. */
#ifndef ABUT_KERNEL_MEMBRANE_STVK_H
#define ABUT_KERNEL_MEMBRANE_STVK_H

#include "kernel/membrane.h"

/* A W */
K_FN double stvk_energy(membrane_state d, membrane_element e)
{
  double a = 0.5 * (d.c.a - 1), b = 0.5 * d.c.b, c = 0.5 * (d.c.c - 1), tr = a + c;
  return e.area * (e.mu * (a * a + 2 * b * b + c * c) + 0.5 * e.lam * tr * tr);
}

/* S */
K_FN sym2 stvk_stress(membrane_state d, membrane_element e)
{
  double tr = 0.5 * (d.c.a - 1) + 0.5 * (d.c.c - 1);
  sym2 s = {e.mu * (d.c.a - 1) + e.lam * tr, e.mu * d.c.b, e.mu * (d.c.c - 1) + e.lam * tr};
  return s;
}

/* A [ (b_i^T S b_j) I + M_ij ] for b_i = (p0, p1), b_j = (q0, q1) */
K_FN mat3 stvk_block(membrane_state d, membrane_element e, sym2 s, double p0, double p1, double q0,
                     double q1)
{
  vec3 fp = v3_madd(v3_scale(d.f1, p0), d.f2, p1), fq = v3_madd(v3_scale(d.f1, q0), d.f2, q1);
  double g = sym2_between(s, p0, p1, q0, q1), pq = e.mu * (p0 * q0 + p1 * q1);
  mat3 k = m3_diagonal(g, g, g);
  k = m3_add_outer(k, d.f1, d.f1, pq);
  k = m3_add_outer(k, d.f2, d.f2, pq);
  k = m3_add_outer(k, fq, fp, e.mu);
  k = m3_add_outer(k, fp, fq, e.lam);
  return m3_scale(k, e.area);
}

K_FN hess3 stvk_hessian(membrane_state d, membrane_element e, bool project)
{
  sym2 s = stvk_stress(d, e);
  if (project) s = sym2_positive(s);
  return membrane_complete(stvk_block(d, e, s, e.b1[0], e.b1[1], e.b1[0], e.b1[1]),
                           stvk_block(d, e, s, e.b1[0], e.b1[1], e.b2[0], e.b2[1]),
                           stvk_block(d, e, s, e.b2[0], e.b2[1], e.b2[0], e.b2[1]));
}

K_KERNEL(k_membrane_stvk_energy, K_GLOBAL const vec3 *x, K_GLOBAL const int *v,
         K_GLOBAL const membrane_element *e, K_GLOBAL double *slot)
{
  slot[i - k0] =
      stvk_energy(membrane_deform(x[v[3 * i]], x[v[3 * i + 1]], x[v[3 * i + 2]], e[i]), e[i]);
}
K_END

K_KERNEL(k_membrane_stvk_gradient, K_GLOBAL const vec3 *x, K_GLOBAL const int *v,
         K_GLOBAL const membrane_element *e, K_GLOBAL grad3 *slot)
{
  membrane_state d = membrane_deform(x[v[3 * i]], x[v[3 * i + 1]], x[v[3 * i + 2]], e[i]);
  slot[i - k0] = membrane_gradient(d, e[i], stvk_stress(d, e[i]));
}
K_END

K_KERNEL(k_membrane_stvk_hessian, K_GLOBAL const vec3 *x, K_GLOBAL const int *v,
         K_GLOBAL const membrane_element *e, int project, K_GLOBAL hess3 *slot)
{
  membrane_state d = membrane_deform(x[v[3 * i]], x[v[3 * i + 1]], x[v[3 * i + 2]], e[i]);
  slot[i - k0] = stvk_hessian(d, e[i], project != 0);
}
K_END

#endif
