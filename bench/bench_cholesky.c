/* bench_cholesky: the direct solver on a sheet of 100k unknowns, a mat of two layers and a solid,
   against CHOLMOD (supernodal, METIS) where it is built in, all on one thread and taking turns; and
   on two sheets that slide over each other. Times are minima over repeats of one run: compare
   ratios, not seconds.   usage: bench_cholesky [repeats] [cases, of abcd] */
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

static vec3 random_offset(void)
{
  double x = random_unit(), y = random_unit(), z = random_unit();
  return v3(0.2 * x, 0.2 * y, 0.2 * z);
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
  for (int32_t v = 0; v < n * n; v++) m.x[v] = v3_add(v3(v % n, v / n, 0), random_offset());
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
        m.x[v] = v3_add(v3(i, j, k), random_offset());
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

/* the pattern that keys ask for, with values 0; keys has room for twice as many */
static abut_status make_part(abut_context *ctx, uint64_t *key, int64_t n, int32_t rows,
                             abut_blocks *part)
{
  abut_sort_keys(key, key + n, n);
  ABUT_TRY(abut_blocks_reserve(ctx, part, n));
  memset(part->start, 0, ((size_t)rows + 1) * sizeof *part->start);
  int64_t blocks = 0;
  for (int64_t k = 0; k < n; k++) {
    if (k > 0 && key[k] == key[k - 1]) continue;
    part->value[blocks] = m3_zero();
    part->column[blocks++] = abut_pair_column(key[k]);
    part->start[abut_pair_row(key[k]) + 1] = blocks;
  }
  for (int32_t i = 0; i < rows; i++)
    if (part->start[i + 1] < part->start[i]) part->start[i + 1] = part->start[i];
  return ABUT_OK;
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
  ABUT_TRY(abut_matrix_make(ctx, m->vertices, a));
  ABUT_TRY(make_part(ctx, key, n, a->rows, &a->base));
  free(key);
  return ABUT_OK;
}

/* adds s w w^T n n^T over some vertices, w given per vertex */
static void add_outer(abut_blocks *part, int count, const int32_t *v, const double *w, vec3 n,
                      double s)
{
  for (int p = 0; p < count; p++)
    for (int q = 0; q < count; q++) {
      if (v[p] > v[q]) continue;
      int64_t k = abut_blocks_find(part, v[p], v[q]);
      part->value[k] = m3_add_outer(part->value[k], n, n, s * w[p] * w[q]);
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
    add_outer(&a->base, 2, v, edge_weight, d, k);
    if (m->hinges == 0)
      for (int c = 0; c < 3; c++)
        add_outer(&a->base, 2, v, edge_weight, v3(c == 0, c == 1, c == 2), 0.1 * k);
  }
  for (int32_t h = 0; h < m->hinges; h++) {
    const int32_t *v = m->hinge + 4 * (size_t)h;
    vec3 d = v3_sub(m->x[v[1]], m->x[v[0]]);
    vec3 n = v3_unit(v3_cross(d, v3_sub(m->x[v[2]], m->x[v[0]])));
    add_outer(&a->base, 4, v, hinge_weight, n, 10 * (0.5 + random_unit()));
  }
}

/* one solver at one number of threads, with a matrix of its own */
typedef struct entrant {
  const char *name;
  const abut_linear_class *class;
  abut_context ctx;
  abut_matrix a;
  abut_structure structure;
  abut_linear *solver;
  double factor, solve, residual;
} entrant;

static double smaller(double a, double b)
{
  return a < b ? a : b;
}

static abut_status enter(entrant *e, const char *name, const abut_linear_class *class, int threads,
                         const mesh *m)
{
  static const abut_linear_options options = {1e-8, 1000};
  *e = (entrant){.name = name, .class = class, .factor = 1e9, .solve = 1e9};
  abut_context_init(&e->ctx, NULL, threads);
  ABUT_TRY(make_pattern(&e->ctx, m, &e->a));
  fill_matrix(m, &e->a);
  return class->create(&e->ctx, &options, &e->solver);
}

static void leave(entrant *e)
{
  e->class->destroy(&e->ctx, e->solver);
  abut_structure_free(&e->ctx, &e->structure);
  abut_matrix_free(&e->ctx, &e->a);
  abut_context_free(&e->ctx);
}

static double residual_of(const entrant *e, const vec3 *b, const vec3 *x, vec3 *r)
{
  double rr = 0, bb = 0;
  abut_matrix_apply(&e->ctx, &e->a, x, r);
  for (int32_t i = 0; i < e->a.rows; i++) {
    rr += v3_norm2(v3_sub(b[i], r[i]));
    bb += v3_norm2(b[i]);
  }
  return sqrt(rr / bb);
}

static abut_status run_once(entrant *e)
{
  int32_t n = e->a.rows;
  vec3 *b = malloc(3 * (size_t)n * sizeof *b), *x = b + n;
  seed();
  for (int32_t i = 0; i < n; i++) b[i] = random_offset();
  double before = e->solver->stats.factorization_seconds;
  ABUT_TRY(e->class->factor(&e->ctx, e->solver, &e->a, &e->structure));
  e->factor = smaller(e->factor, e->solver->stats.factorization_seconds - before);
  double begin = abut_now();
  ABUT_TRY(e->class->solve(&e->ctx, e->solver, &e->a, b, x));
  e->solve = smaller(e->solve, abut_now() - begin);
  e->residual = residual_of(e, b, x, x + n);
  free(b);
  return ABUT_OK;
}

static void print_entrant(const entrant *e)
{
  const abut_linear_stats *s = &e->solver->stats;
  printf("  %-17s  factor %8.2f ms, %4.1f Gflop/s  solve %7.2f ms  %.3g flops  %.3g nonzeros  "
         "residual %.1e\n",
         e->name, 1e3 * e->factor, 1e-9 * s->flops / e->factor, 1e3 * e->solve, s->flops,
         (double)s->nonzeros, e->residual);
}

/* a new order, and the symbolic phase that every change of contacts needs */
static abut_status time_structure(entrant *e, int repeats, double *ordering, double *symbolic)
{
  abut_structure s = {0};
  abut_matrix_index index = {0};
  abut_symbolic result = {0};
  *ordering = *symbolic = 1e9;
  ABUT_TRY(abut_matrix_index_update(&e->ctx, &e->a, &index));
  for (int r = 0; r < repeats; r++) {
    double begin = abut_now();
    ABUT_TRY(abut_structure_order(&e->ctx, &e->a, &s));
    *ordering = smaller(*ordering, abut_now() - begin);
    begin = abut_now();
    ABUT_TRY(abut_symbolic_analyze(&e->ctx, &e->a, &index.base, &s, &result));
    *symbolic = smaller(*symbolic, abut_now() - begin);
  }
  abut_symbolic_free(&e->ctx, &result);
  abut_matrix_index_free(&e->ctx, &index);
  abut_structure_free(&e->ctx, &s);
  return ABUT_OK;
}

static abut_status run_case(const char *title, const mesh *m, int repeats)
{
  entrant e[3];
  int entrants = 2;
  double ordering, symbolic;
  ABUT_TRY(enter(&e[0], "abut, 1 thread", &abut_linear_cholesky, 1, m));
  ABUT_TRY(enter(&e[1], "abut, 2 threads", &abut_linear_cholesky, 2, m));
#ifdef ABUT_WITH_CHOLMOD
  ABUT_TRY(enter(&e[entrants++], "CHOLMOD, 1 thread", &abut_linear_cholmod, 1, m));
#endif
  printf("%s: %d block rows, %lld blocks\n", title, e[0].a.rows,
         (long long)e[0].a.base.start[e[0].a.rows]);
  ABUT_TRY(time_structure(&e[0], repeats < 5 ? repeats : 5, &ordering, &symbolic));
  for (int r = 0; r < repeats; r++)
    for (int k = 0; k < entrants; k++) ABUT_TRY(run_once(&e[k]));

  for (int k = 0; k < entrants; k++) print_entrant(&e[k]);
  printf("  order %.2f ms, symbolic %.2f ms; of a factorisation: symbolic %.1f %%, solve %.1f %%\n",
         1e3 * ordering, 1e3 * symbolic, 100 * symbolic / e[0].factor,
         100 * e[0].solve / e[0].factor);
  printf("  2 threads are %.2f times as fast as 1", e[0].factor / e[1].factor);
  if (entrants > 2)
    printf("; CHOLMOD / abut: factor %.2f, solve %.2f", e[2].factor / e[0].factor,
           e[2].solve / e[0].solve);
  printf("\n");
  for (int k = 0; k < entrants; k++) leave(&e[k]);
  return ABUT_OK;
}

enum { SIDE = 40, SHEET = SIDE * SIDE, STEPS = 30, ITERATIONS = 4 };

/* point-triangle contacts of two sheets, the upper one shifted by whole cells, a twentieth of the
   contacts missing at random */
static abut_status make_contacts(abut_context *ctx, int32_t shift, abut_matrix *a)
{
  static const double w[] = {-0.5, -0.25, -0.25, 1};
  int32_t(*row)[4] = malloc(SHEET * sizeof *row);
  uint64_t *key = malloc(20 * SHEET * sizeof *key);
  int32_t contacts = 0;
  int64_t n = 0;
  for (int32_t v = 0; v < SHEET - SIDE; v++) {
    if (v % SIDE + shift + 1 >= SIDE || random_unit() < 0.05) continue;
    int32_t under = v + shift, corner[] = {under, under + 1, under + SIDE, SHEET + v};
    memcpy(row[contacts++], corner, sizeof corner);
    for (int p = 0; p < 4; p++)
      for (int q = p; q < 4; q++) key[n++] = ordered_pair(corner[p], corner[q]);
  }
  ABUT_TRY(make_part(ctx, key, n, a->rows, &a->extra));
  for (int32_t c = 0; c < contacts; c++) add_outer(&a->extra, 4, row[c], w, v3(0, 0, 1), 1e5);
  free(key);
  free(row);
  return ABUT_OK;
}

/* contacts change in every iteration and move on every third step */
static abut_status run_sliding(void)
{
  mesh one = make_sheet(SIDE), two = {.vertices = 2 * SHEET, .edges = 0};
  two.x = malloc((size_t)two.vertices * sizeof *two.x);
  for (int copy = 0; copy < 2; copy++) {
    memcpy(two.x + copy * SHEET, one.x, SHEET * sizeof *two.x);
    for (int32_t e = 0; e < one.edges; e++)
      add_edge(&two, one.edge[2 * e] + copy * SHEET, one.edge[2 * e + 1] + copy * SHEET);
    for (int32_t h = 0; h < one.hinges; h++) {
      const int32_t *v = one.hinge + 4 * (size_t)h;
      int32_t s = copy * SHEET;
      add_hinge(&two, v[0] + s, v[1] + s, v[2] + s, v[3] + s);
    }
  }
  entrant e;
  double all = 0;
  ABUT_TRY(enter(&e, "abut", &abut_linear_cholesky, 1, &two));
  for (int step = 0; step < STEPS; step++)
    for (int k = 0; k < ITERATIONS; k++) {
      ABUT_TRY(make_contacts(&e.ctx, step / 3, &e.a));
      double begin = abut_now();
      ABUT_TRY(e.class->factor(&e.ctx, e.solver, &e.a, &e.structure));
      all += abut_now() - begin;
    }
  const abut_linear_stats *s = &e.solver->stats;
  printf("(d) two sheets 40 x 40 sliding: %d factorisations, %lld analyses, %lld orders; per "
         "factorisation %.2f ms numeric and %.2f ms all else\n",
         STEPS * ITERATIONS, (long long)s->analyses, (long long)s->orderings,
         1e3 * s->factorization_seconds / (double)s->factorizations,
         1e3 * (all - s->factorization_seconds) / (double)s->factorizations);
  leave(&e);
  return ABUT_OK;
}

static bool wanted(const char *cases, char which)
{
  return !cases || strchr(cases, which);
}

int main(int argc, char **argv)
{
  int repeats = argc > 1 ? atoi(argv[1]) : 5;
  const char *cases = argc > 2 ? argv[2] : NULL;
  abut_status status = ABUT_OK;
#ifdef ABUT_WITH_CHOLMOD
  puts("CHOLMOD: METIS, supernodal LL^T, relaxation as it comes (nrelax 4 16 48, zrelax 0.8 0.1 "
       "0.05), one thread");
#endif
  if (wanted(cases, 'a')) {
    mesh m = make_sheet(183);
    status = run_case("(a) sheet 183 x 183", &m, repeats);
  }
  if (status == ABUT_OK && wanted(cases, 'b')) {
    mesh m = make_solid(40, 40, 2);
    status = run_case("(b) mat 40 x 40 x 2", &m, 8 * repeats);
  }
  if (status == ABUT_OK && wanted(cases, 'c')) {
    mesh m = make_solid(32, 32, 32);
    status = run_case("(c) solid 32 x 32 x 32", &m, repeats < 3 ? repeats : 3);
  }
  if (status == ABUT_OK && wanted(cases, 'd')) status = run_sliding();
  if (status != ABUT_OK) fprintf(stderr, "bench_cholesky: %s\n", abut_status_sentence(status));
  return status != ABUT_OK;
}
