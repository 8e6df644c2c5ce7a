#include "linear/fronts.h"

#include <string.h>

#include "base/parallel.h"
#include "linear/tiles.h"

/* Fronts of LARGE scalar rows or more are cut into tiles of TILE rows and columns that are tasks of
   their own; columns of updates are added in groups of GROUP blocks. */
enum { LARGE = 600, TILE = ABUT_BAND, GROUP = 48 };
/* states of a front besides the column of a bad pivot */
enum { FINE = -1, SKIPPED = -2 };

typedef struct work {
  const abut_symbolic *s;
  const abut_matrix *a;
  const abut_extra *extra;
  abut_factor *l;
} work;

abut_status abut_factor_reserve(abut_context *ctx, const abut_symbolic *s, abut_factor *l)
{
  ABUT_TRY(abut_buffer_renew(ctx, &l->panel, s->factor_size));
  ABUT_TRY(abut_buffer_renew(ctx, &l->arena, s->arena_size));
  ABUT_TRY(abut_buffer_renew(ctx, &l->stack, s->stack_size * ctx->threads));
  ABUT_RENEW(ctx, l->failed, l->failed_room, s->fronts);
  return ABUT_OK;
}

void abut_factor_free(abut_context *ctx, abut_factor *l)
{
  abut_buffer_free(ctx, &l->panel);
  abut_buffer_free(ctx, &l->arena);
  abut_buffer_free(ctx, &l->stack);
  abut_free(ctx, l->failed);
  *l = (abut_factor){0};
}

static void add_entries(const abut_entry *entry, int64_t count, const mat3 *value, double *panel)
{
  for (int64_t e = 0; e < count; e++) {
    const double *m = value[entry[e].block].m;
    double *p = panel + entry[e].target;
    int64_t ld = entry[e].ld;
    if (entry[e].transposed) {
      for (int c = 0; c < 3; c++)
        for (int r = 0; r < 3; r++) p[c * ld + r] += m[3 * r + c];
    } else {
      for (int c = 0; c < 3; c++)
        for (int r = 0; r < 3; r++) p[c * ld + r] += m[3 * c + r];
    }
  }
}

/* The update matrix of a child, of n rows, and the part of its parent that it is added to: the
   panel, or the update matrix, which begins at row and column skip of the front. */
typedef struct addition {
  const abut_stretch *stretch;
  int32_t stretches, n;
  const double *from;
  double *into;
  int32_t rows, skip;
} addition;

/* three columns of n rows */
static void add3(int32_t n, const double *a, int32_t lda, double *b, int32_t ldb)
{
  const double *restrict a0 = a, *restrict a1 = a + lda, *restrict a2 = a1 + lda;
  double *restrict b0 = b, *restrict b1 = b + ldb, *restrict b2 = b1 + ldb;
  for (int32_t i = 0; i < n; i++) {
    b0[i] += a0[i];
    b1[i] += a1[i];
    b2[i] += a2[i];
  }
}

/* block columns begin .. end - 1 of the child's update, from the diagonal down */
static void add_columns(const addition *add, int32_t begin, int32_t end)
{
  const abut_stretch *part = add->stretch, *last = part + add->stretches;
  for (int32_t j = begin; j < end; j++) {
    while (part->from + part->length <= j) part++;
    int32_t shift = j - part->from, column = 3 * (part->into + shift) - add->skip;
    int32_t lda = abut_band_ld(add->n, 3 * j), ldb = abut_band_ld(add->rows, column);
    int64_t a = abut_band_column(add->n, 3 * j);
    int64_t b = abut_band_column(add->rows, column) - add->skip;
    add3(3 * (part->length - shift), add->from + (a + 3 * (int64_t)j), lda,
         add->into + (b + 3 * (int64_t)(part->into + shift)), ldb);
    for (const abut_stretch *p = part + 1; p < last; p++)
      add3(3 * p->length, add->from + (a + 3 * (int64_t)p->from), lda,
           add->into + (b + 3 * (int64_t)p->into), ldb);
  }
}

static void add_update(const addition *add, int32_t begin, int32_t end, bool large)
{
  if (!large || end - begin <= GROUP) {
    add_columns(add, begin, end);
    return;
  }
  for (int32_t first = begin; first < end; first += GROUP) {
#pragma omp task firstprivate(add, first, end)
    add_columns(add, first, first + GROUP < end ? first + GROUP : end);
  }
#pragma omp taskwait
}

/* where the update matrix of a front lies, for whoever does job j */
static double *update_of(const work *w, int32_t j, int32_t front, double *stack)
{
  const abut_front *f = &w->s->front[front];
  const abut_job *job = &w->s->job[j];
  bool leaves = front < job->begin || f->parent >= job->end;
  return (leaves ? w->l->arena.data : stack) + f->update;
}

typedef struct front_work {
  const abut_front *f;
  int32_t k, m, u;        /* columns, rows and rows below, scalar */
  double *panel, *update; /* m x k, u x u */
  bool large;             /* done in tiles */
} front_work;

static void clear_panel(const front_work *fw)
{
  int64_t size = abut_band_size(fw->m, fw->k), step = TILE * TILE;
  if (!fw->large) {
    memset(fw->panel, 0, (size_t)size * sizeof *fw->panel);
    return;
  }
  for (int64_t i = 0; i < size; i += step) {
    double *from = fw->panel + i;
    size_t bytes = (size_t)(i + step < size ? step : size - i) * sizeof *from;
#pragma omp task firstprivate(from, bytes)
    memset(from, 0, bytes);
  }
#pragma omp taskwait
}

/* own blocks, and what the children's updates add to the columns eliminated here */
static void assemble_panel(const work *w, int32_t j, double *stack, const front_work *fw)
{
  const abut_symbolic *s = w->s;
  const abut_front *f = fw->f;
  int32_t i = (int32_t)(f - s->front);
  clear_panel(fw);
  add_entries(s->entry + f->entry, f[1].entry - f->entry, w->a->base.value, fw->panel);
  const int64_t *start = w->extra->start + i;
  add_entries(w->extra->entry + start[0], start[1] - start[0], w->a->extra.value, fw->panel);
  for (int32_t c = f->child; c >= 0; c = s->front[c].sibling) {
    const abut_front *child = &s->front[c];
    int32_t n = 3 * (child->rows - child->columns);
    addition add = {s->stretch + child->below,
                    child->stretches,
                    n,
                    update_of(w, j, c, stack),
                    fw->panel,
                    fw->m,
                    0};
    add_update(&add, 0, child->shared, fw->large);
  }
}

/* what the children's updates add to the rest */
static void assemble_update(const work *w, int32_t j, double *stack, const front_work *fw)
{
  const abut_symbolic *s = w->s;
  for (int32_t c = fw->f->child; c >= 0; c = s->front[c].sibling) {
    const abut_front *child = &s->front[c];
    int32_t n = 3 * (child->rows - child->columns);
    addition add = {s->stretch + child->below,
                    child->stretches,
                    n,
                    update_of(w, j, c, stack),
                    fw->update,
                    fw->u,
                    fw->k};
    add_update(&add, child->shared, child->rows - child->columns, fw->large);
  }
}

static int32_t eliminate_small(const front_work *fw)
{
  int32_t failed = abut_tile_factor(fw->m, fw->k, fw->panel, fw->m);
  if (failed >= 0) return failed;
  for (int32_t c = 0; c < fw->u; c += TILE) {
    const double *a = fw->panel + fw->k + c;
    double *band = fw->update + (abut_band_column(fw->u, c) + c);
    int32_t left = fw->u - c, wide = left < TILE ? left : TILE;
    abut_tile_update_lower(left, wide, fw->k, a, fw->m, 0, band, left);
  }
  return FINE;
}

typedef struct tile {
  double *data;
  int32_t ld, rows, columns;
} tile;

/* Tiles are counted over the pivot columns first and then over the rows below: no tile lies across
   both. Tile (i, j), i >= j, is in the panel or in the update matrix, which is written first with
   beta 0. */
typedef struct grid {
  const front_work *fw;
  int32_t pivots, all;
} grid;

static int32_t tile_begin(const grid *g, int32_t i)
{
  return i < g->pivots ? i * TILE : g->fw->k + (i - g->pivots) * TILE;
}

static int32_t tile_size(const grid *g, int32_t i)
{
  int32_t end = i < g->pivots ? g->fw->k : g->fw->m, left = end - tile_begin(g, i);
  return left < TILE ? left : TILE;
}

static tile tile_at(const grid *g, int32_t i, int32_t j)
{
  const front_work *fw = g->fw;
  int32_t row = tile_begin(g, i), column = tile_begin(g, j), rows = fw->m;
  double *data = fw->panel;
  if (j >= g->pivots) {
    row -= fw->k;
    column -= fw->k;
    rows = fw->u;
    data = fw->update;
  }
  return (tile){data + (abut_band_column(rows, column) + row), abut_band_ld(rows, column),
                tile_size(g, i), tile_size(g, j)};
}

/* Tasks of a front, told apart by the addresses of the tiles they change. */

static void factor_tile(const grid *g, int32_t p, int32_t *failed)
{
  tile t = tile_at(g, p, p);
  double *d = t.data;
  int32_t first = tile_begin(g, p);
#pragma omp task depend(inout : d[0]) firstprivate(t, d, first, failed)
  if (*failed == FINE) {
    int32_t column = abut_tile_factor(t.columns, t.columns, d, t.ld);
    if (column >= 0) *failed = first + column;
  }
}

static void solve_tile(const grid *g, int32_t i, int32_t p)
{
  tile t = tile_at(g, i, p);
  double *d = tile_at(g, p, p).data, *x = t.data;
#pragma omp task depend(in : d[0]) depend(inout : x[0]) firstprivate(t, d, x)
  abut_tile_solve(t.rows, t.columns, d, x, t.ld);
}

/* tile (i, j) loses the product of tiles (i, p) and (j, p) */
static void update_tile(const grid *g, int32_t i, int32_t j, int32_t p, double beta)
{
  tile t = tile_at(g, i, j), left = tile_at(g, i, p);
  double *a = left.data, *b = tile_at(g, j, p).data, *c = t.data;
#pragma omp task depend(in                                                                         \
                        : a[0], b[0]) depend(inout                                                 \
                                             : c[0]) firstprivate(t, left, a, b, c, beta, i, j)
  if (i == j)
    abut_tile_update_lower(t.rows, t.columns, left.columns, a, left.ld, beta, c, t.ld);
  else
    abut_tile_update(t.rows, t.columns, left.columns, a, b, left.ld, beta, c, t.ld);
}

static int32_t eliminate_large(const front_work *fw)
{
  int32_t failed = FINE, pivots = (fw->k + TILE - 1) / TILE;
  grid g = {fw, pivots, pivots + (fw->u + TILE - 1) / TILE};
  for (int32_t p = 0; p < g.pivots; p++) {
    factor_tile(&g, p, &failed);
    for (int32_t i = p + 1; i < g.all; i++) solve_tile(&g, i, p);
    for (int32_t j = p + 1; j < g.pivots; j++)
      for (int32_t i = j; i < g.all; i++) update_tile(&g, i, j, p, 1);
  }
  for (int32_t j = g.pivots; j < g.all; j++)
    for (int32_t i = j; i < g.all; i++)
      for (int32_t p = 0; p < g.pivots; p++) update_tile(&g, i, j, p, p ? 1 : 0);
#pragma omp taskwait
  return failed;
}

static void eliminate_front(const work *w, int32_t j, int32_t i, double *stack)
{
  const abut_front *f = &w->s->front[i];
  int32_t *failed = w->l->failed;
  failed[i] = FINE;
  for (int32_t c = f->child; c >= 0; c = w->s->front[c].sibling)
    if (failed[c] != FINE) failed[i] = SKIPPED;
  if (failed[i] == SKIPPED) return;

  front_work fw = {.f = f, .k = 3 * f->columns, .m = 3 * f->rows};
  fw.u = fw.m - fw.k;
  fw.panel = w->l->panel.data + f->panel;
  fw.update = update_of(w, j, i, stack);
  fw.large = fw.m >= LARGE || fw.k > TILE;
  assemble_panel(w, j, stack, &fw);
  failed[i] = fw.large ? eliminate_large(&fw) : eliminate_small(&fw);
  if (failed[i] == FINE && fw.u > 0) assemble_update(w, j, stack, &fw);
}

static void run_job(const work *w, int32_t j)
{
  const abut_job *job = &w->s->job[j];
  for (int32_t c = job->child; c >= 0; c = w->s->job[c].sibling) {
#pragma omp task firstprivate(w, c)
    run_job(w, c);
  }
#pragma omp taskwait
  const abut_factor *l = w->l;
  double *stack = job->stack >= 0 ? l->arena.data + job->stack
                                  : l->stack.data + abut_thread_index() * w->s->stack_size;
  for (int32_t i = job->begin; i < job->end; i++) eliminate_front(w, j, i, stack);
}

static void run_root(void *arg)
{
  const work *w = arg;
  run_job(w, w->s->root);
}

int32_t abut_factor_compute(const abut_context *ctx, const abut_symbolic *s, const abut_matrix *a,
                            const abut_extra *extra, abut_factor *l)
{
  work w = {s, a, extra, l};
  abut_blas_enter();
  abut_team_run(ctx, run_root, &w);
  abut_blas_leave();
  for (int32_t i = 0; i < s->fronts; i++)
    if (l->failed[i] >= 0) {
      int32_t place = s->front[i].first + l->failed[i] / 3;
      return s->order[place];
    }
  return -1;
}
