/* exact_tree.h: which boxes overlap. A balanced tree of its own, in double precision and without
   arithmetic on the boxes' bounds, so that a pair cannot be missed. */
#ifndef ABUT_CONTACT_EXACT_TREE_H
#define ABUT_CONTACT_EXACT_TREE_H

#include "base/context.h"

/* closed; finite bounds */
typedef struct abut_exact_box {
  double lo[3], hi[3];
} abut_exact_box;

typedef struct abut_exact_leaf {
  abut_exact_box box;
  int32_t id;
} abut_exact_leaf;

/* Node k has the children 2k + 1 and 2k + 2. The nodes of level l cut the leaves into 2^l equal
   parts, so where a node's leaves lie follows from k alone. */
typedef struct abut_exact_tree {
  int32_t count;         /* of leaves */
  int levels;            /* the last one holds the parts that are searched one by one */
  abut_exact_leaf *leaf; /* in the order of the tree              (count) */
  abut_exact_box *node;  /* hull of a node's leaves               (2^levels - 1) */
} abut_exact_tree;

/* ids of the boxes found; a zeroed struct is an empty list, abut_free(id) frees it */
typedef struct abut_exact_found {
  int32_t *id;
  int64_t count, room;
} abut_exact_found;

/* Over leaf, of which it takes possession (also when it fails); ids are whatever was put there. */
abut_status abut_exact_tree_build(abut_context *ctx, abut_exact_leaf *leaf, int32_t count,
                                  abut_exact_tree *tree);
void abut_exact_tree_free(abut_context *ctx, abut_exact_tree *tree);

/* all leaves whose boxes share a point with box, replacing what found held; from any thread */
abut_status abut_exact_tree_find(abut_context *ctx, const abut_exact_tree *tree,
                                 const abut_exact_box *box, abut_exact_found *found);

#endif
