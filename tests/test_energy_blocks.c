/* The Hessians of solids, which the kernels assemble block by block from the singular values of the
   deformation gradient F, against the dense way in long double: the 9x9 matrix d2W/dF2 written out,
   its negative eigenvalues set to 0, and the product (dF/dx)^T (d2W/dF2) (dF/dx) with a 9x12
   dF/dx. */
#include "cmocka_all.h"

#include "differences.h"
#include "symmetric.h"

#include "kernel/solid_fcr.h"
#include "kernel/solid_nh.h"
#include "kernel/solid_snh.h"
#include "registry.h"

typedef long double wide;

/* ---- the dense way ---- */

/* W = a/2 |F|^2 - b (s_0 + s_1 + s_2) + g(J), Pa, s: signed singular values of F, J = det F */
typedef struct density {
  wide a, b, g1, g2; /* g1 = dg/dJ, g2 = d2g/dJ2 */
} density;

typedef density density_fn(wide mu, wide lam, wide j);

static density snh(wide mu, wide lam, wide j)
{
  return (density){mu, 0, (lam + mu) * (j - 1) - mu, lam + mu};
}

static density nh(wide mu, wide lam, wide j)
{
  return (density){mu, 0, (lam * logl(j) - mu) / j, (lam * (1 - logl(j)) + mu) / (j * j)};
}

static density fcr(wide mu, wide lam, wide j)
{
  return (density){2 * mu, 2 * mu, lam * (j - 1), lam};
}

static wide cofactor_of(const wide f[9], int i, int j)
{
  int a = (i + 1) % 3, b = (i + 2) % 3, c = (j + 1) % 3, d = (j + 2) % 3;
  return f[3 * a + c] * f[3 * b + d] - f[3 * a + d] * f[3 * b + c];
}

/* the sign of the permutation (i, j, k) of (0, 1, 2), or 0 */
static int permutation(int i, int j, int k)
{
  return (i - j) * (j - k) * (k - i) / 2;
}

static void cross(const wide a[3], const wide b[3], wide out[3])
{
  for (int k = 0; k < 3; k++) {
    int i = (k + 1) % 3, j = (k + 2) % 3;
    out[k] = a[i] * b[j] - a[j] * b[i];
  }
}

/* F = sum of s_k u_k v_k^T with det U = det V = 1, longest first: rows of u and v */
static void singular(const wide f[9], wide u[3][3], wide v[3][3], wide s[3])
{
  wide c[9], value[3], vector[9];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      c[3 * i + j] = 0;
      for (int k = 0; k < 3; k++) c[3 * i + j] += f[3 * k + i] * f[3 * k + j];
    }
  sample_eigen_long(c, 3, value, vector);
  int first = value[0] >= value[1] ? 0 : 1, second;
  if (value[2] > value[first]) first = 2;
  second = first == 0 ? 1 : 0;
  if (value[3 - first - second] > value[second]) second = 3 - first - second;
  memcpy(v[0], vector + 3 * first, sizeof v[0]);
  memcpy(v[1], vector + 3 * second, sizeof v[1]);
  cross(v[0], v[1], v[2]);
  for (int k = 0; k < 2; k++) {
    for (int i = 0; i < 3; i++)
      u[k][i] = f[3 * i] * v[k][0] + f[3 * i + 1] * v[k][1] + f[3 * i + 2] * v[k][2];
    s[k] = sqrtl(u[k][0] * u[k][0] + u[k][1] * u[k][1] + u[k][2] * u[k][2]);
    for (int i = 0; i < 3; i++) u[k][i] /= s[k];
  }
  cross(u[0], u[1], u[2]);
  s[2] = 0;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) s[2] += u[2][i] * f[3 * i + j] * v[2][j];
}

/* subtracts b dR/dF: turning about each pair of axes, textbook:
   dR/dF = sum over i < j of T T^T/(s_i + s_j), T = u_i v_j^T - u_j v_i^T */
static void subtract_rotation(const wide f[9], wide b, wide h[81])
{
  wide u[3][3], v[3][3], s[3];
  singular(f, u, v, s);
  for (int i = 0; i < 3; i++)
    for (int j = i + 1; j < 3; j++) {
      wide t[9];
      for (int k = 0; k < 9; k++) t[k] = u[i][k / 3] * v[j][k % 3] - u[j][k / 3] * v[i][k % 3];
      for (int k = 0; k < 81; k++) h[k] -= b / (s[i] + s[j]) * t[k / 9] * t[k % 9];
    }
}

/* d2W/dF2, entry (i, j) of F numbered 3 i + j, textbook:
   a I - b dR/dF + g2 cof cof^T + g1 dcof/dF, dcof_ij/dF_kl = sum of e_ikm e_jln F_mn */
static void second_derivative(const wide f[9], density w, wide h[81])
{
  for (int p = 0; p < 9; p++)
    for (int q = 0; q < 9; q++) {
      int i = p / 3, j = p % 3, k = q / 3, l = q % 3;
      wide turn = 0;
      for (int m = 0; m < 3; m++)
        for (int n = 0; n < 3; n++)
          turn += (wide)(permutation(i, k, m) * permutation(j, l, n)) * f[3 * m + n];
      h[9 * p + q] =
          (p == q ? w.a : 0) + w.g1 * turn + w.g2 * cofactor_of(f, i, j) * cofactor_of(f, k, l);
    }
  if (w.b != 0) subtract_rotation(f, w.b, h);
}

static void edges_of(const vec3 x[4], wide d[9])
{
  for (int k = 0; k < 3; k++) {
    d[k] = (wide)x[k + 1].x - x[0].x;
    d[3 + k] = (wide)x[k + 1].y - x[0].y;
    d[6 + k] = (wide)x[k + 1].z - x[0].z;
  }
}

static wide determinant(const wide f[9])
{
  wide det = 0;
  for (int j = 0; j < 3; j++) det += f[j] * cofactor_of(f, 0, j);
  return det;
}

/* the full 12x12 of a tetrahedron; returns how many negative eigenvalues project took away */
static int dense_way(const vec3 rest[4], const vec3 x[4], density_fn *model, wide mu, wide lam,
                     bool project, wide h[144])
{
  wide d[9], now[9], g[9], f[9] = {0}, map[9][12] = {{0}}, p[81], clamped[81], pm[9][12];
  edges_of(rest, d);
  edges_of(x, now);
  wide det = determinant(d), volume = det / 6;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) g[3 * i + j] = cofactor_of(d, j, i) / det;
  for (int i = 0; i < 9; i++)
    for (int k = 0; k < 3; k++) f[i] += now[3 * (i / 3) + k] * g[3 * k + i % 3];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      for (int v = 0; v < 3; v++) {
        map[3 * i + j][3 * (v + 1) + i] = g[3 * v + j];
        map[3 * i + j][i] -= g[3 * v + j];
      }
  second_derivative(f, model(mu, lam, determinant(f)), p);
  int negative = project ? sample_clamp_long(p, 9, clamped) : 0;
  const wide *kept = project ? clamped : p;
  for (int i = 0; i < 9; i++)
    for (int c = 0; c < 12; c++) {
      pm[i][c] = 0;
      for (int j = 0; j < 9; j++) pm[i][c] += kept[9 * i + j] * map[j][c];
    }
  for (int r = 0; r < 12; r++)
    for (int c = 0; c < 12; c++) {
      h[12 * r + c] = 0;
      for (int i = 0; i < 9; i++) h[12 * r + c] += volume * map[i][r] * pm[i][c];
    }
  return negative;
}

/* ---- samples ---- */

enum {
  AT_REST,
  NEAR_REST,
  STRETCHED,
  COMPRESSED,
  TWO_EQUAL,
  THREE_EQUAL,
  /* from here on not for models that cannot invert */
  FLAT,
  INVERTED,
  INVERTED_EQUAL,
  KINDS
};

enum { SAMPLES = 3001 }; /* no multiple of the lanes */

typedef struct samples {
  vec3 rest[SAMPLES][4], x[SAMPLES][4];
  int vertex[SAMPLES][4], kind[SAMPLES];
  solid_element element[SAMPLES];
  mat3 lanes[SAMPLES][10];
  hess4 plain[SAMPLES];
} samples;

static double between(unsigned long long *seed, double low, double high)
{
  return low + (high - low) * 0.5 * (1 + test_random(seed));
}

static vec3 random_vec(unsigned long long *seed, double size)
{
  double a = test_random(seed), b = test_random(seed), c = test_random(seed);
  return v3(a * size, b * size, c * size);
}

static mat3 random_turn(unsigned long long *seed)
{
  vec3 axis = v3_unit(v3_add(random_vec(seed, 1), v3(0.01, 0, 0)));
  return m3_rotation(axis, K_PI * test_random(seed));
}

/* signed singular values; those of turned-over elements keep away from s_1 + s_2 = 0, where fixed
   corotated solids have no derivative */
static vec3 singular_values(int kind, unsigned long long *seed)
{
  double a = between(seed, 0.3, 2), b = between(seed, 0.3, 2), c = between(seed, 0.3, 2);
  double small = pow(10, between(seed, -9, -2));
  switch (kind) {
  case AT_REST: return v3(1, 1, 1);
  case NEAR_REST: return v3(1 + small * a, 1 + small * b, 1 - small * c);
  case STRETCHED: return v3(a, b, c);
  case COMPRESSED: return v3(a, b, between(seed, 0.05, 0.2));
  case TWO_EQUAL: return v3(a, a, b);
  case THREE_EQUAL: return v3(a, a, a);
  case FLAT: return v3(a, b, 0);
  case INVERTED: return v3(a, b, -between(seed, 0.1, 0.9) * fmin(a, b));
  default: return v3(a, a, -between(seed, 0.1, 0.9) * a);
  }
}

static void make_sample(samples *s, int n, int kinds, const abut_term_class *class)
{
  static const double poisson[] = {0.35, -0.5, 0.49, 0}, lengths[] = {1, 1e-3, 1e3};
  static const double tet[4][3] = {{0, 0, 0}, {1, .1, 0}, {.2, .9, .1}, {.1, .3, .8}};
  unsigned long long seed = 0x9e3779b97f4a7c15ULL * (unsigned)(n + 1);
  for (int k = 0; k < 8; k++) test_random(&seed);
  double length = lengths[n / kinds % 3];
  s->kind[n] = n % kinds;
  vec3 e = singular_values(s->kind[n], &seed), move = random_vec(&seed, length);
  mat3 u = random_turn(&seed), v = random_turn(&seed), turn = random_turn(&seed);
  mat3 f = m3_mul(m3_mul(u, m3_diagonal(e.x, e.y, e.z)), m3_transpose(v));
  abut_term_input in = {.young = 5e4, .poisson = poisson[n % 4]};
  for (int k = 0; k < 4; k++) {
    vec3 p = v3_add(v3(tet[k][0], tet[k][1], tet[k][2]), random_vec(&seed, 0.2));
    s->rest[n][k] = in.rest[k] = v3_scale(m3_apply(turn, p), length);
    s->x[n][k] = v3_add(m3_apply(f, in.rest[k]), move);
    s->vertex[n][k] = 4 * n + k;
  }
  abut_context ctx;
  abut_context_init(&ctx, NULL, 1);
  assert_ok(class->build(&ctx, &in, &s->element[n]));
  abut_context_free(&ctx);
}

/* ---- tests ---- */

typedef void kernel_fn(int begin, int end, const vec3 *x, const int *v, const solid_element *e,
                       int project, hess4 *slot);

typedef struct model {
  const char *name;
  density_fn *density;
  kernel_fn *kernel; /* the same, one element at a time */
  bool inverts;
} model;

static const model models[] = {
    {"stable_neo_hookean", snh, k_solid_snh_hessian, true},
    {"neo_hookean", nh, k_solid_nh_hessian, false},
    {"fixed_corotated", fcr, k_solid_fcr_hessian, true},
};
enum { MODELS = sizeof models / sizeof *models };

static samples *make_samples(const model *m, bool project)
{
  samples *s = malloc(sizeof *s);
  assert_non_null(s);
  const abut_term_class *class = abut_term_find(abut_registry.terms, m->name, ABUT_ON_SOLID);
  for (int n = 0; n < SAMPLES; n++) make_sample(s, n, m->inverts ? KINDS : FLAT, class);
  abut_batch batch = {class, SAMPLES, s->vertex[0], s->element, NULL};
  abut_at at = {s->x[0], s->x[0], s->x[0], 0.01};
  class->hessian(&batch, &at, 0, SAMPLES, project, s->lanes[0]);
  m->kernel(0, SAMPLES, s->x[0], s->vertex[0], s->element, project, s->plain);
  return s;
}

/* largest difference, of the largest entry; counts what projecting changes */
static double difference(const samples *s, int n, const model *m, bool project, int *clamped)
{
  wide dense[144], error = 0, most = 0;
  double ours[144];
  const solid_element *e = &s->element[n];
  *clamped += dense_way(s->rest[n], s->x[n], m->density, e->mu, e->lam, project, dense) > 0;
  sample_full(s->lanes[n], ours);
  for (int k = 0; k < 144; k++) {
    error = fmaxl(error, fabsl(dense[k] - ours[k]));
    most = fmaxl(most, fabsl(dense[k]));
    if (!isfinite(ours[k])) return INFINITY;
  }
  return (double)(error / most);
}

static void check_blocks(bool project)
{
  for (const model *m = models; m < models + MODELS; m++) {
    samples *s = make_samples(m, project);
    int clamped = 0;
    for (int n = 0; n < SAMPLES; n++) {
      double error = difference(s, n, m, project, &clamped);
      if (!(error <= 1e-12)) print_error("%s sample %d kind %d\n", m->name, n, s->kind[n]);
      assert_below(error, 1e-12);
    }
    if (project) assert_in_range(clamped, SAMPLES / 10, SAMPLES - SAMPLES / 10);
    free(s);
  }
}

static void projected_blocks_are_those_of_the_dense_matrix(void **state)
{
  (void)state;
  check_blocks(true);
}

static void exact_blocks_are_those_of_the_dense_matrix(void **state)
{
  (void)state;
  check_blocks(false);
}

/* the kernels that other devices would run, and the lanes, whoever the neighbours in them are */
static void lanes_give_the_bits_of_single_elements(void **state)
{
  (void)state;
  for (const model *m = models; m < models + MODELS; m++) {
    samples *s = make_samples(m, true);
    assert_memory_equal(s->lanes, s->plain, sizeof s->plain);
    free(s);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(projected_blocks_are_those_of_the_dense_matrix),
      cmocka_unit_test(exact_blocks_are_those_of_the_dense_matrix),
      cmocka_unit_test(lanes_give_the_bits_of_single_elements),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
