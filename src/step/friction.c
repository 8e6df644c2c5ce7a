#include "step/friction.h"

#include "base/memory.h"
#include "base/parallel.h"

void abut_friction_free(abut_context *ctx, abut_friction *f)
{
  abut_free(ctx, f->element);
  abut_free(ctx, f->vertex);
  abut_free(ctx, f->key);
  abut_free(ctx, f->share);
  *f = (abut_friction){0};
}

void abut_friction_clear(abut_friction *f, bool root)
{
  f->count = 0;
  f->root = root;
}

abut_status abut_friction_add(abut_context *ctx, const abut_surface *s, uint64_t key,
                              const int32_t *vertex, const double *weight, vec3 n, double force,
                              double eps, abut_friction *f)
{
  int32_t object[2];
  abut_pair_objects(s, key, object);
  double mu = abut_pair_friction(&s->rules, object[0], object[1]);
  double load = mu > 0 ? mu * force : 0;
  if (!(load > 0)) return ABUT_OK;
  ABUT_RESERVE(ctx, f->element, f->room, f->count + 1);
  ABUT_RESERVE(ctx, f->vertex, f->vertex_room, 4 * (f->count + 1));
  ABUT_RESERVE(ctx, f->key, f->key_room, f->count + 1);
  ABUT_RESERVE(ctx, f->share, f->share_room, f->count + 1);
  friction_element *e = &f->element[f->count];
  for (int k = 0; k < 4; k++) {
    e->w[k] = weight[k];
    f->vertex[4 * f->count + k] = vertex[k] < 0 ? vertex[0] : vertex[k];
  }
  f->key[f->count] = key;
  e->n = n;
  e->load = load;
  e->eps = eps;
  f->share[f->count] = v3(0, 0, 0);
  f->count++;
  return ABUT_OK;
}

abut_status abut_friction_freeze(abut_context *ctx, const abut_surface *s,
                                 const abut_law_class *law, const abut_law_at *at,
                                 const abut_contact_set *contacts, double eps, abut_friction *f)
{
  abut_friction_clear(f, law->root_friction);
  for (int64_t i = 0; i < contacts->count; i++) {
    const abut_contact *c = &contacts->item[i];
    ABUT_TRY(
        abut_friction_add(ctx, s, c->key, c->vertex, c->at.w, c->n, law->force(at, c), eps, f));
  }
  return ABUT_OK;
}

static quad corners(const abut_friction *f, int64_t i, const vec3 *x)
{
  quad q;
  for (int k = 0; k < 4; k++) q.p[k] = x[f->vertex[4 * i + k]];
  return q;
}

void abut_friction_energy(const abut_friction *f, const vec3 *x, const vec3 *x0, int64_t begin,
                          int64_t end, double *slot)
{
  for (int64_t i = begin; i < end; i++)
    slot[i - begin] = friction_energy(f->root, corners(f, i, x), corners(f, i, x0), f->element[i]);
}

void abut_friction_gradient(const abut_friction *f, const vec3 *x, const vec3 *x0, int64_t begin,
                            int64_t end, vec3 *slot)
{
  for (int64_t i = begin; i < end; i++) {
    grad4 g = friction_gradient(f->root, corners(f, i, x), corners(f, i, x0), f->element[i]);
    for (int k = 0; k < 4; k++) slot[4 * (i - begin) + k] = g.g[k];
  }
}

void abut_friction_hessian(const abut_friction *f, const vec3 *x, const vec3 *x0, int64_t begin,
                           int64_t end, mat3 *slot)
{
  for (int64_t i = begin; i < end; i++) {
    const friction_element *e = &f->element[i];
    mat3 k = friction_stiffness(f->root, corners(f, i, x), corners(f, i, x0), f->share[i], *e);
    mat3 *block = slot + 10 * (i - begin);
    for (int p = 0; p < 4; p++)
      for (int q = p; q < 4; q++) *block++ = m3_scale(k, e->w[p] * e->w[q]);
  }
}

vec3 abut_friction_force(const abut_friction *f, int64_t i, const vec3 *x, const vec3 *x0)
{
  return v3_neg(friction_drag(f->root, corners(f, i, x), corners(f, i, x0), f->element[i]));
}

static vec3 foretold(const abut_friction *f, int64_t i, const vec3 *x, const vec3 *x0,
                     const vec3 *p)
{
  return friction_foretold(f->root, corners(f, i, x), corners(f, i, x0), corners(f, i, p),
                           f->share[i], f->element[i]);
}

double abut_friction_foretold(const abut_friction *f, int64_t i, const vec3 *x, const vec3 *x0,
                              const vec3 *p)
{
  return v3_norm(foretold(f, i, x, x0, p));
}

typedef struct follow_job {
  abut_friction *f;
  const vec3 *x, *x0, *p;
  double alpha;
} follow_job;

static void follow_range(void *arg, int64_t begin, int64_t end)
{
  const follow_job *job = arg;
  for (int64_t i = begin; i < end; i++) {
    vec3 *q = &job->f->share[i];
    vec3 next = foretold(job->f, i, job->x, job->x0, job->p);
    *q = v3_madd(*q, v3_sub(next, *q), job->alpha);
    double size = v3_norm(*q);
    if (size > 1) *q = v3_scale(*q, 1 / size);
  }
}

void abut_friction_follow(const abut_context *ctx, const vec3 *x, const vec3 *x0, const vec3 *p,
                          double alpha, abut_friction *f)
{
  follow_job job = {f, x, x0, p, alpha};
  abut_parallel_for(ctx, f->count, 256, follow_range, &job);
}
