#include "step/validate.h"

#include "base/memory.h"
#include "contact/exact_surface.h"

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
  abut_crossing *list;
  int64_t count;
  ABUT_TRY(abut_exact_surface_crossings(ctx, s, x, prescribed, &list, &count));
  abut_status status = report(ctx, list, count);
  abut_free(ctx, list);
  return status;
}
