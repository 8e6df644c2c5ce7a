/* bench_cholesky: the direct solver on a sheet of 100k unknowns, a mat of two layers and a solid,
   against CHOLMOD (supernodal, METIS) where it is built in. Everything is the minimum over repeats
   in one run; compare ratios, not seconds.   usage: bench_cholesky [repeats] [case] */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/scratch.h"
#include "base/sort.h"
#include "base/timer.h"
#include "linear/linear.h"
#include "linear/reserve.h"

typedef struct mesh {
  int32_t vertices, edges, hinges;
  vec3 *x;
  int32_t *edge;  /* 2 vertices each */
  int32_t *hinge; /* 4 vertices each: the edge, then the tips */
} mesh;

static uint64_t state;

static void seed(void)
{
  state = 88172645463325252u;
}

static double random_unit(void)
{
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return (double)(state >> 11) / 9007199254740992.0;
}

static void *grow(void *array, int32_t count, size_t item)
{
  bool full = count == 0 || (count >= 64 && (count & (count - 1)) == 0);
  return full ? realloc(array, (count ? 2 * (size_t)count : 64) * item) : array;
}

static void add_edge(mesh *m, int32_t a, int32_t b)
{
  m->edge = grow(m->edge, m->edges, 2 * sizeof *m->edge);
  m->edge[2 * m->edges] = a;
  m->edge[2 * m->edges++ + 1] = b;
}

static void add_hinge(mesh *m, int32_t a, int32_t b, int32_t c, int32_t d)
{
  m->hinge = grow(m->hinge, m->hinges, 4 * sizeof *m->hinge);
  int32_t v[] = {a, b, c, d};
  memcpy(m->hinge + (size_t)(4 * m->hinges++), v, sizeof v);
}

/* n x n vertices, two triangles a square, every inner edge a hinge */
static mesh make_sheet(int32_t n)
{
  mesh m = {.vertices = n * n};
  seed();
  m.x = malloc((size_t)m.vertices * sizeof *m.x);
  for (int32_t v = 0; v < n * n; v++)
    m.x[v] = v3(v % n + 0.2 * random_unit(), v / n + 0.2 * random_unit(), 0.3 * random_unit());
  for (int32_t j = 0; j < n; j++)
    for (int32_t i = 0; i < n; i++) {
      int32_t v = j * n + i;
      bool right = i + 1 < n, up = j + 1 < n;
      if (right) add_edge(&m, v, v + 1);
      if (up) add_edge(&m, v, v + n);
      if (right && up) add_edge(&m, v, v + n + 1);
      if (right && up) add_hinge(&m, v, v + n + 1, v + 1, v + n);
      if (right && up && j > 0) add_hinge(&m, v, v + 1, v - n, v + n + 1);
      if (right && up && i > 0) add_hinge(&m, v, v + n, v - 1, v + n + 1);
    }
  return m;
}

/* a x b x c vertices, cubes cut into six tetrahedra along their long diagonal (Kuhn) */
static mesh make_solid(int32_t a, int32_t b, int32_t c)
{
  static const int32_t step[7][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 0},
                                     {1, 0, 1}, {0, 1, 1}, {1, 1, 1}};
  mesh m = {.vertices = a * b * c};
  seed();
  m.x = malloc((size_t)m.vertices * sizeof *m.x);
  for (int32_t k = 0; k < c; k++)
    for (int32_t j = 0; j < b; j++)
      for (int32_t i = 0; i < a; i++) {
        int32_t v = (k * b + j) * a + i;
        m.x[v] = v3(i + 0.2 * random_unit(), j + 0.2 * random_unit(), k + 0.2 * random_unit());
        for (int d = 0; d < 7; d++) {
          int32_t p = i + step[d][0], q = j + step[d][1], r = k + step[d][2];
          if (p < a && q < b && r < c) add_edge(&m, v, (r * b + q) * a + p);
        }
      }
  return m;
}

static uint64_t ordered_pair(int32_t i, int32_t j)
{
  return i < j ? abut_pair_key(i, j) : abut_pair_key(j, i);
}

static abut_status make_pattern(abut_context *ctx, const mesh *m, abut_matrix *a)
{
  int64_t n = 0, most = m->vertices + m->edges + 6 * (int64_t)m->hinges;
  uint64_t *key = malloc(2 * (size_t)most * sizeof *key);
  for (int32_t v = 0; v < m->vertices; v++) key[n++] = abut_pair_key(v, v);
  for (int32_t e = 0; e < m->edges; e++)
    key[n++] = ordered_pair(m->edge[2 * e], m->edge[2 * e + 1]);
  for (int32_t h = 0; h < m->hinges; h++)
    for (int p = 0; p < 4; p++)
      for (int q = p + 1; q < 4; q++)
        key[n++] = ordered_pair(m->hinge[4 * h + p], m->hinge[4 * h + q]);
  abut_sort_keys(key, key + most, n);
  ABUT_TRY(abut_matrix_make(ctx, m->vertices, a));
  ABUT_TRY(abut_blocks_reserve(ctx, &a->base, n));
  int64_t blocks = 0;
  for (int64_t k = 0; k < n; k++) {
    if (k > 0 && key[k] == key[k - 1]) continue;
    a->base.column[blocks++] = abut_pair_column(key[k]);
    a->base.start[abut_pair_row(key[k]) + 1] = blocks;
  }
  memset(a->base.value, 0, (size_t)blocks * sizeof *a->base.value);
  free(key);
  return ABUT_OK;
}

/* adds s w w^T n n^T over some vertices, w given per vertex */
static void add_outer(abut_matrix *a, int count, const int32_t *v, const double *w, vec3 n, double s)
{
  for (int p = 0; p < count; p++)
    for (int q = 0; q < count; q++) {
      if (v[p] > v[q]) continue;
      int64_t k = abut_blocks_find(&a->base, v[p], v[q]);
      a->base.value[k] = m3_add_outer(a->base.value[k], n, n, s * w[p] * w[q]);
    }
}

/* inertia 1, springs along edges with a little shear, weak bending across hinges */
static void fill_matrix(const mesh *m, abut_matrix *a)
{
  static const double edge_weight[] = {1, -1}, hinge_weight[] = {1, 1, -1, -1};
  seed();
  for (int32_t v = 0; v < m->vertices; v++)
    a->base.value[abut_blocks_find(&a->base, v, v)] = m3_diagonal(1, 1, 1);
  for (int32_t e = 0; e < m->edges; e++) {
    const int32_t *v = m->edge + 2 * (size_t)e;
    vec3 d = v3_unit(v3_sub(m->x[v[1]], m->x[v[0]]));
    double k = 1e4 * (0.5 + random_unit());
    add_outer(a, 2, v, edge_weight, d, k);
    if (m->hinges == 0)
      for (int c = 0; c < 3; c++)
        add_outer(a, 2, v, edge_weight, v3(c == 0, c == 1, c == 2), 0.1 * k);
  }
  for (int32_t h = 0; h < m->hinges; h++) {
    const int32_t *v = m->hinge + 4 * (size_t)h;
    vec3 d = v3_sub(m->x[v[1]], m->x[v[0]]);
    vec3 n = v3_unit(v3_cross(d, v3_sub(m->x[v[2]], m->x[v[0]])));
    add_outer(a, 4, v, hinge_weight, n, 10 * (0.5 + random_unit()));
  }
}

typedef struct timing {
  double ordering, symbolic, factor, solve;
  abut_linear_stats stats;
  double residual;
} timing;

static double smaller(double a, double b)
{
  return a < b ? a : b;
}

static abut_status time_ordering(abut_context *ctx, const abut_matrix *a, timing *t)
{
  abut_structure s = {0};
  abut_matrix_index index = {0};
  abut_symbolic symbolic = {0};
  ABUT_TRY(abut_matrix_index_update(ctx, a, &index));
  double begin = abut_now();
  ABUT_TRY(abut_structure_order(ctx, a, &s));
  t->ordering = smaller(t->ordering, abut_now() - begin);
  for (int k = 0; k < 5; k++) {
    begin = abut_now();
    ABUT_TRY(abut_symbolic_analyze(ctx, a, &index.base, &s, &symbolic));
    t->symbolic = smaller(t->symbolic, abut_now() - begin);
  }
  abut_symbolic_free(ctx, &symbolic);
  abut_matrix_index_free(ctx, &index);
  abut_structure_free(ctx, &s);
  return ABUT_OK;
}

static abut_status time_solver(abut_context *ctx, const abut_linear_class *class,
                               const abut_matrix *a, int repeats, timing *t)
{
  abut_linear_options options = {1e-8, 1000};
  abut_linear *solver;
  abut_structure s = {0};
  int32_t n = a->rows;
  seed();
  vec3 *b = malloc(2 * (size_t)n * sizeof *b), *x = b + n;
  for (int32_t i = 0; i < n; i++) b[i] = v3(random_unit(), random_unit(), random_unit());
  ABUT_TRY(class->create(ctx, &options, &solver));
  for (int r = 0; r < repeats; r++) {
    double before = solver->stats.factorization_seconds;
    ABUT_TRY(class->factor(ctx, solver, a, &s));
    t->factor = smaller(t->factor, solver->stats.factorization_seconds - before);
    double begin = abut_now();
    ABUT_TRY(class->solve(ctx, solver, a, b, x));
    t->solve = smaller(t->solve, abut_now() - begin);
  }
  t->stats = solver->stats;
  vec3 *r = malloc((size_t)n * sizeof *r);
  abut_matrix_apply(ctx, a, x, r);
  double rr = 0, bb = 0;
  for (int32_t i = 0; i < n; i++) rr += v3_norm2(v3_sub(b[i], r[i])), bb += v3_norm2(b[i]);
  t->residual = sqrt(rr / bb);
  free(r);
  free(b);
  abut_structure_free(ctx, &s);
  class->destroy(ctx, solver);
  return ABUT_OK;
}

static void print_row(const char *name, const timing *t)
{
  printf("  %-22s", name);
  if (t->ordering < 1e9) printf(" order %8.2f ms", 1e3 * t->ordering);
  else printf("                  ");
  if (t->symbolic < 1e9) printf("  symbolic %7.2f ms", 1e3 * t->symbolic);
  else printf("                     ");
  printf("  factor %8.2f ms %5.1f GF/s  solve %6.2f ms  flops %.3g  nonzeros %.3g  residual %.1e\n",
         1e3 * t->factor, 1e-9 * t->stats.flops / t->factor, 1e3 * t->solve, t->stats.flops,
         (double)t->stats.nonzeros, t->residual);
}

static abut_status run_case(const char *title, const mesh *m, int repeats)
{
  timing best[3];
  for (int i = 0; i < 3; i++)
    best[i] = (timing){.ordering = 1e9, .symbolic = 1e9, .factor = 1e9, .solve = 1e9};
  for (int threads = 1; threads <= 2; threads++) {
    abut_context ctx;
    abut_matrix a;
    abut_context_init(&ctx, NULL, threads);
    ABUT_TRY(make_pattern(&ctx, m, &a));
    fill_matrix(m, &a);
    if (threads == 1)
      printf("%s: %d block rows, %lld blocks\n", title, a.rows, (long long)a.base.start[a.rows]);
    if (threads == 1) ABUT_TRY(time_ordering(&ctx, &a, &best[0]));
    ABUT_TRY(time_solver(&ctx, &abut_linear_cholesky, &a, repeats, &best[threads - 1]));
    print_row(threads == 1 ? "abut, 1 thread" : "abut, 2 threads", &best[threads - 1]);
#ifdef ABUT_WITH_CHOLMOD
    if (threads == 1) {
      ABUT_TRY(time_solver(&ctx, &abut_linear_cholmod, &a, repeats, &best[2]));
      print_row("CHOLMOD, 1 thread", &best[2]);
    }
#endif
    abut_matrix_free(&ctx, &a);
    abut_context_free(&ctx);
  }
  printf("  of the factorisation: symbolic %.1f %%, solve %.1f %%;  2 threads %.2f times as fast\n",
         100 * best[0].symbolic / best[0].factor, 100 * best[0].solve / best[0].factor,
         best[0].factor / best[1].factor);
  if (best[2].factor < 1e9)
    printf("  CHOLMOD / abut: factor %.2f, solve %.2f\n", best[2].factor / best[0].factor,
           best[2].solve / best[0].solve);
  return ABUT_OK;
}

int main(int argc, char **argv)
{
  int repeats = argc > 1 ? atoi(argv[1]) : 5, only = argc > 2 ? argv[2][0] : 0;
  abut_status status = ABUT_OK;
  if (!only || only == 'a') {
    mesh m = make_sheet(183);
    status = run_case("(a) sheet 183 x 183", &m, repeats);
  }
  if (status == ABUT_OK && (!only || only == 'b')) {
    mesh m = make_solid(40, 40, 2);
    status = run_case("(b) mat 40 x 40 x 2", &m, repeats);
  }
  if (status == ABUT_OK && (!only || only == 'c')) {
    mesh m = make_solid(32, 32, 32);
    status = run_case("(c) solid 32 x 32 x 32", &m, repeats);
  }
  if (status != ABUT_OK) fprintf(stderr, "bench_cholesky: %s\n", abut_status_sentence(status));
  return status != ABUT_OK;
}
