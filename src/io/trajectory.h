/* trajectory.h: the frames of a run in one VTKHDF file (an UnstructuredGrid over time) that
   ParaView, VTK and pyvista open. The writer can be killed at any instant: everything but the
   frames is written when the file is created, and a frame counts only once it is complete. */
#ifndef ABUT_IO_TRAJECTORY_H
#define ABUT_IO_TRAJECTORY_H

#include "base/context.h"
#include "kernel/vec.h"

/* one object with vertices, in scene order */
typedef struct abut_layout_object {
  char *name;
  char *kind;    /* "shell", "solid", "spheres", "obstacle", "rod" */
  int32_t first; /* its first point in the frame */
  int32_t points;
  int32_t corners; /* of a cell: 1 spheres, 2 rod, 3 shell and obstacle, 4 solid */
  int32_t cells;   /* spheres are drawn as cells too: one a point */
  int32_t *cell;   /* corners in the object's own numbering    (cells x corners) */
} abut_layout_object;

/* what stays the same in all frames */
typedef struct abut_layout {
  int32_t objects;
  abut_layout_object *object; /* (objects) */
  int32_t points;             /* of all objects, which follow each other without gaps */
  int32_t *identity; /* lowest point that this one is welded to, itself otherwise (points) */
  double *radius;    /* m, of sphere centres; 0 otherwise                        (points) */
} abut_layout;

void abut_layout_free(abut_context *ctx, abut_layout *layout);

typedef struct abut_trajectory abut_trajectory;

/* A new file with room for that many frames, none of them there yet; an old one is replaced. The
   room is claimed as a hole, so a file system may still run full at an append. */
abut_status abut_trajectory_create(abut_context *ctx, const char *path, const abut_layout *layout,
                                   int64_t frames, abut_trajectory **out);
/* An existing file; ABUT_BAD_FORMAT when it is not one of ours, damaged or cut short. */
abut_status abut_trajectory_open(abut_context *ctx, const char *path, bool write,
                                 abut_trajectory **out);
void abut_trajectory_close(abut_context *ctx, abut_trajectory *t); /* NULL is fine */

const abut_layout *abut_trajectory_layout(const abut_trajectory *t);
int64_t abut_trajectory_frames(const abut_trajectory *t); /* complete ones */
int64_t abut_trajectory_room(const abut_trajectory *t);   /* frames it was created for */

/* Adds one frame; it counts when the call returns ABUT_OK, and is then safe from the death of this
   process. x in m, v in m/s (points); prescribed: 1 where the step that ended here prescribed the
   vertex (points). */
abut_status abut_trajectory_append(abut_context *ctx, abut_trajectory *t, double time,
                                   const vec3 *x, const vec3 *v, const uint8_t *prescribed);
/* All frames so far are safe from a power failure too. Without it a power failure may leave a
   counted frame incomplete: after one, go on from frames that a checkpoint vouches for. */
abut_status abut_trajectory_sync(abut_context *ctx, abut_trajectory *t);
/* forgets all frames from the given one on */
abut_status abut_trajectory_cut(abut_context *ctx, abut_trajectory *t, int64_t frames);
/* outputs that are NULL are skipped */
abut_status abut_trajectory_read(abut_context *ctx, abut_trajectory *t, int64_t frame, double *time,
                                 vec3 *x, vec3 *v, uint8_t *prescribed);
/* positions of the points first .. first + count - 1 alone (count) */
abut_status abut_trajectory_read_points(abut_context *ctx, abut_trajectory *t, int64_t frame,
                                        int32_t first, int32_t count, vec3 *x);
/* The same frames in a file with room for `frames` of them, at least as many as there are: after
   an early end, or when a run is made longer. Written beside path and renamed over it; an open
   abut_trajectory of path stays with the old file, so close it before and open it again. */
abut_status abut_trajectory_resize(abut_context *ctx, const char *path, int64_t frames);
/* Count frames of t (first, first + step, ..) in a new file at a path that a user gave, which may
   be t's own. */
abut_status abut_trajectory_copy(abut_context *ctx, abut_trajectory *t, int64_t first, int64_t step,
                                 int64_t count, const char *path);

#endif
