#include "contact/exact_surface.h"

#include "base/scratch.h"

/* vertices are no copies of others here; which pairs of objects are on */
static abut_status make_tables(abut_context *ctx, const abut_surface *s, int32_t **identity,
                               bool **enabled)
{
  int64_t objects = s->rules.objects;
  *identity = ABUT_SCRATCH(ctx, int32_t, s->vertices);
  *enabled = ABUT_SCRATCH(ctx, bool, objects *objects);
  if (!*identity || !*enabled) return ABUT_NO_MEMORY;
  for (int32_t v = 0; v < s->vertices; v++) (*identity)[v] = v;
  for (int32_t a = 0; a < objects; a++)
    for (int32_t b = 0; b < objects; b++)
      (*enabled)[a * objects + b] = abut_pair_enabled(&s->rules, a, b);
  return ABUT_OK;
}

abut_status abut_exact_surface_crossings(abut_context *ctx, const abut_surface *s, const vec3 *x,
                                         const bool *prescribed, abut_crossing **crossing,
                                         int64_t *count)
{
  *crossing = NULL;
  *count = 0;
  abut_mark mark = abut_scratch_mark(ctx);
  int32_t *identity;
  bool *enabled;
  abut_status status = make_tables(ctx, s, &identity, &enabled);
  abut_exact_scene scene = {.vertices = s->vertices,
                            .x = x,
                            .identity = identity,
                            .prescribed = prescribed,
                            .edges = s->edges,
                            .faces = s->faces,
                            .spheres = s->spheres,
                            .planes = s->planes,
                            .points = s->points,
                            .edge = s->edge,
                            .edge_object = s->edge_object,
                            .face = s->face,
                            .face_object = s->face_object,
                            .sphere = s->sphere,
                            .sphere_object = s->sphere_object,
                            .radius = s->radius,
                            .plane_origin = s->plane_point,
                            .plane_normal = s->plane_normal,
                            .plane_object = s->plane_object,
                            .point = s->point,
                            .point_object = s->point_object,
                            .objects = s->rules.objects,
                            .enabled = enabled};
  if (status == ABUT_OK) status = abut_exact_crossings(ctx, &scene, crossing, count);
  abut_scratch_release(ctx, mark);
  return status;
}
