#include "io/scene_file.h"

#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "io/scene_read.h"

void abut_broken_free(abut_context *ctx, abut_broken_list *list)
{
  for (int64_t i = 0; i < list->count; i++) abut_error_place_free(ctx, &list->item[i].place);
  abut_free(ctx, list->item);
  *list = (abut_broken_list){0};
}

void abut_scene_file_free(abut_context *ctx, abut_scene_file *f)
{
  abut_free(ctx, f->path);
  abut_free(ctx, f->folder);
  abut_free(ctx, f->text);
  abut_free(ctx, f->method);
  json_decref(f->root);
  *f = (abut_scene_file){0};
}

static abut_status parse(abut_context *ctx, abut_scene_file *f, char *text, int64_t size)
{
  f->text = text;
  ABUT_TRY(abut_json_parse(ctx, f->path, text, size, &f->root));
  if (json_is_object(f->root)) return ABUT_OK;
  abut_status status = abut_fail(ctx, ABUT_BAD_FORMAT, "a scene is an object: {\"abut\": 1, ...}");
  abut_error_at_line(ctx, f->path, 1);
  return status;
}

abut_status abut_scene_file_load(abut_context *ctx, const char *path, abut_scene_file *f)
{
  *f = (abut_scene_file){0};
  f->path = abut_copy_text(ctx, path);
  f->folder = abut_path_folder(ctx, path);
  if (!f->path || !f->folder) return ABUT_NO_MEMORY;
  char *text;
  int64_t size;
  ABUT_TRY(abut_file_read(ctx, path, &text, &size));
  return parse(ctx, f, text, size);
}

abut_status abut_scene_file_parse(abut_context *ctx, const char *text, const char *folder,
                                  abut_scene_file *f)
{
  *f = (abut_scene_file){0};
  f->path = abut_copy_text(ctx, "");
  f->folder = abut_copy_text(ctx, folder);
  char *copy = abut_copy_text(ctx, text);
  if (!f->path || !f->folder || !copy) {
    abut_free(ctx, copy);
    return ABUT_NO_MEMORY;
  }
  return parse(ctx, f, copy, (int64_t)strlen(copy));
}

void abut_scene_file_locate(abut_context *ctx, const abut_scene_file *f)
{
  if (!f->path || !f->path[0] || ctx->error.file) return;
  int line = f->text && ctx->error.key ? abut_json_line(f->text, ctx->error.key) : 0;
  abut_error_at_line(ctx, f->path, line);
}

/* "method": "ipc" is short for "method": {"name": "ipc"} */
static abut_status lengthen(abut_context *ctx, json_t *root, const char *key)
{
  json_t *value = json_object_get(root, key), *object, *name;
  if (!json_is_string(value)) return ABUT_OK;
  ABUT_JSON_MAKE(ctx, object, json_object());
  name = json_string(json_string_value(value));
  if (!name || json_object_set_new(object, "name", name) != 0 ||
      json_object_set_new(root, key, object) != 0)
    return abut_fail(ctx, ABUT_NO_MEMORY, "out of memory");
  return ABUT_OK;
}

static abut_status lengthen_all(abut_context *ctx, json_t *root)
{
  ABUT_TRY(lengthen(ctx, root, "method"));
  return lengthen(ctx, root, "linear_solver");
}

static abut_status set(abut_context *ctx, json_t *root, const char *setting, const char *equals)
{
  ABUT_TRY(lengthen_all(ctx, root));
  char *key = abut_copy_text(ctx, setting);
  if (!key) return ABUT_NO_MEMORY;
  key[equals - setting] = '\0';
  json_t *value = json_loads(equals + 1, JSON_DECODE_ANY | JSON_REJECT_DUPLICATES, NULL);
  if (!value) value = json_string(equals + 1);
  abut_status status = value ? abut_json_set(ctx, root, key, value)
                             : abut_fail(ctx, ABUT_BAD_ARGUMENT, "--set %s: not UTF-8", setting);
  abut_free(ctx, key);
  /* --set method=ipc replaces the object by its short form */
  return status == ABUT_OK ? lengthen_all(ctx, root) : status;
}

/* Is the place in the scene the key of a setting, below it, or above it and made by the setting?
   The key has a length; the first characters of it, that many, led somewhere before. */
static bool is_of_setting(const char *place, const char *setting, size_t length, size_t before)
{
  size_t n = place ? strlen(place) : 0;
  bool above = n < length;
  if (n == 0 || strncmp(place, setting, above ? n : length) != 0) return false;
  if (above && n < before) return false;
  char next = above ? setting[n] : place[length];
  return next == '\0' || next == '.' || next == '[';
}

static abut_status check_setting(abut_context *ctx, const abut_scene_file *f, const json_t *root,
                                 const abut_tables *tables, const char *setting, size_t length)
{
  abut_scene_file draft = {
      .path = f->path, .folder = f->folder, .method = f->method, .no_meshes = true, .draft = true};
  abut_scene_def scene;
  /* reading writes defaults into the tree, which the next setting may make wrong */
  ABUT_JSON_MAKE(ctx, draft.root, json_deep_copy(root));
  abut_log_fn *log = ctx->log;
  ctx->log = NULL;
  abut_status status = abut_scene_file_read(ctx, &draft, tables, &scene);
  ctx->log = log;
  abut_scene_def_free(ctx, &scene);
  json_decref(draft.root);
  if (status == ABUT_OK || status == ABUT_NO_MEMORY) return status;
  size_t before = abut_json_reach(f->root, setting);
  if (is_of_setting(ctx->error.key, setting, length, before)) return status;
  abut_error_clear(ctx);
  return ABUT_OK;
}

abut_status abut_scene_file_set(abut_context *ctx, abut_scene_file *f, const abut_tables *tables,
                                const char *setting)
{
  const char *equals = strchr(setting, '=');
  if (!equals || equals == setting)
    return abut_fail(ctx, ABUT_BAD_ARGUMENT, "--set %s: write KEY=VALUE, as in contact.dhat=1e-3",
                     setting);
  /* a setting that cannot be made leaves no traces */
  json_t *changed;
  ABUT_JSON_MAKE(ctx, changed, json_deep_copy(f->root));
  abut_status status = set(ctx, changed, setting, equals);
  if (status == ABUT_OK)
    status = check_setting(ctx, f, changed, tables, setting, (size_t)(equals - setting));
  if (status == ABUT_OK) {
    json_t *old = f->root;
    f->root = changed;
    changed = old;
    abut_free(ctx, f->text); /* lines would no longer be right */
    f->text = NULL;
  }
  json_decref(changed);
  return status;
}

abut_status abut_scene_file_set_method(abut_context *ctx, abut_scene_file *f,
                                       const abut_tables *tables, const char *method)
{
  const abut_method_class *known;
  const char *nearest;
  abut_text why = {0};
  if (!abut_method_find(tables, method, &known, &nearest)) {
    ABUT_TRY(abut_method_missing(ctx, method, nearest, &why));
    abut_status status = abut_fail(ctx, ABUT_UNSUPPORTED, "--method %s: %s", method, why.data);
    abut_text_free(ctx, &why);
    return status;
  }
  char *copy = abut_copy_text(ctx, method);
  if (!copy) return ABUT_NO_MEMORY;
  abut_free(ctx, f->method);
  f->method = copy;
  return ABUT_OK;
}

/* ---- reading ---- */

typedef struct top {
  int64_t version, threads;
  char *name;
  vec3 gravity;
} top;

static const abut_key top_keys[] = {
    {"abut", ABUT_KEY_INTEGER, ABUT_AT_LEAST_ONE, offsetof(top, version), "!", "",
     "version of the format, 1"},
    {"version", ABUT_KEY_OTHER, ABUT_ANY, 0, NULL, "",
     "version of the program that wrote a run's scene.json; ignored"},
    {"name", ABUT_KEY_TEXT, ABUT_ANY, offsetof(top, name), "\"\"", "", "title of the scene"},
    {"gravity", ABUT_KEY_VECTOR, ABUT_ANY, offsetof(top, gravity), "[0, 0, -9.81]", "m/s^2",
     "acceleration of everything that has mass"},
    {"time", ABUT_KEY_OTHER, ABUT_ANY, 0, "{}", "", "step, end, frame_rate"},
    {"method", ABUT_KEY_OTHER, ABUT_ANY, 0, "\"ipc\"", "", "a name, or an object with options"},
    {"linear_solver", ABUT_KEY_OTHER, ABUT_ANY, 0, "\"auto\"", "",
     "a name, or an object with options"},
    {"threads", ABUT_KEY_INTEGER, ABUT_NOT_NEGATIVE, offsetof(top, threads), "0", "",
     "threads to use, 0: one per processor; results do not depend on it"},
    {"contact", ABUT_KEY_OTHER, ABUT_ANY, 0, "{}", "", "what touches, and how"},
    {"materials", ABUT_KEY_OTHER, ABUT_ANY, 0, "{}", "", "materials by name"},
    {"objects", ABUT_KEY_OTHER, ABUT_ANY, 0, "[]", "", "list of objects"},
    {"controls", ABUT_KEY_OTHER, ABUT_ANY, 0, "[]", "", "list of controls"},
    {"output", ABUT_KEY_OTHER, ABUT_ANY, 0, "{}", "", "format, checkpoint_every"},
};

static const abut_key time_keys[] = {
    {"step", ABUT_KEY_NUMBER, ABUT_POSITIVE, offsetof(abut_scene_def, step), "0.01", "s",
     "length of a step"},
    {"end", ABUT_KEY_NUMBER, ABUT_NOT_NEGATIVE, offsetof(abut_scene_def, end), "1.0", "s",
     "end of the run"},
    {"frame_rate", ABUT_KEY_NUMBER, ABUT_POSITIVE, offsetof(abut_scene_def, frame_rate), NULL,
     "1/s", "frames per second; without it every step is a frame"},
};

typedef struct output {
  char *format;
  int64_t checkpoint_every;
} output;

static const abut_key output_keys[] = {
    {"format", ABUT_KEY_TEXT, ABUT_ANY, offsetof(output, format), "\"vtkhdf\"", "",
     "format of the trajectory"},
    {"checkpoint_every", ABUT_KEY_INTEGER, ABUT_NOT_NEGATIVE, offsetof(output, checkpoint_every),
     "100", "steps", "steps between checkpoints; 0: only at the end"},
};

static abut_status read_output(abut_scene_reader *s, json_t *value_object)
{
  output o = {0};
  abut_status status = abut_keys_read(&s->r, value_object, ABUT_KEYS(output_keys), &o);
  if (status == ABUT_OK && strcmp(o.format, "vtkhdf") != 0) {
    status = abut_reader_enter(&s->r, "format");
    if (status == ABUT_OK)
      status = abut_reader_fail(&s->r, ABUT_UNSUPPORTED,
                                "a run writes \"vtkhdf\"; other formats come from `abut export`");
  }
  s->scene->checkpoint_every = o.checkpoint_every;
  abut_free(s->r.ctx, o.format);
  return status;
}

static abut_status read_top(abut_scene_reader *s, json_t *root, top *t)
{
  abut_reader *r = &s->r;
  ABUT_TRY(abut_keys_read(r, root, ABUT_KEYS(top_keys), t));
  if (t->version != 1) {
    ABUT_TRY(abut_reader_enter(r, "abut"));
    return abut_reader_fail(r, ABUT_UNSUPPORTED,
                            "this program reads version 1 of the format, not %lld",
                            (long long)t->version);
  }
  s->scene->gravity = t->gravity;
  s->scene->threads = (int)t->threads;
  s->scene->name = t->name;
  t->name = NULL;
  return ABUT_OK;
}

static abut_status read_scene(abut_scene_reader *s, json_t *root)
{
  abut_reader *r = &s->r;
  top t = {0};
  abut_status status = read_top(s, root, &t);
  abut_free(r->ctx, t.name);
  ABUT_TRY(status);
  ABUT_READ_AT(r, root, "time", abut_keys_read(r, value, ABUT_KEYS(time_keys), s->scene));
  ABUT_TRY(lengthen_all(r->ctx, root));
  ABUT_TRY(abut_read_options(s, root));
  ABUT_READ_AT(r, root, "materials", abut_read_materials(s, value));
  ABUT_READ_AT(r, root, "objects", abut_read_objects(s, value));
  if (!s->file->broken || s->file->broken->count == 0)
    ABUT_READ_AT(r, root, "controls", abut_read_controls(s, value));
  ABUT_READ_AT(r, root, "output", read_output(s, value));
  return ABUT_OK;
}

abut_status abut_scene_file_read(abut_context *ctx, abut_scene_file *f, const abut_tables *tables,
                                 abut_scene_def *scene)
{
  *scene = abut_scene_def_default();
  abut_scene_reader s = {.r = {.ctx = ctx, .file = f->path[0] ? f->path : NULL, .text = f->text},
                         .file = f,
                         .tables = tables,
                         .scene = scene};
  abut_status status = read_scene(&s, f->root);
  abut_text_free(ctx, &s.r.path);
  return status;
}
