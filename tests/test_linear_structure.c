/* The direct solver while contacts come and go, and without memory. */
#include "test_linear_cases.h"

/* --- contacts that come and go --- */

enum { SHELL = 15, SHELL_ROWS = 2 * SHELL * SHELL, MOST_CONTACTS = 60 };

/* a point of the upper shell and a triangle of the lower one, near each other */
static void place_contact(int32_t row[4], double w[4], vec3 *n)
{
  int32_t i = random_below(SHELL - 1), j = random_below(SHELL - 1), v = j * SHELL + i;
  const int32_t r[4] = {SHELL * SHELL + v + random_below(2), v, v + 1, v + SHELL};
  const double weight[4] = {1, -0.5, -0.25, -0.25};
  memcpy(row, r, sizeof r);
  memcpy(w, weight, sizeof weight);
  *n = v3_unit(v3(0.2 * random_unit(), 0.2 * random_unit(), 1));
}

typedef struct contact_set {
  int count;
  int32_t row[MOST_CONTACTS][4];
  double w[MOST_CONTACTS][4];
  vec3 n[MOST_CONTACTS];
} contact_set;

/* some go, some come */
static void change_contacts(contact_set *set)
{
  for (int c = 0; c < set->count; c++)
    if (random_unit() < 0.1) {
      set->count--;
      memmove(set->row[c], set->row[set->count], sizeof set->row[c]);
      memmove(set->w[c], set->w[set->count], sizeof set->w[c]);
      set->n[c] = set->n[set->count];
    }
  for (int k = 0; k < 6 && set->count < MOST_CONTACTS; k++, set->count++)
    if (random_unit() < 0.6)
      place_contact(set->row[set->count], set->w[set->count], &set->n[set->count]);
    else
      set->count--;
}

static void fill_extra(abut_context *ctx, const contact_set *set, abut_matrix *a)
{
  block_list extra = {0};
  for (int c = 0; c < set->count; c++)
    add_stencil(&extra, 4, set->row[c], set->w[c], set->n[c], 1e4);
  make_part(ctx, &extra, a->rows, &a->extra);
}

typedef struct bench {
  abut_context ctx;
  abut_matrix a;
  abut_structure structure;
  abut_linear *solver;
  vec3 *b, *x;
} bench;

static bench make_bench(int threads)
{
  bench t = {0};
  abut_context_init(&t.ctx, NULL, threads);
  t.a = make_case(&t.ctx, &(linear_case){"", SHELL_ROWS, fill_two_shells, 0, false});
  t.b = make_right_side(SHELL_ROWS);
  t.x = make_right_side(SHELL_ROWS);
  assert_int_equal(abut_linear_cholesky.create(&t.ctx, &test_options, &t.solver), ABUT_OK);
  return t;
}

static void free_bench(bench *t)
{
  abut_linear_cholesky.destroy(&t->ctx, t->solver);
  abut_structure_free(&t->ctx, &t->structure);
  abut_matrix_free(&t->ctx, &t->a);
  free(t->b);
  free(t->x);
  abut_context_free(&t->ctx);
  assert_int_equal(t->ctx.live, 0);
}

static void factor_and_solve(abut_context *ctx, abut_linear *solver, const bench *t,
                             abut_structure *structure, vec3 *x)
{
  assert_int_equal(abut_linear_cholesky.factor(ctx, solver, &t->a, structure), ABUT_OK);
  assert_int_equal(abut_linear_cholesky.solve(ctx, solver, &t->a, t->b, x), ABUT_OK);
}

/* what a resumed run does: a new solver, given the structure as it was before the call */
static void check_fresh_solver(const bench *t, const abut_structure *before, int threads)
{
  abut_context ctx;
  abut_structure structure = {0};
  abut_linear *solver;
  vec3 *x = make_right_side(SHELL_ROWS);
  abut_context_init(&ctx, NULL, threads);
  assert_int_equal(abut_structure_copy(&ctx, before, &structure), ABUT_OK);
  assert_int_equal(abut_linear_cholesky.create(&ctx, &test_options, &solver), ABUT_OK);
  factor_and_solve(&ctx, solver, t, &structure, x);
  assert_memory_equal(x, t->x, SHELL_ROWS * sizeof *x);
  assert_true(structure.hash == t->structure.hash && structure.flops == t->structure.flops);
  abut_linear_cholesky.destroy(&ctx, solver);
  abut_structure_free(&ctx, &structure);
  free(x);
  abut_context_free(&ctx);
}

static void contacts_come_and_go_and_a_fresh_solver_gives_the_same_bits(void **state)
{
  (void)state;
  enum { STEPS = 150 };
  bench t = make_bench(1);
  contact_set set = {0};
  abut_structure before = {0};
  for (int step = 0; step < STEPS; step++) {
    change_contacts(&set);
    if (step % 50 == 49) set.count = 0;
    fill_extra(&t.ctx, &set, &t.a);
    assert_int_equal(abut_structure_copy(&t.ctx, &t.structure, &before), ABUT_OK);
    factor_and_solve(&t.ctx, t.solver, &t, &t.structure, t.x);
    residual_size size = measure_residual(&t.ctx, &t.a, t.b, t.x);
    assert_true(size.residual <= 1e-10 + size.rounding);
    if (step % 5 == 0) check_fresh_solver(&t, &before, 1 + step % 3);
    /* a second Newton iteration with the same contacts analyses nothing */
    int64_t analyses = t.solver->stats.analyses, allocations = t.ctx.allocations;
    factor_and_solve(&t.ctx, t.solver, &t, &t.structure, t.x);
    assert_int_equal(t.solver->stats.analyses, analyses);
    assert_int_equal(t.ctx.allocations, allocations);
  }
  assert_int_equal(t.solver->stats.factorizations, 2 * STEPS);
  /* the contacts here are a tenth new in every step, and couple shells that were far apart */
  assert_in_range(t.solver->stats.analyses, 20, STEPS + STEPS / 4);
  assert_in_range(t.solver->stats.orderings, 1, STEPS / 5);
  abut_structure_free(&t.ctx, &before);
  free_bench(&t);
}

static void set_pair(bench *t, int32_t i, int32_t j)
{
  block_list extra = {0};
  const int32_t row[] = {i, j};
  const double w[] = {1, -1};
  add_stencil(&extra, 2, row, w, v3(0, 0, 1), 100);
  make_part(&t->ctx, &extra, SHELL_ROWS, &t->a.extra);
}

static void blocks_within_the_fill_need_no_analysis_and_others_do(void **state)
{
  (void)state;
  bench t = make_bench(2);
  const abut_linear_stats *stats = &t.solver->stats;
  contact_set set = {0};
  for (int k = 0; k < 20; k++) change_contacts(&set);
  fill_extra(&t.ctx, &set, &t.a);
  factor_and_solve(&t.ctx, t.solver, &t, &t.structure, t.x);
  assert_int_equal(stats->orderings, 1);
  assert_int_equal(stats->analyses, 1);
  set.count /= 2;
  fill_extra(&t.ctx, &set, &t.a);
  factor_and_solve(&t.ctx, t.solver, &t, &t.structure, t.x);
  assert_int_equal(stats->analyses, 1);

  /* a coupling that neither base nor contacts have, of rows eliminated last: all filled */
  const int32_t *order = t.structure.order + SHELL_ROWS;
  int32_t i = order[-1], j = order[-8];
  if (i > j) i = order[-8], j = order[-1];
  assert_true(abut_blocks_find(&t.a.base, i, j) < 0);
  assert_true(abut_blocks_find(&t.a.extra, i, j) < 0);
  set_pair(&t, i, j);
  factor_and_solve(&t.ctx, t.solver, &t, &t.structure, t.x);
  assert_int_equal(stats->analyses, 1);

  /* opposite corners of one shell: not filled */
  set_pair(&t, 0, SHELL * SHELL - 1);
  uint64_t hash = t.structure.hash;
  factor_and_solve(&t.ctx, t.solver, &t, &t.structure, t.x);
  assert_true(t.structure.hash != hash);
  assert_int_equal(stats->analyses, 2);
  assert_int_equal(stats->orderings, 1);
  assert_int_equal(t.structure.pairs, 1);
  residual_size size = measure_residual(&t.ctx, &t.a, t.b, t.x);
  assert_true(size.residual <= 1e-10);
  free_bench(&t);
}

static void many_new_couplings_get_a_new_order(void **state)
{
  (void)state;
  bench t = make_bench(1);
  factor_and_solve(&t.ctx, t.solver, &t, &t.structure, t.x);
  double flops = t.structure.flops;
  block_list extra = {0};
  for (int c = 0; c < 300; c++) add_contact(&extra, SHELL_ROWS, 10);
  make_part(&t.ctx, &extra, SHELL_ROWS, &t.a.extra);
  abut_structure before = {0};
  assert_int_equal(abut_structure_copy(&t.ctx, &t.structure, &before), ABUT_OK);
  factor_and_solve(&t.ctx, t.solver, &t, &t.structure, t.x);
  assert_int_equal(t.solver->stats.orderings, 2);
  assert_true(t.structure.flops > 1.5 * flops);
  check_fresh_solver(&t, &before, 2);
  factor_and_solve(&t.ctx, t.solver, &t, &t.structure, t.x);
  assert_int_equal(t.solver->stats.orderings, 2);
  abut_structure_free(&t.ctx, &before);
  free_bench(&t);
}

static void another_matrix_may_follow(void **state)
{
  (void)state;
  abut_context ctx;
  abut_linear *solver;
  abut_structure structure = {0};
  abut_context_init(&ctx, NULL, 2);
  assert_int_equal(abut_linear_cholesky.create(&ctx, &test_options, &solver), ABUT_OK);
  for (int k = 0; k < 2 * SOLVER_CASES; k += 5) {
    abut_matrix a = make_case(&ctx, &solver_cases[k % SOLVER_CASES]);
    vec3 *b = make_right_side(a.rows), *x = malloc((size_t)a.rows * sizeof *x);
    structure.flops = 0; /* a structure belongs to one base pattern */
    assert_int_equal(abut_linear_cholesky.factor(&ctx, solver, &a, &structure), ABUT_OK);
    assert_int_equal(abut_linear_cholesky.solve(&ctx, solver, &a, b, x), ABUT_OK);
    residual_size size = measure_residual(&ctx, &a, b, x);
    assert_true(size.residual <= 1e-10 + size.rounding);
    free(b);
    free(x);
    abut_matrix_free(&ctx, &a);
  }
  abut_linear_cholesky.destroy(&ctx, solver);
  abut_structure_free(&ctx, &structure);
  abut_context_free(&ctx);
  assert_int_equal(ctx.live, 0);
}

static void damaged_structures_are_refused(void **state)
{
  (void)state;
  for (int damage = 0; damage < 5; damage++) {
    bench t = make_bench(1);
    contact_set set = {0};
    for (int k = 0; k < 5; k++) change_contacts(&set);
    fill_extra(&t.ctx, &set, &t.a);
    factor_and_solve(&t.ctx, t.solver, &t, &t.structure, t.x);
    assert_true(t.structure.pairs > 3);
    if (damage == 0) t.structure.order[5] = t.structure.order[6];
    if (damage == 1) t.structure.order[5] = SHELL_ROWS;
    if (damage == 2) t.structure.order[5] = -1;
    if (damage == 3) t.structure.pair[2] = abut_pair_key(7, SHELL_ROWS);
    if (damage == 4) t.structure.pair[2] = t.structure.pair[1];
    abut_structure_rehash(&t.structure);
    assert_int_equal(abut_linear_cholesky.factor(&t.ctx, t.solver, &t.a, &t.structure),
                     ABUT_BAD_ARGUMENT);
    assert_int_equal(abut_linear_cholesky.solve(&t.ctx, t.solver, &t.a, t.b, t.x),
                     ABUT_BAD_ARGUMENT);
    free_bench(&t);
  }
}

/* --- running out of memory --- */

typedef struct short_memory {
  int64_t left;
} short_memory;

static void *short_alloc(void *arg, size_t size)
{
  short_memory *m = arg;
  return m->left-- > 0 ? malloc(size) : NULL;
}

static void short_free(void *arg, void *block, size_t size)
{
  (void)arg;
  (void)size;
  free(block);
}

/* two factorisations, the second with more contacts, and solutions */
static abut_status run_short(abut_context *ctx, const abut_linear_class *class, abut_matrix *a,
                             const abut_blocks *more, abut_structure *structure, vec3 *x)
{
  abut_linear *solver = NULL;
  abut_blocks few = a->extra;
  abut_status status = class->create(ctx, &test_options, &solver);
  if (status == ABUT_OK) status = class->factor(ctx, solver, a, structure);
  if (status == ABUT_OK) status = class->solve(ctx, solver, a, x, x);
  a->extra = *more;
  if (status == ABUT_OK) status = class->factor(ctx, solver, a, structure);
  if (status == ABUT_OK) status = class->solve(ctx, solver, a, x, x);
  /* after a failure the same objects go on as soon as there is memory */
  short_memory *memory = ctx->allocator.ctx;
  if (status == ABUT_NO_MEMORY && solver) {
    memory->left = INT64_MAX;
    abut_error_clear(ctx);
    assert_int_equal(class->factor(ctx, solver, a, structure), ABUT_OK);
    assert_int_equal(class->solve(ctx, solver, a, x, x), ABUT_OK);
  }
  a->extra = few;
  if (solver) class->destroy(ctx, solver);
  return status;
}

static void running_out_of_memory_anywhere_is_reported_and_leaks_nothing(void **state)
{
  (void)state;
  static const abut_linear_class *const classes[] = {&abut_linear_cholesky, &abut_linear_dense,
                                                     &abut_linear_pcg, &abut_linear_pcg_jacobi};
  abut_context plenty;
  abut_context_init(&plenty, NULL, 2);
  abut_matrix a = make_case(&plenty, &(linear_case){"", 72, fill_contacts, 0, false});
  abut_matrix b = make_case(&plenty, &(linear_case){"", 72, fill_extra_only, 0, false});
  for (int s = 0; s < 4; s++) {
    abut_status status = ABUT_NO_MEMORY;
    int64_t tries = 0;
    for (; status == ABUT_NO_MEMORY; tries++) {
      short_memory memory = {tries};
      abut_allocator allocator = {short_alloc, short_free, &memory};
      abut_context ctx;
      abut_structure structure = {0};
      vec3 x[72];
      for (int i = 0; i < 72; i++) x[i] = v3(1, i, -i);
      abut_context_init(&ctx, &allocator, 2);
      status = run_short(&ctx, classes[s], &a, &b.extra, &structure, x);
      if (status != ABUT_NO_MEMORY) assert_int_equal(status, ABUT_OK);
      abut_structure_free(&ctx, &structure);
      abut_context_free(&ctx);
      assert_int_equal(ctx.live, 0);
      assert_int_equal(ctx.bytes, 0);
    }
    assert_true(tries > 8);
  }
  abut_matrix_free(&plenty, &a);
  abut_matrix_free(&plenty, &b);
  abut_context_free(&plenty);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(contacts_come_and_go_and_a_fresh_solver_gives_the_same_bits),
      cmocka_unit_test(blocks_within_the_fill_need_no_analysis_and_others_do),
      cmocka_unit_test(many_new_couplings_get_a_new_order),
      cmocka_unit_test(another_matrix_may_follow),
      cmocka_unit_test(damaged_structures_are_refused),
      cmocka_unit_test(running_out_of_memory_anywhere_is_reported_and_leaks_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
