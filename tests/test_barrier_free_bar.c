/* A bar falls on a wall: length 10, E 900, rho 1, section 1, ten elements between lumped masses, 5
   above the wall; (a) at speed 10 without gravity until 1.6 s, (b) from rest under g = 10 until 3
   s. Against the exact motion of the same masses and springs: while the end is at the wall it is
   held, on impact it stops, and it leaves when the wall would have to pull. Time-averaged errors of
   positions, velocities and of the wall's impulse fall with the step (slope 1 +- 0.1). The masses
   are small spheres, the springs are ties. */
#include "physics.h"

#include "symmetric.h"

enum { N = 11 };
static const double spring = 900, delta = 1e-6, radius = 0.01;

/* ---- the exact motion ---- */

typedef struct bar {
  double m[N];
  double g;
  double at;         /* s, start of this phase */
  double seen;       /* s, the phase lasts at least until then */
  bool held;         /* end 0 is at the wall */
  int first;         /* the masses that move are first .. N - 1 */
  double w[N];       /* rad/s */
  double mode[N][N]; /* mass-normalised */
  double rest[N];    /* m, equilibrium where it is held */
  double q[N], p[N]; /* modal displacement from there and speed, at the start */
} bar;

static void make_modes(bar *b)
{
  int n = N - b->first;
  double a[N * N] = {0};
  long double value[N], vector[N * N];
  for (int i = 0; i + 1 < N; i++)
    for (int s = 0; s < 4; s++) {
      int r = i + s / 2 - b->first, c = i + s % 2 - b->first;
      if (r < 0 || c < 0) continue;
      a[r * n + c] += (r == c ? spring : -spring) / sqrt(b->m[i + s / 2] * b->m[i + s % 2]);
    }
  sample_eigen(a, n, value, vector);
  for (int k = 0; k < n; k++) {
    b->w[k] = value[k] > 1e-6L ? (double)sqrtl(value[k]) : 0;
    for (int i = 0; i < n; i++)
      b->mode[k][i + b->first] = (double)vector[k * n + i] / sqrt(b->m[i + b->first]);
  }
}

/* a phase that begins at t (s) with displacements x (m) and speeds v */
static void begin(bar *b, double t, bool held, double *x, double *v)
{
  b->at = b->seen = t;
  b->held = held;
  b->first = held ? 1 : 0;
  if (held) x[0] = v[0] = 0;
  make_modes(b);
  memset(b->rest, 0, sizeof b->rest);
  for (int i = 1; held && i < N; i++) {
    double above = 0;
    for (int j = i; j < N; j++) above += b->m[j] * b->g;
    b->rest[i] = b->rest[i - 1] - above / spring;
  }
  for (int k = 0; k < N - b->first; k++) {
    b->q[k] = b->p[k] = 0;
    for (int i = b->first; i < N; i++) {
      b->q[k] += b->mode[k][i] * b->m[i] * (x[i] - b->rest[i]);
      b->p[k] += b->mode[k][i] * b->m[i] * v[i];
    }
  }
}

static void evaluate(const bar *b, double t, double *x, double *v)
{
  double s = t - b->at;
  for (int i = 0; i < N; i++) x[i] = b->rest[i], v[i] = 0;
  for (int k = 0; k < N - b->first; k++) {
    double w = b->w[k], q, p, fall = 0;
    if (w > 0) {
      q = b->q[k] * cos(w * s) + b->p[k] / w * sin(w * s);
      p = b->p[k] * cos(w * s) - b->q[k] * w * sin(w * s);
    } else { /* the bar as a whole */
      for (int i = 0; i < N; i++) fall -= b->mode[k][i] * b->m[i] * b->g;
      q = b->q[k] + b->p[k] * s + 0.5 * fall * s * s;
      p = b->p[k] + fall * s;
    }
    for (int i = b->first; i < N; i++) {
      x[i] += b->mode[k][i] * q;
      v[i] += b->mode[k][i] * p;
    }
  }
}

/* not negative while the phase lasts: the wall's force, or the end's distance from the wall */
static double lasting(const bar *b, double t)
{
  double x[N], v[N];
  evaluate(b, t, x, v);
  return b->held ? b->m[0] * b->g - spring * x[1] : x[0];
}

/* the state at t, not earlier than at the last call */
static void move_to(bar *b, double t, double *x, double *v)
{
  const double look = 1e-5;
  while (b->seen < t) {
    double next = fmin(b->seen + look, t);
    /* right after a change rounding decides; nothing reverses within this time */
    if (lasting(b, next) >= 0 || next < b->at + 0.5 * look) {
      b->seen = next;
      continue;
    }
    double low = b->seen, high = next;
    for (int k = 0; k < 60; k++) {
      double middle = 0.5 * (low + high);
      *(lasting(b, middle) >= 0 ? &low : &high) = middle;
    }
    evaluate(b, low, x, v);
    begin(b, low, !b->held, x, v);
  }
  evaluate(b, t, x, v);
}

static double momentum(const bar *b, const double *v)
{
  double sum = 0;
  for (int i = 0; i < N; i++) sum += b->m[i] * v[i];
  return sum;
}

/* ---- the same in the program ---- */

typedef struct errors {
  double x, v, impulse; /* averages over time */
} errors;

static physics open_bar(double speed, double g, double dt)
{
  char centers[1024] = "", radii[1024] = "", ties[1024] = "";
  for (int i = 0; i < N; i++) {
    bool end = i == 0 || i == N - 1;
    size_t c = strlen(centers), r = strlen(radii), t = strlen(ties);
    double z = 5 + radius * cbrt(0.5) + delta + i;
    snprintf(centers + c, sizeof centers - c, "%s[0, 0, %.17g]", i ? ", " : "", z);
    snprintf(radii + r, sizeof radii - r, "%s%.17g", i ? ", " : "",
             end ? radius * cbrt(0.5) : radius);
    if (i) snprintf(ties + t, sizeof ties - t, "%s[%d, %d]", i > 1 ? ", " : "", i - 1, i);
  }
  return physics_open(
      "{'abut': 1, 'gravity': [0, 0, %g], 'time': {'step': %.17g, 'end': 99}, 'method': "
      "'barrier_free', 'contact': {'dhat': %g}, 'objects': [{'name': 'bar', 'kind': 'spheres', "
      "'centers': [%s], 'radii': [%s], 'density': %.17g, 'velocity': [0, 0, %g]}, {'name': 'wall',"
      " 'kind': 'plane', 'point': [0, 0, 0], 'normal': [0, 0, 1]}], 'controls': [{'kind': 'tie', "
      "'object': 'bar', 'pairs': [%s], 'stiffness': %g, 'length': [[0, 'current']]}]}",
      -g, dt, delta, centers, radii, 3 / (4 * K_PI * radius * radius * radius), speed, ties,
      spring);
}

static errors compare(double speed, double g, double dt, double end)
{
  physics p = open_bar(speed, g, dt);
  bar b = {.g = g};
  double x[N], v[N], start[N], impulse = 0, foot = physics_x(&p, "bar", 0).z - 5, first;
  for (int i = 0; i < N; i++) {
    b.m[i] = i == 0 || i == N - 1 ? 0.5 : 1;
    assert_close(physics_m(&p, "bar", i), b.m[i], 1e-12);
    start[i] = physics_x(&p, "bar", i).z - foot - 5; /* its place on the bar at rest */
    x[i] = 5;
    v[i] = speed;
  }
  first = momentum(&b, v);
  begin(&b, 0, false, x, v);
  errors e = {0, 0, 0};
  int steps = (int)lround(end / dt);
  for (int n = 1; n <= steps; n++) {
    physics_step(&p);
    const abut_state *s = &physics_sim(&p)->state;
    for (int64_t i = 0; i < s->count.touches; i++) impulse += dt * s->multiplier[i];
    move_to(&b, n * dt, x, v);
    for (int i = 0; i < N; i++) {
      e.x += fabs(physics_x(&p, "bar", i).z - foot - start[i] - x[i]) / N;
      e.v += fabs(physics_v(&p, "bar", i).z - v[i]) / N;
    }
    e.impulse += fabs(impulse - (momentum(&b, v) - first + 10 * g * n * dt));
  }
  physics_close(&p);
  return (errors){e.x / steps, e.v / steps, e.impulse / steps};
}

static double slope(double coarse, double fine, double ratio)
{
  return log(coarse / fine) / log(ratio);
}

static void check_order(const char *what, double speed, double g, double end, double coarse,
                        double fine)
{
  errors a = compare(speed, g, coarse, end), c = compare(speed, g, fine, end);
  print_message(
      "%s: errors %.3g m, %.3g m/s, %.3g N s at a step of %g s, slopes %.3f, %.3f, %.3f\n", what,
      c.x, c.v, c.impulse, fine, slope(a.x, c.x, coarse / fine), slope(a.v, c.v, coarse / fine),
      slope(a.impulse, c.impulse, coarse / fine));
  assert_near(slope(a.x, c.x, coarse / fine), 1, 0.1);
  assert_near(slope(a.v, c.v, coarse / fine), 1, 0.1);
  assert_near(slope(a.impulse, c.impulse, coarse / fine), 1, 0.1);
}

static void a_thrown_bar_converges_at_first_order(void **state)
{
  (void)state;
  check_order("thrown", -10, 0, 1.6, 2e-4, 1.25e-5);
}

static void a_falling_bar_converges_at_first_order(void **state)
{
  (void)state;
  check_order("falling", 0, 10, 3, 2e-4, 1.25e-5);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_thrown_bar_converges_at_first_order),
                                     cmocka_unit_test(a_falling_bar_converges_at_first_order)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
