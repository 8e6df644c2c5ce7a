/* Steps that cannot be made: halved, then given up with a reason, the state as it was. And the fold
   beyond half a turn, where a wrong guess would flip the moment. */
#include "physics.h"

/* ---- infeasible boundaries ---- */

/* a block between a floor and a press that closes to the given height at t = 1; two steps of 0.5 */
static physics squeeze(const char *method, int subdivisions, double height)
{
  return physics_open(
      "{'abut': 1, 'gravity': [0, 0, 0], 'time': {'step': 0.5, 'end': 9}, 'method': {'name': '%s',"
      "'max_subdivisions': %d, 'boundaries': 'exact'}, 'contact': {'dhat': 1e-3}, 'materials': "
      "{'m': {'model': "
      "'neo_hookean',"
      "'youngs_modulus': 1e5, 'poissons_ratio': 0.3, 'density': 1000}}, 'objects': [{'name': "
      "'block',"
      "'kind': 'solid', 'material': 'm', 'mesh': {'shape': 'box', 'size': [0.1, 0.1, 0.1],"
      "'cells': [1, 1, 1]}}, {'name': 'floor', 'kind': 'obstacle', 'mesh': {'shape': 'grid',"
      "'size': [1, 1], 'cells': [1, 1]}, 'transform': {'translate': [0.2, 0, -0.052]}},"
      "{'name': 'press', 'kind': 'obstacle', 'mesh': {'shape': 'grid', 'size': [1, 1], 'cells':"
      "[1, 1]}, 'transform': {'translate': [0.2, 0, 0.052]}, 'motion': {'keys': [{'t': 0.5},"
      "{'t': 1, 'translate': [0, 0, %.17g]}]}}]}",
      method, subdivisions, height - 0.104);
}

static void a_squeeze_to_nothing_stops_with_its_reason(void **state)
{
  (void)state;
  static const int levels[] = {0, 3};
  for (int n = 0; n < 2 * PHYSICS_METHODS; n++) {
    physics p = squeeze(physics_method(n / 2), levels[n % 2], 0);
    physics_step(&p);
    uint64_t before = physics_hash(&p);
    bool made = true;
    abut_status status = physics_try(&p, &made);
    physics_expect(&p, status, ABUT_STOPPED);
    assert_false(made);
    const char *message = abut_last_error(p.scene).message;
    assert_non_null(strstr(message, "infeasible boundary"));
    assert_non_null(strstr(message, "block")); /* the pair is named */
    assert_int_equal(p.r.halvings, levels[n % 2]);
    assert_true(physics_hash(&p) == before);
    assert_close(physics_sim(&p)->state.time, 0.5, 1e-15);
    /* and again: trying does not wear the state out */
    physics_expect(&p, physics_try(&p, &made), ABUT_STOPPED);
    assert_true(physics_hash(&p) == before);
    physics_close(&p);
  }
}

/* the control: to a tenth of its height it goes */
static void a_squeeze_to_a_tenth_is_made(void **state)
{
  (void)state;
  for (int m = 0; m < PHYSICS_METHODS; m++) {
    physics p = squeeze(physics_method(m), 7, 0.01);
    physics_steps(&p, 3);
    for (int i = 0; i < 4; i++) assert_near(physics_x(&p, "press", i).z, 0.01 - 0.052, 1e-15);
    for (int i = 0; i < 8; i++) {
      double z = physics_x(&p, "block", i).z;
      assert_true(z > -0.052 && z < 0.01 - 0.052);
    }
    physics_close(&p);
  }
}

/* ---- too few iterations ---- */

static physics capped(const char *options, const char *at_cap)
{
  return physics_open(
      "{'abut': 1, 'time': {'step': 0.02, 'end': 9}, 'method': {%s, 'stop': 'residual', "
      "'tolerance':"
      " 1e-8, 'max_subdivisions': 2, 'at_cap': '%s'}, 'materials': {'m': {'model':"
      "'neo_hookean', 'youngs_modulus': 1e5, 'poissons_ratio': 0.4, 'density': 1000}}, 'objects':"
      "[{'name': 'block', 'kind': 'solid', 'material': 'm', 'angular_velocity': [5, 3, 9], 'mesh':"
      "{'shape': 'box', 'size': [0.3, 0.2, 0.2], 'cells': [2, 2, 2]}, 'transform': {'translate':"
      "[0, 0, 0.3]}}, {'name': 'floor', 'kind': 'plane'}]}",
      options, at_cap);
}

static void check_cap(const char *few, const char *enough, const char *reason, int64_t newton)
{
  physics p = capped(few, "halve");
  uint64_t before = physics_hash(&p);
  bool made;
  physics_expect(&p, physics_try(&p, &made), ABUT_STOPPED);
  assert_non_null(strstr(abut_last_error(p.scene).message, reason));
  assert_int_equal(p.r.halvings, 2);
  assert_int_equal(p.r.newton, 3 * newton); /* once at each level; the first failure ends it */
  assert_true(physics_hash(&p) == before);
  physics_close(&p);
  /* accepted instead, and marked */
  p = capped(few, "accept");
  physics_step(&p);
  assert_int_equal(p.r.status, ABUT_STEP_CAPPED);
  assert_int_equal(p.r.halvings, 0);
  assert_true(p.r.residual > 1e-8);
  physics_close(&p);
  p = capped(enough, "accept");
  physics_step(&p);
  assert_int_equal(p.r.status, ABUT_STEP_CONVERGED);
  physics_close(&p);
}

static void too_few_iterations_halve_and_then_stop(void **state)
{
  (void)state;
  check_cap("'name': 'ipc', 'max_newton': 2", "'name': 'ipc', 'max_newton': 50",
            "2 Newton iterations", 2);
  check_cap("'name': 'offset_ipc', 'max_newton': 2", "'name': 'offset_ipc', 'max_newton': 50",
            "2 Newton iterations", 2);
  check_cap("'name': 'barrier_free', 'k_max': 2", "'name': 'barrier_free', 'k_max': 50",
            "2 outer iterations", 2);
}

/* A step that is halved is two steps of half the length, bit for bit. (With an automatic contact
   stiffness it is not quite: its bounds belong to the scene's nominal step.) */
static void a_halved_step_is_two_short_ones(void **state)
{
  (void)state;
  static const char *const methods[] = {"offset_ipc", "barrier_free"};
  vec3 end[2][8];
  for (int n = 0; n < 4; n++) {
    int k = n % 2;
    physics p = physics_open(
        "{'abut': 1, 'time': {'step': %g, 'end': 9}, 'contact': {'dhat': 5e-3, 'friction': 0.3},"
        "'method': {'name': '%s', 'tolerance': 1e-3}, 'materials': {'m': {'model':"
        "'neo_hookean', 'youngs_modulus': 1e4, 'poissons_ratio': 0.4, 'density': 1000}}, "
        "'objects': ["
        "{'name': 'block', 'kind': 'solid', 'material': 'm', 'mesh': {'shape': 'box', 'size':"
        " [0.1, 0.1, 0.1], 'cells': [1, 1, 1]}, 'transform': {'translate': [0.2, 0, 0.053]}},"
        "{'name': 'table', 'kind': 'obstacle', 'mesh': {'shape': 'disc', 'radius': 1, 'cells': 1},"
        " 'motion': {'angular_velocity': [0, 0, 50]}}]}",
        k ? 0.015625 : 0.03125,
        methods[n / 2]); /* 90 degrees in the long step, 45 in the short one: one cut */
    physics_steps(&p, k ? 4 : 2);
    assert_int_equal(p.r.halvings, k ? 0 : 1);
    for (int i = 0; i < 8; i++) end[k][i] = physics_x(&p, "block", i);
    assert_true(physics_velocity(&p, "block").y > 0.01); /* friction takes it along */
    physics_close(&p);
    if (k) assert_memory_equal(end[0], end[1], sizeof end[0]);
  }
}

/* ---- folds beyond half a turn ---- */

/* Two triangles on a hinge along x; one flap is turned by its pin at 1 rad/s for the given time,
   then let go. They may pass through each other: only the hinge is looked at. */
static physics fold(const char *angle, double until)
{
  return physics_open(
      "{'abut': 1, 'gravity': [0, 0, 0], 'time': {'step': 0.05, 'end': 99}, 'contact':"
      "{'self_contact': false}, 'method': {'name': 'ipc', 'position_tolerance': 1e-10}, "
      "'materials':"
      "{'m': {'model': 'stvk', 'youngs_modulus': 1e6, 'poissons_ratio': 0.3, 'density': 1000,"
      " 'thickness': 1e-3, 'hinge_angle': '%s'}}, 'objects': [{'name': 'flaps', 'kind': 'shell',"
      "'material': 'm', 'mesh': {'shape': 'grid', 'size': [0.1, 0.1], 'cells': [1, 1]}}], "
      "'controls':"
      "[{'kind': 'pin', 'object': 'flaps', 'vertices': {'indices': [0, 1, 3]}}, {'kind': 'pin',"
      "'object': 'flaps', 'vertices': {'indices': [2]}, 'until': %.17g, 'motion': {"
      "'angular_velocity': [0.70710678118654752, 0.70710678118654752, 0]}}]}",
      angle, until);
}

static void a_fold_past_half_a_turn_keeps_its_moment(void **state)
{
  (void)state;
  /* k of the only hinge, 6 D l^2/A */
  double plate = 1e6 * 1e-9 / (12 * (1 - 0.09)), k = 6 * plate * 2 * 0.01 / 0.01;
  static const char *const angle[] = {"follow", "wrap"};
  for (int m = 0; m < 2; m++) {
    physics p = fold(angle[m], 3.6);
    for (int n = 1; n <= 72; n++) {
      physics_step(&p);
      /* 1 rad/s; "wrap" takes the angle in (-pi, pi] */
      double t = p.r.time, w = m == 1 && t > K_PI ? 2 * K_PI - t : t;
      assert_close(p.r.energy.bending, 0.5 * k * w * w, 1e-9);
    }
    /* let go at 3.6 rad it turns back; wrapped it turns on */
    vec3 axis = v3_unit(v3(1, 1, 0)), x = physics_x(&p, "flaps", 2);
    physics_step(&p);
    /* from the speed the pin gave it, 1 rad/s at 0.0707 m */
    vec3 change = v3_sub(physics_v(&p, "flaps", 2), v3_cross(axis, x));
    double push = v3_dot(v3_unit(v3_cross(axis, x)), change);
    assert_true(m == 0 ? push < -0.01 : push > 0.01);
    physics_close(&p);
  }
}

/* twice around, the energy still grows as the square of the whole angle, and is state: a step that
   is rolled back or a solver's work that is dropped do not lose it */
static void whole_turns_are_part_of_the_state(void **state)
{
  (void)state;
  double plate = 1e6 * 1e-9 / (12 * (1 - 0.09)), k = 6 * plate * 2 * 0.01 / 0.01;
  physics p = fold("follow", 50);
  physics_steps(&p, 260);
  assert_close(p.r.energy.bending, 0.5 * k * 13 * 13, 1e-9); /* 13 rad */
  abut_sim_drop_work(&p.scene->ctx, physics_sim(&p));
  physics_step(&p);
  assert_close(p.r.energy.bending, 0.5 * k * 13.05 * 13.05, 1e-9);
  physics_close(&p);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_squeeze_to_nothing_stops_with_its_reason),
      cmocka_unit_test(a_squeeze_to_a_tenth_is_made),
      cmocka_unit_test(too_few_iterations_halve_and_then_stop),
      cmocka_unit_test(a_halved_step_is_two_short_ones),
      cmocka_unit_test(a_fold_past_half_a_turn_keeps_its_moment),
      cmocka_unit_test(whole_turns_are_part_of_the_state),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
