/* Bodies that nothing touches, against the closed forms of implicit Euler:
     v(n) = v(0) + n dt g,  x(n) = x(0) + n dt v(0) + n (n + 1)/2 dt^2 g */
#include "physics.h"

enum { STEPS = 20 };
static const double dt = 0.01;

/* largest distance from the closed form, m, relative to what was fallen */
static double miss(const physics *p, const char *name, const vec3 *start, vec3 v0, vec3 g, int n)
{
  double most = 0, fallen = v3_norm(v0) * n * dt + v3_norm(g) * 0.5 * n * (n + 1) * dt * dt;
  for (int32_t i = 0; i < physics_count(p, name); i++) {
    vec3 x = v3_madd(v3_madd(start[i], v0, n * dt), g, 0.5 * n * (n + 1) * dt * dt);
    most = fmax(most, v3_norm(v3_sub(physics_x(p, name, i), x)) / fallen);
    vec3 v = v3_madd(v0, g, n * dt);
    most = fmax(most, v3_norm(v3_sub(physics_v(p, name, i), v)) / v3_norm(v));
  }
  return most;
}

static void check_fall(const char *object)
{
  for (int m = 0; m < PHYSICS_METHODS; m++) {
    physics p = physics_open(
        "{'abut': 1, 'gravity': [0.3, 0, -9.81], 'method': '%s', 'time': {'step': 0.01, 'end': 1},"
        "'materials': {"
        "  'cloth': {'model': 'stvk', 'youngs_modulus': 1e6, 'poissons_ratio': 0.3, 'density': 800,"
        "            'thickness': 1e-3},"
        "  'film': {'model': 'neo_hookean', 'youngs_modulus': 1e6, 'poissons_ratio': 0.3,"
        "           'density': 800, 'thickness': 1e-3},"
        "  'stable': {'model': 'stable_neo_hookean', 'youngs_modulus': 1e5, 'poissons_ratio': 0.4,"
        "             'density': 1000},"
        "  'nh': {'model': 'neo_hookean', 'youngs_modulus': 1e5, 'poissons_ratio': 0.4,"
        "         'density': 1000},"
        "  'fcr': {'model': 'fixed_corotated', 'youngs_modulus': 1e5, 'poissons_ratio': 0.4,"
        "          'density': 1000}},"
        "'objects': [{'name': 'body', 'velocity': [0.1, -0.2, 1], %s}]}",
        physics_method(m), object);
    vec3 start[256], v0 = v3(0.1, -0.2, 1);
    int32_t count = physics_count(&p, "body");
    assert_in_range(count, 1, 256);
    for (int32_t i = 0; i < count; i++) start[i] = physics_x(&p, "body", i);
    for (int n = 1; n <= STEPS; n++) {
      physics_step(&p);
      assert_below(miss(&p, "body", start, v0, v3(0.3, 0, -9.81), n), 1e-12);
    }
    /* Newton's method solves a linear problem at once: one step there, one to see it */
    assert_below((double)p.newton, 2 * STEPS);
    /* the same check sees a gravity that is wrong by one part in a million */
    assert_true(miss(&p, "body", start, v0, v3(0.3, 0, -9.81 * (1 + 1e-6)), STEPS) > 1e-7);
    /* and a velocity updated before gravity (explicit Euler's n (n - 1)/2) */
    vec3 late = v3_scale(v3(0.3, 0, -9.81), (STEPS - 1.0) / (STEPS + 1.0));
    assert_true(miss(&p, "body", start, v0, late, STEPS) > 1e-2);
    physics_close(&p);
  }
}

static void a_cloth_falls_freely(void **state)
{
  (void)state;
  check_fall("'kind': 'shell', 'material': 'cloth',"
             "'mesh': {'shape': 'grid', 'size': [1, 0.7], 'cells': [6, 5]},"
             "'transform': {'rotate': [[1, 2, 3], 40]}");
  check_fall("'kind': 'shell', 'material': 'film', 'mesh': {'shape': 'disc', 'radius': 0.5,"
             "'cells': 3}");
}

static void a_solid_falls_freely(void **state)
{
  (void)state;
  static const char *const models[] = {"stable", "nh", "fcr"};
  for (int k = 0; k < 3; k++) {
    char text[256];
    snprintf(text, sizeof text,
             "'kind': 'solid', 'material': '%s', 'mesh': {'shape': 'ball', 'radius': 0.3,"
             "'cells': 2}",
             models[k]);
    check_fall(text);
  }
}

static void spheres_fall_freely(void **state)
{
  (void)state;
  check_fall("'kind': 'spheres', 'centers': [[0, 0, 0], [1, 0, 0.5], [0, 2, 3]],"
             "'radii': [0.1, 0.2, 0.05], 'density': 250");
}

/* case C15 b */
static void a_lone_sphere_falls_to_the_known_place(void **state)
{
  (void)state;
  physics p = physics_open("{'abut': 1, 'time': {'step': 0.01, 'end': 0.1}, 'objects': [{'name':"
                           "'ball', 'kind': 'spheres', 'centers': [[0, 0, 0.5]], 'radii': [0.01],"
                           "'density': 1000}]}");
  physics_steps(&p, 10);
  assert_near(physics_x(&p, "ball", 0).z, 0.446045, 1e-15);
  assert_near(physics_v(&p, "ball", 0).z, -0.981, 1e-13);
  double mass = 4.0 / 3 * K_PI * 1e-6 * 1000;
  assert_close(physics_m(&p, "ball", 0), mass, 1e-14);
  assert_close(p.r.energy.kinetic, 0.5 * mass * 0.981 * 0.981, 1e-12);
  assert_close(p.r.energy.gravity, mass * 9.81 * 0.446045, 1e-12);
  physics_close(&p);
}

/* Frames at 24 a second cut steps of 0.01: after each piece h the speed has grown by h g, so it is
   g t at any time, and frames are at multiples of 1/24 exactly. */
static void steps_are_cut_at_frames(void **state)
{
  (void)state;
  physics p = physics_open("{'abut': 1, 'time': {'step': 0.01, 'end': 0.5, 'frame_rate': 24},"
                           "'objects': [{'name': 'ball', 'kind': 'spheres', 'centers': [[0, 0, 0]],"
                           "'radii': [0.01], 'density': 1000}]}");
  double before = 0, z = 0;
  int frames = 0, pieces = 0;
  while (abut_sim_next_time(physics_sim(&p)) > before) {
    physics_step(&p);
    double t = p.r.time, h = t - before;
    z -= 9.81 * t * h;
    assert_true(h > 0 && h < 0.01 * (1 + 1e-12));
    assert_near(physics_v(&p, "ball", 0).z, -9.81 * t, 1e-12);
    assert_near(physics_x(&p, "ball", 0).z, z, 1e-13);
    if (abut_sim_is_frame(physics_sim(&p), t)) assert_true(t == ++frames / 24.0);
    before = t;
    pieces++;
  }
  assert_true(before == 0.5);
  assert_int_equal(frames, 12);
  /* 50 steps, cut once for each frame but those at 0.25 and 0.5, where steps end anyway */
  assert_int_equal(pieces, 50 + 10);
  physics_close(&p);
}

/* a third of each triangle, a quarter of each tetrahedron */
static void masses_are_shared_equally_by_corners(void **state)
{
  (void)state;
  physics p = physics_open(
      "{'abut': 1, 'time': {'step': 0.01, 'end': 0.1}, 'materials': {"
      "  'cloth': {'model': 'stvk', 'youngs_modulus': 1e6, 'poissons_ratio': 0.3, 'density': 800,"
      "            'thickness': 1e-3},"
      "  'block': {'model': 'neo_hookean', 'youngs_modulus': 1e6, 'poissons_ratio': 0.3,"
      "            'density': 500}},"
      "'objects': [{'name': 'sheet', 'kind': 'shell', 'material': 'cloth',"
      "  'mesh': {'shape': 'grid', 'size': [0.3, 0.2], 'cells': [1, 1]}},"
      " {'name': 'cube', 'kind': 'solid', 'material': 'block', 'transform': {'translate': [0, 0, "
      "2]},"
      "  'mesh': {'shape': 'box', 'size': [0.3, 0.2, 0.1], 'cells': [1, 1, 1], 'tets': 5}}]}");
  double sheet = 0.06 * 1e-3 * 800, cube = 0.006 * 500;
  assert_close(physics_mass(&p, "sheet"), sheet, 1e-14);
  assert_close(physics_mass(&p, "cube"), cube, 1e-14);
  /* the diagonal's ends belong to both triangles */
  double share[2] = {sheet / 3, sheet / 6};
  assert_close(physics_m(&p, "sheet", 0), share[0], 1e-14);
  assert_close(physics_m(&p, "sheet", 1), share[1], 1e-14);
  assert_close(physics_m(&p, "sheet", 2), share[1], 1e-14);
  assert_close(physics_m(&p, "sheet", 3), share[0], 1e-14);
  /* five tetrahedra: four corners of a sixth of the volume, one of a third in the middle */
  int light = 0, heavy = 0;
  for (int32_t i = 0; i < 8; i++) {
    double m = physics_m(&p, "cube", i) / cube;
    light += fabs(m - 1.0 / 24) < 1e-14;
    heavy += fabs(m - (3.0 / 24 + 1.0 / 12)) < 1e-14;
  }
  assert_int_equal(light, 4);
  assert_int_equal(heavy, 4);
  physics_close(&p);
}

/* In a step so short that the bead's way is less than its coordinate's last digit, nothing is known
   about its speed but what was known before. */
static void a_way_below_rounding_takes_no_momentum(void **state)
{
  (void)state;
  physics p =
      physics_open("{'abut': 1, 'gravity': [0, 0, 0], 'time': {'step': 1e-8, 'end': 1},"
                   "'objects': [{'name': 'bead', 'kind': 'spheres', 'density': 1000,"
                   "'centers': [[1e5, 0, 0]], 'radii': [0.01], 'velocity': [1e-4, 0, 0]}]}");
  physics_steps(&p, 20);
  assert_true(physics_velocity(&p, "bead").x == 1e-4);
  assert_true(physics_x(&p, "bead", 0).x == 1e5);
  physics_close(&p);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_cloth_falls_freely),
      cmocka_unit_test(a_solid_falls_freely),
      cmocka_unit_test(spheres_fall_freely),
      cmocka_unit_test(a_lone_sphere_falls_to_the_known_place),
      cmocka_unit_test(steps_are_cut_at_frames),
      cmocka_unit_test(masses_are_shared_equally_by_corners),
      cmocka_unit_test(a_way_below_rounding_takes_no_momentum),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
