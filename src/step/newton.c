#include "step/newton.h"

#include "base/parallel.h"
#include "base/timer.h"
#include "step/settled.h"
#include "step/stiffness.h"

/* units in the last place of the largest coordinate that a gradient is uncertain by */
static const double rounding = 16 * K_EPSILON;
/* a prescribed motion that advances by less than this this often in a row is pinched off */
static const double pinched = 1e-6;
/* share of the tolerance below which a correction ends the step whatever friction does: on the kink
   of two parallel edges loads jump from pair to pair */
static const double trifling = 1e-3;
enum { PINCHED_ITERATIONS = 6, STAGNATION = 4 };

typedef struct newton {
  double size;               /* largest coordinate, m */
  abut_objective energy;     /* at w->x */
  double residual;           /* m/s */
  double recent[STAGNATION]; /* residuals of the last iterations */
  double missing;            /* toi: share of the step that is not done */
  int pinched;               /* iterations in a row that hardly moved */
  bool done;
} newton;

static double largest_coordinate(const abut_system *sys, const abut_work *w)
{
  double size = 0;
  for (int32_t v = 0; v < sys->vertices; v++) size = fmax(size, v3_max_abs(w->x[v]));
  return size;
}

/* what prescribed vertices have left to go, into w->p; sets w->moving */
static void leave_displacement(const abut_system *sys, abut_work *w)
{
  w->moving = false;
  for (int32_t v = 0; v < sys->vertices; v++) {
    if (!w->drive.prescribed[v]) continue;
    w->p[v] = v3_sub(w->drive.target[v], w->x[v]);
    if (v3_max_abs(w->p[v]) > 0) w->moving = true;
  }
}

/* ---- rounding level ---- */

/* is every component of the gradient below what rounding the coordinates does to it? */
static bool at_rounding_level(const abut_system *sys, const abut_work *w, double size)
{
  for (int32_t v = 0; v < sys->dynamic; v++) {
    if (w->drive.prescribed[v]) continue;
    double k = m3_trace(abut_matrix_diagonal(&w->a, v));
    if (!(v3_max_abs(w->g[v]) <= rounding * size * k)) return false;
  }
  return true;
}

/* Nothing moves, nothing is led, and the gradient is rounding noise. The inertial part is looked at
   on its own: a slow drift of a stiff body hides in the noise of its elastic forces. */
static bool at_rest(const abut_system *sys, const abut_work *w, double size)
{
  if (w->moving) return false;
  for (int32_t v = 0; v < sys->dynamic; v++)
    if (!w->drive.prescribed[v] &&
        v3_max_abs(v3_sub(w->x[v], w->drive.y[v])) > K_EPSILON * v3_max_abs(w->x[v]))
      return false;
  return at_rounding_level(sys, w, size);
}

/* Rounding level of the objective, J: the elements' own digits, and what rounding the coordinates
   does to stiff elements of small energy. */
static double energy_noise(const abut_system *sys, const abut_work *w, const abut_objective *e)
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

/* solves H dx = rhs into w->rhs and completes w->p with it */
static abut_status direction(abut_context *ctx, const abut_system *sys, abut_work *w)
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

/* ---- one iteration ---- */

/* m/s */
static double tolerance(const abut_work *w)
{
  double position = w->drive.position_tolerance;
  return position > 0 ? position / abut_work_dt(w) : w->drive.tolerance;
}

static abut_status measure(abut_context *ctx, const abut_system *sys, const abut_work *w, newton *n,
                           double *slope, bool *small)
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
  n->residual = largest / abut_work_dt(w);
  *small = !w->moving && n->residual <= tolerance(w);
  return ABUT_OK;
}

typedef struct remember_job {
  const abut_batch *batch;
  const abut_at *at;
} remember_job;

static void remember_range(void *arg, int64_t begin, int64_t end)
{
  const remember_job *job = arg;
  job->batch->class->remember(job->batch, job->at, (int)begin, (int)end);
}

static void remember(const abut_context *ctx, const abut_system *sys, abut_work *w)
{
  abut_at at = abut_work_at(w, w->x);
  for (int b = 0; b < sys->batches; b++) {
    remember_job job = {&w->batch[b], &at};
    if (job.batch->class->remember)
      abut_parallel_for(ctx, job.batch->count, 1024, remember_range, &job);
  }
}

/* the accepted trial becomes the iterate */
static abut_status accept(abut_context *ctx, const abut_system *sys,
                          const abut_step_options *options, abut_work *w, newton *n,
                          const abut_search *search)
{
  vec3 *x = w->x;
  w->x = w->trial;
  w->trial = x;
  bool stiffer = abut_stiffness_adapt(sys, options, &w->now, &w->next, &w->stiffness);
  abut_contacts now = w->now;
  w->now = w->next;
  w->next = now;
  remember(ctx, sys, w);
  n->energy = search->energy;
  if (stiffer) return abut_objective_energy(ctx, sys, options, w, w->x, &w->now, &n->energy);
  return ABUT_OK;
}

/* Nothing along the direction lowers the objective. At rounding level that is the end of the step;
   elsewhere it is a failure. */
static abut_status stalled(abut_context *ctx, const abut_system *sys, abut_work *w, newton *n,
                           bool small)
{
  if (!w->moving && (small || at_rounding_level(sys, w, n->size))) {
    w->report.status = ABUT_STEP_NO_DECREASE;
    n->done = true;
    return ABUT_OK;
  }
  return abut_fail(ctx, ABUT_STOPPED,
                   "the line search found no decrease; a smaller time step may help");
}

/* corrections at rounding level that do not get smaller any more */
static bool stagnates(const abut_system *sys, const abut_work *w, newton *n, int k)
{
  double best = HUGE_VAL;
  for (int i = 0; i < STAGNATION; i++) best = fmin(best, n->recent[i]);
  n->recent[k % STAGNATION] = n->residual;
  return k >= STAGNATION && n->residual > 0.5 * best && !w->moving &&
         at_rounding_level(sys, w, n->size);
}

static void finish(abut_work *w, newton *n, abut_step_status status)
{
  w->report.status = status;
  n->done = true;
}

static abut_status watch_pinching(abut_context *ctx, const abut_work *w, newton *n, double alpha)
{
  n->pinched = w->moving && alpha < pinched ? n->pinched + 1 : 0;
  if (n->pinched < PINCHED_ITERATIONS) return ABUT_OK;
  return abut_fail(ctx, ABUT_STOPPED, "infeasible boundary: prescribed vertices cannot advance");
}

static abut_status iterate(abut_context *ctx, const abut_system *sys,
                           const abut_step_options *options, abut_work *w, newton *n, int k)
{
  double start = abut_now(), slope = 0;
  bool small = false;
  ABUT_TRY(abut_objective_assemble(ctx, sys, options, w));
  w->report.wall.assembly += abut_now() - start;
  if (k == 0 && at_rest(sys, w, n->size)) {
    w->still = true;
    finish(w, n, ABUT_STEP_CONVERGED);
    return ABUT_OK;
  }
  w->still = false;
  ABUT_TRY(direction(ctx, sys, w));
  ABUT_TRY(measure(ctx, sys, w, n, &slope, &small));
  bool trifle = n->residual <= trifling * tolerance(w);
  bool converged = small && (trifle || abut_friction_settled(sys, w));
  if (stagnates(sys, w, n, k)) {
    finish(w, n, ABUT_STEP_NO_DECREASE);
    return ABUT_OK;
  }

  abut_search search;
  ABUT_TRY(abut_search_limit(ctx, sys, w, &search));
  if (search.limited) w->tightest = search.pair;
  double noise = energy_noise(sys, w, &n->energy);
  ABUT_TRY(abut_search_run(ctx, sys, options, w, &n->energy, slope, noise, &search));
  if (search.alpha == 0 && !w->moving) return stalled(ctx, sys, w, n, small);
  if (converged && !trifle) converged = abut_loads_settled(sys, options, w, tolerance(w));
  if (search.alpha > 0) ABUT_TRY(accept(ctx, sys, options, w, n, &search));
  w->report.step_fraction = fmin(w->report.step_fraction, search.alpha);
  ABUT_TRY(watch_pinching(ctx, w, n, search.alpha));
  leave_displacement(sys, w);

  if (k + 1 >= options->k_min) n->missing *= 1 - search.alpha;
  if (converged)
    finish(w, n, ABUT_STEP_CONVERGED);
  else if (options->stop == ABUT_STOP_TOI && !w->moving && n->missing <= options->epsilon)
    finish(w, n, ABUT_STEP_TOI);
  return ABUT_OK;
}

abut_status abut_newton_solve(abut_context *ctx, const abut_system *sys,
                              const abut_step_options *options, abut_work *w)
{
  newton n = {.size = largest_coordinate(sys, w), .missing = 1};
  leave_displacement(sys, w);
  ABUT_TRY(abut_objective_energy(ctx, sys, options, w, w->x, &w->now, &n.energy));
  for (int k = 0; !n.done; k++) {
    if (k == w->drive.max_newton) {
      if (!options->accept_at_cap || w->moving)
        return abut_fail(ctx, ABUT_STOPPED, "not converged after %d Newton iterations", k);
      finish(w, &n, ABUT_STEP_CAPPED);
      break;
    }
    if (ctx->cancelled && ctx->cancelled(ctx->cancel_ctx))
      return abut_fail(ctx, ABUT_CANCELLED, "interrupted");
    ABUT_TRY(iterate(ctx, sys, options, w, &n, k));
  }
  w->report.residual = n.residual;
  return ABUT_OK;
}
