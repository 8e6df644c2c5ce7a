#include "linear/graph.h"

#include <string.h>

#include "base/scratch.h"

static void count_edge(int64_t *start, int32_t i, int32_t j)
{
  start[i + 1]++;
  start[j + 1]++;
}

static void add_edge(abut_graph *g, int32_t i, int32_t j)
{
  g->neighbor[g->start[i]++] = j;
  g->neighbor[g->start[j]++] = i;
}

static abut_status check_pairs(abut_context *ctx, int32_t rows, const uint64_t *pair, int64_t pairs)
{
  for (int64_t k = 0; k < pairs; k++) {
    uint64_t i = pair[k] >> 32, j = pair[k] & UINT32_MAX;
    if (i >= j || j >= (uint64_t)rows || (k > 0 && pair[k - 1] >= pair[k]))
      return abut_fail(ctx, ABUT_BAD_ARGUMENT,
                       "the matrix structure is damaged: pair %lld is (%llu, %llu) of %d rows",
                       (long long)k, (unsigned long long)i, (unsigned long long)j, rows);
  }
  return ABUT_OK;
}

abut_status abut_graph_make(abut_context *ctx, const abut_matrix *a, const uint64_t *pair,
                            int64_t pairs, abut_graph *g)
{
  int32_t rows = a->rows;
  const abut_blocks *base = &a->base;
  ABUT_TRY(check_pairs(ctx, rows, pair, pairs));
  g->rows = rows;
  g->start = ABUT_SCRATCH(ctx, int64_t, (int64_t)rows + 1);
  g->neighbor = ABUT_SCRATCH(ctx, int32_t, 2 * (base->start[rows] + pairs));
  bool *fresh = ABUT_SCRATCH(ctx, bool, pairs);
  if (!g->start || !g->neighbor || !fresh) return ABUT_NO_MEMORY;

  memset(g->start, 0, ((size_t)rows + 1) * sizeof *g->start);
  for (int32_t i = 0; i < rows; i++)
    for (int64_t k = base->start[i]; k < base->start[i + 1]; k++)
      if (base->column[k] != i) count_edge(g->start, i, base->column[k]);
  for (int64_t k = 0; k < pairs; k++) {
    int32_t i = abut_pair_row(pair[k]), j = abut_pair_column(pair[k]);
    fresh[k] = abut_blocks_find(base, i, j) < 0;
    if (fresh[k]) count_edge(g->start, i, j);
  }
  for (int32_t i = 0; i < rows; i++) g->start[i + 1] += g->start[i];

  /* filling moves every start to the next one */
  for (int32_t i = 0; i < rows; i++)
    for (int64_t k = base->start[i]; k < base->start[i + 1]; k++)
      if (base->column[k] != i) add_edge(g, i, base->column[k]);
  for (int64_t k = 0; k < pairs; k++)
    if (fresh[k]) add_edge(g, abut_pair_row(pair[k]), abut_pair_column(pair[k]));
  memmove(g->start + 1, g->start, (size_t)rows * sizeof *g->start);
  g->start[0] = 0;
  return ABUT_OK;
}
