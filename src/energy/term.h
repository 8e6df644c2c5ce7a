/* term.h: the interface of an energy. An energy is one kernel header (pure mathematics), one file
   here that lists its functions, and one line in registry.c. Its functions are called once per
   batch of elements, never once per element; every element writes to slots of its own, which the
   assembly gathers in a fixed order. Energies are in joules. */
#ifndef ABUT_ENERGY_TERM_H
#define ABUT_ENERGY_TERM_H

#include "base/context.h"
#include "kernel/vec.h"

typedef struct abut_term_class abut_term_class;

/* where and when the terms are evaluated */
typedef struct abut_at {
  const vec3 *x;  /* positions, m                                    (vertices) */
  const vec3 *x0; /* positions at the start of the step, m           (vertices) */
  const vec3 *y;  /* inertial target x0 + dt v0 + dt^2 g, m          (vertices) */
  double dt;      /* length of the step, s */
} abut_at;

/* elements of one class */
typedef struct abut_batch {
  const abut_term_class *class;
  int32_t count;
  const int32_t *vertex; /* (count x stencil) */
  const void *element;   /* constants                                (count x element_size) */
  double *memory;        /* history: follows accepted iterates       (count x class->memory) */
} abut_batch;

/* What an element is made of; each class takes what it needs. */
typedef struct abut_term_input {
  vec3 rest[4]; /* rest positions of the stencil, m; of a spring: its target */
  double young; /* Pa */
  double poisson;
  double thickness;     /* m, shells */
  double bending_scale; /* 1: 6 times a plate (docs/energies.md); 1/6: a plate; 0: none */
  bool flat;            /* hinge at rest when flat, whatever rest says */
  bool wrap;            /* hinge angle wrapped instead of followed */
  double mass;          /* kg */
  double stiffness;     /* N/m, springs */
  double rate;          /* 1/s, drag */
  vec3 force;           /* N */
} abut_term_input;

/* the row of a step's energy report that a term is counted in */
typedef enum abut_ledger {
  ABUT_LEDGER_NONE, /* inertia: not a stored energy, left out of the report */
  ABUT_LEDGER_ELASTIC,
  ABUT_LEDGER_BENDING,
  ABUT_LEDGER_CONTROL,
  ABUT_LEDGER_COUNT
} abut_ledger;

/* which objects of a scene carry the term: their material's model names it */
typedef enum abut_carrier { ABUT_ON_ANY, ABUT_ON_SHELL, ABUT_ON_SOLID } abut_carrier;

/* upper 3x3 blocks of an element of n vertices, row by row: (0,0) (0,1) .. (1,1) .. */
static inline int abut_block_count(int n)
{
  return n * (n + 1) / 2;
}
static inline int abut_block_at(int n, int i, int j)
{
  return i * n - i * (i - 1) / 2 + (j - i);
}

struct abut_term_class {
  const char *name; /* of the model in scene files, or of the control */
  const char *text; /* one line for people */
  abut_carrier carrier;
  abut_ledger ledger;
  int stencil;          /* vertices of an element, 1 to 4 */
  int memory;           /* doubles of history per element */
  size_t element_size;  /* bytes of constants per element */
  bool rigid_invariant; /* energy unchanged by moving and turning everything */
  bool gauss_newton;    /* hessian leaves out terms that vanish at rest, even unprojected */

  /* constants of one element; ABUT_BAD_FORMAT (abut_fail) for values that make no sense */
  abut_status (*build)(abut_context *ctx, const abut_term_input *in, void *element);
  /* J per element; +infinity where the energy is not defined */
  void (*energy)(const abut_batch *b, const abut_at *at, int begin, int end, double *slot);
  /* N, stencil vectors per element */
  void (*gradient)(const abut_batch *b, const abut_at *at, int begin, int end, vec3 *slot);
  /* N/m, abut_block_count(stencil) blocks per element; positive semidefinite when project */
  void (*hessian)(const abut_batch *b, const abut_at *at, int begin, int end, bool project,
                  mat3 *slot);
  /* largest fraction of the displacement p, at most 1, that the elements allow; NULL: any */
  double (*step_bound)(const abut_batch *b, const abut_at *at, const vec3 *p, int begin, int end);
  /* brings memory up to an accepted iterate; at the first step too. NULL: nothing to remember */
  void (*remember)(const abut_batch *b, const abut_at *at, int begin, int end);
  /* memory of an element that was just built, at->x being the start. NULL: zero */
  void (*start)(const abut_batch *b, const abut_at *at, int begin, int end);
};

/* the class of that name that the carrier may carry, or NULL; classes ends with NULL */
const abut_term_class *abut_term_find(const abut_term_class *const *classes, const char *name,
                                      abut_carrier carrier);

#endif
