#include "linear/tiles.h"

#include <cblas.h>
#include <float.h>
#include <math.h>

/* SMALL columns are eliminated at a time without BLAS. OpenBLAS multiplies without copying its
   operands (on AVX-512) up to PRODUCT multiplications, which beats everything else for fronts of
   all sizes: products are cut to stay below, into STRIPs of columns, at most DEPTH deep. */
enum { SMALL = 6, STRIP = 24, NARROW = 12, NARROW_BELOW = 150, DEPTH = 192, PRODUCT = 1000000 };

static int32_t least(int32_t a, int32_t b)
{
  return a < b ? a : b;
}

/* right-looking, column by column */
static int32_t factor_small(int32_t n, double *a, int32_t ld)
{
  for (int32_t j = 0; j < n; j++) {
    double *column = a + (int64_t)j * ld, pivot = column[j];
    if (!(pivot > 0 && pivot <= DBL_MAX)) return j;
    double inverse = 1 / sqrt(pivot);
    column[j] = inverse;
    for (int32_t i = j + 1; i < n; i++) column[i] *= inverse;
    for (int32_t p = j + 1; p < n; p++)
      for (int32_t i = p; i < n; i++) a[i + (int64_t)p * ld] -= column[i] * column[p];
  }
  return -1;
}

/* In the next two the rows of X are independent, and all of a row fits into registers: written out
   like this, compilers work on several rows at a time. */
static void solve3(int32_t m, const double *l, double *x, int32_t ld)
{
  double *restrict xa = x, *restrict xb = xa + ld, *restrict xc = xb + ld;
  const double *lb = l + ld, *lc = lb + ld;
  double aa = l[0], ba = l[1], ca = l[2], bb = lb[1], cb = lb[2], cc = lc[2];
  for (int32_t i = 0; i < m; i++) {
    double a = xa[i] * aa;
    double b = (xb[i] - a * ba) * bb;
    double c = (xc[i] - a * ca - b * cb) * cc;
    xa[i] = a;
    xb[i] = b;
    xc[i] = c;
  }
}

static void solve6(int32_t m, const double *l, double *x, int32_t ld)
{
  double t[6][6];
  for (int j = 0; j < 6; j++)
    for (int i = j; i < 6; i++) t[i][j] = l[i + (int64_t)j * ld];
  double *restrict xa = x, *restrict xb = xa + ld, *restrict xc = xb + ld;
  double *restrict xd = xc + ld, *restrict xe = xd + ld, *restrict xf = xe + ld;
  for (int32_t i = 0; i < m; i++) {
    double a = xa[i] * t[0][0];
    double b = (xb[i] - a * t[1][0]) * t[1][1];
    double c = (xc[i] - a * t[2][0] - b * t[2][1]) * t[2][2];
    double d = (xd[i] - a * t[3][0] - b * t[3][1] - c * t[3][2]) * t[3][3];
    double e = (xe[i] - a * t[4][0] - b * t[4][1] - c * t[4][2] - d * t[4][3]) * t[4][4];
    double f = (xf[i] - a * t[5][0] - b * t[5][1] - c * t[5][2] - d * t[5][3] - e * t[5][4]);
    xa[i] = a;
    xb[i] = b;
    xc[i] = c;
    xd[i] = d;
    xe[i] = e;
    xf[i] = f * t[5][5];
  }
}

static void solve_small(int32_t m, int32_t n, const double *l, double *x, int32_t ld)
{
  if (n == SMALL)
    solve6(m, l, x, ld);
  else
    solve3(m, l, x, ld);
}

/* about half of n, in whole small triangles */
static int32_t half(int32_t n)
{
  return (n / 2 + SMALL - 1) / SMALL * SMALL;
}

/* the size of equal parts, whole STRIPs but for the last, that are at most about most */
static int32_t part(int32_t total, int32_t most)
{
  int32_t parts = (total + most - 1) / most;
  int32_t size = (total + parts - 1) / parts;
  return (size + STRIP - 1) / STRIP * STRIP;
}

void abut_tile_update(int32_t m, int32_t n, int32_t k, const double *a, const double *b, int32_t ld,
                      double beta, double *c, int32_t ldc)
{
  int32_t deep = part(k, DEPTH), wide = least(n, STRIP);
  int32_t high = part(m, PRODUCT / (STRIP * least(deep, k)) / STRIP * STRIP);
  for (int32_t p = 0; p < k; p += deep)
    for (int32_t j = 0; j < n; j += wide)
      for (int32_t i = 0; i < m; i += high)
        cblas_dgemm(CblasColMajor, CblasNoTrans, CblasTrans, least(high, m - i), least(wide, n - j),
                    least(deep, k - p), -1, a + i + (int64_t)p * ld, ld, b + j + (int64_t)p * ld,
                    ld, p ? 1 : beta, c + i + (int64_t)j * ldc, ldc);
}

void abut_tile_update_lower(int32_t m, int32_t n, int32_t k, const double *a, int32_t ld,
                            double beta, double *c, int32_t ldc)
{
  int32_t wide = m < NARROW_BELOW ? NARROW : STRIP;
  for (int32_t j = 0; j < n; j += wide)
    abut_tile_update(m - j, least(wide, n - j), k, a + j, a + j, ld, beta, c + j + (int64_t)j * ldc,
                     ldc);
}

void abut_tile_solve(int32_t m, int32_t n, const double *l, double *x, int32_t ld)
{
  if (n <= SMALL) {
    solve_small(m, n, l, x, ld);
    return;
  }
  int32_t h = half(n);
  double *right = x + (int64_t)h * ld;
  abut_tile_solve(m, h, l, x, ld);
  abut_tile_update(m, n - h, h, x, l + h, ld, 1, right, ld);
  abut_tile_solve(m, n - h, l + h + (int64_t)h * ld, right, ld);
}

int32_t abut_tile_factor(int32_t m, int32_t n, double *a, int32_t ld)
{
  if (n <= SMALL) {
    int32_t failed = factor_small(n, a, ld);
    if (failed < 0) solve_small(m - n, n, a, a + n, ld);
    return failed;
  }
  int32_t h = half(n);
  double *below = a + h, *rest = below + (int64_t)h * ld;
  int32_t failed = abut_tile_factor(m, h, a, ld);
  if (failed >= 0) return failed;
  abut_tile_update(m - h, n - h, h, below, below, ld, 1, rest, ld);
  failed = abut_tile_factor(m - h, n - h, rest, ld);
  return failed < 0 ? -1 : h + failed;
}

static int inside, outside_threads;

void abut_blas_enter(void)
{
#pragma omp critical(abut_blas)
  if (inside++ == 0) {
    outside_threads = openblas_get_num_threads();
    openblas_set_num_threads(1);
  }
}

void abut_blas_leave(void)
{
#pragma omp critical(abut_blas)
  if (--inside == 0) openblas_set_num_threads(outside_threads);
}
