#include "energy/terms.h"

#include "kernel/force.h"

static abut_status build(abut_context *ctx, const abut_term_input *in, void *element)
{
  if (!(v3_max_abs(in->force) < HUGE_VAL))
    return abut_fail(ctx, ABUT_BAD_FORMAT, "the force is not finite");
  *(vec3 *)element = in->force;
  return ABUT_OK;
}

static void energy(const abut_batch *b, const abut_at *at, int begin, int end, double *slot)
{
  k_force_energy(begin, end, at->x, b->vertex, b->element, slot);
}

static void gradient(const abut_batch *b, const abut_at *at, int begin, int end, vec3 *slot)
{
  (void)at;
  k_force_gradient(begin, end, b->element, slot);
}

static void hessian(const abut_batch *b, const abut_at *at, int begin, int end, bool project,
                    mat3 *slot)
{
  (void)b;
  (void)at;
  (void)project;
  for (int i = begin; i < end; i++) slot[i - begin] = m3_zero();
}

const abut_term_class abut_term_force = {
    .name = "force",
    .text = "constant force on vertices",
    .carrier = ABUT_ON_ANY,
    .ledger = ABUT_LEDGER_CONTROL,
    .stencil = 1,
    .element_size = sizeof(vec3),
    .build = build,
    .energy = energy,
    .gradient = gradient,
    .hessian = hessian,
};
