/* Doing nothing costs nothing, and resting on something ends. */
#include "physics.h"

/* The card of cases C49 and C50: 2 x 2 cells, gap 3e-4, above a fixed plate. The plate's diagonal
   lies beside the card. */
static physics card(const char *method, double gravity, double height)
{
  return physics_open(
      "{'abut': 1, 'gravity': [0, 0, %g], 'time': {'step': 0.01, 'end': 9}, 'method': '%s',"
      "'contact': {'dhat': 1e-3, 'gap': 3e-4}, 'materials': {'m': {'model': 'stvk',"
      " 'youngs_modulus': 1e9, 'poissons_ratio': 0.3, 'density': 1000, 'thickness': 3e-4}},"
      "'objects': [{'name': 'card', 'kind': 'shell', 'material': 'm', 'mesh': {'shape': 'grid',"
      " 'size': [0.088, 0.063], 'cells': [2, 2]}, 'transform': {'translate': [0, 0, %.17g]}},"
      "{'name': 'plate', 'kind': 'obstacle', 'mesh': {'shape': 'grid', 'size': [0.5, 0.5],"
      " 'cells': [1, 1]}, 'transform': {'translate': [0.12, 0, 0]}}]}",
      gravity, method, height);
}

/* case C50 */
static void nothing_to_do_takes_no_iterations(void **state)
{
  (void)state;
  for (int m = 0; m < PHYSICS_METHODS; m++) {
    physics p = card(physics_method(m), 0, 1e-3 + 3e-4 + 5e-4);
    vec3 start[9];
    for (int i = 0; i < 9; i++) start[i] = physics_x(&p, "card", i);
    for (int n = 1; n <= 20; n++) {
      physics_step(&p);
      assert_int_equal(p.r.newton, 0);
      assert_int_equal(p.r.status, ABUT_STEP_CONVERGED);
      assert_close(p.r.time, 0.01 * n, 1e-15);
      assert_true(p.r.energy.kinetic == 0);
      for (int i = 0; i < 9; i++) {
        vec3 x = physics_x(&p, "card", i);
        assert_memory_equal(&x, &start[i], sizeof x);
      }
    }
    physics_close(&p);
    /* the control: a breath of gravity is something to do */
    p = card(physics_method(m), -1e-9, 1e-3 + 3e-4 + 5e-4);
    physics_step(&p);
    assert_true(p.r.newton > 0);
    assert_true(physics_v(&p, "card", 0).z < 0);
    physics_close(&p);
  }
}

/* case C49 */
static void a_stiff_card_comes_to_rest_on_a_plate(void **state)
{
  (void)state;
  for (int m = 0; m < PHYSICS_METHODS; m++) {
    physics p = card(physics_method(m), -9.81, 1e-3 + 3e-4);
    int64_t most = 0, last = 0;
    for (int n = 1; n <= 300; n++) {
      physics_step(&p);
      most = p.r.newton > most ? p.r.newton : most;
      if (n > 250) last += p.r.newton;
      assert_int_equal(p.r.halvings, 0);
    }
    assert_below((double)most, 30);
    assert_below((double)last, 4 * 50);
    assert_below(p.r.energy.kinetic, 1e-12);
    for (int i = 0; i < 9; i++) {
      double d = physics_x(&p, "card", i).z;
      assert_true(d > 3e-4 && d <= 3e-4 + 1.001e-3);
    }
    /* the plate carries the card */
    assert_close(physics_push(&p, "card").z, 9.81 * physics_mass(&p, "card"), 1e-6);
    physics_close(&p);
  }
}

/* A pile at rest takes a few iterations a step. It still creeps: barriers of neighbouring features
   push a little sideways, and smoothed friction resists a force only by slipping, here by
   eps_v F/(2 mu N) or eps_v F/(mu N): a hundredth of eps_v, less with time. */
static void a_settled_pile_costs_little_and_creeps_as_friction_says(void **state)
{
  (void)state;
  for (int m = 0; m < PHYSICS_METHODS; m++) {
    physics p = physics_open(
        "{'abut': 1, 'time': {'step': 0.02, 'end': 99}, 'method': {'name': '%s', 'tolerance': "
        "1e-6},"
        "'contact': {'dhat': 1e-3, 'friction': 0.5, 'friction_velocity': 1e-3}, 'materials': {'m':"
        "{'model': 'neo_hookean', 'youngs_modulus': 1e5, 'poissons_ratio': 0.3, 'density': 1000}},"
        "'objects': [{'name': 'low', 'kind': 'solid', 'material': 'm', 'mesh': {'shape': 'box',"
        " 'size': [0.2, 0.2, 0.1], 'cells': [2, 2, 1]}, 'transform': {'translate': [0, 0, "
        "0.0505]}},"
        "{'name': 'high', 'kind': 'solid', 'material': 'm', 'mesh': {'shape': 'box',"
        " 'size': [0.11, 0.11, 0.1], 'cells': [2, 2, 2]}, 'transform': {'translate':"
        " [0.013, 0.007, 0.1512], 'rotate': [[0, 0, 1], 17]}}, {'name': 'floor', 'kind': "
        "'plane'}]}",
        physics_method(m));
    physics_steps(&p, 300);
    int64_t before = p.newton;
    physics_steps(&p, 100);
    assert_below((double)(p.newton - before) / 100, 3);
    assert_int_equal(p.r.halvings, 0);
    vec3 push = physics_push(&p, "high");
    vec3 slip = v3_sub(physics_velocity(&p, "high"), physics_velocity(&p, "low"));
    bool offset = strcmp(physics_method(m), "offset_ipc") == 0;
    double weight = 9.81 * physics_mass(&p, "high"), side = hypot(push.x, push.y);
    assert_close(push.z, weight, 1e-3);
    assert_below(hypot(slip.x, slip.y), 0.02 * 1e-3);
    /* of the centres; the faces that slip also rock a little */
    assert_close(hypot(slip.x, slip.y), 1e-3 * side / ((offset ? 1 : 2) * 0.5 * weight), 0.15);
    physics_close(&p);
  }
}

/* Case C56: ten times the mass and ten thousand times the modulus on top of a soft cube, which then
   carries stress (9810 + 981 z/h) Pa. It gets shorter by that: E/2 (s - 1/s) = -stress. (The tower
   stands because it is straight: a soft column this high would topple.) */
static void a_stiff_heavy_cube_rests_on_a_soft_one(void **state)
{
  (void)state;
  for (int m = 0; m < PHYSICS_METHODS; m++) {
    physics p = physics_tower(physics_method(m), 1e4);
    physics_steps(&p, 500);
    double height = 0, expected = 0;
    for (int i = 0; i < 25; i++)
      height += (physics_x(&p, "low", 100 + i).z - physics_x(&p, "low", i).z) / 25;
    for (int i = 0; i < 100; i++) {
      double a = 2 * (9810 + 981 * (i + 0.5) / 100) / 1e5;
      expected += 0.1 / 100 * (sqrt(a * a / 4 + 1) - a / 2);
    }
    assert_close(height, expected, 2e-3);
    /* forces jitter with the solver's default tolerance: 3 mm/s in a step are 3 N on 10 kg */
    assert_near(physics_push(&p, "high").z, 98.1, 3.0);
    assert_true(p.r.min_gap > 0);
    /* two iterations at least, and more until the forces have settled, are what barrier_free's stop
       asks for */
    if (m < PHYSICS_BARRIERS) assert_below((double)p.newton / 500, 4);
    physics_close(&p);
  }
}

/* Case C75: two cards lean against each other at 70 degrees, twice the thickness apart. That needs
 * mu of 1/(2 tan 70) = 0.182.
 */
static void a_house_of_cards_stands_or_falls_by_friction(void **state)
{
  (void)state;
  static const double mu[] = {0.5, 0.05};
  double gap = 3e-4, half = 0.044, lean = 70 * K_PI / 180;
  double x = half * cos(lean) + gap, z = half * sin(lean) + gap + 5e-4;
  for (int n = 0; n < 2 * PHYSICS_METHODS; n++) {
    physics p = physics_open(
        "{'abut': 1, 'time': {'step': 0.01, 'end': 99}, 'method': '%s', 'contact': {'friction': %g,"
        "'gap': %g, 'dhat': 1e-3}, 'materials': {'card': {'model': 'stvk', 'youngs_modulus': 3e9,"
        " 'poissons_ratio': 0.3, 'density': 800, 'thickness': 3e-4, 'bending_scale': 0.1667}},"
        "'objects': [{'name': 'left', 'kind': 'shell', 'material': 'card', 'mesh': {'shape': "
        "'grid',"
        " 'size': [0.088, 0.063], 'cells': [6, 4]}, 'transform': {'rotate': [[0, 1, 0], -70],"
        " 'translate': [%.17g, 0, %.17g]}}, {'name': 'right', 'kind': 'shell', 'material': 'card',"
        " 'mesh': {'shape': 'grid', 'size': [0.088, 0.063], 'cells': [6, 4]}, 'transform':"
        " {'rotate': [[0, 1, 0], -110], 'translate': [%.17g, 1e-4, %.17g]}}, {'name': 'table',"
        " 'kind': 'obstacle', 'mesh': {'shape': 'grid', 'size': [1, 1], 'cells': [2, 2]}}]}",
        physics_method(n / 2), mu[n % 2], gap, -x, z, x, z);
    double start = physics_x(&p, "left", 6).z;
    physics_steps(&p, n % 2 ? 60 : 300);
    double ridge = physics_x(&p, "left", 6).z;
    if (n % 2 == 0) assert_near(ridge, start, 1e-3);
    if (n % 2 == 1) assert_below(ridge, 0.01);
    physics_close(&p);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(nothing_to_do_takes_no_iterations),
      cmocka_unit_test(a_stiff_card_comes_to_rest_on_a_plate),
      cmocka_unit_test(a_stiff_heavy_cube_rests_on_a_soft_one),
      cmocka_unit_test(a_house_of_cards_stands_or_falls_by_friction),
      cmocka_unit_test(a_settled_pile_costs_little_and_creeps_as_friction_says),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
