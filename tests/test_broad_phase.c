/* The broad phase against brute force over all pairs: nothing missing, nothing extra, the same for
   any history of the trees, any number of threads, and when memory runs out. */
#include "cmocka_all.h"

#include "surface_scenes.h"
#include "true_distance.h"

#include "base/sort.h"

/* ---- brute force ---- */

typedef struct key_set {
  uint64_t *key;
  int64_t count;
} key_set;

static void sort_set(key_set *k)
{
  uint64_t *other = malloc((size_t)(k->count + 1) * sizeof *other);
  abut_sort_keys(k->key, other, k->count);
  free(other);
}

static key_set copy_of(const abut_candidates *c)
{
  key_set k = {malloc((size_t)(c->count + 1) * sizeof(uint64_t)), c->count};
  if (c->count) memcpy(k.key, c->key, (size_t)c->count * sizeof(uint64_t));
  sort_set(&k);
  return k;
}

static bool has(const key_set *k, uint64_t key)
{
  int64_t low = 0, high = k->count;
  while (low < high) {
    int64_t middle = (low + high) / 2;
    if (k->key[middle] < key)
      low = middle + 1;
    else
      high = middle;
  }
  return low < k->count && k->key[low] == key;
}

static bool same_sets(const key_set *a, const key_set *b)
{
  return a->count == b->count && memcmp(a->key, b->key, (size_t)a->count * sizeof *a->key) == 0;
}

/* how many primitives of the first (second) side a kind has */
static int32_t primitives(const abut_surface *s, abut_pair_kind kind, bool second)
{
  switch (kind) {
  case ABUT_VERTEX_FACE: return second ? s->faces : s->points;
  case ABUT_EDGE_EDGE: return s->edges;
  case ABUT_BALL_FACE: return second ? s->faces : s->spheres;
  case ABUT_BALL_BALL: return s->spheres;
  case ABUT_VERTEX_PLANE: return second ? s->planes : s->points;
  default: return second ? s->planes : s->spheres;
  }
}

/* may the pair count at all? spelled out from the header's words */
static bool allowed(const surface_scene *c, uint64_t key)
{
  int32_t v[4], object[2];
  int n = abut_pair_vertices(&c->s, key, v);
  bool held = true;
  for (int i = 0; i < n; i++) {
    held = held && c->prescribed[v[i]];
    for (int j = i + 1; j < n; j++)
      if (v[i] == v[j]) return false;
  }
  abut_pair_objects(&c->s, key, object);
  return !held && abut_pair_enabled(&c->s.rules, object[0], object[1]);
}

typedef void pair_fn(void *arg, const surface_scene *c, uint64_t key);

static void for_all_pairs(const surface_scene *c, pair_fn *fn, void *arg)
{
  for (int k = 0; k < ABUT_PAIR_KINDS; k++) {
    abut_pair_kind kind = (abut_pair_kind)k;
    bool within = kind == ABUT_EDGE_EDGE || kind == ABUT_BALL_BALL;
    for (int32_t a = 0; a < primitives(&c->s, kind, false); a++)
      for (int32_t b = within ? a + 1 : 0; b < primitives(&c->s, kind, true); b++) {
        uint64_t key = abut_pair_key(kind, a, b);
        if (allowed(c, key)) fn(arg, c, key);
      }
  }
}

typedef struct box_check {
  const key_set *found;
  const vec3 *p; /* NULL: nothing moves */
  double margin;
  int64_t must, may;
} box_check;

static double part_of(vec3 a, int axis)
{
  return axis == 0 ? a.x : axis == 1 ? a.y : a.z;
}

/* how far the swept boxes of both primitives are from each other along the worst axis, m */
static double boxes_apart(const surface_scene *c, uint64_t key, const vec3 *p)
{
  int32_t v[4];
  int n = abut_pair_vertices(&c->s, key, v);
  int sides = abut_pair_kind_of(key) == ABUT_EDGE_EDGE ? 2 : 1;
  double apart = -INFINITY;
  for (int axis = 0; axis < 3; axis++) {
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    for (int k = 0; k < n; k++) {
      double start = part_of(c->x[v[k]], axis), end = start + (p ? part_of(p[v[k]], axis) : 0);
      low[k >= sides] = fmin(low[k >= sides], fmin(start, end));
      high[k >= sides] = fmax(high[k >= sides], fmax(start, end));
    }
    apart = fmax(apart, fmax(low[0] - high[1], low[1] - high[0]));
  }
  return apart;
}

/* distance to a plane at the nearer end of the path */
static double plane_apart(const surface_scene *c, uint64_t key, const vec3 *p)
{
  int32_t v[4], plane = abut_pair_second(key);
  abut_pair_vertices(&c->s, key, v);
  vec3 n = c->s.plane_normal[plane];
  double d = v3_dot(n, v3_sub(c->x[v[0]], c->s.plane_point[plane]));
  return p ? fmin(d, d + v3_dot(n, p[v[0]])) : d;
}

/* does the pair come nearer than reach at one of eleven moments? */
static bool comes_near(const surface_scene *c, uint64_t key, const vec3 *p, double reach)
{
  int32_t v[4];
  int n = abut_pair_vertices(&c->s, key, v);
  for (int k = 0; k <= (p ? 10 : 0); k++) {
    long3 x[4];
    for (int i = 0; i < n; i++) {
      x[i] = l3_of(c->x[v[i]]);
      if (p) x[i] = l3_madd(x[i], l3_of(p[v[i]]), 0.1L * k);
    }
    if (true_distance(abut_pair_kind_of(key), x) < reach) return true;
  }
  return false;
}

/* Pairs that come within reach must be found, those whose boxes are clearly apart must not. Boxes
   of balls and faces both carry half the gap, which is more than their offset. */
static void check_box(void *arg, const surface_scene *c, uint64_t key)
{
  box_check *check = arg;
  abut_pair_kind kind = abut_pair_kind_of(key);
  bool plane = kind == ABUT_VERTEX_PLANE || kind == ABUT_BALL_PLANE;
  double apart = plane ? plane_apart(c, key, check->p) : boxes_apart(c, key, check->p);
  double reach = abut_pair_offset(&c->s, key) + check->margin, size = 0;
  double carried = kind == ABUT_BALL_FACE ? 0.5 * c->s.gap : kind == ABUT_BALL_BALL ? c->s.gap : 0;
  bool balls = kind == ABUT_BALL_FACE || kind == ABUT_BALL_BALL || plane;
  int32_t v[4];
  int n = abut_pair_vertices(&c->s, key, v);
  for (int k = 0; k < n; k++)
    size = fmax(size, v3_max_abs(c->x[v[k]]) + (check->p ? v3_max_abs(check->p[v[k]]) : 0));
  bool found = has(check->found, key);
  if (balls ? apart < reach : apart < reach && comes_near(c, key, check->p, reach)) {
    check->must++;
    if (!found)
      print_error("missing: kind %d, %d and %d\n", kind, abut_pair_first(key),
                  abut_pair_second(key));
    assert_true(found);
  }
  check->may += apart < reach + carried + 1e-6 * size;
  if (found && apart >= reach + carried + 1e-6 * size) fail_msg("pair too far apart was found");
}

static key_set find(abut_context *ctx, abut_candidates *k, const surface_scene *c, const vec3 *p,
                    double margin)
{
  assert_ok(abut_candidates_find(ctx, k, &c->s, c->prescribed, c->x, p, margin));
  return copy_of(k);
}

/* the pairs that brute force finds, and few more; returns how many */
static int64_t check_scene(abut_context *ctx, const surface_scene *c, const vec3 *p, double margin)
{
  abut_candidates k = {0};
  key_set found = find(ctx, &k, c, p, margin);
  for (int64_t i = 0; i < found.count; i++) {
    assert_true(allowed(c, found.key[i]));
    if (i) assert_true(found.key[i] > found.key[i - 1]); /* no repeats */
  }
  box_check check = {&found, p, margin, 0, 0};
  for_all_pairs(c, check_box, &check);
  assert_true(check.must <= found.count && found.count <= check.may);
  free(found.key);
  abut_candidates_free(ctx, &k);
  return check.must;
}

static void candidates_are_those_of_brute_force(void **state)
{
  (void)state;
  static const double moves[] = {0, 1e-3, 0.05, 0.5};
  abut_context ctx;
  abut_context_init(&ctx, NULL, 1);
  int64_t pairs = 0;
  for (unsigned k = 0; k < 16; k++) {
    surface_scene c;
    unsigned long long seed = k + 5;
    scene_of_everything(&ctx, &c, k, v3(0, 0, 0));
    scene_move_at_random(&c, &seed, moves[k % 4]);
    /* some rules off: an object with itself, two objects, everything with a plane */
    if (k % 3 == 1) c.s.rules.self_enabled[0] = c.s.rules.self_enabled[4] = false;
    if (k % 3 == 2)
      for (int j = 0; j < SCENE_OBJECTS; j++)
        c.s.rules.enabled[1 * SCENE_OBJECTS + j] = c.s.rules.enabled[j * SCENE_OBJECTS + 1] = false;
    pairs += check_scene(&ctx, &c, k % 4 ? c.p : NULL, k % 5 ? 0.02 : 0);
    scene_free(&ctx, &c);
  }
  assert_true(pairs > 20000);
  assert_int_equal(ctx.live, ctx.scratch_first ? 1 : 0);
  abut_context_free(&ctx);
}

/* boxes have 24 bits: far away they are coarse, and must err outward */
static void far_scenes_miss_nothing(void **state)
{
  (void)state;
  abut_context ctx;
  abut_context_init(&ctx, NULL, 1);
  static const double away[] = {1e3, 1e5, 1e8};
  for (unsigned k = 0; k < 3; k++) {
    surface_scene c;
    unsigned long long seed = k + 5;
    scene_of_everything(&ctx, &c, k, v3(away[k], -away[k], 0.3 * away[k]));
    scene_move_at_random(&c, &seed, 0.01);
    check_scene(&ctx, &c, c.p, 0.02);
    scene_free(&ctx, &c);
  }
  abut_context_free(&ctx);
}

/* the promise itself, whatever the boxes say */
static void check_distance(void *arg, const surface_scene *c, uint64_t key)
{
  const box_check *check = arg;
  abut_pair_kind kind = abut_pair_kind_of(key);
  if (kind == ABUT_VERTEX_PLANE || kind == ABUT_BALL_PLANE) return;
  if (comes_near(c, key, check->p, abut_pair_offset(&c->s, key) + check->margin))
    assert_true(has(check->found, key));
}

static void every_pair_that_comes_near_is_a_candidate(void **state)
{
  (void)state;
  abut_context ctx;
  abut_context_init(&ctx, NULL, 1);
  for (unsigned k = 0; k < 2; k++) {
    surface_scene c;
    unsigned long long seed = k + 5;
    scene_of_everything(&ctx, &c, k, v3(0, 0, 0));
    scene_move_at_random(&c, &seed, 0.1);
    abut_candidates cand = {0};
    key_set found = find(&ctx, &cand, &c, c.p, 0.01);
    box_check check = {&found, c.p, 0.01, 0, 0};
    for_all_pairs(&c, check_distance, &check);
    free(found.key);
    abut_candidates_free(&ctx, &cand);
    scene_free(&ctx, &c);
  }
  abut_context_free(&ctx);
}

/* Trees are refitted, worn out and built anew, obstacles stand still, move, and stand still again:
   the pairs are those of fresh trees every time. */
static void the_past_of_the_trees_does_not_matter(void **state)
{
  (void)state;
  abut_context ctx;
  abut_context_init(&ctx, NULL, 2);
  surface_scene c;
  unsigned long long seed = 8;
  scene_of_everything(&ctx, &c, 1, v3(0, 0, 0));
  abut_candidates old = {0};
  for (int step = 0; step < 80; step++) {
    bool obstacles_move = step > 20 && step < 40;
    double size = step % 20 == 19 ? 0.4 : 0.01;
    scene_move_at_random(&c, &seed, size);
    for (int32_t v = c.s.dynamic; v < c.s.vertices && !obstacles_move; v++) c.p[v] = v3(0, 0, 0);
    abut_candidates fresh = {0};
    const vec3 *p = step % 7 ? c.p : NULL;
    double margin = step % 30 < 28 ? 0.02 : 0.03;
    key_set a = find(&ctx, &old, &c, p, margin), b = find(&ctx, &fresh, &c, p, margin);
    assert_true(same_sets(&a, &b));
    free(a.key);
    free(b.key);
    abut_candidates_free(&ctx, &fresh);
    for (int32_t v = 0; v < c.s.vertices; v++) c.x[v] = v3_add(c.x[v], c.p[v]);
  }
  abut_candidates_free(&ctx, &old);
  scene_free(&ctx, &c);
  abut_context_free(&ctx);
}

static void threads_do_not_change_the_pairs(void **state)
{
  (void)state;
  static const int threads[] = {1, 2, 8};
  abut_context ctx;
  abut_context_init(&ctx, NULL, 1);
  surface_scene c;
  unsigned long long seed = 8;
  scene_init(&ctx, &c, 6000, 0.05, 0);
  scene_sheet(&c, 50, 50, v3(0, 0, 0), v3(.1, 0, 0), v3(0, .1, 0), 0);
  scene_sheet(&c, 50, 50, v3(.02, .03, .05), v3(.1, 0, 0), v3(0, .1, 0), 1);
  for (int k = 0; k < 300; k++)
    scene_ball(&c, v3_add(v3(2.5, 2.5, 0), sample_vec(&seed, 2)), 0.1, 2);
  scene_end_of_deformables(&c);
  scene_move_at_random(&c, &seed, 0.1);
  key_set first = {0};
  abut_contact_set contacts[3] = {{0}};
  for (int k = 0; k < 3; k++) {
    ctx.threads = threads[k];
    abut_candidates cand = {0};
    key_set found = find(&ctx, &cand, &c, c.p, 0.05);
    assert_ok(abut_contact_set_find(&ctx, &c.s, &cand, c.x, 0.05, &contacts[k]));
    abut_candidates_free(&ctx, &cand);
    if (k == 0) {
      first = found;
      continue;
    }
    assert_true(same_sets(&first, &found));
    free(found.key);
    assert_true(contacts[k].count == contacts[0].count);
    for (int64_t i = 0; i < contacts[k].count; i++) {
      const abut_contact *p = &contacts[k].item[i], *q = &contacts[0].item[i];
      assert_true(p->key == q->key && p->d == q->d && memcmp(&p->n, &q->n, sizeof p->n) == 0);
    }
  }
  assert_true(first.count > 100000 && contacts[0].count > 1000);
  free(first.key);
  for (int k = 0; k < 3; k++) abut_contact_set_free(&ctx, &contacts[k]);
  scene_free(&ctx, &c);
  abut_context_free(&ctx);
}

static void many_pairs_in_one_spot_are_all_found(void **state)
{
  (void)state;
  abut_context ctx;
  abut_context_init(&ctx, NULL, 2);
  surface_scene c;
  unsigned long long seed = 8;
  scene_init(&ctx, &c, 1200, 0.05, 0);
  scene_soup(&c, &seed, 150, v3(0, 0, 0), 0.001, 1, 0);
  for (int k = 0; k < 500; k++) scene_ball(&c, sample_vec(&seed, 0.001), 0.1, 2);
  scene_end_of_deformables(&c);
  abut_candidates cand = {0};
  key_set found = find(&ctx, &cand, &c, NULL, 4);
  /* 450 vertices with 149 faces each, 450 edges with 447 others, 500 balls with 150 faces and
     each other */
  assert_true(found.count == 450 * 149 + 450 * 447 / 2 + 500 * 150 + 500 * 499 / 2);
  free(found.key);
  abut_candidates_free(&ctx, &cand);
  scene_free(&ctx, &c);
  abut_context_free(&ctx);
}

static void scenes_of_nothing_and_of_one_thing_are_fine(void **state)
{
  (void)state;
  abut_context ctx;
  abut_context_init(&ctx, NULL, 2);
  for (int k = 0; k < 5; k++) {
    surface_scene c;
    scene_init(&ctx, &c, 10, 0.1, 0);
    if (k == 1) scene_ball(&c, v3(0, 0, 0), 1, 0);
    if (k == 2) scene_point(&c, scene_vertex(&c, v3(0, 0, 0)), 0);
    if (k == 3)
      scene_face(&c, scene_vertex(&c, v3(0, 0, 0)), scene_vertex(&c, v3(1, 0, 0)),
                 scene_vertex(&c, v3(0, 1, 0)), 0);
    scene_end_of_deformables(&c);
    if (k == 4) scene_sheet(&c, 2, 2, v3(0, 0, 0), v3(1, 0, 0), v3(0, 1, 0), 0);
    scene_hold_obstacles(&c);
    abut_candidates cand = {0};
    abut_contact_set contacts = {0};
    for (int twice = 0; twice < 2; twice++) {
      assert_ok(abut_candidates_find(&ctx, &cand, &c.s, c.prescribed, c.x, c.p, 1));
      assert_true(cand.count == 0);
      assert_ok(abut_contact_set_find(&ctx, &c.s, &cand, c.x, 1, &contacts));
      assert_true(contacts.count == 0);
      assert_true(abut_contact_set_least_gap(&contacts, NULL) == (double)INFINITY);
    }
    abut_contact_set_free(&ctx, &contacts);
    abut_candidates_free(&ctx, &cand);
    scene_free(&ctx, &c);
  }
  abut_context_free(&ctx);
}

/* A box from -infinity to infinity had no centre, and putting such centres in order left the array:
   reported as a crash with gravity [0, 0, -1e100]. */
static void boxes_that_float32_does_not_hold_are_refused(void **state)
{
  (void)state;
  enum { COUNT = 300 };
  static const float far[] = {INFINITY, -INFINITY, NAN, 1e38f, -3e38f};
  static abut_box box[COUNT];
  abut_context ctx;
  abut_context_init(&ctx, NULL, 1);
  abut_bvh tree = {0};
  for (int k = 0; k < 5; k++)
    for (int all = 0; all < 3; all++) {
      for (int i = 0; i < COUNT; i++) box[i] = (abut_box){{(float)i, 0, 0}, {(float)(i + 1), 1, 1}};
      assert_ok(abut_bvh_update(&ctx, &tree, box, COUNT));
      for (int i = all ? 0 : COUNT - 1; i < COUNT; i++) {
        if (all < 2) box[i].low[k % 3] = far[k];
        if (all > 0) box[i].high[k % 3] = -far[k];
      }
      assert_int_equal(abut_bvh_update(&ctx, &tree, box, COUNT), ABUT_STOPPED);
      assert_non_null(strstr(ctx.error.message, "farther than 1e+38 m"));
      abut_error_clear(&ctx);
    }
  abut_bvh_free(&ctx, &tree);
  abut_context_free(&ctx);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(candidates_are_those_of_brute_force),
      cmocka_unit_test(far_scenes_miss_nothing),
      cmocka_unit_test(every_pair_that_comes_near_is_a_candidate),
      cmocka_unit_test(the_past_of_the_trees_does_not_matter),
      cmocka_unit_test(threads_do_not_change_the_pairs),
      cmocka_unit_test(many_pairs_in_one_spot_are_all_found),
      cmocka_unit_test(scenes_of_nothing_and_of_one_thing_are_fine),
      cmocka_unit_test(boxes_that_float32_does_not_hold_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
