/* eig.h: eigenvalues and eigenvectors of small symmetric matrices, S = sum_k l_k q_k q_k^T with
   orthonormal q_k; values have the unit of the matrix. 3x3 by cyclic Jacobi rotations (Golub and
   Van Loan, Matrix Computations, section 8.5), which keep small eigenvalues accurate; larger ones
   by Householder reduction to a tridiagonal matrix and implicit QL steps (sections 8.3 and 8.4),
   several times faster, accurate to the last places of the largest eigenvalue; 2x2 in closed form
   (textbook). */
#ifndef ABUT_KERNEL_EIG_H
#define ABUT_KERNEL_EIG_H

#include "kernel/vec.h"

#define K_EIG_TYPES(n)                                                                             \
  typedef struct eig##n {                                                                          \
    double value[n];                                                                               \
    double vector[n][n]; /* vector[k] belongs to value[k], unit length */                          \
  } eig##n;                                                                                        \
  typedef struct sym##n {                                                                          \
    double a[n][n];                                                                                \
  } sym##n;

/* 3x3: the scaling block of solids */
#define K_EIG_JACOBI(n)                                                                            \
  K_EIG_TYPES(n)                                                                                   \
  K_FN eig##n eig_sym##n(sym##n s)                                                                 \
  {                                                                                                \
    eig##n r;                                                                                      \
    for (int i = 0; i < n; i++)                                                                    \
      for (int j = 0; j < n; j++) r.vector[i][j] = i == j;                                         \
    for (int sweep = 0; sweep < 60; sweep++) {                                                     \
      bool done = true;                                                                            \
      for (int p = 0; p < n - 1; p++)                                                              \
        for (int q = p + 1; q < n; q++) {                                                          \
          double apq = s.a[p][q];                                                                  \
          /* below the last bits of its own diagonal entries: nothing to rotate */                 \
          if (fabs(apq) <= 1e-17 * sqrt(fabs(s.a[p][p] * s.a[q][q]))) continue;                    \
          if (fabs(apq) < 1e-300) continue;                                                        \
          double theta = (s.a[q][q] - s.a[p][p]) / (2 * apq);                                      \
          double t = (theta < 0 ? -1 : 1) / (fabs(theta) + sqrt(theta * theta + 1));               \
          if (t == 0) continue;                                                                    \
          double c = 1 / sqrt(t * t + 1), w = t * c;                                               \
          done = done && fabs(apq) <= 1e-15 * (fabs(s.a[p][p]) + fabs(s.a[q][q]));                 \
          for (int k = 0; k < n; k++) {                                                            \
            double x = s.a[k][p], y = s.a[k][q];                                                   \
            s.a[k][p] = c * x - w * y;                                                             \
            s.a[k][q] = w * x + c * y;                                                             \
          }                                                                                        \
          for (int k = 0; k < n; k++) {                                                            \
            double x = s.a[p][k], y = s.a[q][k];                                                   \
            s.a[p][k] = c * x - w * y;                                                             \
            s.a[q][k] = w * x + c * y;                                                             \
            x = r.vector[p][k], y = r.vector[q][k];                                                \
            r.vector[p][k] = c * x - w * y;                                                        \
            r.vector[q][k] = w * x + c * y;                                                        \
          }                                                                                        \
          s.a[p][q] = s.a[q][p] = 0;                                                               \
        }                                                                                          \
      if (done) break;                                                                             \
    }                                                                                              \
    for (int k = 0; k < n; k++) r.value[k] = s.a[k][k];                                            \
    return r;                                                                                      \
  }

K_EIG_JACOBI(3)

/* The tridiagonal matrix with diagonal d and neighbours e (e[k] between k and k + 1) that equals
   z a z^T, z orthogonal. Row k of z starts as, and stays, what eigenvector k is made of. */
#define K_EIG_QL(n)                                                                                \
  K_EIG_TYPES(n)                                                                                   \
  typedef struct tridiagonal##n {                                                                  \
    double d[n], e[n];                                                                             \
    double z[n][n];                                                                                \
  } tridiagonal##n;                                                                                \
  K_FN tridiagonal##n eig_tridiagonal##n(sym##n s)                                                 \
  {                                                                                                \
    tridiagonal##n t;                                                                              \
    for (int i = 0; i < n; i++)                                                                    \
      for (int j = 0; j < n; j++) t.z[i][j] = i == j;                                              \
    for (int k = 0; k < n - 2; k++) {                                                              \
      /* reflect column k below its diagonal onto its first entry */                               \
      double v[n], w[n], below = 0;                                                                \
      for (int i = k + 2; i < n; i++) below += s.a[i][k] * s.a[i][k];                              \
      double head = s.a[k + 1][k];                                                                 \
      t.e[k] = head;                                                                               \
      if (below == 0) continue;                                                                    \
      double length = sqrt(head * head + below);                                                   \
      t.e[k] = head > 0 ? -length : length;                                                        \
      for (int i = 0; i < n; i++) v[i] = i > k ? s.a[i][k] : 0;                                    \
      v[k + 1] = head - t.e[k];                                                                    \
      double beta = 2 / (v[k + 1] * v[k + 1] + below), vw = 0;                                     \
      for (int i = k + 1; i < n; i++) {                                                            \
        double sum = 0;                                                                            \
        for (int j = k + 1; j < n; j++) sum += s.a[i][j] * v[j];                                   \
        w[i] = beta * sum;                                                                         \
        vw += w[i] * v[i];                                                                         \
      }                                                                                            \
      vw *= 0.5 * beta;                                                                            \
      for (int i = k + 1; i < n; i++) w[i] -= vw * v[i];                                           \
      for (int i = k + 1; i < n; i++)                                                              \
        for (int j = k + 1; j < n; j++) s.a[i][j] -= v[i] * w[j] + w[i] * v[j];                    \
      double zv[n];                                                                                \
      for (int i = 0; i < n; i++) zv[i] = 0;                                                       \
      for (int j = k + 1; j < n; j++)                                                              \
        for (int i = 0; i < n; i++) zv[i] += t.z[j][i] * v[j];                                     \
      for (int j = k + 1; j < n; j++)                                                              \
        for (int i = 0; i < n; i++) t.z[j][i] -= beta * v[j] * zv[i];                              \
    }                                                                                              \
    for (int k = 0; k < n; k++) t.d[k] = s.a[k][k];                                                \
    t.e[n - 2] = s.a[n - 1][n - 2];                                                                \
    t.e[n - 1] = 0;                                                                                \
    return t;                                                                                      \
  }                                                                                                \
  /* one QL step on rows l to m with Wilkinson's shift */                                          \
  K_FN void eig_ql_step##n(tridiagonal##n *t, int l, int m)                                        \
  {                                                                                                \
    double g = (t->d[l + 1] - t->d[l]) / (2 * t->e[l]), r = sqrt(g * g + 1);                       \
    g = t->d[m] - t->d[l] + t->e[l] / (g + (g < 0 ? -r : r));                                      \
    double s = 1, c = 1, p = 0;                                                                    \
    for (int i = m - 1; i >= l; i--) {                                                             \
      double f = s * t->e[i], b = c * t->e[i];                                                     \
      r = sqrt(f * f + g * g);                                                                     \
      t->e[i + 1] = r;                                                                             \
      if (r == 0) { /* split in two: the next step sees it */                                      \
        t->d[i + 1] -= p;                                                                          \
        t->e[m] = 0;                                                                               \
        return;                                                                                    \
      }                                                                                            \
      s = f / r;                                                                                   \
      c = g / r;                                                                                   \
      g = t->d[i + 1] - p;                                                                         \
      r = (t->d[i] - g) * s + 2 * c * b;                                                           \
      p = s * r;                                                                                   \
      t->d[i + 1] = g + p;                                                                         \
      g = c * r - b;                                                                               \
      for (int k = 0; k < n; k++) {                                                                \
        double x = t->z[i][k], y = t->z[i + 1][k];                                                 \
        t->z[i + 1][k] = s * x + c * y;                                                            \
        t->z[i][k] = c * x - s * y;                                                                \
      }                                                                                            \
    }                                                                                              \
    t->d[l] -= p;                                                                                  \
    t->e[l] = g;                                                                                   \
    t->e[m] = 0;                                                                                   \
  }                                                                                                \
  K_FN eig##n eig_sym##n(sym##n s)                                                                 \
  {                                                                                                \
    tridiagonal##n t = eig_tridiagonal##n(s);                                                      \
    for (int l = 0; l < n - 1; l++)                                                                \
      for (int step = 0; step < 60; step++) {                                                      \
        int m = l;                                                                                 \
        while (m < n - 1 && fabs(t.e[m]) > 1.2e-16 * (fabs(t.d[m]) + fabs(t.d[m + 1]))) m++;       \
        if (m == l) break;                                                                         \
        eig_ql_step##n(&t, l, m);                                                                  \
      }                                                                                            \
    eig##n r;                                                                                      \
    for (int k = 0; k < n; k++) {                                                                  \
      r.value[k] = t.d[k];                                                                         \
      for (int i = 0; i < n; i++) r.vector[k][i] = t.z[k][i];                                      \
    }                                                                                              \
    return r;                                                                                      \
  }

/* 9x9: mollified edge pairs; 12x12: any element of four vertices */
K_EIG_QL(9)
K_EIG_QL(12)

/* Both eigenvalues (a + c)/2 +- sqrt(((a - c)/2)^2 + b^2) of [[a, b], [b, c]], larger first, and
   the unit eigenvector (x, y) of the first; the second's is (-y, x). */
typedef struct eig2 {
  double first, second, x, y;
} eig2;

K_FN eig2 eig_sym2(double a, double b, double c)
{
  double mean = 0.5 * (a + c), apart = 0.5 * (a - c), r = sqrt(apart * apart + b * b);
  eig2 e = {mean + r, mean - r, 1, 0};
  /* the longer of the two rows of (A - second I) has no cancellation */
  double x = apart >= 0 ? apart + r : b, y = apart >= 0 ? b : r - apart;
  double s = sqrt(x * x + y * y);
  if (s > 0) {
    e.x = x / s;
    e.y = y / s;
  }
  return e;
}

#endif
