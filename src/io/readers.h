/* readers.h: mesh files into meshes. A fault is ABUT_BAD_FORMAT with file, line, value and range,
   or ABUT_IO with the system's reason; the mesh is then empty. Vertices keep the file's order and
   number, used or not. Repeated corners, flat and inverted cells are read; abut_cells_check finds
   them. The _parse functions take the content of a file from memory; path is for messages. */
#ifndef ABUT_IO_READERS_H
#define ABUT_IO_READERS_H

#include "mesh/mesh.h"

/* Wavefront OBJ: v, f, l, g, o. Polygons become triangles (mesh/polygon.h), polylines lines; each
   name of a g or o line is a group of the vertices of the faces and lines that follow. */
abut_status abut_obj_read(abut_context *ctx, const char *path, abut_mesh_data *mesh);
abut_status abut_obj_parse(abut_context *ctx, const char *path, const char *data, int64_t size,
                           abut_mesh_data *mesh);

/* Gmsh MSH 2 and 4.1, text and binary: 4-node tetrahedra, triangles and lines, nodes in file order;
   other elements are refused by name. Each physical name is a group. The triangles of a file that
   has tetrahedra are kept: whether they matter is for the caller to say. */
abut_status abut_msh_read(abut_context *ctx, const char *path, abut_mesh_data *mesh);
abut_status abut_msh_parse(abut_context *ctx, const char *path, const char *data, int64_t size,
                           abut_mesh_data *mesh);

#endif
