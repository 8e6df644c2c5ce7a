/* topology.h: what follows from a list of cells. All results are in new memory and in an order
   that depends on the cells alone. Corners must be vertices of the mesh. Counts are 32 bits: a mesh
   whose result would be larger is refused (ABUT_UNSUPPORTED). */
#ifndef ABUT_MESH_TOPOLOGY_H
#define ABUT_MESH_TOPOLOGY_H

#include "base/sort.h"
#include "mesh/mesh.h"

/* unique edges of triangles, each with its smaller vertex first, sorted; a repeated corner makes
   no edge  (count x 2) */
abut_status abut_edges_of(abut_context *ctx, const int32_t *triangle, int32_t triangles,
                          int32_t **edge, int32_t *count);

/* the same for cells of corners (2 to 4) vertices, each joined with each */
abut_status abut_cell_edges_of(abut_context *ctx, const int32_t *cell, int32_t cells, int corners,
                               int32_t **edge, int32_t *count);

/* The sides of triangles that share an edge, together: key smaller vertex << 32 | larger vertex,
   ascending; value 3 * triangle + corner where the side starts, ascending within an edge. Sides of
   a repeated corner are left out.  (count) */
abut_status abut_sides_of(abut_context *ctx, const int32_t *triangle, int32_t triangles,
                          abut_keyed **side, int32_t *count);

/* triangles that belong to one tetrahedron only, wound so that their normals point out of it when
   the tetrahedron is positive; in the order of tetrahedra  (count x 3) */
abut_status abut_boundary_of(abut_context *ctx, const int32_t *tet, int32_t tets,
                             int32_t **triangle, int32_t *count);

/* A hinge joins two triangles that share the edge c-d: (a, b, c, d), a and b opposite; c to d runs
   as in the triangle with the lower index, which holds a. An edge with k triangles gives
   k (k - 1) / 2 hinges. Sorted by edge, then by triangles. Triangles with a repeated corner have no
   hinges.  face: the two triangles (count x 2); hinge: (count x 4) */
abut_status abut_hinges_of(abut_context *ctx, const int32_t *triangle, int32_t triangles,
                           int32_t **hinge, int32_t **face, int32_t *count);

/* same[i]: the lowest cell with the same corners as cell i, in any order; i itself when there is
   none below  (cells) */
abut_status abut_same_cells(abut_context *ctx, const int32_t *cell, int32_t cells, int corners,
                            int32_t *same);

/* sets used[v] for vertices that occur in cells of n corners, and leaves the others  (vertices) */
void abut_mark_used(const int32_t *cell, int64_t cells, int n, bool *used);

/* exchanges the middle corners of each tetrahedron of negative volume; returns how many, and the
   first (-1: none) */
int32_t abut_orient_tets(const vec3 *x, int32_t *tet, int32_t tets, int32_t *first);

/* Merges vertices closer than distance: target[v] is the lowest vertex that v is merged into (v
   itself when it stays). Merging is transitive: a chain of close vertices becomes one. distance 0
   merges nothing.  (vertices) */
abut_status abut_weld(abut_context *ctx, const vec3 *x, int32_t vertices, double distance,
                      int32_t *target);

/* a permutation that puts vertices near in space near in memory (Morton order of the bounding
   box's 2^21 cubed cells): place[v] is v's new index */
abut_status abut_order_space(abut_context *ctx, const vec3 *x, int32_t vertices, int32_t *place);

#endif
