/* solid.h: what all tetrahedral solids share: rest data, deformation gradient, and the blocks of
   the Hessian from the eigenvalues of d2W/dF2. Textbook linear tetrahedra; the eigenvalues are
   those of Smith, de Goes, Kim 2019, the assembly of blocks is Zheng, Luo, Li 2026, arXiv
   2512.12151, Eq. 19 (docs/energies.md has the titles). W: energy density, Pa; positions in m.
     F = [x1 - x0, x2 - x0, x3 - x0] G, G = [X1 - X0, X2 - X0, X3 - X0]^-1, 1/m
     rows of G: the shape gradients a_1..a_3, a_0 = -a_1 - a_2 - a_3;  Vol = 1/(6 det G), m^3
     E = Vol W(F), J;  grad_a E = Vol P a_a, N;  P = dW/dF, Pa
     F = U diag(s) V^T with det U = det V = 1 (svd3.h), J = det F = s_0 s_1 s_2
     psi_i = dW/ds_i, A_ij = d2W/ds_i ds_j (the scaling block), Pa
     t_ij = (psi_i + psi_j)/(s_i + s_j) (twist), f_ij = (psi_i - psi_j)/(s_i - s_j) (flip), Pa
     H_ab = Vol U [ A o B + sum over i < j of (t_ij + f_ij)/2 (B_jj E_ii + B_ii E_jj)
                    + (f_ij - t_ij)/2 (B_ji E_ij + B_ij E_ji) ] U^T, N/m
   with b_a = V^T a_a, B = b_a b_b^T, o the product entry by entry, E_ij = e_i e_j^T. Each model
   gives A, t and f in closed form. Limits: the rest tetrahedron has a positive volume. */
#ifndef ABUT_KERNEL_SOLID_H
#define ABUT_KERNEL_SOLID_H

#include "kernel/blocks.h"
#include "kernel/eig3.h"
#include "kernel/svd3.h"

typedef struct solid_element {
  mat3 g;       /* inverse of the rest edge matrix, 1/m */
  real volume;  /* m^3 */
  real mu, lam; /* Pa */
} solid_element;

/* A, t and f: second derivative of the energy density at given singular values */
typedef struct solid_spectrum {
  real a[3][3];           /* scaling block, Pa */
  real twist[3], flip[3]; /* of the pair that leaves out index k: (1,2), (0,2), (0,1) */
} solid_spectrum;

/* G and Vol */
K_FN solid_element solid_build(vec3 x0, vec3 x1, vec3 x2, vec3 x3, real mu, real lam)
{
  mat3 d = m3_columns(v3_sub(x1, x0), v3_sub(x2, x0), v3_sub(x3, x0));
  real det = m3_det(d);
  solid_element e = {m3_scale(m3_transpose(m3_cofactor(d)), 1 / det), det / 6, mu, lam};
  return e;
}

K_FN mat3 solid_edges(vec3 x0, vec3 x1, vec3 x2, vec3 x3)
{
  return m3_columns(v3_sub(x1, x0), v3_sub(x2, x0), v3_sub(x3, x0));
}

/* F */
K_FN mat3 solid_deform(vec3 x0, vec3 x1, vec3 x2, vec3 x3, solid_element e)
{
  return m3_mul(solid_edges(x0, x1, x2, x3), e.g);
}

/* nodal gradient from the first Piola-Kirchhoff stress P: columns of Vol P G^T */
K_FN grad4 solid_gradient(mat3 p, solid_element e)
{
  mat3 h = m3_scale(m3_mul(p, m3_transpose(e.g)), e.volume);
  grad4 r;
  r.g[1] = m3_column(h, 0);
  r.g[2] = m3_column(h, 1);
  r.g[3] = m3_column(h, 2);
  r.g[0] = v3_neg(v3_add(v3_add(r.g[1], r.g[2]), r.g[3]));
  return r;
}

/* negative eigenvalues set to 0: the nearest positive semidefinite second derivative */
K_FN solid_spectrum solid_project(solid_spectrum q)
{
  real zero = k_real(0);
  for (int k = 0; k < 3; k++) {
    q.twist[k] = K_SELECT(q.twist[k] > 0, q.twist[k], zero);
    q.flip[k] = K_SELECT(q.flip[k] > 0, q.flip[k], zero);
  }
  /* leading minors: most scaling blocks are definite as they are */
  real m2 = q.a[0][0] * q.a[1][1] - q.a[0][1] * q.a[0][1];
  real c0 = q.a[1][1] * q.a[2][2] - q.a[1][2] * q.a[1][2];
  real c1 = q.a[0][1] * q.a[2][2] - q.a[1][2] * q.a[0][2];
  real c2 = q.a[0][1] * q.a[1][2] - q.a[1][1] * q.a[0][2];
  real m3 = q.a[0][0] * c0 - q.a[0][1] * c1 + q.a[0][2] * c2;
  real_mask indefinite = (q.a[0][0] <= 0) | (m2 <= 0) | (m3 <= 0);
  if (!k_any(indefinite)) return q;
  jacobi3 e = jacobi3_of(q.a[0][0], q.a[1][1], q.a[2][2], q.a[1][2], q.a[0][2], q.a[0][1]);
  mat3 sum = m3_zero();
  for (int k = 0; k < 3; k++)
    sum = m3_add_outer(sum, e.v[k], e.v[k], K_SELECT(e.d[k] > 0, e.d[k], zero));
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) q.a[i][j] = K_SELECT(indefinite, sum.m[3 * i + j], q.a[i][j]);
  return q;
}

/* one block H_ab in the frame of the singular vectors: what stands between U and U^T */
K_FN mat3 solid_block(solid_spectrum q, vec3 ba, vec3 bb)
{
  mat3 b = m3_outer(ba, bb), r;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) r.m[3 * i + j] = q.a[i][j] * b.m[3 * i + j];
  for (int k = 0; k < 3; k++) {
    int i = k == 0 ? 1 : 0, j = k == 2 ? 1 : 2;
    real sum = 0.5 * (q.twist[k] + q.flip[k]), apart = 0.5 * (q.flip[k] - q.twist[k]);
    r.m[4 * i] += sum * b.m[4 * j];
    r.m[4 * j] += sum * b.m[4 * i];
    r.m[3 * i + j] += apart * b.m[3 * j + i];
    r.m[3 * j + i] += apart * b.m[3 * i + j];
  }
  return r;
}

/* U K U^T */
K_FN mat3 solid_turn(mat3 u, mat3 k)
{
  return m3_mul(m3_mul(u, k), m3_transpose(u));
}

/* all H_ab */
K_FN hess4 solid_hessian(solid_spectrum q, svd3 f, solid_element e)
{
  /* rows of G V Vol^(1/2) are the b_a */
  mat3 b = m3_scale(m3_mul(e.g, f.v), k_sqrt(e.volume));
  vec3 b1 = v3(b.m[0], b.m[1], b.m[2]), b2 = v3(b.m[3], b.m[4], b.m[5]);
  vec3 b3 = v3(b.m[6], b.m[7], b.m[8]);
  hess4 h;
  h.k[4] = solid_turn(f.u, solid_block(q, b1, b1));
  h.k[5] = solid_turn(f.u, solid_block(q, b1, b2));
  h.k[6] = solid_turn(f.u, solid_block(q, b1, b3));
  h.k[7] = solid_turn(f.u, solid_block(q, b2, b2));
  h.k[8] = solid_turn(f.u, solid_block(q, b2, b3));
  h.k[9] = solid_turn(f.u, solid_block(q, b3, b3));
  /* moving all four corners together costs nothing: row 0 is minus the sum of the others */
  mat3 s1 = m3_add(m3_add(h.k[4], m3_transpose(h.k[5])), m3_transpose(h.k[6]));
  mat3 s2 = m3_add(m3_add(h.k[5], h.k[7]), m3_transpose(h.k[8]));
  mat3 s3 = m3_add(m3_add(h.k[6], h.k[8]), h.k[9]);
  h.k[1] = m3_neg(s1);
  h.k[2] = m3_neg(s2);
  h.k[3] = m3_neg(s3);
  h.k[0] = m3_add(m3_add(m3_transpose(s1), m3_transpose(s2)), m3_transpose(s3));
  return h;
}

#if !defined(K_LANES)
/* Value at t of c0 + c1 t + c2 t^2 + c3 t^3 */
K_FN double solid_cubic(double c0, double c1, double c2, double c3, double t)
{
  return c0 + t * (c1 + t * (c2 + t * c3));
}

/* Largest alpha in (0, 1] that keeps det(D + alpha P) positive with a tenth to spare: 1, or 0.9
   times the smallest root below 1/0.9 of (textbook)
     det(D + t P) = det D + t cof D : P + t^2 cof P : D + t^3 det P, m^3
   D: edge matrix now, P: its displacement, m. */
K_FN double solid_inversion_bound(mat3 d, mat3 p)
{
  mat3 cd = m3_cofactor(d), cp = m3_cofactor(p);
  double c0 = m3_dot(cd, d) / 3, c1 = m3_dot(cd, p), c2 = m3_dot(cp, d), c3 = m3_dot(cp, p) / 3;
  const double end = 1 / 0.9;
  if (c0 > end * (fabs(c1) + end * (fabs(c2) + end * fabs(c3)))) return 1;
  /* the cubic is monotone between 0, its turning points inside (0, end), and end */
  double cut[4] = {0, end, end, end};
  int cuts = 1;
  double disc = c2 * c2 - 3 * c1 * c3;
  if (disc > 0) {
    double w = -(c2 + (c2 < 0 ? -1 : 1) * sqrt(disc));
    double t1 = c3 != 0 ? w / (3 * c3) : end, t2 = w != 0 ? c1 / w : end;
    double low = t1 < t2 ? t1 : t2, high = t1 < t2 ? t2 : t1;
    if (low > 0 && low < end) cut[cuts++] = low;
    if (high > 0 && high < end) cut[cuts++] = high;
  }
  cut[cuts] = end;
  for (int k = 0; k < cuts; k++) {
    double low = cut[k], high = cut[k + 1];
    if (solid_cubic(c0, c1, c2, c3, high) > 0) continue;
    for (int n = 0; n < 60; n++) {
      double mid = 0.5 * (low + high);
      if (solid_cubic(c0, c1, c2, c3, mid) > 0)
        low = mid;
      else
        high = mid;
    }
    return 0.9 * low < 1 ? 0.9 * low : 1;
  }
  return 1;
}
#endif

#endif
