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
  int32_t cells[3]; /* grid m, n; disc rings; tube around, along; box l, m, n; ball layers */
  bool
      equilateral; /* grid: offset rows of equilateral triangles instead of alternating diagonals */
  int tets;        /* box: tetrahedra a cell, 6 or 5 */
} abut_shape;

typedef struct abut_shape_class {
  const char *name;
  const char *keys; /* for people: "radius, cells (rings)" */
  int sizes, cells; /* how many numbers of size and of cells it reads */
  bool radius, height;
  bool solid; /* has tetrahedra inside when asked for a solid */
  abut_status (*make)(abut_context *ctx, const abut_shape *shape, bool solid, abut_mesh_data *mesh);
} abut_shape_class;

extern const abut_shape_class abut_shape_grid, abut_shape_disc, abut_shape_tube, abut_shape_box,
    abut_shape_ball, abut_shape_sphere;

#endif
