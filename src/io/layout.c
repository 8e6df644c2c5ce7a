/* layout.c: the trajectory's view of a model. */
#include <string.h>

#include "base/memory.h"
#include "base/scratch.h"
#include "io/run.h"

static const char *kind_name(abut_object_kind kind)
{
  static const char *const name[] = {"shell", "solid", "spheres", "obstacle", "plane"};
  return name[kind];
}

static abut_status fill_cells(abut_context *ctx, const abut_model_object *from,
                              abut_layout_object *to)
{
  to->corners = from->corners;
  to->cells = from->corners == 1 ? from->count : from->cells;
  int64_t n = (int64_t)to->cells * to->corners;
  ABUT_MAKE(ctx, to->cell, n);
  if (from->corners == 1)
    for (int32_t k = 0; k < to->cells; k++) to->cell[k] = k;
  else if (n)
    memcpy(to->cell, from->cell, (size_t)n * sizeof *to->cell);
  return ABUT_OK;
}

static abut_status fill_object(abut_context *ctx, const abut_model *m, int32_t i,
                               abut_layout_object *to)
{
  to->first = m->object[i].first;
  to->points = m->object[i].count;
  to->name = abut_copy_text(ctx, m->def->object[i].name);
  to->kind = abut_copy_text(ctx, kind_name(m->def->object[i].kind));
  if (!to->name || !to->kind) return ABUT_NO_MEMORY;
  return fill_cells(ctx, &m->object[i], to);
}

/* the lowest user vertex of the same solver vertex */
static abut_status fill_points(abut_context *ctx, const abut_model *m, abut_layout *layout)
{
  ABUT_MAKE(ctx, layout->identity, layout->points);
  ABUT_MAKE_ZERO(ctx, layout->radius, layout->points);
  abut_mark mark = abut_scratch_mark(ctx);
  int32_t *lowest = ABUT_SCRATCH(ctx, int32_t, m->system.vertices);
  if (!lowest) return ABUT_NO_MEMORY;
  for (int32_t u = m->user_vertices - 1; u >= 0; u--) lowest[m->solver_of[u]] = u;
  for (int32_t u = 0; u < m->user_vertices; u++) layout->identity[u] = lowest[m->solver_of[u]];
  abut_scratch_release(ctx, mark);
  for (int32_t i = 0; i < m->objects; i++)
    for (int32_t k = 0; k < m->def->object[i].spheres; k++)
      layout->radius[m->object[i].first + k] = m->def->object[i].radius[k];
  return ABUT_OK;
}

abut_status abut_layout_of(abut_context *ctx, const abut_model *m, abut_layout *layout)
{
  *layout = (abut_layout){.points = m->user_vertices};
  int32_t with_points = 0;
  for (int32_t i = 0; i < m->objects; i++) with_points += m->def->object[i].kind != ABUT_PLANE;
  ABUT_MAKE_ZERO(ctx, layout->object, with_points);
  for (int32_t i = 0; i < m->objects; i++) {
    if (m->def->object[i].kind == ABUT_PLANE) continue;
    ABUT_TRY(fill_object(ctx, m, i, &layout->object[layout->objects++]));
  }
  return fill_points(ctx, m, layout);
}
