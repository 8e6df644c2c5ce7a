/* lanes.h: the costly loops over solids, several elements at a time. Plain arrays, because the
   lanes have types of their own. Slots as in term.h; an element is the 12 doubles of solid_element;
   the results of an element do not depend on its neighbours. */
#ifndef ABUT_ENERGY_LANES_H
#define ABUT_ENERGY_LANES_H

#include <stdbool.h>

/* x: positions (vertices x 3); v: corners (elements x 4); elements begin .. end */
typedef void abut_lanes_hessian_fn(const double *x, const int *v, const double *element, int begin,
                                   int end, bool project, double *slot);
typedef void abut_lanes_value_fn(const double *x, const int *v, const double *element, int begin,
                                 int end, double *slot);

abut_lanes_hessian_fn abut_lanes_snh_hessian, abut_lanes_nh_hessian, abut_lanes_fcr_hessian;
abut_lanes_value_fn abut_lanes_fcr_energy, abut_lanes_fcr_gradient;

#endif
