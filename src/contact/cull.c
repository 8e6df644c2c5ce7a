#include "contact/cull.h"

#include <string.h>

#include "base/parallel.h"
#include "base/scratch.h"
#include "contact/boxes.h"
#include "contact/guess_lanes.h"
#include "kernel/ccd.h"

typedef struct cull_job {
  const abut_surface *s;
  const abut_box *vertex, *edge, *face; /* boxes */
  const vec3 *x, *p;
  double xi; /* gap, margin and what rounding does */
  const abut_key_list *pairs;
  abut_key_list *list;
} cull_job;

static bool overlap(const abut_box *a, const abut_box *b)
{
  return (a->low[0] <= b->high[0]) & (b->low[0] <= a->high[0]) & (a->low[1] <= b->high[1]) &
         (b->low[1] <= a->high[1]) & (a->low[2] <= b->high[2]) & (b->low[2] <= a->high[2]);
}

/* pairs of one kind whose boxes overlap, waiting for company */
enum { WAITING = 64 };
typedef struct waiting {
  int sides, count;
  uint64_t key[WAITING];
  int32_t vertex[4 * WAITING];
} waiting;

/* on to the list with those that no guess keeps apart */
static void let_in(const cull_job *job, waiting *w, abut_key_list *list)
{
  bool clear[WAITING];
  abut_lanes_guess(w->sides, &job->x->x, &job->p->x, w->vertex, w->count, job->xi, clear);
  for (int i = 0; i < w->count; i++)
    if (!clear[i]) list->key[list->count++] = w->key[i];
  w->count = 0;
}

static void wait(const cull_job *job, waiting *w, uint64_t key, abut_key_list *list)
{
  abut_pair_vertices(job->s, key, w->vertex + 4 * w->count);
  w->key[w->count++] = key;
  if (w->count == WAITING) let_in(job, w, list);
}

static bool balls_overlap(const cull_job *job, uint64_t key)
{
  const abut_surface *s = job->s;
  int32_t a = abut_pair_first(key), b = abut_pair_second(key);
  abut_box ball = abut_box_of_ball(&job->vertex[s->sphere[a]], s->radius[a]);
  if (abut_pair_kind_of(key) == ABUT_BALL_FACE) return overlap(&ball, &job->face[b]);
  abut_box other = abut_box_of_ball(&job->vertex[s->sphere[b]], s->radius[b]);
  return overlap(&ball, &other);
}

static void cull_chunk(void *arg, int chunk, int64_t begin, int64_t end)
{
  const cull_job *job = arg;
  abut_key_list *list = &job->list[chunk];
  waiting points = {.sides = 1}, edges = {.sides = 2};
  for (int64_t i = begin; i < end; i++) {
    uint64_t key = job->pairs->key[i];
    int32_t a = abut_pair_first(key), b = abut_pair_second(key);
    switch (abut_pair_kind_of(key)) {
    case ABUT_VERTEX_FACE:
      if (overlap(&job->vertex[job->s->point[a]], &job->face[b])) wait(job, &points, key, list);
      break;
    case ABUT_EDGE_EDGE:
      if (overlap(&job->edge[a], &job->edge[b])) wait(job, &edges, key, list);
      break;
    default:
      if (balls_overlap(job, key)) list->key[list->count++] = key;
    }
  }
  let_in(job, &points, list);
  let_in(job, &edges, list);
}

static double largest_coordinate(void *arg, int64_t begin, int64_t end)
{
  const cull_job *job = arg;
  double size = 0;
  for (int64_t v = begin; v < end; v++) size = ccd_size(job->x[v], job->p[v], size);
  return size;
}

abut_status abut_cull(abut_context *ctx, const abut_surface *s, const abut_box *vertex_box,
                      const vec3 *x, const vec3 *p, double margin, const abut_key_list *pairs,
                      abut_key_list *list)
{
  abut_mark mark = abut_scratch_mark(ctx);
  vec3 *still = p ? NULL : ABUT_SCRATCH(ctx, vec3, s->vertices);
  abut_box *edge = ABUT_SCRATCH(ctx, abut_box, s->edges);
  abut_box *face = ABUT_SCRATCH(ctx, abut_box, s->faces);
  if (!(p || still) || !edge || !face) return ABUT_NO_MEMORY;
  if (still) memset(still, 0, (size_t)s->vertices * sizeof *still);
  abut_boxes_of_primitives(ctx, vertex_box, s->edge, 2, s->edges, edge);
  abut_boxes_of_primitives(ctx, vertex_box, s->face, 3, s->faces, face);
  cull_job job = {s, vertex_box, edge, face, x, p ? p : still, s->gap + margin, pairs, list};
  if (pairs->count > 0)
    job.xi += CCD_FLOOR * abut_parallel_max(ctx, s->vertices, 4096, largest_coordinate, &job);
  abut_parallel_chunks(ctx, pairs->count, ABUT_CULL_GRAIN, cull_chunk, &job);
  abut_scratch_release(ctx, mark);
  return ABUT_OK;
}
