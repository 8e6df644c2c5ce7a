/* Contact records and step bounds of whole surfaces: brute force, numbers of the oracle, order and
   threads, and running out of memory. */
#include "cmocka_all.h"

#include "surface_scenes.h"

#include "contact/ccd.h"
#include "kernel/support.h"
#include "kernel/tie.h"

/* A sphere over the face, an edge and a corner of a triangle, c = 5 mm */
static void spheres_have_the_numbers_of_the_oracle(void **state)
{
  (void)state;
  static const struct {
    double p[3], bary[3], gap, energy, slope;
  } oracle[] = {
      {{.35, .3, .02}, {.41, .29, .3}, 0.015, 0.007192051811294526, -4.543487391184477},
      {{.5, -.01, .012},
       {.5, .5, 0},
       0.01062049935181331,
       0.055683465880668276,
       -20.15695118261642},
      {{1.01, -.02, .011},
       {0, 1, 0},
       0.019919871588754228,
       2.5775140347842738e-08,
       -0.0009656653099310317},
      {{.605, .504, .013},
       {0, .5, .5},
       0.00949137674618944,
       0.08230971229727073,
       -27.300069255498187},
  };
  pair_scene p;
  pair_scene_surface(&p, ABUT_BALL_FACE, 4e-3, 2e-3, 0.02); /* c = R + gap/2 */
  p.x[1] = v3(0, 0, 0), p.x[2] = v3(1, 0, 0), p.x[3] = v3(.2, 1, 0);
  abut_law_at at = {p.x, p.s.dhat, 1000};
  for (size_t k = 0; k < sizeof oracle / sizeof *oracle; k++) {
    p.x[0] = v3(oracle[k].p[0], oracle[k].p[1], oracle[k].p[2]);
    abut_contact c = measure_pair(&p, p.x);
    double e;
    vec3 g[4];
    abut_law_offset.energy(&at, &c, 0, 1, &e);
    abut_law_offset.gradient(&at, &c, 0, 1, g);
    for (int i = 0; i < 3; i++) assert_near(-c.at.w[i + 1], oracle[k].bary[i], 1e-13);
    assert_close(c.d - c.offset, oracle[k].gap, 1e-13);
    assert_close(e, oracle[k].energy, 1e-10);
    assert_close(-abut_law_offset.force(&at, &c), oracle[k].slope, 1e-10);
    assert_close(v3_dot(g[0], c.n), oracle[k].slope, 1e-10);
  }
  pair_scene_surface(&p, ABUT_BALL_BALL, 0.052 / 1.5, 7, 0.02); /* gap counts for nothing here */
  p.x[0] = v3(.01, .02, .03), p.x[1] = v3(.06, .05, .02);
  abut_contact c = measure_pair(&p, p.x);
  assert_close(c.d - c.offset, 0.007160797830996157, 1e-13);
}

static void springs_have_the_numbers_of_the_oracle(void **state)
{
  (void)state;
  vec3 x[2] = {v3(.01, .02, .03), v3(.05, .06, .01)}, g;
  int v[2] = {0, 1};
  tie_element tie = {250, 0.05};
  grad2 t;
  hess2 h;
  double e;
  k_tie_energy(0, 1, x, v, &tie, &e);
  k_tie_gradient(0, 1, x, v, &tie, &t);
  k_tie_hessian(0, 1, x, v, &tie, 0, &h);
  assert_close(e, 0.0125, 1e-12);
  assert_close(t.g[0].x, -5.0 / 3, 1e-12);
  assert_close(t.g[0].y, -5.0 / 3, 1e-12);
  assert_close(t.g[0].z, 5.0 / 6, 1e-12);
  assert_below(v3_norm(v3_add(t.g[0], t.g[1])), 1e-15);
  /* along the spring k, sideways k (1 - L/l) */
  vec3 along = v3_unit(v3_sub(x[0], x[1])), side = v3_perpendicular(along);
  assert_close(v3_dot(along, m3_apply(h.k[0], along)), 250.0, 1e-12);
  assert_close(v3_dot(side, m3_apply(h.k[0], side)), 250.0 / 6, 1e-12);

  vec3 at = v3(.15, -.1, .33);
  support_element support = {120, v3(.1, -.2, .3)};
  mat3 k;
  k_support_energy(0, 1, &at, v, &support, &e);
  k_support_gradient(0, 1, &at, v, &support, &g);
  k_support_hessian(0, 1, &support, &k);
  assert_close(e, 60 * (.0025 + .01 + .0009), 1e-12);
  assert_below(v3_norm(v3_sub(g, v3(6, 12, 3.6))), 1e-13);
  assert_true(k.m[0] == 120 && k.m[4] == 120 && k.m[8] == 120 && k.m[1] == 0);
}

static bool shares_a_vertex(const int32_t v[4], int n)
{
  for (int i = 0; i < n; i++)
    for (int j = i + 1; j < n; j++)
      if (v[i] == v[j]) return true;
  return false;
}

/* number of pairs of primitives of one kind */
static void extent(const abut_surface *s, abut_pair_kind kind, int32_t *a, int32_t *b)
{
  bool ball = kind == ABUT_BALL_FACE || kind == ABUT_BALL_BALL || kind == ABUT_BALL_PLANE;
  *a = kind == ABUT_EDGE_EDGE ? s->edges : ball ? s->spheres : s->points;
  bool faces = kind == ABUT_VERTEX_FACE || kind == ABUT_BALL_FACE;
  bool planes = kind == ABUT_VERTEX_PLANE || kind == ABUT_BALL_PLANE;
  *b = faces ? s->faces : planes ? s->planes : *a;
}

/* every pair that is nearer than reach, in the order of keys, by measuring all */
static void contacts_are_those_of_brute_force(void **state)
{
  (void)state;
  abut_context ctx;
  abut_context_init(&ctx, NULL, 2);
  for (unsigned number = 0; number < 6; number++) {
    surface_scene c;
    scene_of_everything(&ctx, &c, number, v3(0, 0, 0));
    abut_candidates k = {0};
    abut_contact_set found = {0};
    double reach = number % 2 ? 0.02 : 0.005, least = INFINITY;
    assert_ok(abut_candidates_find(&ctx, &k, &c.s, c.prescribed, c.x, NULL, 0.02));
    assert_ok(abut_contact_set_find(&ctx, &c.s, &k, c.x, reach, &found));
    int64_t at = 0;
    uint64_t tightest = 0;
    for (int kind = 0; kind < ABUT_PAIR_KINDS; kind++) {
      int32_t a1, b1;
      extent(&c.s, (abut_pair_kind)kind, &a1, &b1);
      bool within = kind == ABUT_EDGE_EDGE || kind == ABUT_BALL_BALL;
      for (int32_t a = 0; a < a1; a++)
        for (int32_t b = within ? a + 1 : 0; b < b1; b++) {
          uint64_t key = abut_pair_key((abut_pair_kind)kind, a, b);
          int32_t v[4];
          int n = abut_pair_vertices(&c.s, key, v);
          bool held = true;
          for (int i = 0; i < n; i++) held = held && c.prescribed[v[i]];
          abut_contact m = abut_contact_measure(&c.s, key, c.x);
          if (held || shares_a_vertex(v, n) || m.d >= m.offset + reach) continue;
          assert_true(at < found.count && found.item[at].key == key);
          const abut_contact *f = &found.item[at++];
          assert_true(f->d == m.d && f->offset == m.offset && f->mollify == m.mollify);
          assert_true(memcmp(f->vertex, m.vertex, sizeof m.vertex) == 0);
          assert_true(memcmp(&f->n, &m.n, sizeof m.n) == 0);
          assert_true(memcmp(f->at.w, m.at.w, sizeof m.at.w) == 0);
          if (m.d - m.offset < least) least = m.d - m.offset, tightest = key;
        }
    }
    assert_true(at == found.count && at > 50);
    uint64_t pair;
    assert_true(abut_contact_set_least_gap(&found, &pair) == least && pair == tightest);
    abut_contact_set_free(&ctx, &found);
    abut_candidates_free(&ctx, &k);
    scene_free(&ctx, &c);
  }
  abut_context_free(&ctx);
}

/* case C27: faces in one plane that overlap are at distance 0, not clean */
static void coplanar_faces_that_overlap_are_in_contact(void **state)
{
  (void)state;
  static const struct {
    double shift[3], distance;
  } cases[] = {{{0, 0, 0}, 0},
               {{3, 3, 0}, 2.8284271247461903},
               {{10, 0, 0}, 7.0710678118654755},
               {{0, 0, 1e-9}, 1e-9}};
  abut_context ctx;
  abut_context_init(&ctx, NULL, 1);
  for (int k = 0; k < 4; k++) {
    static const double corner[6][2] = {{0, 0}, {4, 0}, {0, 4}, {1, 1}, {5, 1}, {1, 5}};
    surface_scene c;
    scene_init(&ctx, &c, 6, 10, 0);
    for (int i = 0; i < 6; i++) {
      const double *by = cases[k].shift;
      vec3 x = v3(corner[i][0], corner[i][1], 0);
      if (i > 2) x = v3_add(x, v3(by[0], by[1], by[2]));
      scene_point(&c, scene_vertex(&c, x), i / 3);
    }
    for (int i = 0; i < 6; i++) scene_edge(&c, i, i - i % 3 + (i + 1) % 3, i / 3);
    for (int i = 0; i < 6; i += 3) scene_face(&c, i, i + 1, i + 2, i / 3);
    scene_end_of_deformables(&c);
    abut_candidates pairs = {0};
    abut_contact_set found = {0};
    assert_ok(abut_candidates_find(&ctx, &pairs, &c.s, c.prescribed, c.x, NULL, 10));
    assert_ok(abut_contact_set_find(&ctx, &c.s, &pairs, c.x, 10, &found));
    double gap = abut_contact_set_least_gap(&found, NULL), energy = 0, e;
    assert_near(gap, cases[k].distance, 1e-15);
    for (int64_t i = 0; i < found.count; i++) {
      abut_law_at at = {c.x, 10, 1};
      abut_law_ipc.energy(&at, &found.item[i], 0, 1, &e);
      energy += e;
    }
    assert_true(k == 0 ? energy == (double)INFINITY : isfinite(energy) && energy > 0);
    abut_contact_set_free(&ctx, &found);
    abut_candidates_free(&ctx, &pairs);
    scene_free(&ctx, &c);
  }
  abut_context_free(&ctx);
}

/* ---- step bounds ---- */

/* two layers that come together evenly (so that many pairs tie) or at random */
static void closing_layers(abut_context *ctx, surface_scene *c, bool evenly)
{
  unsigned long long seed = 4;
  scene_init(ctx, c, 2000, 0.05, 0.001);
  scene_sheet(c, 24, 24, v3(0, 0, 0), v3(.125, 0, 0), v3(0, .125, 0), 0);
  scene_sheet(c, 24, 24, v3(.03125, .0625, .25), v3(.125, 0, 0), v3(0, .125, 0), 1);
  for (int k = 0; k < 20; k++) scene_ball(c, v3(.15 * k, 1, -0.05), 0.02, 2);
  scene_end_of_deformables(c);
  scene_plane(c, v3(0, 0, -0.1), v3(0, 0, 1), 3);
  if (!evenly) scene_move_at_random(c, &seed, 0.4);
  for (int32_t v = 576; v < 1152; v++) c->p[v].z -= 0.5;
}

/* the bound is the smallest over all pairs, each asked alone, and the first such pair by key */
static void the_bound_is_that_of_the_tightest_pair(void **state)
{
  (void)state;
  static const int threads[] = {1, 2, 8};
  for (int evenly = 0; evenly < 2; evenly++) {
    abut_context ctx;
    abut_context_init(&ctx, NULL, 1);
    surface_scene c;
    closing_layers(&ctx, &c, evenly);
    abut_candidates k = {0};
    assert_ok(abut_candidates_find(&ctx, &k, &c.s, c.prescribed, c.x, c.p, 0));
    abut_ccd_limit expected = {1, 0, CCD_CLEAR};
    for (int64_t i = 0; i < k.count; i++) {
      ccd_answer a = abut_ccd_pair(&c.s, k.key[i], c.x, c.p, 0, 1);
      bool tie = a.t == expected.alpha && k.key[i] < expected.pair;
      if (a.status == CCD_CLEAR || (a.t >= expected.alpha && !tie)) continue;
      expected = (abut_ccd_limit){a.t, k.key[i], a.status};
    }
    assert_true(expected.alpha > 0 && expected.alpha < 1 && k.count > 10000);
    if (evenly) assert_near(expected.alpha, 0.9 * (0.25 - 0.001) / 0.5, 1e-12);
    for (int shuffle = 0; shuffle < 6; shuffle++) {
      ctx.threads = threads[shuffle % 3];
      abut_ccd_limit limit = abut_ccd_bound(&ctx, &c.s, &k, c.x, c.p);
      assert_true(limit.alpha == expected.alpha && limit.pair == expected.pair);
      assert_int_equal(limit.status, expected.status);
      /* candidates come in no particular order */
      unsigned long long seed = (unsigned)shuffle + 1;
      for (int64_t i = k.count - 1; i > 0; i--) {
        int64_t j = (int64_t)(0.5 * (1 + test_random(&seed)) * (double)i);
        uint64_t swap = k.key[i];
        k.key[i] = k.key[j];
        k.key[j] = swap;
      }
    }
    abut_candidates_free(&ctx, &k);
    scene_free(&ctx, &c);
    abut_context_free(&ctx);
  }
}

static double gap_of(const surface_scene *c, uint64_t key)
{
  abut_contact m = abut_contact_measure(&c->s, key, c->x);
  return m.d - m.offset;
}

/* after the step that the bound allows, every pair is above its offset, and again, and again: the
   gap shrinks but never closes, and the tightest pair keeps a tenth of its own */
static void bounded_steps_never_close_a_gap(void **state)
{
  (void)state;
  abut_context ctx;
  abut_context_init(&ctx, NULL, 2);
  surface_scene c;
  closing_layers(&ctx, &c, false);
  abut_candidates k = {0};
  abut_contact_set near = {0};
  unsigned long long seed = 9;
  double gap = 1;
  for (int step = 0; step < 30; step++) {
    assert_ok(abut_candidates_find(&ctx, &k, &c.s, c.prescribed, c.x, c.p, 0.1));
    abut_ccd_limit limit = abut_ccd_bound(&ctx, &c.s, &k, c.x, c.p);
    /* until the absolute floor, 16 units in the last place of the coordinates */
    assert_true(limit.alpha > 0 || gap < 1e-13);
    bool cut = limit.alpha < 1;
    double start = cut ? gap_of(&c, limit.pair) : 0;
    for (int32_t v = 0; v < c.s.vertices; v++) c.x[v] = v3_madd(c.x[v], c.p[v], limit.alpha);
    if (cut && start > 1e-10) assert_true(gap_of(&c, limit.pair) >= 0.0999 * start);
    assert_ok(abut_candidates_find(&ctx, &k, &c.s, c.prescribed, c.x, NULL, 0.1));
    assert_ok(abut_contact_set_find(&ctx, &c.s, &k, c.x, 0.1, &near));
    gap = abut_contact_set_least_gap(&near, NULL);
    assert_true(gap > 0);
    if (step % 3 == 2)
      for (int32_t v = 0; v < c.s.vertices; v++)
        c.p[v] = v3_add(sample_vec(&seed, 0.1), v3(0, 0, v < 576 ? 0.2 : -0.2));
  }
  abut_contact_set_free(&ctx, &near);
  abut_candidates_free(&ctx, &k);
  scene_free(&ctx, &c);
  abut_context_free(&ctx);
}

/* ---- memory ---- */

typedef struct scarce {
  int64_t calls, fail_at; /* 0: never */
} scarce;

static void *scarce_alloc(void *ctx, size_t size)
{
  scarce *s = ctx;
  return ++s->calls == s->fail_at ? NULL : malloc(size);
}

static void scarce_free(void *ctx, void *block, size_t size)
{
  (void)ctx;
  (void)size;
  free(block);
}

/* two searches, the obstacles moving in between; what is found in the end */
static abut_status search_twice(abut_context *ctx, surface_scene *c, abut_candidates *k,
                                abut_contact_set *contacts)
{
  for (int turn = 0; turn < 2; turn++) {
    for (int32_t v = c->s.dynamic; v < c->s.vertices; v++) c->p[v] = v3(0, 0, 0.1 * turn);
    ABUT_TRY(abut_candidates_find(ctx, k, &c->s, c->prescribed, c->x, c->p, 0.02));
    ABUT_TRY(abut_contact_set_find(ctx, &c->s, k, c->x, 0.02, contacts));
  }
  return ABUT_OK;
}

/* Each allocation fails once: the call says so, nothing leaks, and the same search tried again
   finds everything. */
static void running_out_of_memory_is_survived(void **state)
{
  (void)state;
  int64_t pairs = 0, expected = 0, touching = 0;
  bool more = true;
  for (int64_t fail_at = 0; more; fail_at++) {
    scarce memory = {0, 0};
    abut_allocator allocator = {scarce_alloc, scarce_free, &memory};
    abut_context ctx;
    abut_context_init(&ctx, &allocator, 1 + (int)(fail_at % 2));
    surface_scene c;
    scene_of_everything(&ctx, &c, 1, v3(0, 0, 0));
    abut_candidates k = {0};
    abut_contact_set contacts = {0};
    memory = (scarce){0, fail_at};
    abut_status status = search_twice(&ctx, &c, &k, &contacts);
    more = fail_at == 0 || memory.calls >= fail_at;
    assert_int_equal(status, fail_at && more ? ABUT_NO_MEMORY : ABUT_OK);
    abut_error_clear(&ctx);
    assert_ok(abut_candidates_find(&ctx, &k, &c.s, c.prescribed, c.x, c.p, 0.02));
    assert_ok(abut_contact_set_find(&ctx, &c.s, &k, c.x, 0.02, &contacts));
    if (status == ABUT_OK) expected = k.count, touching = contacts.count;
    /* the second search's, unless the first one failed already */
    for (int32_t v = c.s.dynamic; v < c.s.vertices; v++) c.p[v] = v3(0, 0, 0.1);
    assert_ok(abut_candidates_find(&ctx, &k, &c.s, c.prescribed, c.x, c.p, 0.02));
    assert_true(k.count == expected && contacts.count == touching);
    pairs += k.count;
    abut_contact_set_free(&ctx, &contacts);
    abut_candidates_free(&ctx, &k);
    scene_free(&ctx, &c);
    abut_context_free(&ctx);
    assert_int_equal(ctx.live, 0);
    assert_int_equal(ctx.bytes, 0);
  }
  assert_true(pairs > 0);
}

/* A warm search makes no call of the allocator. */
static void a_warm_search_allocates_nothing(void **state)
{
  (void)state;
  abut_context ctx;
  abut_context_init(&ctx, NULL, 2);
  surface_scene c;
  scene_of_everything(&ctx, &c, 1, v3(0, 0, 0));
  abut_candidates k = {0};
  abut_contact_set contacts = {0};
  for (int turn = 0; turn < 2; turn++) assert_ok(search_twice(&ctx, &c, &k, &contacts));
  int64_t before = ctx.allocations;
  assert_ok(search_twice(&ctx, &c, &k, &contacts));
  assert_true(ctx.allocations == before);
  abut_contact_set_free(&ctx, &contacts);
  abut_candidates_free(&ctx, &k);
  scene_free(&ctx, &c);
  abut_context_free(&ctx);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(spheres_have_the_numbers_of_the_oracle),
      cmocka_unit_test(springs_have_the_numbers_of_the_oracle),
      cmocka_unit_test(contacts_are_those_of_brute_force),
      cmocka_unit_test(coplanar_faces_that_overlap_are_in_contact),
      cmocka_unit_test(the_bound_is_that_of_the_tightest_pair),
      cmocka_unit_test(bounded_steps_never_close_a_gap),
      cmocka_unit_test(running_out_of_memory_is_survived),
      cmocka_unit_test(a_warm_search_allocates_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
