/* test_linear_cases.h: symmetric positive definite matrices of all sorts for the tests of linear
   solvers. */
#ifndef TEST_LINEAR_CASES_H
#define TEST_LINEAR_CASES_H

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cmocka_all.h"
#include "linear/graph.h"
#include "linear/linear.h"

/* xorshift; every case starts it anew */
static uint64_t random_state = 1;

static inline double random_unit(void)
{
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  random_state ^= random_state << 17;
  return (double)(random_state >> 11) / 9007199254740992.0;
}

static inline int32_t random_below(int32_t n)
{
  return (int32_t)(random_unit() * n);
}

static inline vec3 random_vec3(void)
{
  double x = random_unit(), y = random_unit(), z = random_unit(); /* in this order everywhere */
  return v3(2 * x - 1, 2 * y - 1, 2 * z - 1);
}

/* blocks to be summed, of one part of a matrix */
typedef struct block_list {
  struct {
    uint64_t key;
    mat3 value;
  } * block;
  int64_t count, room;
} block_list;

static inline void add_block(block_list *list, int32_t i, int32_t j, mat3 value)
{
  if (i > j) {
    add_block(list, j, i, m3_transpose(value));
    return;
  }
  if (list->count == list->room) {
    list->room = 2 * list->room + 64;
    list->block = realloc(list->block, (size_t)list->room * sizeof *list->block);
    assert_non_null(list->block);
  }
  list->block[list->count].key = abut_pair_key(i, j);
  list->block[list->count++].value = value;
}

/* k n n^T between rows with weights w: positive semidefinite */
static inline void add_stencil(block_list *list, int count, const int32_t *row, const double *w,
                               vec3 n, double k)
{
  for (int p = 0; p < count; p++)
    for (int q = p; q < count; q++)
      add_block(list, row[p], row[q], m3_add_outer(m3_zero(), n, n, k * w[p] * w[q]));
}

static inline void add_spring(block_list *list, int32_t i, int32_t j, double k)
{
  const int32_t row[] = {i, j};
  const double w[] = {1, -1};
  add_stencil(list, 2, row, w, v3_unit(random_vec3()), k);
  for (int c = 0; c < 3; c++) add_stencil(list, 2, row, w, v3(c == 0, c == 1, c == 2), 0.1 * k);
}

static inline void add_inertia(block_list *list, int32_t rows, double mass)
{
  for (int32_t i = 0; i < rows; i++) add_block(list, i, i, m3_diagonal(mass, mass, mass));
}

static inline int compare_blocks(const void *a, const void *b)
{
  uint64_t x, y;
  memcpy(&x, a, sizeof x);
  memcpy(&y, b, sizeof y);
  return (x > y) - (x < y);
}

/* the sums, into a part whose start is there */
static inline void make_part(abut_context *ctx, block_list *list, int32_t rows, abut_blocks *part)
{
  if (list->count) qsort(list->block, (size_t)list->count, sizeof *list->block, compare_blocks);
  assert_int_equal(abut_blocks_reserve(ctx, part, list->count), ABUT_OK);
  int64_t n = 0;
  memset(part->start, 0, ((size_t)rows + 1) * sizeof *part->start);
  for (int64_t k = 0; k < list->count; k++) {
    uint64_t key = list->block[k].key;
    if (k > 0 && key == list->block[k - 1].key) {
      part->value[n - 1] = m3_add(part->value[n - 1], list->block[k].value);
      continue;
    }
    part->column[n] = abut_pair_column(key);
    part->value[n++] = list->block[k].value;
    part->start[abut_pair_row(key) + 1] = n;
  }
  for (int32_t i = 0; i < rows; i++)
    if (part->start[i + 1] < part->start[i]) part->start[i + 1] = part->start[i];
  free(list->block);
  *list = (block_list){0};
}

static inline abut_matrix make_matrix(abut_context *ctx, int32_t rows, block_list *base,
                                      block_list *extra)
{
  abut_matrix a;
  assert_int_equal(abut_matrix_make(ctx, rows, &a), ABUT_OK);
  make_part(ctx, base, rows, &a.base);
  make_part(ctx, extra, rows, &a.extra);
  return a;
}

/* --- couplings of a base: each adds springs between rows from first on --- */

static inline void add_chain(block_list *list, int32_t first, int32_t rows, double k)
{
  for (int32_t i = 1; i < rows; i++) add_spring(list, first + i - 1, first + i, k);
}

/* n x n vertices, two triangles a square, a bending stencil across every inner edge */
static inline void add_shell(block_list *list, int32_t first, int32_t n, double k, double bend)
{
  static const double w[] = {1, 1, -1, -1};
  for (int32_t j = 0; j < n; j++)
    for (int32_t i = 0; i < n; i++) {
      int32_t v = first + j * n + i;
      bool right = i + 1 < n, up = j + 1 < n;
      if (right) add_spring(list, v, v + 1, k);
      if (up) add_spring(list, v, v + n, k);
      if (!right || !up) continue;
      add_spring(list, v, v + n + 1, k);
      const int32_t a[] = {v, v + n + 1, v + 1, v + n}, b[] = {v, v + 1, v - n, v + n + 1};
      const int32_t c[] = {v, v + n, v - 1, v + n + 1};
      add_stencil(list, 4, a, w, v3_unit(random_vec3()), bend);
      if (j > 0) add_stencil(list, 4, b, w, v3_unit(random_vec3()), bend);
      if (i > 0) add_stencil(list, 4, c, w, v3_unit(random_vec3()), bend);
    }
}

/* cubes of n x n x n vertices cut into six tetrahedra each (Kuhn) */
static inline void add_solid(block_list *list, int32_t n, double k)
{
  static const int32_t step[7][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 0},
                                     {1, 0, 1}, {0, 1, 1}, {1, 1, 1}};
  for (int32_t v = 0; v < n * n * n; v++)
    for (int d = 0; d < 7; d++) {
      int32_t p = v % n + step[d][0], q = v / n % n + step[d][1], r = v / n / n + step[d][2];
      if (p < n && q < n && r < n) add_spring(list, v, (r * n + q) * n + p, k);
    }
}

static inline void add_random(block_list *list, int32_t rows, int32_t springs, double k)
{
  for (int32_t s = 0; s < springs; s++) {
    int32_t i = random_below(rows), j = random_below(rows);
    if (i != j) add_spring(list, i, j, k * (0.1 + random_unit()));
  }
}

/* every row with every other */
static inline void add_complete(block_list *list, int32_t rows, double k)
{
  static const double w[] = {1, -1};
  for (int32_t i = 0; i < rows; i++)
    for (int32_t j = i + 1; j < rows; j++) {
      const int32_t row[] = {i, j};
      add_stencil(list, 2, row, w, v3_unit(random_vec3()), k);
    }
}

/* a contact: one normal, weights of a point and a triangle */
static inline void add_contact(block_list *list, int32_t rows, double k)
{
  int32_t row[4];
  double w[4] = {1, -0.2 - 0.2 * random_unit(), -0.3, 0};
  w[3] = -1 - w[1] - w[2];
  for (int p = 0; p < 4; p++) {
    bool again = true;
    while (again) {
      again = false;
      row[p] = random_below(rows);
      for (int q = 0; q < p; q++) again = again || row[p] == row[q];
    }
  }
  add_stencil(list, 4, row, w, v3_unit(random_vec3()), k);
}

/* multiplies row and column of every scalar unknown so that the diagonal spreads over more decades
 */
static inline void scale_matrix(abut_matrix *a, double range)
{
  double *s = malloc(3 * (size_t)a->rows * sizeof *s);
  assert_non_null(s);
  for (int32_t i = 0; i < 3 * a->rows; i++) s[i] = pow(10, range / 2 * (random_unit() - 0.5));
  abut_blocks *part[] = {&a->base, &a->extra};
  for (int p = 0; p < 2; p++)
    for (int32_t i = 0; i < a->rows; i++)
      for (int64_t k = part[p]->start[i]; k < part[p]->start[i + 1]; k++)
        for (int e = 0; e < 9; e++)
          part[p]->value[k].m[e] *= s[3 * i + e / 3] * s[3 * part[p]->column[k] + e % 3];
  free(s);
}

typedef struct linear_case {
  const char *name;
  int32_t rows;
  void (*fill)(int32_t rows, block_list *base, block_list *extra);
  double range; /* decades that the diagonal spreads over */
  bool hard;    /* too badly conditioned for iterative solvers */
} linear_case;

static inline abut_matrix make_case(abut_context *ctx, const linear_case *c)
{
  block_list base = {0}, extra = {0};
  random_state = 88172645463325252u;
  c->fill(c->rows, &base, &extra);
  abut_matrix a = make_matrix(ctx, c->rows, &base, &extra);
  if (c->range > 0) scale_matrix(&a, c->range);
  return a;
}

/* --- the cases --- */

static inline void fill_diagonal(int32_t n, block_list *base, block_list *extra)
{
  (void)extra;
  add_inertia(base, n, 2.5);
}

static inline void fill_chain(int32_t n, block_list *base, block_list *extra)
{
  (void)extra;
  add_inertia(base, n, 1);
  add_chain(base, 0, n, 10);
}

static inline int32_t square_root(int32_t n)
{
  return (int32_t)(sqrt(n) + 0.5);
}

static inline int32_t cube_root(int32_t n)
{
  return (int32_t)(cbrt(n) + 0.5);
}

static inline void fill_shell(int32_t n, block_list *base, block_list *extra)
{
  (void)extra;
  add_inertia(base, n, 1);
  add_shell(base, 0, square_root(n), 100, 0.1);
}

static inline void fill_solid(int32_t n, block_list *base, block_list *extra)
{
  (void)extra;
  add_inertia(base, n, 1);
  add_solid(base, cube_root(n), 50);
}

static inline void fill_random(int32_t n, block_list *base, block_list *extra)
{
  (void)extra;
  add_inertia(base, n, 1);
  add_random(base, n, 3 * n, 5);
}

static inline void fill_tangled(int32_t n, block_list *base, block_list *extra)
{
  (void)extra;
  add_inertia(base, n, 1);
  add_random(base, n, 15 * n, 5);
}

static inline void fill_complete(int32_t n, block_list *base, block_list *extra)
{
  (void)extra;
  add_inertia(base, n, 1);
  add_complete(base, n, 1);
}

static inline void fill_star(int32_t n, block_list *base, block_list *extra)
{
  (void)extra;
  add_inertia(base, n, 1);
  for (int32_t i = 0; i < n; i++)
    if (i != n / 2) add_spring(base, n / 2, i, 3);
}

static inline void fill_comb(int32_t n, block_list *base, block_list *extra)
{
  (void)extra;
  add_inertia(base, n, 1);
  for (int32_t i = 4; i < n; i++) add_spring(base, i, i % 4 == 0 ? i - 4 : i - 1, 7);
}

/* chains of one row, two rows and so on, in shuffled places */
static inline void fill_islands(int32_t n, block_list *base, block_list *extra)
{
  (void)extra;
  add_inertia(base, n, 1);
  int32_t first = 0;
  for (int32_t length = 1; first + length <= n; first += length++)
    for (int32_t i = 1; i < length; i++)
      add_spring(base, (first + i - 1) * 7 % n, (first + i) * 7 % n, 4);
}

static inline void fill_two_shells(int32_t n, block_list *base, block_list *extra)
{
  (void)extra;
  int32_t m = square_root(n / 2);
  add_inertia(base, n, 1);
  add_shell(base, 0, m, 100, 1);
  add_shell(base, m * m, m, 100, 1);
}

static inline void fill_contacts(int32_t n, block_list *base, block_list *extra)
{
  fill_two_shells(n, base, extra);
  for (int32_t c = 0; c < n / 10; c++) add_contact(extra, n, 1e3);
}

static inline void fill_repeated(int32_t n, block_list *base, block_list *extra)
{
  add_inertia(base, n, 1);
  add_chain(base, 0, n, 10);
  add_chain(extra, 0, n, 20);
  add_inertia(extra, n, 0.5);
}

static inline void fill_extra_only(int32_t n, block_list *base, block_list *extra)
{
  add_inertia(base, n, 1);
  add_random(extra, n, 3 * n, 5);
}

static inline void fill_soft(int32_t n, block_list *base, block_list *extra)
{
  (void)extra;
  add_inertia(base, n, 1e-2);
  add_shell(base, 0, square_root(n), 1e6, 1e2);
}

static inline void fill_stiff_contacts(int32_t n, block_list *base, block_list *extra)
{
  fill_two_shells(n, base, extra);
  for (int32_t c = 0; c < n / 10; c++) add_contact(extra, n, 1e9);
}

static const linear_case solver_cases[] = {
    {"no rows", 0, fill_diagonal, 0, false},
    {"one row", 1, fill_diagonal, 0, false},
    {"two rows apart", 2, fill_diagonal, 0, false},
    {"two rows", 2, fill_chain, 0, false},
    {"three rows", 3, fill_chain, 0, false},
    {"diagonal", 50, fill_diagonal, 0, false},
    {"chain of 10", 10, fill_chain, 0, false},
    {"chain of 700", 700, fill_chain, 0, false},
    {"comb", 600, fill_comb, 0, false},
    {"star", 200, fill_star, 0, false},
    {"islands", 400, fill_islands, 0, false},
    {"shell 4 x 4", 16, fill_shell, 0, false},
    {"shell 12 x 12", 144, fill_shell, 0, false},
    {"shell 25 x 25", 625, fill_shell, 0, false},
    {"two shells", 200, fill_two_shells, 0, false},
    {"solid 3 x 3 x 3", 27, fill_solid, 0, false},
    {"solid 8 x 8 x 8", 512, fill_solid, 0, false},
    {"random 20", 20, fill_random, 0, false},
    {"random 150", 150, fill_random, 0, false},
    {"random 600", 600, fill_random, 0, false},
    {"tangled 350", 350, fill_tangled, 0, false},
    {"complete 5", 5, fill_complete, 0, false},
    {"complete 70", 70, fill_complete, 0, false},
    {"complete 230", 230, fill_complete, 0, false},
    {"contacts 32", 32, fill_contacts, 0, false},
    {"contacts 450", 450, fill_contacts, 0, false},
    {"extra repeats base", 100, fill_repeated, 0, false},
    {"extra couples alone", 120, fill_extra_only, 0, false},
    {"scaled diagonal", 50, fill_diagonal, 12, false},
    {"scaled shell", 144, fill_shell, 12, true},
    {"scaled contacts", 200, fill_contacts, 12, true},
    {"scaled complete", 70, fill_complete, 12, true},
    {"soft shell", 144, fill_soft, 0, true},
    {"stiff contacts", 200, fill_stiff_contacts, 0, true},
};

enum { SOLVER_CASES = (int)(sizeof solver_cases / sizeof *solver_cases) };

static const abut_linear_options test_options = {1e-10, 2000};

/* |b - A x| and what rounding in A x may make of it, both relative to |b| */
typedef struct residual_size {
  double residual, rounding;
} residual_size;

static inline residual_size measure_residual(const abut_context *ctx, const abut_matrix *a,
                                             const vec3 *b, const vec3 *x)
{
  vec3 *y = malloc(((size_t)a->rows + 1) * sizeof *y);
  assert_non_null(y);
  abut_matrix_apply(ctx, a, x, y);
  double rr = 0, bb = 0, xx = 0, largest = 0;
  for (int32_t i = 0; i < a->rows; i++) {
    mat3 d = abut_matrix_diagonal(a, i);
    for (int k = 0; k < 9; k += 4) largest = fmax(largest, d.m[k]);
    rr += v3_norm2(v3_sub(b[i], y[i]));
    bb += v3_norm2(b[i]);
    xx += v3_norm2(x[i]);
  }
  free(y);
  if (bb == 0) return (residual_size){sqrt(rr), 0};
  return (residual_size){sqrt(rr / bb), 1e-14 * largest * sqrt(xx / bb)};
}

static inline vec3 *make_right_side(int32_t rows)
{
  vec3 *b = malloc(((size_t)rows + 1) * sizeof *b);
  assert_non_null(b);
  for (int32_t i = 0; i < rows; i++) b[i] = random_vec3();
  return b;
}

#endif
