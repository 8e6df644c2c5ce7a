#include "contact/surface.h"

#include "base/memory.h"

void abut_surface_free(abut_context *ctx, abut_surface *s)
{
  void *blocks[] = {s->point,
                    s->point_object,
                    s->edge,
                    s->edge_object,
                    s->edge_rest2,
                    s->face,
                    s->face_object,
                    s->sphere,
                    s->sphere_object,
                    s->radius,
                    s->plane_point,
                    s->plane_normal,
                    s->plane_object,
                    s->rules.class_of,
                    s->rules.enabled,
                    s->rules.friction,
                    s->rules.self_enabled,
                    s->rules.self_friction};
  for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) abut_free(ctx, blocks[i]);
  *s = (abut_surface){0};
}

static int first_vertices(const abut_surface *s, abut_pair_kind kind, int32_t a, int32_t *v)
{
  switch (kind) {
  case ABUT_EDGE_EDGE:
    v[0] = s->edge[2 * a];
    v[1] = s->edge[2 * a + 1];
    return 2;
  case ABUT_VERTEX_FACE:
  case ABUT_VERTEX_PLANE: v[0] = s->point[a]; return 1;
  default: v[0] = s->sphere[a]; return 1;
  }
}

static int second_vertices(const abut_surface *s, abut_pair_kind kind, int32_t b, int32_t *v)
{
  switch (kind) {
  case ABUT_EDGE_EDGE:
    v[0] = s->edge[2 * b];
    v[1] = s->edge[2 * b + 1];
    return 2;
  case ABUT_VERTEX_FACE:
  case ABUT_BALL_FACE:
    for (int k = 0; k < 3; k++) v[k] = s->face[3 * b + k];
    return 3;
  case ABUT_BALL_BALL: v[0] = s->sphere[b]; return 1;
  default: return 0;
  }
}

int abut_pair_vertices(const abut_surface *s, uint64_t key, int32_t vertex[4])
{
  abut_pair_kind kind = abut_pair_kind_of(key);
  for (int k = 0; k < 4; k++) vertex[k] = -1;
  int n = first_vertices(s, kind, abut_pair_first(key), vertex);
  return n + second_vertices(s, kind, abut_pair_second(key), vertex + n);
}

double abut_pair_offset(const abut_surface *s, uint64_t key)
{
  int32_t a = abut_pair_first(key), b = abut_pair_second(key);
  switch (abut_pair_kind_of(key)) {
  case ABUT_BALL_FACE:
  case ABUT_BALL_PLANE: return s->radius[a] + 0.5 * s->gap;
  case ABUT_BALL_BALL: return s->radius[a] + s->radius[b];
  default: return s->gap;
  }
}

void abut_pair_objects(const abut_surface *s, uint64_t key, int32_t object[2])
{
  int32_t a = abut_pair_first(key), b = abut_pair_second(key);
  switch (abut_pair_kind_of(key)) {
  case ABUT_VERTEX_FACE: object[0] = s->point_object[a], object[1] = s->face_object[b]; break;
  case ABUT_EDGE_EDGE: object[0] = s->edge_object[a], object[1] = s->edge_object[b]; break;
  case ABUT_BALL_FACE: object[0] = s->sphere_object[a], object[1] = s->face_object[b]; break;
  case ABUT_BALL_BALL: object[0] = s->sphere_object[a], object[1] = s->sphere_object[b]; break;
  case ABUT_VERTEX_PLANE: object[0] = s->point_object[a], object[1] = s->plane_object[b]; break;
  default: object[0] = s->sphere_object[a], object[1] = s->plane_object[b]; break;
  }
}
