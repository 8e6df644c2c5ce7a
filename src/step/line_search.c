#include "step/line_search.h"

#include "base/parallel.h"
#include "base/timer.h"
#include "contact/ccd.h"

enum { HALVINGS = 48 };
static const double armijo = 1e-4;

typedef struct bound_job {
  const abut_batch *batch;
  const abut_at *at;
  const vec3 *p;
} bound_job;

static double batch_bound(void *arg, int64_t begin, int64_t end)
{
  const bound_job *job = arg;
  return job->batch->class->step_bound(job->batch, job->at, job->p, (int)begin, (int)end);
}

double abut_search_element_bound(const abut_context *ctx, const abut_system *sys,
                                 const abut_work *w)
{
  double least = 1;
  abut_at at = abut_work_at(w, w->x);
  for (int b = 0; b < sys->batches; b++) {
    bound_job job = {&w->batch[b], &at, w->p};
    if (!job.batch->class->step_bound) continue;
    double bound = abut_parallel_min(ctx, job.batch->count, 512, batch_bound, &job);
    least = bound < least ? bound : least;
  }
  return least;
}

abut_status abut_search_limit(abut_context *ctx, const abut_system *sys, abut_work *w,
                              abut_search *search)
{
  *search = (abut_search){0};
  double start = abut_now(), bound = abut_search_element_bound(ctx, sys, w);
  vec3 *path = w->p;
  if (bound < 1) {
    path = w->trial;
    for (int32_t v = 0; v < sys->vertices; v++) path[v] = v3_scale(w->p[v], bound);
  }
  double broad = abut_now();
  ABUT_TRY(abut_candidates_find(ctx, &w->candidates, sys->surface, w->drive.prescribed, w->x, path,
                                sys->surface->dhat));
  double narrow = abut_now();
  abut_ccd_limit limit = abut_ccd_bound(ctx, sys->surface, &w->candidates, w->x, path);
  w->report.wall.narrow += abut_now() - narrow;
  w->report.wall.broad += narrow - broad;
  w->report.wall.line_search += broad - start;
  w->report.candidates = w->candidates.count;
  search->limit = bound * limit.alpha;
  search->limited = limit.status != CCD_CLEAR;
  search->pair = limit.pair;
  return ABUT_OK;
}

typedef struct move_job {
  const abut_work *w;
  double alpha;
} move_job;

static void move_vertices(void *arg, int64_t begin, int64_t end)
{
  const move_job *job = arg;
  const abut_work *w = job->w;
  for (int64_t v = begin; v < end; v++) {
    w->trial[v] = v3_madd(w->x[v], w->p[v], job->alpha);
    /* led vertices end exactly where they are told to */
    if (job->alpha == 1 && w->drive.prescribed[v]) w->trial[v] = w->drive.target[v];
  }
}

/* x + alpha p into w->trial, its contacts into w->next, its objective into search->energy */
static abut_status try_point(abut_context *ctx, const abut_system *sys,
                             const abut_step_options *options, abut_work *w, double alpha,
                             abut_search *search)
{
  move_job job = {w, alpha};
  abut_parallel_for(ctx, sys->vertices, 4096, move_vertices, &job);
  if (options->method->law)
    ABUT_TRY(abut_contact_set_find(ctx, sys->surface, &w->candidates, w->trial, sys->surface->dhat,
                                   &w->next));
  return abut_objective_energy(ctx, sys, options, w, w->trial, &w->next, &search->energy);
}

/* slope along p at the trial point */
static abut_status trial_slope(abut_context *ctx, const abut_system *sys,
                               const abut_step_options *options, abut_work *w, double *slope)
{
  ABUT_TRY(abut_objective_gradient(ctx, sys, options, w, w->trial, &w->next, w->stiffness,
                                   ABUT_SUM_ALL, w->g_trial));
  *slope = 0;
  for (int32_t v = 0; v < sys->dynamic; v++) *slope += v3_dot(w->g_trial[v], w->p[v]);
  return ABUT_OK;
}

static abut_status acceptable(abut_context *ctx, const abut_system *sys,
                              const abut_step_options *options, abut_work *w,
                              const abut_objective *before, double slope, double noise,
                              double alpha, const abut_search *search, bool *yes)
{
  double after = search->energy.total;
  *yes = after < HUGE_VAL;
  if (w->moving || !*yes) return ABUT_OK;
  *yes = after <= before->total + armijo * alpha * slope;
  /* a decrease this small cannot be seen in the objective; look at its slope instead */
  if (alpha * fabs(slope) < noise && after <= before->total + noise) {
    double end;
    ABUT_TRY(trial_slope(ctx, sys, options, w, &end));
    *yes = end <= (2 * armijo - 1) * slope;
  }
  return ABUT_OK;
}

/* is alpha p below the last bits of every coordinate? */
static bool vanishes(const abut_system *sys, const abut_work *w, double alpha)
{
  for (int32_t v = 0; v < sys->dynamic; v++)
    if (alpha * v3_max_abs(w->p[v]) > 0.5 * K_EPSILON * v3_max_abs(w->x[v])) return false;
  return true;
}

abut_status abut_search_run(abut_context *ctx, const abut_system *sys,
                            const abut_step_options *options, abut_work *w,
                            const abut_objective *before, double slope, double noise,
                            abut_search *search)
{
  double start = abut_now(), alpha = search->limit;
  search->alpha = 0;
  for (int k = 0; k <= HALVINGS && alpha > 0; k++, alpha *= 0.5) {
    bool yes;
    ABUT_TRY(try_point(ctx, sys, options, w, alpha, search));
    ABUT_TRY(acceptable(ctx, sys, options, w, before, slope, noise, alpha, search, &yes));
    if (yes) {
      search->alpha = alpha;
      break;
    }
    if (vanishes(sys, w, alpha)) break;
  }
  w->report.wall.line_search += abut_now() - start;
  return ABUT_OK;
}
