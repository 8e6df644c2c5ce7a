/* Linear solvers: every class on every matrix. */
#include "test_linear_cases.h"

static const abut_linear_class *const solvers[] = {
    &abut_linear_cholesky, &abut_linear_dense, &abut_linear_pcg, &abut_linear_pcg_jacobi,
#ifdef ABUT_WITH_CHOLMOD
    &abut_linear_cholmod,
#endif
};

enum { SOLVERS = (int)(sizeof solvers / sizeof *solvers) };

static abut_linear *make_solver(abut_context *ctx, const abut_linear_class *class)
{
  abut_linear *solver = NULL;
  assert_int_equal(class->create(ctx, &test_options, &solver), ABUT_OK);
  assert_ptr_equal(solver->class, class);
  return solver;
}

static void check_residual(const abut_context *ctx, const linear_case *c,
                           const abut_linear_class *class, const abut_matrix *a, const vec3 *b,
                           const vec3 *x)
{
  residual_size size = measure_residual(ctx, a, b, x);
  double goal = class->direct ? 1e-10 : 2 * test_options.tolerance;
  if (!(size.residual <= goal + size.rounding))
    fail_msg("%s on %s: residual %.3g, rounding %.3g", class->name, c->name, size.residual,
             size.rounding);
}

static void every_solver_solves_every_matrix(void **state)
{
  (void)state;
  for (int k = 0; k < SOLVER_CASES; k++) {
    const linear_case *c = &solver_cases[k];
    abut_context ctx;
    abut_context_init(&ctx, NULL, 2);
    abut_matrix a = make_case(&ctx, c);
    vec3 *b = make_right_side(a.rows), *x = malloc((size_t)a.rows * sizeof *x);
    for (int s = 0; s < SOLVERS; s++) {
      abut_structure structure = {0};
      abut_linear *solver = make_solver(&ctx, solvers[s]);
      abut_status status = solvers[s]->factor(&ctx, solver, &a, &structure);
      if (status == ABUT_OK) status = solvers[s]->solve(&ctx, solver, &a, b, x);
      /* what is too hard for iterations is refused, not answered wrongly */
      bool may_stop = c->hard && !solvers[s]->direct;
      if (status != ABUT_OK && !(may_stop && status == ABUT_STOPPED))
        fail_msg("%s on %s: %s", solvers[s]->name, c->name, ctx.error.message);
      if (status == ABUT_OK) check_residual(&ctx, c, solvers[s], &a, b, x);
      abut_error_clear(&ctx);
      solvers[s]->destroy(&ctx, solver);
      abut_structure_free(&ctx, &structure);
    }
    free(b);
    free(x);
    abut_matrix_free(&ctx, &a);
    abut_context_free(&ctx);
    assert_int_equal(ctx.live, 0);
  }
}

static void solve_with(abut_context *ctx, const abut_linear_class *class, const abut_matrix *a,
                       const vec3 *b, vec3 *x)
{
  abut_structure structure = {0};
  abut_linear *solver = make_solver(ctx, class);
  assert_int_equal(class->factor(ctx, solver, a, &structure), ABUT_OK);
  assert_int_equal(class->solve(ctx, solver, a, b, x), ABUT_OK);
  class->destroy(ctx, solver);
  abut_structure_free(ctx, &structure);
}

static void all_solvers_agree_with_the_dense_one(void **state)
{
  (void)state;
  for (int k = 0; k < SOLVER_CASES; k++) {
    const linear_case *c = &solver_cases[k];
    if (c->hard || c->rows > 600) continue;
    abut_context ctx;
    abut_context_init(&ctx, NULL, 1);
    abut_matrix a = make_case(&ctx, c);
    size_t bytes = (size_t)a.rows * sizeof(vec3);
    vec3 *b = make_right_side(a.rows), *x = malloc(bytes), *reference = malloc(bytes);
    solve_with(&ctx, &abut_linear_dense, &a, b, reference);
    for (int s = 0; s < SOLVERS; s++) {
      double error = 0, size = 0;
      solve_with(&ctx, solvers[s], &a, b, x);
      for (int32_t i = 0; i < a.rows; i++) {
        error = fmax(error, v3_max_abs(v3_sub(x[i], reference[i])));
        size = fmax(size, v3_max_abs(reference[i]));
      }
      /* the condition is below 1e5 in these cases */
      if (!(error <= 1e-7 * size))
        fail_msg("%s on %s: off by %.3g of %.3g", solvers[s]->name, c->name, error, size);
    }
    free(b);
    free(x);
    free(reference);
    abut_matrix_free(&ctx, &a);
    abut_context_free(&ctx);
  }
}

/* a 60 x 60 shell has enough work for many jobs, complete 420 is one front in tiles, with solves in
   pieces */
static const linear_case parallel_cases[] = {
    {"shell 60 x 60", 3600, fill_shell, 0, false},
    {"complete 420", 420, fill_complete, 0, false},
    {"solid 10 x 10 x 10", 1000, fill_solid, 0, false},
    {"contacts 1800", 1800, fill_contacts, 0, false},
    {"islands", 1200, fill_islands, 0, false},
};

static void solutions_have_the_same_bits_for_any_number_of_threads(void **state)
{
  (void)state;
  static const int threads[] = {1, 2, 8};
  for (size_t k = 0; k < sizeof parallel_cases / sizeof *parallel_cases; k++)
    for (int s = 0; s < SOLVERS; s++) {
      vec3 *first = NULL;
      if (solvers[s] == &abut_linear_dense || (k < 3 && !solvers[s]->direct)) continue;
      for (int t = 0; t < 3; t++) {
        abut_context ctx;
        abut_context_init(&ctx, NULL, threads[t]);
        abut_matrix a = make_case(&ctx, &parallel_cases[k]);
        vec3 *x = make_right_side(a.rows);
        solve_with(&ctx, solvers[s], &a, x, x);
        if (t == 0) first = x;
        assert_memory_equal(first, x, (size_t)a.rows * sizeof *x);
        if (t > 0) free(x);
        abut_matrix_free(&ctx, &a);
        abut_context_free(&ctx);
      }
      free(first);
    }
}

static void the_right_side_may_be_the_solution(void **state)
{
  (void)state;
  abut_context ctx;
  abut_context_init(&ctx, NULL, 1);
  abut_matrix a = make_case(&ctx, &solver_cases[SOLVER_CASES / 2]);
  vec3 *b = make_right_side(a.rows), *x = malloc((size_t)a.rows * sizeof *x);
  for (int s = 0; s < SOLVERS; s++) {
    vec3 *both = malloc((size_t)a.rows * sizeof *both);
    memcpy(both, b, (size_t)a.rows * sizeof *both);
    solve_with(&ctx, solvers[s], &a, b, x);
    solve_with(&ctx, solvers[s], &a, both, both);
    assert_memory_equal(both, x, (size_t)a.rows * sizeof *x);
    free(both);
  }
  memset(b, 0, (size_t)a.rows * sizeof *b);
  for (int s = 0; s < SOLVERS; s++) {
    solve_with(&ctx, solvers[s], &a, b, x);
    assert_memory_equal(x, b, (size_t)a.rows * sizeof *x);
  }
  free(b);
  free(x);
  abut_matrix_free(&ctx, &a);
  abut_context_free(&ctx);
}

static void a_warm_solver_allocates_nothing(void **state)
{
  (void)state;
  static const int threads[] = {1, 2};
  for (int s = 0; s < SOLVERS; s++)
    for (int t = 0; t < 2; t++) {
      abut_context ctx;
      abut_context_init(&ctx, NULL, threads[t]);
      abut_matrix a = make_case(&ctx, &(linear_case){"contacts", 450, fill_contacts, 0, false});
      vec3 *x = make_right_side(a.rows);
      abut_structure structure = {0};
      abut_linear *solver = make_solver(&ctx, solvers[s]);
      int64_t before = 0;
      for (int i = 0; i < 4; i++) {
        if (i == 1) before = ctx.allocations;
        assert_int_equal(solvers[s]->factor(&ctx, solver, &a, &structure), ABUT_OK);
        assert_int_equal(solvers[s]->solve(&ctx, solver, &a, x, x), ABUT_OK);
        for (int64_t k = 0; k < a.base.start[a.rows]; k++)
          a.base.value[k] = m3_scale(a.base.value[k], 1.1);
      }
      assert_int_equal(ctx.allocations, before);
      solvers[s]->destroy(&ctx, solver);
      abut_structure_free(&ctx, &structure);
      abut_matrix_free(&ctx, &a);
      free(x);
      abut_context_free(&ctx);
    }
}

static mat3 *diagonal_of(abut_matrix *a, int32_t row)
{
  return &a->base.value[abut_blocks_find(&a->base, row, row)];
}

/* Wrong matrices are refused, by name of the row where that is known, and the solver goes on with
   the next one as if nothing had been. */
static void indefinite_and_infinite_matrices_are_refused(void **state)
{
  (void)state;
  static const linear_case cases[] = {{"shell", 144, fill_shell, 0, false},
                                      {"complete 230", 230, fill_complete, 0, false}};
  for (int k = 0; k < 2; k++)
    for (int s = 0; s < SOLVERS; s++) {
      abut_context ctx;
      abut_context_init(&ctx, NULL, 2);
      abut_matrix a = make_case(&ctx, &cases[k]);
      size_t bytes = (size_t)a.rows * sizeof(vec3);
      vec3 *b = make_right_side(a.rows), *x = malloc(bytes), *again = malloc(bytes);
      abut_structure structure = {0};
      abut_linear *solver = make_solver(&ctx, solvers[s]);
      assert_int_equal(solvers[s]->factor(&ctx, solver, &a, &structure), ABUT_OK);
      assert_int_equal(solvers[s]->solve(&ctx, solver, &a, b, x), ABUT_OK);
      for (int fault = 0; fault < 5; fault++) {
        mat3 *d = diagonal_of(&a, 77), *off = &a.base.value[a.base.start[40] + 1];
        mat3 keep = *d, keep_off = *off;
        if (fault == 0) d->m[4] = -1;
        if (fault == 1) d->m[4] = NAN;
        if (fault == 2) d->m[0] = (double)INFINITY;
        if (fault == 3) off->m[5] = NAN;
        if (fault == 4) off->m[5] = -(double)INFINITY;
        abut_status status = solvers[s]->factor(&ctx, solver, &a, &structure);
        if (status == ABUT_OK) status = solvers[s]->solve(&ctx, solver, &a, b, again);
        assert_int_equal(status, ABUT_STOPPED);
        assert_non_null(ctx.error.message);
        bool names_row = fault < 3 && solvers[s]->direct;
        if (names_row && !strstr(ctx.error.message, "row"))
          fail_msg("%s on %s, fault %d: %s", solvers[s]->name, cases[k].name, fault,
                   ctx.error.message);
        abut_error_clear(&ctx);
        *d = keep;
        *off = keep_off;
        assert_int_equal(solvers[s]->factor(&ctx, solver, &a, &structure), ABUT_OK);
        assert_int_equal(solvers[s]->solve(&ctx, solver, &a, b, again), ABUT_OK);
        assert_memory_equal(x, again, bytes);
      }
      b[3].y = NAN;
      assert_int_equal(solvers[s]->solve(&ctx, solver, &a, b, again), ABUT_STOPPED);
      solvers[s]->destroy(&ctx, solver);
      abut_structure_free(&ctx, &structure);
      abut_matrix_free(&ctx, &a);
      free(b);
      free(x);
      free(again);
      abut_context_free(&ctx);
      assert_int_equal(ctx.live, 0);
    }
}

static void solving_without_a_factor_is_refused(void **state)
{
  (void)state;
  for (int s = 0; s < SOLVERS; s++) {
    abut_context ctx;
    abut_context_init(&ctx, NULL, 1);
    abut_matrix a = make_case(&ctx, &solver_cases[4]);
    vec3 x[3] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}};
    abut_linear *solver = make_solver(&ctx, solvers[s]);
    assert_int_equal(solvers[s]->solve(&ctx, solver, &a, x, x), ABUT_BAD_ARGUMENT);
    solvers[s]->destroy(&ctx, solver);
    abut_matrix_free(&ctx, &a);
    abut_context_free(&ctx);
  }
}

static void conjugate_gradients_give_up_with_a_status(void **state)
{
  (void)state;
  const abut_linear_options few = {1e-12, 3};
  for (int s = 0; s < SOLVERS; s++) {
    if (solvers[s]->direct) continue;
    abut_context ctx;
    abut_context_init(&ctx, NULL, 1);
    abut_matrix a = make_case(&ctx, &(linear_case){"shell", 900, fill_shell, 0, false});
    vec3 *x = make_right_side(a.rows);
    abut_structure structure = {0};
    abut_linear *solver;
    assert_int_equal(solvers[s]->create(&ctx, &few, &solver), ABUT_OK);
    assert_int_equal(solvers[s]->factor(&ctx, solver, &a, &structure), ABUT_OK);
    assert_int_equal(solvers[s]->solve(&ctx, solver, &a, x, x), ABUT_STOPPED);
    assert_non_null(strstr(ctx.error.message, "3 iterations"));
    assert_int_equal(solver->stats.iterations, 3);
    solvers[s]->destroy(&ctx, solver);
    abut_matrix_free(&ctx, &a);
    free(x);
    abut_context_free(&ctx);
  }
}

static void incomplete_cholesky_needs_fewer_iterations_than_jacobi(void **state)
{
  (void)state;
  abut_context ctx;
  abut_context_init(&ctx, NULL, 1);
  abut_matrix a = make_case(&ctx, &(linear_case){"shell", 900, fill_shell, 0, false});
  vec3 *b = make_right_side(a.rows), *x = malloc((size_t)a.rows * sizeof *x);
  int64_t iterations[2];
  for (int k = 0; k < 2; k++) {
    const abut_linear_class *class = k == 0 ? &abut_linear_pcg : &abut_linear_pcg_jacobi;
    abut_linear *solver = make_solver(&ctx, class);
    assert_int_equal(class->factor(&ctx, solver, &a, NULL), ABUT_OK);
    assert_int_equal(class->solve(&ctx, solver, &a, b, x), ABUT_OK);
    iterations[k] = solver->stats.iterations;
    class->destroy(&ctx, solver);
  }
  assert_true(2 * iterations[0] < iterations[1]);
  free(b);
  free(x);
  abut_matrix_free(&ctx, &a);
  abut_context_free(&ctx);
}

static void keep_note(void *arg, int level, const char *text)
{
  assert_int_equal(level, 0);
  snprintf(arg, 200, "%s", text);
}

/* Kershaw's matrix (1978): positive definite, yet IC(0) meets the pivot -5 in its last row. */
static void incomplete_cholesky_survives_a_breakdown_and_says_so(void **state)
{
  (void)state;
  static const double kershaw[4][4] = {
      {3, -2, 0, 2}, {-2, 3, -2, 0}, {0, -2, 3, -2}, {2, 0, -2, 3}};
  char note[200] = "";
  abut_context ctx;
  abut_context_init(&ctx, NULL, 1);
  ctx.log = keep_note;
  ctx.log_ctx = note;
  block_list base = {0}, extra = {0};
  for (int i = 0; i < 4; i++)
    for (int j = i; j < 4; j++)
      if (kershaw[i][j] != 0)
        add_block(&base, i, j, m3_diagonal(kershaw[i][j], kershaw[i][j], kershaw[i][j]));
  abut_matrix a = make_matrix(&ctx, 4, &base, &extra);
  vec3 b[4] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}}, x[4];
  solve_with(&ctx, &abut_linear_pcg, &a, b, x);
  assert_true(measure_residual(&ctx, &a, b, x).residual < 1e-9);
  assert_non_null(strstr(note, "enlarged"));
  abut_matrix_free(&ctx, &a);
  abut_context_free(&ctx);
}

static void the_dense_solver_refuses_what_does_not_fit(void **state)
{
  (void)state;
  abut_context ctx;
  abut_context_init(&ctx, NULL, 1);
  abut_matrix a = make_case(&ctx, &(linear_case){"many", 5000, fill_diagonal, 0, false});
  abut_linear *solver = make_solver(&ctx, &abut_linear_dense);
  assert_int_equal(abut_linear_dense.factor(&ctx, solver, &a, NULL), ABUT_UNSUPPORTED);
  abut_linear_dense.destroy(&ctx, solver);
  abut_matrix_free(&ctx, &a);
  abut_context_free(&ctx);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_solver_solves_every_matrix),
      cmocka_unit_test(all_solvers_agree_with_the_dense_one),
      cmocka_unit_test(solutions_have_the_same_bits_for_any_number_of_threads),
      cmocka_unit_test(the_right_side_may_be_the_solution),
      cmocka_unit_test(a_warm_solver_allocates_nothing),
      cmocka_unit_test(indefinite_and_infinite_matrices_are_refused),
      cmocka_unit_test(solving_without_a_factor_is_refused),
      cmocka_unit_test(conjugate_gradients_give_up_with_a_status),
      cmocka_unit_test(incomplete_cholesky_needs_fewer_iterations_than_jacobi),
      cmocka_unit_test(incomplete_cholesky_survives_a_breakdown_and_says_so),
      cmocka_unit_test(the_dense_solver_refuses_what_does_not_fit),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
