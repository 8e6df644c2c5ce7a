/* surfaces.c: what can touch: the skin of every object, deformable objects before obstacles. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/scratch.h"
#include "mesh/topology.h"
#include "scene/model.h"

/* primitives of one object, in solver vertices */
typedef struct skin {
  int32_t *face, faces, *edge, edges, *point, points;
} skin;

static void skin_free(abut_context *ctx, skin *s)
{
  abut_free(ctx, s->face);
  abut_free(ctx, s->edge);
  abut_free(ctx, s->point);
}

static abut_status skin_points(abut_build *b, skin *s)
{
  abut_mark mark = abut_scratch_mark(b->ctx);
  int64_t n = 3 * (int64_t)s->faces;
  uint64_t *key = ABUT_SCRATCH(b->ctx, uint64_t, n), *other = ABUT_SCRATCH(b->ctx, uint64_t, n);
  if (!key || !other) return ABUT_NO_MEMORY;
  for (int64_t k = 0; k < n; k++) key[k] = (uint64_t)s->face[k];
  abut_sort_keys(key, other, n);
  ABUT_MAKE(b->ctx, s->point, n);
  for (int64_t k = 0; k < n; k++)
    if (k == 0 || key[k] != key[k - 1]) s->point[s->points++] = (int32_t)key[k];
  abut_scratch_release(b->ctx, mark);
  return ABUT_OK;
}

static abut_status skin_of(abut_build *b, int32_t i, skin *s)
{
  const abut_model_object *o = &b->m->object[i];
  abut_mark mark = abut_scratch_mark(b->ctx);
  int64_t n = (int64_t)o->cells * o->corners;
  int32_t *cell = ABUT_SCRATCH(b->ctx, int32_t, n);
  if (!cell) return ABUT_NO_MEMORY;
  for (int64_t k = 0; k < n; k++) cell[k] = b->m->solver_of[o->first + o->cell[k]];
  if (o->corners == 4) {
    ABUT_TRY(abut_boundary_of(b->ctx, cell, o->cells, &s->face, &s->faces));
  } else {
    ABUT_MAKE(b->ctx, s->face, n);
    memcpy(s->face, cell, (size_t)n * sizeof *cell);
    s->faces = o->cells;
  }
  abut_scratch_release(b->ctx, mark);
  ABUT_TRY(abut_edges_of(b->ctx, s->face, s->faces, &s->edge, &s->edges));
  return skin_points(b, s);
}

typedef struct rooms {
  int64_t point, point_object, edge, edge_object, edge_rest2, face, face_object;
} rooms;

static abut_status append_skin(abut_build *b, int32_t i, const skin *k, rooms *r)
{
  abut_surface *s = &b->m->surface;
  abut_model_object *o = &b->m->object[i];
  abut_context *ctx = b->ctx;
  o->face = s->faces, o->faces = k->faces;
  o->edge = s->edges, o->edges = k->edges;
  o->point = s->points, o->points = k->points;
  int64_t points = (int64_t)s->points + k->points, edges = (int64_t)s->edges + k->edges;
  int64_t faces = (int64_t)s->faces + k->faces;
  if (points > ABUT_MAX_PRIMITIVES || edges > ABUT_MAX_PRIMITIVES || faces > ABUT_MAX_PRIMITIVES)
    return abut_fail(ctx, ABUT_UNSUPPORTED,
                     "the surfaces have more primitives than this version "
                     "numbers");
  ABUT_RESERVE(ctx, s->point, r->point, points);
  ABUT_RESERVE(ctx, s->point_object, r->point_object, points);
  ABUT_RESERVE(ctx, s->edge, r->edge, 2 * edges);
  ABUT_RESERVE(ctx, s->edge_object, r->edge_object, edges);
  ABUT_RESERVE(ctx, s->edge_rest2, r->edge_rest2, edges);
  ABUT_RESERVE(ctx, s->face, r->face, 3 * faces);
  ABUT_RESERVE(ctx, s->face_object, r->face_object, faces);
  for (int32_t p = 0; p < k->points; p++, s->points++) {
    s->point[s->points] = k->point[p];
    s->point_object[s->points] = i;
  }
  for (int32_t e = 0; e < k->edges; e++, s->edges++) {
    int32_t v = k->edge[2 * e], w = k->edge[2 * e + 1];
    s->edge[2 * (int64_t)s->edges] = v;
    s->edge[2 * (int64_t)s->edges + 1] = w;
    s->edge_object[s->edges] = i;
    s->edge_rest2[s->edges] = v3_norm2(v3_sub(b->m->rest[v], b->m->rest[w]));
  }
  for (int32_t f = 0; f < k->faces; f++, s->faces++) {
    memcpy(s->face + 3 * (int64_t)s->faces, k->face + 3 * (int64_t)f, 3 * sizeof *k->face);
    s->face_object[s->faces] = i;
  }
  return ABUT_OK;
}

static abut_status add_skins(abut_build *b, bool obstacles, rooms *r)
{
  for (int32_t i = 0; i < b->m->objects; i++) {
    abut_object_kind kind = b->def->object[i].kind;
    if (kind == ABUT_PLANE || kind == ABUT_SPHERES) continue;
    if ((kind == ABUT_OBSTACLE) != obstacles) continue;
    skin k = {0};
    abut_status status = skin_of(b, i, &k);
    if (status == ABUT_OK) status = append_skin(b, i, &k, r);
    skin_free(b->ctx, &k);
    ABUT_TRY(status);
  }
  return ABUT_OK;
}

static abut_status add_spheres(abut_build *b)
{
  abut_surface *s = &b->m->surface;
  int64_t total = 0;
  for (int32_t i = 0; i < b->m->objects; i++) total += b->def->object[i].spheres;
  ABUT_MAKE(b->ctx, s->sphere, total);
  ABUT_MAKE(b->ctx, s->sphere_object, total);
  ABUT_MAKE(b->ctx, s->radius, total);
  for (int32_t i = 0; i < b->m->objects; i++) {
    const abut_object_def *d = &b->def->object[i];
    b->m->object[i].sphere = s->spheres;
    for (int32_t k = 0; k < d->spheres; k++, s->spheres++) {
      s->sphere[s->spheres] = b->m->solver_of[b->m->object[i].first + k];
      s->sphere_object[s->spheres] = i;
      s->radius[s->spheres] = d->radius[k];
    }
  }
  return ABUT_OK;
}

/* the square of its length may overflow; a power of two changes no digit */
static vec3 unit_normal(vec3 n)
{
  int exponent;
  frexp(v3_max_abs(n), &exponent);
  return v3_unit(v3(ldexp(n.x, -exponent), ldexp(n.y, -exponent), ldexp(n.z, -exponent)));
}

static abut_status add_planes(abut_build *b)
{
  abut_surface *s = &b->m->surface;
  int64_t total = 0;
  for (int32_t i = 0; i < b->m->objects; i++) total += b->def->object[i].kind == ABUT_PLANE;
  ABUT_MAKE(b->ctx, s->plane_point, total);
  ABUT_MAKE(b->ctx, s->plane_normal, total);
  ABUT_MAKE(b->ctx, s->plane_object, total);
  for (int32_t i = 0; i < b->m->objects; i++) {
    const abut_object_def *d = &b->def->object[i];
    if (d->kind != ABUT_PLANE) continue;
    b->m->object[i].plane = s->planes;
    s->plane_point[s->planes] = d->point;
    s->plane_normal[s->planes] = unit_normal(d->normal);
    s->plane_object[s->planes++] = i;
  }
  return ABUT_OK;
}

abut_status abut_build_surface(abut_build *b)
{
  abut_surface *s = &b->m->surface;
  rooms r = {0};
  s->vertices = b->m->system.vertices;
  s->dynamic = b->m->system.dynamic;
  ABUT_TRY(add_skins(b, false, &r));
  s->dynamic_points = s->points;
  s->dynamic_edges = s->edges;
  s->dynamic_faces = s->faces;
  ABUT_TRY(add_skins(b, true, &r));
  ABUT_TRY(add_spheres(b));
  ABUT_TRY(add_planes(b));
  double sum = 0;
  for (int32_t e = 0; e < s->dynamic_edges; e++) sum += sqrt(s->edge_rest2[e]);
  b->m->system.edge_length = s->dynamic_edges ? sum / s->dynamic_edges : 0;
  return ABUT_OK;
}
