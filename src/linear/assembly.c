#include "linear/assembly.h"

#include <string.h>

#include "base/memory.h"
#include "base/parallel.h"
#include "base/scratch.h"
#include "base/sort.h"

static void gather_free(abut_context *ctx, abut_gather *g)
{
  abut_free(ctx, g->target);
  abut_free(ctx, g->start);
  abut_free(ctx, g->source);
}

void abut_assembly_free(abut_context *ctx, abut_assembly *plan)
{
  for (int s = 0; s < plan->sets; s++) {
    for (int b = 0; plan->blocks && b < plan->blocks[s]; b++) {
      if (plan->vectors && plan->vectors[s]) gather_free(ctx, &plan->vectors[s][b]);
      if (plan->matrices && plan->matrices[s]) gather_free(ctx, &plan->matrices[s][b]);
    }
    if (plan->vectors) abut_free(ctx, plan->vectors[s]);
    if (plan->matrices) abut_free(ctx, plan->matrices[s]);
  }
  abut_free(ctx, plan->blocks);
  abut_free(ctx, plan->vectors);
  abut_free(ctx, plan->matrices);
  *plan = (abut_assembly){0};
}

static bool is_row(int32_t v, int32_t rows)
{
  return v >= 0 && v < rows;
}

static uint64_t block_key(int32_t a, int32_t b)
{
  return a < b ? (uint64_t)a << 32 | (uint32_t)b : (uint64_t)b << 32 | (uint32_t)a;
}

/* ---- the base pattern ---- */

static int64_t element_pairs(const abut_element_set *set)
{
  return (int64_t)set->count * set->corners * (set->corners + 1) / 2;
}

/* keys of all blocks that any element touches, with repeats */
static int64_t collect_keys(const abut_element_set *set, int sets, int32_t rows, uint64_t *key)
{
  int64_t n = 0;
  for (int32_t i = 0; i < rows; i++) key[n++] = block_key(i, i);
  for (int s = 0; s < sets; s++)
    for (int32_t e = 0; e < set[s].count; e++) {
      const int32_t *v = set[s].vertex + (int64_t)e * set[s].corners;
      for (int p = 0; p < set[s].corners; p++)
        for (int q = p + 1; q < set[s].corners; q++)
          if (is_row(v[p], rows) && is_row(v[q], rows)) key[n++] = block_key(v[p], v[q]);
    }
  return n;
}

static abut_status make_pattern(abut_context *ctx, const uint64_t *key, int64_t n, abut_matrix *a)
{
  int64_t unique = 0;
  for (int64_t i = 0; i < n; i++) unique += i == 0 || key[i] != key[i - 1];
  ABUT_RESERVE(ctx, a->base.column, a->base.room, unique);
  abut_free(ctx, a->base.value);
  ABUT_MAKE_ZERO(ctx, a->base.value, a->base.room);
  memset(a->base.start, 0, ((size_t)a->rows + 1) * sizeof *a->base.start);
  unique = 0;
  for (int64_t i = 0; i < n; i++) {
    if (i > 0 && key[i] == key[i - 1]) continue;
    a->base.column[unique++] = (int32_t)(key[i] & 0xffffffff);
    a->base.start[(key[i] >> 32) + 1] = unique;
  }
  return ABUT_OK;
}

static abut_status plan_pattern(abut_context *ctx, const abut_element_set *set, int sets,
                                abut_matrix *a)
{
  int64_t room = a->rows;
  for (int s = 0; s < sets; s++) room += element_pairs(&set[s]);
  uint64_t *key = abut_alloc(ctx, room, sizeof *key), *other = abut_alloc(ctx, room, sizeof *other);
  abut_status status = key && other ? ABUT_OK : ABUT_NO_MEMORY;
  if (status == ABUT_OK) {
    int64_t n = collect_keys(set, sets, a->rows, key);
    abut_sort_keys(key, other, n);
    status = make_pattern(ctx, key, n, a);
  }
  abut_free(ctx, key);
  abut_free(ctx, other);
  return status;
}

/* place of block (row, column) in the base; it is known to be there */
static int64_t find_block(const abut_matrix *a, int32_t row, int32_t column)
{
  int64_t low = a->base.start[row], high = a->base.start[row + 1] - 1;
  while (low < high) {
    int64_t middle = (low + high) / 2;
    if (a->base.column[middle] < column)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* ---- plans ---- */

static abut_status make_gather(abut_context *ctx, abut_keyed *item, int64_t n, abut_gather *g)
{
  abut_mark mark = abut_scratch_mark(ctx);
  abut_keyed *other = ABUT_SCRATCH(ctx, abut_keyed, n);
  if (!other) return ABUT_NO_MEMORY;
  abut_sort_keyed(item, other, n);
  int32_t targets = 0;
  for (int64_t i = 0; i < n; i++) targets += i == 0 || item[i].key != item[i - 1].key;
  ABUT_MAKE(ctx, g->target, targets);
  ABUT_MAKE(ctx, g->start, targets + 1);
  ABUT_MAKE(ctx, g->source, n);
  g->targets = 0;
  for (int64_t i = 0; i < n; i++) {
    if (i == 0 || item[i].key != item[i - 1].key) {
      g->target[g->targets] = (int64_t)item[i].key;
      g->start[g->targets++] = (int32_t)i;
    }
    g->source[i] = item[i].value;
  }
  g->start[g->targets] = (int32_t)n;
  abut_scratch_release(ctx, mark);
  return ABUT_OK;
}

static abut_status plan_block(abut_context *ctx, const abut_element_set *set, int32_t begin,
                              int32_t end, const abut_matrix *a, abut_gather *vectors,
                              abut_gather *matrices)
{
  abut_mark mark = abut_scratch_mark(ctx);
  int n = set->corners;
  abut_keyed *item = ABUT_SCRATCH(ctx, abut_keyed, (int64_t)(end - begin) * n * (n + 1) / 2);
  if (!item) return ABUT_NO_MEMORY;
  int64_t count = 0;
  for (int32_t e = begin; e < end; e++)
    for (int p = 0; p < n; p++) {
      int32_t v = set->vertex[(int64_t)e * n + p];
      if (is_row(v, a->rows)) item[count++] = (abut_keyed){(uint64_t)v, 2 * ((e - begin) * n + p)};
    }
  ABUT_TRY(make_gather(ctx, item, count, vectors));
  count = 0;
  int32_t slot = 0;
  for (int32_t e = begin; e < end; e++)
    for (int p = 0; p < n; p++)
      for (int q = p; q < n; q++, slot++) {
        int32_t v = set->vertex[(int64_t)e * n + p], w = set->vertex[(int64_t)e * n + q];
        if (!is_row(v, a->rows) || !is_row(w, a->rows)) continue;
        int64_t place = find_block(a, v < w ? v : w, v < w ? w : v);
        item[count++] = (abut_keyed){(uint64_t)place, 2 * slot + (v > w)};
      }
  ABUT_TRY(make_gather(ctx, item, count, matrices));
  abut_scratch_release(ctx, mark);
  return ABUT_OK;
}

static abut_status plan_set(abut_context *ctx, const abut_element_set *set, int s,
                            const abut_matrix *a, abut_assembly *plan)
{
  int blocks = (int)(((int64_t)set->count + ABUT_BLOCK - 1) / ABUT_BLOCK);
  plan->blocks[s] = blocks;
  ABUT_MAKE_ZERO(ctx, plan->vectors[s], blocks);
  ABUT_MAKE_ZERO(ctx, plan->matrices[s], blocks);
  for (int b = 0; b < blocks; b++) {
    int32_t begin = b * ABUT_BLOCK;
    int32_t end = set->count - begin < ABUT_BLOCK ? set->count : begin + ABUT_BLOCK;
    ABUT_TRY(plan_block(ctx, set, begin, end, a, &plan->vectors[s][b], &plan->matrices[s][b]));
  }
  return ABUT_OK;
}

abut_status abut_assembly_plan(abut_context *ctx, int32_t rows, const abut_element_set *set,
                               int sets, abut_matrix *a, abut_assembly *plan)
{
  *plan = (abut_assembly){.rows = rows, .sets = sets};
  ABUT_TRY(plan_pattern(ctx, set, sets, a));
  ABUT_MAKE_ZERO(ctx, plan->blocks, sets);
  ABUT_MAKE_ZERO(ctx, plan->vectors, sets);
  ABUT_MAKE_ZERO(ctx, plan->matrices, sets);
  for (int s = 0; s < sets; s++) ABUT_TRY(plan_set(ctx, &set[s], s, a, plan));
  return ABUT_OK;
}

/* ---- adding ---- */

typedef struct add_job {
  const abut_gather *g;
  const vec3 *vector;
  const mat3 *matrix;
  vec3 *vector_sum;
  mat3 *matrix_sum;
} add_job;

static void add_vectors(void *arg, int64_t begin, int64_t end)
{
  const add_job *job = arg;
  const abut_gather *g = job->g;
  for (int64_t t = begin; t < end; t++) {
    vec3 sum = job->vector_sum[g->target[t]];
    for (int32_t i = g->start[t]; i < g->start[t + 1]; i++)
      sum = v3_add(sum, job->vector[g->source[i] >> 1]);
    job->vector_sum[g->target[t]] = sum;
  }
}

static void add_block(mat3 *sum, const mat3 *slot, int32_t source)
{
  const mat3 *m = &slot[source >> 1];
  if (source & 1)
    *sum = m3_add(*sum, m3_transpose(*m));
  else
    *sum = m3_add(*sum, *m);
}

static void add_matrices(void *arg, int64_t begin, int64_t end)
{
  const add_job *job = arg;
  const abut_gather *g = job->g;
  for (int64_t t = begin; t < end; t++)
    for (int32_t i = g->start[t]; i < g->start[t + 1]; i++)
      add_block(&job->matrix_sum[g->target[t]], job->matrix, g->source[i]);
}

void abut_assembly_add_vector(const abut_context *ctx, const abut_assembly *plan, int set,
                              int block, const vec3 *slot, vec3 *sum)
{
  add_job job = {.g = &plan->vectors[set][block], .vector = slot, .vector_sum = sum};
  abut_parallel_for(ctx, job.g->targets, 1024, add_vectors, &job);
}

void abut_assembly_add_matrix(const abut_context *ctx, const abut_assembly *plan, int set,
                              int block, const mat3 *slot, abut_matrix *a)
{
  add_job job = {.g = &plan->matrices[set][block], .matrix = slot, .matrix_sum = a->base.value};
  abut_parallel_for(ctx, job.g->targets, 512, add_matrices, &job);
}

/* ---- the extra part ---- */

static bool all_zero(const mat3 *m)
{
  for (int k = 0; k < 9; k++)
    if (m->m[k] != 0) return false;
  return true;
}

typedef struct extra_job {
  const abut_keyed *item;
  const int64_t *begin; /* first item of each block                       (blocks + 1) */
  const abut_loose_set *set;
  const int64_t *first_slot; /* of each set */
  int sets;
  mat3 *value;
} extra_job;

static void sum_extra(void *arg, int64_t begin, int64_t end)
{
  const extra_job *job = arg;
  for (int64_t b = begin; b < end; b++) {
    mat3 sum = m3_zero();
    for (int64_t i = job->begin[b]; i < job->begin[b + 1]; i++) {
      int64_t slot = job->item[i].value >> 1;
      int s = job->sets - 1;
      while (slot < job->first_slot[s]) s--;
      int32_t local = (int32_t)(slot - job->first_slot[s]);
      add_block(&sum, job->set[s].slot, 2 * local + (job->item[i].value & 1));
    }
    job->value[b] = sum;
  }
}

static int64_t collect_extra(const abut_loose_set *set, int sets, int32_t rows,
                             const int64_t *first_slot, abut_keyed *item)
{
  int64_t n = 0;
  for (int s = 0; s < sets; s++) {
    const abut_element_set *e = &set[s].elements;
    int64_t slot = 0;
    for (int32_t i = 0; i < e->count; i++) {
      const int32_t *v = e->vertex + (int64_t)i * e->corners;
      for (int p = 0; p < e->corners; p++)
        for (int q = p; q < e->corners; q++, slot++) {
          if (!is_row(v[p], rows) || !is_row(v[q], rows) || all_zero(&set[s].slot[slot])) continue;
          int32_t value = (int32_t)(2 * (first_slot[s] + slot) + (v[p] > v[q]));
          item[n++] = (abut_keyed){block_key(v[p], v[q]), value};
        }
    }
  }
  return n;
}

static abut_status fill_extra(abut_context *ctx, const abut_keyed *item, int64_t n, extra_job *job,
                              abut_matrix *a)
{
  abut_mark mark = abut_scratch_mark(ctx);
  int64_t *begin = ABUT_SCRATCH(ctx, int64_t, n + 1), blocks = 0;
  if (!begin) return ABUT_NO_MEMORY;
  for (int64_t i = 0; i < n; i++)
    if (i == 0 || item[i].key != item[i - 1].key) begin[blocks++] = i;
  begin[blocks] = n;
  if (blocks > a->extra.room || !a->extra.column) {
    int64_t room = a->extra.room;
    ABUT_RESERVE(ctx, a->extra.column, room, blocks);
    room = a->extra.room;
    ABUT_RESERVE(ctx, a->extra.value, room, blocks);
    a->extra.room = room;
  }
  int32_t row = 0;
  a->extra.start[0] = 0;
  for (int64_t b = 0; b < blocks; b++) {
    int32_t r = (int32_t)(item[begin[b]].key >> 32);
    while (row < r) a->extra.start[++row] = b;
    a->extra.column[b] = (int32_t)(item[begin[b]].key & 0xffffffff);
  }
  while (row < a->rows) a->extra.start[++row] = blocks;
  job->item = item;
  job->begin = begin;
  job->value = a->extra.value;
  abut_parallel_for(ctx, blocks, 512, sum_extra, job);
  abut_scratch_release(ctx, mark);
  return ABUT_OK;
}

abut_status abut_assembly_extra(abut_context *ctx, const abut_loose_set *set, int sets,
                                abut_matrix *a)
{
  abut_mark mark = abut_scratch_mark(ctx);
  int64_t *first_slot = ABUT_SCRATCH(ctx, int64_t, sets + 1);
  if (!first_slot) return ABUT_NO_MEMORY;
  first_slot[0] = 0;
  for (int s = 0; s < sets; s++)
    first_slot[s + 1] = first_slot[s] + element_pairs(&set[s].elements);
  if (first_slot[sets] > INT32_MAX / 2)
    return abut_fail(ctx, ABUT_STOPPED,
                     "%lld blocks of contacts at once are more than can be "
                     "numbered",
                     (long long)first_slot[sets]);
  abut_keyed *item = ABUT_SCRATCH(ctx, abut_keyed, first_slot[sets]);
  abut_keyed *other = ABUT_SCRATCH(ctx, abut_keyed, first_slot[sets]);
  if (!item || !other) return ABUT_NO_MEMORY;
  int64_t n = collect_extra(set, sets, a->rows, first_slot, item);
  abut_sort_keyed(item, other, n);
  extra_job job = {.set = set, .first_slot = first_slot, .sets = sets};
  ABUT_TRY(fill_extra(ctx, item, n, &job, a));
  abut_scratch_release(ctx, mark);
  return ABUT_OK;
}

/* ---- fixed rows ---- */

typedef struct fix_job {
  abut_matrix *a;
  const bool *fixed;
} fix_job;

static void fix_part(const abut_blocks *part, int32_t row, const bool *fixed, double diagonal)
{
  for (int64_t k = part->start[row]; k < part->start[row + 1]; k++) {
    int32_t column = part->column[k];
    if (!fixed[row] && !fixed[column]) continue;
    part->value[k] = row == column ? m3_diagonal(diagonal, diagonal, diagonal) : m3_zero();
  }
}

static void fix_rows(void *arg, int64_t begin, int64_t end)
{
  const fix_job *job = arg;
  for (int64_t row = begin; row < end; row++) {
    fix_part(&job->a->base, (int32_t)row, job->fixed, 1);
    fix_part(&job->a->extra, (int32_t)row, job->fixed, 0);
  }
}

void abut_matrix_fix(const abut_context *ctx, abut_matrix *a, const bool *fixed)
{
  fix_job job = {a, fixed};
  abut_parallel_for(ctx, a->rows, 1024, fix_rows, &job);
}
