#include "mesh/shapes.h"

#include "base/memory.h"
#include "mesh/shape_parts.h"

static const double PI = 3.14159265358979323846;

static abut_status check_length(abut_context *ctx, const char *key, double value)
{
  if (value > 0 && isfinite(value)) return ABUT_OK;
  return abut_fail(ctx, ABUT_BAD_ARGUMENT, "%s must be a positive length (is %g)", key, value);
}

abut_status abut_shape_check(abut_context *ctx, const abut_shape_class *class,
                             const abut_shape *shape, bool solid)
{
  if (solid && !class->solid)
    return abut_fail(ctx, ABUT_BAD_ARGUMENT,
                     "a %s has no tetrahedra inside; take a box or a ball for a solid",
                     class->name);
  for (int i = 0; i < class->sizes; i++) ABUT_TRY(check_length(ctx, "size", shape->size[i]));
  if (class->radius) ABUT_TRY(check_length(ctx, "radius", shape->radius));
  if (class->height) ABUT_TRY(check_length(ctx, "height", shape->height));
  for (int i = 0; i < class->cells; i++)
    if (shape->cells[i] < 1)
      return abut_fail(ctx, ABUT_BAD_ARGUMENT, "cells must be at least 1 (is %d)", shape->cells[i]);
  return ABUT_OK;
}

abut_status abut_shape_reserve(abut_context *ctx, int64_t vertices, int64_t triangles, int64_t tets,
                               abut_mesh_data *mesh)
{
  if (vertices > INT32_MAX || triangles > INT32_MAX / 3 || tets > INT32_MAX / 4)
    return abut_fail(ctx, ABUT_UNSUPPORTED,
                     "cells are too many: the mesh would have more corners than 32 bits count");
  ABUT_MAKE(ctx, mesh->x, vertices);
  ABUT_MAKE(ctx, mesh->triangle, 3 * triangles);
  ABUT_MAKE(ctx, mesh->tet, 4 * tets);
  mesh->vertices = (int32_t)vertices;
  mesh->triangles = (int32_t)triangles;
  mesh->tets = (int32_t)tets;
  return ABUT_OK;
}

static int32_t *put_triangle(int32_t *t, int64_t a, int64_t b, int64_t c)
{
  t[0] = (int32_t)a;
  t[1] = (int32_t)b;
  t[2] = (int32_t)c;
  return t + 3;
}

/* --- grid --- */

static void fill_grid(const abut_shape *s, abut_mesh_data *mesh)
{
  int64_t m = s->cells[0], n = s->cells[1], row = m + 1;
  double quarter = s->equilateral ? s->size[0] / (4 * (double)m) : 0;
  for (int64_t j = 0; j <= n; j++)
    for (int64_t i = 0; i <= m; i++)
      mesh->x[j * row + i] =
          v3(s->size[0] * ((double)i / (double)m - 0.5) + (j % 2 ? quarter : -quarter),
             s->size[1] * ((double)j / (double)n - 0.5), 0);
  int32_t *t = mesh->triangle;
  for (int64_t j = 0; j < n; j++)
    for (int64_t i = 0; i < m; i++) {
      int64_t a = j * row + i, b = a + 1, c = a + row + 1, d = a + row;
      if (s->equilateral ? j % 2 : (i + j) % 2 == 0)
        t = put_triangle(put_triangle(t, a, b, c), a, c, d);
      else
        t = put_triangle(put_triangle(t, a, b, d), b, c, d);
    }
}

static abut_status make_grid(abut_context *ctx, const abut_shape *s, bool solid,
                             abut_mesh_data *mesh)
{
  *mesh = (abut_mesh_data){0};
  ABUT_TRY(abut_shape_check(ctx, &abut_shape_grid, s, solid));
  int64_t m = s->cells[0], n = s->cells[1];
  abut_status status = abut_shape_reserve(ctx, (m + 1) * (n + 1), 2 * m * n, 0, mesh);
  if (status == ABUT_OK)
    fill_grid(s, mesh);
  else
    abut_mesh_free(ctx, mesh);
  return status;
}

const abut_shape_class abut_shape_grid = {
    .name = "grid",
    .keys = "size [a, b], cells [m, n], pattern (alternate, equilateral)",
    .sizes = 2,
    .cells = 2,
    .make = make_grid,
};

/* --- disc --- */

/* vertex k of ring r, which has 6 r of them */
static int64_t disc_vertex(int64_t r, int64_t k)
{
  return r == 0 ? 0 : 1 + 3 * r * (r - 1) + k % (6 * r);
}

static void fill_disc(const abut_shape *s, abut_mesh_data *mesh)
{
  int64_t rings = s->cells[0];
  mesh->x[0] = v3(0, 0, 0);
  int32_t *t = mesh->triangle;
  for (int64_t r = 1; r <= rings; r++) {
    double radius = s->radius * ((double)r / (double)rings);
    for (int64_t k = 0; k < 6 * r; k++) {
      double angle = 2 * PI * (double)k / (double)(6 * r);
      mesh->x[disc_vertex(r, k)] = v3(radius * cos(angle), radius * sin(angle), 0);
    }
    /* six sectors; in each, r triangles point inwards and r - 1 outwards */
    for (int64_t sector = 0; sector < 6; sector++)
      for (int64_t k = 0; k < r; k++) {
        int64_t inner = sector * (r - 1) + k, outer = sector * r + k;
        int64_t a = disc_vertex(r - 1, inner), b = disc_vertex(r, outer + 1);
        t = put_triangle(t, a, disc_vertex(r, outer), b);
        if (k < r - 1) t = put_triangle(t, a, b, disc_vertex(r - 1, inner + 1));
      }
  }
}

static abut_status make_disc(abut_context *ctx, const abut_shape *s, bool solid,
                             abut_mesh_data *mesh)
{
  *mesh = (abut_mesh_data){0};
  ABUT_TRY(abut_shape_check(ctx, &abut_shape_disc, s, solid));
  /* larger counts are refused alike, and their squares would not fit 64 bits */
  int64_t r = s->cells[0] < 100000 ? s->cells[0] : 100000;
  abut_status status = abut_shape_reserve(ctx, 1 + 3 * r * (r + 1), 6 * r * r, 0, mesh);
  if (status == ABUT_OK)
    fill_disc(s, mesh);
  else
    abut_mesh_free(ctx, mesh);
  return status;
}

const abut_shape_class abut_shape_disc = {
    .name = "disc",
    .keys = "radius, cells (rings)",
    .cells = 1,
    .radius = true,
    .make = make_disc,
};

/* --- tube --- */

static void fill_tube(const abut_shape *s, abut_mesh_data *mesh)
{
  int64_t m = s->cells[0], n = s->cells[1];
  for (int64_t j = 0; j <= n; j++)
    for (int64_t i = 0; i < m; i++) {
      double angle = 2 * PI * (double)i / (double)m;
      mesh->x[j * m + i] = v3(s->radius * cos(angle), s->radius * sin(angle),
                              s->height * ((double)j / (double)n - 0.5));
    }
  int32_t *t = mesh->triangle;
  for (int64_t j = 0; j < n; j++)
    for (int64_t i = 0; i < m; i++) {
      int64_t a = j * m + i, b = j * m + (i + 1) % m, c = b + m, d = a + m;
      t = put_triangle(put_triangle(t, a, b, c), a, c, d);
    }
}

static abut_status make_tube(abut_context *ctx, const abut_shape *s, bool solid,
                             abut_mesh_data *mesh)
{
  *mesh = (abut_mesh_data){0};
  ABUT_TRY(abut_shape_check(ctx, &abut_shape_tube, s, solid));
  int64_t m = s->cells[0], n = s->cells[1];
  if (m < 3)
    return abut_fail(ctx, ABUT_BAD_ARGUMENT, "cells around a tube must be at least 3 (are %d)",
                     s->cells[0]);
  abut_status status = abut_shape_reserve(ctx, m * (n + 1), 2 * m * n, 0, mesh);
  if (status == ABUT_OK)
    fill_tube(s, mesh);
  else
    abut_mesh_free(ctx, mesh);
  return status;
}

const abut_shape_class abut_shape_tube = {
    .name = "tube",
    .keys = "radius, height, cells [around, along]",
    .cells = 2,
    .radius = true,
    .height = true,
    .make = make_tube,
};
