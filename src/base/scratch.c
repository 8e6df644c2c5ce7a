#include "base/scratch.h"

#include "base/memory.h"

enum { ALIGN = 64 };

struct abut_scratch_block {
  abut_scratch_block *next;
  size_t used, room;
  char *data; /* room bytes, aligned */
};

abut_mark abut_scratch_mark(const abut_context *ctx)
{
  abut_scratch_block *now = ctx->scratch_now;
  return (abut_mark){now, now ? now->used : 0};
}

void abut_scratch_release(abut_context *ctx, abut_mark mark)
{
  abut_scratch_block *first = mark.block ? mark.block->next : ctx->scratch_first;
  for (abut_scratch_block *b = first; b; b = b->next) b->used = 0;
  if (mark.block) mark.block->used = mark.used;
  ctx->scratch_now = mark.block ? mark.block : ctx->scratch_first;
}

static abut_scratch_block *add_block(abut_context *ctx, size_t bytes)
{
  abut_scratch_block *last = ctx->scratch_first;
  while (last && last->next) last = last->next;
  size_t room = last ? 2 * last->room : (size_t)1 << 16;
  while (room < bytes) room *= 2;

  char *memory = abut_alloc(ctx, (int64_t)(sizeof(abut_scratch_block) + ALIGN + room), 1);
  if (!memory) return NULL;
  abut_scratch_block *block = (abut_scratch_block *)(void *)memory;
  uintptr_t data = (uintptr_t)(memory + sizeof *block + ALIGN - 1) / ALIGN * ALIGN;
  *block = (abut_scratch_block){.room = room, .data = memory + (data - (uintptr_t)memory)};
  if (last)
    last->next = block;
  else
    ctx->scratch_first = block;
  return block;
}

void *abut_scratch(abut_context *ctx, int64_t count, size_t size)
{
  size_t bytes = abut_size(count, size);
  if (bytes > SIZE_MAX / 4) {
    abut_fail(ctx, ABUT_NO_MEMORY, "out of memory (%lld items of %zu bytes)", (long long)count,
              size);
    return NULL;
  }
  bytes = (bytes + ALIGN - 1) / ALIGN * ALIGN;
  if (bytes == 0) bytes = ALIGN;
  abut_scratch_block *b = ctx->scratch_now ? ctx->scratch_now : ctx->scratch_first;
  while (b && b->room - b->used < bytes) b = b->next;
  if (!b) b = add_block(ctx, bytes);
  if (!b) return NULL;
  ctx->scratch_now = b;
  void *result = b->data + b->used;
  b->used += bytes;
  return result;
}

void abut_scratch_free(abut_context *ctx)
{
  for (abut_scratch_block *b = ctx->scratch_first, *next; b; b = next) {
    next = b->next;
    abut_free(ctx, b);
  }
  ctx->scratch_first = ctx->scratch_now = NULL;
}
