/* true_distance.h: distances and closest points in long double, written plainly, to compare with;
   and a proof that a pair keeps a distance on a whole straight path. */
#ifndef ABUT_TESTS_TRUE_DISTANCE_H
#define ABUT_TESTS_TRUE_DISTANCE_H

#include <math.h>

#include "contact/surface.h"

typedef struct long3 {
  long double x, y, z;
} long3;

static inline long3 l3_of(vec3 a)
{
  return (long3){a.x, a.y, a.z};
}

static inline long3 l3_sub(long3 a, long3 b)
{
  return (long3){a.x - b.x, a.y - b.y, a.z - b.z};
}

/* a + b s */
static inline long3 l3_madd(long3 a, long3 b, long double s)
{
  return (long3){a.x + b.x * s, a.y + b.y * s, a.z + b.z * s};
}

static inline long3 l3_scale(long3 a, long double s)
{
  return (long3){a.x * s, a.y * s, a.z * s};
}

static inline long double l3_dot(long3 a, long3 b)
{
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline long3 l3_cross(long3 a, long3 b)
{
  return (long3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline long double l3_norm(long3 a)
{
  return sqrtl(l3_dot(a, a));
}

static inline long3 true_point_segment(long3 p, long3 a, long3 b)
{
  long3 e = l3_sub(b, a), v = l3_sub(p, a);
  long double l2 = l3_dot(e, e), t = l2 > 0 ? l3_dot(v, e) / l2 : 0;
  t = t < 0 ? 0 : t > 1 ? 1 : t;
  return l3_madd(v, e, -t);
}

static inline void keep_shorter(long3 *best, long3 r)
{
  if (l3_dot(r, r) < l3_dot(*best, *best)) *best = r;
}

/* r along the unit normal: a sliver's normal is only so good, but r is nearly along it */
static inline long3 along_normal(long3 r, long3 n)
{
  return l3_scale(n, l3_dot(r, n) / l3_dot(n, n));
}

/* each returns the vector from the second primitive's closest point to the first's */
static inline long3 true_point_triangle(const long3 x[4])
{
  long3 best = true_point_segment(x[0], x[1], x[2]);
  keep_shorter(&best, true_point_segment(x[0], x[2], x[3]));
  keep_shorter(&best, true_point_segment(x[0], x[3], x[1]));
  long3 e = l3_sub(x[2], x[1]), f = l3_sub(x[3], x[1]), v = l3_sub(x[0], x[1]), n = l3_cross(e, f);
  long double n2 = l3_dot(n, n);
  long double b = l3_dot(l3_cross(v, f), n), c = l3_dot(l3_cross(e, v), n);
  if (n2 > 0 && b >= 0 && c >= 0 && b + c <= n2)
    keep_shorter(&best, along_normal(l3_madd(l3_madd(v, e, -b / n2), f, -c / n2), n));
  return best;
}

static inline long3 true_edge_edge(const long3 x[4])
{
  long3 best = true_point_segment(x[0], x[2], x[3]);
  keep_shorter(&best, true_point_segment(x[1], x[2], x[3]));
  keep_shorter(&best, l3_scale(true_point_segment(x[2], x[0], x[1]), -1));
  keep_shorter(&best, l3_scale(true_point_segment(x[3], x[0], x[1]), -1));
  long3 a = l3_sub(x[1], x[0]), b = l3_sub(x[3], x[2]), v = l3_sub(x[0], x[2]), n = l3_cross(a, b);
  long double n2 = l3_dot(n, n), s = -l3_dot(l3_cross(v, b), n), t = -l3_dot(l3_cross(v, a), n);
  if (n2 > 0 && s >= 0 && s <= n2 && t >= 0 && t <= n2)
    keep_shorter(&best, along_normal(l3_madd(l3_madd(v, a, s / n2), b, -t / n2), n));
  return best;
}

/* of a pair of that kind; planes are not pairs of vertices */
static inline long3 true_closest(abut_pair_kind kind, const long3 x[4])
{
  if (kind == ABUT_EDGE_EDGE) return true_edge_edge(x);
  if (kind == ABUT_BALL_BALL) return l3_sub(x[0], x[1]);
  return true_point_triangle(x);
}

static inline long double true_distance(abut_pair_kind kind, const long3 x[4])
{
  return l3_norm(true_closest(kind, x));
}

typedef enum proof_status { PROVED, LOST, GIVEN_UP } proof_status;

typedef struct path_proof {
  proof_status status; /* the distance stays at least keep on [0, end], or not, or who knows */
  long double until;   /* true up to here */
} path_proof;

/* until when planes at right angles to r keep the pair keep apart, from t on; t when they do not */
static inline long double wall_until(abut_pair_kind kind, const long3 y[4], const long3 p[4],
                                     long3 r, long double t, long double end, long double keep)
{
  int sides = kind == ABUT_EDGE_EDGE ? 2 : 1, vertices = kind == ABUT_BALL_BALL ? 2 : 4;
  long3 n = l3_scale(r, 1 / l3_norm(r));
  long double next = end;
  for (int i = 0; i < sides; i++)
    for (int j = sides; j < vertices; j++) {
      long double apart = l3_dot(n, l3_sub(y[i], y[j])), closing = -l3_dot(n, l3_sub(p[i], p[j]));
      if (apart < keep) return t;
      if (closing > 0) next = fminl(next, t + (apart - keep) / closing);
    }
  return next;
}

/* Whether a direction that turns from that of the shortest connection at y to that at z, later, is
   at right angles to planes that keep the pair keep apart all along. It is shorter than 1 in
   between, and its products with the connections of vertices are quadratic: bounded by their
   Bernstein coefficients. */
static inline bool turning_wall_holds(abut_pair_kind kind, const long3 y[4], const long3 z[4],
                                      long double keep)
{
  int sides = kind == ABUT_EDGE_EDGE ? 2 : 1, vertices = kind == ABUT_BALL_BALL ? 2 : 4;
  long3 a = true_closest(kind, y), b = true_closest(kind, z);
  a = l3_scale(a, 1 / l3_norm(a)), b = l3_scale(b, 1 / l3_norm(b));
  for (int i = 0; i < sides; i++)
    for (int j = sides; j < vertices; j++) {
      long3 now = l3_sub(y[i], y[j]), then = l3_sub(z[i], z[j]);
      if (l3_dot(a, now) < keep || l3_dot(b, then) < keep) return false;
      if (0.5L * (l3_dot(a, then) + l3_dot(b, now)) < keep) return false;
    }
  return true;
}

/* Steps from time to time: a direction separates the pair until the planes through the vertices
   along it come within keep; that time is a quotient, exact. Tried are the shortest connections
   now and at some later times, and directions that turn from the one to the other. */
static inline path_proof prove_apart(abut_pair_kind kind, const long3 x[4], const long3 p[4],
                                     long double end, long double keep)
{
  long double t = 0;
  for (int step = 0; step < 200; step++) {
    long3 y[4];
    for (int k = 0; k < 4; k++) y[k] = l3_madd(x[k], p[k], t);
    if (!(true_distance(kind, y) >= keep)) return (path_proof){LOST, t};
    long double next = t;
    next = fmaxl(next, wall_until(kind, y, p, true_closest(kind, y), t, end, keep));
    for (long double share = 1; share > 1e-12L && next < end; share *= 0.4L) {
      long double at = t + (end - t) * share;
      if (at <= next) break;
      long3 z[4];
      for (int k = 0; k < 4; k++) z[k] = l3_madd(x[k], p[k], at);
      next = fmaxl(next, wall_until(kind, y, p, true_closest(kind, z), t, end, keep));
      if (at > next && turning_wall_holds(kind, y, z, keep)) next = at;
    }
    if (next >= end) return (path_proof){PROVED, end};
    if (next <= t + 1e-17L * end) break;
    t = next;
  }
  /* too winding: look at many places of what is left */
  for (int k = 0; k <= 2000; k++) {
    long double at = t + (end - t) * k / 2000;
    long3 y[4];
    for (int i = 0; i < 4; i++) y[i] = l3_madd(x[i], p[i], at);
    if (!(true_distance(kind, y) >= keep)) return (path_proof){LOST, at};
  }
  return (path_proof){GIVEN_UP, t};
}

#endif
