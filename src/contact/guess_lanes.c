#define K_LANES 4

#if defined(__GNUC__)
/* lanes never cross from one compiled unit to another */
#pragma GCC diagnostic ignored "-Wpsabi"
#endif

#include "contact/guess_lanes.h"

#include "base/clones.h"
#include "kernel/guess.h"

K_FN void take(const double *from, const int *v, int lane, vec3 *to)
{
  const double *a = from + 3 * (long long)v[0];
  for (int k = 0; k < 3; k++) {
    const double *b = from + 3 * (long long)v[k + 1];
    to[k].x[lane] = b[0] - a[0];
    to[k].y[lane] = b[1] - a[1];
    to[k].z[lane] = b[2] - a[2];
  }
}

/* lanes past the last pair repeat it */
K_FN guess_pair gather(const double *x, const double *p, const int *vertex, int count)
{
  guess_pair q;
  for (int l = 0; l < K_LANES; l++) {
    const int *v = vertex + 4 * (l < count ? l : count - 1);
    take(x, v, l, q.d);
    take(p, v, l, q.u);
  }
  for (int k = 0; k < 3; k++) q.u[k] = v3_add(q.d[k], q.u[k]);
  return q;
}

ABUT_CLONES void abut_lanes_guess(int sides, const double *x, const double *p, const int *vertex,
                                  int count, double xi, bool *clear)
{
  for (int i = 0; i < count; i += K_LANES) {
    int n = count - i < K_LANES ? count - i : K_LANES;
    guess_pair q = gather(x, p, vertex + 4 * i, n);
    real reach = k_real(xi);
    real_mask found = guess_clear_on_normal(sides, q, reach);
    if (k_any(~found)) {
      found |= guess_clear_on_middles(sides, q, reach);
      found |= guess_clear_on_axes(sides, q, reach);
    }
    for (int l = 0; l < n; l++) clear[i + l] = found[l] != 0;
  }
}
