/* shapes.h: built-in meshes, centred on the origin. */
#ifndef ABUT_MESH_SHAPES_H
#define ABUT_MESH_SHAPES_H

#include "mesh/mesh.h"

/* what a scene file says of a shape; each shape reads the keys it has */
typedef struct abut_shape {
  const char *name;
  double size[3];   /* m: grid a, b; box a, b, c */
  double radius;    /* m: disc, tube, ball, sphere */
  double height;    /* m: tube */
  int32_t cells[3]; /* grid m, n; disc rings; tube around (>= 3), along; box l, m, n; ball layers */
  bool equilateral; /* grid: offset rows instead of alternating diagonals */
  int tets;         /* box: tetrahedra a cell, 6 or 5 */
  bool folded;      /* bag: the flap hangs outside */
} abut_shape;

/* make: the mesh in new memory; tetrahedra (positive) when solid, else triangles. Values that make
   no sense are ABUT_BAD_ARGUMENT with a message that names the key.

   grid    (m+1)(n+1) vertices, row by row along x, then y; 2mn triangles, normals +z. Alternating
           diagonals: the cell (i, j) is cut from its lowest to its highest vertex when i + j is
           even, the other way when it is odd. equilateral: the same vertices, but rows are offset
           by a quarter of an edge, even ones to -x, odd ones to +x, which leaves the borders at the
           ends of the rows ragged; edges along x are a/m long, rows b/n apart, so triangles are
           equilateral for b/n = sqrt(3)/2 a/m. The mesh is a + a/(2m) long.
   disc    1 + 3r(r+1) vertices for r rings: the centre, then rings outwards, from +x
           counter-clockwise; 6 r^2 triangles, normals +z
   tube    around (along+1) vertices, rings from -height/2 upwards; normals outwards; open ends
   box     lattice vertices, x fastest, then y, then z. 6: the cells of Kuhn, all alike, around the
           diagonal from lowest to highest corner; 5: cells alternate between mirror images. The
           surface is the solid's boundary, its vertices in the same order without inner ones.
   ball    layers of triangulated spheres around the centre, radius/n apart, layer k with the
           10 k^2 + 2 vertices of an icosahedron whose edges are cut into k; 20 n^3 tetrahedra. The
           surface is the outermost layer: 20 n^2 triangles. The quality of the tetrahedra
           (quality.h) is at least 0.996, 0.740, 0.713, 0.668, 0.642 for n = 1, 2, 4, 8, 20 and
           stays above 0.62; its mean is 0.87.
   sphere  the surface of ball only
   bag     481 vertices: the centre of the bottom at the origin, then 15 rings of 32, from +x
           counter-clockwise: 4 of the bottom, 6 of the wall, the neck ring (0.068 m wide, 0.114 m
           high), 4 of the flap; 928 triangles, normals inwards. folded: the flap is mirrored in the
           plane of the neck ring and hangs outside; no triangle is strained by that. */
typedef struct abut_shape_class {
  const char *name;
  const char *keys; /* for people: "radius, cells (rings)" */
  int sizes, cells; /* how many numbers of size and of cells it reads */
  bool radius, height;
  bool solid; /* has tetrahedra inside when asked for a solid */
  abut_status (*make)(abut_context *ctx, const abut_shape *shape, bool solid, abut_mesh_data *mesh);
} abut_shape_class;

extern const abut_shape_class abut_shape_grid, abut_shape_disc, abut_shape_tube, abut_shape_box,
    abut_shape_ball, abut_shape_sphere, abut_shape_bag;

#endif
