/* exact.h: crossings found with exact predicates: floating point with a proven bound on its error
   first, whole numbers of any size (GMP) where that cannot decide. Right for all finite doubles. It
   shares no code with the solver's collision detection, so it can judge it: `abut verify`, `abut
   check` and debug builds call it. */
#ifndef ABUT_CONTACT_EXACT_H
#define ABUT_CONTACT_EXACT_H

#include "base/context.h"
#include "kernel/vec.h"

/* sign of the determinant of (b - a, c - a, d - a): +1 when d is on the side of triangle a, b, c
   that (b - a) x (c - a) points to, 0 when the four points are coplanar */
int abut_exact_orientation(vec3 a, vec3 b, vec3 c, vec3 d);

typedef enum abut_meeting { ABUT_APART, ABUT_TOUCHING, ABUT_CROSSING } abut_meeting;

/* A closed segment and a closed triangle. CROSSING: one common point, interior to both, and the
   segment is not in the triangle's plane. TOUCHING: any other common point. Degenerate triangles
   and segments are fine: they are what they are as point sets, and only touch. */
abut_meeting abut_exact_segment_triangle(vec3 p, vec3 q, vec3 a, vec3 b, vec3 c);

/* sign of (distance of point p to the closed triangle) - radius */
int abut_exact_point_triangle(vec3 p, vec3 a, vec3 b, vec3 c, double radius);
/* sign of |p - q| - distance */
int abut_exact_point_point(vec3 p, vec3 q, double distance);
/* sign of |p - q| - (r + s); the sum is exact too */
int abut_exact_spheres(vec3 p, vec3 q, double r, double s);
/* sign of normal . (p - origin) - radius |normal| */
int abut_exact_point_plane(vec3 p, vec3 origin, vec3 normal, double radius);

/* what to test; which pairs are exempt is the same table as the solver's: pairs that share a
   vertex, pairs in which every vertex is prescribed, pairs of objects that are switched off */
typedef struct abut_exact_scene {
  int32_t vertices;
  const vec3 *x;           /* m                                              (vertices) */
  const int32_t *identity; /* welded vertices have the same identity         (vertices) */
  const bool *prescribed;  /*                                                (vertices) */
  int32_t edges, faces, spheres, planes, points;
  const int32_t *edge, *edge_object;     /* (edges x 2), (edges) */
  const int32_t *face, *face_object;     /* (faces x 3), (faces) */
  const int32_t *sphere, *sphere_object; /* vertex of the centre, object     (spheres) */
  const double *radius;                  /* m                                (spheres) */
  const vec3 *plane_origin, *plane_normal;
  const int32_t *plane_object;         /*                                  (planes) */
  const int32_t *point, *point_object; /* surface vertices, tested against planes (points) */
  int32_t objects;
  const bool *enabled; /* may the pair of objects meet? symmetric     (objects x objects) */
} abut_exact_scene;

typedef enum abut_crossing_kind {
  ABUT_EDGE_FACE,
  ABUT_SPHERE_FACE,
  ABUT_SPHERE_SPHERE,
  ABUT_POINT_PLANE,
  ABUT_SPHERE_PLANE
} abut_crossing_kind;

typedef struct abut_crossing {
  abut_crossing_kind kind;
  abut_meeting meeting; /* touching only for EDGE_FACE (distance 0) */
  int32_t a, b;         /* indices into the scene's edges, faces, spheres, points, planes */
  vec3 position;        /* a common point, m; for spheres and planes the centre or point */
  double parameter;     /* EDGE_FACE: place along the edge, 0 .. 1 */
  double bary[3];       /* EDGE_FACE, SPHERE_FACE: place in the face */
  double distance;      /* m: 0 for EDGE_FACE, else the signed gap, radii taken off */
} abut_crossing;

/* All meetings of the scene, sorted by kind, a, b, in new memory; any number of them. Spheres and
   planes meet when nearer than they may be; to touch is fine. ABUT_BAD_GEOMETRY when a coordinate
   is not finite. On failure *crossing is NULL. */
abut_status abut_exact_crossings(abut_context *ctx, const abut_exact_scene *scene,
                                 abut_crossing **crossing, int64_t *count);

#endif
