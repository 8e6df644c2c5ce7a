#include "energy/terms.h"

#include "kernel/inertia.h"

static abut_status build(abut_context *ctx, const abut_term_input *in, void *element)
{
  if (!(in->mass >= 0 && isfinite(in->mass)))
    return abut_fail(ctx, ABUT_BAD_FORMAT, "mass is %g; it must not be negative", in->mass);
  *(double *)element = in->mass;
  return ABUT_OK;
}

static void energy(const abut_batch *b, const abut_at *at, int begin, int end, double *slot)
{
  k_inertia_energy(begin, end, at->x, at->y, at->dt, b->vertex, b->element, slot);
}

static void gradient(const abut_batch *b, const abut_at *at, int begin, int end, vec3 *slot)
{
  k_inertia_gradient(begin, end, at->x, at->y, at->dt, b->vertex, b->element, slot);
}

static void hessian(const abut_batch *b, const abut_at *at, int begin, int end, bool project,
                    mat3 *slot)
{
  (void)project;
  k_inertia_hessian(begin, end, at->dt, b->element, slot);
}

const abut_term_class abut_term_inertia = {
    .name = "inertia",
    .text = "inertia of lumped masses",
    .carrier = ABUT_ON_ANY,
    .ledger = ABUT_LEDGER_NONE,
    .stencil = 1,
    .element_size = sizeof(double),
    .build = build,
    .energy = energy,
    .gradient = gradient,
    .hessian = hessian,
};
