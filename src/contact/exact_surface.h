/* exact_surface.h: the exact test on a surface: its elements, its rules of pairs, nothing of its
   search. */
#ifndef ABUT_CONTACT_EXACT_SURFACE_H
#define ABUT_CONTACT_EXACT_SURFACE_H

#include "contact/exact.h"
#include "contact/surface.h"

/* All meetings at x, m (vertices), as abut_exact_crossings gives them, in new memory. Pairs whose
   vertices are all prescribed (vertices) are left out. */
abut_status abut_exact_surface_crossings(abut_context *ctx, const abut_surface *s, const vec3 *x,
                                         const bool *prescribed, abut_crossing **crossing,
                                         int64_t *count);

#endif
