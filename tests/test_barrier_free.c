/* barrier_free: its constraint against its closed form, and what it must keep where the barrier
   methods keep it by their barrier: Coulomb's law, momentum, boundaries, no crossing at any speed.
   What all methods share is tested with them. */
#include "physics.h"

#include "kernel/augmented.h"
#include "step/validate.h"

/* ---- the constraint ---- */

static augmented sample_constraint(void)
{
  return (augmented){{1, -0.2, -0.3, -0.5}, {0.6, 0, 0.8}, 0.01, 2, 30, 0.81};
}

static void the_slack_is_eliminated_in_closed_form(void **state)
{
  (void)state;
  /* smallest over s >= 0 of m/2 (c - s)^2 - l (c - s), by search; less the constant it lacks */
  static const double c[] = {-0.2, 0.1, 0.4, 0.2, -0.1}, l[] = {0.5, 0.5, 0.5, 0, 0};
  const double m = 3;
  quad zero = {{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}}};
  for (int k = 0; k < 5; k++) {
    double least = HUGE_VAL;
    for (int i = 0; i <= 300000; i++) {
      double r = c[k] - 1e-5 * i;
      least = fmin(least, 0.5 * m * r * r - l[k] * r);
    }
    augmented e = {{1, 0, 0, 0}, {0, 0, 1}, c[k], l[k], m, 1};
    assert_near(augmented_energy(zero, zero, e) - l[k] * l[k] / (2 * m), least, 1e-9);
    assert_near(fmax(0, augmented_push(zero, zero, e)), fmax(0, l[k] - m * c[k]), 1e-15);
  }
}

static void its_gradient_is_that_of_its_energy(void **state)
{
  (void)state;
  augmented e = sample_constraint();
  quad a = {{{1, 2, 3}, {4, 5, 6}, {-3, 2, 1}, {0, 1, 0}}}, x = a;
  x.p[0] = v3_add(x.p[0], v3(-0.02, 0.01, -0.03));
  x.p[2] = v3_add(x.p[2], v3(0.01, 0.03, 0.005));
  grad4 g = augmented_gradient(x, a, e);
  vec3 sum = v3(0, 0, 0);
  for (int k = 0; k < 4; k++) {
    sum = v3_add(sum, g.g[k]);
    double *p = &x.p[k].x;
    for (int i = 0; i < 3; i++) {
      const double h = 1e-6, at = p[i];
      p[i] = at + h;
      double above = augmented_energy(x, a, e);
      p[i] = at - h;
      double below = augmented_energy(x, a, e);
      p[i] = at;
      assert_near((&g.g[k].x)[i], (above - below) / (2 * h), 1e-8);
    }
  }
  assert_below(v3_norm(sum), 1e-15); /* it pushes nothing as a whole */
  x.p[0] = v3_add(x.p[0], v3(1, 0, 1));
  assert_true(augmented_energy(x, a, e) == 0); /* and never pulls */
}

/* The multiplier of one mass m on a wall comes closer to its load by m/(m + stiffness) in each
   iteration: 0.909, 0.5, 0.0909 for stiffness/m of 0.1, 1, 10. */
static void multipliers_contract_as_they_should(void **state)
{
  (void)state;
  static const double ratio[] = {0.1, 1, 10}, known[] = {0.909090, 0.5, 0.090909};
  const double y = -0.5, delta = 0.01;
  for (int k = 0; k < 3; k++) {
    double l = 0, load = delta - y, before = load;
    for (int i = 0; i < 6; i++) {
      /* minimum of 1/2 (x - y)^2 + the constraint's energy */
      double x = (y + ratio[k] * delta + l) / (1 + ratio[k]);
      augmented e = {{1, 0, 0, 0}, {0, 0, 1}, 0 - delta, l, ratio[k], 1};
      quad at = {{{0, 0, x}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}}}, anchor = {{{0, 0, 0}}};
      before = load - l;
      l = fmax(0, augmented_push(at, anchor, e));
    }
    assert_near((load - l) / before, known[k], 1e-6);
  }
}

/* ---- scenes ---- */

static void assert_apart(physics *p)
{
  abut_sim *sim = physics_sim(p);
  physics_expect(
      p,
      abut_validate(&p->scene->ctx, &sim->model.surface, sim->work.drive.prescribed, sim->state.x),
      ABUT_OK);
}

static const char cube_and_ground[] =
    "{'abut': 1, 'gravity': [%g, 0, %g], 'time': {'step': %g, 'end': 99}, 'method': {'name': "
    "'barrier_free'%s}, 'contact': {'dhat': 1e-3, 'friction': %g, 'friction_velocity': 1e-3},"
    "'materials': {'m': {'model': 'stable_neo_hookean', 'youngs_modulus': 1e7, 'poissons_ratio':"
    " 0.3, 'density': 1000}}, 'objects': [{'name': 'cube', 'kind': 'solid', 'material': 'm',"
    " 'mesh': {'shape': 'box', 'size': [0.2, 0.2, 0.2], 'cells': [2, 2, 2]}, 'transform':"
    " {'translate': [0, 0, 0.101]}}, {'name': 'ground', %s}]}";
static const char plane[] = "'kind': 'plane', 'point': [0, 0, 0], 'normal': [0, 0, 1]";
static const char triangles[] =
    "'kind': 'obstacle', 'mesh': {'shape': 'grid', 'size': [6, 2], 'cells': [6, 3]}";

static physics cube_on_slope(double mu, double dt, const char *options, const char *ground)
{
  double angle = atan(0.5);
  return physics_open(cube_and_ground, 9.81 * sin(angle), -9.81 * cos(angle), dt, options, mu,
                      ground);
}

/* a slope of tan 0.5: above friction 0.5 the smoothed law creeps, below it slides */
static void a_cube_on_a_slope_obeys_coulombs_law(void **state)
{
  (void)state;
  static const double slides[] = {0.45, 0.48, 0.49}, creeps[] = {0.51, 0.52, 0.55};
  static const double speed[] = {0.860e-3, 0.804e-3, 0.699e-3};
  for (int n = 0; n < 6; n++) {
    physics p = cube_on_slope(slides[n % 3], 0.01, "", n < 3 ? plane : triangles);
    physics_steps(&p, 100);
    while (physics_velocity(&p, "cube").x < 0.1) physics_step(&p);
    double v = physics_velocity(&p, "cube").x;
    physics_steps(&p, 50);
    double a = (physics_velocity(&p, "cube").x - v) / 0.5;
    /* each edge of a triangle that a vertex passes is a pair of its own, whose multiplier starts
       anew: small jolts */
    assert_close(a, 9.81 * (0.5 - slides[n % 3]) / sqrt(1.25), n < 3 ? 0.02 : 0.1);
    assert_apart(&p);
    physics_close(&p);
    p = cube_on_slope(creeps[n % 3], 0.01, "", n < 3 ? plane : triangles);
    physics_steps(&p, 200);
    assert_below(physics_velocity(&p, "cube").x, 1.05 * speed[n % 3]);
    physics_close(&p);
  }
}

/* the control: without the guards the same cube is off by more than a tenth */
static void the_literal_rules_miss_coulombs_law(void **state)
{
  (void)state;
  physics p = cube_on_slope(0.45, 0.01,
                            ", 'settle': false, 'local_stiffness': false, 'inactive_stiffness': "
                            "true, 'floor': false, 'finish_iterations': 0, 'k_min': 6",
                            triangles);
  physics_steps(&p, 100);
  double v = physics_velocity(&p, "cube").x;
  physics_steps(&p, 50);
  double a = (physics_velocity(&p, "cube").x - v) / 0.5, exact = 9.81 * 0.05 / sqrt(1.25);
  assert_true(fabs(a - exact) > 0.1 * exact);
  physics_close(&p);
}

static void the_residual_rule_is_met_at_any_step(void **state)
{
  (void)state;
  static const double dt[] = {0.01, 0.005, 0.0025};
  for (int k = 0; k < 3; k++) {
    physics p = cube_on_slope(0.3, dt[k], ", 'stop': 'residual', 'tolerance': 1e-7", triangles);
    for (int n = 0; n < 40; n++) {
      physics_step(&p);
      assert_int_equal(p.r.status, ABUT_STEP_CONVERGED);
      assert_int_equal(p.r.halvings, 0);
      assert_below(p.r.residual, 1e-7);
    }
    assert_true(p.r.contacts > 0);
    physics_close(&p);
  }
}

static const char two_balls[] =
    "{'abut': 1, 'gravity': [0, 0, 0], 'time': {'step': 0.002, 'end': 9}, 'method': {'name': "
    "'barrier_free'%s}, 'contact': {'dhat': 2e-3, 'friction': 0.4, 'friction_velocity': 1e-2},"
    "'materials': {'m': {'model': 'stable_neo_hookean', 'youngs_modulus': 1e5, 'poissons_ratio':"
    " 0.4, 'density': 1000}}, 'objects': ["
    "{'name': 'a', 'kind': 'solid', 'material': 'm', 'mesh': {'shape': 'ball', 'radius': 0.1,"
    " 'cells': 3}, 'transform': {'translate': [-0.15, 0, 0.03]}, 'velocity': [4, 0, 0]},"
    "{'name': 'b', 'kind': 'solid', 'material': 'm', 'mesh': {'shape': 'ball', 'radius': 0.1,"
    " 'cells': 3}, 'transform': {'translate': [0.15, 0, -0.03]}, 'velocity': [-4, 1, 0]}]}";

/* The anchor moves a part of the way to the iterate; what it keeps of the start of the step would
   be lost momentum. The rule that a step ends with a whole advance keeps it to rounding. */
static void a_collision_with_friction_keeps_momentum(void **state)
{
  (void)state;
  physics p = physics_open(two_balls, "");
  vec3 a0 = physics_velocity(&p, "a");
  double m = physics_mass(&p, "a"), scale = m * 8, turned = 0;
  vec3 sum = v3_scale(v3_add(a0, physics_velocity(&p, "b")), m);
  int64_t touched = 0;
  for (int n = 0; n < 150; n++) {
    physics_step(&p);
    assert_below(v3_norm(v3_sub(p.r.momentum, sum)), 1e-10 * scale);
    assert_apart(&p);
    touched += p.r.contacts > 0;
    turned = fmax(turned, fabs(physics_velocity(&p, "a").y));
  }
  assert_true(touched > 5 && turned > 0.05); /* friction has acted */
  assert_true(physics_velocity(&p, "a").x < 0);
  assert_int_equal(p.r.contacts, 0);
  vec3 free = physics_velocity(&p, "a");
  for (int n = 0; n < 30; n++) {
    physics_step(&p);
    assert_below(v3_norm(v3_sub(physics_velocity(&p, "a"), free)), 1e-10 * 8);
  }
  physics_close(&p);
}

/* a soft body at 100 m/s into a fixed plate without thickness */
static void a_fast_body_does_not_pass_a_thin_plate(void **state)
{
  (void)state;
  physics p = physics_open(
      "{'abut': 1, 'gravity': [0, 0, 0], 'time': {'step': 0.01, 'end': 9}, 'method': "
      "'barrier_free', 'contact': {'dhat': 2e-3}, 'materials': {'m': {'model': "
      "'stable_neo_hookean', 'youngs_modulus': 1e6, 'poissons_ratio': 0.4, 'density': 1000}},"
      "'objects': [{'name': 'ball', 'kind': 'solid', 'material': 'm', 'mesh': {'shape': 'ball',"
      " 'radius': 0.1, 'cells': 4}, 'transform': {'translate': [0, 0, 0.7]}, 'velocity': [0, 0, "
      "-100]}, {'name': 'plate', 'kind': 'obstacle', 'mesh': {'shape': 'grid', 'size': [3, 3],"
      " 'cells': [4, 4]}}]}");
  for (int n = 0; n < 40; n++) {
    physics_step(&p);
    assert_apart(&p);
    for (int32_t i = 0; i < physics_count(&p, "ball"); i++)
      assert_true(physics_x(&p, "ball", i).z > 0);
  }
  assert_true(physics_velocity(&p, "ball").z > 0);
  physics_close(&p);
}

/* a hard ball into a pile of hard cubes */
static void a_hard_ball_scatters_hard_cubes(void **state)
{
  (void)state;
  physics p = physics_open(
      "{'abut': 1, 'time': {'step': 0.01, 'end': 9}, 'method': 'barrier_free', 'contact': {'dhat':"
      " 2e-3, 'friction': 0.3}, 'materials': {'m': {'model': 'neo_hookean', 'youngs_modulus': 1e9,"
      " 'poissons_ratio': 0.3, 'density': 1000}}, 'objects': ["
      "{'name': 'a', 'kind': 'solid', 'material': 'm', 'mesh': {'shape': 'box', 'size': [0.2, 0.2, "
      "0.2], 'cells': [1, 1, 1]}, 'transform': {'translate': [-0.11, 0, 0.102]}},"
      "{'name': 'b', 'kind': 'solid', 'material': 'm', 'mesh': {'shape': 'box', 'size': [0.2, 0.2, "
      "0.2], 'cells': [1, 1, 1]}, 'transform': {'translate': [0.11, 0, 0.102]}},"
      "{'name': 'c', 'kind': 'solid', 'material': 'm', 'mesh': {'shape': 'box', 'size': [0.2, 0.2, "
      "0.2], 'cells': [1, 1, 1]}, 'transform': {'translate': [0, 0, 0.306]}},"
      "{'name': 'ball', 'kind': 'solid', 'material': 'm', 'mesh': {'shape': 'ball', 'radius': 0.1,"
      " 'cells': 2}, 'transform': {'translate': [-0.6, 0, 0.25]}, 'velocity': [10, 0, 0]},"
      "{'name': 'floor', 'kind': 'plane', 'point': [0, 0, 0], 'normal': [0, 0, 1]}]}");
  double hit = 0;
  for (int n = 0; n < 60; n++) {
    physics_step(&p);
    assert_apart(&p);
    hit = fmax(hit, physics_velocity(&p, "c").x);
  }
  assert_true(hit > 0.5);
  assert_true(physics_velocity(&p, "ball").x < 5);
  physics_close(&p);
}

/* a lid that comes down on a block: what is led is exactly where it is told to be */
static void boundaries_are_followed(void **state)
{
  (void)state;
  physics p = physics_open(
      "{'abut': 1, 'gravity': [0, 0, 0], 'time': {'step': 0.01, 'end': 9}, 'method': "
      "'barrier_free', 'contact': {'dhat': 1e-3}, 'materials': {'m': {'model': 'neo_hookean',"
      " 'youngs_modulus': 1e5, 'poissons_ratio': 0.3, 'density': 1000}}, 'objects': ["
      "{'name': 'block', 'kind': 'solid', 'material': 'm', 'mesh': {'shape': 'box', 'size': [0.2, "
      "0.2, 0.2], 'cells': [3, 3, 3]}, 'transform': {'translate': [0, 0, 0.102]}},"
      "{'name': 'floor', 'kind': 'plane', 'point': [0, 0, 0], 'normal': [0, 0, 1]},"
      "{'name': 'lid', 'kind': 'obstacle', 'mesh': {'shape': 'grid', 'size': [0.5, 0.5], 'cells': "
      "[2, 2]}, 'transform': {'translate': [0, 0, 0.25]}, 'motion': {'linear_velocity': [0, 0, "
      "-0.2]}}]}");
  for (int n = 1; n <= 60; n++) {
    physics_step(&p);
    assert_true(p.r.boundary_lag == 0);
    assert_near(physics_x(&p, "lid", 0).z, 0.25 - 0.002 * n, 1e-15);
    assert_apart(&p);
  }
  /* 0.13 m are left between floor and lid, less twice the separation */
  double low = HUGE_VAL, high = 0;
  for (int32_t i = 0; i < physics_count(&p, "block"); i++) {
    low = fmin(low, physics_x(&p, "block", i).z);
    high = fmax(high, physics_x(&p, "block", i).z);
  }
  assert_near(low, 1e-3, 2e-4);
  assert_near(high, 0.129, 2e-4);
  physics_close(&p);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_slack_is_eliminated_in_closed_form),
      cmocka_unit_test(its_gradient_is_that_of_its_energy),
      cmocka_unit_test(multipliers_contract_as_they_should),
      cmocka_unit_test(a_cube_on_a_slope_obeys_coulombs_law),
      cmocka_unit_test(the_literal_rules_miss_coulombs_law),
      cmocka_unit_test(the_residual_rule_is_met_at_any_step),
      cmocka_unit_test(a_collision_with_friction_keeps_momentum),
      cmocka_unit_test(a_fast_body_does_not_pass_a_thin_plate),
      cmocka_unit_test(a_hard_ball_scatters_hard_cubes),
      cmocka_unit_test(boundaries_are_followed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
