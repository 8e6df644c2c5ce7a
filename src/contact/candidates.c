#include "contact/candidates.h"

#include <math.h>

#include "base/memory.h"
#include "base/scratch.h"

void abut_candidates_free(abut_context *ctx, abut_candidates *c)
{
  for (int k = 0; k < 2; k++) {
    abut_bvh_free(ctx, &c->point[k]);
    abut_bvh_free(ctx, &c->edge[k]);
    abut_bvh_free(ctx, &c->face[k]);
  }
  abut_bvh_free(ctx, &c->sphere);
  abut_free(ctx, c->vertex_box);
  for (int k = 0; k < ABUT_MAX_CHUNKS; k++) abut_free(ctx, c->list[k].key);
  abut_free(ctx, c->key);
  *c = (abut_candidates){0};
}

/* ---- boxes ---- */

static float round_down(double d)
{
  float f = (float)d;
  return (double)f > d ? nextafterf(f, -INFINITY) : f;
}

static float round_up(double d)
{
  float f = (float)d;
  return (double)f < d ? nextafterf(f, INFINITY) : f;
}

/* the box of a path, grown; 4 units in the last place more for the sum x + p itself */
static abut_box swept_box(vec3 x, vec3 p, double grow)
{
  const double a[3] = {x.x, x.y, x.z}, d[3] = {p.x, p.y, p.z};
  abut_box box;
  for (int k = 0; k < 3; k++) {
    double end = a[k] + d[k], g = grow + 4 * K_EPSILON * (fabs(a[k]) + fabs(d[k]));
    box.low[k] = round_down((d[k] < 0 ? end : a[k]) - g);
    box.high[k] = round_up((d[k] < 0 ? a[k] : end) + g);
  }
  return box;
}

typedef struct box_job {
  const abut_surface *s;
  const vec3 *x, *p;
  double grow;
  abut_box *box;        /* of vertices, or of primitives */
  const abut_box *from; /* of vertices */
  const int32_t *corner;
  int corners;
  bool changed[ABUT_MAX_CHUNKS];
  int64_t n;
} box_job;

static bool same_box(const abut_box *a, const abut_box *b)
{
  bool same = true;
  for (int k = 0; k < 3; k++) same = same && a->low[k] == b->low[k] && a->high[k] == b->high[k];
  return same;
}

static double vertex_boxes(void *arg, int64_t begin, int64_t end)
{
  const box_job *job = arg;
  bool obstacles_moved = false;
  for (int64_t v = begin; v < end; v++) {
    abut_box box = swept_box(job->x[v], job->p ? job->p[v] : v3(0, 0, 0), job->grow);
    if (v >= job->s->dynamic && !same_box(&box, &job->box[v])) obstacles_moved = true;
    job->box[v] = box;
  }
  return obstacles_moved;
}

static void primitive_boxes(void *arg, int64_t begin, int64_t end)
{
  const box_job *job = arg;
  for (int64_t i = begin; i < end; i++) {
    const int32_t *v = job->corner + i * job->corners;
    abut_box box = job->from[v[0]];
    for (int c = 1; c < job->corners; c++)
      for (int k = 0; k < 3; k++) {
        const abut_box *b = &job->from[v[c]];
        box.low[k] = b->low[k] < box.low[k] ? b->low[k] : box.low[k];
        box.high[k] = b->high[k] > box.high[k] ? b->high[k] : box.high[k];
      }
    job->box[i] = box;
  }
}

static abut_status update_tree(abut_context *ctx, abut_bvh *t, const abut_box *vertex_box,
                               const int32_t *corner, int corners, int32_t count)
{
  abut_mark mark = abut_scratch_mark(ctx);
  abut_box *box = ABUT_SCRATCH(ctx, abut_box, count);
  if (!box) return ABUT_NO_MEMORY;
  box_job job = {.box = box, .from = vertex_box, .corner = corner, .corners = corners};
  abut_parallel_for(ctx, count, 2048, primitive_boxes, &job);
  abut_status status = abut_bvh_update(ctx, t, box, count);
  abut_scratch_release(ctx, mark);
  return status;
}

static abut_status update_spheres(abut_context *ctx, abut_candidates *c, const abut_surface *s,
                                  const vec3 *x, const vec3 *p, double grow)
{
  abut_mark mark = abut_scratch_mark(ctx);
  abut_box *box = ABUT_SCRATCH(ctx, abut_box, s->spheres);
  if (!box) return ABUT_NO_MEMORY;
  for (int32_t i = 0; i < s->spheres; i++) {
    int32_t v = s->sphere[i];
    box[i] = swept_box(x[v], p ? p[v] : v3(0, 0, 0), grow + s->radius[i]);
  }
  abut_status status = abut_bvh_update(ctx, &c->sphere, box, s->spheres);
  abut_scratch_release(ctx, mark);
  return status;
}

static abut_status update_trees(abut_context *ctx, abut_candidates *c, const abut_surface *s,
                                const vec3 *x, const vec3 *p, double margin)
{
  if (!c->vertex_box || s->vertices > c->box_room) c->obstacles_fresh = false;
  ABUT_RESERVE(ctx, c->vertex_box, c->box_room, s->vertices);
  double grow = 0.5 * (margin + s->gap);
  box_job job = {.s = s, .x = x, .p = p, .grow = grow, .box = c->vertex_box};
  double moved = 0;
  if (!c->obstacles_fresh)
    for (int32_t v = s->dynamic; v < s->vertices; v++) c->vertex_box[v] = (abut_box){{0}, {0}};
  moved = abut_parallel_max(ctx, s->vertices, 2048, vertex_boxes, &job);

  /* obstacles that stand still keep their trees */
  int groups = moved > 0 || !c->obstacles_fresh ? 2 : 1;
  /* their boxes are new already: should a tree fail now, all are made again next time */
  c->obstacles_fresh = groups == 1;
  for (int g = 0; g < groups; g++) {
    int32_t p0 = g ? s->dynamic_points : 0, e0 = g ? s->dynamic_edges : 0;
    int32_t f0 = g ? s->dynamic_faces : 0;
    int32_t points = (g ? s->points : s->dynamic_points) - p0;
    int32_t edges = (g ? s->edges : s->dynamic_edges) - e0;
    int32_t faces = (g ? s->faces : s->dynamic_faces) - f0;
    ABUT_TRY(update_tree(ctx, &c->point[g], c->vertex_box, s->point + p0, 1, points));
    ABUT_TRY(update_tree(ctx, &c->edge[g], c->vertex_box, s->edge + 2 * (int64_t)e0, 2, edges));
    ABUT_TRY(update_tree(ctx, &c->face[g], c->vertex_box, s->face + 3 * (int64_t)f0, 3, faces));
  }
  c->obstacles_fresh = true;
  return update_spheres(ctx, c, s, x, p, grow);
}

/* ---- pairs ---- */

typedef struct find_job {
  abut_context *ctx;
  abut_candidates *c;
  const abut_surface *s;
  const bool *prescribed;
  abut_pair_kind kind;
  int32_t first, second; /* added to the trees' primitive numbers */
} find_job;

static abut_status append(abut_context *ctx, abut_key_list *list, uint64_t key)
{
  ABUT_RESERVE(ctx, list->key, list->room, list->count + 1);
  list->key[list->count++] = key;
  return ABUT_OK;
}

/* does anything in the pair move freely, and may its objects touch? */
static bool counts(const abut_surface *s, const bool *prescribed, uint64_t key)
{
  int32_t v[4], object[2];
  int n = abut_pair_vertices(s, key, v);
  bool held = true;
  for (int i = 0; i < n; i++) held = held && prescribed[v[i]];
  if (held) return false;
  abut_pair_objects(s, key, object);
  return abut_pair_enabled(&s->rules, object[0], object[1]);
}

/* most pairs whose boxes overlap are neighbours in a mesh: out with them first */
static bool share_vertex(const abut_surface *s, abut_pair_kind kind, int32_t a, int32_t b)
{
  if (kind == ABUT_EDGE_EDGE) {
    const int32_t *e = s->edge + 2 * (int64_t)a, *f = s->edge + 2 * (int64_t)b;
    return e[0] == f[0] || e[0] == f[1] || e[1] == f[0] || e[1] == f[1];
  }
  if (kind != ABUT_VERTEX_FACE) return false;
  const int32_t v = s->point[a], *f = s->face + 3 * (int64_t)b;
  return v == f[0] || v == f[1] || v == f[2];
}

static bool add_pair(void *arg, int chunk, int32_t a, int32_t b)
{
  const find_job *job = arg;
  a += job->first;
  b += job->second;
  if (share_vertex(job->s, job->kind, a, b)) return true;
  uint64_t key = abut_pair_key(job->kind, a, b);
  if (!counts(job->s, job->prescribed, key)) return true;
  return append(job->ctx, &job->c->list[chunk], key) == ABUT_OK;
}

static abut_status search(find_job *job, abut_pair_kind kind, const abut_bvh *a, int32_t first,
                          const abut_bvh *b, int32_t second)
{
  job->kind = kind;
  job->first = first;
  job->second = second;
  return abut_bvh_pairs(job->ctx, a, b, add_pair, job);
}

/* points (or spheres) that come within reach of a plane on their straight paths */
static abut_status search_planes(find_job *job, abut_pair_kind kind, const vec3 *x, const vec3 *p,
                                 double margin)
{
  const abut_surface *s = job->s;
  bool ball = kind == ABUT_BALL_PLANE;
  int32_t n = ball ? s->spheres : s->dynamic_points;
  for (int32_t plane = 0; plane < s->planes; plane++)
    for (int32_t i = 0; i < n; i++) {
      int32_t v = ball ? s->sphere[i] : s->point[i];
      double d = v3_dot(s->plane_normal[plane], v3_sub(x[v], s->plane_point[plane]));
      double u = p ? v3_dot(s->plane_normal[plane], p[v]) : 0;
      uint64_t key = abut_pair_key(kind, i, plane);
      if (d + (u < 0 ? u : 0) >= margin + abut_pair_offset(s, key)) continue;
      if (counts(s, job->prescribed, key)) ABUT_TRY(append(job->ctx, &job->c->list[0], key));
    }
  return ABUT_OK;
}

static abut_status gather(abut_context *ctx, abut_candidates *c)
{
  int64_t total = 0;
  for (int k = 0; k < ABUT_MAX_CHUNKS; k++) total += c->list[k].count;
  ABUT_RESERVE(ctx, c->key, c->room, total);
  c->count = 0;
  for (int k = 0; k < ABUT_MAX_CHUNKS; k++)
    for (int64_t i = 0; i < c->list[k].count; i++) c->key[c->count++] = c->list[k].key[i];
  return ABUT_OK;
}

abut_status abut_candidates_find(abut_context *ctx, abut_candidates *c, const abut_surface *s,
                                 const bool *prescribed, const vec3 *x, const vec3 *p,
                                 double margin)
{
  for (int k = 0; k < ABUT_MAX_CHUNKS; k++) c->list[k].count = 0;
  ABUT_TRY(update_trees(ctx, c, s, x, p, margin));
  find_job job = {.ctx = ctx, .c = c, .s = s, .prescribed = prescribed};
  int32_t dp = s->dynamic_points, de = s->dynamic_edges, df = s->dynamic_faces;
  ABUT_TRY(search(&job, ABUT_VERTEX_FACE, &c->point[0], 0, &c->face[0], 0));
  ABUT_TRY(search(&job, ABUT_VERTEX_FACE, &c->point[0], 0, &c->face[1], df));
  ABUT_TRY(search(&job, ABUT_VERTEX_FACE, &c->point[1], dp, &c->face[0], 0));
  ABUT_TRY(search(&job, ABUT_EDGE_EDGE, &c->edge[0], 0, &c->edge[0], 0));
  ABUT_TRY(search(&job, ABUT_EDGE_EDGE, &c->edge[0], 0, &c->edge[1], de));
  ABUT_TRY(search(&job, ABUT_BALL_FACE, &c->sphere, 0, &c->face[0], 0));
  ABUT_TRY(search(&job, ABUT_BALL_FACE, &c->sphere, 0, &c->face[1], df));
  ABUT_TRY(search(&job, ABUT_BALL_BALL, &c->sphere, 0, &c->sphere, 0));
  ABUT_TRY(search_planes(&job, ABUT_VERTEX_PLANE, x, p, margin));
  ABUT_TRY(search_planes(&job, ABUT_BALL_PLANE, x, p, margin));
  return gather(ctx, c);
}
