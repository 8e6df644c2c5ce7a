/* polygon.h: polygons of a file become triangles. */
#ifndef ABUT_MESH_POLYGON_H
#define ABUT_MESH_POLYGON_H

#include "mesh/mesh.h"

/* Polygons of more corners than this are cut only when they are convex. */
enum { ABUT_POLYGON_MOST = 10000 };

/* Cuts a polygon of count >= 3 corners (indices into x) into count - 2 triangles that run the same
   way round. Convex: a fan from the first corner. Otherwise, seen along its mean normal, ears are
   cut, best shape first (time grows like count^2; ABUT_UNSUPPORTED above ABUT_POLYGON_MOST).
   *clean is false when it crosses itself or has no area and is cut anyhow.
   triangle: ((count - 2) x 3) */
abut_status abut_polygon_cut(abut_context *ctx, const vec3 *x, const int32_t *corner, int32_t count,
                             int32_t *triangle, bool *clean);

#endif
