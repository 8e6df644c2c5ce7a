#include "linear/direct.h"
#include "linear/precondition.h"

/* A pivot below this share of the matrix' own diagonal entry counts as a breakdown: U would be
   large there and M of no use. */
static const double BREAKDOWN = 1e-10;
/* Manteuffel 1980: what the diagonal is enlarged by, relative, one after another */
static const double shift[] = {0, 1e-3, 1e-2, 1e-1, 1};

/* blocks (i, j) of row i lose U_ki^T U_kj, as far as they are there; at: the block (k, i) */
static void update_row(abut_merged *u, int32_t k, int64_t at)
{
  int32_t i = u->column[at];
  mat3 left = m3_transpose(u->value[at]);
  int64_t p = u->start[i], q = at;
  while (p < u->start[i + 1] && q < u->start[k + 1]) {
    if (u->column[p] == u->column[q]) {
      u->value[p] = m3_sub(u->value[p], m3_mul(left, u->value[q]));
      p++;
      q++;
    } else if (u->column[p] < u->column[q]) {
      p++;
    } else {
      q++;
    }
  }
}

/* returns the row where it breaks down, or -1 */
static int32_t factor_incomplete(const abut_matrix *a, double larger, abut_preconditioner *p)
{
  abut_merged *u = &p->factor;
  for (int32_t i = 0; i < u->rows; i++) {
    mat3 *d = &u->value[u->start[i]];
    for (int k = 0; k < 9; k += 4) d->m[k] *= 1 + larger;
  }
  for (int32_t k = 0; k < u->rows; k++) {
    int64_t begin = u->start[k], end = u->start[k + 1];
    mat3 pivot = u->value[begin], own = abut_matrix_diagonal(a, k), w;
    if (!abut_block_inverse(pivot, own, BREAKDOWN, BREAKDOWN, &w)) return k;
    p->inverse[k] = w;
    for (int64_t j = begin + 1; j < end; j++) u->value[j] = m3_mul(m3_transpose(w), u->value[j]);
    for (int64_t j = begin + 1; j < end; j++) update_row(u, k, j);
  }
  return -1;
}

abut_status abut_block_ic0_make(abut_context *ctx, const abut_matrix *a, abut_preconditioner *p)
{
  /* the diagonal blocks tell whether there is any hope, and are the last resort */
  ABUT_TRY(abut_block_jacobi_make(ctx, a, p));
  int32_t row = -1;
  for (size_t s = 0; s < sizeof shift / sizeof *shift; s++) {
    bool changed;
    ABUT_TRY(abut_merged_update(ctx, a, &p->factor, &changed));
    row = factor_incomplete(a, shift[s], p);
    if (row < 0 && shift[s] > 0)
      abut_note(ctx, "incomplete Cholesky: the diagonal was enlarged by %g %%", 100 * shift[s]);
    if (row < 0) {
      p->incomplete = true;
      return ABUT_OK;
    }
  }
  abut_note(ctx, "incomplete Cholesky broke down at row %d: diagonal blocks are used instead", row);
  return abut_block_jacobi_make(ctx, a, p);
}
