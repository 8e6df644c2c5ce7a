#include <math.h>

#include "base/memory.h"
#include "mesh/point_grid.h"
#include "mesh/topology.h"

typedef struct weld {
  const vec3 *x;
  double distance;
  int32_t *target; /* a forest; a root is the lowest vertex of its tree */
  const abut_point_grid *grid;
} weld;

static int32_t root_of(int32_t *target, int32_t v)
{
  while (target[v] != v) v = target[v] = target[target[v]];
  return v;
}

static void unite(int32_t *target, int32_t a, int32_t b)
{
  a = root_of(target, a);
  b = root_of(target, b);
  if (a < b)
    target[b] = a;
  else
    target[a] = b;
}

static bool closer(const weld *w, int32_t a, int32_t b)
{
  return v3_norm(v3_sub(w->x[a], w->x[b])) < w->distance;
}

static void join_within(weld *w, int32_t cell)
{
  const int32_t *p = w->grid->point, begin = w->grid->start[cell], end = w->grid->start[cell + 1];
  if (w->grid->tight) {
    for (int32_t i = begin + 1; i < end; i++) unite(w->target, p[begin], p[i]);
    return;
  }
  for (int32_t i = begin; i < end; i++)
    for (int32_t j = i + 1; j < end; j++)
      if (closer(w, p[i], p[j])) unite(w->target, p[i], p[j]);
}

/* a tight cell is one piece already, so one close pair joins two of them */
static void join_cells(weld *w, int32_t a, int32_t b)
{
  const int32_t *p = w->grid->point, *start = w->grid->start;
  bool tight = w->grid->tight;
  if (tight && root_of(w->target, p[start[a]]) == root_of(w->target, p[start[b]])) return;
  for (int32_t i = start[a]; i < start[a + 1]; i++)
    for (int32_t j = start[b]; j < start[b + 1]; j++) {
      if (!closer(w, p[i], p[j])) continue;
      unite(w->target, p[i], p[j]);
      if (tight) return;
    }
}

abut_status abut_weld(abut_context *ctx, const vec3 *x, int32_t vertices, double distance,
                      int32_t *target)
{
  for (int32_t v = 0; v < vertices; v++) target[v] = v;
  if (!(distance > 0)) return ABUT_OK;
  abut_point_grid grid;
  ABUT_TRY(abut_point_grid_build(ctx, &grid, x, NULL, vertices, distance));
  weld w = {x, distance, target, &grid};
  for (int32_t c = 0; c < grid.cells; c++) join_within(&w, c);
  for (int k = 0; k < ABUT_GRID_AROUND; k++)
    for (int32_t c = 0; c < grid.cells; c++) {
      int32_t other = abut_point_grid_find(&grid, c, abut_grid_around[k]);
      if (other >= 0) join_cells(&w, c, other);
    }
  for (int32_t v = 0; v < vertices; v++) target[v] = root_of(target, v);
  abut_point_grid_free(ctx, &grid);
  return ABUT_OK;
}

/* spreads the low 21 bits of a to every third bit */
static uint64_t spread(uint64_t a)
{
  a &= 0x1fffff;
  a = (a | a << 32) & UINT64_C(0x001f00000000ffff);
  a = (a | a << 16) & UINT64_C(0x001f0000ff0000ff);
  a = (a | a << 8) & UINT64_C(0x100f00f00f00f00f);
  a = (a | a << 4) & UINT64_C(0x10c30c30c30c30c3);
  return (a | a << 2) & UINT64_C(0x1249249249249249);
}

/* which of 2^21 parts of the extent t lies in; the same at any scale, but for rounding */
static uint64_t digit(double t, double extent)
{
  return t > 0 ? (uint64_t)(t / extent * 2097151) : 0;
}

abut_status abut_order_space(abut_context *ctx, const vec3 *x, int32_t vertices, int32_t *place)
{
  vec3 low, high;
  ABUT_TRY(abut_bounds_of(ctx, x, NULL, vertices, &low, &high));
  double extent = v3_max_abs(v3_sub(high, low));
  bool flat = !(extent > 0 && isfinite(extent));
  abut_keyed *item = ABUT_NEW(ctx, abut_keyed, 2 * (int64_t)vertices);
  if (!item) return ABUT_NO_MEMORY;
  for (int32_t v = 0; v < vertices; v++) {
    vec3 t = flat ? v3(0, 0, 0) : v3_sub(x[v], low);
    item[v].key = spread(digit(t.x, extent)) | spread(digit(t.y, extent)) << 1 |
                  spread(digit(t.z, extent)) << 2;
    item[v].value = v;
  }
  abut_sort_keyed(item, item + vertices, vertices);
  for (int32_t i = 0; i < vertices; i++) place[item[i].value] = i;
  abut_free(ctx, item);
  return ABUT_OK;
}
