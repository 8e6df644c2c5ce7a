/* bvh.h: a bounding volume hierarchy over boxes of primitives. Each node holds the boxes of its
   four children side by side, so that one box is compared with four at once. The tree is packed:
   the primitives stand in an order made by median splits, node i of the lowest level holds numbers
   4i to 4i + 3 of them, node i of the next level nodes 4i to 4i + 3, and so on up to the root.
   Refitting keeps the order; a tree whose boxes have grown too much since it was built is built
   anew. Which pairs are found does not depend on the tree: a pair is reported exactly when the
   primitives' own boxes overlap. */
#ifndef ABUT_CONTACT_BVH_H
#define ABUT_CONTACT_BVH_H

#include "base/context.h"

enum { ABUT_WIDE = 4, ABUT_BVH_LEVELS = 16 };

/* closed, in float32, rounded outward by whoever makes it */
typedef struct abut_box {
  float low[3], high[3];
} abut_box;

/* the boxes of up to four children; those that do not exist are empty (low above high) */
typedef struct abut_bvh_node {
  float low[3][ABUT_WIDE], high[3][ABUT_WIDE];
} abut_bvh_node;

typedef struct abut_bvh {
  int32_t count;                   /* primitives */
  int32_t levels;                  /* of nodes; the last is the root's. 0: no primitives */
  int32_t nodes[ABUT_BVH_LEVELS];  /* of each level */
  int32_t offset[ABUT_BVH_LEVELS]; /* place of each level in node */
  int32_t *order;                  /* primitives in tree order                    (count) */
  abut_bvh_node *node;
  int64_t room, node_room;
  double built_cost; /* sum of box extents when the order was made; 0: never */
} abut_bvh;

void abut_bvh_free(abut_context *ctx, abut_bvh *t);
/* Takes new boxes of the same primitives (or of other ones), refits, and builds anew when the tree
   is worn or count has changed.  box: (count) in primitive order */
abut_status abut_bvh_update(abut_context *ctx, abut_bvh *t, const abut_box *box, int32_t count);

/* called for each pair of primitives whose boxes overlap; false stops the search (out of memory) */
typedef bool abut_bvh_pair_fn(void *arg, int chunk, int32_t a, int32_t b);

/* All pairs between two trees, or within one (a == b: each unordered pair once, a < b). Runs in
   parallel: fn gets the chunk number, below ABUT_MAX_CHUNKS, to keep results apart. The order of
   pairs within a chunk depends on the trees; sort them. */
abut_status abut_bvh_pairs(abut_context *ctx, const abut_bvh *a, const abut_bvh *b,
                           abut_bvh_pair_fn *fn, void *arg);

#endif
