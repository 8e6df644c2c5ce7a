#include "contact/constraints.h"

#include "base/memory.h"
#include "base/parallel.h"

void abut_constraints_free(abut_context *ctx, abut_constraints *c)
{
  abut_free(ctx, c->item);
  *c = (abut_constraints){0};
}

abut_status abut_constraints_reserve(abut_context *ctx, abut_constraints *c, int64_t count)
{
  if (count > INT32_MAX)
    return abut_fail(ctx, ABUT_STOPPED, "%lld contacts at once are more than can be numbered",
                     (long long)count);
  ABUT_RESERVE(ctx, c->item, c->room, count);
  return ABUT_OK;
}

/* ---- the constraint at the anchor ---- */

typedef struct linearise_job {
  const abut_surface *s;
  const vec3 *anchor;
  abut_constraint *c;
} linearise_job;

static void linearise_range(void *arg, int64_t begin, int64_t end)
{
  const linearise_job *job = arg;
  for (int64_t i = begin; i < end; i++) {
    abut_constraint *c = &job->c[i];
    abut_contact m = abut_contact_measure(job->s, c->key, job->anchor);
    for (int k = 0; k < 4; k++) {
      c->vertex[k] = m.vertex[k] < 0 ? m.vertex[0] : m.vertex[k];
      c->e.w[k] = m.at.w[k];
    }
    c->e.n = m.n;
    c->e.gap = m.d - m.offset - c->delta;
  }
}

void abut_constraints_linearise(const abut_context *ctx, const abut_surface *s, const vec3 *anchor,
                                abut_constraints *c)
{
  linearise_job job = {s, anchor, c->item};
  abut_parallel_for(ctx, c->count, 128, linearise_range, &job);
}

/* ---- the set ---- */

abut_status abut_constraints_add(abut_context *ctx, const abut_surface *s, const uint64_t *key,
                                 int64_t count, abut_constraints *c)
{
  int64_t total = c->count + count;
  if (count == 0) return ABUT_OK;
  ABUT_TRY(abut_constraints_reserve(ctx, c, total));
  /* merge from the end, in place */
  int64_t old = c->count - 1, new = count - 1;
  for (int64_t i = total - 1; new >= 0; i--) {
    if (old >= 0 && c->item[old].key > key[new]) {
      c->item[i] = c->item[old--];
      continue;
    }
    abut_constraint *fresh = &c->item[i];
    *fresh = (abut_constraint){.key = key[new], .e = {.share = 1}};
    abut_pair_vertices(s, key[new --], fresh->vertex);
    for (int k = 1; k < 4; k++)
      if (fresh->vertex[k] < 0) fresh->vertex[k] = fresh->vertex[0];
  }
  c->count = total;
  return ABUT_OK;
}

void abut_constraints_remove(double decay, double least, abut_constraints *c)
{
  int64_t n = 0;
  for (int64_t i = 0; i < c->count; i++)
    if (pow(decay, c->item[i].quiet) >= least) c->item[n++] = c->item[i];
  c->count = n;
}

int64_t abut_constraints_find(const abut_constraints *c, uint64_t key)
{
  int64_t low = 0, high = c->count;
  while (low < high) {
    int64_t middle = low + (high - low) / 2;
    if (c->item[middle].key < key)
      low = middle + 1;
    else
      high = middle;
  }
  return low < c->count && c->item[low].key == key ? low : -1;
}

/* ---- energies ---- */

void abut_constraints_energy(const abut_constraint *c, const vec3 *x, const vec3 *anchor,
                             int64_t begin, int64_t end, double *slot)
{
  for (int64_t i = begin; i < end; i++)
    slot[i - begin] = augmented_energy(abut_constraint_quad(&c[i], x),
                                       abut_constraint_quad(&c[i], anchor), c[i].e);
}

void abut_constraints_gradient(const abut_constraint *c, const vec3 *x, const vec3 *anchor,
                               int64_t begin, int64_t end, vec3 *slot)
{
  for (int64_t i = begin; i < end; i++) {
    grad4 g = augmented_gradient(abut_constraint_quad(&c[i], x),
                                 abut_constraint_quad(&c[i], anchor), c[i].e);
    for (int k = 0; k < 4; k++) slot[4 * (i - begin) + k] = g.g[k];
  }
}

/* what an inactive constraint keeps of its stiffness, so that the pattern of the matrix, and with
   it the structure of its factor, does not change whenever one switches */
static const double vanishing = 1e-12;

void abut_constraints_hessian(const abut_constraint *c, const vec3 *x, const vec3 *anchor,
                              bool inactive, int64_t begin, int64_t end, mat3 *slot)
{
  for (int64_t i = begin; i < end; i++) {
    const augmented *e = &c[i].e;
    bool counts = inactive || augmented_push(abut_constraint_quad(&c[i], x),
                                             abut_constraint_quad(&c[i], anchor), *e) > 0;
    mat3 nn = m3_scale(m3_outer(e->n, e->n), e->share * e->stiffness * (counts ? 1 : vanishing));
    mat3 *block = slot + 10 * (i - begin);
    for (int p = 0; p < 4; p++)
      for (int q = p; q < 4; q++) *block++ = m3_scale(nn, e->w[p] * e->w[q]);
  }
}
