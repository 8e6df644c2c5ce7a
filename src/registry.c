/* registry.c: every table in one file. To add a member of a family write its file and add one line
   here; the scene file, `abut list` and the tests pick it up. */
#include "registry.h"

#include "energy/terms.h"

static const abut_term_class *const terms[] = {
    &abut_term_inertia,
    &abut_term_membrane_stvk,
    &abut_term_membrane_nh,
    &abut_term_hinge,
    &abut_term_solid_snh,
    &abut_term_solid_nh,
    &abut_term_solid_fcr,
    &abut_term_support,
    &abut_term_tie,
    &abut_term_drag,
    &abut_term_force,
    NULL,
};

const abut_tables abut_registry = {
    .terms = terms,
};
