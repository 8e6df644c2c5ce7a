/* friction.h: lagged friction of one contact, Li et al. 2020, Eq. 15, in joules. The load (Coulomb
   coefficient times normal force, N), the weights w and the normal n are frozen at the start of the
   step; positions in m.
     t = P sum of w_i (x_i - x0_i), m, P = I - n n^T: the slip;  y = |t|
     E = load (h(y) - h(0)), J;  grad_i E = w_i load h'(y) t/y, N
     H_ij = w_i w_j load [ (h'/y)(P - t t^T/y^2) + h'' t t^T/y^2 ], N/m
     smooth (Li et al. 2020)  h' = -y^2/eps^2 + 2 y/eps below eps, 1 above
                              h - h(0) = y^2/eps - y^3/(3 eps^2) below eps, y - eps/3 above
     root (Newton IPC,        h - h(0) = sqrt(y^2 + eps^2) - eps, h' = y/sqrt(y^2 + eps^2),
       docs/energies.md)      h'' = eps^2/(y^2 + eps^2)^(3/2)
   eps = dt times the speed below which friction is smoothed, m. Both Hessians are positive
   semidefinite as they stand. Limits: eps > 0; at y = 0, h'/y and h'' are the same limit.

   Newton's method sees a sliding contact as one without resistance along its slip: it overshoots,
   turns the slip round and starts again. Chan, Golub and Mulet (1999) met this in denoising, where
   the energy is a norm too, and linearise instead the pair (t, q) of slip and friction q = h' t/y,
   a share of the load with its own value, |q| <= 1, on the way. With q eliminated
     H_ij = w_i w_j load [ (h'/y) P - (h'/y - h'')/(2 h') (q t^T + t q^T)/y ]
   which is the Hessian when q is the friction of t, bounds the energy from above at q = 0, and is
   positive semidefinite between. */
#ifndef ABUT_KERNEL_FRICTION_H
#define ABUT_KERNEL_FRICTION_H

#include "kernel/blocks.h"
#include "kernel/closest.h"

typedef struct friction_element {
  double w[4];
  vec3 n;
  double load; /* N */
  double eps;  /* m */
} friction_element;

/* h(y) - h(0), m; h'(y)/y, 1/m; h''(y), 1/m; (h'/y - h'')/h', 1/m, without its cancellation */
typedef struct friction_law {
  double h, over, along, turn;
} friction_law;

K_FN friction_law friction_smooth(double y, double eps)
{
  friction_law f;
  if (y >= eps) {
    f.h = y - eps / 3;
    f.over = 1 / y;
    f.along = 0;
    f.turn = 1 / y;
  } else {
    double q = y / eps;
    f.h = y * q * (1 - q / 3);
    f.over = (2 - q) / eps;
    f.along = 2 * (1 - q) / eps;
    f.turn = 1 / (eps * (2 - q));
  }
  return f;
}

K_FN friction_law friction_root(double y, double eps)
{
  friction_law f;
  double s = sqrt(y * y + eps * eps);
  /* sqrt(y^2 + eps^2) - eps without its cancellation */
  f.h = y * (y / (s + eps));
  f.over = 1 / s;
  f.along = eps / s * (eps / s) / s;
  f.turn = y / s / s;
  return f;
}

K_FN friction_law friction_at(int root, double y, double eps)
{
  return root ? friction_root(y, eps) : friction_smooth(y, eps);
}

/* t */
K_FN vec3 friction_slip(quad x, quad x0, friction_element e)
{
  vec3 t = v3(0, 0, 0);
  for (int k = 0; k < 4; k++)
    if (e.w[k] != 0) t = v3_madd(t, v3_sub(x.p[k], x0.p[k]), e.w[k]);
  return v3_madd(t, e.n, -v3_dot(t, e.n));
}

K_FN double friction_energy(int root, quad x, quad x0, friction_element e)
{
  return e.load * friction_at(root, v3_norm(friction_slip(x, x0, e)), e.eps).h;
}

/* h'(y) t/y: friction against the slip, a share of the load */
K_FN vec3 friction_share(int root, quad x, quad x0, friction_element e)
{
  vec3 t = friction_slip(x, x0, e);
  return v3_scale(t, friction_at(root, v3_norm(t), e.eps).over);
}

/* load h'(y) t/y, N: against it the second side pulls the first */
K_FN vec3 friction_drag(int root, quad x, quad x0, friction_element e)
{
  return v3_scale(friction_share(root, x, x0, e), e.load);
}

K_FN grad4 friction_gradient(int root, quad x, quad x0, friction_element e)
{
  vec3 f = friction_drag(root, x, x0, e);
  grad4 g;
  for (int k = 0; k < 4; k++) g.g[k] = v3_scale(f, e.w[k]);
  return g;
}

/* H_ij is w_i w_j times this; q: |q| <= 1, friction_share for the Hessian */
K_FN mat3 friction_stiffness(int root, quad x, quad x0, vec3 q, friction_element e)
{
  vec3 t = friction_slip(x, x0, e);
  friction_law f = friction_at(root, v3_norm(t), e.eps);
  vec3 u = v3_unit(t); /* zero at zero slip, where the law is isotropic */
  mat3 k = m3_add_outer(m3_diagonal(f.over, f.over, f.over), e.n, e.n, -f.over);
  k = m3_add_outer(k, q, u, -0.5 * f.turn);
  k = m3_add_outer(k, u, q, -0.5 * f.turn);
  return m3_scale(k, e.load);
}

/* the friction that the linear system foretells for the displacement p, a share of the load; more
   than 1 cannot be */
K_FN vec3 friction_foretold(int root, quad x, quad x0, quad p, vec3 q, friction_element e)
{
  vec3 d = v3(0, 0, 0);
  for (int k = 0; k < 4; k++) d = v3_madd(d, p.p[k], e.w[k]);
  vec3 change = m3_apply(friction_stiffness(root, x, x0, q, e), d);
  return v3_madd(friction_share(root, x, x0, e), change, 1 / e.load);
}

#endif
