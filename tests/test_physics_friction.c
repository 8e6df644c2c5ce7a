/* Coulomb friction of the two smoothed laws against closed forms. Slopes are level obstacles under
   a gravity that is tilted. */
#include "physics.h"

static const double eps_v = 1e-3, slope = 0.5; /* m/s, tangent */

typedef enum ground { PLANE, TRIANGLES } ground;

/* a slab (it cannot topple) or a sphere on a slope of that tangent, dhat/2 above it */
static physics lay(const char *method, const char *body, ground on, double mu, double tangent)
{
  double c = 1 / sqrt(1 + tangent * tangent), dhat = on == PLANE ? 1e-3 : 1e-4;
  char slab[400];
  snprintf(slab, sizeof slab,
           strcmp(body, "slab") == 0
               ? "'kind': 'solid', 'material': 'm', 'mesh': {'shape': 'box',"
                 "'size': [0.2, 0.2, 0.02], 'cells': [2, 2, 1]},"
                 "'transform': {'translate': [0.01, 0.02, %.17g]}"
               : "'kind': 'spheres', 'centers': [[0.01, 0.02, %.17g]], 'radii': [0.01],"
                 "'density': 1000",
           0.01 + 0.5 * dhat);
  return physics_open(
      "{'abut': 1, 'gravity': [%.17g, 0, %.17g], 'time': {'step': 0.01, 'end': 1e9},"
      "'method': {'name': '%s', 'stop': 'residual', 'tolerance': 1e-6}, 'contact': {'dhat': %g, "
      "'friction': %g,"
      "'friction_velocity': %g}, 'materials': {'m': {'model': 'neo_hookean',"
      " 'youngs_modulus': 1e7, 'poissons_ratio': 0.3, 'density': 1000}},"
      "'objects': [{'name': '%s', %s}, {'name': 'slope', %s}]}",
      9.81 * tangent * c, -9.81 * c, method, dhat, mu, eps_v, body, slab,
      on == PLANE
          ? "'kind': 'plane'"
          : "'kind': 'obstacle', 'mesh': {'shape': 'grid', 'size': [8, 1], 'cells': [16, 2]},"
            "'transform': {'translate': [3.5, 0, 0]}");
}

/* the speed at which the smoothed law holds the slope, r = tangent/mu < 1 */
static double creep(const char *method, double r)
{
  bool offset = strcmp(method, "offset_ipc") == 0;
  return offset ? r / sqrt(1 - r * r) * eps_v : (1 - sqrt(1 - r)) * eps_v;
}

typedef struct slide {
  double speed;        /* at the end, m/s */
  double acceleration; /* fitted to speeds above 0.1 m/s */
  double load;         /* force of the ground, relative to the weight's share */
} slide;

static slide run(physics *p, const char *body, int steps)
{
  slide s = {0, 0, 0};
  double n = 0, t1 = 0, v1 = 0, tt = 0, tv = 0;
  for (int k = 0; k < steps; k++) {
    physics_step(p);
    s.speed = physics_velocity(p, body).x;
    if (!(s.speed > 0.1)) continue;
    n++, t1 += p->r.time, v1 += s.speed;
    tt += p->r.time * p->r.time, tv += p->r.time * s.speed;
  }
  if (n > 10) s.acceleration = (n * tv - t1 * v1) / (n * tt - t1 * t1);
  s.load =
      physics_push(p, body).z / (-physics_sim(p)->model.system.gravity.z * physics_mass(p, body));
  return s;
}

static const char *const bodies[] = {"slab", "sphere"};
static const ground grounds[] = {PLANE, TRIANGLES};

static void below_the_limit_it_only_creeps(void **state)
{
  (void)state;
  for (int n = 0; n < 4 * PHYSICS_METHODS; n++) {
    const char *method = physics_method(n / 4), *body = bodies[n % 2];
    ground on = grounds[n / 2 % 2];
    double steady = creep(method, slope / 0.51);
    physics p = lay(method, body, on, 0.51, slope);
    slide s = run(&p, body, 150);
    assert_below(s.speed, 1.1 * steady);
    assert_near(s.load, 1, 1e-3);
    /* on a plane it is exactly the speed of the smoothed law, within the solver's tolerance */
    if (on == PLANE) assert_near(s.speed, steady, 1e-6);
    physics_close(&p);
  }
}

static void above_the_limit_it_slides_by_coulombs_law(void **state)
{
  (void)state;
  static const double mu[] = {0.49, 0.30};
  for (int n = 0; n < 8 * PHYSICS_METHODS; n++) {
    const char *method = physics_method(n / 8), *body = bodies[n % 2];
    double m = mu[n / 2 % 2], g = 9.81 / sqrt(1 + slope * slope);
    physics p = lay(method, body, grounds[n / 4 % 2], m, slope);
    slide s = run(&p, body, m > 0.4 ? 250 : 120);
    assert_close(s.acceleration, (slope - m) * g, 0.02);
    /* the same numbers with a coefficient that is wrong by 0.01 */
    assert_true(fabs(s.acceleration - (slope - m + 0.01) * g) > 0.05 * (slope - m) * g || m < 0.4);
    assert_near(s.load, 1, 0.02);
    physics_close(&p);
  }
}

/* without friction nothing holds it */
static void without_friction_it_falls_down_the_slope(void **state)
{
  (void)state;
  for (int m = 0; m < PHYSICS_METHODS; m++) {
    physics p = lay(physics_method(m), "slab", PLANE, 0, slope);
    slide s = run(&p, "slab", 60);
    assert_close(s.acceleration, 9.81 * slope / sqrt(1 + slope * slope), 1e-6);
    assert_true(s.speed > 1.1 * creep("ipc", slope / 0.51));
    physics_close(&p);
  }
}

/* case C67: 20 degrees, mu 0.5, creep 0.478 and 1.062 eps_v */
static void a_slope_of_20_degrees_creeps_as_documented(void **state)
{
  (void)state;
  static const double known[] = {0.478, 1.062, 0.478};
  for (int m = 0; m < PHYSICS_METHODS; m++) {
    physics p = lay(physics_method(m), "slab", PLANE, 0.5, tan(20 * K_PI / 180));
    slide s = run(&p, "slab", 100);
    assert_close(s.speed, known[m] * eps_v, 2e-3);
    physics_close(&p);
  }
}

/* ... and how far a cube gets in 10 s: 4.8 and 10.6 mm with eps_v of 1 mm/s, a tenth of that with a
   tenth of it. Under its own rule barrier_free leaves a step when forces are nearly settled, and is
   2 % slower. */
static void a_cube_on_a_slope_creeps_a_known_way(void **state)
{
  (void)state;
  static const double smoothed[] = {1e-3, 1e-4}, known[] = {0.478, 1.062, 0.478};
  double tangent = tan(20 * K_PI / 180), c = 1 / sqrt(1 + tangent * tangent);
  for (int n = 0; n < 4 * PHYSICS_METHODS; n++) {
    int m = n / 4;
    double eps = smoothed[n % 2];
    bool own = n & 2;
    physics p = physics_open(
        "{'abut': 1, 'gravity': [%.17g, 0, %.17g], 'time': {'step': 0.01, 'end': 99},"
        "'method': {'name': '%s', 'tolerance': 1e-7%s}, 'contact': {'dhat': 1e-3, 'friction': 0.5,"
        "'friction_velocity': %g}, 'materials': {'m': {'model': 'neo_hookean', 'youngs_modulus':"
        " 1e7, 'poissons_ratio': 0.3, 'density': 1000}}, 'objects': [{'name': 'cube', 'kind':"
        "'solid', 'material': 'm', 'mesh': {'shape': 'box', 'size': [0.1, 0.1, 0.1], 'cells':"
        " [2, 2, 2]}, 'transform': {'translate': [0, 0, 0.0505]}}, {'name': 'slope', 'kind':"
        "'plane'}]}",
        9.81 * tangent * c, -9.81 * c, physics_method(m), own ? "" : ", 'stop': 'residual'", eps);
    /* while it lands its friction comes and goes */
    physics_steps(&p, 100);
    double start = physics_center(&p, "cube").x;
    physics_steps(&p, 1000);
    assert_close(physics_center(&p, "cube").x - start, 10 * known[m] * eps,
                 own && m >= PHYSICS_BARRIERS ? 0.03 : 0.002);
    physics_close(&p);
  }
}

/* case C69: coefficients above one are coefficients */
static void coefficients_above_one_hold_steep_slopes(void **state)
{
  (void)state;
  for (int m = 0; m < PHYSICS_METHODS; m++) {
    double steep = tan(50 * K_PI / 180), steeper = tan(60 * K_PI / 180);
    physics p = lay(physics_method(m), "slab", PLANE, 0.5, tan(20 * K_PI / 180));
    slide s = run(&p, "slab", 100);
    double ordinary = (double)p.newton;
    physics_close(&p);
    p = lay(physics_method(m), "slab", PLANE, 1.5, steep);
    s = run(&p, "slab", 100);
    assert_below(s.speed, 1.1 * creep(physics_method(m), steep / 1.5));
    assert_below((double)p.newton, 3 * ordinary);
    physics_close(&p);
    p = lay(physics_method(m), "slab", PLANE, 1.5, steeper);
    s = run(&p, "slab", 100);
    assert_close(s.acceleration, 1.1382, 5e-3);
    assert_below((double)p.newton, 3 * ordinary);
    physics_close(&p);
    p = lay(physics_method(m), "slab", PLANE, 64, steeper);
    s = run(&p, "slab", 100);
    assert_below(s.speed, 1.1 * creep(physics_method(m), steeper / 64));
    assert_below((double)p.newton, 3 * ordinary);
    physics_close(&p);
  }
}

/* A belt that runs at 1 m/s takes a slab along: mu g until it is as fast, and no faster. The slip
   of friction is relative to what is led. */
static void a_belt_takes_a_slab_along(void **state)
{
  (void)state;
  for (int n = 0; n < 2 * PHYSICS_METHODS; n++) {
    double mu = n % 2 ? 0 : 0.3;
    physics p = physics_open(
        "{'abut': 1, 'time': {'step': 0.01, 'end': 9}, 'method': {'name': '%s', 'tolerance': 1e-6},"
        "'contact': {'dhat': 1e-4, 'friction': %g, 'friction_velocity': 1e-3}, 'materials': {'m':"
        "{'model': 'neo_hookean', 'youngs_modulus': 1e7, 'poissons_ratio': 0.3, 'density': 1000}},"
        "'objects': [{'name': 'slab', 'kind': 'solid', 'material': 'm', 'mesh': {'shape': 'box',"
        " 'size': [0.2, 0.2, 0.02], 'cells': [2, 2, 1]}, 'transform': {'translate': [0, 0, "
        "0.01005]}},"
        "{'name': 'belt', 'kind': 'obstacle', 'mesh': {'shape': 'grid', 'size': [8, 8], 'cells':"
        " [1, 1]}, 'transform': {'translate': [1, 0, 0]}, 'motion': {'linear_velocity': [1, 0, "
        "0]}}]}",
        physics_method(n / 2), mu);
    slide s = run(&p, "slab", 30);
    if (mu > 0) assert_close(s.acceleration, mu * 9.81, 0.01);
    s = run(&p, "slab", 30);
    assert_near(s.speed, mu > 0 ? 1 : 0, 2e-5);
    physics_close(&p);
  }
}

/* friction that is refreshed within the step holds and slides the same; barrier_free never does */
static void refreshed_friction_agrees(void **state)
{
  (void)state;
  for (int m = 0; m < PHYSICS_BARRIERS; m++) {
    physics p = lay(physics_method(m), "slab", PLANE, 0.6, slope);
    physics_sim(&p)->model.options.friction_iterations = 4;
    slide s = run(&p, "slab", 60);
    assert_near(s.speed, creep(physics_method(m), slope / 0.6), 1e-6);
    physics_close(&p);
    p = lay(physics_method(m), "slab", PLANE, 0.3, slope);
    physics_sim(&p)->model.options.friction_iterations = 4;
    s = run(&p, "slab", 60);
    assert_close(s.acceleration, (slope - 0.3) * 9.81 / sqrt(1 + slope * slope), 0.02);
    physics_close(&p);
  }
}

/* case C72: a cube at 1 m/s, mu 0.3. Implicit Euler's path: v falls by mu g dt each step */
static void stopping_does_not_depend_on_the_time_step(void **state)
{
  (void)state;
  static const double dt[] = {0.01, 0.005, 0.0025}, path[] = {0.1649, 0.1674, 0.1686};
  for (int n = 0; n < 3 * PHYSICS_METHODS; n++) {
    physics p = physics_open(
        "{'abut': 1, 'time': {'step': %g, 'end': 1e9}, 'method': {'name': '%s', 'tolerance': 1e-6},"
        "'contact': {'dhat': 1e-3, 'friction': 0.3, 'friction_velocity': 1e-3},"
        "'materials': {'m': {'model': 'neo_hookean', 'youngs_modulus': 1e7, 'poissons_ratio': 0.3,"
        " 'density': 1000}}, 'objects': [{'name': 'cube', 'kind': 'solid', 'material': 'm',"
        " 'mesh': {'shape': 'box', 'size': [0.1, 0.1, 0.1], 'cells': [2, 2, 2]},"
        " 'transform': {'translate': [0, 0, 0.0503]}}, {'name': 'floor', 'kind': 'plane'}]}",
        dt[n % 3], physics_method(n / 3));
    /* let it sink into the contact first, then push it off */
    physics_steps(&p, (int)round(0.3 / dt[n % 3]));
    abut_sim *sim = physics_sim(&p);
    for (int32_t i = 0; i < sim->model.system.dynamic; i++) sim->state.v[i] = v3(1, 0, 0);
    double start = physics_center(&p, "cube").x, t0 = 0, v0 = 0, t1 = 0, v1 = 0;
    for (int k = 0; k < (int)round(0.5 / dt[n % 3]); k++) {
      physics_step(&p);
      double v = physics_velocity(&p, "cube").x;
      if (v < 0.9 && t0 == 0) t0 = p.r.time, v0 = v;
      if (v > 0.1) t1 = p.r.time, v1 = v;
    }
    double way = physics_center(&p, "cube").x - start;
    assert_close((v0 - v1) / (t1 - t0), 2.943, 0.01);
    assert_close(way, path[n % 3], 0.01);
    physics_close(&p);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(below_the_limit_it_only_creeps),
      cmocka_unit_test(above_the_limit_it_slides_by_coulombs_law),
      cmocka_unit_test(without_friction_it_falls_down_the_slope),
      cmocka_unit_test(a_slope_of_20_degrees_creeps_as_documented),
      cmocka_unit_test(a_cube_on_a_slope_creeps_a_known_way),
      cmocka_unit_test(coefficients_above_one_hold_steep_slopes),
      cmocka_unit_test(a_belt_takes_a_slab_along),
      cmocka_unit_test(refreshed_friction_agrees),
      cmocka_unit_test(stopping_does_not_depend_on_the_time_step),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
