/* eig.h: eigenvalues and eigenvectors of small symmetric matrices by cyclic Jacobi rotations.
   Golub and Van Loan, Matrix Computations, section 8.5. Slow for large n, but it keeps small
   eigenvalues accurate and never fails. */
#ifndef ABUT_KERNEL_EIG_H
#define ABUT_KERNEL_EIG_H

#include "kernel/vec.h"

/* One entry per use of the template below: the 2x2 membrane stress is done in closed form, 3x3 is
   the scaling block of solids, 5x5 the contact block, 12x12 mollified edge pairs and tests. */
#define K_EIG_DEFINE(n)                                                                            \
  typedef struct eig##n {                                                                          \
    double value[n];                                                                               \
    double vector[n][n]; /* vector[k] belongs to value[k], unit length */                          \
  } eig##n;                                                                                        \
  typedef struct sym##n {                                                                          \
    double a[n][n];                                                                                \
  } sym##n;                                                                                        \
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

K_EIG_DEFINE(3)
K_EIG_DEFINE(5)
K_EIG_DEFINE(12)

/* Both eigenvalues of [[a, b], [b, c]], larger first, and the unit eigenvector (x, y) of the
   first; the second's is (-y, x). */
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
