#include "contact/bvh.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/parallel.h"
#include "base/scratch.h"

/* a tree whose extents have grown by this factor since it was built is built anew */
static const double worn = 1.6;

void abut_bvh_free(abut_context *ctx, abut_bvh *t)
{
  abut_free(ctx, t->order);
  abut_free(ctx, t->box);
  abut_free(ctx, t->node);
  *t = (abut_bvh){0};
}

static int32_t first_leaf(const abut_bvh *t)
{
  return (1 << t->levels) - 1;
}

/* primitives [leaf_begin(k), leaf_begin(k + 1)) belong to leaf k */
static int32_t leaf_begin(const abut_bvh *t, int32_t leaf)
{
  return (int32_t)((int64_t)t->count * leaf >> t->levels);
}

static abut_box empty_box(void)
{
  return (abut_box){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
}

static void box_add(abut_box *a, const abut_box *b)
{
  for (int k = 0; k < 3; k++) {
    a->low[k] = b->low[k] < a->low[k] ? b->low[k] : a->low[k];
    a->high[k] = b->high[k] > a->high[k] ? b->high[k] : a->high[k];
  }
}

/* ---- building ---- */

typedef struct keyed_center {
  float center[3];
  int32_t primitive;
} keyed_center;

/* puts the item of rank k into place k, smaller ones before it (Hoare). Ties are broken by the
   primitive's number, so the order depends on the boxes alone. */
static bool before(const keyed_center *a, const keyed_center *b, int axis)
{
  if (a->center[axis] != b->center[axis]) return a->center[axis] < b->center[axis];
  return a->primitive < b->primitive;
}

static void select_rank(keyed_center *c, int32_t begin, int32_t end, int32_t rank, int axis)
{
  while (end - begin > 1) {
    keyed_center pivot = c[begin + (end - begin) / 2];
    int32_t i = begin, j = end - 1;
    while (i <= j) {
      while (before(&c[i], &pivot, axis)) i++;
      while (before(&pivot, &c[j], axis)) j--;
      if (i > j) break;
      keyed_center swap = c[i];
      c[i++] = c[j];
      c[j--] = swap;
    }
    if (rank <= j)
      end = j + 1;
    else if (rank >= i)
      begin = i;
    else
      return;
  }
}

static int widest_axis(const keyed_center *c, int32_t begin, int32_t end)
{
  float low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
  for (int32_t i = begin; i < end; i++)
    for (int k = 0; k < 3; k++) {
      low[k] = fminf(low[k], c[i].center[k]);
      high[k] = fmaxf(high[k], c[i].center[k]);
    }
  int axis = 0;
  for (int k = 1; k < 3; k++)
    if (high[k] - low[k] > high[axis] - low[axis]) axis = k;
  return axis;
}

typedef struct split_job {
  keyed_center *center;
  const abut_bvh *tree;
  int level;
} split_job;

/* halves the leaf range of each node of one level at the median of its widest axis */
static void split_nodes(void *arg, int64_t begin, int64_t end)
{
  const split_job *job = arg;
  const abut_bvh *t = job->tree;
  int below = t->levels - job->level;
  for (int64_t node = begin; node < end; node++) {
    int32_t first = leaf_begin(t, (int32_t)(node << below));
    int32_t last = leaf_begin(t, (int32_t)((node + 1) << below));
    int32_t middle = leaf_begin(t, (int32_t)((2 * node + 1) << (below - 1)));
    if (middle <= first || middle >= last) continue;
    int axis = widest_axis(job->center, first, last);
    select_rank(job->center, first, last, middle, axis);
  }
}

static abut_status build_order(abut_context *ctx, abut_bvh *t, const abut_box *box)
{
  abut_mark mark = abut_scratch_mark(ctx);
  keyed_center *center = ABUT_SCRATCH(ctx, keyed_center, t->count);
  if (!center) return ABUT_NO_MEMORY;
  for (int32_t i = 0; i < t->count; i++) {
    for (int k = 0; k < 3; k++) center[i].center[k] = 0.5f * (box[i].low[k] + box[i].high[k]);
    center[i].primitive = i;
  }
  for (int level = 0; level < t->levels; level++) {
    split_job job = {center, t, level};
    abut_parallel_for(ctx, (int64_t)1 << level, 1, split_nodes, &job);
  }
  for (int32_t i = 0; i < t->count; i++) t->order[i] = center[i].primitive;
  abut_scratch_release(ctx, mark);
  return ABUT_OK;
}

/* ---- refitting ---- */

typedef struct refit_job {
  abut_bvh *tree;
  const abut_box *box;
} refit_job;

static void refit_leaves(void *arg, int64_t begin, int64_t end)
{
  const refit_job *job = arg;
  abut_bvh *t = job->tree;
  for (int64_t leaf = begin; leaf < end; leaf++) {
    abut_box sum = empty_box();
    for (int32_t i = leaf_begin(t, (int32_t)leaf); i < leaf_begin(t, (int32_t)leaf + 1); i++) {
      t->box[i] = job->box[t->order[i]];
      box_add(&sum, &t->box[i]);
    }
    t->node[first_leaf(t) + leaf] = sum;
  }
}

/* returns the sum of the nodes' extents */
static double refit(abut_context *ctx, abut_bvh *t, const abut_box *box)
{
  refit_job job = {t, box};
  abut_parallel_for(ctx, (int64_t)1 << t->levels, 512, refit_leaves, &job);
  for (int32_t i = first_leaf(t) - 1; i >= 0; i--) {
    t->node[i] = t->node[2 * i + 1];
    box_add(&t->node[i], &t->node[2 * i + 2]);
  }
  double cost = 0;
  for (int32_t i = 0; i < first_leaf(t) + (1 << t->levels); i++)
    for (int k = 0; k < 3; k++)
      if (t->node[i].high[k] > t->node[i].low[k])
        cost += (double)t->node[i].high[k] - (double)t->node[i].low[k];
  return cost;
}

abut_status abut_bvh_update(abut_context *ctx, abut_bvh *t, const abut_box *box, int32_t count)
{
  bool same = t->built_cost > 0 && t->count == count;
  t->count = count;
  t->levels = 0;
  while ((int64_t)ABUT_LEAF << t->levels < count) t->levels++;
  int64_t nodes = ((int64_t)2 << t->levels) - 1;
  ABUT_RESERVE(ctx, t->node, t->node_room, nodes);
  if (count > t->room || !t->order) {
    int64_t room = t->room;
    ABUT_RESERVE(ctx, t->order, room, count);
    room = t->room;
    ABUT_RESERVE(ctx, t->box, room, count);
    t->room = room;
  }
  if (same) {
    double cost = refit(ctx, t, box);
    if (cost <= worn * t->built_cost) return ABUT_OK;
  }
  t->built_cost = 0;
  ABUT_TRY(build_order(ctx, t, box));
  t->built_cost = refit(ctx, t, box);
  return ABUT_OK;
}

/* ---- searching ---- */

typedef struct node_pair {
  int32_t a, b;
} node_pair;

typedef struct pair_job {
  const abut_bvh *a, *b;
  abut_bvh_pair_fn *fn;
  void *arg;
  const node_pair *start;
  int64_t starts;
  int chunks;
  bool failed[ABUT_MAX_CHUNKS];
} pair_job;

static bool leaf_pairs(const pair_job *job, int chunk, int32_t la, int32_t lb)
{
  const abut_bvh *a = job->a, *b = job->b;
  int32_t b0 = leaf_begin(b, lb), b1 = leaf_begin(b, lb + 1);
  bool within = a == b, same_leaf = within && la == lb;
  for (int32_t i = leaf_begin(a, la); i < leaf_begin(a, la + 1); i++)
    for (int32_t j = same_leaf ? i + 1 : b0; j < b1; j++) {
      if (!abut_box_overlap(&a->box[i], &b->box[j])) continue;
      int32_t p = a->order[i], q = b->order[j];
      bool swap = within && p > q;
      if (!job->fn(job->arg, chunk, swap ? q : p, swap ? p : q)) return false;
    }
  return true;
}

/* Children of a node pair into next (up to 4); 0 when both are leaves. The node with more leaves
   below it is the one to open. */
static int open_pair(const abut_bvh *a, const abut_bvh *b, node_pair n, node_pair next[4])
{
  bool leaf_a = n.a >= first_leaf(a), leaf_b = n.b >= first_leaf(b);
  if (leaf_a && leaf_b) return 0;
  int count = 0;
  if (a == b && n.a == n.b) {
    next[count++] = (node_pair){2 * n.a + 1, 2 * n.a + 1};
    next[count++] = (node_pair){2 * n.a + 1, 2 * n.a + 2};
    next[count++] = (node_pair){2 * n.a + 2, 2 * n.a + 2};
    return count;
  }
  /* deeper nodes have larger numbers: open the one nearer to its root, scaled by tree height */
  int64_t height_a = leaf_a ? 0 : (int64_t)first_leaf(a) / (n.a + 1);
  int64_t height_b = leaf_b ? 0 : (int64_t)first_leaf(b) / (n.b + 1);
  if (!leaf_a && (leaf_b || height_a >= height_b)) {
    next[count++] = (node_pair){2 * n.a + 1, n.b};
    next[count++] = (node_pair){2 * n.a + 2, n.b};
  } else {
    next[count++] = (node_pair){n.a, 2 * n.b + 1};
    next[count++] = (node_pair){n.a, 2 * n.b + 2};
  }
  return count;
}

/* depth first; the stack never holds more than 3 pairs per level of either tree */
enum { STACK = 3 * 64 };

static bool search(const pair_job *job, int chunk, node_pair start)
{
  const abut_bvh *a = job->a, *b = job->b;
  node_pair stack[STACK];
  int depth = 0;
  stack[depth++] = start;
  while (depth > 0) {
    node_pair n = stack[--depth], next[4];
    if (n.a != n.b || a != b)
      if (!abut_box_overlap(&a->node[n.a], &b->node[n.b])) continue;
    int count = open_pair(a, b, n, next);
    if (count == 0 && !leaf_pairs(job, chunk, n.a - first_leaf(a), n.b - first_leaf(b)))
      return false;
    for (int k = count - 1; k >= 0; k--) stack[depth++] = next[k];
  }
  return true;
}

static void search_chunk(void *arg, int64_t begin, int64_t end)
{
  pair_job *job = arg;
  for (int64_t chunk = begin; chunk < end; chunk++) {
    int64_t first = job->starts * chunk / job->chunks,
            last = job->starts * (chunk + 1) / job->chunks;
    for (int64_t k = first; k < last && !job->failed[chunk]; k++)
      job->failed[chunk] = !search(job, (int)chunk, job->start[k]);
  }
}

/* opens pairs breadth first until there are enough to share out; how many depends on the trees */
static int64_t frontier(const pair_job *job, node_pair *list, node_pair *other, int64_t room,
                        node_pair **result)
{
  list[0] = (node_pair){0, 0};
  int64_t count = 1;
  bool opened = true;
  while (opened && count * 4 <= room) {
    int64_t n = 0;
    opened = false;
    for (int64_t k = 0; k < count; k++) {
      node_pair next[4];
      bool apart = !abut_box_overlap(&job->a->node[list[k].a], &job->b->node[list[k].b]);
      if (apart && !(job->a == job->b && list[k].a == list[k].b)) continue;
      int opening = open_pair(job->a, job->b, list[k], next);
      if (opening == 0) other[n++] = list[k];
      for (int i = 0; i < opening; i++) other[n++] = next[i];
      opened = opened || opening > 0;
    }
    node_pair *swap = list;
    list = other;
    other = swap;
    count = n;
  }
  *result = list;
  return count;
}

abut_status abut_bvh_pairs(abut_context *ctx, const abut_bvh *a, const abut_bvh *b,
                           abut_bvh_pair_fn *fn, void *arg)
{
  if (a->count == 0 || b->count == 0) return ABUT_OK;
  enum { ROOM = 4096 };
  abut_mark mark = abut_scratch_mark(ctx);
  node_pair *list = ABUT_SCRATCH(ctx, node_pair, ROOM), *other = ABUT_SCRATCH(ctx, node_pair, ROOM);
  if (!list || !other) return ABUT_NO_MEMORY;
  pair_job job = {.a = a, .b = b, .fn = fn, .arg = arg};
  node_pair *start;
  job.starts = frontier(&job, list, other, ROOM, &start);
  job.start = start;
  job.chunks = abut_chunk_count(job.starts, 4);
  abut_parallel_for(ctx, job.chunks, 1, search_chunk, &job);
  bool failed = false;
  for (int c = 0; c < job.chunks; c++) failed = failed || job.failed[c];
  abut_scratch_release(ctx, mark);
  return failed ? ABUT_NO_MEMORY : ABUT_OK;
}
