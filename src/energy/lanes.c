/* lanes.c: the kernels of solids compiled for lanes (kernel/prelude.h). */
#define K_LANES 4

#if defined(__GNUC__)
/* lanes never cross from one compiled unit to another */
#pragma GCC diagnostic ignored "-Wpsabi"
#endif

#include <math.h>
#include <stdbool.h>

#include "base/clones.h"
#include "energy/lanes.h"
#include "kernel/solid_fcr.h"
#include "kernel/solid_nh.h"
#include "kernel/solid_snh.h"

/* elements first .. first + count - 1; lanes past them repeat the last */
typedef struct gathered {
  vec3 x[4];
  solid_element e;
} gathered;

K_FN gathered gather(const double *x, const int *v, const double *element, int first, int count)
{
  gathered g;
  for (int l = 0; l < K_LANES; l++) {
    int i = first + (l < count ? l : count - 1);
    for (int k = 0; k < 4; k++) {
      const double *p = x + 3 * (long long)v[4 * (long long)i + k];
      g.x[k].x[l] = p[0];
      g.x[k].y[l] = p[1];
      g.x[k].z[l] = p[2];
    }
    const double *e = element + 12 * (long long)i;
    for (int k = 0; k < 9; k++) g.e.g.m[k][l] = e[k];
    g.e.volume[l] = e[9];
    g.e.mu[l] = e[10];
    g.e.lam[l] = e[11];
  }
  return g;
}

K_FN mat3 deformation(const gathered *g)
{
  return solid_deform(g->x[0], g->x[1], g->x[2], g->x[3], g->e);
}

K_FN void scatter_hessian(const hess4 *h, int count, double *slot)
{
  for (int l = 0; l < count; l++)
    for (int b = 0; b < 10; b++)
      for (int k = 0; k < 9; k++) slot[90 * l + 9 * b + k] = h->k[b].m[k][l];
}

#define HESSIAN(name)                                                                              \
  ABUT_CLONES void abut_lanes_##name##_hessian(const double *x, const int *v,                      \
                                               const double *element, int begin, int end,          \
                                               bool project, double *slot)                         \
  {                                                                                                \
    for (int i = begin; i < end; i += K_LANES) {                                                   \
      int count = end - i < K_LANES ? end - i : K_LANES;                                           \
      gathered g = gather(x, v, element, i, count);                                                \
      svd3 f = svd3_of(deformation(&g));                                                           \
      solid_spectrum q = name##_spectrum(f, g.e);                                                  \
      if (project) q = solid_project(q);                                                           \
      hess4 h = solid_hessian(q, f, g.e);                                                          \
      scatter_hessian(&h, count, slot + 90 * (long long)(i - begin));                              \
    }                                                                                              \
  }
HESSIAN(snh)
HESSIAN(nh)
HESSIAN(fcr)
#undef HESSIAN

ABUT_CLONES void abut_lanes_fcr_energy(const double *x, const int *v, const double *element,
                                       int begin, int end, double *slot)
{
  for (int i = begin; i < end; i += K_LANES) {
    int count = end - i < K_LANES ? end - i : K_LANES;
    gathered g = gather(x, v, element, i, count);
    real w = g.e.volume * fcr_density(deformation(&g), g.e);
    for (int l = 0; l < count; l++) slot[i - begin + l] = w[l];
  }
}

ABUT_CLONES void abut_lanes_fcr_gradient(const double *x, const int *v, const double *element,
                                         int begin, int end, double *slot)
{
  for (int i = begin; i < end; i += K_LANES) {
    int count = end - i < K_LANES ? end - i : K_LANES;
    gathered g = gather(x, v, element, i, count);
    grad4 f = solid_gradient(fcr_stress(deformation(&g), g.e), g.e);
    for (int l = 0; l < count; l++)
      for (int k = 0; k < 4; k++) {
        double *s = slot + 12 * (long long)(i - begin + l) + 3 * k;
        s[0] = f.g[k].x[l];
        s[1] = f.g[k].y[l];
        s[2] = f.g[k].z[l];
      }
  }
}
