/* Conjugate gradients on the blocks of the matrix, with one of two preconditioners. */
#include <float.h>
#include <string.h>

#include "base/memory.h"
#include "base/parallel.h"
#include "base/timer.h"
#include "linear/direct.h"
#include "linear/linear.h"
#include "linear/precondition.h"

enum { GRAIN = 2048 };

typedef abut_status make_fn(abut_context *ctx, const abut_matrix *a, abut_preconditioner *p);

typedef struct pcg {
  abut_linear linear;
  make_fn *make;
  abut_matrix_index index;
  abut_preconditioner preconditioner;
  bool factored;
  int32_t rows;
  vec3 *b, *r, *z, *p, *q; /* right-hand side, residual, M r, direction, A p  (rows) */
} pcg;

static abut_status create(abut_context *ctx, const abut_linear_class *class, make_fn *make,
                          const abut_linear_options *options, abut_linear **out)
{
  pcg *self = ABUT_NEW_ZERO(ctx, pcg, 1);
  if (!self) return ABUT_NO_MEMORY;
  self->linear = (abut_linear){.class = class, .options = *options};
  self->make = make;
  *out = &self->linear;
  return ABUT_OK;
}

static abut_status create_ic0(abut_context *ctx, const abut_linear_options *options,
                              abut_linear **out)
{
  return create(ctx, &abut_linear_pcg, abut_block_ic0_make, options, out);
}

static abut_status create_jacobi(abut_context *ctx, const abut_linear_options *options,
                                 abut_linear **out)
{
  return create(ctx, &abut_linear_pcg_jacobi, abut_block_jacobi_make, options, out);
}

static void free_vectors(abut_context *ctx, pcg *self)
{
  vec3 **vector[] = {&self->b, &self->r, &self->z, &self->p, &self->q};
  for (int i = 0; i < 5; i++) {
    abut_free(ctx, *vector[i]);
    *vector[i] = NULL;
  }
  self->rows = 0;
}

static abut_status reserve_vectors(abut_context *ctx, pcg *self, int32_t rows)
{
  if (self->rows == rows && self->q) return ABUT_OK;
  free_vectors(ctx, self);
  ABUT_MAKE(ctx, self->b, rows);
  ABUT_MAKE(ctx, self->r, rows);
  ABUT_MAKE(ctx, self->z, rows);
  ABUT_MAKE(ctx, self->p, rows);
  ABUT_MAKE(ctx, self->q, rows);
  self->rows = rows;
  return ABUT_OK;
}

static void destroy(abut_context *ctx, abut_linear *linear)
{
  pcg *self = (pcg *)linear;
  if (!self) return;
  free_vectors(ctx, self);
  abut_matrix_index_free(ctx, &self->index);
  abut_preconditioner_free(ctx, &self->preconditioner);
  abut_free(ctx, self);
}

static abut_status factor(abut_context *ctx, abut_linear *linear, const abut_matrix *a,
                          abut_structure *structure)
{
  pcg *self = (pcg *)linear;
  (void)structure;
  self->factored = false;
  ABUT_TRY(abut_matrix_index_update(ctx, a, &self->index));
  ABUT_TRY(reserve_vectors(ctx, self, a->rows));
  double begin = abut_now();
  ABUT_TRY(self->make(ctx, a, &self->preconditioner));
  abut_linear_stats *stats = &linear->stats;
  stats->factorization_seconds += abut_now() - begin;
  stats->factorizations++;
  const abut_merged *u = &self->preconditioner.factor;
  stats->nonzeros = 9 * (self->preconditioner.incomplete ? u->start[u->rows] : (int64_t)a->rows);
  self->factored = true;
  return ABUT_OK;
}

/* x += alpha p, r -= alpha q; or, with q NULL, p = z + alpha p */
typedef struct motion {
  double alpha;
  const vec3 *z, *q;
  vec3 *p, *x, *r;
} motion;

static void move_rows(void *arg, int64_t begin, int64_t end)
{
  const motion *m = arg;
  for (int64_t i = begin; i < end; i++) {
    m->x[i] = v3_madd(m->x[i], m->p[i], m->alpha);
    m->r[i] = v3_madd(m->r[i], m->q[i], -m->alpha);
  }
}

static void turn_rows(void *arg, int64_t begin, int64_t end)
{
  const motion *m = arg;
  for (int64_t i = begin; i < end; i++) m->p[i] = v3_madd(m->z[i], m->p[i], m->alpha);
}

/* r = b - A x, and its size */
static double find_residual(const abut_context *ctx, pcg *self, const abut_matrix *a, const vec3 *x)
{
  abut_matrix_apply_indexed(ctx, a, &self->index, x, self->q);
  for (int32_t i = 0; i < a->rows; i++) self->r[i] = v3_sub(self->b[i], self->q[i]);
  return abut_norm(ctx, a->rows, self->r);
}

/* Hestenes and Stiefel 1952, from x and its residual r until |r| <= goal or most iterations are
   done. *size: |r| as it is carried along. */
static abut_status iterate(abut_context *ctx, pcg *self, const abut_matrix *a, double goal,
                           int64_t most, int64_t *done, double *size, vec3 *x)
{
  int32_t n = a->rows;
  motion m = {0, self->z, self->q, self->p, x, self->r};
  abut_preconditioner_apply(ctx, &self->preconditioner, self->r, self->z);
  memcpy(self->p, self->z, (size_t)n * sizeof *self->p);
  double rz = abut_dot(ctx, n, self->r, self->z);
  while (*size > goal && *done < most) {
    abut_matrix_apply_indexed(ctx, a, &self->index, self->p, self->q);
    double pq = abut_dot(ctx, n, self->p, self->q);
    if (!(pq > 0 && rz > 0 && pq <= DBL_MAX && rz <= DBL_MAX))
      return abut_fail(ctx, ABUT_STOPPED,
                       "conjugate gradients: the matrix is not positive definite, or a value is "
                       "not finite (iteration %lld)",
                       (long long)*done);
    m.alpha = rz / pq;
    abut_parallel_for(ctx, n, GRAIN, move_rows, &m);
    ++*done;
    *size = abut_norm(ctx, n, self->r);
    abut_preconditioner_apply(ctx, &self->preconditioner, self->r, self->z);
    double before = rz;
    rz = abut_dot(ctx, n, self->r, self->z);
    m.alpha = rz / before;
    abut_parallel_for(ctx, n, GRAIN, turn_rows, &m);
  }
  return ABUT_OK;
}

static abut_status solve(abut_context *ctx, abut_linear *linear, const abut_matrix *a,
                         const vec3 *b, vec3 *x)
{
  pcg *self = (pcg *)linear;
  if (!self->factored) return abut_fail_unfactored(ctx);
  int32_t n = a->rows;
  int64_t most = linear->options.max_iterations, done = 0;
  double size = abut_norm(ctx, n, b), goal = linear->options.tolerance * size, now = size;
  memcpy(self->b, b, (size_t)n * sizeof *b);
  memcpy(self->r, b, (size_t)n * sizeof *b);
  memset(x, 0, (size_t)n * sizeof *x);
  if (size == 0) return ABUT_OK;

  /* the residual carried along drifts away from the true one, which has the last word */
  while (now > goal && done < most) {
    int64_t before = done;
    ABUT_TRY(iterate(ctx, self, a, goal, most, &done, &now, x));
    linear->stats.iterations += done - before;
    now = find_residual(ctx, self, a, x);
  }
  if (now <= goal) return ABUT_OK;
  return abut_fail(ctx, ABUT_STOPPED,
                   "conjugate gradients gave up after %lld iterations at |b - A x| = %.2g |b|, not "
                   "%.2g: allow more or take the direct solver",
                   (long long)done, now / size, linear->options.tolerance);
}

const abut_linear_class abut_linear_pcg = {
    .name = "pcg",
    .text = "conjugate gradients, block incomplete Cholesky without fill",
    .direct = false,
    .create = create_ic0,
    .factor = factor,
    .solve = solve,
    .destroy = destroy,
};

const abut_linear_class abut_linear_pcg_jacobi = {
    .name = "pcg_jacobi",
    .text = "conjugate gradients, 3x3 block Jacobi",
    .direct = false,
    .create = create_jacobi,
    .factor = factor,
    .solve = solve,
    .destroy = destroy,
};
