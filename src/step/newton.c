#include "step/newton.h"

#include "base/timer.h"
#include "step/correction.h"
#include "step/settled.h"
#include "step/stiffness.h"

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

/* ---- one iteration ---- */

/* the accepted trial becomes the iterate */
static abut_status accept(abut_context *ctx, const abut_system *sys,
                          const abut_step_options *options, abut_work *w, newton *n,
                          const abut_search *search)
{
  abut_friction_follow(ctx, w->x, w->x0, w->p, search->alpha, &w->friction);
  vec3 *x = w->x;
  w->x = w->trial;
  w->trial = x;
  bool stiffer = abut_stiffness_adapt(sys, options, &w->now, &w->next, &w->stiffness);
  abut_contact_set now = w->now;
  w->now = w->next;
  w->next = now;
  abut_remember(ctx, sys, w);
  n->energy = search->energy;
  if (stiffer) return abut_objective_energy(ctx, sys, options, w, w->x, &w->now, &n->energy);
  return ABUT_OK;
}

/* Nothing along the direction lowers the objective. At rounding level that is the end of the step;
   elsewhere it is a failure. */
static abut_status stalled(abut_context *ctx, const abut_system *sys, abut_work *w, newton *n,
                           bool small)
{
  if (!w->moving && (small || abut_at_rounding_level(sys, w, n->size))) {
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
         abut_at_rounding_level(sys, w, n->size);
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
  if (k == 0 && abut_at_rest(sys, w, n->size)) {
    w->still = true;
    finish(w, n, ABUT_STEP_CONVERGED);
    return ABUT_OK;
  }
  w->still = false;
  ABUT_TRY(abut_correction_solve(ctx, sys, w));
  ABUT_TRY(abut_correction_measure(ctx, sys, w, &n->residual, &slope));
  small = !w->moving && n->residual <= abut_work_tolerance(w);
  bool trifle = n->residual <= trifling * abut_work_tolerance(w);
  bool converged = small && (trifle || abut_friction_settled(sys, ABUT_OVERLOAD, w));
  if (stagnates(sys, w, n, k)) {
    finish(w, n, ABUT_STEP_NO_DECREASE);
    return ABUT_OK;
  }

  abut_search search;
  ABUT_TRY(abut_search_limit(ctx, sys, w, &search));
  if (search.limited) w->tightest = search.pair;
  double noise = abut_energy_noise(sys, w, &n->energy);
  ABUT_TRY(abut_search_run(ctx, sys, options, w, &n->energy, slope, noise, &search));
  if (search.alpha == 0 && !w->moving) return stalled(ctx, sys, w, n, small);
  if (converged && !trifle) converged = abut_loads_settled(sys, options, w, abut_work_tolerance(w));
  if (search.alpha > 0) ABUT_TRY(accept(ctx, sys, options, w, n, &search));
  w->report.step_fraction = fmin(w->report.step_fraction, search.alpha);
  ABUT_TRY(watch_pinching(ctx, w, n, search.alpha));
  abut_displacement_left(sys, w);

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
  newton n = {.size = abut_largest_coordinate(sys, w), .missing = 1};
  abut_displacement_left(sys, w);
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
