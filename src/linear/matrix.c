#include "linear/matrix.h"

#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "base/parallel.h"

enum { GRAIN = 1024 }; /* rows of a product in one chunk */

abut_status abut_matrix_make(abut_context *ctx, int32_t rows, abut_matrix *a)
{
  *a = (abut_matrix){.rows = rows};
  ABUT_MAKE_ZERO(ctx, a->base.start, (int64_t)rows + 1);
  a->extra.start = ABUT_NEW_ZERO(ctx, int64_t, (int64_t)rows + 1);
  if (a->extra.start) return ABUT_OK;
  abut_matrix_free(ctx, a);
  return ABUT_NO_MEMORY;
}

static void free_blocks(abut_context *ctx, abut_blocks *blocks)
{
  abut_free(ctx, blocks->start);
  abut_free(ctx, blocks->column);
  abut_free(ctx, blocks->value);
}

void abut_matrix_free(abut_context *ctx, abut_matrix *a)
{
  free_blocks(ctx, &a->base);
  free_blocks(ctx, &a->extra);
  *a = (abut_matrix){0};
}

abut_status abut_blocks_reserve(abut_context *ctx, abut_blocks *blocks, int64_t count)
{
  if (count <= blocks->room && blocks->column) return ABUT_OK;
  abut_free(ctx, blocks->column);
  abut_free(ctx, blocks->value);
  blocks->column = NULL;
  blocks->value = NULL;
  int64_t room = blocks->room + blocks->room / 2;
  blocks->room = 0;
  if (room < count) room = count;
  ABUT_MAKE(ctx, blocks->column, room);
  ABUT_MAKE(ctx, blocks->value, room);
  blocks->room = room;
  return ABUT_OK;
}

int64_t abut_blocks_find(const abut_blocks *blocks, int32_t i, int32_t j)
{
  int64_t low = blocks->start[i], high = blocks->start[i + 1];
  while (low < high) {
    int64_t middle = (low + high) / 2;
    if (blocks->column[middle] < j)
      low = middle + 1;
    else
      high = middle;
  }
  return low < blocks->start[i + 1] && blocks->column[low] == j ? low : -1;
}

uint64_t abut_blocks_hash(const abut_blocks *blocks, int32_t rows)
{
  size_t starts = ((size_t)rows + 1) * sizeof *blocks->start;
  uint64_t hash = abut_hash_bytes(ABUT_HASH_START, blocks->start, starts);
  size_t count = (size_t)blocks->start[rows];
  return count ? abut_hash_bytes(hash, blocks->column, count * sizeof *blocks->column) : hash;
}

/* y += A x for one part; every y_j gets its terms in the order (0, j), (1, j), ..., (j, j), ... */
static void add_part(const abut_blocks *part, int32_t rows, const vec3 *x, vec3 *y)
{
  for (int32_t i = 0; i < rows; i++) {
    vec3 xi = x[i], sum = y[i];
    for (int64_t k = part->start[i]; k < part->start[i + 1]; k++) {
      int32_t j = part->column[k];
      sum = v3_add(sum, m3_apply(part->value[k], x[j]));
      if (j != i) y[j] = v3_add(y[j], m3_apply_transpose(part->value[k], xi));
    }
    y[i] = sum;
  }
}

void abut_matrix_apply(const abut_context *ctx, const abut_matrix *a, const vec3 *x, vec3 *y)
{
  (void)ctx;
  memset(y, 0, (size_t)a->rows * sizeof *y);
  add_part(&a->base, a->rows, x, y);
  add_part(&a->extra, a->rows, x, y);
}

mat3 abut_matrix_diagonal(const abut_matrix *a, int32_t row)
{
  int64_t k = abut_blocks_find(&a->base, row, row), e = abut_blocks_find(&a->extra, row, row);
  mat3 sum = k < 0 ? m3_zero() : a->base.value[k];
  return e < 0 ? sum : m3_add(sum, a->extra.value[e]);
}

static void free_lower(abut_context *ctx, abut_lower *lower)
{
  abut_free(ctx, lower->start);
  abut_free(ctx, lower->row);
  abut_free(ctx, lower->block);
  *lower = (abut_lower){0};
}

void abut_matrix_index_free(abut_context *ctx, abut_matrix_index *index)
{
  free_lower(ctx, &index->base);
  free_lower(ctx, &index->extra);
  *index = (abut_matrix_index){0};
}

static abut_status reserve_lower(abut_context *ctx, abut_lower *lower, int32_t rows, int64_t count)
{
  lower->hash = 0;
  if (!lower->start) ABUT_MAKE(ctx, lower->start, (int64_t)rows + 1);
  if (count <= lower->room && lower->row) return ABUT_OK;
  abut_free(ctx, lower->row);
  abut_free(ctx, lower->block);
  lower->row = NULL;
  lower->block = NULL;
  int64_t room = count + count / 4;
  lower->room = 0;
  ABUT_MAKE(ctx, lower->row, room);
  ABUT_MAKE(ctx, lower->block, room);
  lower->room = room;
  return ABUT_OK;
}

static abut_status update_lower(abut_context *ctx, const abut_blocks *part, int32_t rows,
                                abut_lower *lower)
{
  uint64_t hash = abut_blocks_hash(part, rows);
  if (lower->hash == hash && lower->start) return ABUT_OK;
  ABUT_TRY(reserve_lower(ctx, lower, rows, part->start[rows]));

  int64_t *start = lower->start;
  memset(start, 0, ((size_t)rows + 1) * sizeof *start);
  for (int32_t i = 0; i < rows; i++)
    for (int64_t k = part->start[i]; k < part->start[i + 1]; k++)
      if (part->column[k] != i) start[part->column[k] + 1]++;
  for (int32_t i = 0; i < rows; i++) start[i + 1] += start[i];

  /* filling moves every start to the end of its row, that is to the next start */
  for (int32_t i = 0; i < rows; i++)
    for (int64_t k = part->start[i]; k < part->start[i + 1]; k++)
      if (part->column[k] != i) {
        int64_t place = start[part->column[k]]++;
        lower->row[place] = i;
        lower->block[place] = k;
      }
  memmove(start + 1, start, (size_t)rows * sizeof *start);
  start[0] = 0;
  lower->hash = hash;
  return ABUT_OK;
}

abut_status abut_matrix_index_update(abut_context *ctx, const abut_matrix *a,
                                     abut_matrix_index *index)
{
  if (index->rows != a->rows) abut_matrix_index_free(ctx, index);
  index->rows = a->rows;
  ABUT_TRY(update_lower(ctx, &a->base, a->rows, &index->base));
  return update_lower(ctx, &a->extra, a->rows, &index->extra);
}

typedef struct product {
  const abut_matrix *a;
  const abut_matrix_index *index;
  const vec3 *x;
  vec3 *y;
} product;

static vec3 add_row(const abut_blocks *part, const abut_lower *lower, int32_t row, const vec3 *x,
                    vec3 sum)
{
  for (int64_t k = lower->start[row]; k < lower->start[row + 1]; k++)
    sum = v3_add(sum, m3_apply_transpose(part->value[lower->block[k]], x[lower->row[k]]));
  for (int64_t k = part->start[row]; k < part->start[row + 1]; k++)
    sum = v3_add(sum, m3_apply(part->value[k], x[part->column[k]]));
  return sum;
}

static void product_rows(void *arg, int64_t begin, int64_t end)
{
  const product *p = arg;
  const abut_matrix *a = p->a;
  for (int32_t i = (int32_t)begin; i < (int32_t)end; i++) {
    vec3 sum = add_row(&a->base, &p->index->base, i, p->x, v3(0, 0, 0));
    p->y[i] = add_row(&a->extra, &p->index->extra, i, p->x, sum);
  }
}

void abut_matrix_apply_indexed(const abut_context *ctx, const abut_matrix *a,
                               const abut_matrix_index *index, const vec3 *x, vec3 *y)
{
  /* alone, reading every block once is quicker; the order of additions is the same */
  if (ctx->threads == 1) {
    abut_matrix_apply(ctx, a, x, y);
    return;
  }
  product p = {a, index, x, y};
  abut_parallel_for(ctx, a->rows, GRAIN, product_rows, &p);
}
