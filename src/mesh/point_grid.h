/* point_grid.h: vertices sorted into cubic cells, for searches within a distance. */
#ifndef ABUT_MESH_POINT_GRID_H
#define ABUT_MESH_POINT_GRID_H

#include "mesh/mesh.h"

/* zeroed: empty */
typedef struct abut_point_grid {
  vec3 low;
  double side;      /* of a cell, m */
  bool tight;       /* any two points of a cell are closer than the distance */
  int32_t cells;    /* occupied cells, in the order of their lowest vertices */
  int32_t *start;   /* (cells + 1) into point */
  int32_t *point;   /* vertices cell by cell, ascending in each */
  int64_t (*at)[3]; /* of each occupied cell */
  int32_t *slot;    /* hash table of cells: cell + 1, or 0  (slots, a power of 2) */
  int64_t slots;
} abut_point_grid;

/* Half of the cells around a cell that may hold points closer than the distance; the other half
   are their opposites. */
enum { ABUT_GRID_AROUND = 62 };
extern const int8_t abut_grid_around[ABUT_GRID_AROUND][3];

/* Sorts the vertices with used[v] (NULL: all) so that points closer than distance are in the same
   or in two cells at most 2 apart along each axis. distance > 0. Refuses coordinates that are not
   finite (ABUT_BAD_GEOMETRY). */
abut_status abut_point_grid_build(abut_context *ctx, abut_point_grid *grid, const vec3 *x,
                                  const bool *used, int32_t vertices, double distance);
/* the occupied cell at step from cell, or -1 */
int32_t abut_point_grid_find(const abut_point_grid *grid, int32_t cell, const int8_t step[3]);
void abut_point_grid_free(abut_context *ctx, abut_point_grid *grid);

/* the box of the used vertices; refuses coordinates that are not finite; none: a point */
abut_status abut_bounds_of(abut_context *ctx, const vec3 *x, const bool *used, int32_t vertices,
                           vec3 *low, vec3 *high);

#endif
