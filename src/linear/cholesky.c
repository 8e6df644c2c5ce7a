/* Direct solver: sparse LL^T by fronts of 3x3 blocks (Duff and Reid 1983; Liu 1992), ordered by
   nested dissection. */
#include "base/hash.h"
#include "base/scratch.h"
#include "base/timer.h"
#include "linear/direct.h"
#include "linear/linear.h"
#include "linear/reserve.h"
#include "linear/triangular.h"

/* When to make a new order: as soon as CALLS factorisations lose more with the old one than a new
   one costs, which is PRICE flops per block of the matrix (measured: bench_cholesky). What they
   lose is what goes beyond SLACK times the flops right after the order was made. */
static const double SLACK = 1.4, CALLS = 8, PRICE = 2.5e4;

typedef struct cholesky {
  abut_linear linear;
  abut_matrix_index index;
  abut_symbolic symbolic;
  uint64_t key; /* of what symbolic was made from; 0: there is none */
  abut_factor factor;
  bool factored;
  abut_buffer vectors; /* of the fronts */
  abut_refinement refinement;
} cholesky;

static abut_status create(abut_context *ctx, const abut_linear_options *options, abut_linear **out)
{
  cholesky *self = ABUT_NEW_ZERO(ctx, cholesky, 1);
  if (!self) return ABUT_NO_MEMORY;
  self->linear = (abut_linear){.class = &abut_linear_cholesky, .options = *options};
  *out = &self->linear;
  return ABUT_OK;
}

static void destroy(abut_context *ctx, abut_linear *linear)
{
  cholesky *self = (cholesky *)linear;
  if (!self) return;
  abut_matrix_index_free(ctx, &self->index);
  abut_symbolic_free(ctx, &self->symbolic);
  abut_factor_free(ctx, &self->factor);
  abut_buffer_free(ctx, &self->vectors);
  abut_refinement_free(ctx, &self->refinement);
  abut_free(ctx, self);
}

/* makes symbolic the one for structure and this number of threads, unless it is */
static abut_status analyze(abut_context *ctx, cholesky *self, const abut_matrix *a,
                           const abut_structure *structure)
{
  uint64_t key = abut_hash_bytes(self->index.base.hash, &structure->hash, sizeof structure->hash);
  key = abut_hash_bytes(key, &ctx->threads, sizeof ctx->threads);
  if (self->key == key) return ABUT_OK;
  self->key = 0;
  self->linear.stats.analyses++;
  ABUT_TRY(abut_symbolic_analyze(ctx, a, &self->index.base, structure, &self->symbolic));
  self->key = key;
  return ABUT_OK;
}

static abut_status new_order(abut_context *ctx, cholesky *self, const abut_matrix *a,
                             abut_structure *structure)
{
  self->linear.stats.orderings++;
  ABUT_TRY(abut_structure_order(ctx, a, structure));
  ABUT_TRY(analyze(ctx, self, a, structure));
  structure->flops = self->symbolic.flops > 1 ? self->symbolic.flops : 1;
  return ABUT_OK;
}

static bool pays(const abut_matrix *a, const abut_structure *structure, double flops)
{
  double price = PRICE * (double)(a->base.start[a->rows] + structure->pairs);
  return CALLS * (flops - SLACK * structure->flops) > price;
}

/* Makes structure and symbolic fit the pattern of a. What comes out depends on a and on what
   structure was before, not on what this solver has seen. */
static abut_status fit_structure(abut_context *ctx, cholesky *self, const abut_matrix *a,
                                 abut_structure *structure, abut_extra *extra)
{
  bool covered;
  if (structure->rows != a->rows || structure->flops <= 0)
    ABUT_TRY(new_order(ctx, self, a, structure));
  else
    ABUT_TRY(analyze(ctx, self, a, structure));
  ABUT_TRY(abut_extra_find(ctx, &self->symbolic, a, extra, &covered));
  if (covered) return ABUT_OK;

  ABUT_TRY(abut_structure_cover(ctx, a, structure));
  ABUT_TRY(analyze(ctx, self, a, structure));
  if (pays(a, structure, self->symbolic.flops)) ABUT_TRY(new_order(ctx, self, a, structure));
  return abut_extra_find(ctx, &self->symbolic, a, extra, &covered);
}

static abut_status compute(abut_context *ctx, cholesky *self, const abut_matrix *a,
                           const abut_extra *extra)
{
  abut_linear_stats *stats = &self->linear.stats;
  ABUT_TRY(abut_factor_reserve(ctx, &self->symbolic, &self->factor));
  ABUT_TRY(abut_buffer_renew(ctx, &self->vectors, abut_triangular_size(&self->symbolic)));
  ABUT_TRY(abut_refinement_reserve(ctx, a->rows, &self->refinement));

  double begin = abut_now();
  int32_t row = abut_factor_compute(ctx, &self->symbolic, a, extra, &self->factor);
  stats->factorization_seconds += abut_now() - begin;
  stats->factorizations++;
  stats->flops = self->symbolic.flops;
  stats->nonzeros = self->symbolic.nonzeros;
  return row < 0 ? ABUT_OK : abut_fail_pivot(ctx, a, row);
}

static abut_status factor_within_scratch(abut_context *ctx, cholesky *self, const abut_matrix *a,
                                         abut_structure *structure)
{
  abut_extra extra;
  ABUT_TRY(abut_matrix_index_update(ctx, a, &self->index));
  ABUT_TRY(fit_structure(ctx, self, a, structure, &extra));
  return compute(ctx, self, a, &extra);
}

static abut_status factor(abut_context *ctx, abut_linear *linear, const abut_matrix *a,
                          abut_structure *structure)
{
  cholesky *self = (cholesky *)linear;
  abut_mark mark = abut_scratch_mark(ctx);
  abut_status status = factor_within_scratch(ctx, self, a, structure);
  self->factored = status == ABUT_OK;
  abut_scratch_release(ctx, mark);
  return status;
}

static void apply_inverse(const abut_context *ctx, void *arg, const vec3 *b, vec3 *x)
{
  cholesky *self = arg;
  abut_triangular_solve(ctx, &self->symbolic, &self->factor, b, self->vectors.data, x);
}

static abut_status solve(abut_context *ctx, abut_linear *linear, const abut_matrix *a,
                         const vec3 *b, vec3 *x)
{
  cholesky *self = (cholesky *)linear;
  if (!self->factored) return abut_fail_unfactored(ctx);
  return abut_refinement_solve(ctx, a, &self->index, &self->refinement, apply_inverse, self, b, x);
}

const abut_linear_class abut_linear_cholesky = {
    .name = "cholesky",
    .text = "sparse LL^T of 3x3 blocks, nested dissection, parallel",
    .direct = true,
    .create = create,
    .factor = factor,
    .solve = solve,
    .destroy = destroy,
};
