/* CHOLMOD's supernodal LL^T with METIS: the oracle of the tests and the rival of the benchmark. Its
   supernodal part is GPL, so it is compiled with -DABUT_WITH_CHOLMOD=ON only. It takes its memory
   from malloc and always runs on one thread. */
#include <cholmod.h>

#ifdef _OPENMP
#include <omp.h>
#endif

#include "base/memory.h"
#include "base/timer.h"
#include "linear/direct.h"
#include "linear/linear.h"
#include "linear/merged.h"
#include "linear/tiles.h"

typedef struct rival {
  abut_linear linear;
  cholmod_common common;
  abut_merged merged;
  abut_matrix_index index;
  cholmod_sparse *matrix; /* lower triangle, scalar; NULL before the first factor */
  cholmod_factor *factor;
  cholmod_dense *b, *x, *y, *e;
  bool factored;
  abut_refinement refinement;
} rival;

/* CHOLMOD opens parallel regions of four threads of its own accord */
static int enter(void)
{
  abut_blas_enter();
#ifdef _OPENMP
  int levels = omp_get_max_active_levels();
  omp_set_max_active_levels(0);
  return levels;
#else
  return 0;
#endif
}

static void leave(int levels)
{
#ifdef _OPENMP
  omp_set_max_active_levels(levels);
#endif
  (void)levels;
  abut_blas_leave();
}

static abut_status create(abut_context *ctx, const abut_linear_options *options, abut_linear **out)
{
  rival *self = ABUT_NEW_ZERO(ctx, rival, 1);
  if (!self) return ABUT_NO_MEMORY;
  self->linear = (abut_linear){.class = &abut_linear_cholmod, .options = *options};
  cholmod_start(&self->common);
  self->common.print = 0;
  self->common.nmethods = 1;
  self->common.method[0].ordering = CHOLMOD_METIS;
  self->common.postorder = 1;
  self->common.supernodal = CHOLMOD_SUPERNODAL;
  self->common.final_ll = 1;
  *out = &self->linear;
  return ABUT_OK;
}

static void forget(rival *self)
{
  cholmod_free_factor(&self->factor, &self->common);
  cholmod_free_sparse(&self->matrix, &self->common);
  cholmod_free_dense(&self->b, &self->common);
  cholmod_free_dense(&self->x, &self->common);
  cholmod_free_dense(&self->y, &self->common);
  cholmod_free_dense(&self->e, &self->common);
}

static void destroy(abut_context *ctx, abut_linear *linear)
{
  rival *self = (rival *)linear;
  if (!self) return;
  forget(self);
  cholmod_finish(&self->common);
  abut_merged_free(ctx, &self->merged);
  abut_matrix_index_free(ctx, &self->index);
  abut_refinement_free(ctx, &self->refinement);
  abut_free(ctx, self);
}

static abut_status no_memory(abut_context *ctx)
{
  return abut_fail(ctx, ABUT_NO_MEMORY, "out of memory in CHOLMOD");
}

/* The scalar lower triangle by columns is the upper one by rows, which is how blocks are stored.
   values: the pattern is there already. */
static void fill(const abut_merged *m, bool values, cholmod_sparse *matrix)
{
  int *start = matrix->p, *row = matrix->i, at = 0;
  double *value = matrix->x;
  for (int32_t i = 0; i < m->rows; i++)
    for (int r = 0; r < 3; r++) {
      if (!values) start[3 * i + r] = at;
      for (int64_t k = m->start[i]; k < m->start[i + 1]; k++)
        for (int c = m->column[k] == i ? r : 0; c < 3; c++) {
          if (!values) row[at] = 3 * m->column[k] + c;
          value[at++] = m->value[k].m[3 * r + c];
        }
    }
  if (!values) start[3 * m->rows] = at;
}

/* CHOLMOD does not look */
static bool is_finite(const cholmod_sparse *matrix)
{
  const int *start = matrix->p;
  const double *value = matrix->x;
  bool finite = true;
  for (int k = 0; k < start[matrix->ncol]; k++) finite = finite && isfinite(value[k]);
  return finite;
}

static abut_status analyze(abut_context *ctx, rival *self)
{
  const abut_merged *m = &self->merged;
  int64_t entries = 9 * m->start[m->rows] - 3 * (int64_t)m->rows;
  size_t n = 3 * (size_t)m->rows;
  if (entries > INT32_MAX || n > INT32_MAX)
    return abut_fail(ctx, ABUT_UNSUPPORTED, "the matrix is too large for this use of CHOLMOD");
  forget(self);
  cholmod_common *common = &self->common;
  self->matrix = cholmod_allocate_sparse(n, n, (size_t)entries, 1, 1, -1, CHOLMOD_REAL, common);
  self->b = cholmod_allocate_dense(n, 1, n, CHOLMOD_REAL, common);
  if (!self->matrix || !self->b) return no_memory(ctx);
  fill(m, false, self->matrix);
  int levels = enter();
  self->factor = cholmod_analyze(self->matrix, common);
  leave(levels);
  if (!self->factor) return no_memory(ctx);
  self->linear.stats.orderings++;
  self->linear.stats.analyses++;
  return ABUT_OK;
}

static abut_status factor(abut_context *ctx, abut_linear *linear, const abut_matrix *a,
                          abut_structure *structure)
{
  rival *self = (rival *)linear;
  bool changed;
  (void)structure; /* the oracle keeps its own order */
  self->factored = false;
  ABUT_TRY(abut_merged_update(ctx, a, &self->merged, &changed));
  ABUT_TRY(abut_matrix_index_update(ctx, a, &self->index));
  ABUT_TRY(abut_refinement_reserve(ctx, a->rows, &self->refinement));
  if (changed || !self->factor) ABUT_TRY(analyze(ctx, self));
  fill(&self->merged, true, self->matrix);
  if (!is_finite(self->matrix)) return abut_fail_pivot(ctx, a, 0);

  abut_linear_stats *stats = &linear->stats;
  double begin = abut_now();
  int levels = enter();
  cholmod_factorize(self->matrix, self->factor, &self->common);
  leave(levels);
  stats->factorization_seconds += abut_now() - begin;
  stats->factorizations++;
  stats->flops = self->common.fl;
  stats->nonzeros = (int64_t)self->common.lnz;
  if (self->common.status == CHOLMOD_OUT_OF_MEMORY) return no_memory(ctx);
  if (self->common.status != CHOLMOD_OK || self->factor->minor < self->factor->n) {
    size_t at = self->factor->minor < self->factor->n ? self->factor->minor : 0;
    const int *order = self->factor->Perm;
    return abut_fail_pivot(ctx, a, order[at] / 3);
  }
  self->factored = true;
  return ABUT_OK;
}

static void apply_inverse(const abut_context *ctx, void *arg, const vec3 *b, vec3 *x)
{
  rival *self = arg;
  (void)ctx;
  double *to = self->b->x;
  for (int32_t i = 0; i < self->merged.rows; i++) {
    to[3 * i] = b[i].x;
    to[3 * i + 1] = b[i].y;
    to[3 * i + 2] = b[i].z;
  }
  int levels = enter();
  int fine = cholmod_solve2(CHOLMOD_A, self->factor, self->b, NULL, &self->x, NULL, &self->y,
                            &self->e, &self->common);
  leave(levels);
  const double *from = fine ? self->x->x : NULL;
  for (int32_t i = 0; i < self->merged.rows; i++)
    x[i] = fine ? v3(from[3 * i], from[3 * i + 1], from[3 * i + 2]) : v3(NAN, NAN, NAN);
}

static abut_status solve(abut_context *ctx, abut_linear *linear, const abut_matrix *a,
                         const vec3 *b, vec3 *x)
{
  rival *self = (rival *)linear;
  if (!self->factored) return abut_fail_unfactored(ctx);
  return abut_refinement_solve(ctx, a, &self->index, &self->refinement, apply_inverse, self, b, x);
}

const abut_linear_class abut_linear_cholmod = {
    .name = "cholmod",
    .text = "CHOLMOD's supernodal LL^T (GPL), METIS order, one thread",
    .direct = true,
    .create = create,
    .factor = factor,
    .solve = solve,
    .destroy = destroy,
};
