/* controls.h: motions and controls at work: they answer the step's questions about the outside. */
#ifndef ABUT_SCENE_CONTROLS_H
#define ABUT_SCENE_CONTROLS_H

#include "scene/model.h"

/* Elements of the controls that are springs or forces; may be dropped between steps. */
typedef struct abut_controls {
  const abut_model *m;
  abut_batch *batch;  /* one per control; count 0 when it does not act    (controls) */
  abut_batch *acting; /* those that act now, handed to the step           (controls) */
  void **element;     /*                                                  (controls) */
  double *scale;      /* of gravity, per vertex                           (dynamic) */
} abut_controls;

abut_status abut_controls_make(abut_context *ctx, const abut_model *m,
                               const abut_model_tables *tables, abut_controls *c);
void abut_controls_free(abut_context *ctx, abut_controls *c);

/* the step's view of them */
abut_boundary abut_controls_boundary(abut_controls *c);

/* length of a tie at t whose vertices were `start` apart (m) when it began, m */
double abut_tie_length(const abut_control_def *d, double start, double t);

/* vertices led in a step that starts at t  (vertices) */
void abut_controls_prescribed(const abut_model *m, double t, bool *prescribed);

/* ABUT_STOPPED when a `require` that falls due in (before, now] does not hold */
abut_status abut_controls_require(abut_context *ctx, const abut_model *m, const abut_state *s,
                                  double before);

#endif
