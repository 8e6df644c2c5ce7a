/* frames_folder.h: a folder of its own for each test of trajectories. */
#ifndef ABUT_TESTS_FRAMES_FOLDER_H
#define ABUT_TESTS_FRAMES_FOLDER_H

#include <unistd.h>

#include "frames.h"

static char folder[64];
static char path[96];

static inline int begin(void **state)
{
  (void)state;
  strcpy(folder, "/tmp/abut-trajectory-XXXXXX");
  if (!mkdtemp(folder)) return -1;
  snprintf(path, sizeof path, "%s/trajectory.vtkhdf", folder);
  return 0;
}

static inline int end(void **state)
{
  char command[96];
  (void)state;
  snprintf(command, sizeof command, "rm -r '%s'", folder);
  return system(command);
}

/* a file at path with so many frames of the small scene */
static inline abut_status write_frames(abut_context *ctx, const char *at, int64_t frames,
                                       int64_t room)
{
  abut_trajectory *t;
  ABUT_TRY(abut_trajectory_create(ctx, at, &frame_layout, room, &t));
  abut_status status = ABUT_OK;
  for (int64_t k = 0; k < frames && status == ABUT_OK; k++) status = frame_append(ctx, t, k);
  abut_trajectory_close(ctx, t);
  return status;
}

/* one object of loose points */
static abut_layout_object loose = {"dust", "spheres", 0, 0, 1, 0, frame_beads};
static inline abut_layout loose_layout(int32_t points)
{
  int32_t *identity = calloc((size_t)points, sizeof *identity);
  double *radius = calloc((size_t)points, sizeof *radius);
  for (int32_t p = 0; p < points; p++) identity[p] = p;
  loose.points = points;
  return (abut_layout){1, &loose, points, identity, radius};
}

static inline void loose_drop(abut_layout layout)
{
  free(layout.identity);
  free(layout.radius);
}

#define WITH_FOLDER(f) cmocka_unit_test_setup_teardown(f, begin, end)

#endif
