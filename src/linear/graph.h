/* graph.h: which rows of a matrix are coupled. Orderings and the symbolic factorisation work on
   it: block rows are its vertices, off-diagonal blocks its edges. */
#ifndef ABUT_LINEAR_GRAPH_H
#define ABUT_LINEAR_GRAPH_H

#include "linear/matrix.h"

typedef struct abut_graph {
  int32_t rows;
  int64_t *start;    /* (rows + 1) */
  int32_t *neighbor; /* every edge is there from both ends, once  (start[rows]) */
} abut_graph;

/* a pair of rows as one key, and back */
static inline uint64_t abut_pair_key(int32_t i, int32_t j)
{
  return (uint64_t)(uint32_t)i << 32 | (uint32_t)j;
}

static inline int32_t abut_pair_row(uint64_t pair)
{
  return (int32_t)(pair >> 32);
}

static inline int32_t abut_pair_column(uint64_t pair)
{
  return (int32_t)(pair & UINT32_MAX);
}

/* The graph of the base blocks of a and of further pairs i < j, ascending, which may repeat
   blocks of base. In scratch memory. */
abut_status abut_graph_make(abut_context *ctx, const abut_matrix *a, const uint64_t *pair,
                            int64_t pairs, abut_graph *g);

#endif
