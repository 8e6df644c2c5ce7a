/* Blocks against linear elasticity and the exact stresses of their models; rest states. */
#include "physics.h"

static const char *const models[] = {"neo_hookean", "stable_neo_hookean", "fixed_corotated"};
static const double young = 1e5;

typedef struct extent {
  double x, y, z; /* strains of the block's box */
} extent;

/* of the 0.1 x 0.1 x 0.2 block */
static extent strains(const physics *p)
{
  vec3 low = v3(9, 9, 9), high = v3(-9, -9, -9);
  for (int32_t i = 0; i < physics_count(p, "block"); i++) {
    low = v3_min(low, physics_x(p, "block", i));
    high = v3_max(high, physics_x(p, "block", i));
  }
  vec3 d = v3_sub(high, low);
  return (extent){d.x / 0.1 - 1, d.y / 0.1 - 1, d.z / 0.2 - 1};
}

/* ---- a pull at both ends, shared among vertices by the areas of their faces ---- */

static void pull_controls(double stress, char *text, size_t room)
{
  physics p = physics_open(
      "{'abut': 1, 'time': {'step': 1, 'end': 1}, 'materials': {'m': {'model': 'neo_hookean',"
      "'youngs_modulus': 1e5, 'poissons_ratio': 0.3, 'density': 1000}}, 'objects': [{'name':"
      "'block', 'kind': 'solid', 'material': 'm', 'mesh': {'shape': 'box', 'size': [0.1, 0.1, 0.2],"
      "'cells': [2, 2, 4]}}]}");
  const abut_surface *s = &physics_sim(&p)->model.surface;
  const vec3 *x = physics_sim(&p)->state.x;
  double area[64] = {0};
  assert_in_range(s->vertices, 1, 64);
  for (int32_t f = 0; f < s->faces; f++) {
    const int32_t *v = s->face + 3 * (int64_t)f;
    vec3 c = v3_cross(v3_sub(x[v[1]], x[v[0]]), v3_sub(x[v[2]], x[v[0]]));
    for (int k = 0; k < 3; k++) area[v[k]] += c.z / 6;
  }
  size_t length = 0;
  for (int32_t i = 0; i < physics_count(&p, "block"); i++) {
    double a = area[physics_vertex(&p, "block", i)];
    if (fabs(a) < 1e-12) continue;
    length += (size_t)snprintf(text + length, room - length,
                               "%s{'kind': 'force', 'object': 'block', 'vertices':"
                               "{'indices': [%d]}, 'value': [0, 0, %.17g]}",
                               length ? "," : "", i, stress * a);
    assert_true(length < room);
  }
  physics_close(&p);
}

static void a_pulled_block_stretches_and_narrows(void **state)
{
  (void)state;
  static const double ratio[] = {0, 0.3, 0.45};
  static char controls[4096];
  double stress = 1e-3 * young;
  pull_controls(stress, controls, sizeof controls);
  for (int m = 0; m < PHYSICS_METHODS; m++)
    for (int n = 0; n < 9; n++) {
      double nu = ratio[n % 3];
      physics p = physics_open(
          "{'abut': 1, 'gravity': [0, 0, 0], 'time': {'step': 100, 'end': 1e9},"
          "'method': {'name': '%s', 'stop': 'residual', 'position_tolerance': 1e-12}, 'materials': "
          "{'m': {'model':"
          "'%s', 'youngs_modulus': %g, 'poissons_ratio': %g, 'density': 1000}}, 'objects': ["
          "{'name': 'block', 'kind': 'solid', 'material': 'm', 'mesh': {'shape': 'box',"
          " 'size': [0.1, 0.1, 0.2], 'cells': [2, 2, 4]}}], 'controls': [%s]}",
          physics_method(m), models[n / 3], young, nu, controls);
      physics_steps(&p, 2);
      extent e = strains(&p);
      /* linear elasticity; the models' own curvature is of the size of the strain, 1e-3 */
      assert_close(e.z, stress / young, 2e-3);
      assert_near(e.x, -nu * stress / young, 2e-3 * stress / young);
      assert_near(e.y, -nu * stress / young, 2e-3 * stress / young);
      assert_close(p.r.energy.elastic, 0.5 * stress * stress / young * 2e-3, 3e-3);
      /* the work of the dead load since the start, 0.2 m of it, is twice that */
      assert_close(p.r.energy.control + stress * 0.01 * 0.2, -2 * p.r.energy.elastic, 3e-3);
      physics_close(&p);
    }
}

/* ---- pressed between plates ---- */

/* Between a plane and a plate that comes down by 1 percent; walls: four planes all around. The
   plate's diagonal passes beside the block, so that its vertices have one face each to press on. */
static physics press(const char *method, const char *model, double poisson, bool walls)
{
  const char *around =
      ",{'name': 'east', 'kind': 'plane', 'point': [0.050001, 0, 0], 'normal': [-1, 0, 0]},"
      "{'name': 'west', 'kind': 'plane', 'point': [-0.050001, 0, 0], 'normal': [1, 0, 0]},"
      "{'name': 'north', 'kind': 'plane', 'point': [0, 0.050001, 0], 'normal': [0, -1, 0]},"
      "{'name': 'south', 'kind': 'plane', 'point': [0, -0.050001, 0], 'normal': [0, 1, 0]}";
  physics p = physics_open(
      "{'abut': 1, 'gravity': [0, 0, 0], 'time': {'step': 0.1, 'end': 1e9}, 'contact': {'dhat': "
      "1e-6},"
      "'method': {'name': '%s', 'position_tolerance': 1e-10}, 'materials': {'m': {'model':"
      "'%s', 'youngs_modulus': %g, 'poissons_ratio': %g, 'density': 1000}}, 'objects': ["
      "{'name': 'block', 'kind': 'solid', 'material': 'm', 'mesh': {'shape': 'box',"
      " 'size': [0.1, 0.1, 0.2], 'cells': [2, 2, 4]}},"
      "{'name': 'floor', 'kind': 'plane', 'point': [0, 0, -0.100001]},"
      "{'name': 'plate', 'kind': 'obstacle', 'mesh': {'shape': 'grid', 'size': [0.6, 0.6],"
      " 'cells': [1, 1]}, 'transform': {'translate': [0.15, 0, 0.100001]},"
      " 'motion': {'keys': [{'t': 0}, {'t': 0.4, 'translate': [0, 0, -0.002]}]}}%s]}",
      method, model, young, poisson, walls ? around : "");
  physics_steps(&p, 10);
  assert_int_equal(p.r.halvings, 0);
  assert_below(p.r.energy.kinetic, 1e-6 * p.r.energy.elastic);
  return p;
}

static void a_pressed_block_pushes_like_hookes_law(void **state)
{
  (void)state;
  static const double ratio[] = {0, 0.3, 0.45};
  for (int n = 0; n < 9 * PHYSICS_METHODS; n++) {
    double nu = ratio[n % 3];
    physics p = press(physics_method(n / 9), models[n / 3 % 3], nu, false);
    extent e = strains(&p);
    assert_near(e.z, -0.01, 2e-5); /* the gaps take the rest */
    double force = young * 0.01 * -e.z;
    assert_close(physics_push(&p, "plate").z, force, 0.02);
    assert_close(physics_push(&p, "floor").z, -force, 0.02);
    assert_near(e.x, -nu * e.z, 0.02 * fmax(nu, 0.3) * 0.01);
    assert_near(e.y, -nu * e.z, 0.02 * fmax(nu, 0.3) * 0.01);
    assert_close(p.r.energy.elastic, 0.5 * young * e.z * e.z * 2e-3, 0.02);
    physics_close(&p);
  }
}

/* first Piola-Kirchhoff stress along z for F = diag(1, 1, s) */
static double exact_stress(int model, double nu, double s)
{
  double mu = young / (2 * (1 + nu)), lam = young * nu / ((1 + nu) * (1 - 2 * nu));
  switch (model) {
  case 0: return mu * s + (lam * log(s) - mu) / s;
  case 1: return mu * s - mu + (lam + mu) * (s - 1);
  default: return (2 * mu + lam) * (s - 1);
  }
}

static void a_confined_block_pushes_harder(void **state)
{
  (void)state;
  static const double ratio[] = {0.3, 0.45};
  /* under the film barrier's default stiffness the gaps give way by more */
  static const char *const methods[] = {"ipc", "barrier_free"};
  for (int n = 0; n < 12; n++) {
    double nu = ratio[n % 2];
    int model = n / 2 % 3;
    physics p = press(methods[n / 6], models[model], nu, true);
    extent e = strains(&p);
    double modulus = young * (1 - nu) / ((1 + nu) * (1 - 2 * nu));
    double force = physics_push(&p, "plate").z;
    assert_close(force, modulus * 0.01 * -e.z, 0.02);
    /* the walls give way by their gaps, 2e-5 of the width */
    assert_below(fabs(e.x) + fabs(e.y), 1e-4);
    assert_close(force, -0.01 * exact_stress(model, nu, 1 + e.z), 3e-3);
    double side = modulus * -e.z * nu / (1 - nu) * 0.02;
    assert_close(physics_push(&p, "east").x, side, 0.025);
    assert_close(physics_push(&p, "south").y, -side, 0.025);
    /* not what a free block would push */
    assert_true(fabs(force / (young * 0.01 * -e.z) - 1) > 0.2);
    physics_close(&p);
  }
}

/* ---- rest ---- */

/* displaced by less than rounding after 50 steps, and at what cost */
static void check_rest(const char *method, const char *kind, const char *model, const char *mesh,
                       const char *rest, bool stays)
{
  physics p = physics_open(
      "{'abut': 1, 'gravity': [0, 0, 0], 'time': {'step': 0.01, 'end': 1e9}, 'method': '%s', "
      "'materials': {'m':"
      "{'model': '%s', 'youngs_modulus': 1e5, 'poissons_ratio': 0.3, 'density': 1000,"
      " 'thickness': 1e-3}}, 'objects': [{'name': 'body', 'kind': '%s', 'material': 'm', 'mesh': "
      "%s,"
      " 'rest': %s, 'transform': {'rotate': [[1, 2, 3], 20], 'translate': [1, 2, 3]}}]}",
      method, model, kind, mesh, rest);
  vec3 start[256];
  int32_t count = physics_count(&p, "body");
  assert_in_range(count, 1, 256);
  for (int32_t i = 0; i < count; i++) start[i] = physics_x(&p, "body", i);
  physics_steps(&p, 50);
  double most = 0;
  for (int32_t i = 0; i < count; i++)
    most = fmax(most, v3_norm(v3_sub(physics_x(&p, "body", i), start[i])));
  if (stays) {
    assert_true(most == 0);
    assert_int_equal(p.newton, 0);
    /* differences of numbers of the size of E V, a few kJ */
    assert_below(fabs(p.r.energy.elastic) + p.r.energy.bending, 1e-12);
  } else {
    assert_true(most > 1e-3);
  }
  physics_close(&p);
}

static void check_rest_of_all_bodies(const char *method)
{
  for (int m = 0; m < 3; m++) {
    check_rest(method, "solid", models[m], "{'shape': 'ball', 'radius': 0.2, 'cells': 3}",
               "'input'", true);
    check_rest(method, "solid", models[m],
               "{'shape': 'box', 'size': [0.2, 0.3, 0.4], 'cells': [2, 2, 2]}",
               "{'mesh': {'shape': 'box', 'size': [0.2, 0.3, 0.39], 'cells': [2, 2, 2]}}", false);
  }
  static const char *const films[] = {"stvk", "neo_hookean"};
  static const char tube[] = "{'shape': 'tube', 'radius': 0.1, 'height': 0.2, 'cells': [12, 4]}";
  for (int m = 0; m < 2; m++) {
    check_rest(method, "shell", films[m], tube, "'input'", true);
    check_rest(method, "shell", films[m], tube,
               "{'mesh': {'shape': 'tube', 'radius': 0.1, 'height': 0.19, 'cells': [12, 4]}}",
               false);
  }
}

static void what_is_at_rest_stays(void **state)
{
  (void)state;
  for (int m = 0; m < PHYSICS_METHODS; m++) check_rest_of_all_bodies(physics_method(m));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_pulled_block_stretches_and_narrows),
      cmocka_unit_test(a_pressed_block_pushes_like_hookes_law),
      cmocka_unit_test(a_confined_block_pushes_harder),
      cmocka_unit_test(what_is_at_rest_stays),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
