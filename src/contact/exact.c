/* The scene's meetings: boxes that overlap, minus the exempt pairs, through the predicates. */
#include "contact/exact.h"

#include <float.h>

#include "base/memory.h"
#include "base/parallel.h"
#include "base/sort.h"
#include "contact/exact_filter.h"
#include "contact/exact_rational.h"
#include "contact/exact_tree.h"

/* one family of things that meet: hulls of width vertices; a plane has none and fills space */
typedef struct side {
  int32_t count;
  int width;
  const int32_t *vertex; /* (count x width) */
  const int32_t *object; /* (count) */
  const double *radius;  /* m, the hull is inflated by it; NULL: by nothing (count) */
} side;

typedef struct found_list {
  abut_crossing *item;
  int64_t count, room;
  abut_status status;
} found_list;

/* all pairs of one kind; each chunk of a's has a list of its own */
typedef struct search {
  abut_context *ctx;
  const abut_exact_scene *scene;
  abut_crossing_kind kind;
  side a, b;
  const abut_exact_tree *tree; /* over b */
  int chunks;
  found_list list[ABUT_MAX_CHUNKS];
} search;

static double coordinate(const abut_exact_scene *s, int32_t vertex, int d)
{
  const vec3 *x = &s->x[vertex];
  return d == 0 ? x->x : d == 1 ? x->y : x->z;
}

/* Inflated outward, in whatever direction a thread rounds: the next double beyond a rounded sum is
   not inside the exact one. Kept finite. */
static abut_exact_box box_of(const abut_exact_scene *s, const side *f, int32_t i)
{
  abut_exact_box box = {{-DBL_MAX, -DBL_MAX, -DBL_MAX}, {DBL_MAX, DBL_MAX, DBL_MAX}};
  if (f->width == 0) return box;
  const int32_t *v = f->vertex + (int64_t)f->width * i;
  for (int d = 0; d < 3; d++) {
    double lo = coordinate(s, v[0], d), hi = lo;
    for (int k = 1; k < f->width; k++) {
      double x = coordinate(s, v[k], d);
      lo = x < lo ? x : lo;
      hi = x > hi ? x : hi;
    }
    if (f->radius) {
      lo = fmax(-DBL_MAX, nextafter(lo - f->radius[i], -INFINITY));
      hi = fmin(DBL_MAX, nextafter(hi + f->radius[i], INFINITY));
    }
    box.lo[d] = lo;
    box.hi[d] = hi;
  }
  return box;
}

static bool exempt(const search *q, int32_t i, int32_t j)
{
  const abut_exact_scene *s = q->scene;
  if (!s->enabled[(int64_t)s->objects * q->a.object[i] + q->b.object[j]]) return true;
  const int32_t *va = q->a.vertex + (int64_t)q->a.width * i;
  const int32_t *vb = q->b.width ? q->b.vertex + (int64_t)q->b.width * j : NULL;
  bool moves = false;
  for (int k = 0; k < q->a.width; k++) {
    moves |= !s->prescribed[va[k]];
    for (int l = 0; l < q->b.width; l++)
      if (s->identity[va[k]] == s->identity[vb[l]]) return true;
  }
  for (int l = 0; l < q->b.width; l++) moves |= !s->prescribed[vb[l]];
  return !moves;
}

typedef struct triangle {
  vec3 a, b, c;
} triangle;

static triangle face_of(const abut_exact_scene *s, int32_t i)
{
  const int32_t *f = s->face + 3 * (int64_t)i;
  return (triangle){s->x[f[0]], s->x[f[1]], s->x[f[2]]};
}

static vec3 edge_end(const abut_exact_scene *s, int32_t i, int end)
{
  return s->x[s->edge[2 * (int64_t)i + end]];
}

static abut_meeting meeting(const search *q, int32_t i, int32_t j)
{
  const abut_exact_scene *s = q->scene;
  const vec3 *x = s->x;
  triangle f;
  int sign = 1;
  switch (q->kind) {
  case ABUT_EDGE_FACE:
    f = face_of(s, j);
    return abut_exact_segment_triangle(edge_end(s, i, 0), edge_end(s, i, 1), f.a, f.b, f.c);
  case ABUT_SPHERE_FACE:
    f = face_of(s, j);
    sign = abut_exact_point_triangle(x[s->sphere[i]], f.a, f.b, f.c, s->radius[i]);
    break;
  case ABUT_SPHERE_SPHERE:
    sign = abut_exact_spheres(x[s->sphere[i]], x[s->sphere[j]], s->radius[i], s->radius[j]);
    break;
  case ABUT_POINT_PLANE:
    sign = abut_exact_point_plane(x[s->point[i]], s->plane_origin[j], s->plane_normal[j], 0);
    break;
  case ABUT_SPHERE_PLANE:
    sign = abut_exact_point_plane(x[s->sphere[i]], s->plane_origin[j], s->plane_normal[j],
                                  s->radius[i]);
    break;
  }
  return sign < 0 ? ABUT_CROSSING : ABUT_APART;
}

/* The exact test has said that the distance is negative; where its rounded value is not, it is a
   negative one of the size of the rounding. */
static double negative(double distance, double scale)
{
  return distance < 0 ? distance : -K_EPSILON * scale;
}

static void describe_edge_face(const abut_exact_scene *s, abut_crossing *c)
{
  triangle f = face_of(s, c->b);
  abut_exact_place at = abut_exact_segment_triangle_rational(edge_end(s, c->a, 0),
                                                             edge_end(s, c->a, 1), f.a, f.b, f.c);
  c->meeting = at.meeting;
  c->position = at.position;
  c->parameter = at.parameter;
  for (int k = 0; k < 3; k++) c->bary[k] = at.bary[k];
}

static void describe_sphere_face(const abut_exact_scene *s, abut_crossing *c)
{
  triangle f = face_of(s, c->b);
  vec3 p = s->x[s->sphere[c->a]];
  f = (triangle){v3_sub(f.a, p), v3_sub(f.b, p), v3_sub(f.c, p)};
  vec3 w = abut_exact_nearest(f.a, f.b, f.c);
  vec3 n = v3_madd(v3_madd(v3_scale(f.a, w.x), f.b, w.y), f.c, w.z);
  double r = s->radius[c->a];
  c->position = p;
  c->bary[0] = w.x;
  c->bary[1] = w.y;
  c->bary[2] = w.z;
  c->distance = negative(v3_norm(n) - r, r);
}

static void describe_plane(const abut_exact_scene *s, vec3 p, double r, abut_crossing *c)
{
  vec3 n = s->plane_normal[c->b], d = v3_sub(p, s->plane_origin[c->b]);
  c->position = p;
  c->distance = negative(v3_dot(n, d) / v3_norm(n) - r, v3_max_abs(d) + r);
}

static abut_crossing describe(const search *q, int32_t i, int32_t j)
{
  const abut_exact_scene *s = q->scene;
  const vec3 *x = s->x;
  abut_crossing c = {.kind = q->kind, .meeting = ABUT_CROSSING, .a = i, .b = j};
  switch (q->kind) {
  case ABUT_EDGE_FACE: describe_edge_face(s, &c); break;
  case ABUT_SPHERE_FACE: describe_sphere_face(s, &c); break;
  case ABUT_SPHERE_SPHERE: {
    double reach = s->radius[i] + s->radius[j];
    c.position = x[s->sphere[i]];
    c.distance = negative(v3_norm(v3_sub(x[s->sphere[j]], c.position)) - reach, reach);
    break;
  }
  case ABUT_POINT_PLANE: describe_plane(s, x[s->point[i]], 0, &c); break;
  case ABUT_SPHERE_PLANE: describe_plane(s, x[s->sphere[i]], s->radius[i], &c); break;
  }
  return c;
}

static abut_status search_one(const search *q, int32_t i, abut_exact_found *near, found_list *list)
{
  abut_exact_box box = box_of(q->scene, &q->a, i);
  ABUT_TRY(abut_exact_tree_find(q->ctx, q->tree, &box, near));
  int64_t kept = 0;
  for (int64_t k = 0; k < near->count; k++) {
    int32_t j = near->id[k];
    if (q->kind == ABUT_SPHERE_SPHERE && j <= i) continue;
    if (!exempt(q, i, j) && meeting(q, i, j) != ABUT_APART) near->id[kept++] = j;
  }
  abut_sort_ints(near->id, kept);
  for (int64_t k = 0; k < kept; k++) {
    ABUT_RESERVE(q->ctx, list->item, list->room, list->count + 1);
    list->item[list->count++] = describe(q, i, near->id[k]);
  }
  return ABUT_OK;
}

static void search_chunk(void *arg, int64_t begin, int64_t end)
{
  search *q = arg;
  int chunk = 0;
  while (abut_chunk_begin(q->a.count, q->chunks, chunk) != begin) chunk++;
  found_list *list = &q->list[chunk];
  abut_exact_found near = {0};
  for (int64_t i = begin; i < end && list->status == ABUT_OK; i++)
    list->status = search_one(q, (int32_t)i, &near, list);
  abut_free(q->ctx, near.id);
}

/* the chunks' lists, one after another, behind what result has */
static abut_status gather(search *q, found_list *result)
{
  int64_t total = result->count;
  for (int c = 0; c < q->chunks; c++) {
    ABUT_TRY(q->list[c].status);
    total += q->list[c].count;
  }
  ABUT_RESERVE(q->ctx, result->item, result->room, total);
  for (int c = 0; c < q->chunks; c++)
    for (int64_t k = 0; k < q->list[c].count; k++)
      result->item[result->count++] = q->list[c].item[k];
  return ABUT_OK;
}

static abut_status search_kind(abut_context *ctx, const abut_exact_scene *scene,
                               abut_crossing_kind kind, side a, side b, const abut_exact_tree *tree,
                               found_list *result)
{
  enum { GRAIN = 128 };
  search q = {.ctx = ctx, .scene = scene, .kind = kind, .a = a, .b = b, .tree = tree};
  q.chunks = abut_chunk_count(a.count, GRAIN);
  if (b.count > 0) abut_parallel_for(ctx, a.count, GRAIN, search_chunk, &q);
  abut_status status = gather(&q, result);
  for (int c = 0; c < q.chunks; c++) abut_free(ctx, q.list[c].item);
  return status;
}

typedef struct leaf_work {
  const abut_exact_scene *scene;
  const side *family;
  abut_exact_leaf *leaf;
} leaf_work;

static void fill_leaves(void *arg, int64_t begin, int64_t end)
{
  leaf_work *w = arg;
  for (int64_t i = begin; i < end; i++)
    w->leaf[i] = (abut_exact_leaf){box_of(w->scene, w->family, (int32_t)i), (int32_t)i};
}

static abut_status build_tree(abut_context *ctx, const abut_exact_scene *scene, const side *f,
                              abut_exact_tree *tree)
{
  leaf_work w = {.scene = scene, .family = f};
  ABUT_MAKE(ctx, w.leaf, f->count);
  abut_parallel_for(ctx, f->count, 4096, fill_leaves, &w);
  return abut_exact_tree_build(ctx, w.leaf, f->count, tree);
}

static bool finite3(vec3 v)
{
  return isfinite(v.x) && isfinite(v.y) && isfinite(v.z);
}

static abut_status check_numbers(abut_context *ctx, const abut_exact_scene *s)
{
  for (int32_t i = 0; i < s->vertices; i++)
    if (!finite3(s->x[i]))
      return abut_fail(ctx, ABUT_BAD_GEOMETRY, "vertex %d has a coordinate that is not finite",
                       (int)i);
  for (int32_t i = 0; i < s->spheres; i++)
    if (!isfinite(s->radius[i]))
      return abut_fail(ctx, ABUT_BAD_GEOMETRY, "the radius of sphere %d is not finite", (int)i);
  for (int32_t i = 0; i < s->planes; i++)
    if (!finite3(s->plane_origin[i]) || !finite3(s->plane_normal[i]))
      return abut_fail(ctx, ABUT_BAD_GEOMETRY, "the origin or the normal of plane %d is not finite",
                       (int)i);
  return ABUT_OK;
}

/* faces, spheres, planes have trees */
typedef struct trees {
  abut_exact_tree face, sphere, plane;
} trees;

static abut_status search_scene(abut_context *ctx, const abut_exact_scene *s, trees *t,
                                found_list *result)
{
  side edge = {s->edges, 2, s->edge, s->edge_object, NULL};
  side face = {s->faces, 3, s->face, s->face_object, NULL};
  side sphere = {s->spheres, 1, s->sphere, s->sphere_object, s->radius};
  side plane = {s->planes, 0, NULL, s->plane_object, NULL};
  side point = {s->points, 1, s->point, s->point_object, NULL};

  ABUT_TRY(check_numbers(ctx, s));
  ABUT_TRY(build_tree(ctx, s, &face, &t->face));
  ABUT_TRY(build_tree(ctx, s, &sphere, &t->sphere));
  ABUT_TRY(build_tree(ctx, s, &plane, &t->plane));
  ABUT_TRY(search_kind(ctx, s, ABUT_EDGE_FACE, edge, face, &t->face, result));
  ABUT_TRY(search_kind(ctx, s, ABUT_SPHERE_FACE, sphere, face, &t->face, result));
  ABUT_TRY(search_kind(ctx, s, ABUT_SPHERE_SPHERE, sphere, sphere, &t->sphere, result));
  ABUT_TRY(search_kind(ctx, s, ABUT_POINT_PLANE, point, plane, &t->plane, result));
  return search_kind(ctx, s, ABUT_SPHERE_PLANE, sphere, plane, &t->plane, result);
}

abut_status abut_exact_crossings(abut_context *ctx, const abut_exact_scene *scene,
                                 abut_crossing **crossing, int64_t *count)
{
  trees t = {{0}, {0}, {0}};
  found_list result = {0};
  abut_status status = search_scene(ctx, scene, &t, &result);
  abut_exact_tree_free(ctx, &t.face);
  abut_exact_tree_free(ctx, &t.sphere);
  abut_exact_tree_free(ctx, &t.plane);
  if (status != ABUT_OK) {
    abut_free(ctx, result.item);
    result = (found_list){0};
  }
  *crossing = result.item;
  *count = result.count;
  return status;
}
