#include "step/settled.h"

#include <string.h>

/* share of a load that it may change by */
static const double change = 0.3;

/* sums over the contacts of each object, in w->object_load */
typedef struct object_sums {
  int32_t objects;
  double *load, *excess;
} object_sums;

static object_sums start_sums(const abut_system *sys, abut_work *w)
{
  int32_t n = sys->surface->rules.objects;
  memset(w->object_load, 0, 2 * (size_t)n * sizeof *w->object_load);
  return (object_sums){n, w->object_load, w->object_load + n};
}

static void add(object_sums *s, const int32_t *object, double load, double excess)
{
  for (int k = 0; k < 2; k++) {
    s->load[object[k]] += load;
    s->excess[object[k]] += excess;
  }
}

static bool within(const object_sums *s, double share)
{
  for (int32_t o = 0; o < s->objects; o++)
    if (s->excess[o] > share * s->load[o]) return false;
  return true;
}

bool abut_friction_settled(const abut_system *sys, double allowed, abut_work *w)
{
  object_sums sums = start_sums(sys, w);
  for (int64_t i = 0; i < w->friction.count; i++) {
    double load = w->friction.element[i].load;
    double share = abut_friction_foretold(&w->friction, i, w->x, w->x0, w->p);
    int32_t object[2];
    abut_pair_objects(sys->surface, w->friction.key[i], object);
    add(&sums, object, load, share > 1 ? (share - 1) * load : 0);
  }
  return within(&sums, allowed);
}

/* 1/kg: what a force along the contact's weights moves, by mass alone */
static double mobility(const abut_system *sys, const abut_work *w, const abut_contact *c)
{
  double sum = 0;
  for (int k = 0; k < 4; k++) {
    int32_t v = c->vertex[k];
    if (v >= 0 && v < sys->dynamic && !w->drive.prescribed[v])
      sum += c->at.w[k] * c->at.w[k] / sys->mass[v];
  }
  return sum;
}

/* the friction that one contact can bear before and after, N, and whether the difference matters */
typedef struct load_pair {
  int32_t object[2];
  double before, after;
  bool matters;
} load_pair;

static load_pair compare(const abut_system *sys, const abut_step_options *options,
                         const abut_work *w, const abut_contact *a, const abut_contact *b,
                         double speed)
{
  const abut_law_class *law = options->method->law;
  abut_law_at now = {w->x, sys->surface->dhat, w->stiffness}, next = now;
  next.x = w->trial;
  load_pair p = {0};
  const abut_contact *c = b ? b : a;
  abut_pair_objects(sys->surface, c->key, p.object);
  double mu = abut_pair_friction(&sys->surface->rules, p.object[0], p.object[1]);
  if (!(mu > 0)) return p;
  p.before = a ? mu * law->force(&now, a) : 0;
  p.after = b ? mu * law->force(&next, b) : 0;
  p.matters = fabs(p.after - p.before) * abut_work_dt(w) * mobility(sys, w, c) > speed;
  return p;
}

bool abut_loads_settled(const abut_system *sys, const abut_step_options *options, abut_work *w,
                        double speed)
{
  const abut_contact_set *old = &w->now, *new = &w->next;
  object_sums sums = start_sums(sys, w);
  for (int64_t i = 0, j = 0; i < old->count || j < new->count;) {
    const abut_contact *a = i < old->count ? &old->item[i] : NULL;
    const abut_contact *b = j < new->count ? &new->item[j] : NULL;
    if (a && b && a->key != b->key) *(a->key < b->key ? &b : &a) = NULL;
    i += a != NULL;
    j += b != NULL;
    load_pair p = compare(sys, options, w, a, b, speed);
    add(&sums, p.object, p.after, p.matters ? fabs(p.after - p.before) : 0);
  }
  return within(&sums, change);
}
