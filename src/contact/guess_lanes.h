/* guess_lanes.h: kernel/guess.h on many pairs, several at a time. Plain arrays, because the lanes
   have types of their own. */
#ifndef ABUT_CONTACT_GUESS_LANES_H
#define ABUT_CONTACT_GUESS_LANES_H

#include <stdbool.h>

/* clear[i]: a direction was found that keeps pair i more than xi (m) apart all along x + a p. What
   is found for a pair does not depend on its neighbours.
   sides: vertices of the first primitive, 1 (and a triangle) or 2 (and another edge)
   x, p: (vertices x 3), m; vertex: (count x 4); clear: (count) */
void abut_lanes_guess(int sides, const double *x, const double *p, const int *vertex, int count,
                      double xi, bool *clear);

#endif
