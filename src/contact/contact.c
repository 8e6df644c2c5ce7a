#include "contact/contact.h"

#include <string.h>

#include "base/memory.h"
#include "base/scratch.h"
#include "base/sort.h"

void abut_contact_set_free(abut_context *ctx, abut_contact_set *c)
{
  for (int k = 0; k < ABUT_MAX_CHUNKS; k++) abut_free(ctx, c->list[k].item);
  abut_free(ctx, c->item);
  *c = (abut_contact_set){0};
}

static closest plane_closest(const abut_surface *s, uint64_t key, vec3 x)
{
  int32_t plane = abut_pair_second(key);
  vec3 n = s->plane_normal[plane];
  double d = v3_dot(n, v3_sub(x, s->plane_point[plane]));
  return (closest){{1, 0, 0, 0}, v3_scale(n, d), d * d, 1, 0};
}

static closest pair_closest(const abut_surface *s, uint64_t key, const int32_t v[4], const vec3 *x)
{
  switch (abut_pair_kind_of(key)) {
  case ABUT_VERTEX_FACE:
  case ABUT_BALL_FACE: return closest_point_triangle(x[v[0]], x[v[1]], x[v[2]], x[v[3]]);
  case ABUT_EDGE_EDGE: return closest_edge_edge(x[v[0]], x[v[1]], x[v[2]], x[v[3]]);
  case ABUT_BALL_BALL: {
    closest c = {{1, -1, 0, 0}, v3_sub(x[v[0]], x[v[1]]), 0, 3, 0};
    c.d2 = v3_norm2(c.r);
    return c;
  }
  default: return plane_closest(s, key, x[v[0]]);
  }
}

static void complete(const abut_surface *s, abut_contact *c)
{
  abut_pair_kind kind = abut_pair_kind_of(c->key);
  c->d = sqrt(c->at.d2);
  c->n = v3_unit(c->at.r);
  c->mollify = 0;
  if (kind == ABUT_EDGE_EDGE)
    c->mollify =
        1e-3 * s->edge_rest2[abut_pair_first(c->key)] * s->edge_rest2[abut_pair_second(c->key)];
  if (kind == ABUT_VERTEX_PLANE || kind == ABUT_BALL_PLANE) {
    c->n = s->plane_normal[abut_pair_second(c->key)];
    if (v3_dot(c->n, c->at.r) < 0) c->d = -c->d;
  }
}

abut_contact abut_contact_measure(const abut_surface *s, uint64_t key, const vec3 *x)
{
  abut_contact c = {.key = key};
  abut_pair_vertices(s, key, c.vertex);
  c.at = pair_closest(s, key, c.vertex, x);
  c.offset = abut_pair_offset(s, key);
  complete(s, &c);
  return c;
}

typedef struct find_job {
  abut_context *ctx;
  const abut_surface *s;
  const uint64_t *key;
  int64_t count;
  int chunks;
  const vec3 *x;
  double reach;
  abut_contact_set *contacts;
} find_job;

static abut_status append(abut_context *ctx, struct abut_contact_list *list, const abut_contact *c)
{
  ABUT_RESERVE(ctx, list->item, list->room, list->count + 1);
  list->item[list->count++] = *c;
  return ABUT_OK;
}

static abut_status find_in(const find_job *job, int chunk)
{
  const abut_surface *s = job->s;
  struct abut_contact_list *list = &job->contacts->list[chunk];
  int64_t end = abut_chunk_begin(job->count, job->chunks, chunk + 1);
  for (int64_t i = abut_chunk_begin(job->count, job->chunks, chunk); i < end; i++) {
    abut_contact c = {.key = job->key[i]};
    int n = abut_pair_vertices(s, c.key, c.vertex);
    c.offset = abut_pair_offset(s, c.key);
    double limit = c.offset + job->reach;
    c.at = pair_closest(s, c.key, c.vertex, job->x);
    if (n > 1 && c.at.d2 >= limit * limit) continue;
    complete(s, &c);
    if (c.d < limit) ABUT_TRY(append(job->ctx, list, &c));
  }
  return ABUT_OK;
}

static double find_chunks(void *arg, int64_t begin, int64_t end)
{
  double failed = 0;
  for (int64_t chunk = begin; chunk < end; chunk++)
    if (find_in(arg, (int)chunk) != ABUT_OK) failed = 1;
  return failed;
}

static abut_status sort_by_key(abut_context *ctx, abut_contact_set *c)
{
  int64_t total = 0;
  for (int k = 0; k < ABUT_MAX_CHUNKS; k++) total += c->list[k].count;
  if (total > INT32_MAX)
    return abut_fail(ctx, ABUT_STOPPED, "%lld contacts at once are more than can be numbered",
                     (long long)total);
  ABUT_RESERVE(ctx, c->item, c->room, total);
  abut_mark mark = abut_scratch_mark(ctx);
  abut_keyed *order = ABUT_SCRATCH(ctx, abut_keyed, total);
  abut_keyed *other = ABUT_SCRATCH(ctx, abut_keyed, total);
  const abut_contact **from = ABUT_SCRATCH(ctx, const abut_contact *, total);
  if (!order || !other || !from) return ABUT_NO_MEMORY;
  c->count = 0;
  for (int k = 0; k < ABUT_MAX_CHUNKS; k++)
    for (int64_t i = 0; i < c->list[k].count; i++) {
      from[c->count] = &c->list[k].item[i];
      order[c->count] = (abut_keyed){from[c->count]->key, (int32_t)c->count};
      c->count++;
    }
  abut_sort_keyed(order, other, total);
  for (int64_t i = 0; i < total; i++) c->item[i] = *from[order[i].value];
  abut_scratch_release(ctx, mark);
  return ABUT_OK;
}

abut_status abut_contact_set_find(abut_context *ctx, const abut_surface *s,
                                  const abut_candidates *candidates, const vec3 *x, double reach,
                                  abut_contact_set *contacts)
{
  for (int k = 0; k < ABUT_MAX_CHUNKS; k++) contacts->list[k].count = 0;
  find_job job = {.ctx = ctx,
                  .s = s,
                  .key = candidates->key,
                  .count = candidates->count,
                  .x = x,
                  .reach = reach,
                  .contacts = contacts};
  job.chunks = abut_chunk_count(job.count, 512);
  if (abut_parallel_max(ctx, job.chunks, 1, find_chunks, &job) > 0) return ABUT_NO_MEMORY;
  return sort_by_key(ctx, contacts);
}

double abut_contact_set_least_gap(const abut_contact_set *c, uint64_t *pair)
{
  double least = INFINITY;
  for (int64_t i = 0; i < c->count; i++) {
    double gap = c->item[i].d - c->item[i].offset;
    if (gap >= least) continue;
    least = gap;
    if (pair) *pair = c->item[i].key;
  }
  return least;
}
