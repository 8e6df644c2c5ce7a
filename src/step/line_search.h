/* line_search.h: how far to go along a Newton direction. */
#ifndef ABUT_STEP_LINE_SEARCH_H
#define ABUT_STEP_LINE_SEARCH_H

#include "step/objective.h"

typedef struct abut_search {
  double alpha;          /* accepted fraction; 0: no fraction lowers the objective */
  abut_objective energy; /* at the accepted point */
  double limit;          /* largest fraction that collisions and elements allowed */
  uint64_t pair;         /* the pair that set it, when limited */
  bool limited;          /* by a collision */
} abut_search;

/* the largest fraction of w->p that the elements' bounds allow, at most 1 */
double abut_search_element_bound(const abut_context *ctx, const abut_system *sys,
                                 const abut_work *w);

/* The largest fraction of w->p that the elements' bounds and collision detection allow. Leaves the
   candidates for all points up to it in w->candidates. */
abut_status abut_search_limit(abut_context *ctx, const abut_system *sys, abut_work *w,
                              abut_search *search);

/* Backtracks from search->limit until the objective has decreased enough (Armijo), or, where
   differences of the objective are below its rounding level, until the slope along p has (Hager and
   Zhang's approximate Wolfe test). While prescribed displacement is left any point of finite energy
   is taken. The accepted point is left in w->trial, its contacts in w->next. before: objective at
   w->x; slope: gradient times p; noise: rounding level of the objective, J. */
abut_status abut_search_run(abut_context *ctx, const abut_system *sys,
                            const abut_step_options *options, abut_work *w,
                            const abut_objective *before, double slope, double noise,
                            abut_search *search);

#endif
