/* distance.h: second derivatives of the squared distance D = d^2, m^2, one formula for all
   features. Ours: docs/contact.md derives it; tests check it against differences and an independent
   library. With closest parameters theta, R = [r_k], r_k = dr/dtheta_k, and w_k' = dw/dtheta_k,
     hess D = 2 ( w w^T (x) I - A M^-1 A^T ),  A_k = w_k' (x) r + w (x) r_k,  M = R^T R, no unit.
   R = T U with orthonormal T = [t_a], and z_a = sum_k w_k' (U^-1)_ka, 1/m, turn this into
     hess D = 2 ( w w^T (x) (I - sum t_a t_a^T)
                  - sum_a [ D z_a z_a^T (x) n n^T + d (z_a w^T (x) n t_a^T + w z_a^T (x) t_a n^T) ]
   ). Limits: of the closest feature told by the mask; where it changes, hess D jumps. */
#ifndef ABUT_KERNEL_DISTANCE_H
#define ABUT_KERNEL_DISTANCE_H

#include "kernel/blocks.h"
#include "kernel/closest.h"

/* what the closest parameters do when the vertices move */
typedef struct distance_frame {
  int params;     /* 0, 1 or 2 free parameters */
  double z[2][4]; /* 1/m */
  vec3 t[2];      /* orthonormal, at right angles to n */
} distance_frame;

/* one parameter: its weight derivative (+1 at i, -1 at j) times sign, and r' */
typedef struct distance_param {
  double w[4];
  vec3 r;
} distance_param;

K_FN distance_param distance_make_param(int from, int to, double sign, vec3 r)
{
  distance_param q = {{0, 0, 0, 0}, r};
  q.w[from] -= sign;
  q.w[to] += sign;
  return q;
}

K_FN distance_frame distance_orthonormalize(distance_param a, distance_param b, int params)
{
  distance_frame f;
  f.params = params;
  f.t[0] = f.t[1] = v3(0, 0, 0);
  for (int k = 0; k < 4; k++) f.z[0][k] = f.z[1][k] = 0;
  if (params == 0) return f;
  double la = v3_norm(a.r);
  f.t[0] = v3_scale(a.r, 1 / la);
  for (int k = 0; k < 4; k++) f.z[0][k] = a.w[k] / la;
  if (params == 1) return f;
  double u = v3_dot(b.r, f.t[0]);
  vec3 rest = v3_madd(b.r, f.t[0], -u);
  double lb = v3_norm(rest);
  f.t[1] = v3_scale(rest, 1 / lb);
  for (int k = 0; k < 4; k++) f.z[1][k] = (b.w[k] - u * f.z[0][k]) / lb;
  return f;
}

/* point-triangle: w = (1, -b0, -b1, -b2), a parameter moves weight from one corner to another */
K_FN distance_frame distance_frame_triangle(quad x, closest c)
{
  distance_param a = distance_make_param(0, 0, 0, v3(0, 0, 0)), b = a;
  int corner[3] = {0, 0, 0}, n = 0;
  for (int k = 1; k < 4; k++)
    if (c.mask & 1 << k) corner[n++] = k;
  if (n > 1) {
    vec3 e = v3_sub(x.p[corner[1]], x.p[corner[0]]);
    a = distance_make_param(corner[0], corner[1], -1, v3_neg(e));
  }
  if (n > 2) {
    vec3 e = v3_sub(x.p[corner[2]], x.p[corner[0]]);
    b = distance_make_param(corner[0], corner[2], -1, v3_neg(e));
  }
  return distance_orthonormalize(a, b, n - 1);
}

/* edge-edge: w = (1-s, s, -(1-t), -t) */
K_FN distance_frame distance_frame_edges(quad x, closest c)
{
  distance_param a = distance_make_param(0, 0, 0, v3(0, 0, 0)), b = a;
  int params = 0;
  if ((c.mask & 3) == 3) {
    a = distance_make_param(0, 1, 1, v3_sub(x.p[1], x.p[0]));
    params = 1;
  }
  if ((c.mask & 12) == 12) {
    distance_param q = distance_make_param(2, 3, -1, v3_sub(x.p[2], x.p[3]));
    if (params)
      b = q;
    else
      a = q;
    params++;
  }
  return distance_orthonormalize(a, b, params);
}

/* -d sum_a z_a t_a for one vertex: how r turns with it, times d */
K_FN vec3 distance_turn(distance_frame f, double d, int p)
{
  return v3_madd(v3_scale(f.t[0], -d * f.z[0][p]), f.t[1], -d * f.z[1][p]);
}

/* The (p, q) block of hess D. With u_p from above and P the projection onto what is at right angles
   to the t_a: 2 ( w_p w_q P - (u_p.u_q) n n^T + w_q n u_p^T + w_p u_q n^T ). */
K_FN mat3 distance_hessian_block(closest c, distance_frame f, vec3 n, int p, int q)
{
  double wpq = 2 * c.w[p] * c.w[q], d = sqrt(c.d2);
  vec3 up = distance_turn(f, d, p), uq = distance_turn(f, d, q);
  double along = -2 * v3_dot(up, uq);
  mat3 k;
  if (f.params == 2) { /* P is n n^T */
    k = m3_zero();
    along += wpq;
  } else {
    k = m3_diagonal(wpq, wpq, wpq);
    if (f.params == 1) k = m3_add_outer(k, f.t[0], f.t[0], -wpq);
  }
  k = m3_add_outer(k, n, v3_madd(v3_scale(n, along), up, 2 * c.w[q]), 1);
  return m3_add_outer(k, uq, n, 2 * c.w[p]);
}

#endif
