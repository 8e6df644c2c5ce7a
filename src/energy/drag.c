#include "energy/terms.h"

#include "kernel/drag.h"

static abut_status build(abut_context *ctx, const abut_term_input *in, void *element)
{
  if (!(in->rate >= 0 && isfinite(in->rate)))
    return abut_fail(ctx, ABUT_BAD_FORMAT, "rate is %g; it must not be negative", in->rate);
  *(double *)element = in->rate * in->mass;
  return ABUT_OK;
}

static void energy(const abut_batch *b, const abut_at *at, int begin, int end, double *slot)
{
  k_drag_energy(begin, end, at->x, at->x0, at->dt, b->vertex, b->element, slot);
}

static void gradient(const abut_batch *b, const abut_at *at, int begin, int end, vec3 *slot)
{
  k_drag_gradient(begin, end, at->x, at->x0, at->dt, b->vertex, b->element, slot);
}

static void hessian(const abut_batch *b, const abut_at *at, int begin, int end, bool project,
                    mat3 *slot)
{
  (void)project;
  k_drag_hessian(begin, end, at->dt, b->element, slot);
}

const abut_term_class abut_term_drag = {
    .name = "drag",
    .text = "force against the velocity, -rate m v",
    .carrier = ABUT_ON_ANY,
    .ledger = ABUT_LEDGER_CONTROL,
    .stencil = 1,
    .element_size = sizeof(double),
    .build = build,
    .energy = energy,
    .gradient = gradient,
    .hessian = hessian,
};
