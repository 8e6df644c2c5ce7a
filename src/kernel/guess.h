/* guess.h: a quick look at a pair, of a point and a triangle or of two edges, before anybody asks
   for closest points: does one of a few directions keep the two apart all along straight paths?
   Textbook separating axes: along any direction n the n.(x_i - x_j) of the vertices i of the first
   and j of the second primitive change linearly, so that they stay above xi |n| all the way when
   they are above it at both ends. Positions and the separation xi in m. Made for lanes. */
#ifndef ABUT_KERNEL_GUESS_H
#define ABUT_KERNEL_GUESS_H

#include "kernel/vec.h"

/* vertices 1 to 3 seen from vertex 0. sides, below: vertices of the first primitive, 1 or 2. */
typedef struct guess_pair {
  vec3 d[3], u[3]; /* places at the start, and at the end */
} guess_pair;

K_FN real guess_low(real a, real b)
{
  return K_SELECT(a < b, a, b);
}

K_FN real guess_high(real a, real b)
{
  return K_SELECT(a > b, a, b);
}

/* how far the first is above the second on a line on which vertex 0 stands at 0 */
K_FN real guess_apart(int sides, real a, real b, real c)
{
  real high = guess_high(b, c), zero = k_real(0);
  return sides == 2 ? guess_low(a, zero) - high : -guess_high(a, high);
}

/* n need not be a unit vector */
K_FN real_mask guess_clear_along(int sides, guess_pair q, vec3 n, real xi)
{
  real size2 = v3_norm2(n), reach = xi * k_sqrt(size2);
  real start = guess_apart(sides, v3_dot(n, q.d[0]), v3_dot(n, q.d[1]), v3_dot(n, q.d[2]));
  real end = guess_apart(sides, v3_dot(n, q.u[0]), v3_dot(n, q.u[1]), v3_dot(n, q.u[2]));
  /* the square of a tiny n has lost its digits */
  return (start > reach) & (end > reach) & (size2 > 1e-280);
}

/* at right angles to the triangle, or to both edges */
K_FN real_mask guess_clear_on_normal(int sides, guess_pair q, real xi)
{
  vec3 w = v3_add(v3_add(q.d[0], q.d[1]), q.d[2]), n;
  if (sides == 2) {
    w = v3_sub(v3_add(q.d[1], q.d[2]), q.d[0]);
    n = v3_cross(q.d[0], v3_sub(q.d[2], q.d[1]));
  } else {
    n = v3_cross(v3_sub(q.d[1], q.d[0]), v3_sub(q.d[2], q.d[0]));
  }
  real sign = K_SELECT(v3_dot(n, w) > 0, k_real(-1), k_real(1));
  return guess_clear_along(sides, q, v3_scale(n, sign), xi);
}

/* from middle to middle */
K_FN real_mask guess_clear_on_middles(int sides, guess_pair q, real xi)
{
  vec3 w = sides == 2 ? v3_sub(v3_sub(q.d[0], q.d[1]), q.d[2])
                      : v3_neg(v3_add(v3_add(q.d[0], q.d[1]), q.d[2]));
  return guess_clear_along(sides, q, w, xi);
}

K_FN real_mask guess_clear_both_ways(int sides, real a, real b, real c, real a1, real b1, real c1,
                                     real xi)
{
  real up = guess_low(guess_apart(sides, a, b, c), guess_apart(sides, a1, b1, c1));
  real down = guess_low(guess_apart(sides, -a, -b, -c), guess_apart(sides, -a1, -b1, -c1));
  return (up > xi) | (down > xi);
}

K_FN real_mask guess_clear_on_axes(int sides, guess_pair q, real xi)
{
  const vec3 *d = q.d, *u = q.u;
  return guess_clear_both_ways(sides, d[0].x, d[1].x, d[2].x, u[0].x, u[1].x, u[2].x, xi) |
         guess_clear_both_ways(sides, d[0].y, d[1].y, d[2].y, u[0].y, u[1].y, u[2].y, xi) |
         guess_clear_both_ways(sides, d[0].z, d[1].z, d[2].z, u[0].z, u[1].z, u[2].z, xi);
}

#endif
