#include "test_mesh.h"
#include "test_mesh_files.h"

#include "io/readers.h"
#include "mesh/quality.h"
#include "mesh/topology.h"

typedef abut_status parse_fn(abut_context *ctx, const char *path, const char *data, int64_t size,
                             abut_mesh_data *mesh);

static const char obj[] =
    "# a cube with everything\nmtllib a.mtl\no my cube\nv 0 0 0\nv 1.0 0 0 0.5 0.5 0.5\nv 1 1 0 1\n"
    "v 0 1e0 0\nv 0 0 +1\nv 1 0 .1e1\nv 1 1 1.\nv 0 1 1\nvt 0 0\nvn 0 0 1\ng bottom all\nf 4 3 2 "
    "1\n"
    "g side all\nf 1/1 2/1 6/1 5/1\nf 2/1/1 3/1/1 7/1/1 6/1/1\r\nf 3//1 4//1 8//1 7//1\n"
    "f -8 \\\n -4 -1 -5\ns off\ng\nf 5 6 7 8\nl 1 7 3\np 1\nv 3 0 0\nv 3.5 0.1 0\nf 1 9 10 2 3\n";

static file sample(int i, parse_fn **parse)
{
  *parse = i ? abut_msh_parse : abut_obj_parse;
  switch (i) {
  case 0: return text_file(obj);
  case 1:
    return text_file(HEAD_41 NAMES ENTITIES NODES_41 ELEMENTS_41 "$Surface\n1\n$EndSurface\n");
  case 2: return text_file(FILE_22);
  case 3: return binary_22(false);
  case 4: return binary_22(true);
  case 5: return binary_41(false, true, false);
  default: return binary_41(true, true, true);
  }
}

enum { SAMPLES = 7 };

/* an allocator that has no megabytes: a count that lies must be seen before it is believed */
static void *small_alloc(void *ctx, size_t size)
{
  (void)ctx;
  return size < 1 << 20 ? malloc(size) : NULL;
}

static void small_free(void *ctx, void *block, size_t size)
{
  (void)ctx;
  (void)size;
  free(block);
}

static void assert_sound(const abut_mesh_data *m)
{
  for (int32_t v = 0; v < m->vertices; v++)
    assert_true(isfinite(m->x[v].x) && isfinite(m->x[v].y) && isfinite(m->x[v].z));
  for (int64_t i = 0; i < 3 * (int64_t)m->triangles; i++)
    assert_true(m->triangle[i] >= 0 && m->triangle[i] < m->vertices);
  for (int64_t i = 0; i < 4 * (int64_t)m->tets; i++)
    assert_true(m->tet[i] >= 0 && m->tet[i] < m->vertices);
  for (int64_t i = 0; i < 2 * (int64_t)m->lines; i++)
    assert_true(m->line[i] >= 0 && m->line[i] < m->vertices);
  for (int32_t g = 0; g < m->groups; g++)
    for (int32_t i = 0; i < m->group[g].count; i++)
      assert_true(m->group[g].vertex[i] >= (i ? m->group[g].vertex[i - 1] + 1 : 0) &&
                  m->group[g].vertex[i] < m->vertices);
}

/* reads exactly these bytes: right after them is memory that the sanitizer guards. Whatever comes
   out goes through what a mesh goes through before a run. */
static abut_status read_bytes(parse_fn *parse, const char *data, int64_t size)
{
  abut_allocator allocator = {small_alloc, small_free, NULL};
  abut_context ctx;
  abut_context_init(&ctx, &allocator, 1);
  char *copy = malloc((size_t)size + (size == 0));
  memcpy(copy, data, (size_t)size);
  abut_mesh_data m;
  abut_status status = parse(&ctx, "fuzz", copy, size, &m);
  free(copy);
  if (status == ABUT_OK) {
    assert_sound(&m);
    int32_t first, *edge, edges;
    abut_orient_tets(m.x, m.tet, m.tets, &first);
    assert_int_equal(abut_edges_of(&ctx, m.triangle, m.triangles, &edge, &edges), ABUT_OK);
    abut_free(&ctx, edge);
    int32_t *target = ABUT_NEW(&ctx, int32_t, m.vertices);
    abut_status welded = abut_weld(&ctx, m.x, m.vertices, 1e-3, target);
    assert_true(welded == ABUT_OK || welded == ABUT_BAD_GEOMETRY);
    abut_free(&ctx, target);
  } else {
    assert_true(status == ABUT_BAD_FORMAT || status == ABUT_UNSUPPORTED);
    assert_non_null(ctx.error.message);
    assert_string_equal(ctx.error.file, "fuzz");
  }
  abut_mesh_free(&ctx, &m);
  abut_context_free(&ctx);
  assert_int_equal(ctx.live, 0);
  return status;
}

static void every_truncation_is_refused_or_a_smaller_mesh(void **state)
{
  (void)state;
  for (int s = 0; s < SAMPLES; s++) {
    parse_fn *parse;
    file f = sample(s, &parse);
    assert_int_equal(read_bytes(parse, f.data, f.size), ABUT_OK);
    /* a file may lose its last line break, and the skipped section behind it */
    int64_t needed = s == 1 ? f.size - 24 : f.size - 1;
    for (int64_t n = 0; n < f.size; n++) {
      abut_status status = read_bytes(parse, f.data, n);
      if (s > 0 && n < needed) assert_int_not_equal(status, ABUT_OK);
    }
  }
}

static void bytes_that_change_never_crash_a_reader(void **state)
{
  (void)state;
  static const char odd[] = "-+.,/\\#$\"\n\r\t 0123456789efnv\0\x01\x7f\x80\xff";
  uint64_t seed = 5;
  for (int s = 0; s < SAMPLES; s++)
    for (int round = 0; round < 3000; round++) {
      parse_fn *parse;
      file f = sample(s, &parse);
      int changes = 1 + (int)(next_random(&seed) * 6);
      for (int c = 0; c < changes; c++) {
        int64_t at = (int64_t)(next_random(&seed) * (double)f.size);
        double kind = next_random(&seed);
        if (kind < 0.4)
          f.data[at] = odd[(int)(next_random(&seed) * (sizeof odd - 1))];
        else if (kind < 0.7)
          f.data[at] = (char)(f.data[at] ^ 1 << (int)(next_random(&seed) * 8));
        else if (kind < 0.85) /* something is missing */
          memmove(f.data + at, f.data + at + 1, (size_t)(--f.size - at));
        else if (f.size < 4000) { /* something is doubled */
          memmove(f.data + at + 1, f.data + at, (size_t)(f.size++ - at));
        }
      }
      read_bytes(parse, f.data, f.size);
    }
}

typedef struct story_arg {
  file f;
  parse_fn *parse;
} story_arg;

static abut_status parse_once(abut_context *ctx, void *arg)
{
  const story_arg *a = arg;
  abut_mesh_data m;
  abut_status status = a->parse(ctx, "t", a->f.data, a->f.size, &m);
  abut_mesh_free(ctx, &m);
  return status;
}

static void running_out_of_memory_anywhere_is_reported_and_leaks_nothing(void **state)
{
  (void)state;
  for (int s = 0; s < SAMPLES; s++) {
    story_arg arg;
    arg.f = sample(s, &arg.parse);
    assert_true(fail_every_allocation(parse_once, &arg) >= 6);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_truncation_is_refused_or_a_smaller_mesh),
      cmocka_unit_test(bytes_that_change_never_crash_a_reader),
      cmocka_unit_test(running_out_of_memory_anywhere_is_reported_and_leaks_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
