/* check.c: faults before a run and crossings after it, as lists. */
#include <math.h>
#include <string.h>

#include "api/handle.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/scratch.h"
#include "io/info.h"
#include "registry.h"

/* ---- findings ---- */

static abut_finding finding_of(const abut_fault *f, char *const *names, int64_t frame)
{
  abut_finding out = {.error = abut_fault_is_error(f->kind),
                      .kind = abut_fault_name(f->kind),
                      .position = {f->position.x, f->position.y, f->position.z},
                      .distance = f->distance,
                      .frame = frame,
                      .message = f->message};
  for (int k = 0; k < 2; k++) {
    if (!f->element[k].kind) continue;
    out.object[k] = names[f->element[k].object];
    out.element[k] = f->element[k].kind;
    out.index[k] = f->element[k].index;
  }
  return out;
}

static abut_status make_list(abut_scene *s, const abut_faults *f, char *const *names,
                             const int64_t *frame, const abut_finding **list, int64_t *count)
{
  abut_free(&s->ctx, s->finding);
  s->finding = NULL;
  ABUT_MAKE(&s->ctx, s->finding, f->count);
  for (int64_t i = 0; i < f->count; i++)
    s->finding[i] = finding_of(&f->item[i], names, frame ? frame[i] : -1);
  *list = s->finding;
  *count = f->count;
  return ABUT_OK;
}

/* ---- check ---- */

typedef struct checkup {
  abut_scene *s;
  abut_scene_file file;
  abut_broken_list broken;
  abut_model model;
} checkup;

/* a mesh file becomes a scene of one object */
static abut_status wrap_mesh(checkup *c, const abut_format_class *f, const char *path)
{
  abut_scene *s = c->s;
  abut_context *ctx = &s->ctx;
  abut_mesh_data mesh = {0};
  ABUT_TRY(f->read(ctx, path, &mesh));
  bool solid = mesh.tets > 0;
  abut_object_def o = abut_object_def_default(solid ? ABUT_SOLID : ABUT_SHELL);
  o.mesh = mesh;
  abut_material_def m = abut_material_def_default();
  m.young = m.density = m.thickness = 1;
  m.poisson = m.bending_scale = 0;
  m.name = abut_copy_text(ctx, "any");
  m.model = abut_copy_text(ctx, solid ? "stable_neo_hookean" : "stvk");
  o.name = abut_copy_text(ctx, abut_path_name(path));
  o.material = abut_copy_text(ctx, "any");
  if (!m.name || !m.model || !o.name || !o.material) {
    abut_free(ctx, m.name);
    abut_free(ctx, m.model);
    abut_object_def_free(ctx, &o);
    return ABUT_NO_MEMORY;
  }
  abut_status status = abut_scene_add_material(ctx, &s->checked, &m);
  if (status == ABUT_OK) return abut_scene_add_object(ctx, &s->checked, &o);
  abut_object_def_free(ctx, &o);
  return status;
}

static abut_status load(checkup *c, const char *path)
{
  abut_scene *s = c->s;
  const abut_format_class *f = NULL;
  ABUT_TRY(abut_format_find(&s->ctx, &abut_registry, path, &f));
  abut_scene_def_free(&s->ctx, &s->checked);
  if (f) {
    s->checked = abut_scene_def_default();
    s->checked.options.method = abut_registry.methods[0];
    s->checked.options.linear = abut_registry.linears[0];
    return wrap_mesh(c, f, path);
  }
  ABUT_TRY(abut_scene_file_load(&s->ctx, path, &c->file));
  c->file.broken = &c->broken;
  return abut_scene_file_read(&s->ctx, &c->file, &abut_registry, &s->checked);
}

static abut_status add_broken(checkup *c)
{
  for (int64_t i = 0; i < c->broken.count; i++) {
    const abut_error_place *p = &c->broken.item[i].place;
    const char *object = p->object ? p->object : "object";
    const char *what = p->message ? p->message : "unreadable";
    abut_fault f = {.kind = ABUT_FAULT_UNREADABLE, .distance = NAN, .position = {NAN, NAN, NAN}};
    ABUT_TRY(p->line > 0 ? abut_faults_add(&c->s->ctx, &c->s->faults, &f, "%s: %s:%d: %s", object,
                                           p->file, p->line, what)
                         : abut_faults_add(&c->s->ctx, &c->s->faults, &f, "%s: %s: %s", object,
                                           p->file, what));
  }
  return ABUT_OK;
}

/* Pairs need a model, and a model needs cells that are not degenerate. */
static bool can_build(const abut_scene *s)
{
  for (int64_t i = 0; i < s->faults.count; i++)
    if (s->faults.item[i].kind == ABUT_FAULT_DEGENERATE) return false;
  return true;
}

static abut_status check_pairs(checkup *c)
{
  abut_scene *s = c->s;
  abut_context *ctx = &s->ctx;
  abut_model_tables tables = {abut_registry.terms};
  ABUT_TRY(abut_model_build(ctx, &s->checked, &tables, &c->model));
  abut_mark mark = abut_scratch_mark(ctx);
  bool *prescribed = ABUT_SCRATCH(ctx, bool, c->model.system.vertices);
  if (!prescribed) return ABUT_NO_MEMORY;
  abut_controls_prescribed(&c->model, 0, prescribed);
  ABUT_TRY(abut_check_pairs(ctx, &c->model, c->model.start, prescribed, &s->faults));
  abut_scratch_release(ctx, mark);
  return ABUT_OK;
}

/* Objects with faulty files are missing from the model: what then does not fit together is no news.
 */
static abut_status check_model(checkup *c)
{
  abut_context *ctx = &c->s->ctx;
  if (!can_build(c->s)) {
    abut_note(ctx, "pairs are looked at once no cell is degenerate");
    return ABUT_OK;
  }
  abut_status status = check_pairs(c);
  if (status == ABUT_OK || status == ABUT_NO_MEMORY || c->broken.count == 0) return status;
  abut_error_clear(ctx);
  return ABUT_OK;
}

static abut_status check(checkup *c, const char *path, double weld)
{
  abut_scene *s = c->s;
  ABUT_TRY(load(c, path));
  if (weld > 0)
    for (int32_t i = 0; i < s->checked.objects; i++) s->checked.object[i].weld = weld;
  ABUT_TRY(add_broken(c));
  ABUT_TRY(abut_check_meshes(&s->ctx, &s->checked, &s->faults));
  ABUT_TRY(check_model(c));
  return abut_faults_sort(&s->ctx, &s->faults);
}

/* names of the objects, for findings */
static abut_status list_names(abut_scene *s, const abut_finding **list, int64_t *count)
{
  abut_mark mark = abut_scratch_mark(&s->ctx);
  char **names = ABUT_SCRATCH(&s->ctx, char *, s->checked.objects);
  if (!names) return ABUT_NO_MEMORY;
  for (int32_t i = 0; i < s->checked.objects; i++) names[i] = s->checked.object[i].name;
  abut_status status = make_list(s, &s->faults, names, NULL, list, count);
  abut_scratch_release(&s->ctx, mark);
  return status;
}

/* what the first faulty mesh file said is also how the call ends */
static abut_status broken_status(checkup *c)
{
  if (c->broken.count == 0) return ABUT_OK;
  struct abut_broken_object *b = &c->broken.item[0];
  c->s->ctx.error = b->place;
  c->s->ctx.error_code = b->code;
  b->place = (abut_error_place){0};
  return b->code;
}

abut_status abut_check(abut_scene *s, const char *path, double weld, const char *bad_obj,
                       const abut_finding **list, int64_t *count)
{
  if (!s || !path || !list || !count || !(weld >= 0))
    return abut_refuse_call(s, "path, list and count must not be NULL, weld not negative");
  abut_begin_call(s);
  *list = NULL;
  *count = 0;
  abut_scene_def_free(&s->ctx, &s->checked);
  abut_faults_free(&s->ctx, &s->faults);
  checkup c = {.s = s};
  abut_status status = check(&c, path, weld);
  if (status == ABUT_OK && bad_obj) status = abut_faults_write_obj(&s->ctx, &s->faults, bad_obj);
  if (status == ABUT_OK) status = list_names(s, list, count);
  if (status == ABUT_OK) status = broken_status(&c);
  if (status != ABUT_OK) abut_scene_file_locate(&s->ctx, &c.file);
  if (status != ABUT_OK) abut_error_at_key(&s->ctx, path, NULL);
  abut_model_free(&s->ctx, &c.model);
  abut_scene_file_free(&s->ctx, &c.file);
  abut_broken_free(&s->ctx, &c.broken);
  return status;
}

/* ---- verify ---- */

abut_status abut_verify(abut_scene *s, const char *folder, const abut_finding **list,
                        int64_t *count, int64_t *frames)
{
  if (!s || !folder || !list || !count)
    return abut_refuse_call(s, "folder, list and count must not be NULL");
  abut_begin_call(s);
  *list = NULL;
  *count = 0;
  abut_verdict_free(&s->ctx, &s->verdict);
  ABUT_TRY(abut_verify_run(&s->ctx, folder, &abut_registry, &s->verdict));
  if (frames) *frames = s->verdict.frames;
  return make_list(s, &s->verdict.faults, s->verdict.object, s->verdict.frame, list, count);
}
