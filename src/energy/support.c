#include "energy/terms.h"

#include "kernel/support.h"

static abut_status build(abut_context *ctx, const abut_term_input *in, void *element)
{
  if (!(in->stiffness >= 0 && isfinite(in->stiffness)))
    return abut_fail(ctx, ABUT_BAD_FORMAT, "stiffness is %g; it must not be negative",
                     in->stiffness);
  *(support_element *)element = (support_element){in->stiffness, in->rest[0]};
  return ABUT_OK;
}

static void energy(const abut_batch *b, const abut_at *at, int begin, int end, double *slot)
{
  k_support_energy(begin, end, at->x, b->vertex, b->element, slot);
}

static void gradient(const abut_batch *b, const abut_at *at, int begin, int end, vec3 *slot)
{
  k_support_gradient(begin, end, at->x, b->vertex, b->element, slot);
}

static void hessian(const abut_batch *b, const abut_at *at, int begin, int end, bool project,
                    mat3 *slot)
{
  (void)at;
  (void)project;
  k_support_hessian(begin, end, b->element, slot);
}

const abut_term_class abut_term_support = {
    .name = "support",
    .text = "springs to moving targets",
    .carrier = ABUT_ON_ANY,
    .ledger = ABUT_LEDGER_CONTROL,
    .stencil = 1,
    .element_size = sizeof(support_element),
    .build = build,
    .energy = energy,
    .gradient = gradient,
    .hessian = hessian,
};
