#include "test_mesh.h"

#include "mesh/quality.h"
#include "mesh/shapes.h"

static int setup(void **state)
{
  static abut_context ctx;
  abut_context_init(&ctx, NULL, 2);
  *state = &ctx;
  return 0;
}

static int teardown(void **state)
{
  abut_context *ctx = *state;
  abut_context_free(ctx);
  assert_int_equal(ctx->live, 0);
  return 0;
}

static abut_cell_quality tet_of_height(const abut_context *ctx, double z, double scale)
{
  vec3 x[] = {{0, 0, 0}, {scale, 0, 0}, {0, scale, 0}, {0.3 * scale, 0.3 * scale, z * scale}};
  const int32_t tet[] = {0, 1, 2, 3};
  abut_cell_quality q;
  abut_cells_check(ctx, x, tet, 1, 4, &q);
  return q;
}

/* case C14: tetrahedra from scans, flat or nearly so, made infinite stiffness */
static void flat_tetrahedra_are_degenerate_and_slivers_are_not(void **state)
{
  const double scale[] = {1e-3, 1, 1e3};
  for (int i = 0; i < 3; i++) {
    double cube = scale[i] * scale[i] * scale[i];
    abut_cell_quality q = tet_of_height(*state, 0, scale[i]);
    assert_int_equal(q.verdict, ABUT_CELL_DEGENERATE);
    assert_true(q.measure == 0);
    q = tet_of_height(*state, 1e-12, scale[i]);
    assert_int_equal(q.verdict, ABUT_CELL_DEGENERATE);
    CHECK_NEAR(q.measure / cube, 1.6667e-13, 1e-17);
    q = tet_of_height(*state, 1e-4, scale[i]);
    assert_int_equal(q.verdict, ABUT_CELL_SLIVER);
    CHECK_NEAR(q.quality, 6 * sqrt(2) * 1e-4 / 6 / pow(0.89, 1.5), 1e-8);
    q = tet_of_height(*state, -1e-4, scale[i]);
    assert_int_equal(q.verdict, ABUT_CELL_INVERTED);
    q = tet_of_height(*state, -1e-12, scale[i]);
    assert_int_equal(q.verdict, ABUT_CELL_DEGENERATE);
    q = tet_of_height(*state, 0.5, scale[i]);
    assert_int_equal(q.verdict, ABUT_CELL_FINE);
  }
}

static void quality_is_one_for_the_regular_cell_and_small_for_thin_ones(void **state)
{
  const vec3 x[] = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1},
                    {0, 0, 0}, {170, 0, 0}, {0, 1, 0},   {1, 0, 0}};
  const int32_t tet[] = {0, 1, 3, 2, 0, 1, 2, 3}, triangle[] = {0, 1, 2, 4, 5, 6, 4, 7, 6, 4, 4, 6};
  const int32_t line[] = {4, 5, 4, 4};
  abut_cell_quality q[4];
  abut_cells_check(*state, x, tet, 2, 4, q);
  CHECK_NEAR(q[0].quality, 1, 1e-15);
  CHECK_NEAR(q[0].measure, 8.0 / 3, 1e-15);
  assert_int_equal(q[0].verdict, ABUT_CELL_FINE);
  CHECK_NEAR(q[1].measure, -8.0 / 3, 1e-15);
  assert_int_equal(q[1].verdict, ABUT_CELL_INVERTED);
  abut_cells_check(*state, x, triangle, 4, 3, q);
  CHECK_NEAR(q[0].quality, 1, 1e-15);
  CHECK_NEAR(q[0].measure, 2 * sqrt(3), 1e-15);
  CHECK_NEAR(q[1].quality, 0.0102, 1e-4);
  CHECK_NEAR(q[2].quality, sqrt(3) / 2, 1e-15);
  assert_int_equal(q[3].verdict, ABUT_CELL_DEGENERATE);
  abut_cells_check(*state, x, line, 2, 2, q);
  assert_true(q[0].measure == 170 && q[0].verdict == ABUT_CELL_FINE);
  assert_int_equal(q[1].verdict, ABUT_CELL_DEGENERATE);
}

static void a_repeated_corner_is_degenerate_even_if_the_numbers_look_fine(void **state)
{
  const vec3 x[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  const int32_t tet[] = {0, 1, 2, 0};
  abut_cell_quality q;
  abut_cells_check(*state, x, tet, 1, 4, &q);
  assert_int_equal(q.verdict, ABUT_CELL_DEGENERATE);
}

/* case C19: received meshes with one face flipped */
static void a_flipped_face_of_a_cube_is_found_by_its_edges(void **state)
{
  abut_context *ctx = *state;
  abut_shape shape = {.name = "box", .size = {1, 1, 1}, .cells = {1, 1, 1}, .tets = 6};
  abut_mesh_data cube;
  assert_int_equal(abut_shape_box.make(ctx, &shape, false, &cube), ABUT_OK);
  abut_surface_faults f;
  assert_int_equal(abut_surface_check(ctx, cube.triangle, 12, &f), ABUT_OK);
  assert_true(f.border == 0 && f.nonmanifold == 0 && f.miswound == 0 && f.repeated == 0);
  abut_surface_faults_free(ctx, &f);

  int32_t *t = cube.triangle + 15, swap = t[0];
  t[0] = t[1];
  t[1] = swap;
  assert_int_equal(abut_surface_check(ctx, cube.triangle, 12, &f), ABUT_OK);
  assert_int_equal(f.miswound, 3);
  for (int i = 0; i < 3; i++)
    assert_true(f.miswound_face[2 * i] == 5 || f.miswound_face[2 * i + 1] == 5);
  assert_true(f.miswound_edge[0] < f.miswound_edge[1]);
  abut_surface_faults_free(ctx, &f);
  abut_mesh_free(ctx, &cube);
}

static void borders_crowded_edges_and_repeated_faces_are_listed(void **state)
{
  abut_context *ctx = *state;
  const int32_t triangle[] = {0, 1, 2, 1, 0, 3, 0, 1, 4, 2, 1, 0};
  abut_surface_faults f;
  assert_int_equal(abut_surface_check(ctx, triangle, 4, &f), ABUT_OK);
  assert_int_equal(f.border, 4);
  assert_int_equal(f.nonmanifold, 1);
  assert_true(f.nonmanifold_edge[0] == 0 && f.nonmanifold_edge[1] == 1);
  assert_int_equal(f.nonmanifold_faces[0], 4);
  assert_int_equal(f.repeated, 1);
  assert_true(f.repeated_face[0] == 3 && f.repeated_face[1] == 0);
  assert_int_equal(f.miswound, 0);
  abut_surface_faults_free(ctx, &f);
}

/* case C01: a stray point without mass became NaN in the first step */
static void a_vertex_that_belongs_to_no_cell_is_isolated(void **state)
{
  abut_context *ctx = *state;
  vec3 x[] = {{0, 0, 0}, {0.3, 0, 0}, {0, 0.4, 0}, {5, -1, 2}};
  int32_t triangle[] = {0, 1, 2}, line[] = {2, 3}, *vertex, count;
  abut_mesh_data mesh = {.vertices = 4, .x = x, .triangles = 1, .triangle = triangle};
  assert_int_equal(abut_isolated_of(ctx, &mesh, &vertex, &count), ABUT_OK);
  assert_int_equal(count, 1);
  assert_int_equal(vertex[0], 3);
  abut_free(ctx, vertex);
  abut_cell_quality q;
  abut_cells_check(ctx, x, triangle, 1, 3, &q);
  CHECK_NEAR(0.15 * q.measure / 3, 0.003, 1e-17); /* kg, a third of the areal density times area */

  /* case C02: a vertex in the middle of a sewing line is used, by the line alone */
  mesh.lines = 1;
  mesh.line = line;
  assert_int_equal(abut_isolated_of(ctx, &mesh, &vertex, &count), ABUT_OK);
  assert_int_equal(count, 0);
  abut_free(ctx, vertex);
}

static void verdicts_are_the_same_for_any_number_of_threads(void **state)
{
  abut_context *ctx = *state;
  abut_shape shape = {.name = "ball", .radius = 1e-3, .cells = {9}};
  abut_mesh_data ball;
  assert_int_equal(abut_shape_ball.make(ctx, &shape, true, &ball), ABUT_OK);
  abut_cell_quality *one = ABUT_NEW_ZERO(ctx, abut_cell_quality, ball.tets);
  abut_cell_quality *more = ABUT_NEW_ZERO(ctx, abut_cell_quality, ball.tets);
  ctx->threads = 1;
  abut_cells_check(ctx, ball.x, ball.tet, ball.tets, 4, one);
  ctx->threads = 8;
  abut_cells_check(ctx, ball.x, ball.tet, ball.tets, 4, more);
  ctx->threads = 2;
  for (int32_t i = 0; i < ball.tets; i++)
    assert_true(one[i].measure == more[i].measure && one[i].quality == more[i].quality &&
                one[i].verdict == more[i].verdict);
  abut_free(ctx, one);
  abut_free(ctx, more);
  abut_mesh_free(ctx, &ball);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(flat_tetrahedra_are_degenerate_and_slivers_are_not),
      cmocka_unit_test(quality_is_one_for_the_regular_cell_and_small_for_thin_ones),
      cmocka_unit_test(a_repeated_corner_is_degenerate_even_if_the_numbers_look_fine),
      cmocka_unit_test(a_flipped_face_of_a_cube_is_found_by_its_edges),
      cmocka_unit_test(borders_crowded_edges_and_repeated_faces_are_listed),
      cmocka_unit_test(a_vertex_that_belongs_to_no_cell_is_isolated),
      cmocka_unit_test(verdicts_are_the_same_for_any_number_of_threads),
  };
  return cmocka_run_group_tests(tests, setup, teardown);
}
