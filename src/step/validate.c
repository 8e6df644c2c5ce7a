#include "step/validate.h"

#include "base/memory.h"
#include "contact/exact.h"

typedef struct tables {
  int32_t *identity;
  bool *enabled;
} tables;

static abut_status make_tables(abut_context *ctx, const abut_surface *s, tables *t)
{
  int64_t objects = s->rules.objects;
  ABUT_MAKE(ctx, t->identity, s->vertices);
  ABUT_MAKE(ctx, t->enabled, objects * objects);
  for (int32_t v = 0; v < s->vertices; v++) t->identity[v] = v;
  for (int32_t a = 0; a < objects; a++)
    for (int32_t b = 0; b < objects; b++)
      t->enabled[a * objects + b] = abut_pair_enabled(&s->rules, a, b);
  return ABUT_OK;
}

static const char *const kind_name[] = {"an edge crosses a face", "a sphere overlaps a face",
                                        "two spheres overlap", "a vertex is behind a plane",
                                        "a sphere overlaps a plane"};

static abut_status report(abut_context *ctx, const abut_crossing *list, int64_t count)
{
  if (count == 0) return ABUT_OK;
  const abut_crossing *c = &list[0];
  abut_status status = abut_fail(
      ctx, ABUT_STOPPED, "internal check: %s (primitives %d and %d; %lld in all) at %g %g %g",
      kind_name[c->kind], c->a, c->b, (long long)count, c->position.x, c->position.y,
      c->position.z);
  return status;
}

abut_status abut_validate(abut_context *ctx, const abut_surface *s, const bool *prescribed,
                          const vec3 *x)
{
  tables t = {0};
  abut_crossing *list = NULL;
  int64_t count = 0;
  abut_status status = make_tables(ctx, s, &t);
  abut_exact_scene scene = {.vertices = s->vertices,
                            .x = x,
                            .identity = t.identity,
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
                            .enabled = t.enabled};
  if (status == ABUT_OK) status = abut_exact_crossings(ctx, &scene, &list, &count);
  if (status == ABUT_OK) status = report(ctx, list, count);
  abut_free(ctx, t.identity);
  abut_free(ctx, t.enabled);
  abut_free(ctx, list);
  return status;
}
