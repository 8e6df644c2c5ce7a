#include "linear/structure.h"

#include <string.h>

#include "base/hash.h"
#include "base/memory.h"

void abut_structure_free(abut_context *ctx, abut_structure *s)
{
  abut_free(ctx, s->order);
  abut_free(ctx, s->pair);
  *s = (abut_structure){0};
}

abut_status abut_structure_resize(abut_context *ctx, int32_t rows, int64_t pairs, abut_structure *s)
{
  if (s->rows != rows || !s->order) {
    abut_free(ctx, s->order);
    s->order = NULL;
    s->rows = 0;
    s->flops = 0;
    ABUT_MAKE(ctx, s->order, rows);
    s->rows = rows;
  }
  ABUT_RESERVE(ctx, s->pair, s->room, pairs);
  return ABUT_OK;
}

abut_status abut_structure_copy(abut_context *ctx, const abut_structure *from, abut_structure *to)
{
  /* nothing decided yet: keep the memory of to for later */
  if (!from->order) {
    to->flops = 0;
    to->pairs = 0;
    to->hash = from->hash;
    return ABUT_OK;
  }
  ABUT_TRY(abut_structure_resize(ctx, from->rows, from->pairs, to));
  memcpy(to->order, from->order, (size_t)from->rows * sizeof *to->order);
  if (from->pairs) memcpy(to->pair, from->pair, (size_t)from->pairs * sizeof *to->pair);
  to->pairs = from->pairs;
  to->flops = from->flops;
  to->hash = from->hash;
  return ABUT_OK;
}

void abut_structure_rehash(abut_structure *s)
{
  uint64_t hash = ABUT_HASH_START;
  if (s->rows) hash = abut_hash_bytes(hash, s->order, (size_t)s->rows * sizeof *s->order);
  if (s->pairs) hash = abut_hash_bytes(hash, s->pair, (size_t)s->pairs * sizeof *s->pair);
  s->hash = hash;
}
