/* exact_filter.h: the predicates of exact.h in floating point, with a proven bound on the error.
   They decide almost every case; what they cannot decide goes to exact_rational.h. */
#ifndef ABUT_CONTACT_EXACT_FILTER_H
#define ABUT_CONTACT_EXACT_FILTER_H

#include "contact/exact.h"

/* in place of a sign or a meeting: rounding might change the answer */
enum { ABUT_EXACT_UNSURE = 3 };

int abut_exact_orientation_filter(vec3 a, vec3 b, vec3 c, vec3 d);
/* ABUT_APART, ABUT_CROSSING or unsure: touching takes exact arithmetic to establish */
int abut_exact_segment_triangle_filter(vec3 p, vec3 q, vec3 a, vec3 b, vec3 c);
int abut_exact_point_triangle_filter(vec3 p, vec3 a, vec3 b, vec3 c, double radius);
/* sign of |p - q| - (r + s) */
int abut_exact_spheres_filter(vec3 p, vec3 q, double r, double s);
int abut_exact_point_plane_filter(vec3 p, vec3 origin, vec3 normal, double radius);

/* weights of the point of the triangle a, b, c that is nearest to the origin, up to rounding:
   never negative, sum 1. Not a number when the squared area overflows. */
vec3 abut_exact_nearest(vec3 a, vec3 b, vec3 c);

#endif
