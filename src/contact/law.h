/* law.h: the interface of a contact law. A law turns contact records into energies, gradients and
   Hessian blocks, a batch at a time; each contact writes to slots of its own: 1 energy, 4 gradient
   vectors, 10 upper blocks (see energy/term.h). One file and one line in registry.c add one. */
#ifndef ABUT_CONTACT_LAW_H
#define ABUT_CONTACT_LAW_H

#include "contact/contact.h"

typedef struct abut_law_at {
  const vec3 *x;    /* m                                            (vertices) */
  double dhat;      /* m */
  double stiffness; /* kappa in J/m^4 or k in N/m, whichever is the law's */
} abut_law_at;

typedef struct abut_law_class {
  const char *name;
  const char *text;
  bool adaptive;      /* its stiffness has an automatic rule that adapts during the run */
  double stiffness;   /* otherwise the default */
  const char *unit;   /* of the stiffness */
  bool root_friction; /* friction by the square-root law instead of the smooth one */
  /* J; +infinity when the gap is closed */
  void (*energy)(const abut_law_at *at, const abut_contact *c, int64_t begin, int64_t end,
                 double *slot);
  /* N */
  void (*gradient)(const abut_law_at *at, const abut_contact *c, int64_t begin, int64_t end,
                   vec3 *slot);
  /* N/m; positive semidefinite when project, otherwise exact where the law knows the exact one */
  void (*hessian)(const abut_law_at *at, const abut_contact *c, int64_t begin, int64_t end,
                  bool project, mat3 *slot);
  bool gauss_newton; /* hessian leaves out terms even unprojected */
  /* normal force, N (positive pushes apart), as friction takes it */
  double (*force)(const abut_law_at *at, const abut_contact *c);
} abut_law_class;

extern const abut_law_class abut_law_ipc, abut_law_offset;

/* the contact's vertices at x; unused ones repeat the first */
static inline quad abut_contact_quad(const abut_contact *c, const vec3 *x)
{
  quad q;
  for (int k = 0; k < 4; k++) q.p[k] = x[c->vertex[k] < 0 ? c->vertex[0] : c->vertex[k]];
  return q;
}

#endif
