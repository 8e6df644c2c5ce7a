/* Longer runs: equal bits over many steps and threads, momenta over many collisions, and a load
   that crushes what carries it. */
#define _POSIX_C_SOURCE 200809L
#include <stdlib.h>
#include <unistd.h>

#include "physics.h"
#include "step/validate.h"

static void no_crossing(const physics *p)
{
  const abut_sim *sim = physics_sim(p);
  physics_expect(
      p,
      abut_validate(&p->scene->ctx, &sim->model.surface, sim->work.drive.prescribed, sim->state.x),
      ABUT_OK);
}

/* case C86 */
static void a_hundred_steps_have_the_same_bits_for_all_threads(void **state)
{
  (void)state;
  static const int threads[] = {1, 2, 8, 1, 2};
  for (int m = 0; m < PHYSICS_METHODS; m++) {
    uint64_t hash[5];
    int64_t newton[5];
    for (int k = 0; k < 5; k++) {
      physics p = physics_open(
          "{'abut': 1, 'time': {'step': 0.01, 'end': 9}, 'method': '%s', 'threads': %d, 'contact':"
          "{'dhat': 2e-3, 'friction': 0.4, 'friction_velocity': 1e-3}, 'materials': {'m': {'model':"
          "'stvk', 'youngs_modulus': 1e5, 'poissons_ratio': 0.3, 'density': 300, 'thickness': "
          "1e-3}},"
          "'objects': [{'name': 'cloth', 'kind': 'shell', 'material': 'm', 'mesh': {'shape': "
          "'grid',"
          "'size': [0.5, 0.5], 'cells': [30, 30]}, 'transform': {'translate': [0.03, 0.01, "
          "0.163]}},"
          "{'name': 'ball', 'kind': 'obstacle', 'mesh': {'shape': 'sphere', 'radius': 0.15, "
          "'cells':"
          " 5}}]}",
          physics_method(m), threads[k]);
      physics_steps(&p, 100);
      no_crossing(&p);
      hash[k] = physics_hash(&p);
      newton[k] = p.newton;
      physics_close(&p);
    }
    for (int k = 1; k < 5; k++) {
      assert_true(hash[k] == hash[0]);
      assert_int_equal(newton[k], newton[0]);
    }
  }
}

/* Eight soft bodies in weightlessness that keep running into each other: the total momentum of a
   thousand steps is that of the first, and no energy appears. */
static void momentum_survives_a_thousand_steps_of_collisions(void **state)
{
  (void)state;
  for (int m = 0; m < PHYSICS_METHODS; m++) {
    char objects[4096] = "";
    size_t length = 0;
    for (int i = 0; i < 8; i++) {
      double x = i & 1 ? 0.15 : -0.15, y = i & 2 ? 0.15 : -0.15, z = i & 4 ? 0.15 : -0.15;
      length += (size_t)snprintf(
          objects + length, sizeof objects - length,
          "%s{'name': 'b%d', 'kind': 'solid', 'material': 'm', 'mesh': %s, 'transform': {'rotate':"
          "[[1, %d, 2], %d], 'translate': [%g, %g, %g]}, 'velocity': [%g, %g, %g],"
          "'angular_velocity': [%d, 1, -2]}",
          i ? "," : "", i,
          i % 2 ? "{'shape': 'box', 'size': [0.15, 0.15, 0.15], 'cells': [1, 1, 1]}"
                : "{'shape': 'ball', 'radius': 0.1, 'cells': 1}",
          i, 20 * i, x, y, z, -6 * x, -6 * y, -5 * z, i - 4);
    }
    physics p = physics_open(
        "{'abut': 1, 'gravity': [0, 0, 0], 'time': {'step': 0.002, 'end': 99}, 'method': {'name':"
        "'%s', 'tolerance': 1e-6}, 'contact': {'dhat': 2e-3, 'friction': 0.2, 'friction_velocity':"
        "1e-2}, 'materials': {'m': {'model': 'stable_neo_hookean', 'youngs_modulus': 1e5,"
        "'poissons_ratio': 0.4, 'density': 1000}}, 'objects': [%s]}",
        physics_method(m), objects);
    physics_step(&p);
    vec3 start = p.r.momentum;
    double energy = physics_energy(&p), scale = sqrt(2 * p.r.energy.kinetic);
    int64_t touched = 0;
    for (int n = 0; n < 1000; n++) {
      physics_step(&p);
      assert_true(physics_energy(&p) < energy * (1 + 1e-3));
      touched += p.r.contacts > 0;
    }
    no_crossing(&p);
    assert_true(touched > 50);
    assert_below(v3_norm(v3_sub(p.r.momentum, start)), 1e-10 * scale);
    physics_close(&p);
  }
}

/* case C56, second part: a tonne on a cube that could carry it only at a twentieth of its height */
static void a_crushing_load_stays_finite_and_apart(void **state)
{
  (void)state;
  for (int m = 0; m < PHYSICS_METHODS; m++) {
    physics p = physics_tower(physics_method(m), 1e6);
    bool made = true;
    abut_status status = ABUT_OK;
    for (int n = 0; n < 100 && status == ABUT_OK; n++) {
      status = physics_try(&p, &made);
      if (status == ABUT_OK) assert_true(p.r.min_gap > 0 && isfinite(p.r.energy.kinetic));
    }
    /* a named stop would be an answer too */
    assert_true(status == ABUT_OK || status == ABUT_STOPPED);
    no_crossing(&p);
    vec3 top = physics_center(&p, "high");
    assert_true(top.z > 0.05 && top.z < 0.12);
    physics_close(&p);
  }
}

int main(int argc, char **argv)
{
  (void)argc;
  /* threads that wait politely, as in test_physics_repeat.c */
  if (!getenv("OMP_WAIT_POLICY") && setenv("OMP_WAIT_POLICY", "passive", 1) == 0)
    execv("/proc/self/exe", argv);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_hundred_steps_have_the_same_bits_for_all_threads),
      cmocka_unit_test(momentum_survives_a_thousand_steps_of_collisions),
      cmocka_unit_test(a_crushing_load_stays_finite_and_apart),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
