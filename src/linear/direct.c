#include "linear/direct.h"

#include <string.h>

#include "base/memory.h"
#include "base/parallel.h"

enum { GRAIN = 2048, STEPS = 2 };
/* relative residuals: one that needs no improvement, one that is refused; and one relative to
   |A| |x| that is rounding */
static const double GOOD = 1e-10, BAD = 1e-7, ROUNDING = 1e-12;

abut_status abut_refinement_reserve(abut_context *ctx, int32_t rows, abut_refinement *work)
{
  if (work->rows == rows && work->b && work->r) return ABUT_OK;
  abut_refinement_free(ctx, work);
  ABUT_MAKE(ctx, work->b, rows);
  ABUT_MAKE(ctx, work->r, rows);
  work->rows = rows;
  return ABUT_OK;
}

void abut_refinement_free(abut_context *ctx, abut_refinement *work)
{
  abut_free(ctx, work->b);
  abut_free(ctx, work->r);
  *work = (abut_refinement){0};
}

typedef struct two_vectors {
  const vec3 *x, *y;
} two_vectors;

static double dot_rows(void *arg, int64_t begin, int64_t end)
{
  const two_vectors *v = arg;
  double sum = 0;
  for (int64_t i = begin; i < end; i++) sum += v3_dot(v->x[i], v->y[i]);
  return sum;
}

double abut_dot(const abut_context *ctx, int32_t rows, const vec3 *x, const vec3 *y)
{
  two_vectors v = {x, y};
  return abut_parallel_sum(ctx, rows, GRAIN, dot_rows, &v);
}

double abut_norm(const abut_context *ctx, int32_t rows, const vec3 *x)
{
  return sqrt(abut_dot(ctx, rows, x, x));
}

/* r = b - A x, and its size */
static double find_residual(const abut_context *ctx, const abut_matrix *a,
                            const abut_matrix_index *index, const abut_refinement *work,
                            const vec3 *x)
{
  abut_matrix_apply_indexed(ctx, a, index, x, work->r);
  for (int32_t i = 0; i < a->rows; i++) work->r[i] = v3_sub(work->b[i], work->r[i]);
  return abut_norm(ctx, a->rows, work->r);
}

/* The largest diagonal entry: no entry of a positive definite matrix is larger, and its norm is not
   smaller. */
static double matrix_size(const abut_matrix *a)
{
  double size = 0;
  for (int32_t i = 0; i < a->rows; i++) {
    mat3 d = abut_matrix_diagonal(a, i);
    for (int k = 0; k < 9; k += 4) size = d.m[k] > size ? d.m[k] : size;
  }
  return size;
}

static abut_status refuse(abut_context *ctx, const abut_matrix *a, const vec3 *x, double b,
                          double r)
{
  if (r <= BAD * b || r <= ROUNDING * (matrix_size(a) * abut_norm(ctx, a->rows, x))) return ABUT_OK;
  return abut_fail(ctx, ABUT_STOPPED,
                   "a linear system was not solved: |b - A x| is %.2g of |b|; either a value is "
                   "not finite or this machine's BLAS library is broken",
                   r / b);
}

abut_status abut_refinement_solve(abut_context *ctx, const abut_matrix *a,
                                  const abut_matrix_index *index, const abut_refinement *work,
                                  abut_inverse_fn *inverse, void *arg, const vec3 *b, vec3 *x)
{
  int32_t rows = a->rows;
  double size = abut_norm(ctx, rows, b);
  if (size == 0) {
    memset(x, 0, (size_t)rows * sizeof *x);
    return ABUT_OK;
  }
  memcpy(work->b, b, (size_t)rows * sizeof *b);
  inverse(ctx, arg, work->b, x);
  double r = find_residual(ctx, a, index, work, x);
  for (int step = 0; step < STEPS && r > GOOD * size; step++) {
    inverse(ctx, arg, work->r, work->r);
    for (int32_t i = 0; i < rows; i++) x[i] = v3_add(x[i], work->r[i]);
    double before = r;
    r = find_residual(ctx, a, index, work, x);
    if (!(r < before / 2)) break; /* rounding in A x is all that is left */
  }
  return r <= GOOD * size ? ABUT_OK : refuse(ctx, a, x, size, r);
}

static bool is_finite(const mat3 *m)
{
  bool finite = true;
  for (int k = 0; k < 9; k++) finite = finite && isfinite(m->m[k]);
  return finite;
}

abut_status abut_fail_pivot(abut_context *ctx, const abut_matrix *a, int32_t row)
{
  const abut_blocks *part[] = {&a->base, &a->extra};
  for (int p = 0; p < 2; p++)
    for (int32_t i = 0; i < a->rows; i++)
      for (int64_t k = part[p]->start[i]; k < part[p]->start[i + 1]; k++)
        if (!is_finite(&part[p]->value[k]))
          return abut_fail(ctx, ABUT_STOPPED,
                           "the matrix holds a value that is not finite in rows %d and %d", i,
                           part[p]->column[k]);
  return abut_fail(ctx, ABUT_STOPPED, "the matrix is not positive definite at row %d", row);
}

abut_status abut_fail_unfactored(abut_context *ctx)
{
  return abut_fail(ctx, ABUT_BAD_ARGUMENT, "a linear system was to be solved without a factor");
}
