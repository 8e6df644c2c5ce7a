#include "mesh/point_grid.h"

#include <math.h>

#include "base/memory.h"

/* nearest first, so that welding finds neighbours early */
const int8_t abut_grid_around[ABUT_GRID_AROUND][3] = {
    {1, 0, 0},   {0, 1, 0},   {0, 0, 1},   {-1, 1, 0},  {1, 1, 0},   {0, -1, 1}, {-1, 0, 1},
    {1, 0, 1},   {0, 1, 1},   {-1, -1, 1}, {1, -1, 1},  {-1, 1, 1},  {1, 1, 1},  {2, 0, 0},
    {0, 2, 0},   {0, 0, 2},   {-2, 1, 0},  {2, 1, 0},   {-1, 2, 0},  {1, 2, 0},  {0, -2, 1},
    {-2, 0, 1},  {2, 0, 1},   {0, 2, 1},   {0, -1, 2},  {-1, 0, 2},  {1, 0, 2},  {0, 1, 2},
    {-1, -2, 1}, {1, -2, 1},  {-2, -1, 1}, {2, -1, 1},  {-2, 1, 1},  {2, 1, 1},  {-1, 2, 1},
    {1, 2, 1},   {-1, -1, 2}, {1, -1, 2},  {-1, 1, 2},  {1, 1, 2},   {-2, 2, 0}, {2, 2, 0},
    {0, -2, 2},  {-2, 0, 2},  {2, 0, 2},   {0, 2, 2},   {-2, -2, 1}, {2, -2, 1}, {-2, 2, 1},
    {2, 2, 1},   {-1, -2, 2}, {1, -2, 2},  {-2, -1, 2}, {2, -1, 2},  {-2, 1, 2}, {2, 1, 2},
    {-1, 2, 2},  {1, 2, 2},   {-2, -2, 2}, {2, -2, 2},  {-2, 2, 2},  {2, 2, 2}};

/* Cells of 0.55 distances: their diagonal is 0.953 distances, so points of one cell are closer than
   the distance, and points closer than the distance are less than 1.82 cells apart along an axis:
   at most two cells, with a margin that covers the rounding of up to MOST cells along an axis. */
static const double CELL = 0.55, MOST = 1e14;

abut_status abut_bounds_of(abut_context *ctx, const vec3 *x, const bool *used, int32_t vertices,
                           vec3 *low, vec3 *high)
{
  bool any = false;
  *low = *high = v3(0, 0, 0);
  for (int32_t i = 0; i < vertices; i++) {
    if (used && !used[i]) continue;
    vec3 p = x[i];
    if (!any) *low = *high = p;
    any = true;
    if (p.x < low->x) low->x = p.x;
    if (p.y < low->y) low->y = p.y;
    if (p.z < low->z) low->z = p.z;
    if (p.x > high->x) high->x = p.x;
    if (p.y > high->y) high->y = p.y;
    if (p.z > high->z) high->z = p.z;
    if (isfinite(p.x) && isfinite(p.y) && isfinite(p.z)) continue;
    abut_fail(ctx, ABUT_BAD_GEOMETRY, "the coordinates are not finite");
    abut_error_at_element(ctx, "vertex", i, NULL);
    return ABUT_BAD_GEOMETRY;
  }
  return ABUT_OK;
}

static int64_t hash(const int64_t at[3], int64_t slots)
{
  uint64_t h = (uint64_t)at[0] * UINT64_C(0x9e3779b97f4a7c15) ^
               (uint64_t)at[1] * UINT64_C(0xc2b2ae3d27d4eb4f) ^
               (uint64_t)at[2] * UINT64_C(0x165667b19e3779f9);
  h = (h ^ h >> 32) * UINT64_C(0xd6e8feb86659fd93);
  return (int64_t)((h ^ h >> 32) & (uint64_t)(slots - 1));
}

/* the slot that holds the cell or the free one where it belongs */
static int64_t find_slot(const abut_point_grid *g, const int64_t at[3])
{
  int64_t i = hash(at, g->slots);
  for (; g->slot[i]; i = (i + 1) & (g->slots - 1)) {
    const int64_t *other = g->at[g->slot[i] - 1];
    if (other[0] == at[0] && other[1] == at[1] && other[2] == at[2]) break;
  }
  return i;
}

int32_t abut_point_grid_find(const abut_point_grid *g, int32_t cell, const int8_t step[3])
{
  const int64_t *from = g->at[cell];
  int64_t at[3] = {from[0] + step[0], from[1] + step[1], from[2] + step[2]};
  return g->slot[find_slot(g, at)] - 1;
}

/* fills cell[v], the occupied cell of each used vertex, and counts them into g->start[cell + 1] */
static void sort_into_cells(abut_point_grid *g, const vec3 *x, const bool *used, int32_t vertices,
                            int32_t *cell)
{
  for (int32_t v = 0; v < vertices; v++) {
    if (used && !used[v]) continue;
    vec3 t = v3_sub(x[v], g->low);
    int64_t at[3] = {(int64_t)floor(t.x / g->side), (int64_t)floor(t.y / g->side),
                     (int64_t)floor(t.z / g->side)};
    int64_t i = find_slot(g, at);
    if (!g->slot[i]) {
      for (int k = 0; k < 3; k++) g->at[g->cells][k] = at[k];
      g->start[g->cells + 1] = 0;
      g->slot[i] = ++g->cells;
    }
    cell[v] = g->slot[i] - 1;
    g->start[cell[v] + 1]++;
  }
}

static abut_status fill(abut_context *ctx, abut_point_grid *g, const vec3 *x, const bool *used,
                        int32_t vertices)
{
  g->slots = 16;
  while (g->slots < 2 * ((int64_t)vertices + 1)) g->slots *= 2;
  ABUT_MAKE_ZERO(ctx, g->slot, g->slots);
  ABUT_MAKE(ctx, g->start, (int64_t)vertices + 1);
  ABUT_MAKE(ctx, g->point, vertices);
  ABUT_MAKE(ctx, g->at, vertices);
  int32_t *cell = ABUT_NEW(ctx, int32_t, vertices);
  if (!cell) return ABUT_NO_MEMORY;
  g->start[0] = 0;
  sort_into_cells(g, x, used, vertices, cell);

  /* start[c + 1] runs from the begin of cell c to its end while its points are placed */
  int32_t total = 0;
  for (int32_t c = 0; c < g->cells; c++) {
    int32_t count = g->start[c + 1];
    g->start[c + 1] = total;
    total += count;
  }
  for (int32_t v = 0; v < vertices; v++)
    if (!used || used[v]) g->point[g->start[cell[v] + 1]++] = v;
  abut_free(ctx, cell);
  return ABUT_OK;
}

abut_status abut_point_grid_build(abut_context *ctx, abut_point_grid *g, const vec3 *x,
                                  const bool *used, int32_t vertices, double distance)
{
  *g = (abut_point_grid){0};
  vec3 high;
  ABUT_TRY(abut_bounds_of(ctx, x, used, vertices, &g->low, &high));
  double extent = v3_max_abs(v3_sub(high, g->low));
  if (!isfinite(extent))
    return abut_fail(ctx, ABUT_BAD_GEOMETRY, "the mesh is too large to measure");
  g->side = CELL * distance;
  if (extent > MOST * g->side) g->side = extent / MOST;
  g->tight = 1.733 * g->side < distance;
  abut_status status = fill(ctx, g, x, used, vertices);
  if (status != ABUT_OK) abut_point_grid_free(ctx, g);
  return status;
}

void abut_point_grid_free(abut_context *ctx, abut_point_grid *g)
{
  abut_free(ctx, g->start);
  abut_free(ctx, g->point);
  abut_free(ctx, g->at);
  abut_free(ctx, g->slot);
  *g = (abut_point_grid){0};
}
