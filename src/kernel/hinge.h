/* hinge.h: bending at an edge c-d between triangles with opposite vertices a and b. Energy, angle
   and the rank-one Hessian are those of Newton IPC (docs/energies.md), the derivatives of the angle
   are textbook geometry. Positions in m, angles in rad:
     n1 = (c - a) x (d - a), n2 = (d - b) x (c - b), m^2;  e = d - c, L = |e|, m
     theta = atan2((n1^ x n2^).e^, n1^.n2^), ^ for unit vectors: 0 when flat, negative when a and b
       rise towards the side to which n1 and n2 point
     E = k/2 w^2, J;  w = theta - theta0;  k in J, from thickness and moduli in energy/hinge.c
     q1 = n1/|n1|^2, q2 = n2/|n2|^2, 1/m^2
     grad_a theta = -L q1, grad_b theta = -L q2, 1/m
     grad_c theta = -[(a - d).e/L] q1 - [(b - d).e/L] q2
     grad_d theta = +[(a - c).e/L] q1 + [(b - c).e/L] q2
     grad E = k w grad theta, N;  H = k grad theta grad theta^T, N/m
   H is the Gauss-Newton part: k w times the second derivative of theta, which may be indefinite, is
   left out. Of all representatives theta + 2 pi m the one nearest to a reference is taken. The
   reference is the angle at the last accepted iterate (followed: ours), or theta0 (wrapped: Newton
   IPC). Limits: both triangles have an area; a followed angle needs steps in which no triangle
   turns by 90 degrees. */
#ifndef ABUT_KERNEL_HINGE_H
#define ABUT_KERNEL_HINGE_H

#include "kernel/blocks.h"

typedef struct hinge_element {
  double k;    /* J */
  double rest; /* rad */
  int wrap;    /* 1: the angle nearest to rest; 0: nearest to the followed reference */
  int unused;  /* keeps the size the same on every device */
} hinge_element;

/* theta in (-pi, pi] */
K_FN double hinge_angle(vec3 a, vec3 b, vec3 c, vec3 d)
{
  vec3 n1 = v3_cross(v3_sub(c, a), v3_sub(d, a)), n2 = v3_cross(v3_sub(d, b), v3_sub(c, b));
  vec3 e = v3_sub(d, c);
  /* both arguments carry the factor |n1| |n2|, which atan2 does not mind */
  return atan2(v3_dot(v3_cross(n1, n2), e) / v3_norm(e), v3_dot(n1, n2));
}

/* the representative of an angle nearest to a reference, both in rad */
K_FN double hinge_near(double angle, double reference)
{
  return angle + 2 * K_PI * round((reference - angle) / (2 * K_PI));
}

/* grad theta, 1/m, in the order a b c d */
K_FN grad4 hinge_angle_gradient(vec3 a, vec3 b, vec3 c, vec3 d)
{
  vec3 ca = v3_sub(c, a), da = v3_sub(d, a), cb = v3_sub(c, b), db = v3_sub(d, b);
  vec3 n1 = v3_cross(ca, da), n2 = v3_cross(db, cb), e = v3_sub(d, c);
  double length = v3_norm(e);
  vec3 q1 = v3_scale(n1, 1 / v3_norm2(n1)), q2 = v3_scale(n2, 1 / v3_norm2(n2));
  grad4 r;
  r.g[0] = v3_scale(q1, -length);
  r.g[1] = v3_scale(q2, -length);
  r.g[2] = v3_add(v3_scale(q1, v3_dot(da, e) / length), v3_scale(q2, v3_dot(db, e) / length));
  r.g[3] =
      v3_neg(v3_add(v3_scale(q1, v3_dot(ca, e) / length), v3_scale(q2, v3_dot(cb, e) / length)));
  return r;
}

/* w, the angle away from rest */
K_FN double hinge_bend(vec3 a, vec3 b, vec3 c, vec3 d, hinge_element h, double reference)
{
  return hinge_near(hinge_angle(a, b, c, d), h.wrap ? h.rest : reference) - h.rest;
}

/* k w grad theta */
K_FN grad4 hinge_gradient(vec3 a, vec3 b, vec3 c, vec3 d, hinge_element h, double reference)
{
  grad4 r = hinge_angle_gradient(a, b, c, d);
  double moment = h.k * hinge_bend(a, b, c, d, h, reference);
  for (int k = 0; k < 4; k++) r.g[k] = v3_scale(r.g[k], moment);
  return r;
}

/* k grad theta grad theta^T */
K_FN hess4 hinge_hessian(vec3 a, vec3 b, vec3 c, vec3 d, hinge_element h)
{
  grad4 r = hinge_angle_gradient(a, b, c, d);
  hess4 k;
  int n = 0;
  for (int p = 0; p < 4; p++) {
    vec3 kp = v3_scale(r.g[p], h.k);
    for (int q = p; q < 4; q++) k.k[n++] = m3_outer(kp, r.g[q]);
  }
  return k;
}

/* largest alpha = 1, 1/2, 1/4 .. for which the triangle does not turn by 90 degrees or more between
   its ends, n(x).n(x + alpha p) > 0 with n = (x1 - x0) x (x2 - x0); p: displacements, m */
K_FN double hinge_face_bound(vec3 x0, vec3 x1, vec3 x2, vec3 p0, vec3 p1, vec3 p2)
{
  vec3 e1 = v3_sub(x1, x0), e2 = v3_sub(x2, x0), d1 = v3_sub(p1, p0), d2 = v3_sub(p2, p0);
  vec3 n = v3_cross(e1, e2);
  double alpha = 1;
  for (int k = 0; k < 60; k++, alpha *= 0.5)
    if (v3_dot(n, v3_cross(v3_madd(e1, d1, alpha), v3_madd(e2, d2, alpha))) > 0) break;
  return alpha;
}

K_KERNEL(k_hinge_energy, K_GLOBAL const vec3 *x, K_GLOBAL const int *v,
         K_GLOBAL const hinge_element *h, K_GLOBAL const double *reference, K_GLOBAL double *slot)
{
  double w = hinge_bend(x[v[4 * i]], x[v[4 * i + 1]], x[v[4 * i + 2]], x[v[4 * i + 3]], h[i],
                        reference[i]);
  slot[i - k0] = 0.5 * h[i].k * w * w;
}
K_END

K_KERNEL(k_hinge_gradient, K_GLOBAL const vec3 *x, K_GLOBAL const int *v,
         K_GLOBAL const hinge_element *h, K_GLOBAL const double *reference, K_GLOBAL grad4 *slot)
{
  slot[i - k0] = hinge_gradient(x[v[4 * i]], x[v[4 * i + 1]], x[v[4 * i + 2]], x[v[4 * i + 3]],
                                h[i], reference[i]);
}
K_END

K_KERNEL(k_hinge_hessian, K_GLOBAL const vec3 *x, K_GLOBAL const int *v,
         K_GLOBAL const hinge_element *h, K_GLOBAL hess4 *slot)
{
  slot[i - k0] =
      hinge_hessian(x[v[4 * i]], x[v[4 * i + 1]], x[v[4 * i + 2]], x[v[4 * i + 3]], h[i]);
}
K_END

/* brings the followed angle up to x */
K_KERNEL(k_hinge_follow, K_GLOBAL const vec3 *x, K_GLOBAL const int *v, K_GLOBAL double *reference)
{
  reference[i] = hinge_near(
      hinge_angle(x[v[4 * i]], x[v[4 * i + 1]], x[v[4 * i + 2]], x[v[4 * i + 3]]), reference[i]);
}
K_END

#endif
