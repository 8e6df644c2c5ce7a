/* law_offset.c: Newton IPC's barrier (docs/energies.md) in the distance minus an offset. The
   Hessian is the rank-one B'' j j^T, j = w (x) n: the curvature of the distance itself is left out.
 */
#include "contact/law.h"
#include "kernel/barrier_offset.h"

static barrier barrier_of(const abut_law_at *at, const abut_contact *c)
{
  barrier b = barrier_offset(c->d - c->offset, at->dhat);
  b.b *= at->stiffness;
  b.b1 *= at->stiffness;
  b.b2 *= at->stiffness;
  return b;
}

static void energy(const abut_law_at *at, const abut_contact *c, int64_t begin, int64_t end,
                   double *slot)
{
  for (int64_t i = begin; i < end; i++) slot[i - begin] = barrier_of(at, &c[i]).b;
}

static void gradient(const abut_law_at *at, const abut_contact *c, int64_t begin, int64_t end,
                     vec3 *slot)
{
  for (int64_t i = begin; i < end; i++) {
    vec3 f = v3_scale(c[i].n, barrier_of(at, &c[i]).b1);
    for (int k = 0; k < 4; k++) slot[4 * (i - begin) + k] = v3_scale(f, c[i].at.w[k]);
  }
}

static void hessian(const abut_law_at *at, const abut_contact *c, int64_t begin, int64_t end,
                    bool project, mat3 *slot)
{
  (void)project; /* B'' > 0 everywhere */
  for (int64_t i = begin; i < end; i++) {
    mat3 nn = m3_scale(m3_outer(c[i].n, c[i].n), barrier_of(at, &c[i]).b2);
    mat3 *k = slot + 10 * (i - begin);
    for (int p = 0; p < 4; p++)
      for (int q = p; q < 4; q++) *k++ = m3_scale(nn, c[i].at.w[p] * c[i].at.w[q]);
  }
}

static double force(const abut_law_at *at, const abut_contact *c)
{
  return -barrier_of(at, c).b1;
}

const abut_law_class abut_law_offset = {
    .name = "offset_ipc",
    .text = "film barrier in distance minus thickness, rank-one Hessian",
    .stiffness = 1000,
    .unit = "N/m",
    .root_friction = true,
    .gauss_newton = true,
    .energy = energy,
    .gradient = gradient,
    .hessian = hessian,
    .force = force,
};
