#include "step/barrier_free.h"

#include <string.h>

#include "base/timer.h"
#include "step/active_set.h"
#include "step/barrier_step.h"
#include "step/correction.h"
#include "step/line_search.h"
#include "step/settled.h"

/* the anchor stays where it is when it could advance by less than this */
static const double least_advance = 1e-6;
/* a step stalls when it advances by less than this this often in a row */
static const double stalling = 1e-4;
enum { STALLED_ITERATIONS = 50 };
/* multipliers have settled when they change by less than this share of their sum, or each by less
   than a share of stiffness times separation */
static const double settled_sum = 0.1, settled_share = 0.05;
enum { SETTLING_ITERATIONS = 20 };
/* how much stiffer constraints may get while multipliers settle slowly */
static const double most_boost = 256;
/* a subproblem goes on while more than this share of the pushing has changed sides */
static const double switched_share = 0.05;
/* friction has settled when no object's is asked for more than this share beyond its load */
static const double overload = 0.05;
/* so many iterations in a row whose multipliers change as much as in the one before go to and fro
 */
enum { SWINGS = 3 };

typedef struct outer {
  abut_stiffness_rule rule;
  abut_objective energy; /* at the iterate, with the constraints of this iteration */
  double size;           /* largest coordinate, m */
  double separation;     /* delta, m */
  double floor;          /* of collision detection, m */
  double missing;        /* beta: share of the step's start in the anchor */
  double fraction;       /* of the last advance of the anchor */
  double residual;       /* m/s, of the first correction of an iteration */
  abut_multiplier_update update;
  abut_seed_report seeds; /* of the last advance */
  double before;          /* update.change of one iteration ago, m */
  int k, finishing, settling, stalled, swings;
  bool damped;         /* the anchor goes only half of the way */
  bool elements_known; /* the matrix holds the elements at the iterate */
  bool whole;          /* the last Newton direction was taken whole */
  bool slides;         /* the first one asked friction for more than there is */
  bool done, capped;
} outer;

/* ---- start ---- */

static double largest_diagonal(const abut_system *sys, const abut_work *w, bool elastic)
{
  double largest = 0, dt = abut_work_dt(w);
  for (int32_t v = 0; v < sys->dynamic; v++) {
    if (w->drive.prescribed[v]) continue;
    const mat3 *k = &w->diagonal[v];
    double inertia = elastic ? sys->mass[v] / (dt * dt) : 0;
    for (int i = 0; i < 9; i += 4) largest = fmax(largest, k->m[i] - inertia);
  }
  return largest;
}

/* Eq. 20 now, and as it was when the run began: an element that is pressed flat would otherwise
   make every constraint of the scene as stiff as itself */
static void start_stiffness(const abut_system *sys, const abut_step_options *options,
                            const abut_state *s, abut_work *w, outer *o)
{
  /* of the elements alone: loose blocks are still those of the step before */
  for (int32_t v = 0; v < sys->dynamic; v++) w->diagonal[v] = w->a.base.value[w->a.base.start[v]];
  double now = largest_diagonal(sys, w, false), elastic = largest_diagonal(sys, w, true);
  w->stiffness = s->stiffness > 0 ? s->stiffness : elastic;
  w->adapted = true;
  double inertia = 0, dt = abut_work_dt(w);
  for (int32_t v = 0; v < sys->dynamic; v++) inertia = fmax(inertia, sys->mass[v] / (dt * dt));
  o->rule = (abut_stiffness_rule){.literal = options->augmented.c_mu * now,
                                  .rest = 0.1 * (w->stiffness + inertia),
                                  .boost = 1,
                                  .delta = 1};
}

/* friction of the step: the multipliers at its start (semi-implicit) */
static abut_status freeze_friction(abut_context *ctx, const abut_system *sys,
                                   const abut_step_options *options, abut_work *w)
{
  double eps = abut_work_dt(w) * options->friction_velocity;
  abut_friction_clear(&w->friction, false);
  for (int64_t i = 0; i < w->constraints.count; i++) {
    const abut_constraint *c = &w->constraints.item[i];
    double force = c->e.share * c->e.multiplier;
    if (force > 0)
      ABUT_TRY(abut_friction_add(ctx, sys->surface, c->key, c->vertex, c->e.w, c->e.n, force, eps,
                                 &w->friction));
  }
  return ABUT_OK;
}

static abut_status start(abut_context *ctx, const abut_system *sys,
                         const abut_step_options *options, const abut_state *s, abut_work *w,
                         outer *o)
{
  ABUT_TRY(abut_start_apart(ctx, sys, w));
  memcpy(w->anchor, w->x, (size_t)sys->vertices * sizeof *w->x);
  ABUT_TRY(abut_active_set_load(ctx, sys, options, s, w));
  ABUT_TRY(freeze_friction(ctx, sys, options, w));
  double begin = abut_now();
  ABUT_TRY(abut_objective_assemble_elements(ctx, sys, w));
  w->report.wall.assembly += abut_now() - begin;
  o->elements_known = true;
  start_stiffness(sys, options, s, w, o);
  o->size = abut_largest_coordinate(sys, w);
  o->floor = abut_collision_floor(sys, options);
  o->separation = abut_separation(sys, options);
  o->missing = o->fraction = 1;
  abut_displacement_left(sys, w);
  return ABUT_OK;
}

/* ---- subproblem ---- */

static abut_status assemble(abut_context *ctx, const abut_system *sys,
                            const abut_step_options *options, abut_work *w, outer *o)
{
  double begin = abut_now();
  if (!o->elements_known) ABUT_TRY(abut_objective_assemble_elements(ctx, sys, w));
  o->elements_known = false;
  ABUT_TRY(abut_objective_assemble_rest(ctx, sys, options, w));
  w->report.wall.assembly += abut_now() - begin;
  return ABUT_OK;
}

static void accept(abut_context *ctx, const abut_system *sys, abut_work *w, outer *o,
                   const abut_search *search)
{
  abut_friction_follow(ctx, w->x, w->x0, w->p, search->alpha, &w->friction);
  vec3 *x = w->x;
  w->x = w->trial;
  w->trial = x;
  abut_remember(ctx, sys, w);
  o->energy = search->energy;
  abut_displacement_left(sys, w);
}

/* the residual rule: the last iterate is the anchor, and its correction is small */
static bool converged(const abut_system *sys, const abut_step_options *options, abut_work *w,
                      outer *o)
{
  double limit = abut_work_tolerance(w);
  if (options->stop != ABUT_STOP_RESIDUAL || o->k == 0 || w->moving || o->fraction < 1)
    return false;
  return o->residual <= limit && o->update.violation <= limit * abut_work_dt(w) &&
         abut_friction_settled(sys, ABUT_OVERLOAD, w);
}

/* Friction is worth solving for only when nothing is in the way any more. */
static bool refines(const outer *o)
{
  return o->k > 0 && o->fraction == 1;
}

/* one Newton iteration; first: no trial was refused, so that the subproblem ends */
static abut_status correct(abut_context *ctx, const abut_system *sys,
                           const abut_step_options *options, abut_work *w, outer *o, int i,
                           bool *first)
{
  double slope, residual;
  ABUT_TRY(assemble(ctx, sys, options, w, o));
  w->still = o->k == 0 && i == 0 && abut_at_rest(sys, w, o->size);
  if (w->still) {
    o->done = true;
    return ABUT_OK;
  }
  ABUT_TRY(abut_correction_solve(ctx, sys, w));
  ABUT_TRY(abut_correction_measure(ctx, sys, w, &residual, &slope));
  if (i == 0) {
    o->residual = residual;
    o->done = converged(sys, options, w, o);
    if (o->done) return ABUT_OK;
  }
  bool slides = options->augmented.settle && !abut_friction_settled(sys, overload, w);
  if (i == 0) o->slides = slides;
  abut_search search = {.limit = abut_search_element_bound(ctx, sys, w)};
  double limit = search.limit, noise = abut_energy_noise(sys, w, &o->energy);
  ABUT_TRY(abut_search_run(ctx, sys, options, w, &o->energy, slope, noise, &search));
  *first = search.alpha == limit;
  if (search.alpha > 0) {
    accept(ctx, sys, w, o, &search);
  } else if (!w->moving &&
             (residual <= abut_work_tolerance(w) || abut_at_rounding_level(sys, w, o->size))) {
    *first = true; /* nothing left to gain */
    o->whole = true;
    return ABUT_OK;
  } else {
    return abut_fail(ctx, ABUT_STOPPED,
                     "the line search found no decrease; a smaller time step may help");
  }
  o->whole = search.alpha == 1 && !w->moving;
  if (w->moving) *first = false;
  double switched = options->augmented.settle ? abut_active_set_switched(w) : 0;
  if ((slides && refines(o)) || switched > switched_share) *first = false;
  return ABUT_OK;
}

/* Algorithm 2: Newton until a direction is taken at the first trial */
static abut_status solve_subproblem(abut_context *ctx, const abut_system *sys,
                                    const abut_step_options *options, abut_work *w, outer *o)
{
  abut_active_set_linearise(ctx, sys, options, &o->rule, w);
  ABUT_TRY(abut_objective_energy(ctx, sys, options, w, w->x, &w->now, &o->energy));
  abut_active_set_switched(w);
  bool first = false;
  for (int i = 0; i < w->drive.max_newton && !first && !o->done; i++)
    ABUT_TRY(correct(ctx, sys, options, w, o, i, &first));
  return ABUT_OK;
}

/* ---- anchor ---- */

/* as far towards the iterate as nothing meets; who is in the way goes into w->hits */
static abut_status advance_anchor(abut_context *ctx, const abut_system *sys,
                                  const abut_step_options *options, abut_work *w, outer *o)
{
  double begin = abut_now();
  for (int32_t v = 0; v < sys->vertices; v++) w->path[v] = v3_sub(w->x[v], w->anchor[v]);
  ABUT_TRY(abut_candidates_find(ctx, &w->candidates, sys->surface, w->drive.prescribed, w->anchor,
                                w->path, fmax(o->floor, abut_seed_range(sys, options))));
  double narrow = abut_now();
  abut_ccd_limit limit;
  ABUT_TRY(abut_ccd_hits(ctx, sys->surface, &w->candidates, w->anchor, w->path, o->floor, &w->hits,
                         &limit));
  w->report.wall.narrow += abut_now() - narrow;
  w->report.wall.broad += narrow - begin;
  w->report.candidates = w->candidates.count;
  if (limit.alpha < 1) w->tightest = limit.pair;
  double reach = o->damped ? fmin(limit.alpha, 0.5) : limit.alpha;
  o->fraction = reach > least_advance ? reach : 0;
  w->report.step_fraction = fmin(w->report.step_fraction, o->fraction);
  if (o->fraction == 1)
    memcpy(w->anchor, w->x, (size_t)sys->vertices * sizeof *w->x);
  else
    for (int32_t v = 0; v < sys->vertices; v++)
      w->anchor[v] = v3_madd(w->anchor[v], w->path[v], o->fraction);
  return ABUT_OK;
}

/* a step that does not get on: stiffer constraints that ask for less */
static void watch_stalling(outer *o)
{
  o->stalled = o->fraction < stalling ? o->stalled + 1 : 0;
  if (o->stalled < STALLED_ITERATIONS) return;
  o->stalled = 0;
  o->rule.boost *= 2;
  o->rule.delta *= 0.5;
}

/* Ours: contacts in series, a heavy body on light film on a floor, settle slowly; stiffer
   constraints pass a load on faster. */
static void watch_settling(const abut_step_options *options, outer *o, int64_t added)
{
  const abut_multiplier_update *u = &o->update;
  if (options->stop != ABUT_STOP_TOI || !options->augmented.local_stiffness) return;
  if (added > 0 || u->share <= settled_sum) return;
  if (u->change > settled_share * o->separation && u->change > 0.25 * o->before)
    o->rule.boost = fmin(4 * o->rule.boost, most_boost);
}

/* Ours: linearised anew, the constraints of a curved contact may send the iterate to and fro for
   ever; from halfway they do not. The last advance is a whole one, from where little is left. */
static void watch_swinging(const abut_step_options *options, const abut_work *w, outer *o,
                           int64_t added)
{
  if (options->stop != ABUT_STOP_RESIDUAL) return;
  bool swings = added == 0 && w->hits.count == 0 && o->update.change > 0.5 * o->before;
  o->swings = swings ? o->swings + 1 : 0;
  if (o->swings >= SWINGS) o->damped = true;
  if (o->residual <= abut_work_tolerance(w)) o->damped = false;
}

/* ---- stop ---- */

/* Ours: an iterate that was reached whole, so that nothing of the start is left in the anchor:
   momentum and boundaries are exact then. */
static bool finished(const abut_step_options *options, const abut_work *w, outer *o)
{
  if (o->fraction == 1 && o->whole && !w->moving) return true;
  return o->finishing++ >= options->augmented.finish_iterations;
}

static bool settled(const abut_step_options *options, outer *o)
{
  bool forces = o->update.share <= settled_sum || o->update.change <= settled_share * o->separation;
  if (o->seeds.near == 0 && (!options->augmented.settle || (forces && !o->slides))) return true;
  return o->settling++ >= SETTLING_ITERATIONS;
}

static void decide(const abut_step_options *options, const abut_work *w, outer *o)
{
  if (o->k >= options->k_min) o->missing *= 1 - o->fraction;
  if (options->stop != ABUT_STOP_TOI || o->missing > options->epsilon) return;
  bool whole = finished(options, w, o), quiet = settled(options, o);
  o->done = whole && quiet;
}

/* Algorithm 1, one iteration */
static abut_status iterate(abut_context *ctx, const abut_system *sys,
                           const abut_step_options *options, abut_work *w, outer *o)
{
  int64_t added;
  ABUT_TRY(solve_subproblem(ctx, sys, options, w, o));
  if (o->done) return ABUT_OK;
  o->before = o->update.change;
  o->update = abut_active_set_update(options, w);
  ABUT_TRY(advance_anchor(ctx, sys, options, w, o));
  ABUT_TRY(abut_active_set_change(ctx, sys, options, w, &added));
  ABUT_TRY(abut_active_set_seed(ctx, sys, options, w, &o->seeds));
  added += o->seeds.added;
  o->k++;
  watch_stalling(o);
  watch_settling(options, o, added);
  watch_swinging(options, w, o, added);
  decide(options, w, o);
  return ABUT_OK;
}

/* m, how far prescribed vertices of the anchor are from their targets */
static double boundary_lag(const abut_system *sys, const abut_work *w)
{
  double lag = 0;
  for (int32_t v = 0; v < sys->vertices; v++)
    if (w->drive.prescribed[v])
      lag = fmax(lag, v3_max_abs(v3_sub(w->drive.target[v], w->anchor[v])));
  return lag;
}

static abut_status give_up(abut_context *ctx, const abut_system *sys, const abut_work *w,
                           const outer *o)
{
  double lag = boundary_lag(sys, w);
  if (lag > 0)
    return abut_fail(ctx, ABUT_STOPPED,
                     "infeasible boundary: prescribed vertices lag by %g m after %d outer "
                     "iterations",
                     lag, o->k);
  return abut_fail(ctx, ABUT_STOPPED, "not finished after %d outer iterations", o->k);
}

static abut_status finish(abut_context *ctx, const abut_system *sys,
                          const abut_step_options *options, abut_work *w, const outer *o)
{
  double lag = boundary_lag(sys, w);
  if (lag > 0 && options->augmented.exact_boundaries)
    return abut_fail(ctx, ABUT_STOPPED, "prescribed vertices lag by %g m", lag);
  memcpy(w->x, w->anchor, (size_t)sys->vertices * sizeof *w->x);
  abut_remember(ctx, sys, w);
  w->report.boundary_lag = fmax(w->report.boundary_lag, lag);
  w->report.residual = o->residual;
  w->report.status = o->capped                                         ? ABUT_STEP_CAPPED
                     : lag > 0                                         ? ABUT_STEP_LAGGED
                     : w->still || options->stop == ABUT_STOP_RESIDUAL ? ABUT_STEP_CONVERGED
                                                                       : ABUT_STEP_TOI;
  return abut_find_contacts(ctx, sys, w);
}

abut_status abut_barrier_free_step(abut_context *ctx, const abut_system *sys,
                                   const abut_step_options *options, const abut_state *s,
                                   abut_work *w)
{
  outer o = {0};
  ABUT_TRY(start(ctx, sys, options, s, w, &o));
  while (!o.done) {
    if (o.k == options->augmented.k_max && options->accept_at_cap) {
      o.capped = true;
      break;
    }
    if (o.k == options->augmented.k_max) return give_up(ctx, sys, w, &o);
    if (ctx->cancelled && ctx->cancelled(ctx->cancel_ctx))
      return abut_fail(ctx, ABUT_CANCELLED, "interrupted");
    ABUT_TRY(iterate(ctx, sys, options, w, &o));
  }
  return finish(ctx, sys, options, w, &o);
}
