/* constraints.h: the active set of Zheng, Luo and Li (arXiv 2512.12151): pairs that have been hit,
   each with a constraint on its linearised distance, a multiplier and a count of quiet iterations.
   Any number of them, ascending by key. */
#ifndef ABUT_CONTACT_CONSTRAINTS_H
#define ABUT_CONTACT_CONSTRAINTS_H

#include "contact/contact.h"
#include "kernel/augmented.h"

typedef struct abut_constraint {
  uint64_t key;
  int32_t vertex[4]; /* unused ones repeat the first, with weight 0 */
  augmented e;       /* at the anchor */
  double delta;      /* separation that is asked for beyond the offset, m */
  double mobility;   /* m/N, how far a force moves it within the step, by mass alone */
  bool pushes;       /* at the iterate looked at last */
  int32_t quiet;     /* iterations in a row in which it was not active */
} abut_constraint;

typedef struct abut_constraints {
  abut_constraint *item; /* ascending by key                                     (count) */
  int64_t count, room;
} abut_constraints;

void abut_constraints_free(abut_context *ctx, abut_constraints *c);

/* room for count constraints; those there are stay */
abut_status abut_constraints_reserve(abut_context *ctx, abut_constraints *c, int64_t count);

/* Weights, normals and gaps at the anchor (surface->vertices), m. */
void abut_constraints_linearise(const abut_context *ctx, const abut_surface *s, const vec3 *anchor,
                                abut_constraints *c);

/* Merges count new constraints for the pairs of key (ascending, none of them there yet): multiplier
   0, delta 0, not quiet. They are not linearised yet. */
abut_status abut_constraints_add(abut_context *ctx, const abut_surface *s, const uint64_t *key,
                                 int64_t count, abut_constraints *c);

/* Removes those that have been quiet so long that decay^quiet is below least. */
void abut_constraints_remove(double decay, double least, abut_constraints *c);

/* index of the pair, or -1 */
int64_t abut_constraints_find(const abut_constraints *c, uint64_t key);

/* J, N, N/m in slots of 1, 4 and 10 per constraint at x, linearised at anchor. inactive: blocks of
   inactive constraints too */
void abut_constraints_energy(const abut_constraint *c, const vec3 *x, const vec3 *anchor,
                             int64_t begin, int64_t end, double *slot);
void abut_constraints_gradient(const abut_constraint *c, const vec3 *x, const vec3 *anchor,
                               int64_t begin, int64_t end, vec3 *slot);
void abut_constraints_hessian(const abut_constraint *c, const vec3 *x, const vec3 *anchor,
                              bool inactive, int64_t begin, int64_t end, mat3 *slot);

static inline quad abut_constraint_quad(const abut_constraint *c, const vec3 *x)
{
  quad q;
  for (int k = 0; k < 4; k++) q.p[k] = x[c->vertex[k]];
  return q;
}

#endif
