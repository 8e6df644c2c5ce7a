#include "energy/terms.h"

#include "kernel/tie.h"

static abut_status build(abut_context *ctx, const abut_term_input *in, void *element)
{
  if (!(in->stiffness >= 0 && isfinite(in->stiffness)))
    return abut_fail(ctx, ABUT_BAD_FORMAT, "stiffness is %g; it must not be negative",
                     in->stiffness);
  double length = v3_norm(v3_sub(in->rest[0], in->rest[1]));
  *(tie_element *)element = (tie_element){in->stiffness, length};
  return ABUT_OK;
}

static void energy(const abut_batch *b, const abut_at *at, int begin, int end, double *slot)
{
  k_tie_energy(begin, end, at->x, b->vertex, b->element, slot);
}

static void gradient(const abut_batch *b, const abut_at *at, int begin, int end, vec3 *slot)
{
  k_tie_gradient(begin, end, at->x, b->vertex, b->element, (grad2 *)slot);
}

static void hessian(const abut_batch *b, const abut_at *at, int begin, int end, bool project,
                    mat3 *slot)
{
  k_tie_hessian(begin, end, at->x, b->vertex, b->element, project, (hess2 *)slot);
}

const abut_term_class abut_term_tie = {
    .name = "tie",
    .text = "springs between pairs of vertices",
    .carrier = ABUT_ON_ANY,
    .ledger = ABUT_LEDGER_CONTROL,
    .stencil = 2,
    .element_size = sizeof(tie_element),
    .rigid_invariant = true,
    .build = build,
    .energy = energy,
    .gradient = gradient,
    .hessian = hessian,
};
