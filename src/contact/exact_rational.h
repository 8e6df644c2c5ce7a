/* exact_rational.h: the predicates of exact.h in whole numbers (GMP), without rounding. Slow (a few
   microseconds) and right for any finite doubles; for infinities and what is not a number the sign
   is 0 and the meeting is touching. */
#ifndef ABUT_CONTACT_EXACT_RATIONAL_H
#define ABUT_CONTACT_EXACT_RATIONAL_H

#include "contact/exact.h"

/* a common point, exact up to the last conversion to double */
typedef struct abut_exact_place {
  abut_meeting meeting; /* the rest is 0 when apart */
  vec3 position;
  double parameter; /* 0 at p, 1 at q */
  double bary[3];
} abut_exact_place;

int abut_exact_orientation_rational(vec3 a, vec3 b, vec3 c, vec3 d);
abut_exact_place abut_exact_segment_triangle_rational(vec3 p, vec3 q, vec3 a, vec3 b, vec3 c);
int abut_exact_point_triangle_rational(vec3 p, vec3 a, vec3 b, vec3 c, double radius);
/* sign of |p - q| - (r + s) */
int abut_exact_spheres_rational(vec3 p, vec3 q, double r, double s);
int abut_exact_point_plane_rational(vec3 p, vec3 origin, vec3 normal, double radius);

#endif
