#include "step/active_set.h"

#include <string.h>

#include "base/memory.h"
#include "base/parallel.h"
#include "base/scratch.h"
#include "base/sort.h"

static const double removed_below = 0.01; /* share of a constraint that leaves the set */
static const double same_time = 1e-6;     /* of two hits, as a fraction of the motion */
/* pairs join before they are hit within this share of a mean edge */
static const double seeded_share = 0.1;
/* a pair that was not in the set may have come nearer than delta by this share of it */
static const double unseen_share = 0.05;

double abut_separation(const abut_system *sys, const abut_step_options *options)
{
  return options->augmented.delta > 0 ? options->augmented.delta : sys->surface->dhat;
}

double abut_collision_floor(const abut_system *sys, const abut_step_options *options)
{
  if (!options->augmented.floor) return 0;
  double floor = 0.1 * abut_separation(sys, options);
  return sys->edge_length > 0 ? fmin(floor, 0.01 * sys->edge_length) : floor;
}

/* ---- state ---- */

static bool all_prescribed(const abut_surface *s, const abut_work *w, uint64_t key)
{
  int32_t v[4];
  int n = abut_pair_vertices(s, key, v);
  for (int k = 0; k < n; k++)
    if (!w->drive.prescribed[v[k]]) return false;
  return true;
}

/* what a pair is asked for: delta, but if it began the step nearer, no more than push_speed brings
 */
static double separation_of(const abut_system *sys, const abut_step_options *options,
                            const abut_work *w, uint64_t key)
{
  if (!(options->augmented.push_speed > 0)) return abut_separation(sys, options);
  abut_contact start = abut_contact_measure(sys->surface, key, w->x0);
  double gap = fmax(start.d - start.offset, abut_collision_floor(sys, options));
  return fmin(abut_separation(sys, options), gap + options->augmented.push_speed * abut_work_dt(w));
}

abut_status abut_active_set_load(abut_context *ctx, const abut_system *sys,
                                 const abut_step_options *options, const abut_state *s,
                                 abut_work *w)
{
  abut_constraints *c = &w->constraints;
  ABUT_TRY(abut_constraints_reserve(ctx, c, s->count.touches));
  c->count = 0;
  for (int64_t i = 0; i < s->count.touches; i++) {
    if (all_prescribed(sys->surface, w, s->touch[i])) continue;
    c->item[c->count++] = (abut_constraint){.key = s->touch[i],
                                            .quiet = s->quiet[i],
                                            .delta = separation_of(sys, options, w, s->touch[i]),
                                            .e = {.multiplier = s->multiplier[i]}};
  }
  abut_constraints_linearise(ctx, sys->surface, w->anchor, c);
  for (int64_t i = 0; i < c->count; i++)
    c->item[i].e.share = pow(options->augmented.decay, c->item[i].quiet);
  return ABUT_OK;
}

abut_status abut_active_set_save(abut_context *ctx, const abut_work *w, abut_state *s)
{
  const abut_constraints *c = &w->constraints;
  abut_state_counts count = s->count;
  count.touches = c->count;
  ABUT_TRY(abut_state_resize(ctx, s, &count));
  for (int64_t i = 0; i < c->count; i++) {
    s->touch[i] = c->item[i].key;
    s->multiplier[i] = c->item[i].e.multiplier;
    s->quiet[i] = c->item[i].quiet;
  }
  return ABUT_OK;
}

void abut_active_set_linearise(const abut_context *ctx, const abut_system *sys,
                               const abut_step_options *options, const abut_stiffness_rule *rule,
                               abut_work *w)
{
  abut_constraints_linearise(ctx, sys->surface, w->anchor, &w->constraints);
  abut_pair_stiffness(ctx, sys, options, rule, w);
}

/* ---- multipliers ---- */

abut_multiplier_update abut_active_set_update(const abut_step_options *options, abut_work *w)
{
  abut_multiplier_update u = {0};
  double changed = 0, sum = 0;
  for (int64_t i = 0; i < w->constraints.count; i++) {
    abut_constraint *c = &w->constraints.item[i];
    quad x = abut_constraint_quad(c, w->x), anchor = abut_constraint_quad(c, w->anchor);
    double push = augmented_push(x, anchor, c->e), next = push > 0 ? push : 0;
    u.change = fmax(u.change, fabs(next - c->e.multiplier) * c->mobility);
    changed += fabs(next - c->e.multiplier);
    sum += next;
    u.violation = fmax(u.violation, (next - c->e.multiplier) / c->e.stiffness);
    c->e.multiplier = options->augmented.multipliers ? next : 0;
    c->quiet = push > 0 ? 0 : c->quiet < INT32_MAX ? c->quiet + 1 : c->quiet;
    c->e.share = pow(options->augmented.decay, c->quiet);
  }
  u.share = changed > 0 ? changed / fmax(sum, changed) : 0;
  return u;
}

double abut_active_set_switched(abut_work *w)
{
  double switched = 0, all = 0;
  for (int64_t i = 0; i < w->constraints.count; i++) {
    abut_constraint *c = &w->constraints.item[i];
    double push = c->e.share * augmented_push(abut_constraint_quad(c, w->x),
                                              abut_constraint_quad(c, w->anchor), c->e);
    if ((push > 0) != c->pushes) switched += fabs(push);
    if (push > 0) all += push;
    c->pushes = push > 0;
  }
  return switched > 0 ? switched / fmax(all, switched) : 0;
}

/* ---- who belongs to it ---- */

static int new_hits(const abut_constraints *c, const abut_hits *hits, abut_hit *out)
{
  int n = 0;
  for (int64_t i = 0; i < hits->count; i++)
    if (abut_constraints_find(c, hits->item[i].key) < 0) out[n++] = hits->item[i];
  return n;
}

/* A hit joins if it is the earliest of one of its vertices. What a fast vertex would meet behind
   its first obstacle waits until that is out of the way. */
static int earliest_hits(const abut_surface *s, double *earliest, const abut_hit *hit, int n,
                         uint64_t *key)
{
  int32_t v[4];
  for (int i = 0; i < n; i++) {
    int corners = abut_pair_vertices(s, hit[i].key, v);
    for (int k = 0; k < corners; k++) earliest[v[k]] = HUGE_VAL;
  }
  for (int i = 0; i < n; i++) {
    int corners = abut_pair_vertices(s, hit[i].key, v);
    for (int k = 0; k < corners; k++) earliest[v[k]] = fmin(earliest[v[k]], hit[i].t);
  }
  int kept = 0;
  for (int i = 0; i < n; i++) {
    int corners = abut_pair_vertices(s, hit[i].key, v);
    bool first = false;
    for (int k = 0; k < corners; k++) first = first || hit[i].t <= earliest[v[k]] + same_time;
    if (first) key[kept++] = hit[i].key;
  }
  return kept;
}

/* key: ascending, none of them there yet */
static abut_status take_in(abut_context *ctx, const abut_system *sys,
                           const abut_step_options *options, const uint64_t *key, int64_t n,
                           abut_work *w)
{
  ABUT_TRY(abut_constraints_add(ctx, sys->surface, key, n, &w->constraints));
  for (int64_t i = 0; i < n; i++)
    w->constraints.item[abut_constraints_find(&w->constraints, key[i])].delta =
        separation_of(sys, options, w, key[i]);
  return ABUT_OK;
}

abut_status abut_active_set_change(abut_context *ctx, const abut_system *sys,
                                   const abut_step_options *options, abut_work *w, int64_t *added)
{
  abut_mark mark = abut_scratch_mark(ctx);
  abut_hit *hit = ABUT_SCRATCH(ctx, abut_hit, w->hits.count);
  uint64_t *key = ABUT_SCRATCH(ctx, uint64_t, w->hits.count);
  uint64_t *other = ABUT_SCRATCH(ctx, uint64_t, w->hits.count);
  if (!hit || !key || !other) return ABUT_NO_MEMORY;
  int n = new_hits(&w->constraints, &w->hits, hit);
  if (options->augmented.filter)
    n = earliest_hits(sys->surface, w->earliest, hit, n, key);
  else
    for (int i = 0; i < n; i++) key[i] = hit[i].key;
  abut_sort_keys(key, other, n);
  *added = n;
  abut_status status = take_in(ctx, sys, options, key, n, w);
  abut_scratch_release(ctx, mark);
  abut_constraints_remove(options->augmented.decay, removed_below, &w->constraints);
  return status;
}

double abut_seed_range(const abut_system *sys, const abut_step_options *options)
{
  if (!options->augmented.seed || options->stop != ABUT_STOP_TOI) return 0;
  double range = abut_separation(sys, options);
  return sys->edge_length > 0 ? fmin(range, seeded_share * sys->edge_length) : range;
}

abut_status abut_active_set_seed(abut_context *ctx, const abut_system *sys,
                                 const abut_step_options *options, abut_work *w,
                                 abut_seed_report *r)
{
  *r = (abut_seed_report){0};
  double range = abut_seed_range(sys, options), asked = abut_separation(sys, options);
  if (!(range > 0)) return ABUT_OK;
  w->contacts_known = false; /* what w->now holds is nearer than range, and at the anchor */
  ABUT_TRY(abut_contact_set_find(ctx, sys->surface, &w->candidates, w->anchor, range, &w->now));
  abut_mark mark = abut_scratch_mark(ctx);
  uint64_t *key = ABUT_SCRATCH(ctx, uint64_t, w->now.count);
  if (!key) return ABUT_NO_MEMORY;
  for (int64_t i = 0; i < w->now.count; i++) {
    const abut_contact *c = &w->now.item[i];
    if (abut_constraints_find(&w->constraints, c->key) >= 0) continue;
    key[r->added++] = c->key;
    if (c->d - c->offset < (1 - unseen_share) * asked) r->near++;
  }
  abut_status status = take_in(ctx, sys, options, key, r->added, w);
  abut_scratch_release(ctx, mark);
  return status;
}
