#include "linear/etree.h"

#include <string.h>

#include "base/scratch.h"

static abut_status invert_order(abut_context *ctx, int32_t rows, const int32_t *order,
                                int32_t *place)
{
  for (int32_t i = 0; i < rows; i++) place[i] = -1;
  for (int32_t k = 0; k < rows; k++) {
    int32_t i = order[k];
    if (i < 0 || i >= rows || place[i] >= 0)
      return abut_fail(ctx, ABUT_BAD_ARGUMENT,
                       "the matrix structure is damaged: its order holds row %d twice or wrongly",
                       i);
    place[i] = k;
  }
  return ABUT_OK;
}

/* Liu 1990, algorithm 4.2: every row j climbs from its earlier neighbours to the roots of their
   present trees and becomes the parent there. ancestor is parent with shortcuts. */
static void find_parents(const abut_graph *g, const int32_t *order, const int32_t *place,
                         int32_t *ancestor, int32_t *parent)
{
  for (int32_t k = 0; k < g->rows; k++) {
    parent[k] = ancestor[k] = -1;
    int32_t row = order[k];
    for (int64_t e = g->start[row]; e < g->start[row + 1]; e++) {
      int32_t i = place[g->neighbor[e]];
      while (i >= 0 && i < k) {
        int32_t next = ancestor[i];
        ancestor[i] = k;
        if (next < 0) parent[i] = k;
        i = next;
      }
    }
  }
}

/* rank[k]: place of k in a postorder; child and sibling are scratch, destroyed */
static void rank_postorder(int32_t n, const int32_t *parent, int32_t *child, int32_t *sibling,
                           int32_t *rank)
{
  int32_t root = -1;
  for (int32_t k = 0; k < n; k++) child[k] = -1;
  for (int32_t k = n - 1; k >= 0; k--) {
    int32_t *list = parent[k] < 0 ? &root : &child[parent[k]];
    sibling[k] = *list;
    *list = k;
  }
  /* walk down to a leaf, number it, go on with its sibling or else its parent */
  int32_t done = 0;
  for (int32_t k = root; k >= 0;) {
    while (child[k] >= 0) {
      int32_t next = child[k];
      child[k] = -1;
      k = next;
    }
    rank[k] = done++;
    k = sibling[k] >= 0 ? sibling[k] : parent[k];
  }
}

/* root of v's tree in the forest of finished columns, halving the path on the way */
static int32_t find_root(int32_t *ancestor, int32_t v)
{
  while (ancestor[v] != v) {
    ancestor[v] = ancestor[ancestor[v]];
    v = ancestor[v];
  }
  return v;
}

/* Gilbert, Ng and Peyton 1994: row i of the factor is a subtree of the elimination tree that ends
   in i. Its leaves add one each, the meeting points of neighbouring leaves take one away, and sums
   over subtrees give the column counts. The columns come in postorder. */
static void count_columns(const abut_graph *g, abut_etree *tree, int32_t *first, int32_t *ancestor,
                          int32_t *leaf)
{
  int32_t n = tree->rows, *count = tree->count;
  const int32_t *parent = tree->parent;
  for (int32_t k = 0; k < n; k++) {
    first[k] = ancestor[k] = k;
    leaf[k] = -1;
    count[k] = 1;
  }
  /* first[k]: the earliest column of k's subtree; only leaves of the tree keep their 1 */
  for (int32_t k = 0; k < n; k++) {
    if (parent[k] < 0) continue;
    if (first[k] < first[parent[k]]) first[parent[k]] = first[k];
    count[parent[k]] = 0;
  }
  for (int32_t k = 0; k < n; k++) {
    int32_t row = tree->order[k];
    if (parent[k] >= 0) count[parent[k]]--;
    for (int64_t e = g->start[row]; e < g->start[row + 1]; e++) {
      int32_t i = tree->place[g->neighbor[e]];
      if (i <= k || leaf[i] >= first[k]) continue; /* not a leaf of row i */
      count[k]++;
      if (leaf[i] >= 0) count[find_root(ancestor, leaf[i])]--;
      leaf[i] = k;
    }
    if (parent[k] >= 0) ancestor[k] = parent[k];
  }
  for (int32_t k = 0; k < n; k++)
    if (parent[k] >= 0) count[parent[k]] += count[k];
}

static abut_status make_arrays(abut_context *ctx, int32_t n, abut_etree *tree)
{
  tree->rows = n;
  tree->order = ABUT_SCRATCH(ctx, int32_t, n);
  tree->place = ABUT_SCRATCH(ctx, int32_t, n);
  tree->parent = ABUT_SCRATCH(ctx, int32_t, n);
  tree->count = ABUT_SCRATCH(ctx, int32_t, n);
  return tree->order && tree->place && tree->parent && tree->count ? ABUT_OK : ABUT_NO_MEMORY;
}

abut_status abut_etree_make(abut_context *ctx, const abut_graph *g, const int32_t *order,
                            abut_etree *tree)
{
  int32_t n = g->rows;
  ABUT_TRY(make_arrays(ctx, n, tree));
  abut_mark mark = abut_scratch_mark(ctx);
  int32_t *parent = ABUT_SCRATCH(ctx, int32_t, n), *rank = ABUT_SCRATCH(ctx, int32_t, n);
  int32_t *work[3];
  for (int i = 0; i < 3; i++) {
    work[i] = ABUT_SCRATCH(ctx, int32_t, n);
    if (!work[i]) return ABUT_NO_MEMORY;
  }
  if (!parent || !rank) return ABUT_NO_MEMORY;

  ABUT_TRY(invert_order(ctx, n, order, tree->place));
  find_parents(g, order, tree->place, work[0], parent);
  rank_postorder(n, parent, work[0], work[1], rank);
  for (int32_t k = 0; k < n; k++) {
    int32_t r = rank[k];
    tree->order[r] = order[k];
    tree->place[order[k]] = r;
    tree->parent[r] = parent[k] < 0 ? -1 : rank[parent[k]];
  }
  count_columns(g, tree, work[0], work[1], work[2]);
  abut_scratch_release(ctx, mark);
  return ABUT_OK;
}
