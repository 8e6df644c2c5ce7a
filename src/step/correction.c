#include "step/correction.h"

#include "base/parallel.h"
#include "base/timer.h"

/* units in the last place of the largest coordinate that a gradient is uncertain by */
static const double rounding = 16 * K_EPSILON;

double abut_largest_coordinate(const abut_system *sys, const abut_work *w)
{
  double size = 0;
  for (int32_t v = 0; v < sys->vertices; v++) size = fmax(size, v3_max_abs(w->x[v]));
  return size;
}

void abut_displacement_left(const abut_system *sys, abut_work *w)
{
  w->moving = false;
  for (int32_t v = 0; v < sys->vertices; v++) {
    if (!w->drive.prescribed[v]) continue;
    w->p[v] = v3_sub(w->drive.target[v], w->x[v]);
    if (v3_max_abs(w->p[v]) > 0) w->moving = true;
  }
}

/* ---- rounding level ---- */

bool abut_at_rounding_level(const abut_system *sys, const abut_work *w, double size)
{
  for (int32_t v = 0; v < sys->dynamic; v++) {
    if (w->drive.prescribed[v]) continue;
    double k = m3_trace(abut_matrix_diagonal(&w->a, v));
    if (!(v3_max_abs(w->g[v]) <= rounding * size * k)) return false;
  }
  return true;
}

/* The inertial part is looked at
   on its own: a slow drift of a stiff body hides in the noise of its elastic forces. */
bool abut_at_rest(const abut_system *sys, const abut_work *w, double size)
{
  if (w->moving) return false;
  for (int32_t v = 0; v < sys->dynamic; v++)
    if (!w->drive.prescribed[v] &&
        v3_max_abs(v3_sub(w->x[v], w->drive.y[v])) > K_EPSILON * v3_max_abs(w->x[v]))
      return false;
  return abut_at_rounding_level(sys, w, size);
}

/* Rounding level of the objective, J: the elements' own digits, and what rounding the coordinates
   does to stiff elements of small energy. */
double abut_energy_noise(const abut_system *sys, const abut_work *w, const abut_objective *e)
{
  double stiff = 0;
  for (int32_t v = 0; v < sys->dynamic; v++)
    if (!w->drive.prescribed[v]) stiff += m3_trace(abut_matrix_diagonal(&w->a, v));
  return 1e-10 * e->size + 32 * K_EPSILON * stiff * sys->edge_length * sys->edge_length;
}

/* ---- linear solve ---- */

/* Adds a share of the largest diagonal entry to all of them: a matrix that lost its last digits of
   positive definiteness to rounding gets them back. */
static void shift_diagonal(const abut_system *sys, abut_work *w, double share)
{
  for (int32_t v = 0; v < sys->dynamic; v++) {
    mat3 *block = &w->a.base.value[w->a.base.start[v]];
    double s = share * m3_trace(abut_matrix_diagonal(&w->a, v)) / 3;
    for (int k = 0; k < 9; k += 4) block->m[k] += s;
  }
}

static abut_status factor(abut_context *ctx, const abut_system *sys, abut_work *w)
{
  abut_status status = w->linear->class->factor(ctx, w->linear, &w->a, &w->structure);
  for (double share = 1e-13; status == ABUT_STOPPED && share < 1e-5; share *= 100) {
    abut_error_clear(ctx);
    shift_diagonal(sys, w, share);
    status = w->linear->class->factor(ctx, w->linear, &w->a, &w->structure);
  }
  return status;
}

abut_status abut_correction_solve(abut_context *ctx, const abut_system *sys, abut_work *w)
{
  const abut_linear_stats before = w->linear->stats;
  double start = abut_now();
  abut_status status = factor(ctx, sys, w);
  if (status == ABUT_OK) status = w->linear->class->solve(ctx, w->linear, &w->a, w->rhs, w->rhs);
  const abut_linear_stats *after = &w->linear->stats;
  w->report.wall.linear += abut_now() - start;
  w->report.wall.factorization += after->factorization_seconds - before.factorization_seconds;
  w->report.factorizations += after->factorizations - before.factorizations;
  w->report.linear_iterations += after->iterations - before.iterations;
  w->report.newton++;
  if (status != ABUT_OK) return status;
  for (int32_t v = 0; v < sys->dynamic; v++)
    if (!w->drive.prescribed[v]) w->p[v] = w->rhs[v];
  return ABUT_OK;
}

abut_status abut_correction_measure(abut_context *ctx, const abut_system *sys, const abut_work *w,
                                    double *speed, double *slope)
{
  double largest = 0;
  *slope = 0;
  for (int32_t v = 0; v < sys->dynamic; v++) {
    if (w->drive.prescribed[v]) continue;
    double size = v3_max_abs(w->p[v]);
    if (!(size < HUGE_VAL))
      return abut_fail(ctx, ABUT_STOPPED, "the Newton direction is not finite");
    largest = size > largest ? size : largest;
    *slope += v3_dot(w->g[v], w->p[v]);
  }
  *speed = largest / abut_work_dt(w);
  return ABUT_OK;
}

/* ---- history ---- */

typedef struct remember_job {
  const abut_batch *batch;
  const abut_at *at;
} remember_job;

static void remember_range(void *arg, int64_t begin, int64_t end)
{
  const remember_job *job = arg;
  job->batch->class->remember(job->batch, job->at, (int)begin, (int)end);
}

void abut_remember(const abut_context *ctx, const abut_system *sys, abut_work *w)
{
  abut_at at = abut_work_at(w, w->x);
  for (int b = 0; b < sys->batches; b++) {
    remember_job job = {&w->batch[b], &at};
    if (job.batch->class->remember)
      abut_parallel_for(ctx, job.batch->count, 1024, remember_range, &job);
  }
}
