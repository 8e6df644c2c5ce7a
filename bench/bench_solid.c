/* bench_solid: the projected 12x12 Hessians of tetrahedra, built by vertex blocks (Zheng, Luo, Li,
   arXiv 2512.12151, Eq. 19: kernel/solid.h) and in dense ways, from the same singular values and
   eigenvalues, in the same lanes, on one thread and taking turns. The dense ways build the 9x9
   d2W/dF2 from its nine eigenpairs, then (dF/dx)^T (d2W/dF2) (dF/dx): with a 9x12 dF/dx as it
   stands, or with the zeros of it left out. Last, what it costs to find the eigenvalues of the
   12x12 numerically, one element at a time. Times are minima over repeats of one run: compare
   ratios, not seconds.   usage: bench_solid [repeats] */
#define K_LANES 4

#if defined(__GNUC__)
/* lanes never cross from one compiled unit to another */
#pragma GCC diagnostic ignored "-Wpsabi"
#endif

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clones.h"
#include "base/timer.h"
#include "kernel/eig.h"
#include "kernel/solid_fcr.h"
#include "kernel/solid_nh.h"
#include "kernel/solid_snh.h"

/* few enough for the inner caches */
enum { GROUPS = 64, ELEMENTS = GROUPS * K_LANES, PASSES = 4 };

typedef struct group {
  solid_element e;
  mat3 f;
  svd3 d;
  solid_spectrum q;
} group;

static group groups[GROUPS];
static double slots[2][90 * ELEMENTS];

/* ---- elements ---- */

static double random_unit(void)
{
  static uint64_t state = 88172645463325252u;
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return (double)(state >> 11) / 9007199254740992.0;
}

static real random_lanes(double low, double high)
{
  real r = k_real(0);
  for (int l = 0; l < K_LANES; l++) r[l] = low + (high - low) * random_unit();
  return r;
}

static vec3 random_near(double x, double y, double z, double by)
{
  return v3(x + random_lanes(-by, by), y + random_lanes(-by, by), z + random_lanes(-by, by));
}

/* strains of up to 0.3 */
static void make_groups(void)
{
  for (int g = 0; g < GROUPS; g++) {
    vec3 x[4];
    x[0] = random_near(0, 0, 0, 0.1);
    x[1] = random_near(1, 0.1, 0, 0.1);
    x[2] = random_near(0.2, 0.9, 0.1, 0.1);
    x[3] = random_near(0.1, 0.3, 0.8, 0.1);
    groups[g].e = solid_build(x[0], x[1], x[2], x[3], k_real(18e3), k_real(43e3));
    for (int k = 0; k < 9; k++) groups[g].f.m[k] = (k % 4 == 0 ? 1 : 0) + random_lanes(-0.3, 0.3);
  }
}

/* ---- the ways ---- */

K_FN void scatter(const hess4 *h, double *slot)
{
  for (int l = 0; l < K_LANES; l++)
    for (int b = 0; b < 10; b++)
      for (int k = 0; k < 9; k++) slot[90 * l + 9 * b + k] = h->k[b].m[k][l];
}

K_FN void add_outer9(real p[9][9], const real *a, const real *b, real s)
{
  for (int i = 0; i < 9; i++) {
    real sa = s * a[i];
    for (int j = 0; j < 9; j++) p[i][j] += sa * b[j];
  }
}

/* u_i v_j^T as a vector */
K_FN void mode(const svd3 *d, int i, int j, real out[9])
{
  mat3 m = m3_outer(m3_column(d->u, i), m3_column(d->v, j));
  for (int k = 0; k < 9; k++) out[k] = m.m[k];
}

/* d2W/dF2 from its eigenpairs, textbook */
K_FN void second_derivative(const solid_spectrum *q, const svd3 *d, real p[9][9])
{
  real m[3][9], a[9], b[9], twist[9], flip[9];
  for (int i = 0; i < 9; i++)
    for (int j = 0; j < 9; j++) p[i][j] = k_real(0);
  for (int i = 0; i < 3; i++) mode(d, i, i, m[i]);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) add_outer9(p, m[i], m[j], q->a[i][j]);
  for (int k = 0; k < 3; k++) {
    int i = k == 0 ? 1 : 0, j = k == 2 ? 1 : 2;
    mode(d, i, j, a);
    mode(d, j, i, b);
    for (int n = 0; n < 9; n++) {
      twist[n] = a[n] - b[n];
      flip[n] = a[n] + b[n];
    }
    add_outer9(p, twist, twist, 0.5 * q->twist[k]);
    add_outer9(p, flip, flip, 0.5 * q->flip[k]);
  }
}

/* shape gradients: rows of G, and minus their sum */
K_FN void gradients(const solid_element *e, real a[4][3])
{
  for (int j = 0; j < 3; j++) {
    for (int v = 0; v < 3; v++) a[v + 1][j] = e->g.m[3 * v + j];
    a[0][j] = -a[1][j] - a[2][j] - a[3][j];
  }
}

K_FN hess4 dense_product(const solid_spectrum *q, const svd3 *d, const solid_element *e)
{
  real p[9][9], a[4][3], map[9][12], pm[9][12], h[12][12];
  hess4 r;
  second_derivative(q, d, p);
  gradients(e, a);
  for (int i = 0; i < 9; i++)
    for (int c = 0; c < 12; c++) map[i][c] = i / 3 == c % 3 ? a[c / 3][i % 3] : k_real(0);
  for (int i = 0; i < 9; i++)
    for (int c = 0; c < 12; c++) {
      real sum = k_real(0);
      for (int j = 0; j < 9; j++) sum += p[i][j] * map[j][c];
      pm[i][c] = sum * e->volume;
    }
  for (int i = 0; i < 12; i++)
    for (int c = 0; c < 12; c++) {
      real sum = k_real(0);
      for (int j = 0; j < 9; j++) sum += map[j][i] * pm[j][c];
      h[i][c] = sum;
    }
  for (int v = 0, b = 0; v < 4; v++)
    for (int w = v; w < 4; w++, b++)
      for (int k = 0; k < 9; k++) r.k[b].m[k] = h[3 * v + k / 3][3 * w + k % 3];
  return r;
}

/* no product with a zero, upper blocks only */
K_FN hess4 sparse_product(const solid_spectrum *q, const svd3 *d, const solid_element *e)
{
  real p[9][9], a[4][3], pm[9][4][3];
  hess4 r;
  second_derivative(q, d, p);
  gradients(e, a);
  for (int i = 0; i < 9; i++)
    for (int v = 0; v < 4; v++)
      for (int k = 0; k < 3; k++)
        pm[i][v][k] =
            (p[i][3 * k] * a[v][0] + p[i][3 * k + 1] * a[v][1] + p[i][3 * k + 2] * a[v][2]) *
            e->volume;
  for (int v = 0, b = 0; v < 4; v++)
    for (int w = v; w < 4; w++, b++)
      for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
          r.k[b].m[3 * i + k] = a[v][0] * pm[3 * i][w][k] + a[v][1] * pm[3 * i + 1][w][k] +
                                a[v][2] * pm[3 * i + 2][w][k];
  return r;
}

typedef void way_fn(double *slot);

/* from singular values and eigenvalues on; and from F on */
#define BLOCKS(g) solid_hessian((g)->q, (g)->d, (g)->e)
#define DENSE(g) dense_product(&(g)->q, &(g)->d, &(g)->e)
#define SPARSE(g) sparse_product(&(g)->q, &(g)->d, &(g)->e)
#define WAY(name, model, HESSIAN, from_f)                                                          \
  ABUT_CLONES static void name(double *slot)                                                       \
  {                                                                                                \
    for (int n = 0; n < GROUPS; n++) {                                                             \
      group g = groups[n];                                                                         \
      if (from_f) {                                                                                \
        g.d = svd3_of(g.f);                                                                        \
        g.q = solid_project(model##_spectrum(g.d, g.e));                                           \
      }                                                                                            \
      hess4 h = HESSIAN(&g);                                                                       \
      scatter(&h, slot + 90 * K_LANES * n);                                                        \
    }                                                                                              \
  }
#define WAYS(model)                                                                                \
  WAY(model##_blocks, model, BLOCKS, true)                                                         \
  WAY(model##_sparse, model, SPARSE, true)                                                         \
  WAY(model##_dense, model, DENSE, true)                                                           \
  ABUT_CLONES static void model##_prepare(double *slot)                                            \
  {                                                                                                \
    (void)slot;                                                                                    \
    for (int n = 0; n < GROUPS; n++) {                                                             \
      groups[n].d = svd3_of(groups[n].f);                                                          \
      groups[n].q = solid_project(model##_spectrum(groups[n].d, groups[n].e));                     \
    }                                                                                              \
  }
WAYS(snh)
WAYS(nh)
WAYS(fcr)
WAY(blocks, snh, BLOCKS, false)
WAY(sparse, snh, SPARSE, false)
WAY(dense, snh, DENSE, false)

/* Eigenvalues of the 12x12, found and clamped: what a projection costs without closed forms. The
   matrices in slot are projected already, so that it returns what it gets. */
static void numeric(double *slot)
{
  for (int n = 0; n < ELEMENTS; n++) {
    double *h = slot + 90 * n;
    sym12 s;
    for (int v = 0, b = 0; v < 4; v++)
      for (int w = v; w < 4; w++, b++)
        for (int i = 0; i < 3; i++)
          for (int k = 0; k < 3; k++)
            s.a[3 * v + i][3 * w + k] = s.a[3 * w + k][3 * v + i] = h[9 * b + 3 * i + k];
    eig12 e = eig_sym12(s);
    for (int v = 0, b = 0; v < 4; v++)
      for (int w = v; w < 4; w++, b++)
        for (int k = 0; k < 9; k++) {
          double sum = 0;
          for (int m = 0; m < 12; m++)
            sum += fmax(e.value[m], 0) * e.vector[m][3 * v + k / 3] * e.vector[m][3 * w + k % 3];
          h[9 * b + k] = sum;
        }
  }
}

/* ---- times ---- */

enum { MOST = 4 };

typedef struct entrant {
  const char *name;
  way_fn *run;
  double seconds; /* per element */
} entrant;

static double difference(void)
{
  double error = 0, most = 0;
  for (int k = 0; k < 90 * ELEMENTS; k++) {
    error = fmax(error, fabs(slots[1][k] - slots[0][k]));
    most = fmax(most, fabs(slots[0][k]));
  }
  return error / most;
}

/* the first way against the others; false when results differ */
static bool compare(const char *title, entrant *e, int count, int repeats)
{
  bool same = true;
  for (int k = 0; k < count; k++) e[k].seconds = 1e300;
  for (int r = 0; r < repeats; r++)
    for (int k = 0; k < count; k++) {
      double begin = abut_now();
      for (int pass = 0; pass < PASSES; pass++) e[k].run(slots[k > 0]);
      e[k].seconds = fmin(e[k].seconds, (abut_now() - begin) / (PASSES * ELEMENTS));
      same = same && (k == 0 || difference() <= 1e-12);
    }
  printf("%s\n", title);
  for (int k = 0; k < count; k++)
    printf("  %-34s %8.1f ns  %6.2f\n", e[k].name, 1e9 * e[k].seconds, e[k].seconds / e[0].seconds);
  return same;
}

int main(int argc, char **argv)
{
  int repeats = argc > 1 ? atoi(argv[1]) : 400;
  static const struct {
    const char *title;
    way_fn *prepare, *blocks, *sparse, *dense;
  } models[] = {{"stable Neo-Hookean, from F on", snh_prepare, snh_blocks, snh_sparse, snh_dense},
                {"Neo-Hookean, from F on", nh_prepare, nh_blocks, nh_sparse, nh_dense},
                {"fixed corotated, from F on", fcr_prepare, fcr_blocks, fcr_sparse, fcr_dense}};
  bool same = true;
  make_groups();
  printf("per tetrahedron, %d in %d lanes; and times as long as vertex blocks\n", ELEMENTS,
         K_LANES);
  for (int m = 0; m < 3; m++) {
    entrant e[MOST] = {{.name = "vertex blocks", .run = models[m].blocks},
                       {.name = "dense, without the zeros of dF/dx", .run = models[m].sparse},
                       {.name = "dense 12x12", .run = models[m].dense}};
    same = compare(models[m].title, e, 3, repeats) && same;
  }
  snh_prepare(slots[0]);
  entrant e[MOST] = {{.name = "vertex blocks", .run = blocks},
                     {.name = "dense, without the zeros of dF/dx", .run = sparse},
                     {.name = "dense 12x12", .run = dense},
                     {.name = "eigenvalues of the 12x12", .run = numeric}};
  same = compare("from singular values and eigenvalues on", e, 4, repeats) && same;
  printf("  target: vertex blocks at least twice as fast as the dense 12x12: %s\n",
         e[2].seconds >= 2 * e[0].seconds ? "met" : "missed");
  if (!same) fprintf(stderr, "bench_solid: the ways differ\n");
  return !same;
}
