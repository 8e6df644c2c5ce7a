#include "io/output.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"

enum { BUFFER = 1 << 16 };

abut_status abut_output_open(abut_context *ctx, const char *path, abut_output *out)
{
  *out = (abut_output){.buffer = abut_alloc(ctx, BUFFER, 1)};
  if (!out->buffer) return ABUT_NO_MEMORY;
  abut_status status = abut_disk_create_for_user(ctx, path, &out->disk);
  if (status != ABUT_OK) abut_output_free(ctx, out);
  return status;
}

static abut_status flush(abut_context *ctx, abut_output *out)
{
  ABUT_TRY(abut_disk_write(ctx, &out->disk, out->at, out->buffer, out->used));
  out->at += out->used;
  out->used = 0;
  return ABUT_OK;
}

abut_status abut_output_bytes(abut_context *ctx, abut_output *out, const void *data, int64_t size)
{
  if (size > BUFFER - out->used) ABUT_TRY(flush(ctx, out));
  if (size > BUFFER) {
    ABUT_TRY(abut_disk_write(ctx, &out->disk, out->at, data, size));
    out->at += size;
    return ABUT_OK;
  }
  if (size > 0) memcpy(out->buffer + out->used, data, (size_t)size);
  out->used += size;
  return ABUT_OK;
}

abut_status abut_output_text(abut_context *ctx, abut_output *out, const char *text)
{
  return abut_output_bytes(ctx, out, text, (int64_t)strlen(text));
}

abut_status abut_output_int(abut_context *ctx, abut_output *out, int64_t value)
{
  char text[24];
  return abut_output_bytes(ctx, out, text, snprintf(text, sizeof text, "%lld", (long long)value));
}

abut_status abut_output_double(abut_context *ctx, abut_output *out, double value)
{
  char text[ABUT_DOUBLE_ROOM];
  abut_print_double(value, text);
  return abut_output_text(ctx, out, text);
}

abut_status abut_output_finish(abut_context *ctx, abut_output *out)
{
  abut_status status = flush(ctx, out);
  if (status == ABUT_OK) status = abut_disk_finish(ctx, &out->disk);
  abut_output_free(ctx, out);
  return status;
}

void abut_output_free(abut_context *ctx, abut_output *out)
{
  abut_disk_close(ctx, &out->disk);
  abut_free(ctx, out->buffer);
  *out = (abut_output){0};
}
