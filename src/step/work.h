/* work.h: scratch of a step. It may be thrown away between any two steps without changing a bit of
   the result; keeping it keeps buffers, trees and the symbolic factor warm. */
#ifndef ABUT_STEP_WORK_H
#define ABUT_STEP_WORK_H

#include "contact/ccd.h"
#include "contact/constraints.h"
#include "linear/assembly.h"
#include "step/friction.h"
#include "step/report.h"
#include "step/state.h"
#include "step/system.h"

typedef struct abut_work {
  /* fixed by the system */
  abut_batch *batch; /* with memory bound to the copy below           (batches) */
  abut_assembly plan;
  abut_matrix a;
  abut_linear *linear;
  /* one step */
  abut_drive drive;
  int64_t control_room;
  vec3 *x0;          /* start of the (sub)step                        (vertices) */
  vec3 *x;           /* iterate                                       (vertices) */
  vec3 *trial;       /*                                               (vertices) */
  vec3 *p;           /* direction, scaled for the line search         (vertices) */
  vec3 *g, *g_trial; /* gradient, prescribed rows zero                (dynamic) */
  vec3 *rhs;         /* right-hand side and solution                  (dynamic) */
  double *memory;    /* history at the last accepted iterate          (memories) */
  abut_structure structure;
  double stiffness;  /* of the law, now */
  bool adapted;      /* the state remembers it */
  bool moving;       /* prescribed displacement is left */
  bool still;        /* the last solve needed no iteration */
  uint64_t tightest; /* the pair that limited the last Newton direction that was limited */
  /* contact */
  abut_candidates candidates;
  abut_contact_set now, next; /* at x and at trial */
  bool contacts_known;        /* now belongs to x and to held */
  bool *held;                 /* what was prescribed then                (vertices) */
  abut_friction friction;
  /* constraints: what barrier_free has in place of contacts and a barrier */
  abut_constraints constraints;
  abut_hits hits;
  vec3 *anchor;        /* state without intersection that they are linearised at   (vertices) */
  vec3 *path;          /* from there to the iterate                                (vertices) */
  mat3 *diagonal;      /* of the elements' matrix at the start                     (dynamic) */
  double *earliest;    /* when each vertex is hit first                            (vertices) */
  double *behind;      /* kg, heaviest body behind each vertex, now and next     (2 x dynamic) */
  double *object_load; /* see abut_loads_settled                      (2 x objects) */
  /* slots */
  vec3 *vector_slot;
  mat3 *matrix_slot;
  double *loose_energy;
  int32_t *contact_vertex; /* of the contacts at x, or constraints        (contacts x 4) */
  int64_t vector_room, matrix_room, energy_room, vertex_room;
  abut_loose_set *loose;
  int64_t loose_room;
  int loose_sets;
  /* a step is a transaction */
  abut_state saved;
  abut_step_report report; /* running totals of the step */
} abut_work;

abut_status abut_work_make(abut_context *ctx, const abut_system *sys,
                           const abut_step_options *options, abut_work *w);
void abut_work_free(abut_context *ctx, abut_work *w);

/* length of the (sub)step, s */
static inline double abut_work_dt(const abut_work *w)
{
  return w->drive.end - w->drive.begin;
}

/* where the elements are evaluated */
static inline abut_at abut_work_at(const abut_work *w, const vec3 *x)
{
  return (abut_at){x, w->x0, w->drive.y, abut_work_dt(w)};
}

#endif
