#include "step/state.h"

#include <string.h>

#include "base/hash.h"
#include "base/memory.h"

void abut_state_free(abut_context *ctx, abut_state *s)
{
#define F(type, name, n) abut_free(ctx, s->name);
  ABUT_STATE_ARRAYS(F)
#undef F
  *s = (abut_state){0};
}

/* one array to at least n items; its own capacity is what its counter's capacity was */
static abut_status grow(abut_context *ctx, void *block, int64_t capacity, int64_t held, int64_t n,
                        size_t size, void **out)
{
  *out = block;
  if (n <= capacity && block) return ABUT_OK;
  char *grown = abut_alloc(ctx, n > 0 ? n : 1, size);
  if (!grown) return ABUT_NO_MEMORY;
  if (block) memcpy(grown, block, (size_t)held * size);
  abut_free(ctx, block);
  *out = grown;
  return ABUT_OK;
}

abut_status abut_state_resize(abut_context *ctx, abut_state *s, const abut_state_counts *count)
{
  /* capacities grow by half, so that lists that creep up do not allocate each time */
  abut_state_counts room = s->room;
#define F(name)                                                                                    \
  if (count->name > room.name)                                                                     \
    room.name = room.name == 0 || count->name > room.name + room.name / 2                          \
                    ? count->name                                                                  \
                    : room.name + room.name / 2;
  ABUT_STATE_COUNTS(F)
#undef F
#define F(type, name, n)                                                                           \
  {                                                                                                \
    void *block;                                                                                   \
    ABUT_TRY(grow(ctx, s->name, s->room.n, s->count.n, room.n, sizeof(type), &block));             \
    s->name = block;                                                                               \
    if (count->n > s->count.n)                                                                     \
      memset(s->name + s->count.n, 0, (size_t)(count->n - s->count.n) * sizeof(type));             \
  }
  ABUT_STATE_ARRAYS(F)
#undef F
  s->room = room;
  s->count = *count;
  return ABUT_OK;
}

abut_status abut_state_copy(abut_context *ctx, const abut_state *from, abut_state *to)
{
  ABUT_TRY(abut_state_resize(ctx, to, &from->count));
#define F(type, name, n)                                                                           \
  if (from->count.n) memcpy(to->name, from->name, (size_t)from->count.n * sizeof(type));
  ABUT_STATE_ARRAYS(F)
#undef F
#define F(type, name) to->name = from->name;
  ABUT_STATE_SCALARS(F)
#undef F
  return ABUT_OK;
}

uint64_t abut_state_hash(const abut_state *s)
{
  uint64_t hash = ABUT_HASH_START;
#define F(type, name, n)                                                                           \
  if (s->count.n) hash = abut_hash_bytes(hash, s->name, (size_t)s->count.n * sizeof(type));
  ABUT_STATE_ARRAYS(F)
#undef F
#define F(type, name) hash = abut_hash_bytes(hash, &s->name, sizeof s->name);
  ABUT_STATE_SCALARS(F)
#undef F
  return hash;
}

abut_status abut_state_get_structure(abut_context *ctx, const abut_state *s, abut_structure *to)
{
  abut_structure view = {.rows = (int32_t)s->count.ordered,
                         .order = s->order,
                         .pair = s->pair,
                         .pairs = s->count.pairs,
                         .flops = s->flops};
  abut_structure_rehash(&view);
  if (to->order && to->hash == view.hash) return ABUT_OK;
  return abut_structure_copy(ctx, &view, to);
}

abut_status abut_state_set_structure(abut_context *ctx, abut_state *s, const abut_structure *from)
{
  abut_state_counts count = s->count;
  count.ordered = from->rows;
  count.pairs = from->pairs;
  ABUT_TRY(abut_state_resize(ctx, s, &count));
  if (from->rows) memcpy(s->order, from->order, (size_t)from->rows * sizeof *s->order);
  if (from->pairs) memcpy(s->pair, from->pair, (size_t)from->pairs * sizeof *s->pair);
  s->flops = from->flops;
  return ABUT_OK;
}
