/* export.h: what the exporters share: names of files, surfaces of solids, the loop over frames. */
#ifndef ABUT_IO_EXPORT_H
#define ABUT_IO_EXPORT_H

#include "io/format.h"
#include "io/output.h"

/* one object as a format without tetrahedra sees it */
typedef struct abut_export_object {
  const abut_layout_object *object;
  char *file;             /* name of the object in names of files; no two are the same */
  const double *radius;   /* m                          (points) */
  int32_t corners, cells; /* of cells; triangles for a solid */
  const int32_t *cell;    /*                            (cells x corners) */
  int32_t *boundary;      /* owned: cell of a solid, else NULL */
} abut_export_object;

typedef struct abut_export_plan {
  int32_t objects;
  abut_export_object *object;
  int32_t most_points; /* of an object */
} abut_export_plan;

/* Makes the folder too. Characters of a name outside [A-Za-z0-9_.-] become _ ; an object whose name
   then meets another's gets _2, _3, .. and a note, names without such characters are kept. */
abut_status abut_export_begin(abut_context *ctx, const abut_layout *layout, const char *folder,
                              abut_export_plan *plan);
void abut_export_end(abut_context *ctx, abut_export_plan *plan);

/* folder/NAME TAIL in new memory, NULL on failure */
char *abut_export_path(abut_context *ctx, const char *folder, const char *name, const char *tail);

/* writes one object at one moment; x: its points */
typedef abut_status abut_export_fn(abut_context *ctx, abut_output *out,
                                   const abut_export_object *object, const vec3 *x);
/* folder/OBJECT_%06d.SUFFIX for each object with vertices and each frame */
abut_status abut_export_sequence(abut_context *ctx, abut_trajectory *t, abut_frame_slice frames,
                                 const char *folder, const char *suffix, abut_export_fn *write);

/* the exporters, see format.h */
abut_status abut_obj_export(abut_context *ctx, abut_trajectory *t, abut_frame_slice frames,
                            const char *path);
abut_status abut_ply_export(abut_context *ctx, abut_trajectory *t, abut_frame_slice frames,
                            const char *path);
abut_status abut_npy_export(abut_context *ctx, abut_trajectory *t, abut_frame_slice frames,
                            const char *path);
abut_status abut_vtkhdf_export(abut_context *ctx, abut_trajectory *t, abut_frame_slice frames,
                               const char *path);

#endif
