#include "linear/reserve.h"

#include <string.h>

#include "base/scratch.h"
#include "linear/ordering.h"

/* old pairs are kept as long as they do not make the list longer than this many times the new one
 */
static const double KEEP = 1.5;

abut_status abut_extra_find(abut_context *ctx, const abut_symbolic *s, const abut_matrix *a,
                            abut_extra *where, bool *covered)
{
  const abut_blocks *extra = &a->extra;
  int64_t count = extra->start[a->rows];
  where->start = ABUT_SCRATCH(ctx, int64_t, (int64_t)s->fronts + 1);
  where->entry = ABUT_SCRATCH(ctx, abut_entry, count);
  abut_mark mark = abut_scratch_mark(ctx);
  abut_entry *entry = ABUT_SCRATCH(ctx, abut_entry, count);
  int32_t *front = ABUT_SCRATCH(ctx, int32_t, count);
  if (!where->start || !where->entry || !entry || !front) return ABUT_NO_MEMORY;

  *covered = true;
  int64_t *start = where->start;
  memset(start, 0, ((size_t)s->fronts + 1) * sizeof *start);
  for (int32_t i = 0; i < a->rows && *covered; i++)
    for (int64_t k = extra->start[i]; k < extra->start[i + 1]; k++) {
      front[k] = abut_symbolic_find(s, i, extra->column[k], &entry[k]);
      if (front[k] < 0) {
        *covered = false;
        break;
      }
      entry[k].block = k;
      start[front[k] + 1]++;
    }
  if (*covered) {
    for (int32_t f = 0; f < s->fronts; f++) start[f + 1] += start[f];
    for (int64_t k = 0; k < count; k++) where->entry[start[front[k]]++] = entry[k];
    memmove(start + 1, start, (size_t)s->fronts * sizeof *start);
    start[0] = 0;
  }
  abut_scratch_release(ctx, mark);
  return ABUT_OK;
}

/* pairs of extra that base has no block for, ascending */
static int64_t list_pairs(const abut_matrix *a, uint64_t *pair)
{
  int64_t n = 0;
  for (int32_t i = 0; i < a->rows; i++)
    for (int64_t k = a->extra.start[i]; k < a->extra.start[i + 1]; k++) {
      int32_t j = a->extra.column[k];
      if (j != i && abut_blocks_find(&a->base, i, j) < 0) pair[n++] = abut_pair_key(i, j);
    }
  return n;
}

static int64_t unite(const uint64_t *a, int64_t na, const uint64_t *b, int64_t nb, uint64_t *both)
{
  int64_t i = 0, j = 0, n = 0;
  while (i < na || j < nb) {
    bool left = j == nb || (i < na && a[i] <= b[j]);
    both[n] = left ? a[i] : b[j];
    if (i < na && a[i] == both[n]) i++;
    if (j < nb && b[j] == both[n]) j++;
    n++;
  }
  return n;
}

static abut_status take_pairs(abut_context *ctx, int32_t rows, const uint64_t *pair, int64_t pairs,
                              abut_structure *structure)
{
  ABUT_TRY(abut_structure_resize(ctx, rows, pairs, structure));
  if (pairs) memcpy(structure->pair, pair, (size_t)pairs * sizeof *pair);
  structure->pairs = pairs;
  return ABUT_OK;
}

static abut_status cover(abut_context *ctx, const abut_matrix *a, abut_structure *structure)
{
  int64_t count = a->extra.start[a->rows];
  uint64_t *now = ABUT_SCRATCH(ctx, uint64_t, count);
  uint64_t *both = ABUT_SCRATCH(ctx, uint64_t, count + structure->pairs);
  if (!now || !both) return ABUT_NO_MEMORY;
  int64_t pairs = list_pairs(a, now);
  int64_t all = unite(structure->pair, structure->pairs, now, pairs, both);
  if ((double)all <= KEEP * (double)pairs)
    ABUT_TRY(take_pairs(ctx, a->rows, both, all, structure));
  else
    ABUT_TRY(take_pairs(ctx, a->rows, now, pairs, structure));
  abut_structure_rehash(structure);
  return ABUT_OK;
}

abut_status abut_structure_cover(abut_context *ctx, const abut_matrix *a, abut_structure *structure)
{
  abut_mark mark = abut_scratch_mark(ctx);
  abut_status status = cover(ctx, a, structure);
  abut_scratch_release(ctx, mark);
  return status;
}

static abut_status order(abut_context *ctx, const abut_matrix *a, abut_structure *structure)
{
  abut_graph g;
  uint64_t *now = ABUT_SCRATCH(ctx, uint64_t, a->extra.start[a->rows]);
  if (!now) return ABUT_NO_MEMORY;
  ABUT_TRY(take_pairs(ctx, a->rows, now, list_pairs(a, now), structure));
  structure->flops = 0;
  ABUT_TRY(abut_graph_make(ctx, a, structure->pair, structure->pairs, &g));
  ABUT_TRY(abut_ordering_make(ctx, &g, structure->order));
  abut_structure_rehash(structure);
  return ABUT_OK;
}

abut_status abut_structure_order(abut_context *ctx, const abut_matrix *a, abut_structure *structure)
{
  abut_mark mark = abut_scratch_mark(ctx);
  abut_status status = order(ctx, a, structure);
  abut_scratch_release(ctx, mark);
  return status;
}
