/* closest.h: the closest points of a point and a triangle, and of two edges. Textbook geometry; how
   rounding is kept small is ours (docs/contact.md). The difference vector r = sum_i w_i x_i, m,
   runs from the second primitive to the first; the weights sum to 0.
     point-triangle  w = (1, -b0, -b1, -b2)         edge-edge  w = (1-s, s, -(1-t), -t)
   with barycentric coordinates b and places s, t on the edges, all from 0 to 1. By Danskin's
   theorem grad_i |r| = w_i r/|r|, no unit, whatever feature is closest. */
#ifndef ABUT_KERNEL_CLOSEST_H
#define ABUT_KERNEL_CLOSEST_H

#include "kernel/vec.h"

typedef struct quad {
  vec3 p[4];
} quad;

typedef struct closest {
  double w[4];
  vec3 r;       /* m */
  double d2;    /* |r|^2, m^2 */
  int mask;     /* bit i: x_i belongs to the closest features */
  int parallel; /* 1: overlapping parallel edges, closest at the middle of the overlap */
} closest;

/* Squared sine of the angle below which edges count as parallel: there the place of the closest
   points says nothing. Distances are right to rounding all the same. */
#define K_PARALLEL_SINE2 1e-16
/* and below which cross products are taken with twice the digits */
#define K_THIN_SINE2 1e-4

/* a b - c d, right to the last bits however much cancels: each product is split into its rounded
   value and its rounding error (Dekker 1971). Needs products that are not contracted. */
K_FN double closest_det2(double a, double b, double c, double d)
{
  const double split = 134217729; /* 2^27 + 1 */
  double p = a * b, q = c * d;
  double ah = split * a, bh = split * b, ch = split * c, dh = split * d;
  ah = ah - (ah - a);
  bh = bh - (bh - b);
  ch = ch - (ch - c);
  dh = dh - (dh - d);
  double al = a - ah, bl = b - bh, cl = c - ch, dl = d - dh;
  double pe = ((ah * bh - p) + ah * bl + al * bh) + al * bl;
  double qe = ((ch * dh - q) + ch * dl + cl * dh) + cl * dl;
  return (p - q) + (pe - qe);
}

/* a x b for nearly parallel vectors */
K_FN vec3 closest_cross_thin(vec3 a, vec3 b)
{
  return v3(closest_det2(a.y, b.z, a.z, b.y), closest_det2(a.z, b.x, a.x, b.z),
            closest_det2(a.x, b.y, a.y, b.x));
}

/* Solves v = s e + t f + h n, n = e x f: the parameters times |n|^2, by Cramer's rule
   s |n|^2 = (v x f).n, t |n|^2 = (e x v).n; vectors in m, results in m^4. */
typedef struct closest_plane {
  vec3 n;
  double n2, s, t;
} closest_plane;

K_FN closest_plane closest_plane_of(vec3 e, vec3 f, vec3 v)
{
  closest_plane c;
  c.n = v3_cross(e, f);
  c.n2 = v3_norm2(c.n);
  vec3 vf, ev;
  if (c.n2 > K_THIN_SINE2 * v3_norm2(e) * v3_norm2(f)) {
    vf = v3_cross(v, f);
    ev = v3_cross(e, v);
  } else {
    c.n = closest_cross_thin(e, f);
    c.n2 = v3_norm2(c.n);
    vf = closest_cross_thin(v, f);
    ev = closest_cross_thin(e, v);
  }
  c.s = v3_dot(vf, c.n);
  c.t = v3_dot(ev, c.n);
  return c;
}

/* The difference vector of two closest points, along the normal they share, n (r.n)/|n|^2: its
   direction is the normal's, so it stays right when the distance is small, and its length comes
   from the closest points, so it stays right when the normal is not. */
K_FN vec3 closest_along_normal(vec3 r, closest_plane c)
{
  return v3_scale(c.n, v3_dot(r, c.n) / c.n2);
}

typedef struct closest_line {
  double t; /* place on the segment, 0 .. 1 */
  vec3 r;   /* from there to the point */
  double d2;
} closest_line;

/* How far apart the bounding boxes of two primitives are on each axis: first above second, and
   second above first; negative where they overlap. */
typedef struct closest_extents {
  vec3 above, below;
} closest_extents;

/* sides: vertices of the first primitive, of n in all */
K_FN closest_extents closest_extents_of(int sides, int n, quad x)
{
  vec3 low = x.p[0], high = x.p[0], low2 = x.p[sides], high2 = low2;
  if (sides == 2) {
    low = v3_min(low, x.p[1]);
    high = v3_max(high, x.p[1]);
  }
  for (int k = sides + 1; k < n; k++) {
    low2 = v3_min(low2, x.p[k]);
    high2 = v3_max(high2, x.p[k]);
  }
  closest_extents e = {v3_sub(low, high2), v3_sub(low2, high)};
  return e;
}

/* point p and segment a-b: t = (p - a).(b - a)/|b - a|^2, kept between 0 and 1 */
K_FN closest_line closest_point_segment(vec3 p, vec3 a, vec3 b)
{
  vec3 e = v3_sub(b, a), v = v3_sub(p, a);
  double l2 = v3_norm2(e), t = l2 > 0 ? v3_dot(v, e) / l2 : 0;
  closest_line c;
  if (t <= 0) {
    c.t = 0;
    c.r = v;
  } else if (t >= 1) {
    c.t = 1;
    c.r = v3_sub(p, b);
  } else {
    c.t = t;
    /* from the nearer end: less is cancelled; then at right angles to e once more, for what is left
       of a small r is mostly rounding */
    c.r = t < 0.5 ? v3_madd(v, e, -t) : v3_madd(v3_sub(p, b), e, 1 - t);
    c.r = v3_madd(c.r, e, -v3_dot(c.r, e) / l2);
  }
  c.d2 = v3_norm2(c.r);
  return c;
}

K_FN closest closest_point_triangle(vec3 p, vec3 a, vec3 b, vec3 c)
{
  vec3 e1 = v3_sub(b, a), e2 = v3_sub(c, a), v = v3_sub(p, a);
  closest_plane q = closest_plane_of(e1, e2, v);
  closest r;
  r.parallel = 0;
  if (q.n2 > 0 && q.s > 0 && q.t > 0 && q.s + q.t < q.n2) {
    double b1 = q.s / q.n2, b2 = q.t / q.n2;
    r.w[0] = 1;
    r.w[1] = -(1 - b1 - b2);
    r.w[2] = -b1;
    r.w[3] = -b2;
    r.r = closest_along_normal(v3_madd(v3_madd(v, e1, -b1), e2, -b2), q);
    r.d2 = v3_norm2(r.r);
    r.mask = 15;
    return r;
  }
  /* Outside the prism over the triangle the closest point lies on an edge whose far corner has a
     negative coordinate, for there the point is beyond that edge. No area: any edge. */
  bool all = !(q.n2 > 0);
  closest_line best = {0, v3(0, 0, 0), K_INFINITY};
  int i = 1, j = 2;
  if (all || q.t <= 0) best = closest_point_segment(p, a, b);
  if (all || q.s + q.t >= q.n2) {
    closest_line bc = closest_point_segment(p, b, c);
    if (bc.d2 < best.d2) {
      best = bc;
      i = 2;
      j = 3;
    }
  }
  if (all || q.s <= 0) {
    closest_line ca = closest_point_segment(p, c, a);
    if (ca.d2 < best.d2) {
      best = ca;
      i = 3;
      j = 1;
    }
  }
  r.w[0] = 1;
  r.w[1] = r.w[2] = r.w[3] = 0;
  r.w[i] = -(1 - best.t);
  r.w[j] = -best.t;
  r.mask = 1 | (best.t < 1 ? 1 << i : 0) | (best.t > 0 ? 1 << j : 0);
  r.r = best.r;
  r.d2 = best.d2;
  return r;
}

/* Parallel edges whose projections overlap: the middle of the overlap, so that the force has no
   reason to flip between the ends. Returns mask 0 when they do not overlap. */
K_FN closest closest_parallel_edges(vec3 a0, vec3 a1, vec3 b0, vec3 b1)
{
  closest r;
  r.mask = 0;
  vec3 ea = v3_sub(a1, a0), eb = v3_sub(b1, b0);
  double la = v3_norm2(ea), lb = v3_norm2(eb);
  if (!(la > 0 && lb > 0)) return r;
  /* b's ends in the parameter of a */
  double s0 = v3_dot(v3_sub(b0, a0), ea) / la, s1 = v3_dot(v3_sub(b1, a0), ea) / la;
  double low = s0 < s1 ? s0 : s1, high = s0 < s1 ? s1 : s0;
  low = low > 0 ? low : 0;
  high = high < 1 ? high : 1;
  if (!(low < high)) return r;
  double s = 0.5 * (low + high);
  vec3 at = v3_madd(a0, ea, s);
  double t = v3_dot(v3_sub(at, b0), eb) / lb;
  t = t < 0 ? 0 : t > 1 ? 1 : t;
  r.w[0] = 1 - s;
  r.w[1] = s;
  r.w[2] = -(1 - t);
  r.w[3] = -t;
  r.r = v3_sub(v3_madd(v3_sub(a0, b0), ea, s), v3_scale(eb, t));
  r.d2 = v3_norm2(r.r);
  r.mask = 15;
  r.parallel = 1;
  return r;
}

/* the nearest pair of an end and an edge; ends: bit k for vertex k in the order a0 a1 b0 b1 */
K_FN closest closest_edge_ends(vec3 a0, vec3 a1, vec3 b0, vec3 b1, int ends)
{
  closest_line c = {0, v3(0, 0, 0), K_INFINITY};
  int best = 0;
  for (int k = 0; k < 4; k++) {
    if (!(ends >> k & 1)) continue;
    closest_line l = k < 2 ? closest_point_segment(k == 0 ? a0 : a1, b0, b1)
                           : closest_point_segment(k == 2 ? b0 : b1, a0, a1);
    if (!(l.d2 < c.d2)) continue;
    c = l;
    best = k;
  }
  closest r;
  double t = c.t;
  r.w[0] = r.w[1] = r.w[2] = r.w[3] = 0;
  if (best < 2) {
    r.w[best] = 1;
    r.w[2] = -(1 - t);
    r.w[3] = -t;
    r.mask = 1 << best | (t < 1 ? 4 : 0) | (t > 0 ? 8 : 0);
    r.r = c.r;
  } else {
    r.w[0] = 1 - t;
    r.w[1] = t;
    r.w[best] = -1;
    r.mask = 1 << best | (t < 1 ? 1 : 0) | (t > 0 ? 2 : 0);
    r.r = v3_neg(c.r);
  }
  r.d2 = c.d2;
  r.parallel = 0;
  return r;
}

K_FN closest closest_edge_edge(vec3 a0, vec3 a1, vec3 b0, vec3 b1)
{
  vec3 ea = v3_sub(a1, a0), eb = v3_sub(b1, b0), v = v3_sub(b0, a0);
  closest_plane q = closest_plane_of(ea, eb, v);
  if (!(q.n2 > K_PARALLEL_SINE2 * v3_norm2(ea) * v3_norm2(eb))) {
    closest r = closest_parallel_edges(a0, a1, b0, b1);
    return r.mask ? r : closest_edge_ends(a0, a1, b0, b1, 15);
  }
  /* the closest points of the lines, where they lie outside the edges, say which ends may count:
     the distance is convex in both places along the edges */
  int ends =
      (q.s <= 0 ? 1 : 0) | (q.s >= q.n2 ? 2 : 0) | (q.t >= 0 ? 4 : 0) | (q.t <= -q.n2 ? 8 : 0);
  if (ends) return closest_edge_ends(a0, a1, b0, b1, ends);
  closest r;
  double s = q.s / q.n2, t = -q.t / q.n2;
  r.w[0] = 1 - s;
  r.w[1] = s;
  r.w[2] = -(1 - t);
  r.w[3] = -t;
  r.r = closest_along_normal(v3_madd(v3_madd(v3_neg(v), ea, s), eb, -t), q);
  r.d2 = v3_norm2(r.r);
  r.mask = 15;
  r.parallel = 0;
  return r;
}

#endif
