#include "contact/exact_tree.h"

#include <math.h>

#include "base/memory.h"
#include "base/parallel.h"

/* parts of at most 2 PART - 1 leaves are not cut any more; 32-bit counts have at most 30 levels */
enum { PART = 4, STACK = 32 };

static int64_t part_begin(const abut_exact_tree *tree, int level, int64_t j)
{
  return tree->count * j >> level;
}

static double middle(const abut_exact_leaf *leaf, int axis)
{
  return 0.5 * leaf->box.lo[axis] + 0.5 * leaf->box.hi[axis];
}

/* Hoare's selection: the n middles' smallest to the left of leaf[k], the largest from there on */
static void select_middle(abut_exact_leaf *leaf, int64_t n, int64_t k, int axis)
{
  int64_t lo = 0, hi = n - 1;
  while (lo < hi) {
    double a = middle(&leaf[lo], axis), b = middle(&leaf[lo + (hi - lo) / 2], axis),
           c = middle(&leaf[hi], axis);
    double pivot = fmax(fmin(a, b), fmin(fmax(a, b), c));
    int64_t i = lo, j = hi;
    while (i <= j) {
      while (middle(&leaf[i], axis) < pivot) i++;
      while (middle(&leaf[j], axis) > pivot) j--;
      if (i > j) break;
      abut_exact_leaf swap = leaf[i];
      leaf[i++] = leaf[j];
      leaf[j--] = swap;
    }
    if (k <= j)
      hi = j;
    else if (k >= i)
      lo = i;
    else
      return;
  }
}

/* where the middles differ most */
static int widest(const abut_exact_leaf *leaf, int64_t n)
{
  int axis = 0;
  double most = -1;
  for (int d = 0; d < 3; d++) {
    double lo = INFINITY, hi = -INFINITY;
    for (int64_t i = 0; i < n; i++) {
      double m = middle(&leaf[i], d);
      lo = m < lo ? m : lo;
      hi = m > hi ? m : hi;
    }
    if (hi - lo > most) {
      most = hi - lo;
      axis = d;
    }
  }
  return axis;
}

static abut_exact_box hull(const abut_exact_leaf *leaf, int64_t n)
{
  abut_exact_box box = leaf[0].box;
  for (int64_t i = 1; i < n; i++)
    for (int d = 0; d < 3; d++) {
      if (leaf[i].box.lo[d] < box.lo[d]) box.lo[d] = leaf[i].box.lo[d];
      if (leaf[i].box.hi[d] > box.hi[d]) box.hi[d] = leaf[i].box.hi[d];
    }
  return box;
}

typedef struct level_work {
  abut_exact_tree *tree;
  int level;
} level_work;

/* nodes of one level: their hulls, and their leaves cut for the next */
static void build_nodes(void *arg, int64_t begin, int64_t end)
{
  level_work *w = arg;
  for (int64_t j = begin; j < end; j++) {
    int64_t first = part_begin(w->tree, w->level, j);
    int64_t n = part_begin(w->tree, w->level, j + 1) - first;
    abut_exact_leaf *leaf = w->tree->leaf + first;
    w->tree->node[((int64_t)1 << w->level) - 1 + j] = hull(leaf, n);
    if (w->level + 1 == w->tree->levels) continue;
    int64_t cut = part_begin(w->tree, w->level + 1, 2 * j + 1) - first;
    select_middle(leaf, n, cut, widest(leaf, n));
  }
}

abut_status abut_exact_tree_build(abut_context *ctx, abut_exact_leaf *leaf, int32_t count,
                                  abut_exact_tree *tree)
{
  *tree = (abut_exact_tree){.count = count, .leaf = leaf};
  if (count == 0) return ABUT_OK;
  tree->levels = 1;
  while (count >> tree->levels >= PART) tree->levels++;
  ABUT_MAKE(ctx, tree->node, ((int64_t)1 << tree->levels) - 1);
  level_work w = {.tree = tree};
  for (w.level = 0; w.level < tree->levels; w.level++)
    abut_parallel_for(ctx, (int64_t)1 << w.level, 1, build_nodes, &w);
  return ABUT_OK;
}

void abut_exact_tree_free(abut_context *ctx, abut_exact_tree *tree)
{
  abut_free(ctx, tree->leaf);
  abut_free(ctx, tree->node);
  *tree = (abut_exact_tree){0};
}

static bool overlap(const abut_exact_box *a, const abut_exact_box *b)
{
  return (a->lo[0] <= b->hi[0]) & (b->lo[0] <= a->hi[0]) & (a->lo[1] <= b->hi[1]) &
         (b->lo[1] <= a->hi[1]) & (a->lo[2] <= b->hi[2]) & (b->lo[2] <= a->hi[2]);
}

abut_status abut_exact_tree_find(abut_context *ctx, const abut_exact_tree *tree,
                                 const abut_exact_box *box, abut_exact_found *found)
{
  found->count = 0;
  if (tree->count == 0) return ABUT_OK;
  int64_t stack[STACK], inner = ((int64_t)1 << (tree->levels - 1)) - 1;
  int depth = 0;
  stack[depth++] = 0;
  while (depth > 0) {
    int64_t k = stack[--depth];
    if (!overlap(&tree->node[k], box)) continue;
    if (k < inner) {
      stack[depth++] = 2 * k + 2;
      stack[depth++] = 2 * k + 1;
      continue;
    }
    int64_t end = part_begin(tree, tree->levels - 1, k - inner + 1);
    for (int64_t i = part_begin(tree, tree->levels - 1, k - inner); i < end; i++) {
      if (!overlap(&tree->leaf[i].box, box)) continue;
      ABUT_RESERVE(ctx, found->id, found->room, found->count + 1);
      found->id[found->count++] = tree->leaf[i].id;
    }
  }
  return ABUT_OK;
}
