/* Every contact law for every kind of pair and every closest feature: derivatives, projected
   Hessians, invariance. A new law is tested the moment it is listed. */
#include "cmocka_all.h"

#include "contact_samples.h"

#include "kernel/mollifier.h"

static const abut_law_class *const laws[] = {&abut_law_ipc, &abut_law_offset, NULL};
static const double lengths[] = {1, 1e-3, 1e3};

/* one sample of a law: the functions of twelve coordinates that differences need */
typedef struct sample {
  const abut_law_class *law;
  pair_scene p;
  double stiffness;
} sample;

static abut_contact contact_at(const sample *s, const double *x, vec3 v[4])
{
  memcpy(v, x, sizeof(vec3) * 4);
  return measure_pair(&s->p, v);
}

static void energy_at(const void *arg, const double *x, double *e)
{
  const sample *s = arg;
  vec3 v[4];
  abut_contact c = contact_at(s, x, v);
  abut_law_at at = {v, s->p.s.dhat, s->stiffness};
  s->law->energy(&at, &c, 0, 1, e);
}

static void gradient_at(const void *arg, const double *x, double *g)
{
  const sample *s = arg;
  vec3 v[4];
  abut_contact c = contact_at(s, x, v);
  abut_law_at at = {v, s->p.s.dhat, s->stiffness};
  s->law->gradient(&at, &c, 0, 1, (vec3 *)g);
}

static void distance_at(const void *arg, const double *x, double *d)
{
  vec3 v[4];
  *d = contact_at(arg, x, v).d;
}

static void hessian_of(const sample *s, bool project, double h[144])
{
  abut_contact c = measure_pair(&s->p, s->p.x);
  abut_law_at at = {s->p.x, s->p.s.dhat, s->stiffness};
  mat3 block[10];
  s->law->hessian(&at, &c, 0, 1, project, block);
  sample_full(block, h);
}

/* coordinates that the gradient and the Hessian speak of: unused vertices have none */
static int size_of(const sample *s)
{
  return 3 * s->p.vertices;
}

/* a step over which the pair looks smooth: its gap and, of nearly parallel edges, their angle */
static double step_of(const sample *s, double part)
{
  double gap = part * s->p.s.dhat, turn = s->p.angle > 0 ? s->p.angle * s->p.length : gap;
  return 1e-3 * fmin(gap, turn);
}

typedef void check_fn(sample *s, double part);

/* all laws, kinds, features, gaps, scales; edge pairs also nearly parallel, within reach of the
   mollifier (its sine is 0.03) */
static void check_all(check_fn *check, unsigned seeds)
{
  static const double parts[] = {0.03, 0.3, 0.7, 0.97}, angles[] = {0, 0.003, 0.01, 0.025};
  for (const abut_law_class *const *law = laws; *law; law++)
    for (int kind = 0; kind < ABUT_PAIR_KINDS; kind++)
      for (int feature = 0; feature < pair_feature_count((abut_pair_kind)kind); feature++)
        for (unsigned k = 0; k < seeds; k++) {
          sample s = {.law = *law, .stiffness = 1e4};
          double angle = kind == ABUT_EDGE_EDGE ? angles[k % 4] : 0;
          pair_options o = {lengths[k % 3], k % 2 ? 0.1 : 0.02, parts[k / 4 % 4], k % 5 * 0.01,
                            angle};
          make_pair_scene(&s.p, (abut_pair_kind)kind, feature, k, o);
          check(&s, o.part);
        }
}

static void say(const sample *s, const char *what, double value)
{
  abut_contact c = measure_pair(&s->p, s->p.x);
  print_error("%s of %s: %g; kind %d, mask %d, gap %g dhat, length %g, angle %g\n", what,
              s->law->name, value, (int)abut_pair_kind_of(s->p.key), c.at.mask,
              (c.d - c.offset) / s->p.s.dhat, s->p.length, s->p.angle);
}

static void check_gradient(sample *s, double part)
{
  double x[12] = {0}, g[12], d[12];
  memcpy(x, s->p.x, sizeof x);
  gradient_at(s, x, g);
  test_jacobian(energy_at, s, x, size_of(s), 1, step_of(s, part), d);
  double error = test_relative(g, d, size_of(s), 1e-300);
  /* the distance of nearly parallel edges is right to 2e-14 edge lengths, which the differences
     see; compilers round it differently */
  double noise = s->p.angle > 0 ? 2e-13 * s->p.length / step_of(s, part) : 0;
  if (error > 1e-8 + noise) say(s, "gradient", error);
  assert_below(error, 1e-8 + noise);
  for (int k = size_of(s); k < 12; k++) assert_true(g[k] == 0);
}

static void every_gradient_is_the_derivative_of_its_energy(void **state)
{
  (void)state;
  check_all(check_gradient, 72);
}

/* the second derivative of the energy along n, the first primitive moving alone */
static double stiffness_along(const sample *s, double part, vec3 n)
{
  double h = 1e-3 * part * s->p.s.dhat, slope[4];
  for (int k = 0; k < 4; k++) {
    double x[12] = {0}, g[12], by = (k % 2 ? -1 : 1) * (k < 2 ? h : 2 * h);
    vec3 moved[4];
    for (int i = 0; i < 4; i++) moved[i] = i < s->p.sides ? v3_madd(s->p.x[i], n, by) : s->p.x[i];
    memcpy(x, moved, sizeof x);
    gradient_at(s, x, g);
    slope[k] = 0;
    for (int i = 0; i < s->p.sides; i++)
      slope[k] += v3_dot(n, v3(g[3 * i], g[3 * i + 1], g[3 * i + 2]));
  }
  return (8 * (slope[0] - slope[1]) - (slope[2] - slope[3])) / (12 * h);
}

static void check_hessian(sample *s, double part)
{
  double x[12] = {0}, h[144], d[144], flat[144], small[12];
  int n = size_of(s);
  memcpy(x, s->p.x, sizeof x);
  hessian_of(s, false, h);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) flat[n * i + j] = h[12 * i + j];
  if (s->law->gauss_newton) {
    /* the curvature of the distance is left out: what stays is E'' grad d grad d^T */
    double along = stiffness_along(s, part, measure_pair(&s->p, s->p.x).n);
    test_jacobian(distance_at, s, x, n, 1, step_of(s, part), small);
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) d[n * i + j] = along * small[i] * small[j];
  } else {
    test_jacobian(gradient_at, s, x, n, n, step_of(s, part), d);
  }
  double error = test_relative(flat, d, n * n, 1e-300);
  if (error > 2e-7) say(s, "hessian", error);
  assert_below(error, 2e-7);
  for (int i = 0; i < 144; i++)
    if (i / 12 >= n || i % 12 >= n) assert_true(h[i] == 0);
}

static void every_hessian_is_the_derivative_of_its_gradient(void **state)
{
  (void)state;
  check_all(check_hessian, 72);
}

/* the projection is the nearest positive semidefinite matrix, as eigenvalue clamping of the full
   12x12 gives it, although the law never looks at a 12x12 */
static void check_projection(sample *s, double part)
{
  (void)part;
  double exact[144], clamped[144], projected[144];
  hessian_of(s, false, exact);
  hessian_of(s, true, projected);
  sample_clamp(exact, clamped);
  double error = test_relative(projected, clamped, 144, 1e-300);
  if (error > 1e-12) say(s, "projected hessian", error);
  assert_below(error, 1e-12);

  long double value[12], vector[144], low = 0, high = 0;
  sample_eigen(projected, 12, value, vector);
  for (int k = 0; k < 12; k++) {
    low = fminl(low, value[k]);
    high = fmaxl(high, value[k]);
  }
  assert_true(low >= -1e-14L * high);
}

static void every_projected_hessian_is_the_clamped_exact_one(void **state)
{
  (void)state;
  check_all(check_projection, 48);
}

static void check_resultant(sample *s, double part)
{
  (void)part;
  if (s->p.vertices == 1) return; /* a plane takes the other half */
  double x[12] = {0};
  vec3 g[4], sum = v3(0, 0, 0), torque = sum;
  memcpy(x, s->p.x, sizeof x);
  gradient_at(s, x, (double *)g);
  double size = 0, arm = 0;
  for (int k = 0; k < s->p.vertices; k++) {
    vec3 from = v3_sub(s->p.x[k], s->p.x[0]);
    sum = v3_add(sum, g[k]);
    torque = v3_add(torque, v3_cross(from, g[k]));
    size += v3_norm(g[k]);
    arm = fmax(arm, v3_norm(from));
  }
  assert_below(v3_norm(sum), 1e-15 * size);
  /* coordinates are a few lengths from the origin: their rounding turns n by that over the gap */
  abut_contact c = measure_pair(&s->p, s->p.x);
  double turn = 1e-14 * s->p.length / c.d;
  if (v3_norm(torque) > (1e-14 + turn) * size * arm) say(s, "torque", v3_norm(torque) / size / arm);
  assert_below(v3_norm(torque), (1e-14 + turn) * size * arm);
}

static void forces_have_no_resultant_and_no_moment(void **state)
{
  (void)state;
  check_all(check_resultant, 48);
}

static void check_turned(sample *s, double part)
{
  mat3 turn = m3_rotation(v3_unit(v3(1, 2, 3)), 0.7);
  vec3 move = v3_scale(v3(1, 2, 3), s->p.length);
  double x[12] = {0}, e, f;
  vec3 g[4], h[4];
  memcpy(x, s->p.x, sizeof x);
  energy_at(s, x, &e);
  gradient_at(s, x, (double *)g);
  for (int k = 0; k < 4; k++) {
    s->p.x[k] = v3_add(m3_apply(turn, s->p.x[k]), move);
    if (k < s->p.vertices) memcpy(x + 3 * k, &s->p.x[k], sizeof(vec3));
  }
  s->p.plane_normal[0] = m3_apply(turn, s->p.plane_normal[0]);
  s->p.plane_point[0] = v3_add(m3_apply(turn, s->p.plane_point[0]), move);
  energy_at(s, x, &f);
  gradient_at(s, x, (double *)h);
  /* rounding moves the gap by some 1e-15 lengths */
  double thin = s->p.angle > 0 ? 1e-14 / s->p.angle : 0;
  double relative = thin + 2e-14 / (part * s->p.s.dhat / s->p.length) / (1.03 - part);
  if (fabs(f - e) > relative * e) say(s, "turned energy", fabs(f - e) / e);
  assert_close(f, e, relative);
  double size = 0, error = 0;
  for (int k = 0; k < s->p.vertices; k++) {
    size += v3_norm(h[k]);
    error += v3_norm(v3_sub(h[k], m3_apply(turn, g[k])));
  }
  assert_below(error, 10 * relative * size);
}

static void turning_everything_turns_the_forces(void **state)
{
  (void)state;
  check_all(check_turned, 48);
}

/* moving everything by an amount that rounds nothing changes not one bit; so 10^4 lengths away the
   only loss is that of the coordinates themselves: gaps keep 10^4 units in the last place of a
   length */
static void check_far_away(sample *s, double part)
{
  double x[12] = {0}, far[12] = {0}, e[3], d[3];
  double unit = exp2(floor(log2(s->p.length))), grain = unit * 0x1p-36;
  vec3 v[4], plane = s->p.plane_point[0];
  abut_contact near = measure_pair(&s->p, s->p.x);
  d[0] = near.d;
  for (int k = 0; k < size_of(s); k++) {
    const vec3 *p = &s->p.x[k / 3];
    double c = k % 3 == 0 ? p->x : k % 3 == 1 ? p->y : p->z;
    x[k] = round(c / grain) * grain;
    far[k] = x[k] + 0x1p13 * unit;
  }
  s->p.plane_point[0] = v3(round(plane.x / grain) * grain, round(plane.y / grain) * grain,
                           round(plane.z / grain) * grain);
  energy_at(s, x, &e[1]);
  d[1] = contact_at(s, x, v).d;
  vec3 away = v3_scale(v3(1, 1, 1), 0x1p13 * unit);
  s->p.plane_point[0] = v3_add(s->p.plane_point[0], away);
  energy_at(s, far, &e[2]);
  d[2] = contact_at(s, far, v).d;
  assert_true(e[1] == e[2] && d[1] == d[2]);
  assert_near(d[1], d[0], 4 * grain);
  (void)part;
}

static void far_from_the_origin_only_the_coordinates_round(void **state)
{
  (void)state;
  check_all(check_far_away, 24);
}

static void check_force(sample *s, double part)
{
  abut_contact c = measure_pair(&s->p, s->p.x);
  abut_law_at at = {s->p.x, s->p.s.dhat, s->stiffness};
  double force = s->law->force(&at, &c), push = 0, x[12] = {0};
  vec3 g[4];
  memcpy(x, s->p.x, sizeof x);
  gradient_at(s, x, (double *)g);
  for (int k = 0; k < s->p.sides; k++) push -= v3_dot(c.n, g[k]);
  (void)part;
  assert_true(force > 0);
  assert_close(push, force, 1e-11);
}

static void the_normal_force_is_what_the_gradient_pushes_with(void **state)
{
  (void)state;
  check_all(check_force, 24);
}

static void a_closed_gap_costs_infinite_energy(void **state)
{
  (void)state;
  for (const abut_law_class *const *law = laws; *law; law++)
    for (int kind = 0; kind < ABUT_PAIR_KINDS; kind++) {
      sample s = {.law = *law, .stiffness = 1};
      double x[12] = {0}, e;
      pair_options o = {1, 0.02, 0, 0.01, 0}; /* at the offset itself */
      make_pair_scene(&s.p, (abut_pair_kind)kind, 0, 3, o);
      vec3 n = measure_pair(&s.p, s.p.x).n;
      for (int k = 0; k < s.p.sides; k++) s.p.x[k] = v3_madd(s.p.x[k], n, -1e-9);
      memcpy(x, s.p.x, sizeof x);
      energy_at(&s, x, &e);
      assert_true(e == (double)INFINITY);
      /* far behind a plane the square of the distance is large again */
      if (s.p.vertices > 1) continue;
      vec3 back = v3_madd(s.p.x[0], n, -5);
      memcpy(x, &back, sizeof back);
      energy_at(&s, x, &e);
      assert_true(e == (double)INFINITY);
    }
}

/* case C33: the force comes on smoothly at the activation distance */
static void contact_switches_on_smoothly(void **state)
{
  (void)state;
  static const double e[] = {-1e-3, -1e-6, 0, 1e-6, 1e-3};
  for (const abut_law_class *const *law = laws; *law; law++) {
    pair_scene p;
    double dhat = 1e-3;
    pair_scene_surface(&p, ABUT_VERTEX_FACE, 0, 0, dhat);
    p.x[1] = v3(0, 0, 0), p.x[2] = v3(1, 0, 0), p.x[3] = v3(0.5, sqrt(0.75), 0);
    vec3 center = v3(0.5, sqrt(0.75) / 3, 0);
    abut_law_at at = {p.x, dhat, 1e6};
    p.x[0] = v3_add(center, v3(0, 0, dhat / 2));
    abut_contact half = measure_pair(&p, p.x);
    double middle = (*law)->force(&at, &half), stiff[5], middle_stiff;
    mat3 h[10];
    (*law)->hessian(&at, &half, 0, 1, false, h);
    middle_stiff = h[0].m[8];
    for (int k = 0; k < 5; k++) {
      p.x[0] = v3_add(center, v3(0, 0, dhat * (1 + e[k])));
      abut_contact c = measure_pair(&p, p.x);
      double force = (*law)->force(&at, &c), energy;
      (*law)->energy(&at, &c, 0, 1, &energy);
      (*law)->hessian(&at, &c, 0, 1, false, h);
      stiff[k] = h[0].m[8];
      /* the point right at dhat is there to rounding */
      if (e[k] >= 0) assert_true(fabs(force) <= 1e-12 * middle && fabs(energy) <= 1e-20);
      if (e[k] > 0) assert_true(force == 0 && energy == 0 && stiff[k] == 0);
      if (e[k] < 0) assert_true(force > 0 && energy > 0 && stiff[k] > 0);
      if (k == 1) assert_below(force, 1e-4 * middle);
    }
    /* twice differentiable: the stiffness goes to zero with the gap */
    assert_below(stiff[1], 1e-4 * middle_stiff);
    assert_close(stiff[1] / stiff[0], 1e-3, 1e-2);
  }
}

/* all vertex-face and edge-edge pairs of two squares of two triangles each */
static double squares_energy(const abut_law_class *law, double gap, double yaw, double *push)
{
  static const int32_t face[12] = {0, 1, 2, 0, 2, 3, 4, 5, 6, 4, 6, 7};
  static const int32_t edge[20] = {0, 1, 1, 2, 2, 3, 3, 0, 0, 2, 4, 5, 5, 6, 6, 7, 7, 4, 4, 6};
  static const double corner[4][2] = {{-.5, -.5}, {.5, -.5}, {.5, .5}, {-.5, .5}};
  pair_scene p;
  pair_scene_surface(&p, ABUT_EDGE_EDGE, 0, 0, 1e-2);
  vec3 x[8];
  for (int k = 0; k < 4; k++) {
    x[k] = v3(corner[k][0], corner[k][1], 0);
    x[k + 4] = v3_add(m3_apply(m3_rotation(v3(0, 0, 1), yaw), x[k]), v3(0, 0, gap));
  }
  double total = 0;
  *push = 0;
  for (int pair = 0; pair < 16 + 25; pair++) {
    bool edges = pair >= 16;
    int32_t v[4];
    if (edges) {
      memcpy(v, edge + 2 * ((pair - 16) / 5), 2 * sizeof *v);
      memcpy(v + 2, edge + 10 + 2 * ((pair - 16) % 5), 2 * sizeof *v);
    } else {
      bool up = pair < 8; /* the vertex is of the upper square */
      v[0] = pair % 4 + (up ? 4 : 0);
      memcpy(v + 1, face + 3 * (pair / 4 % 2) + (up ? 0 : 6), 3 * sizeof *v);
    }
    pair_scene q;
    pair_scene_surface(&q, edges ? ABUT_EDGE_EDGE : ABUT_VERTEX_FACE, 0, 0, 1e-2);
    for (int k = 0; k < 4; k++) q.x[k] = x[v[k]];
    for (int k = 0; k < 2; k++) q.edge_rest2[k] = v3_norm2(v3_sub(q.x[2 * k + 1], q.x[2 * k]));
    abut_contact c = measure_pair(&q, q.x);
    abut_law_at at = {q.x, 1e-2, 1e4};
    double e;
    vec3 g[4];
    law->energy(&at, &c, 0, 1, &e);
    law->gradient(&at, &c, 0, 1, g);
    assert_true(e >= 0);
    total += e;
    for (int k = 0; k < 4; k++)
      if (v[k] >= 4) *push -= g[k].z;
  }
  return total;
}

/* case C25: whatever the yaw, squares never attract each other */
static void contact_energy_never_attracts(void **state)
{
  (void)state;
  static const double yaws[] = {0, 0.1, 45};
  for (const abut_law_class *const *law = laws; *law; law++)
    for (int k = 0; k < 3; k++) {
      double before = 0, most = 0;
      for (int step = 0; step <= 50; step++) {
        double gap = (1.2 - 1.15 * step / 50) * 1e-2, push;
        double e = squares_energy(*law, gap, yaws[k] * K_PI / 180, &push);
        if (gap > 1.000001e-2) assert_true(e == 0 && push == 0);
        if (gap < 0.99e-2) assert_true(e > before);
        most = fmax(most, push);
        assert_true(push >= -1e-12 * most);
        before = e;
      }
      assert_true(most > 0);
    }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_gradient_is_the_derivative_of_its_energy),
      cmocka_unit_test(every_hessian_is_the_derivative_of_its_gradient),
      cmocka_unit_test(every_projected_hessian_is_the_clamped_exact_one),
      cmocka_unit_test(forces_have_no_resultant_and_no_moment),
      cmocka_unit_test(turning_everything_turns_the_forces),
      cmocka_unit_test(far_from_the_origin_only_the_coordinates_round),
      cmocka_unit_test(the_normal_force_is_what_the_gradient_pushes_with),
      cmocka_unit_test(a_closed_gap_costs_infinite_energy),
      cmocka_unit_test(contact_switches_on_smoothly),
      cmocka_unit_test(contact_energy_never_attracts),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
