/* model.h: a scene put together: the system that steps solve, and the map between the files' vertex
   numbers and the solver's. Const once it is built. */
#ifndef ABUT_SCENE_MODEL_H
#define ABUT_SCENE_MODEL_H

#include "mesh/shapes.h"
#include "scene/scene_def.h"
#include "step/state.h"

/* User vertices are the vertices of all files, object after object, spheres by their centres; every
   output is in this numbering. */
typedef struct abut_model_object {
  int32_t first, count;   /* its user vertices */
  int32_t corners, cells; /* of a cell: 1 spheres, 3 shell and obstacle, 4 solid */
  int32_t *cell;          /* in the object's own numbering              (cells x corners) */
  int32_t face, faces;    /* its range in the surface's lists */
  int32_t edge, edges;
  int32_t point, points;
  int32_t sphere; /* first of its spheres in the surface's list */
  int32_t plane;  /* its number in the surface's list */
} abut_model_object;

typedef struct abut_model_control {
  const abut_control_def *def;
  int32_t count;   /* vertices, or pairs of a tie or require */
  int32_t *vertex; /* solver vertices (count), of pairs (count x 2) */
  int64_t anchor;  /* first of its anchors in the state */
} abut_model_control;

typedef struct abut_model {
  const abut_scene_def *def;
  abut_system system;
  abut_step_options options;
  abut_surface surface;
  abut_batch *batch; /* system.batch */
  int64_t *memory;   /* system.memory */
  double *mass;      /* kg, system.mass                            (dynamic) */
  int32_t objects;
  abut_model_object *object;
  int32_t user_vertices;
  int32_t *solver_of;   /* solver vertex of each user vertex          (user_vertices) */
  int32_t *object_of;   /* of each solver vertex                      (vertices) */
  int32_t *file_vertex; /* lowest vertex of its file, of each solver vertex  (vertices) */
  vec3 *start;          /* m, at t = 0                                (vertices) */
  vec3 *rest;           /* m, rest shape                              (vertices) */
  vec3 *start_velocity; /* m/s                                        (vertices) */
  int32_t controls;
  abut_model_control *control;
  abut_state_counts counts; /* of a state of this model */
} abut_model;

typedef struct abut_model_tables {
  const abut_term_class *const *terms;
} abut_model_tables;

/* Builds the model of a scene, which must outlive it. Faults name object, element and key. */
abut_status abut_model_build(abut_context *ctx, const abut_scene_def *def,
                             const abut_model_tables *tables, abut_model *m);
void abut_model_free(abut_context *ctx, abut_model *m);

/* the state at t = 0 */
abut_status abut_model_start(abut_context *ctx, const abut_model *m, abut_state *s);

/* --- parts of the build, one file each --- */

typedef struct abut_build {
  abut_context *ctx;
  const abut_scene_def *def;
  const abut_model_tables *tables;
  abut_model *m;
  vec3 *x;         /* user positions at the start, m                      (user_vertices) */
  vec3 *rest;      /* user rest positions, m                              (user_vertices) */
  int32_t *target; /* user vertex that each is welded to                  (user_vertices) */
  bool *used;      /* a cell uses it                                      (user_vertices) */
} abut_build;

abut_status abut_build_places(abut_build *b);   /* positions, welding, solver numbering */
abut_status abut_build_elements(abut_build *b); /* masses and batches */
abut_status abut_build_surface(abut_build *b);
abut_status abut_build_rules(abut_build *b);
abut_status abut_build_controls(abut_build *b);

/* vertices of an object (its own numbering) that a selection picks, in the selection's order, in
   scratch memory; where: key path for messages; lenient: a group that the object lacks is empty */
abut_status abut_select(abut_build *b, int32_t object, const abut_selection *s, const char *where,
                        bool lenient, int32_t **vertex, int32_t *count);

#endif
