/* linear.h: the interface of a linear solver. Whoever adds one writes these functions and one line
   in registry.c; the residual tests and every scene run with it then. Solvers know no physics. */
#ifndef ABUT_LINEAR_LINEAR_H
#define ABUT_LINEAR_LINEAR_H

#include "linear/matrix.h"
#include "linear/structure.h"

typedef struct abut_linear_options {
  double tolerance;       /* iterative: |b - A x| / |b| at the end */
  int64_t max_iterations; /* iterative: giving up is a status, never a quiet answer */
} abut_linear_options;

typedef struct abut_linear_stats {
  int64_t orderings, analyses, factorizations, iterations; /* since creation */
  double factorization_seconds;                            /* numeric factorisation alone */
  double flops;     /* of one factorisation with the present structure */
  int64_t nonzeros; /* doubles in the factor */
} abut_linear_stats;

typedef struct abut_linear abut_linear;

typedef struct abut_linear_class {
  const char *name;
  const char *text; /* one line for people */
  bool direct;
  abut_status (*create)(abut_context *ctx, const abut_linear_options *options, abut_linear **out);
  /* Gets ready for A's values. The direct solver makes sure that structure covers the pattern of A,
     changing it (and rehashing) only when it does not, and keeps its symbolic factor as long as
     structure->hash stays; the outcome depends on A and structure alone, never on earlier calls or
     threads. A structure belongs to one base pattern; zeroed, it is fine. Other solvers leave it
     alone: NULL will do. ABUT_STOPPED (abut_fail) when a pivot is not positive or a value is not
     finite: the caller may add to the diagonal and try again. */
  abut_status (*factor)(abut_context *ctx, abut_linear *self, const abut_matrix *a,
                        abut_structure *structure);
  /* x = A^-1 b for the A of the last factor; x may be b. ABUT_STOPPED when an iterative solver
     gives up, or when the residual shows that something is wrong. Allocates nothing once it is
     warm. */
  abut_status (*solve)(abut_context *ctx, abut_linear *self, const abut_matrix *a, const vec3 *b,
                       vec3 *x);
  void (*destroy)(abut_context *ctx, abut_linear *self);
} abut_linear_class;

/* what every solver's own struct begins with */
struct abut_linear {
  const abut_linear_class *class;
  abut_linear_options options;
  abut_linear_stats stats;
};

extern const abut_linear_class abut_linear_cholesky, abut_linear_pcg, abut_linear_pcg_jacobi,
    abut_linear_dense;
#ifdef ABUT_WITH_CHOLMOD
extern const abut_linear_class abut_linear_cholmod;
#endif

#endif
