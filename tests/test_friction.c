/* Lagged friction, both laws: derivatives, the regular point at zero slip, and the shape of the
   force. */
#include "cmocka_all.h"

#include "contact_samples.h"

#include "kernel/eig.h"
#include "kernel/friction.h"

typedef struct sample {
  int root; /* the law */
  friction_element e;
  quad x0;
} sample;

/* a contact of mixed weights with normal n; eps as in the spec's oracle, 1e-3 m/s over 1/240 s */
static sample make_sample(int root, unsigned number)
{
  unsigned long long seed = 0x9e3779b97f4a7c15ULL * (number + 1);
  for (int k = 0; k < 8; k++) test_random(&seed);
  sample s = {.root = root,
              .e = {{1, -0.3, -0.5, -0.2}, sample_unit(&seed), 0.35 * 4.2, 1e-3 / 240}};
  for (int k = 0; k < 4; k++) s.x0.p[k] = sample_vec(&seed, 1e-2);
  return s;
}

/* the first vertex moved by slip, everything by the same far way */
static quad slipped(const sample *s, vec3 slip)
{
  quad x = s->x0;
  x.p[0] = v3_add(x.p[0], slip);
  return x;
}

static quad quad_of(const double x[12])
{
  quad q;
  memcpy(&q, x, sizeof q);
  return q;
}

static void energy_at(const void *arg, const double *x, double *e)
{
  const sample *s = arg;
  *e = friction_energy(s->root, quad_of(x), s->x0, s->e);
}

static void gradient_at(const void *arg, const double *x, double *g)
{
  const sample *s = arg;
  grad4 f = friction_gradient(s->root, quad_of(x), s->x0, s->e);
  memcpy(g, &f, sizeof f);
}

static void forces_and_stiffness_are_derivatives(void **state)
{
  (void)state;
  static const double parts[] = {0.05, 0.2, 0.7, 0.95, 1.05, 3, 40};
  for (int root = 0; root < 2; root++)
    for (unsigned k = 0; k < 70; k++) {
      sample s = make_sample(root, k);
      double y = parts[k % 7] * s.e.eps, x[12], g[12], d[12], h[144], dh[144];
      vec3 along = v3_perpendicular(s.e.n);
      quad q = slipped(&s, v3_madd(v3_scale(along, y), s.e.n, 0.3 * y));
      memcpy(x, &q, sizeof q);
      gradient_at(&s, x, g);
      double step = 2e-3 * fmin(y, s.e.eps);
      test_jacobian(energy_at, &s, x, 12, 1, step, d);
      test_jacobian(gradient_at, &s, x, 12, 12, step, dh);
      mat3 m = friction_stiffness(root, q, s.x0, friction_share(root, q, s.x0, s.e), s.e);
      for (int i = 0; i < 12; i++)
        for (int j = 0; j < 12; j++)
          h[12 * i + j] = s.e.w[i / 3] * s.e.w[j / 3] * m.m[3 * (i % 3) + j % 3];
      assert_below(test_relative(g, d, 12, 1e-300), 1e-7);
      assert_below(test_relative(h, dh, 144, 1e-300), 1e-7);
    }
}

/* both laws in closed form */
static void forces_have_the_numbers_of_their_papers(void **state)
{
  (void)state;
  double eps = 2;
  friction_law f = friction_smooth(0.4, eps);
  assert_close(f.h, -0.064 / 12 + 0.08, 1e-14); /* f0(y) - f0(0) */
  assert_close(f.over * 0.4, -0.04 + 0.4, 1e-14);
  assert_close(f.along, -0.2 + 1, 1e-14);
  f = friction_smooth(6, eps);
  assert_close(f.h, 6 - 2.0 / 3, 1e-14);
  assert_close(f.over * 6, 1.0, 1e-14);
  assert_true(f.along == 0);
  f = friction_root(1.5, eps);
  assert_close(f.h, 0.5, 1e-14);
  assert_close(f.over * 1.5, 0.6, 1e-14);
  assert_close(f.along, 4 / 15.625, 1e-14); /* eps^2 / s^3 */
}

/* case C70: zero slip and slips too small to square are regular points of both laws */
static void zero_slip_is_a_regular_point(void **state)
{
  (void)state;
  static const double slips[] = {0, 1e-300, 1e-170, 1e-16, 1e-9};
  for (int root = 0; root < 2; root++)
    for (unsigned k = 0; k < 20; k++) {
      sample s = make_sample(root, k);
      s.x0 = (quad){{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}}};
      vec3 u = v3_perpendicular(s.e.n);
      mat3 at_rest = friction_stiffness(root, s.x0, s.x0, v3(0, 0, 0), s.e);
      double slope = s.e.load * (root ? 1 : 2) / s.e.eps;
      for (int i = 0; i < 5; i++) {
        quad x = slipped(&s, v3_scale(u, slips[i]));
        double e = friction_energy(root, x, s.x0, s.e);
        grad4 g = friction_gradient(root, x, s.x0, s.e);
        mat3 m = friction_stiffness(root, x, s.x0, friction_share(root, x, s.x0, s.e), s.e);
        double force = v3_dot(g.g[0], u), near = 3 * slips[i] / s.e.eps;
        assert_true(isfinite(e) && e >= 0 && e <= slope * slips[i] * slips[i]);
        assert_near(force, slope * slips[i], (near + 1e-12) * slope * slips[i]);
        for (int j = 0; j < 9; j++) {
          assert_true(isfinite(m.m[j]));
          assert_near(m.m[j], at_rest.m[j], (near + 1e-12) * slope);
        }
      }
      /* isotropic in the plane of contact, nothing along n */
      assert_close(v3_dot(u, m3_apply(at_rest, u)), slope, 1e-12);
      vec3 w = v3_cross(s.e.n, u);
      assert_close(v3_dot(w, m3_apply(at_rest, w)), slope, 1e-12);
      assert_below(v3_norm(m3_apply(at_rest, s.e.n)), 1e-12 * slope);
    }
}

static void stiffness_is_never_negative(void **state)
{
  (void)state;
  for (int root = 0; root < 2; root++)
    for (unsigned k = 0; k < 2000; k++) {
      sample s = make_sample(root, k);
      unsigned long long seed = k * 77ULL + 3;
      for (int i = 0; i < 5; i++) test_random(&seed);
      double y = sample_size(&seed, 1e-4, 1e6) * s.e.eps;
      vec3 u = v3_perpendicular(s.e.n), w = v3_cross(s.e.n, u);
      vec3 slip = v3_add(v3_scale(u, y * test_random(&seed)), v3_scale(w, y * test_random(&seed)));
      friction_law f = friction_at(root, v3_norm(slip), s.e.eps);
      assert_true(f.over > 0 && f.along >= 0 && f.h >= 0);
      quad x = slipped(&s, slip);
      mat3 m = friction_stiffness(root, x, s.x0, friction_share(root, x, s.x0, s.e), s.e);
      double a = v3_dot(u, m3_apply(m, u)), c = v3_dot(w, m3_apply(m, w));
      eig2 q = eig_sym2(a, v3_dot(u, m3_apply(m, w)), c);
      /* the smaller one, load h'', may drop below the last places of the larger */
      assert_true(q.second >= -2e-15 * q.first);
      assert_close(q.first, s.e.load * f.over, 1e-9);
    }
}

/* whatever share the contact has been given on the way; none makes an upper bound of the energy */
static void stiffness_holds_for_any_share(void **state)
{
  (void)state;
  for (int root = 0; root < 2; root++)
    for (unsigned k = 0; k < 2000; k++) {
      sample s = make_sample(root, k);
      unsigned long long seed = k * 31ULL + 5;
      for (int i = 0; i < 5; i++) test_random(&seed);
      double y = sample_size(&seed, 1e-3, 1e3) * s.e.eps;
      vec3 u = v3_perpendicular(s.e.n), w = v3_cross(s.e.n, u);
      double turn = 6.3 * test_random(&seed), size = fmin(1, 1.2 * fabs(test_random(&seed)));
      vec3 share = v3_madd(v3_scale(u, size * cos(turn)), w, size * sin(turn));
      quad x = slipped(&s, v3_scale(u, y));
      mat3 m = friction_stiffness(root, x, s.x0, share, s.e);
      double a = v3_dot(u, m3_apply(m, u)), b = v3_dot(u, m3_apply(m, w));
      eig2 q = eig_sym2(a, b, v3_dot(w, m3_apply(m, w)));
      assert_true(q.second >= -4e-15 * q.first);
      assert_below(v3_norm(m3_apply(m, s.e.n)), 1e-12 * q.first);
      /* E(t + d) <= E(t) + g d + d K d/2 with K of no share */
      vec3 d = v3_scale(v3_madd(v3_scale(u, test_random(&seed) - 0.7), w, test_random(&seed) - 0.5),
                        4 * y);
      mat3 bound = friction_stiffness(root, x, s.x0, v3(0, 0, 0), s.e);
      quad next = x;
      next.p[0] = v3_add(next.p[0], d);
      double grown = friction_energy(root, next, s.x0, s.e) - friction_energy(root, x, s.x0, s.e);
      double above = v3_dot(friction_gradient(root, x, s.x0, s.e).g[0], d) +
                     0.5 * v3_dot(d, m3_apply(bound, d));
      assert_true(grown <= above + 1e-12 * s.e.load * y);
    }
}

/* continuous through the end of sticking, never above the load, dissipating along the slip */
static void force_grows_to_the_load_and_stays(void **state)
{
  (void)state;
  for (int root = 0; root < 2; root++) {
    double eps = 4e-6, before = 0, below, above;
    for (int k = 1; k < 4000; k++) {
      double y = k * 1e-3 * eps;
      friction_law f = friction_at(root, y, eps);
      double force = f.over * y;
      assert_true(force >= before - 1e-15 && force <= 1 + 1e-15);
      before = force;
    }
    friction_law a = friction_at(root, eps * (1 - 1e-9), eps);
    friction_law b = friction_at(root, eps * (1 + 1e-9), eps);
    below = a.over * eps, above = b.over * eps;
    assert_near(below, above, 1e-8);
    assert_near(a.h / eps, b.h / eps, 1e-8);
    assert_near(a.along * eps, b.along * eps, 1e-8);
  }
}

static void friction_makes_no_net_force_and_ignores_the_normal(void **state)
{
  (void)state;
  for (unsigned k = 0; k < 40; k++) {
    sample s = make_sample(k % 2, k);
    unsigned long long seed = k + 99;
    for (int i = 0; i < 5; i++) test_random(&seed);
    vec3 slip = sample_vec(&seed, 1e-5), far = v3(100, -200, 300);
    quad x = slipped(&s, slip), lifted = slipped(&s, v3_madd(slip, s.e.n, 1e-3)), moved;
    for (int i = 0; i < 4; i++) moved.p[i] = v3_add(x.p[i], far);
    grad4 g = friction_gradient(s.root, x, s.x0, s.e), h;
    vec3 sum = v3(0, 0, 0);
    for (int i = 0; i < 4; i++) sum = v3_add(sum, g.g[i]);
    assert_below(v3_norm(sum), 1e-15 * s.e.load);
    assert_below(fabs(v3_dot(g.g[0], s.e.n)), 1e-12 * s.e.load);
    h = friction_gradient(s.root, lifted, s.x0, s.e);
    assert_below(v3_norm(v3_sub(h.g[0], g.g[0])), 1e-10 * s.e.load);
    /* everything moved alike is no slip: the weights sum to zero */
    double e = friction_energy(s.root, x, s.x0, s.e);
    assert_close(friction_energy(s.root, moved, s.x0, s.e), e, 1e-7);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(forces_and_stiffness_are_derivatives),
      cmocka_unit_test(forces_have_the_numbers_of_their_papers),
      cmocka_unit_test(zero_slip_is_a_regular_point),
      cmocka_unit_test(stiffness_is_never_negative),
      cmocka_unit_test(stiffness_holds_for_any_share),
      cmocka_unit_test(force_grows_to_the_load_and_stays),
      cmocka_unit_test(friction_makes_no_net_force_and_ignores_the_normal),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
