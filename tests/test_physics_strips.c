/* Strips of film against the beam and the catenary. */
#include "physics.h"

/* ---- a cantilever under its own weight ---- */

static const double width = 0.1, thickness = 1e-3, young = 1e6, density = 1000;

/* Tip deflection over w L^4/(8 B), B = E h^3 W/12, of a clamped strip of equilateral triangles.
   Rows run along the strip, e apart in x and offset by half an edge. The first two vertices of each
   row are pinned. Slanted edges carry the bending, one every e/2, and the first that is free to
   turn stands for [e, 1.5 e] from the first even vertex: the clamp is at e. The ragged ends are at
   (m + 1/4) e in the mean, so L = (m - 3/4) e. The load is chosen so that the tip sinks by a tenth
   of the thickness: far from where stretching would matter. */
static double deflection(const char *method, int rows, double slender, double poisson, double scale)
{
  double e = width / (rows * sqrt(3) / 2);
  int m = (int)round(slender * width / e);
  double length = (m - 0.75) * e, beam = young * pow(thickness, 3) * width / 12;
  double expected = 0.1 * thickness;
  double g = expected * 8 * beam / (density * thickness * width * pow(length, 4));
  physics p = physics_open(
      "{'abut': 1, 'gravity': [0, 0, %.17g], 'time': {'step': 1e5, 'end': 1e9},"
      "'method': {'name': '%s', 'stop': 'residual', 'position_tolerance': 1e-12},"
      "'materials': {'film': {'model': 'stvk', 'youngs_modulus': %g, 'poissons_ratio': %.17g,"
      "  'density': %g, 'thickness': %g, 'bending_scale': %.17g}},"
      "'objects': [{'name': 'strip', 'kind': 'shell', 'material': 'film', 'mesh': {'shape': 'grid',"
      "  'size': [%.17g, %.17g], 'cells': [%d, %d], 'pattern': 'equilateral'}}],"
      "'controls': [{'kind': 'pin', 'object': 'strip',"
      "  'vertices': {'box': [[%.17g, -1, -1], [%.17g, 1, 1]]}}]}",
      -g, method, young, poisson, density, thickness, scale, m * e, width, m, rows, -m * e,
      -m * e / 2 + 1.3 * e);
  /* a step so long that inertia does not count: statics at once */
  physics_step(&p);
  assert_int_equal(p.r.halvings, 0);
  assert_below(p.r.energy.kinetic, 1e-4 * p.r.energy.bending);
  assert_below(p.r.energy.elastic, 1e-4 * p.r.energy.bending);
  double even = physics_x(&p, "strip", m).z, odd = physics_x(&p, "strip", 2 * m + 1).z;
  physics_close(&p);
  return -0.5 * (even + odd) / expected;
}

static const double plate = 1.0 / 6; /* bending_scale of plate theory */

static void a_cantilever_bends_like_a_beam(void **state)
{
  (void)state;
  for (int m = 0; m < PHYSICS_METHODS; m++) {
    double d[3];
    for (int k = 0; k < 3; k++) d[k] = deflection(physics_method(m), 2 << k, 10.5, 1.0 / 3, plate);
    assert_near(d[2], 1, 0.05);
    /* second order: halving the edge divides the change by four or so */
    assert_true(fabs(d[0] - d[1]) > 3 * fabs(d[1] - d[2]));
    /* What is left is not the mesh: the clamp keeps the strip from curling across, which makes its
       first half width stiffer by 9/8. That error goes with width/length, and without it beam and
       strip agree. */
    double slender = deflection(physics_method(m), 8, 21, 1.0 / 3, plate);
    assert_close(1 - slender, (1 - d[2]) / 2, 0.1);
    assert_near(2 * slender - d[2], 1, 3e-3);
  }
}

/* the same numbers with Newton IPC's hinges, with none of the plate's correction, or with
   another Poisson's ratio are not the beam's */
static void the_beam_needs_plate_hinges_and_one_third(void **state)
{
  (void)state;
  assert_near(deflection("ipc", 4, 10.5, 1.0 / 3, 1), plate, 0.01);
  double zero = deflection("ipc", 4, 21, 0, plate);
  assert_near(zero, 9.0 / 8, 0.02); /* 8/9 of D is 8/9 of the beam's stiffness then */
  assert_true(fabs(zero - 1) > 0.05);
}

/* ---- a hanging chain ---- */

/* z = a cosh(x/a) of length S between ends D apart: 2 a sinh(D/(2a)) = S */
static double parameter(double s, double d)
{
  double low = 1e-3 * s, high = 1e3 * s;
  for (int k = 0; k < 200; k++) {
    double a = sqrt(low * high);
    *(2 * a * sinh(d / (2 * a)) > s ? &low : &high) = a;
  }
  return low;
}

enum { CELLS = 40 };

/* a strip of length 1 whose ends have come 0.2 closer, at rest */
static physics hang(const char *method, double modulus, double thick, double bending)
{
  enum { N = CELLS };
  physics p = physics_open(
      "{'abut': 1, 'time': {'step': 1, 'end': 1e9}, 'contact': {'self_contact': false},"
      "'method': {'name': '%s', 'stop': 'residual', 'position_tolerance': 1e-8},"
      "'materials': {'film': {'model': 'stvk', 'youngs_modulus': %g, 'poissons_ratio': 0,"
      "  'density': 1000, 'thickness': %g, 'bending_scale': %g}},"
      "'objects': [{'name': 'strip', 'kind': 'shell', 'material': 'film',"
      "  'mesh': {'shape': 'grid', 'size': [1, 0.02], 'cells': [%d, 1]}}],"
      "'controls': [{'kind': 'pin', 'object': 'strip', 'vertices': {'indices': [0, %d]},"
      "  'motion': {'keys': [{'t': 0}, {'t': 10, 'translate': [0.1, 0, 0]}]}},"
      " {'kind': 'pin', 'object': 'strip', 'vertices': {'indices': [%d, %d]},"
      "  'motion': {'keys': [{'t': 0}, {'t': 10, 'translate': [-0.1, 0, 0]}]}}]}",
      method, modulus, thick, bending, N, N + 1, N, 2 * N + 1);
  physics_steps(&p, 16);
  assert_int_equal(p.r.halvings, 0);
  assert_below(p.r.energy.kinetic, 1e-12);
  return p;
}

static double sag(const physics *p)
{
  double low = 0;
  for (int i = 0; i <= CELLS; i++)
    low = fmin(low, 0.5 * (physics_x(p, "strip", i).z + physics_x(p, "strip", CELLS + 1 + i).z));
  return -low;
}

/* largest distance in height from the catenary, relative to its sag */
static double curve_miss(const physics *p)
{
  double a = parameter(1, 0.8), c = cosh(0.4 / a), most = 0;
  for (int i = 0; i <= CELLS; i++) {
    vec3 x = physics_x(p, "strip", i);
    most = fmax(most, fabs(x.z - a * (cosh(x.x / a) - c)));
  }
  return most / (a * (c - 1));
}

static void a_hanging_strip_is_a_catenary(void **state)
{
  (void)state;
  double a = parameter(1, 0.8), deep = a * (cosh(0.4 / a) - 1);
  for (int m = 0; m < PHYSICS_METHODS; m++) {
    physics p = hang(physics_method(m), 1e9, 1e-3, 0);
    assert_close(sag(&p), deep, 1e-3);
    assert_below(curve_miss(&p), 1e-3);
    /* energy of the tension w sqrt(a^2 + s^2), integrated along the strip */
    double w = 1000 * 1e-3 * 0.02 * 9.81, stiff = 1e9 * 1e-3 * 0.02;
    assert_close(p.r.energy.elastic, w * w / (2 * stiff) * (a * a + 1.0 / 12), 5e-3);
    physics_close(&p);
  }
}

static void a_stretchy_or_stiff_strip_is_none(void **state)
{
  (void)state;
  physics p = hang("ipc", 1e5, 1e-3, 0); /* w a/(E h W) is 4 percent */
  assert_true(curve_miss(&p) > 0.02);
  physics_close(&p);
  p = hang("ipc", 1e9, 5e-3, 1); /* bends like a ruler: much the same sag, another curve */
  assert_true(curve_miss(&p) > 0.01);
  physics_close(&p);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_cantilever_bends_like_a_beam),
      cmocka_unit_test(the_beam_needs_plate_hinges_and_one_third),
      cmocka_unit_test(a_hanging_strip_is_a_catenary),
      cmocka_unit_test(a_stretchy_or_stiff_strip_is_none),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
