#include "contact/exact_whole.h"

#include <limits.h>

/* digits of a double */
enum { DIGITS = 53 };

bool abut_whole_finite(const vec3 *x, int n)
{
  for (int i = 0; i < n; i++)
    if (!isfinite(x[i].x) || !isfinite(x[i].y) || !isfinite(x[i].z)) return false;
  return true;
}

void abut_whole_init(abut_whole3 *v, int n)
{
  for (int i = 0; i < n; i++) mpz_inits(v[i].c[0], v[i].c[1], v[i].c[2], NULL);
}

void abut_whole_clear(abut_whole3 *v, int n)
{
  for (int i = 0; i < n; i++) mpz_clears(v[i].c[0], v[i].c[1], v[i].c[2], NULL);
}

static void lower_exponent(double x, int *least)
{
  int e;
  frexp(x, &e);
  if (x != 0 && e < *least) *least = e;
}

static void set(mpz_t r, double x, int least)
{
  int e;
  double fraction = frexp(x, &e);
  mpz_set_d(r, ldexp(fraction, DIGITS));
  if (x != 0) mpz_mul_2exp(r, r, (mp_bitcnt_t)(e - least));
}

int abut_whole_load(abut_whole3 *v, const vec3 *x, int n)
{
  int least = INT_MAX;
  for (int i = 0; i < n; i++) {
    lower_exponent(x[i].x, &least);
    lower_exponent(x[i].y, &least);
    lower_exponent(x[i].z, &least);
  }
  if (least == INT_MAX) least = DIGITS; /* all are 0 */
  for (int i = 0; i < n; i++) {
    set(v[i].c[0], x[i].x, least);
    set(v[i].c[1], x[i].y, least);
    set(v[i].c[2], x[i].z, least);
  }
  return least - DIGITS;
}

void abut_whole_sub(abut_whole3 *r, const abut_whole3 *a, const abut_whole3 *b)
{
  for (int k = 0; k < 3; k++) mpz_sub(r->c[k], a->c[k], b->c[k]);
}

void abut_whole_cross(abut_whole3 *r, const abut_whole3 *a, const abut_whole3 *b)
{
  for (int k = 0; k < 3; k++) {
    int i = (k + 1) % 3, j = (k + 2) % 3;
    mpz_mul(r->c[k], a->c[i], b->c[j]);
    mpz_submul(r->c[k], a->c[j], b->c[i]);
  }
}

void abut_whole_dot(mpz_t r, const abut_whole3 *a, const abut_whole3 *b)
{
  mpz_mul(r, a->c[0], b->c[0]);
  mpz_addmul(r, a->c[1], b->c[1]);
  mpz_addmul(r, a->c[2], b->c[2]);
}

bool abut_whole_zero(const abut_whole3 *a)
{
  return mpz_sgn(a->c[0]) == 0 && mpz_sgn(a->c[1]) == 0 && mpz_sgn(a->c[2]) == 0;
}

double abut_whole_ratio(const mpz_t top, const mpz_t bottom, int e)
{
  mpq_t q;
  mpq_init(q);
  mpq_set_num(q, top);
  mpq_set_den(q, bottom);
  mpq_canonicalize(q);
  if (e > 0) mpq_mul_2exp(q, q, (mp_bitcnt_t)e);
  if (e < 0) mpq_div_2exp(q, q, (mp_bitcnt_t)-e);
  double ratio = mpq_get_d(q);
  mpq_clear(q);
  return ratio;
}
