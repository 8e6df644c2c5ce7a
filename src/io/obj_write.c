#include "io/export.h"

static abut_status write_cell(abut_context *ctx, abut_output *out, char letter, const int32_t *cell,
                              int32_t corners)
{
  ABUT_TRY(abut_output_bytes(ctx, out, &letter, 1));
  for (int32_t k = 0; k < corners; k++) {
    ABUT_TRY(abut_output_bytes(ctx, out, " ", 1));
    ABUT_TRY(abut_output_int(ctx, out, (int64_t)cell[k] + 1));
  }
  return abut_output_bytes(ctx, out, "\n", 1);
}

static abut_status write_object(abut_context *ctx, abut_output *out,
                                const abut_export_object *object, const vec3 *x)
{
  static const char letter[] = "?plf";
  for (int32_t p = 0; p < object->object->points; p++) {
    ABUT_TRY(abut_output_bytes(ctx, out, "v ", 2));
    ABUT_TRY(abut_output_double(ctx, out, x[p].x));
    ABUT_TRY(abut_output_bytes(ctx, out, " ", 1));
    ABUT_TRY(abut_output_double(ctx, out, x[p].y));
    ABUT_TRY(abut_output_bytes(ctx, out, " ", 1));
    ABUT_TRY(abut_output_double(ctx, out, x[p].z));
    ABUT_TRY(abut_output_bytes(ctx, out, "\n", 1));
  }
  int32_t n = object->corners;
  for (int32_t c = 0; c < object->cells; c++)
    ABUT_TRY(write_cell(ctx, out, letter[n], object->cell + (int64_t)n * c, n));
  return ABUT_OK;
}

abut_status abut_obj_export(abut_context *ctx, abut_trajectory *t, abut_frame_slice frames,
                            const char *path)
{
  return abut_export_sequence(ctx, t, frames, path, "obj", write_object);
}
