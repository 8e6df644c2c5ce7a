#include <stdlib.h>

#include "base/memory.h"
#include "mesh/point_grid.h"
#include "mesh/quality.h"

/* Pairs are kept in a list of twice the number asked for. When it is full it is sorted, the farther
   half goes, and pairs farther than what stays no longer enter. */
typedef struct search {
  const vec3 *x;
  const int32_t *edge, *first; /* edges by their smaller vertex: first[v] .. first[v + 1] */
  abut_point_grid grid;
  double distance; /* of this round */
  double cut;      /* pairs farther than this need not enter */
  abut_near_pair *pair;
  int64_t pairs, most;
} search;

static int compare_pairs(const void *a, const void *b)
{
  const abut_near_pair *p = a, *q = b;
  if (p->distance != q->distance) return p->distance < q->distance ? -1 : 1;
  if (p->a != q->a) return p->a < q->a ? -1 : 1;
  return (p->b > q->b) - (p->b < q->b);
}

static void keep_nearest(search *s)
{
  if (s->pairs > 1) qsort(s->pair, (size_t)s->pairs, sizeof *s->pair, compare_pairs);
  if (s->pairs < s->most) return;
  s->pairs = s->most;
  if (s->most) s->cut = s->pair[s->most - 1].distance;
}

static bool joined(const search *s, int32_t a, int32_t b)
{
  int64_t low = s->first[a], high = s->first[a + 1];
  while (low < high) {
    int64_t middle = low + (high - low) / 2;
    if (s->edge[2 * middle + 1] < b)
      low = middle + 1;
    else
      high = middle;
  }
  return low < s->first[a + 1] && s->edge[2 * low + 1] == b;
}

static void consider(search *s, int32_t a, int32_t b)
{
  double d = v3_norm(v3_sub(s->x[a], s->x[b]));
  if (!(d < s->distance) || d > s->cut) return;
  if (joined(s, a < b ? a : b, a < b ? b : a)) return;
  s->pair[s->pairs++] = a < b ? (abut_near_pair){a, b, d} : (abut_near_pair){b, a, d};
  if (s->pairs == 2 * s->most) keep_nearest(s);
}

static void search_cell(search *s, int32_t cell)
{
  const int32_t *p = s->grid.point, *start = s->grid.start;
  for (int32_t i = start[cell]; i < start[cell + 1]; i++)
    for (int32_t j = i + 1; j < start[cell + 1]; j++) consider(s, p[i], p[j]);
  for (int k = 0; k < ABUT_GRID_AROUND; k++) {
    int32_t other = abut_point_grid_find(&s->grid, cell, abut_grid_around[k]);
    for (int32_t i = start[cell]; other >= 0 && i < start[cell + 1]; i++)
      for (int32_t j = start[other]; j < start[other + 1]; j++) consider(s, p[i], p[j]);
  }
}

/* pairs of points that share a cell: all of them are close */
static double crowding(const abut_point_grid *g)
{
  double sum = 0;
  for (int32_t c = 0; c < g->cells; c++) {
    double n = g->start[c + 1] - g->start[c];
    sum += n * (n - 1) / 2;
  }
  return sum;
}

/* A distance far above the size of the mesh's cells would make every pair a near one. So start
   where the grid is not crowded and double: once a cell is crowded, the list overflows and the
   search ends. Halving stops at coincident points, which no distance separates. */
static abut_status run(abut_context *ctx, search *s, const bool *used, int32_t vertices,
                       int32_t edges, double distance)
{
  double bearable = (double)vertices + edges + (double)s->most;
  s->distance = distance;
  for (int halvings = 0;; halvings++) {
    abut_point_grid_free(ctx, &s->grid);
    ABUT_TRY(abut_point_grid_build(ctx, &s->grid, s->x, used, vertices, s->distance));
    if (crowding(&s->grid) <= bearable || halvings == 60) break;
    s->distance /= 2;
  }
  for (;;) {
    s->pairs = 0;
    s->cut = s->distance;
    for (int32_t c = 0; c < s->grid.cells; c++) search_cell(s, c);
    keep_nearest(s);
    if (s->pairs == s->most || s->distance >= distance) return ABUT_OK;
    s->distance *= 2;
    abut_point_grid_free(ctx, &s->grid);
    ABUT_TRY(abut_point_grid_build(ctx, &s->grid, s->x, used, vertices, s->distance));
  }
}

abut_status abut_near_pairs_of(abut_context *ctx, const vec3 *x, const bool *used, int32_t vertices,
                               const int32_t *edge, int32_t edges, double distance, int32_t most,
                               abut_near_pair **pair, int32_t *count)
{
  *pair = NULL;
  *count = 0;
  int32_t *first = ABUT_NEW_ZERO(ctx, int32_t, (int64_t)vertices + 1);
  if (!first) return ABUT_NO_MEMORY;
  for (int64_t i = 0; i < edges; i++) first[edge[2 * i] + 1]++;
  for (int32_t v = 0; v < vertices; v++) first[v + 1] += first[v];

  search s = {.x = x, .edge = edge, .first = first, .most = most};
  s.pair = ABUT_NEW(ctx, abut_near_pair, 2 * (int64_t)most);
  abut_status status = s.pair ? ABUT_OK : ABUT_NO_MEMORY;
  if (status == ABUT_OK && most > 0 && distance > 0)
    status = run(ctx, &s, used, vertices, edges, distance);
  abut_point_grid_free(ctx, &s.grid);
  abut_free(ctx, first);
  if (status != ABUT_OK) {
    abut_free(ctx, s.pair);
    return status;
  }
  *pair = s.pair;
  *count = (int32_t)s.pairs;
  return ABUT_OK;
}
