#include "step/culprit.h"

enum { CORNERS = 4, BLOCKS = 10 };
/* what is larger is no number any more once a few are added */
static const double largest = 1e300;

static bool in_range(double a)
{
  return fabs(a) <= largest;
}

static bool vectors_in_range(const vec3 *v, int n)
{
  for (int i = 0; i < n; i++)
    if (!in_range(v[i].x) || !in_range(v[i].y) || !in_range(v[i].z)) return false;
  return true;
}

static bool blocks_in_range(const mat3 *a, int n)
{
  for (int i = 0; i < n; i++)
    for (int k = 0; k < 9; k++)
      if (!in_range(a[i].m[k])) return false;
  return true;
}

/* NULL: neither */
static const char *out_of_range(const abut_batch *b, const abut_at *at, int i)
{
  vec3 g[CORNERS];
  mat3 h[BLOCKS];
  b->class->gradient(b, at, i, i + 1, g);
  if (!vectors_in_range(g, b->class->stencil)) return "gradient";
  b->class->hessian(b, at, i, i + 1, true, h);
  return blocks_in_range(h, abut_block_count(b->class->stencil)) ? NULL : "Hessian";
}

abut_culprit abut_culprit_find(const abut_system *sys, const abut_work *w)
{
  abut_at at = abut_work_at(w, w->x);
  for (int s = 0; s < sys->batches + w->drive.controls; s++) {
    const abut_batch *b = s < sys->batches ? &w->batch[s] : &w->drive.control[s - sys->batches];
    for (int i = 0; i < b->count; i++) {
      const char *quantity = out_of_range(b, &at, i);
      if (!quantity) continue;
      abut_culprit c = {.class = b->class, .quantity = quantity};
      for (int k = 0; k < b->class->stencil; k++)
        c.vertex[k] = b->vertex[(int64_t)i * b->class->stencil + k];
      return c;
    }
  }
  return (abut_culprit){0};
}
