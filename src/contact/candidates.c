#include "contact/candidates.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/scratch.h"
#include "contact/boxes.h"

static const double skin_of_path = 0.2, skin_of_margin = 0.5;

void abut_candidates_free(abut_context *ctx, abut_candidates *c)
{
  for (int k = 0; k < 2; k++) {
    abut_bvh_free(ctx, &c->point[k]);
    abut_bvh_free(ctx, &c->edge[k]);
    abut_bvh_free(ctx, &c->face[k]);
  }
  abut_bvh_free(ctx, &c->sphere);
  abut_free(ctx, c->grown);
  abut_free(ctx, c->vertex_box);
  abut_free(ctx, c->held);
  for (int k = 0; k < ABUT_MAX_CHUNKS; k++) abut_free(ctx, c->list[k].key);
  abut_free(ctx, c->wide.key);
  abut_free(ctx, c->key);
  *c = (abut_candidates){0};
}

/* ---- boxes of vertices ---- */

typedef struct box_job {
  const abut_surface *s;
  const vec3 *x, *p;
  double grow, skin;
  abut_box *box;         /* (vertices) */
  const abut_box *grown; /* at the last search; NULL: none yet */
} box_job;

static bool same_box(const abut_box *a, const abut_box *b)
{
  bool same = true;
  for (int k = 0; k < 3; k++) same = same && a->low[k] == b->low[k] && a->high[k] == b->high[k];
  return same;
}

/* boxes of the vertices' paths; 1 when one leaves the box that it was given at the last search */
static double path_boxes(void *arg, int64_t begin, int64_t end)
{
  const box_job *job = arg;
  bool outside = false;
  for (int64_t v = begin; v < end; v++) {
    job->box[v] = abut_box_of_path(job->x[v], job->p ? job->p[v] : v3(0, 0, 0), job->grow);
    if (job->grown && !abut_box_inside(&job->box[v], &job->grown[v])) outside = true;
  }
  return outside;
}

/* grown boxes; 1 when one of an obstacle is not what it was. Obstacles at rest get no skin, so that
   their boxes, and their trees, stay. */
static double grown_boxes(void *arg, int64_t begin, int64_t end)
{
  const box_job *job = arg;
  bool obstacles_moved = false;
  for (int64_t v = begin; v < end; v++) {
    vec3 p = job->p ? job->p[v] : v3(0, 0, 0);
    bool rests = v >= job->s->dynamic && v3_max_abs(p) == 0;
    abut_box box = abut_box_of_path(job->x[v], p, job->grow + (rests ? 0 : job->skin));
    if (v >= job->s->dynamic && !same_box(&box, &job->box[v])) obstacles_moved = true;
    job->box[v] = box;
  }
  return obstacles_moved;
}

/* ---- trees ---- */

static abut_status update_tree(abut_context *ctx, abut_bvh *t, const abut_box *vertex_box,
                               const int32_t *corner, int corners, int32_t count)
{
  abut_mark mark = abut_scratch_mark(ctx);
  abut_box *box = ABUT_SCRATCH(ctx, abut_box, count);
  if (!box) return ABUT_NO_MEMORY;
  abut_boxes_of_primitives(ctx, vertex_box, corner, corners, count, box);
  abut_status status = abut_bvh_update(ctx, t, box, count);
  abut_scratch_release(ctx, mark);
  return status;
}

static abut_status update_spheres(abut_context *ctx, abut_candidates *c, const abut_surface *s)
{
  abut_mark mark = abut_scratch_mark(ctx);
  abut_box *box = ABUT_SCRATCH(ctx, abut_box, s->spheres);
  if (!box) return ABUT_NO_MEMORY;
  for (int32_t i = 0; i < s->spheres; i++)
    box[i] = abut_box_of_ball(&c->grown[s->sphere[i]], s->radius[i]);
  abut_status status = abut_bvh_update(ctx, &c->sphere, box, s->spheres);
  abut_scratch_release(ctx, mark);
  return status;
}

/* Room to move before the trees are searched again: a share of how far the vertices are going, as
   what follows in the same step is smaller than what it begins with. */
static double choose_skin(const abut_surface *s, const vec3 *p, double margin)
{
  double sum = 0;
  for (int32_t v = 0; p && v < s->dynamic; v++) sum += v3_max_abs(p[v]);
  double mean = s->dynamic > 0 ? sum / s->dynamic : 0;
  return mean < K_INFINITY ? skin_of_path * mean + skin_of_margin * margin : 0;
}

static abut_status update_trees(abut_context *ctx, abut_candidates *c, const abut_surface *s,
                                const vec3 *x, const vec3 *p, double margin)
{
  if (!c->grown || s->vertices > c->grown_room) c->obstacles_fresh = false;
  ABUT_RESERVE(ctx, c->grown, c->grown_room, s->vertices);
  if (!c->obstacles_fresh)
    for (int32_t v = s->dynamic; v < s->vertices; v++) c->grown[v] = (abut_box){{0}, {0}};
  box_job job = {.s = s, .x = x, .p = p, .grow = 0.5 * (margin + s->gap), .box = c->grown};
  job.skin = choose_skin(s, p, margin);
  double moved = abut_parallel_max(ctx, s->vertices, 2048, grown_boxes, &job);

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
    ABUT_TRY(update_tree(ctx, &c->point[g], c->grown, s->point + p0, 1, points));
    ABUT_TRY(update_tree(ctx, &c->edge[g], c->grown, s->edge + 2 * (int64_t)e0, 2, edges));
    ABUT_TRY(update_tree(ctx, &c->face[g], c->grown, s->face + 3 * (int64_t)f0, 3, faces));
  }
  c->obstacles_fresh = true;
  return update_spheres(ctx, c, s);
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

static void empty_lists(abut_candidates *c)
{
  for (int k = 0; k < ABUT_MAX_CHUNKS; k++) c->list[k].count = 0;
}

static abut_status gather(abut_context *ctx, const abut_candidates *c, uint64_t **key,
                          int64_t *count, int64_t *room)
{
  int64_t total = 0;
  for (int k = 0; k < ABUT_MAX_CHUNKS; k++) total += c->list[k].count;
  ABUT_RESERVE(ctx, *key, *room, total);
  *count = 0;
  for (int k = 0; k < ABUT_MAX_CHUNKS; k++) {
    if (c->list[k].count)
      memcpy(*key + *count, c->list[k].key, (size_t)c->list[k].count * sizeof **key);
    *count += c->list[k].count;
  }
  return ABUT_OK;
}

static abut_status search_trees(find_job *job)
{
  abut_candidates *c = job->c;
  const abut_surface *s = job->s;
  empty_lists(c);
  int32_t dp = s->dynamic_points, de = s->dynamic_edges, df = s->dynamic_faces;
  ABUT_TRY(search(job, ABUT_VERTEX_FACE, &c->point[0], 0, &c->face[0], 0));
  ABUT_TRY(search(job, ABUT_VERTEX_FACE, &c->point[0], 0, &c->face[1], df));
  ABUT_TRY(search(job, ABUT_VERTEX_FACE, &c->point[1], dp, &c->face[0], 0));
  ABUT_TRY(search(job, ABUT_EDGE_EDGE, &c->edge[0], 0, &c->edge[0], 0));
  ABUT_TRY(search(job, ABUT_EDGE_EDGE, &c->edge[0], 0, &c->edge[1], de));
  ABUT_TRY(search(job, ABUT_BALL_FACE, &c->sphere, 0, &c->face[0], 0));
  ABUT_TRY(search(job, ABUT_BALL_FACE, &c->sphere, 0, &c->face[1], df));
  ABUT_TRY(search(job, ABUT_BALL_BALL, &c->sphere, 0, &c->sphere, 0));
  return gather(job->ctx, c, &c->wide.key, &c->wide.count, &c->wide.room);
}

/* ---- keeping a search ---- */

/* room in every chunk's list for all that may be put there */
static abut_status reserve_lists(abut_context *ctx, abut_candidates *c, int64_t n)
{
  int chunks = abut_chunk_count(n, ABUT_CULL_GRAIN);
  for (int k = 0; k < chunks; k++)
    ABUT_RESERVE(ctx, c->list[k].key, c->list[k].room,
                 abut_chunk_begin(n, chunks, k + 1) - abut_chunk_begin(n, chunks, k));
  return ABUT_OK;
}

/* of the pairs kept, those that may come near now */
static abut_status cull(find_job *find, const vec3 *x, const vec3 *p, double margin)
{
  abut_candidates *c = find->c;
  empty_lists(c);
  ABUT_TRY(reserve_lists(find->ctx, c, c->wide.count));
  return abut_cull(find->ctx, find->s, c->vertex_box, x, p, margin, &c->wide, c->list);
}

/* may the pairs of the last search of the trees serve again? Fills vertex_box. */
static abut_status check_kept(abut_context *ctx, abut_candidates *c, const abut_surface *s,
                              const bool *prescribed, box_job *boxes, bool *kept)
{
  ABUT_RESERVE(ctx, c->vertex_box, c->box_room, s->vertices);
  ABUT_RESERVE(ctx, c->held, c->held_room, s->vertices);
  boxes->box = c->vertex_box;
  boxes->grown = c->searched ? c->grown : NULL;
  double outside = abut_parallel_max(ctx, s->vertices, 2048, path_boxes, boxes);
  size_t bytes = (size_t)s->vertices * sizeof *c->held;
  *kept = c->searched && !(outside > 0) && memcmp(c->held, prescribed, bytes) == 0;
  return ABUT_OK;
}

static abut_status search_anew(find_job *job, const vec3 *x, const vec3 *p, double margin)
{
  abut_candidates *c = job->c;
  c->searched = false;
  ABUT_TRY(update_trees(job->ctx, c, job->s, x, p, margin));
  ABUT_TRY(search_trees(job));
  memcpy(c->held, job->prescribed, (size_t)job->s->vertices * sizeof *c->held);
  c->searched = true;
  return ABUT_OK;
}

abut_status abut_candidates_find(abut_context *ctx, abut_candidates *c, const abut_surface *s,
                                 const bool *prescribed, const vec3 *x, const vec3 *p,
                                 double margin)
{
  find_job job = {.ctx = ctx, .c = c, .s = s, .prescribed = prescribed};
  box_job boxes = {.s = s, .x = x, .p = p, .grow = 0.5 * (margin + s->gap)};
  bool kept;
  ABUT_TRY(check_kept(ctx, c, s, prescribed, &boxes, &kept));
  if (!kept) ABUT_TRY(search_anew(&job, x, p, margin));
  ABUT_TRY(cull(&job, x, p, margin));
  ABUT_TRY(search_planes(&job, ABUT_VERTEX_PLANE, x, p, margin));
  ABUT_TRY(search_planes(&job, ABUT_BALL_PLANE, x, p, margin));
  return gather(ctx, c, &c->key, &c->count, &c->room);
}
