#include "test_mesh.h"

#include "base/timer.h"
#include "mesh/quality.h"
#include "mesh/shapes.h"
#include "mesh/topology.h"

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

static void edges_are_unique_sorted_and_never_join_a_vertex_to_itself(void **state)
{
  abut_context *ctx = *state;
  const int32_t triangle[] = {2, 1, 0, 1, 2, 3, 3, 3, 4};
  int32_t *edge, count;
  assert_int_equal(abut_edges_of(ctx, triangle, 3, &edge, &count), ABUT_OK);
  const int32_t expected[] = {0, 1, 0, 2, 1, 2, 1, 3, 2, 3, 3, 4};
  assert_int_equal(count, 6);
  assert_memory_equal(edge, expected, sizeof expected);
  abut_free(ctx, edge);
  assert_int_equal(abut_edges_of(ctx, NULL, 0, &edge, &count), ABUT_OK);
  assert_int_equal(count, 0);
  abut_free(ctx, edge);
}

/* case C17: T-shaped cloth had undefined bending where three faces meet */
static void three_faces_on_an_edge_make_seven_edges_and_three_hinges(void **state)
{
  abut_context *ctx = *state;
  const int32_t triangle[] = {0, 1, 2, 1, 0, 3, 0, 1, 4};
  int32_t *edge, *hinge, *face, edges, hinges;
  assert_int_equal(abut_edges_of(ctx, triangle, 3, &edge, &edges), ABUT_OK);
  assert_int_equal(edges, 7);
  assert_int_equal(abut_hinges_of(ctx, triangle, 3, &hinge, &face, &hinges), ABUT_OK);
  assert_int_equal(hinges, 3);
  /* c to d as in the face with the lower index, which holds a */
  const int32_t expected[] = {2, 3, 0, 1, 2, 4, 0, 1, 3, 4, 1, 0};
  assert_memory_equal(hinge, expected, sizeof expected);
  const int32_t pair[] = {0, 1, 0, 2, 1, 2};
  assert_memory_equal(face, pair, sizeof pair);
  abut_free(ctx, edge);
  abut_free(ctx, hinge);
  abut_free(ctx, face);
}

/* 70000 faces on one edge would be 2.4 thousand million hinges */
static void more_hinges_than_32_bits_count_are_refused_by_name(void **state)
{
  abut_context *ctx = *state;
  enum { FACES = 70000 };
  int32_t *triangle = ABUT_NEW(ctx, int32_t, 3 * FACES);
  for (int32_t i = 0; i < FACES; i++) {
    triangle[3 * i] = 0;
    triangle[3 * i + 1] = 1;
    triangle[3 * i + 2] = i + 2;
  }
  int32_t *hinge, *face, count;
  assert_int_equal(abut_hinges_of(ctx, triangle, FACES, &hinge, &face, &count), ABUT_UNSUPPORTED);
  assert_non_null(strstr(ctx->error.message, "2449965000"));
  assert_null(hinge);
  abut_error_clear(ctx);
  abut_keyed *side;
  assert_int_equal(abut_sides_of(ctx, triangle, INT32_MAX / 3 + 1, &side, &count),
                   ABUT_UNSUPPORTED);
  abut_error_clear(ctx);
  assert_int_equal(abut_boundary_of(ctx, triangle, INT32_MAX / 4 + 1, &face, &count),
                   ABUT_UNSUPPORTED);
  abut_error_clear(ctx);
  abut_free(ctx, triangle);
}

static void hinges_of_a_closed_surface_are_one_an_edge_and_know_their_faces(void **state)
{
  abut_context *ctx = *state;
  abut_shape shape = {.name = "sphere", .radius = 1, .cells = {4}};
  abut_mesh_data mesh;
  assert_int_equal(abut_shape_sphere.make(ctx, &shape, false, &mesh), ABUT_OK);
  int32_t *hinge, *face, count;
  assert_int_equal(abut_hinges_of(ctx, mesh.triangle, mesh.triangles, &hinge, &face, &count),
                   ABUT_OK);
  assert_int_equal(count, mesh.triangles * 3 / 2);
  for (int32_t h = 0; h < count; h++) {
    const int32_t *v = hinge + 4 * h;
    for (int k = 0; k < 2; k++) {
      const int32_t *t = mesh.triangle + 3 * face[2 * h + k];
      int32_t sum = t[0] + t[1] + t[2];
      assert_int_equal(sum, v[k] + v[2] + v[3]);
    }
    assert_true(face[2 * h] < face[2 * h + 1]);
    /* outward normals: a triangle (a, c, d) in the order of face 0, convex, so b is below it */
    vec3 a = mesh.x[v[0]], b = mesh.x[v[1]], c = mesh.x[v[2]], d = mesh.x[v[3]];
    assert_true(abut_tet_volume(a, c, d, b) < 0);
  }
  abut_free(ctx, hinge);
  abut_free(ctx, face);
  abut_mesh_free(ctx, &mesh);
}

static void the_boundary_of_a_positive_tetrahedron_points_outwards(void **state)
{
  abut_context *ctx = *state;
  const vec3 x[] = {{0, 0, 0}, {0.2, 0, 0}, {0, 0.3, 0}, {0, 0, 0.5}};
  const int32_t tet[] = {0, 1, 2, 3};
  int32_t *triangle, count;
  assert_int_equal(abut_boundary_of(ctx, tet, 1, &triangle, &count), ABUT_OK);
  assert_int_equal(count, 4);
  vec3 centre = v3(0.05, 0.075, 0.125);
  double volume = 0;
  for (int i = 0; i < 4; i++) {
    vec3 a = x[triangle[3 * i]], b = x[triangle[3 * i + 1]], c = x[triangle[3 * i + 2]];
    assert_true(abut_tet_volume(a, b, c, centre) < 0);
    volume -= abut_tet_volume(a, b, c, centre);
  }
  CHECK_NEAR(volume, 0.005, 1e-17);
  abut_free(ctx, triangle);
}

/* case C31: interior nodes entered the contact points and a squeezed solid hit its own core */
static void the_centre_of_a_cube_is_not_on_its_surface(void **state)
{
  abut_context *ctx = *state;
  abut_shape shape = {.name = "box", .size = {1, 1, 1}, .cells = {1, 1, 1}, .tets = 6};
  abut_mesh_data cube;
  assert_int_equal(abut_shape_box.make(ctx, &shape, false, &cube), ABUT_OK);
  /* 12 tetrahedra from the centre to the faces */
  int32_t tet[48];
  for (int i = 0; i < 12; i++) {
    tet[4 * i] = 8;
    for (int k = 0; k < 3; k++) tet[4 * i + 1 + k] = cube.triangle[3 * i + k];
  }
  int32_t *triangle, count, *edge, edges;
  assert_int_equal(abut_boundary_of(ctx, tet, 12, &triangle, &count), ABUT_OK);
  assert_int_equal(count, 12);
  assert_int_equal(abut_edges_of(ctx, triangle, count, &edge, &edges), ABUT_OK);
  assert_int_equal(edges, 18);
  bool used[9] = {false};
  abut_mark_used(triangle, count, 3, used);
  for (int v = 0; v < 8; v++) assert_true(used[v]);
  assert_false(used[8]);
  abut_free(ctx, triangle);
  abut_free(ctx, edge);
  abut_mesh_free(ctx, &cube);
}

/* case C13: the same four points in another order made a body explode */
static void inverted_tetrahedra_are_turned_and_counted(void **state)
{
  (void)state;
  const vec3 x[] = {{0, 0, 0}, {0.2, 0, 0}, {0, 0.3, 0}, {0, 0, 0.5}};
  int32_t tet[] = {0, 1, 2, 3, 0, 2, 1, 3}, first;
  CHECK_NEAR(abut_tet_volume(x[0], x[1], x[2], x[3]), 0.005, 1e-18);
  CHECK_NEAR(abut_tet_volume(x[0], x[2], x[1], x[3]), -0.005, 1e-18);
  assert_int_equal(abut_orient_tets(x, tet, 2, &first), 1);
  assert_int_equal(first, 1);
  assert_memory_equal(tet, tet + 4, 16);
  assert_int_equal(abut_orient_tets(x, tet, 2, &first), 0);
  assert_int_equal(first, -1);
}

static void cells_with_the_same_corners_are_found_in_any_order(void **state)
{
  abut_context *ctx = *state;
  const int32_t tet[] = {5, 1, 2, 3, 1, 2, 3, 4, 3, 2, 1, 5, 4, 3, 2, 1, 2, 1, 3, 5};
  int32_t same[5];
  assert_int_equal(abut_same_cells(ctx, tet, 5, 4, same), ABUT_OK);
  const int32_t expected[] = {0, 1, 0, 1, 0};
  assert_memory_equal(same, expected, sizeof same);
}

/* case C04: two panels of a garment 1e-7 apart, the worst geometry to receive */
static void a_seam_a_hair_apart_is_listed_and_welded(void **state)
{
  abut_context *ctx = *state;
  const double b = 1 + 1e-7;
  const vec3 x[] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},
                    {b, 0, 0}, {2, 0, 0}, {2, 1, 0}, {b, 1, 0}};
  const int32_t triangle[] = {0, 1, 2, 0, 2, 3, 4, 5, 6, 4, 6, 7};
  int32_t *edge, edges, count, target[8];
  assert_int_equal(abut_edges_of(ctx, triangle, 4, &edge, &edges), ABUT_OK);
  abut_near_pair *pair;
  assert_int_equal(abut_near_pairs_of(ctx, x, NULL, 8, edge, edges, 1e-3, 100, &pair, &count),
                   ABUT_OK);
  assert_int_equal(count, 2);
  for (int i = 0; i < 2; i++) CHECK_NEAR(pair[i].distance, 1e-7, 1e-15);
  assert_true(pair[0].a == 1 && pair[0].b == 4 && pair[1].a == 2 && pair[1].b == 7);
  abut_free(ctx, pair);
  abut_free(ctx, edge);

  assert_int_equal(abut_weld(ctx, x, 8, 1e-6, target), ABUT_OK);
  const int32_t expected[] = {0, 1, 2, 3, 1, 5, 6, 2};
  assert_memory_equal(target, expected, sizeof target);
  assert_int_equal(abut_weld(ctx, x, 8, 0.9e-7, target), ABUT_OK);
  for (int32_t v = 0; v < 8; v++) assert_int_equal(target[v], v);
}

static void welding_is_strict_transitive_and_keeps_the_lowest_vertex(void **state)
{
  abut_context *ctx = *state;
  const vec3 x[] = {{0.75, 0, 0}, {0.5, 0, 0}, {0.25, 0, 0}, {0, 0, 0}, {0, 0, 4}};
  int32_t target[5];
  assert_int_equal(abut_weld(ctx, x, 5, 0.25, target), ABUT_OK);
  for (int32_t v = 0; v < 5; v++) assert_int_equal(target[v], v);
  assert_int_equal(abut_weld(ctx, x, 5, 0.25 + 1e-15, target), ABUT_OK);
  const int32_t expected[] = {0, 0, 0, 0, 4};
  assert_memory_equal(target, expected, sizeof target);
  assert_int_equal(abut_weld(ctx, x, 5, 1e300, target), ABUT_OK);
  for (int32_t v = 0; v < 5; v++) assert_int_equal(target[v], 0);
  assert_int_equal(abut_weld(ctx, x, 5, 1e-300, target), ABUT_OK);
  for (int32_t v = 0; v < 5; v++) assert_int_equal(target[v], v);
}

static void coordinates_that_are_not_finite_are_refused_by_vertex(void **state)
{
  abut_context *ctx = *state;
  const vec3 x[] = {{0, 0, 0}, {1, NAN, 0}};
  int32_t target[2];
  assert_int_equal(abut_weld(ctx, x, 2, 1, target), ABUT_BAD_GEOMETRY);
  assert_string_equal(ctx->error.element, "vertex 1");
  abut_error_clear(ctx);
  assert_int_equal(abut_order_space(ctx, x, 2, target), ABUT_BAD_GEOMETRY);
  abut_error_clear(ctx);
}

enum { POINTS = 700 };

/* points in clusters of all sizes, as many exactly coincident as not */
static void scatter(vec3 *x, double scale, uint64_t seed)
{
  for (int i = 0; i < POINTS; i++) {
    vec3 p = v3(next_random(&seed), next_random(&seed), next_random(&seed));
    double reach = pow(10, -8 * next_random(&seed));
    int near = (int)(next_random(&seed) * i);
    if (i > 50) p = v3_madd(v3_scale(x[near], 1 / scale), p, i % 2 ? reach : 0);
    x[i] = v3_scale(p, scale);
  }
}

static int32_t brute_root(int32_t *target, int32_t v)
{
  while (target[v] != v) v = target[v];
  return v;
}

static void brute_weld(const vec3 *x, double distance, int32_t *target)
{
  for (int32_t i = 0; i < POINTS; i++) target[i] = i;
  for (int32_t i = 0; i < POINTS; i++)
    for (int32_t j = i + 1; j < POINTS; j++) {
      if (!(v3_norm(v3_sub(x[i], x[j])) < distance)) continue;
      int32_t a = brute_root(target, i), b = brute_root(target, j);
      target[a > b ? a : b] = a > b ? b : a;
    }
  for (int32_t i = 0; i < POINTS; i++) target[i] = brute_root(target, i);
}

static void welding_agrees_with_all_pairs_at_every_scale(void **state)
{
  abut_context *ctx = *state;
  static vec3 x[POINTS];
  static int32_t target[POINTS], expected[POINTS];
  for (int seed = 0; seed < 5; seed++)
    for (int s = -3; s <= 3; s += 3) {
      double scale = pow(10, s);
      scatter(x, scale, (uint64_t)seed);
      for (double d = 1e-9; d < 2; d *= 5) {
        brute_weld(x, d * scale, expected);
        assert_int_equal(abut_weld(ctx, x, POINTS, d * scale, target), ABUT_OK);
        assert_memory_equal(target, expected, sizeof target);
      }
    }
}

static int compare_pairs(const void *a, const void *b)
{
  const abut_near_pair *p = a, *q = b;
  if (p->distance != q->distance) return p->distance < q->distance ? -1 : 1;
  return p->a != q->a ? p->a - q->a : p->b - q->b;
}

static void near_pairs_agree_with_all_pairs_and_come_nearest_first(void **state)
{
  abut_context *ctx = *state;
  static vec3 x[POINTS];
  static bool used[POINTS];
  scatter(x, 1e-3, 7);
  /* a path joins each vertex to the next: those pairs do not count */
  int32_t edge[2 * POINTS];
  for (int32_t i = 0; i + 1 < POINTS; i++) {
    edge[2 * i] = i;
    edge[2 * i + 1] = i + 1;
    used[i] = i % 5 != 0;
  }
  abut_near_pair *all = ABUT_NEW(ctx, abut_near_pair, POINTS * POINTS / 2);
  for (double d = 1e-12; d < 1e-2; d *= 10) {
    int32_t n = 0, count;
    for (int32_t i = 0; i < POINTS; i++)
      for (int32_t j = i + 2; j < POINTS; j++) {
        double distance = v3_norm(v3_sub(x[i], x[j]));
        if (used[i] && used[j] && distance < d) all[n++] = (abut_near_pair){i, j, distance};
      }
    qsort(all, (size_t)n, sizeof *all, compare_pairs);
    for (int32_t most = 0; most <= 300000; most = 10 * most + 3) {
      abut_near_pair *pair;
      assert_int_equal(
          abut_near_pairs_of(ctx, x, used, POINTS, edge, POINTS - 1, d, most, &pair, &count),
          ABUT_OK);
      assert_int_equal(count, n < most ? n : most);
      for (int32_t i = 0; i < count; i++) {
        assert_int_equal(pair[i].a, all[i].a);
        assert_int_equal(pair[i].b, all[i].b);
        assert_true(pair[i].distance == all[i].distance);
      }
      abut_free(ctx, pair);
    }
  }
  abut_free(ctx, all);
}

/* 20 cubes of side 1.05 in 20 cells of the search grid for distance 2: too crowded, so the search
   starts at distance 1, where there is no pair, and must come back to 2 */
static void a_search_that_started_too_near_goes_on_to_the_distance_asked_for(void **state)
{
  abut_context *ctx = *state;
  vec3 x[161] = {{0, 0, 0}};
  for (int i = 0; i < 160; i++)
    x[i + 1] = v3(11 * (i / 8) + 0.02 + 1.05 * (i & 1), 0.02 + 1.05 * (i >> 1 & 1),
                  0.02 + 1.05 * (i >> 2 & 1));
  abut_near_pair *pair;
  int32_t count;
  assert_int_equal(abut_near_pairs_of(ctx, x, NULL, 161, NULL, 0, 2, 200, &pair, &count), ABUT_OK);
  assert_int_equal(count, 200);
  for (int i = 1; i < 200; i++) CHECK_NEAR(pair[i].distance, 1.05, 1e-12);
  abut_free(ctx, pair);
}

/* a weld or contact distance far above the size of the cells must not make all pairs of a mesh */
static void a_distance_larger_than_the_mesh_costs_no_more_time(void **state)
{
  abut_context *ctx = *state;
  abut_shape shape = {.name = "grid", .size = {1, 1}, .cells = {300, 300}};
  abut_mesh_data mesh;
  assert_int_equal(abut_shape_grid.make(ctx, &shape, false, &mesh), ABUT_OK);
  int32_t *edge, edges, count, *target = ABUT_NEW(ctx, int32_t, mesh.vertices);
  assert_int_equal(abut_edges_of(ctx, mesh.triangle, mesh.triangles, &edge, &edges), ABUT_OK);
  double start = abut_now();
  abut_near_pair *pair;
  assert_int_equal(
      abut_near_pairs_of(ctx, mesh.x, NULL, mesh.vertices, edge, edges, 10, 50, &pair, &count),
      ABUT_OK);
  assert_int_equal(count, 50);
  /* the other diagonals of the cells are the nearest pairs that no edge joins */
  for (int i = 0; i < 50; i++) CHECK_NEAR(pair[i].distance, sqrt(2) / 300, 1e-12);
  assert_int_equal(abut_weld(ctx, mesh.x, mesh.vertices, 10, target), ABUT_OK);
  for (int32_t v = 0; v < mesh.vertices; v++) assert_int_equal(target[v], 0);
  assert_true(abut_now() - start < 10);
  abut_free(ctx, pair);
  abut_free(ctx, edge);
  abut_free(ctx, target);
  abut_mesh_free(ctx, &mesh);
}

static void the_order_in_space_is_a_permutation_that_brings_neighbours_together(void **state)
{
  abut_context *ctx = *state;
  enum { N = 4096 };
  static vec3 x[N];
  static int32_t place[N];
  uint64_t seed = 1;
  for (int i = 0; i < N; i++)
    x[i] = v3(next_random(&seed), next_random(&seed), 3 * next_random(&seed));
  assert_int_equal(abut_order_space(ctx, x, N, place), ABUT_OK);
  static vec3 sorted[N];
  static bool seen[N];
  for (int i = 0; i < N; i++) {
    assert_in_range(place[i], 0, N - 1);
    assert_false(seen[place[i]]);
    seen[place[i]] = true;
    sorted[place[i]] = x[i];
  }
  double before = 0, after = 0;
  for (int i = 0; i + 1 < N; i++) {
    before += v3_norm(v3_sub(x[i], x[i + 1]));
    after += v3_norm(v3_sub(sorted[i], sorted[i + 1]));
  }
  assert_true(after < before / 8);
  for (int i = 0; i < N; i++) x[i] = v3(1, 2, 3);
  assert_int_equal(abut_order_space(ctx, x, N, place), ABUT_OK);
  for (int i = 0; i < N; i++) assert_int_equal(place[i], i);
}

static abut_status everything(abut_context *ctx, void *arg)
{
  const abut_mesh_data *box = arg;
  int32_t *triangle = NULL, *edge = NULL, *hinge = NULL, *face = NULL, *target = NULL;
  int32_t triangles, edges, hinges, pairs;
  abut_near_pair *pair = NULL;
  abut_surface_faults faults = {0};
  abut_status status = abut_boundary_of(ctx, box->tet, box->tets, &triangle, &triangles);
  if (status == ABUT_OK) status = abut_edges_of(ctx, triangle, triangles, &edge, &edges);
  if (status == ABUT_OK) status = abut_hinges_of(ctx, triangle, triangles, &hinge, &face, &hinges);
  if (status == ABUT_OK) status = abut_surface_check(ctx, triangle, triangles, &faults);
  if (status == ABUT_OK)
    status =
        abut_near_pairs_of(ctx, box->x, NULL, box->vertices, edge, edges, 0.6, 9, &pair, &pairs);
  target = status == ABUT_OK ? ABUT_NEW(ctx, int32_t, box->vertices) : NULL;
  if (status == ABUT_OK && !target) status = ABUT_NO_MEMORY;
  if (status == ABUT_OK) status = abut_weld(ctx, box->x, box->vertices, 0.6, target);
  if (status == ABUT_OK) status = abut_order_space(ctx, box->x, box->vertices, target);
  abut_free(ctx, triangle);
  abut_free(ctx, edge);
  abut_free(ctx, hinge);
  abut_free(ctx, face);
  abut_free(ctx, pair);
  abut_free(ctx, target);
  abut_surface_faults_free(ctx, &faults);
  return status;
}

static void running_out_of_memory_anywhere_is_reported_and_leaks_nothing(void **state)
{
  abut_context *ctx = *state;
  abut_shape shape = {.name = "box", .size = {1, 1, 1}, .cells = {2, 2, 2}, .tets = 5};
  abut_mesh_data box;
  assert_int_equal(abut_shape_box.make(ctx, &shape, true, &box), ABUT_OK);
  assert_true(fail_every_allocation(everything, &box) > 25);
  abut_mesh_free(ctx, &box);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(edges_are_unique_sorted_and_never_join_a_vertex_to_itself),
      cmocka_unit_test(three_faces_on_an_edge_make_seven_edges_and_three_hinges),
      cmocka_unit_test(more_hinges_than_32_bits_count_are_refused_by_name),
      cmocka_unit_test(hinges_of_a_closed_surface_are_one_an_edge_and_know_their_faces),
      cmocka_unit_test(the_boundary_of_a_positive_tetrahedron_points_outwards),
      cmocka_unit_test(the_centre_of_a_cube_is_not_on_its_surface),
      cmocka_unit_test(inverted_tetrahedra_are_turned_and_counted),
      cmocka_unit_test(cells_with_the_same_corners_are_found_in_any_order),
      cmocka_unit_test(a_seam_a_hair_apart_is_listed_and_welded),
      cmocka_unit_test(welding_is_strict_transitive_and_keeps_the_lowest_vertex),
      cmocka_unit_test(coordinates_that_are_not_finite_are_refused_by_vertex),
      cmocka_unit_test(welding_agrees_with_all_pairs_at_every_scale),
      cmocka_unit_test(near_pairs_agree_with_all_pairs_and_come_nearest_first),
      cmocka_unit_test(a_search_that_started_too_near_goes_on_to_the_distance_asked_for),
      cmocka_unit_test(a_distance_larger_than_the_mesh_costs_no_more_time),
      cmocka_unit_test(the_order_in_space_is_a_permutation_that_brings_neighbours_together),
      cmocka_unit_test(running_out_of_memory_anywhere_is_reported_and_leaks_nothing),
  };
  return cmocka_run_group_tests(tests, setup, teardown);
}
