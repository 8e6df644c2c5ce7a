#include "mesh/quality.h"
#include "mesh/shape_parts.h"

/* A ball is 20 tetrahedra that join the faces of an icosahedron to the centre. Each is cut into n^3
   by planes parallel to its faces; layer r, the lattice points r planes from the centre, is bent
   onto a sphere of radius r/n. */

enum { CORNERS = 12, EDGES = 30, FACES = 20 };

/* (0, 1, phi) and its even permutations and signs; faces counter-clockwise from outside */
#define PHI 1.6180339887498948482
static const double icosahedron[CORNERS][3] = {
    {-1, PHI, 0},  {1, PHI, 0},  {-1, -PHI, 0}, {1, -PHI, 0}, {0, -1, PHI},  {0, 1, PHI},
    {0, -1, -PHI}, {0, 1, -PHI}, {PHI, 0, -1},  {PHI, 0, 1},  {-PHI, 0, -1}, {-PHI, 0, 1}};
static const int face_corner[FACES][3] = {
    {0, 11, 5},  {0, 5, 1},  {0, 1, 7},  {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4},
    {11, 10, 2}, {10, 7, 6}, {7, 1, 8},  {3, 9, 4},  {3, 4, 2},   {3, 2, 6}, {3, 6, 8},
    {3, 8, 9},   {4, 9, 5},  {2, 4, 11}, {6, 2, 10}, {8, 6, 7},   {9, 8, 1}};

typedef struct ball {
  int64_t layers;
  bool solid;
  int edge[CORNERS][CORNERS]; /* number of the edge between two corners, or -1 */
  int end[EDGES][2];          /* its corners, the lower first */
} ball;

static void number_edges(ball *b)
{
  int n = 0;
  for (int i = 0; i < CORNERS; i++)
    for (int j = 0; j < CORNERS; j++) b->edge[i][j] = -1;
  for (int f = 0; f < FACES; f++)
    for (int k = 0; k < 3; k++) {
      int i = face_corner[f][k], j = face_corner[f][(k + 1) % 3];
      if (i > j) continue;
      b->edge[i][j] = b->edge[j][i] = n;
      b->end[n][0] = i;
      b->end[n++][1] = j;
    }
}

/* number of the first vertex of layer r; the surface mesh has the last layer only */
static int64_t layer_begin(const ball *b, int64_t r)
{
  if (!b->solid || r == 0) return 0;
  return 1 + 5 * (r - 1) * r * (2 * r - 1) / 3 + 2 * (r - 1);
}

/* the vertex of face f with weights w[0] + w[1] + w[2] = r of its corners. A layer holds the
   corners, then the insides of edges, then those of faces, so that faces share what they share. */
static int64_t vertex_of(const ball *b, int f, const int64_t w[3])
{
  int64_t r = w[0] + w[1] + w[2], begin = layer_begin(b, r);
  if (r == 0) return 0;
  const int *c = face_corner[f];
  for (int k = 0; k < 3; k++)
    if (w[k] == r) return begin + c[k];
  for (int k = 0; k < 3; k++) {
    if (w[k]) continue;
    int i = (k + 1) % 3, j = (k + 2) % 3, high = c[i] < c[j] ? j : i;
    return begin + CORNERS + b->edge[c[i]][c[j]] * (r - 1) + w[high] - 1;
  }
  int64_t before = (w[0] - 1) * (r - 1) - (w[0] - 1) * w[0] / 2 + w[1] - 1;
  return begin + CORNERS + EDGES * (r - 1) + f * ((r - 1) * (r - 2) / 2) + before;
}

static vec3 corner_at(int c)
{
  return v3(icosahedron[c][0], icosahedron[c][1], icosahedron[c][2]);
}

static void place_layer(const ball *b, int64_t r, vec3 *x)
{
  vec3 *out = x + layer_begin(b, r);
  double size = (double)r / (double)b->layers;
  for (int c = 0; c < CORNERS; c++) *out++ = v3_scale(v3_unit(corner_at(c)), size);
  for (int e = 0; e < EDGES; e++)
    for (int64_t t = 1; t < r; t++) {
      vec3 p = v3_scale(corner_at(b->end[e][0]), (double)(r - t));
      p = v3_madd(p, corner_at(b->end[e][1]), (double)t);
      *out++ = v3_scale(v3_unit(p), size);
    }
  for (int f = 0; f < FACES; f++)
    for (int64_t i = 1; i < r; i++)
      for (int64_t j = 1; i + j < r; j++) {
        vec3 p = v3_scale(corner_at(face_corner[f][0]), (double)i);
        p = v3_madd(p, corner_at(face_corner[f][1]), (double)j);
        p = v3_madd(p, corner_at(face_corner[f][2]), (double)(r - i - j));
        *out++ = v3_scale(v3_unit(p), size);
      }
}

static int32_t *put_tet(int32_t *t, int32_t a, int32_t b, int32_t c, int32_t d)
{
  t[0] = a;
  t[1] = b;
  t[2] = c;
  t[3] = d;
  return t + 4;
}

/* the eight vertices of the lattice cell at w: bit k of the number is a step along corner k */
static void cell_of(const ball *b, int f, const int64_t w[3], int bits, int32_t v[8])
{
  for (int k = 0; k < 8; k++) {
    int steps = (k & 1) + (k >> 1 & 1) + (k >> 2 & 1);
    if (steps > bits) continue;
    int64_t at[3] = {w[0] + (k & 1), w[1] + (k >> 1 & 1), w[2] + (k >> 2 & 1)};
    v[k] = (int32_t)vertex_of(b, f, at);
  }
}

/* An octahedron lies between the corners of a lattice cell. It is cut around one of its three
   diagonals: four tetrahedra (first, last, ring[k], ring[k + 1]). */
static const struct octahedron {
  int first, last, ring[4];
} octahedra[3] = {
    {1, 6, {4, 5, 3, 2}},
    {2, 5, {1, 3, 6, 4}},
    {4, 3, {2, 6, 5, 1}},
};

static double worst_quality(const abut_context *ctx, const vec3 *x, const int32_t *tet)
{
  abut_cell_quality q[4];
  abut_cells_check(ctx, x, tet, 4, 4, q);
  double worst = q[0].quality;
  for (int k = 1; k < 4; k++) worst = q[k].quality < worst ? q[k].quality : worst;
  return worst;
}

/* takes the diagonal of the best worst tetrahedron; the margin keeps ties from depending on
   rounding */
static int32_t *cut_octahedron(const abut_context *ctx, const vec3 *x, const int32_t v[8],
                               int32_t *t)
{
  double best = 0;
  for (int d = 0; d < 3; d++) {
    const struct octahedron *o = &octahedra[d];
    int32_t trial[16], *out = trial;
    for (int k = 0; k < 4; k++)
      out = put_tet(out, v[o->first], v[o->last], v[o->ring[k]], v[o->ring[(k + 1) % 4]]);
    double worst = worst_quality(ctx, x, trial);
    if (d > 0 && !(worst > best * (1 + 1e-6))) continue;
    best = worst;
    for (int k = 0; k < 16; k++) t[k] = trial[k];
  }
  return t + 16;
}

static void fill_solid(const abut_context *ctx, const ball *b, const vec3 *x, int32_t *tet)
{
  for (int f = 0; f < FACES; f++)
    for (int64_t i = 0; i < b->layers; i++)
      for (int64_t j = 0; i + j < b->layers; j++)
        for (int64_t k = 0; i + j + k < b->layers; k++) {
          int64_t w[3] = {i, j, k}, left = b->layers - (i + j + k);
          int32_t v[8];
          cell_of(b, f, w, left < 3 ? (int)left : 3, v);
          tet = put_tet(tet, v[0], v[1], v[2], v[4]);
          if (left >= 2) tet = cut_octahedron(ctx, x, v, tet);
          if (left >= 3) tet = put_tet(tet, v[5], v[3], v[6], v[7]);
        }
}

static int32_t *put_lattice_triangle(const ball *b, int f, const int64_t w[3], bool up, int32_t *t)
{
  for (int k = 0; k < 3; k++) {
    int64_t at[3];
    for (int a = 0; a < 3; a++) at[a] = w[a] + (up ? a == k : a != k);
    *t++ = (int32_t)vertex_of(b, f, at);
  }
  return t;
}

static void fill_surface(const ball *b, int32_t *triangle)
{
  int64_t n = b->layers;
  for (int f = 0; f < FACES; f++)
    for (int64_t i = 0; i < n; i++)
      for (int64_t j = 0; i + j < n; j++) {
        int64_t up[3] = {i, j, n - 1 - i - j}, down[3] = {i, j, n - 2 - i - j};
        triangle = put_lattice_triangle(b, f, up, true, triangle);
        if (down[2] >= 0) triangle = put_lattice_triangle(b, f, down, false, triangle);
      }
}

static abut_status make(abut_context *ctx, const abut_shape *s, bool solid, abut_mesh_data *mesh)
{
  ball b = {.layers = s->cells[0], .solid = solid};
  number_edges(&b);
  /* larger counts are refused alike, and their cubes would not fit 64 bits */
  int64_t n = b.layers < 100000 ? b.layers : 100000;
  abut_status status =
      solid ? abut_shape_reserve(ctx, layer_begin(&b, n + 1), 0, 20 * n * n * n, mesh)
            : abut_shape_reserve(ctx, 10 * n * n + 2, 20 * n * n, 0, mesh);
  if (status != ABUT_OK) {
    abut_mesh_free(ctx, mesh);
    return status;
  }
  if (solid) mesh->x[0] = v3(0, 0, 0);
  for (int64_t r = solid ? 1 : n; r <= n; r++) place_layer(&b, r, mesh->x);
  if (solid)
    fill_solid(ctx, &b, mesh->x, mesh->tet);
  else
    fill_surface(&b, mesh->triangle);
  /* only now, so that the cells do not depend on the radius */
  for (int32_t v = 0; v < mesh->vertices; v++) mesh->x[v] = v3_scale(mesh->x[v], s->radius);
  return ABUT_OK;
}

static abut_status make_ball(abut_context *ctx, const abut_shape *s, bool solid,
                             abut_mesh_data *mesh)
{
  *mesh = (abut_mesh_data){0};
  ABUT_TRY(abut_shape_check(ctx, &abut_shape_ball, s, solid));
  return make(ctx, s, solid, mesh);
}

static abut_status make_sphere(abut_context *ctx, const abut_shape *s, bool solid,
                               abut_mesh_data *mesh)
{
  *mesh = (abut_mesh_data){0};
  ABUT_TRY(abut_shape_check(ctx, &abut_shape_sphere, s, solid));
  return make(ctx, s, solid, mesh);
}

const abut_shape_class abut_shape_ball = {
    .name = "ball",
    .keys = "radius, cells (layers from centre to surface)",
    .cells = 1,
    .radius = true,
    .solid = true,
    .make = make_ball,
};

const abut_shape_class abut_shape_sphere = {
    .name = "sphere",
    .keys = "radius, cells (layers from centre to surface)",
    .cells = 1,
    .radius = true,
    .make = make_sphere,
};
