/* tie.h: spring between two vertices a and b, textbook; Newton IPC (docs/energies.md) ties its bag
   with it. With l = |a - b| and e = (a - b)/l, k in N/m, lengths in m:
     E = k/2 (l - L)^2, J;  grad_a E = -grad_b E = k (l - L) e, N
     H_aa = H_bb = -H_ab = k [ e e^T + (1 - L/l)(I - e e^T) ], N/m
   Limits: at l = 0 there is no direction, and gradient and Hessian are 0. A tie that is shorter
   than L is indefinite sideways: the projected Hessian has max(0, 1 - L/l). */
#ifndef ABUT_KERNEL_TIE_H
#define ABUT_KERNEL_TIE_H

#include "kernel/blocks.h"

typedef struct tie_element {
  double k, length; /* k, N/m, and L, m */
} tie_element;

/* k (l - L) e and its opposite */
K_FN grad2 tie_gradient(vec3 a, vec3 b, tie_element e)
{
  vec3 d = v3_sub(a, b);
  double l = v3_norm(d);
  grad2 r;
  r.g[0] = v3_scale(v3_unit(d), e.k * (l - e.length));
  r.g[1] = v3_neg(r.g[0]);
  return r;
}

/* side: 1 - L/l */
K_FN hess2 tie_hessian(vec3 a, vec3 b, tie_element e, bool project)
{
  vec3 d = v3_sub(a, b), n = v3_unit(d);
  double l = v3_norm(d), side = l > 0 ? 1 - e.length / l : 0;
  if (project && side < 0) side = 0;
  mat3 h = m3_diagonal(side * e.k, side * e.k, side * e.k);
  h = m3_add_outer(h, n, n, e.k * (1 - side));
  hess2 r;
  r.k[0] = r.k[2] = h;
  r.k[1] = m3_scale(h, -1);
  return r;
}

K_KERNEL(k_tie_energy, K_GLOBAL const vec3 *x, K_GLOBAL const int *v, K_GLOBAL const tie_element *e,
         K_GLOBAL double *slot)
{
  double l = v3_norm(v3_sub(x[v[2 * i]], x[v[2 * i + 1]])) - e[i].length;
  slot[i - k0] = 0.5 * e[i].k * l * l;
}
K_END

K_KERNEL(k_tie_gradient, K_GLOBAL const vec3 *x, K_GLOBAL const int *v,
         K_GLOBAL const tie_element *e, K_GLOBAL grad2 *slot)
{
  slot[i - k0] = tie_gradient(x[v[2 * i]], x[v[2 * i + 1]], e[i]);
}
K_END

K_KERNEL(k_tie_hessian, K_GLOBAL const vec3 *x, K_GLOBAL const int *v,
         K_GLOBAL const tie_element *e, int project, K_GLOBAL hess2 *slot)
{
  slot[i - k0] = tie_hessian(x[v[2 * i]], x[v[2 * i + 1]], e[i], project != 0);
}
K_END

#endif
