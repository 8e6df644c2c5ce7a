/* Continuous collision detection: no answer may ever let a pair meet, and none may be needlessly
   short. Paths are proved apart in long double, not sampled. */
#include "cmocka_all.h"

#include "contact_samples.h"
#include "true_distance.h"

#include "contact/ccd.h"
#include "contact/guess_lanes.h"

static quad quad_at(const double x[12])
{
  quad q;
  memcpy(&q, x, sizeof q);
  return q;
}

/* distance 6 mm, gap 0.030 mm, relative motion
   12 mm gives 0.9 (6 - 0.03) / 12, by the normal bound and by the additive method */
static void an_attempt_to_cross_gives_the_step_in_closed_form(void **state)
{
  (void)state;
  static const double face[12] = {.3, .3, 6e-3, 0, 0, 0, 1, 0, 0, 0, 1, 0};
  static const double edges[12] = {-.5, .1, 6e-3, .6, .2, 6e-3, 0, -.5, 0, .1, .6, 0};
  for (int k = 0; k < 2; k++) {
    pair_scene p;
    pair_scene_surface(&p, k ? ABUT_EDGE_EDGE : ABUT_VERTEX_FACE, 0, 3e-5, 1e-2);
    quad x = quad_at(k ? edges : face), d = {{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}}};
    for (int i = 0; i < p.sides; i++) d.p[i] = v3(0, 0, -7e-3);
    for (int i = p.sides; i < 4; i++) d.p[i] = v3(0, 0, 5e-3);
    ccd_answer a = abut_ccd_pair(&p.s, p.key, x.p, d.p, 0, 1);
    assert_int_equal(a.status, CCD_HIT);
    assert_near(a.t, 0.44775, 1e-12);
    a = ccd_additive(k ? CCD_EDGE_EDGE : CCD_POINT_TRIANGLE, x, d, 3e-5, 0.1, 1000);
    assert_int_equal(a.status, CCD_HIT);
    assert_near(a.t, 0.44775, 1e-12);
  }
}

static void the_additive_method_has_the_numbers_of_the_oracle(void **state)
{
  (void)state;
  static const double at[12] = {.3, .3, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0}, by[12] = {0, 0, -2};
  quad x = quad_at(at), p = quad_at(by);
  ccd_answer a = ccd_additive(CCD_POINT_TRIANGLE, x, p, 0, 0.1, 1000);
  assert_near(a.t, 0.45, 1e-12);
  a = ccd_additive(CCD_POINT_TRIANGLE, x, p, 0, 0.2, 1000);
  assert_near(a.t, 0.40, 1e-12);
}

/* case C38: head on, tight and never late, whichever of the two moves */
static void head_on_hits_are_tight(void **state)
{
  (void)state;
  static const double at[12] = {.25, .25, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0};
  for (int moving = 0; moving < 2; moving++)
    for (int thick = 0; thick < 2; thick++) {
      quad x = quad_at(at), p = {{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}}};
      if (moving)
        for (int k = 1; k < 4; k++) p.p[k] = v3(0, 0, 2);
      else
        p.p[0] = v3(0, 0, -2);
      double xi = thick ? 0.01 : 0, exact = 0.5 * (1 - xi);
      ccd_answer a = ccd_additive(CCD_POINT_TRIANGLE, x, p, xi, 1e-6, 1000);
      assert_int_equal(a.status, CCD_HIT);
      assert_in_range((int)(a.t <= exact), 1, 1);
      assert_true(a.t >= exact - (thick ? 1e-3 : 1e-6));
      /* the solver's own call keeps a tenth */
      pair_scene s;
      pair_scene_surface(&s, ABUT_VERTEX_FACE, 0, xi, 0.1);
      a = abut_ccd_pair(&s.s, s.key, x.p, p.p, 0, 1);
      assert_near(a.t, 0.9 * exact, 1e-12);
    }
}

/* case C40: separated at the start is never stuck at t = 0 */
static void separated_pairs_can_move(void **state)
{
  (void)state;
  static const double at[12] = {.25, .25, 1e-8, 0, 0, 0, 1, 0, 0, 0, 1, 0};
  for (int k = 0; k < 4; k++) {
    pair_scene s;
    pair_scene_surface(&s, ABUT_VERTEX_FACE, 0, 0, 1e-2);
    quad x = quad_at(at), p = {{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}}};
    p.p[0] = k % 2 ? v3(0.35, -0.05, 0) : v3(0, 0, 1);
    if (k >= 2)
      for (int i = 0; i < 4; i++) x.p[i] = v3_add(x.p[i], v3(10, 10, 10));
    ccd_answer a = abut_ccd_pair(&s.s, s.key, x.p, p.p, 0, 1);
    assert_true(a.t > 0);
    if (k % 2 == 0) assert_int_equal(a.status, CCD_CLEAR);
    /* sliding along the face is no hit */
    assert_int_equal(a.status, CCD_CLEAR);
    a = ccd_additive(CCD_POINT_TRIANGLE, x, p, 0, 0.1, 256);
    assert_true(a.t > 0);
  }
}

/* case C42: running out of iterations is undecided with a safe t, never clear */
/* A block's edge that turns away over a plate's, 2.6e-10 m from it at the start: the parts of the
   motion at which something can be said lie between 5e-7 and 1e-2. */
static void an_edge_that_turns_away_is_followed_from_close_by(void **state)
{
  (void)state;
  static const double at[12] = {0.20995010154415367, 0.051641583766089426, 0.00027779024577298512,
                                0.21020311058417168, 0.051559159507793446, 0.10027830935539768,
                                0.21000000000000002, -0.16666666666666669, 0.01999999999999999,
                                0.21000000000000002, 0.16666666666666663,  0.01999999999999999};
  static const double by[12] = {0.00010955111134615582,  -0.0019774461600009122,
                                -0.00059246140800146602, -0.00045352002440012678,
                                -0.0018960703097667374,  -0.00059179644234871789};
  quad x = quad_at(at), p = quad_at(by);
  ccd_answer a = ccd_walls(CCD_EDGE_EDGE, x, p, ccd_floor(CCD_EDGE_EDGE, x, p), 1000, 1);
  assert_int_equal(a.status, CCD_HIT);
  assert_true(a.t > 0.008 && a.t < 0.01);
}

static void exhaustion_is_undecided(void **state)
{
  (void)state;
  static const double at[12] = {0, 0, 0, 1, 0, 0, 0, 0, 1e-9, 1, 0, 1e-9};
  static const double by[12] = {0, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0};
  quad x = quad_at(at), p = quad_at(by);
  static const int caps[] = {5, 1000000};
  for (int k = 0; k < 2; k++) {
    ccd_answer a = ccd_additive(CCD_EDGE_EDGE, x, p, 0, 0.1, caps[k]);
    assert_int_equal(a.status, CCD_UNDECIDED);
    assert_true(a.t > 0 && a.t < 0.01);
  }
  pair_scene s;
  pair_scene_surface(&s, ABUT_EDGE_EDGE, 0, 0, 1e-2);
  s.edge_rest2[0] = s.edge_rest2[1] = 1;
  assert_int_equal(abut_ccd_pair(&s.s, s.key, x.p, p.p, 0, 1).status, CCD_CLEAR);
}

/* the solver's own method: capped it says undecided, with a t that is safe and grows with the cap
 */
static void undecided_answers_are_safe(void **state)
{
  (void)state;
  /* an edge turning about its near end, just above another */
  static const double at[12] = {0, 0, 1e-6, 1, .1, 1e-6, .3, -1, 0, .3, 1, 0};
  static const double by[12] = {0, 0, 0, -2, 1, -1e-5, 0, 0, 0, 0, 0, 0};
  quad x = quad_at(at), p = quad_at(by);
  double before = 0;
  int undecided = 0;
  for (int cap = 0; cap < 12; cap++) {
    ccd_answer a = ccd_walls(CCD_EDGE_EDGE, x, p, 1e-15, cap, 1);
    if (a.status == CCD_UNDECIDED) undecided++;
    assert_true(a.t >= before && (a.status != CCD_CLEAR || a.t == 1));
    before = a.t;
    long3 y[4], q[4];
    for (int k = 0; k < 4; k++) y[k] = l3_of(x.p[k]), q[k] = l3_of(p.p[k]);
    assert_int_equal(prove_apart(ABUT_EDGE_EDGE, y, q, a.t, 0.09e-6L).status, PROVED);
  }
  assert_true(undecided > 0);
}

/* balls and planes have exact times of contact; a tenth of the gap is kept */
static void balls_and_planes_stop_at_nine_tenths(void **state)
{
  (void)state;
  static const abut_pair_kind kinds[] = {ABUT_BALL_FACE, ABUT_BALL_BALL, ABUT_VERTEX_PLANE,
                                         ABUT_BALL_PLANE};
  unsigned long long seed = 3;
  for (unsigned k = 0; k < 400; k++) {
    pair_scene s;
    double size = k % 3 == 0 ? 1 : k % 3 == 1 ? 1e-3 : 1e3, part = sample_size(&seed, 1e-4, 0.9);
    pair_options o = {size, 0.05, part, 0.02, 0};
    make_pair_scene(&s, kinds[k % 4], 0, k, o);
    abut_contact c = measure_pair(&s, s.x);
    double gap = c.d - c.offset, travel = gap * sample_between(&seed, 1.2, 50);
    quad p = {{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}}};
    p.p[0] = v3_scale(c.n, -travel);
    ccd_answer a = abut_ccd_pair(&s.s, s.key, s.x, p.p, 0, 1);
    assert_int_equal(a.status, CCD_HIT);
    assert_near(a.t, 0.9 * gap / travel, 1e-13 * size / travel + 1e-12);
    /* away, along, and not far enough are clear */
    vec3 side = v3_perpendicular(c.n),
         ways[3] = {v3_scale(c.n, travel), v3_scale(side, travel), v3_scale(c.n, -0.9999 * gap)};
    for (int i = 0; i < 3; i++) {
      p.p[0] = ways[i];
      a = abut_ccd_pair(&s.s, s.key, s.x, p.p, 0, 1);
      assert_true(a.status == CCD_CLEAR && a.t == 1);
    }
  }
}

/* Below the floor (which only a scene that starts so can be) a pair may part but not close. */
static void touching_pairs_may_part(void **state)
{
  (void)state;
  for (int kind = 0; kind < ABUT_PAIR_KINDS; kind++) {
    pair_scene s;
    pair_options o = {1, 0.05, 1e-15, 0.02, 0};
    make_pair_scene(&s, (abut_pair_kind)kind, 0, 5, o);
    vec3 n = measure_pair(&s, s.x).n;
    quad p = {{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}}};
    for (int i = 0; i < 2; i++) {
      for (int k = 0; k < s.sides; k++) p.p[k] = v3_scale(n, i ? -1 : 1);
      ccd_answer a = abut_ccd_pair(&s.s, s.key, s.x, p.p, 0, 1);
      assert_true(i ? a.status == CCD_HIT && a.t == 0 : a.status == CCD_CLEAR);
    }
  }
}

/* a motion that is no number is never clear */
static void nonsense_is_never_clear(void **state)
{
  (void)state;
  static const double bad[] = {NAN, INFINITY, -INFINITY};
  for (int kind = 0; kind < ABUT_PAIR_KINDS; kind++)
    for (int k = 0; k < 12; k++) {
      pair_scene s;
      pair_options o = {1, 0.05, 0.5, 0.02, 0};
      make_pair_scene(&s, (abut_pair_kind)kind, 0, 5, o);
      if (k / 3 >= s.vertices) continue;
      quad p = {{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}}};
      p.p[k / 3] = v3(bad[k % 3], bad[k % 3], bad[k % 3]);
      ccd_answer a = abut_ccd_pair(&s.s, s.key, s.x, p.p, 0, 1);
      assert_true(a.status == CCD_HIT && a.t == 0);
    }
}

/* ---- motions of every kind ---- */

typedef struct motion {
  pair_scene s;
  vec3 p[4];
  abut_pair_kind kind;
} motion;

/* gaps from 1e-8 to 0.1, sizes from 1e-6 to 1e3, everything up to 1e6 from the origin */
static void make_motion(motion *m, unsigned number)
{
  static const abut_pair_kind kinds[] = {ABUT_VERTEX_FACE, ABUT_EDGE_EDGE, ABUT_VERTEX_FACE,
                                         ABUT_EDGE_EDGE,   ABUT_BALL_FACE, ABUT_BALL_BALL};
  unsigned long long seed = 0x9e3779b97f4a7c15ULL * (number + 1);
  for (int k = 0; k < 8; k++) test_random(&seed);
  pair_scene *s = &m->s;
  m->kind = kinds[number % 6];
  double gap = number % 5 == 0 ? sample_size(&seed, 1e-5, 1e-2) : 0;
  pair_scene_surface(s, m->kind, sample_size(&seed, 1e-3, 0.3), gap, 1e-2);
  double d = abut_pair_offset(&s->s, s->key) + sample_size(&seed, 1e-8, 0.1);
  int feature = (int)(number / 6 % (unsigned)pair_feature_count(m->kind));
  bool thin = number / 7 % 3 == 0;
  if (m->kind == ABUT_EDGE_EDGE)
    place_edges(&seed, feature, d, thin ? sample_size(&seed, 1e-9, 0.1) : 0, s->x);
  else if (s->vertices == 4)
    place_point_triangle(&seed, feature, d, s->x);
  else
    s->x[0] = v3_scale(sample_unit(&seed), d);
  if (thin && s->vertices == 4 && m->kind != ABUT_EDGE_EDGE)
    s->x[3] = v3_madd(s->x[1], v3_sub(s->x[2], s->x[1]), sample_between(&seed, 0, 1)),
    s->x[3] = v3_add(s->x[3], sample_vec(&seed, sample_size(&seed, 1e-9, 0.1)));
  mat3 turn = m3_rotation(sample_unit(&seed), 3 * test_random(&seed));
  vec3 away = v3_scale(sample_unit(&seed), number % 4 ? sample_size(&seed, 1e-2, 1e6) : 0);
  long3 x[4];
  for (int k = 0; k < 4; k++) {
    s->x[k] = v3_add(m3_apply(turn, s->x[k]), away);
    x[k] = l3_of(s->x[k]);
  }
  long3 r = true_closest(m->kind, x);
  vec3 n = v3_unit(v3((double)r.x, (double)r.y, (double)r.z));

  double size = sample_size(&seed, 1e-6, 1e3), spin = sample_size(&seed, 1e-4, 3);
  vec3 axis = sample_unit(&seed), slide = sample_vec(&seed, size), all = sample_vec(&seed, size);
  slide = v3_madd(slide, n, -v3_dot(slide, n));
  mat3 roll = m3_rotation(axis, spin);
  double sink = number / 11 % 2 ? sample_size(&seed, 1e-3, 10) * d : 0;
  for (int k = 0; k < 4; k++) {
    bool first = k < s->sides;
    vec3 arm = v3_sub(s->x[k], s->x[s->vertices - 1]), spun = v3_sub(m3_apply(roll, arm), arm);
    switch (number / 31 % 6) {
    case 0: m->p[k] = sample_vec(&seed, size); break;
    case 1: m->p[k] = first ? v3_madd(slide, n, -sink) : v3(0, 0, 0); break; /* slides, sinks */
    case 2: m->p[k] = first ? v3_scale(n, -size) : v3(0, 0, 0); break;       /* head on */
    case 3: m->p[k] = first ? spun : v3(0, 0, 0); break;
    case 4: m->p[k] = v3_add(first ? v3_scale(spun, size) : spun, all); break;
    default: m->p[k] = v3_add(first ? v3_madd(slide, n, -sink) : v3(0, 0, 0), all); break;
    }
  }
}

typedef struct tally {
  int clear, hit, undecided, stuck, closed, given_up, measured;
  double spent; /* sum over hits of t over the time at which a tenth of the gap is left */
} tally;

/* everything one answer promises */
static void check_answer(const motion *m, unsigned number, tally *sum)
{
  const pair_scene *s = &m->s;
  quad qx, qp;
  memcpy(&qx, s->x, sizeof qx);
  memcpy(&qp, m->p, sizeof qp);
  long3 x[4], p[4];
  for (int k = 0; k < 4; k++) x[k] = l3_of(s->x[k]), p[k] = l3_of(m->p[k]);
  int kind = m->kind == ABUT_EDGE_EDGE ? CCD_EDGE_EDGE
             : s->vertices == 2        ? CCD_POINT_POINT
                                       : CCD_POINT_TRIANGLE;
  long double offset = abut_pair_offset(&s->s, s->key), floor = ccd_floor(kind, qx, qp);
  long double gap = true_distance(m->kind, x) - offset;
  ccd_answer a = abut_ccd_pair(&s->s, s->key, s->x, m->p, 0, 1);
  assert_true(a.t >= 0 && a.t <= 1 && (a.status == CCD_CLEAR ? a.t == 1 : a.t < 1));
  if (gap <= floor) {
    sum->closed++;
    return;
  }
  bool clear = a.status == CCD_CLEAR;
  sum->clear += clear;
  sum->hit += a.status == CCD_HIT;
  sum->undecided += a.status == CCD_UNDECIDED;
  /* a cleared pair stays above the floor, the others keep a part of their gap */
  long double keep = clear ? offset + 0.5L * floor : offset + 0.05L * (gap - floor) + 0.5L * floor;
  path_proof proof = prove_apart(m->kind, x, p, a.t, keep);
  sum->given_up += proof.status == GIVEN_UP;
  if (proof.status == LOST)
    print_error("motion %u: status %d t %.17g gap %Lg floor %Lg: lost at %.17Lg\n", number,
                a.status, a.t, gap, floor, proof.until);
  assert_true(proof.status != LOST);
  /* the rounded end position too */
  long3 end[4];
  for (int k = 0; k < 4; k++) end[k] = l3_of(v3_madd(s->x[k], m->p[k], a.t));
  assert_true(true_distance(m->kind, end) > offset);
  if (a.t == 0 && gap > 1.1L * floor) {
    sum->stuck++;
    print_error("motion %u is stuck: gap %Lg, floor %Lg\n", number, gap, floor);
  }
  if (!clear) {
    proof = prove_apart(m->kind, x, p, 1, offset + 0.1L * gap);
    if (proof.status == LOST && proof.until > 0) {
      sum->spent += (double)(a.t / proof.until);
      sum->measured++;
    }
  }
}

static void no_answer_lets_a_pair_meet(void **state)
{
  (void)state;
  tally sum = {0};
  for (unsigned number = 0; number < 240000; number++) {
    motion m;
    make_motion(&m, number);
    check_answer(&m, number, &sum);
  }
  print_message("%d clear, %d hit, %d undecided, %d below the floor, %d not proved but sampled; "
                "hits use %.3f of their time\n",
                sum.clear, sum.hit, sum.undecided, sum.closed, sum.given_up,
                sum.spent / sum.measured);
  assert_int_equal(sum.stuck, 0);
  assert_int_equal(sum.given_up, 0);
  assert_true(sum.clear > 20000 && sum.hit > 20000);
}

/* ---- guesses ---- */

enum { GUESSES = 19 }; /* no multiple of the lanes */

/* what is said to be clear stays apart, whoever the neighbours in the lanes are */
static void guesses_that_say_clear_are_right(void **state)
{
  (void)state;
  int clear = 0, asked = 0;
  for (unsigned number = 0; number < 60000; number += 6 * GUESSES)
    for (int kind = 0; kind < 2; kind++) {
      motion m[GUESSES];
      vec3 x[4 * GUESSES], p[4 * GUESSES];
      int32_t vertex[4 * GUESSES];
      bool all[GUESSES];
      double size = 0;
      for (int i = 0; i < GUESSES; i++) {
        make_motion(&m[i], number + 6 * (unsigned)i + (unsigned)kind);
        memcpy(x + 4 * i, m[i].s.x, sizeof m[i].s.x);
        memcpy(p + 4 * i, m[i].p, sizeof m[i].p);
        for (int k = 0; k < 4; k++) vertex[4 * i + k] = 4 * i + k;
      }
      for (int i = 0; i < 4 * GUESSES; i++) size = ccd_size(x[i], p[i], size);
      double xi = 1e-3 + CCD_FLOOR * size;
      abut_lanes_guess(1 + kind, &x->x, &p->x, vertex, GUESSES, xi, all);
      for (int i = 0; i < GUESSES; i++) {
        bool alone;
        abut_lanes_guess(1 + kind, &x->x, &p->x, vertex + 4 * i, 1, xi, &alone);
        assert_int_equal(alone, all[i]);
        asked++;
        clear += all[i];
        if (!all[i]) continue;
        long3 from[4], way[4];
        for (int k = 0; k < 4; k++) from[k] = l3_of(m[i].s.x[k]), way[k] = l3_of(m[i].p[k]);
        assert_true(prove_apart(m[i].kind, from, way, 1, 1e-3L).status != LOST);
      }
    }
  print_message("%d of %d guessed clear\n", clear, asked);
  assert_true(clear > asked / 20 && clear < asked);
}

/* parallel layers, however they lie in space, are told apart by the normal */
static void layers_are_guessed_apart(void **state)
{
  (void)state;
  unsigned long long seed = 3;
  for (int number = 0; number < 1000; number++) {
    mat3 turn = m3_rotation(sample_unit(&seed), 3 * test_random(&seed));
    vec3 x[8], p[8];
    for (int k = 0; k < 8; k++) {
      bool upper = k == 0 || k == 4 || k == 5;
      vec3 a = sample_vec(&seed, 1);
      a.z = upper ? 0.05 : 0;
      x[k] = m3_apply(turn, a);
      p[k] = m3_apply(turn, v3(0.3, -0.2, upper ? -0.03 : 0));
    }
    const int32_t vertex[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    bool clear[2];
    abut_lanes_guess(1, &x->x, &p->x, vertex, 1, 0.0199, &clear[0]);
    abut_lanes_guess(2, &x->x, &p->x, vertex + 4, 1, 0.0199, &clear[1]);
    assert_true(clear[0] && clear[1]);
    x[0] = x[1], x[4] = x[6]; /* now they touch */
    abut_lanes_guess(1, &x->x, &p->x, vertex, 1, 0.0199, &clear[0]);
    abut_lanes_guess(2, &x->x, &p->x, vertex + 4, 1, 0.0199, &clear[1]);
    assert_true(!clear[0] && !clear[1]);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_attempt_to_cross_gives_the_step_in_closed_form),
      cmocka_unit_test(the_additive_method_has_the_numbers_of_the_oracle),
      cmocka_unit_test(head_on_hits_are_tight),
      cmocka_unit_test(separated_pairs_can_move),
      cmocka_unit_test(an_edge_that_turns_away_is_followed_from_close_by),
      cmocka_unit_test(exhaustion_is_undecided),
      cmocka_unit_test(undecided_answers_are_safe),
      cmocka_unit_test(balls_and_planes_stop_at_nine_tenths),
      cmocka_unit_test(touching_pairs_may_part),
      cmocka_unit_test(nonsense_is_never_clear),
      cmocka_unit_test(no_answer_lets_a_pair_meet),
      cmocka_unit_test(guesses_that_say_clear_are_right),
      cmocka_unit_test(layers_are_guessed_apart),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
