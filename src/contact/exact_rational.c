#include "contact/exact_rational.h"

#include "contact/exact_whole.h"

int abut_exact_orientation_rational(vec3 a, vec3 b, vec3 c, vec3 d)
{
  vec3 x[4] = {a, b, c, d};
  if (!abut_whole_finite(x, 4)) return 0;
  abut_whole3 v[5]; /* a, b - a, c - a, d - a, their cross product */
  mpz_t s;
  mpz_init(s);
  abut_whole_init(v, 5);
  abut_whole_load(v, x, 4);
  for (int k = 1; k < 4; k++) abut_whole_sub(&v[k], &v[k], &v[0]);
  abut_whole_cross(&v[4], &v[1], &v[2]);
  abut_whole_dot(s, &v[4], &v[3]);
  int sign = mpz_sgn(s);
  abut_whole_clear(v, 5);
  mpz_clear(s);
  return sign;
}

/* sign of the signed square s |s| - r |r| n */
static int compare_squares(const mpz_t s, const mpz_t r, const mpz_t n)
{
  mpz_t a, b;
  mpz_inits(a, b, NULL);
  mpz_abs(a, s);
  mpz_mul(a, a, s);
  mpz_abs(b, r);
  mpz_mul(b, b, r);
  mpz_mul(b, b, n);
  int order = mpz_cmp(a, b);
  mpz_clears(a, b, NULL);
  return (order > 0) - (order < 0);
}

/* what the distance tests share; every input divided by the same power of two */
enum { P, A, B, C, RADIUS, AB, AC, AP, N, T, TUPLES };
enum { S, U, W, ONE, NUMBERS };
typedef struct measure {
  abut_whole3 v[TUPLES];
  mpz_t s[NUMBERS];
} measure;

static void measure_init(measure *m, const vec3 *x, int n)
{
  abut_whole_init(m->v, TUPLES);
  for (int k = 0; k < NUMBERS; k++) mpz_init(m->s[k]);
  mpz_set_ui(m->s[ONE], 1);
  abut_whole_load(m->v, x, n);
}

static void measure_clear(measure *m)
{
  abut_whole_clear(m->v, TUPLES);
  for (int k = 0; k < NUMBERS; k++) mpz_clear(m->s[k]);
}

/* sign of |v[T]| sqrt(1 / s[W]) - radius for a radius of at least 0 */
static int compare_length(measure *m, int scale)
{
  abut_whole_dot(m->s[S], &m->v[T], &m->v[T]);
  mpz_mul(m->s[U], m->v[RADIUS].c[0], m->v[RADIUS].c[0]);
  mpz_mul(m->s[U], m->s[U], m->s[scale]);
  int order = mpz_cmp(m->s[S], m->s[U]);
  return (order > 0) - (order < 0);
}

/* sign of (distance of P to the closed segment a, b) - radius */
static int compare_edge(measure *m, int a, int b)
{
  abut_whole_sub(&m->v[AB], &m->v[b], &m->v[a]);
  abut_whole_sub(&m->v[AP], &m->v[P], &m->v[a]);
  abut_whole_dot(m->s[W], &m->v[AB], &m->v[AB]);
  abut_whole_dot(m->s[S], &m->v[AB], &m->v[AP]);
  bool before = mpz_sgn(m->s[S]) <= 0, beyond = mpz_cmp(m->s[S], m->s[W]) >= 0;
  if (before || beyond) {
    abut_whole_sub(&m->v[T], &m->v[P], &m->v[before ? a : b]);
    return compare_length(m, ONE);
  }
  abut_whole_cross(&m->v[T], &m->v[AB], &m->v[AP]);
  return compare_length(m, W);
}

/* is P, seen along the normal, on the inner side of the edge a, b? */
static bool inside_edge(measure *m, int a, int b)
{
  abut_whole_sub(&m->v[AB], &m->v[b], &m->v[a]);
  abut_whole_sub(&m->v[AP], &m->v[P], &m->v[a]);
  abut_whole_cross(&m->v[T], &m->v[AB], &m->v[AP]);
  abut_whole_dot(m->s[S], &m->v[T], &m->v[N]);
  return mpz_sgn(m->s[S]) >= 0;
}

static int compare_face(measure *m)
{
  abut_whole_sub(&m->v[AB], &m->v[B], &m->v[A]);
  abut_whole_sub(&m->v[AC], &m->v[C], &m->v[A]);
  abut_whole_cross(&m->v[N], &m->v[AB], &m->v[AC]);
  if (!abut_whole_zero(&m->v[N]) && inside_edge(m, A, B) && inside_edge(m, B, C) &&
      inside_edge(m, C, A)) {
    /* |n . (p - c)| against radius |n| */
    abut_whole_dot(m->s[S], &m->v[N], &m->v[AP]);
    mpz_abs(m->s[S], m->s[S]);
    abut_whole_dot(m->s[W], &m->v[N], &m->v[N]);
    return compare_squares(m->s[S], m->v[RADIUS].c[0], m->s[W]);
  }
  /* from outside, or of a degenerate triangle, the nearest point is on an edge */
  int least = 1, edge[3][2] = {{A, B}, {B, C}, {C, A}};
  for (int k = 0; k < 3; k++) {
    int sign = compare_edge(m, edge[k][0], edge[k][1]);
    if (sign < least) least = sign;
  }
  return least;
}

int abut_exact_point_triangle_rational(vec3 p, vec3 a, vec3 b, vec3 c, double radius)
{
  vec3 x[5] = {p, a, b, c, {radius, 0, 0}};
  if (!abut_whole_finite(x, 5)) return 0;
  if (radius < 0) return 1;
  measure m;
  measure_init(&m, x, 5);
  int sign = compare_face(&m);
  measure_clear(&m);
  return sign;
}

int abut_exact_spheres_rational(vec3 p, vec3 q, double r, double s)
{
  vec3 x[5] = {p, q, {0, 0, 0}, {0, 0, 0}, {r, s, 0}};
  if (!abut_whole_finite(x, 5)) return 0;
  measure m;
  measure_init(&m, x, 5);
  mpz_t *reach = &m.v[RADIUS].c[0];
  mpz_add(*reach, *reach, m.v[RADIUS].c[1]);
  abut_whole_sub(&m.v[T], &m.v[0], &m.v[1]);
  int sign = mpz_sgn(*reach) < 0 ? 1 : compare_length(&m, ONE);
  measure_clear(&m);
  return sign;
}

int abut_exact_point_plane_rational(vec3 p, vec3 origin, vec3 normal, double radius)
{
  vec3 x[3] = {p, origin, {radius, 0, 0}};
  if (!abut_whole_finite(x, 3) || !abut_whole_finite(&normal, 1)) return 0;
  abut_whole3 v[3], n;
  mpz_t s, n2;
  mpz_inits(s, n2, NULL);
  abut_whole_init(v, 3);
  abut_whole_init(&n, 1);
  abut_whole_load(v, x, 3);
  abut_whole_load(&n, &normal, 1);
  abut_whole_sub(&v[0], &v[0], &v[1]);
  abut_whole_dot(s, &v[0], &n);
  abut_whole_dot(n2, &n, &n);
  int sign = compare_squares(s, v[2].c[0], n2);
  abut_whole_clear(v, 3);
  abut_whole_clear(&n, 1);
  mpz_clears(s, n2, NULL);
  return sign;
}
