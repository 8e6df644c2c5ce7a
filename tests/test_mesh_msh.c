#include "test_mesh.h"
#include "test_mesh_files.h"

#include "base/file.h"
#include "base/text.h"
#include "io/readers.h"
#include "mesh/quality.h"
#include "mesh/topology.h"

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

static abut_mesh_data parse(abut_context *ctx, const file *f)
{
  abut_mesh_data mesh;
  notes[0] = '\0';
  if (abut_msh_parse(ctx, "test.msh", f->data, f->size, &mesh) != ABUT_OK)
    fail_msg("line %d: %s", ctx->error.line, ctx->error.message);
  return mesh;
}

/* case C11: one-block readers, and users who deleted triangles by hand and made a worse file */
static void every_version_and_form_of_one_mesh_gives_identical_arrays(void **state)
{
  abut_context *ctx = *state;
  const file f[] = {
      text_file(HEAD_41 NODES_41 ELEMENTS_41),
      text_file(FILE_22),
      binary_22(false),
      binary_41(false, false, false),
      text_file(HEAD_41 NAMES ENTITIES NODES_41 ELEMENTS_41),
      binary_41(false, true, false),
      binary_22(true),
      binary_41(true, false, false),
      binary_41(true, true, false),
      binary_41(false, true, true),
  };
  const int32_t triangle[] = {0, 1, 2}, tet[] = {0, 1, 2, 3};
  for (size_t i = 0; i < sizeof f / sizeof *f; i++) {
    abut_mesh_data m = parse(ctx, &f[i]);
    assert_int_equal(m.vertices, 4);
    assert_memory_equal(m.x, place, sizeof place);
    assert_int_equal(m.triangles, 1);
    assert_memory_equal(m.triangle, triangle, sizeof triangle);
    assert_int_equal(m.tets, 1);
    assert_memory_equal(m.tet, tet, sizeof tet);
    CHECK_NEAR(abut_tet_volume(m.x[0], m.x[1], m.x[2], m.x[3]), 0.005, 1e-18);
    assert_string_equal(notes, "");
    bool names = i == 4 || i == 5 || i >= 8;
    assert_int_equal(m.groups, names ? 2 : 0);
    if (names) {
      assert_group(&m, "my wall", 3, (const int32_t[]){0, 1, 2});
      assert_group(&m, "body", 4, (const int32_t[]){0, 1, 2, 3});
    }
    abut_mesh_free(ctx, &m);
  }
}

/* Version 2 lists an element once per physical name; two equal tetrahedra would be twice as stiff
   and in contact with each other. */
static void an_element_listed_for_two_physical_names_is_read_once(void **state)
{
  abut_context *ctx = *state;
  file f =
      text_file("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n3\n3 6 \"a\"\n3 7 \"b\"\n"
                "0 1 \"tip\"\n$EndPhysicalNames\n$Nodes\n4\n1 0 0 0\n2 0.2 0 0\n3 0 0.3 0\n"
                "4 0 0 0.5\n$EndNodes\n$Elements\n3\n1 4 2 6 1 1 2 3 4\n2 4 2 7 1 1 2 3 4\n"
                "3 15 2 1 1 4\n$EndElements\n");
  abut_mesh_data m = parse(ctx, &f);
  assert_int_equal(m.tets, 1);
  assert_group(&m, "a", 4, (const int32_t[]){0, 1, 2, 3});
  assert_group(&m, "b", 4, (const int32_t[]){0, 1, 2, 3});
  assert_group(&m, "tip", 1, (const int32_t[]){3});
  assert_non_null(strstr(notes, "1 elements are listed twice"));
  abut_mesh_free(ctx, &m);
}

static void parameters_lines_points_and_far_apart_tags_are_understood(void **state)
{
  abut_context *ctx = *state;
  file f = text_file(HEAD_41 "$Comments\nany $thing\n$EndComments\n$Nodes\n3 3 1 9000000000\n"
                             "0 1 1 1\n1\n0 0 0\n1 1 1 1\n9000000000\n1 0 0 0.5\n2 1 1 1\n7\n"
                             "0 1 0 0.5 0.25\n$EndNodes\n"
                             "$Elements\n2 3 1 3\n0 1 15 1\n1 1\n1 1 1 2\n2 1 9000000000\n"
                             "3 7 1\n$EndElements\n$Surface\n1\n1 2 3\n$EndSurface\n");
  abut_mesh_data m = parse(ctx, &f);
  assert_int_equal(m.vertices, 3);
  assert_int_equal(m.lines, 2);
  const int32_t line[] = {0, 1, 2, 0};
  assert_memory_equal(m.line, line, sizeof line);
  assert_true(m.x[2].y == 1);
  assert_string_equal(notes, "test.msh: section $Surface is skipped\n");
  abut_mesh_free(ctx, &m);
}

static void assert_refused(abut_context *ctx, const char *text, abut_status code, int line,
                           const char *words)
{
  abut_mesh_data mesh;
  assert_int_equal(abut_msh_parse(ctx, "t.msh", text, (int64_t)strlen(text), &mesh), code);
  if (!strstr(ctx->error.message, words))
    fail_msg("\"%s\" lacks \"%s\"", ctx->error.message, words);
  assert_string_equal(ctx->error.file, "t.msh");
  if (ctx->error.line != line) fail_msg("\"%s\" at line %d", words, ctx->error.line);
  assert_null(mesh.x);
  abut_error_clear(ctx);
}

static void faults_of_the_file_are_refused_by_line(void **state)
{
  abut_context *ctx = *state;
  const abut_status bad = ABUT_BAD_FORMAT;
#define NODES_OF(text) HEAD_41 "$Nodes\n" text "\n$EndNodes\n" ELEMENTS_41
#define WITH(text) HEAD_41 NODES_41 "$Elements\n" text "\n$EndElements\n"
  assert_refused(ctx, "", bad, 1, "this is not an MSH file");
  assert_refused(ctx, "v 0 0 0\n", bad, 1, "this is not an MSH file");
  assert_refused(ctx, "$MeshFormat\n4 0 8\n$EndMeshFormat\n", ABUT_UNSUPPORTED, 2,
                 "version 4 is not read; save as version 4.1 or 2.2");
  assert_refused(ctx, "$MeshFormat\n4.1 0 7\n$EndMeshFormat\n", bad, 2, "data size");
  assert_refused(ctx, HEAD_41, bad, 4, "there is no section $Nodes");
  assert_refused(ctx, HEAD_41 NODES_41, bad, 17, "there is no section $Elements");
  assert_refused(ctx, HEAD_41 ELEMENTS_41, bad, 4, "$Elements stands before $Nodes");
  assert_refused(ctx, HEAD_41 NODES_41 NODES_41, bad, 17, "a second section $Nodes");
  assert_refused(ctx, HEAD_41 "$ParametricNodes\n", bad, 4, "$ParametricNodes are not read");
  assert_refused(ctx, HEAD_41 ENTITIES NAMES, bad, 9, "$PhysicalNames must stand before");
  assert_refused(ctx, "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n-1\n", bad, 5, "negative");
  assert_refused(ctx, HEAD_41 "junk\n", bad, 4, "expected a section such as $Nodes");
  assert_refused(ctx, HEAD_41 "$Other\n1 2\n", bad, 4, "section $Other has no end");
  assert_refused(ctx, NODES_OF("1 2 1 2\n3 1 0 2\n1\n2\n0 0 0\n0 nan 0"), bad, 10,
                 "\"nan\" is not a finite number");
  assert_refused(ctx, NODES_OF("1 2 1 2\n3 1 0 2\n1\n1\n0 0 0\n0 1 0"), bad, 4,
                 "two nodes have the number 1");
  assert_refused(ctx, NODES_OF("2 2 1 9000\n3 1 0 1\n9000\n0 0 0\n3 1 0 1\n9000\n0 0 0"), bad, 4,
                 "two nodes have the number 9000");
  assert_refused(ctx, NODES_OF("1 3 1 2\n3 1 0 2\n1\n2\n0 0 0\n0 1 0"), bad, 10, "fewer nodes");
  assert_refused(ctx, NODES_OF("1 1 1 2\n3 1 0 2\n1\n2\n0 0 0\n0 1 0"), bad, 6, "more nodes");
  assert_refused(ctx, NODES_OF("1 2 1 2\n3 1 0 2\n1\n2\n0 0 0\n0 1"), bad, 11,
                 "\"$EndNodes\" is not a number");
  assert_refused(ctx, NODES_OF("1 4000000000 1 2\n3 1 0 2\n1\n2\n0 0 0\n0 1 0"), bad, 5,
                 "4000000000 nodes do not fit into the rest of the file");
  assert_refused(ctx, NODES_OF("1 -4 1 2"), bad, 5, "negative");
  assert_refused(ctx, NODES_OF("1 1 1 1\n3 1 2 1"), bad, 6, "parametric");
  assert_refused(ctx, NODES_OF("1 1 1 1\n4 1 0 1"), bad, 6, "dimension");
  assert_refused(ctx, WITH("1 1 1 1\n3 1 4 1\n12 10 20 30 71"), bad, 20,
                 "element 12: node 71 is not among the file's 4 nodes");
  assert_refused(ctx, WITH("1 2 1 1\n3 1 4 1\n12 10 20 30 70"), bad, 20, "1 elements fewer");
  assert_refused(ctx, WITH("1 1 1 1\n3 1 4 2\n12 10 20 30 70"), bad, 19, "a block of 2 elements");
  assert_refused(ctx, WITH("1 1 1 1\n3 1 4 1\n12 10 20 30 70 5"), bad, 20,
                 "expected $EndElements, found \"5\"");
  assert_refused(ctx, WITH("1 900000 1 1"), bad, 18, "900000 elements do not fit");
  assert_refused(ctx, WITH("1 1 1 1\n2 1 4 1\n12 10 20 30 70"), bad, 19, "dimension 2");
}

static void elements_that_a_mesh_cannot_hold_are_refused_by_name(void **state)
{
  abut_context *ctx = *state;
  assert_refused(ctx, WITH("1 1 1 1\n3 1 11 1\n1 10 20 30 70 1 2 3 4 5 6"), ABUT_UNSUPPORTED, 19,
                 "second-order tetrahedra are not read (element type 11): save first-order");
  assert_refused(ctx, WITH("1 1 1 1\n3 1 5 1\n1 10 20 30 70 1 2 3 4"), ABUT_UNSUPPORTED, 19,
                 "hexahedra are not read (element type 5)");
  assert_refused(ctx, WITH("1 1 1 1\n3 1 0 1\n1"), ABUT_UNSUPPORTED, 19, "element type 0");
  assert_refused(ctx, WITH("1 1 1 1\n3 1 92 1\n1"), ABUT_UNSUPPORTED, 19, "element type 92");
}

static void faults_of_binary_files_are_refused_by_byte(void **state)
{
  abut_context *ctx = *state;
  abut_mesh_data mesh;
  file f = binary_41(false, true, false);
  memset(f.data + 20, 7, 4);
  assert_int_equal(abut_msh_parse(ctx, "t", f.data, f.size, &mesh), ABUT_BAD_FORMAT);
  assert_non_null(strstr(ctx->error.message, "byte 20: the mark of the byte order"));
  abut_error_clear(ctx);
  /* a count of 2^60 nodes */
  f = binary_41(false, false, false);
  const char *nodes = strstr(f.data + 24, "$Nodes\n") + 7;
  int64_t offset = nodes - f.data + 8;
  f.data[offset + 7] = 0x10;
  assert_int_equal(abut_msh_parse(ctx, "t", f.data, f.size, &mesh), ABUT_BAD_FORMAT);
  assert_non_null(strstr(ctx->error.message, "1152921504606846980 nodes do not fit"));
  assert_int_equal(ctx->error.line, 0);
  abut_error_clear(ctx);
  f = binary_22(false);
  const double nan = NAN;
  memcpy(strstr(f.data + 24, "$Nodes\n4\n") + 13, &nan, 8);
  assert_int_equal(abut_msh_parse(ctx, "t", f.data, f.size, &mesh), ABUT_BAD_FORMAT);
  assert_non_null(strstr(ctx->error.message, ": a coordinate is not finite"));
  abut_error_clear(ctx);
  f = binary_22(false);
  f.size -= 20;
  assert_int_equal(abut_msh_parse(ctx, "t", f.data, f.size, &mesh), ABUT_BAD_FORMAT);
  assert_non_null(strstr(ctx->error.message, "the file ends inside a section; is it cut off?"));
  abut_error_clear(ctx);
}

static void known_meshes_have_their_known_counts_and_volumes(void **state)
{
  abut_context *ctx = *state;
  static const struct {
    const char *name;
    int vertices, tets;
  } sample[] = {
      {"tet", 4, 1},
      {"cube", 8, 6},
      {"torus", 200, 491},
      {"bar-186", 86, 186},
      {"bar-2523", 886, 2523},
      {"mat20x20", 800, 2166},
      {"mat40x40", 3200, 9126},
      {"sphere1K", 1760, 6851},
      {"bunny", 4670, 19379},
      {"Armadillo13K", 13230, 54985},
      {"rod300x33", 13333, 50511},
      {"mat100x100t40", 20000, 58806},
  };
  for (size_t i = 0; i < sizeof sample / sizeof *sample; i++) {
    char path[4096];
    if (!getenv("ABUT_MESHES")) skip();
    snprintf(path, sizeof path, "%s/%s.msh", getenv("ABUT_MESHES"), sample[i].name);
    abut_mesh_data m;
    assert_int_equal(abut_msh_read(ctx, path, &m), ABUT_OK);
    if (m.vertices != sample[i].vertices || m.tets != sample[i].tets)
      fail_msg("%s: %d vertices, %d tetrahedra", path, m.vertices, m.tets);
    double volume = 0, enclosed = 0;
    for (int32_t t = 0; t < m.tets; t++) {
      const int32_t *c = m.tet + 4 * t;
      double v = abut_tet_volume(m.x[c[0]], m.x[c[1]], m.x[c[2]], m.x[c[3]]);
      assert_true(v > 0);
      volume += v;
    }
    int32_t *triangle, triangles;
    assert_int_equal(abut_boundary_of(ctx, m.tet, m.tets, &triangle, &triangles), ABUT_OK);
    for (int32_t t = 0; t < triangles; t++) {
      const int32_t *c = triangle + 3 * t;
      enclosed += abut_tet_volume(v3(0, 0, 0), m.x[c[0]], m.x[c[1]], m.x[c[2]]);
    }
    CHECK_NEAR(enclosed / volume, 1, 1e-11);
    abut_free(ctx, triangle);
    abut_mesh_free(ctx, &m);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_version_and_form_of_one_mesh_gives_identical_arrays),
      cmocka_unit_test(an_element_listed_for_two_physical_names_is_read_once),
      cmocka_unit_test(parameters_lines_points_and_far_apart_tags_are_understood),
      cmocka_unit_test(faults_of_the_file_are_refused_by_line),
      cmocka_unit_test(elements_that_a_mesh_cannot_hold_are_refused_by_name),
      cmocka_unit_test(faults_of_binary_files_are_refused_by_byte),
      cmocka_unit_test(known_meshes_have_their_known_counts_and_volumes),
  };
  return cmocka_run_group_tests(tests, setup, teardown);
}
