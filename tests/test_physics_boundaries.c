/* What is led goes exactly where it is led, contact or not, and pushes what is in its way. */
#include "physics.h"

/* ---- case C53: a plate that is keyed at 0.1 m/s under a cube ---- */

static void a_keyed_plate_follows_its_keys_under_a_load(void **state)
{
  (void)state;
  for (int m = 0; m < PHYSICS_METHODS; m++) {
    physics p = physics_open(
        "{'abut': 1, 'time': {'step': 0.01, 'end': 3}, 'method': {'name': '%s', 'boundaries':"
        "'exact'}, 'materials': {'m': {'model':"
        "'neo_hookean', 'youngs_modulus': 1e6, 'poissons_ratio': 0.3, 'density': 6250}},"
        "'objects': [{'name': 'plate', 'kind': 'obstacle', 'mesh': {'shape': 'grid',"
        " 'size': [1, 1], 'cells': [1, 1]}, 'transform': {'translate': [0.1, 0, 0]}, 'motion':"
        " {'keys': [{'t': 0}, {'t': 1}, {'t': 3, 'translate': [0, 0, 0.2]}]}},"
        "{'name': 'cube', 'kind': 'solid', 'material': 'm', 'mesh': {'shape': 'box',"
        " 'size': [0.2, 0.2, 0.2], 'cells': [2, 2, 2]}, 'transform': {'translate': [0, 0, "
        "0.1001]}}]}",
        physics_method(m));
    assert_close(physics_mass(&p, "cube"), 50.0, 1e-12);
    double fastest = 0, low = 1, plate = 0;
    for (int n = 1; n <= 300; n++) {
      physics_step(&p);
      double key = p.r.time > 1 ? 0.1 * (p.r.time - 1) : 0;
      for (int i = 0; i < 4; i++) {
        plate = physics_x(&p, "plate", i).z;
        assert_near(plate, key, 1e-12);
      }
      assert_int_equal(p.r.halvings, 0);
      if (n > 50) fastest = fmax(fastest, physics_velocity(&p, "cube").z);
      low = fmin(low, physics_center(&p, "cube").z - plate);
    }
    assert_near(physics_velocity(&p, "cube").z, 0.1, 1e-4);
    assert_below(fastest, 0.2);
    assert_true(low > 0.098); /* its own weight makes it 1 percent shorter */
    physics_close(&p);
  }
}

/* Not nearly: led vertices are at the very bits of their targets at the end of a step, so that a
   target that rests is never moved to again. */
static void led_vertices_are_at_the_bits_of_their_targets(void **state)
{
  (void)state;
  for (int k = 0; k < PHYSICS_METHODS; k++) {
    physics p = physics_open(
        "{'abut': 1, 'time': {'step': 0.01, 'end': 9}, 'method': '%s', 'materials': {'m': "
        "{'model': 'stvk',"
        "'youngs_modulus': 1e4, 'poissons_ratio': 0.3, 'density': 100, 'thickness': 1e-3}}, "
        "'objects':"
        "[{'name': 'tray', 'kind': 'obstacle', 'mesh': {'shape': 'grid', 'size': [1, 1], 'cells':"
        " [2, 2]}, 'motion': {'keys': [{'t': 0}, {'t': 0.2, 'translate': [0.1, 0.07, 0.013],"
        " 'rotate': [[1, 2, 3], 11]}]}}, {'name': 'cloth', 'kind': 'shell', 'material': 'm', "
        "'mesh':"
        " {'shape': 'grid', 'size': [0.5, 0.5], 'cells': [4, 4]}, 'transform': {'translate':"
        " [0.01, 0.02, 0.1]}}]}",
        physics_method(k));
    const abut_model *m = &physics_sim(&p)->model;
    for (int n = 0; n < 30; n++) {
      physics_step(&p);
      for (int i = 0; i < 9; i++) {
        int32_t v = physics_vertex(&p, "tray", i);
        vec3 x = physics_x(&p, "tray", i);
        vec3 target = abut_motion_target(&m->def->object[physics_object(&p, "tray")].motion,
                                         m->file_vertex[v], m->start[v], 0, p.r.time);
        assert_memory_equal(&x, &target, sizeof x);
      }
    }
    physics_close(&p);
  }
}

/* ---- case C52: a plate that moves a metre in one step, its way exact ---- */

static void check_bat(const char *method, const char *body, const char *object, double size)
{
  physics p = physics_open(
      "{'abut': 1, 'time': {'step': 0.01, 'end': 0.2}, 'method': {'name': '%s', 'boundaries':"
      "'exact'}, 'materials': {'m': {'model':"
      "'neo_hookean', 'youngs_modulus': 1e6, 'poissons_ratio': 0.3, 'density': 1000},"
      "'film': {'model': 'stvk', 'youngs_modulus': 1e6, 'poissons_ratio': 0.3, 'density': 1000,"
      " 'thickness': 1e-3}},"
      "'objects': [{'name': 'plate', 'kind': 'obstacle', 'mesh': {'shape': 'grid', 'size': [1, 1],"
      " 'cells': [1, 1]}, 'transform': {'translate': [0.1, 0, 0]}, 'motion': {'linear_velocity':"
      " [0, 0, 100]}}, {'name': '%s', %s}]}",
      method, body, object);
  for (int n = 1; n <= 20; n++) {
    physics_step(&p);
    double plate = 100 * p.r.time;
    for (int i = 0; i < 4; i++) assert_close(physics_x(&p, "plate", i).z, plate, 1e-14);
    for (int32_t i = 0; i < physics_count(&p, body); i++)
      assert_true(physics_x(&p, body, i).z > plate + size);
  }
  assert_true(physics_velocity(&p, body).z >= 99);
  physics_close(&p);
}

/* the control: what may not touch the plate is overtaken */
static void without_contact_it_is_overtaken(void **state)
{
  (void)state;
  physics p = physics_open(
      "{'abut': 1, 'time': {'step': 0.01, 'end': 0.2}, 'contact': {'pairs': [{'a': 'plate', 'b':"
      "'ball', 'enabled': false}]}, 'objects': [{'name': 'plate', 'kind': 'obstacle', 'mesh':"
      "{'shape': 'grid', 'size': [1, 1], 'cells': [1, 1]}, 'motion': {'linear_velocity':"
      "[0, 0, 100]}}, {'name': 'ball', 'kind': 'spheres', 'centers': [[0.1, 0, 0.5]], 'radii':"
      "[0.001], 'density': 1000}]}");
  physics_step(&p);
  assert_near(physics_x(&p, "plate", 0).z, 1.0, 1e-14);
  assert_near(physics_x(&p, "ball", 0).z, 0.5 - 9.81e-4, 1e-14);
  physics_close(&p);
}

static void an_obstacle_faster_than_a_step_overtakes_nothing(void **state)
{
  (void)state;
  for (int m = 0; m < PHYSICS_METHODS; m++) {
    /* 0.1 kg */
    check_bat(physics_method(m), "ball",
              "'kind': 'spheres', 'centers': [[0, 0, 0.5]], 'radii': [0.001],"
              "'density': 23873241.46",
              0.001);
    check_bat(
        physics_method(m), "cube",
        "'kind': 'solid', 'material': 'm', 'mesh': {'shape': 'box', 'size': [0.02, 0.02, 0.02],"
        "'cells': [1, 1, 1]}, 'transform': {'translate': [0, 0, 0.5]}",
        0);
    check_bat(physics_method(m), "cloth",
              "'kind': 'shell', 'material': 'film', 'mesh': {'shape': 'grid', 'size': [0.1, 0.1],"
              "'cells': [3, 3]}, 'transform': {'translate': [0, 0, 0.5]}",
              0);
  }
}

/* ---- a block pressed by 30 percent ---- */

/* bottom pinned, top pinned and moved down by 0.06 in the given number of steps, then 5 at rest;
   returns the elastic energy, J */
static double press(const char *method, const char *model, int steps, int64_t *newton)
{
  physics p = physics_open(
      "{'abut': 1, 'gravity': [0, 0, 0], 'time': {'step': 1, 'end': 1e9}, 'method': {'name': '%s',"
      "'position_tolerance': 1e-9, 'max_subdivisions': 0}, 'materials': {'m': {'model': '%s',"
      "'youngs_modulus': 1e5, 'poissons_ratio': 0.3, 'density': 1000}}, 'objects': [{'name':"
      "'block', 'kind': 'solid', 'material': 'm', 'mesh': {'shape': 'box', 'size':"
      "[0.2, 0.2, 0.2], 'cells': [3, 3, 3]}}], 'controls': ["
      "{'kind': 'pin', 'object': 'block', 'vertices': {'box': [[-1, -1, -0.11], [1, 1, -0.09]]}},"
      "{'kind': 'pin', 'object': 'block', 'vertices': {'box': [[-1, -1, 0.09], [1, 1, 0.11]]},"
      " 'motion': {'keys': [{'t': 0}, {'t': %d, 'translate': [0, 0, -0.06]}]}}]}",
      method, model, steps);
  vec3 start[64];
  int32_t count = physics_count(&p, "block");
  assert_int_equal(count, 64);
  for (int32_t i = 0; i < count; i++) start[i] = physics_x(&p, "block", i);
  for (int n = 1; n <= steps + 5; n++) {
    physics_step(&p);
    double down = n < steps ? -0.06 * n / steps : -0.06;
    for (int32_t i = 0; i < count; i++) {
      if (fabs(start[i].z) < 0.09) continue;
      vec3 target = v3_add(start[i], v3(0, 0, start[i].z > 0 ? down : 0));
      assert_below(v3_norm(v3_sub(physics_x(&p, "block", i), target)), 1e-15);
    }
    if (n == steps) *newton = p.newton;
  }
  double energy = p.r.energy.elastic;
  physics_close(&p);
  return energy;
}

static void a_block_pressed_by_a_third_in_one_step_ends_as_in_fifty(void **state)
{
  (void)state;
  static const char *const models[] = {"neo_hookean", "stable_neo_hookean", "fixed_corotated"};
  for (int m = 0; m < PHYSICS_METHODS; m++)
    for (int k = 0; k < 3; k++) {
      int64_t one, fifty;
      double a = press(physics_method(m), models[k], 1, &one);
      double b = press(physics_method(m), models[k], 50, &fifty);
      assert_close(a, b, 1e-8);
      assert_in_range(one, 2, 20);
      assert_below((double)fifty / 50, 10);
      assert_true(a > 0.5 * 1e5 * 0.09 * 0.008); /* stiffer than free sides */
    }
}

/* ---- turning obstacles ---- */

/* A paddle turns about z and sweeps spheres and a block along. Its vertices are on their circles at
   the end of each step, whatever is in the way. */
static void a_turning_paddle_stays_on_its_circle(void **state)
{
  (void)state;
  for (int n = 0; n < 2 * PHYSICS_METHODS; n++) {
    double omega = n % 2 ? 20 : 5;
    physics p = physics_open(
        "{'abut': 1, 'gravity': [0, 0, 0], 'time': {'step': 0.01, 'end': 9}, 'method': '%s',"
        "'contact': {'dhat': 1e-3},"
        "'materials': {'m': {'model': 'neo_hookean', 'youngs_modulus': 1e5, 'poissons_ratio': 0.3,"
        " 'density': 100}}, 'objects': [{'name': 'paddle', 'kind': 'obstacle', 'mesh': {'shape':"
        " 'grid', 'size': [1, 0.4], 'cells': [2, 2]}, 'transform': {'rotate': [[1, 0, 0], 90]},"
        " 'motion': {'angular_velocity': [0, 0, %g], 'center': [0.1, 0, 0]}},"
        "{'name': 'beads', 'kind': 'spheres', 'centers': [[0.4, 0.1, 0], [-0.2, -0.1, 0.05]],"
        " 'radii': [0.03, 0.02], 'density': 500},"
        "{'name': 'block', 'kind': 'solid', 'material': 'm', 'mesh': {'shape': 'box', 'size':"
        " [0.1, 0.1, 0.1], 'cells': [2, 2, 2]}, 'transform': {'translate': [0.2, 0.35, 0]}}]}",
        physics_method(n / 2), omega);
    vec3 start[9], hub = v3(0.1, 0, 0);
    for (int i = 0; i < 9; i++) start[i] = physics_x(&p, "paddle", i);
    double fastest = 0, turned = 0;
    for (int k = 1; k <= (int)(400 / omega); k++) {
      physics_step(&p);
      mat3 turn = m3_rotation(v3(0, 0, 1), omega * p.r.time);
      for (int i = 0; i < 9; i++) {
        vec3 x = v3_add(m3_apply(turn, v3_sub(start[i], hub)), hub);
        assert_below(v3_norm(v3_sub(physics_x(&p, "paddle", i), x)), 1e-13);
      }
      for (int i = 0; i < 2; i++) fastest = fmax(fastest, v3_norm(physics_v(&p, "beads", i)));
      turned += p.r.halvings;
    }
    assert_true(fastest >
                0.3 * omega); /* omega r at its first place, more where it slid outwards */
    assert_true(v3_norm(physics_velocity(&p, "block")) > 1);
    if (n % 2 == 0) assert_true(turned == 0); /* 0.05 rad a step needs no cutting */
    assert_below((double)p.newton, 100.0 * 400 / omega);
    physics_close(&p);
  }
}

/* a step in which it would turn by more than an eighth of a circle is cut into pieces */
static void a_fast_turn_is_cut_until_straight_paths_hold(void **state)
{
  (void)state;
  physics p = physics_open(
      "{'abut': 1, 'time': {'step': 0.1, 'end': 9}, 'objects': [{'name': 'wheel', 'kind': "
      "'obstacle',"
      "'mesh': {'shape': 'disc', 'radius': 1, 'cells': 1}, 'motion': {'keys': [{'t': 0}, {'t': 1,"
      "'rotate': [[0, 0, 1], 0], 'turns': 4.9}]}}, {'name': 'ball', 'kind': 'spheres', 'centers':"
      "[[0, 0, 3]], 'radii': [0.1], 'density': 100}]}");
  physics_step(&p); /* nearly half a turn: 4 pieces of nearly an eighth */
  assert_int_equal(p.r.halvings, 2);
  vec3 x = physics_x(&p, "wheel", 1);
  assert_near(x.x, cos(0.98 * K_PI), 1e-14);
  assert_near(x.y, sin(0.98 * K_PI), 1e-14);
  physics_close(&p);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_keyed_plate_follows_its_keys_under_a_load),
      cmocka_unit_test(led_vertices_are_at_the_bits_of_their_targets),
      cmocka_unit_test(an_obstacle_faster_than_a_step_overtakes_nothing),
      cmocka_unit_test(without_contact_it_is_overtaken),
      cmocka_unit_test(a_block_pressed_by_a_third_in_one_step_ends_as_in_fifty),
      cmocka_unit_test(a_turning_paddle_stays_on_its_circle),
      cmocka_unit_test(a_fast_turn_is_cut_until_straight_paths_hold),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
