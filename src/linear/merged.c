#include "linear/merged.h"

#include "base/hash.h"
#include "linear/buffer.h"

void abut_merged_free(abut_context *ctx, abut_merged *m)
{
  abut_free(ctx, m->start);
  abut_free(ctx, m->column);
  abut_free(ctx, m->value);
  *m = (abut_merged){0};
}

static abut_status reserve(abut_context *ctx, int32_t rows, int64_t count, abut_merged *m)
{
  if (m->rows != rows) abut_merged_free(ctx, m);
  m->hash = 0;
  if (!m->start) ABUT_MAKE(ctx, m->start, (int64_t)rows + 1);
  m->rows = rows;
  int64_t room = m->column && m->value ? m->room : 0, same = room;
  ABUT_RENEW(ctx, m->column, room, count);
  m->room = 0; /* until both are there */
  ABUT_RENEW(ctx, m->value, same, count);
  m->room = room;
  return ABUT_OK;
}

/* the blocks of row i of both parts; returns where the next row begins */
static int64_t merge_row(const abut_matrix *a, int32_t i, int64_t at, abut_merged *m)
{
  const abut_blocks *b = &a->base, *x = &a->extra;
  int64_t p = b->start[i], q = x->start[i];
  while (p < b->start[i + 1] || q < x->start[i + 1]) {
    int32_t left = p < b->start[i + 1] ? b->column[p] : INT32_MAX;
    int32_t right = q < x->start[i + 1] ? x->column[q] : INT32_MAX;
    m->column[at] = left < right ? left : right;
    m->value[at] = left <= right ? b->value[p++] : m3_zero();
    if (right <= left) m->value[at] = m3_add(m->value[at], x->value[q++]);
    at++;
  }
  return at;
}

abut_status abut_merged_update(abut_context *ctx, const abut_matrix *a, abut_merged *m,
                               bool *changed)
{
  uint64_t before = m->hash;
  ABUT_TRY(reserve(ctx, a->rows, a->base.start[a->rows] + a->extra.start[a->rows], m));
  m->start[0] = 0;
  for (int32_t i = 0; i < a->rows; i++) m->start[i + 1] = merge_row(a, i, m->start[i], m);
  const abut_blocks pattern = {.start = m->start, .column = m->column};
  m->hash = abut_blocks_hash(&pattern, a->rows);
  *changed = m->hash != before;
  return ABUT_OK;
}
