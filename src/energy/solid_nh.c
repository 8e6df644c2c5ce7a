#include "energy/terms.h"

#include "energy/lanes.h"
#include "energy/moduli.h"
#include "kernel/solid_nh.h"

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
  k_solid_nh_energy(begin, end, at->x, b->vertex, b->element, slot);
}

static void gradient(const abut_batch *b, const abut_at *at, int begin, int end, vec3 *slot)
{
  k_solid_nh_gradient(begin, end, at->x, b->vertex, b->element, (grad4 *)slot);
}

static void hessian(const abut_batch *b, const abut_at *at, int begin, int end, bool project,
                    mat3 *slot)
{
  abut_lanes_nh_hessian(&at->x->x, b->vertex, b->element, begin, end, project, slot->m);
}

/* largest fraction that keeps every element from inverting */
static double step_bound(const abut_batch *b, const abut_at *at, const vec3 *p, int begin, int end)
{
  double least = 1;
  for (int i = begin; i < end; i++) {
    double bound;
    k_solid_inversion(i, i + 1, at->x, p, b->vertex, &bound);
    least = bound < least ? bound : least;
  }
  return least;
}

const abut_term_class abut_term_solid_nh = {
    .name = "neo_hookean",
    .text = "Neo-Hookean solid, guarded against inversion",
    .carrier = ABUT_ON_SOLID,
    .ledger = ABUT_LEDGER_ELASTIC,
    .stencil = 4,
    .element_size = sizeof(solid_element),
    .rigid_invariant = true,
    .build = build,
    .energy = energy,
    .gradient = gradient,
    .hessian = hessian,
    .step_bound = step_bound,
};
