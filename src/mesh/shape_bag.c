/* shape_bag.c: a bag of film for a bin, open at the top, with a flap that can be folded outwards.
 */
#include "base/memory.h"
#include "mesh/shape_parts.h"

static const double PI = 3.14159265358979323846;
enum { COLUMNS = 32, RINGS = 15, NECK = 11 };

/* radius and height of each ring, mm: the bottom, the wall, the neck ring, the flap. The four edges
   of a column of the flap add up to 30. */
static const double ring_mm[RINGS][2] = {{12.5, 0},    {25, 0},        {37.5, 0},   {50, 0},
                                         {52, 16},     {54, 34},       {56, 52},    {58, 70},
                                         {60, 88},     {61, 106},      {68, 114},   {68.5, 121.48},
                                         {69, 128.97}, {69.5, 136.45}, {70, 143.93}};

/* vertex of a column in a ring, both from 0; columns go round */
static int32_t bag_vertex(int ring, int column)
{
  return 1 + COLUMNS * ring + column % COLUMNS;
}

static void fill_vertices(bool folded, abut_mesh_data *mesh)
{
  double neck = 1e-3 * ring_mm[NECK - 1][1];
  mesh->x[0] = v3(0, 0, 0);
  for (int k = 0; k < RINGS; k++)
    for (int j = 0; j < COLUMNS; j++) {
      double r = 1e-3 * ring_mm[k][0], h = 1e-3 * ring_mm[k][1], angle = 2 * PI * j / COLUMNS;
      if (folded && h > neck) h = 2 * neck - h;
      mesh->x[bag_vertex(k, j)] = v3(r * cos(angle), r * sin(angle), h);
    }
}

static void fill_triangles(abut_mesh_data *mesh)
{
  int32_t *t = mesh->triangle;
  for (int j = 0; j < COLUMNS; j++) {
    int32_t fan[3] = {0, bag_vertex(0, j), bag_vertex(0, j + 1)};
    for (int k = 0; k < 3; k++) *t++ = fan[k];
  }
  for (int k = 0; k + 1 < RINGS; k++)
    for (int j = 0; j < COLUMNS; j++) {
      int32_t a = bag_vertex(k, j), b = bag_vertex(k, j + 1);
      int32_t c = bag_vertex(k + 1, j), d = bag_vertex(k + 1, j + 1);
      int32_t quad[6] = {a, c, d, a, d, b};
      for (int i = 0; i < 6; i++) *t++ = quad[i];
    }
}

static abut_status make_bag(abut_context *ctx, const abut_shape *s, bool solid,
                            abut_mesh_data *mesh)
{
  *mesh = (abut_mesh_data){0};
  ABUT_TRY(abut_shape_check(ctx, &abut_shape_bag, s, solid));
  abut_status status =
      abut_shape_reserve(ctx, 1 + COLUMNS * RINGS, COLUMNS * (2 * RINGS - 1), 0, mesh);
  if (status != ABUT_OK) {
    abut_mesh_free(ctx, mesh);
    return status;
  }
  fill_vertices(s->folded, mesh);
  fill_triangles(mesh);
  return ABUT_OK;
}

const abut_shape_class abut_shape_bag = {
    .name = "bag",
    .keys = "folded (the flap hangs outside)",
    .make = make_bag,
};
