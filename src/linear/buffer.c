#include "linear/buffer.h"

enum { ALIGN = 64 };

abut_status abut_buffer_renew(abut_context *ctx, abut_buffer *buffer, int64_t count)
{
  if (count <= buffer->room && buffer->data) return ABUT_OK;
  abut_buffer_free(ctx, buffer);
  int64_t room = abut_buffer_pad(count + count / 8);
  char *memory = abut_alloc(ctx, room + ALIGN / (int64_t)sizeof(double), sizeof(double));
  if (!memory) return ABUT_NO_MEMORY;
  uintptr_t past = (uintptr_t)memory % ALIGN;
  *buffer = (abut_buffer){.data = (double *)(void *)(memory + (past ? ALIGN - past : 0)),
                          .memory = memory,
                          .room = room};
  return ABUT_OK;
}

void abut_buffer_free(abut_context *ctx, abut_buffer *buffer)
{
  abut_free(ctx, buffer->memory);
  *buffer = (abut_buffer){0};
}
