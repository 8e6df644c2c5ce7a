/* validate.h: the exact intersection test on the solver's own surface. */
#ifndef ABUT_STEP_VALIDATE_H
#define ABUT_STEP_VALIDATE_H

#include "step/system.h"

/* ABUT_STOPPED naming the first crossing when x is not free of crossings */
abut_status abut_validate(abut_context *ctx, const abut_surface *s, const bool *prescribed,
                          const vec3 *x);

#endif
