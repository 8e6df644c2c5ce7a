/* The same bits for any number of threads, after dropping the solver's work, and wherever memory
   comes from. */
#define _POSIX_C_SOURCE 200809L
#include <stdlib.h>
#include <unistd.h>

#include "physics.h"

enum { STEPS = 12 };

/* a 30 x 30 cloth that falls on a sphere, with friction */
static const char scene[] =
    "{'abut': 1, 'time': {'step': 0.01, 'end': 9}, 'method': '%s', 'contact': {'dhat': 2e-3,"
    "'friction': 0.4, 'friction_velocity': 1e-3}, 'threads': %d, 'materials': {'m': {'model': "
    "'stvk',"
    "'youngs_modulus': 1e5, 'poissons_ratio': 0.3, 'density': 300, 'thickness': 1e-3}}, 'objects': "
    "["
    "{'name': 'cloth', 'kind': 'shell', 'material': 'm', 'mesh': {'shape': 'grid', 'size': [0.5, "
    "0.5],"
    "'cells': [30, 30]}, 'velocity': [0.3, 0, -1], 'transform': {'translate': [0.03, 0.01, "
    "0.163]}},"
    "{'name': 'ball', 'kind': 'obstacle', 'mesh': {'shape': 'sphere', 'radius': 0.15, 'cells': "
    "5}}]}";

typedef struct trace {
  uint64_t hash;
  int64_t newton, contacts, friction; /* most at a time */
} trace;

static trace run(physics *p, int drop_every)
{
  trace t = {0, 0, 0, 0};
  for (int n = 1; n <= STEPS; n++) {
    physics_step(p);
    int64_t held = p->r.contacts > p->r.constraints ? p->r.contacts : p->r.constraints;
    t.contacts = held > t.contacts ? held : t.contacts;
    int64_t f = physics_sim(p)->work.friction.count;
    t.friction = f > t.friction ? f : t.friction;
    if (drop_every && n % drop_every == 0) abut_sim_drop_work(&p->scene->ctx, physics_sim(p));
  }
  t.hash = physics_hash(p);
  t.newton = p->newton;
  assert_true(t.hash == abut_hash(p->scene));
  physics_close(p);
  return t;
}

static void the_number_of_threads_changes_no_bit(void **state)
{
  (void)state;
  static const int threads[] = {1, 2, 8};
  for (int m = 0; m < PHYSICS_METHODS; m++) {
    trace t[3];
    for (int k = 0; k < 3; k++) {
      physics p = physics_open(scene, physics_method(m), threads[k]);
      assert_int_equal(p.scene->ctx.threads, threads[k]);
      t[k] = run(&p, 0);
    }
    assert_true(t[0].contacts > 200 && t[0].friction > 100); /* enough for several chunks */
    for (int k = 1; k < 3; k++) {
      assert_true(t[k].hash == t[0].hash);
      assert_int_equal(t[k].newton, t[0].newton);
    }
  }
}

static void the_hash_sees_one_bit(void **state)
{
  (void)state;
  physics p = physics_open(scene, "ipc", 1), q = physics_open(scene, "ipc", 1);
  assert_true(physics_hash(&p) == physics_hash(&q));
  vec3 *x = &physics_sim(&q)->state.x[100];
  x->z = nextafter(x->z, 1);
  assert_true(physics_hash(&p) != physics_hash(&q));
  trace a = run(&p, 0), b = run(&q, 0);
  assert_true(a.hash != b.hash);
}

static void the_solvers_work_can_be_dropped_at_any_step(void **state)
{
  (void)state;
  static const int drop[] = {0, 1, 5};
  for (int m = 0; m < PHYSICS_METHODS; m++) {
    trace t[3];
    for (int k = 0; k < 3; k++) {
      physics p = physics_open(scene, physics_method(m), 1);
      t[k] = run(&p, drop[k]);
    }
    for (int k = 1; k < 3; k++) {
      assert_true(t[k].hash == t[0].hash);
      assert_int_equal(t[k].newton, t[0].newton);
    }
  }
}

/* what is not in the state has no say: back in an earlier state, with the work of a later one, the
   run takes the same way again */
static void a_restored_state_goes_the_same_way(void **state)
{
  (void)state;
  for (int m = 0; m < PHYSICS_METHODS; m++) {
    physics p = physics_open(scene, physics_method(m), 1);
    abut_context *ctx = &p.scene->ctx;
    abut_state saved = {0};
    uint64_t hash[2];
    physics_steps(&p, 4);
    assert_ok(abut_state_copy(ctx, &physics_sim(&p)->state, &saved));
    for (int k = 0; k < 2; k++) {
      physics_steps(&p, 5);
      assert_true(physics_sim(&p)->work.friction.count > 50);
      hash[k] = physics_hash(&p);
      assert_ok(abut_state_copy(ctx, &saved, &physics_sim(&p)->state));
    }
    assert_true(hash[0] == hash[1]);
    abut_state_free(ctx, &saved);
    physics_close(&p);
  }
}

/* ---- memory from elsewhere ---- */

/* gives blocks at scattered places, filled with rubbish */
typedef struct scatter {
  unsigned long long seed;
} scatter;

static void *scatter_alloc(void *ctx, size_t size)
{
  scatter *s = ctx;
  s->seed = s->seed * 6364136223846793005ull + 1442695040888963407ull;
  size_t shift = 16 * (1 + (s->seed >> 33) % 64);
  char *block = malloc(size + shift + 16);
  if (!block) return NULL;
  memset(block, (int)(s->seed >> 40) & 0xff, size + shift);
  memcpy(block + shift - sizeof shift, &shift, sizeof shift);
  return block + shift;
}

static void scatter_free(void *ctx, void *block, size_t size)
{
  (void)ctx;
  size_t shift;
  memcpy(&shift, (char *)block - sizeof shift, sizeof shift);
  memset(block, 0x55, size);
  free((char *)block - shift);
}

static void the_places_of_memory_do_not_matter(void **state)
{
  (void)state;
  for (int m = 0; m < PHYSICS_METHODS; m++) {
    char text[2048];
    snprintf(text, sizeof text, scene, physics_method(m), 2);
    for (char *c = text; *c; c++)
      if (*c == '\'') *c = '"';
    uint64_t hash[3];
    for (int k = 0; k < 3; k++) {
      scatter s = {(unsigned long long)k + 7};
      abut_settings settings = abut_settings_default();
      if (k > 0) settings.allocator = (abut_allocator){scatter_alloc, scatter_free, &s};
      physics p = physics_start(&settings, text);
      hash[k] = run(&p, 0).hash;
    }
    assert_true(hash[1] == hash[0] && hash[2] == hash[0]);
  }
}

/* Threads that wait by spinning take a busy machine's cores from those that work: 20 s instead
   of 1. OpenMP reads the wish before main, so the program starts again with it. */
static void wait_politely(char **argv)
{
  if (getenv("OMP_WAIT_POLICY") || setenv("OMP_WAIT_POLICY", "passive", 1) != 0) return;
  execv("/proc/self/exe", argv);
}

int main(int argc, char **argv)
{
  (void)argc;
  wait_politely(argv);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_number_of_threads_changes_no_bit),
      cmocka_unit_test(the_hash_sees_one_bit),
      cmocka_unit_test(the_solvers_work_can_be_dropped_at_any_step),
      cmocka_unit_test(a_restored_state_goes_the_same_way),
      cmocka_unit_test(the_places_of_memory_do_not_matter),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
