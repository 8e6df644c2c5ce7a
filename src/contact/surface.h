/* surface.h: everything that can touch, and which pairs may. Const during a run. Deformable
   vertices come first in the vertex order, so v < dynamic tells them from obstacle vertices; the
   primitives of obstacles come last in each list. */
#ifndef ABUT_CONTACT_SURFACE_H
#define ABUT_CONTACT_SURFACE_H

#include "base/context.h"
#include "kernel/vec.h"

/* Pair rules by class of object: objects of one class have the same rules; two objects of the same
   class still differ from one object with itself. */
typedef struct abut_pair_rules {
  int32_t objects, classes;
  int32_t *class_of;     /*                                     (objects) */
  bool *enabled;         /* two different objects               (classes x classes) */
  double *friction;      /*                                     (classes x classes) */
  bool *self_enabled;    /* an object with itself               (classes) */
  double *self_friction; /*                                    (classes) */
} abut_pair_rules;

typedef struct abut_surface {
  int32_t vertices, dynamic;
  int32_t points, dynamic_points;
  int32_t *point, *point_object; /* surface vertices of shells, solids, obstacles   (points) */
  int32_t edges, dynamic_edges;
  int32_t *edge, *edge_object; /* (edges x 2), (edges) */
  double *edge_rest2;          /* squared rest length, m^2                        (edges) */
  int32_t faces, dynamic_faces;
  int32_t *face, *face_object; /* (faces x 3), (faces) */
  int32_t spheres;
  int32_t *sphere, *sphere_object; /* vertex of the centre                           (spheres) */
  double *radius;                  /* m                                               (spheres) */
  int32_t planes;
  vec3 *plane_point, *plane_normal; /* m; unit normal                                (planes) */
  int32_t *plane_object;
  abut_pair_rules rules;
  double dhat; /* contact acts below this distance minus offset, m */
  double gap;  /* minimum separation of midsurfaces, m */
} abut_surface;

void abut_surface_free(abut_context *ctx, abut_surface *s);

static inline bool abut_pair_enabled(const abut_pair_rules *r, int32_t a, int32_t b)
{
  int32_t ca = r->class_of[a], cb = r->class_of[b];
  return a == b ? r->self_enabled[ca] : r->enabled[ca * r->classes + cb];
}

static inline double abut_pair_friction(const abut_pair_rules *r, int32_t a, int32_t b)
{
  int32_t ca = r->class_of[a], cb = r->class_of[b];
  return a == b ? r->self_friction[ca] : r->friction[ca * r->classes + cb];
}

/* kinds of pairs, in the order of the lists */
typedef enum abut_pair_kind {
  ABUT_VERTEX_FACE,
  ABUT_EDGE_EDGE,
  ABUT_BALL_FACE,
  ABUT_BALL_BALL,
  ABUT_VERTEX_PLANE,
  ABUT_BALL_PLANE,
  ABUT_PAIR_KINDS
} abut_pair_kind;

/* a pair as one number, so that sorting by it is the same on every machine and thread count: kind,
   then the first primitive's index, then the second's */
static inline uint64_t abut_pair_key(abut_pair_kind kind, int32_t a, int32_t b)
{
  return (uint64_t)kind << 60 | (uint64_t)a << 30 | (uint64_t)b;
}
static inline abut_pair_kind abut_pair_kind_of(uint64_t key)
{
  return (abut_pair_kind)(key >> 60);
}
static inline int32_t abut_pair_first(uint64_t key)
{
  return (int32_t)(key >> 30 & 0x3fffffff);
}
static inline int32_t abut_pair_second(uint64_t key)
{
  return (int32_t)(key & 0x3fffffff);
}
enum { ABUT_MAX_PRIMITIVES = 1 << 30 };

/* the two objects */
void abut_pair_objects(const abut_surface *s, uint64_t key, int32_t object[2]);

/* the pair's vertices, -1 where there is none; returns how many */
static inline int abut_pair_vertices(const abut_surface *s, uint64_t key, int32_t vertex[4])
{
  int32_t a = abut_pair_first(key), b = abut_pair_second(key);
  vertex[1] = vertex[2] = vertex[3] = -1;
  switch (abut_pair_kind_of(key)) {
  case ABUT_VERTEX_FACE:
  case ABUT_BALL_FACE:
    vertex[0] = abut_pair_kind_of(key) == ABUT_BALL_FACE ? s->sphere[a] : s->point[a];
    for (int k = 0; k < 3; k++) vertex[k + 1] = s->face[3 * (int64_t)b + k];
    return 4;
  case ABUT_EDGE_EDGE:
    for (int k = 0; k < 2; k++) {
      vertex[k] = s->edge[2 * (int64_t)a + k];
      vertex[k + 2] = s->edge[2 * (int64_t)b + k];
    }
    return 4;
  case ABUT_BALL_BALL:
    vertex[0] = s->sphere[a];
    vertex[1] = s->sphere[b];
    return 2;
  case ABUT_VERTEX_PLANE: vertex[0] = s->point[a]; return 1;
  default: vertex[0] = s->sphere[a]; return 1;
  }
}

/* distance below which the pair would count as crossing, m */
static inline double abut_pair_offset(const abut_surface *s, uint64_t key)
{
  int32_t a = abut_pair_first(key), b = abut_pair_second(key);
  switch (abut_pair_kind_of(key)) {
  case ABUT_BALL_FACE:
  case ABUT_BALL_PLANE: return s->radius[a] + 0.5 * s->gap;
  case ABUT_BALL_BALL: return s->radius[a] + s->radius[b];
  default: return s->gap;
  }
}

#endif
