/* etree.h: the elimination tree of a graph and the sizes of the factor's columns. */
#ifndef ABUT_LINEAR_ETREE_H
#define ABUT_LINEAR_ETREE_H

#include "linear/graph.h"

/* All arrays are indexed by place in a postorder of the tree, so a parent comes after its children
   and every subtree is a range of places. In scratch memory. */
typedef struct abut_etree {
  int32_t rows;
  int32_t *order;  /* row eliminated at a place                      (rows) */
  int32_t *place;  /* place of a row: the inverse                    (rows) */
  int32_t *parent; /* place, or -1 at a root                         (rows) */
  int32_t *count;  /* blocks in the factor's column, with diagonal   (rows) */
} abut_etree;

/* The tree of eliminating the graph's rows in the given order, made a postorder that has the same
   fill. ABUT_BAD_ARGUMENT when order is not a permutation of the rows. */
abut_status abut_etree_make(abut_context *ctx, const abut_graph *g, const int32_t *order,
                            abut_etree *tree);

#endif
