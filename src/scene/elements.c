/* elements.c: masses and the batches of elements that are always there. */
#include <string.h>

#include "base/memory.h"
#include "base/scratch.h"
#include "base/sort.h"
#include "base/text.h"
#include "mesh/quality.h"
#include "mesh/topology.h"
#include "scene/model.h"

/* ---- cells of an object, in its own numbering ---- */

static abut_status bad_cell(abut_build *b, int32_t i, const char *kind, int32_t cell, vec3 at,
                            const char *what, double measure)
{
  const double p[3] = {at.x, at.y, at.z};
  abut_status status = abut_fail(b->ctx, ABUT_BAD_GEOMETRY,
                                 "%s %d is degenerate (%s %.3g): repair the mesh or remove it",
                                 kind, cell, what, measure);
  abut_error_at_object(b->ctx, b->def->object[i].name);
  abut_error_at_element(b->ctx, kind, cell, p);
  return status;
}

static abut_status check_cells(abut_build *b, int32_t i, const vec3 *x, const int32_t *cell,
                               int32_t cells, int corners)
{
  abut_mark mark = abut_scratch_mark(b->ctx);
  abut_cell_quality *q = ABUT_SCRATCH(b->ctx, abut_cell_quality, cells);
  if (!q) return ABUT_NO_MEMORY;
  abut_cells_check(b->ctx, x, cell, cells, corners, q);
  for (int32_t c = 0; c < cells; c++) {
    if (q[c].verdict != ABUT_CELL_DEGENERATE) continue;
    vec3 at = x[cell[(int64_t)c * corners]];
    return corners == 3 ? bad_cell(b, i, "triangle", c, at, "area", q[c].measure)
                        : bad_cell(b, i, "tetrahedron", c, at, "volume", q[c].measure);
  }
  abut_scratch_release(b->ctx, mark);
  return ABUT_OK;
}

/* welding or the file may have left a cell with one solver vertex at two corners */
static abut_status check_welded(abut_build *b, int32_t i)
{
  const abut_model_object *o = &b->m->object[i];
  for (int32_t c = 0; c < o->cells; c++) {
    const int32_t *v = o->cell + (int64_t)c * o->corners;
    for (int p = 0; p < o->corners; p++)
      for (int q = p + 1; q < o->corners; q++)
        if (b->m->solver_of[o->first + v[p]] == b->m->solver_of[o->first + v[q]])
          return bad_cell(b, i, o->corners == 3 ? "triangle" : "tetrahedron", c,
                          b->x[o->first + v[p]], "two corners are one vertex, size", 0);
  }
  return ABUT_OK;
}

/* positive tetrahedra: a mirroring transform turns them over silently, a file does with a note */
static void orient(abut_build *b, int32_t i)
{
  const abut_object_def *d = &b->def->object[i];
  abut_model_object *o = &b->m->object[i];
  bool mirrored = d->scale.x * d->scale.y * d->scale.z < 0;
  if (mirrored)
    for (int32_t c = 0; c < o->cells; c++) {
      int32_t *v = o->cell + (int64_t)c * o->corners, swap = v[1];
      v[1] = v[2];
      v[2] = swap;
    }
  if (o->corners != 4) return;
  int32_t first, turned = abut_orient_tets(b->x + o->first, o->cell, o->cells, &first);
  if (turned > 0)
    abut_note(b->ctx,
              "%s: %d tetrahedra listed with negative volume were turned over (the first "
              "is tetrahedron %d)",
              d->name, turned, first);
}

static abut_status refuse_cells(abut_build *b, int32_t i)
{
  const abut_object_def *d = &b->def->object[i];
  abut_status status = ABUT_OK;
  if (d->kind == ABUT_SHELL && d->mesh.lines > 0)
    status = abut_fail(b->ctx, ABUT_UNSUPPORTED,
                       "the mesh has line elements without mass (the first joins vertices %d and "
                       "%d); rods and sewing lines are not available in this version: remove them",
                       d->mesh.line[0], d->mesh.line[1]);
  else if (d->kind == ABUT_SOLID && d->mesh.tets == 0)
    status = abut_fail(b->ctx, ABUT_BAD_FORMAT,
                       "a solid needs tetrahedra and the mesh has none: "
                       "tetrahedralise its surface, with gmsh for example");
  else if (d->kind != ABUT_SOLID && d->mesh.triangles == 0)
    status = abut_fail(b->ctx, ABUT_BAD_FORMAT, "the mesh has no triangles");
  if (status != ABUT_OK) {
    abut_error_at_path(b->ctx, "objects[%d].mesh", i);
    abut_error_at_object(b->ctx, d->name);
  }
  return status;
}

static abut_status take_cells(abut_build *b, int32_t i)
{
  const abut_object_def *d = &b->def->object[i];
  abut_model_object *o = &b->m->object[i];
  if (d->kind == ABUT_PLANE) return ABUT_OK;
  if (d->kind == ABUT_SPHERES) {
    o->corners = 1;
    return ABUT_OK;
  }
  ABUT_TRY(refuse_cells(b, i));
  bool solid = d->kind == ABUT_SOLID;
  o->corners = solid ? 4 : 3;
  o->cells = solid ? d->mesh.tets : d->mesh.triangles;
  int64_t n = (int64_t)o->cells * o->corners;
  ABUT_MAKE(b->ctx, o->cell, n);
  memcpy(o->cell, solid ? d->mesh.tet : d->mesh.triangle, (size_t)n * sizeof *o->cell);
  orient(b, i);
  ABUT_TRY(check_welded(b, i));
  if (d->kind == ABUT_OBSTACLE) return ABUT_OK;
  ABUT_TRY(check_cells(b, i, b->x + o->first, o->cell, o->cells, o->corners));
  return check_cells(b, i, b->rest + o->first, o->cell, o->cells, o->corners);
}

/* ---- materials ---- */

static const abut_material_def *material_of(const abut_build *b, int32_t i)
{
  const char *name = b->def->object[i].material;
  int32_t k = name ? abut_scene_find_material(b->def, name) : -1;
  return k < 0 ? NULL : &b->def->material[k];
}

/* names of the models that a kind of object can have */
static abut_status known_models(abut_build *b, abut_carrier carrier, abut_text *known)
{
  for (const abut_term_class *const *c = b->tables->terms; *c; c++)
    if ((*c)->carrier == carrier)
      ABUT_TRY(abut_text_add(b->ctx, known, "%s%s", known->length ? ", " : "", (*c)->name));
  return ABUT_OK;
}

static abut_status unknown_model(abut_build *b, int32_t i, const abut_material_def *mat,
                                 abut_carrier carrier)
{
  abut_text known = {0};
  abut_status status = known_models(b, carrier, &known);
  if (status == ABUT_OK)
    status = mat->model ? abut_fail(b->ctx, ABUT_UNSUPPORTED,
                                    "material %s has the model \"%s\", which a %s cannot have; "
                                    "available: %s",
                                    mat->name, mat->model,
                                    carrier == ABUT_ON_SOLID ? "solid" : "shell", known.data)
                        : abut_fail(b->ctx, ABUT_BAD_FORMAT, "model is missing; available: %s",
                                    known.data);
  abut_error_at_path(b->ctx, "materials.%s.model", mat->name);
  abut_error_at_object(b->ctx, b->def->object[i].name);
  abut_text_free(b->ctx, &known);
  return status;
}

/* what a cell needs of its material; a material may be just a name for contact.pairs */
static abut_status check_numbers(abut_build *b, int32_t i, const abut_material_def *mat)
{
  bool shell = b->def->object[i].kind == ABUT_SHELL;
  const struct {
    const char *key;
    bool given, right;
    const char *range;
  } part[] = {
      {"youngs_modulus", mat->young != 0, mat->young > 0 && isfinite(mat->young), "positive"},
      {"poissons_ratio", !isnan(mat->poisson), mat->poisson > -1 && mat->poisson < 0.5,
       "between -1 and 0.5, both excluded"},
      {"density", mat->density != 0, mat->density > 0 && isfinite(mat->density), "positive"},
      {"thickness", mat->thickness != 0 || !shell,
       !shell || (mat->thickness > 0 && isfinite(mat->thickness)), "positive"},
      {"bending_scale", true, mat->bending_scale >= 0 && isfinite(mat->bending_scale),
       "zero or more"},
  };
  for (size_t k = 0; k < sizeof part / sizeof *part; k++) {
    if (part[k].given && part[k].right) continue;
    abut_status status =
        part[k].given
            ? abut_fail(b->ctx, ABUT_BAD_FORMAT, "%s must be %s", part[k].key, part[k].range)
            : abut_fail(b->ctx, ABUT_BAD_FORMAT, "%s is missing; it must be %s", part[k].key,
                        part[k].range);
    abut_error_at_path(b->ctx, "materials.%s.%s", mat->name, part[k].key);
    abut_error_at_object(b->ctx, b->def->object[i].name);
    return status;
  }
  return ABUT_OK;
}

static abut_term_input input_of(const abut_build *b, int32_t i)
{
  const abut_material_def *mat = material_of(b, i);
  return (abut_term_input){.young = mat->young,
                           .poisson = mat->poisson,
                           .thickness = mat->thickness,
                           .bending_scale = mat->bending_scale,
                           .wrap = mat->wrap,
                           .flat = b->def->object[i].rest == ABUT_REST_FLAT};
}

/* ---- masses ---- */

/* a third of each rest triangle, a quarter of each rest tetrahedron per corner */
static void add_cell_masses(abut_build *b, int32_t i)
{
  const abut_model_object *o = &b->m->object[i];
  const abut_material_def *mat = material_of(b, i);
  const vec3 *x = b->rest + o->first;
  for (int32_t c = 0; c < o->cells; c++) {
    const int32_t *v = o->cell + (int64_t)c * o->corners;
    double mass = o->corners == 3 ? abut_triangle_area(x[v[0]], x[v[1]], x[v[2]]) * mat->thickness
                                  : abut_tet_volume(x[v[0]], x[v[1]], x[v[2]], x[v[3]]);
    for (int k = 0; k < o->corners; k++)
      b->m->mass[b->m->solver_of[o->first + v[k]]] += fabs(mass) * mat->density / o->corners;
  }
}

static abut_status add_masses(abut_build *b)
{
  abut_model *m = b->m;
  ABUT_MAKE_ZERO(b->ctx, m->mass, m->system.dynamic);
  for (int32_t i = 0; i < m->objects; i++) {
    const abut_object_def *d = &b->def->object[i];
    if (d->kind == ABUT_SHELL || d->kind == ABUT_SOLID) add_cell_masses(b, i);
    for (int32_t k = 0; d->kind == ABUT_SPHERES && k < m->object[i].count; k++)
      m->mass[m->solver_of[m->object[i].first + k]] =
          d->density * 4 / 3 * K_PI * d->radius[k] * d->radius[k] * d->radius[k];
  }
  double sum = 0;
  for (int32_t v = 0; v < m->system.dynamic; v++) {
    sum += m->mass[v];
    if (m->mass[v] > 0 && m->mass[v] < HUGE_VAL) continue;
    abut_status status = abut_fail(b->ctx, ABUT_BAD_FORMAT,
                                   "vertex %d has the mass %g kg; density, thickness and size "
                                   "must make it positive and finite",
                                   m->file_vertex[v], m->mass[v]);
    abut_error_at_object(b->ctx, b->def->object[m->object_of[v]].name);
    return status;
  }
  m->system.mass = m->mass;
  m->system.mean_mass = m->system.dynamic ? sum / m->system.dynamic : 0;
  return ABUT_OK;
}

/* ---- batches ---- */

typedef struct element_list {
  int32_t *vertex; /* solver vertices */
  char *element;
  int64_t count, vertex_room, element_room;
} element_list;

static void list_free(abut_context *ctx, element_list *l)
{
  abut_free(ctx, l->vertex);
  abut_free(ctx, l->element);
}

/* one more element with the given solver vertices; in->rest is filled from them */
static abut_status add_element(abut_build *b, const abut_term_class *class, const int32_t *v,
                               abut_term_input *in, element_list *l)
{
  int n = class->stencil;
  ABUT_RESERVE(b->ctx, l->vertex, l->vertex_room, (l->count + 1) * n);
  ABUT_RESERVE(b->ctx, l->element, l->element_room, (l->count + 1) * (int64_t) class->element_size);
  for (int k = 0; k < n; k++) {
    l->vertex[l->count * n + k] = v[k];
    in->rest[k] = b->m->rest[v[k]];
  }
  abut_status status =
      class->build(b->ctx, in, l->element + (size_t)l->count * class->element_size);
  if (status != ABUT_OK) abut_error_at_object(b->ctx, b->def->object[b->m->object_of[v[0]]].name);
  l->count++;
  return status;
}

static abut_status add_cells(abut_build *b, const abut_term_class *class, int32_t i,
                             element_list *l)
{
  const abut_model_object *o = &b->m->object[i];
  abut_term_input in = input_of(b, i);
  for (int32_t c = 0; c < o->cells; c++) {
    int32_t v[4];
    for (int k = 0; k < o->corners; k++)
      v[k] = b->m->solver_of[o->first + o->cell[(int64_t)c * o->corners + k]];
    ABUT_TRY(add_element(b, class, v, &in, l));
  }
  return ABUT_OK;
}

static abut_status add_hinges_of(abut_build *b, const abut_term_class *class, int32_t i,
                                 const int32_t *triangle, element_list *l)
{
  int32_t *hinge = NULL, *face = NULL, count = 0;
  ABUT_TRY(abut_hinges_of(b->ctx, triangle, b->m->object[i].cells, &hinge, &face, &count));
  abut_term_input in = input_of(b, i);
  abut_status status = ABUT_OK;
  for (int32_t h = 0; h < count && status == ABUT_OK; h++)
    status = add_element(b, class, hinge + 4 * (int64_t)h, &in, l);
  abut_free(b->ctx, hinge);
  abut_free(b->ctx, face);
  return status;
}

/* hinges in solver vertices, so that welded seams bend */
static abut_status add_hinges(abut_build *b, const abut_term_class *class, int32_t i,
                              element_list *l)
{
  const abut_model_object *o = &b->m->object[i];
  if (material_of(b, i)->bending_scale == 0) return ABUT_OK;
  abut_mark mark = abut_scratch_mark(b->ctx);
  int32_t *triangle = ABUT_SCRATCH(b->ctx, int32_t, 3 * (int64_t)o->cells);
  if (!triangle) return ABUT_NO_MEMORY;
  for (int64_t k = 0; k < 3 * (int64_t)o->cells; k++)
    triangle[k] = b->m->solver_of[o->first + o->cell[k]];
  abut_status status = add_hinges_of(b, class, i, triangle, l);
  abut_scratch_release(b->ctx, mark);
  return status;
}

static abut_status add_inertia(abut_build *b, const abut_term_class *class, element_list *l)
{
  for (int32_t v = 0; v < b->m->system.dynamic; v++) {
    abut_term_input in = {.mass = b->m->mass[v]};
    ABUT_TRY(add_element(b, class, &v, &in, l));
  }
  return ABUT_OK;
}

static abut_status collect(abut_build *b, const abut_term_class *class, element_list *l)
{
  if (strcmp(class->name, "inertia") == 0) return add_inertia(b, class, l);
  bool hinge = strcmp(class->name, "hinge") == 0;
  for (int32_t i = 0; i < b->m->objects; i++) {
    abut_object_kind kind = b->def->object[i].kind;
    if (kind != ABUT_SHELL && kind != ABUT_SOLID) continue;
    if (hinge && kind == ABUT_SHELL) ABUT_TRY(add_hinges(b, class, i, l));
    abut_carrier carrier = kind == ABUT_SHELL ? ABUT_ON_SHELL : ABUT_ON_SOLID;
    const abut_material_def *mat = material_of(b, i);
    if (class->carrier == carrier && mat->model && strcmp(class->name, mat->model) == 0)
      ABUT_TRY(add_cells(b, class, i, l));
  }
  return ABUT_OK;
}

/* elements near in memory to the vertices they use */
static abut_status sort_elements(abut_build *b, const abut_term_class *class, element_list *l)
{
  abut_mark mark = abut_scratch_mark(b->ctx);
  int n = class->stencil;
  size_t size = class->element_size;
  abut_keyed *key = ABUT_SCRATCH(b->ctx, abut_keyed, l->count);
  abut_keyed *other = ABUT_SCRATCH(b->ctx, abut_keyed, l->count);
  int32_t *vertex = ABUT_SCRATCH(b->ctx, int32_t, l->count * n);
  char *element = ABUT_SCRATCH(b->ctx, char, l->count *(int64_t)size);
  if (!key || !other || !vertex || !element) return ABUT_NO_MEMORY;
  for (int64_t e = 0; e < l->count; e++) {
    int32_t least = l->vertex[e * n];
    for (int k = 1; k < n; k++)
      if (l->vertex[e * n + k] < least) least = l->vertex[e * n + k];
    key[e] = (abut_keyed){(uint64_t)least, (int32_t)e};
  }
  abut_sort_keyed(key, other, l->count);
  for (int64_t e = 0; e < l->count; e++) {
    memcpy(vertex + e * n, l->vertex + (int64_t)key[e].value * n, (size_t)n * sizeof *vertex);
    memcpy(element + (size_t)e * size, l->element + (size_t)key[e].value * size, size);
  }
  if (l->count) {
    memcpy(l->vertex, vertex, (size_t)(l->count * n) * sizeof *vertex);
    memcpy(l->element, element, (size_t)l->count * size);
  }
  abut_scratch_release(b->ctx, mark);
  return ABUT_OK;
}

static abut_status make_batch(abut_build *b, const abut_term_class *class)
{
  abut_model *m = b->m;
  element_list l = {0};
  abut_status status = collect(b, class, &l);
  if (status == ABUT_OK && l.count > INT32_MAX / 16)
    status = abut_fail(b->ctx, ABUT_UNSUPPORTED, "%lld elements are more than this version numbers",
                       (long long)l.count);
  if (status == ABUT_OK) status = sort_elements(b, class, &l);
  if (status != ABUT_OK || l.count == 0) {
    list_free(b->ctx, &l);
    return status;
  }
  int k = m->system.batches++;
  m->batch[k] = (abut_batch){class, (int32_t)l.count, l.vertex, l.element, NULL};
  m->memory[k] = m->counts.memories;
  m->counts.memories += l.count * class->memory;
  return ABUT_OK;
}

/* every shell and solid needs a material whose model its kind can have */
static abut_status check_materials(abut_build *b)
{
  for (int32_t i = 0; i < b->m->objects; i++) {
    const abut_object_def *d = &b->def->object[i];
    const abut_material_def *mat = material_of(b, i);
    abut_status status = ABUT_OK;
    if (d->kind != ABUT_SHELL && d->kind != ABUT_SOLID) continue;
    if (d->material && !mat) {
      const char *near = abut_nearest_name(d->material, b->def->material, b->def->materials,
                                           sizeof *b->def->material);
      status = abut_fail(b->ctx, ABUT_BAD_FORMAT, "there is no material \"%s\" (nearest: %s)",
                         d->material, near ? near : "none");
    } else if (!mat)
      status = abut_fail(b->ctx, ABUT_BAD_FORMAT, "a shell or solid needs a material");
    if (status != ABUT_OK) {
      abut_error_at_path(b->ctx, "objects[%d].material", i);
      abut_error_at_object(b->ctx, d->name);
      return status;
    }
    abut_carrier carrier = d->kind == ABUT_SHELL ? ABUT_ON_SHELL : ABUT_ON_SOLID;
    if (!mat->model || !abut_term_find(b->tables->terms, mat->model, carrier))
      return unknown_model(b, i, mat, carrier);
    ABUT_TRY(check_numbers(b, i, mat));
  }
  return ABUT_OK;
}

abut_status abut_build_elements(abut_build *b)
{
  abut_model *m = b->m;
  ABUT_TRY(check_materials(b));
  for (int32_t i = 0; i < m->objects; i++) ABUT_TRY(take_cells(b, i));
  ABUT_TRY(add_masses(b));
  int classes = 0;
  while (b->tables->terms[classes]) classes++;
  ABUT_MAKE_ZERO(b->ctx, m->batch, classes);
  ABUT_MAKE_ZERO(b->ctx, m->memory, classes);
  m->system.batch = m->batch;
  m->system.memory = m->memory;
  for (int c = 0; c < classes; c++) {
    const abut_term_class *class = b->tables->terms[c];
    /* terms of controls come and go with them */
    if (class->ledger != ABUT_LEDGER_CONTROL) ABUT_TRY(make_batch(b, class));
  }
  return ABUT_OK;
}
