#include "step/pair_stiffness.h"

#include <string.h>

#include "base/parallel.h"

/* as stiff as the inertia of this many of the heaviest bodies */
static const double of_inertia = 10;
/* limits, in units of Eq. 20 at the start of the run */
static const double least = 1e-3, most = 100;
/* through so many contacts in a row a heavy body makes a light one's contacts stiffer */
enum { PASSES = 3 };

static bool moves(const abut_system *sys, const abut_work *w, const abut_constraint *c, int k)
{
  int32_t v = c->vertex[k];
  return c->e.w[k] != 0 && v < sys->dynamic && !w->drive.prescribed[v];
}

static double heaviest(const abut_system *sys, const abut_work *w, const abut_constraint *c,
                       const double *behind)
{
  double mass = 0;
  for (int k = 0; k < 4; k++)
    if (moves(sys, w, c, k)) mass = fmax(mass, behind[c->vertex[k]]);
  return mass;
}

/* Ours: a sphere on light film on a floor. The film's contacts carry the sphere; with a stiffness
   for the film's own mass each outer iteration passes on only a small part of its weight. So each
   vertex counts as the heaviest one that it is linked to by a few contacts. */
static void look_behind(const abut_system *sys, abut_work *w)
{
  size_t size = (size_t)sys->dynamic * sizeof *w->behind;
  double *now = w->behind, *next = w->behind + sys->dynamic;
  memcpy(now, sys->mass, size);
  for (int pass = 0; pass < PASSES; pass++) {
    memcpy(next, now, size);
    for (int64_t i = 0; i < w->constraints.count; i++) {
      const abut_constraint *c = &w->constraints.item[i];
      double mass = heaviest(sys, w, c, now);
      for (int k = 0; k < 4; k++)
        if (moves(sys, w, c, k)) next[c->vertex[k]] = fmax(next[c->vertex[k]], mass);
    }
    memcpy(now, next, size);
  }
}

/* what the pair's elements resist with along its normal, N/m */
static double elastic(const abut_system *sys, const abut_work *w, const abut_constraint *c)
{
  double sum = 0, dt = abut_work_dt(w);
  for (int k = 0; k < 4; k++) {
    int32_t v = c->vertex[k];
    if (!moves(sys, w, c, k)) continue;
    double all = v3_dot(c->e.n, m3_apply(w->diagonal[v], c->e.n));
    sum += c->e.w[k] * c->e.w[k] * (all - sys->mass[v] / (dt * dt));
  }
  return sum;
}

/* m/N: what a force along the normal moves within the step, by mass alone */
static double mobility(const abut_system *sys, const abut_work *w, const abut_constraint *c)
{
  double sum = 0, dt = abut_work_dt(w);
  for (int k = 0; k < 4; k++)
    if (moves(sys, w, c, k)) sum += c->e.w[k] * c->e.w[k] / sys->mass[c->vertex[k]];
  return sum * dt * dt;
}

static double clamp(double x, double low, double high)
{
  return x < low ? low : x > high ? high : x;
}

typedef struct stiffen_job {
  const abut_system *sys;
  const abut_step_options *options;
  const abut_stiffness_rule *rule;
  const abut_work *w;
} stiffen_job;

static double choose(const stiffen_job *job, const abut_constraint *c)
{
  if (job->options->stiffness > 0) return job->options->stiffness;
  if (!job->options->augmented.local_stiffness) return job->rule->literal;
  double dt = abut_work_dt(job->w);
  double inertia = of_inertia * heaviest(job->sys, job->w, c, job->w->behind) / (dt * dt);
  return clamp(fmax(inertia, elastic(job->sys, job->w, c)), least * job->rule->rest,
               most * job->rule->rest);
}

static void stiffen_range(void *arg, int64_t begin, int64_t end)
{
  const stiffen_job *job = arg;
  for (int64_t i = begin; i < end; i++) {
    abut_constraint *c = &job->w->constraints.item[i];
    c->e.stiffness = job->rule->boost * choose(job, c);
    c->mobility = mobility(job->sys, job->w, c);
    c->e.gap += (1 - job->rule->delta) * c->delta;
  }
}

void abut_pair_stiffness(const abut_context *ctx, const abut_system *sys,
                         const abut_step_options *options, const abut_stiffness_rule *rule,
                         abut_work *w)
{
  if (options->augmented.local_stiffness) look_behind(sys, w);
  stiffen_job job = {sys, options, rule, w};
  abut_parallel_for(ctx, w->constraints.count, 256, stiffen_range, &job);
}
