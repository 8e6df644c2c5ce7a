#include "step/stiffness.h"

#include "kernel/barrier_ipc.h"
#include "step/objective.h"

abut_stiffness_range abut_stiffness_range_of(const abut_system *sys)
{
  double tiny = 1e-8 * sys->length, gap = sys->surface->gap;
  double d0 = tiny * (tiny + 2 * gap), w = barrier_ipc_width(sys->surface->dhat, gap);
  double curvature = barrier_ipc(d0, w).b2;
  double low = 1e11 * sys->mean_mass / (4 * d0 * curvature) / (sys->step * sys->step);
  return (abut_stiffness_range){low, 100 * low};
}

static double sum_products(const vec3 *a, const vec3 *b, int32_t n)
{
  double sum = 0;
  for (int32_t i = 0; i < n; i++) sum += v3_dot(a[i], b[i]);
  return sum;
}

abut_status abut_stiffness_start(abut_context *ctx, const abut_system *sys,
                                 const abut_step_options *options, double before, abut_work *w)
{
  const abut_law_class *law = options->method->law;
  if (options->stiffness > 0 || !law->adaptive) {
    w->stiffness = options->stiffness > 0 ? options->stiffness : law->stiffness;
    return ABUT_OK;
  }
  abut_stiffness_range range = abut_stiffness_range_of(sys);
  w->stiffness = range.low;
  if (w->now.count == 0) return ABUT_OK;

  /* kappa that makes the barrier balance everything else: -(g_c . g_E)/|g_c|^2 */
  ABUT_TRY(abut_objective_gradient(ctx, sys, options, w, w->x, &w->now, 1, ABUT_SUM_CONTACTS,
                                   w->g_trial));
  ABUT_TRY(
      abut_objective_gradient(ctx, sys, options, w, w->x, &w->now, 1, ABUT_SUM_ELEMENTS, w->g));
  double cc = sum_products(w->g_trial, w->g_trial, sys->dynamic);
  double balance = cc > 0 ? -sum_products(w->g_trial, w->g, sys->dynamic) / cc : 0;
  balance = balance < range.low ? range.low : balance > range.high ? range.high : balance;
  w->stiffness = before > balance ? before : balance;
  return ABUT_OK;
}

bool abut_stiffness_adapt(const abut_system *sys, const abut_step_options *options,
                          const abut_contact_set *before, const abut_contact_set *after,
                          double *stiffness)
{
  if (options->stiffness > 0 || !options->method->law->adaptive) return false;
  double high = abut_stiffness_range_of(sys).high, tiny = 1e-18 * sys->length * sys->length;
  if (*stiffness >= high) return false;
  int64_t j = 0;
  for (int64_t i = 0; i < after->count; i++) {
    const abut_contact *c = &after->item[i];
    double u = barrier_ipc_argument(c->d, c->offset);
    if (u >= tiny) continue;
    while (j < before->count && before->item[j].key < c->key) j++;
    if (j >= before->count || before->item[j].key != c->key) continue;
    double old = barrier_ipc_argument(before->item[j].d, before->item[j].offset);
    if (!(old < tiny && u < old)) continue;
    *stiffness = 2 * *stiffness < high ? 2 * *stiffness : high;
    return true;
  }
  return false;
}
