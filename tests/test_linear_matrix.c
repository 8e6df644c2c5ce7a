/* Matrices, elimination orders and the structure that remembers them. */
#include "linear/reserve.h"
#include "test_linear_cases.h"

static void products_equal_those_of_the_dense_matrix(void **state)
{
  (void)state;
  abut_context ctx;
  abut_context_init(&ctx, NULL, 1);
  for (int k = 0; k < SOLVER_CASES; k++) {
    abut_matrix a = make_case(&ctx, &solver_cases[k]);
    int32_t n = a.rows;
    vec3 *x = make_right_side(n), *y = malloc((size_t)n * sizeof *y);
    vec3 *sum = calloc((size_t)n, sizeof *sum);
    abut_matrix_apply(&ctx, &a, x, y);
    const abut_blocks *part[] = {&a.base, &a.extra};
    double size = 0, error = 0;
    for (int p = 0; p < 2; p++)
      for (int32_t i = 0; i < n; i++)
        for (int64_t e = part[p]->start[i]; e < part[p]->start[i + 1]; e++) {
          int32_t j = part[p]->column[e];
          vec3 right = m3_apply(part[p]->value[e], x[j]);
          sum[i] = v3_add(sum[i], right);
          size = fmax(size, v3_max_abs(right));
          if (j != i) sum[j] = v3_add(sum[j], m3_apply(m3_transpose(part[p]->value[e]), x[i]));
        }
    for (int32_t i = 0; i < n; i++) error = fmax(error, v3_max_abs(v3_sub(sum[i], y[i])));
    assert_true(error <= 1e-13 * size * n);
    free(x);
    free(y);
    free(sum);
    abut_matrix_free(&ctx, &a);
  }
  abut_context_free(&ctx);
  assert_int_equal(ctx.live, 0);
}

static void products_have_the_same_bits_with_an_index_on_any_number_of_threads(void **state)
{
  (void)state;
  for (int threads = 1; threads <= 8; threads *= 2) {
    abut_context ctx;
    abut_context_init(&ctx, NULL, threads);
    abut_matrix_index index = {0};
    for (int k = 0; k < 2; k++) {
      abut_matrix a = make_case(&ctx, &(linear_case){"", 3200, fill_contacts, 0, false});
      a.base.value[k].m[1] += k;
      vec3 *x = make_right_side(a.rows), *y = malloc(2 * (size_t)a.rows * sizeof *y);
      abut_matrix_apply(&ctx, &a, x, y);
      assert_int_equal(abut_matrix_index_update(&ctx, &a, &index), ABUT_OK);
      abut_matrix_apply_indexed(&ctx, &a, &index, x, y + a.rows);
      assert_memory_equal(y, y + a.rows, (size_t)a.rows * sizeof *y);
      free(x);
      free(y);
      abut_matrix_free(&ctx, &a);
    }
    abut_matrix_index_free(&ctx, &index);
    abut_context_free(&ctx);
  }
}

static void the_diagonal_is_the_sum_of_both_parts(void **state)
{
  (void)state;
  abut_context ctx;
  abut_context_init(&ctx, NULL, 1);
  block_list base = {0}, extra = {0};
  add_inertia(&base, 3, 2);
  add_block(&extra, 1, 1, m3_diagonal(5, 6, 7));
  add_block(&extra, 0, 2, m3_diagonal(1, 1, 1));
  abut_matrix a = make_matrix(&ctx, 3, &base, &extra);
  assert_true(abut_matrix_diagonal(&a, 0).m[0] == 2 && abut_matrix_diagonal(&a, 2).m[8] == 2);
  assert_true(abut_matrix_diagonal(&a, 1).m[0] == 7 && abut_matrix_diagonal(&a, 1).m[8] == 9);
  abut_matrix_free(&ctx, &a);
  abut_context_free(&ctx);
}

static void check_permutation(int32_t n, const int32_t *order)
{
  bool *seen = calloc((size_t)n + 1, sizeof *seen);
  for (int32_t k = 0; k < n; k++) {
    assert_in_range(order[k], 0, n - 1);
    assert_false(seen[order[k]]);
    seen[order[k]] = true;
  }
  free(seen);
}

static void orders_are_permutations_and_always_the_same(void **state)
{
  (void)state;
  abut_context ctx;
  abut_context_init(&ctx, NULL, 1);
  for (int k = 0; k < SOLVER_CASES; k++) {
    abut_matrix a = make_case(&ctx, &solver_cases[k]);
    abut_structure one = {0}, two = {0};
    assert_int_equal(abut_structure_order(&ctx, &a, &one), ABUT_OK);
    srand(12345u + (unsigned)k); /* METIS draws from rand() */
    assert_int_equal(abut_structure_order(&ctx, &a, &two), ABUT_OK);
    check_permutation(a.rows, one.order);
    assert_memory_equal(one.order, two.order, (size_t)a.rows * sizeof *one.order);
    assert_true(one.hash == two.hash);
    abut_structure_free(&ctx, &one);
    abut_structure_free(&ctx, &two);
    abut_matrix_free(&ctx, &a);
  }
  abut_context_free(&ctx);
  assert_int_equal(ctx.live, 0);
}

/* nested dissection of an n x n grid needs about 31 n^3 operations per unknown of a vertex cubed
   (George 1973); a natural order would need n^4 */
static void the_order_of_a_sheet_is_about_as_good_as_nested_dissection(void **state)
{
  (void)state;
  abut_context ctx;
  abut_context_init(&ctx, NULL, 1);
  double flops[2];
  for (int k = 0; k < 2; k++) {
    abut_matrix a = make_case(&ctx, &(linear_case){"", k ? 6400 : 1600, fill_shell, 0, false});
    abut_structure s = {0};
    abut_matrix_index index = {0};
    abut_symbolic symbolic = {0};
    assert_int_equal(abut_structure_order(&ctx, &a, &s), ABUT_OK);
    assert_int_equal(abut_matrix_index_update(&ctx, &a, &index), ABUT_OK);
    assert_int_equal(abut_symbolic_analyze(&ctx, &a, &index.base, &s, &symbolic), ABUT_OK);
    flops[k] = symbolic.flops;
    abut_symbolic_free(&ctx, &symbolic);
    abut_matrix_index_free(&ctx, &index);
    abut_structure_free(&ctx, &s);
    abut_matrix_free(&ctx, &a);
  }
  /* twice the side: 8 times the work and logarithms, not 16 */
  assert_in_range((int)(10 * flops[1] / flops[0]), 70, 120);
  abut_context_free(&ctx);
}

static void a_structure_is_copied_whole_and_into_old_memory(void **state)
{
  (void)state;
  abut_context ctx;
  abut_context_init(&ctx, NULL, 1);
  abut_matrix a = make_case(&ctx, &(linear_case){"", 200, fill_contacts, 0, false});
  abut_structure s = {0}, copy = {0};
  assert_int_equal(abut_structure_copy(&ctx, &s, &copy), ABUT_OK);
  assert_true(copy.flops == 0);
  assert_int_equal(abut_structure_order(&ctx, &a, &s), ABUT_OK);
  s.flops = 77;
  assert_true(s.pairs > 20);
  int64_t before = 0;
  for (int k = 0; k < 3; k++) {
    if (k == 1) before = ctx.allocations;
    assert_int_equal(abut_structure_copy(&ctx, &s, &copy), ABUT_OK);
    assert_int_equal(copy.rows, s.rows);
    assert_int_equal(copy.pairs, s.pairs);
    assert_memory_equal(copy.order, s.order, (size_t)s.rows * sizeof *s.order);
    assert_memory_equal(copy.pair, s.pair, (size_t)s.pairs * sizeof *s.pair);
    assert_true(copy.hash == s.hash && copy.flops == s.flops);
  }
  assert_int_equal(ctx.allocations, before);
  uint64_t hash = copy.hash;
  abut_structure_rehash(&copy);
  assert_true(copy.hash == hash);
  copy.pair[3]++;
  abut_structure_rehash(&copy);
  assert_true(copy.hash != hash);
  abut_structure_free(&ctx, &s);
  abut_structure_free(&ctx, &copy);
  abut_matrix_free(&ctx, &a);
  abut_context_free(&ctx);
  assert_int_equal(ctx.live, 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(products_equal_those_of_the_dense_matrix),
      cmocka_unit_test(products_have_the_same_bits_with_an_index_on_any_number_of_threads),
      cmocka_unit_test(the_diagonal_is_the_sum_of_both_parts),
      cmocka_unit_test(orders_are_permutations_and_always_the_same),
      cmocka_unit_test(the_order_of_a_sheet_is_about_as_good_as_nested_dissection),
      cmocka_unit_test(a_structure_is_copied_whole_and_into_old_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
