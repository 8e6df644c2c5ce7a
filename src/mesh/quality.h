/* quality.h: what `check` asks of a mesh. No threshold is a length: cells are judged by their own
   edges, distances come from the caller. */
#ifndef ABUT_MESH_QUALITY_H
#define ABUT_MESH_QUALITY_H

#include "mesh/mesh.h"

/* --- Cells --- */

typedef enum abut_cell_verdict {
  ABUT_CELL_FINE,
  ABUT_CELL_SLIVER,    /* quality below ABUT_SLIVER_QUALITY: usable, worth a warning */
  ABUT_CELL_INVERTED,  /* tetrahedron of negative volume, not degenerate */
  ABUT_CELL_DEGENERATE /* quality below ABUT_DEGENERATE_QUALITY, or a repeated corner */
} abut_cell_verdict;

/* Quality is 1 for the regular cell and 0 for a flat one. The stiffness of a cell grows like
   1 / quality^2: below 1e-9 doubles cannot hold it beside that of a good cell. A right-angled
   triangle with legs 1 : 170, or a tetrahedron of height 0.013 over a regular face of side 1, has
   quality 0.01. */
#define ABUT_DEGENERATE_QUALITY 1e-9
#define ABUT_SLIVER_QUALITY 1e-2

typedef struct abut_cell_quality {
  double measure; /* length m, area m^2, or volume m^3 with its sign */
  double quality; /* of a tetrahedron |6 sqrt(2) V| / l^3, of a triangle sqrt(3) A / (3/4 l^2), l
                     the root mean square edge; of a line 1, or 0 without length */
  abut_cell_verdict verdict;
} abut_cell_quality;

/* cells of 2, 3 or 4 corners; one result each  (cells) */
void abut_cells_check(const abut_context *ctx, const vec3 *x, const int32_t *cell, int32_t cells,
                      int corners, abut_cell_quality *result);

/* det(b - a, c - a, d - a) / 6 */
double abut_tet_volume(vec3 a, vec3 b, vec3 c, vec3 d);
double abut_triangle_area(vec3 a, vec3 b, vec3 c);

/* --- Surfaces --- */

/* zeroed: empty */
typedef struct abut_surface_faults {
  int32_t border;             /* edges of one triangle; 0: the surface is closed */
  int32_t nonmanifold;        /* edges of three triangles or more */
  int32_t *nonmanifold_edge;  /*                                  (nonmanifold x 2) */
  int32_t *nonmanifold_faces; /* how many triangles it has                (nonmanifold) */
  int32_t miswound;           /* edges whose two triangles run along it the same way */
  int32_t *miswound_edge;     /*                                  (miswound x 2) */
  int32_t *miswound_face;     /* the two triangles, lower first   (miswound x 2) */
  int32_t repeated;           /* triangles with the corners of an earlier one */
  int32_t *repeated_face;     /* that triangle and the earlier one (repeated x 2) */
} abut_surface_faults;

/* edges ascending */
abut_status abut_surface_check(abut_context *ctx, const int32_t *triangle, int32_t triangles,
                               abut_surface_faults *faults);
void abut_surface_faults_free(abut_context *ctx, abut_surface_faults *faults);

/* --- Vertices --- */

/* vertices that no triangle, tetrahedron or line uses, ascending, in new memory */
abut_status abut_isolated_of(abut_context *ctx, const abut_mesh_data *mesh, int32_t **vertex,
                             int32_t *count);

typedef struct abut_near_pair {
  int32_t a, b; /* a < b */
  double distance;
} abut_near_pair;

/* Pairs of vertices closer than distance that no edge joins, nearest first (ties by a, then b), at
   most `most` of them, in new memory. used: which vertices count (NULL: all). edge: sorted, as
   abut_edges_of makes it. Time grows with vertices, edges and most, however large distance is. */
abut_status abut_near_pairs_of(abut_context *ctx, const vec3 *x, const bool *used, int32_t vertices,
                               const int32_t *edge, int32_t edges, double distance, int32_t most,
                               abut_near_pair **pair, int32_t *count);

#endif
