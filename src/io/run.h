/* run.h: a scene from its start (or its last checkpoint) to its end, into a run folder:
     scene.json  trajectory.vtkhdf  steps.jsonl  summary.json  checkpoint/ */
#ifndef ABUT_IO_RUN_H
#define ABUT_IO_RUN_H

#include "io/records.h"
#include "io/scene_file.h"
#include "io/trajectory.h"

typedef struct abut_run_progress {
  const abut_step_report *step; /* NULL before the first step */
  double end;                   /* s, where this call will stop */
  double seconds;               /* of wall time since this call began */
  double simulated;             /* s simulated in this call */
  int64_t frames;               /* written so far */
  bool frame;                   /* the step was a frame */
} abut_run_progress;

typedef struct abut_run_options {
  const char *folder;
  bool resume;
  double until;                                              /* s, total; NaN: to the scene's end */
  int64_t steps;                                             /* total; negative: no limit */
  void (*progress)(void *ctx, const abut_run_progress *now); /* may be NULL */
  void *progress_ctx;
} abut_run_options;

/* Runs a scene that abut_scene_file_read has read. summary: filled as far as the run came, on any
   status. ABUT_STOPPED, ABUT_CANCELLED: the last good state is saved and can be resumed. */
abut_status abut_run_scene(abut_context *ctx, const abut_scene_file *file,
                           const abut_scene_def *def, const abut_tables *tables,
                           const abut_run_options *options, abut_run_summary *summary);

/* the trajectory's view of a model */
abut_status abut_layout_of(abut_context *ctx, const abut_model *m, abut_layout *layout);

#endif
