#include "contact/exact_filter.h"

/* Error bounds (forward analysis after Shewchuk 1997, "Adaptive precision floating-point
   arithmetic", section 4.4, for the plain static bound). Each operation has a relative error of at
   most v = 2^-52 in whichever direction it rounds, so a sum of products in which no term passes
   more than 8 operations is off by at most ((1 + v)^8 - 1) / (1 - v)^8 < 8.1 v < 2^-48 times the
   computed sum of the absolute values of its terms.

   Underflow adds an absolute error of at most 2^-1022 an operation, even where a host has switched
   subnormal numbers off. With all differences at most LARGE = 2^128 it is multiplied by at most
   2^256, and the 40 operations stay below 2^-740. Overflow cannot happen below LARGE; beyond it,
   and for what is not a number, the answer is "unsure". */
#define RELATIVE 0x1p-48
#define UNDERFLOW 0x1p-600
#define LARGE 0x1p128
/* lengths whose squares are far from underflow */
#define SMALL 0x1p-200

/* sign of value, whose error is at most RELATIVE size + UNDERFLOW */
static int certain(double value, double size)
{
  double bound = RELATIVE * size + UNDERFLOW;
  return value > bound ? 1 : value < -bound ? -1 : ABUT_EXACT_UNSURE;
}

static double larger(double a, double b)
{
  return a > b ? a : b;
}

/* Not a number is not at most LARGE either: v3_max_abs may lose it, the sum does not. */
static bool moderate(vec3 a, vec3 b, vec3 c)
{
  double sum = fabs(a.x) + fabs(a.y) + fabs(a.z) + fabs(b.x) + fabs(b.y) + fabs(b.z) + fabs(c.x) +
               fabs(c.y) + fabs(c.z);
  return sum <= LARGE;
}

/* equal coordinates make a zero determinant without any arithmetic: meshes in an axis plane */
static bool level(double a, double b, double c, double d)
{
  return a == b && a == c && a == d;
}

/* w . (u x v). The longest way of a term: difference (two factors), product, difference,
   difference of w, product, two sums: 8 operations. */
int abut_exact_orientation_filter(vec3 a, vec3 b, vec3 c, vec3 d)
{
  if (level(a.x, b.x, c.x, d.x) || level(a.y, b.y, c.y, d.y) || level(a.z, b.z, c.z, d.z)) return 0;
  vec3 u = v3_sub(b, a), v = v3_sub(c, a), w = v3_sub(d, a);
  if (!moderate(u, v, w)) return ABUT_EXACT_UNSURE;
  double yz = u.y * v.z, zy = u.z * v.y, zx = u.z * v.x, xz = u.x * v.z, xy = u.x * v.y,
         yx = u.y * v.x;
  double value = w.x * (yz - zy) + w.y * (zx - xz) + w.z * (xy - yx);
  double size = fabs(w.x) * (fabs(yz) + fabs(zy)) + fabs(w.y) * (fabs(zx) + fabs(xz)) +
                fabs(w.z) * (fabs(xy) + fabs(yx));
  return certain(value, size);
}

/* side of r from the line through p and q, all seen along the z axis */
static int side_filter(vec3 p, vec3 q, vec3 r)
{
  vec3 u = v3_sub(q, p), v = v3_sub(r, p);
  if (!moderate(u, v, v)) return ABUT_EXACT_UNSURE;
  double xy = u.x * v.y, yx = u.y * v.x;
  return certain(xy - yx, fabs(xy) + fabs(yx));
}

/* does the line through a and b have c on one side and both p and q on the other? */
static bool edge_separates(vec3 a, vec3 b, vec3 c, vec3 p, vec3 q)
{
  int inner = side_filter(a, b, c);
  return inner != ABUT_EXACT_UNSURE && side_filter(a, b, p) == -inner &&
         side_filter(a, b, q) == -inner;
}

static vec3 turned(vec3 a, int axis)
{
  return axis == 0 ? v3(a.y, a.z, a.x) : axis == 1 ? v3(a.z, a.x, a.y) : a;
}

/* Shadows that are apart prove the solids apart. Seen along the axis nearest to the normal this
   settles neighbours in a flat sheet, which no orientation can tell. */
static bool shadows_apart(vec3 p, vec3 q, vec3 a, vec3 b, vec3 c)
{
  vec3 n = v3_cross(v3_sub(b, a), v3_sub(c, a));
  double x = fabs(n.x), y = fabs(n.y), z = fabs(n.z);
  int axis = x > y && x > z ? 0 : y > z ? 1 : 2;
  p = turned(p, axis);
  q = turned(q, axis);
  a = turned(a, axis);
  b = turned(b, axis);
  c = turned(c, axis);
  if (edge_separates(a, b, c, p, q) || edge_separates(b, c, a, p, q) ||
      edge_separates(c, a, b, p, q))
    return true;
  int side = side_filter(p, q, a);
  return side != ABUT_EXACT_UNSURE && side_filter(p, q, b) == side && side_filter(p, q, c) == side;
}

/* Let D(u, v) = det(q - p, u - p, v - p). If the line meets the triangle in alpha a + beta b +
   gamma c, then D of that point with anything is 0, hence (D(b, c), D(c, a), D(a, b)) is a multiple
   of (alpha, beta, gamma): two of them with opposite signs prove that the line misses the triangle,
   of any shape. */
int abut_exact_segment_triangle_filter(vec3 p, vec3 q, vec3 a, vec3 b, vec3 c)
{
  int above_p = abut_exact_orientation_filter(a, b, c, p);
  int above_q = abut_exact_orientation_filter(a, b, c, q);
  if (above_p == above_q && (above_p == 1 || above_p == -1)) return ABUT_APART;

  int side[3] = {abut_exact_orientation_filter(p, q, b, c),
                 abut_exact_orientation_filter(p, q, c, a),
                 abut_exact_orientation_filter(p, q, a, b)};
  int left = 0, right = 0;
  for (int k = 0; k < 3; k++) {
    left += side[k] == 1;
    right += side[k] == -1;
  }
  if (left > 0 && right > 0) return ABUT_APART;
  bool piercing = (above_p == 1 && above_q == -1) || (above_p == -1 && above_q == 1);
  if (piercing && (left == 3 || right == 3)) return ABUT_CROSSING;
  return shadows_apart(p, q, a, b, c) ? ABUT_APART : ABUT_EXACT_UNSURE;
}

/* weights of the nearest point of an edge, and its squared distance from the origin */
static double nearest_on_edge(vec3 a, vec3 b, double *t)
{
  vec3 e = v3_sub(b, a);
  double top = -v3_dot(a, e), bottom = v3_norm2(e);
  *t = top <= 0 || bottom == 0 ? 0 : top >= bottom ? 1 : top / bottom;
  return v3_norm2(v3_madd(a, e, *t));
}

vec3 abut_exact_nearest(vec3 a, vec3 b, vec3 c)
{
  vec3 u = v3_sub(b, a), v = v3_sub(c, a), n = v3_cross(u, v);
  double area = v3_norm2(n);
  double wb = v3_dot(v3_cross(v, a), n), wc = v3_dot(v3_cross(a, u), n), wa = area - wb - wc;
  double sum = wa + wb + wc;
  if (wa >= 0 && wb >= 0 && wc >= 0 && sum > 0) return v3(wa / sum, wb / sum, wc / sum);

  double t[3];
  double ab = nearest_on_edge(a, b, &t[0]), bc = nearest_on_edge(b, c, &t[1]),
         ca = nearest_on_edge(c, a, &t[2]);
  if (ab <= bc && ab <= ca) return v3(1 - t[0], t[0], 0);
  return bc <= ca ? v3(0, 1 - t[1], t[1]) : v3(t[2], 0, 1 - t[2]);
}

/* Two certificates, both right whatever nearest() says: the distance is at most that of any point
   of the triangle, and at least the least n . (a, b, c) / |n| for any n; with the nearest point as
   n the two agree up to rounding. With all lengths between SMALL and LARGE and m the largest, no
   component takes more than 20 operations of error v m, 3 components and two square roots: below
   100 v m < 2^-45 m. */
int abut_exact_point_triangle_filter(vec3 p, vec3 a, vec3 b, vec3 c, double radius)
{
  if (radius < 0) return 1;
  a = v3_sub(a, p);
  b = v3_sub(b, p);
  c = v3_sub(c, p);
  double m = larger(v3_max_abs(a), larger(v3_max_abs(b), v3_max_abs(c)));
  if (!moderate(a, b, c) || !(m >= SMALL)) return ABUT_EXACT_UNSURE;
  vec3 w = abut_exact_nearest(a, b, c);
  vec3 n = v3_madd(v3_madd(v3_scale(a, w.x), b, w.y), c, w.z);
  double length = v3_norm(n), error = 0x1p-45 * m;
  if (length + error < radius) return -1;
  if (!(length > 0x1p-300)) return ABUT_EXACT_UNSURE;
  double na = v3_dot(n, a), nb = v3_dot(n, b), nc = v3_dot(n, c);
  double least = (na < nb ? na : nb) < nc ? (na < nb ? na : nb) : nc;
  return least / length - error > radius ? 1 : ABUT_EXACT_UNSURE;
}

/* both squares are sums of squares of differences: no term passes more than 6 operations */
int abut_exact_spheres_filter(vec3 p, vec3 q, double r, double s)
{
  double reach = r + s;
  if (reach < 0) return 1;
  vec3 d = v3_sub(p, q);
  if (!moderate(d, d, v3(reach, 0, 0)) || !(larger(v3_max_abs(d), reach) >= SMALL))
    return ABUT_EXACT_UNSURE;
  double distance2 = v3_norm2(d), reach2 = reach * reach;
  return certain(distance2 - reach2, distance2 + reach2);
}

/* the terms of the product pass 5 operations; radius |normal| as a whole 6 and a square root */
int abut_exact_point_plane_filter(vec3 p, vec3 origin, vec3 normal, double radius)
{
  vec3 d = v3_sub(p, origin);
  if (!moderate(d, normal, v3(radius, 0, 0)) || !(v3_max_abs(normal) >= SMALL))
    return ABUT_EXACT_UNSURE;
  double reach = radius * v3_norm(normal);
  double size = fabs(normal.x * d.x) + fabs(normal.y * d.y) + fabs(normal.z * d.z) + fabs(reach);
  return certain(v3_dot(normal, d) - reach, size);
}
