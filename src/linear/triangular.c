#include "linear/triangular.h"

#include <cblas.h>
#include <string.h>

#include "base/parallel.h"
#include "linear/tiles.h"

/* Every front has a vector of its own with one entry per row. Going up it starts with b in the
   columns eliminated here and zero below, gets what the children leave in their rows below, and
   has y = L^-1 b in its columns and its own contribution to the rows below at the end. Going down
   the rows below are copied from the parent's vector. */
typedef struct sweep {
  const abut_symbolic *s;
  const double *panels;
  const vec3 *b;
  vec3 *x;
  double *vectors;
} sweep;

int64_t abut_triangular_size(const abut_symbolic *s)
{
  return 3 * (s->rows + s->front[s->fronts].below);
}

/* Factors rarely fit into a cache, so what counts is that memory is read in one stream. Up to SHORT
   rows columns are taken one after another, which is just that; longer ones are streams of their
   own, and several at a time keep more of them coming. Sums that run down long columns, which C
   does not let compilers reorder, go to BLAS, STRIP columns at a time. */
enum { SHORT = 320, STRIP = 12, LANES = 8 };

static void eliminate1(int32_t m, const double *restrict l, double *restrict z)
{
  double a = z[0] * l[0];
  z[0] = a;
  for (int32_t i = 1; i < m; i++) z[i] -= l[i] * a;
}

/* z -= L y for n rows and six columns */
static void subtract6(int32_t n, const double *restrict l, int32_t ld, const double *y,
                      double *restrict z)
{
  const double *l1 = l + ld, *l2 = l1 + ld, *l3 = l2 + ld, *l4 = l3 + ld, *l5 = l4 + ld;
  double a = y[0], b = y[1], c = y[2], d = y[3], e = y[4], f = y[5];
  for (int32_t i = 0; i < n; i++)
    z[i] -= (l[i] * a + l1[i] * b + l2[i] * c) + (l3[i] * d + l4[i] * e + l5[i] * f);
}

static void eliminate6(int32_t m, const double *l, int32_t ld, double *z)
{
  for (int q = 0; q < 6; q++) {
    double s = z[q];
    for (int p = 0; p < q; p++) s -= l[q + (int64_t)p * ld] * z[p];
    z[q] = s * l[q + (int64_t)q * ld];
  }
  subtract6(m - 6, l + 6, ld, z, z + 6);
}

/* z = L^-1 z for k columns of a band, and minus their product from the rows below; m rows */
static void eliminate_up(int32_t m, int32_t k, const double *l, int32_t ld, double *z)
{
  int32_t j = 0;
  for (; m > SHORT && j + 6 <= k; j += 6) eliminate6(m - j, l + j + (int64_t)j * ld, ld, z + j);
  for (; j < k; j++) eliminate1(m - j, l + j + (int64_t)j * ld, z + j);
}

static double dot(int32_t n, const double *a, const double *b)
{
  double s[LANES] = {0};
  int32_t i = 0;
  for (; i + LANES <= n; i += LANES)
    for (int q = 0; q < LANES; q++) s[q] += a[i + q] * b[i + q];
  double sum = ((s[0] + s[1]) + (s[2] + s[3])) + ((s[4] + s[5]) + (s[6] + s[7]));
  for (; i < n; i++) sum += a[i] * b[i];
  return sum;
}

/* z = L^-T z for a triangle of n columns */
static void solve_transposed(int32_t n, const double *l, int32_t ld, double *z)
{
  for (int32_t j = n; j-- > 0;) {
    const double *column = l + (int64_t)j * ld;
    double s = z[j];
    for (int32_t i = j + 1; i < n; i++) s -= column[i] * z[i];
    z[j] = s * column[j];
  }
}

/* z = L^-T (z - L_below^T z_below) for k columns of a band; m rows */
static void eliminate_down(int32_t m, int32_t k, const double *l, int32_t ld, double *z)
{
  for (int32_t end = k, j; end > 0; end = j) {
    j = (end - 1) / STRIP * STRIP;
    const double *strip = l + (int64_t)j * ld;
    if (m > SHORT && end < m)
      cblas_dgemv(CblasColMajor, CblasTrans, m - end, end - j, -1, strip + end, ld, z + end, 1, 1,
                  z + j, 1);
    for (int32_t c = j; m <= SHORT && c < end; c++)
      z[c] -= dot(m - end, l + end + (int64_t)c * ld, z + end);
    solve_transposed(end - j, strip + j, ld, z + j);
  }
}

/* Rows below a band of more than 2 PIECE rows are cut into at most PIECES, each a task. The cut
   depends on their number alone. */
enum { PIECE = 512, PIECES = 16 };

static int32_t piece_rows(int32_t rows)
{
  int32_t fair = (rows + PIECES - 1) / PIECES;
  return fair > PIECE ? fair : PIECE;
}

static void subtract_piece(int32_t n, int32_t k, const double *l, int32_t ld, const double *y,
                           double *z)
{
  int32_t j = 0;
  for (; j + 6 <= k; j += 6) subtract6(n, l + (int64_t)j * ld, ld, y + j, z);
  for (; j < k; j++)
    for (int32_t i = 0; i < n; i++) z[i] -= l[i + (int64_t)j * ld] * y[j];
}

static void band_up(int32_t m, int32_t k, const double *l, double *z)
{
  int32_t rows = m - k, step = piece_rows(rows);
  if (rows <= 2 * PIECE) {
    eliminate_up(m, k, l, m, z);
    return;
  }
  eliminate_up(k, k, l, m, z);
  for (int32_t i = k; i < m; i += step) {
    int32_t n = i + step < m ? step : m - i;
#pragma omp task firstprivate(n, k, l, m, z, i)
    subtract_piece(n, k, l + i, m, z, z + i);
  }
#pragma omp taskwait
}

static void band_down(int32_t m, int32_t k, const double *l, double *z)
{
  int32_t rows = m - k, step = piece_rows(rows), pieces = 0;
  if (rows <= 2 * PIECE) {
    eliminate_down(m, k, l, m, z);
    return;
  }
  double sum[PIECES][ABUT_BAND] = {{0}};
  for (int32_t i = k; i < m; i += step) {
    int32_t n = i + step < m ? step : m - i;
    double *own = sum[pieces++];
#pragma omp task firstprivate(n, k, l, m, z, i, own)
    cblas_dgemv(CblasColMajor, CblasTrans, n, k, 1, l + i, m, z + i, 1, 1, own, 1);
  }
#pragma omp taskwait
  for (int32_t p = 0; p < pieces; p++)
    for (int32_t j = 0; j < k; j++) z[j] -= sum[p][j];
  eliminate_down(k, k, l, m, z);
}

static int32_t band_width(int32_t k, int32_t c)
{
  return k - c < ABUT_BAND ? k - c : ABUT_BAND;
}

static void go_up(const sweep *w, const abut_front *f)
{
  const abut_symbolic *s = w->s;
  int32_t k = 3 * f->columns, m = 3 * f->rows;
  double *z = w->vectors + abut_front_vector(f);
  for (int32_t c = 0; c < f->columns; c++) {
    vec3 b = w->b[s->order[f->first + c]];
    z[3 * c] = b.x;
    z[3 * c + 1] = b.y;
    z[3 * c + 2] = b.z;
  }
  memset(z + k, 0, (size_t)(m - k) * sizeof *z);
  for (int32_t c = f->child; c >= 0; c = s->front[c].sibling) {
    const abut_front *child = &s->front[c];
    const double *from = w->vectors + abut_front_vector(child) + 3 * (int64_t)child->columns;
    const abut_stretch *part = s->stretch + child->below;
    for (int32_t r = 0; r < child->stretches; r++) {
      double *into = z + 3 * (int64_t)part[r].into;
      for (int32_t i = 0; i < 3 * part[r].length; i++)
        into[i] += from[3 * (int64_t)part[r].from + i];
    }
  }
  const double *panel = w->panels + f->panel;
  for (int32_t c = 0; c < k; c += ABUT_BAND)
    band_up(m - c, band_width(k, c), panel + (abut_band_column(m, c) + c), z + c);
}

static void go_down(const sweep *w, const abut_front *f)
{
  const abut_symbolic *s = w->s;
  int32_t k = 3 * f->columns, m = 3 * f->rows;
  double *z = w->vectors + abut_front_vector(f);
  if (f->parent >= 0) {
    const double *from = w->vectors + abut_front_vector(&s->front[f->parent]);
    const abut_stretch *part = s->stretch + f->below;
    for (int32_t r = 0; r < f->stretches; r++)
      memcpy(z + k + 3 * (int64_t)part[r].from, from + 3 * (int64_t)part[r].into,
             3 * (size_t)part[r].length * sizeof *z);
  }
  const double *panel = w->panels + f->panel;
  for (int32_t c = (k - 1) / ABUT_BAND * ABUT_BAND; c >= 0; c -= ABUT_BAND)
    band_down(m - c, band_width(k, c), panel + (abut_band_column(m, c) + c), z + c);
  for (int32_t c = 0; c < f->columns; c++)
    w->x[s->order[f->first + c]] = v3(z[3 * c], z[3 * c + 1], z[3 * c + 2]);
}

static void job_up(const sweep *w, int32_t j)
{
  const abut_job *job = &w->s->job[j];
  for (int32_t c = job->child; c >= 0; c = w->s->job[c].sibling) {
#pragma omp task firstprivate(w, c)
    job_up(w, c);
  }
#pragma omp taskwait
  for (int32_t i = job->begin; i < job->end; i++) go_up(w, &w->s->front[i]);
}

static void job_down(const sweep *w, int32_t j)
{
  const abut_job *job = &w->s->job[j];
  for (int32_t i = job->end; i-- > job->begin;) go_down(w, &w->s->front[i]);
  for (int32_t c = job->child; c >= 0; c = w->s->job[c].sibling) {
#pragma omp task firstprivate(w, c)
    job_down(w, c);
  }
#pragma omp taskwait
}

static void both_ways(void *arg)
{
  const sweep *w = arg;
  job_up(w, w->s->root);
  job_down(w, w->s->root);
}

void abut_triangular_solve(const abut_context *ctx, const abut_symbolic *s, const abut_factor *l,
                           const vec3 *b, double *scratch, vec3 *x)
{
  sweep w = {s, l->panel.data, b, x, scratch};
  abut_blas_enter();
  abut_team_run(ctx, both_ways, &w);
  abut_blas_leave();
}
