/* assembly.h: element results, which lie in slots of their own, gathered into a vector or a matrix
   in a fixed order: no atomics, the same bits for any number of threads. Elements are handled in
   blocks of ABUT_BLOCK, so that slots stay small for large meshes. */
#ifndef ABUT_LINEAR_ASSEMBLY_H
#define ABUT_LINEAR_ASSEMBLY_H

#include "linear/matrix.h"

enum { ABUT_BLOCK = 2048 };

/* elements of n vertices each; vertices that are not rows (>= rows, or negative) are left out */
typedef struct abut_element_set {
  int32_t count;
  int corners;
  const int32_t *vertex; /* (count x corners) */
} abut_element_set;

/* who contributes to what, within one block of elements */
typedef struct abut_gather {
  int32_t targets;
  int64_t *target; /* rows, or blocks of the base, ascending                    (targets) */
  int32_t *start;  /* contributions of target t: source[start[t] .. start[t+1]) (targets + 1) */
  int32_t *source; /* 2 slot + (1: transposed)                           (start[targets]) */
} abut_gather;

typedef struct abut_assembly {
  int32_t rows;
  int sets;
  int *blocks;           /* blocks of elements of each set                   (sets) */
  abut_gather **vectors; /* [set][block] */
  abut_gather **matrices;
} abut_assembly;

void abut_assembly_free(abut_context *ctx, abut_assembly *plan);

/* Makes the base pattern of a (all pairs of vertices of an element, and all diagonals; values 0)
   and the plan for adding the sets' results to it. */
abut_status abut_assembly_plan(abut_context *ctx, int32_t rows, const abut_element_set *set,
                               int sets, abut_matrix *a, abut_assembly *plan);

/* adds the slots of one block of one set; vectors: corners slots per element */
void abut_assembly_add_vector(const abut_context *ctx, const abut_assembly *plan, int set,
                              int block, const vec3 *slot, vec3 *sum);
/* matrices: corners (corners + 1) / 2 slots per element, upper blocks row by row */
void abut_assembly_add_matrix(const abut_context *ctx, const abut_assembly *plan, int set,
                              int block, const mat3 *slot, abut_matrix *a);

/* a set whose elements change all the time: contacts, ties */
typedef struct abut_loose_set {
  abut_element_set elements;
  const mat3 *slot;
} abut_loose_set;

/* makes the extra part of a from loose sets; blocks that are exactly zero are left out */
abut_status abut_assembly_extra(abut_context *ctx, const abut_loose_set *set, int sets,
                                abut_matrix *a);

/* Turns the rows and columns of fixed rows into those of the identity. fixed: (rows) */
void abut_matrix_fix(const abut_context *ctx, abut_matrix *a, const bool *fixed);

#endif
