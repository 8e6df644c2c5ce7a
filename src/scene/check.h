/* check.h: every fault of the geometry that can be seen before a run. */
#ifndef ABUT_SCENE_CHECK_H
#define ABUT_SCENE_CHECK_H

#include "scene/model.h"

typedef enum abut_fault_kind {
  ABUT_FAULT_CROSSING,
  ABUT_FAULT_TOUCHING,
  ABUT_FAULT_CLOSER_THAN_GAP,
  ABUT_FAULT_CLOSER_THAN_DHAT,
  ABUT_FAULT_DEGENERATE,
  ABUT_FAULT_INVERTED,
  ABUT_FAULT_SLIVER,
  ABUT_FAULT_ISOLATED,
  ABUT_FAULT_NEAR_COINCIDENT,
  ABUT_FAULT_UNREADABLE
} abut_fault_kind;

typedef struct abut_fault_element {
  const char *kind; /* "vertex", "edge", "face", "tet", "sphere", "plane"; NULL: none */
  int32_t object;
  int32_t index; /* in the object's own numbering */
  int points;    /* its corners, for a picture of it */
  vec3 point[4];
  int32_t vertex[4]; /* their numbers in the file, of edges and faces */
} abut_fault_element;

typedef struct abut_fault {
  abut_fault_kind kind;
  abut_fault_element element[2];
  vec3 position;
  double distance; /* m, or the quality of a sliver; NaN: does not apply */
  char *message;
} abut_fault;

typedef struct abut_faults {
  abut_fault *item;
  int64_t count, room;
  int64_t errors;
} abut_faults;

/* " (vertices 3, 9)" of an edge or a face, whose own number no file shows; else nothing */
typedef struct abut_corners_text {
  char text[64];
} abut_corners_text;
abut_corners_text abut_fault_corners(const abut_fault_element *e);

const char *abut_fault_name(abut_fault_kind kind);
bool abut_fault_is_error(abut_fault_kind kind);
void abut_faults_free(abut_context *ctx, abut_faults *f);
/* copies the fault; message as printf */
abut_status abut_faults_add(abut_context *ctx, abut_faults *f, const abut_fault *fault,
                            const char *format, ...) ABUT_PRINTF(4, 5);
/* errors first, then by kind, then nearest first */
abut_status abut_faults_sort(abut_context *ctx, abut_faults *f);

/* cells and vertices of every object, as they are placed in the scene */
abut_status abut_check_meshes(abut_context *ctx, const abut_scene_def *def, abut_faults *f);
/* pairs at x that cross, touch, or are closer than gap or dhat; x, prescribed: (vertices) */
abut_status abut_check_pairs(abut_context *ctx, const abut_model *m, const vec3 *x,
                             const bool *prescribed, abut_faults *f);
/* the start of a run: ABUT_BAD_GEOMETRY with the first fault that is an error */
abut_status abut_check_start(abut_context *ctx, const abut_model *m);

/* the exact test's view of a model; enabled: (objects x objects), made by the caller */
struct abut_exact_scene;
abut_status abut_check_crossings(abut_context *ctx, const abut_model *m, const vec3 *x,
                                 const bool *prescribed, abut_faults *f);

#endif
