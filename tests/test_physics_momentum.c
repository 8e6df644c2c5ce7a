/* Without gravity and obstacles nothing outside pushes: momentum stays, and the angular momentum of
   implicit Euler obeys, for forces without torque at the end of the step,
     L(n+1) - L(n) = dt sum m v(n+1) x v(n)                  (L = sum x x m v, x(n+1) = x + dt
   v(n+1)) Friction pushes across the gap of a contact, so its couple is added; it is computed here
   from the frozen loads. */
#include "physics.h"

typedef struct tally {
  vec3 momentum, angular, mixed; /* mixed: sum m v(n+1) x v(n) */
  double scale, angular_scale;   /* sum m |v|, sum m |x| |v| */
} tally;

static tally count(const physics *p, const vec3 *before)
{
  const abut_sim *sim = physics_sim(p);
  tally t = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, 0, 0};
  for (int32_t i = 0; i < sim->model.system.dynamic; i++) {
    vec3 x = sim->state.x[i], v = sim->state.v[i];
    double m = sim->model.mass[i];
    t.momentum = v3_madd(t.momentum, v, m);
    t.angular = v3_madd(t.angular, v3_cross(x, v), m);
    if (before) t.mixed = v3_madd(t.mixed, v3_cross(v, before[i]), m);
    t.scale += m * v3_norm(v);
    t.angular_scale += m * v3_norm(x) * v3_norm(v);
  }
  return t;
}

/* couple of the frozen friction forces at the end of the step, N m */
static vec3 friction_couple(const physics *p)
{
  const abut_work *w = &physics_sim(p)->work;
  vec3 sum = v3(0, 0, 0);
  for (int64_t i = 0; i < w->friction.count; i++) {
    vec3 g[4];
    abut_friction_gradient(&w->friction, w->x, w->x0, i, i + 1, g);
    for (int k = 0; k < 4; k++)
      sum = v3_sub(sum, v3_cross(w->x[w->friction.vertex[4 * i + k]], g[k]));
  }
  return sum;
}

typedef struct outcome {
  double momentum, angular; /* largest relative errors of a step */
  double naive;             /* of the angular law without its right-hand side */
  double couple;            /* largest couple of friction, N m */
  double uncoupled;         /* of the angular law without that couple */
  int64_t touched;          /* steps with contact */
  double strain;            /* largest elastic energy, J */
} outcome;

static outcome watch(physics *p, int steps)
{
  enum { ROOM = 1024 };
  static vec3 before[ROOM];
  outcome o = {0};
  const abut_sim *sim = physics_sim(p);
  assert_in_range(sim->model.system.dynamic, 1, ROOM);
  tally a = count(p, NULL);
  vec3 start = a.momentum;
  for (int n = 0; n < steps; n++) {
    memcpy(before, sim->state.v, (size_t)sim->model.system.dynamic * sizeof *before);
    physics_step(p);
    assert_int_equal(p->r.halvings, 0);
    tally b = count(p, before);
    vec3 couple = friction_couple(p);
    vec3 rest = v3_sub(v3_sub(b.angular, a.angular), v3_scale(b.mixed, p->r.dt));
    o.naive = fmax(o.naive, v3_norm(v3_sub(b.angular, a.angular)) / b.angular_scale);
    o.uncoupled = fmax(o.uncoupled, v3_norm(rest) / b.angular_scale);
    rest = v3_madd(rest, couple, -p->r.dt);
    o.momentum = fmax(o.momentum, v3_norm(v3_sub(b.momentum, start)) / b.scale);
    o.angular = fmax(o.angular, v3_norm(rest) / b.angular_scale);
    o.couple = fmax(o.couple, v3_norm(couple));
    o.touched += p->r.contacts > 0;
    o.strain = fmax(o.strain, p->r.energy.elastic);
    /* the report says the same */
    assert_below(v3_norm(v3_sub(p->r.momentum, b.momentum)), 1e-13 * b.scale);
    assert_below(v3_norm(v3_sub(p->r.angular_momentum, b.angular)), 1e-13 * b.angular_scale);
    a = b;
  }
  return o;
}

static const char materials[] =
    "'materials': {"
    "  'stvk': {'model': 'stvk', 'youngs_modulus': 1e5, 'poissons_ratio': 0.3, 'density': 800,"
    "           'thickness': 1e-3},"
    "  'neo_hookean': {'model': 'neo_hookean', 'youngs_modulus': 1e5, 'poissons_ratio': 0.4,"
    "                  'density': 1000, 'thickness': 1e-3},"
    "  'stable_neo_hookean': {'model': 'stable_neo_hookean', 'youngs_modulus': 1e5,"
    "                         'poissons_ratio': 0.4, 'density': 1000},"
    "  'fixed_corotated': {'model': 'fixed_corotated', 'youngs_modulus': 1e5,"
    "                      'poissons_ratio': 0.4, 'density': 1000}},";

static physics open_scene(const char *method, double tolerance, double gravity, double friction,
                          const char *objects)
{
  return physics_open("{'abut': 1, 'gravity': [0, 0, %g], 'time': {'step': 0.005, 'end': 10},"
                      "'method': {'name': '%s', 'stop': 'residual', 'tolerance': %g},"
                      "'contact': {'dhat': 1e-2, 'friction': %g, 'friction_velocity': 1e-2}, %s"
                      "'objects': [%s]}",
                      gravity, method, tolerance, friction, materials, objects);
}

static void check_free(const char *kind, const char *model, const char *mesh, const char *rest)
{
  char objects[512];
  snprintf(objects, sizeof objects,
           "{'name': 'body', 'kind': '%s', 'material': '%s', 'mesh': %s, 'rest': {'mesh': %s},"
           "'velocity': [1, 2, 3], 'angular_velocity': [6, -5, 20],"
           "'transform': {'translate': [0.5, 0, 0]}}",
           kind, model, mesh, rest);
  for (int m = 0; m < PHYSICS_METHODS; m++) {
    physics p = open_scene(physics_method(m), 1e-9, 0, 0, objects);
    outcome o = watch(&p, 40);
    assert_below(o.momentum, 1e-10);
    assert_below(o.angular, 1e-10);
    assert_true(o.strain > 1e-3); /* it does stretch */
    assert_true(o.naive > 1e-4);  /* the right-hand side is needed */
    physics_close(&p);
  }
}

static void a_stretched_tumbling_shell_keeps_its_momenta(void **state)
{
  (void)state;
  static const char *const models[] = {"stvk", "neo_hookean"};
  for (int k = 0; k < 2; k++)
    check_free("shell", models[k], "{'shape': 'grid', 'size': [0.6, 0.4], 'cells': [6, 4]}",
               "{'shape': 'grid', 'size': [0.55, 0.38], 'cells': [6, 4]}");
}

static void a_spinning_deformed_solid_keeps_its_momenta(void **state)
{
  (void)state;
  static const char *const models[] = {"neo_hookean", "stable_neo_hookean", "fixed_corotated"};
  for (int k = 0; k < 3; k++)
    check_free("solid", models[k], "{'shape': 'box', 'size': [0.4, 0.2, 0.2], 'cells': [4, 2, 2]}",
               "{'shape': 'box', 'size': [0.35, 0.21, 0.2], 'cells': [4, 2, 2]}");
}

static const char two_bodies[] =
    "{'name': 'left', 'kind': 'solid', 'material': 'neo_hookean', 'velocity': [2, 0, 0],"
    " 'mesh': {'shape': 'ball', 'radius': 0.2, 'cells': 2},"
    " 'angular_velocity': [0, 3, 4], 'transform': {'translate': [-0.25, 0.05, 0.03]}},"
    "{'name': 'right', 'kind': 'solid', 'material': 'stable_neo_hookean', 'velocity': [-2, 0.5, 0],"
    " 'mesh': {'shape': 'box', 'size': [0.3, 0.3, 0.3], 'cells': [2, 2, 2]},"
    " 'transform': {'rotate': [[1, 1, 0.3], 30], 'translate': [0.25, 0, 0]}}";

static const char sphere_and_film[] =
    "{'name': 'film', 'kind': 'shell', 'material': 'stvk', 'angular_velocity': [1, 2, 0],"
    " 'mesh': {'shape': 'grid', 'size': [0.5, 0.5], 'cells': [6, 6]}},"
    "{'name': 'ball', 'kind': 'spheres', 'centers': [[0.03, 0.01, 0.07], [-0.1, 0, 0.2]],"
    " 'radii': [0.05, 0.04], 'density': 500, 'velocity': [1, 0.3, -3]}";

static void check_collision(const char *objects, double most)
{
  static const double friction[] = {0, 0.4};
  for (int m = 0; m < PHYSICS_METHODS; m++)
    for (int f = 0; f < 2; f++) {
      physics p = open_scene(physics_method(m), 1e-9, 0, friction[f], objects);
      outcome o = watch(&p, 60);
      assert_below(o.momentum, 1e-10);
      assert_below(o.angular, most);
      assert_true(o.touched >= 5);
      assert_true(f == 0 ? o.couple == 0 : o.uncoupled > 1e-6);
      physics_close(&p);
    }
}

static void colliding_soft_bodies_keep_their_momenta(void **state)
{
  (void)state;
  check_collision(two_bodies, 1e-10);
}

static void spheres_that_hit_a_film_keep_the_momenta(void **state)
{
  (void)state;
  check_collision(sphere_and_film, 1e-10);
}

/* What the tests above would say if something outside pushed a little, or if Newton's method
   stopped early. */
static void a_push_from_outside_or_an_early_stop_is_seen(void **state)
{
  (void)state;
  physics p = open_scene("ipc", 1e-9, -1e-5, 0, two_bodies);
  outcome o = watch(&p, 60);
  assert_true(o.momentum > 1e-8);
  physics_close(&p);
  p = open_scene("ipc", 1, 0, 0, two_bodies);
  o = watch(&p, 60);
  assert_below(o.momentum, 1e-10); /* a Newton step of full length keeps the sum all the same */
  assert_true(o.angular > 1e-6);
  physics_close(&p);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_stretched_tumbling_shell_keeps_its_momenta),
      cmocka_unit_test(a_spinning_deformed_solid_keeps_its_momenta),
      cmocka_unit_test(colliding_soft_bodies_keep_their_momenta),
      cmocka_unit_test(spheres_that_hit_a_film_keep_the_momenta),
      cmocka_unit_test(a_push_from_outside_or_an_early_stop_is_seen),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
