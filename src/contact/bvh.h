/* bvh.h: a bounding volume hierarchy over boxes of primitives. The tree is balanced and implicit:
   node i has children 2i+1 and 2i+2, leaves hold up to ABUT_LEAF consecutive primitives of an order
   made by median splits. Refitting keeps the order; a tree whose boxes have grown too much since it
   was built is built anew. Which pairs are found does not depend on the tree: a pair is reported
   exactly when the primitives' own boxes overlap. */
#ifndef ABUT_CONTACT_BVH_H
#define ABUT_CONTACT_BVH_H

#include "base/context.h"

enum { ABUT_LEAF = 4 };

/* closed, in float32, rounded outward by whoever makes it */
typedef struct abut_box {
  float low[3], high[3];
} abut_box;

static inline bool abut_box_overlap(const abut_box *a, const abut_box *b)
{
  return a->low[0] <= b->high[0] && b->low[0] <= a->high[0] && a->low[1] <= b->high[1] &&
         b->low[1] <= a->high[1] && a->low[2] <= b->high[2] && b->low[2] <= a->high[2];
}

typedef struct abut_bvh {
  int32_t count;  /* primitives */
  int32_t levels; /* leaves are the nodes of this level; 0: the root is the only leaf */
  int32_t *order; /* primitives in leaf order                           (count) */
  abut_box *box;  /* of primitives, in leaf order                       (count) */
  abut_box *node; /*                                   (2^(levels+1) - 1) */
  int64_t room, node_room;
  double built_cost; /* sum of node extents when the order was made; 0: never */
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
