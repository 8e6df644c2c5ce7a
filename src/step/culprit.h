/* culprit.h: the element that made a step's numbers no numbers. */
#ifndef ABUT_STEP_CULPRIT_H
#define ABUT_STEP_CULPRIT_H

#include "step/work.h"

typedef struct abut_culprit {
  const abut_term_class *class; /* NULL: none */
  int32_t vertex[4];            /* (class->stencil) */
  const char *quantity;         /* "gradient" or "Hessian" */
} abut_culprit;

/* The first element or control whose gradient or Hessian at w->x is not finite, or will not be
   when a few are added. For messages: it
   evaluates one element after the other. */
abut_culprit abut_culprit_find(const abut_system *sys, const abut_work *w);

#endif
