/* mesh.h: a mesh as read from a file or made from a shape, in the file's own numbering. */
#ifndef ABUT_MESH_MESH_H
#define ABUT_MESH_MESH_H

#include "base/context.h"
#include "kernel/vec.h"

/* a named set of vertices (OBJ group, MSH physical name) */
typedef struct abut_group {
  char *name;
  int32_t count;
  int32_t *vertex; /* ascending, without repeats (count) */
} abut_group;

typedef struct abut_mesh_data {
  int32_t vertices;
  vec3 *x; /* m                            (vertices) */
  int32_t triangles;
  int32_t *triangle; /* corners, zero-based          (triangles x 3) */
  int32_t tets;
  int32_t *tet; /* corners                      (tets x 4) */
  int32_t lines;
  int32_t *line; /* ends                         (lines x 2) */
  int32_t groups;
  abut_group *group; /*                              (groups) */
} abut_mesh_data;

void abut_mesh_free(abut_context *ctx, abut_mesh_data *mesh);

#endif
