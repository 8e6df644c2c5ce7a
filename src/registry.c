/* registry.c: every table in one file. To add a member of a family write its file and add one line
   here; the scene file, `abut list` and the tests pick it up. */
#include "registry.h"

#include "energy/terms.h"

static const abut_term_class *const terms[] = {
    &abut_term_inertia,   &abut_term_membrane_stvk, &abut_term_membrane_nh, &abut_term_hinge,
    &abut_term_solid_snh, &abut_term_solid_nh,      &abut_term_solid_fcr,   &abut_term_support,
    &abut_term_tie,       &abut_term_drag,          &abut_term_force,       NULL,
};

static const abut_law_class *const laws[] = {
    &abut_law_ipc,
    &abut_law_offset,
    NULL,
};

static const abut_method_class *const methods[] = {
    &abut_method_ipc,
    &abut_method_offset_ipc,
    &abut_method_barrier_free,
    NULL,
};

static const abut_linear_class *const linears[] = {
    &abut_linear_cholesky,
    &abut_linear_pcg,
    &abut_linear_pcg_jacobi,
    &abut_linear_dense,
#ifdef ABUT_WITH_CHOLMOD
    &abut_linear_cholmod,
#endif
    NULL,
};

static const abut_shape_class *const shapes[] = {
    &abut_shape_grid, &abut_shape_disc,   &abut_shape_tube, &abut_shape_box,
    &abut_shape_ball, &abut_shape_sphere, &abut_shape_bag,  NULL,
};

static const abut_format_class *const formats[] = {
    &abut_format_obj, &abut_format_msh,    &abut_format_ply,
    &abut_format_npy, &abut_format_vtkhdf, NULL,
};

const abut_tables abut_registry = {
    .terms = terms,
    .laws = laws,
    .methods = methods,
    .linears = linears,
    .shapes = shapes,
    .formats = formats,
};
