/* ccd.h: the largest fraction of a displacement that keeps every candidate pair apart. */
#ifndef ABUT_CONTACT_CCD_H
#define ABUT_CONTACT_CCD_H

#include "contact/candidates.h"
#include "kernel/ccd.h"

typedef struct abut_ccd_limit {
  double alpha;  /* in [0, 1]: every pair keeps at least a tenth of its gap on [0, alpha] */
  uint64_t pair; /* the tightest one, when alpha < 1 */
  int status;    /* of that pair: CCD_CLEAR when alpha is 1, CCD_HIT or CCD_UNDECIDED */
} abut_ccd_limit;

/* the same for any number of threads; x, p: (surface->vertices) */
abut_ccd_limit abut_ccd_bound(const abut_context *ctx, const abut_surface *s,
                              const abut_candidates *candidates, const vec3 *x, const vec3 *p);

/* one pair: the separating-normal bound, then additive CCD where that one is short */
ccd_answer abut_ccd_pair(const abut_surface *s, uint64_t key, const vec3 *x, const vec3 *p,
                         double enough);

#endif
