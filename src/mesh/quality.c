#include "mesh/quality.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "mesh/topology.h"

double abut_tet_volume(vec3 a, vec3 b, vec3 c, vec3 d)
{
  return v3_dot(v3_sub(b, a), v3_cross(v3_sub(c, a), v3_sub(d, a))) / 6;
}

double abut_triangle_area(vec3 a, vec3 b, vec3 c)
{
  return v3_norm(v3_cross(v3_sub(b, a), v3_sub(c, a))) / 2;
}

/* mean of the squared edges */
static double mean_square(const vec3 *p, int corners)
{
  double sum = 0;
  for (int i = 0; i < corners; i++)
    for (int j = i + 1; j < corners; j++) sum += v3_norm2(v3_sub(p[i], p[j]));
  return sum / (corners * (corners - 1) / 2);
}

static bool repeats(const int32_t *c, int corners)
{
  for (int i = 0; i < corners; i++)
    for (int j = i + 1; j < corners; j++)
      if (c[i] == c[j]) return true;
  return false;
}

/* Parthasarathy, Graichen, Hathaway, A comparison of tetrahedron quality measures (1994), gamma;
   for triangles Bank's measure 4 sqrt(3) A / sum l^2. Both scale free, 1 for the regular cell. */
static abut_cell_quality check_cell(const vec3 *x, const int32_t *c, int corners)
{
  vec3 p[4];
  for (int i = 0; i < corners; i++) p[i] = x[c[i]];
  abut_cell_quality r = {0, 0, ABUT_CELL_FINE};
  double l2 = mean_square(p, corners);
  if (corners == 2) {
    r.measure = sqrt(l2);
    r.quality = l2 > 0;
  } else if (corners == 3) {
    r.measure = abut_triangle_area(p[0], p[1], p[2]);
    r.quality = l2 > 0 ? 4 / sqrt(3) * r.measure / l2 : 0;
  } else {
    r.measure = abut_tet_volume(p[0], p[1], p[2], p[3]);
    r.quality = l2 > 0 ? 6 * sqrt(2) * fabs(r.measure) / (l2 * sqrt(l2)) : 0;
  }
  if (repeats(c, corners) || !(r.quality >= ABUT_DEGENERATE_QUALITY))
    r.verdict = ABUT_CELL_DEGENERATE;
  else if (r.measure < 0)
    r.verdict = ABUT_CELL_INVERTED;
  else if (r.quality < ABUT_SLIVER_QUALITY)
    r.verdict = ABUT_CELL_SLIVER;
  return r;
}

typedef struct check_args {
  const vec3 *x;
  const int32_t *cell;
  int corners;
  abut_cell_quality *result;
} check_args;

static void check_range(void *arg, int64_t begin, int64_t end)
{
  const check_args *a = arg;
  for (int64_t i = begin; i < end; i++)
    a->result[i] = check_cell(a->x, a->cell + i * a->corners, a->corners);
}

void abut_cells_check(const abut_context *ctx, const vec3 *x, const int32_t *cell, int32_t cells,
                      int corners, abut_cell_quality *result)
{
  check_args args = {x, cell, corners, result};
  abut_parallel_for(ctx, cells, 4096, check_range, &args);
}

/* --- surfaces --- */

static int32_t edge_end(const abut_keyed *side, int32_t begin, int32_t n)
{
  int32_t end = begin + 1;
  while (end < n && side[end].key == side[begin].key) end++;
  return end;
}

/* two triangles that run along their edge from the same vertex */
static bool same_way(const int32_t *triangle, const abut_keyed *side)
{
  return triangle[side[0].value] == triangle[side[1].value];
}

static void write_edge(int32_t *edge, uint64_t key)
{
  edge[0] = (int32_t)(key >> 32);
  edge[1] = (int32_t)(uint32_t)key;
}

static abut_status sort_edges(abut_context *ctx, const int32_t *triangle, const abut_keyed *side,
                              int32_t n, abut_surface_faults *f)
{
  int32_t crowded = 0, wrong = 0;
  for (int32_t i = 0, end; i < n; i = end) {
    end = edge_end(side, i, n);
    f->border += end - i == 1;
    crowded += end - i > 2;
    wrong += end - i == 2 && same_way(triangle, side + i);
  }
  ABUT_MAKE(ctx, f->nonmanifold_edge, 2 * (int64_t)crowded);
  ABUT_MAKE(ctx, f->nonmanifold_faces, crowded);
  ABUT_MAKE(ctx, f->miswound_edge, 2 * (int64_t)wrong);
  ABUT_MAKE(ctx, f->miswound_face, 2 * (int64_t)wrong);
  for (int32_t i = 0, end; i < n; i = end) {
    end = edge_end(side, i, n);
    if (end - i > 2) {
      write_edge(f->nonmanifold_edge + 2 * f->nonmanifold, side[i].key);
      f->nonmanifold_faces[f->nonmanifold++] = end - i;
    } else if (end - i == 2 && same_way(triangle, side + i)) {
      write_edge(f->miswound_edge + 2 * f->miswound, side[i].key);
      f->miswound_face[2 * f->miswound] = side[i].value / 3;
      f->miswound_face[2 * f->miswound + 1] = side[i + 1].value / 3;
      f->miswound++;
    }
  }
  return ABUT_OK;
}

static abut_status list_repeated(abut_context *ctx, const int32_t *same, int32_t triangles,
                                 abut_surface_faults *f)
{
  int32_t n = 0;
  for (int32_t i = 0; i < triangles; i++) n += same[i] != i;
  ABUT_MAKE(ctx, f->repeated_face, 2 * (int64_t)n);
  for (int32_t i = 0; i < triangles; i++) {
    if (same[i] == i) continue;
    f->repeated_face[2 * (int64_t)f->repeated] = i;
    f->repeated_face[2 * (int64_t)f->repeated + 1] = same[i];
    f->repeated++;
  }
  return ABUT_OK;
}

static abut_status find_repeated(abut_context *ctx, const int32_t *triangle, int32_t triangles,
                                 abut_surface_faults *f)
{
  int32_t *same = ABUT_NEW(ctx, int32_t, triangles);
  if (!same) return ABUT_NO_MEMORY;
  abut_status status = abut_same_cells(ctx, triangle, triangles, 3, same);
  if (status == ABUT_OK) status = list_repeated(ctx, same, triangles, f);
  abut_free(ctx, same);
  return status;
}

abut_status abut_surface_check(abut_context *ctx, const int32_t *triangle, int32_t triangles,
                               abut_surface_faults *faults)
{
  *faults = (abut_surface_faults){0};
  abut_keyed *side;
  int32_t sides;
  ABUT_TRY(abut_sides_of(ctx, triangle, triangles, &side, &sides));
  abut_status status = sort_edges(ctx, triangle, side, sides, faults);
  abut_free(ctx, side);
  if (status == ABUT_OK) status = find_repeated(ctx, triangle, triangles, faults);
  if (status != ABUT_OK) abut_surface_faults_free(ctx, faults);
  return status;
}

void abut_surface_faults_free(abut_context *ctx, abut_surface_faults *f)
{
  abut_free(ctx, f->nonmanifold_edge);
  abut_free(ctx, f->nonmanifold_faces);
  abut_free(ctx, f->miswound_edge);
  abut_free(ctx, f->miswound_face);
  abut_free(ctx, f->repeated_face);
  *f = (abut_surface_faults){0};
}

/* --- vertices --- */

abut_status abut_isolated_of(abut_context *ctx, const abut_mesh_data *mesh, int32_t **vertex,
                             int32_t *count)
{
  *vertex = NULL;
  *count = 0;
  bool *used = ABUT_NEW_ZERO(ctx, bool, mesh->vertices);
  if (!used) return ABUT_NO_MEMORY;
  abut_mark_used(mesh->triangle, mesh->triangles, 3, used);
  abut_mark_used(mesh->tet, mesh->tets, 4, used);
  abut_mark_used(mesh->line, mesh->lines, 2, used);
  int32_t n = 0;
  for (int32_t v = 0; v < mesh->vertices; v++) n += !used[v];
  *vertex = ABUT_NEW(ctx, int32_t, n);
  for (int32_t v = 0; *vertex && v < mesh->vertices; v++)
    if (!used[v]) (*vertex)[(*count)++] = v;
  abut_free(ctx, used);
  return *vertex ? ABUT_OK : ABUT_NO_MEMORY;
}
