/* vec.h: vectors and 3x3 matrices by value. */
#ifndef ABUT_KERNEL_VEC_H
#define ABUT_KERNEL_VEC_H

#include "kernel/prelude.h"

typedef struct vec3 {
  real x, y, z;
} vec3;

/* row by row: m[3 * row + column] */
typedef struct mat3 {
  real m[9];
} mat3;

K_FN vec3 v3(real x, real y, real z)
{
  vec3 r = {x, y, z};
  return r;
}

K_FN vec3 v3_add(vec3 a, vec3 b)
{
  return v3(a.x + b.x, a.y + b.y, a.z + b.z);
}

K_FN vec3 v3_sub(vec3 a, vec3 b)
{
  return v3(a.x - b.x, a.y - b.y, a.z - b.z);
}

K_FN vec3 v3_scale(vec3 a, real s)
{
  return v3(a.x * s, a.y * s, a.z * s);
}

K_FN vec3 v3_neg(vec3 a)
{
  return v3(-a.x, -a.y, -a.z);
}

/* a + b s */
K_FN vec3 v3_madd(vec3 a, vec3 b, real s)
{
  return v3(a.x + b.x * s, a.y + b.y * s, a.z + b.z * s);
}

K_FN real v3_dot(vec3 a, vec3 b)
{
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

K_FN vec3 v3_cross(vec3 a, vec3 b)
{
  return v3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

K_FN real v3_norm2(vec3 a)
{
  return v3_dot(a, a);
}

K_FN real v3_norm(vec3 a)
{
  return k_sqrt(v3_dot(a, a));
}

/* smaller (larger) of each component */
K_FN vec3 v3_min(vec3 a, vec3 b)
{
  return v3(K_SELECT(a.x < b.x, a.x, b.x), K_SELECT(a.y < b.y, a.y, b.y),
            K_SELECT(a.z < b.z, a.z, b.z));
}

K_FN vec3 v3_max(vec3 a, vec3 b)
{
  return v3(K_SELECT(a.x > b.x, a.x, b.x), K_SELECT(a.y > b.y, a.y, b.y),
            K_SELECT(a.z > b.z, a.z, b.z));
}

/* a where m holds, b elsewhere */
K_FN vec3 v3_select(real_mask m, vec3 a, vec3 b)
{
  vec3 r;
  r.x = K_SELECT(m, a.x, b.x);
  r.y = K_SELECT(m, a.y, b.y);
  r.z = K_SELECT(m, a.z, b.z);
  return r;
}

/* largest component in size */
K_FN real v3_max_abs(vec3 a)
{
  real x = k_fabs(a.x), y = k_fabs(a.y), z = k_fabs(a.z);
  real m = K_SELECT(x > y, x, y);
  return K_SELECT(m > z, m, z);
}

/* a / |a|; the zero vector for a = 0 */
K_FN vec3 v3_unit(vec3 a)
{
  real s = v3_norm(a);
  return v3_scale(a, K_SELECT(s > 0, 1 / s, k_real(1)));
}

/* some unit vector at right angles to the unit vector n */
K_FN vec3 v3_perpendicular(vec3 n)
{
  real x = k_fabs(n.x), y = k_fabs(n.y), z = k_fabs(n.z), zero = k_real(0), one = k_real(1);
  vec3 axis;
  axis.x = K_SELECT((x <= y) & (x <= z), one, zero);
  axis.y = K_SELECT(y <= z, one - axis.x, zero);
  axis.z = one - axis.x - axis.y;
  return v3_unit(v3_cross(n, axis));
}

K_FN mat3 m3_zero(void)
{
  mat3 r;
  for (int k = 0; k < 9; k++) r.m[k] = k_real(0);
  return r;
}

K_FN mat3 m3_diagonal(real a, real b, real c)
{
  real z = k_real(0);
  mat3 r = {{a, z, z, z, b, z, z, z, c}};
  return r;
}

K_FN mat3 m3_columns(vec3 a, vec3 b, vec3 c)
{
  mat3 r = {{a.x, b.x, c.x, a.y, b.y, c.y, a.z, b.z, c.z}};
  return r;
}

K_FN vec3 m3_column(mat3 a, int j)
{
  return v3(a.m[j], a.m[3 + j], a.m[6 + j]);
}

K_FN mat3 m3_add(mat3 a, mat3 b)
{
  mat3 r;
  for (int k = 0; k < 9; k++) r.m[k] = a.m[k] + b.m[k];
  return r;
}

K_FN mat3 m3_sub(mat3 a, mat3 b)
{
  mat3 r;
  for (int k = 0; k < 9; k++) r.m[k] = a.m[k] - b.m[k];
  return r;
}

K_FN mat3 m3_neg(mat3 a)
{
  for (int k = 0; k < 9; k++) a.m[k] = -a.m[k];
  return a;
}

K_FN mat3 m3_scale(mat3 a, real s)
{
  mat3 r;
  for (int k = 0; k < 9; k++) r.m[k] = a.m[k] * s;
  return r;
}

/* a + b s */
K_FN mat3 m3_madd(mat3 a, mat3 b, real s)
{
  mat3 r;
  for (int k = 0; k < 9; k++) r.m[k] = a.m[k] + b.m[k] * s;
  return r;
}

K_FN mat3 m3_transpose(mat3 a)
{
  mat3 r = {{a.m[0], a.m[3], a.m[6], a.m[1], a.m[4], a.m[7], a.m[2], a.m[5], a.m[8]}};
  return r;
}

K_FN mat3 m3_mul(mat3 a, mat3 b)
{
  mat3 r;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      r.m[3 * i + j] =
          a.m[3 * i] * b.m[j] + a.m[3 * i + 1] * b.m[3 + j] + a.m[3 * i + 2] * b.m[6 + j];
  return r;
}

K_FN vec3 m3_apply(mat3 a, vec3 v)
{
  return v3(a.m[0] * v.x + a.m[1] * v.y + a.m[2] * v.z, a.m[3] * v.x + a.m[4] * v.y + a.m[5] * v.z,
            a.m[6] * v.x + a.m[7] * v.y + a.m[8] * v.z);
}

/* transpose of a, applied */
K_FN vec3 m3_apply_transpose(mat3 a, vec3 v)
{
  return v3(a.m[0] * v.x + a.m[3] * v.y + a.m[6] * v.z, a.m[1] * v.x + a.m[4] * v.y + a.m[7] * v.z,
            a.m[2] * v.x + a.m[5] * v.y + a.m[8] * v.z);
}

/* a b^T */
K_FN mat3 m3_outer(vec3 a, vec3 b)
{
  mat3 r = {{a.x * b.x, a.x * b.y, a.x * b.z, a.y * b.x, a.y * b.y, a.y * b.z, a.z * b.x, a.z * b.y,
             a.z * b.z}};
  return r;
}

/* a + s b c^T */
K_FN mat3 m3_add_outer(mat3 a, vec3 b, vec3 c, real s)
{
  vec3 sb = v3_scale(b, s);
  a.m[0] += sb.x * c.x;
  a.m[1] += sb.x * c.y;
  a.m[2] += sb.x * c.z;
  a.m[3] += sb.y * c.x;
  a.m[4] += sb.y * c.y;
  a.m[5] += sb.y * c.z;
  a.m[6] += sb.z * c.x;
  a.m[7] += sb.z * c.y;
  a.m[8] += sb.z * c.z;
  return a;
}

K_FN real m3_det(mat3 a)
{
  return a.m[0] * (a.m[4] * a.m[8] - a.m[5] * a.m[7]) -
         a.m[1] * (a.m[3] * a.m[8] - a.m[5] * a.m[6]) +
         a.m[2] * (a.m[3] * a.m[7] - a.m[4] * a.m[6]);
}

K_FN real m3_trace(mat3 a)
{
  return a.m[0] + a.m[4] + a.m[8];
}

/* sum of products of entries */
K_FN real m3_dot(mat3 a, mat3 b)
{
  real s = k_real(0);
  for (int k = 0; k < 9; k++) s += a.m[k] * b.m[k];
  return s;
}

/* matrix of cofactors: m3_det(a) times the transposed inverse, defined for singular a too */
K_FN mat3 m3_cofactor(mat3 a)
{
  mat3 r = {{a.m[4] * a.m[8] - a.m[5] * a.m[7], a.m[5] * a.m[6] - a.m[3] * a.m[8],
             a.m[3] * a.m[7] - a.m[4] * a.m[6], a.m[2] * a.m[7] - a.m[1] * a.m[8],
             a.m[0] * a.m[8] - a.m[2] * a.m[6], a.m[1] * a.m[6] - a.m[0] * a.m[7],
             a.m[1] * a.m[5] - a.m[2] * a.m[4], a.m[2] * a.m[3] - a.m[0] * a.m[5],
             a.m[0] * a.m[4] - a.m[1] * a.m[3]}};
  return r;
}

#if !defined(K_LANES)
/* rotation by angle (rad) about the unit vector a, textbook (Rodrigues):
   cos I + sin [a]x + (1 - cos) a a^T */
K_FN mat3 m3_rotation(vec3 axis, real angle)
{
  real c = cos(angle), s = sin(angle), t = 1 - c;
  mat3 r = {{t * axis.x * axis.x + c, t * axis.x * axis.y - s * axis.z,
             t * axis.x * axis.z + s * axis.y, t * axis.x * axis.y + s * axis.z,
             t * axis.y * axis.y + c, t * axis.y * axis.z - s * axis.x,
             t * axis.x * axis.z - s * axis.y, t * axis.y * axis.z + s * axis.x,
             t * axis.z * axis.z + c}};
  return r;
}
#endif

#endif
