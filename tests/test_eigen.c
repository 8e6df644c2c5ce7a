/* Small symmetric eigenproblems: every size, for matrices that are plain, graded, repeated, split.
 */
#include "cmocka_all.h"

#include "contact_samples.h"

#include "kernel/contact_ipc.h"
#include "kernel/eig.h"

enum { MOST = 12, KINDS = 8 };

/* a symmetric matrix of a kind that has hurt somebody */
static void make_matrix(int kind, int n, unsigned long long *seed, double a[MOST][MOST])
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++) {
      double x = test_random(seed), grade = pow(10, -1.3 * (i + j));
      switch (kind) {
      case 0: break;
      case 1: x *= grade; break;                                           /* falling */
      case 2: x *= pow(10, -1.3 * (2 * (n - 1) - i - j)); break;           /* rising */
      case 3: x = i == j ? 2 : 0; break;                                   /* one eigenvalue */
      case 4: x = 1; break;                                                /* rank one */
      case 5: x = i - j > 1 ? 0 : x; break;                                /* tridiagonal already */
      case 6: x = (i < n / 2) == (j < n / 2) ? x : 0; break;               /* two blocks */
      default: x = i == j && i % 2 ? 1e-12 : i == j ? 1 : 1e-9 * x; break; /* nearly diagonal */
      }
      a[i][j] = a[j][i] = x;
    }
}

/* a = sum of value vector vector^T, vectors orthonormal, to the last places of the norm */
static void check(double a[MOST][MOST], int n, const double *value, const double *vector)
{
  double size = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) size += a[i][j] * a[i][j];
  size = sqrt(size);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double sum = 0, dot = 0;
      for (int k = 0; k < n; k++) {
        sum += value[k] * vector[n * k + i] * vector[n * k + j];
        dot += vector[n * i + k] * vector[n * j + k];
      }
      assert_near(sum, a[i][j], 1e-14 * size);
      assert_near(dot, (double)(i == j), 1e-14);
    }
}

#define CHECK_SIZE(n)                                                                              \
  for (int kind = 0; kind < KINDS; kind++)                                                         \
    for (int repeat = 0; repeat < 100; repeat++) {                                                 \
      double a[MOST][MOST];                                                                        \
      make_matrix(kind, n, &seed, a);                                                              \
      sym##n s;                                                                                    \
      for (int i = 0; i < n; i++)                                                                  \
        for (int j = 0; j < n; j++) s.a[i][j] = a[i][j];                                           \
      eig##n e = eig_sym##n(s);                                                                    \
      check(a, n, e.value, &e.vector[0][0]);                                                       \
    }

static void eigenvectors_give_the_matrix_back(void **state)
{
  (void)state;
  unsigned long long seed = 5;
  CHECK_SIZE(3)
  CHECK_SIZE(9)
  CHECK_SIZE(12)
}

static void two_by_two_is_solved_in_closed_form(void **state)
{
  (void)state;
  unsigned long long seed = 5;
  for (int k = 0; k < 2000; k++) {
    double b = k % 5 ? test_random(&seed) * pow(10, -k % 13) : 0, a = test_random(&seed);
    double c = k % 3 ? test_random(&seed) : a;
    eig2 e = eig_sym2(a, b, c);
    assert_true(e.first >= e.second);
    assert_near(e.x * e.x + e.y * e.y, 1.0, 1e-15);
    assert_near(e.first * e.x * e.x + e.second * e.y * e.y, a, 1e-15);
    assert_near((e.first - e.second) * e.x * e.y, b, 1e-15);
    assert_near(e.first * e.y * e.y + e.second * e.x * e.x, c, 1e-15);
  }
}

/* a pair of either kind, slivers and nearly parallel edges among them, moved along its normal to a
   distance of 1e-7 to 1e3 edge lengths */
static bool awkward_pair(unsigned number, unsigned long long *seed, quad *x, closest *c)
{
  double apart = sample_size(seed, 1e-7, 1e3), thin = sample_size(seed, 1e-6, 1);
  bool edges = number % 2;
  for (int k = 0; k < 4; k++) x->p[k] = sample_vec(seed, 1);
  vec3 e = v3_sub(x->p[2 - edges], x->p[1 - edges]);
  if (number % 3 == 0)
    x->p[3] = v3_add(v3_madd(x->p[edges ? 2 : 1], e, sample_between(seed, 0.2, 0.8)),
                     sample_vec(seed, thin));
  for (int turn = 0; turn < 2; turn++) {
    *c = edges ? closest_edge_edge(x->p[0], x->p[1], x->p[2], x->p[3])
               : closest_point_triangle(x->p[0], x->p[1], x->p[2], x->p[3]);
    if (c->parallel || !(c->d2 > 0)) return false;
    double by = apart - sqrt(c->d2);
    for (int k = 0; k <= edges && turn == 0; k++) x->p[k] = v3_madd(x->p[k], v3_unit(c->r), by);
  }
  return true;
}

/* the two scalar equations of the ipc projection against clamping the full 12x12 */
static void the_projection_is_right_for_awkward_pairs(void **state)
{
  (void)state;
  unsigned long long seed = 12345;
  for (unsigned number = 0; number < 5000; number++) {
    quad x;
    closest c;
    if (!awkward_pair(number, &seed, &x, &c)) continue;
    distance_frame f = number % 2 ? distance_frame_edges(x, c) : distance_frame_triangle(x, c);
    double d = sqrt(c.d2), xi = number % 7 ? 0 : d * sample_between(&seed, 0, 0.99);
    double dhat = (d - xi) / sample_between(&seed, 0.001, 0.999);
    barrier b = barrier_ipc(barrier_ipc_argument(d, xi), barrier_ipc_width(dhat, xi));
    hess4 exact = contact_ipc_exact(c, f, v3_unit(c.r), d, b);
    hess4 projected = contact_ipc_projected(c, f, v3_unit(c.r), d, b);
    double full[144], clamped[144], ours[144];
    sample_full(exact.k, full);
    sample_full(projected.k, ours);
    int negative = sample_clamp(full, clamped);
    assert_below(test_relative(ours, clamped, 144, 1e-300), 2e-14);
    assert_true(negative <= 2);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(eigenvectors_give_the_matrix_back),
      cmocka_unit_test(two_by_two_is_solved_in_closed_form),
      cmocka_unit_test(the_projection_is_right_for_awkward_pairs),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
