#include "io/checkpoint.h"

#include <string.h>

#include "base/file.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/text.h"

/* grows when what a field means changes */
enum { VERSION = 2 };
static const char magic[8] = "abutckpt";
static const char suffix[] = ".abut";

static uint64_t hash_array(uint64_t hash, const void *data, int64_t count, size_t size)
{
  return count > 0 ? abut_hash_bytes(hash, data, (size_t)count * size) : hash;
}

uint64_t abut_model_hash(const abut_model *m)
{
  const abut_surface *s = &m->surface;
  int64_t n = m->system.vertices;
  uint64_t h = hash_array(ABUT_HASH_START, m->start, n, sizeof *m->start);
  h = hash_array(h, m->start_velocity, n, sizeof *m->start_velocity);
  h = hash_array(h, m->solver_of, m->user_vertices, sizeof *m->solver_of);
  h = hash_array(h, m->mass, m->system.dynamic, sizeof *m->mass);
  for (int b = 0; b < m->system.batches; b++) {
    const abut_batch *batch = &m->batch[b];
    int64_t corners = (int64_t)batch->count * batch->class->stencil;
    h = hash_array(h, batch->vertex, corners, sizeof *batch->vertex);
    h = hash_array(h, batch->element, batch->count, batch->class->element_size);
  }
  h = hash_array(h, s->face, 3 * (int64_t)s->faces, sizeof *s->face);
  h = hash_array(h, s->edge_rest2, s->edges, sizeof *s->edge_rest2);
  h = hash_array(h, s->radius, s->spheres, sizeof *s->radius);
  h = hash_array(h, s->plane_point, s->planes, sizeof *s->plane_point);
  h = hash_array(h, s->plane_normal, s->planes, sizeof *s->plane_normal);
  return hash_array(h, &s->dhat, 1, sizeof s->dhat);
}

/* ---- writing ---- */

static abut_status put(abut_context *ctx, abut_text *out, const void *data, int64_t count,
                       size_t size)
{
  return abut_text_append(ctx, out, count ? data : "", count * (int64_t)size);
}

static abut_status print_state(abut_context *ctx, uint64_t model, const abut_state *s,
                               const abut_totals *totals, abut_text *out)
{
  const int64_t version = VERSION;
  ABUT_TRY(put(ctx, out, magic, 1, sizeof magic));
  ABUT_TRY(put(ctx, out, &version, 1, sizeof version));
  ABUT_TRY(put(ctx, out, &model, 1, sizeof model));
  ABUT_TRY(put(ctx, out, &s->count, 1, sizeof s->count));
#define F(type, name) ABUT_TRY(put(ctx, out, &totals->name, 1, sizeof(type)));
  ABUT_TOTALS(F)
#undef F
#define F(type, name) ABUT_TRY(put(ctx, out, &s->name, 1, sizeof(type)));
  ABUT_STATE_SCALARS(F)
#undef F
#define F(type, name, n) ABUT_TRY(put(ctx, out, s->name, s->count.n, sizeof(type)));
  ABUT_STATE_ARRAYS(F)
#undef F
  uint64_t hash = abut_hash_bytes(ABUT_HASH_START, out->data, (size_t)out->length);
  return put(ctx, out, &hash, 1, sizeof hash);
}

static bool ends_in(const char *name, const char *tail)
{
  size_t length = strlen(name), n = strlen(tail);
  return length > n && strcmp(name + length - n, tail) == 0;
}

/* removes all but the newest `keep`, and what a writer that was killed left behind */
static abut_status thin_out(abut_context *ctx, const char *folder, int64_t keep)
{
  char **name;
  int64_t count, left = 0;
  ABUT_TRY(abut_folder_names(ctx, folder, &name, &count));
  abut_status status = ABUT_OK;
  for (int64_t k = count - 1; k >= 0 && status == ABUT_OK; k--) {
    bool complete = ends_in(name[k], suffix), part = strstr(name[k], ".abut.new") != NULL;
    if (!part && (!complete || left++ < keep)) continue;
    char *path = abut_path_join(ctx, folder, name[k]);
    status = path ? abut_file_remove(ctx, path) : ABUT_NO_MEMORY;
    abut_free(ctx, path);
  }
  abut_names_free(ctx, name, count);
  return status;
}

abut_status abut_checkpoint_clear(abut_context *ctx, const char *folder)
{
  return abut_folder_exists(folder) ? thin_out(ctx, folder, 0) : ABUT_OK;
}

abut_status abut_checkpoint_save(abut_context *ctx, const char *folder, uint64_t model,
                                 const abut_state *s, const abut_totals *totals)
{
  abut_text path = {0}, content = {0};
  abut_status status = abut_folder_make(ctx, folder);
  if (status == ABUT_OK)
    status = abut_text_add(ctx, &path, "%s/%012lld%s", folder, (long long)s->step, suffix);
  if (status == ABUT_OK) status = print_state(ctx, model, s, totals, &content);
  if (status == ABUT_OK) status = abut_file_replace(ctx, path.data, content.data, content.length);
  if (status == ABUT_OK) status = thin_out(ctx, folder, 2);
  abut_text_free(ctx, &path);
  abut_text_free(ctx, &content);
  return status;
}

/* ---- reading ---- */

typedef struct source {
  const char *data;
  int64_t left;
} source;

static bool take(source *in, void *out, int64_t count, size_t size)
{
  size_t bytes = abut_size(count, size);
  if (bytes > (size_t)in->left) return false;
  if (bytes) memcpy(out, in->data, bytes);
  in->data += bytes;
  in->left -= (int64_t)bytes;
  return true;
}

/* is the file what was written, to the last bit? */
static bool whole(const char *data, int64_t size)
{
  uint64_t hash;
  if (size < (int64_t)(sizeof magic + sizeof hash) || memcmp(data, magic, sizeof magic) != 0)
    return false;
  size -= (int64_t)sizeof hash;
  memcpy(&hash, data + size, sizeof hash);
  return hash == abut_hash_bytes(ABUT_HASH_START, data, (size_t)size);
}

static abut_status cut_short(abut_context *ctx)
{
  return abut_fail(ctx, ABUT_BAD_FORMAT, "the checkpoint does not hold what it says it holds");
}

static abut_status parse_state(abut_context *ctx, source in, uint64_t model, abut_state *s,
                               abut_totals *totals)
{
  int64_t version;
  uint64_t its_model;
  abut_state_counts count;
  in.data += sizeof magic;
  in.left -= (int64_t)sizeof magic;
  if (!take(&in, &version, 1, sizeof version) || !take(&in, &its_model, 1, sizeof its_model) ||
      !take(&in, &count, 1, sizeof count))
    return cut_short(ctx);
  if (version != VERSION)
    return abut_fail(ctx, ABUT_BAD_FORMAT,
                     "the checkpoint was written by another version of the program (%lld, this is "
                     "%d): start the run anew",
                     (long long)version, VERSION);
  if (its_model != model)
    return abut_fail(ctx, ABUT_BAD_FORMAT,
                     "the checkpoint belongs to other meshes or materials "
                     "than the scene has now: start the run anew");
#define F(type, name)                                                                              \
  if (!take(&in, &totals->name, 1, sizeof(type))) return cut_short(ctx);
  ABUT_TOTALS(F)
#undef F
#define F(name)                                                                                    \
  if (count.name < 0 || count.name > in.left) return cut_short(ctx);
  ABUT_STATE_COUNTS(F)
#undef F
  ABUT_TRY(abut_state_resize(ctx, s, &count));
#define F(type, name)                                                                              \
  if (!take(&in, &s->name, 1, sizeof(type))) return cut_short(ctx);
  ABUT_STATE_SCALARS(F)
#undef F
#define F(type, name, n)                                                                           \
  if (!take(&in, s->name, s->count.n, sizeof(type))) return cut_short(ctx);
  ABUT_STATE_ARRAYS(F)
#undef F
  return in.left == (int64_t)sizeof(uint64_t) ? ABUT_OK : cut_short(ctx);
}

static abut_status load_file(abut_context *ctx, const char *path, uint64_t model, abut_state *s,
                             abut_totals *totals, bool *found)
{
  char *data;
  int64_t size;
  ABUT_TRY(abut_file_read(ctx, path, &data, &size));
  abut_status status = ABUT_OK;
  if (whole(data, size)) {
    *found = true;
    status = parse_state(ctx, (source){data, size}, model, s, totals);
    if (status != ABUT_OK) abut_error_at_line(ctx, path, 0);
  } else {
    abut_warn(ctx, "%s: damaged, looking for an older checkpoint", path);
  }
  abut_free(ctx, data);
  return status;
}

abut_status abut_checkpoint_any(abut_context *ctx, const char *folder, bool *any)
{
  char **name;
  int64_t count;
  *any = false;
  if (!abut_folder_exists(folder)) return ABUT_OK;
  ABUT_TRY(abut_folder_names(ctx, folder, &name, &count));
  for (int64_t k = 0; k < count; k++) *any = *any || ends_in(name[k], suffix);
  abut_names_free(ctx, name, count);
  return ABUT_OK;
}

abut_status abut_checkpoint_load(abut_context *ctx, const char *folder, uint64_t model,
                                 abut_state *s, abut_totals *totals, bool *found)
{
  char **name;
  int64_t count;
  *found = false;
  if (!abut_folder_exists(folder)) return ABUT_OK;
  ABUT_TRY(abut_folder_names(ctx, folder, &name, &count));
  abut_status status = ABUT_OK;
  for (int64_t k = count - 1; k >= 0 && status == ABUT_OK && !*found; k--) {
    if (!ends_in(name[k], suffix)) continue;
    char *path = abut_path_join(ctx, folder, name[k]);
    status = path ? load_file(ctx, path, model, s, totals, found) : ABUT_NO_MEMORY;
    abut_free(ctx, path);
  }
  abut_names_free(ctx, name, count);
  return status;
}
