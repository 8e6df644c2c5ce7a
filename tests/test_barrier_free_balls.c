/* Two soft balls of tetrahedra meet head on and part again. Against a run with steps of 0.1 ms,
   errors of positions and velocities, averaged over time and vertices, fall with the step (slope 1
   +- 0.15). The steps resolve all vibrations of these coarse balls: of what is damped away within
   the run, no order is left. delta is small beside speed times step: a pair is only found when it
   is hit, and is then thrown out to delta. */
#include "physics.h"

#include <string.h>

enum { RUNS = 5 };
static const double step[RUNS] = {1e-4, 1.6e-3, 3.2e-3, 6.4e-3, 12.8e-3};
static const double coarsest = 12.8e-3, end = 5.12;
static const double small = 1e-7, large = 1e-2; /* delta, m */

static const char scene[] =
    "{'abut': 1, 'gravity': [0, 0, 0], 'time': {'step': %.17g, 'end': 99}, 'method': "
    "'barrier_free', 'contact': {'dhat': %g}, 'materials': {'m': {'model': 'stable_neo_hookean',"
    " 'youngs_modulus': 500, 'poissons_ratio': 0.3, 'density': 1000}}, 'objects': [{'name': 'a',"
    " 'kind': 'solid', 'material': 'm', 'mesh': {'shape': 'ball', 'radius': 0.5, 'cells': 1},"
    " 'transform': {'translate': [-0.45, 0, 0]}, 'velocity': [0.1, 0, 0]}, {'name': 'b', 'kind':"
    " 'solid', 'material': 'm', 'mesh': {'shape': 'ball', 'radius': 0.5, 'cells': 1},"
    " 'transform': {'rotate': [[1, 2, 3], 50], 'translate': [0.45, 0, 0]}, 'velocity': [-0.1, 0, "
    "0]}]}";

/* positions and velocities of all vertices at multiples of the coarsest step */
typedef struct record {
  int32_t vertices;
  int times;
  vec3 *x, *v; /* (times x vertices) */
} record;

static void assert_bounced(const physics *p, vec3 momentum)
{
  vec3 a = physics_velocity(p, "a"), b = physics_velocity(p, "b");
  vec3 now = v3_add(v3_scale(a, physics_mass(p, "a")), v3_scale(b, physics_mass(p, "b")));
  assert_below(v3_norm(v3_sub(now, momentum)), 1e-9 * physics_mass(p, "a") * 0.2);
  assert_in_range((int)(-1000 * a.x), 70, 80); /* of 100; the rest is vibration */
  assert_in_range((int)(1000 * b.x), 70, 80);
}

static record follow(double dt, double delta)
{
  physics p = physics_open(scene, dt, delta);
  const abut_state *s = &physics_sim(&p)->state;
  vec3 momentum = v3_add(v3_scale(physics_velocity(&p, "a"), physics_mass(&p, "a")),
                         v3_scale(physics_velocity(&p, "b"), physics_mass(&p, "b")));
  record r = {.vertices = physics_sim(&p)->model.system.dynamic,
              .times = (int)lround(end / coarsest)};
  size_t n = (size_t)r.vertices, all = n * (size_t)r.times;
  r.x = malloc(all * sizeof *r.x);
  r.v = malloc(all * sizeof *r.v);
  assert_true(r.x && r.v);
  for (size_t k = 0; k < all; k += n) {
    physics_steps(&p, (int)lround(coarsest / dt));
    memcpy(r.x + k, s->x, n * sizeof *r.x);
    memcpy(r.v + k, s->v, n * sizeof *r.v);
  }
  if (delta == small) assert_bounced(&p, momentum);
  physics_close(&p);
  return r;
}

static void drop(record *r)
{
  free(r->x);
  free(r->v);
}

static double mean_difference(const vec3 *a, const vec3 *b, const record *r)
{
  double sum = 0;
  size_t n = (size_t)r->vertices * (size_t)r->times;
  for (size_t i = 0; i < n; i++)
    sum += fabs(a[i].x - b[i].x) + fabs(a[i].y - b[i].y) + fabs(a[i].z - b[i].z);
  return sum / (double)n;
}

/* m and m/s, at each step */
static void measure(double delta, const record *exact, double *x, double *v)
{
  for (int k = 1; k < RUNS; k++) {
    record r = follow(step[k], delta);
    assert_int_equal(r.vertices, exact->vertices);
    x[k] = mean_difference(r.x, exact->x, &r);
    v[k] = mean_difference(r.v, exact->v, &r);
    print_message("delta %g, step %g: %.3g m, %.3g m/s", delta, step[k], x[k], v[k]);
    print_message(", slopes %.3f, %.3f\n", k > 1 ? log2(x[k] / x[k - 1]) : NAN,
                  k > 1 ? log2(v[k] / v[k - 1]) : NAN);
    drop(&r);
  }
}

static void two_balls_converge_at_first_order(void **state)
{
  (void)state;
  double x[RUNS], v[RUNS];
  record exact = follow(step[0], small);
  measure(small, &exact, x, v);
  for (int k = 2; k < RUNS; k++) {
    assert_near(log2(x[k] / x[k - 1]), 1, 0.15);
    assert_near(log2(v[k] / v[k - 1]), 1, 0.15);
  }
  /* the control: pairs thrown out to a large delta spoil it */
  measure(large, &exact, x, v);
  assert_true(fabs(log2(x[2] / x[1]) - 1) > 0.15 && fabs(log2(v[2] / v[1]) - 1) > 0.15);
  drop(&exact);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(two_balls_converge_at_first_order)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
