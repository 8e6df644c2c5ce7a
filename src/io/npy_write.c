#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "io/export.h"
#include "io/frame_slice.h"

/* NumPy's format, version 1.0: magic, version, length of the header, the header padded so that the
   data starts at a multiple of 64 bytes. shape: "3, 4, 5" */
static abut_status write_header(abut_context *ctx, abut_output *out, const char *type,
                                const char *shape)
{
  enum { MAGIC = 10 };
  char header[256];
  int length = snprintf(header + MAGIC, sizeof header - MAGIC,
                        "{'descr': '%s', 'fortran_order': False, 'shape': (%s), }", type, shape);
  int total = (MAGIC + length + 1 + 63) / 64 * 64, rest = total - MAGIC;
  memcpy(header, "\x93NUMPY\x01\x00", 8);
  header[8] = (char)(rest & 0xff);
  header[9] = (char)(rest >> 8);
  memset(header + MAGIC + length, ' ', (size_t)(rest - length));
  header[total - 1] = '\n';
  return abut_output_bytes(ctx, out, header, total);
}

/* a whole array in one file */
static abut_status write_array(abut_context *ctx, const char *folder, const char *name,
                               const char *tail, const char *type, const char *shape,
                               const void *data, int64_t size)
{
  char *path = abut_export_path(ctx, folder, name, tail);
  if (!path) return ABUT_NO_MEMORY;
  abut_output out;
  abut_status status = abut_output_open(ctx, path, &out);
  abut_free(ctx, path);
  ABUT_TRY(status);
  status = write_header(ctx, &out, type, shape);
  if (status == ABUT_OK) status = abut_output_bytes(ctx, &out, data, size);
  if (status == ABUT_OK) status = abut_output_finish(ctx, &out);
  abut_output_free(ctx, &out);
  return status;
}

static abut_status write_times(abut_context *ctx, abut_trajectory *t, abut_frame_slice frames,
                               const char *folder)
{
  int64_t count = abut_frame_slice_count(frames);
  char shape[32];
  double *time;
  ABUT_MAKE(ctx, time, count);
  abut_status status = ABUT_OK;
  for (int64_t k = 0; k < count && status == ABUT_OK; k++)
    status =
        abut_trajectory_read(ctx, t, frames.first + k * frames.step, &time[k], NULL, NULL, NULL);
  snprintf(shape, sizeof shape, "%lld,", (long long)count);
  if (status == ABUT_OK)
    status = write_array(ctx, folder, "times", ".npy", "<f8", shape, time, 8 * count);
  abut_free(ctx, time);
  return status;
}

static abut_status write_frames(abut_context *ctx, abut_trajectory *t, abut_frame_slice frames,
                                const abut_layout_object *object, vec3 *x, abut_output *out)
{
  int64_t count = abut_frame_slice_count(frames);
  char shape[64];
  snprintf(shape, sizeof shape, "%lld, %d, 3", (long long)count, object->points);
  ABUT_TRY(write_header(ctx, out, "<f8", shape));
  for (int64_t k = 0; k < count; k++) {
    int64_t frame = frames.first + k * frames.step;
    ABUT_TRY(abut_trajectory_read_points(ctx, t, frame, object->first, object->points, x));
    ABUT_TRY(abut_output_bytes(ctx, out, x, object->points * (int64_t)sizeof *x));
  }
  return ABUT_OK;
}

static abut_status write_positions(abut_context *ctx, abut_trajectory *t, abut_frame_slice frames,
                                   const abut_export_object *e, vec3 *x, const char *folder)
{
  char *path = abut_export_path(ctx, folder, e->file, "_positions.npy");
  if (!path) return ABUT_NO_MEMORY;
  abut_output out;
  abut_status status = abut_output_open(ctx, path, &out);
  abut_free(ctx, path);
  ABUT_TRY(status);
  status = write_frames(ctx, t, frames, e->object, x, &out);
  if (status == ABUT_OK) status = abut_output_finish(ctx, &out);
  abut_output_free(ctx, &out);
  return status;
}

/* the object's own cells, tetrahedra too; radii of spheres */
static abut_status write_topology(abut_context *ctx, const abut_export_object *e,
                                  const char *folder)
{
  const abut_layout_object *o = e->object;
  char shape[64];
  if (o->corners == 1) {
    snprintf(shape, sizeof shape, "%d,", o->points);
    return write_array(ctx, folder, e->file, "_radii.npy", "<f8", shape, e->radius,
                       8 * (int64_t)o->points);
  }
  snprintf(shape, sizeof shape, "%d, %d", o->cells, o->corners);
  return write_array(ctx, folder, e->file, "_cells.npy", "<i4", shape, o->cell,
                     4 * (int64_t)o->corners * o->cells);
}

static abut_status write_all(abut_context *ctx, abut_trajectory *t, abut_frame_slice frames,
                             const abut_export_plan *plan, const char *folder)
{
  vec3 *x = ABUT_NEW(ctx, vec3, plan->most_points);
  abut_status status = x ? write_times(ctx, t, frames, folder) : ABUT_NO_MEMORY;
  for (int32_t o = 0; o < plan->objects && status == ABUT_OK; o++) {
    status = write_topology(ctx, &plan->object[o], folder);
    if (status == ABUT_OK) status = write_positions(ctx, t, frames, &plan->object[o], x, folder);
  }
  abut_free(ctx, x);
  return status;
}

abut_status abut_npy_export(abut_context *ctx, abut_trajectory *t, abut_frame_slice frames,
                            const char *path)
{
  abut_export_plan plan;
  ABUT_TRY(abut_export_begin(ctx, abut_trajectory_layout(t), path, &plan));
  abut_status status = write_all(ctx, t, frames, &plan, path);
  abut_export_end(ctx, &plan);
  return status;
}
