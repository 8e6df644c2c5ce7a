/* Every energy of the registry: derivatives, invariance, positive semidefinite Hessians, at three
   scales. A new energy is tested the moment it is listed. */
#include "cmocka_all.h"
#include "differences.h"

#include "kernel/eig.h"
#include "registry.h"

typedef struct sample {
  const abut_term_class *class;
  double element[32], memory[4];
  int32_t vertex[4];
  vec3 rest[4], x[4], x0[4], y[4];
  double length, energy; /* scales of the case: m, J */
  abut_batch batch;
  abut_at at;
} sample;

static vec3 random_vec(unsigned long long *seed, double size)
{
  double a = test_random(seed), b = test_random(seed), c = test_random(seed);
  return v3(a * size, b * size, c * size);
}

/* the unit stencil: two triangles of a hinge, or a tetrahedron */
static void rest_shape(sample *s, unsigned long long *seed)
{
  static const double hinge[4][3] = {{.2, .9, .15}, {.35, -.8, .3}, {0, 0, 0}, {1, .1, -.05}};
  static const double tet[4][3] = {{0, 0, 0}, {1, .1, 0}, {.2, .9, .1}, {.1, .3, .8}};
  bool bends = strcmp(s->class->name, "hinge") == 0;
  for (int k = 0; k < 4; k++) {
    const double *p = bends ? hinge[k] : tet[k];
    vec3 r = v3_add(v3(p[0], p[1], p[2]), random_vec(seed, 0.1));
    s->rest[k] = v3_scale(r, s->length);
  }
}

static void make_sample(sample *s, const abut_term_class *class, unsigned long long seed,
                        double length, double strain)
{
  abut_context ctx;
  abut_context_init(&ctx, NULL, 1);
  memset(s, 0, sizeof *s);
  s->class = class;
  s->length = length;
  double poisson = seed % 5 == 3 ? -0.5 : 0.35;
  for (int k = 0; k < 20; k++) test_random(&seed);
  rest_shape(s, &seed);
  abut_term_input in = {.young = 5e4,
                        .poisson = poisson,
                        .thickness = 0.01 * length,
                        .bending_scale = 1,
                        .mass = 0.3,
                        .stiffness = 40,
                        .rate = 3,
                        .force = v3(1, -2, 0.5)};
  memcpy(in.rest, s->rest, sizeof in.rest);
  assert_true(class->element_size <= sizeof s->element);
  assert_true(class->memory <= 4);
  assert_ok(class->build(&ctx, &in, s->element));

  vec3 axis = v3_unit(random_vec(&seed, 1));
  mat3 turn = m3_rotation(axis, 2 * test_random(&seed));
  vec3 move = random_vec(&seed, 3 * length);
  for (int k = 0; k < 4; k++) {
    vec3 x = v3_add(s->rest[k], random_vec(&seed, strain * length));
    if (class->rigid_invariant) x = v3_add(m3_apply(turn, x), move);
    s->x[k] = x;
    s->x0[k] = v3_add(x, random_vec(&seed, 0.1 * length));
    s->y[k] = v3_add(x, random_vec(&seed, 0.1 * length));
    s->vertex[k] = k;
  }
  s->batch = (abut_batch){class, 1, s->vertex, s->element, s->memory};
  s->at = (abut_at){s->x, s->x0, s->y, 0.01};
  if (class->start) class->start(&s->batch, &s->at, 0, 1);
  abut_context_free(&ctx);
}

static void energy_at(const void *arg, const double *x, double *e)
{
  const sample *s = arg;
  abut_at at = s->at;
  vec3 v[4];
  for (int k = 0; k < s->class->stencil; k++) v[k] = v3(x[3 * k], x[3 * k + 1], x[3 * k + 2]);
  at.x = v;
  s->class->energy(&s->batch, &at, 0, 1, e);
}

static void gradient_at(const void *arg, const double *x, double *g)
{
  const sample *s = arg;
  abut_at at = s->at;
  vec3 v[4];
  for (int k = 0; k < s->class->stencil; k++) v[k] = v3(x[3 * k], x[3 * k + 1], x[3 * k + 2]);
  at.x = v;
  s->class->gradient(&s->batch, &at, 0, 1, (vec3 *)g);
}

static void flat(const sample *s, double *x)
{
  memcpy(x, s->x, sizeof s->x);
}

/* the full Hessian from its upper blocks */
static void hessian_of(const sample *s, bool project, double *h)
{
  int n = s->class->stencil;
  mat3 block[10];
  s->class->hessian(&s->batch, &s->at, 0, 1, project, block);
  for (int p = 0; p < n; p++)
    for (int q = p; q < n; q++)
      for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
          double value = block[abut_block_at(n, p, q)].m[3 * i + j];
          h[(3 * p + i) * 3 * n + 3 * q + j] = h[(3 * q + j) * 3 * n + 3 * p + i] = value;
        }
}

static const double lengths[] = {1, 1e-3, 1e3};

static void every_gradient_is_the_derivative_of_its_energy(void **state)
{
  (void)state;
  for (const abut_term_class *const *c = abut_registry.terms; *c; c++)
    for (int seed = 1; seed <= 60; seed++) {
      sample s;
      make_sample(&s, *c, (unsigned)seed, lengths[seed % 3], seed % 2 ? 0.05 : 0.2);
      int n = 3 * s.class->stencil;
      double x[12], g[12], d[12];
      flat(&s, x);
      gradient_at(&s, x, g);
      test_jacobian(energy_at, &s, x, n, 1, 3e-4 * s.length, d);
      double e, scale;
      energy_at(&s, x, &e);
      scale = 1e-3 * fabs(e) / s.length; /* differences lose the digits of a large energy */
      if (test_relative(g, d, n, scale) > 1e-7) print_error("%s seed %d\n", (*c)->name, seed);
      assert_below(test_relative(g, d, n, scale), 1e-7);
    }
}

static void every_hessian_is_the_derivative_of_its_gradient(void **state)
{
  (void)state;
  for (const abut_term_class *const *c = abut_registry.terms; *c; c++)
    for (int seed = 1; seed <= 60; seed++) {
      sample s;
      double strain = (*c)->gauss_newton ? 0 : seed % 2 ? 0.05 : 0.2;
      make_sample(&s, *c, (unsigned)seed, lengths[seed % 3], strain);
      int n = 3 * s.class->stencil;
      double x[12], h[144], d[144];
      flat(&s, x);
      hessian_of(&s, false, h);
      test_jacobian(gradient_at, &s, x, n, n, 3e-4 * s.length, d);
      if (test_relative(h, d, n * n, 1e-12) > 1e-7) print_error("%s seed %d\n", (*c)->name, seed);
      assert_below(test_relative(h, d, n * n, 1e-12), 1e-7);
    }
}

static void every_projected_hessian_is_positive_semidefinite(void **state)
{
  (void)state;
  for (const abut_term_class *const *c = abut_registry.terms; *c; c++)
    for (int seed = 1; seed <= 100; seed++) {
      sample s;
      make_sample(&s, *c, (unsigned)seed, lengths[seed % 3], 0.1 * (1 + seed % 4));
      double x[12], e;
      flat(&s, x);
      energy_at(&s, x, &e);
      if (!isfinite(e)) continue; /* an inverted Neo-Hookean sample */
      int n = 3 * s.class->stencil;
      double h[144];
      hessian_of(&s, true, h);
      sym12 a = {0};
      for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) a.a[i][j] = h[i * n + j];
      eig12 q = eig_sym12(a);
      double low = 0, high = 0;
      for (int k = 0; k < 12; k++) {
        low = fmin(low, q.value[k]);
        high = fmax(high, q.value[k]);
      }
      assert_true(low >= -1e-12 * high);
    }
}

static void forces_of_invariant_energies_have_no_resultant(void **state)
{
  (void)state;
  for (const abut_term_class *const *c = abut_registry.terms; *c; c++)
    for (int seed = 1; seed <= 30 && (*c)->rigid_invariant; seed++) {
      sample s;
      make_sample(&s, *c, (unsigned)seed, lengths[seed % 3], 0.2);
      vec3 g[4], sum = v3(0, 0, 0), torque = sum;
      s.class->gradient(&s.batch, &s.at, 0, 1, g);
      double size = 0;
      for (int k = 0; k < s.class->stencil; k++) {
        sum = v3_add(sum, g[k]);
        torque = v3_add(torque, v3_cross(v3_sub(s.x[k], s.x[0]), g[k]));
        size += v3_norm(g[k]);
      }
      assert_below(v3_norm(sum), 1e-14 * size);
      assert_below(v3_norm(torque), 1e-13 * size * s.length);
    }
}

static void energy_of_invariant_terms_survives_turning(void **state)
{
  (void)state;
  for (const abut_term_class *const *c = abut_registry.terms; *c; c++)
    for (int seed = 1; seed <= 30 && (*c)->rigid_invariant; seed++) {
      sample s;
      make_sample(&s, *c, (unsigned)seed, lengths[seed % 3], 0.1);
      double x[12], e, f;
      flat(&s, x);
      energy_at(&s, x, &e);
      mat3 turn = m3_rotation(v3_unit(v3(1, 2, 3)), 0.7);
      for (int k = 0; k < 4; k++) {
        vec3 p = v3_add(m3_apply(turn, s.x[k]), v3(s.length, 2 * s.length, 3 * s.length));
        memcpy(x + 3 * k, &p, sizeof p);
      }
      energy_at(&s, x, &f);
      assert_close(f, e, 1e-10);
    }
}

static void every_class_says_what_it_is(void **state)
{
  (void)state;
  for (const abut_term_class *const *c = abut_registry.terms; *c; c++) {
    assert_true((*c)->name && (*c)->name[0] && (*c)->text && (*c)->text[0]);
    assert_true((*c)->build && (*c)->energy && (*c)->gradient && (*c)->hessian);
    assert_in_range((*c)->stencil, 1, 4);
  }
}

/* case C58: projected element matrices of strongly compressed and sheared tetrahedra */
static void compressed_tetrahedra_give_semidefinite_matrices(void **state)
{
  (void)state;
  for (const abut_term_class *const *c = abut_registry.terms; *c; c++) {
    if ((*c)->carrier != ABUT_ON_SOLID) continue;
    for (int seed = 1; seed <= 100; seed++) {
      sample s;
      make_sample(&s, *c, 1, 1, 0);
      static const double corner[4][3] = {{0, 0, 0}, {.2, 0, 0}, {0, .3, 0}, {0, 0, .5}};
      abut_context ctx;
      abut_context_init(&ctx, NULL, 1);
      abut_term_input in = {.young = 1e5, .poisson = 0.3};
      unsigned long long r = (unsigned)seed;
      for (int k = 0; k < 8; k++) test_random(&r);
      double a = test_random(&r), b = test_random(&r), d = test_random(&r);
      for (int k = 0; k < 4; k++) {
        const double *p = corner[k];
        in.rest[k] = v3(p[0], p[1], p[2]);
        s.x[k] = v3(p[0] + a * p[1] + b * p[2], p[1] + d * p[2], 0.1 * p[2]);
      }
      assert_ok((*c)->build(&ctx, &in, s.element));
      double h[144], gx[12], x[12];
      hessian_of(&s, true, h);
      sym12 m;
      for (int i = 0; i < 12; i++)
        for (int j = 0; j < 12; j++) m.a[i][j] = h[12 * i + j];
      eig12 q = eig_sym12(m);
      double low = 0, high = 0;
      for (int k = 0; k < 12; k++) {
        low = fmin(low, q.value[k]);
        high = fmax(high, q.value[k]);
      }
      assert_true(low >= -1e-10 * high);
      /* -(H + shift)^-1 g descends: solved in the eigenbasis */
      flat(&s, x);
      gradient_at(&s, x, gx);
      double slope = 0;
      for (int k = 0; k < 12; k++) {
        double along = 0;
        for (int i = 0; i < 12; i++) along += q.vector[k][i] * gx[i];
        slope -= along * along / (fmax(q.value[k], 0) + 1e-6 * high);
      }
      assert_true(slope < 0);
      abut_context_free(&ctx);
    }
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_gradient_is_the_derivative_of_its_energy),
      cmocka_unit_test(every_hessian_is_the_derivative_of_its_gradient),
      cmocka_unit_test(every_projected_hessian_is_positive_semidefinite),
      cmocka_unit_test(forces_of_invariant_energies_have_no_resultant),
      cmocka_unit_test(energy_of_invariant_terms_survives_turning),
      cmocka_unit_test(every_class_says_what_it_is),
      cmocka_unit_test(compressed_tetrahedra_give_semidefinite_matrices),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
