/* symmetric.h: eigenvalues of small symmetric matrices in long double, slow and plain, to compare
   with. */
#ifndef ABUT_TESTS_SYMMETRIC_H
#define ABUT_TESTS_SYMMETRIC_H

#include <math.h>

#include "kernel/vec.h"

/* eigenvalues and vectors (rows) of a symmetric n x n matrix, n <= 12, by Jacobi rotations */
static inline void sample_eigen_long(const long double *h, int n, long double *value,
                                     long double *vector)
{
  long double a[144];
  for (int k = 0; k < n * n; k++) a[k] = h[k];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) vector[i * n + j] = i == j;
  for (int sweep = 0; sweep < 40; sweep++) {
    long double off = 0, all = 0;
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        all += a[i * n + j] * a[i * n + j];
        if (i != j) off += a[i * n + j] * a[i * n + j];
      }
    if (off <= 1e-40L * all) break;
    for (int p = 0; p < n; p++)
      for (int q = p + 1; q < n; q++) {
        if (a[p * n + q] == 0) continue;
        long double theta = (a[q * n + q] - a[p * n + p]) / (2 * a[p * n + q]);
        long double t = (theta < 0 ? -1 : 1) / (fabsl(theta) + sqrtl(theta * theta + 1));
        long double c = 1 / sqrtl(t * t + 1), s = t * c;
        for (int k = 0; k < n; k++) {
          long double x = a[k * n + p], y = a[k * n + q];
          a[k * n + p] = c * x - s * y;
          a[k * n + q] = s * x + c * y;
        }
        for (int k = 0; k < n; k++) {
          long double x = a[p * n + k], y = a[q * n + k];
          a[p * n + k] = c * x - s * y;
          a[q * n + k] = s * x + c * y;
          x = vector[p * n + k], y = vector[q * n + k];
          vector[p * n + k] = c * x - s * y;
          vector[q * n + k] = s * x + c * y;
        }
      }
  }
  for (int k = 0; k < n; k++) value[k] = a[k * n + k];
}

static inline void sample_eigen(const double *h, int n, long double *value, long double *vector)
{
  long double a[144];
  for (int k = 0; k < n * n; k++) a[k] = h[k];
  sample_eigen_long(a, n, value, vector);
}

/* the full 12x12 matrix of ten upper blocks */
static inline void sample_full(const mat3 block[10], double h[144])
{
  int m = 0;
  for (int p = 0; p < 4; p++)
    for (int q = p; q < 4; q++, m++)
      for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
          double value = block[m].m[3 * i + j];
          h[(3 * p + i) * 12 + 3 * q + j] = h[(3 * q + j) * 12 + 3 * p + i] = value;
        }
}

/* negative eigenvalues set to 0; returns how many there were below -1e-10 of the largest */
static inline int sample_clamp_long(const long double *h, int n, long double *out)
{
  long double value[12], vector[144], most = 0;
  sample_eigen_long(h, n, value, vector);
  for (int k = 0; k < n; k++) most = fabsl(value[k]) > most ? fabsl(value[k]) : most;
  for (int k = 0; k < n * n; k++) out[k] = 0;
  int negative = 0;
  for (int k = 0; k < n; k++) {
    negative += value[k] < -1e-10L * most;
    if (value[k] <= 0) continue;
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        out[n * i + j] += value[k] * vector[n * k + i] * vector[n * k + j];
  }
  return negative;
}

/* of a 12x12 */
static inline int sample_clamp(const double h[144], double out[144])
{
  long double a[144], clamped[144];
  for (int k = 0; k < 144; k++) a[k] = h[k];
  int negative = sample_clamp_long(a, 12, clamped);
  for (int k = 0; k < 144; k++) out[k] = (double)clamped[k];
  return negative;
}

#endif
