#include "linear/triangular.h"

#include <cblas.h>
#include <string.h>

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

static void eliminate6(int32_t m, const double *restrict l, int32_t ld, double *restrict z)
{
  for (int q = 0; q < 6; q++) {
    double s = z[q];
    for (int p = 0; p < q; p++) s -= l[q + (int64_t)p * ld] * z[p];
    z[q] = s * l[q + (int64_t)q * ld];
  }
  const double *l1 = l + ld, *l2 = l1 + ld, *l3 = l2 + ld, *l4 = l3 + ld, *l5 = l4 + ld;
  double a = z[0], b = z[1], c = z[2], d = z[3], e = z[4], f = z[5];
  for (int32_t i = 6; i < m; i++)
    z[i] -= (l[i] * a + l1[i] * b + l2[i] * c) + (l3[i] * d + l4[i] * e + l5[i] * f);
}

/* z = L^-1 z for the k columns of a band, and minus their product from the rows below; m rows */
static void band_up(int32_t m, int32_t k, const double *l, double *z)
{
  int32_t j = 0;
  for (; m > SHORT && j + 6 <= k; j += 6) eliminate6(m - j, l + j + (int64_t)j * m, m, z + j);
  for (; j < k; j++) eliminate1(m - j, l + j + (int64_t)j * m, z + j);
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

/* z = L^-T (z - L_below^T z_below) for the k columns of a band */
static void band_down(int32_t m, int32_t k, const double *l, double *z)
{
  for (int32_t end = k, j; end > 0; end = j) {
    j = (end - 1) / STRIP * STRIP;
    const double *strip = l + (int64_t)j * m;
    if (m > SHORT && end < m)
      cblas_dgemv(CblasColMajor, CblasTrans, m - end, end - j, -1, strip + end, m, z + end, 1, 1,
                  z + j, 1);
    for (int32_t c = j; m <= SHORT && c < end; c++)
      z[c] -= dot(m - end, l + end + (int64_t)c * m, z + end);
    solve_transposed(end - j, strip + j, m, z + j);
  }
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
    const abut_stretch *run = s->run + child->below;
    for (int32_t r = 0; r < child->runs; r++) {
      double *into = z + 3 * (int64_t)run[r].into;
      for (int32_t i = 0; i < 3 * run[r].length; i++)
        into[i] += from[3 * (int64_t)run[r].from + i];
    }
  }
  const double *panel = w->panels + f->panel;
  for (int32_t c = 0; c < k; c += ABUT_BAND)
    band_up(m - c, band_width(k, c), panel + abut_band_column(m, c) + c, z + c);
}

static void go_down(const sweep *w, const abut_front *f)
{
  const abut_symbolic *s = w->s;
  int32_t k = 3 * f->columns, m = 3 * f->rows;
  double *z = w->vectors + abut_front_vector(f);
  if (f->parent >= 0) {
    const double *from = w->vectors + abut_front_vector(&s->front[f->parent]);
    const abut_stretch *run = s->run + f->below;
    for (int32_t r = 0; r < f->runs; r++)
      memcpy(z + k + 3 * (int64_t)run[r].from, from + 3 * (int64_t)run[r].into,
             3 * (size_t)run[r].length * sizeof *z);
  }
  const double *panel = w->panels + f->panel;
  for (int32_t c = (k - 1) / ABUT_BAND * ABUT_BAND; c >= 0; c -= ABUT_BAND)
    band_down(m - c, band_width(k, c), panel + abut_band_column(m, c) + c, z + c);
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

void abut_triangular_solve(const abut_context *ctx, const abut_symbolic *s, const abut_factor *l,
                           const vec3 *b, double *scratch, vec3 *x)
{
  sweep w = {s, l->panel.data, b, x, scratch};
  int threads = ctx->threads;
  (void)threads; /* without OpenMP */
  abut_blas_enter();
#pragma omp parallel num_threads(threads)
#pragma omp single
  {
    job_up(&w, s->root);
    job_down(&w, s->root);
  }
  abut_blas_leave();
}
