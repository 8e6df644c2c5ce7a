/* verify.h: the saved frames of a run, judged with exact predicates by code that the solver does
   not share: topology from the trajectory file, pairs from its own broad phase. */
#ifndef ABUT_IO_VERIFY_H
#define ABUT_IO_VERIFY_H

#include "io/scene_file.h"
#include "scene/check.h"

typedef struct abut_verdict {
  int64_t frames; /* tested */
  abut_faults faults;
  int64_t *frame; /* of each fault                    (faults.count) */
  double *time;   /* s                                (faults.count) */
  int64_t room, time_room;
  char **object; /* names of the objects that faults number (objects) */
  int32_t objects;
} abut_verdict;

void abut_verdict_free(abut_context *ctx, abut_verdict *v);

/* Tests every frame of the run folder. ABUT_OK when that could be done; verdict->faults says what
   was found. */
abut_status abut_verify_run(abut_context *ctx, const char *folder, const abut_tables *tables,
                            abut_verdict *verdict);

#endif
