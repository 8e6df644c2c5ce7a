/* closest.h: the closest points of a point and a triangle, and of two edges. The difference vector
   r = sum_i w_i x_i runs from the second primitive to the first; the weights sum to 0.
     point-triangle  w = (1, -b0, -b1, -b2)         edge-edge  w = (1-s, s, -(1-t), -t)
   By Danskin's theorem grad |r| = w_i r/|r|, whatever feature is closest (docs/contact.md). */
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

/* Edges whose angle has a sine below this are treated as parallel: beyond it the direction of their
   cross product is rounding noise. */
#define K_PARALLEL_SINE2 1e-16

typedef struct closest_line {
  double t; /* place on the segment, 0 .. 1 */
  vec3 r;   /* from there to the point */
  double d2;
} closest_line;

/* point p and segment a-b */
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
    /* from the nearer end: less is cancelled */
    c.r = t < 0.5 ? v3_madd(v, e, -t) : v3_madd(v3_sub(p, b), e, 1 - t);
  }
  c.d2 = v3_norm2(c.r);
  return c;
}

K_FN closest closest_point_triangle(vec3 p, vec3 a, vec3 b, vec3 c)
{
  vec3 e1 = v3_sub(b, a), e2 = v3_sub(c, a), v = v3_sub(p, a), n = v3_cross(e1, e2);
  double n2 = v3_norm2(n);
  double b1 = v3_dot(v3_cross(v, e2), n), b2 = v3_dot(v3_cross(e1, v), n);
  closest r;
  r.parallel = 0;
  if (n2 > 0 && b1 > 0 && b2 > 0 && b1 + b2 < n2) {
    b1 /= n2;
    b2 /= n2;
    r.w[0] = 1;
    r.w[1] = -(1 - b1 - b2);
    r.w[2] = -b1;
    r.w[3] = -b2;
    /* along the normal: its direction stays right when the distance is small */
    r.r = v3_scale(n, v3_dot(v, n) / n2);
    r.d2 = v3_norm2(r.r);
    r.mask = 15;
    return r;
  }
  /* outside the prism over the triangle (or a sliver): the nearest of its edges */
  closest_line ab = closest_point_segment(p, a, b), bc = closest_point_segment(p, b, c);
  closest_line ca = closest_point_segment(p, c, a), best = ab;
  int i = 1, j = 2;
  if (bc.d2 < best.d2) {
    best = bc;
    i = 2;
    j = 3;
  }
  if (ca.d2 < best.d2) {
    best = ca;
    i = 3;
    j = 1;
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

/* the nearest of the four pairs of an end and an edge */
K_FN closest closest_edge_ends(vec3 a0, vec3 a1, vec3 b0, vec3 b1)
{
  closest_line c[4] = {closest_point_segment(a0, b0, b1), closest_point_segment(a1, b0, b1),
                       closest_point_segment(b0, a0, a1), closest_point_segment(b1, a0, a1)};
  int best = 0;
  for (int k = 1; k < 4; k++)
    if (c[k].d2 < c[best].d2) best = k;
  closest r;
  double t = c[best].t;
  r.w[0] = r.w[1] = r.w[2] = r.w[3] = 0;
  if (best < 2) {
    r.w[best] = 1;
    r.w[2] = -(1 - t);
    r.w[3] = -t;
    r.mask = 1 << best | (t < 1 ? 4 : 0) | (t > 0 ? 8 : 0);
    r.r = c[best].r;
  } else {
    r.w[0] = 1 - t;
    r.w[1] = t;
    r.w[best] = -1;
    r.mask = 1 << best | (t < 1 ? 1 : 0) | (t > 0 ? 2 : 0);
    r.r = v3_neg(c[best].r);
  }
  r.d2 = c[best].d2;
  r.parallel = 0;
  return r;
}

K_FN closest closest_edge_edge(vec3 a0, vec3 a1, vec3 b0, vec3 b1)
{
  vec3 ea = v3_sub(a1, a0), eb = v3_sub(b1, b0), v = v3_sub(b0, a0), n = v3_cross(ea, eb);
  double n2 = v3_norm2(n);
  if (n2 > K_PARALLEL_SINE2 * v3_norm2(ea) * v3_norm2(eb)) {
    double s = v3_dot(v3_cross(v, eb), n), t = v3_dot(v3_cross(v, ea), n);
    if (s > 0 && s < n2 && t > 0 && t < n2) {
      closest r;
      s /= n2;
      t /= n2;
      r.w[0] = 1 - s;
      r.w[1] = s;
      r.w[2] = -(1 - t);
      r.w[3] = -t;
      r.r = v3_scale(n, -v3_dot(v, n) / n2);
      r.d2 = v3_norm2(r.r);
      r.mask = 15;
      r.parallel = 0;
      return r;
    }
  } else {
    closest r = closest_parallel_edges(a0, a1, b0, b1);
    if (r.mask) return r;
  }
  return closest_edge_ends(a0, a1, b0, b1);
}

#endif
