/* sim.h: a scene in motion: the model, its state, and the work that can be thrown away. */
#ifndef ABUT_SCENE_SIM_H
#define ABUT_SCENE_SIM_H

#include "base/text.h"
#include "scene/controls.h"
#include "step/advance.h"
#include "step/culprit.h"
#include "step/pair_force.h"

typedef struct abut_sim {
  abut_model model;
  abut_state state;
  abut_controls controls;
  abut_work work;
  bool ready;    /* controls and work are made */
  bool finished; /* work is as the step that ended in the present state left it */
} abut_sim;

/* the model and the state at t = 0; def must outlive it */
abut_status abut_sim_build(abut_context *ctx, const abut_scene_def *def,
                           const abut_model_tables *tables, abut_sim *sim);
void abut_sim_free(abut_context *ctx, abut_sim *sim);

/* Drops everything that is not model or state; the next step makes it anew, with the same result.
 */
void abut_sim_drop_work(abut_context *ctx, abut_sim *sim);

/* when the step that starts at the state's time ends, s; the state's time when the run is over */
double abut_sim_next_time(const abut_sim *sim);
/* is a state at time t a frame, and how many frames has a run? */
bool abut_sim_is_frame(const abut_sim *sim, double t);
int64_t abut_sim_frames(const abut_scene_def *def); /* at most ABUT_MAX_FRAMES */
#define ABUT_MAX_FRAMES INT64_C(1000000000000)

/* One step. made: whether the state is the new one; else it is the one before. A `require` control
   that does not hold in the new state is ABUT_STOPPED with made true. */
abut_status abut_sim_step(abut_context *ctx, abut_sim *sim, const abut_model_tables *tables,
                          abut_step_report *report, bool *made);

/* What pushed in the step that ended in the present state. ABUT_BAD_ARGUMENT when this sim has not
   made it: there was none yet, or one that failed or a dropped work has taken its place. */
abut_status abut_sim_pair_forces(abut_context *ctx, const abut_sim *sim, abut_pair_forces *forces);

/* the user's numbering: positions and velocities of all user vertices  (user_vertices) */
void abut_sim_positions(const abut_sim *sim, vec3 *x, vec3 *v);
/* led in the step that ended in the present state                     (user_vertices) */
abut_status abut_sim_prescribed(abut_context *ctx, const abut_sim *sim, uint8_t *prescribed);

/* completes the error of a step that could not begin: how a start can be at fault in mid-run */
void abut_explain_start(abut_context *ctx, const abut_sim *sim);

/* "edge 12 (vertices 3 and 9) of film and face 4 (vertices 0, 1, 2) of bin" */
abut_status abut_describe_pair(abut_context *ctx, const abut_model *m, uint64_t pair,
                               abut_text *text);

/* "Hessian of stvk (vertices 0, 1, 11) of film, material foil" */
abut_status abut_describe_culprit(abut_context *ctx, const abut_model *m, const abut_culprit *c,
                                  abut_text *text);

#endif
