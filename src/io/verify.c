#include "io/verify.h"

#include <math.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/scratch.h"
#include "contact/exact.h"
#include "io/trajectory.h"
#include "mesh/topology.h"

/* everything that stays the same in all frames; points are those of the trajectory file */
typedef struct judge {
  abut_context *ctx;
  abut_trajectory *t;
  const abut_layout *layout;
  abut_scene_def def; /* names, planes and pairs of scene.json */
  abut_model rules;   /* pair rules only */
  abut_exact_scene scene;
  int32_t *edge, *edge_object, *face, *face_object, *point, *point_object, *sphere, *sphere_object;
  int32_t *plane_object, *edge_first, *face_first; /* first of each object            (objects) */
  double *radius;
  vec3 *plane_origin, *plane_normal, *x;
  bool *prescribed, *enabled;
  uint8_t *flags;
  int64_t edge_room, edge_object_room, face_room, face_object_room, point_room, point_object_room;
} judge;

static void judge_free(judge *j)
{
  abut_context *ctx = j->ctx;
  abut_trajectory_close(ctx, j->t);
  abut_model_free(ctx, &j->rules);
  abut_scene_def_free(ctx, &j->def);
  void *blocks[] = {j->edge,       j->edge_object,  j->face,         j->face_object,
                    j->point,      j->point_object, j->sphere,       j->sphere_object,
                    j->edge_first, j->face_first,   j->plane_object, j->radius,
                    j->x,          j->plane_origin, j->plane_normal, j->prescribed,
                    j->enabled,    j->flags};
  for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++) abut_free(ctx, blocks[k]);
}

void abut_verdict_free(abut_context *ctx, abut_verdict *v)
{
  abut_faults_free(ctx, &v->faults);
  abut_free(ctx, v->frame);
  abut_free(ctx, v->time);
  for (int32_t i = 0; v->object && i < v->objects; i++) abut_free(ctx, v->object[i]);
  abut_free(ctx, v->object);
  *v = (abut_verdict){0};
}

/* ---- topology ---- */

static abut_status reserve_edges(judge *j, int64_t count)
{
  ABUT_RESERVE(j->ctx, j->edge, j->edge_room, 2 * count);
  ABUT_RESERVE(j->ctx, j->edge_object, j->edge_object_room, count);
  return ABUT_OK;
}

static abut_status add_edges(judge *j, int32_t object, const int32_t *triangle, int32_t triangles)
{
  int32_t *edge = NULL, count = 0;
  ABUT_TRY(abut_edges_of(j->ctx, triangle, triangles, &edge, &count));
  int32_t n = j->scene.edges;
  abut_status status = reserve_edges(j, (int64_t)n + count);
  for (int32_t e = 0; status == ABUT_OK && e < count; e++, n++) {
    j->edge[2 * (int64_t)n] = edge[2 * (int64_t)e];
    j->edge[2 * (int64_t)n + 1] = edge[2 * (int64_t)e + 1];
    j->edge_object[n] = object;
  }
  j->scene.edges = n;
  abut_free(j->ctx, edge);
  return status;
}

static abut_status add_points(judge *j, int32_t object, const abut_layout_object *o,
                              const int32_t *triangle, int32_t triangles)
{
  abut_mark mark = abut_scratch_mark(j->ctx);
  bool *used = ABUT_SCRATCH(j->ctx, bool, j->layout->points);
  if (!used) return ABUT_NO_MEMORY;
  for (int32_t p = o->first; p < o->first + o->points; p++) used[p] = false;
  abut_mark_used(triangle, triangles, 3, used);
  for (int32_t p = o->first; p < o->first + o->points; p++) {
    if (!used[p]) continue;
    ABUT_RESERVE(j->ctx, j->point, j->point_room, j->scene.points + 1);
    ABUT_RESERVE(j->ctx, j->point_object, j->point_object_room, j->scene.points + 1);
    j->point[j->scene.points] = p;
    j->point_object[j->scene.points++] = object;
  }
  abut_scratch_release(j->ctx, mark);
  return ABUT_OK;
}

/* triangles in points of the file, welded points replaced by one of them */
static abut_status add_triangles(judge *j, int32_t object, const abut_layout_object *o,
                                 const int32_t *triangle, int32_t triangles)
{
  int32_t n = j->scene.faces;
  ABUT_RESERVE(j->ctx, j->face, j->face_room, 3 * ((int64_t)n + triangles));
  ABUT_RESERVE(j->ctx, j->face_object, j->face_object_room, (int64_t)n + triangles);
  for (int32_t f = 0; f < triangles; f++, n++) {
    memcpy(j->face + 3 * (int64_t)n, triangle + 3 * (int64_t)f, 3 * sizeof *triangle);
    j->face_object[n] = object;
  }
  j->scene.faces = n;
  ABUT_TRY(add_edges(j, object, triangle, triangles));
  return add_points(j, object, o, triangle, triangles);
}

static abut_status add_cells(judge *j, int32_t object, const abut_layout_object *o)
{
  abut_mark mark = abut_scratch_mark(j->ctx);
  int64_t n = (int64_t)o->cells * o->corners;
  int32_t *cell = ABUT_SCRATCH(j->ctx, int32_t, n), *skin = NULL, faces = 0;
  if (!cell) return ABUT_NO_MEMORY;
  for (int64_t k = 0; k < n; k++) cell[k] = j->layout->identity[o->first + o->cell[k]];
  abut_status status = ABUT_OK;
  if (o->corners == 4) {
    status = abut_boundary_of(j->ctx, cell, o->cells, &skin, &faces);
    if (status == ABUT_OK) status = add_triangles(j, object, o, skin, faces);
    abut_free(j->ctx, skin);
  } else if (o->corners == 3) {
    status = add_triangles(j, object, o, cell, o->cells);
  }
  abut_scratch_release(j->ctx, mark);
  return status;
}

static abut_status add_spheres(judge *j, int32_t object, const abut_layout_object *o)
{
  for (int32_t k = 0; k < o->points; k++) {
    int32_t p = o->first + k;
    j->sphere[j->scene.spheres] = p;
    j->sphere_object[j->scene.spheres] = object;
    j->radius[j->scene.spheres++] = j->layout->radius[p];
  }
  return ABUT_OK;
}

static abut_status add_objects(judge *j)
{
  abut_context *ctx = j->ctx;
  int32_t points = j->layout->points;
  ABUT_MAKE(ctx, j->sphere, points);
  ABUT_MAKE(ctx, j->sphere_object, points);
  ABUT_MAKE(ctx, j->radius, points);
  ABUT_MAKE(ctx, j->edge_first, j->def.objects);
  ABUT_MAKE(ctx, j->face_first, j->def.objects);
  for (int32_t i = 0; i < j->layout->objects; i++) {
    const abut_layout_object *o = &j->layout->object[i];
    int32_t object = abut_scene_find_object(&j->def, o->name);
    if (object < 0)
      return abut_fail(ctx, ABUT_BAD_FORMAT,
                       "the trajectory has an object \"%s\" that scene.json has not", o->name);
    j->edge_first[object] = j->scene.edges;
    j->face_first[object] = j->scene.faces;
    ABUT_TRY(o->corners == 1 ? add_spheres(j, object, o) : add_cells(j, object, o));
  }
  return ABUT_OK;
}

static abut_status add_planes(judge *j)
{
  ABUT_MAKE(j->ctx, j->plane_origin, j->def.objects);
  ABUT_MAKE(j->ctx, j->plane_normal, j->def.objects);
  ABUT_MAKE(j->ctx, j->plane_object, j->def.objects);
  for (int32_t i = 0; i < j->def.objects; i++) {
    if (j->def.object[i].kind != ABUT_PLANE) continue;
    j->plane_origin[j->scene.planes] = j->def.object[i].point;
    j->plane_normal[j->scene.planes] = j->def.object[i].normal;
    j->plane_object[j->scene.planes++] = i;
  }
  return ABUT_OK;
}

/* the same table of exempt pairs as the solver's, from the names in scene.json */
static abut_status add_rules(judge *j)
{
  int64_t n = j->def.objects;
  j->rules = (abut_model){.def = &j->def, .objects = j->def.objects};
  abut_build b = {.ctx = j->ctx, .def = &j->def, .m = &j->rules};
  ABUT_MAKE_ZERO(j->ctx, j->rules.object, n);
  ABUT_TRY(abut_build_rules(&b));
  ABUT_MAKE(j->ctx, j->enabled, n * n);
  for (int32_t p = 0; p < n; p++)
    for (int32_t q = 0; q < n; q++)
      j->enabled[p * n + q] = abut_pair_enabled(&j->rules.surface.rules, p, q);
  return ABUT_OK;
}

static abut_status prepare(judge *j)
{
  abut_context *ctx = j->ctx;
  int32_t points = j->layout->points;
  ABUT_TRY(add_objects(j));
  ABUT_TRY(add_planes(j));
  ABUT_TRY(add_rules(j));
  ABUT_MAKE(ctx, j->x, points);
  ABUT_MAKE(ctx, j->prescribed, points);
  ABUT_MAKE(ctx, j->flags, points);
  abut_exact_scene *s = &j->scene;
  s->vertices = points;
  s->x = j->x;
  s->identity = j->layout->identity;
  s->prescribed = j->prescribed;
  s->edge = j->edge, s->edge_object = j->edge_object;
  s->face = j->face, s->face_object = j->face_object;
  s->point = j->point, s->point_object = j->point_object;
  s->sphere = j->sphere, s->sphere_object = j->sphere_object, s->radius = j->radius;
  s->plane_origin = j->plane_origin, s->plane_normal = j->plane_normal;
  s->plane_object = j->plane_object;
  s->objects = j->def.objects;
  s->enabled = j->enabled;
  return ABUT_OK;
}

/* ---- faults ---- */

static int32_t local_point(const judge *j, int32_t point)
{
  for (int32_t i = 0; i < j->layout->objects; i++) {
    const abut_layout_object *o = &j->layout->object[i];
    if (point >= o->first && point < o->first + o->points) return point - o->first;
  }
  return -1;
}

static abut_fault_element element(const judge *j, const char *kind, int32_t object, int32_t index,
                                  const int32_t *v, int n)
{
  abut_fault_element e = {.kind = kind, .object = object, .index = index, .points = n};
  for (int k = 0; k < n; k++) {
    e.point[k] = j->x[v[k]];
    e.vertex[k] = local_point(j, v[k]);
  }
  return e;
}

static abut_fault fault_of(const judge *j, const abut_crossing *c)
{
  const abut_exact_scene *s = &j->scene;
  abut_fault f = {.kind = c->meeting == ABUT_TOUCHING ? ABUT_FAULT_TOUCHING : ABUT_FAULT_CROSSING,
                  .position = c->position,
                  .distance = c->distance};
  abut_fault_element *a = &f.element[0], *b = &f.element[1];
  bool ball =
      c->kind == ABUT_SPHERE_FACE || c->kind == ABUT_SPHERE_SPHERE || c->kind == ABUT_SPHERE_PLANE;
  if (ball) {
    *a = element(j, "sphere", s->sphere_object[c->a], local_point(j, s->sphere[c->a]),
                 s->sphere + c->a, 1);
  } else if (c->kind == ABUT_POINT_PLANE) {
    *a = element(j, "vertex", s->point_object[c->a], local_point(j, s->point[c->a]),
                 s->point + c->a, 1);
  } else {
    int32_t object = s->edge_object[c->a];
    *a = element(j, "edge", object, c->a - j->edge_first[object], s->edge + 2 * (int64_t)c->a, 2);
  }
  if (c->kind == ABUT_SPHERE_SPHERE) {
    *b = element(j, "sphere", s->sphere_object[c->b], local_point(j, s->sphere[c->b]),
                 s->sphere + c->b, 1);
  } else if (c->kind == ABUT_POINT_PLANE || c->kind == ABUT_SPHERE_PLANE) {
    *b = (abut_fault_element){.kind = "plane", .object = s->plane_object[c->b]};
  } else {
    int32_t object = s->face_object[c->b];
    *b = element(j, "face", object, c->b - j->face_first[object], s->face + 3 * (int64_t)c->b, 3);
  }
  return f;
}

static abut_status add_fault(judge *j, const abut_crossing *c, int64_t frame, double time,
                             abut_verdict *v)
{
  abut_fault f = fault_of(j, c);
  const abut_fault_element *a = &f.element[0], *b = &f.element[1];
  ABUT_RESERVE(j->ctx, v->frame, v->room, v->faults.count + 1);
  ABUT_RESERVE(j->ctx, v->time, v->time_room, v->faults.count + 1);
  v->frame[v->faults.count] = frame;
  v->time[v->faults.count] = time;
  return abut_faults_add(
      j->ctx, &v->faults, &f,
      "frame %lld (t = %.6g s): %s %s %d%s %s %s %s %d%s at (%.9g, %.9g, %.9g)", (long long)frame,
      time, j->def.object[a->object].name, a->kind, a->index, abut_fault_corners(a).text,
      c->meeting == ABUT_TOUCHING ? "touches" : "crosses", j->def.object[b->object].name, b->kind,
      b->index, abut_fault_corners(b).text, c->position.x, c->position.y, c->position.z);
}

static abut_status judge_frame(judge *j, int64_t frame, abut_verdict *v)
{
  double time;
  ABUT_TRY(abut_trajectory_read(j->ctx, j->t, frame, &time, j->x, NULL, j->flags));
  for (int32_t p = 0; p < j->layout->points; p++) j->prescribed[p] = j->flags[p] != 0;
  abut_crossing *list = NULL;
  int64_t count = 0;
  abut_status status = abut_exact_crossings(j->ctx, &j->scene, &list, &count);
  for (int64_t k = 0; k < count && status == ABUT_OK; k++)
    status = add_fault(j, &list[k], frame, time, v);
  abut_free(j->ctx, list);
  v->frames++;
  return status;
}

static abut_status copy_names(judge *j, abut_verdict *v)
{
  ABUT_MAKE_ZERO(j->ctx, v->object, j->def.objects);
  v->objects = j->def.objects;
  for (int32_t i = 0; i < v->objects; i++) {
    v->object[i] = abut_copy_text(j->ctx, j->def.object[i].name);
    if (!v->object[i]) return ABUT_NO_MEMORY;
  }
  return ABUT_OK;
}

/* ---- the folder ---- */

static abut_status load_scene(judge *j, const char *folder, const abut_tables *tables)
{
  abut_scene_file file = {0};
  char *path = abut_path_join(j->ctx, folder, "scene.json");
  abut_status status = path ? abut_scene_file_load(j->ctx, path, &file) : ABUT_NO_MEMORY;
  file.no_meshes = true;
  if (status == ABUT_OK) status = abut_scene_file_read(j->ctx, &file, tables, &j->def);
  abut_scene_file_free(j->ctx, &file);
  abut_free(j->ctx, path);
  return status;
}

static abut_status open_trajectory(judge *j, const char *folder)
{
  char *path = abut_path_join(j->ctx, folder, "trajectory.vtkhdf");
  if (!path) return ABUT_NO_MEMORY;
  abut_status status = abut_trajectory_open(j->ctx, path, false, &j->t);
  abut_free(j->ctx, path);
  if (status == ABUT_OK) j->layout = abut_trajectory_layout(j->t);
  return status;
}

static abut_status verify(judge *j, const char *folder, const abut_tables *tables,
                          abut_verdict *verdict)
{
  ABUT_TRY(load_scene(j, folder, tables));
  ABUT_TRY(open_trajectory(j, folder));
  ABUT_TRY(prepare(j));
  ABUT_TRY(copy_names(j, verdict));
  int64_t frames = abut_trajectory_frames(j->t);
  for (int64_t k = 0; k < frames; k++) ABUT_TRY(judge_frame(j, k, verdict));
  return ABUT_OK;
}

abut_status abut_verify_run(abut_context *ctx, const char *folder, const abut_tables *tables,
                            abut_verdict *verdict)
{
  judge j = {.ctx = ctx};
  *verdict = (abut_verdict){0};
  abut_status status = verify(&j, folder, tables, verdict);
  judge_free(&j);
  return status;
}
