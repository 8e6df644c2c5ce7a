/* contact_ipc.h: gradient and Hessian of one ipc contact, E = kappa e(c) b(D), J (Li et al. 2020).
   The barrier handed in is already multiplied by kappa: b in J, b1 in J/m^2, b2 in J/m^4.
   w: weights of the closest points; n: unit normal; d: distance, m, D = d^2; e and c: mollifier.h,
   e = 1 for all but nearly parallel edges.
     grad_i D = 2 d w_i n, m;  grad_i E = e b1 grad_i D + e' b grad_i c, N
     hess E = e (b2 grad D grad D^T + b1 hess D) + e' b hess c + e'' b grad c grad c^T
              + e' b1 (grad c grad D^T + grad D grad c^T), N/m
   Product and chain rule; hess D: distance.h. The projections onto the positive semidefinite
   matrices are ours, see docs/contact.md. Limits: 0 < D - xi^2, that is b finite. */
#ifndef ABUT_KERNEL_CONTACT_IPC_H
#define ABUT_KERNEL_CONTACT_IPC_H

#include "kernel/barrier_ipc.h"
#include "kernel/distance.h"
#include "kernel/eig.h"
#include "kernel/mollifier.h"

/* e = 1: grad_i E = b1 2 d w_i n */
K_FN grad4 contact_ipc_gradient(closest c, vec3 n, double d, double b1)
{
  grad4 g;
  for (int k = 0; k < 4; k++) g.g[k] = v3_scale(n, 2 * d * b1 * c.w[k]);
  return g;
}

/* e = 1: the exact Hessian b2 grad D grad D^T + b1 hess D, not projected */
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

/* The exact Hessian without its part w w^T (x) (directions free of n and t_a), which is negative
   since b1 <= 0. In units of gamma |w|^2, gamma = -2 b1, with e0 = w/|w|, A = [z_a] d/|w| and
   a = (4 D b2 + 2 b1)/gamma > 0 it is, on the weights of n and of the t_a,
     S = [ a e0 e0^T + A A^T ,  A ; A^T , 0 ].
   An eigenvalue -mu < 0 has a part y along the t_a with mu^2 y = (1 - mu) N y, N = Q + theta P,
   theta = mu/(mu + a), P = A^T e0 e0^T A, Q = A^T A - P: 2x2, so there are two of them, and each mu
   solves a scalar equation. docs/contact.md derives it. */
typedef struct contact_block {
  double a, w, scale; /* w = |w|, scale = d/|w| */
  double a0[2];       /* A^T e0 */
  double p[3], q[3];  /* P and Q: 00, 01, 11 */
} contact_block;

K_FN contact_block contact_block_of(closest c, distance_frame f, double d, double a)
{
  double ww = 0, zw[2] = {0, 0}, zz[3] = {0, 0, 0};
  for (int k = 0; k < 4; k++) {
    ww += c.w[k] * c.w[k];
    zw[0] += f.z[0][k] * c.w[k];
    zw[1] += f.z[1][k] * c.w[k];
    zz[0] += f.z[0][k] * f.z[0][k];
    zz[1] += f.z[0][k] * f.z[1][k];
    zz[2] += f.z[1][k] * f.z[1][k];
  }
  contact_block s;
  s.a = a;
  s.w = sqrt(ww);
  s.scale = d / s.w;
  for (int k = 0; k < 2; k++) s.a0[k] = d * zw[k] / ww;
  for (int k = 0; k < 3; k++) {
    s.p[k] = s.a0[k > 1] * s.a0[k > 0];
    s.q[k] = s.scale * s.scale * zz[k] - s.p[k];
  }
  return s;
}

/* both eigenvalues of N for one theta, larger first, and their derivatives by theta */
typedef struct contact_pencil {
  double nu[2], slope[2];
} contact_pencil;

K_FN contact_pencil contact_pencil_at(contact_block s, double theta)
{
  double n0 = s.q[0] + theta * s.p[0], n1 = s.q[1] + theta * s.p[1], n2 = s.q[2] + theta * s.p[2];
  double apart = 0.5 * (n0 - n2), r = sqrt(apart * apart + n1 * n1);
  double even = 0.5 * (s.p[0] + s.p[2]);
  double odd = r > 0 ? (0.5 * apart * (s.p[0] - s.p[2]) + n1 * s.p[1]) / r : 0;
  contact_pencil e;
  e.nu[0] = 0.5 * (n0 + n2) + r;
  e.nu[1] = e.nu[0] > 0 ? (n0 * n2 - n1 * n1) / e.nu[0] : 0;
  e.slope[0] = even + odd;
  e.slope[1] = even - odd;
  return e;
}

/* the root mu in [0, 1) of mu^2 = (1 - mu) nu */
K_FN double contact_root(double nu)
{
  return nu > 0 ? 2 * nu / (nu + sqrt(nu * (nu + 4))) : 0;
}

/* the solutions for the larger and the smaller eigenvalue of N, and those eigenvalues */
typedef struct contact_roots {
  double mu[2], nu[2];
} contact_roots;

/* mu -> root(nu(theta(mu))) increases, so repeating it falls to the solution from theta(1);
   Newton's steps fall faster. Both at once: each waits for its own square roots. */
K_FN contact_roots contact_solve(contact_block s)
{
  contact_roots r;
  contact_pencil start = contact_pencil_at(s, 1 / (1 + s.a));
  for (int i = 0; i < 2; i++) r.mu[i] = contact_root(start.nu[i]);
  for (int k = 0; k < 30; k++) {
    bool done = true;
    for (int i = 0; i < 2; i++) {
      double mu = r.mu[i], theta = mu / (mu + s.a);
      contact_pencil e = contact_pencil_at(s, theta);
      double nu = e.nu[i], next = contact_root(nu);
      r.nu[i] = nu;
      if (!(next > 0)) {
        r.mu[i] = 0;
        continue;
      }
      /* root' = (1 - root) / (2 root + nu), theta' = (1 - theta)^2 / a */
      double fall = (1 - theta) * (1 - theta) * (1 - next) / (s.a * (2 * next + nu)) * e.slope[i];
      double newton = mu - (mu - next) / (1 - fall);
      r.mu[i] = fall < 1 && newton > 0 && newton < 1 ? newton : next;
      done = done && fabs(r.mu[i] - mu) <= 1e-15 * mu;
    }
    if (done) break;
  }
  return r;
}

/* an eigenvector of S: x on the weights of n, y on the t_a (there times -e0); unit length */
typedef struct contact_mode {
  double mu, x[4], y[2];
} contact_mode;

/* the factors of A y and of e0 e0^T A y in x = (mu/nu) (A + (theta - 1) e0 e0^T A) y */
typedef struct contact_lift {
  double all, along;
} contact_lift;

K_FN contact_lift contact_lift_at(contact_block s, double mu, double nu)
{
  contact_lift l = {mu / nu, -(mu / nu) * s.a / (mu + s.a)};
  return l;
}

K_FN contact_mode contact_mode_of(closest c, distance_frame f, contact_block s, double mu,
                                  contact_lift l, double y0, double y1)
{
  double all = l.all * s.scale, along = l.along * (s.a0[0] * y0 + s.a0[1] * y1) / s.w;
  double length = y0 * y0 + y1 * y1;
  contact_mode m;
  for (int k = 0; k < 4; k++) {
    m.x[k] = all * (f.z[0][k] * y0 + f.z[1][k] * y1) + along * c.w[k];
    length += m.x[k] * m.x[k];
  }
  length = 1 / sqrt(length);
  for (int k = 0; k < 4; k++) m.x[k] *= length;
  m.mu = mu;
  m.y[0] = y0 * length;
  m.y[1] = y1 * length;
  return m;
}

/* the modes of S with negative eigenvalues */
typedef struct contact_modes {
  int count;
  contact_mode mode[2];
} contact_modes;

K_FN contact_modes contact_negative_modes(closest c, distance_frame f, contact_block s)
{
  contact_modes r;
  r.count = 0;
  contact_roots root = contact_solve(s);
  double mu = root.mu[0], theta = mu / (mu + s.a);
  if (!(mu > 0)) return r;
  eig2 y = eig_sym2(s.q[0] + theta * s.p[0], s.q[1] + theta * s.p[1], s.q[2] + theta * s.p[2]);
  contact_mode first = contact_mode_of(c, f, s, mu, contact_lift_at(s, mu, root.nu[0]), y.x, y.y);
  r.mode[r.count++] = first;
  mu = root.mu[1];
  if (f.params < 2 || !(mu > 0)) return r;
  /* the other y from being at right angles to the first mode: that holds for equal mu too */
  contact_lift l = contact_lift_at(s, mu, root.nu[1]);
  double along = 0, zx[2] = {0, 0};
  for (int k = 0; k < 4; k++) {
    along += c.w[k] * first.x[k];
    zx[0] += f.z[0][k] * first.x[k];
    zx[1] += f.z[1][k] * first.x[k];
  }
  double m0 = l.all * s.scale * zx[0] + l.along * s.a0[0] * along / s.w + first.y[0];
  double m1 = l.all * s.scale * zx[1] + l.along * s.a0[1] * along / s.w + first.y[1];
  r.mode[r.count++] = contact_mode_of(c, f, s, mu, l, -m1, m0);
  return r;
}

/* The nearest positive semidefinite matrix to the exact Hessian: S with its negative modes taken
   out, without a 12x12 eigenproblem. */
K_FN hess4 contact_ipc_projected(closest c, distance_frame f, vec3 n, double d, barrier b)
{
  double alpha = 4 * d * d * b.b2 + 2 * b.b1, gamma = -2 * b.b1;
  contact_modes modes;
  modes.count = 0;
  vec3 v[2][4];
  if (alpha < 0) alpha = 0;
  if (gamma > 0 && f.params > 0) {
    contact_block s = contact_block_of(c, f, d, alpha / gamma);
    modes = contact_negative_modes(c, f, s);
    for (int i = 0; i < modes.count; i++) {
      contact_mode m = modes.mode[i];
      vec3 y = v3_madd(v3_scale(f.t[0], m.y[0]), f.t[1], m.y[1]);
      for (int p = 0; p < 4; p++) v[i][p] = v3_madd(v3_scale(n, m.x[p]), y, -c.w[p] / s.w);
      modes.mode[i].mu *= gamma * s.w * s.w;
    }
  }
  vec3 u[4];
  for (int p = 0; p < 4; p++) u[p] = v3_scale(distance_turn(f, d, p), -gamma);
  hess4 h;
  int m = 0;
  for (int p = 0; p < 4; p++)
    for (int q = p; q < 4; q++, m++) {
      double along = alpha * c.w[p] * c.w[q];
      if (gamma > 0) along += v3_dot(u[p], u[q]) / gamma;
      mat3 k = m3_outer(n, v3_madd(v3_scale(n, along), u[p], c.w[q]));
      k = m3_add_outer(k, u[q], n, c.w[p]);
      for (int i = 0; i < modes.count; i++) k = m3_add_outer(k, v[i][p], v[i][q], modes.mode[i].mu);
      h.k[m] = k;
    }
  return h;
}

K_FN mat3 hess4_block(hess4 h, int p, int q)
{
  int i = p < q ? p : q, j = p < q ? q : p, m = i * 4 - i * (i - 1) / 2 + (j - i);
  return p <= q ? h.k[m] : m3_transpose(h.k[m]);
}

/* x of the four vertices on an orthonormal basis of the weights that sum to zero, rows of +-1/2,
   and back */
typedef struct hess4_row {
  double x[4];
} hess4_row;

K_FN hess4_row hess4_split(double x0, double x1, double x2, double x3)
{
  double a = x0 + x1, b = x0 - x1, c = x2 + x3, d = x2 - x3;
  hess4_row r = {{0.5 * (a - c), 0.5 * (b + d), 0.5 * (b - d), 0}};
  return r;
}

K_FN hess4_row hess4_join(double y0, double y1, double y2)
{
  double a = y1 + y2, b = y1 - y2;
  hess4_row r = {{0.5 * (y0 + a), 0.5 * (y0 - a), 0.5 * (b - y0), 0.5 * (-y0 - b)}};
  return r;
}

/* 9x9: h without the translations */
K_FN sym9 hess4_reduced(hess4 h)
{
  double half_way[12][9]; /* vertices by reduced */
  for (int p = 0; p < 4; p++) {
    mat3 b[4];
    for (int q = 0; q < 4; q++) b[q] = hess4_block(h, p, q);
    for (int i = 0; i < 9; i++) {
      hess4_row r = hess4_split(b[0].m[i], b[1].m[i], b[2].m[i], b[3].m[i]);
      for (int j = 0; j < 3; j++) half_way[3 * p + i / 3][3 * j + i % 3] = r.x[j];
    }
  }
  sym9 s;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 9; j++) {
      hess4_row r =
          hess4_split(half_way[i][j], half_way[3 + i][j], half_way[6 + i][j], half_way[9 + i][j]);
      for (int k = 0; k < 3; k++) s.a[3 * k + i][j] = r.x[k];
    }
  return s;
}

/* The Hessian of something that moving everything does not change, with its negative eigenvalues
   set to 0. For the few pairs that have no better way. */
K_FN hess4 hess4_project(hess4 h)
{
  eig9 e = eig_sym9(hess4_reduced(h));
  for (int k = 0; k < 10; k++) h.k[k] = m3_zero();
  for (int k = 0; k < 9; k++) {
    if (!(e.value[k] > 0)) continue;
    hess4_row r[3];
    for (int i = 0; i < 3; i++)
      r[i] = hess4_join(e.vector[k][i], e.vector[k][3 + i], e.vector[k][6 + i]);
    int m = 0;
    for (int p = 0; p < 4; p++)
      for (int q = p; q < 4; q++, m++)
        h.k[m] = m3_add_outer(h.k[m], v3(r[0].x[p], r[1].x[p], r[2].x[p]),
                              v3(r[0].x[q], r[1].x[q], r[2].x[q]), e.value[k]);
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
