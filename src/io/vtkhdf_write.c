#include "base/file.h"
#include "base/memory.h"
#include "io/export.h"
#include "io/frame_slice.h"

abut_status abut_vtkhdf_export(abut_context *ctx, abut_trajectory *t, abut_frame_slice frames,
                               const char *path)
{
  char *folder = abut_path_folder(ctx, path);
  if (!folder) return ABUT_NO_MEMORY;
  abut_status status = folder[0] ? abut_folder_make(ctx, folder) : ABUT_OK;
  abut_free(ctx, folder);
  ABUT_TRY(status);
  int64_t count = abut_frame_slice_count(frames);
  /* time must grow in the file, or VTK does not find its frames */
  if (frames.step < 0) {
    frames.first += (count - 1) * frames.step;
    frames.step = -frames.step;
  }
  return abut_trajectory_copy(ctx, t, frames.first, frames.step, count, path);
}
