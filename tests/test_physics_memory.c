/* Memory: a warm step asks for none, and any request that is refused ends in ABUT_NO_MEMORY with
   nothing lost and nothing leaked. */
#include "physics.h"

typedef struct counter {
  int64_t calls, live, fail_at; /* fail_at 0: never; the n-th call and all after it when lasting */
  bool lasting;
  size_t bytes;
} counter;

static void *count_alloc(void *ctx, size_t size)
{
  counter *c = ctx;
  c->calls++;
  bool refuse = c->fail_at && (c->calls == c->fail_at || (c->lasting && c->calls > c->fail_at));
  void *block = refuse ? NULL : malloc(size);
  if (block) c->live++, c->bytes += size;
  return block;
}

static void count_free(void *ctx, void *block, size_t size)
{
  counter *c = ctx;
  c->live--;
  c->bytes -= size;
  free(block);
}

static abut_settings counted(counter *c)
{
  abut_settings settings = abut_settings_default();
  settings.threads = 1;
  settings.allocator = (abut_allocator){count_alloc, count_free, c};
  return settings;
}

static char *plain(char *text)
{
  for (char *c = text; *c; c++)
    if (*c == '\'') *c = '"';
  return text;
}

/* ---- warm steps ---- */

/* Two blocks, a cloth and spheres that have settled on each other, with friction. */
static void a_warm_step_asks_for_no_memory(void **state)
{
  (void)state;
  for (int m = 0; m < PHYSICS_METHODS; m++) {
    char text[2048];
    snprintf(
        text, sizeof text,
        "{'abut': 1, 'time': {'step': 0.02, 'end': 99}, 'method': '%s', 'contact': {'dhat':"
        "2e-3, 'friction': 0.5}, 'materials': {'m': {'model': 'neo_hookean', 'youngs_modulus':"
        "1e5, 'poissons_ratio': 0.3, 'density': 1000}, 'f': {'model': 'stvk',"
        "'youngs_modulus': 1e5, 'poissons_ratio': 0.3, 'density': 300, 'thickness': 1e-3}},"
        "'objects': [{'name': 'low', 'kind': 'solid', 'material': 'm', 'mesh': {'shape': 'box',"
        " 'size': [0.2, 0.2, 0.1], 'cells': [2, 2, 1]}, 'transform': {'translate':"
        " [0.01, 0.02, 0.051]}}, {'name': 'cloth', 'kind': 'shell', 'material': 'f',"
        " 'mesh': {'shape': 'grid', 'size': [0.25, 0.25], 'cells': [6, 6]},"
        " 'transform': {'translate': [0, 0, 0.104]}}, {'name': 'beads', 'kind': 'spheres',"
        " 'centers': [[0.01, 0, 0.13], [-0.06, 0.03, 0.13]], 'radii': [0.02, 0.02],"
        " 'density': 500}, {'name': 'floor', 'kind': 'obstacle', 'mesh': {'shape': 'grid',"
        " 'size': [1, 1], 'cells': [3, 3]}}],"
        "'controls': [{'kind': 'drag', 'object': '*', 'rate': 2}]}",
        physics_method(m));
    counter c = {0};
    abut_settings settings = counted(&c);
    physics p = physics_start(&settings, plain(text));
    int64_t cold = c.calls;
    physics_step(&p);
    assert_true(c.calls - cold > 50); /* a cold one does */
    physics_steps(&p, 149);
    assert_true(p.r.contacts > 20 && physics_sim(&p)->work.friction.count > 20);
    int64_t orderings = physics_sim(&p)->work.linear->stats.orderings, busy = 0, quiet = 0,
            asked = 0;
    for (int n = 0; n < 50; n++) {
      int64_t before = c.calls, analyses = physics_sim(&p)->work.linear->stats.analyses;
      physics_step(&p);
      bool same = physics_sim(&p)->work.linear->stats.analyses == analyses &&
                  physics_sim(&p)->work.linear->stats.orderings == orderings;
      orderings = physics_sim(&p)->work.linear->stats.orderings;
      quiet += same;
      busy += p.r.newton > 0;
      asked += same ? c.calls - before : 0;
    }
    assert_true(quiet > 25 && busy > 25);
#ifndef ABUT_CHECKS
    assert_int_equal(asked, 0);
#else
    (void)asked; /* the exact test after each step does ask */
#endif
    physics_close(&p);
    assert_int_equal(c.live, 0);
    assert_int_equal(c.bytes, 0);
  }
}

/* ---- refusals ---- */

/* spheres, a solid and a shell that meet and touch each other and the floor at once; controls of
   all kinds */
static const char small_scene[] =
    "{'abut': 1, 'name': 'small', 'time': {'step': 0.01, 'end': 9}, 'method': '%s', 'contact':"
    "{'dhat': 5e-3, 'friction': 0.5, 'pairs': [{'a': 'film', 'b': 'cube', 'friction': 0.1}]},"
    "'materials': {'m': {'model': 'neo_hookean', 'youngs_modulus': 1e5, 'poissons_ratio': 0.3,"
    " 'density': 1000}, 'f': {'model': 'stvk', 'youngs_modulus': 1e5, 'poissons_ratio': 0.3,"
    " 'density': 300, 'thickness': 1e-3}}, 'objects': [{'name': 'cube', 'kind': 'solid', "
    "'material':"
    " 'm', 'mesh': {'shape': 'box', 'size': [0.1, 0.1, 0.1], 'cells': [1, 1, 1]}, 'transform':"
    " {'translate': [0.01, 0.02, 0.053]}}, {'name': 'film', 'kind': 'shell', 'material': 'f',"
    " 'mesh': {'shape': 'grid', 'size': [0.15, 0.15], 'cells': [2, 2]}, 'transform': {'translate':"
    " [0, 0, 0.106]}}, {'name': 'beads', 'kind': 'spheres', 'centers': [[0.01, 0, 0.129]], 'radii':"
    " [0.02], 'density': 500}, {'name': 'floor', 'kind': 'obstacle', 'mesh': {'shape': 'grid', "
    "'size':"
    " [1, 1], 'cells': [1, 1]}, 'motion': {'keys': [{'t': 0}, {'t': 1, 'translate': [0, 0, "
    "0.01]}]}},"
    "{'name': 'wall', 'kind': 'plane', 'point': [0.5, 0, 0], 'normal': [-1, 0, 0]}], 'controls': ["
    "{'kind': 'pin', 'object': 'film', 'vertices': {'indices': [0]}},"
    "{'kind': 'support', 'object': 'cube', 'vertices': {'box': [[-1, -1, 0.1], [1, 1, 1]]},"
    " 'stiffness': 1}, {'kind': 'tie', 'object': 'cube', 'pairs': [[0, 7]], 'stiffness': 1,"
    " 'length': [[0, 'current'], [1, 0.1]]}, {'kind': 'drag', 'object': '*', 'rate': 1}]}";

enum { SMALL_STEPS = 3 };

/* parse, build, step, read; returns the first status that is not ABUT_OK. hash: of the last state
 */
static abut_status whole_life(counter *c, char *text, uint64_t *hash)
{
  abut_settings settings = counted(c);
  abut_scene *s;
  abut_status status = abut_create(&settings, &s);
  if (status != ABUT_OK) {
    assert_null(s);
    return status;
  }
  status = abut_parse(s, text, ".");
  for (int n = 0; n < SMALL_STEPS && status == ABUT_OK; n++) {
    abut_report r;
    status = abut_step(s, 1, &r);
    assert_true(status != ABUT_OK || r.contacts > 0);
    assert_int_equal(r.steps, status == ABUT_OK);
  }
  if (status == ABUT_OK && !abut_positions(s, abut_find_body(s, "film"))) status = ABUT_NO_MEMORY;
  if (status == ABUT_OK) *hash = abut_hash(s);
  if (status != ABUT_OK) {
    assert_int_equal(abut_last_error(s).code, status);
    assert_non_null(abut_last_error(s).message);
  }
  abut_destroy(s);
  return status;
}

static void every_refusal_ends_in_no_memory(void **state)
{
  (void)state;
  for (int m = 0; m < PHYSICS_METHODS; m++) {
    char text[4096];
    snprintf(text, sizeof text, small_scene, physics_method(m));
    plain(text);
    counter c = {0};
    uint64_t right = 0;
    assert_int_equal(whole_life(&c, text, &right), ABUT_OK);
    assert_int_equal(c.live, 0);
    int64_t calls = c.calls;
    assert_true(calls > 100);
    for (int lasting = 0; lasting < 2; lasting++)
      for (int64_t k = 1; k <= calls + 1; k++) {
        counter f = {.fail_at = k, .lasting = lasting};
        uint64_t hash = 0;
        abut_status status = whole_life(&f, text, &hash);
        /* some requests are for the words of messages or for room that can be done without */
        if (status == ABUT_OK)
          assert_true(hash == right);
        else
          assert_int_equal(status, ABUT_NO_MEMORY);
        assert_true(status == ABUT_OK || k <= calls);
        if (f.live != 0)
          print_error("%s: %d blocks leak when call %d fails\n", physics_method(m), (int)f.live,
                      (int)k);
        assert_int_equal(f.live, 0);
        assert_int_equal(f.bytes, 0);
      }
  }
}

/* A scene whose step ran out of memory is as it was, and goes on when there is some again. */
static void a_step_without_memory_changes_nothing(void **state)
{
  (void)state;
  for (int m = 0; m < PHYSICS_METHODS; m++) {
    char text[4096];
    snprintf(text, sizeof text, small_scene, physics_method(m));
    plain(text);
    counter c = {0};
    abut_settings settings = counted(&c);
    uint64_t right[SMALL_STEPS + 1];
    physics p = physics_start(&settings, text);
    for (int n = 0; n <= SMALL_STEPS; n++) {
      right[n] = physics_hash(&p);
      if (n < SMALL_STEPS) physics_step(&p);
    }
    physics_close(&p);

    p = physics_start(&settings, text);
    int refused = 0;
    for (int n = 0; n < SMALL_STEPS; n++) {
      abut_report r;
      for (int64_t k = 1; k < 100000; k++) {
        c.calls = 0, c.fail_at = k;
        assert_true(physics_hash(&p) == right[n]);
        abut_status status = abut_step(p.scene, 1, &r);
        c.fail_at = 0;
        if (status == ABUT_OK) break;
        assert_int_equal(status, ABUT_NO_MEMORY);
        assert_int_equal(r.steps, 0);
        refused++;
      }
      assert_true(physics_hash(&p) == right[n + 1]);
    }
    assert_true(refused > 50);
    physics_close(&p);
    assert_int_equal(c.live, 0);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_warm_step_asks_for_no_memory),
      cmocka_unit_test(every_refusal_ends_in_no_memory),
      cmocka_unit_test(a_step_without_memory_changes_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
