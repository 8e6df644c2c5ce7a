/* Friction with the default tolerance, which is coarse beside friction_velocity: what the residual
   stop may not take for the end of a step. */
#include "physics.h"

/* a bead on a plane, thrown along it; far: another bead, which makes the scene and with it the
   default tolerance large */
static physics throw_bead(const char *method, const char *options, double height, double speed,
                          double far)
{
  return physics_open(
      "{'abut': 1, 'time': {'step': 0.01, 'end': 1e9}, 'method': {%s 'name': '%s'},"
      "'contact': {'dhat': 1e-3, 'friction': 0.3}, 'objects': ["
      "{'name': 'bead', 'kind': 'spheres', 'centers': [[0, 0, %.17g]], 'radii': [0.01],"
      " 'density': 1000, 'velocity': [%.17g, 0, 0]},"
      "{'name': 'far', 'kind': 'spheres', 'centers': [[0, %.17g, 9]], 'radii': [0.01],"
      " 'density': 1000},"
      "{'name': 'ground', 'kind': 'plane'}]}",
      options, method, height, speed, far);
}

/* v0 = 1 m/s, mu g = 2.943 m/s^2: 34 steps of 0.01 s. At zero slip, where Newton starts, friction
   is stiff enough to hold the bead at any speed within the tolerance. */
static void a_thrown_bead_stops_when_coulomb_says(void **state)
{
  (void)state;
  for (int m = 0; m < PHYSICS_METHODS; m++) {
    for (double far = 0.05; far < 10; far *= 10) {
      physics p = throw_bead(physics_method(m), "", 0.01101, 1, far);
      for (int k = 1; k <= 32; k++) {
        physics_step(&p);
        double expected = 1 - 0.3 * 9.81 * 0.01 * k;
        assert_near(physics_velocity(&p, "bead").x, expected, 0.06);
      }
      physics_steps(&p, 4);
      assert_below(physics_velocity(&p, "bead").x, 2e-3);
      physics_close(&p);
    }
  }
}

/* The load of a bead that hits the ground: the end of that step decides what friction it meets in
   the next one. A correction within the tolerance is a large part of dhat, and of the load. */
static void a_hit_takes_as_much_speed_as_with_a_tight_tolerance(void **state)
{
  (void)state;
  for (int m = 0; m < PHYSICS_METHODS; m++) {
    double speed[2];
    for (int tight = 0; tight < 2; tight++) {
      physics p = throw_bead(physics_method(m), tight ? "'tolerance': 1e-6," : "", 0.21, 2, 1);
      physics_steps(&p, 26);
      speed[tight] = physics_velocity(&p, "bead").x;
      assert_true(speed[tight] > 0.5 && speed[tight] < 1.5);
      physics_close(&p);
    }
    assert_close(speed[0], speed[1], 0.01);
  }
}

/* tangent 0.5, mu 0.45: in one step the slab gains half of what the tolerance lets pass, 8.5e-3
   m/s, and slides all the same; mu 0.52: it creeps */
static void a_slope_decides_at_its_tangent(void **state)
{
  (void)state;
  double c = 1 / sqrt(1.25);
  for (int n = 0; n < 2 * PHYSICS_METHODS; n++) {
    double mu = n % 2 ? 0.52 : 0.45;
    physics p = physics_open(
        "{'abut': 1, 'gravity': [%.17g, 0, %.17g], 'time': {'step': 0.01, 'end': 1e9},"
        "'method': '%s', 'contact': {'dhat': 1e-3, 'friction': %g, 'stiffness': {'offset_ipc': "
        "1e5}}, 'materials': {'m': {"
        "'model': 'neo_hookean', 'youngs_modulus': 1e7, 'poissons_ratio': 0.3, 'density': 1000}},"
        "'objects': [{'name': 'slab', 'kind': 'solid', 'material': 'm', 'mesh': {'shape': 'box',"
        "'size': [0.6, 0.6, 0.06], 'cells': [2, 2, 1]}, 'transform': {'translate': [0, 0, "
        "0.0308]}},"
        "{'name': 'slope', 'kind': 'plane'}]}",
        9.81 * 0.5 * c, -9.81 * c, physics_method(n / 2), mu);
    physics_steps(&p, 40);
    double early = physics_velocity(&p, "slab").x;
    physics_steps(&p, 60);
    double v = physics_velocity(&p, "slab").x;
    if (mu < 0.5)
      assert_close(v - early, 0.6 * (0.5 - mu) * 9.81 * c, 0.02);
    else
      assert_below(v, 1e-3);
    physics_close(&p);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_thrown_bead_stops_when_coulomb_says),
      cmocka_unit_test(a_hit_takes_as_much_speed_as_with_a_tight_tolerance),
      cmocka_unit_test(a_slope_decides_at_its_tangent),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
