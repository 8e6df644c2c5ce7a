/* The energies against numbers of an independent program (double precision): membranes, hinges and
   springs of Newton IPC, tetrahedral solids. Tolerance: 1e-10, or the digits given. */
#include "cmocka_all.h"

#include <math.h>

#include "kernel/eig.h"
#include "kernel/hinge.h"
#include "kernel/membrane_nh.h"
#include "kernel/membrane_stvk.h"
#include "kernel/solid_fcr.h"
#include "kernel/solid_nh.h"
#include "kernel/solid_snh.h"
#include "registry.h"

/* 12 decimals were printed */
static void assert_digits(double value, double printed)
{
  assert_near(value, printed, fmax(1e-10 * fabs(printed), 6e-13));
}

static void assert_vec(vec3 value, double x, double y, double z)
{
  assert_digits(value.x, x);
  assert_digits(value.y, y);
  assert_digits(value.z, z);
}

/* ---- membranes ---- */

static const double mu = 70, lam = 45; /* N/m */

typedef struct triangle {
  membrane_element e;
  membrane_state d;
} triangle;

static triangle make_triangle(const double x[9])
{
  triangle t;
  t.e = membrane_build(v3(0, 0, 0), v3(1, 0, 0), v3(.3, .8, 0), mu, lam);
  t.d = membrane_deform(v3(x[0], x[1], x[2]), v3(x[3], x[4], x[5]), v3(x[6], x[7], x[8]), t.e);
  return t;
}

static const double stretched[9] = {.10, .05, -.02, 1.15, -.10, .20, .25, .90, .15};
static const double compressed[9] = {.05, .02, 0, .80, .05, .10, .20, .62, -.05};

/* entry of the full 9 x 9 matrix from its upper blocks (00 01 02 11 12 22) */
static double entry(const hess3 *h, int i, int j)
{
  static const int block[3][3] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}};
  int p = i / 3, q = j / 3;
  const double *m = h->k[block[p][q]].m;
  return p <= q ? m[3 * (i % 3) + j % 3] : m[3 * (j % 3) + i % 3];
}

static double trace9(const hess3 *h)
{
  double sum = 0;
  for (int i = 0; i < 9; i++) sum += entry(h, i, i);
  return sum;
}

static double frobenius9(const hess3 *h)
{
  double sum = 0;
  for (int i = 0; i < 9; i++)
    for (int j = 0; j < 9; j++) sum += entry(h, i, j) * entry(h, i, j);
  return sqrt(sum);
}

static double least_eigenvalue(const hess3 *h)
{
  sym12 a = {0};
  for (int i = 0; i < 9; i++)
    for (int j = 0; j < 9; j++) a.a[i][j] = entry(h, i, j);
  eig12 q = eig_sym12(a);
  double least = 0;
  for (int k = 0; k < 12; k++) least = fmin(least, q.value[k]);
  return least;
}

static void the_rest_frame_of_a_triangle_is_right(void **state)
{
  (void)state;
  triangle t = make_triangle(stretched);
  assert_near(t.e.area, 0.4, 1e-16);
  assert_near(t.e.b1[0], 1, 1e-15);
  assert_near(t.e.b1[1], -.375, 1e-15);
  assert_near(t.e.b2[0], 0, 1e-15);
  assert_near(t.e.b2[1], 1.25, 1e-15);
  assert_vec(t.d.f1, 1.05, -.15, .22);
  assert_vec(t.d.f2, -.20625, 1.11875, .13);
  assert_digits(membrane_nh_log_area(t.d), 0.17243246630375);
}

static void stvk_membrane_has_the_known_numbers(void **state)
{
  (void)state;
  triangle t = make_triangle(stretched);
  sym2 s = stvk_stress(t.d, t.e);
  grad3 g = membrane_gradient(t.d, t.e, s);
  hess3 h = stvk_hessian(t.d, t.e, false);
  assert_digits(stvk_energy(t.d, t.e), 3.187794839641112);
  assert_vec(g.g[0], -0.219647951660, -1.573973137207, -0.301298667969);
  assert_vec(g.g[1], 16.663757351074, -18.570169514160, 0.917036910156);
  assert_vec(g.g[2], -16.444109399414, 20.144142651367, -0.615738242187);
  assert_digits(trace9(&h), 673.536772949219);
  assert_digits(frobenius9(&h), 367.075793659760);
  assert_digits(entry(&h, 0, 0), 93.175982714844);
  assert_digits(entry(&h, 0, 4), -9.947083740234);
  assert_digits(entry(&h, 5, 7), 0.243574218750);
  assert_digits(s.a, 23.0379140625);
  assert_digits(s.b, -24.90425);
  assert_digits(s.c, 32.6727578125);
}

static void neo_hookean_membrane_has_the_known_numbers(void **state)
{
  (void)state;
  triangle t = make_triangle(stretched);
  sym2 s = membrane_nh_stress(t.d, t.e);
  grad3 g = membrane_gradient(t.d, t.e, s);
  hess3 h = membrane_nh_hessian(t.d, t.e, false);
  assert_digits(membrane_nh_energy(t.d, t.e), 2.221656292415353);
  assert_vec(g.g[0], 0.664336105775, -0.226118547215, 0.118329151757);
  assert_vec(g.g[1], 9.454168618147, -11.169746766820, 0.419467406321);
  assert_vec(g.g[2], -10.118504723922, 11.395865314034, -0.537796558078);
  assert_digits(trace9(&h), 450.275434562944);
  assert_digits(frobenius9(&h), 260.525652774214);
  assert_digits(entry(&h, 0, 0), 90.235027367509);
  assert_digits(entry(&h, 0, 4), -16.276512673492);
  assert_digits(entry(&h, 5, 7), 2.277571148166);
  assert_digits(s.a, 12.201501397234);
  assert_digits(s.b, -15.684686231900);
  assert_digits(s.c, 18.269521960477);
}

static void check_compressed(sym2 s, const hess3 *exact, const hess3 *solver, double low,
                             double high, double eigenvalue, double trace)
{
  eig2 q = eig_sym2(s.a, s.b, s.c);
  assert_near(fmin(q.first, q.second), low, 6e-11);
  assert_near(fmax(q.first, q.second), high, 6e-11);
  assert_near(least_eigenvalue(exact), eigenvalue, 6e-11 + 1e-10 * fabs(eigenvalue));
  assert_near(trace9(solver), trace, 6e-11 + 1e-10 * trace);
  assert_true(least_eigenvalue(solver) >= -1e-12 * trace);
}

static void compressed_membranes_have_the_known_tangents(void **state)
{
  (void)state;
  triangle t = make_triangle(compressed);
  hess3 exact = stvk_hessian(t.d, t.e, false), solver = stvk_hessian(t.d, t.e, true);
  check_compressed(stvk_stress(t.d, t.e), &exact, &solver, -53.6507073755, -45.4861207495,
                   -59.5599904447, 256.5733654297);
  exact = membrane_nh_hessian(t.d, t.e, false), solver = membrane_nh_hessian(t.d, t.e, true);
  check_compressed(membrane_nh_stress(t.d, t.e), &exact, &solver, -117.2398026191, -82.4247696755,
                   -129.8076583669, 1078.5571799297);
}

/* ---- hinges ---- */

static void a_hinge_has_the_known_numbers(void **state)
{
  (void)state;
  vec3 a = v3(.2, .9, .15), b = v3(.35, -.8, .30), c = v3(0, 0, 0), d = v3(1, .1, -.05);
  assert_digits(hinge_angle(a, b, c, d), -0.5455731190247897);
  grad4 g = hinge_angle_gradient(a, b, c, d);
  assert_vec(g.g[0], -0.075129212783, 0.200344567422, -1.101895120819);
  assert_vec(g.g[1], -0.012607332314, -0.400282800962, -1.052712248199);
  assert_vec(g.g[2], 0.063599387219, 0.155024876554, 1.582037497490);
  assert_vec(g.g[3], 0.024137157878, 0.044913356986, 0.572569871528);
  hinge_element e = {.k = .37, .rest = .25};
  double w = hinge_bend(a, b, c, d, e, 0);
  assert_digits(0.5 * e.k * w * w, 0.117093268727);
  /* flat is 0; corners raised towards +z make it negative */
  assert_near(hinge_angle(v3(.5, 1, 0), v3(.5, -1, 0), c, v3(1, 0, 0)), 0, 1e-16);
  assert_true(hinge_angle(v3(.5, 1, .3), v3(.5, -1, .3), c, v3(1, 0, 0)) < 0);
}

/* a point of the plane rolled onto a cylinder of curvature k whose axis is at the angle a to x */
static vec3 rolled(double x, double y, double a, double k)
{
  double along = x * cos(a) + y * sin(a), across = -x * sin(a) + y * cos(a);
  double u = sin(k * across) / k, up = 2 * sin(k * across / 2) * sin(k * across / 2) / k;
  return v3(along * cos(a) - u * sin(a), along * sin(a) + u * cos(a), up);
}

/* energy of the hinge of an edge c-d between a and b, with the coefficient 6 D l^2/A for D = 1 */
static double rolled_hinge(const double p[4][2], double angle, double k)
{
  vec3 flat[4], x[4];
  for (int i = 0; i < 4; i++) {
    flat[i] = v3(p[i][0], p[i][1], 0);
    x[i] = rolled(p[i][0], p[i][1], angle, k);
  }
  vec3 e = v3_sub(flat[3], flat[2]);
  double area = 0.5 * (v3_norm(v3_cross(e, v3_sub(flat[0], flat[2]))) +
                       v3_norm(v3_cross(e, v3_sub(flat[1], flat[2]))));
  double w = hinge_angle(x[0], x[1], x[2], x[3]);
  return 0.5 * 6 * v3_norm2(e) / area * w * w;
}

/* Rolled on a cylinder, hinges of equilateral triangles have six times the energy of a plate,
   k^2/2 per area, whichever way they are rolled. Squares with all diagonals one way: 6 times about
   their sides and that diagonal, 18 about the other one, 4.5 at the least, 30 degrees off it. */
static void hinges_have_six_times_the_energy_of_a_plate(void **state)
{
  (void)state;
  const double h = sqrt(3) / 2, k = 1e-3;
  /* the three edges of a vertex */
  const double equilateral[3][4][2] = {{{.5, h}, {.5, -h}, {0, 0}, {1, 0}},
                                       {{-.5, h}, {1, 0}, {0, 0}, {.5, h}},
                                       {{-1, 0}, {.5, h}, {0, 0}, {-.5, h}}};
  const double squares[3][4][2] = {{{1, 1}, {0, -1}, {0, 0}, {1, 0}},
                                   {{-1, 0}, {1, 1}, {0, 0}, {0, 1}},
                                   {{0, 1}, {1, 0}, {0, 0}, {1, 1}}};
  /* every 15 degrees from one side */
  const double known[12] = {6, 4.5, 0, 6, 0, 4.5, 6, 10.5, 0, 18, 0, 10.5};
  for (int n = 0; n < 12; n++) {
    double angle = K_PI * n / 12, sum = 0, other = 0;
    for (int e = 0; e < 3; e++) sum += rolled_hinge(equilateral[e], angle, k);
    for (int e = 0; e < 3; e++) other += rolled_hinge(squares[e], angle, k);
    assert_close(sum / (0.5 * k * k * h), 6.0, 1e-5);
    if (known[n] > 0) assert_close(other / (0.5 * k * k), known[n], 1e-5);
    assert_true(other / (0.5 * k * k) > 4.499);
  }
}

/* theta 3.032 with rest -3: the angle bent is 0.2512 the other way around, also for its gradient */
static void a_wrapped_angle_takes_the_short_way(void **state)
{
  (void)state;
  double t = 3.032;
  vec3 a = v3(.5, 1, 0), b = v3(.5, -cos(t), sin(t)), c = v3(0, 0, 0), d = v3(1, 0, 0);
  double theta = hinge_angle(a, b, c, d);
  assert_near(fabs(theta), t, 1e-14);
  hinge_element e = {.k = 1, .rest = theta > 0 ? -3 : 3, .wrap = 1};
  double bend = hinge_bend(a, b, c, d, e, 0);
  assert_near(fabs(bend), 2 * K_PI - 6.032, 1e-14);
  grad4 g = hinge_gradient(a, b, c, d, e, 0), angle = hinge_angle_gradient(a, b, c, d);
  assert_near(v3_norm(v3_madd(g.g[0], angle.g[0], -bend)), 0, 1e-15);
  /* followed from there, it is the long way */
  e.wrap = 0;
  assert_near(fabs(hinge_bend(a, b, c, d, e, theta)), 6.032, 1e-14);
}

/* ---- coefficients ---- */

static abut_term_input film(void)
{
  /* two triangles on an edge of 5 mm with 25 mm^2 together */
  return (abut_term_input){.young = 315e6,
                           .poisson = 0.45,
                           .thickness = 30e-6,
                           .bending_scale = 1,
                           .rest = {{2e-3, 5e-3, 0}, {3e-3, -5e-3, 0}, {0, 0, 0}, {5e-3, 0, 0}}};
}

static void the_film_of_the_bag_has_the_known_coefficients(void **state)
{
  (void)state;
  abut_context ctx;
  abut_context_init(&ctx, NULL, 1);
  abut_term_input in = film();
  const char *const models[] = {"stvk", "neo_hookean"};
  for (int k = 0; k < 2; k++) {
    membrane_element e;
    const abut_term_class *class = abut_term_find(abut_registry.terms, models[k], ABUT_ON_SHELL);
    assert_ok(class->build(&ctx, &in, &e));
    assert_close(e.mu, 3258.62068965517, 1e-14);
    assert_close(e.lam, 5332.28840125392, 1e-14);
  }
  hinge_element h;
  const abut_term_class *class = abut_term_find(abut_registry.terms, "hinge", ABUT_ON_ANY);
  assert_ok(class->build(&ctx, &in, &h));
  assert_close(h.k, 5.332288401254e-06, 1e-12);
  assert_close(h.k * 25e-6 / (6 * 25e-6), 8.887147335423e-07, 1e-12); /* D = k A/(6 l^2) */
  assert_near(h.rest, 0, 1e-16);
  /* plates take a sixth */
  in.bending_scale = 1.0 / 6;
  assert_ok(class->build(&ctx, &in, &h));
  assert_close(h.k, 8.887147335423e-07, 1e-12);
  abut_context_free(&ctx);
}

/* ---- springs ---- */

typedef struct spring {
  double energy;
  vec3 g[2];
  mat3 h[3];
} spring;

static spring evaluate(const char *name, const abut_term_input *in, const vec3 *x, bool project)
{
  abut_context ctx;
  abut_context_init(&ctx, NULL, 1);
  const abut_term_class *class = abut_term_find(abut_registry.terms, name, ABUT_ON_ANY);
  double element[32];
  static const int32_t vertex[2] = {0, 1};
  assert_ok(class->build(&ctx, in, element));
  abut_batch batch = {class, 1, vertex, element, NULL};
  abut_at at = {x, x, x, 0.01};
  spring s;
  class->energy(&batch, &at, 0, 1, &s.energy);
  class->gradient(&batch, &at, 0, 1, s.g);
  class->hessian(&batch, &at, 0, 1, project, s.h);
  abut_context_free(&ctx);
  return s;
}

static void ties_and_supports_have_the_known_numbers(void **state)
{
  (void)state;
  vec3 x[2] = {{.01, .02, .03}, {.05, .06, .01}};
  /* a tie's length comes with its rest positions */
  abut_term_input in = {.stiffness = 250, .rest = {{0, 0, 0}, {.05, 0, 0}}};
  spring s = evaluate("tie", &in, x, false);
  double l = v3_norm(v3_sub(x[0], x[1]));
  assert_near(l, 0.06, 1e-16);
  assert_close(s.energy, 0.0125, 1e-12);
  assert_near(s.g[0].x, -5.0 / 3, 1e-12);
  assert_near(s.g[0].y, -5.0 / 3, 1e-12);
  assert_near(s.g[0].z, 5.0 / 6, 1e-12);
  assert_below(v3_norm(v3_add(s.g[0], s.g[1])), 1e-15);
  /* k along, k (1 - L/l) across */
  assert_close(m3_trace(s.h[0]), 250 * (1 + 2 * (1 - .05 / .06)), 1e-12);
  in = (abut_term_input){.stiffness = 50, .rest = {{.02, .02, .03}}};
  s = evaluate("support", &in, x, false);
  assert_close(s.energy, 0.5 * 50 * 1e-4, 1e-12);
  assert_near(s.g[0].x, -0.5, 1e-14);
  assert_close(m3_trace(s.h[0]), 150.0, 1e-15);
}

/* ---- solids ---- */

static const mat3 deformed = {{1.12, .15, -.05, -.2, .88, .1, .07, -.12, .93}};

static void check_spectrum(solid_spectrum q, const double known[9])
{
  sym3 a;
  double value[9];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) a.a[i][j] = q.a[i][j];
  eig3 e = eig_sym3(a);
  for (int k = 0; k < 3; k++)
    value[k] = e.value[k], value[3 + k] = q.twist[k], value[6 + k] = q.flip[k];
  for (int i = 0; i < 9; i++)
    for (int j = i + 1; j < 9; j++)
      if (value[j] < value[i]) {
        double swap = value[i];
        value[i] = value[j], value[j] = swap;
      }
  for (int k = 0; k < 9; k++) assert_close(value[k], known[k], 1e-10);
}

static void check_stress(mat3 p, const double known[9])
{
  for (int k = 0; k < 9; k++) assert_near(p.m[k], known[k], 1e-12 * 6600);
}

static solid_element jelly(void)
{
  abut_context ctx;
  abut_context_init(&ctx, NULL, 1);
  abut_term_input in = {
      .young = 5e4, .poisson = 0.4, .rest = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  solid_element e;
  const abut_term_class *class = abut_term_find(abut_registry.terms, "neo_hookean", ABUT_ON_SOLID);
  assert_ok(class->build(&ctx, &in, &e));
  assert_close(e.mu, 17857.14285714286, 1e-15);
  assert_close(e.lam, 71428.57142857143, 1e-15);
  assert_close(e.volume, 1.0 / 6, 1e-15);
  abut_context_free(&ctx);
  return e;
}

static void singular_values_are_the_known_ones(void **state)
{
  (void)state;
  svd3 f = svd3_of(deformed);
  double low = fmin(f.s[0], fmin(f.s[1], f.s[2])), high = fmax(f.s[0], fmax(f.s[1], f.s[2]));
  assert_close(low, 0.89343569477518, 1e-13);
  assert_close(high, 1.1402110294731, 1e-13);
  assert_close(f.s[0] + f.s[1] + f.s[2] - low - high, 0.94323457717021, 1e-13);
  assert_near(m3_det(deformed), 0.960878, 1e-15);
}

static void stable_neo_hookean_has_the_known_numbers(void **state)
{
  (void)state;
  static const double stress[9] = {2270.8117142857,  -1442.0130357143, -90.090428571429,
                                   -721.17973214286, -6598.7859107143, -1307.9265892857,
                                   -9.6605357142857, 34.861071428571,  -5076.0985};
  static const double spectrum[9] = {-6486.566231221, -2281.083800187, -1217.868768396,
                                     35626.42423724,  36932.15448268,  37995.36951447,
                                     42200.85194551,  42219.02832766,  235065.935828};
  solid_element e = jelly();
  assert_close(snh_density(deformed, e), 659.791557321429, 1e-12);
  check_stress(snh_stress(deformed, e), stress);
  check_spectrum(snh_spectrum(svd3_of(deformed), e), spectrum);
}

static void neo_hookean_has_the_known_numbers(void **state)
{
  (void)state;
  static const double stress[9] = {2104.2048940574,  -1480.735478277,  -82.546574476312,
                                   -694.39503741684, -6808.4689403634, -1336.9985163704,
                                   -21.497966342262, 55.325782005751,  -5279.8628143351};
  static const double spectrum[9] = {-6715.331806859, -2470.329120071, -1397.122718522,
                                     35801.43606706,  37111.40843281,  38184.61483436,
                                     42429.61752114,  42449.45032271,  265176.0818424};
  solid_element e = jelly();
  assert_close(nh_density(deformed, e), 662.376764651843, 1e-12);
  check_stress(nh_stress(deformed, e), stress);
  check_spectrum(nh_spectrum(svd3_of(deformed), e), spectrum);
}

static void fixed_corotated_has_the_known_numbers(void **state)
{
  (void)state;
  static const double stress[9] = {2549.7053213736, -1416.3491575135, -86.143756033636,
                                   -771.4303320544, -6421.3369206617, -1245.1962302049,
                                   5.5745906507489, 71.026105754643,  -5028.6024178891};
  static const double spectrum[9] = {-6362.205495894, -2044.90810652, -1066.22320531,
                                     38047.40953247,  38210.9279465,  38350.08736629,
                                     38900.5239925,   38904.24696845, 237663.1684991};
  solid_element e = jelly();
  assert_close(fcr_density(deformed, e), 666.043909482237, 1e-12);
  check_stress(fcr_stress(deformed, e), stress);
  check_spectrum(fcr_spectrum(svd3_of(deformed), e), spectrum);
}

/* the check itself: the published form of stable Neo-Hookean, with its logarithm, is another one */
static void other_models_have_other_numbers(void **state)
{
  (void)state;
  solid_element e = jelly();
  assert_true(fabs(snh_density(deformed, e) - 854.668743505952) > 100);
  assert_true(fabs(snh_density(deformed, e) - nh_density(deformed, e)) > 1);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_rest_frame_of_a_triangle_is_right),
      cmocka_unit_test(stvk_membrane_has_the_known_numbers),
      cmocka_unit_test(neo_hookean_membrane_has_the_known_numbers),
      cmocka_unit_test(compressed_membranes_have_the_known_tangents),
      cmocka_unit_test(a_hinge_has_the_known_numbers),
      cmocka_unit_test(hinges_have_six_times_the_energy_of_a_plate),
      cmocka_unit_test(a_wrapped_angle_takes_the_short_way),
      cmocka_unit_test(the_film_of_the_bag_has_the_known_coefficients),
      cmocka_unit_test(ties_and_supports_have_the_known_numbers),
      cmocka_unit_test(singular_values_are_the_known_ones),
      cmocka_unit_test(stable_neo_hookean_has_the_known_numbers),
      cmocka_unit_test(neo_hookean_has_the_known_numbers),
      cmocka_unit_test(fixed_corotated_has_the_known_numbers),
      cmocka_unit_test(other_models_have_other_numbers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
