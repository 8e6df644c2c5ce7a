/* moduli.h: Lame coefficients from Young's modulus E, Pa, and Poisson's ratio nu; textbook. h:
   thickness, m. */
#ifndef ABUT_ENERGY_MODULI_H
#define ABUT_ENERGY_MODULI_H

#include "energy/term.h"

typedef struct abut_lame {
  double mu, lam;
} abut_lame;

/* plane stress, times thickness, N/m: mu = E h/(2(1+nu)), lam = E h nu/(1-nu^2) */
abut_status abut_lame_shell(abut_context *ctx, const abut_term_input *in, abut_lame *out);
/* three dimensions, Pa: mu = E/(2(1+nu)), lam = E nu/((1+nu)(1-2nu)) */
abut_status abut_lame_solid(abut_context *ctx, const abut_term_input *in, abut_lame *out);

#endif
