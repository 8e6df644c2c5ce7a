#include "linear/supernodes.h"

#include <string.h>

#include "base/scratch.h"
#include "base/sort.h"

/* Time of one front, measured on shells and solids (bench_cholesky): seconds per front, per entry
   of the factor (clear, fill and two triangular solves), per entry of the update matrix (write it,
   add it to the parent), and per multiplication and addition. */
static const double FRONT = 4e-7, ENTRY = 6e-10, UPDATE = 3e-10, FLOP = 2e-11;

static double front_cost(int32_t rows, int32_t columns)
{
  double k = 3.0 * columns, u = 3.0 * (rows - columns);
  return FRONT + ENTRY * k * (k + u) + UPDATE * u * u + FLOP * k * (u * u + k * u + k * k / 3);
}

/* The forest while supernodes merge. A merged one is the last of its members; the columns of all
   members, in the order of the list, are its columns. */
typedef struct forest {
  int32_t count;
  int32_t *begin;   /* first column of a member in the tree       (count + 1) */
  int32_t *columns; /* of the whole supernode                     (count) */
  int32_t *rows;    /* of its front                               (count) */
  int32_t *parent;  /*                                            (count) */
  int32_t *child;   /* first child, -1 without                    (count) */
  int32_t *sibling; /* next child of the same parent              (count) */
  int32_t *head;    /* first member                               (count) */
  int32_t *next;    /* member after this one, -1 after the last   (count) */
  double *cost;     /* of the front, later of its whole subtree   (count) */
  bool *merged;     /* it is part of its parent                   (count) */
} forest;

static abut_status make_forest(abut_context *ctx, int32_t n, forest *f)
{
  int32_t **list[] = {&f->columns, &f->rows, &f->parent, &f->child,
                      &f->sibling, &f->head, &f->next};
  for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
    *list[i] = ABUT_SCRATCH(ctx, int32_t, n);
    if (!*list[i]) return ABUT_NO_MEMORY;
  }
  f->begin = ABUT_SCRATCH(ctx, int32_t, (int64_t)n + 1);
  f->cost = ABUT_SCRATCH(ctx, double, n);
  f->merged = ABUT_SCRATCH(ctx, bool, n);
  return f->begin && f->cost && f->merged ? ABUT_OK : ABUT_NO_MEMORY;
}

/* columns of the tree that differ only in the diagonal block of the earlier one */
static void find_equal_columns(const abut_etree *tree, int32_t *owner, forest *f)
{
  f->count = 0;
  for (int32_t k = 0; k < tree->rows; k++) {
    bool joins = k > 0 && tree->parent[k - 1] == k && tree->count[k - 1] == tree->count[k] + 1;
    if (!joins) f->begin[f->count++] = k;
    owner[k] = f->count - 1;
  }
  f->begin[f->count] = tree->rows;
  for (int32_t s = 0; s < f->count; s++) {
    int32_t last = f->begin[s + 1] - 1, above = tree->parent[last];
    f->columns[s] = f->begin[s + 1] - f->begin[s];
    f->rows[s] = f->columns[s] + tree->count[last] - 1;
    f->parent[s] = above < 0 ? -1 : owner[above];
    f->child[s] = f->sibling[s] = f->next[s] = -1;
    f->head[s] = s;
    f->merged[s] = false;
    f->cost[s] = front_cost(f->rows[s], f->columns[s]);
  }
}

/* Tries child c of s. The columns of c then reach down all rows of the merged front, which holds
   the rows of s and those columns. */
static bool try_merge(forest *f, int32_t s, int32_t c)
{
  int32_t rows = f->rows[s] + f->columns[c], columns = f->columns[s] + f->columns[c];
  double cost = front_cost(rows, columns);
  if (cost > f->cost[s] + f->cost[c]) return false;
  f->rows[s] = rows;
  f->columns[s] = columns;
  f->cost[s] = cost;
  f->merged[c] = true;
  f->next[c] = f->head[s];
  f->head[s] = f->head[c];
  return true;
}

/* puts s and all its siblings before it into the list of the parent's children */
static void adopt(forest *f, int32_t parent, int32_t s)
{
  f->parent[s] = parent;
  f->sibling[s] = f->child[parent];
  f->child[parent] = s;
}

/* the children of s, those with the most rows below them first: they bring the fewest zeros */
static int64_t list_children(const forest *f, int32_t s, abut_keyed *list, abut_keyed *other)
{
  int64_t n = 0;
  for (int32_t c = f->child[s]; c >= 0; c = f->sibling[c]) {
    uint64_t below = (uint64_t)(f->rows[c] - f->columns[c]);
    list[n++] = (abut_keyed){INT32_MAX - below, c};
  }
  abut_sort_keyed(list, other, n);
  return n;
}

static void merge_children(forest *f, abut_keyed *list, abut_keyed *other)
{
  for (int32_t s = 0; s < f->count; s++) {
    int64_t n = list_children(f, s, list, other);
    f->child[s] = -1;
    for (int64_t i = 0; i < n; i++) {
      int32_t c = list[i].value;
      if (!try_merge(f, s, c)) {
        adopt(f, s, c);
        continue;
      }
      for (int32_t g = f->child[c], next; g >= 0; g = next) {
        next = f->sibling[g];
        adopt(f, s, g);
      }
    }
    if (f->parent[s] >= 0) adopt(f, f->parent[s], s);
  }
}

/* children of every supernode in the order of elimination, the dearest subtree first; returns the
   first root */
static int32_t sort_children(forest *f, const double *subtree, abut_keyed *list, abut_keyed *other)
{
  int64_t n = 0;
  for (int32_t s = 0; s < f->count; s++) {
    if (f->merged[s]) continue;
    uint64_t bits;
    memcpy(&bits, &subtree[s], sizeof bits); /* positive doubles sort as their bits do */
    list[n++] = (abut_keyed){~bits, s};
    f->child[s] = -1;
  }
  abut_sort_keyed(list, other, n);
  int32_t root = -1;
  for (int64_t i = n; i-- > 0;) {
    int32_t s = list[i].value;
    int32_t *first = f->parent[s] < 0 ? &root : &f->child[f->parent[s]];
    f->sibling[s] = *first;
    *first = s;
  }
  return root;
}

/* numbers supernode s and its columns as the next ones */
static void place_supernode(const forest *f, const abut_etree *tree, int32_t s, int32_t first,
                            abut_supernodes *out)
{
  int32_t place = first;
  for (int32_t m = f->head[s]; m >= 0; m = f->next[m])
    for (int32_t k = f->begin[m]; k < f->begin[m + 1]; k++) {
      out->order[place] = tree->order[k];
      out->place[tree->order[k]] = place++;
    }
  out->node[out->count++] =
      (abut_supernode){first, f->columns[s], f->rows[s], f->parent[s], f->cost[s]};
}

static void place_supernodes(forest *f, const abut_etree *tree, int32_t root, int32_t *number,
                             abut_supernodes *out)
{
  int32_t first = 0;
  out->count = 0;
  for (int32_t s = root; s >= 0;) {
    while (f->child[s] >= 0) {
      int32_t next = f->child[s];
      f->child[s] = -1;
      s = next;
    }
    number[s] = out->count;
    place_supernode(f, tree, s, first, out);
    first += f->columns[s];
    s = f->sibling[s] >= 0 ? f->sibling[s] : f->parent[s];
  }
  for (int32_t i = 0; i < out->count; i++)
    if (out->node[i].parent >= 0) out->node[i].parent = number[out->node[i].parent];
}

abut_status abut_supernodes_make(abut_context *ctx, const abut_etree *tree, abut_supernodes *out)
{
  int32_t n = tree->rows;
  out->node = ABUT_SCRATCH(ctx, abut_supernode, n);
  out->order = ABUT_SCRATCH(ctx, int32_t, n);
  out->place = ABUT_SCRATCH(ctx, int32_t, n);
  if (!out->node || !out->order || !out->place) return ABUT_NO_MEMORY;

  abut_mark mark = abut_scratch_mark(ctx);
  forest f = {0};
  int32_t *number = ABUT_SCRATCH(ctx, int32_t, n);
  double *subtree = ABUT_SCRATCH(ctx, double, n);
  abut_keyed *list = ABUT_SCRATCH(ctx, abut_keyed, n), *other = ABUT_SCRATCH(ctx, abut_keyed, n);
  if (!number || !subtree || !list || !other) return ABUT_NO_MEMORY;
  ABUT_TRY(make_forest(ctx, n, &f));

  find_equal_columns(tree, number, &f);
  merge_children(&f, list, other);
  for (int32_t s = 0; s < f.count; s++) subtree[s] = f.cost[s];
  for (int32_t s = 0; s < f.count; s++)
    if (!f.merged[s] && f.parent[s] >= 0) subtree[f.parent[s]] += subtree[s];
  int32_t root = sort_children(&f, subtree, list, other);
  place_supernodes(&f, tree, root, number, out);
  abut_scratch_release(ctx, mark);
  return ABUT_OK;
}
