#include "io/trajectory.h"

#include <string.h>

#include "base/file.h"
#include "base/hash.h"
#include "base/memory.h"
#include "io/trajectory_file.h"

_Static_assert(sizeof(vec3) == 3 * sizeof(double), "a vec3 is three doubles in the file");

/* Hash of the first index->prefix bytes of a file, without what changes while it grows and without
   itself; these bytes of prefix are zero afterwards. */
static uint64_t seal(const abut_index *index, char *prefix)
{
  memset(prefix + index->count_at, 0, 8);
  memset(prefix + index->extent_at, 0, 16);
  memset(prefix + index->values_at, 0, (size_t)index->room * (index->values_at ? 8 : 0));
  memset(prefix + index->index_at + offsetof(abut_index, hash), 0, sizeof index->hash);
  return abut_hash_bytes(ABUT_HASH_START, prefix, (size_t)index->prefix);
}

/* the two numbers that change, by one write within one sector: the death of this process cannot
   come between them */
static abut_status write_count(abut_context *ctx, abut_trajectory *t, int64_t frames)
{
  char head[ABUT_HEAD_ROOM];
  int64_t at = t->index.count_at, extent = t->index.extent_at - at;
  ABUT_TRY(abut_disk_read(ctx, &t->disk, at, head, extent + 16));
  abut_put_int(head, frames);
  abut_put_int(head + extent, frames);
  abut_put_int(head + extent + 8, frames);
  ABUT_TRY(abut_disk_write(ctx, &t->disk, at, head, extent + 16));
  t->frames = frames;
  return ABUT_OK;
}

static abut_status write_prefix(abut_context *ctx, abut_trajectory *t, const abut_layout *layout,
                                char *prefix)
{
  abut_index *index = &t->index;
  abut_layout_store(layout, index, prefix);
  memcpy(prefix + index->index_at, index, sizeof *index);
  index->hash = seal(index, prefix);
  memcpy(prefix + index->index_at, index, sizeof *index);
  ABUT_TRY(abut_layout_load(ctx, index, prefix, &t->layout));
  ABUT_TRY(abut_disk_write(ctx, &t->disk, 0, prefix, index->prefix));
  ABUT_TRY(abut_disk_resize(ctx, &t->disk, index->size));
  return abut_vtkhdf_verify(ctx, t->disk.temporary, index);
}

/* a new file under its temporary name */
static abut_status begin(abut_context *ctx, const char *path, const abut_layout *layout,
                         int64_t room, bool for_user, abut_trajectory *t)
{
  if (!abut_layout_sound(layout) || room < 0)
    return abut_fail(ctx, ABUT_BAD_ARGUMENT, "the objects of the trajectory do not fit together");
  if (layout->points && room > INT64_MAX / 64 / layout->points)
    return abut_fail(ctx, ABUT_BAD_ARGUMENT,
                     "a trajectory of %lld frames of %d points is too large", (long long)room,
                     layout->points);
  ABUT_TRY(for_user ? abut_disk_create_for_user(ctx, path, &t->disk)
                    : abut_disk_create(ctx, path, &t->disk));
  abut_index_measure(layout, room, &t->index);
  char *prefix;
  ABUT_TRY(abut_vtkhdf_lay_out(ctx, &t->index, &prefix));
  abut_status status = write_prefix(ctx, t, layout, prefix);
  abut_free(ctx, prefix);
  return status;
}

static abut_status make(abut_context *ctx, const char *path, const abut_layout *layout,
                        int64_t room, bool for_user, abut_trajectory **out)
{
  *out = ABUT_NEW_ZERO(ctx, abut_trajectory, 1);
  if (!*out) return ABUT_NO_MEMORY;
  abut_status status = begin(ctx, path, layout, room, for_user, *out);
  if (status != ABUT_OK) {
    abut_trajectory_close(ctx, *out);
    *out = NULL;
  }
  return status;
}

abut_status abut_trajectory_create(abut_context *ctx, const char *path, const abut_layout *layout,
                                   int64_t frames, abut_trajectory **out)
{
  ABUT_TRY(make(ctx, path, layout, frames, false, out));
  abut_status status = abut_disk_commit(ctx, &(*out)->disk);
  if (status != ABUT_OK) {
    abut_trajectory_close(ctx, *out);
    *out = NULL;
  }
  return status;
}

static abut_status fail_foreign(abut_context *ctx, const abut_trajectory *t, const char *what)
{
  abut_fail(ctx, ABUT_BAD_FORMAT, "%s", what);
  abut_error_at_line(ctx, t->disk.path, 0);
  return ABUT_BAD_FORMAT;
}

#define FOREIGN                                                                                    \
  "this is not a trajectory that abut wrote; give a run folder or its trajectory.vtkhdf"
#define DAMAGED "the trajectory is damaged; run the scene again or restore the file from a copy"

/* finds the index near the start of the file */
static abut_status read_index(abut_context *ctx, abut_trajectory *t, int64_t size)
{
  int64_t search = size < ABUT_INDEX_SEARCH ? size : ABUT_INDEX_SEARCH;
  char *bytes;
  ABUT_MAKE(ctx, bytes, ABUT_INDEX_SEARCH);
  abut_status status = abut_disk_read(ctx, &t->disk, 0, bytes, search);
  const uint64_t magic[2] = {ABUT_INDEX_MAGIC, ABUT_INDEX_MAGIC_2};
  int64_t at = 0, last = search - (int64_t)sizeof t->index;
  while (status == ABUT_OK && at <= last && memcmp(bytes + at, magic, sizeof magic) != 0) at += 8;
  bool found = status == ABUT_OK && at <= last;
  if (found) memcpy(&t->index, bytes + at, sizeof t->index);
  abut_free(ctx, bytes);
  if (status != ABUT_OK) return status;
  if (!found || t->index.index_at != at) return fail_foreign(ctx, t, FOREIGN);
  if (t->index.version == ABUT_INDEX_VERSION) return ABUT_OK;
  abut_fail(ctx, ABUT_UNSUPPORTED, "the trajectory has version %lld, this abut reads version %d",
            (long long)t->index.version, ABUT_INDEX_VERSION);
  abut_error_at_line(ctx, t->disk.path, 0);
  return ABUT_UNSUPPORTED;
}

/* count items of size bytes at a place lie before end */
static bool inside(int64_t at, int64_t count, int64_t size, int64_t end)
{
  return at >= 0 && count >= 0 && at <= end && count <= (end - at) / size;
}

/* An index that passes touches nothing outside the file. Damage is what the hash finds; this keeps
   a damaged index from being followed before that. */
static bool index_sound(const abut_index *x)
{
  int64_t p = x->prefix, s = x->size, head = x->extent_at - x->count_at;
  if (x->objects < 0 || x->objects > INT32_MAX || x->points < 0 || x->points > INT32_MAX)
    return false;
  if (x->room < 0 || (x->points && x->room > INT64_MAX / 64 / x->points)) return false;
  if (p < 0 || s < p || head < 8 || head + 16 > ABUT_HEAD_ROOM || x->cells < 0) return false;
  if (x->name_size < 1 || x->kind_size < 1 || x->name_size > p || x->kind_size > p) return false;
  int64_t rows = x->room * x->points;
  return inside(x->index_at, 1, (int64_t)sizeof *x, p) && inside(x->count_at, 1, 8, p) &&
         inside(x->extent_at, 2, 8, p) && inside(x->values_at, x->room, 8, p) &&
         inside(x->connectivity_at, x->corners, 8, p) && inside(x->ranges_at, x->objects, 16, p) &&
         inside(x->names_at, x->objects, x->name_size, p) &&
         inside(x->kinds_at, x->objects, x->kind_size, p) &&
         inside(x->identity_at, x->points, 4, p) && inside(x->radius_at, x->points, 8, p) &&
         inside(x->x_at, rows, 24, s) && inside(x->v_at, rows, 24, s) &&
         inside(x->prescribed_at, rows, 1, s);
}

static abut_status read_count(abut_context *ctx, abut_trajectory *t)
{
  char head[ABUT_HEAD_ROOM];
  int64_t at = t->index.count_at, extent = t->index.extent_at - at;
  /* a read may fall into the write of a live run, but not thrice */
  for (int tries = 0; tries < 3; tries++) {
    ABUT_TRY(abut_disk_read(ctx, &t->disk, at, head, extent + 16));
    t->frames = abut_get_int(head);
    if (t->frames == abut_get_int(head + extent) && t->frames == abut_get_int(head + extent + 8) &&
        t->frames >= 0 && t->frames <= t->index.room)
      return ABUT_OK;
  }
  return fail_foreign(ctx, t, DAMAGED);
}

static abut_status read_layout(abut_context *ctx, abut_trajectory *t, char *prefix)
{
  abut_index *index = &t->index;
  ABUT_TRY(abut_disk_read(ctx, &t->disk, 0, prefix, index->prefix));
  if (seal(index, prefix) != index->hash) return fail_foreign(ctx, t, DAMAGED);
  abut_status status = abut_layout_load(ctx, index, prefix, &t->layout);
  return status == ABUT_BAD_FORMAT ? fail_foreign(ctx, t, DAMAGED) : status;
}

static abut_status load(abut_context *ctx, const char *path, bool write, abut_trajectory *t)
{
  int64_t size = 0;
  ABUT_TRY(abut_disk_open(ctx, path, write, &t->disk));
  ABUT_TRY(abut_disk_size(ctx, &t->disk, &size));
  ABUT_TRY(read_index(ctx, t, size));
  if (!index_sound(&t->index)) return fail_foreign(ctx, t, DAMAGED);
  if (size < t->index.size)
    return fail_foreign(ctx, t, "the trajectory is cut short; restore the file from a copy");
  ABUT_TRY(read_count(ctx, t));
  char *prefix;
  ABUT_MAKE(ctx, prefix, t->index.prefix);
  abut_status status = read_layout(ctx, t, prefix);
  abut_free(ctx, prefix);
  return status;
}

abut_status abut_trajectory_open(abut_context *ctx, const char *path, bool write,
                                 abut_trajectory **out)
{
  *out = ABUT_NEW_ZERO(ctx, abut_trajectory, 1);
  if (!*out) return ABUT_NO_MEMORY;
  abut_status status = load(ctx, path, write, *out);
  if (status != ABUT_OK) {
    abut_trajectory_close(ctx, *out);
    *out = NULL;
  }
  return status;
}

void abut_trajectory_close(abut_context *ctx, abut_trajectory *t)
{
  if (!t) return;
  abut_disk_close(ctx, &t->disk);
  abut_layout_free(ctx, &t->layout);
  abut_free(ctx, t);
}

const abut_layout *abut_trajectory_layout(const abut_trajectory *t)
{
  return &t->layout;
}

int64_t abut_trajectory_frames(const abut_trajectory *t)
{
  return t->frames;
}

int64_t abut_trajectory_room(const abut_trajectory *t)
{
  return t->index.room;
}

abut_status abut_trajectory_append(abut_context *ctx, abut_trajectory *t, double time,
                                   const vec3 *x, const vec3 *v, const uint8_t *prescribed)
{
  const abut_index *index = &t->index;
  int64_t frame = t->frames, row = frame * index->points, vec = (int64_t)sizeof *x;
  if (frame >= index->room)
    return abut_fail(ctx, ABUT_BAD_ARGUMENT, "the trajectory has room for %lld frames only",
                     (long long)index->room);
  ABUT_TRY(abut_disk_write(ctx, &t->disk, index->x_at + row * vec, x, index->points * vec));
  ABUT_TRY(abut_disk_write(ctx, &t->disk, index->v_at + row * vec, v, index->points * vec));
  ABUT_TRY(abut_disk_write(ctx, &t->disk, index->prescribed_at + row, prescribed, index->points));
  ABUT_TRY(abut_disk_write(ctx, &t->disk, index->values_at + 8 * frame, &time, 8));
  return write_count(ctx, t, frame + 1);
}

abut_status abut_trajectory_sync(abut_context *ctx, abut_trajectory *t)
{
  return abut_disk_sync(ctx, &t->disk);
}

abut_status abut_trajectory_cut(abut_context *ctx, abut_trajectory *t, int64_t frames)
{
  if (frames < 0 || frames > t->frames)
    return abut_fail(ctx, ABUT_BAD_ARGUMENT, "cannot keep %lld of %lld frames", (long long)frames,
                     (long long)t->frames);
  return frames == t->frames ? ABUT_OK : write_count(ctx, t, frames);
}

static abut_status check_frame(abut_context *ctx, const abut_trajectory *t, int64_t frame)
{
  if (frame >= 0 && frame < t->frames) return ABUT_OK;
  return abut_fail(ctx, ABUT_BAD_ARGUMENT, "there is no frame %lld; the trajectory has %lld frames",
                   (long long)frame, (long long)t->frames);
}

abut_status abut_trajectory_read_points(abut_context *ctx, abut_trajectory *t, int64_t frame,
                                        int32_t first, int32_t count, vec3 *x)
{
  ABUT_TRY(check_frame(ctx, t, frame));
  int64_t row = frame * t->index.points + first, vec = (int64_t)sizeof *x;
  return abut_disk_read(ctx, &t->disk, t->index.x_at + row * vec, x, count * vec);
}

abut_status abut_trajectory_read(abut_context *ctx, abut_trajectory *t, int64_t frame, double *time,
                                 vec3 *x, vec3 *v, uint8_t *prescribed)
{
  ABUT_TRY(check_frame(ctx, t, frame));
  const abut_index *index = &t->index;
  int64_t row = frame * index->points, vec = (int64_t)sizeof *x, n = index->points;
  if (time) ABUT_TRY(abut_disk_read(ctx, &t->disk, index->values_at + 8 * frame, time, 8));
  if (x) ABUT_TRY(abut_disk_read(ctx, &t->disk, index->x_at + row * vec, x, n * vec));
  if (v) ABUT_TRY(abut_disk_read(ctx, &t->disk, index->v_at + row * vec, v, n * vec));
  if (prescribed)
    ABUT_TRY(abut_disk_read(ctx, &t->disk, index->prescribed_at + row, prescribed, n));
  return ABUT_OK;
}

static abut_status copy_frames(abut_context *ctx, abut_trajectory *from, int64_t first,
                               int64_t step, int64_t count, abut_trajectory *to)
{
  int64_t n = from->index.points;
  double time = 0;
  vec3 *x = ABUT_NEW(ctx, vec3, n), *v = ABUT_NEW(ctx, vec3, n);
  uint8_t *prescribed = ABUT_NEW(ctx, uint8_t, n);
  abut_status status = x && v && prescribed ? ABUT_OK : ABUT_NO_MEMORY;
  for (int64_t k = 0; k < count && status == ABUT_OK; k++) {
    status = abut_trajectory_read(ctx, from, first + k * step, &time, x, v, prescribed);
    if (status == ABUT_OK) status = abut_trajectory_append(ctx, to, time, x, v, prescribed);
  }
  abut_free(ctx, x);
  abut_free(ctx, v);
  abut_free(ctx, prescribed);
  return status;
}

static abut_status fill_copy(abut_context *ctx, abut_trajectory *t, int64_t first, int64_t step,
                             int64_t count, abut_trajectory *copy)
{
  abut_status status = copy_frames(ctx, t, first, step, count, copy);
  if (status == ABUT_OK) status = abut_disk_commit(ctx, &copy->disk);
  abut_trajectory_close(ctx, copy);
  return status;
}

abut_status abut_trajectory_copy(abut_context *ctx, abut_trajectory *t, int64_t first, int64_t step,
                                 int64_t count, const char *path)
{
  abut_trajectory *copy;
  ABUT_TRY(make(ctx, path, &t->layout, count, true, &copy));
  return fill_copy(ctx, t, first, step, count, copy);
}

static abut_status copy_all(abut_context *ctx, abut_trajectory *t, int64_t room, const char *path)
{
  abut_trajectory *copy;
  ABUT_TRY(make(ctx, path, &t->layout, room, false, &copy));
  return fill_copy(ctx, t, 0, 1, t->frames, copy);
}

abut_status abut_trajectory_resize(abut_context *ctx, const char *path, int64_t frames)
{
  abut_trajectory *t;
  ABUT_TRY(abut_trajectory_open(ctx, path, false, &t));
  abut_status status =
      frames < t->frames
          ? abut_fail(ctx, ABUT_BAD_ARGUMENT, "%lld frames do not fit in a trajectory of %lld",
                      (long long)t->frames, (long long)frames)
          : copy_all(ctx, t, frames, path);
  abut_trajectory_close(ctx, t);
  return status;
}
