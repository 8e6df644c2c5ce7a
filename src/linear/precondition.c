#include "linear/precondition.h"

#include <float.h>
#include <string.h>

#include "base/parallel.h"
#include "linear/buffer.h"
#include "linear/direct.h"

enum { GRAIN = 1024 };
/* what a pivot of a diagonal block counts at least, and what it may be below zero by rounding,
   relative to the diagonal entry */
static const double LEAST = 1e-13;

void abut_preconditioner_free(abut_context *ctx, abut_preconditioner *p)
{
  abut_free(ctx, p->inverse);
  abut_merged_free(ctx, &p->factor);
  *p = (abut_preconditioner){0};
}

/* 0 when the pivot is refused */
static double pivot_root(double pivot, double refused, double least)
{
  if (!(pivot > refused && pivot <= DBL_MAX && least > 0)) return 0;
  return sqrt(pivot > least ? pivot : least);
}

/* a = U^T U, then W = U^-1 */
bool abut_block_inverse(mat3 a, mat3 scale, double refused, double least, mat3 *w)
{
  double s0 = scale.m[0], s1 = scale.m[4], s2 = scale.m[8];
  double u00 = pivot_root(a.m[0], refused * s0, least * s0);
  if (u00 == 0) return false;
  double u01 = a.m[1] / u00, u02 = a.m[2] / u00;
  double u11 = pivot_root(a.m[4] - u01 * u01, refused * s1, least * s1);
  if (u11 == 0) return false;
  double u12 = (a.m[5] - u01 * u02) / u11;
  double u22 = pivot_root(a.m[8] - u02 * u02 - u12 * u12, refused * s2, least * s2);
  if (u22 == 0) return false;
  double w00 = 1 / u00, w11 = 1 / u11, w22 = 1 / u22;
  double w01 = -u01 * w00 * w11, w12 = -u12 * w11 * w22;
  double w02 = -(u01 * w12 + u02 * w22) * w00;
  *w = (mat3){{w00, w01, w02, 0, w11, w12, 0, 0, w22}};
  return true;
}

abut_status abut_block_jacobi_make(abut_context *ctx, const abut_matrix *a, abut_preconditioner *p)
{
  if (p->rows != a->rows) abut_preconditioner_free(ctx, p);
  if (!p->inverse) ABUT_MAKE(ctx, p->inverse, a->rows);
  p->rows = a->rows;
  p->incomplete = false;
  for (int32_t i = 0; i < a->rows; i++) {
    mat3 d = abut_matrix_diagonal(a, i);
    if (!abut_block_inverse(d, d, -LEAST, LEAST, &p->inverse[i])) return abut_fail_pivot(ctx, a, i);
  }
  return ABUT_OK;
}

typedef struct application {
  const abut_preconditioner *p;
  const vec3 *r;
  vec3 *z;
} application;

static void apply_diagonal(void *arg, int64_t begin, int64_t end)
{
  const application *w = arg;
  for (int64_t i = begin; i < end; i++) {
    mat3 inverse = w->p->inverse[i];
    w->z[i] = m3_apply(inverse, m3_apply_transpose(inverse, w->r[i]));
  }
}

/* U^T y = r, then U z = y, in place in z */
static void apply_factor(const abut_preconditioner *p, const vec3 *r, vec3 *z)
{
  const abut_merged *u = &p->factor;
  memcpy(z, r, (size_t)u->rows * sizeof *z);
  for (int32_t i = 0; i < u->rows; i++) {
    z[i] = m3_apply_transpose(p->inverse[i], z[i]);
    for (int64_t k = u->start[i] + 1; k < u->start[i + 1]; k++) {
      vec3 *zj = &z[u->column[k]];
      *zj = v3_sub(*zj, m3_apply_transpose(u->value[k], z[i]));
    }
  }
  for (int32_t i = u->rows; i-- > 0;) {
    vec3 sum = z[i];
    for (int64_t k = u->start[i] + 1; k < u->start[i + 1]; k++)
      sum = v3_sub(sum, m3_apply(u->value[k], z[u->column[k]]));
    z[i] = m3_apply(p->inverse[i], sum);
  }
}

void abut_preconditioner_apply(const abut_context *ctx, const abut_preconditioner *p, const vec3 *r,
                               vec3 *z)
{
  application w = {p, r, z};
  if (p->incomplete)
    apply_factor(p, r, z);
  else
    abut_parallel_for(ctx, p->rows, GRAIN, apply_diagonal, &w);
}
