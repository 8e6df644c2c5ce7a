#include "io/export.h"

/* Polygon File Format 1.0, binary. Vertices have a radius when the object is spheres; triangles are
   faces, lines are edges. */
static abut_status write_header(abut_context *ctx, abut_output *out,
                                const abut_export_object *object)
{
  ABUT_TRY(abut_output_text(ctx, out, "ply\nformat binary_little_endian 1.0\nelement vertex "));
  ABUT_TRY(abut_output_int(ctx, out, object->object->points));
  ABUT_TRY(
      abut_output_text(ctx, out, "\nproperty double x\nproperty double y\nproperty double z\n"));
  if (object->corners == 1) ABUT_TRY(abut_output_text(ctx, out, "property double radius\n"));
  if (object->corners == 2) {
    ABUT_TRY(abut_output_text(ctx, out, "element edge "));
    ABUT_TRY(abut_output_int(ctx, out, object->cells));
    ABUT_TRY(abut_output_text(ctx, out, "\nproperty int vertex1\nproperty int vertex2\n"));
  }
  if (object->corners == 3) {
    ABUT_TRY(abut_output_text(ctx, out, "element face "));
    ABUT_TRY(abut_output_int(ctx, out, object->cells));
    ABUT_TRY(abut_output_text(ctx, out, "\nproperty list uchar int vertex_indices\n"));
  }
  return abut_output_text(ctx, out, "end_header\n");
}

static abut_status write_object(abut_context *ctx, abut_output *out,
                                const abut_export_object *object, const vec3 *x)
{
  int32_t n = object->corners;
  const uint8_t corners = (uint8_t)n;
  ABUT_TRY(write_header(ctx, out, object));
  for (int32_t p = 0; p < object->object->points; p++) {
    ABUT_TRY(abut_output_bytes(ctx, out, &x[p], (int64_t)sizeof x[p]));
    if (n == 1) ABUT_TRY(abut_output_bytes(ctx, out, &object->radius[p], 8));
  }
  for (int32_t c = 0; c < object->cells && n > 1; c++) {
    if (n == 3) ABUT_TRY(abut_output_bytes(ctx, out, &corners, 1));
    ABUT_TRY(abut_output_bytes(ctx, out, object->cell + (int64_t)n * c, 4 * n));
  }
  return ABUT_OK;
}

abut_status abut_ply_export(abut_context *ctx, abut_trajectory *t, abut_frame_slice frames,
                            const char *path)
{
  return abut_export_sequence(ctx, t, frames, path, "ply", write_object);
}
