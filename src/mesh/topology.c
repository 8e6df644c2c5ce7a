#include "mesh/topology.h"

#include <string.h>

#include "base/memory.h"
#include "mesh/quality.h"

static abut_status refuse_count(abut_context *ctx, const char *what, int64_t count, int64_t most)
{
  return abut_fail(ctx, ABUT_UNSUPPORTED, "%lld %s are more than this version counts (%lld)",
                   (long long)count, what, (long long)most);
}

static uint64_t pack(int32_t a, int32_t b)
{
  return (uint64_t)(uint32_t)a << 32 | (uint32_t)b;
}

static uint64_t edge_key(int32_t a, int32_t b)
{
  return a < b ? pack(a, b) : pack(b, a);
}

/* unique keys in place; returns how many */
static int64_t drop_repeats(uint64_t *key, int64_t n)
{
  int64_t kept = 0;
  for (int64_t i = 0; i < n; i++)
    if (i == 0 || key[i] != key[i - 1]) key[kept++] = key[i];
  return kept;
}

static abut_status write_edges(abut_context *ctx, const uint64_t *key, int64_t n, int32_t **edge,
                               int32_t *count)
{
  if (n > INT32_MAX) return refuse_count(ctx, "edges", n, INT32_MAX);
  ABUT_MAKE(ctx, *edge, 2 * n);
  for (int64_t i = 0; i < n; i++) {
    (*edge)[2 * i] = (int32_t)(key[i] >> 32);
    (*edge)[2 * i + 1] = (int32_t)(uint32_t)key[i];
  }
  *count = (int32_t)n;
  return ABUT_OK;
}

abut_status abut_cell_edges_of(abut_context *ctx, const int32_t *cell, int32_t cells, int corners,
                               int32_t **edge, int32_t *count)
{
  *edge = NULL;
  *count = 0;
  int64_t n = 0, room = (int64_t)cells * (corners * (corners - 1) / 2);
  uint64_t *key = ABUT_NEW(ctx, uint64_t, 2 * room);
  if (!key) return ABUT_NO_MEMORY;
  for (int64_t i = 0; i < cells; i++) {
    const int32_t *c = cell + corners * i;
    for (int j = 0; j < corners; j++)
      for (int k = j + 1; k < corners; k++)
        if (c[j] != c[k]) key[n++] = edge_key(c[j], c[k]);
  }
  abut_sort_keys(key, key + room, n);
  abut_status status = write_edges(ctx, key, drop_repeats(key, n), edge, count);
  abut_free(ctx, key);
  return status;
}

abut_status abut_edges_of(abut_context *ctx, const int32_t *triangle, int32_t triangles,
                          int32_t **edge, int32_t *count)
{
  return abut_cell_edges_of(ctx, triangle, triangles, 3, edge, count);
}

abut_status abut_sides_of(abut_context *ctx, const int32_t *triangle, int32_t triangles,
                          abut_keyed **side, int32_t *count)
{
  *side = NULL;
  *count = 0;
  if (triangles > INT32_MAX / 3) return refuse_count(ctx, "triangles", triangles, INT32_MAX / 3);
  abut_keyed *item = ABUT_NEW(ctx, abut_keyed, 3 * (int64_t)triangles);
  abut_keyed *other = item ? ABUT_NEW(ctx, abut_keyed, 3 * (int64_t)triangles) : NULL;
  if (!other) {
    abut_free(ctx, item);
    return ABUT_NO_MEMORY;
  }
  int32_t n = 0;
  for (int32_t i = 0; i < 3 * triangles; i++) {
    int32_t a = triangle[i], b = triangle[i % 3 == 2 ? i - 2 : i + 1];
    if (a != b) item[n++] = (abut_keyed){edge_key(a, b), i};
  }
  abut_sort_keyed(item, other, n);
  abut_free(ctx, other);
  *side = item;
  *count = n;
  return ABUT_OK;
}

/* where the run of equal keys that starts at begin ends */
static int32_t run_end(const abut_keyed *item, int32_t begin, int32_t n)
{
  int32_t end = begin + 1;
  while (end < n && item[end].key == item[begin].key) end++;
  return end;
}

static bool has_repeat(const int32_t *t)
{
  return t[0] == t[1] || t[1] == t[2] || t[2] == t[0];
}

/* removes the sides of triangles that are no triangles; returns how many stay */
static int32_t drop_degenerate(abut_keyed *side, int32_t n, const int32_t *triangle)
{
  int32_t kept = 0;
  for (int32_t i = 0; i < n; i++)
    if (!has_repeat(triangle + side[i].value / 3 * 3)) side[kept++] = side[i];
  return kept;
}

/* the corner opposite the side */
static int32_t opposite(const int32_t *triangle, int32_t side)
{
  return triangle[side / 3 * 3 + (side % 3 + 2) % 3];
}

static void write_hinges(const abut_keyed *side, int32_t begin, int32_t end,
                         const int32_t *triangle, int32_t *hinge, int32_t *face)
{
  for (int32_t i = begin; i < end; i++)
    for (int32_t j = i + 1; j < end; j++) {
      int32_t s = side[i].value, t = side[j].value;
      *hinge++ = opposite(triangle, s);
      *hinge++ = opposite(triangle, t);
      *hinge++ = triangle[s];
      *hinge++ = triangle[s % 3 == 2 ? s - 2 : s + 1];
      *face++ = s / 3;
      *face++ = t / 3;
    }
}

static abut_status make_hinges(abut_context *ctx, const abut_keyed *side, int32_t sides,
                               const int32_t *triangle, int32_t **hinge, int32_t **face,
                               int32_t *count)
{
  int64_t n = 0;
  for (int32_t i = 0, end; i < sides; i = end) {
    end = run_end(side, i, sides);
    n += (int64_t)(end - i) * (end - i - 1) / 2;
  }
  if (n > INT32_MAX)
    return refuse_count(ctx, "pairs of triangles with a common edge", n, INT32_MAX);
  ABUT_MAKE(ctx, *hinge, 4 * n);
  ABUT_MAKE(ctx, *face, 2 * n);
  int64_t at = 0;
  for (int32_t i = 0, end; i < sides; i = end) {
    end = run_end(side, i, sides);
    write_hinges(side, i, end, triangle, *hinge + 4 * at, *face + 2 * at);
    at += (int64_t)(end - i) * (end - i - 1) / 2;
  }
  *count = (int32_t)n;
  return ABUT_OK;
}

abut_status abut_hinges_of(abut_context *ctx, const int32_t *triangle, int32_t triangles,
                           int32_t **hinge, int32_t **face, int32_t *count)
{
  *hinge = *face = NULL;
  *count = 0;
  abut_keyed *side;
  int32_t sides;
  ABUT_TRY(abut_sides_of(ctx, triangle, triangles, &side, &sides));
  sides = drop_degenerate(side, sides, triangle);
  abut_status status = make_hinges(ctx, side, sides, triangle, hinge, face, count);
  abut_free(ctx, side);
  if (status != ABUT_OK) {
    abut_free(ctx, *hinge);
    abut_free(ctx, *face);
    *hinge = *face = NULL;
  }
  return status;
}

/* the corners of a cell, ascending; unused places hold 0 */
typedef struct corner_set {
  int32_t v[4];
} corner_set;

static void sort_corners(int32_t *c, int n)
{
  for (int i = 1; i < n; i++)
    for (int j = i; j > 0 && c[j - 1] > c[j]; j--) {
      int32_t swap = c[j];
      c[j] = c[j - 1];
      c[j - 1] = swap;
    }
}

/* Groups cells by their sets of corners: order lists the cells sorted by set, then by index. */
static abut_status sort_sets(abut_context *ctx, const corner_set *sorted, int32_t cells,
                             abut_keyed **order)
{
  abut_keyed *item = ABUT_NEW(ctx, abut_keyed, 2 * (int64_t)cells);
  if (!item) return ABUT_NO_MEMORY;
  for (int32_t i = 0; i < cells; i++)
    item[i] = (abut_keyed){pack(sorted[i].v[2], sorted[i].v[3]), i};
  abut_sort_keyed(item, item + cells, cells);
  for (int32_t i = 0; i < cells; i++) {
    const int32_t *c = sorted[item[i].value].v;
    item[i].key = pack(c[0], c[1]);
  }
  abut_sort_keyed(item, item + cells, cells);
  *order = item;
  return ABUT_OK;
}

static bool same_set(const corner_set *a, const corner_set *b)
{
  return memcmp(a->v, b->v, sizeof a->v) == 0;
}

/* where the run of equal sets that starts at begin ends */
static int32_t set_end(const abut_keyed *order, const corner_set *sorted, int32_t begin, int32_t n)
{
  int32_t end = begin + 1;
  while (end < n && same_set(&sorted[order[end].value], &sorted[order[begin].value])) end++;
  return end;
}

abut_status abut_same_cells(abut_context *ctx, const int32_t *cell, int32_t cells, int corners,
                            int32_t *same)
{
  corner_set *sorted = ABUT_NEW_ZERO(ctx, corner_set, cells);
  if (!sorted) return ABUT_NO_MEMORY;
  for (int32_t i = 0; i < cells; i++) {
    for (int k = 0; k < corners; k++) sorted[i].v[k] = cell[(int64_t)corners * i + k];
    sort_corners(sorted[i].v, corners);
  }
  abut_keyed *order;
  abut_status status = sort_sets(ctx, sorted, cells, &order);
  for (int32_t i = 0, end; status == ABUT_OK && i < cells; i = end) {
    end = set_end(order, sorted, i, cells);
    for (int32_t j = i; j < end; j++) same[order[j].value] = order[i].value;
  }
  if (status == ABUT_OK) abut_free(ctx, order);
  abut_free(ctx, sorted);
  return status;
}

/* the faces of a positive tetrahedron, seen from outside counter-clockwise */
static const int tet_face[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};

static abut_status write_boundary(abut_context *ctx, const int32_t *tet, const abut_keyed *order,
                                  const corner_set *sorted, int32_t faces, int32_t **triangle,
                                  int32_t *count)
{
  bool *single = ABUT_NEW_ZERO(ctx, bool, faces);
  if (!single) return ABUT_NO_MEMORY;
  int32_t n = 0;
  for (int32_t i = 0, end; i < faces; i = end) {
    end = set_end(order, sorted, i, faces);
    single[order[i].value] = end == i + 1;
    n += end == i + 1;
  }
  int32_t *out = ABUT_NEW(ctx, int32_t, 3 * (int64_t)n);
  *triangle = out;
  *count = out ? n : 0;
  for (int32_t i = 0; out && i < faces; i++)
    for (int k = 0; single[i] && k < 3; k++) *out++ = tet[i / 4 * 4 + tet_face[i % 4][k]];
  abut_free(ctx, single);
  return *triangle ? ABUT_OK : ABUT_NO_MEMORY;
}

abut_status abut_boundary_of(abut_context *ctx, const int32_t *tet, int32_t tets,
                             int32_t **triangle, int32_t *count)
{
  *triangle = NULL;
  *count = 0;
  if (tets > INT32_MAX / 4) return refuse_count(ctx, "tetrahedra", tets, INT32_MAX / 4);
  int32_t faces = 4 * tets;
  corner_set *sorted = ABUT_NEW_ZERO(ctx, corner_set, faces);
  if (!sorted) return ABUT_NO_MEMORY;
  for (int32_t i = 0; i < faces; i++) {
    for (int k = 0; k < 3; k++) sorted[i].v[k] = tet[i / 4 * 4 + tet_face[i % 4][k]];
    sort_corners(sorted[i].v, 3);
  }
  abut_keyed *order;
  abut_status status = sort_sets(ctx, sorted, faces, &order);
  if (status == ABUT_OK) {
    status = write_boundary(ctx, tet, order, sorted, faces, triangle, count);
    abut_free(ctx, order);
  }
  abut_free(ctx, sorted);
  return status;
}

void abut_mark_used(const int32_t *cell, int64_t cells, int n, bool *used)
{
  for (int64_t i = 0; i < cells * n; i++) used[cell[i]] = true;
}

int32_t abut_orient_tets(const vec3 *x, int32_t *tet, int32_t tets, int32_t *first)
{
  int32_t turned = 0;
  *first = -1;
  for (int32_t i = 0; i < tets; i++) {
    int32_t *c = tet + 4 * (int64_t)i;
    if (!(abut_tet_volume(x[c[0]], x[c[1]], x[c[2]], x[c[3]]) < 0)) continue;
    int32_t swap = c[1];
    c[1] = c[2];
    c[2] = swap;
    if (turned++ == 0) *first = i;
  }
  return turned;
}
