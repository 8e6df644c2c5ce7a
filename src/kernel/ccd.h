/* ccd.h: how far a pair of primitives may move along straight vertex paths. Answers have three
   values: hit and undecided come with a fraction of the motion that is safe, clear is safe to its
   end. Running out of iterations is undecided, never clear. Two methods:
     separating normal: n separates the hulls by d now; after a fraction a along p the separation
       along the same n is at least d - a approach. Exact for straight paths, no iteration.
     additive (Li, Kaufman, Jiang 2021, C-IPC): advance by a distance that cannot close the gap.
   xi: minimum separation, m: the pair's offset plus an absolute floor of 16 units in the last place
   of its largest coordinate, so that rounding the end positions cannot cross it. */
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

K_FN closest ccd_closest(int kind, quad x)
{
  if (kind == CCD_POINT_TRIANGLE) return closest_point_triangle(x.p[0], x.p[1], x.p[2], x.p[3]);
  if (kind == CCD_EDGE_EDGE) return closest_edge_edge(x.p[0], x.p[1], x.p[2], x.p[3]);
  closest c = {{1, -1, 0, 0}, v3_sub(x.p[0], x.p[1]), 0, 3, 0};
  c.d2 = v3_norm2(c.r);
  return c;
}

/* 16 units in the last place of the largest coordinate on the whole path */
K_FN double ccd_floor(int kind, quad x, quad p)
{
  double m = 0;
  for (int k = 0; k < ccd_vertices(kind); k++) {
    double a = v3_max_abs(x.p[k]) + v3_max_abs(p.p[k]);
    m = a > m ? a : m;
  }
  return 16 * K_EPSILON * m;
}

/* how fast the pair closes along n, m per whole motion; n points from the second to the first */
K_FN double ccd_approach(int kind, vec3 n, quad p)
{
  double u0 = v3_dot(n, p.p[0]), u1 = v3_dot(n, p.p[1]);
  if (kind == CCD_POINT_POINT) return u1 - u0;
  double u2 = v3_dot(n, p.p[2]), u3 = v3_dot(n, p.p[3]), high = u2 > u3 ? u2 : u3;
  if (kind == CCD_EDGE_EDGE) return high - (u0 < u1 ? u0 : u1);
  return (u1 > high ? u1 : high) - u0;
}

/* Bound along the current separating normal; gap = d - xi. A tenth of the gap is kept. */
K_FN ccd_answer ccd_normal_bound(int kind, vec3 n, double gap, quad p)
{
  double approach = ccd_approach(kind, n, p);
  if (approach <= 0) return ccd_make(CCD_CLEAR, 1);
  if (gap <= 0) return ccd_make(CCD_HIT, 0);
  double ratio = gap / approach;
  if (ratio > 1) return ccd_make(CCD_CLEAR, 1);
  return ccd_make(CCD_HIT, 0.9 * ratio);
}

/* the farthest that points of both primitives can move towards each other, mean motion removed */
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

/* Additive CCD from a pair that is farther apart than xi: a safe t at which the gap has shrunk to
   about slack times its start. Reaching `enough` is as good as the end of the motion (answer clear
   at 1, hit at less): the caller only wants to know whether this pair is the tightest. */
K_FN ccd_answer ccd_additive(int kind, quad x, quad p, double xi, double slack, int iterations,
                             double enough)
{
  double reach = ccd_reach(kind, p);
  if (reach == 0) return ccd_make(CCD_CLEAR, 1);
  closest c = ccd_closest(kind, x);
  double d = sqrt(c.d2), gap = (c.d2 - xi * xi) / (d + xi), stop = slack * gap, t = 0;
  if (!(gap > 0)) return ccd_make(CCD_HIT, 0);
  for (int k = 0; k < iterations; k++) {
    double step = (1 - slack) * gap / reach;
    if (t + step >= enough) return ccd_make(enough >= 1 ? CCD_CLEAR : CCD_HIT, enough);
    quad y;
    for (int v = 0; v < 4; v++) y.p[v] = v3_madd(x.p[v], p.p[v], t + step);
    c = ccd_closest(kind, y);
    d = sqrt(c.d2);
    gap = (c.d2 - xi * xi) / (d + xi);
    if (gap < stop) return ccd_make(CCD_HIT, k == 0 ? step : t);
    t += step;
  }
  return ccd_make(CCD_UNDECIDED, t);
}

#endif
