/* abut_contacts: the forces between bodies, against weights, slopes and momenta. */
#include "physics.h"

/* the step's forces are in balance to the solver's tolerance, which is that of the residual rule */
static const char rules[] = "'stop': 'residual', 'tolerance': 1e-7";

/* contact force on a body in the last step, N: all of it, and the part along normals */
typedef struct pushes {
  vec3 all, normal;
  int64_t count;
} pushes;

static vec3 vec(const double a[3])
{
  return v3(a[0], a[1], a[2]);
}

static pushes pushes_on(const physics *p, const char *name)
{
  abut_body b = abut_find_body(p->scene, name);
  const abut_contact_force *c;
  pushes s = {0};
  int64_t n;
  assert_ok(abut_contacts(p->scene, &c, &n));
  for (int64_t i = 0; i < n; i++)
    for (int side = 0; side < 2; side++) {
      if (c[i].body[side].index != b.index) continue;
      vec3 normal = v3_scale(vec(c[i].normal), (side ? -1 : 1) * c[i].normal_force);
      vec3 slip = v3_scale(vec(c[i].tangential_force), side ? -1 : 1);
      s.normal = v3_add(s.normal, normal);
      s.all = v3_add(s.all, v3_add(normal, slip));
      s.count++;
    }
  return s;
}

/* what every list must be like */
static void check_list(const physics *p, double mu)
{
  const abut_contact_force *c;
  int64_t n, near = 0;
  assert_ok(abut_contacts(p->scene, &c, &n));
  double dhat = physics_sim(p)->model.surface.dhat;
  for (int64_t i = 0; i < n; i++) {
    vec3 normal = vec(c[i].normal), slip = vec(c[i].tangential_force);
    assert_near(v3_norm(normal), 1, 1e-12);
    assert_true(c[i].normal_force >= 0 && c[i].gap > 0);
    near += c[i].gap < dhat;
    assert_true(c[i].gap < dhat || c[i].normal_force > 0 || v3_norm(slip) > 0);
    if (mu == 0) assert_true(v3_norm(slip) == 0);
    double sum = 0;
    for (int k = 0; k < 4; k++) {
      sum += c[i].weight[k];
      assert_true(c[i].vertex[k] >= -1);
      assert_true(c[i].vertex[k] >= 0 || c[i].weight[k] == 0);
    }
    bool plane = strcmp(c[i].element[1], "plane") == 0;
    assert_near(sum, plane ? 1 : 0, 1e-12);
  }
  assert_int_equal(near, p->r.contacts);
}

/* a soft cube of 0.2 m on a floor whose slope has that tangent */
static physics cube(const char *method, const char *floor, double mu, double tangent)
{
  double c = 1 / sqrt(1 + tangent * tangent);
  return physics_open(
      "{'abut': 1, 'gravity': [%.17g, 0, %.17g], 'time': {'step': 0.01, 'end': 1e9},"
      "'method': {'name': '%s', %s}, 'contact': {'dhat': 1e-3, 'friction': %g,"
      "'friction_velocity': 1e-3}, 'materials': {'m': {'model': 'neo_hookean',"
      " 'youngs_modulus': 1e6, 'poissons_ratio': 0.3, 'density': 1000}},"
      "'objects': [{'name': 'floor', %s}, {'name': 'cube', 'kind': 'solid', 'material': 'm',"
      " 'mesh': {'shape': 'box', 'size': [0.2, 0.2, 0.2], 'cells': [2, 2, 2]},"
      " 'transform': {'translate': [0.01, 0.02, 0.1005]}}]}",
      9.81 * tangent * c, -9.81 * c, method, rules, mu, floor);
}

static const char *const floors[] = {
    "'kind': 'plane'",
    "'kind': 'obstacle', 'mesh': {'shape': 'grid', 'size': [4, 4], 'cells': [3, 3]}"};

static void a_floor_carries_the_weight(void **state)
{
  (void)state;
  for (int n = 0; n < 2 * PHYSICS_METHODS; n++) {
    physics p = cube(physics_method(n / 2), floors[n % 2], 0, 0);
    physics_steps(&p, 150);
    check_list(&p, 0);
    pushes up = pushes_on(&p, "cube"), down = pushes_on(&p, "floor");
    double weight = 9.81 * physics_mass(&p, "cube");
    assert_close(up.all.z, weight, 1e-4);
    assert_true(v3_norm(v3_add(up.all, down.all)) == 0 && up.count == down.count);
    assert_true(up.count >= 9); /* the vertices of its bottom */
    physics_close(&p);
  }
}

static void a_slope_holds_by_friction(void **state)
{
  (void)state;
  for (int n = 0; n < 2 * PHYSICS_METHODS; n++) {
    double tangent = 0.3, c = 1 / sqrt(1 + tangent * tangent);
    physics p = cube(physics_method(n / 2), floors[n % 2], 0.5, tangent);
    physics_steps(&p, 300);
    check_list(&p, 0.5);
    pushes on = pushes_on(&p, "cube");
    vec3 slip = v3_sub(on.all, on.normal);
    double weight = 9.81 * physics_mass(&p, "cube");
    assert_close(on.all.x, -weight * tangent * c, 1e-4);
    assert_close(on.all.z, weight * c, 1e-4);
    /* the edges of a floor of triangles push sideways a little */
    assert_close(slip.x, -weight * tangent * c, n % 2 ? 1e-2 : 1e-4);
    assert_near(slip.y, 0, 1e-2 * weight);
    physics_close(&p);
  }
}

/* What one body feels the other feels the other way, and each goes as its list says: the forces are
   of the step that has ended, not of one before. */
static void each_body_moves_by_its_forces(void **state)
{
  (void)state;
  for (int n = 0; n < 2 * PHYSICS_METHODS; n++) {
    double dt = 0.002, mu = n % 2 ? 0.4 : 0;
    physics p = physics_open(
        "{'abut': 1, 'gravity': [0, 0, 0], 'time': {'step': %g, 'end': 9}, 'method': {'name':"
        "'%s', %s}, 'contact': {'dhat': 2e-3, 'friction': %g, 'friction_velocity': 1e-2},"
        "'materials': {'m': {'model': 'stable_neo_hookean', 'youngs_modulus': 1e5,"
        " 'poissons_ratio': 0.4, 'density': 1000}}, 'objects': ["
        "{'name': 'a', 'kind': 'solid', 'material': 'm', 'mesh': {'shape': 'ball', 'radius': 0.1,"
        " 'cells': 2}, 'transform': {'translate': [-0.11, 0, 0.03]}, 'velocity': [2, 0, 0]},"
        "{'name': 'b', 'kind': 'solid', 'material': 'm', 'mesh': {'shape': 'box', 'size': [0.2,"
        " 0.2, 0.2], 'cells': [2, 2, 2]}, 'transform': {'translate': [0.11, 0, 0]}, 'velocity':"
        " [-2, 1, 0]}]}",
        dt, physics_method(n / 2), rules, mu);
    double ma = physics_mass(&p, "a"), mb = physics_mass(&p, "b"), most = 0, side = 0;
    vec3 va = physics_velocity(&p, "a"), vb = physics_velocity(&p, "b");
    for (int k = 0; k < 40; k++) {
      physics_step(&p);
      check_list(&p, mu);
      pushes a = pushes_on(&p, "a"), b = pushes_on(&p, "b");
      vec3 wa = physics_velocity(&p, "a"), wb = physics_velocity(&p, "b");
      assert_true(v3_norm(v3_add(a.all, b.all)) <= 1e-12 * v3_norm(a.all));
      /* N s: both weigh several kilograms */
      assert_below(v3_norm(v3_madd(v3_scale(v3_sub(wa, va), ma), a.all, -dt)), 1e-6);
      assert_below(v3_norm(v3_madd(v3_scale(v3_sub(wb, vb), mb), b.all, -dt)), 1e-6);
      most = fmax(most, v3_norm(a.all));
      side = fmax(side, v3_norm(v3_sub(a.all, a.normal)));
      va = wa, vb = wb;
    }
    assert_true(most > 100 && (mu > 0 ? side > 10 : side == 0));
    physics_close(&p);
  }
}

/* case C74: plates nearer than dhat that part pull at nothing, and plates that slide without
   friction feel none; what pushes is what their momentum says */
static void parting_and_sliding_plates_pull_at_nothing(void **state)
{
  (void)state;
  static const double way[2][3] = {{0, 0, 0.5}, {0.5, 0, 0}};
  for (int n = 0; n < 2 * PHYSICS_METHODS; n++) {
    const double *v = way[n % 2], dt = 0.001;
    physics p = physics_open(
        "{'abut': 1, 'gravity': [0, 0, 0], 'time': {'step': %g, 'end': 9}, 'method': {'name':"
        "'%s', %s}, 'contact': {'dhat': 1e-2}, 'materials': {'m': {'model': 'stvk',"
        " 'youngs_modulus': 1e7, 'poissons_ratio': 0.3, 'density': 1000, 'thickness': 1e-3}},"
        "'objects': ["
        "{'name': 'low', 'kind': 'shell', 'material': 'm', 'mesh': {'shape': 'grid', 'size':"
        " [0.4, 0.4], 'cells': [2, 2]}, 'velocity': [%g, 0, %g]},"
        "{'name': 'high', 'kind': 'shell', 'material': 'm', 'mesh': {'shape': 'grid', 'size':"
        " [0.2, 0.2], 'cells': [2, 2]}, 'transform': {'translate': [0.011, -0.013, 5e-3]},"
        " 'velocity': [%g, 0, %g]}]}",
        dt, physics_method(n / 2), rules, -v[0], -v[2], v[0], v[2]);
    double m = physics_mass(&p, "high");
    vec3 before = physics_velocity(&p, "high");
    for (int k = 0; k < 10; k++) {
      physics_step(&p);
      check_list(&p, 0);
      vec3 push = pushes_on(&p, "high").all, now = physics_velocity(&p, "high");
      assert_true(push.z >= 0);
      if (n / 2 >= PHYSICS_BARRIERS) assert_true(v3_norm(push) == 0); /* nothing was hit */
      assert_below(v3_norm(v3_madd(v3_scale(v3_sub(now, before), m), push, -dt)), 1e-6 * m);
      before = now;
    }
    physics_close(&p);
  }
}

/* ---- who touches whom ---- */

#define BEADS(name, far, x, y, z)                                                                  \
  "{'name': '" name "', 'kind': 'spheres', 'centers': [[9, 9, " far "], [" x "," y "," z "]],"     \
  "'radii': [0.3, 0.1], 'density': 500}"
#define SHEET(name, turn, x, y, z)                                                                 \
  "{'name': '" name "', 'kind': 'shell', 'material': 'm', 'mesh': {'shape': 'grid', 'size': "      \
  "[1, 1], 'cells': [1, 1]}, 'transform': {'rotate': " turn ", 'translate': [" x "," y "," z "]}}"
#define FLAT "[[0, 0, 1], 0]"
#define ASKEW "[[0, 0, 1], 45]"
/* a corner points down, 0.707 m below the centre */
#define CORNER "[[1, 1, 0], 90]"
#define PLANE "{'name': 'b', 'kind': 'plane'}"

typedef struct pairing {
  const char *objects;
  const char *element[2];
  double offset; /* of a and b, m */
} pairing;

static const pairing pairings[] = {
    {BEADS("a", "8", "0", "0", "0.1005") "," PLANE, {"sphere", "plane"}, 0.1},
    {BEADS("a", "8", "0", "0.12", "0.1605") "," BEADS("b", "9", "0", "0", "0"),
     {"sphere", "sphere"},
     0.2},
    {SHEET("b", FLAT, "0", "0", "0") "," BEADS("a", "8", "0.1", "-0.2", "0.1005"),
     {"sphere", "face"},
     0.1},
    {SHEET("a", FLAT, "0", "0", "0.0005") "," PLANE, {"vertex", "plane"}, 0},
    {SHEET("b", FLAT, "0", "0", "0") "," SHEET("a", CORNER, "0.1", "-0.2", "0.70760678"),
     {"vertex", "face"},
     0},
    {SHEET("b", FLAT, "0", "0", "0") "," SHEET("a", ASKEW, "0", "0.6", "0.0005"),
     {"edge", "edge"},
     0},
};

/* the point of a side that is nearest to the other; false: the side is a plane */
static bool nearest(const physics *p, const abut_contact_force *c, int side, vec3 *x)
{
  bool edges = strcmp(c->element[0], "edge") == 0;
  int begin = side == 0 ? 0 : edges ? 2 : 1, end = side == 1 ? 4 : edges ? 2 : 1;
  if (strcmp(c->element[side], "plane") == 0) return false;
  const double *at = abut_positions(p->scene, c->body[side]);
  *x = v3(0, 0, 0);
  for (int k = begin; k < end && c->vertex[k] >= 0; k++)
    *x = v3_madd(*x, vec(at + 3 * c->vertex[k]), (side ? -1 : 1) * c->weight[k]);
  return true;
}

static void check_places(const physics *p, const abut_contact_force *c, double offset)
{
  vec3 a, b;
  assert_true(nearest(p, c, 0, &a));
  if (!nearest(p, c, 1, &b)) b = v3(a.x, a.y, 0); /* the plane of these scenes */
  vec3 apart = v3_scale(vec(c->normal), c->gap + offset);
  assert_below(v3_norm(v3_sub(v3_sub(a, b), apart)), 1e-6);
  assert_in_range(c->index[0], 0, 5);
  assert_in_range(c->index[1], 0, 5);
  if (strcmp(c->element[0], "sphere") == 0) assert_int_equal(c->index[0], 1);
  if (strcmp(c->element[0], "vertex") == 0) assert_int_equal(c->index[0], c->vertex[0]);
}

static void elements_and_vertices_are_those_of_the_bodies(void **state)
{
  (void)state;
  int kinds = (int)(sizeof pairings / sizeof *pairings);
  for (int n = 0; n < kinds * PHYSICS_METHODS; n++) {
    const pairing *want = &pairings[n % kinds];
    physics p = physics_open(
        "{'abut': 1, 'gravity': [0, 0, 0], 'time': {'step': 1e-3, 'end': 9}, 'method': '%s',"
        "'contact': {'dhat': 1e-3}, 'materials': {'m': {'model': 'stvk', 'youngs_modulus': 1e7,"
        " 'poissons_ratio': 0.3, 'density': 1000, 'thickness': 1e-3}}, 'objects': [%s]}",
        physics_method(n / kinds), want->objects);
    const abut_contact_force *c;
    int64_t count, found = 0;
    abut_body a = abut_find_body(p.scene, "a"), b = abut_find_body(p.scene, "b");
    physics_step(&p);
    assert_ok(abut_contacts(p.scene, &c, &count));
    for (int64_t i = 0; i < count; i++) {
      if (strcmp(c[i].element[0], want->element[0]) != 0) continue;
      assert_string_equal(c[i].element[1], want->element[1]);
      assert_int_equal(c[i].body[0].index + c[i].body[1].index, a.index + b.index);
      abut_contact_force copy = c[i]; /* the list ends with the next call */
      check_places(&p, &copy, want->offset);
      assert_ok(abut_contacts(p.scene, &c, &count));
      found++;
    }
    assert_true(found > 0);
    physics_close(&p);
  }
}

/* ---- when there is a list ---- */

static void expect_none(abut_scene *s)
{
  const abut_contact_force *c = (const abut_contact_force *)(uintptr_t)1;
  int64_t n = 7;
  assert_int_equal(abut_contacts(s, &c, &n), ABUT_BAD_ARGUMENT);
  assert_true(c == NULL && n == 0);
  assert_non_null(strstr(abut_last_error(s).message, "last step"));
}

static bool stop(void *ctx)
{
  return *(bool *)ctx;
}

static void forces_are_there_after_a_step_that_was_made(void **state)
{
  (void)state;
  for (int m = 0; m < PHYSICS_METHODS; m++) {
    bool stopping = false;
    abut_settings t = abut_settings_default();
    t.method = physics_method(m);
    t.threads = 1;
    t.poll = stop;
    t.poll_ctx = &stopping;
    static const double centers[] = {0, 0, 0.1005}, radius = 0.1, point[3] = {0}, up[3] = {0, 0, 1};
    abut_scene *s;
    const abut_contact_force *c;
    int64_t n;
    assert_ok(abut_create(&t, &s));
    expect_none(s);
    assert_ok(abut_add_spheres(s, "ball", 1, centers, &radius, 1000, NULL));
    assert_ok(abut_add_plane(s, "floor", point, up, NULL));
    assert_ok(abut_step(s, 0, NULL));
    expect_none(s);
    assert_ok(abut_step(s, 20, NULL));
    assert_ok(abut_contacts(s, &c, &n));
    assert_int_equal(n, 1);
    double force = c[0].normal_force;
    assert_ok(abut_step(s, 0, NULL)); /* no step, and no other forces */
    assert_ok(abut_contacts(s, &c, &n));
    assert_true(n == 1 && c[0].normal_force == force);
    stopping = true;
    assert_int_equal(abut_step(s, 1, NULL), ABUT_CANCELLED);
    expect_none(s);
    stopping = false;
    assert_ok(abut_step(s, 1, NULL));
    assert_ok(abut_contacts(s, &c, &n));
    assert_int_equal(n, 1);
    abut_destroy(s);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_floor_carries_the_weight),
      cmocka_unit_test(a_slope_holds_by_friction),
      cmocka_unit_test(each_body_moves_by_its_forces),
      cmocka_unit_test(parting_and_sliding_plates_pull_at_nothing),
      cmocka_unit_test(elements_and_vertices_are_those_of_the_bodies),
      cmocka_unit_test(forces_are_there_after_a_step_that_was_made),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
