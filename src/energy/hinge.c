#include "energy/terms.h"

#include "kernel/hinge.h"

/* k = 6 D l^2/A, J, times bending_scale, with D = E h^3/(12 (1 - nu^2)), N m (plate theory,
   textbook). E: Pa; h: thickness, m; l: rest length of the edge, m; A: rest area of both triangles,
   m^2. The coefficient is that of Newton IPC: six times a plate on equilateral triangles, see
   docs/energies.md */
static abut_status build(abut_context *ctx, const abut_term_input *in, void *element)
{
  double h = in->thickness, nu = in->poisson, scale = in->bending_scale;
  if (!(scale >= 0 && isfinite(scale)))
    return abut_fail(ctx, ABUT_BAD_FORMAT, "bending_scale is %g; it must not be negative", scale);
  vec3 a = in->rest[0], b = in->rest[1], c = in->rest[2], d = in->rest[3];
  double area = 0.5 * v3_norm(v3_cross(v3_sub(c, a), v3_sub(d, a))) +
                0.5 * v3_norm(v3_cross(v3_sub(d, b), v3_sub(c, b)));
  double plate = in->young * h * h * h / (12 * (1 - nu * nu));
  hinge_element e = {.k = scale * 6 * plate * v3_norm2(v3_sub(d, c)) / area,
                     .rest = in->flat ? 0 : hinge_angle(a, b, c, d),
                     .wrap = in->wrap};
  *(hinge_element *)element = e;
  return ABUT_OK;
}

static void energy(const abut_batch *b, const abut_at *at, int begin, int end, double *slot)
{
  k_hinge_energy(begin, end, at->x, b->vertex, b->element, b->memory, slot);
}

static void gradient(const abut_batch *b, const abut_at *at, int begin, int end, vec3 *slot)
{
  k_hinge_gradient(begin, end, at->x, b->vertex, b->element, b->memory, (grad4 *)slot);
}

static void hessian(const abut_batch *b, const abut_at *at, int begin, int end, bool project,
                    mat3 *slot)
{
  (void)project;
  k_hinge_hessian(begin, end, at->x, b->vertex, b->element, (hess4 *)slot);
}

/* A followed angle is told from its other representatives by continuity, so no face may turn by
   90 degrees within one iterate. */
static double step_bound(const abut_batch *b, const abut_at *at, const vec3 *p, int begin, int end)
{
  const hinge_element *e = b->element;
  const vec3 *x = at->x;
  double least = 1;
  for (int i = begin; i < end; i++) {
    if (e[i].wrap) continue;
    const int32_t *v = b->vertex + 4 * i;
    double s = hinge_face_bound(x[v[0]], x[v[2]], x[v[3]], p[v[0]], p[v[2]], p[v[3]]);
    double t = hinge_face_bound(x[v[1]], x[v[2]], x[v[3]], p[v[1]], p[v[2]], p[v[3]]);
    least = s < least ? s : least;
    least = t < least ? t : least;
  }
  return least;
}

static void remember(const abut_batch *b, const abut_at *at, int begin, int end)
{
  k_hinge_follow(begin, end, at->x, b->vertex, b->memory);
}

/* at the start: the representative nearest to the rest angle */
static void start(const abut_batch *b, const abut_at *at, int begin, int end)
{
  const hinge_element *e = b->element;
  for (int i = begin; i < end; i++) b->memory[i] = e[i].rest;
  k_hinge_follow(begin, end, at->x, b->vertex, b->memory);
}

const abut_term_class abut_term_hinge = {
    .name = "hinge",
    .text = "bending at the edges of shells",
    .carrier = ABUT_ON_ANY,
    .ledger = ABUT_LEDGER_BENDING,
    .stencil = 4,
    .memory = 1,
    .element_size = sizeof(hinge_element),
    .rigid_invariant = true,
    .gauss_newton = true,
    .build = build,
    .energy = energy,
    .gradient = gradient,
    .hessian = hessian,
    .step_bound = step_bound,
    .remember = remember,
    .start = start,
};
