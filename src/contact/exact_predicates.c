/* The predicates: the filter first, whole numbers where it cannot decide. */
#include "contact/exact_filter.h"
#include "contact/exact_rational.h"

int abut_exact_orientation(vec3 a, vec3 b, vec3 c, vec3 d)
{
  int sign = abut_exact_orientation_filter(a, b, c, d);
  return sign == ABUT_EXACT_UNSURE ? abut_exact_orientation_rational(a, b, c, d) : sign;
}

abut_meeting abut_exact_segment_triangle(vec3 p, vec3 q, vec3 a, vec3 b, vec3 c)
{
  int meeting = abut_exact_segment_triangle_filter(p, q, a, b, c);
  if (meeting != ABUT_EXACT_UNSURE) return (abut_meeting)meeting;
  return abut_exact_segment_triangle_rational(p, q, a, b, c).meeting;
}

int abut_exact_point_triangle(vec3 p, vec3 a, vec3 b, vec3 c, double radius)
{
  int sign = abut_exact_point_triangle_filter(p, a, b, c, radius);
  return sign == ABUT_EXACT_UNSURE ? abut_exact_point_triangle_rational(p, a, b, c, radius) : sign;
}

int abut_exact_spheres(vec3 p, vec3 q, double r, double s)
{
  int sign = abut_exact_spheres_filter(p, q, r, s);
  return sign == ABUT_EXACT_UNSURE ? abut_exact_spheres_rational(p, q, r, s) : sign;
}

int abut_exact_point_point(vec3 p, vec3 q, double distance)
{
  return abut_exact_spheres(p, q, distance, 0);
}

int abut_exact_point_plane(vec3 p, vec3 origin, vec3 normal, double radius)
{
  int sign = abut_exact_point_plane_filter(p, origin, normal, radius);
  return sign == ABUT_EXACT_UNSURE ? abut_exact_point_plane_rational(p, origin, normal, radius)
                                   : sign;
}
