/* test_mesh.h: what the tests of meshes and readers share. */
#ifndef TEST_MESH_H
#define TEST_MESH_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/scratch.h"
#include "mesh/mesh.h"

#define CHECK_NEAR(value, expected, tolerance)                                                     \
  check_near((value), (expected), (tolerance), #value, __FILE__, __LINE__)

static inline void check_near(double value, double expected, double tolerance, const char *text,
                              const char *file, int line)
{
  if (fabs(value - expected) <= tolerance) return;
  print_error("%s is %.17g, not %.17g +- %g\n", text, value, expected, tolerance);
  _fail(file, line);
}

/* an allocator whose calls fail once `left` of them succeeded; -1: never */
typedef struct counted {
  int64_t left;
} counted;

static inline void *counted_alloc(void *ctx, size_t size)
{
  counted *c = ctx;
  if (c->left == 0) return NULL;
  if (c->left > 0) c->left--;
  return malloc(size);
}

static inline void counted_free(void *ctx, void *block, size_t size)
{
  (void)ctx;
  (void)size;
  free(block);
}

/* runs the story with its first, second, ... allocation failing, until none fails: each time the
   status says so and nothing leaks. Returns how many allocations there were. */
typedef abut_status story_fn(abut_context *ctx, void *arg);
static inline int64_t fail_every_allocation(story_fn *story, void *arg)
{
  for (int64_t n = 0;; n++) {
    counted state = {n};
    abut_allocator allocator = {counted_alloc, counted_free, &state};
    abut_context ctx;
    abut_context_init(&ctx, &allocator, 1);
    abut_status status = story(&ctx, arg);
    abut_context_free(&ctx);
    assert_int_equal(ctx.live, 0);
    if (status == ABUT_OK) return n;
    assert_int_equal(status, ABUT_NO_MEMORY);
  }
}

/* what a reader or the topology says of a mesh, for comparing two */
static inline void assert_same_mesh(const abut_mesh_data *a, const abut_mesh_data *b)
{
  assert_int_equal(a->vertices, b->vertices);
  assert_int_equal(a->triangles, b->triangles);
  assert_int_equal(a->tets, b->tets);
  assert_int_equal(a->lines, b->lines);
  if (a->vertices) assert_memory_equal(a->x, b->x, (size_t)a->vertices * sizeof *a->x);
  if (a->triangles) assert_memory_equal(a->triangle, b->triangle, 12 * (size_t)a->triangles);
  if (a->tets) assert_memory_equal(a->tet, b->tet, 16 * (size_t)a->tets);
  if (a->lines) assert_memory_equal(a->line, b->line, 8 * (size_t)a->lines);
}

static inline const abut_group *find_group(const abut_mesh_data *mesh, const char *name)
{
  for (int32_t g = 0; g < mesh->groups; g++)
    if (strcmp(mesh->group[g].name, name) == 0) return &mesh->group[g];
  return NULL;
}

/* a group that must exist and hold just these vertices */
static inline void assert_group(const abut_mesh_data *mesh, const char *name, int count,
                                const int32_t *vertex)
{
  const abut_group *group = find_group(mesh, name);
  if (!group) print_error("no group %s\n", name);
  assert_non_null(group);
  assert_int_equal(group->count, count);
  for (int i = 0; i < count; i++) assert_int_equal(group->vertex[i], vertex[i]);
}

/* the same pseudo-random numbers everywhere: in [0, 1) */
static inline double next_random(uint64_t *state)
{
  *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (double)(*state >> 11) / 9007199254740992.0;
}

#endif
