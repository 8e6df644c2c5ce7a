/* contact_ipc.h: gradient and Hessian of one ipc contact, E = kappa e(c) b(D). */
#ifndef ABUT_KERNEL_CONTACT_IPC_H
#define ABUT_KERNEL_CONTACT_IPC_H

#include "kernel/barrier_ipc.h"
#include "kernel/distance.h"
#include "kernel/eig.h"
#include "kernel/mollifier.h"

/* gradient with respect to D is b1: grad E = b1 2 d w_i n (+ the mollifier's part) */
K_FN grad4 contact_ipc_gradient(closest c, vec3 n, double d, double b1)
{
  grad4 g;
  for (int k = 0; k < 4; k++) g.g[k] = v3_scale(n, 2 * d * b1 * c.w[k]);
  return g;
}

/* exact Hessian b2 grad D grad D^T + b1 hess D, not projected */
K_FN hess4 contact_ipc_exact(closest c, distance_frame f, vec3 n, double d, barrier b)
{
  hess4 h;
  int m = 0;
  for (int p = 0; p < 4; p++)
    for (int q = p; q < 4; q++, m++) {
      mat3 k = m3_scale(distance_hessian_block(c, f, n, p, q), b.b1);
      h.k[m] = m3_add_outer(k, n, n, 4 * d * d * b.b2 * c.w[p] * c.w[q]);
    }
  return h;
}

/* orthonormal coordinates of w, z_1, z_2 in R^4: row k of q are the basis vectors */
typedef struct weight_basis {
  double q[3][4];
  double w;       /* |w|, first coordinate of w */
  double z[2][3]; /* coordinates of z_a */
} weight_basis;

K_FN weight_basis weight_basis_of(closest c, distance_frame f)
{
  weight_basis b;
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 4; k++) b.q[i][k] = i == 0 ? c.w[k] : i <= f.params ? f.z[i - 1][k] : 0;
  double length[3], dot[3][3];
  for (int i = 0; i < 3; i++) {
    double before = 0, after = 0;
    for (int k = 0; k < 4; k++) before += b.q[i][k] * b.q[i][k];
    for (int j = 0; j < i; j++) {
      double s = 0;
      for (int k = 0; k < 4; k++) s += b.q[i][k] * b.q[j][k];
      for (int k = 0; k < 4; k++) b.q[i][k] -= s * b.q[j][k];
      dot[i][j] = s;
    }
    for (int k = 0; k < 4; k++) after += b.q[i][k] * b.q[i][k];
    /* what is left of a dependent vector is noise */
    length[i] = after > 1e-24 * before ? sqrt(after) : 0;
    for (int k = 0; k < 4; k++) b.q[i][k] = length[i] > 0 ? b.q[i][k] / length[i] : 0;
  }
  b.w = length[0];
  b.z[0][0] = f.params > 0 ? dot[1][0] : 0;
  b.z[0][1] = length[1];
  b.z[0][2] = 0;
  b.z[1][0] = f.params > 1 ? dot[2][0] : 0;
  b.z[1][1] = f.params > 1 ? dot[2][1] : 0;
  b.z[1][2] = length[2];
  return b;
}

/* an eigenvector of the contact block, as one vector per vertex */
typedef struct contact_mode {
  vec3 v[4];
} contact_mode;

K_FN contact_mode contact_ipc_mode(weight_basis b, distance_frame f, vec3 n, eig5 e, int k)
{
  contact_mode m;
  vec3 across = v3_madd(v3_scale(f.t[0], e.vector[k][3]), f.t[1], e.vector[k][4]);
  for (int p = 0; p < 4; p++) {
    double normal =
        e.vector[k][0] * b.q[0][p] + e.vector[k][1] * b.q[1][p] + e.vector[k][2] * b.q[2][p];
    m.v[p] = v3_madd(v3_scale(n, normal), across, b.q[0][p]);
  }
  return m;
}

/* The nearest positive semidefinite matrix to the exact Hessian, without a 12x12 eigenproblem:
   since b1 <= 0 the part w w^T (x) (directions free of n and t_a) is negative and drops out, and
   all else lives in the span of w (x) n, z_a (x) n, w (x) t_a, where it is [ alpha w w^T + gamma D
   sum z_a z_a^T ,  gamma d z_a w^T ; sym , 0 ], alpha = 4 D b2 + 2 b1, gamma = -2 b1: a 5x5
   eigenproblem in orthonormal coordinates. */
K_FN hess4 contact_ipc_projected(closest c, distance_frame f, vec3 n, double d, barrier b)
{
  hess4 h;
  double alpha = 4 * d * d * b.b2 + 2 * b.b1, gamma = -2 * b.b1;
  if (f.params == 0) {
    double l = alpha > 0 ? alpha : 0;
    int m = 0;
    for (int p = 0; p < 4; p++)
      for (int q = p; q < 4; q++, m++) h.k[m] = m3_scale(m3_outer(n, n), l * c.w[p] * c.w[q]);
    return h;
  }
  weight_basis w = weight_basis_of(c, f);
  sym5 s;
  for (int i = 0; i < 5; i++)
    for (int j = 0; j < 5; j++) s.a[i][j] = 0;
  for (int a = 0; a < f.params; a++)
    for (int i = 0; i < 3; i++) {
      for (int j = 0; j < 3; j++) s.a[i][j] += gamma * d * d * w.z[a][i] * w.z[a][j];
      s.a[i][3 + a] = s.a[3 + a][i] = gamma * d * w.w * w.z[a][i];
    }
  s.a[0][0] += alpha * w.w * w.w;
  eig5 e = eig_sym5(s);
  contact_mode mode[5];
  int modes = 0;
  double value[5];
  for (int k = 0; k < 5; k++)
    if (e.value[k] > 0) {
      value[modes] = e.value[k];
      mode[modes++] = contact_ipc_mode(w, f, n, e, k);
    }
  int m = 0;
  for (int p = 0; p < 4; p++)
    for (int q = p; q < 4; q++, m++) {
      mat3 k = m3_zero();
      for (int i = 0; i < modes; i++) k = m3_add_outer(k, mode[i].v[p], mode[i].v[q], value[i]);
      h.k[m] = k;
    }
  return h;
}

K_FN mat3 hess4_block(hess4 h, int p, int q)
{
  int i = p < q ? p : q, j = p < q ? q : p, m = i * 4 - i * (i - 1) / 2 + (j - i);
  return p <= q ? h.k[m] : m3_transpose(h.k[m]);
}

/* negative eigenvalues of any 12x12 Hessian set to 0; for the few pairs that have no better way */
K_FN hess4 hess4_project(hess4 h)
{
  sym12 s;
  for (int p = 0; p < 4; p++)
    for (int q = 0; q < 4; q++) {
      mat3 k = hess4_block(h, p, q);
      for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) s.a[3 * p + i][3 * q + j] = k.m[3 * i + j];
    }
  eig12 e = eig_sym12(s);
  for (int k = 0; k < 10; k++) h.k[k] = m3_zero();
  for (int k = 0; k < 12; k++) {
    if (!(e.value[k] > 0)) continue;
    int m = 0;
    for (int p = 0; p < 4; p++)
      for (int q = p; q < 4; q++, m++) {
        vec3 a = v3(e.vector[k][3 * p], e.vector[k][3 * p + 1], e.vector[k][3 * p + 2]);
        vec3 b = v3(e.vector[k][3 * q], e.vector[k][3 * q + 1], e.vector[k][3 * q + 2]);
        h.k[m] = m3_add_outer(h.k[m], a, b, e.value[k]);
      }
  }
  return h;
}

/* E = e(c) b(D): e' b grad c + e b1 grad D */
K_FN grad4 contact_ipc_mollified_gradient(quad x, closest c, vec3 n, double d, barrier b,
                                          mollifier m)
{
  grad4 g = mollifier_gradient(x);
  for (int k = 0; k < 4; k++)
    g.g[k] = v3_madd(v3_scale(g.g[k], m.e1 * b.b), n, 2 * d * b.b1 * m.e * c.w[k]);
  return g;
}

/* e' b hess c + e'' b cc^T + e' b1 (c g^T + g c^T) + e (b2 g g^T + b1 hess D) */
K_FN hess4 contact_ipc_mollified_exact(quad x, closest c, distance_frame f, vec3 n, double d,
                                       barrier b, mollifier m)
{
  hess4 hc = mollifier_hessian(x), h;
  grad4 gc = mollifier_gradient(x);
  /* at exactly parallel edges hess D is unbounded but e vanishes faster */
  if (m.e > 0 && !c.parallel)
    h = contact_ipc_exact(c, f, n, d, b);
  else
    for (int k = 0; k < 10; k++) h.k[k] = m3_zero();
  int k = 0;
  for (int p = 0; p < 4; p++)
    for (int q = p; q < 4; q++, k++) {
      vec3 gp = v3_scale(n, 2 * d * c.w[p]), gq = v3_scale(n, 2 * d * c.w[q]);
      mat3 r = m3_madd(m3_scale(h.k[k], m.e), hc.k[k], m.e1 * b.b);
      r = m3_add_outer(r, gc.g[p], gc.g[q], m.e2 * b.b);
      r = m3_add_outer(r, gc.g[p], gq, m.e1 * b.b1);
      h.k[k] = m3_add_outer(r, gp, gc.g[q], m.e1 * b.b1);
    }
  return h;
}

#endif
