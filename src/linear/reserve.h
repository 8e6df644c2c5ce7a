/* reserve.h: keeps a structure in step with the contacts. */
#ifndef ABUT_LINEAR_RESERVE_H
#define ABUT_LINEAR_RESERVE_H

#include "linear/fronts.h"

/* Fills where from the extra blocks of a, in scratch memory. covered is false when some block has
   no place in the factor; where is not to be used then. */
abut_status abut_extra_find(abut_context *ctx, const abut_symbolic *s, const abut_matrix *a,
                            abut_extra *where, bool *covered);

/* a new order for the present pattern of a, and its pairs */
abut_status abut_structure_order(abut_context *ctx, const abut_matrix *a,
                                 abut_structure *structure);

/* Gives the pairs of the extra blocks of a, without those in base, a place in structure. The old
   pairs stay too as long as that does not make the list half as long again: contacts come back. */
abut_status abut_structure_cover(abut_context *ctx, const abut_matrix *a,
                                 abut_structure *structure);

#endif
