/* shape_parts.h: what the shapes share. */
#ifndef ABUT_MESH_SHAPE_PARTS_H
#define ABUT_MESH_SHAPE_PARTS_H

#include "mesh/shapes.h"

/* refuses what the class cannot make of the shape's keys, by name of the key */
abut_status abut_shape_check(abut_context *ctx, const abut_shape_class *class,
                             const abut_shape *shape, bool solid);
/* makes the arrays of an empty mesh and sets its counts; ABUT_UNSUPPORTED when they do not fit 32
   bits. The caller frees the mesh on failure. */
abut_status abut_shape_reserve(abut_context *ctx, int64_t vertices, int64_t triangles, int64_t tets,
                               abut_mesh_data *mesh);

#endif
