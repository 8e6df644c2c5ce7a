/* places.c: where every vertex is, what is welded, and how the solver numbers it. */
#include "base/memory.h"
#include "base/scratch.h"
#include "mesh/quality.h"
#include "mesh/topology.h"
#include "scene/model.h"

static vec3 transform(const abut_object_def *o, vec3 x)
{
  vec3 s = v3(x.x * o->scale.x, x.y * o->scale.y, x.z * o->scale.z);
  return v3_add(m3_apply(m3_rotation(o->axis, o->angle), s), o->translate);
}

static int32_t vertices_of(const abut_object_def *o)
{
  if (o->kind == ABUT_SPHERES) return o->spheres;
  return o->kind == ABUT_PLANE ? 0 : o->mesh.vertices;
}

static bool deformable(abut_object_kind kind)
{
  return kind == ABUT_SHELL || kind == ABUT_SOLID || kind == ABUT_SPHERES;
}

static abut_status count_vertices(abut_build *b)
{
  int64_t total = 0;
  for (int32_t i = 0; i < b->m->objects; i++) {
    abut_model_object *o = &b->m->object[i];
    o->first = (int32_t)total;
    o->count = vertices_of(&b->def->object[i]);
    total += o->count;
  }
  if (total > ABUT_MAX_PRIMITIVES)
    return abut_fail(b->ctx, ABUT_UNSUPPORTED, "%lld vertices are more than this version numbers",
                     (long long)total);
  b->m->user_vertices = (int32_t)total;
  ABUT_MAKE(b->ctx, b->x, total);
  ABUT_MAKE(b->ctx, b->rest, total);
  ABUT_MAKE(b->ctx, b->target, total);
  ABUT_MAKE_ZERO(b->ctx, b->used, total);
  ABUT_MAKE(b->ctx, b->m->solver_of, total);
  return ABUT_OK;
}

static bool same_cells(const int32_t *a, const int32_t *b, int64_t n)
{
  for (int64_t k = 0; k < n; k++)
    if (a[k] != b[k]) return false;
  return true;
}

static abut_status check_rest(abut_build *b, int32_t i)
{
  const abut_object_def *d = &b->def->object[i];
  const abut_mesh_data *m = &d->mesh, *r = &d->rest_mesh;
  bool solid = d->kind == ABUT_SOLID;
  int32_t cells = solid ? m->tets : m->triangles, its_cells = solid ? r->tets : r->triangles;
  bool same = m->vertices == r->vertices && cells == its_cells &&
              (solid ? same_cells(m->tet, r->tet, 4 * (int64_t)cells)
                     : same_cells(m->triangle, r->triangle, 3 * (int64_t)cells));
  if (same) return ABUT_OK;
  abut_status status = abut_fail(b->ctx, ABUT_BAD_FORMAT,
                                 "the rest mesh (%d vertices, %d cells) must have the vertices and "
                                 "cells of the mesh (%d, %d), in the same order",
                                 r->vertices, its_cells, m->vertices, cells);
  abut_error_at_path(b->ctx, "objects[%d].rest", i);
  abut_error_at_object(b->ctx, d->name);
  return status;
}

static abut_status place_rest(abut_build *b, int32_t i)
{
  const abut_object_def *d = &b->def->object[i];
  const abut_model_object *o = &b->m->object[i];
  bool other = d->rest == ABUT_REST_MESH;
  if (other) ABUT_TRY(check_rest(b, i));
  for (int32_t v = 0; v < o->count; v++)
    b->rest[o->first + v] = other ? transform(d, d->rest_mesh.x[v]) : b->x[o->first + v];
  return ABUT_OK;
}

static abut_status place_object(abut_build *b, int32_t i)
{
  const abut_object_def *d = &b->def->object[i];
  const abut_model_object *o = &b->m->object[i];
  for (int32_t v = 0; v < o->count; v++) {
    vec3 x = transform(d, d->kind == ABUT_SPHERES ? d->center[v] : d->mesh.x[v]);
    b->x[o->first + v] = x;
    double radius = d->kind == ABUT_SPHERES ? d->radius[v] : 0;
    if (v3_max_abs(x) < ABUT_FARTHEST && radius < ABUT_FARTHEST) continue;
    abut_status status = abut_fail(b->ctx, ABUT_BAD_FORMAT,
                                   "a vertex is not within %g m of the origin, or its sphere is "
                                   "not smaller than that",
                                   ABUT_FARTHEST);
    abut_error_at_object(b->ctx, d->name);
    abut_error_at_element(b->ctx, "vertex", v, NULL);
    return status;
  }
  for (int32_t v = 0; v < o->count; v++) b->target[o->first + v] = v;
  if (d->weld > 0)
    ABUT_TRY(abut_weld(b->ctx, b->x + o->first, o->count, d->weld, b->target + o->first));
  for (int32_t v = 0; v < o->count; v++) b->target[o->first + v] += o->first;
  return place_rest(b, i);
}

/* which vertices cells use; the others are reported and stay where they are */
static void mark_used(abut_build *b, int32_t i)
{
  const abut_object_def *d = &b->def->object[i];
  const abut_model_object *o = &b->m->object[i];
  bool *used = b->used + o->first;
  if (d->kind == ABUT_SPHERES)
    for (int32_t v = 0; v < o->count; v++) used[v] = true;
  else if (d->kind == ABUT_SOLID)
    abut_mark_used(d->mesh.tet, d->mesh.tets, 4, used);
  else
    abut_mark_used(d->mesh.triangle, d->mesh.triangles, 3, used);
  int32_t loose = 0, first = -1;
  for (int32_t v = 0; v < o->count; v++) {
    if (used[v]) {
      b->used[b->target[o->first + v]] = true;
      continue;
    }
    if (first < 0) first = v;
    loose++;
  }
  if (loose > 0 && deformable(d->kind))
    abut_note(b->ctx,
              "%s: %d vertices belong to no cell (the first is vertex %d); they have no "
              "mass and stay where they are",
              d->name, loose, first);
}

/* Solver numbers: deformable vertices first, those without mass and obstacles after them; within an
   object near in space is near in memory. */
static abut_status number_object(abut_build *b, int32_t i, bool dynamic, int32_t *next)
{
  abut_mark mark = abut_scratch_mark(b->ctx);
  const abut_model_object *o = &b->m->object[i];
  int32_t *place = ABUT_SCRATCH(b->ctx, int32_t, o->count);
  int32_t *order = ABUT_SCRATCH(b->ctx, int32_t, o->count);
  if (!place || !order) return ABUT_NO_MEMORY;
  ABUT_TRY(abut_order_space(b->ctx, b->x + o->first, o->count, place));
  for (int32_t v = 0; v < o->count; v++) order[place[v]] = v;
  bool moves = deformable(b->def->object[i].kind);
  for (int32_t k = 0; k < o->count; k++) {
    int32_t v = o->first + order[k];
    if (b->target[v] != v || (moves && b->used[v]) != dynamic) continue;
    b->m->solver_of[v] = (*next)++;
  }
  abut_scratch_release(b->ctx, mark);
  return ABUT_OK;
}

static abut_status number_vertices(abut_build *b)
{
  abut_model *m = b->m;
  int32_t next = 0;
  for (int32_t i = 0; i < m->objects; i++) ABUT_TRY(number_object(b, i, true, &next));
  m->system.dynamic = next;
  for (int32_t i = 0; i < m->objects; i++) ABUT_TRY(number_object(b, i, false, &next));
  m->system.vertices = next;
  for (int32_t v = 0; v < m->user_vertices; v++) m->solver_of[v] = m->solver_of[b->target[v]];

  ABUT_MAKE(b->ctx, m->start, next);
  ABUT_MAKE(b->ctx, m->rest, next);
  ABUT_MAKE_ZERO(b->ctx, m->start_velocity, next);
  ABUT_MAKE(b->ctx, m->object_of, next);
  ABUT_MAKE(b->ctx, m->file_vertex, next);
  for (int32_t i = 0; i < m->objects; i++)
    for (int32_t k = 0; k < m->object[i].count; k++) {
      int32_t v = m->object[i].first + k;
      if (b->target[v] != v) continue;
      m->start[m->solver_of[v]] = b->x[v];
      m->rest[m->solver_of[v]] = b->rest[v];
      m->object_of[m->solver_of[v]] = i;
      m->file_vertex[m->solver_of[v]] = k;
    }
  return ABUT_OK;
}

static void grow_box(vec3 *low, vec3 *high, vec3 x, double radius)
{
  low->x = fmin(low->x, x.x - radius), high->x = fmax(high->x, x.x + radius);
  low->y = fmin(low->y, x.y - radius), high->y = fmax(high->y, x.y + radius);
  low->z = fmin(low->z, x.z - radius), high->z = fmax(high->z, x.z + radius);
}

/* L: diagonal of the box of all deformable vertices and spheres; without any, of the obstacles;
   else 1 m */
static double scene_length(const abut_build *b, bool moving)
{
  vec3 low = v3(HUGE_VAL, HUGE_VAL, HUGE_VAL), high = v3_neg(low);
  bool any = false;
  for (int32_t i = 0; i < b->m->objects; i++) {
    const abut_object_def *d = &b->def->object[i];
    if (deformable(d->kind) != moving) continue;
    for (int32_t v = 0; v < b->m->object[i].count; v++) {
      double radius = d->kind == ABUT_SPHERES ? d->radius[v] : 0;
      grow_box(&low, &high, b->x[b->m->object[i].first + v], radius);
      any = true;
    }
  }
  double length = any ? v3_norm(v3_sub(high, low)) : 0;
  if (length > 0) return length;
  return moving ? scene_length(b, false) : 1;
}

abut_status abut_build_places(abut_build *b)
{
  ABUT_TRY(count_vertices(b));
  for (int32_t i = 0; i < b->m->objects; i++) {
    ABUT_TRY(place_object(b, i));
    mark_used(b, i);
  }
  b->m->system.length = scene_length(b, true);
  return number_vertices(b);
}
