/* differences.h: central differences of fourth order, for tests of derivatives. */
#ifndef ABUT_TESTS_DIFFERENCES_H
#define ABUT_TESTS_DIFFERENCES_H

#include <math.h>

/* df/dx_k of m outputs at x (n entries): out[j * n + k] */
typedef void test_function(const void *arg, const double *x, double *y);

static inline void test_jacobian(test_function *f, const void *arg, const double *x, int n, int m,
                                 double h, double *out)
{
  double y[64], p[4][64];
  static const double step[4] = {1, -1, 2, -2};
  for (int k = 0; k < n; k++) y[k] = x[k];
  for (int k = 0; k < n; k++) {
    for (int s = 0; s < 4; s++) {
      y[k] = x[k] + step[s] * h;
      f(arg, y, p[s]);
    }
    y[k] = x[k];
    for (int j = 0; j < m; j++)
      out[j * n + k] = (8 * (p[0][j] - p[1][j]) - (p[2][j] - p[3][j])) / (12 * h);
  }
}

/* |a - b| / |b| in the 2-norm, with a floor for b */
static inline double test_relative(const double *a, const double *b, int n, double floor)
{
  double e = 0, s = 0;
  for (int k = 0; k < n; k++) {
    e += (a[k] - b[k]) * (a[k] - b[k]);
    s += b[k] * b[k];
  }
  return sqrt(e) / fmax(sqrt(s), floor);
}

/* a repeatable random number in [-1, 1) */
static inline double test_random(unsigned long long *seed)
{
  *seed ^= *seed << 13;
  *seed ^= *seed >> 7;
  *seed ^= *seed << 17;
  return (double)(*seed >> 11) / 4503599627370496.0 - 1;
}

#endif
