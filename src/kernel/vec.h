/* vec.h: vectors and 3x3 matrices by value. */
#ifndef ABUT_KERNEL_VEC_H
#define ABUT_KERNEL_VEC_H

#include "kernel/prelude.h"

typedef struct vec3 {
  double x, y, z;
} vec3;

/* row by row: m[3 * row + column] */
typedef struct mat3 {
  double m[9];
} mat3;

K_FN vec3 v3(double x, double y, double z)
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

K_FN vec3 v3_scale(vec3 a, double s)
{
  return v3(a.x * s, a.y * s, a.z * s);
}

K_FN vec3 v3_neg(vec3 a)
{
  return v3(-a.x, -a.y, -a.z);
}

/* a + b s */
K_FN vec3 v3_madd(vec3 a, vec3 b, double s)
{
  return v3(a.x + b.x * s, a.y + b.y * s, a.z + b.z * s);
}

K_FN double v3_dot(vec3 a, vec3 b)
{
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

K_FN vec3 v3_cross(vec3 a, vec3 b)
{
  return v3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

K_FN double v3_norm2(vec3 a)
{
  return v3_dot(a, a);
}

K_FN double v3_norm(vec3 a)
{
  return sqrt(v3_dot(a, a));
}

/* smaller (larger) of each component */
K_FN vec3 v3_min(vec3 a, vec3 b)
{
  return v3(a.x < b.x ? a.x : b.x, a.y < b.y ? a.y : b.y, a.z < b.z ? a.z : b.z);
}

K_FN vec3 v3_max(vec3 a, vec3 b)
{
  return v3(a.x > b.x ? a.x : b.x, a.y > b.y ? a.y : b.y, a.z > b.z ? a.z : b.z);
}

/* largest component in size */
K_FN double v3_max_abs(vec3 a)
{
  double x = fabs(a.x), y = fabs(a.y), z = fabs(a.z);
  double m = x > y ? x : y;
  return m > z ? m : z;
}

/* a / |a|; the zero vector for a = 0 */
K_FN vec3 v3_unit(vec3 a)
{
  double s = v3_norm(a);
  return s > 0 ? v3_scale(a, 1 / s) : a;
}

/* some unit vector at right angles to the unit vector n */
K_FN vec3 v3_perpendicular(vec3 n)
{
  double x = fabs(n.x), y = fabs(n.y), z = fabs(n.z);
  vec3 axis = x <= y && x <= z ? v3(1, 0, 0) : y <= z ? v3(0, 1, 0) : v3(0, 0, 1);
  return v3_unit(v3_cross(n, axis));
}

K_FN mat3 m3_zero(void)
{
  mat3 r = {{0, 0, 0, 0, 0, 0, 0, 0, 0}};
  return r;
}

K_FN mat3 m3_diagonal(double a, double b, double c)
{
  mat3 r = {{a, 0, 0, 0, b, 0, 0, 0, c}};
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

K_FN mat3 m3_scale(mat3 a, double s)
{
  mat3 r;
  for (int k = 0; k < 9; k++) r.m[k] = a.m[k] * s;
  return r;
}

/* a + b s */
K_FN mat3 m3_madd(mat3 a, mat3 b, double s)
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
K_FN mat3 m3_add_outer(mat3 a, vec3 b, vec3 c, double s)
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

K_FN double m3_det(mat3 a)
{
  return a.m[0] * (a.m[4] * a.m[8] - a.m[5] * a.m[7]) -
         a.m[1] * (a.m[3] * a.m[8] - a.m[5] * a.m[6]) +
         a.m[2] * (a.m[3] * a.m[7] - a.m[4] * a.m[6]);
}

K_FN double m3_trace(mat3 a)
{
  return a.m[0] + a.m[4] + a.m[8];
}

/* sum of products of entries */
K_FN double m3_dot(mat3 a, mat3 b)
{
  double s = 0;
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

/* rotation by angle (rad) about the unit vector axis (Rodrigues) */
K_FN mat3 m3_rotation(vec3 axis, double angle)
{
  double c = cos(angle), s = sin(angle), t = 1 - c;
  mat3 r = {{t * axis.x * axis.x + c, t * axis.x * axis.y - s * axis.z,
             t * axis.x * axis.z + s * axis.y, t * axis.x * axis.y + s * axis.z,
             t * axis.y * axis.y + c, t * axis.y * axis.z - s * axis.x,
             t * axis.x * axis.z - s * axis.y, t * axis.y * axis.z + s * axis.x,
             t * axis.z * axis.z + c}};
  return r;
}

#endif
