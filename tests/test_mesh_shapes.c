#include "test_mesh.h"

#include "mesh/quality.h"
#include "mesh/shapes.h"
#include "mesh/topology.h"

static const double PI = 3.14159265358979323846;

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

static abut_mesh_data made(abut_context *ctx, const abut_shape_class *class, abut_shape shape,
                           bool solid)
{
  abut_mesh_data mesh;
  shape.name = class->name;
  if (class->make(ctx, &shape, solid, &mesh) != ABUT_OK) fail_msg("%s", ctx->error.message);
  return mesh;
}

typedef struct measured {
  double area, volume; /* volume enclosed, from the faces */
  int euler, border;
  double worst; /* quality */
} measured;

/* of a surface mesh, all of whose vertices must be used and well wound */
static measured measure_surface(abut_context *ctx, const abut_mesh_data *m)
{
  measured r = {.worst = 2};
  abut_cell_quality *q = ABUT_NEW(ctx, abut_cell_quality, m->triangles);
  abut_cells_check(ctx, m->x, m->triangle, m->triangles, 3, q);
  for (int32_t i = 0; i < m->triangles; i++) {
    const int32_t *t = m->triangle + 3 * i;
    r.area += q[i].measure;
    r.volume += abut_tet_volume(v3(0, 0, 0), m->x[t[0]], m->x[t[1]], m->x[t[2]]);
    r.worst = fmin(r.worst, q[i].quality);
  }
  abut_free(ctx, q);
  int32_t *edge, edges, *vertex, isolated;
  assert_int_equal(abut_edges_of(ctx, m->triangle, m->triangles, &edge, &edges), ABUT_OK);
  abut_free(ctx, edge);
  r.euler = m->vertices - edges + m->triangles;
  assert_int_equal(abut_isolated_of(ctx, m, &vertex, &isolated), ABUT_OK);
  abut_free(ctx, vertex);
  assert_int_equal(isolated, 0);
  abut_surface_faults f;
  assert_int_equal(abut_surface_check(ctx, m->triangle, m->triangles, &f), ABUT_OK);
  assert_true(f.nonmanifold == 0 && f.miswound == 0 && f.repeated == 0);
  r.border = f.border;
  abut_surface_faults_free(ctx, &f);
  return r;
}

/* volume of a solid whose tetrahedra must all be positive; worst: smallest quality */
static double measure_solid(abut_context *ctx, const abut_mesh_data *m, double *worst)
{
  double volume = 0;
  *worst = 2;
  abut_cell_quality *q = ABUT_NEW(ctx, abut_cell_quality, m->tets);
  abut_cells_check(ctx, m->x, m->tet, m->tets, 4, q);
  for (int32_t i = 0; i < m->tets; i++) {
    assert_int_equal(q[i].verdict, ABUT_CELL_FINE);
    volume += q[i].measure;
    *worst = fmin(*worst, q[i].quality);
  }
  abut_free(ctx, q);
  return volume;
}

/* a triangle with its lowest corner first, the others in their order */
static void turn(int32_t *t)
{
  while (t[0] > t[1] || t[0] > t[2]) {
    int32_t first = t[0];
    t[0] = t[1];
    t[1] = t[2];
    t[2] = first;
  }
}

static int compare_triangles(const void *a, const void *b)
{
  const int32_t *p = a, *q = b;
  for (int k = 0; k < 3; k++)
    if (p[k] != q[k]) return p[k] < q[k] ? -1 : 1;
  return 0;
}

/* the solid's boundary, inner vertices left out, is the surface mesh: places, faces, winding */
static void assert_boundary_is(abut_context *ctx, const abut_mesh_data *solid,
                               const abut_mesh_data *surface)
{
  int32_t *triangle, count, n = 0;
  assert_int_equal(abut_boundary_of(ctx, solid->tet, solid->tets, &triangle, &count), ABUT_OK);
  assert_int_equal(count, surface->triangles);
  bool *used = ABUT_NEW_ZERO(ctx, bool, solid->vertices);
  int32_t *rank = ABUT_NEW(ctx, int32_t, solid->vertices);
  abut_mark_used(triangle, count, 3, used);
  for (int32_t v = 0; v < solid->vertices; v++) {
    if (!used[v]) continue;
    assert_memory_equal(&solid->x[v], &surface->x[n], sizeof(vec3));
    rank[v] = n++;
  }
  assert_int_equal(n, surface->vertices);
  for (int32_t i = 0; i < 3 * count; i++) triangle[i] = rank[triangle[i]];
  for (int32_t i = 0; i < count; i++) {
    turn(triangle + 3 * i);
    turn(surface->triangle + 3 * i);
  }
  qsort(triangle, (size_t)count, 12, compare_triangles);
  qsort(surface->triangle, (size_t)count, 12, compare_triangles);
  assert_memory_equal(triangle, surface->triangle, 12 * (size_t)count);
  abut_free(ctx, triangle);
  abut_free(ctx, used);
  abut_free(ctx, rank);
}

static void grids_have_the_area_normals_and_vertices_that_they_promise(void **state)
{
  abut_context *ctx = *state;
  abut_shape shape = {.size = {2, 0.5}, .cells = {7, 4}};
  for (int e = 0; e < 2; e++) {
    shape.equilateral = e;
    abut_mesh_data m = made(ctx, &abut_shape_grid, shape, false);
    assert_int_equal(m.vertices, 40);
    assert_int_equal(m.triangles, 56);
    measured r = measure_surface(ctx, &m);
    CHECK_NEAR(r.area, 1, 1e-14);
    assert_int_equal(r.euler, 1);
    assert_int_equal(r.border, 22);
    double sum = 0;
    for (int v = 0; v < 40; v++) sum += m.x[v].x + m.x[v].y;
    if (!e) CHECK_NEAR(sum, 0, 1e-14);
    for (int i = 0; i < 56; i++) {
      const int32_t *t = m.triangle + 3 * i;
      vec3 n = v3_cross(v3_sub(m.x[t[1]], m.x[t[0]]), v3_sub(m.x[t[2]], m.x[t[0]]));
      CHECK_NEAR(n.z, 2.0 / 56, 1e-15);
    }
    assert_true(m.x[8].y == -0.125 && m.x[0].y == -0.25);
    abut_mesh_free(ctx, &m);
  }
}

static void diagonals_of_a_grid_alternate(void **state)
{
  abut_context *ctx = *state;
  abut_mesh_data m =
      made(ctx, &abut_shape_grid, (abut_shape){.size = {1, 1}, .cells = {2, 2}}, false);
  const int32_t expected[] = {0, 1, 4, 0, 4, 3, 1, 2, 4, 2, 5, 4,
                              3, 4, 6, 4, 7, 6, 4, 5, 8, 4, 8, 7};
  assert_memory_equal(m.triangle, expected, sizeof expected);
  abut_mesh_free(ctx, &m);
}

static void an_equilateral_strip_has_equilateral_triangles(void **state)
{
  abut_context *ctx = *state;
  abut_shape shape = {.size = {1, 4 * sqrt(3) / 2 / 30}, .cells = {30, 4}, .equilateral = true};
  abut_mesh_data m = made(ctx, &abut_shape_grid, shape, false);
  measured r = measure_surface(ctx, &m);
  CHECK_NEAR(r.worst, 1, 1e-12);
  double low = 0, high = 0;
  for (int32_t v = 0; v < m.vertices; v++) {
    low = fmin(low, m.x[v].x);
    high = fmax(high, m.x[v].x);
  }
  CHECK_NEAR(high - low, 1 + 0.5 / 30, 1e-15);
  CHECK_NEAR(high + low, 0, 1e-15);
  abut_mesh_free(ctx, &m);
}

static void discs_are_regular_polygons_of_good_triangles(void **state)
{
  abut_context *ctx = *state;
  for (int n = 1; n <= 20; n++) {
    abut_mesh_data m =
        made(ctx, &abut_shape_disc, (abut_shape){.radius = 0.3, .cells = {n}}, false);
    assert_int_equal(m.vertices, 1 + 3 * n * (n + 1));
    assert_int_equal(m.triangles, 6 * n * n);
    measured r = measure_surface(ctx, &m);
    assert_int_equal(r.euler, 1);
    assert_int_equal(r.border, 6 * n);
    CHECK_NEAR(r.area, 0.09 * 3 * n * sin(PI / (3 * n)), 1e-14);
    assert_true(r.worst > 0.8);
    for (int i = 0; i < m.triangles; i++) {
      const int32_t *t = m.triangle + 3 * i;
      assert_true(v3_cross(v3_sub(m.x[t[1]], m.x[t[0]]), v3_sub(m.x[t[2]], m.x[t[0]])).z > 0);
    }
    for (int32_t v = m.vertices - 6 * n; v < m.vertices; v++)
      CHECK_NEAR(v3_norm(m.x[v]), 0.3, 1e-16);
    abut_mesh_free(ctx, &m);
  }
}

static void tubes_are_open_cylinders_that_face_outwards(void **state)
{
  abut_context *ctx = *state;
  abut_shape shape = {.radius = 0.05, .height = 0.2, .cells = {12, 5}};
  abut_mesh_data m = made(ctx, &abut_shape_tube, shape, false);
  measured r = measure_surface(ctx, &m);
  assert_int_equal(m.vertices, 72);
  assert_int_equal(r.euler, 0);
  assert_int_equal(r.border, 24);
  CHECK_NEAR(r.area, 24 * 0.05 * sin(PI / 12) * 0.2, 1e-15);
  assert_true(r.volume > 0);
  assert_true(m.x[0].z == -0.1 && m.x[71].z == 0.1);
  abut_mesh_free(ctx, &m);
}

static void boxes_fill_their_volume_and_end_in_their_surface(void **state)
{
  abut_context *ctx = *state;
  const int cells[][3] = {{1, 1, 1}, {2, 1, 1}, {1, 3, 2}, {3, 4, 5}, {2, 2, 2}, {5, 1, 4}};
  for (int c = 0; c < 6; c++)
    for (int tets = 5; tets <= 6; tets++) {
      abut_shape shape = {.size = {1, 2, 0.5}, .tets = tets};
      for (int k = 0; k < 3; k++) shape.cells[k] = cells[c][k];
      abut_mesh_data solid = made(ctx, &abut_shape_box, shape, true);
      abut_mesh_data surface = made(ctx, &abut_shape_box, shape, false);
      int l = cells[c][0], m = cells[c][1], n = cells[c][2];
      assert_int_equal(solid.vertices, (l + 1) * (m + 1) * (n + 1));
      assert_int_equal(solid.tets, tets * l * m * n);
      double worst;
      CHECK_NEAR(measure_solid(ctx, &solid, &worst), 1, 1e-14);
      measured r = measure_surface(ctx, &surface);
      CHECK_NEAR(r.volume, 1, 1e-14);
      CHECK_NEAR(r.area, 7, 1e-13);
      assert_int_equal(r.euler, 2);
      assert_int_equal(r.border, 0);
      assert_boundary_is(ctx, &solid, &surface);
      abut_mesh_free(ctx, &solid);
      abut_mesh_free(ctx, &surface);
    }
}

static void balls_are_good_tetrahedra_and_converge_from_below_like_the_cell_squared(void **state)
{
  abut_context *ctx = *state;
  const double exact = 4 * PI / 3 * 0.001;
  double previous = 0;
  for (int n = 1; n <= 20; n++) {
    abut_shape shape = {.radius = 0.1, .cells = {n}};
    abut_mesh_data ball = made(ctx, &abut_shape_ball, shape, true);
    abut_mesh_data surface = made(ctx, &abut_shape_ball, shape, false);
    abut_mesh_data sphere = made(ctx, &abut_shape_sphere, shape, false);
    assert_int_equal(ball.tets, 20 * n * n * n);
    assert_same_mesh(&surface, &sphere);
    double worst, volume = measure_solid(ctx, &ball, &worst);
    assert_true(worst > 0.62);
    measured r = measure_surface(ctx, &surface);
    assert_int_equal(r.euler, 2);
    assert_int_equal(r.border, 0);
    CHECK_NEAR(r.volume, volume, 1e-15);
    assert_true(r.worst > 0.85);
    for (int32_t v = 0; v < surface.vertices; v++) CHECK_NEAR(v3_norm(surface.x[v]), 0.1, 1e-16);
    assert_true(volume < exact);
    /* error times n^2 settles */
    double scaled = (exact - volume) / exact * n * n;
    assert_true(scaled < 0.56 && scaled > previous);
    previous = scaled;
    if (n <= 8) assert_boundary_is(ctx, &ball, &surface);
    abut_mesh_free(ctx, &ball);
    abut_mesh_free(ctx, &surface);
    abut_mesh_free(ctx, &sphere);
  }
  assert_true(previous > 0.55);
}

static const abut_shape_class *const classes[] = {&abut_shape_grid, &abut_shape_disc,
                                                  &abut_shape_tube, &abut_shape_box,
                                                  &abut_shape_ball, &abut_shape_sphere};

static abut_shape some_shape(double scale)
{
  return (abut_shape){.size = {1 * scale, 0.7 * scale, 0.3 * scale},
                      .radius = 0.2 * scale,
                      .height = 0.9 * scale,
                      .cells = {5, 4, 3},
                      .tets = 5};
}

static void topology_does_not_depend_on_the_scale(void **state)
{
  abut_context *ctx = *state;
  for (int c = 0; c < 6; c++)
    for (int solid = 0; solid <= classes[c]->solid; solid++) {
      abut_mesh_data one = made(ctx, classes[c], some_shape(1), solid);
      for (int s = -3; s <= 3; s += 6) {
        double scale = pow(10, s);
        abut_mesh_data m = made(ctx, classes[c], some_shape(scale), solid);
        assert_int_equal(m.vertices, one.vertices);
        for (int32_t v = 0; v < m.vertices; v++)
          CHECK_NEAR(v3_norm(v3_sub(v3_scale(m.x[v], 1 / scale), one.x[v])), 0, 1e-15);
        assert_memory_equal(m.triangle, one.triangle, 12 * (size_t)m.triangles);
        assert_memory_equal(m.tet, one.tet, 16 * (size_t)m.tets);
        abut_mesh_free(ctx, &m);
      }
      abut_mesh_free(ctx, &one);
    }
}

static void assert_refused(abut_context *ctx, const abut_shape_class *class, abut_shape shape,
                           bool solid, abut_status code, const char *words)
{
  abut_mesh_data mesh;
  assert_int_equal(class->make(ctx, &shape, solid, &mesh), code);
  if (!strstr(ctx->error.message, words))
    fail_msg("\"%s\" lacks \"%s\"", ctx->error.message, words);
  assert_null(mesh.x);
  abut_error_clear(ctx);
}

static void nonsense_is_refused_by_the_name_of_the_key(void **state)
{
  abut_context *ctx = *state;
  const double bad[] = {0, -1, NAN, INFINITY};
  for (int c = 0; c < 6; c++) {
    for (int i = 0; i < classes[c]->cells; i++) {
      abut_shape shape = some_shape(1);
      shape.cells[i] = 0;
      assert_refused(ctx, classes[c], shape, false, ABUT_BAD_ARGUMENT, "cells must be at least 1");
      shape.cells[i] = INT32_MAX;
      assert_refused(ctx, classes[c], shape, false, ABUT_UNSUPPORTED, "cells are too many");
      shape.cells[0] = shape.cells[1] = shape.cells[2] = INT32_MAX;
      if (classes[c]->solid)
        assert_refused(ctx, classes[c], shape, true, ABUT_UNSUPPORTED, "cells are too many");
    }
    for (int b = 0; b < 4; b++) {
      abut_shape shape = some_shape(1);
      for (int i = 0; i < classes[c]->sizes; i++) {
        shape.size[i] = bad[b];
        assert_refused(ctx, classes[c], shape, false, ABUT_BAD_ARGUMENT, "size must be");
      }
      shape = some_shape(1);
      shape.radius = bad[b];
      if (classes[c]->radius)
        assert_refused(ctx, classes[c], shape, false, ABUT_BAD_ARGUMENT, "radius must be");
      shape = some_shape(1);
      shape.height = bad[b];
      if (classes[c]->height)
        assert_refused(ctx, classes[c], shape, false, ABUT_BAD_ARGUMENT, "height must be");
    }
    if (!classes[c]->solid)
      assert_refused(ctx, classes[c], some_shape(1), true, ABUT_BAD_ARGUMENT, "no tetrahedra");
  }
  abut_shape shape = some_shape(1);
  shape.tets = 7;
  assert_refused(ctx, &abut_shape_box, shape, true, ABUT_BAD_ARGUMENT, "tets must be 5 or 6");
  shape.cells[0] = 2;
  assert_refused(ctx, &abut_shape_tube, shape, false, ABUT_BAD_ARGUMENT, "at least 3");
}

typedef struct story_arg {
  const abut_shape_class *class;
  bool solid;
} story_arg;

static abut_status make_one(abut_context *ctx, void *arg)
{
  const story_arg *a = arg;
  abut_shape shape = some_shape(1);
  abut_mesh_data mesh;
  abut_status status = a->class->make(ctx, &shape, a->solid, &mesh);
  abut_mesh_free(ctx, &mesh);
  return status;
}

static void running_out_of_memory_anywhere_is_reported_and_leaks_nothing(void **state)
{
  (void)state;
  for (int c = 0; c < 6; c++)
    for (int solid = 0; solid <= classes[c]->solid; solid++) {
      story_arg arg = {classes[c], solid};
      assert_true(fail_every_allocation(make_one, &arg) >= 3);
    }
}

/* the numbers that bag.md gives */
static void the_bag_is_the_one_of_its_page(void **state)
{
  abut_context *ctx = *state;
  abut_mesh_data flat = made(ctx, &abut_shape_bag, (abut_shape){.folded = false}, false);
  abut_mesh_data folded = made(ctx, &abut_shape_bag, (abut_shape){.folded = true}, false);
  assert_int_equal(flat.vertices, 481);
  assert_int_equal(flat.triangles, 928);
  measured a = measure_surface(ctx, &flat), b = measure_surface(ctx, &folded);
  assert_int_equal(a.euler, 1);
  assert_int_equal(a.border, 32);
  CHECK_NEAR(b.area / a.area, 1, 1e-14);
  for (int j = 0; j < 32; j++) {
    double column = 0;
    for (int k = 11; k < 15; k++)
      column += v3_norm(v3_sub(flat.x[1 + 32 * k + j], flat.x[1 + 32 * (k - 1) + j]));
    CHECK_NEAR(column, 0.029997, 5e-7);
    CHECK_NEAR(flat.x[321 + j].z, 0.114, 1e-15);
    CHECK_NEAR(flat.x[449 + j].z + folded.x[449 + j].z, 0.228, 1e-15);
    CHECK_NEAR(hypot(flat.x[449 + j].x, flat.x[449 + j].y), 0.07, 1e-15);
  }
  for (int32_t e = 0; e < flat.triangles; e++)
    for (int k = 0; k < 3; k++) {
      int32_t v = flat.triangle[3 * e + k], w = flat.triangle[3 * e + (k + 1) % 3];
      CHECK_NEAR(v3_norm(v3_sub(folded.x[v], folded.x[w])), v3_norm(v3_sub(flat.x[v], flat.x[w])),
                 1e-16);
    }
  abut_mesh_free(ctx, &flat);
  abut_mesh_free(ctx, &folded);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(grids_have_the_area_normals_and_vertices_that_they_promise),
      cmocka_unit_test(diagonals_of_a_grid_alternate),
      cmocka_unit_test(an_equilateral_strip_has_equilateral_triangles),
      cmocka_unit_test(discs_are_regular_polygons_of_good_triangles),
      cmocka_unit_test(tubes_are_open_cylinders_that_face_outwards),
      cmocka_unit_test(boxes_fill_their_volume_and_end_in_their_surface),
      cmocka_unit_test(balls_are_good_tetrahedra_and_converge_from_below_like_the_cell_squared),
      cmocka_unit_test(topology_does_not_depend_on_the_scale),
      cmocka_unit_test(nonsense_is_refused_by_the_name_of_the_key),
      cmocka_unit_test(running_out_of_memory_anywhere_is_reported_and_leaks_nothing),
      cmocka_unit_test(the_bag_is_the_one_of_its_page),
  };
  return cmocka_run_group_tests(tests, setup, teardown);
}
