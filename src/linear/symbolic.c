#include "linear/symbolic.h"

#include <string.h>

#include "base/scratch.h"

void abut_symbolic_free(abut_context *ctx, abut_symbolic *s)
{
  abut_free(ctx, s->order);
  abut_free(ctx, s->place);
  abut_free(ctx, s->front_of);
  abut_free(ctx, s->front);
  abut_free(ctx, s->row);
  abut_free(ctx, s->stretch);
  abut_free(ctx, s->entry);
  abut_free(ctx, s->job);
  *s = (abut_symbolic){0};
}

static double front_flops(const abut_front *f)
{
  double k = 3.0 * f->columns, u = 3.0 * (f->rows - f->columns);
  return k * (k * (2 * k + 3) + 1) / 6 + k * (k + 1) * u + k * u * (u + 1);
}

static abut_status copy_fronts(abut_context *ctx, const abut_supernodes *nodes, abut_symbolic *s)
{
  ABUT_RENEW(ctx, s->front, s->front_room, (int64_t)nodes->count + 1);
  s->fronts = nodes->count;
  s->nonzeros = 0;
  s->flops = 0;
  int64_t below = 0;
  for (int32_t i = 0; i < s->fronts; i++) {
    const abut_supernode *node = &nodes->node[i];
    abut_front f = {.first = node->first, .columns = node->columns, .rows = node->rows};
    f.parent = node->parent;
    f.child = f.sibling = -1;
    f.below = below;
    below += f.rows - f.columns;
    s->flops += front_flops(&f);
    int64_t k = 3 * (int64_t)f.columns, m = 3 * (int64_t)f.rows;
    s->nonzeros += k * m - k * (k - 1) / 2;
    for (int32_t c = 0; c < f.columns; c++) s->front_of[f.first + c] = i;
    s->front[i] = f;
  }
  s->front[s->fronts] = (abut_front){.first = s->rows, .parent = -1, .below = below};
  for (int32_t i = s->fronts; i-- > 0;) {
    abut_front *f = &s->front[i];
    if (f->parent < 0) continue;
    f->sibling = s->front[f->parent].child;
    s->front[f->parent].child = i;
  }
  return ABUT_OK;
}

/* Row i of the factor reaches the fronts between its earlier neighbours and its own in the tree.
   Rows come in ascending order, so every front's list is sorted. */
static void find_rows(const abut_graph *g, int32_t *seen, int64_t *end, abut_symbolic *s)
{
  for (int32_t f = 0; f < s->fronts; f++) {
    seen[f] = -1;
    end[f] = s->front[f].below;
  }
  for (int32_t i = 0; i < s->rows; i++) {
    int32_t row = s->order[i];
    seen[s->front_of[i]] = i;
    for (int64_t e = g->start[row]; e < g->start[row + 1]; e++) {
      int32_t p = s->place[g->neighbor[e]];
      if (p >= i) continue;
      for (int32_t f = s->front_of[p]; seen[f] != i; f = s->front[f].parent) {
        seen[f] = i;
        s->row[end[f]++] = i;
      }
    }
  }
}

/* local[p]: row of place p in the parent's front */
static void find_stretches(const int32_t *local, const int32_t *row, abut_front *child,
                           abut_stretch *stretch)
{
  int32_t n = child->rows - child->columns;
  child->stretches = 0;
  for (int32_t i = 0; i < n; i++) {
    int32_t into = local[row[i]];
    abut_stretch *next = &stretch[child->stretches];
    if (i > 0 && into == next[-1].into + next[-1].length) {
      next[-1].length++;
    } else {
      *next = (abut_stretch){i, into, 1};
      child->stretches++;
    }
  }
}

/* where a block goes whose column is eliminated in f and whose row is row local of f */
static abut_entry place_block(const abut_front *f, int32_t column, int32_t local, bool transposed)
{
  int32_t m = 3 * f->rows, c = 3 * (column - f->first);
  return (abut_entry){-1, abut_band_column(m, c) + 3 * local, abut_band_ld(m, c), transposed};
}

/* the blocks of one column: those of its row in the upper triangle and, from below, in rows before
   it, as far as they are eliminated later */
static abut_entry *add_column(const abut_symbolic *s, const abut_blocks *base,
                              const abut_lower *lower, const abut_front *f, const int32_t *local,
                              int32_t place, abut_entry *entry)
{
  int32_t row = s->order[place];
  for (int64_t k = base->start[row]; k < base->start[row + 1]; k++) {
    int32_t p = s->place[base->column[k]];
    if (p < place) continue;
    *entry = place_block(f, place, local[p], false);
    entry++->block = k;
  }
  for (int64_t k = lower->start[row]; k < lower->start[row + 1]; k++) {
    int32_t p = s->place[lower->row[k]];
    if (p <= place) continue;
    *entry = place_block(f, place, local[p], true);
    entry++->block = lower->block[k];
  }
  return entry;
}

/* per front: where its children's rows and its blocks of the base matrix go */
static void find_targets(const abut_blocks *base, const abut_lower *lower, int32_t *local,
                         abut_symbolic *s)
{
  abut_entry *entry = s->entry;
  for (int32_t i = 0; i < s->fronts; i++) {
    abut_front *f = &s->front[i];
    const int32_t *row = s->row + f->below;
    for (int32_t c = 0; c < f->columns; c++) local[f->first + c] = c;
    for (int32_t r = f->columns; r < f->rows; r++) local[row[r - f->columns]] = r;

    for (int32_t c = f->child; c >= 0; c = s->front[c].sibling) {
      abut_front *child = &s->front[c];
      find_stretches(local, s->row + child->below, child, s->stretch + child->below);
      int32_t n = child->rows - child->columns;
      child->shared = 0;
      while (child->shared < n && s->row[child->below + child->shared] < f->first + f->columns)
        child->shared++;
    }
    f->entry = entry - s->entry;
    for (int32_t c = 0; c < f->columns; c++)
      entry = add_column(s, base, lower, f, local, f->first + c, entry);
  }
  s->front[s->fronts].entry = entry - s->entry;
}

static abut_status make_rows(abut_context *ctx, int32_t rows, abut_symbolic *s)
{
  if (s->rows == rows && s->order && s->place && s->front_of) return ABUT_OK;
  abut_symbolic_free(ctx, s);
  ABUT_MAKE(ctx, s->order, rows);
  ABUT_MAKE(ctx, s->place, rows);
  ABUT_MAKE(ctx, s->front_of, rows);
  s->rows = rows;
  return ABUT_OK;
}

static abut_status analyze(abut_context *ctx, const abut_matrix *a, const abut_lower *lower,
                           const abut_structure *structure, abut_symbolic *s)
{
  abut_graph g;
  abut_etree tree;
  abut_supernodes nodes;
  size_t bytes = (size_t)a->rows * sizeof(int32_t);
  ABUT_TRY(make_rows(ctx, a->rows, s));
  ABUT_TRY(abut_graph_make(ctx, a, structure->pair, structure->pairs, &g));
  ABUT_TRY(abut_etree_make(ctx, &g, structure->order, &tree));
  ABUT_TRY(abut_supernodes_make(ctx, &tree, &nodes));
  if (bytes) {
    memcpy(s->order, nodes.order, bytes);
    memcpy(s->place, nodes.place, bytes);
  }
  ABUT_TRY(copy_fronts(ctx, &nodes, s));
  int64_t below = s->front[s->fronts].below;
  ABUT_RENEW(ctx, s->row, s->row_room, below);
  ABUT_RENEW(ctx, s->stretch, s->stretch_room, below);
  ABUT_RENEW(ctx, s->entry, s->entry_room, a->base.start[a->rows]);

  int32_t *local = ABUT_SCRATCH(ctx, int32_t, a->rows);
  int64_t *end = ABUT_SCRATCH(ctx, int64_t, s->fronts);
  double *cost = ABUT_SCRATCH(ctx, double, s->fronts);
  if (!local || !end || !cost) return ABUT_NO_MEMORY;
  find_rows(&g, local, end, s);
  find_targets(&a->base, lower, local, s);
  for (int32_t i = 0; i < s->fronts; i++) cost[i] = nodes.node[i].cost;
  return abut_layout_make(ctx, cost, s);
}

abut_status abut_symbolic_analyze(abut_context *ctx, const abut_matrix *a, const abut_lower *lower,
                                  const abut_structure *structure, abut_symbolic *out)
{
  abut_mark mark = abut_scratch_mark(ctx);
  abut_status status = analyze(ctx, a, lower, structure, out);
  abut_scratch_release(ctx, mark);
  return status;
}

int32_t abut_symbolic_find(const abut_symbolic *s, int32_t i, int32_t j, abut_entry *entry)
{
  int32_t column = s->place[i], p = s->place[j];
  bool transposed = column > p;
  if (transposed) {
    int32_t swap = column;
    column = p;
    p = swap;
  }
  int32_t number = s->front_of[column];
  const abut_front *f = &s->front[number];
  int32_t local = p - f->first;
  if (local >= f->columns) {
    const int32_t *row = s->row + f->below;
    int32_t low = 0, n = f->rows - f->columns, high = n;
    while (low < high) {
      int32_t middle = (low + high) / 2;
      if (row[middle] < p)
        low = middle + 1;
      else
        high = middle;
    }
    if (low == n || row[low] != p) return -1;
    local = f->columns + low;
  }
  *entry = place_block(f, column, local, transposed);
  return number;
}
