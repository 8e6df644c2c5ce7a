#define _XOPEN_SOURCE 700
#include "test_mesh.h"

#include "base/file.h"
#include "base/text.h"
#include "io/readers.h"
#include "mesh/quality.h"
#include "mesh/topology.h"

/* what the readers say while they read */
static char notes[4096];

static void keep_note(void *ctx, int level, const char *text)
{
  (void)ctx;
  (void)level;
  strncat(notes, text, sizeof notes - strlen(notes) - 2);
  strcat(notes, "\n");
}

static int setup(void **state)
{
  static abut_context ctx;
  abut_context_init(&ctx, NULL, 2);
  ctx.log = keep_note;
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

static abut_mesh_data parse(abut_context *ctx, const char *text)
{
  abut_mesh_data mesh;
  notes[0] = '\0';
  if (abut_obj_parse(ctx, "test.obj", text, (int64_t)strlen(text), &mesh) != ABUT_OK)
    fail_msg("line %d: %s", ctx->error.line, ctx->error.message);
  return mesh;
}

static void assert_refused(abut_context *ctx, const char *text, int line, const char *words)
{
  abut_mesh_data mesh;
  assert_int_equal(abut_obj_parse(ctx, "test.obj", text, (int64_t)strlen(text), &mesh),
                   ABUT_BAD_FORMAT);
  if (!strstr(ctx->error.message, words))
    fail_msg("\"%s\" lacks \"%s\"", ctx->error.message, words);
  assert_string_equal(ctx->error.file, "test.obj");
  assert_int_equal(ctx->error.line, line);
  assert_null(mesh.x);
  abut_error_clear(ctx);
}

/* case C07: an import died on an index because one coordinate was NaN */
static void numbers_that_are_not_finite_are_refused_by_line(void **state)
{
  assert_refused(*state, "v 0 0 0\nv 0 nan 0\n", 2, "\"nan\" is not a finite number");
  assert_refused(*state, "v 0 0 0\nv 1e999 0 0\n", 2, "\"1e999\" is not a finite number");
  assert_refused(*state, "v 0 0 0\nv 1,5 0 0\n", 2, "\"1,5\" is not a number; the decimal mark");
  assert_refused(*state, "v 0 0 0\r\nv 0 -inf 0\r\n", 2, "\"-inf\" is not a finite");
  assert_refused(*state, "\n\n\nv 0 1.2.3 0", 4, "\"1.2.3\" is not a number");
  assert_refused(*state, "v 0 0", 1, "three coordinates");
}

/* case C08: relative indices were resolved against the end of the file */
static void negative_indices_count_back_from_their_line(void **state)
{
  abut_context *ctx = *state;
  abut_mesh_data m = parse(ctx, "v 0 0 0\nv 1 0 0\nv 0 1 0\nf -3 -2 -1\n"
                                "v 0 0 5\nv 1 0 5\nv 0 1 5\nf -3 -2 -1\n");
  const int32_t expected[] = {0, 1, 2, 3, 4, 5};
  assert_int_equal(m.vertices, 6);
  assert_int_equal(m.triangles, 2);
  assert_memory_equal(m.triangle, expected, sizeof expected);
  for (int i = 0; i < 2; i++)
    CHECK_NEAR(abut_triangle_area(m.x[3 * i], m.x[3 * i + 1], m.x[3 * i + 2]), 0.5, 0);
  abut_mesh_free(ctx, &m);
}

/* case C10: a panic deep in the build, no file position */
static void indices_out_of_range_are_refused_with_the_range(void **state)
{
#define THREE "v 0 0 0\nv 1 0 0\nv 0 1 0\n"
  assert_refused(*state, THREE "f 1 2 4\n", 4,
                 "vertex 4 of 3; indices run from 1 to 3 or -3 to -1");
  assert_refused(*state, THREE "f 0 1 2\n", 4, "vertex 0 of 3");
  assert_refused(*state, THREE "f -4 -3 -2\n", 4, "vertex -4 of 3");
  assert_refused(*state, THREE "f 1 2 2147483648\n", 4, "vertex 2147483648 of 3");
  assert_refused(*state, THREE "f 1 2 99999999999999999999\n", 4,
                 "\"99999999999999999999\" is too large");
  assert_refused(*state, THREE "f 1/ 2/ x\n", 4, "\"x\" is not a whole number");
  assert_refused(*state, THREE "f 1 2 3x\n", 4, "\"3x\" is not a whole number");
  assert_refused(*state, THREE "f 1 2 3/x\n", 4, "\"3/x\" is no corner");
  assert_refused(*state, THREE "f 1 2 3/1/1/1\n", 4, "\"3/1/1/1\" is no corner");
  assert_refused(*state, THREE "f 1 2\n", 4, "at least three corners");
  assert_refused(*state, THREE "l 1\n", 4, "at least two");
  assert_refused(*state, "f 1 2 3\n" THREE, 1, "no vertex before this line");
  assert_refused(*state, THREE "f 1 2 \\\n 7\n", 5, "vertex 7 of 3");
}

static void a_binary_file_under_this_name_is_not_an_empty_mesh(void **state)
{
  abut_context *ctx = *state;
  abut_mesh_data mesh;
  assert_int_equal(abut_obj_parse(ctx, "a.obj", "v 0 0 0\n\0\0", 10, &mesh), ABUT_BAD_FORMAT);
  assert_int_equal(ctx->error.line, 2);
  abut_error_clear(ctx);
}

static void every_form_of_a_corner_a_line_end_and_a_comment_is_read(void **state)
{
  abut_context *ctx = *state;
  const char *const file[] = {
      "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nl 1 2 3\n",
      "\xef\xbb\xbf# mark\r\nv 0 0 0\r\n  v\t1 0 0 # x\r\nv 0 1 0\r\nf 1/1 2/2 3/3\r\nl 1/1 2 3",
      "v 0 0 0 1\nv 1 0 0 1\nv 0 1 0 1\nvt 0 0\nvn 0 0 1\nf 1//1 2//1 3//1\nl -3 -2 -1\n",
      "v 0 0 0 0.5 0.5 1\rv 1 0 0 1 1 1\rv 0 1 0 1 0 0\rs off\rf 1/1/1 2/2/1 3/3/1\rl 1 2 3\r",
      "v 0 0 \\\n 0\nv 1 0\\\n 0\nv +0 1e0 .0\nusemtl a\nf 1/ 2// \\\r\n3\np 1 2\nl 1 \\\n2 3",
  };
  abut_mesh_data first = parse(ctx, file[0]);
  assert_int_equal(first.vertices, 3);
  assert_int_equal(first.triangles, 1);
  assert_int_equal(first.lines, 2);
  for (int i = 1; i < 5; i++) {
    abut_mesh_data m = parse(ctx, file[i]);
    assert_same_mesh(&first, &m);
    assert_string_equal(notes, "");
    abut_mesh_free(ctx, &m);
  }
  abut_mesh_free(ctx, &first);
}

static void files_of_vertices_only_and_of_nothing_are_legal(void **state)
{
  abut_context *ctx = *state;
  abut_mesh_data m = parse(ctx, "v 1 2 3\nv 4 5 6");
  assert_true(m.vertices == 2 && m.triangles == 0 && m.x[1].z == 6);
  abut_mesh_free(ctx, &m);
  m = parse(ctx, "");
  assert_int_equal(m.vertices, 0);
  abut_mesh_free(ctx, &m);
}

static void unknown_keywords_are_noted_once_each_and_not_without_end(void **state)
{
  abut_context *ctx = *state;
  abut_mesh_data m = parse(ctx, "curv 0 1\nv 0 0 0\ncurv 0 1\nsurf\nmtllib a.mtl\n");
  assert_string_equal(notes,
                      "test.obj:1: \"curv\" is not read\ntest.obj:4: \"surf\" is not read\n");
  abut_mesh_free(ctx, &m);
  m = parse(ctx, "a\nb\nc\nd\ne\nf0\ng0\nh\ni\nj\nk\na\n");
  assert_non_null(strstr(notes, "test.obj:9: further unknown keywords"));
  assert_null(strstr(notes, "test.obj:10"));
  abut_mesh_free(ctx, &m);
}

static void groups_hold_the_vertices_of_the_faces_that_follow(void **state)
{
  abut_context *ctx = *state;
  abut_mesh_data m = parse(ctx, "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nv 2 2 2\nv 3 3 3\n"
                                "f 1 2 3\ng left both\nf 3 2 1\no my part # 1\ng right both\n"
                                "f 2 4 3\ng\nl 5 6\ng empty\n");
  assert_int_equal(m.groups, 5);
  assert_group(&m, "left", 3, (const int32_t[]){0, 1, 2});
  assert_group(&m, "both", 4, (const int32_t[]){0, 1, 2, 3});
  assert_group(&m, "right", 3, (const int32_t[]){1, 2, 3});
  assert_group(&m, "my part # 1", 5, (const int32_t[]){1, 2, 3, 4, 5});
  assert_group(&m, "empty", 0, NULL);
  abut_mesh_free(ctx, &m);
}

/* CAD exporters write a group for each face */
static void many_groups_are_kept_apart(void **state)
{
  abut_context *ctx = *state;
  abut_text text = {0};
  for (int i = 0; i < 20000; i++)
    abut_text_add(ctx, &text, "v %d 0 0\nv %d 1 0\nv %d 2 1\ng part%d\nf -1 -2 -3\n", i, i, i, i);
  abut_mesh_data m;
  assert_int_equal(abut_obj_parse(ctx, "t", text.data, text.length, &m), ABUT_OK);
  assert_int_equal(m.groups, 20000);
  for (int i = 0; i < 20000; i += 1999) {
    char name[32];
    snprintf(name, sizeof name, "part%d", i);
    assert_group(&m, name, 3, (const int32_t[]){3 * i, 3 * i + 1, 3 * i + 2});
  }
  abut_mesh_free(ctx, &m);
  abut_text_free(ctx, &text);
}

/* area of the triangles of a mesh in the xy plane; all must be positive */
static double flat_area(const abut_mesh_data *m)
{
  double sum = 0;
  for (int32_t i = 0; i < m->triangles; i++) {
    const int32_t *t = m->triangle + 3 * i;
    double z = v3_cross(v3_sub(m->x[t[1]], m->x[t[0]]), v3_sub(m->x[t[2]], m->x[t[0]])).z;
    assert_true(z > 0);
    sum += z / 2;
  }
  return sum;
}

static void polygons_become_triangles_that_cover_them_once(void **state)
{
  abut_context *ctx = *state;
  static const struct {
    const char *text;
    int triangles;
    double area;
  } sample[] = {
      {"v 0 0 0\nv 2 0 0\nv 2 1 0\nv 0 1 0\nf 1 2 3 4\n", 2, 2},
      /* a dart: a fan from its first corner would lie outside */
      {"v 0 0 0\nv 2 -1 0\nv 0.5 0 0\nv 2 1 0\nf 2 3 4 1\n", 2, 0.5},
      /* an L, a comb, and a square with a corner in the middle of a side */
      {"v 0 0 0\nv 2 0 0\nv 2 1 0\nv 1 1 0\nv 1 2 0\nv 0 2 0\nf 1 2 3 4 5 6\n", 4, 3},
      {"v 0 0 0\nv 5 0 0\nv 5 3 0\nv 4 3 0\nv 4 1 0\nv 3 1 0\nv 3 3 0\nv 2 3 0\nv 2 1 0\nv 1 1 0\n"
       "v 1 3 0\nv 0 3 0\nf 1 2 3 4 5 6 7 8 9 10 11 12\n",
       10, 11},
      {"v 0 0 0\nv 0.5 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4 5\n", 3, 1},
      {"v 0 0 0\nv 0.5 0 0\nv 1 0 0\nv 0.5 1 0\nf 1 2 3 4\n", 2, 0.5},
      /* a square ring cut open: two vertices are visited twice */
      {"v 0 0 0\nv 3 0 0\nv 3 3 0\nv 0 3 0\nv 1 1 0\nv 1 2 0\nv 2 2 0\nv 2 1 0\n"
       "f 1 2 3 4 1 5 6 7 8 5\n",
       8, 8},
  };
  for (size_t i = 0; i < sizeof sample / sizeof *sample; i++) {
    abut_mesh_data m = parse(ctx, sample[i].text);
    assert_int_equal(m.triangles, sample[i].triangles);
    CHECK_NEAR(flat_area(&m), sample[i].area, 1e-14);
    assert_string_equal(notes, "");
    abut_mesh_free(ctx, &m);
  }
}

static void a_convex_polygon_is_a_fan_and_a_star_shaped_one_of_any_pose_is_covered(void **state)
{
  abut_context *ctx = *state;
  mat3 turn = m3_rotation(v3_unit(v3(1, 2, 3)), 0.7);
  for (int n = 4; n < 300; n += 37)
    for (int star = 0; star < 2; star++) {
      abut_text text = {0};
      double area = 0;
      for (int i = 0; i < n; i++) {
        double a = 2 * acos(-1) * i / n, r = star && i % 2 ? 0.3 : 1;
        double next = star && i % 2 == 0 ? 0.3 : 1;
        if (star && n % 2 && i == n - 1) next = 1;
        area += 0.5 * r * next * sin(2 * acos(-1) / n);
        vec3 p = m3_apply(turn, v3(r * cos(a), r * sin(a), 5));
        abut_text_add(ctx, &text, "v %.17g %.17g %.17g\n", p.x, p.y, p.z);
      }
      abut_text_add(ctx, &text, "f");
      for (int i = 0; i < n; i++) abut_text_add(ctx, &text, " %d", i + 1);
      abut_mesh_data m = parse(ctx, text.data);
      assert_int_equal(m.triangles, n - 2);
      double sum = 0;
      for (int32_t i = 0; i < m.triangles; i++) {
        const int32_t *t = m.triangle + 3 * i;
        if (!star) assert_true(t[0] == 0 && t[1] == i + 1 && t[2] == i + 2);
        sum += abut_triangle_area(m.x[t[0]], m.x[t[1]], m.x[t[2]]);
      }
      CHECK_NEAR(sum, area, 1e-12);
      abut_mesh_free(ctx, &m);
      abut_text_free(ctx, &text);
    }
}

static void a_polygon_that_crosses_itself_is_cut_with_a_warning(void **state)
{
  abut_context *ctx = *state;
  abut_mesh_data m = parse(ctx, "v 0 0 0\nv 1 1 0\nv 1 0 0\nv 0 1 0\nf 1 2 3 4\nf 1 1 2 2\n");
  assert_int_equal(m.triangles, 4);
  assert_non_null(strstr(notes, "test.obj:5: 2 faces"));
  abut_mesh_free(ctx, &m);
}

/* case C22: commands broke on spaces, accents and length */
static void paths_may_have_spaces_accents_and_any_length(void **state)
{
  abut_context *ctx = *state;
  char folder[] = "/tmp/abut out dir XXXXXX";
  assert_non_null(mkdtemp(folder));
  abut_text deep = {0}, path = {0};
  abut_text_add(ctx, &deep,
                "%s/n\xc3\xa9"
                "e \xc3\xbc",
                folder);
  for (int i = 0; i < 6; i++)
    abut_text_add(ctx, &deep, "/fifty characters and some more so that it is long%d", i);
  assert_int_equal(abut_folder_make(ctx, deep.data), ABUT_OK);
  abut_text_add(ctx, &path, "%s/a mesh.obj", deep.data);
  assert_true(path.length > 300);
  assert_int_equal(abut_file_replace(ctx, path.data, "v 1 2 3\n", 8), ABUT_OK);
  abut_mesh_data m;
  assert_int_equal(abut_obj_read(ctx, path.data, &m), ABUT_OK);
  assert_int_equal(m.vertices, 1);
  abut_mesh_free(ctx, &m);
  assert_int_equal(abut_file_remove(ctx, path.data), ABUT_OK);
  assert_int_equal(abut_obj_read(ctx, path.data, &m), ABUT_IO);
  assert_string_equal(ctx->error.file, path.data);
  abut_error_clear(ctx);
  assert_int_equal(abut_msh_read(ctx, path.data, &m), ABUT_IO);
  abut_error_clear(ctx);
  assert_int_equal(abut_obj_read(ctx, folder, &m), ABUT_IO);
  abut_error_clear(ctx);
  while (deep.length > (int64_t)strlen(folder)) {
    remove(deep.data);
    *strrchr(deep.data, '/') = '\0';
    deep.length = (int64_t)strlen(deep.data);
  }
  remove(folder);
  abut_text_free(ctx, &deep);
  abut_text_free(ctx, &path);
}

static void known_surfaces_have_their_known_counts(void **state)
{
  abut_context *ctx = *state;
  static const struct {
    const char *name;
    int vertices, triangles, euler;
  } sample[] = {
      {"cube", 8, 12, 2},         {"cylinder", 152, 300, 2}, {"funnel", 288, 552, 0},
      {"mat20x20", 800, 1596, 2}, {"plane", 4, 2, 1},        {"sphere1K", 1239, 2474, 2},
      {"torus", 200, 400, 0},
  };
  for (size_t i = 0; i < sizeof sample / sizeof *sample; i++) {
    char path[4096];
    if (!getenv("ABUT_MESHES")) skip();
    snprintf(path, sizeof path, "%s/%s.obj", getenv("ABUT_MESHES"), sample[i].name);
    abut_mesh_data m;
    assert_int_equal(abut_obj_read(ctx, path, &m), ABUT_OK);
    assert_int_equal(m.vertices, sample[i].vertices);
    assert_int_equal(m.triangles, sample[i].triangles);
    int32_t *edge, edges;
    assert_int_equal(abut_edges_of(ctx, m.triangle, m.triangles, &edge, &edges), ABUT_OK);
    if (m.vertices - edges + m.triangles != sample[i].euler)
      fail_msg("%s: %d", path, m.vertices - edges + m.triangles);
    abut_free(ctx, edge);
    abut_mesh_free(ctx, &m);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(numbers_that_are_not_finite_are_refused_by_line),
      cmocka_unit_test(negative_indices_count_back_from_their_line),
      cmocka_unit_test(indices_out_of_range_are_refused_with_the_range),
      cmocka_unit_test(a_binary_file_under_this_name_is_not_an_empty_mesh),
      cmocka_unit_test(every_form_of_a_corner_a_line_end_and_a_comment_is_read),
      cmocka_unit_test(files_of_vertices_only_and_of_nothing_are_legal),
      cmocka_unit_test(unknown_keywords_are_noted_once_each_and_not_without_end),
      cmocka_unit_test(groups_hold_the_vertices_of_the_faces_that_follow),
      cmocka_unit_test(many_groups_are_kept_apart),
      cmocka_unit_test(polygons_become_triangles_that_cover_them_once),
      cmocka_unit_test(a_convex_polygon_is_a_fan_and_a_star_shaped_one_of_any_pose_is_covered),
      cmocka_unit_test(a_polygon_that_crosses_itself_is_cut_with_a_warning),
      cmocka_unit_test(paths_may_have_spaces_accents_and_any_length),
      cmocka_unit_test(known_surfaces_have_their_known_counts),
  };
  return cmocka_run_group_tests(tests, setup, teardown);
}
