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
