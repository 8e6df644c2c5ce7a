#include "step/pair_force.h"

#include "base/memory.h"

void abut_pair_forces_free(abut_context *ctx, abut_pair_forces *f)
{
  abut_free(ctx, f->item);
  *f = (abut_pair_forces){0};
}

/* the three lists that know of forces, each ascending by key, and how far each has been read */
typedef struct reader {
  const abut_system *sys;
  const abut_step_options *options;
  const abut_work *w;
  int64_t contact, constraint, friction;
} reader;

/* smallest key that has not been read; false at the end */
static bool next_key(const reader *r, uint64_t *key)
{
  const abut_work *w = r->w;
  bool any = false;
  *key = UINT64_MAX;
  if (r->contact < w->now.count) any = true, *key = w->now.item[r->contact].key;
  if (r->constraint < w->constraints.count && w->constraints.item[r->constraint].key <= *key)
    any = true, *key = w->constraints.item[r->constraint].key;
  if (r->friction < w->friction.count && w->friction.key[r->friction] <= *key)
    any = true, *key = w->friction.key[r->friction];
  return any;
}

/* where the pair is, and with a barrier what pushes it apart there */
static void read_contact(reader *r, const abut_contact *c, abut_pair_force *f)
{
  const abut_law_class *law = r->options->method->law;
  abut_law_at at = {r->w->x, r->sys->surface->dhat, r->w->stiffness};
  for (int k = 0; k < 4; k++) f->w[k] = c->at.w[k];
  f->n = c->n;
  f->gap = c->d - c->offset;
  double force = law ? law->force(&at, c) : 0;
  if (force > 0) f->normal = force;
}

/* a constraint pushes along the normal that it was linearised with */
static void read_constraint(const abut_constraint *c, abut_pair_force *f)
{
  double force = c->e.share * c->e.multiplier;
  if (!(force > 0)) return;
  for (int k = 0; k < 4; k++) f->w[k] = c->e.w[k];
  f->n = c->e.n;
  f->normal = force;
}

/* takes the pair from each of the lists that have it; false: it is far away and nothing pushed */
static bool read_pair(reader *r, uint64_t key, abut_pair_force *f)
{
  const abut_work *w = r->w;
  bool near = r->contact < w->now.count && w->now.item[r->contact].key == key;
  abut_contact measured;
  if (!near) measured = abut_contact_measure(r->sys->surface, key, w->x);
  *f = (abut_pair_force){.key = key};
  abut_pair_vertices(r->sys->surface, key, f->vertex);
  read_contact(r, near ? &w->now.item[r->contact++] : &measured, f);
  if (r->constraint < w->constraints.count && w->constraints.item[r->constraint].key == key)
    read_constraint(&w->constraints.item[r->constraint++], f);
  if (r->friction < w->friction.count && w->friction.key[r->friction] == key)
    f->tangential = abut_friction_force(&w->friction, r->friction++, w->x, w->x0);
  return near || f->normal > 0 || v3_norm2(f->tangential) > 0;
}

abut_status abut_pair_forces_find(abut_context *ctx, const abut_system *sys,
                                  const abut_step_options *options, const abut_work *w,
                                  abut_pair_forces *f)
{
  reader r = {.sys = sys, .options = options, .w = w};
  int64_t most = w->now.count + w->constraints.count + w->friction.count;
  ABUT_RESERVE(ctx, f->item, f->room, most);
  f->count = 0;
  uint64_t key;
  while (next_key(&r, &key))
    if (read_pair(&r, key, &f->item[f->count])) f->count++;
  return ABUT_OK;
}
