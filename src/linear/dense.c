/* The whole matrix as one dense triangle, by LAPACK: slow, simple, and what other solvers are
   tested against. */
#include <cblas.h>
#include <string.h>

#include "base/timer.h"
#include "linear/buffer.h"
#include "linear/direct.h"
#include "linear/linear.h"
#include "linear/tiles.h"

enum { MOST_ROWS = 4000 }; /* 1.2 GB */

void dpotrf_(const char *uplo, const int *n, double *a, const int *lda, int *info);

typedef struct dense {
  abut_linear linear;
  abut_matrix_index index;
  abut_buffer triangle, vector;
  bool factored;
  abut_refinement refinement;
} dense;

static abut_status create(abut_context *ctx, const abut_linear_options *options, abut_linear **out)
{
  dense *self = ABUT_NEW_ZERO(ctx, dense, 1);
  if (!self) return ABUT_NO_MEMORY;
  self->linear = (abut_linear){.class = &abut_linear_dense, .options = *options};
  *out = &self->linear;
  return ABUT_OK;
}

static void destroy(abut_context *ctx, abut_linear *linear)
{
  dense *self = (dense *)linear;
  if (!self) return;
  abut_matrix_index_free(ctx, &self->index);
  abut_buffer_free(ctx, &self->triangle);
  abut_buffer_free(ctx, &self->vector);
  abut_refinement_free(ctx, &self->refinement);
  abut_free(ctx, self);
}

/* the transposes of the upper blocks make the lower triangle, column-major */
static void add_part(const abut_blocks *part, int32_t rows, double *triangle)
{
  int64_t n = 3 * (int64_t)rows;
  for (int32_t i = 0; i < rows; i++)
    for (int64_t k = part->start[i]; k < part->start[i + 1]; k++)
      for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
          triangle[(3 * (int64_t)i + r) * n + 3 * part->column[k] + c] +=
              part->value[k].m[3 * r + c];
}

static abut_status factor(abut_context *ctx, abut_linear *linear, const abut_matrix *a,
                          abut_structure *structure)
{
  dense *self = (dense *)linear;
  (void)structure;
  self->factored = false;
  if (a->rows > MOST_ROWS)
    return abut_fail(ctx, ABUT_UNSUPPORTED,
                     "%d rows are too many for the dense solver, which takes %d: choose another",
                     a->rows, MOST_ROWS);
  int n = 3 * a->rows, failed = 0;
  int64_t size = (int64_t)n * n;
  ABUT_TRY(abut_matrix_index_update(ctx, a, &self->index));
  ABUT_TRY(abut_buffer_renew(ctx, &self->triangle, size));
  ABUT_TRY(abut_buffer_renew(ctx, &self->vector, n));
  ABUT_TRY(abut_refinement_reserve(ctx, a->rows, &self->refinement));
  double *triangle = self->triangle.data;
  memset(triangle, 0, (size_t)size * sizeof *triangle);
  add_part(&a->base, a->rows, triangle);
  add_part(&a->extra, a->rows, triangle);

  double begin = abut_now();
  abut_blas_enter();
  if (n > 0) dpotrf_("L", &n, triangle, &n, &failed);
  abut_blas_leave();
  abut_linear_stats *stats = &linear->stats;
  stats->factorization_seconds += abut_now() - begin;
  stats->factorizations++;
  stats->nonzeros = ((int64_t)n * n + n) / 2;
  stats->flops = (double)n * n * n / 3;
  for (int64_t j = 0; j < n && !failed; j++)
    if (!isfinite(triangle[j * n + j])) failed = (int)j + 1;
  if (failed > 0) return abut_fail_pivot(ctx, a, (failed - 1) / 3);
  self->factored = true;
  return ABUT_OK;
}

static void apply_inverse(const abut_context *ctx, void *arg, const vec3 *b, vec3 *x)
{
  dense *self = arg;
  (void)ctx;
  int n = 3 * self->refinement.rows;
  double *v = self->vector.data;
  for (int i = 0; i < n / 3; i++) {
    v[3 * i] = b[i].x;
    v[3 * i + 1] = b[i].y;
    v[3 * i + 2] = b[i].z;
  }
  const double *l = self->triangle.data;
  abut_blas_enter();
  cblas_dtrsv(CblasColMajor, CblasLower, CblasNoTrans, CblasNonUnit, n, l, n, v, 1);
  cblas_dtrsv(CblasColMajor, CblasLower, CblasTrans, CblasNonUnit, n, l, n, v, 1);
  abut_blas_leave();
  for (int i = 0; i < n / 3; i++) x[i] = v3(v[3 * i], v[3 * i + 1], v[3 * i + 2]);
}

static abut_status solve(abut_context *ctx, abut_linear *linear, const abut_matrix *a,
                         const vec3 *b, vec3 *x)
{
  dense *self = (dense *)linear;
  if (!self->factored) return abut_fail_unfactored(ctx);
  return abut_refinement_solve(ctx, a, &self->index, &self->refinement, apply_inverse, self, b, x);
}

const abut_linear_class abut_linear_dense = {
    .name = "dense",
    .text = "one dense LL^T, for tests and small scenes",
    .direct = true,
    .create = create,
    .factor = factor,
    .solve = solve,
    .destroy = destroy,
};
