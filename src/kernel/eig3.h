/* eig3.h: eigenvalues and eigenvectors of a symmetric 3x3 matrix, S = sum_k d_k v_k v_k^T, by
   cyclic Jacobi rotations (Golub and Van Loan, Matrix Computations, section 8.5), free of branches
   on reals. Values have the unit of the matrix. Turning rows p and q by an angle phi makes S_pq 0:
     theta = (S_qq - S_pp)/(2 S_pq), tan phi = sign(theta)/(|theta| + sqrt(theta^2 + 1)) */
#ifndef ABUT_KERNEL_EIG3_H
#define ABUT_KERNEL_EIG3_H

#include "kernel/vec.h"

/* [[a00, a01, a02], [., a11, a12], [., ., a22]] */
typedef struct jacobi3 {
  real d[3]; /* diagonal */
  real o[3]; /* off the diagonal: 12, 02, 01, numbered by the index left out */
  vec3 v[3]; /* rotated basis: v[k] belongs to d[k] */
} jacobi3;

/* annihilates, where active, the entry that leaves out k, between rows p < q */
K_FN jacobi3 jacobi3_rotate(jacobi3 j, int p, int q, int k, real_mask active)
{
  real apq = j.o[k], theta = (j.d[q] - j.d[p]) / (2 * apq);
  real t = K_SELECT(theta < 0, k_real(-1), k_real(1)) / (k_fabs(theta) + k_sqrt(theta * theta + 1));
  active = active & (k_fabs(apq) > 1e-17 * (k_fabs(j.d[p]) + k_fabs(j.d[q])));
  real c = 1 / k_sqrt(t * t + 1), s = t * c;
  j.d[p] = K_SELECT(active, j.d[p] - t * apq, j.d[p]);
  j.d[q] = K_SELECT(active, j.d[q] + t * apq, j.d[q]);
  j.o[k] = K_SELECT(active, k_real(0), apq);
  /* the entries that rows p and q have in column k: o[q] is (p, k), o[p] is (q, k) */
  real x = j.o[q], y = j.o[p];
  j.o[q] = K_SELECT(active, c * x - s * y, x);
  j.o[p] = K_SELECT(active, s * x + c * y, y);
  vec3 vp = j.v[p], vq = j.v[q];
  j.v[p] = v3_select(active, v3_sub(v3_scale(vp, c), v3_scale(vq, s)), vp);
  j.v[q] = v3_select(active, v3_add(v3_scale(vp, s), v3_scale(vq, c)), vq);
  return j;
}

K_FN real_mask jacobi3_unfinished(jacobi3 j)
{
  real off = k_fabs(j.o[0]) + k_fabs(j.o[1]) + k_fabs(j.o[2]);
  return off > 1e-16 * (k_fabs(j.d[0]) + k_fabs(j.d[1]) + k_fabs(j.d[2]));
}

/* eigenvalues in d, unit eigenvectors in v, in no order */
K_FN jacobi3 jacobi3_of(real d0, real d1, real d2, real o12, real o02, real o01)
{
  real one = k_real(1), zero = k_real(0);
  jacobi3 j = {{d0, d1, d2},
               {o12, o02, o01},
               {v3(one, zero, zero), v3(zero, one, zero), v3(zero, zero, one)}};
  real_mask active = jacobi3_unfinished(j);
  for (int sweep = 0; sweep < 12 && k_any(active); sweep++) {
    j = jacobi3_rotate(j, 0, 1, 2, active);
    j = jacobi3_rotate(j, 0, 2, 1, active);
    j = jacobi3_rotate(j, 1, 2, 0, active);
    active = active & jacobi3_unfinished(j);
  }
  return j;
}

#endif
