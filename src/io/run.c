#include "io/run.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/platform.h"
#include "base/scratch.h"
#include "base/timer.h"
#include "scene/check.h"

typedef struct run {
  abut_context *ctx;
  const abut_scene_file *file;
  const abut_scene_def *def;
  const abut_tables *tables;
  const abut_run_options *options;
  abut_model_tables model_tables;
  abut_sim sim;
  abut_trajectory *trajectory;
  abut_totals totals;
  uint64_t model;
  char *scene_path, *trajectory_path, *steps_path, *summary_path, *checkpoint_path, *lock_path;
  int lock;
  bool started; /* the folder holds this run */
  bool torn;    /* records of the last step are missing: it must not become a checkpoint */
  double begin; /* wall clock */
  double from;  /* s simulated before this call */
  abut_text line;
} run;

/* ---- the folder ---- */

static abut_status make_paths(run *r)
{
  abut_context *ctx = r->ctx;
  const char *folder = r->options->folder;
  r->scene_path = abut_path_join(ctx, folder, "scene.json");
  r->trajectory_path = abut_path_join(ctx, folder, "trajectory.vtkhdf");
  r->steps_path = abut_path_join(ctx, folder, "steps.jsonl");
  r->summary_path = abut_path_join(ctx, folder, "summary.json");
  r->checkpoint_path = abut_path_join(ctx, folder, "checkpoint");
  r->lock_path = abut_path_join(ctx, folder, ".lock");
  bool all = r->scene_path && r->trajectory_path && r->steps_path && r->summary_path &&
             r->checkpoint_path && r->lock_path;
  return all ? ABUT_OK : ABUT_NO_MEMORY;
}

static void free_run(run *r)
{
  abut_context *ctx = r->ctx;
  abut_trajectory_close(ctx, r->trajectory);
  abut_lock_release(r->lock);
  abut_sim_free(ctx, &r->sim);
  abut_text_free(ctx, &r->line);
  char *paths[] = {r->scene_path,   r->trajectory_path, r->steps_path,
                   r->summary_path, r->checkpoint_path, r->lock_path};
  for (size_t k = 0; k < sizeof paths / sizeof *paths; k++) abut_free(ctx, paths[k]);
}

/* A run must not overwrite the scene that it reads. Its own copy of one, with the program's version
   in it, is written with the content that it has. */
static abut_status spare_scene(run *r)
{
  const char *written[] = {r->scene_path, r->summary_path, r->steps_path, r->trajectory_path};
  const char *scene = r->file->path;
  bool own = json_object_get(r->file->root, "version") != NULL;
  for (size_t k = own ? 1 : 0; k < sizeof written / sizeof *written; k++) {
    if (!scene[0] || !abut_file_same(scene, written[k])) continue;
    abut_status status = abut_fail(r->ctx, ABUT_BAD_ARGUMENT,
                                   "the run would overwrite this scene file with its own %s; "
                                   "choose another folder with -o",
                                   abut_path_name(written[k]));
    abut_error_at_line(r->ctx, scene, 0);
    return status;
  }
  return ABUT_OK;
}

/* does scene.json of the folder tell the same story? */
static abut_status same_scene(run *r, const json_t *old)
{
  bool same;
  ABUT_TRY(abut_scene_file_same(r->ctx, old, r->file->root, &same));
  if (same) return ABUT_OK;
  abut_status status =
      abut_fail(r->ctx, ABUT_BAD_FORMAT,
                "the run in this folder is of a scene that differs in more than time.end, "
                "threads and output; start anew without --resume or choose another folder");
  abut_error_at_line(r->ctx, r->scene_path, 0);
  return status;
}

static abut_status compare_scene(run *r)
{
  char *text;
  int64_t size;
  json_t *old = NULL;
  ABUT_TRY(abut_file_read(r->ctx, r->scene_path, &text, &size));
  abut_status status = abut_json_parse(r->ctx, r->scene_path, text, size, &old);
  if (status == ABUT_OK) status = same_scene(r, old);
  json_decref(old);
  abut_free(r->ctx, text);
  return status;
}

static abut_status write_scene(run *r)
{
  abut_context *ctx = r->ctx;
  json_t *copy;
  ABUT_JSON_MAKE(ctx, copy, json_deep_copy(r->file->root));
  abut_text text = {0};
  abut_status status = json_object_set_new(copy, "version", json_string(ABUT_VERSION)) == 0
                           ? abut_json_print(ctx, copy, &text)
                           : abut_fail(ctx, ABUT_NO_MEMORY, "out of memory");
  if (status == ABUT_OK) status = abut_file_replace(ctx, r->scene_path, text.data, text.length);
  abut_text_free(ctx, &text);
  json_decref(copy);
  return status;
}

/* ---- frames, steps, checkpoints ---- */

static abut_status write_frame(run *r)
{
  abut_context *ctx = r->ctx;
  abut_mark mark = abut_scratch_mark(ctx);
  int32_t n = r->sim.model.user_vertices;
  vec3 *x = ABUT_SCRATCH(ctx, vec3, n), *v = ABUT_SCRATCH(ctx, vec3, n);
  uint8_t *prescribed = ABUT_SCRATCH(ctx, uint8_t, n);
  if (!x || !v || !prescribed) return ABUT_NO_MEMORY;
  abut_sim_positions(&r->sim, x, v);
  ABUT_TRY(abut_sim_prescribed(ctx, &r->sim, prescribed));
  ABUT_TRY(abut_trajectory_append(ctx, r->trajectory, r->sim.state.time, x, v, prescribed));
  abut_scratch_release(ctx, mark);
  r->totals.frames++;
  return ABUT_OK;
}

static abut_status write_step(run *r, const abut_step_report *report)
{
  r->line.length = 0;
  ABUT_TRY(abut_print_step(r->ctx, report, &r->line));
  abut_status status = abut_file_append(r->ctx, r->steps_path, r->line.data, r->line.length);
  /* no half of a line on a full disk; the first error stays the one reported */
  if (status != ABUT_OK) abut_file_truncate(r->ctx, r->steps_path, r->totals.log_bytes);
  ABUT_TRY(status);
  r->totals.log_bytes += r->line.length;
  return ABUT_OK;
}

static void fill_summary(const run *r, const char *status, const char *reason,
                         abut_run_summary *out)
{
  *out = (abut_run_summary){.status = status,
                            .reason = reason,
                            .scene = r->file->path,
                            .method = r->def->options.method->name,
                            .steps = r->sim.state.step,
                            .time = r->sim.state.time,
                            .totals = r->totals,
                            .peak_memory = abut_peak_memory(),
                            .threads = r->ctx->threads,
                            .state_hash = abut_state_hash(&r->sim.state)};
}

static abut_status write_summary(run *r, const abut_run_summary *s)
{
  abut_text text = {0};
  abut_status status = abut_print_summary(r->ctx, s, &text);
  if (status == ABUT_OK)
    status = abut_file_replace(r->ctx, r->summary_path, text.data, text.length);
  abut_text_free(r->ctx, &text);
  return status;
}

static abut_status write_checkpoint(run *r, const char *state, const char *reason,
                                    abut_run_summary *summary)
{
  ABUT_TRY(abut_trajectory_sync(r->ctx, r->trajectory));
  ABUT_TRY(abut_file_sync(r->ctx, r->steps_path));
  ABUT_TRY(abut_checkpoint_save(r->ctx, r->checkpoint_path, r->model, &r->sim.state, &r->totals));
  fill_summary(r, state, reason, summary);
  return write_summary(r, summary);
}

/* ---- beginning ---- */

/* Frames that the trajectory must have room for when this call ends, at most. The step that reached
   an earlier end may have been cut, and its state is a frame more. */
static abut_status frames_needed(const run *r, int64_t *frames)
{
  const abut_scene_def *def = r->def;
  double t = r->sim.state.time, end = def->end;
  if (!isnan(r->options->until)) end = fmin(end, r->options->until + def->step);
  double rate = def->frame_rate > 0 ? def->frame_rate : 1 / def->step;
  /* a step that is left is a frame, however short */
  double least = end > t + abut_step_slack(def) ? 1 : 0;
  double count = fmax(least, ceil((end - t) * rate - 1e-6));
  if (r->options->steps >= 0)
    count = fmin(count, fmax(0, (double)(r->options->steps - r->sim.state.step)));
  *frames = r->totals.frames + (int64_t)fmin(count, (double)ABUT_MAX_FRAMES);
  if (count < (double)ABUT_MAX_FRAMES) return ABUT_OK;
  abut_status status = abut_fail(r->ctx, ABUT_UNSUPPORTED,
                                 "the run would have %.3g frames, more than this version numbers; "
                                 "end it earlier or lower time.frame_rate",
                                 count);
  abut_error_at_key(r->ctx, NULL, "time.end");
  return status;
}

static abut_status begin_anew(run *r)
{
  abut_context *ctx = r->ctx;
  abut_layout layout = {0};
  int64_t frames;
  r->totals = (abut_totals){.frames = 1, .min_gap = INFINITY};
  ABUT_TRY(frames_needed(r, &frames));
  if (frames > abut_sim_frames(r->def)) frames = abut_sim_frames(r->def);
  ABUT_TRY(abut_checkpoint_clear(ctx, r->checkpoint_path));
  ABUT_TRY(abut_file_remove(ctx, r->summary_path));
  ABUT_TRY(abut_file_remove(ctx, r->steps_path));
  ABUT_TRY(write_scene(r));
  r->totals.frames = 0;
  abut_status status = abut_layout_of(ctx, &r->sim.model, &layout);
  if (status == ABUT_OK)
    status = abut_trajectory_create(ctx, r->trajectory_path, &layout, frames, &r->trajectory);
  abut_layout_free(ctx, &layout);
  ABUT_TRY(status);
  r->started = true;
  ABUT_TRY(abut_file_append(ctx, r->steps_path, "", 0));
  return write_frame(r);
}

static abut_status cut_log(run *r)
{
  int64_t size;
  ABUT_TRY(abut_file_size(r->ctx, r->steps_path, &size));
  if (size >= r->totals.log_bytes)
    return abut_file_truncate(r->ctx, r->steps_path, r->totals.log_bytes);
  abut_status status =
      abut_fail(r->ctx, ABUT_BAD_FORMAT,
                "the file ends before the checkpoint (at byte %lld of %lld): start "
                "the run anew without --resume",
                (long long)size, (long long)r->totals.log_bytes);
  abut_error_at_line(r->ctx, r->steps_path, 0);
  return status;
}

static abut_status need_record(run *r, const char *path)
{
  if (abut_file_exists(path)) return ABUT_OK;
  abut_status status = abut_fail(r->ctx, ABUT_IO,
                                 "this record of the run to resume is missing; restore it from a "
                                 "copy, or start the run anew without --resume");
  abut_error_at_line(r->ctx, path, 0);
  return status;
}

/* cuts what was written after the checkpoint, and makes room when the run has become longer */
static abut_status continue_files(run *r)
{
  abut_context *ctx = r->ctx;
  int64_t frames;
  ABUT_TRY(frames_needed(r, &frames));
  ABUT_TRY(need_record(r, r->trajectory_path));
  ABUT_TRY(need_record(r, r->steps_path));
  ABUT_TRY(abut_trajectory_open(ctx, r->trajectory_path, true, &r->trajectory));
  ABUT_TRY(abut_trajectory_cut(ctx, r->trajectory, r->totals.frames));
  if (abut_trajectory_room(r->trajectory) < frames) {
    abut_trajectory_close(ctx, r->trajectory);
    r->trajectory = NULL;
    ABUT_TRY(abut_trajectory_resize(ctx, r->trajectory_path, frames));
    ABUT_TRY(abut_trajectory_open(ctx, r->trajectory_path, true, &r->trajectory));
  }
  ABUT_TRY(cut_log(r));
  r->started = true;
  return write_scene(r);
}

static bool reached(const run *r)
{
  double t = r->sim.state.time, slack = 1e-9 * r->def->step;
  if (abut_sim_next_time(&r->sim) <= t) return true;
  if (!isnan(r->options->until) && t >= r->options->until - slack) return true;
  return r->options->steps >= 0 && r->sim.state.step >= r->options->steps;
}

/* does summary.json tell of the state, and of an end? A run that was killed right after its last
   checkpoint has not come to that. */
static abut_status is_concluded(run *r, bool *concluded)
{
  char *text, hash[17];
  int64_t size;
  *concluded = false;
  if (!abut_file_exists(r->summary_path)) return ABUT_OK;
  ABUT_TRY(abut_file_read(r->ctx, r->summary_path, &text, &size));
  json_t *summary = json_loadb(text, (size_t)size, 0, NULL);
  abut_free(r->ctx, text);
  const char *status = json_string_value(json_object_get(summary, "status"));
  const char *its_hash = json_string_value(json_object_get(summary, "state_hash"));
  snprintf(hash, sizeof hash, "%016llx", (unsigned long long)abut_state_hash(&r->sim.state));
  *concluded = status && its_hash && strcmp(status, "running") != 0 && strcmp(its_hash, hash) == 0;
  json_decref(summary);
  return ABUT_OK;
}

/* resumed: whether a checkpoint was found; nothing is changed when its state is far enough already
 */
static abut_status try_resume(run *r, bool *resumed)
{
  *resumed = false;
  if (!r->options->resume || !abut_file_exists(r->scene_path)) return ABUT_OK;
  bool any;
  ABUT_TRY(abut_checkpoint_any(r->ctx, r->checkpoint_path, &any));
  if (!any) return ABUT_OK;
  ABUT_TRY(compare_scene(r));
  ABUT_TRY(abut_checkpoint_load(r->ctx, r->checkpoint_path, r->model, &r->sim.state, &r->totals,
                                resumed));
  if (!*resumed) return ABUT_OK;
  bool concluded = false;
  if (reached(r)) ABUT_TRY(is_concluded(r, &concluded));
  if (!concluded) return continue_files(r);
  abut_note(r->ctx, "the run is at %g s already; nothing is left to do", r->sim.state.time);
  return ABUT_OK;
}

static void note_idleness(const run *r)
{
  for (int32_t i = 0; i < r->def->controls; i++) {
    const abut_control_def *d = &r->def->control[i];
    if (d->kind == ABUT_CONTROL_REQUIRE && d->at > r->def->end + abut_step_slack(r->def))
      abut_note(r->ctx,
                "controls[%d] requires something at %g s, after the end at %g s: it is not "
                "tested",
                i, d->at, r->def->end);
  }
  if (!(r->def->end > 0)) abut_note(r->ctx, "time.end is 0: the start is all there will be");
  if (r->sim.model.system.dynamic == 0)
    abut_note(r->ctx, "the scene has no shell, solid or spheres: nothing moves by itself");
}

static abut_status begin(run *r, bool *resumed)
{
  abut_context *ctx = r->ctx;
  ABUT_TRY(abut_sim_build(ctx, r->def, &r->model_tables, &r->sim));
  note_idleness(r);
  r->model = abut_model_hash(&r->sim.model);
  ABUT_TRY(abut_check_start(ctx, &r->sim.model));
  ABUT_TRY(make_paths(r));
  ABUT_TRY(spare_scene(r));
  ABUT_TRY(abut_folder_make(ctx, r->options->folder));
  ABUT_TRY(abut_lock_take(ctx, r->lock_path, &r->lock));
  ABUT_TRY(try_resume(r, resumed));
  return *resumed ? ABUT_OK : begin_anew(r);
}

/* ---- stepping ---- */

static void tell(run *r, const abut_step_report *report, bool frame)
{
  if (!r->options->progress) return;
  double end = r->def->end;
  if (!isnan(r->options->until)) end = fmin(end, r->options->until);
  abut_run_progress now = {.step = report,
                           .end = end,
                           .seconds = abut_now() - r->begin,
                           .simulated = r->sim.state.time - r->from,
                           .frames = r->totals.frames,
                           .frame = frame};
  r->options->progress(r->options->progress_ctx, &now);
}

static abut_status step(run *r, abut_run_summary *summary)
{
  abut_step_report report;
  bool made;
  abut_status status = abut_sim_step(r->ctx, &r->sim, &r->model_tables, &report, &made);
  if (status == ABUT_BAD_GEOMETRY) abut_explain_start(r->ctx, &r->sim);
  /* a requirement that does not hold stops the run after a step that was made */
  if (!made) return status;
  abut_totals_add(&r->totals, &report);
  bool frame = abut_sim_is_frame(&r->sim, r->sim.state.time);
  r->torn = true;
  ABUT_TRY(write_step(r, &report));
  if (frame) ABUT_TRY(write_frame(r));
  r->torn = false;
  int64_t every = r->def->checkpoint_every;
  if (status == ABUT_OK && every > 0 && r->sim.state.step % every == 0)
    ABUT_TRY(write_checkpoint(r, "running", NULL, summary));
  tell(r, &report, frame);
  return status;
}

static abut_status advance(run *r, abut_run_summary *summary)
{
  while (!reached(r)) ABUT_TRY(step(r, summary));
  return ABUT_OK;
}

/* ---- ending ---- */

static const char *outcome(abut_status status)
{
  switch (status) {
  case ABUT_OK: return "done";
  case ABUT_STOPPED: return "stopped";
  case ABUT_CANCELLED: return "interrupted";
  default: return "failed";
  }
}

/* Saves what there is. An error that ended the run stays the one reported. */
static abut_status end(run *r, abut_status status, abut_run_summary *summary)
{
  const char *reason = status == ABUT_OK ? NULL : r->ctx->error.message;
  fill_summary(r, outcome(status), reason, summary);
  if (!r->started || !r->trajectory) return status;
  if (r->torn) {
    write_summary(r, summary);
    return status;
  }
  abut_status saved = write_checkpoint(r, outcome(status), reason, summary);
  /* a run that ended early gives the room of the frames it did not make back */
  if (saved == ABUT_OK && abut_trajectory_room(r->trajectory) > r->totals.frames) {
    abut_trajectory_close(r->ctx, r->trajectory);
    r->trajectory = NULL;
    saved = abut_trajectory_resize(r->ctx, r->trajectory_path, r->totals.frames);
  }
  return status != ABUT_OK ? status : saved;
}

abut_status abut_run_scene(abut_context *ctx, const abut_scene_file *file,
                           const abut_scene_def *def, const abut_tables *tables,
                           const abut_run_options *options, abut_run_summary *summary)
{
  run r = {.ctx = ctx,
           .file = file,
           .def = def,
           .tables = tables,
           .options = options,
           .model_tables = {tables->terms},
           .lock = -1,
           .begin = abut_now()};
  bool resumed = false;
  *summary = (abut_run_summary){.status = "failed"};
  abut_status status = begin(&r, &resumed);
  r.from = r.sim.state.time;
  if (status == ABUT_OK) {
    tell(&r, NULL, !resumed);
    status = advance(&r, summary);
  }
  status = end(&r, status, summary);
  free_run(&r);
  return status;
}
