#include "scene/check.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "base/scratch.h"
#include "base/sort.h"
#include "contact/contact.h"
#include "contact/exact_surface.h"
#include "scene/controls.h"
#include "scene/sim.h"

const char *abut_fault_name(abut_fault_kind kind)
{
  static const char *const name[] = {
      "crossing", "touching", "closer_than_gap", "closer_than_dhat", "degenerate",
      "inverted", "sliver",   "isolated",        "near_coincident",  "unreadable"};
  return name[kind];
}

bool abut_fault_is_error(abut_fault_kind kind)
{
  return kind <= ABUT_FAULT_CLOSER_THAN_GAP || kind == ABUT_FAULT_DEGENERATE ||
         kind == ABUT_FAULT_INVERTED || kind == ABUT_FAULT_UNREADABLE;
}

void abut_faults_free(abut_context *ctx, abut_faults *f)
{
  for (int64_t i = 0; i < f->count; i++) abut_free(ctx, f->item[i].message);
  abut_free(ctx, f->item);
  *f = (abut_faults){0};
}

abut_status abut_faults_add(abut_context *ctx, abut_faults *f, const abut_fault *fault,
                            const char *format, ...)
{
  ABUT_RESERVE(ctx, f->item, f->room, f->count + 1);
  va_list args, again;
  va_start(args, format);
  va_copy(again, args);
  int length = vsnprintf(NULL, 0, format, args);
  va_end(args);
  char *message = length < 0 ? NULL : abut_alloc(ctx, (int64_t)length + 1, 1);
  if (message) vsnprintf(message, (size_t)length + 1, format, again);
  va_end(again);
  if (!message) return ABUT_NO_MEMORY;
  f->item[f->count] = *fault;
  f->item[f->count++].message = message;
  f->errors += abut_fault_is_error(fault->kind);
  return ABUT_OK;
}

/* distances of 0 and more sort by their bits */
static uint64_t fault_order(const abut_fault *a)
{
  double distance = isnan(a->distance) ? 0 : fmax(a->distance, 0);
  uint64_t bits;
  memcpy(&bits, &distance, sizeof bits);
  return (uint64_t)!abut_fault_is_error(a->kind) << 62 | (uint64_t)a->kind << 58 | bits >> 6;
}

abut_status abut_faults_sort(abut_context *ctx, abut_faults *f)
{
  abut_mark mark = abut_scratch_mark(ctx);
  if (f->count > INT32_MAX)
    return abut_fail(ctx, ABUT_UNSUPPORTED, "more faults than can be listed");
  abut_keyed *key = ABUT_SCRATCH(ctx, abut_keyed, f->count);
  abut_keyed *other = ABUT_SCRATCH(ctx, abut_keyed, f->count);
  abut_fault *copy = ABUT_SCRATCH(ctx, abut_fault, f->count);
  if (!key || !other || !copy) return ABUT_NO_MEMORY;
  for (int64_t i = 0; i < f->count; i++)
    key[i] = (abut_keyed){fault_order(&f->item[i]), (int32_t)i};
  abut_sort_keyed(key, other, f->count);
  for (int64_t i = 0; i < f->count; i++) copy[i] = f->item[key[i].value];
  if (f->count) memcpy(f->item, copy, (size_t)f->count * sizeof *copy);
  abut_scratch_release(ctx, mark);
  return ABUT_OK;
}

/* ---- elements of a model ---- */

static abut_fault_element element(const abut_model *m, const char *kind, int32_t object,
                                  int32_t index, const int32_t *v, int n, const vec3 *x)
{
  abut_fault_element e = {.kind = kind, .object = object, .index = index, .points = n};
  for (int k = 0; k < n; k++) {
    e.point[k] = x[v[k]];
    e.vertex[k] = m->file_vertex[v[k]];
  }
  return e;
}

abut_corners_text abut_fault_corners(const abut_fault_element *e)
{
  abut_corners_text out = {{0}};
  const int32_t *v = e->vertex;
  if (e->points == 2)
    snprintf(out.text, sizeof out.text, " (vertices %d, %d)", v[0], v[1]);
  else if (e->points == 3)
    snprintf(out.text, sizeof out.text, " (vertices %d, %d, %d)", v[0], v[1], v[2]);
  return out;
}

static abut_fault_element face_element(const abut_model *m, int32_t face, const vec3 *x)
{
  int32_t object = m->surface.face_object[face];
  return element(m, "face", object, face - m->object[object].face,
                 m->surface.face + 3 * (int64_t)face, 3, x);
}

static abut_fault_element edge_element(const abut_model *m, int32_t edge, const vec3 *x)
{
  int32_t object = m->surface.edge_object[edge];
  return element(m, "edge", object, edge - m->object[object].edge,
                 m->surface.edge + 2 * (int64_t)edge, 2, x);
}

static abut_fault_element vertex_element(const abut_model *m, int32_t vertex, const vec3 *x)
{
  return element(m, "vertex", m->object_of[vertex], m->file_vertex[vertex], &vertex, 1, x);
}

static abut_fault_element sphere_element(const abut_model *m, int32_t sphere, const vec3 *x)
{
  int32_t object = m->surface.sphere_object[sphere];
  return element(m, "sphere", object, sphere - m->object[object].sphere, m->surface.sphere + sphere,
                 1, x);
}

static abut_fault_element plane_element(const abut_model *m, int32_t plane)
{
  return (abut_fault_element){.kind = "plane", .object = m->surface.plane_object[plane]};
}

static const char *name_of(const abut_model *m, const abut_fault_element *e)
{
  return m->def->object[e->object].name;
}

/* ---- crossings ---- */

static abut_fault crossing_fault(const abut_model *m, const abut_crossing *c, const vec3 *x)
{
  abut_fault f = {.kind = c->meeting == ABUT_TOUCHING ? ABUT_FAULT_TOUCHING : ABUT_FAULT_CROSSING,
                  .position = c->position,
                  .distance = c->distance};
  switch (c->kind) {
  case ABUT_EDGE_FACE:
    f.element[0] = edge_element(m, c->a, x);
    f.element[1] = face_element(m, c->b, x);
    break;
  case ABUT_SPHERE_FACE:
    f.element[0] = sphere_element(m, c->a, x);
    f.element[1] = face_element(m, c->b, x);
    break;
  case ABUT_SPHERE_SPHERE:
    f.element[0] = sphere_element(m, c->a, x);
    f.element[1] = sphere_element(m, c->b, x);
    break;
  case ABUT_POINT_PLANE:
    f.element[0] = vertex_element(m, m->surface.point[c->a], x);
    f.element[1] = plane_element(m, c->b);
    break;
  case ABUT_SPHERE_PLANE:
    f.element[0] = sphere_element(m, c->a, x);
    f.element[1] = plane_element(m, c->b);
    break;
  }
  return f;
}

static abut_status add_crossing(abut_context *ctx, const abut_model *m, const abut_crossing *c,
                                const vec3 *x, abut_faults *f)
{
  abut_fault fault = crossing_fault(m, c, x);
  const abut_fault_element *a = &fault.element[0], *b = &fault.element[1];
  bool edge = c->kind == ABUT_EDGE_FACE;
  if (edge)
    return abut_faults_add(ctx, f, &fault,
                           "%s %s %d%s %s %s %s %d%s at (%.9g, %.9g, %.9g), %.6g along the edge, "
                           "barycentric (%.6g, %.6g, %.6g)",
                           name_of(m, a), a->kind, a->index, abut_fault_corners(a).text,
                           c->meeting == ABUT_TOUCHING ? "touches (distance 0)" : "crosses",
                           name_of(m, b), b->kind, b->index, abut_fault_corners(b).text,
                           c->position.x, c->position.y, c->position.z, c->parameter, c->bary[0],
                           c->bary[1], c->bary[2]);
  return abut_faults_add(
      ctx, f, &fault, "%s %s %d overlaps %s %s %d%s at (%.9g, %.9g, %.9g), by %.3g m",
      name_of(m, a), a->kind, a->index, name_of(m, b), b->kind, b->index,
      abut_fault_corners(b).text, c->position.x, c->position.y, c->position.z, -c->distance);
}

/* a touching that the pairs' own distances have reported already, at the same place */
static bool known_touching(const abut_faults *f, int64_t first, const abut_crossing *c,
                           double length)
{
  if (c->meeting != ABUT_TOUCHING) return false;
  for (int64_t i = first; i < f->count; i++)
    if (f->item[i].kind == ABUT_FAULT_TOUCHING &&
        v3_norm(v3_sub(f->item[i].position, c->position)) <= 1e-12 * length)
      return true;
  return false;
}

static abut_status exact_faults(abut_context *ctx, const abut_model *m, const vec3 *x,
                                const bool *prescribed, int64_t first, abut_faults *f)
{
  abut_crossing *list;
  int64_t count;
  abut_status status = abut_exact_surface_crossings(ctx, &m->surface, x, prescribed, &list, &count);
  for (int64_t i = 0; i < count && status == ABUT_OK; i++)
    if (!known_touching(f, first, &list[i], m->system.length))
      status = add_crossing(ctx, m, &list[i], x, f);
  abut_free(ctx, list);
  return status;
}

abut_status abut_check_crossings(abut_context *ctx, const abut_model *m, const vec3 *x,
                                 const bool *prescribed, abut_faults *f)
{
  return exact_faults(ctx, m, x, prescribed, f->count, f);
}

/* ---- near pairs ---- */

/* the closest features of one side of a contact: a vertex, an edge or the whole face */
static abut_fault_element side_element(const abut_model *m, const abut_contact *c, int first,
                                       const vec3 *x)
{
  abut_pair_kind kind = abut_pair_kind_of(c->key);
  int32_t a = abut_pair_first(c->key), b = abut_pair_second(c->key);
  bool ball = kind == ABUT_BALL_FACE || kind == ABUT_BALL_BALL || kind == ABUT_BALL_PLANE;
  if (first && ball) return sphere_element(m, a, x);
  if (!first && kind == ABUT_BALL_BALL) return sphere_element(m, b, x);
  if (!first && (kind == ABUT_VERTEX_PLANE || kind == ABUT_BALL_PLANE)) return plane_element(m, b);
  int begin = first ? 0 : kind == ABUT_EDGE_EDGE ? 2 : 1;
  int end = first ? (kind == ABUT_EDGE_EDGE ? 2 : 1) : 4, only = -1, active = 0;
  for (int k = begin; k < end; k++)
    if (c->at.mask & 1 << k) {
      only = k;
      active++;
    }
  if (active == 1) return vertex_element(m, c->vertex[only], x);
  if (kind == ABUT_EDGE_EDGE) return edge_element(m, first ? a : b, x);
  return face_element(m, b, x);
}

/* One meeting of features comes up in every pair of primitives around it: a hash table of the
   faults so far keeps the first. */
typedef struct seen_table {
  int64_t *slot; /* fault + 1, 0: free   (size) */
  int64_t size;  /* a power of two, more than twice the contacts */
} seen_table;

static bool same_pair(const abut_fault *a, const abut_fault *b)
{
  for (int k = 0; k < 2; k++)
    if (a->element[k].object != b->element[k].object ||
        a->element[k].index != b->element[k].index ||
        a->element[k].kind[0] != b->element[k].kind[0])
      return false;
  return true;
}

/* true when the fault was there already; otherwise it will be number f->count */
static bool seen(seen_table *t, const abut_faults *f, const abut_fault *fault)
{
  int32_t word[6];
  for (int k = 0; k < 2; k++) {
    word[3 * k] = fault->element[k].object;
    word[3 * k + 1] = fault->element[k].index;
    word[3 * k + 2] = fault->element[k].kind[0];
  }
  uint64_t place = abut_hash_bytes(ABUT_HASH_START, word, sizeof word) & (uint64_t)(t->size - 1);
  for (; t->slot[place]; place = (place + 1) & (uint64_t)(t->size - 1))
    if (same_pair(&f->item[t->slot[place] - 1], fault)) return true;
  t->slot[place] = f->count + 1;
  return false;
}

/* two vertices, edges or spheres: the pair is the same the other way round */
static void order_sides(abut_fault *fault)
{
  abut_fault_element *a = &fault->element[0], *b = &fault->element[1];
  if (strcmp(a->kind, b->kind) != 0) return;
  if (a->object < b->object || (a->object == b->object && a->index <= b->index)) return;
  abut_fault_element swap = *a;
  *a = *b;
  *b = swap;
}

/* of the spheres in a pair, m */
static double radii_of(const abut_model *m, uint64_t key)
{
  abut_pair_kind kind = abut_pair_kind_of(key);
  const double *radius = m->surface.radius;
  if (kind == ABUT_BALL_BALL) return radius[abut_pair_first(key)] + radius[abut_pair_second(key)];
  bool ball = kind == ABUT_BALL_FACE || kind == ABUT_BALL_PLANE;
  return ball ? radius[abut_pair_first(key)] : 0;
}

static abut_status add_contact(abut_context *ctx, const abut_model *m, const abut_contact *c,
                               const vec3 *x, seen_table *t, abut_faults *f)
{
  double gap = c->d - c->offset, distance = c->d - radii_of(m, c->key);
  /* surfaces of spheres that meet in a point do so to rounding */
  bool ball = distance < c->d;
  if (ball && fabs(distance) <= 4 * K_EPSILON * c->d) distance = 0;
  if (distance < 0) return ABUT_OK; /* behind a plane, or spheres that overlap: the exact test's */
  abut_fault fault = {.kind = distance == 0 ? ABUT_FAULT_TOUCHING
                              : gap <= 0    ? ABUT_FAULT_CLOSER_THAN_GAP
                                            : ABUT_FAULT_CLOSER_THAN_DHAT,
                      .distance = distance};
  fault.element[0] = side_element(m, c, 1, x);
  fault.element[1] = side_element(m, c, 0, x);
  order_sides(&fault);
  for (int k = 0; k < 4; k++)
    if (c->at.w[k] > 0) fault.position = v3_madd(fault.position, x[c->vertex[k]], c->at.w[k]);
  if (seen(t, f, &fault)) return ABUT_OK;
  const abut_fault_element *a = &fault.element[0], *b = &fault.element[1];
  return abut_faults_add(
      ctx, f, &fault, "distance %.3g: %s %s %d%s / %s %s %d%s at (%.9g, %.9g, %.9g)%s",
      fault.distance, name_of(m, a), a->kind, a->index, abut_fault_corners(a).text, name_of(m, b),
      b->kind, b->index, abut_fault_corners(b).text, fault.position.x, fault.position.y,
      fault.position.z,
      fault.kind == ABUT_FAULT_CLOSER_THAN_DHAT  ? ", closer than dhat"
      : fault.kind == ABUT_FAULT_CLOSER_THAN_GAP ? ", at or below the gap"
                                                 : "");
}

static abut_status contact_faults(abut_context *ctx, const abut_model *m, const vec3 *x,
                                  const abut_contact_set *contacts, abut_faults *f)
{
  abut_mark mark = abut_scratch_mark(ctx);
  seen_table t = {.size = 16};
  while (t.size < 4 * contacts->count) t.size *= 2;
  t.slot = ABUT_SCRATCH(ctx, int64_t, t.size);
  if (!t.slot) return ABUT_NO_MEMORY;
  memset(t.slot, 0, (size_t)t.size * sizeof *t.slot);
  for (int64_t i = 0; i < contacts->count; i++)
    ABUT_TRY(add_contact(ctx, m, &contacts->item[i], x, &t, f));
  abut_scratch_release(ctx, mark);
  return ABUT_OK;
}

static abut_status near_faults(abut_context *ctx, const abut_model *m, const vec3 *x,
                               const bool *prescribed, abut_faults *f)
{
  abut_candidates *candidates = abut_calloc(ctx, 1, sizeof *candidates);
  abut_contact_set *contacts = abut_calloc(ctx, 1, sizeof *contacts);
  abut_status status = candidates && contacts ? ABUT_OK : ABUT_NO_MEMORY;
  double dhat = m->surface.dhat;
  if (status == ABUT_OK)
    status = abut_candidates_find(ctx, candidates, &m->surface, prescribed, x, NULL, dhat);
  if (status == ABUT_OK)
    status = abut_contact_set_find(ctx, &m->surface, candidates, x, dhat, contacts);
  if (status == ABUT_OK) status = contact_faults(ctx, m, x, contacts, f);
  if (candidates) abut_candidates_free(ctx, candidates);
  if (contacts) abut_contact_set_free(ctx, contacts);
  abut_free(ctx, candidates);
  abut_free(ctx, contacts);
  return status;
}

abut_status abut_check_pairs(abut_context *ctx, const abut_model *m, const vec3 *x,
                             const bool *prescribed, abut_faults *f)
{
  int64_t first = f->count;
  ABUT_TRY(near_faults(ctx, m, x, prescribed, f));
  return exact_faults(ctx, m, x, prescribed, first, f);
}

static abut_status first_error(abut_context *ctx, const abut_model *m, const abut_faults *f)
{
  for (int64_t i = 0; i < f->count; i++) {
    const abut_fault *a = &f->item[i];
    if (!abut_fault_is_error(a->kind)) continue;
    const double at[3] = {a->position.x, a->position.y, a->position.z};
    abut_status status =
        abut_fail(ctx, ABUT_BAD_GEOMETRY, "%s: %s (%lld faults in all; `abut check` lists them)",
                  abut_fault_name(a->kind), a->message, (long long)f->errors);
    abut_error_at_object(ctx, m->def->object[a->element[0].object].name);
    abut_error_at_element(ctx, a->element[0].kind, a->element[0].index, at);
    return status;
  }
  return ABUT_OK;
}

abut_status abut_check_start(abut_context *ctx, const abut_model *m)
{
  abut_mark mark = abut_scratch_mark(ctx);
  abut_faults f = {0};
  bool *prescribed = ABUT_SCRATCH(ctx, bool, m->system.vertices);
  if (!prescribed) return ABUT_NO_MEMORY;
  abut_controls_prescribed(m, 0, prescribed);
  abut_status status = abut_check_pairs(ctx, m, m->start, prescribed, &f);
  if (status == ABUT_OK) status = abut_faults_sort(ctx, &f);
  if (status == ABUT_OK) status = first_error(ctx, m, &f);
  abut_faults_free(ctx, &f);
  abut_scratch_release(ctx, mark);
  return status;
}
