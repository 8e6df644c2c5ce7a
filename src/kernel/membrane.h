/* membrane.h: what all triangle membranes share: rest data, deformation, gradient and tangent from
   a stress and its derivative. Textbook: the constant-strain triangle with Green's strain and the
   second Piola-Kirchhoff stress. Newton IPC (docs/energies.md) has the same membranes.
     rest      Dm = [X1 - X0, X2 - X0] in a frame of the rest triangle (2x2, m), A = det Dm / 2, m^2
               b1, b2: rows of Dm^-1, b0 = -b1 - b2, 1/m
     strain    F = [x1 - x0, x2 - x0] [b1 b2]^T (3x2), C = F^T F, eps = (C - I)/2, no unit
     energy    E = A W(C), J; W: energy density times thickness, J/m^2
     stress    S = dW/deps, N/m
     gradient  grad_i E = A F S b_i, N
     tangent   K_ij = A [ (b_i^T S b_j) I + M_ij ], N/m; M_ij from dS/dC, one per model
   mu, lam: Lame coefficients of plane stress times thickness, N/m (energy/moduli.h). The frame has
   no influence. Limits: the rest triangle has an area. The projected tangent has the positive part
   of S in its first term. */
#ifndef ABUT_KERNEL_MEMBRANE_H
#define ABUT_KERNEL_MEMBRANE_H

#include "kernel/blocks.h"
#include "kernel/eig.h"

/* A symmetric 2x2 matrix [[a, b], [b, c]] */
typedef struct sym2 {
  double a, b, c;
} sym2;

typedef struct membrane_element {
  double b1[2], b2[2]; /* rows of the inverse rest matrix, 1/m */
  double area;         /* of the rest triangle, m^2 */
  double mu, lam;      /* Lame coefficients times thickness, N/m */
} membrane_element;

typedef struct membrane_state {
  vec3 f1, f2; /* columns of F */
  sym2 c;      /* C = F^T F */
} membrane_state;

/* Dm^-1 and A in the frame whose first axis is X1 - X0 */
K_FN membrane_element membrane_build(vec3 x0, vec3 x1, vec3 x2, double mu, double lam)
{
  vec3 e1 = v3_sub(x1, x0), e2 = v3_sub(x2, x0);
  double l1 = v3_norm(e1), area2 = v3_norm(v3_cross(e1, e2));
  /* rest frame along e1: Dm = [[l1, p], [0, h]] */
  double p = v3_dot(e1, e2) / l1, h = area2 / l1;
  membrane_element e = {{1 / l1, -p / (l1 * h)}, {0, 1 / h}, 0.5 * area2, mu, lam};
  return e;
}

/* F and C */
K_FN membrane_state membrane_deform(vec3 x0, vec3 x1, vec3 x2, membrane_element e)
{
  vec3 e1 = v3_sub(x1, x0), e2 = v3_sub(x2, x0);
  membrane_state s;
  s.f1 = v3_madd(v3_scale(e1, e.b1[0]), e2, e.b2[0]);
  s.f2 = v3_madd(v3_scale(e1, e.b1[1]), e2, e.b2[1]);
  s.c.a = v3_norm2(s.f1);
  s.c.b = v3_dot(s.f1, s.f2);
  s.c.c = v3_norm2(s.f2);
  return s;
}

/* A F S b_i */
K_FN grad3 membrane_gradient(membrane_state d, membrane_element e, sym2 s)
{
  /* columns of F S */
  vec3 p1 = v3_madd(v3_scale(d.f1, s.a), d.f2, s.b);
  vec3 p2 = v3_madd(v3_scale(d.f1, s.b), d.f2, s.c);
  grad3 r;
  r.g[1] = v3_scale(v3_madd(v3_scale(p1, e.b1[0]), p2, e.b1[1]), e.area);
  r.g[2] = v3_scale(v3_madd(v3_scale(p1, e.b2[0]), p2, e.b2[1]), e.area);
  r.g[0] = v3_neg(v3_add(r.g[1], r.g[2]));
  return r;
}

/* the positive part of S, sum of max(l_k, 0) q_k q_k^T: negative eigenvalues replaced by 0 */
K_FN sym2 sym2_positive(sym2 s)
{
  eig2 q = eig_sym2(s.a, s.b, s.c);
  double l = q.first > 0 ? q.first : 0, m = q.second > 0 ? q.second : 0;
  sym2 r = {l * q.x * q.x + m * q.y * q.y, (l - m) * q.x * q.y, l * q.y * q.y + m * q.x * q.x};
  return r;
}

/* p^T S q */
K_FN double sym2_between(sym2 s, double p0, double p1, double q0, double q1)
{
  return s.a * p0 * q0 + s.b * (p0 * q1 + p1 * q0) + s.c * p1 * q1;
}

/* The blocks of corners 1 and 2 determine the rest, K_0j = -K_1j - K_2j: moving all corners
   together costs nothing. */
K_FN hess3 membrane_complete(mat3 k11, mat3 k12, mat3 k22)
{
  hess3 h;
  h.k[3] = k11;
  h.k[4] = k12;
  h.k[5] = k22;
  mat3 k01 = m3_add(k11, m3_transpose(k12)), k02 = m3_add(k12, k22);
  h.k[1] = m3_neg(k01);
  h.k[2] = m3_neg(k02);
  h.k[0] = m3_add(m3_transpose(k01), m3_transpose(k02));
  return h;
}

#endif
