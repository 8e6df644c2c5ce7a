/* select.c: which vertices a selection picks. */
#include <string.h>

#include "base/memory.h"
#include "base/scratch.h"
#include "base/text.h"
#include "scene/model.h"

typedef struct picking {
  abut_build *b;
  int32_t object;
  const abut_selection *s;
  const char *where;
  bool lenient;
} picking;

static abut_status bad(const picking *p, const char *part, const char *format, int64_t a, int64_t n)
{
  abut_context *ctx = p->b->ctx;
  abut_status status = abut_fail(ctx, ABUT_BAD_FORMAT, format, (long long)a, (long long)n);
  abut_error_at_path(ctx, "%s%s%s", p->where, p->s->brief ? "" : ".vertices", part);
  abut_error_at_object(ctx, p->b->def->object[p->object].name);
  return status;
}

static bool inside(const abut_selection *s, vec3 x)
{
  if (s->kind == ABUT_SELECT_SPHERE) return v3_norm(v3_sub(x, s->center)) <= s->radius;
  return x.x >= s->low.x && x.y >= s->low.y && x.z >= s->low.z && x.x <= s->high.x &&
         x.y <= s->high.y && x.z <= s->high.z;
}

static abut_status pick_group(const picking *p, int32_t *vertex, int32_t *count)
{
  const abut_mesh_data *mesh = &p->b->def->object[p->object].mesh;
  for (int32_t g = 0; g < mesh->groups; g++) {
    if (strcmp(mesh->group[g].name, p->s->group) != 0) continue;
    for (int32_t k = 0; k < mesh->group[g].count; k++)
      vertex[(*count)++] = mesh->group[g].vertex[k];
    return ABUT_OK;
  }
  if (p->lenient) return ABUT_OK;
  const char *near = abut_nearest_name(p->s->group, mesh->group, mesh->groups, sizeof *mesh->group);
  abut_status status =
      abut_fail(p->b->ctx, ABUT_BAD_FORMAT, "the mesh has no group \"%s\" (nearest: %s)",
                p->s->group, near ? near : "none");
  abut_error_at_path(p->b->ctx, "%s.vertices.group", p->where);
  abut_error_at_object(p->b->ctx, p->b->def->object[p->object].name);
  return status;
}

static abut_status pick_indices(const picking *p, int32_t *vertex, int32_t *count)
{
  int32_t n = p->b->m->object[p->object].count;
  for (int32_t k = 0; k < p->s->count; k++) {
    int32_t v = p->s->index[k];
    if (v < 0 || v >= n)
      return bad(p, ".indices", "vertex %lld of %lld; vertices are counted from 0", v, n);
    vertex[(*count)++] = v;
  }
  return ABUT_OK;
}

static abut_status pick_range(const picking *p, int32_t *vertex, int32_t *count)
{
  int32_t n = p->b->m->object[p->object].count, first = p->s->index[0], last = p->s->index[1];
  if (first < 0 || last >= n || first > last)
    return bad(p, ".range",
               "the range ends at vertex %lld of %lld; it is [first, last], both "
               "included, counted from 0",
               last, n);
  for (int32_t v = first; v <= last; v++) vertex[(*count)++] = v;
  return ABUT_OK;
}

static abut_status pick(const picking *p, int32_t *vertex, int32_t *count)
{
  const abut_model_object *o = &p->b->m->object[p->object];
  switch (p->s->kind) {
  case ABUT_SELECT_INDICES: return pick_indices(p, vertex, count);
  case ABUT_SELECT_RANGE: return pick_range(p, vertex, count);
  case ABUT_SELECT_GROUP: return pick_group(p, vertex, count);
  default: break;
  }
  for (int32_t v = 0; v < o->count; v++)
    if (p->s->kind == ABUT_SELECT_ALL || inside(p->s, p->b->x[o->first + v]))
      vertex[(*count)++] = v;
  return ABUT_OK;
}

abut_status abut_select(abut_build *b, int32_t object, const abut_selection *s, const char *where,
                        bool lenient, int32_t **vertex, int32_t *count)
{
  picking p = {b, object, s, where, lenient};
  int64_t room = b->m->object[object].count;
  if (s->kind == ABUT_SELECT_INDICES && s->count > room) room = s->count;
  *count = 0;
  *vertex = ABUT_SCRATCH(b->ctx, int32_t, room);
  if (!*vertex) return ABUT_NO_MEMORY;
  return pick(&p, *vertex, count);
}
