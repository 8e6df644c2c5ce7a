/* Closest points of primitives, derivatives of the squared distance, the edge mollifier and the two
   barriers: numbers computed elsewhere (spec oracle), differences, and awkward shapes. */
#include "cmocka_all.h"

#include "contact_samples.h"
#include "true_distance.h"

#include "kernel/barrier_offset.h"
#include "kernel/contact_ipc.h"

static closest closest_of(abut_pair_kind kind, quad x)
{
  return kind == ABUT_EDGE_EDGE ? closest_edge_edge(x.p[0], x.p[1], x.p[2], x.p[3])
                                : closest_point_triangle(x.p[0], x.p[1], x.p[2], x.p[3]);
}

/* gradient (12) and Hessian (144) of the squared distance by the feature at x */
static void squared_derivatives(abut_pair_kind kind, quad x, double g[12], double h[144])
{
  closest c = closest_of(kind, x);
  distance_frame f =
      kind == ABUT_EDGE_EDGE ? distance_frame_edges(x, c) : distance_frame_triangle(x, c);
  mat3 block[10];
  int m = 0;
  for (int p = 0; p < 4; p++) {
    vec3 gp = v3_scale(c.r, 2 * c.w[p]);
    memcpy(g + 3 * p, &gp, sizeof gp);
    for (int q = p; q < 4; q++) block[m++] = distance_hessian_block(c, f, v3_unit(c.r), p, q);
  }
  sample_full(block, h);
}

static quad quad_of(const double x[12])
{
  quad q;
  for (int k = 0; k < 4; k++) q.p[k] = v3(x[3 * k], x[3 * k + 1], x[3 * k + 2]);
  return q;
}

static double norm(const double *v, int n)
{
  double s = 0;
  for (int k = 0; k < n; k++) s += v[k] * v[k];
  return sqrt(s);
}

static void distances_have_the_numbers_of_the_oracle(void **state)
{
  (void)state;
  static const struct {
    abut_pair_kind kind;
    double x[12], d2, gradient, trace, frobenius;
  } oracle[] = {
      {ABUT_VERTEX_FACE,
       {.35, .3, .12, 0, 0, 0, 1, .05, -.1, .2, .9, .1},
       0.013275377824101035,
       0.266841550866444,
       2.575199473350634,
       2.787209078309427},
      {ABUT_EDGE_EDGE,
       {-.5, .02, .1, .6, -.05, .12, .05, -.6, 0, -.02, .55, .03},
       0.008831524763406496,
       0.18820578979937613,
       1.9488718241409988,
       2.0614581008756985},
      /* point-edge: the third corner lies far behind the edge */
      {ABUT_VERTEX_FACE,
       {.3, .25, .1, 0, 0, 0, 1, .1, .2, .5, -5, -3},
       0.04914285714285714,
       0.5535437912784985,
       6.047891156462586,
       4.538343525014267},
      /* point-point: the other corners lie far behind the first */
      {ABUT_VERTEX_FACE,
       {.1, .2, .3, .25, .1, .5, 1.4, -.7, 2, 1.5, -.6, 2.4},
       0.0725,
       0.7615773105863909,
       12,
       6.928203230275509},
  };
  for (size_t k = 0; k < sizeof oracle / sizeof *oracle; k++) {
    double g[12], h[144], trace = 0;
    quad x = quad_of(oracle[k].x);
    squared_derivatives(oracle[k].kind, x, g, h);
    for (int i = 0; i < 12; i++) trace += h[13 * i];
    assert_close(closest_of(oracle[k].kind, x).d2, oracle[k].d2, 1e-13);
    assert_close(norm(g, 12), oracle[k].gradient, 1e-13);
    assert_close(trace, oracle[k].trace, 1e-12);
    assert_close(norm(h, 144), oracle[k].frobenius, 1e-12);
  }
}

static void mollifier_has_the_numbers_of_the_oracle(void **state)
{
  (void)state;
  static const double x[12] = {0, 0, 0, 1, 0, 0, .2, .004, .05, .9, .012, .052};
  mollifier m = mollifier_at(mollifier_cross2(quad_of(x)), 4.9e-4);
  assert_close(m.c, 6.8e-5, 1e-13);
  assert_close(m.e, 0.25829237817576, 1e-13);
}

static void barriers_have_the_numbers_of_the_oracle(void **state)
{
  (void)state;
  static const double ipc[3][4] = {
      {0.01, 4.513527299286928e-12, -0.00010712823696825643, 10206.210340371976},
      {0.25, 7.797905781299385e-13, -4.3294415416798365e-06, 23.77258872223978},
      {0.8, 8.925742052568387e-15, -1.3925742052568387e-07, 1.5087871026284194}};
  for (int k = 0; k < 3; k++) {
    double w = barrier_ipc_width(1e-3, 0);
    barrier b = barrier_ipc(ipc[k][0] * w, w);
    assert_close(b.b, ipc[k][1], 1e-13);
    assert_close(b.b1, ipc[k][2], 1e-13);
    assert_close(b.b2, ipc[k][3], 1e-13);
  }
  double xi = 2e-3, dhat = 1e-3, w = barrier_ipc_width(dhat, xi);
  assert_close(barrier_ipc(barrier_ipc_argument(xi + 0.3 * dhat, xi), w).b, 1.8647543412618387e-11,
               1e-12);
  assert_below(fabs(barrier_ipc(barrier_ipc_argument(xi + dhat, xi), w).b), 1e-30);

  static const double offset[3][4] = {
      {5e-5, 0.002703648376882477, -23.741891319752582, 442991.464547108},
      {3e-4, 0.000589946674119709, -3.318895259389645, 17185.723386429654},
      {9e-4, 1.053605156578265e-06, -0.03218321424267641, 667.5111547724432}};
  for (int k = 0; k < 3; k++) {
    barrier b = barrier_offset(offset[k][0], dhat);
    assert_close(1000 * b.b, offset[k][1], 1e-12);
    assert_close(1000 * b.b1, offset[k][2], 1e-12);
    assert_close(1000 * b.b2, offset[k][3], 1e-12);
  }
}

static void squared_distance_at(const void *arg, const double *x, double *d2)
{
  *d2 = closest_of(*(const abut_pair_kind *)arg, quad_of(x)).d2;
}

static void squared_gradient_at(const void *arg, const double *x, double *g)
{
  double h[144];
  squared_derivatives(*(const abut_pair_kind *)arg, quad_of(x), g, h);
}

/* which weights the feature leaves at zero */
static int expected_mask(abut_pair_kind kind, int feature)
{
  static const int triangle[] = {15, 7, 13, 11, 3, 5, 9};
  static const int edges[] = {15, 13, 14, 7, 11, 5, 6, 9, 10};
  int mask = kind == ABUT_EDGE_EDGE ? edges[feature] : triangle[feature];
  return mask;
}

static void every_feature_has_right_weights_and_derivatives(void **state)
{
  (void)state;
  static const double lengths[] = {1, 1e-3, 1e3};
  static const abut_pair_kind kinds[] = {ABUT_VERTEX_FACE, ABUT_EDGE_EDGE};
  for (int k = 0; k < 2; k++)
    for (int feature = 0; feature < pair_feature_count(kinds[k]); feature++)
      for (unsigned seed = 0; seed < 60; seed++) {
        double length = lengths[seed % 3];
        pair_scene p;
        pair_options o = {length, 0.3, seed % 2 ? 0.1 : 0.7, 0, 0};
        make_pair_scene(&p, kinds[k], feature, seed, o);
        quad x;
        memcpy(&x, p.x, sizeof x);
        closest c = closest_of(kinds[k], x);
        assert_int_equal(c.mask, expected_mask(kinds[k], feature));
        vec3 r = v3(0, 0, 0);
        double sum = 0, g[12], h[144], fg[12], fh[144], flat[12];
        for (int i = 0; i < 4; i++) {
          r = v3_madd(r, x.p[i], c.w[i]);
          sum += c.w[i];
          assert_true((c.w[i] != 0) == (c.mask >> i & 1));
        }
        assert_below(fabs(sum), 1e-15);
        assert_below(v3_norm(v3_sub(r, c.r)), 4e-15 * length);
        assert_close(sqrt(c.d2), o.part * o.dhat * length, 1e-13);
        memcpy(flat, &x, sizeof flat);
        squared_derivatives(kinds[k], x, g, h);
        double step = 1e-3 * length * o.part * o.dhat;
        test_jacobian(squared_distance_at, &kinds[k], flat, 12, 1, step, fg);
        test_jacobian(squared_gradient_at, &kinds[k], flat, 12, 12, step, fh);
        assert_below(test_relative(g, fg, 12, 1e-300), 1e-9);
        assert_below(test_relative(h, fh, 144, 1e-300), 1e-9);
      }
}

/* case C24: value, sum and direction are right for exactly parallel overlapping edges, at three
   scales and turned */
static void parallel_overlapping_edges_push_apart(void **state)
{
  (void)state;
  static const double scales[] = {1, 1e-3, 1e3};
  static const abut_law_class *const laws[] = {&abut_law_ipc, &abut_law_offset};
  for (int k = 0; k < 6; k++) {
    double s = scales[k / 2];
    mat3 turn = m3_rotation(v3_unit(v3(1, 2, 3)), k % 2 ? 37 * K_PI / 180 : 0);
    static const double at[4][3] = {{0, 0, 0}, {1, 0, 0}, {.25, 0, .01}, {.75, 0, .01}};
    pair_scene p;
    pair_scene_surface(&p, ABUT_EDGE_EDGE, 0, 0, 0.02 * s);
    for (int i = 0; i < 4; i++)
      p.x[i] = v3_scale(m3_apply(turn, v3(at[i][0], at[i][1], at[i][2])), s);
    p.edge_rest2[0] = s * s;
    p.edge_rest2[1] = 0.25 * s * s;
    abut_contact c = measure_pair(&p, p.x);
    vec3 up = m3_apply(turn, v3(0, 0, 1));
    assert_close(c.d, 0.01 * s, 1e-12);
    assert_below(v3_norm(v3_add(c.n, up)), 1e-12); /* from b, above, to a */
    for (int l = 0; l < 2; l++) {
      abut_law_at where = {p.x, p.s.dhat, 1000};
      vec3 g[4], sum = v3(0, 0, 0);
      mat3 h[10];
      double full = laws[l] == &abut_law_ipc /* what the pair would push with, not mollified */
                        ? -2 * c.d * 1000 * barrier_ipc(c.d * c.d, c.d * c.d * 4).b1
                        : laws[l]->force(&where, &c);
      laws[l]->gradient(&where, &c, 0, 1, g);
      laws[l]->hessian(&where, &c, 0, 1, true, h);
      double size = 0, push = 0;
      for (int i = 0; i < 4; i++) {
        sum = v3_add(sum, g[i]);
        size += v3_norm(g[i]);
        push += (i < 2 ? 1 : -1) * v3_dot(g[i], up);
        assert_below(v3_norm(v3_sub(g[i], v3_scale(up, v3_dot(g[i], up)))), 1e-9 * full);
      }
      for (int i = 0; i < 90; i++) assert_true(isfinite(h[i / 9].m[i % 9]));
      assert_true(isfinite(size) && push >= -1e-9 * full);
      assert_below(v3_norm(sum), 1e-14 * full);
      if (laws[l] == &abut_law_offset) assert_true(push > 0);
    }
  }
}

/* The distance must be right to rounding, whatever the shape: slivers, needles and nearly parallel
   edges used to lose digits to the direction of a tiny cross product. Allowed: a few units in the
   last place of the sizes, and what parallel edges give away by meeting in the middle. */
static void distances_of_awkward_shapes_are_right_to_rounding(void **state)
{
  (void)state;
  unsigned long long seed = 77;
  double worst[2][3] = {{0}};
  for (int k = 0; k < 60000; k++) {
    bool edges = k % 2;
    double thin = sample_size(&seed, 1e-12, 1), apart = sample_size(&seed, 1e-9, 1);
    quad x;
    for (int i = 0; i < 4; i++) x.p[i] = sample_vec(&seed, 1);
    if (edges) {
      vec3 a = v3_sub(x.p[1], x.p[0]);
      vec3 at = v3_madd(x.p[0], a, sample_between(&seed, 0, 1));
      x.p[2] = v3_madd(v3_add(at, sample_vec(&seed, apart)), a, -0.5);
      x.p[3] = v3_add(v3_madd(x.p[2], a, sample_between(&seed, 0.5, 1.5)), sample_vec(&seed, thin));
    } else {
      double t = k % 4 ? sample_between(&seed, 0, 1) : 1;
      x.p[3] = v3_add(v3_madd(x.p[1], v3_sub(x.p[2], x.p[1]), t), sample_vec(&seed, thin));
      vec3 in = v3_add(v3_scale(x.p[1], 0.3), v3_add(v3_scale(x.p[2], 0.3), v3_scale(x.p[3], 0.4)));
      x.p[0] = v3_add(in, sample_vec(&seed, apart));
    }
    long3 y[4];
    for (int i = 0; i < 4; i++) y[i] = l3_of(x.p[i]);
    closest c = closest_of(edges ? ABUT_EDGE_EDGE : ABUT_VERTEX_FACE, x);
    double truth = (double)true_distance(edges ? ABUT_EDGE_EDGE : ABUT_VERTEX_FACE, y);
    double error = fabs(sqrt(c.d2) - truth);
    int group = c.parallel ? 2 : c.mask == 15;
    worst[edges][group] = fmax(worst[edges][group], error);
    if (c.parallel) continue;
    if (error > 2e-14)
      print_error("%d: thin %g apart %g: %g, truth %g\n", k, thin, apart, error, truth);
    assert_below(error, 2e-14);
  }
  assert_below(worst[1][2], 3e-8);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(distances_have_the_numbers_of_the_oracle),
      cmocka_unit_test(mollifier_has_the_numbers_of_the_oracle),
      cmocka_unit_test(barriers_have_the_numbers_of_the_oracle),
      cmocka_unit_test(every_feature_has_right_weights_and_derivatives),
      cmocka_unit_test(parallel_overlapping_edges_push_apart),
      cmocka_unit_test(distances_of_awkward_shapes_are_right_to_rounding),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
