/* The exact test of whole scenes: the reference cases, who is exempt, and the search against all
   pairs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "contact/exact.h"

static uint64_t seed = 1;

static uint64_t bits(void)
{
  seed += UINT64_C(0x9e3779b97f4a7c15);
  uint64_t z = seed;
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return z ^ (z >> 31);
}

static int64_t below(int64_t n)
{
  return (int64_t)(bits() % (uint64_t)n);
}

static double uniform(double lo, double hi)
{
  return lo + (hi - lo) * (double)(bits() >> 11) * 0x1p-53;
}

static vec3 anywhere(double size)
{
  return v3(uniform(-size, size), uniform(-size, size), uniform(-size, size));
}

enum { TRIANGLES = 160, SPHERES = 60, PLANES = 3, VERTICES = 3 * TRIANGLES + SPHERES, OBJECTS = 4 };
typedef struct world {
  vec3 x[VERTICES], origin[PLANES], normal[PLANES];
  int32_t identity[VERTICES], edge[6 * TRIANGLES], edge_object[3 * TRIANGLES], face[3 * TRIANGLES],
      face_object[TRIANGLES], sphere[SPHERES], sphere_object[SPHERES], plane_object[PLANES],
      point[VERTICES], point_object[VERTICES];
  double radius[SPHERES];
  bool prescribed[VERTICES], enabled[OBJECTS * OBJECTS];
  abut_exact_scene s;
} world;

static world *world_new(void)
{
  world *w = calloc(1, sizeof *w);
  assert_non_null(w);
  w->s = (abut_exact_scene){.x = w->x,
                            .identity = w->identity,
                            .prescribed = w->prescribed,
                            .edge = w->edge,
                            .edge_object = w->edge_object,
                            .face = w->face,
                            .face_object = w->face_object,
                            .sphere = w->sphere,
                            .sphere_object = w->sphere_object,
                            .radius = w->radius,
                            .plane_origin = w->origin,
                            .plane_normal = w->normal,
                            .plane_object = w->plane_object,
                            .point = w->point,
                            .point_object = w->point_object,
                            .objects = OBJECTS,
                            .enabled = w->enabled};
  for (int k = 0; k < OBJECTS * OBJECTS; k++) w->enabled[k] = true;
  return w;
}

static int32_t add_vertex(world *w, vec3 x, int32_t object)
{
  int32_t v = w->s.vertices++;
  w->x[v] = x;
  w->identity[v] = v;
  w->point[w->s.points] = v;
  w->point_object[w->s.points++] = object;
  return v;
}

static void add_triangle(world *w, vec3 a, vec3 b, vec3 c, int32_t object)
{
  int32_t v[3] = {add_vertex(w, a, object), add_vertex(w, b, object), add_vertex(w, c, object)};
  memcpy(w->face + 3 * (ptrdiff_t)w->s.faces, v, sizeof v);
  w->face_object[w->s.faces++] = object;
  for (int k = 0; k < 3; k++) {
    w->edge[2 * w->s.edges] = v[k];
    w->edge[2 * w->s.edges + 1] = v[(k + 1) % 3];
    w->edge_object[w->s.edges++] = object;
  }
}

static void add_sphere(world *w, vec3 x, double radius, int32_t object)
{
  w->sphere[w->s.spheres] = add_vertex(w, x, object);
  w->s.points--;
  w->radius[w->s.spheres] = radius;
  w->sphere_object[w->s.spheres++] = object;
}

static void add_plane(world *w, vec3 origin, vec3 normal, int32_t object)
{
  w->origin[w->s.planes] = origin;
  w->normal[w->s.planes] = normal;
  w->plane_object[w->s.planes++] = object;
}

static abut_crossing *crossings(const world *w, int threads, int64_t *count)
{
  abut_context ctx;
  abut_context_init(&ctx, NULL, threads);
  abut_crossing *c = NULL;
  assert_int_equal(abut_exact_crossings(&ctx, &w->s, &c, count), ABUT_OK);
  assert_int_equal(ctx.live, 1); /* nothing but the list */
  abut_crossing *copy = malloc(((size_t)*count + 1) * sizeof *copy);
  assert_non_null(copy);
  memcpy(copy, c, (size_t)*count * sizeof *copy);
  abut_free(&ctx, c);
  abut_context_free(&ctx);
  return copy;
}

static int64_t number_of_crossings(const world *w)
{
  int64_t count;
  free(crossings(w, 1, &count));
  return count;
}

/* C29 */
static void a_crossing_is_reported_with_its_edge_face_point_and_weights(void **state)
{
  (void)state;
  world *w = world_new();
  add_triangle(w, v3(0, 0, 0), v3(1, 0, 0), v3(0, 1, 0), 0);
  add_triangle(w, v3(0.2, 0.3, -0.5), v3(0.2, 0.3, 0.5), v3(5, 5, 0.5), 1);
  int64_t count;
  abut_crossing *c = crossings(w, 1, &count);
  assert_true(count == 2); /* the edge (0,1) of B in face A, and an edge of A in face B */
  assert_true(c[0].kind == ABUT_EDGE_FACE && c[0].meeting == ABUT_CROSSING);
  assert_true(c[0].a == 1 && c[0].b == 1 && c[1].a == 3 && c[1].b == 0);
  assert_true(c[1].position.x == 0.2 && c[1].position.y == 0.3 && c[1].position.z == 0);
  assert_true(c[1].parameter == 0.5 && c[1].distance == 0);
  assert_true(fabs(c[1].bary[0] - 0.5) < 1e-15 && c[1].bary[1] == 0.2 && c[1].bary[2] == 0.3);
  free(c);
  w->enabled[1] = w->enabled[OBJECTS] = false;
  assert_int_equal(number_of_crossings(w), 0);
  free(w);
}

/* C05 */
static void corners_of_two_bodies_at_one_place_touch_there(void **state)
{
  (void)state;
  world *w = world_new();
  add_triangle(w, v3(0, 0, 0), v3(1, 0, 0), v3(0, 1, 0), 0);
  add_triangle(w, v3(0, 0, 0), v3(-1, 0, 0.5), v3(0, -1, 0.5), 1);
  int64_t count;
  abut_crossing *c = crossings(w, 1, &count);
  assert_int_equal(count, 4); /* two edges at each of the corners */
  for (int k = 0; k < 4; k++) {
    assert_int_equal(c[k].meeting, ABUT_TOUCHING);
    assert_true(v3_max_abs(c[k].position) == 0 && c[k].bary[0] == 1);
  }
  free(c);
  w->identity[3] = w->identity[0]; /* welded: one body */
  assert_int_equal(number_of_crossings(w), 0);
  free(w);
}

/* C27 */
static void coplanar_triangles_touch_where_they_overlap_and_only_there(void **state)
{
  (void)state;
  const vec3 shift[5] = {{0, 0, 0}, {3, 3, 0}, {10, 0, 0}, {0, 0, 1e-9}, {0, 0, 5e-324}};
  for (int n = 0; n < 5; n++) {
    world *w = world_new();
    add_triangle(w, v3(0, 0, 0), v3(4, 0, 0), v3(0, 4, 0), 0);
    add_triangle(w, v3_add(v3(1, 1, 0), shift[n]), v3_add(v3(5, 1, 0), shift[n]),
                 v3_add(v3(1, 5, 0), shift[n]), 1);
    int64_t count;
    abut_crossing *c = crossings(w, 1, &count);
    assert_true(n == 0 ? count > 0 : count == 0);
    for (int64_t k = 0; k < count; k++) assert_int_equal(c[k].meeting, ABUT_TOUCHING);
    free(c);
    free(w);
  }
}

/* C31 */
static void the_surface_of_a_cube_does_not_meet_itself(void **state)
{
  (void)state;
  world *w = world_new();
  for (int k = 0; k < 9; k++)
    add_vertex(w, k == 8 ? v3(0.5, 0.5, 0.5) : v3(k & 1, k >> 1 & 1, k >> 2), 0);
  const int32_t quad[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                              {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
  for (int k = 0; k < 6; k++)
    for (int t = 0; t < 2; t++) {
      const int32_t *q = quad[k], v[3] = {q[0], q[1 + t], q[2 + t]};
      memcpy(w->face + 3 * (ptrdiff_t)w->s.faces++, v, sizeof v);
      for (int l = 0; l < 3; l++, w->s.edges++) {
        w->edge[2 * w->s.edges] = v[l];
        w->edge[2 * w->s.edges + 1] = v[(l + 1) % 3];
      }
    }
  w->s.points = 8;
  assert_int_equal(number_of_crossings(w), 0);
  w->x[7] = v3(-0.1, 0.3, 0.4); /* pushed through the opposite side */
  assert_true(number_of_crossings(w) > 0);
  free(w);
}

static void pairs_that_are_welded_prescribed_or_switched_off_never_meet(void **state)
{
  (void)state;
  world *w = world_new();
  add_triangle(w, v3(0, 0, 0), v3(1, 0, 0), v3(0, 1, 0), 0);
  add_triangle(w, v3(0.2, 0.3, -1), v3(0.2, 0.3, 1), v3(9, 9, 9), 0);
  add_sphere(w, v3(0.5, 0.5, 0.1), 0.2, 1);
  add_sphere(w, v3(0.5, 0.5, 0.2), 0.2, 2);
  add_plane(w, v3(0, 0, -0.5), v3(0, 0, 7), 3);
  int64_t count;
  abut_crossing *c = crossings(w, 1, &count);
  /* edges in faces (2), both spheres in face 0, the first also in face 1, each other, the corner
     behind the plane */
  int64_t kinds[5] = {0};
  for (int64_t k = 0; k < count; k++) kinds[c[k].kind]++;
  assert_true(kinds[ABUT_EDGE_FACE] == 2 && kinds[ABUT_SPHERE_FACE] >= 1);
  assert_true(kinds[ABUT_SPHERE_SPHERE] == 1 && kinds[ABUT_POINT_PLANE] == 1);
  int64_t on_faces = kinds[ABUT_SPHERE_FACE];
  free(c);

  w->enabled[1 * OBJECTS] = w->enabled[1] = w->enabled[2 * OBJECTS] = w->enabled[2] = false;
  assert_int_equal(number_of_crossings(w), count - on_faces); /* spheres and faces switched off */
  w->enabled[0] = false;
  assert_int_equal(number_of_crossings(w), 2); /* without self contact */
  for (int v = 0; v < 8; v++) w->prescribed[v] = v != 6;
  w->enabled[0] = true;
  assert_int_equal(number_of_crossings(w), 1); /* one sphere still moves */
  w->prescribed[6] = true;
  assert_int_equal(number_of_crossings(w), 0);
  w->prescribed[5] = false; /* moves the face, not the edge that crosses */
  assert_int_equal(number_of_crossings(w), 1);
  free(w);
}

static void spheres_and_planes_report_signed_gaps(void **state)
{
  (void)state;
  world *w = world_new();
  add_triangle(w, v3(-1, -1, -4), v3(1, -1, -4), v3(-1, 1, -4), 0);
  add_sphere(w, v3(-0.5, -0.5, -3.75), 0.5, 1);
  add_sphere(w, v3(-0.5, -0.5, -3), 0.5, 1);
  add_sphere(w, v3(-0.5, -0.5, -2), 0.5, 1); /* touches the one before: not nearer than it may be */
  add_plane(w, v3(0, 0, -3), v3(0, 0, 5), 2);
  w->prescribed[0] = true; /* and so exempt against the plane */
  int64_t count;
  abut_crossing *c = crossings(w, 1, &count);
  const struct {
    abut_crossing_kind kind;
    int a, b;
    double distance;
  } expected[6] = {{ABUT_SPHERE_FACE, 0, 0, -0.25},  {ABUT_SPHERE_SPHERE, 0, 1, -0.25},
                   {ABUT_POINT_PLANE, 1, 0, -1},     {ABUT_POINT_PLANE, 2, 0, -1},
                   {ABUT_SPHERE_PLANE, 0, 0, -1.25}, {ABUT_SPHERE_PLANE, 1, 0, -0.5}};
  assert_int_equal(count, 6);
  for (int k = 0; k < 6; k++) {
    assert_true(c[k].kind == expected[k].kind && c[k].meeting == ABUT_CROSSING);
    assert_true(c[k].a == expected[k].a && c[k].b == expected[k].b);
    assert_true(c[k].distance == expected[k].distance);
  }
  assert_true(c[0].bary[0] == 0.5 && c[0].bary[1] == 0.25 && c[0].bary[2] == 0.25);
  assert_true(c[0].position.z == -3.75 && c[4].position.z == -3.75 && c[2].position.x == 1);
  free(c);
  free(w);
}

/* sizes: 0 small, 1 everything overlaps, 2 huge and tiny mixed, 3 few distinct coordinates,
   4 all alike */
static void fill_soup(world *w, int sizes)
{
  for (int t = 0; t < TRIANGLES; t++) {
    double size = sizes == 1 ? 1 : sizes == 2 ? pow(10, uniform(-6, 1)) : 0.2;
    vec3 at = anywhere(sizes == 1 ? 0.01 : 1), c[3];
    for (int k = 0; k < 3; k++) {
      c[k] = v3_add(at, anywhere(size));
      if (sizes >= 3) c[k] = v3((double)below(4), (double)below(4), (double)below(4));
      if (sizes == 4) c[k] = v3(k == 1, k == 2, 0);
    }
    add_triangle(w, c[0], c[1], c[2], (int32_t)below(3));
  }
  for (int k = 0; k < SPHERES; k++)
    add_sphere(w, sizes >= 3 ? v3((double)below(4), 1, 1) : anywhere(1),
               sizes == 3 ? (double)below(3)
               : k == 9   ? 1e308
                          : pow(10, uniform(-4, 0)),
               (int32_t)below(4));
  for (int k = 0; k < PLANES; k++) add_plane(w, anywhere(0.5), anywhere(1), (int32_t)below(4));
  w->enabled[1] = w->enabled[OBJECTS] = w->enabled[2 * OBJECTS + 2] = false;
  for (int v = 0; v < w->s.vertices; v++) {
    w->prescribed[v] = below(2);
    if (below(4) == 0) w->identity[v] = w->identity[below(v + 1)];
  }
}

/* the rules once more, pair by pair; n and m are numbers of vertices */
static bool may_meet(const world *w, const int32_t *a, int n, int32_t oa, const int32_t *b, int m,
                     int32_t ob)
{
  int fixed = 0;
  for (int i = 0; i < n; i++) fixed += w->prescribed[a[i]];
  for (int j = 0; j < m; j++) fixed += w->prescribed[b[j]];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      if (w->identity[a[i]] == w->identity[b[j]]) return false;
  return fixed < n + m && w->enabled[oa * OBJECTS + ob];
}

/* is list[*at] this pair? It must be exactly when the pair meets. */
static void expect(const abut_crossing *list, int64_t count, int64_t *at, abut_crossing_kind kind,
                   int a, int b, abut_meeting meeting)
{
  if (meeting == ABUT_APART) return;
  assert_true(*at < count);
  const abut_crossing *c = &list[(*at)++];
  assert_true(c->kind == kind && c->a == a && c->b == b && c->meeting == meeting);
  assert_true(kind == ABUT_EDGE_FACE ? c->distance == 0 : c->distance < 0);
}

static abut_meeting behind(int sign)
{
  return sign < 0 ? ABUT_CROSSING : ABUT_APART;
}

static void expect_faces(const world *w, const abut_crossing *c, int64_t count, int64_t *at)
{
  const abut_exact_scene *s = &w->s;
  for (int i = 0; i < s->edges; i++)
    for (int j = 0; j < s->faces; j++) {
      const int32_t *e = w->edge + 2 * i, *f = w->face + 3 * j;
      if (may_meet(w, e, 2, w->edge_object[i], f, 3, w->face_object[j]))
        expect(c, count, at, ABUT_EDGE_FACE, i, j,
               abut_exact_segment_triangle(w->x[e[0]], w->x[e[1]], w->x[f[0]], w->x[f[1]],
                                           w->x[f[2]]));
    }
  for (int i = 0; i < s->spheres; i++)
    for (int j = 0; j < s->faces; j++) {
      const int32_t *f = w->face + 3 * j;
      if (may_meet(w, w->sphere + i, 1, w->sphere_object[i], f, 3, w->face_object[j]))
        expect(c, count, at, ABUT_SPHERE_FACE, i, j,
               behind(abut_exact_point_triangle(w->x[w->sphere[i]], w->x[f[0]], w->x[f[1]],
                                                w->x[f[2]], w->radius[i])));
    }
}

static void expect_others(const world *w, const abut_crossing *c, int64_t count, int64_t *at)
{
  const abut_exact_scene *s = &w->s;
  for (int i = 0; i < s->spheres; i++)
    for (int j = i + 1; j < s->spheres; j++)
      if (may_meet(w, w->sphere + i, 1, w->sphere_object[i], w->sphere + j, 1, w->sphere_object[j]))
        expect(c, count, at, ABUT_SPHERE_SPHERE, i, j,
               behind(abut_exact_spheres(w->x[w->sphere[i]], w->x[w->sphere[j]], w->radius[i],
                                         w->radius[j])));
  for (int i = 0; i < s->points; i++)
    for (int j = 0; j < s->planes; j++)
      if (may_meet(w, w->point + i, 1, w->point_object[i], NULL, 0, w->plane_object[j]))
        expect(c, count, at, ABUT_POINT_PLANE, i, j,
               behind(abut_exact_point_plane(w->x[w->point[i]], w->origin[j], w->normal[j], 0)));
  for (int i = 0; i < s->spheres; i++)
    for (int j = 0; j < s->planes; j++)
      if (may_meet(w, w->sphere + i, 1, w->sphere_object[i], NULL, 0, w->plane_object[j]))
        expect(c, count, at, ABUT_SPHERE_PLANE, i, j,
               behind(abut_exact_point_plane(w->x[w->sphere[i]], w->origin[j], w->normal[j],
                                             w->radius[i])));
}

static void the_search_finds_what_all_pairs_give_for_any_number_of_threads(void **state)
{
  (void)state;
  for (int n = 0; n < 15; n++) {
    world *w = world_new();
    fill_soup(w, n % 5);
    int64_t count, again, at = 0;
    abut_crossing *c = crossings(w, 1, &count);
    expect_faces(w, c, count, &at);
    expect_others(w, c, count, &at);
    assert_int_equal(at, count);
    assert_true(count > 100);
    for (int threads = 2; threads <= 8; threads *= 4) {
      abut_crossing *d = crossings(w, threads, &again);
      assert_int_equal(again, count);
      assert_memory_equal(c, d, (size_t)count * sizeof *c);
      free(d);
    }
    free(c);
    free(w);
  }
}

static void a_coordinate_that_is_not_finite_is_refused_by_name(void **state)
{
  (void)state;
  world *w = world_new();
  add_triangle(w, v3(0, 0, 0), v3(1, 0, 0), v3(0, NAN, 0), 0);
  abut_context ctx;
  abut_context_init(&ctx, NULL, 1);
  abut_crossing *c = NULL;
  int64_t count;
  assert_int_equal(abut_exact_crossings(&ctx, &w->s, &c, &count), ABUT_BAD_GEOMETRY);
  assert_non_null(strstr(ctx.error.message, "vertex 2"));
  assert_null(c);
  abut_context_free(&ctx);
  assert_int_equal(ctx.live, 0);
  free(w);
}

/* allocations before the one that fails, and whether those after it fail too */
typedef struct shortage {
  int64_t left;
  bool lasting;
} shortage;

static void *scarce_alloc(void *arg, size_t size)
{
  shortage *s = arg;
  int64_t left = s->left--;
  return left == 0 || (left < 0 && s->lasting) ? NULL : malloc(size);
}

static void scarce_free(void *arg, void *block, size_t size)
{
  (void)arg;
  (void)size;
  free(block);
}

static void running_out_of_memory_anywhere_is_reported_and_leaks_nothing(void **state)
{
  (void)state;
  world *w = world_new();
  fill_soup(w, 0);
  for (int way = 0; way < 3; way++) { /* lasting or single failures, one or two threads */
    abut_status status = ABUT_NO_MEMORY;
    int64_t n = 0;
    for (; status != ABUT_OK; n++) {
      shortage s = {n, way == 0};
      const abut_allocator allocator = {scarce_alloc, scarce_free, &s};
      abut_context ctx;
      abut_context_init(&ctx, &allocator, way == 2 ? 2 : 1);
      abut_crossing *c;
      int64_t count;
      status = abut_exact_crossings(&ctx, &w->s, &c, &count);
      assert_true(status == ABUT_OK || status == ABUT_NO_MEMORY);
      if (status != ABUT_OK) assert_null(c);
      if (s.left >= 0) assert_int_equal(status, ABUT_OK);
      abut_free(&ctx, c);
      abut_context_free(&ctx);
      assert_int_equal(ctx.live, 0);
    }
    assert_true(n > 20);
  }
  free(w);
}

static void an_empty_scene_is_clean(void **state)
{
  (void)state;
  world *w = world_new();
  assert_int_equal(number_of_crossings(w), 0);
  free(w);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_crossing_is_reported_with_its_edge_face_point_and_weights),
      cmocka_unit_test(corners_of_two_bodies_at_one_place_touch_there),
      cmocka_unit_test(coplanar_triangles_touch_where_they_overlap_and_only_there),
      cmocka_unit_test(the_surface_of_a_cube_does_not_meet_itself),
      cmocka_unit_test(pairs_that_are_welded_prescribed_or_switched_off_never_meet),
      cmocka_unit_test(spheres_and_planes_report_signed_gaps),
      cmocka_unit_test(the_search_finds_what_all_pairs_give_for_any_number_of_threads),
      cmocka_unit_test(a_coordinate_that_is_not_finite_is_refused_by_name),
      cmocka_unit_test(running_out_of_memory_anywhere_is_reported_and_leaks_nothing),
      cmocka_unit_test(an_empty_scene_is_clean),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
