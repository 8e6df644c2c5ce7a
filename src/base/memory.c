#include "base/memory.h"

#include <string.h>

/* Each block is preceded by its size, so that the host's free hears it and our counters stay
   right; 16 bytes keep the alignment of what follows. */
enum { HEADER = 16 };

size_t abut_size(int64_t count, size_t size)
{
  if (count < 0 || (size != 0 && (uint64_t)count > SIZE_MAX / size)) return SIZE_MAX;
  return (size_t)count * size;
}

static void *take(abut_context *ctx, size_t bytes)
{
  char *block = NULL;
#pragma omp critical(abut_memory)
  {
    ctx->allocations++;
    block = ctx->allocator.alloc(ctx->allocator.ctx, bytes + HEADER);
    if (block) {
      memcpy(block, &bytes, sizeof bytes);
      ctx->live++;
      ctx->bytes += bytes;
    }
  }
  return block ? block + HEADER : NULL;
}

void *abut_alloc_quietly(abut_context *ctx, int64_t count, size_t size)
{
  size_t bytes = abut_size(count, size);
  return bytes < SIZE_MAX - HEADER ? take(ctx, bytes) : NULL;
}

void *abut_alloc(abut_context *ctx, int64_t count, size_t size)
{
  void *block = abut_alloc_quietly(ctx, count, size);
  if (!block)
    abut_fail(ctx, ABUT_NO_MEMORY, "out of memory (%lld items of %zu bytes)", (long long)count,
              size);
  return block;
}

void *abut_calloc(abut_context *ctx, int64_t count, size_t size)
{
  void *block = abut_alloc(ctx, count, size);
  if (block) memset(block, 0, abut_size(count, size));
  return block;
}

void abut_free(abut_context *ctx, void *block)
{
  if (!block) return;
  char *start = (char *)block - HEADER;
#pragma omp critical(abut_memory)
  {
    size_t bytes;
    memcpy(&bytes, start, sizeof bytes);
    ctx->live--;
    ctx->bytes -= bytes;
    ctx->allocator.free(ctx->allocator.ctx, start, bytes + HEADER);
  }
}

void *abut_grow(abut_context *ctx, void *block, int64_t *capacity, int64_t needed, size_t size)
{
  int64_t room = *capacity + *capacity / 2;
  if (room < needed) room = needed;
  if (room < 8) room = 8;
  void *grown = abut_alloc(ctx, room, size);
  if (!grown) return NULL;
  if (block) memcpy(grown, block, abut_size(*capacity, size));
  abut_free(ctx, block);
  *capacity = room;
  return grown;
}

char *abut_copy_text(abut_context *ctx, const char *text)
{
  size_t length = strlen(text);
  char *copy = abut_alloc(ctx, (int64_t)length + 1, 1);
  if (copy) memcpy(copy, text, length + 1);
  return copy;
}
