#include "linear/ordering.h"

#include <metis.h>

#include "base/scratch.h"

/* Parts up to this size have no order better than the one they are found in. */
enum { TINY = 3, SEED = 1 };

typedef struct part {
  int32_t rows;
  int32_t *row;   /* of the graph, in breadth-first order  (rows) */
  int32_t *place; /* of a row of the graph in this part    (all rows of the graph) */
} part;

/* the connected part of g around row */
static void find_part(const abut_graph *g, int32_t row, part *p)
{
  p->rows = 1;
  p->row[0] = row;
  p->place[row] = 0;
  for (int32_t k = 0; k < p->rows; k++) {
    int32_t i = p->row[k];
    for (int64_t e = g->start[i]; e < g->start[i + 1]; e++) {
      int32_t j = g->neighbor[e];
      if (p->place[j] >= 0) continue;
      p->place[j] = p->rows;
      p->row[p->rows++] = j;
    }
  }
}

/* METIS draws its random numbers from rand(), which all threads share, so one call at a time. */
static int dissect(idx_t rows, idx_t *start, idx_t *neighbor, idx_t *order, idx_t *place)
{
  idx_t options[METIS_NOPTIONS];
  METIS_SetDefaultOptions(options);
  options[METIS_OPTION_NUMBERING] = 0;
  options[METIS_OPTION_SEED] = SEED;
  int result;
#pragma omp critical(abut_metis)
  result = METIS_NodeND(&rows, start, neighbor, NULL, options, order, place);
  return result;
}

/* Cuthill and McKee's order backwards: a narrow band, and elimination from the rim inwards */
static void order_backwards(const part *p, int32_t *order)
{
  for (int32_t k = 0; k < p->rows; k++) order[k] = p->row[p->rows - 1 - k];
}

static abut_status order_part(abut_context *ctx, const abut_graph *g, const part *p, int32_t *order)
{
  int64_t edges = 0;
  for (int32_t k = 0; k < p->rows; k++) edges += g->start[p->row[k] + 1] - g->start[p->row[k]];
  if (p->rows <= TINY || edges > IDX_MAX) {
    if (p->rows > TINY) abut_warn(ctx, "the matrix is too large for METIS: a plain order is used");
    order_backwards(p, order);
    return ABUT_OK;
  }
  idx_t *start = ABUT_SCRATCH(ctx, idx_t, (int64_t)p->rows + 1);
  idx_t *neighbor = ABUT_SCRATCH(ctx, idx_t, edges);
  idx_t *chosen = ABUT_SCRATCH(ctx, idx_t, p->rows), *place = ABUT_SCRATCH(ctx, idx_t, p->rows);
  if (!start || !neighbor || !chosen || !place) return ABUT_NO_MEMORY;

  idx_t n = 0;
  for (int32_t k = 0; k < p->rows; k++) {
    int32_t i = p->row[k];
    start[k] = n;
    for (int64_t e = g->start[i]; e < g->start[i + 1]; e++)
      neighbor[n++] = p->place[g->neighbor[e]];
  }
  start[p->rows] = n;
  if (dissect(p->rows, start, neighbor, chosen, place) == METIS_OK) {
    for (int32_t k = 0; k < p->rows; k++) order[k] = p->row[chosen[k]];
  } else {
    abut_warn(ctx, "METIS could not order the matrix: a plain order is used");
    order_backwards(p, order);
  }
  return ABUT_OK;
}

abut_status abut_ordering_make(abut_context *ctx, const abut_graph *g, int32_t *order)
{
  abut_mark mark = abut_scratch_mark(ctx);
  part p = {0};
  p.row = ABUT_SCRATCH(ctx, int32_t, g->rows);
  p.place = ABUT_SCRATCH(ctx, int32_t, g->rows);
  if (!p.row || !p.place) return ABUT_NO_MEMORY;
  for (int32_t i = 0; i < g->rows; i++) p.place[i] = -1;

  abut_status status = ABUT_OK;
  int32_t done = 0;
  for (int32_t i = 0; i < g->rows && status == ABUT_OK; i++) {
    if (p.place[i] >= 0) continue;
    find_part(g, i, &p);
    abut_mark inner = abut_scratch_mark(ctx);
    status = order_part(ctx, g, &p, order + done);
    abut_scratch_release(ctx, inner);
    done += p.rows;
  }
  abut_scratch_release(ctx, mark);
  return status;
}
