#include "contact/bvh.h"

#include <math.h>

#include "base/memory.h"
#include "base/parallel.h"
#include "base/scratch.h"

/* a tree whose extents have grown by this factor since it was built is built anew */
static const double worn = 1.6;
/* m; sums and differences of two coordinates below this are finite in float32 */
static const float farthest = 1e38f;

void abut_bvh_free(abut_context *ctx, abut_bvh *t)
{
  abut_free(ctx, t->order);
  abut_free(ctx, t->node);
  *t = (abut_bvh){0};
}

/* primitives below one child of a node of that level */
static int64_t child_capacity(int level)
{
  return (int64_t)1 << 2 * level;
}

static const abut_bvh_node *node_at(const abut_bvh *t, int level, int32_t i)
{
  return &t->node[t->offset[level] + i];
}

/* ---- building ---- */

typedef struct keyed_center {
  float center[3];
  int32_t primitive;
} keyed_center;

/* Ties are broken by the primitive's number, so the order depends on the boxes alone. */
static bool before(const keyed_center *a, const keyed_center *b, int axis)
{
  if (a->center[axis] != b->center[axis]) return a->center[axis] < b->center[axis];
  return a->primitive < b->primitive;
}

/* puts the item of rank k into place k, smaller ones before it (Hoare) */
static void select_rank(keyed_center *c, int64_t begin, int64_t end, int64_t rank, int axis)
{
  while (end - begin > 1) {
    keyed_center pivot = c[begin + (end - begin) / 2];
    int64_t i = begin, j = end - 1;
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

static int widest_axis(const keyed_center *c, int64_t begin, int64_t end)
{
  float low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
  for (int64_t i = begin; i < end; i++)
    for (int k = 0; k < 3; k++) {
      float x = c[i].center[k];
      low[k] = x < low[k] ? x : low[k];
      high[k] = x > high[k] ? x : high[k];
    }
  int axis = 0;
  for (int k = 1; k < 3; k++)
    if (high[k] - low[k] > high[axis] - low[axis]) axis = k;
  return axis;
}

/* smaller centers along the widest axis before place middle */
static void split(keyed_center *c, int64_t begin, int64_t middle, int64_t end)
{
  if (middle > begin && middle < end)
    select_rank(c, begin, end, middle, widest_axis(c, begin, end));
}

typedef struct split_job {
  keyed_center *center;
  int64_t count;
  int level;
} split_job;

/* shares the primitives below each node of one level out to its four children */
static void split_nodes(void *arg, int64_t begin, int64_t end)
{
  const split_job *job = arg;
  int64_t each = child_capacity(job->level);
  for (int64_t node = begin; node < end; node++) {
    int64_t first = ABUT_WIDE * each * node, last = first + ABUT_WIDE * each;
    if (last > job->count) last = job->count;
    int64_t middle = first + 2 * each < last ? first + 2 * each : last;
    split(job->center, first, middle, last);
    split(job->center, first, first + each, middle);
    split(job->center, middle, middle + each, last);
  }
}

static abut_status build_order(abut_context *ctx, abut_bvh *t, const abut_box *box)
{
  abut_mark mark = abut_scratch_mark(ctx);
  keyed_center *center = ABUT_SCRATCH(ctx, keyed_center, t->count);
  if (!center) return ABUT_NO_MEMORY;
  for (int32_t i = 0; i < t->count; i++) {
    for (int k = 0; k < 3; k++) center[i].center[k] = 0.5f * box[i].low[k] + 0.5f * box[i].high[k];
    center[i].primitive = i;
  }
  for (int level = t->levels - 1; level > 0; level--) {
    split_job job = {center, t->count, level};
    int64_t each = ABUT_WIDE * child_capacity(level);
    abut_parallel_for(ctx, t->nodes[level], 2048 / each + 1, split_nodes, &job);
  }
  for (int32_t i = 0; i < t->count; i++) t->order[i] = center[i].primitive;
  abut_scratch_release(ctx, mark);
  return ABUT_OK;
}

/* ---- refitting ---- */

static const abut_box empty_box = {{INFINITY, INFINITY, INFINITY},
                                   {-INFINITY, -INFINITY, -INFINITY}};

static void set_child(abut_bvh_node *n, int k, const abut_box *b)
{
  for (int axis = 0; axis < 3; axis++) {
    n->low[axis][k] = b->low[axis];
    n->high[axis][k] = b->high[axis];
  }
}

/* around all children */
static abut_box box_of_node(const abut_bvh_node *n)
{
  abut_box b = empty_box;
  for (int axis = 0; axis < 3; axis++)
    for (int k = 0; k < ABUT_WIDE; k++) {
      b.low[axis] = n->low[axis][k] < b.low[axis] ? n->low[axis][k] : b.low[axis];
      b.high[axis] = n->high[axis][k] > b.high[axis] ? n->high[axis][k] : b.high[axis];
    }
  return b;
}

typedef struct refit_job {
  abut_bvh *tree;
  const abut_box *box;
  int level;
} refit_job;

/* returns the sum of the extents of the nodes */
static double refit_nodes(void *arg, int64_t begin, int64_t end)
{
  const refit_job *job = arg;
  abut_bvh *t = job->tree;
  int32_t below = job->level ? t->nodes[job->level - 1] : t->count;
  double cost = 0;
  for (int64_t i = begin; i < end; i++) {
    abut_bvh_node *n = &t->node[t->offset[job->level] + i];
    for (int k = 0; k < ABUT_WIDE; k++) {
      int64_t child = ABUT_WIDE * i + k;
      abut_box b = empty_box;
      if (child < below)
        b = job->level ? box_of_node(node_at(t, job->level - 1, (int32_t)child))
                       : job->box[t->order[child]];
      set_child(n, k, &b);
    }
    abut_box all = box_of_node(n);
    for (int axis = 0; axis < 3; axis++)
      if (all.high[axis] > all.low[axis]) cost += (double)all.high[axis] - (double)all.low[axis];
  }
  return cost;
}

static double refit(abut_context *ctx, abut_bvh *t, const abut_box *box)
{
  double cost = 0;
  for (int level = 0; level < t->levels; level++) {
    refit_job job = {t, box, level};
    cost += abut_parallel_sum(ctx, t->nodes[level], 1024, refit_nodes, &job);
  }
  return cost;
}

/* how many nodes each level has; returns how many there are in all */
static int64_t lay_out(abut_bvh *t)
{
  int64_t below = t->count, all = 0;
  t->levels = 0;
  while (below > 1 || (below == 1 && t->levels == 0)) {
    below = (below + ABUT_WIDE - 1) / ABUT_WIDE;
    t->nodes[t->levels] = (int32_t)below;
    t->offset[t->levels++] = (int32_t)all;
    all += below;
  }
  return all;
}

/* also false for what is not a number, which has no place in an order */
static bool in_range(const abut_box *box, int32_t count)
{
  bool inside = true;
  for (int32_t i = 0; i < count; i++)
    for (int k = 0; k < 3; k++)
      inside = inside && fabsf(box[i].low[k]) < farthest && fabsf(box[i].high[k]) < farthest;
  return inside;
}

abut_status abut_bvh_update(abut_context *ctx, abut_bvh *t, const abut_box *box, int32_t count)
{
  if (!in_range(box, count))
    return abut_fail(ctx, ABUT_STOPPED,
                     "a surface would go farther than %.0e m, or to no finite place; look for "
                     "velocities, forces, gravity or motions that are too large",
                     (double)farthest);
  bool same = t->built_cost > 0 && t->count == count;
  if (!same) t->built_cost = 0; /* should memory run out below */
  t->count = count;
  ABUT_RESERVE(ctx, t->node, t->node_room, lay_out(t));
  ABUT_RESERVE(ctx, t->order, t->room, count);
  if (same && refit(ctx, t, box) <= worn * t->built_cost) return ABUT_OK;
  t->built_cost = 0;
  ABUT_TRY(build_order(ctx, t, box));
  t->built_cost = refit(ctx, t, box);
  return ABUT_OK;
}

/* ---- searching ---- */

/* two nodes with their levels, whose boxes overlap as far as that is known */
typedef struct node_pair {
  int32_t a, b;
  int8_t level_a, level_b;
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

/* which of the children of b overlap the box: hit[k] 0 or 1; returns whether any does */
static int overlaps(const abut_box *a, const abut_bvh_node *b, int32_t hit[ABUT_WIDE])
{
#pragma omp simd
  for (int k = 0; k < ABUT_WIDE; k++)
    hit[k] = (a->low[0] <= b->high[0][k]) & (b->low[0][k] <= a->high[0]) &
             (a->low[1] <= b->high[1][k]) & (b->low[1][k] <= a->high[1]) &
             (a->low[2] <= b->high[2][k]) & (b->low[2][k] <= a->high[2]);
  int any = 0;
  for (int k = 0; k < ABUT_WIDE; k++) any |= hit[k];
  return any;
}

static abut_box child_box(const abut_bvh_node *n, int k)
{
  return (abut_box){{n->low[0][k], n->low[1][k], n->low[2][k]},
                    {n->high[0][k], n->high[1][k], n->high[2][k]}};
}

/* pairs of a taller tree's children with the whole of a lower node */
static int open_taller(const pair_job *job, node_pair n, node_pair *next)
{
  bool open_a = n.level_a > n.level_b;
  const abut_bvh_node *a = node_at(job->a, n.level_a, n.a), *b = node_at(job->b, n.level_b, n.b);
  abut_box whole = box_of_node(open_a ? b : a);
  int32_t hit[ABUT_WIDE];
  int count = 0;
  overlaps(&whole, open_a ? a : b, hit);
  for (int k = 0; k < ABUT_WIDE; k++) {
    if (!hit[k]) continue;
    node_pair m = n;
    if (open_a)
      m.a = ABUT_WIDE * n.a + k, m.level_a--;
    else
      m.b = ABUT_WIDE * n.b + k, m.level_b--;
    next[count++] = m;
  }
  return count;
}

/* overlapping pairs of children, both nodes being of one level above the lowest */
static int open_both(const pair_job *job, node_pair n, node_pair *next)
{
  bool itself = job->a == job->b && n.a == n.b;
  const abut_bvh_node *a = node_at(job->a, n.level_a, n.a), *b = node_at(job->b, n.level_b, n.b);
  int8_t below = (int8_t)(n.level_a - 1);
  int count = 0;
  for (int i = 0; i < ABUT_WIDE; i++) {
    abut_box box = child_box(a, i);
    int32_t hit[ABUT_WIDE];
    if (!overlaps(&box, b, hit)) continue;
    for (int k = itself ? i : 0; k < ABUT_WIDE; k++)
      if (hit[k])
        next[count++] = (node_pair){ABUT_WIDE * n.a + i, ABUT_WIDE * n.b + k, below, below};
  }
  return count;
}

/* Children (up to 16) of a pair that is not of lowest nodes. */
static int open_pair(const pair_job *job, node_pair n, node_pair *next)
{
  return n.level_a == n.level_b ? open_both(job, n, next) : open_taller(job, n, next);
}

static bool is_lowest(node_pair n)
{
  return n.level_a == 0 && n.level_b == 0;
}

static bool primitive_pairs(const pair_job *job, int chunk, node_pair n)
{
  bool within = job->a == job->b, itself = within && n.a == n.b;
  const abut_bvh_node *a = node_at(job->a, 0, n.a), *b = node_at(job->b, 0, n.b);
  const int32_t *order_a = job->a->order + ABUT_WIDE * (int64_t)n.a;
  const int32_t *order_b = job->b->order + ABUT_WIDE * (int64_t)n.b;
  for (int i = 0; i < ABUT_WIDE; i++) {
    abut_box box = child_box(a, i);
    int32_t hit[ABUT_WIDE];
    if (!overlaps(&box, b, hit)) continue;
    for (int k = itself ? i + 1 : 0; k < ABUT_WIDE; k++) {
      if (!hit[k]) continue;
      int32_t p = order_a[i], q = order_b[k];
      bool swap = within && p > q;
      if (!job->fn(job->arg, chunk, swap ? q : p, swap ? p : q)) return false;
    }
  }
  return true;
}

/* depth first; each level of either tree leaves at most 15 pairs waiting */
enum { STACK = 16 * 2 * ABUT_BVH_LEVELS };

static bool search(const pair_job *job, int chunk, node_pair start)
{
  node_pair stack[STACK];
  int depth = 0;
  stack[depth++] = start;
  while (depth > 0) {
    node_pair n = stack[--depth];
    if (!is_lowest(n))
      depth += open_pair(job, n, stack + depth);
    else if (!primitive_pairs(job, chunk, n))
      return false;
  }
  return true;
}

static void search_chunk(void *arg, int64_t begin, int64_t end)
{
  pair_job *job = arg;
  for (int64_t chunk = begin; chunk < end; chunk++) {
    int64_t first = job->starts * chunk / job->chunks;
    int64_t last = job->starts * (chunk + 1) / job->chunks;
    for (int64_t k = first; k < last && !job->failed[chunk]; k++)
      job->failed[chunk] = !search(job, (int)chunk, job->start[k]);
  }
}

/* opens pairs breadth first until there are enough to share out; how many depends on the trees */
static int64_t frontier(const pair_job *job, node_pair *list, node_pair *other, int64_t room,
                        node_pair **result)
{
  list[0] = (node_pair){0, 0, (int8_t)(job->a->levels - 1), (int8_t)(job->b->levels - 1)};
  int64_t count = 1;
  bool opened = true;
  while (opened && count * 16 <= room) {
    int64_t n = 0;
    opened = false;
    for (int64_t k = 0; k < count; k++) {
      if (is_lowest(list[k])) {
        other[n++] = list[k];
        continue;
      }
      n += open_pair(job, list[k], other + n);
      opened = true;
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
  /* small trees are not worth more than a few chunks */
  int share = abut_chunk_count((int64_t)a->count + b->count, 256);
  int64_t room = 64 + 64 * (int64_t)share;
  abut_mark mark = abut_scratch_mark(ctx);
  node_pair *list = ABUT_SCRATCH(ctx, node_pair, room), *other = ABUT_SCRATCH(ctx, node_pair, room);
  if (!list || !other) return ABUT_NO_MEMORY;
  pair_job job = {.a = a, .b = b, .fn = fn, .arg = arg};
  node_pair *start;
  job.starts = frontier(&job, list, other, room, &start);
  job.start = start;
  job.chunks = job.starts < share ? (int)job.starts : share;
  abut_parallel_for(ctx, job.chunks, 1, search_chunk, &job);
  bool failed = false;
  for (int c = 0; c < job.chunks; c++) failed = failed || job.failed[c];
  abut_scratch_release(ctx, mark);
  return failed ? ABUT_NO_MEMORY : ABUT_OK;
}
