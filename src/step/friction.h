/* friction.h: friction of a step: the contacts at its start, with their normal forces frozen. */
#ifndef ABUT_STEP_FRICTION_H
#define ABUT_STEP_FRICTION_H

#include "contact/law.h"
#include "kernel/friction.h"

typedef struct abut_friction {
  friction_element *element; /* (count) */
  uint64_t *key;             /* of their pairs, ascending if they were added so        (count) */
  int32_t *vertex;           /* unused vertices repeat the first, with weight 0  (count x 4) */
  vec3 *share;               /* of the load, on the way to what the slip makes it    (count) */
  int64_t count, room, key_room, vertex_room, share_room;
  bool root; /* square-root law instead of the smooth one */
} abut_friction;

void abut_friction_free(abut_context *ctx, abut_friction *f);

/* empties the list */
void abut_friction_clear(abut_friction *f, bool root);

/* Adds one pair with its normal force (N), weights and normal; pairs with coefficient 0 are left
   out. vertex: (4), unused ones repeat the first; eps: smoothing length, m */
abut_status abut_friction_add(abut_context *ctx, const abut_surface *s, uint64_t key,
                              const int32_t *vertex, const double *weight, vec3 n, double force,
                              double eps, abut_friction *f);

/* Freezes weights, normals and loads of the contacts at at->x. eps: smoothing length, m. Pairs with
   coefficient 0 or no force are left out. */
abut_status abut_friction_freeze(abut_context *ctx, const abut_surface *s,
                                 const abut_law_class *law, const abut_law_at *at,
                                 const abut_contact_set *contacts, double eps, abut_friction *f);

/* J, N, N/m in slots of 1, 4 and 10 per element; x0: start of the step */
void abut_friction_energy(const abut_friction *f, const vec3 *x, const vec3 *x0, int64_t begin,
                          int64_t end, double *slot);
void abut_friction_gradient(const abut_friction *f, const vec3 *x, const vec3 *x0, int64_t begin,
                            int64_t end, vec3 *slot);
void abut_friction_hessian(const abut_friction *f, const vec3 *x, const vec3 *x0, int64_t begin,
                           int64_t end, mat3 *slot);

/* on the first side of element i, N; the second feels the opposite */
vec3 abut_friction_force(const abut_friction *f, int64_t i, const vec3 *x, const vec3 *x0);

/* the friction of element i that the linear system foretells for the displacement p, in units of
   its load */
double abut_friction_foretold(const abut_friction *f, int64_t i, const vec3 *x, const vec3 *x0,
                              const vec3 *p);

/* takes the shares along when the iterate goes from x by alpha p */
void abut_friction_follow(const abut_context *ctx, const vec3 *x, const vec3 *x0, const vec3 *p,
                          double alpha, abut_friction *f);

#endif
