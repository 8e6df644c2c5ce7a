/* terms.h: every energy, one file each; registry.c lists them. */
#ifndef ABUT_ENERGY_TERMS_H
#define ABUT_ENERGY_TERMS_H

#include "energy/term.h"

extern const abut_term_class abut_term_inertia, abut_term_membrane_stvk, abut_term_membrane_nh,
    abut_term_hinge, abut_term_solid_snh, abut_term_solid_nh, abut_term_solid_fcr,
    abut_term_support, abut_term_tie, abut_term_drag, abut_term_force;

#endif
