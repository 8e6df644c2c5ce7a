#include "scene/sim.h"

#include <string.h>

#include "base/memory.h"
#include "base/scratch.h"
#include "base/text.h"

abut_status abut_sim_build(abut_context *ctx, const abut_scene_def *def,
                           const abut_model_tables *tables, abut_sim *sim)
{
  *sim = (abut_sim){0};
  ABUT_TRY(abut_model_build(ctx, def, tables, &sim->model));
  return abut_model_start(ctx, &sim->model, &sim->state);
}

void abut_sim_drop_work(abut_context *ctx, abut_sim *sim)
{
  abut_work_free(ctx, &sim->work);
  abut_controls_free(ctx, &sim->controls);
  sim->ready = sim->finished = false;
}

void abut_sim_free(abut_context *ctx, abut_sim *sim)
{
  abut_sim_drop_work(ctx, sim);
  abut_state_free(ctx, &sim->state);
  abut_model_free(ctx, &sim->model);
}

/* ---- time ---- */

/* The next multiple of period after t; multiples are products, never sums. Products are compared: a
   quotient is off by one where slack is less than its rounding, after ten million steps. */
static double next_multiple(double t, double period, double slack)
{
  double n = floor(t / period);
  while (n * period <= t + slack && n < 1 / K_EPSILON) n++;
  return n * period;
}

/* Frames are met exactly. A step's end that is too near to one gives way to it. */
double abut_sim_next_time(const abut_sim *sim)
{
  const abut_scene_def *def = sim->model.def;
  double t = sim->state.time, slack = 1e-9 * def->step, end = def->end;
  if (t >= end - slack) return t;
  double near = abut_step_slack(def);
  double next = next_multiple(t, def->step, near);
  /* the last of round(end / step) steps reaches the end, longer or shorter */
  double steps = fmax(1, round(end / def->step));
  if (next > (steps - 1) * def->step + slack) next = end;
  if (def->frame_rate > 0) {
    double frame = next_multiple(t * def->frame_rate, 1, slack * def->frame_rate) / def->frame_rate;
    if (frame < next - slack || (next < end && frame < next + near)) next = fmin(frame, end);
  }
  return next;
}

bool abut_sim_is_frame(const abut_sim *sim, double t)
{
  const abut_scene_def *def = sim->model.def;
  if (!(def->frame_rate > 0)) return true;
  double n = round(t * def->frame_rate);
  return fabs(n / def->frame_rate - t) <= 1e-9 * def->step;
}

int64_t abut_sim_frames(const abut_scene_def *def)
{
  if (!(def->end > 0)) return 1;
  double count = def->frame_rate > 0 ? floor((def->end + 1e-9 * def->step) * def->frame_rate)
                                     : fmax(1, round(def->end / def->step));
  return (int64_t)fmin(1 + count, (double)ABUT_MAX_FRAMES);
}

/* ---- steps ---- */

static abut_status get_ready(abut_context *ctx, abut_sim *sim, const abut_model_tables *tables)
{
  if (sim->ready) return ABUT_OK;
  abut_status status = abut_controls_make(ctx, &sim->model, tables, &sim->controls);
  if (status == ABUT_OK)
    status = abut_work_make(ctx, &sim->model.system, &sim->model.options, &sim->work);
  if (status != ABUT_OK)
    abut_sim_drop_work(ctx, sim);
  else
    sim->ready = true;
  return status;
}

/* the end of a failed step's message: which element is out of range, or which pair was in the way
 */
static abut_status add_cause(abut_context *ctx, const abut_sim *sim, abut_text *text)
{
  abut_culprit c = {0};
  if (ctx->error_code == ABUT_STOPPED) c = abut_culprit_find(&sim->model.system, &sim->work);
  if (c.class) {
    ABUT_TRY(abut_text_add(ctx, text, "; out of range is the "));
    return abut_describe_culprit(ctx, &sim->model, &c, text);
  }
  if (sim->work.tightest == 0) return ABUT_OK;
  ABUT_TRY(abut_text_add(ctx, text, "; the tightest pair was "));
  return abut_describe_pair(ctx, &sim->model, sim->work.tightest, text);
}

static void name_cause(abut_context *ctx, const abut_sim *sim)
{
  abut_text text = {0};
  if (ctx->error.message && abut_text_add(ctx, &text, "%s", ctx->error.message) == ABUT_OK &&
      add_cause(ctx, sim, &text) == ABUT_OK) {
    char *longer = abut_alloc_quietly(ctx, text.length + 1, 1);
    if (longer) {
      memcpy(longer, text.data, (size_t)text.length + 1);
      abut_free(ctx, ctx->error.message);
      ctx->error.message = longer;
    }
  }
  abut_text_free(ctx, &text);
}

abut_status abut_sim_step(abut_context *ctx, abut_sim *sim, const abut_model_tables *tables,
                          abut_step_report *report, bool *made)
{
  *report = (abut_step_report){0};
  *made = false;
  sim->finished = false;
  ABUT_TRY(get_ready(ctx, sim, tables));
  double begin = sim->state.time, end = abut_sim_next_time(sim);
  if (begin == 0) ABUT_TRY(abut_controls_require(ctx, &sim->model, &sim->state, -HUGE_VAL));
  abut_boundary boundary = abut_controls_boundary(&sim->controls);
  abut_status status = abut_advance(ctx, &sim->model.system, &sim->model.options, &boundary, begin,
                                    end, &sim->state, &sim->work, report);
  if (status == ABUT_STOPPED || status == ABUT_BAD_GEOMETRY) name_cause(ctx, sim);
  ABUT_TRY(status);
  *made = sim->finished = true;
  return abut_controls_require(ctx, &sim->model, &sim->state, begin);
}

abut_status abut_sim_pair_forces(abut_context *ctx, const abut_sim *sim, abut_pair_forces *forces)
{
  if (!sim->finished)
    return abut_fail(ctx, ABUT_BAD_ARGUMENT,
                     "forces are those of the last step, and there is none that has been made");
  return abut_pair_forces_find(ctx, &sim->model.system, &sim->model.options, &sim->work, forces);
}

/* ---- the user's numbering ---- */

void abut_sim_positions(const abut_sim *sim, vec3 *x, vec3 *v)
{
  for (int32_t u = 0; u < sim->model.user_vertices; u++) {
    x[u] = sim->state.x[sim->model.solver_of[u]];
    v[u] = sim->state.v[sim->model.solver_of[u]];
  }
}

/* pins of the step that ended here; before the first step those that will act in it */
static bool pins_now(const abut_sim *sim, int32_t i)
{
  const abut_control_def *d = sim->model.control[i].def;
  if (d->kind != ABUT_CONTROL_PIN) return false;
  return sim->state.step > 0 ? sim->state.active[i] : d->from <= 0 && d->until > 0;
}

abut_status abut_sim_prescribed(abut_context *ctx, const abut_sim *sim, uint8_t *prescribed)
{
  const abut_model *m = &sim->model;
  abut_mark mark = abut_scratch_mark(ctx);
  bool *led = ABUT_SCRATCH(ctx, bool, m->system.vertices);
  if (!led) return ABUT_NO_MEMORY;
  for (int32_t v = 0; v < m->system.vertices; v++) led[v] = v >= m->system.dynamic;
  for (int32_t i = 0; i < m->controls; i++)
    for (int32_t n = 0; n < m->control[i].count && pins_now(sim, i); n++)
      led[m->control[i].vertex[n]] = true;
  for (int32_t u = 0; u < m->user_vertices; u++) prescribed[u] = led[m->solver_of[u]];
  abut_scratch_release(ctx, mark);
  return ABUT_OK;
}
