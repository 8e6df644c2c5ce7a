#include "energy/terms.h"

#include "energy/lanes.h"
#include "energy/moduli.h"
#include "kernel/solid_fcr.h"

_Static_assert(sizeof(solid_element) == 12 * sizeof(double), "lanes.h takes elements as doubles");

static abut_status build(abut_context *ctx, const abut_term_input *in, void *element)
{
  abut_lame m;
  ABUT_TRY(abut_lame_solid(ctx, in, &m));
  *(solid_element *)element =
      solid_build(in->rest[0], in->rest[1], in->rest[2], in->rest[3], m.mu, m.lam);
  return ABUT_OK;
}

static void energy(const abut_batch *b, const abut_at *at, int begin, int end, double *slot)
{
  abut_lanes_fcr_energy(&at->x->x, b->vertex, b->element, begin, end, slot);
}

static void gradient(const abut_batch *b, const abut_at *at, int begin, int end, vec3 *slot)
{
  abut_lanes_fcr_gradient(&at->x->x, b->vertex, b->element, begin, end, &slot->x);
}

static void hessian(const abut_batch *b, const abut_at *at, int begin, int end, bool project,
                    mat3 *slot)
{
  abut_lanes_fcr_hessian(&at->x->x, b->vertex, b->element, begin, end, project, slot->m);
}

const abut_term_class abut_term_solid_fcr = {
    .name = "fixed_corotated",
    .text = "fixed corotated solid",
    .carrier = ABUT_ON_SOLID,
    .ledger = ABUT_LEDGER_ELASTIC,
    .stencil = 4,
    .element_size = sizeof(solid_element),
    .rigid_invariant = true,
    .build = build,
    .energy = energy,
    .gradient = gradient,
    .hessian = hessian,
};
