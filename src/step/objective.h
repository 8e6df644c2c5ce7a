/* objective.h: the incremental potential of a step in joules (Li et al. 2020, Eq. 1, divided by
   dt^2) at a given position: energy, gradient, matrix. Contacts are those of the position. */
#ifndef ABUT_STEP_OBJECTIVE_H
#define ABUT_STEP_OBJECTIVE_H

#include "step/work.h"

typedef struct abut_objective {
  double total; /* J; +infinity where something is not defined */
  double size;  /* sum of the sizes of all element energies: sets the rounding level of total */
  double ledger[ABUT_LEDGER_COUNT];
  double contact, friction;
} abut_objective;

/* evaluates at x with its contacts */
abut_status abut_objective_energy(abut_context *ctx, const abut_system *sys,
                                  const abut_step_options *options, abut_work *w, const vec3 *x,
                                  const abut_contact_set *contacts, abut_objective *out);

/* which terms a gradient sums */
enum { ABUT_SUM_ELEMENTS = 1, ABUT_SUM_CONTACTS = 2, ABUT_SUM_ALL = 3 };

/* g: (dynamic); rows of prescribed vertices are set to zero; friction belongs to the elements.
   stiffness: of the law, so that a unit barrier can be summed */
abut_status abut_objective_gradient(abut_context *ctx, const abut_system *sys,
                                    const abut_step_options *options, abut_work *w, const vec3 *x,
                                    const abut_contact_set *contacts, double stiffness, int terms,
                                    vec3 *g);

/* Gradient into w->g and the projected matrix into w->a at w->x with contacts w->now; the
   right-hand side into w->rhs: -g - H p for the displacement w->p that prescribed vertices have
   left (rows of prescribed vertices: that displacement itself, so that the solution carries it). */
abut_status abut_objective_assemble(abut_context *ctx, const abut_system *sys,
                                    const abut_step_options *options, abut_work *w);

/* the same in two parts: the elements that are always there; then all others and the right-hand
   side */
abut_status abut_objective_assemble_elements(abut_context *ctx, const abut_system *sys,
                                             abut_work *w);
abut_status abut_objective_assemble_rest(abut_context *ctx, const abut_system *sys,
                                         const abut_step_options *options, abut_work *w);

#endif
