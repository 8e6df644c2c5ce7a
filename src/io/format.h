/* format.h: the interface of a file format. One file and one line in registry.c add one. */
#ifndef ABUT_IO_FORMAT_H
#define ABUT_IO_FORMAT_H

#include "io/trajectory.h"
#include "mesh/mesh.h"

/* which frames to export, as a Python slice of the complete ones */
typedef struct abut_frame_slice {
  int64_t first, end, step; /* resolved: first, first + step, .. before end; step may be negative */
} abut_frame_slice;

typedef struct abut_format_class {
  const char *name;   /* "obj" */
  const char *text;   /* one line for people */
  const char *suffix; /* of its mesh files, without the dot; NULL when it holds no mesh */
  /* Reads a mesh; every fault names file, line, value and range (ABUT_BAD_FORMAT) or the system's
     reason (ABUT_IO). NULL: the format is not read. */
  abut_status (*read)(abut_context *ctx, const char *path, abut_mesh_data *mesh);
  /* Writes frames of a trajectory to path, a folder unless the format holds a whole run in one
     file. NULL: not written. */
  abut_status (*export_frames)(abut_context *ctx, abut_trajectory *t, abut_frame_slice frames,
                               const char *path);
  bool one_file; /* export_frames writes one file at path */
} abut_format_class;

extern const abut_format_class abut_format_obj, abut_format_msh, abut_format_ply, abut_format_npy,
    abut_format_vtkhdf;

#endif
