#include "energy/terms.h"

#include "energy/moduli.h"
#include "kernel/membrane_nh.h"

static abut_status build(abut_context *ctx, const abut_term_input *in, void *element)
{
  abut_lame m;
  ABUT_TRY(abut_lame_shell(ctx, in, &m));
  *(membrane_element *)element = membrane_build(in->rest[0], in->rest[1], in->rest[2], m.mu, m.lam);
  return ABUT_OK;
}

static void energy(const abut_batch *b, const abut_at *at, int begin, int end, double *slot)
{
  k_membrane_nh_energy(begin, end, at->x, b->vertex, b->element, slot);
}

static void gradient(const abut_batch *b, const abut_at *at, int begin, int end, vec3 *slot)
{
  k_membrane_nh_gradient(begin, end, at->x, b->vertex, b->element, (grad3 *)slot);
}

static void hessian(const abut_batch *b, const abut_at *at, int begin, int end, bool project,
                    mat3 *slot)
{
  k_membrane_nh_hessian(begin, end, at->x, b->vertex, b->element, project, (hess3 *)slot);
}

const abut_term_class abut_term_membrane_nh = {
    .name = "neo_hookean",
    .text = "Neo-Hookean membrane",
    .carrier = ABUT_ON_SHELL,
    .ledger = ABUT_LEDGER_ELASTIC,
    .stencil = 3,
    .element_size = sizeof(membrane_element),
    .rigid_invariant = true,
    .build = build,
    .energy = energy,
    .gradient = gradient,
    .hessian = hessian,
};
