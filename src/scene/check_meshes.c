/* check_meshes.c: faults of single meshes. */
#include <math.h>

#include "base/memory.h"
#include "base/scratch.h"
#include "mesh/quality.h"
#include "mesh/topology.h"
#include "scene/check.h"

/* vertices nearer than this share of the mean edge, and joined by none, are near-coincident */
static const double near_share = 1e-2;

typedef struct mesh_check {
  abut_context *ctx;
  const abut_scene_def *def;
  int32_t object;
  vec3 *x;         /* placed vertices */
  int32_t *target; /* vertex that each is welded to */
  double dhat;
  abut_faults *f;
} mesh_check;

static const abut_object_def *object_of(const mesh_check *c)
{
  return &c->def->object[c->object];
}

static abut_fault cell_fault(const mesh_check *c, abut_fault_kind kind, const int32_t *cell,
                             int32_t index, int corners)
{
  abut_fault fault = {.kind = kind, .distance = NAN};
  abut_fault_element *e = &fault.element[0];
  *e = (abut_fault_element){.kind = corners == 4 ? "tet" : "face",
                            .object = c->object,
                            .index = index,
                            .points = corners};
  vec3 sum = v3(0, 0, 0);
  for (int k = 0; k < corners; k++) {
    e->point[k] = c->x[cell[(int64_t)index * corners + k]];
    sum = v3_add(sum, e->point[k]);
  }
  fault.position = v3_scale(sum, 1.0 / corners);
  return fault;
}

static abut_status check_cells(const mesh_check *c, const int32_t *cell, int32_t cells, int corners)
{
  abut_mark mark = abut_scratch_mark(c->ctx);
  const char *name = object_of(c)->name, *what = corners == 4 ? "tetrahedron" : "triangle";
  abut_cell_quality *q = ABUT_SCRATCH(c->ctx, abut_cell_quality, cells);
  if (!q) return ABUT_NO_MEMORY;
  abut_cells_check(c->ctx, c->x, cell, cells, corners, q);
  for (int32_t i = 0; i < cells; i++) {
    if (q[i].verdict == ABUT_CELL_FINE) continue;
    abut_fault_kind kind = q[i].verdict == ABUT_CELL_SLIVER     ? ABUT_FAULT_SLIVER
                           : q[i].verdict == ABUT_CELL_INVERTED ? ABUT_FAULT_INVERTED
                                                                : ABUT_FAULT_DEGENERATE;
    abut_fault fault = cell_fault(c, kind, cell, i, corners);
    if (kind == ABUT_FAULT_SLIVER) fault.distance = q[i].quality;
    ABUT_TRY(abut_faults_add(c->ctx, c->f, &fault, "%s: %s %d is %s (%s %.2g, quality %.2g)", name,
                             what, i,
                             kind == ABUT_FAULT_SLIVER     ? "a sliver"
                             : kind == ABUT_FAULT_INVERTED ? "inverted: its corners are listed the "
                                                             "other way round"
                                                           : "degenerate",
                             corners == 4 ? "volume" : "area", q[i].measure, q[i].quality));
  }
  abut_scratch_release(c->ctx, mark);
  return ABUT_OK;
}

static abut_fault_element vertex_element(const mesh_check *c, int32_t v)
{
  return (abut_fault_element){
      .kind = "vertex", .object = c->object, .index = v, .points = 1, .point = {c->x[v]}};
}

static abut_status check_isolated(const mesh_check *c)
{
  const abut_object_def *o = object_of(c);
  int32_t *vertex = NULL, count = 0;
  ABUT_TRY(abut_isolated_of(c->ctx, &o->mesh, &vertex, &count));
  abut_status status = ABUT_OK;
  for (int32_t k = 0; k < count && status == ABUT_OK; k++) {
    abut_fault fault = {.kind = ABUT_FAULT_ISOLATED, .distance = NAN};
    fault.position = c->x[vertex[k]];
    fault.element[0] = vertex_element(c, vertex[k]);
    status = abut_faults_add(c->ctx, c->f, &fault, "%s: vertex %d belongs to no cell", o->name,
                             vertex[k]);
  }
  abut_free(c->ctx, vertex);
  return status;
}

static abut_status add_near_pairs(const mesh_check *c, const abut_near_pair *pair, int32_t count)
{
  const char *name = object_of(c)->name;
  for (int32_t k = 0; k < count; k++) {
    int32_t a = pair[k].a, b = pair[k].b;
    abut_fault fault = {.kind = ABUT_FAULT_NEAR_COINCIDENT, .distance = pair[k].distance};
    fault.element[0] = vertex_element(c, a);
    fault.element[1] = vertex_element(c, b);
    fault.position = v3_scale(v3_add(c->x[a], c->x[b]), 0.5);
    ABUT_TRY(abut_faults_add(c->ctx, c->f, &fault,
                             "%s: vertices %d and %d are %.2g m apart and no edge joins them; "
                             "\"weld\" makes them one",
                             name, a, b, pair[k].distance));
  }
  return ABUT_OK;
}

/* vertices of the skin a hair apart that welding leaves two */
static abut_status check_near(const mesh_check *c, const int32_t *unwelded, int32_t faces)
{
  const abut_object_def *o = object_of(c);
  abut_mark mark = abut_scratch_mark(c->ctx);
  bool *used = ABUT_SCRATCH(c->ctx, bool, o->mesh.vertices);
  int32_t *skin = ABUT_SCRATCH(c->ctx, int32_t, 3 * (int64_t)faces);
  if (!used || !skin) return ABUT_NO_MEMORY;
  for (int64_t k = 0; k < 3 * (int64_t)faces; k++) skin[k] = c->target[unwelded[k]];
  for (int32_t v = 0; v < o->mesh.vertices; v++) used[v] = false;
  abut_mark_used(skin, faces, 3, used);
  int32_t *edge = NULL, edges = 0, count = 0;
  abut_near_pair *pair = NULL;
  abut_status status = abut_edges_of(c->ctx, skin, faces, &edge, &edges);
  double sum = 0;
  for (int32_t e = 0; e < edges && status == ABUT_OK; e++)
    sum += v3_norm(v3_sub(c->x[edge[2 * (int64_t)e]], c->x[edge[2 * (int64_t)e + 1]]));
  double distance = edges ? near_share * sum / edges : 0;
  if (c->dhat > 0) distance = fmin(distance, c->dhat);
  /* room for as many as there are */
  for (int32_t most = 1024; status == ABUT_OK && distance > 0; most *= 8) {
    abut_free(c->ctx, pair);
    pair = NULL;
    status = abut_near_pairs_of(c->ctx, c->x, used, o->mesh.vertices, edge, edges, distance, most,
                                &pair, &count);
    if (count < most || most > INT32_MAX / 8) break;
  }
  if (status == ABUT_OK) status = add_near_pairs(c, pair, count);
  abut_free(c->ctx, edge);
  abut_free(c->ctx, pair);
  abut_scratch_release(c->ctx, mark);
  return status;
}

/* a mirroring transform turns tetrahedra over, which the solver undoes */
static abut_status check_tets(const mesh_check *c)
{
  const abut_object_def *o = object_of(c);
  abut_mark mark = abut_scratch_mark(c->ctx);
  int64_t n = 4 * (int64_t)o->mesh.tets;
  int32_t *tet = ABUT_SCRATCH(c->ctx, int32_t, n);
  if (!tet) return ABUT_NO_MEMORY;
  bool mirrored = o->scale.x * o->scale.y * o->scale.z < 0;
  for (int64_t k = 0; k < n; k += 4) {
    tet[k] = o->mesh.tet[k];
    tet[k + 1] = o->mesh.tet[k + (mirrored ? 2 : 1)];
    tet[k + 2] = o->mesh.tet[k + (mirrored ? 1 : 2)];
    tet[k + 3] = o->mesh.tet[k + 3];
  }
  ABUT_TRY(check_cells(c, tet, o->mesh.tets, 4));
  abut_scratch_release(c->ctx, mark);
  return ABUT_OK;
}

static vec3 place(const abut_object_def *o, vec3 x)
{
  vec3 s = v3(x.x * o->scale.x, x.y * o->scale.y, x.z * o->scale.z);
  return v3_add(m3_apply(m3_rotation(o->axis, o->angle), s), o->translate);
}

static abut_status check_object(mesh_check *c)
{
  const abut_object_def *o = object_of(c);
  const abut_mesh_data *m = &o->mesh;
  c->x = ABUT_SCRATCH(c->ctx, vec3, m->vertices);
  c->target = ABUT_SCRATCH(c->ctx, int32_t, m->vertices);
  if (!c->x || !c->target) return ABUT_NO_MEMORY;
  for (int32_t v = 0; v < m->vertices; v++) {
    c->x[v] = place(o, m->x[v]);
    c->target[v] = v;
  }
  if (o->weld > 0) ABUT_TRY(abut_weld(c->ctx, c->x, m->vertices, o->weld, c->target));
  ABUT_TRY(check_isolated(c));
  if (o->kind == ABUT_SOLID) {
    int32_t *skin = NULL, faces = 0;
    ABUT_TRY(check_tets(c));
    ABUT_TRY(abut_boundary_of(c->ctx, m->tet, m->tets, &skin, &faces));
    abut_status status = check_near(c, skin, faces);
    abut_free(c->ctx, skin);
    return status;
  }
  ABUT_TRY(check_cells(c, m->triangle, m->triangles, 3));
  return check_near(c, m->triangle, m->triangles);
}

abut_status abut_check_meshes(abut_context *ctx, const abut_scene_def *def, abut_faults *f)
{
  for (int32_t i = 0; i < def->objects; i++) {
    abut_object_kind kind = def->object[i].kind;
    if (kind != ABUT_SHELL && kind != ABUT_SOLID && kind != ABUT_OBSTACLE) continue;
    abut_mark mark = abut_scratch_mark(ctx);
    mesh_check c = {.ctx = ctx, .def = def, .object = i, .dhat = def->dhat, .f = f};
    ABUT_TRY(check_object(&c));
    abut_scratch_release(ctx, mark);
  }
  return ABUT_OK;
}
