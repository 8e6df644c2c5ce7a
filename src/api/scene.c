/* scene.c: scenes, their files, and errors. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "api/handle.h"
#include "base/memory.h"
#include "base/scratch.h"
#include "registry.h"
#include "scene/check.h"

enum { COOKIE = 0x61627574 };

const char *abut_version(void)
{
  return ABUT_VERSION;
}

int abut_exit_code(abut_status status)
{
  switch (status) {
  case ABUT_OK: return 0;
  case ABUT_BAD_ARGUMENT:
  case ABUT_BAD_FORMAT:
  case ABUT_UNSUPPORTED: return 2;
  case ABUT_BAD_GEOMETRY: return 3;
  case ABUT_STOPPED: return 4;
  case ABUT_IO:
  case ABUT_BUSY: return 5;
  case ABUT_NO_MEMORY: return 6;
  case ABUT_CANCELLED: return 130;
  case ABUT_STATUS_COUNT: break;
  }
  return 2;
}

const char *abut_status_text(abut_status status)
{
  return abut_status_sentence(status);
}

abut_settings abut_settings_default(void)
{
  return (abut_settings){.gravity = {0, 0, -9.81},
                         .step = 0.01,
                         .method = "ipc",
                         .linear_solver = "auto",
                         .cookie = COOKIE};
}

void abut_begin_call(abut_scene *s)
{
  abut_error_clear(&s->ctx);
  abut_scratch_release(&s->ctx, (abut_mark){0});
}

abut_status abut_refuse_call(abut_scene *s, const char *why)
{
  if (!s) return ABUT_BAD_ARGUMENT;
  abut_begin_call(s);
  return abut_fail(&s->ctx, ABUT_BAD_ARGUMENT, "%s", why);
}

/* ---- settings into a scene ---- */

static abut_status find_method(abut_context *ctx, const char *name, abut_step_options *out)
{
  for (const abut_method_class *const *m = abut_registry.methods; *m; m++)
    if (name && strcmp((*m)->name, name) == 0) out->method = *m;
  if (out->method) return ABUT_OK;
  return abut_fail(ctx, ABUT_UNSUPPORTED, "there is no method \"%s\"; abut_list names them",
                   name ? name : "");
}

static abut_status find_linear(abut_context *ctx, const char *name, abut_step_options *out)
{
  if (!name || strcmp(name, "auto") == 0) out->linear = abut_registry.linears[0];
  for (const abut_linear_class *const *l = abut_registry.linears; *l; l++)
    if (name && strcmp((*l)->name, name) == 0) out->linear = *l;
  if (out->linear) return ABUT_OK;
  return abut_fail(ctx, ABUT_UNSUPPORTED, "there is no linear solver \"%s\"; abut_list names them",
                   name);
}

static abut_status check_settings(abut_context *ctx, const abut_settings *t)
{
  const char *bad = NULL;
  if (t->cookie != COOKIE)
    return abut_fail(ctx, ABUT_BAD_ARGUMENT, "settings must come from abut_settings_default");
  if (!(t->step > 0 && isfinite(t->step))) bad = "step must be positive";
  if (!(t->dhat >= 0 && isfinite(t->dhat))) bad = "dhat must be positive, or 0 for auto";
  if (!(t->gap >= 0 && isfinite(t->gap))) bad = "gap must not be negative";
  if (!(t->friction >= 0 && isfinite(t->friction))) bad = "friction must not be negative";
  if (!(t->friction_velocity >= 0 && isfinite(t->friction_velocity)))
    bad = "friction_velocity must be positive, or 0 for auto";
  if (!(t->tolerance >= 0 && isfinite(t->tolerance)))
    bad = "tolerance must be positive, or 0 for auto";
  if (!(t->position_tolerance >= 0 && isfinite(t->position_tolerance)))
    bad = "position_tolerance must be positive, or 0 to leave it out";
  if (!(t->stiffness >= 0 && isfinite(t->stiffness)))
    bad = "stiffness must be positive, or 0 for auto";
  if (t->max_newton < 0) bad = "max_newton must be positive, or 0 for auto";
  if (t->threads < 0) bad = "threads must be positive, or 0 for one per processor";
  for (int k = 0; k < 3; k++)
    if (!isfinite(t->gravity[k])) bad = "gravity must be finite";
  return bad ? abut_fail(ctx, ABUT_BAD_ARGUMENT, "%s", bad) : ABUT_OK;
}

static abut_status use_settings(abut_scene *s)
{
  const abut_settings *t = &s->settings;
  ABUT_TRY(check_settings(&s->ctx, t));
  s->def = abut_scene_def_default();
  s->def.gravity = v3(t->gravity[0], t->gravity[1], t->gravity[2]);
  s->def.step = t->step;
  s->def.end = HUGE_VAL;
  s->def.dhat = t->dhat;
  s->def.gap = t->gap;
  s->def.friction = t->friction;
  abut_step_options *o = &s->def.options;
  ABUT_TRY(find_method(&s->ctx, t->method, o));
  ABUT_TRY(abut_scene_file_method_defaults(&s->ctx, &abut_registry, t->method, &s->def));
  o->tolerance = t->tolerance;
  o->position_tolerance = t->position_tolerance;
  if (t->max_newton > 0) o->max_newton = t->max_newton;
  o->friction_velocity = t->friction_velocity;
  o->stiffness = t->stiffness;
  return find_linear(&s->ctx, t->linear_solver, o);
}

/* ---- life ---- */

/* the error of a scene that could not be made */
static _Thread_local char create_message[256];
static _Thread_local abut_status create_status;

static abut_status refuse_create(abut_status status, const char *message)
{
  size_t n = 0;
  for (; message && message[n] && n + 1 < sizeof create_message; n++)
    create_message[n] = message[n];
  create_message[n] = '\0';
  create_status = status;
  return status;
}

abut_status abut_create(const abut_settings *settings, abut_scene **out)
{
  if (!out) return refuse_create(ABUT_BAD_ARGUMENT, "out must not be NULL");
  *out = NULL;
  abut_settings standard = abut_settings_default();
  if (!settings) settings = &standard;
  if (!settings->allocator.alloc != !settings->allocator.free)
    return refuse_create(ABUT_BAD_ARGUMENT, "an allocator needs both alloc and free, or neither");
  abut_context ctx;
  abut_context_init(&ctx, &settings->allocator, settings->threads);
  abut_scene *s = abut_calloc(&ctx, 1, sizeof *s);
  if (!s) {
    abut_context_free(&ctx);
    return refuse_create(ABUT_NO_MEMORY, "out of memory");
  }
  s->ctx = ctx;
  s->settings = *settings;
  s->ctx.log = settings->log;
  s->ctx.log_ctx = settings->log_ctx;
  s->ctx.cancelled = settings->poll;
  s->ctx.cancel_ctx = settings->poll_ctx;
  abut_status status = use_settings(s);
  if (status != ABUT_OK) {
    refuse_create(status, s->ctx.error.message);
    abut_destroy(s);
    return status;
  }
  *out = s;
  return ABUT_OK;
}

void abut_drop_sim(abut_scene *s)
{
  abut_sim_free(&s->ctx, &s->sim);
  abut_free(&s->ctx, s->x);
  abut_free(&s->ctx, s->v);
  abut_free(&s->ctx, s->contact);
  abut_pair_forces_free(&s->ctx, &s->forces);
  s->x = s->v = NULL;
  s->contact = NULL;
  s->built = s->fresh = s->faulty = false;
}

void abut_destroy(abut_scene *s)
{
  if (!s) return;
  abut_drop_sim(s);
  abut_scene_def_free(&s->ctx, &s->def);
  abut_scene_file_free(&s->ctx, &s->file);
  abut_text_free(&s->ctx, &s->text);
  abut_scene_def_free(&s->ctx, &s->checked);
  abut_faults_free(&s->ctx, &s->faults);
  abut_verdict_free(&s->ctx, &s->verdict);
  abut_free(&s->ctx, s->finding);
  /* the context lives in the block that it must free */
  abut_context ctx = s->ctx;
  abut_context_free(&ctx);
  abut_free(&ctx, s);
}

abut_error abut_last_error(const abut_scene *s)
{
  if (!s)
    return (abut_error){.code = create_status,
                        .message = create_message[0] ? create_message
                                                     : abut_status_sentence(create_status)};
  const abut_error_place *e = &s->ctx.error;
  abut_error out = {.code = s->ctx.error_code,
                    .message = e->message ? e->message : abut_status_sentence(s->ctx.error_code),
                    .file = e->file,
                    .line = e->line,
                    .key = e->key,
                    .object = e->object,
                    .element = e->element,
                    .has_position = e->has_position};
  memcpy(out.position, e->position, sizeof out.position);
  return out;
}

/* ---- files ---- */

static bool empty(const abut_scene *s)
{
  return !s->file.root && s->def.objects == 0 && s->def.controls == 0;
}

/* a scene whose file could not be read stays empty */
static abut_status loaded(abut_scene *s, abut_status status)
{
  if (status != ABUT_OK) abut_scene_file_free(&s->ctx, &s->file);
  return status;
}

abut_status abut_load(abut_scene *s, const char *path)
{
  if (!s || !path) return abut_refuse_call(s, "path must not be NULL");
  abut_begin_call(s);
  if (!empty(s)) return abut_fail(&s->ctx, ABUT_BAD_ARGUMENT, "the scene is not empty");
  return loaded(s, abut_scene_file_load(&s->ctx, path, &s->file));
}

abut_status abut_parse(abut_scene *s, const char *text, const char *folder)
{
  if (!s || !text || !folder) return abut_refuse_call(s, "text and folder must not be NULL");
  abut_begin_call(s);
  if (!empty(s)) return abut_fail(&s->ctx, ABUT_BAD_ARGUMENT, "the scene is not empty");
  return loaded(s, abut_scene_file_parse(&s->ctx, text, folder, &s->file));
}

static abut_status can_change(abut_scene *s)
{
  if (!s->file.root) return abut_fail(&s->ctx, ABUT_BAD_ARGUMENT, "load a scene first");
  if (s->built)
    return abut_fail(&s->ctx, ABUT_BAD_ARGUMENT, "the scene has been built; change it before");
  abut_drop_sim(s);
  s->read = false;
  return ABUT_OK;
}

abut_status abut_set(abut_scene *s, const char *setting)
{
  if (!s || !setting) return abut_refuse_call(s, "setting must not be NULL");
  abut_begin_call(s);
  ABUT_TRY(can_change(s));
  return abut_scene_file_set(&s->ctx, &s->file, &abut_registry, setting);
}

abut_status abut_set_method(abut_scene *s, const char *method)
{
  if (!s || !method) return abut_refuse_call(s, "method must not be NULL");
  abut_begin_call(s);
  ABUT_TRY(can_change(s));
  return abut_scene_file_set_method(&s->ctx, &s->file, &abut_registry, method);
}

abut_status abut_need_def(abut_scene *s)
{
  if (!s->file.root || s->read) return ABUT_OK;
  abut_scene_def_free(&s->ctx, &s->def);
  ABUT_TRY(abut_scene_file_read(&s->ctx, &s->file, &abut_registry, &s->def));
  s->read = true;
  if (s->settings.threads <= 0 && s->def.threads > 0) s->ctx.threads = s->def.threads;
  return ABUT_OK;
}

abut_status abut_need_sim(abut_scene *s)
{
  if (s->built) return ABUT_OK;
  abut_model_tables tables = {abut_registry.terms};
  ABUT_TRY(abut_need_def(s));
  abut_drop_sim(s);
  abut_status status = abut_sim_build(&s->ctx, &s->def, &tables, &s->sim);
  if (status == ABUT_OK) {
    status = abut_check_start(&s->ctx, &s->sim.model);
    s->built = status == ABUT_OK;
    s->faulty = status == ABUT_BAD_GEOMETRY;
  }
  if (status != ABUT_OK) abut_scene_file_locate(&s->ctx, &s->file);
  if (!s->built && !s->faulty) abut_drop_sim(s);
  return status;
}
