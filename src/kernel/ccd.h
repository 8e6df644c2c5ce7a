/* ccd.h: how far a pair of primitives may move along straight vertex paths. Answers have three
   values: hit and undecided come with a fraction of the motion that is safe, clear is safe to its
   end. Running out of iterations is undecided, never clear. Two methods:
     walls (ours, docs/contact.md): a unit vector n keeps the pair apart by the least n.(x_i - x_j),
       m, over the vertices i of the first and j of the second primitive, whatever n is. Each of
       these changes linearly along the motion, by n.(p_i - p_j), so the part of the motion in which
       it stays above a limit s is the quotient (n.(x_i - x_j) - s)/(n.(p_j - p_i)). Walls found at
       the place reached take the pair on. One wall allows what the displacement bound of
       Newton IPC (docs/energies.md) allows, or more; many are Newton's iteration for the time of
       contact, from below.
     additive (Li, Kaufman, Jiang 2021): advance by a part of the motion that cannot close the gap,
       (1 - slack)(d - xi)/l_p, l_p the farthest that points of the two can come towards each other.
   Only the n.(x_i - x_j) are trusted, never a closest point: a badly rounded n costs time, not
   safety. xi: minimum separation, m: the pair's offset plus an absolute floor of 16 units in the
   last place of its largest coordinate, so that neither the n.(x_i - x_j) nor rounding the end
   positions can cross it. x: positions, m; p: displacements, m; t: part of the motion, 0 to 1. */
#ifndef ABUT_KERNEL_CCD_H
#define ABUT_KERNEL_CCD_H

#include "kernel/closest.h"

#define CCD_CLEAR 0
#define CCD_HIT 1
#define CCD_UNDECIDED 2

/* which vertices form the first primitive: a point (0), or an edge (0, 1) */
#define CCD_POINT_TRIANGLE 0
#define CCD_EDGE_EDGE 1
#define CCD_POINT_POINT 2

typedef struct ccd_answer {
  int status;
  double t; /* safe fraction of the motion */
} ccd_answer;

K_FN ccd_answer ccd_make(int status, double t)
{
  ccd_answer r = {status, t};
  return r;
}

K_FN int ccd_vertices(int kind)
{
  return kind == CCD_POINT_POINT ? 2 : 4;
}

K_FN int ccd_sides(int kind)
{
  return kind == CCD_EDGE_EDGE ? 2 : 1;
}

K_FN closest ccd_closest(int kind, quad x)
{
  if (kind == CCD_POINT_TRIANGLE) return closest_point_triangle(x.p[0], x.p[1], x.p[2], x.p[3]);
  if (kind == CCD_EDGE_EDGE) return closest_edge_edge(x.p[0], x.p[1], x.p[2], x.p[3]);
  closest c = {{1, -1, 0, 0}, v3_sub(x.p[0], x.p[1]), 0, 3, 0};
  c.d2 = v3_norm2(c.r);
  return c;
}

/* 16 units in the last place of the largest coordinate on the whole path; infinite when one is not
   a number */
#define CCD_FLOOR (16 * K_EPSILON)

K_FN double ccd_size(vec3 x, vec3 p, double size)
{
  double a = fabs(x.x) + fabs(p.x), b = fabs(x.y) + fabs(p.y), c = fabs(x.z) + fabs(p.z);
  if (a <= size && b <= size && c <= size) return size;
  double m = a > b ? a : b;
  m = m > c ? m : c;
  return m < K_INFINITY && a + b + c >= 0 ? (m > size ? m : size) : K_INFINITY;
}

K_FN double ccd_floor(int kind, quad x, quad p)
{
  double size = 0;
  for (int k = 0; k < ccd_vertices(kind); k++) size = ccd_size(x.p[k], p.p[k], size);
  return CCD_FLOOR * size;
}

/* the part of each vertex along n, from the first vertex's */
typedef struct ccd_line {
  double h[4];
} ccd_line;

K_FN ccd_line ccd_along(int kind, vec3 n, quad x)
{
  ccd_line l = {{0, 0, 0, 0}};
  for (int k = 1; k < ccd_vertices(kind); k++) l.h[k] = v3_dot(n, v3_sub(x.p[k], x.p[0]));
  return l;
}

/* how far apart the hulls are along the line; negative where they overlap */
K_FN double ccd_apart(int kind, ccd_line l)
{
  if (kind == CCD_POINT_POINT) return -l.h[1];
  double high = l.h[2] > l.h[3] ? l.h[2] : l.h[3];
  if (kind == CCD_EDGE_EDGE) return (l.h[1] < 0 ? l.h[1] : 0) - high;
  return -(l.h[1] > high ? l.h[1] : high);
}

typedef struct ccd_wall {
  vec3 n;       /* from the second primitive to the first */
  ccd_line x;   /* places along n, m */
  double apart; /* m */
  double w[4];  /* weights of the closest points */
} ccd_wall;

K_FN ccd_wall ccd_wall_along(int kind, vec3 n, quad x, closest c)
{
  ccd_wall w;
  w.n = n;
  w.x = ccd_along(kind, n, x);
  w.apart = ccd_apart(kind, w.x);
  for (int k = 0; k < 4; k++) w.w[k] = c.w[k];
  return w;
}

K_FN ccd_wall ccd_better_wall(int kind, ccd_wall w, vec3 r, quad x, closest c)
{
  ccd_wall other = ccd_wall_along(kind, v3_unit(r), x, c);
  return other.apart > w.apart ? other : w;
}

/* The wall at right angles to the shortest connection. When rounding has turned that, or nearly
   parallel edges met in their middle, another direction may keep more of the gap. */
K_FN ccd_wall ccd_wall_of(int kind, quad x, double xi)
{
  closest c = ccd_closest(kind, x);
  ccd_wall w = ccd_wall_along(kind, v3_unit(c.r), x, c);
  if (kind == CCD_POINT_POINT || w.apart - xi >= 0.95 * (sqrt(c.d2) - xi)) return w;
  vec3 n;
  if (kind == CCD_POINT_TRIANGLE) {
    n = closest_cross_thin(v3_sub(x.p[2], x.p[1]), v3_sub(x.p[3], x.p[1]));
  } else {
    n = closest_cross_thin(v3_sub(x.p[1], x.p[0]), v3_sub(x.p[3], x.p[2]));
    w = ccd_better_wall(kind, w, closest_edge_ends(x.p[0], x.p[1], x.p[2], x.p[3], 15).r, x, c);
  }
  return ccd_better_wall(kind, w, v3_dot(n, c.r) < 0 ? v3_neg(n) : n, x, c);
}

/* The largest part of a motion, u along the wall, at which it still keeps the vertices keep above
   xi, or leaves those below that where they are: each n.(x_i - x_j) falls by u_j - u_i. */
K_FN double ccd_wall_time(int kind, ccd_wall w, ccd_line u, double xi, double keep)
{
  int sides = ccd_sides(kind);
  double t = K_INFINITY;
  for (int i = 0; i < sides; i++)
    for (int j = sides; j < ccd_vertices(kind); j++) {
      double closing = u.h[j] - u.h[i], room = w.x.h[i] - w.x.h[j] - xi - keep;
      if (closing <= 0) continue;
      if (!(room > 0)) return 0;
      t = room >= t * closing ? t : room / closing;
    }
  return t >= 0 ? t : 0;
}

/* whether the wall keeps the pair more than xi apart at the end of a motion u along it */
K_FN bool ccd_wall_clears(int kind, ccd_wall w, ccd_line u, double xi)
{
  ccd_line end;
  for (int k = 0; k < 4; k++) end.h[k] = w.x.h[k] + u.h[k];
  return ccd_apart(kind, end) > xi;
}

/* Bound along the wall at the start; a tenth of the gap is kept. */
K_FN ccd_answer ccd_wall_bound(int kind, ccd_wall w, quad p, double xi)
{
  ccd_line u = ccd_along(kind, w.n, p);
  double gap = w.apart - xi;
  if (gap > 0 && ccd_wall_clears(kind, w, u, xi)) return ccd_make(CCD_CLEAR, 1);
  if (!(w.apart > 0)) return ccd_make(CCD_HIT, 0);
  double t = ccd_wall_time(kind, w, u, xi, gap > 0 ? 0.1 * gap : 0);
  return t >= 1 ? ccd_make(CCD_CLEAR, 1) : ccd_make(CCD_HIT, t);
}

/* the vertices after a part t of the motion */
K_FN quad ccd_at(quad x, quad p, double t)
{
  for (int k = 0; k < 4; k++) x.p[k] = v3_madd(x.p[k], p.p[k], t);
  return x;
}

/* one step of ccd_walls: from time t, wall w there, to t + step and the wall there; step 1 - t:
 * clear */
typedef struct ccd_step {
  double step;
  ccd_wall w;
} ccd_step;

/* times that a step looks at; a guess that is too late is shortened to 0.4 at the least, so that
   they reach from a whole motion down to 1e-16 of it */
enum { CCD_GUESSES = 40 };

/* when something that falls at first with speed, and by drop within time, has fallen by room: the
   root of speed t + (drop - speed time) (t/time)^2 = room, in the form that does not cancel */
K_FN double ccd_parabola(double drop, double speed, double time, double room)
{
  double c = (drop - speed * time) / (time * time), root = speed * speed + 4 * c * room;
  return root > 0 ? 2 * room / (speed + sqrt(root)) : time;
}

/* half the sum of two lines */
K_FN ccd_line ccd_between(ccd_line a, ccd_line b)
{
  for (int k = 0; k < 4; k++) a.h[k] = 0.5 * (a.h[k] + b.h[k]);
  return a;
}

/* The wall at t lasts for a while. But where the primitives turn, the wall of a later time lasts
   from now until then, or the wall turns too: n from that of now, a, to that of then, b. Between
   both it is shorter than 1, so that n.(x_i - x_j) is at most the distance, and that is a quadratic
   in time whose three Bernstein coefficients bound it: a.(now), half of a.(then) + b.(now),
   b.(then). Tried is first the time at which the closest points, at their speed, are little more
   than keep above xi. */
K_FN ccd_step ccd_walls_step(int kind, quad x, quad p, double t, ccd_wall w, double xi, double keep)
{
  ccd_step s = {1 - t, w};
  ccd_line u = ccd_along(kind, w.n, p);
  double far = ccd_wall_time(kind, w, u, xi, keep), speed = 0;
  if (far >= 1 - t) return s;
  for (int k = 0; k < ccd_vertices(kind); k++) speed -= w.w[k] * u.h[k];
  double gap = w.apart - xi, room = gap - 1.05 * keep, guess = 1 - t;
  if (room < guess * speed) guess = room / speed;
  for (int k = 0; k < CCD_GUESSES && guess > 1.5 * far; k++) {
    quad y = ccd_at(x, p, t + guess);
    ccd_wall later = ccd_wall_of(kind, y, xi);
    ccd_line b_now = ccd_along(kind, later.n, ccd_at(x, p, t)), a_then = ccd_along(kind, w.n, y);
    double now = ccd_apart(kind, b_now), turning = ccd_apart(kind, ccd_between(b_now, a_then));
    bool whole = now - xi >= keep || turning - xi >= keep, end = later.apart - xi >= keep;
    if (whole && end) {
      s.step = guess;
      s.w = later;
      return s;
    }
    double sooner = end ? 1 : ccd_parabola(gap - (later.apart - xi), speed, guess, room) / guess;
    guess *= whole || sooner < 0.4 ? sooner : 0.4;
  }
  s.step = far;
  s.w = ccd_wall_of(kind, ccd_at(x, p, t + far), xi);
  return s;
}

/* Walls from the start on, each from where the last one ends, down to a tenth of the first gap.
   Stops when little is gained, or at a t beyond `enough`: the caller only wants to know whether
   this pair is the tightest, and a smaller `enough` never changes an answer below it. */
K_FN ccd_answer ccd_walls(int kind, quad x, quad p, double xi, int iterations, double enough)
{
  ccd_wall w = ccd_wall_of(kind, x, xi);
  ccd_answer a = ccd_wall_bound(kind, w, p, xi);
  double gap = w.apart - xi, keep = 0.1 * gap;
  if (a.status == CCD_CLEAR || !(gap > 0) || a.t > enough) return a;
  a.t = 0;
  for (int k = 0; k < iterations; k++) {
    if (ccd_wall_clears(kind, w, ccd_along(kind, w.n, ccd_at(p, p, -a.t)), xi))
      return ccd_make(CCD_CLEAR, 1);
    ccd_step s = ccd_walls_step(kind, x, p, a.t, w, xi, keep);
    if (a.t + s.step >= 1) return ccd_make(CCD_CLEAR, 1);
    a.t += s.step;
    if (a.t > enough || s.w.apart - xi < 1.1 * keep || s.step < 0.02 * a.t) return a;
    w = s.w;
  }
  return ccd_make(CCD_UNDECIDED, a.t);
}

/* Whether some coordinate axis keeps the pair more than xi apart at both ends, and so all the way.
   Cheaper than closest points, and true for most candidates. */
K_FN bool ccd_clear_on_axes(int kind, quad x, quad p, double xi)
{
  int sides = ccd_sides(kind), n = ccd_vertices(kind);
  quad end = x;
  for (int k = 0; k < n; k++) end.p[k] = v3_add(x.p[k], p.p[k]);
  closest_extents a = closest_extents_of(sides, n, x), b = closest_extents_of(sides, n, end);
  vec3 above = v3_min(a.above, b.above), below = v3_min(a.below, b.below);
  return (above.x > xi) | (above.y > xi) | (above.z > xi) | (below.x > xi) | (below.y > xi) |
         (below.z > xi);
}

/* l_p = max |p_i - mean| + max |p_j - mean|, m: the farthest that points of both primitives can
   move towards each other, mean motion removed */
K_FN double ccd_reach(int kind, quad p)
{
  int n = ccd_vertices(kind);
  vec3 mean = v3(0, 0, 0);
  for (int k = 0; k < n; k++) mean = v3_madd(mean, p.p[k], 1.0 / n);
  double l[4] = {0, 0, 0, 0};
  for (int k = 0; k < n; k++) l[k] = v3_norm(v3_sub(p.p[k], mean));
  if (kind == CCD_POINT_POINT) return l[0] + l[1];
  double high = l[2] > l[3] ? l[2] : l[3];
  if (kind == CCD_EDGE_EDGE) return (l[0] > l[1] ? l[0] : l[1]) + high;
  return l[0] + (l[1] > high ? l[1] : high);
}

/* Additive CCD (Li, Kaufman, Jiang 2021) from a pair that is farther apart than xi: a safe t at
   which the gap has shrunk to about slack times its start. It needs many more steps than walls do
   where a pair slides: as a published method it is here to be compared with. */
K_FN ccd_answer ccd_additive(int kind, quad x, quad p, double xi, double slack, int iterations)
{
  double reach = ccd_reach(kind, p);
  if (reach == 0) return ccd_make(CCD_CLEAR, 1);
  double gap = ccd_wall_of(kind, x, xi).apart - xi, stop = slack * gap, t = 0;
  if (!(gap > 0)) return ccd_make(CCD_HIT, 0);
  for (int k = 0; k < iterations; k++) {
    double step = (1 - slack) * gap / reach;
    if (t + step >= 1) return ccd_make(CCD_CLEAR, 1);
    quad y;
    for (int v = 0; v < 4; v++) y.p[v] = v3_madd(x.p[v], p.p[v], t + step);
    gap = ccd_wall_of(kind, y, xi).apart - xi;
    if (gap < stop) return ccd_make(CCD_HIT, k == 0 ? step : t);
    t += step;
  }
  return ccd_make(CCD_UNDECIDED, t);
}

#endif
