#include "mesh/shape_parts.h"

/* Corner b of a cell is at (b & 1, b >> 1 & 1, b >> 2 & 1). Six tetrahedra, H. W. Kuhn, Some
   combinatorial lemmas in topology (1960): each goes from corner 0 to corner 7 along the axes in
   one order. Five: the corners of one parity span one, each other corner cuts off one. All are
   positive. */
static const int kuhn[6][4] = {{0, 1, 3, 7}, {0, 3, 2, 7}, {0, 2, 6, 7},
                               {0, 6, 4, 7}, {0, 4, 5, 7}, {0, 5, 1, 7}};
static const int five_even[5][4] = {
    {0, 5, 3, 6}, {1, 3, 0, 5}, {2, 0, 3, 6}, {4, 5, 0, 6}, {7, 3, 5, 6}};
static const int five_odd[5][4] = {
    {1, 2, 4, 7}, {0, 1, 2, 4}, {3, 2, 1, 7}, {5, 1, 4, 7}, {6, 4, 2, 7}};

typedef struct lattice {
  int64_t n[3];
  int tets;
} lattice;

static int64_t solid_vertex(const lattice *l, const int64_t at[3])
{
  return (at[2] * (l->n[1] + 1) + at[1]) * (l->n[0] + 1) + at[0];
}

/* the rank among the lattice's outer vertices, in the same order */
static int64_t surface_vertex(const lattice *l, const int64_t at[3])
{
  int64_t row = l->n[0] + 1, ring = 2 * (l->n[0] + l->n[1]), flat = row * (l->n[1] + 1);
  int64_t inside = at[1] * row + at[0];
  if (at[2] == 0) return inside;
  if (at[2] == l->n[2]) return flat + (at[2] - 1) * ring + inside;
  int64_t base = flat + (at[2] - 1) * ring;
  if (at[1] == 0) return base + at[0];
  base += row + 2 * (at[1] - 1);
  if (at[1] == l->n[1]) return base + at[0];
  return base + (at[0] == l->n[0]);
}

static bool is_outer(const lattice *l, const int64_t at[3])
{
  for (int a = 0; a < 3; a++)
    if (at[a] == 0 || at[a] == l->n[a]) return true;
  return false;
}

static void place_vertices(const lattice *l, const double size[3], bool solid, vec3 *x)
{
  int64_t at[3];
  for (at[2] = 0; at[2] <= l->n[2]; at[2]++)
    for (at[1] = 0; at[1] <= l->n[1]; at[1]++)
      for (at[0] = 0; at[0] <= l->n[0]; at[0]++) {
        if (!solid && !is_outer(l, at)) {
          at[0] = l->n[0] - 1; /* nothing on the surface until the far end of the row */
          continue;
        }
        double p[3];
        for (int a = 0; a < 3; a++) p[a] = size[a] * ((double)at[a] / (double)l->n[a] - 0.5);
        *x++ = v3(p[0], p[1], p[2]);
      }
}

static void fill_solid(const lattice *l, int32_t *tet)
{
  int64_t at[3];
  for (at[2] = 0; at[2] < l->n[2]; at[2]++)
    for (at[1] = 0; at[1] < l->n[1]; at[1]++)
      for (at[0] = 0; at[0] < l->n[0]; at[0]++) {
        bool odd = (at[0] + at[1] + at[2]) % 2;
        const int(*cut)[4] = l->tets == 6 ? kuhn : odd ? five_odd : five_even;
        for (int t = 0; t < l->tets; t++)
          for (int k = 0; k < 4; k++) {
            int b = cut[t][k];
            int64_t corner[3] = {at[0] + (b & 1), at[1] + (b >> 1 & 1), at[2] + (b >> 2 & 1)};
            *tet++ = (int32_t)solid_vertex(l, corner);
          }
      }
}

/* one cell of a side, counter-clockwise around the axis, cut as the tetrahedra behind it are */
static int32_t *cut_side_cell(const lattice *l, const int64_t at[3], int axis, bool far, int32_t *t)
{
  int u = (axis + 1) % 3, v = (axis + 2) % 3;
  int64_t q[4];
  for (int k = 0; k < 4; k++) {
    int64_t corner[3] = {at[0], at[1], at[2]};
    corner[u] += k == 1 || k == 2;
    corner[v] += k >= 2;
    q[k] = surface_vertex(l, corner);
  }
  bool straight = l->tets == 6 || (at[0] + at[1] + at[2]) % 2 == 0;
  static const int cut[2][6] = {{0, 1, 3, 1, 2, 3}, {0, 1, 2, 0, 2, 3}};
  for (int k = 0; k < 6; k++) t[far ? k : 5 - k] = (int32_t)q[cut[straight][k]];
  return t + 6;
}

static void fill_surface(const lattice *l, int32_t *triangle)
{
  for (int axis = 0; axis < 3; axis++)
    for (int far = 0; far < 2; far++) {
      int u = (axis + 1) % 3, v = (axis + 2) % 3;
      int64_t at[3];
      at[axis] = far ? l->n[axis] : 0;
      for (at[v] = 0; at[v] < l->n[v]; at[v]++)
        for (at[u] = 0; at[u] < l->n[u]; at[u]++)
          triangle = cut_side_cell(l, at, axis, far, triangle);
    }
}

static abut_status make_box(abut_context *ctx, const abut_shape *s, bool solid,
                            abut_mesh_data *mesh)
{
  *mesh = (abut_mesh_data){0};
  ABUT_TRY(abut_shape_check(ctx, &abut_shape_box, s, solid));
  if (s->tets != 5 && s->tets != 6)
    return abut_fail(ctx, ABUT_BAD_ARGUMENT, "tets must be 5 or 6 (is %d)", s->tets);
  lattice l = {.tets = s->tets};
  double product = 1;
  for (int a = 0; a < 3; a++) {
    l.n[a] = s->cells[a];
    product *= (double)l.n[a] + 1;
  }
  /* larger ones are refused anyhow, and would not fit 64 bits */
  if (product > 1e15) return abut_shape_reserve(ctx, INT64_MAX, 0, 0, mesh);
  int64_t *n = l.n, all = (n[0] + 1) * (n[1] + 1) * (n[2] + 1);
  int64_t inner = (n[0] - 1) * (n[1] - 1) * (n[2] - 1);
  int64_t quads = 2 * (n[0] * n[1] + n[1] * n[2] + n[2] * n[0]);
  abut_status status = solid ? abut_shape_reserve(ctx, all, 0, s->tets * n[0] * n[1] * n[2], mesh)
                             : abut_shape_reserve(ctx, all - inner, 2 * quads, 0, mesh);
  if (status != ABUT_OK) {
    abut_mesh_free(ctx, mesh);
    return status;
  }
  place_vertices(&l, s->size, solid, mesh->x);
  if (solid)
    fill_solid(&l, mesh->tet);
  else
    fill_surface(&l, mesh->triangle);
  return ABUT_OK;
}

const abut_shape_class abut_shape_box = {
    .name = "box",
    .keys = "size [a, b, c], cells [l, m, n], tets (6 or 5 a cell)",
    .sizes = 3,
    .cells = 3,
    .solid = true,
    .make = make_box,
};
