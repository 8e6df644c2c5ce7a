/* What energy does: implicit Euler takes some in each step, never gives any, and by known amounts
   where a closed form exists. */
#include "physics.h"
#include "step/stiffness.h"

static const char sphere[] =
    "{'name': 'ball', 'kind': 'spheres', 'centers': [[0, 0, 1]], 'radii': [0.01], 'density': 1000}";

/* With v(n+1) = v + dt g the sum of kinetic energy and potential falls by m g^2 dt^2/2 a step. */
static void falling_costs_half_the_square_of_a_step(void **state)
{
  (void)state;
  physics p =
      physics_open("{'abut': 1, 'time': {'step': 0.01, 'end': 1}, 'objects': [%s]}", sphere);
  double mass = physics_mass(&p, "ball"), before = mass * 9.81;
  for (int n = 0; n < 30; n++) {
    physics_step(&p);
    double e = physics_energy(&p);
    assert_close(before - e, 0.5 * mass * pow(9.81 * 0.01, 2), 1e-9);
    before = e;
  }
  physics_close(&p);
}

/* A spring, drag and a constant force f:
     E(n+1) - E(n) = -m |dv|^2/2 - k |dx|^2/2 - rate m |v(n+1)|^2 dt,  E with the spring's and -f.x
 */
static void springs_drag_and_forces_balance_to_the_last_digit(void **state)
{
  (void)state;
  static const double rates[] = {0, 3};
  for (int r = 0; r < 2; r++) {
    physics p = physics_open(
        "{'abut': 1, 'time': {'step': 0.01, 'end': 9}, 'objects': [%s], 'controls': ["
        "{'kind': 'support', 'object': 'ball', 'stiffness': 0.5, 'motion': {'keys': [{'t': 0,"
        " 'positions': [[0.2, 0.1, 0.9]]}]}},"
        "{'kind': 'drag', 'object': 'ball', 'rate': %g},"
        "{'kind': 'force', 'object': 'ball', 'value': [0.01, 0.02, -0.03]}]}",
        sphere, rates[r]);
    double m = physics_mass(&p, "ball"), k = 0.5, dt = 0.01, before = 0;
    vec3 x = physics_x(&p, "ball", 0), v = physics_v(&p, "ball", 0), f = v3(0.01, 0.02, -0.03);
    for (int n = 0; n < 100; n++) {
      physics_step(&p);
      vec3 y = physics_x(&p, "ball", 0), u = physics_v(&p, "ball", 0);
      double spring = 0.5 * k * v3_norm2(v3_sub(y, v3(0.2, 0.1, 0.9)));
      double drag = 0.5 * rates[r] * m / dt * v3_norm2(v3_sub(y, x));
      assert_near(p.r.energy.control, spring + drag - v3_dot(f, y), 1e-15);
      double e = p.r.energy.kinetic + p.r.energy.gravity + spring - v3_dot(f, y);
      double lost = 0.5 * m * v3_norm2(v3_sub(u, v)) + 0.5 * k * v3_norm2(v3_sub(y, x)) +
                    rates[r] * m * v3_norm2(u) * dt;
      if (n > 0) assert_near(before - e, lost, 1e-13);
      before = e, x = y, v = u;
    }
    physics_close(&p);
  }
}

/* ---- scenes with contact ---- */

static const char ball_on_floor[] =
    "{'name': 'ball', 'kind': 'solid', 'material': 'soft', 'mesh': {'shape': 'ball', 'radius': 0.1,"
    " 'cells': 2}, 'transform': {'translate': [0, 0, 0.3]}, 'angular_velocity': [0, 20, 3],"
    " 'velocity': [1, 0, 0]}, {'name': 'floor', 'kind': 'plane'}";
static const char cloth_on_ball[] =
    "{'name': 'cloth', 'kind': 'shell', 'material': 'cloth', 'mesh': {'shape': 'grid',"
    " 'size': [0.3, 0.3], 'cells': [9, 9]}, 'transform': {'translate': [0.011, 0.007, 0.11]}},"
    "{'name': 'ball', 'kind': 'obstacle', 'mesh': {'shape': 'sphere', 'radius': 0.1, 'cells': 3}}";

static physics open_scene(const char *method, double dt, double friction, const char *stiffness,
                          const char *objects)
{
  return physics_open(
      "{'abut': 1, 'time': {'step': %g, 'end': 1e9}, 'method': {'name': '%s', 'tolerance': 1e-4},"
      "'contact': {'dhat': 1e-3, 'friction': %g, 'friction_velocity': 1e-3, 'stiffness': %s},"
      "'materials': {'soft': {'model': 'stable_neo_hookean', 'youngs_modulus': 1e5,"
      " 'poissons_ratio': 0.4, 'density': 1000}, 'cloth': {'model': 'stvk', 'youngs_modulus': 1e5,"
      " 'poissons_ratio': 0.3, 'density': 500, 'thickness': 5e-4}}, 'objects': [%s]}",
      dt, method, friction, stiffness, objects);
}

typedef struct growth {
  double worst;     /* J, in a step */
  double lost;      /* J, in all */
  int64_t contacts; /* most at a time */
} growth;

static growth watch(physics *p, int steps)
{
  growth g = {0, 0, 0};
  double before = 0, first = 0;
  for (int n = 0; n < steps; n++) {
    physics_step(p);
    double e = physics_energy(p);
    assert_true(p->r.energy.contact >= 0 && p->r.energy.friction >= 0);
    assert_true(p->r.contacts > 0 || p->r.energy.contact == 0);
    assert_true(p->r.contacts == 0 || p->r.min_gap > 0);
    if (n == 0) first = e;
    if (n > 0) g.worst = fmax(g.worst, e - before);
    g.contacts = p->r.contacts > g.contacts ? p->r.contacts : g.contacts;
    before = e;
  }
  g.lost = first - before;
  return g;
}

static void energy_does_not_grow_by_itself(void **state)
{
  (void)state;
  static const char *const stiffness[] = {"'auto'", "{'ipc': 3e8, 'offset_ipc': 500}"};
  for (int n = 0; n < 4 * PHYSICS_METHODS; n++) {
    physics p = open_scene(physics_method(n / 4), 0.0025, n & 1 ? 0.3 : 0, stiffness[n / 2 % 2],
                           ball_on_floor);
    growth g = watch(&p, 200);
    assert_below(g.worst, 1e-9);
    assert_true(g.lost > 0.5 && g.contacts > 2);
    physics_close(&p);
  }
  for (int n = 0; n < 2 * PHYSICS_METHODS; n++) {
    physics p = open_scene(physics_method(n / 2), 0.01, n & 1 ? 0.3 : 0, "'auto'", cloth_on_ball);
    growth g = watch(&p, 40);
    assert_below(g.worst, 1e-9);
    assert_true(g.lost > 1e-3 && g.contacts > 20);
    physics_close(&p);
  }
}

/* The control: a falling plate gives energy, and so does a step that is too long for a ball that
   rolls over its own corners, an unstable equilibrium at each of them. */
static void growth_is_seen_where_there_is_some(void **state)
{
  (void)state;
  physics p = open_scene("ipc", 0.01, 0, "'auto'", ball_on_floor);
  growth g = watch(&p, 100);
  assert_true(g.worst > 1e-4 && g.worst < 1e-2 * g.lost);
  physics_close(&p);
  p = physics_open(
      "{'abut': 1, 'gravity': [0, 0, 0], 'time': {'step': 0.01, 'end': 9}, 'objects': ["
      "{'name': 'ball', 'kind': 'spheres', 'centers': [[0, 0, 0.05]], 'radii': [0.01],"
      " 'density': 1000}, {'name': 'bat', 'kind': 'obstacle', 'mesh': {'shape': 'grid',"
      " 'size': [1, 1], 'cells': [1, 1]}, 'motion': {'linear_velocity': [0, 0, 1]}}]}");
  g = watch(&p, 30);
  assert_true(g.worst > 1e-4);
  physics_close(&p);
}

/* ---- ledgers ---- */

static double weight_energy(const physics *p)
{
  const abut_sim *sim = physics_sim(p);
  double e = 0;
  for (int32_t v = 0; v < sim->model.system.dynamic; v++)
    e += 9.81 * sim->model.mass[v] * sim->state.x[v].z;
  return e;
}

/* momentum gained in a step is dt times weight and contact forces; the gravity row of the report is
   the height of the masses */
static void forces_and_ledgers_belong_to_the_step(void **state)
{
  (void)state;
  for (int m = 0; m < PHYSICS_METHODS; m++) {
    /* barrier_free's own rule ends a step when multipliers are within a tenth of the forces */
    const char *method =
        m < PHYSICS_BARRIERS ? physics_method(m) : "barrier_free', 'stop': 'residual";
    physics p = open_scene(method, 0.005, 0, "'auto'", ball_on_floor);
    double mass = physics_mass(&p, "ball"), impulse = 0;
    vec3 before = v3_scale(physics_velocity(&p, "ball"), mass);
    for (int n = 0; n < 100; n++) {
      physics_step(&p);
      vec3 push = physics_push(&p, "ball"), now = p.r.momentum;
      vec3 expected = v3_madd(before, v3(push.x, push.y, push.z - 9.81 * mass), 0.005);
      assert_below(v3_norm(v3_sub(now, expected)), 1e-6 * mass);
      assert_close(p.r.energy.gravity, weight_energy(&p), 1e-13);
      impulse += push.z * 0.005;
      before = now;
    }
    assert_true(impulse > mass); /* there was contact */
    physics_close(&p);
  }
}

/* A slab that creeps down a slope of 0.5 at a steady speed: friction takes what gravity gives, and
   its reported energy is load (f0(y) - f0(0)) at the slip y of the step. */
static void friction_takes_what_gravity_gives(void **state)
{
  (void)state;
  double mu = 0.6, eps = 1e-3 * 0.01, r = 0.5 / mu, c = 2 / sqrt(5);
  for (int m = 0; m < PHYSICS_METHODS; m++) {
    physics p = physics_open(
        "{'abut': 1, 'gravity': [%.17g, 0, %.17g], 'time': {'step': 0.01, 'end': 9}, 'method':"
        "{'name': '%s', 'stop': 'residual', 'tolerance': 1e-10}, 'contact': {'dhat': 1e-3, "
        "'friction': %g,"
        "'friction_velocity': 1e-3}, 'objects': [{'name': 'ball', 'kind': 'spheres', 'centers':"
        "[[0, 0, 0.0105]], 'radii': [0.01], 'density': 1000}, {'name': 'floor', 'kind': 'plane'}]}",
        9.81 * c / 2, -9.81 * c, physics_method(m), mu);
    physics_steps(&p, 300);
    double before = physics_energy(&p), x = physics_x(&p, "ball", 0).x;
    physics_step(&p);
    double load = mu * 9.81 * c * physics_mass(&p, "ball"), y = physics_x(&p, "ball", 0).x - x;
    bool offset = strcmp(physics_method(m), "offset_ipc") == 0;
    double steady = offset ? r / sqrt(1 - r * r) * eps : (1 - sqrt(1 - r)) * eps;
    assert_close(y, steady, 1e-6);
    assert_close(before - physics_energy(&p), r * load * y, 1e-5);
    double f0 = offset ? sqrt(y * y + eps * eps) - eps : y * y / eps - y * y * y / (3 * eps * eps);
    assert_close(p.r.energy.friction, load * f0, 1e-5);
    physics_close(&p);
  }
}

/* A sphere dropped on a barrier comes back with a speed that tends to the one it came with. */
static void a_bounce_becomes_elastic_with_small_steps(void **state)
{
  (void)state;
  static const double dt[] = {1e-3, 1e-4, 1e-5};
  for (int m = 0; m < PHYSICS_BARRIERS; m++) {
    double ratio[3];
    for (int k = 0; k < 3; k++) {
      physics p = physics_open(
          "{'abut': 1, 'gravity': [0, 0, 0], 'time': {'step': %g, 'end': 9}, 'method': '%s',"
          "'contact': {'dhat': 5e-3, 'stiffness': {'ipc': 1e6, 'offset_ipc': 100}}, 'objects':"
          "[{'name': 'ball', 'kind': 'spheres', 'centers': [[0, 0, 0.0152]], 'radii': [0.01],"
          " 'density': 1000, 'velocity': [0, 0, -0.5]}, {'name': 'floor', 'kind': 'plane'}]}",
          dt[k], physics_method(m));
      for (int n = 0; n < 20000 && !(physics_v(&p, "ball", 0).z > 0 && p.r.contacts == 0); n++)
        physics_step(&p);
      ratio[k] = physics_v(&p, "ball", 0).z / 0.5;
      physics_close(&p);
    }
    assert_true(ratio[0] < ratio[1] && ratio[1] < ratio[2] && ratio[2] <= 1);
    /* the loss is proportional to the step */
    assert_close((1 - ratio[2]) * 10, 1 - ratio[1], 0.2);
    assert_true(ratio[2] > 0.99);
  }
}

/* A soft ball comes back with nearly the speed it came with: its own elasticity carries the bounce,
   and the contact must not eat it. The automatic stiffness of ipc never falls while anything
   is near, or each step of the rebound would give back less than was put in, and starts anew after.
 */
static void a_soft_ball_bounces_by_its_own_elasticity(void **state)
{
  (void)state;
  for (int m = 0; m < PHYSICS_METHODS; m++) {
    physics p = physics_open(
        "{'abut': 1, 'gravity': [0, 0, 0], 'time': {'step': 1e-3, 'end': 9}, 'method': {'name': "
        "'%s',"
        "'tolerance': 1e-4}, 'contact': {'dhat': 1e-3}, 'materials': {'m': {'model':"
        "'stable_neo_hookean', 'youngs_modulus': 1e5, 'poissons_ratio': 0.3, 'density': 1000}},"
        "'objects': [{'name': 'ball', 'kind': 'solid', 'material': 'm', 'mesh': {'shape': 'ball',"
        " 'radius': 0.1, 'cells': 2}, 'transform': {'translate': [0, 0, 0.103]}, 'velocity':"
        " [0, 0, -1]}, {'name': 'floor', 'kind': 'plane'}]}",
        physics_method(m));
    double low = abut_stiffness_range_of(&physics_sim(&p)->model.system).low, before = 0, most = 0;
    int64_t near = 0;
    bool adaptive = strcmp(physics_method(m), "ipc") == 0;
    for (int n = 0; n < 100; n++) {
      physics_step(&p);
      double now = physics_sim(&p)->work.stiffness;
      if (adaptive && near > 0) assert_true(now >= before);
      if (adaptive && near == 0 && p.r.contacts == 0) assert_true(now == low);
      before = now, near = p.r.contacts, most = fmax(most, now);
    }
    assert_int_equal(near, 0);
    assert_true(!adaptive || most > 1.1 * low);
    double back = physics_velocity(&p, "ball").z;
    assert_true(back > 0.85 && back < 1);
    physics_close(&p);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(falling_costs_half_the_square_of_a_step),
      cmocka_unit_test(springs_drag_and_forces_balance_to_the_last_digit),
      cmocka_unit_test(energy_does_not_grow_by_itself),
      cmocka_unit_test(growth_is_seen_where_there_is_some),
      cmocka_unit_test(forces_and_ledgers_belong_to_the_step),
      cmocka_unit_test(friction_takes_what_gravity_gives),
      cmocka_unit_test(a_bounce_becomes_elastic_with_small_steps),
      cmocka_unit_test(a_soft_ball_bounces_by_its_own_elasticity),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
