/* run.c: whole runs, their exports and their description. */
#include <math.h>
#include <string.h>

#include "api/handle.h"
#include "base/file.h"
#include "base/memory.h"
#include "io/frame_slice.h"
#include "io/info.h"
#include "registry.h"

enum { COOKIE = 0x72756e00 };

abut_run_def abut_run_def_default(void)
{
  return (abut_run_def){.until = HUGE_VAL, .steps = -1, .cookie = COOKIE};
}

typedef struct teller {
  const abut_run_def *def;
} teller;

static void tell(void *ctx, const abut_run_progress *now)
{
  const abut_run_def *def = ((teller *)ctx)->def;
  abut_report r = {.min_gap = HUGE_VAL};
  if (now->step) {
    r.steps = now->step->step;
    r.newton = now->step->newton;
    abut_fill_report(now->step, &r);
  }
  def->progress(def->progress_ctx, &r, now->end, now->seconds, now->frame ? now->frames - 1 : -1);
}

/* out/ and the scene file's name without its suffix */
static char *default_folder(abut_context *ctx, const char *path)
{
  const char *name = abut_path_name(path), *dot = strrchr(name, '.');
  abut_text text = {0};
  int length = (int)(dot && dot > name ? dot - name : (ptrdiff_t)strlen(name));
  if (abut_text_add(ctx, &text, "out/%.*s", length > 0 ? length : 5, length > 0 ? name : "scene") !=
      ABUT_OK)
    abut_text_free(ctx, &text);
  return text.data;
}

abut_status abut_run(abut_scene *s, const abut_run_def *def)
{
  if (!s || !def || def->cookie != COOKIE)
    return abut_refuse_call(s, "def must come from abut_run_def_default");
  abut_begin_call(s);
  abut_context *ctx = &s->ctx;
  if (!(def->until >= 0))
    return abut_fail(ctx, ABUT_BAD_ARGUMENT, "until must be a time in seconds, not %g", def->until);
  if (def->steps < -1)
    return abut_fail(ctx, ABUT_BAD_ARGUMENT, "steps must be -1 for no limit, or more, not %lld",
                     (long long)def->steps);
  if (!s->file.root)
    return abut_fail(ctx, ABUT_UNSUPPORTED,
                     "abut_run needs a scene that was loaded or parsed; "
                     "step one that was built piece by piece");
  ABUT_TRY(abut_need_def(s));
  char *folder = def->folder ? abut_copy_text(ctx, def->folder) : default_folder(ctx, s->file.path);
  if (!folder) return ABUT_NO_MEMORY;
  teller t = {def};
  abut_run_options o = {.folder = folder,
                        .resume = def->resume,
                        .until = def->until < HUGE_VAL ? def->until : NAN,
                        .steps = def->steps,
                        .progress = def->progress ? tell : NULL,
                        .progress_ctx = &t};
  abut_run_summary summary;
  abut_status status = abut_run_scene(ctx, &s->file, &s->def, &abut_registry, &o, &summary);
  if (status != ABUT_OK) abut_scene_file_locate(ctx, &s->file);
  abut_free(ctx, folder);
  return status;
}

/* ---- export ---- */

static const abut_format_class *find_format(const char *name)
{
  for (const abut_format_class *const *f = abut_registry.formats; *f; f++)
    if (strcmp((*f)->name, name) == 0 && (*f)->export_frames) return *f;
  return NULL;
}

static abut_status refuse_format(abut_context *ctx, const char *format)
{
  static const char *const later[] = {"gltf", "usd", "pc2"};
  for (size_t k = 0; k < sizeof later / sizeof *later; k++)
    if (strcmp(format, later[k]) == 0)
      return abut_fail(ctx, ABUT_UNSUPPORTED,
                       "exporting %s is not available in this version; obj, ply, npy and vtkhdf "
                       "are",
                       format);
  return abut_fail(ctx, ABUT_UNSUPPORTED,
                   "there is no format \"%s\" to export; obj, ply, npy and "
                   "vtkhdf are",
                   format);
}

/* FOLDER/export/FORMAT; a format of one file gets its suffix, its folder is made */
static abut_status default_path(abut_context *ctx, const abut_format_class *f, const char *folder,
                                abut_text *path)
{
  ABUT_TRY(abut_text_add(ctx, path, "%s/export", folder));
  ABUT_TRY(abut_folder_make(ctx, path->data));
  return abut_text_add(ctx, path, "/%s%s%s", f->name, f->one_file ? "." : "",
                       f->one_file ? f->name : "");
}

static long long frames_in(abut_frame_slice s)
{
  int64_t way = s.step > 0 ? s.end - s.first + s.step - 1 : s.first - s.end - s.step - 1;
  return way > 0 ? way / (s.step > 0 ? s.step : -s.step) : 0;
}

static abut_status export_to(abut_context *ctx, const abut_format_class *f, const char *folder,
                             const char *frames, const char *path)
{
  abut_trajectory *t = NULL;
  abut_frame_slice slice;
  abut_text standard = {0};
  char *file = abut_path_join(ctx, folder, "trajectory.vtkhdf");
  abut_status status = file ? abut_trajectory_open(ctx, file, false, &t) : ABUT_NO_MEMORY;
  if (status == ABUT_OK)
    status = abut_frame_slice_parse(ctx, frames, abut_trajectory_frames(t), &slice);
  if (status == ABUT_OK && !path) status = default_path(ctx, f, folder, &standard);
  if (status == ABUT_OK) status = f->export_frames(ctx, t, slice, path ? path : standard.data);
  if (status == ABUT_OK)
    abut_note(ctx, "%lld frames in %s", frames_in(slice), path ? path : standard.data);
  abut_trajectory_close(ctx, t);
  abut_text_free(ctx, &standard);
  abut_free(ctx, file);
  return status;
}

abut_status abut_export(abut_scene *s, const char *folder, const char *format, const char *frames,
                        const char *path)
{
  if (!s || !folder || !format) return abut_refuse_call(s, "folder and format must not be NULL");
  abut_begin_call(s);
  const abut_format_class *f = find_format(format);
  if (!f) return refuse_format(&s->ctx, format);
  return export_to(&s->ctx, f, folder, frames, path);
}

/* ---- info ---- */

static abut_status info_mesh(abut_scene *s, const abut_format_class *f, const char *path)
{
  abut_mesh_data mesh = {0};
  abut_status status = f->read(&s->ctx, path, &mesh);
  if (status == ABUT_OK) status = abut_info_mesh(&s->ctx, path, &mesh, &s->text);
  abut_mesh_free(&s->ctx, &mesh);
  return status;
}

static abut_status info_scene(abut_scene *s, const char *path)
{
  abut_context *ctx = &s->ctx;
  abut_model_tables tables = {abut_registry.terms};
  abut_scene_file file = {0};
  abut_scene_def def = {0};
  abut_model model = {0};
  abut_status status = abut_scene_file_load(ctx, path, &file);
  if (status == ABUT_OK) status = abut_scene_file_read(ctx, &file, &abut_registry, &def);
  if (status == ABUT_OK) status = abut_model_build(ctx, &def, &tables, &model);
  if (status == ABUT_OK) status = abut_info_scene(ctx, path, &model, &s->text);
  if (status != ABUT_OK) abut_scene_file_locate(ctx, &file);
  abut_model_free(ctx, &model);
  abut_scene_def_free(ctx, &def);
  abut_scene_file_free(ctx, &file);
  return status;
}

static abut_status info(abut_scene *s, const char *path)
{
  const abut_format_class *f = NULL;
  if (abut_folder_exists(path)) return abut_info_run(&s->ctx, path, &s->text);
  ABUT_TRY(abut_format_find(&s->ctx, &abut_registry, path, &f));
  return f ? info_mesh(s, f, path) : info_scene(s, path);
}

abut_status abut_info(abut_scene *s, const char *path, const char **text)
{
  if (!s || !path || !text) return abut_refuse_call(s, "path and text must not be NULL");
  abut_begin_call(s);
  *text = NULL;
  s->text.length = 0;
  ABUT_TRY(info(s, path));
  *text = s->text.data;
  return ABUT_OK;
}
