/* exact_whole.h: vectors of whole numbers of any size (GMP). Doubles become whole by a common power
   of two; the signs of homogeneous polynomials do not see it. GMP allocates by itself and ends the
   process when the machine is out of memory; the numbers here are a few, of at most 13,000 bits
   (doubles of one scale: 700 bits). */
#ifndef ABUT_CONTACT_EXACT_WHOLE_H
#define ABUT_CONTACT_EXACT_WHOLE_H

#include <gmp.h>

#include "kernel/vec.h"

typedef struct abut_whole3 {
  mpz_t c[3];
} abut_whole3;

bool abut_whole_finite(const vec3 *x, int n);

void abut_whole_init(abut_whole3 *v, int n);
void abut_whole_clear(abut_whole3 *v, int n);
/* v = x / 2^e without remainder; returns e. v is initialised. */
int abut_whole_load(abut_whole3 *v, const vec3 *x, int n);

void abut_whole_sub(abut_whole3 *r, const abut_whole3 *a, const abut_whole3 *b);
/* r is neither a nor b */
void abut_whole_cross(abut_whole3 *r, const abut_whole3 *a, const abut_whole3 *b);
void abut_whole_dot(mpz_t r, const abut_whole3 *a, const abut_whole3 *b);
bool abut_whole_zero(const abut_whole3 *a);

/* top / bottom 2^e as a double; bottom is not 0 */
double abut_whole_ratio(const mpz_t top, const mpz_t bottom, int e);

#endif
