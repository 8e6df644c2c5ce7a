/* membrane_nh.h: Neo-Hookean membrane. Textbook, compressible with the square of a logarithm; the
   form is that of Newton IPC (docs/energies.md). With J = sqrt(det C), the area now over that at
   rest, and the symbols and units of membrane.h:
     W = mu (tr eps - log J) + lam/2 (log J)^2, J/m^2
     S = mu I + (lam log J - mu) C^-1, N/m
     M_ij = lam p_i p_j^T + (mu - lam log J) [ (b_i^T C^-1 b_j)(I - n n^T) + p_j p_i^T ], N/m^3
   with p_i = F C^-1 b_i, 1/m, and n the unit normal. Limits: not defined for a collapsed triangle
   (det C = 0), energy +infinity; a triangle may turn over, W sees no orientation. */
#ifndef ABUT_KERNEL_MEMBRANE_NH_H
#define ABUT_KERNEL_MEMBRANE_NH_H

#include "kernel/membrane.h"

/* log J = log(det C)/2 with det C = |f1 x f2|^2, without the cancellation of c.a c.c - c.b^2 */
K_FN double membrane_nh_log_area(membrane_state d)
{
  return 0.5 * log(v3_norm2(v3_cross(d.f1, d.f2)));
}

/* C^-1 */
K_FN sym2 membrane_nh_inverse(membrane_state d)
{
  double det = v3_norm2(v3_cross(d.f1, d.f2));
  sym2 s = {d.c.c / det, -d.c.b / det, d.c.a / det};
  return s;
}

/* A W */
K_FN double membrane_nh_energy(membrane_state d, membrane_element e)
{
  double lj = membrane_nh_log_area(d), tr = 0.5 * (d.c.a - 1) + 0.5 * (d.c.c - 1);
  double w = e.area * (e.mu * (tr - lj) + 0.5 * e.lam * lj * lj);
  return w == w && lj > -K_INFINITY ? w : K_INFINITY;
}

/* S */
K_FN sym2 membrane_nh_stress(membrane_state d, membrane_element e)
{
  double f = e.lam * membrane_nh_log_area(d) - e.mu;
  sym2 c = membrane_nh_inverse(d), s = {e.mu + f * c.a, f * c.b, e.mu + f * c.c};
  return s;
}

/* What M_ij is made of. On a change of F with in-plane part G, in the frame of F, M is
     (mu - lam log J) (|G|^2 + tr G^2) + lam (tr G)^2:
   when the tangent must be positive semidefinite the factor mu - lam log J is clamped at 0 (for
   lam > 0 it turns negative above an area ratio of exp(mu/lam)), and then lam at minus that factor,
   which matters for negative Poisson's ratios only. */
typedef struct membrane_nh_tangent {
  sym2 s, c;    /* stress (its positive part when projected) and C^-1 */
  double shear; /* mu - lam log J */
  double lam;
  vec3 p1, p2; /* columns of F C^-1 */
  mat3 plane;  /* I - n n^T */
} membrane_nh_tangent;

/* A [ (b_i^T S b_j) I + M_ij ] for b_i = (p0, p1), b_j = (q0, q1) */
K_FN mat3 membrane_nh_block(membrane_nh_tangent t, double area, double p0, double p1, double q0,
                            double q1)
{
  vec3 pi = v3_madd(v3_scale(t.p1, p0), t.p2, p1), pj = v3_madd(v3_scale(t.p1, q0), t.p2, q1);
  double g = sym2_between(t.s, p0, p1, q0, q1);
  mat3 k = m3_diagonal(g, g, g);
  k = m3_madd(k, t.plane, t.shear * sym2_between(t.c, p0, p1, q0, q1));
  k = m3_add_outer(k, pj, pi, t.shear);
  k = m3_add_outer(k, pi, pj, t.lam);
  return m3_scale(k, area);
}

K_FN hess3 membrane_nh_hessian(membrane_state d, membrane_element e, bool project)
{
  membrane_nh_tangent t;
  t.s = membrane_nh_stress(d, e);
  t.c = membrane_nh_inverse(d);
  t.shear = e.mu - e.lam * membrane_nh_log_area(d);
  t.lam = e.lam;
  if (project) {
    t.s = sym2_positive(t.s);
    t.shear = t.shear > 0 ? t.shear : 0;
    t.lam = t.lam > -t.shear ? t.lam : -t.shear;
  }
  t.p1 = v3_madd(v3_scale(d.f1, t.c.a), d.f2, t.c.b);
  t.p2 = v3_madd(v3_scale(d.f1, t.c.b), d.f2, t.c.c);
  vec3 n = v3_unit(v3_cross(d.f1, d.f2));
  t.plane = m3_add_outer(m3_diagonal(1, 1, 1), n, n, -1);
  return membrane_complete(membrane_nh_block(t, e.area, e.b1[0], e.b1[1], e.b1[0], e.b1[1]),
                           membrane_nh_block(t, e.area, e.b1[0], e.b1[1], e.b2[0], e.b2[1]),
                           membrane_nh_block(t, e.area, e.b2[0], e.b2[1], e.b2[0], e.b2[1]));
}

K_KERNEL(k_membrane_nh_energy, K_GLOBAL const vec3 *x, K_GLOBAL const int *v,
         K_GLOBAL const membrane_element *e, K_GLOBAL double *slot)
{
  slot[i - k0] = membrane_nh_energy(
      membrane_deform(x[v[3 * i]], x[v[3 * i + 1]], x[v[3 * i + 2]], e[i]), e[i]);
}
K_END

K_KERNEL(k_membrane_nh_gradient, K_GLOBAL const vec3 *x, K_GLOBAL const int *v,
         K_GLOBAL const membrane_element *e, K_GLOBAL grad3 *slot)
{
  membrane_state d = membrane_deform(x[v[3 * i]], x[v[3 * i + 1]], x[v[3 * i + 2]], e[i]);
  slot[i - k0] = membrane_gradient(d, e[i], membrane_nh_stress(d, e[i]));
}
K_END

K_KERNEL(k_membrane_nh_hessian, K_GLOBAL const vec3 *x, K_GLOBAL const int *v,
         K_GLOBAL const membrane_element *e, int project, K_GLOBAL hess3 *slot)
{
  membrane_state d = membrane_deform(x[v[3 * i]], x[v[3 * i + 1]], x[v[3 * i + 2]], e[i]);
  slot[i - k0] = membrane_nh_hessian(d, e[i], project != 0);
}
K_END

#endif
