/* The exact intersection test, judged by whole-number arithmetic of another make: a segment and a
   triangle meet when the five weights of a common point have a non-negative solution, found here by
   trying every support and eliminating without fractions in 128 bits. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "contact/exact_filter.h"
#include "contact/exact_rational.h"

__extension__ typedef __int128 wide;
typedef struct whole {
  int64_t c[3];
} whole;

static uint64_t seed = 1;

static uint64_t bits(void)
{
  seed += UINT64_C(0x9e3779b97f4a7c15);
  uint64_t z = seed;
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return z ^ (z >> 31);
}

static int64_t below(int64_t n)
{
  return (int64_t)(bits() % (uint64_t)n);
}

static double uniform(double lo, double hi)
{
  return lo + (hi - lo) * (double)(bits() >> 11) * 0x1p-53;
}

static vec3 anywhere(double size)
{
  return v3(uniform(-size, size), uniform(-size, size), uniform(-size, size));
}

static vec3 placed(whole p, double unit, double offset)
{
  return v3(offset + unit * (double)p.c[0], offset + unit * (double)p.c[1],
            offset + unit * (double)p.c[2]);
}

/* Solves the columns of `support` for sum(w) = sum(t) = 1, sum(t p) = sum(w a). Returns the least
   sign of a weight, -1 for no solution, 2 when the columns depend on each other. */
static int weights(const whole x[5], int support)
{
  wide m[5][6], last = 1;
  int n = 0;
  for (int k = 0; k < 5; k++) {
    if (!(support >> k & 1)) continue;
    for (int d = 0; d < 3; d++) m[d][n] = k < 2 ? x[k].c[d] : -x[k].c[d];
    m[3][n] = k < 2;
    m[4][n++] = k >= 2;
  }
  for (int r = 0; r < 5; r++) m[r][n] = r >= 3;
  for (int j = 0; j < n; j++) {
    int pivot = j;
    while (pivot < 5 && m[pivot][j] == 0) pivot++;
    if (pivot == 5) return 2;
    for (int k = 0; k <= n; k++) {
      wide swap = m[pivot][k];
      m[pivot][k] = m[j][k];
      m[j][k] = swap;
    }
    for (int r = 0; r < 5; r++) {
      wide factor = m[r][j];
      for (int k = 0; r != j && k <= n; k++)
        m[r][k] = (m[j][j] * m[r][k] - factor * m[j][k]) / last;
    }
    last = m[j][j];
  }
  int least = 1;
  for (int r = 0; r < 5; r++) {
    int sign = m[r][n] == 0 ? 0 : (m[r][n] > 0) == (last > 0) ? 1 : -1;
    if (r >= n && sign != 0) return -1;
    if (r < n && sign < least) least = sign;
  }
  return least;
}

static abut_meeting expected_meeting(const whole x[5])
{
  int all = weights(x, 31);
  if (all != 2) return all > 0 ? ABUT_CROSSING : all == 0 ? ABUT_TOUCHING : ABUT_APART;
  for (int support = 1; support < 31; support++) {
    int least = weights(x, support);
    if (least == 0 || least == 1) return ABUT_TOUCHING;
  }
  return ABUT_APART;
}

static int64_t expected_volume(const whole x[4])
{
  int64_t d[3][3];
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++) d[i][k] = x[i + 1].c[k] - x[0].c[k];
  return d[0][0] * d[1][1] * d[2][2] + d[0][1] * d[1][2] * d[2][0] + d[0][2] * d[1][0] * d[2][1] -
         d[0][2] * d[1][1] * d[2][0] - d[0][1] * d[1][0] * d[2][2] - d[0][0] * d[1][2] * d[2][1];
}

static int64_t product(const whole *a, const whole *b, const whole *o)
{
  int64_t s = 0;
  for (int k = 0; k < 3; k++) s += (a->c[k] - o->c[k]) * (b->c[k] - o->c[k]);
  return s;
}

/* sign of distance(x[0], triangle)^2 - r2, by minimising over each face of the triangle in its own
   coordinates (Gram matrix) */
static int expected_reach(const whole x[4], int64_t r2)
{
  int least = 1;
  for (int i = 1; i < 4; i++) {
    const whole *o = &x[i], *a = &x[i % 3 + 1], *b = &x[(i + 1) % 3 + 1], *p = &x[0];
    int64_t pp = product(p, p, o), aa = product(a, a, o), bb = product(b, b, o),
            ab = product(a, b, o), pa = product(p, a, o), pb = product(p, b, o);
    int64_t det = aa * bb - ab * ab, s = bb * pa - ab * pb, t = aa * pb - ab * pa;
    int64_t excess[3] = {
        pp - r2, pa > 0 && pa < aa ? (pp - r2) * aa - pa * pa : 1,
        det > 0 && s > 0 && t > 0 && s + t < det ? (pp - r2) * det - s * pa - t * pb : 1};
    for (int k = 0; k < 3; k++) {
      int sign = (excess[k] > 0) - (excess[k] < 0);
      if (sign < least) least = sign;
    }
  }
  return least;
}

/* the points of a 3 x 3 x 2 lattice */
static whole lattice(int k)
{
  return (whole){{k % 3, k / 3 % 3, k / 9}};
}

static void check_place(const abut_exact_place *at, const vec3 x[5])
{
  double size = 0, sum = 0;
  for (int k = 0; k < 5; k++) size = fmax(size, v3_max_abs(x[k]));
  vec3 on_edge = v3_madd(x[0], v3_sub(x[1], x[0]), at->parameter), on_face = v3(0, 0, 0);
  for (int k = 0; k < 3; k++) {
    assert_true(at->bary[k] >= 0 && at->bary[k] <= 1);
    on_face = v3_madd(on_face, x[2 + k], at->bary[k]);
    sum += at->bary[k];
  }
  assert_true(at->parameter >= 0 && at->parameter <= 1);
  assert_true(fabs(sum - 1) < 1e-15);
  assert_true(v3_max_abs(v3_sub(on_edge, at->position)) <= 1e-15 * size);
  assert_true(v3_max_abs(v3_sub(on_face, at->position)) <= 1e-15 * size);
}

/* every answer that the library gives about x, against the expected one */
static void check_meeting(const vec3 x[5], abut_meeting expected, int64_t *unsure)
{
  abut_exact_place at = abut_exact_segment_triangle_rational(x[0], x[1], x[2], x[3], x[4]);
  int filter = abut_exact_segment_triangle_filter(x[0], x[1], x[2], x[3], x[4]);
  assert_int_equal(at.meeting, expected);
  if (filter != ABUT_EXACT_UNSURE) assert_int_equal(filter, expected);
  *unsure += filter == ABUT_EXACT_UNSURE;
  if (expected != ABUT_APART) check_place(&at, x);
}

static void orientation_is_the_sign_of_the_volume_for_all_points_of_a_lattice(void **state)
{
  (void)state;
  int i[4];
  for (i[0] = 0; i[0] < 18; i[0]++)
    for (i[1] = 0; i[1] < 18; i[1]++)
      for (i[2] = 0; i[2] < 18; i[2]++)
        for (i[3] = 0; i[3] < 18; i[3]++) {
          whole w[4] = {lattice(i[0]), lattice(i[1]), lattice(i[2]), lattice(i[3])};
          vec3 x[4];
          for (int k = 0; k < 4; k++) x[k] = placed(w[k], 0.1, 0); /* rounded: not the lattice */
          int64_t v = expected_volume(w);
          int sign = (v > 0) - (v < 0), tenth = abut_exact_orientation(x[0], x[1], x[2], x[3]);
          assert_int_equal(tenth, abut_exact_orientation_rational(x[0], x[1], x[2], x[3]));
          assert_int_equal(tenth, -abut_exact_orientation(x[1], x[0], x[2], x[3]));
          assert_int_equal(tenth, abut_exact_orientation(x[2], x[3], x[0], x[1]));
          for (int k = 0; k < 4; k++) x[k] = placed(w[k], 0x1p-30, 1e6);
          assert_int_equal(abut_exact_orientation(x[0], x[1], x[2], x[3]), sign);
          for (int k = 0; k < 4; k++) x[k] = placed(w[k], 0x1p-1074, 0);
          if (i[3] == 17) assert_int_equal(abut_exact_orientation(x[0], x[1], x[2], x[3]), sign);
          for (int k = 0; k < 4; k++) x[k] = placed(w[k], 0x1p1022, -0x1p1022);
          if (i[3] == 16) assert_int_equal(abut_exact_orientation(x[0], x[1], x[2], x[3]), sign);
        }
}

static void segment_and_triangle_meet_as_linear_algebra_says_for_all_points_of_a_lattice(void **st)
{
  (void)st;
  int64_t unsure = 0, seen[3] = {0, 0, 0};
  for (int p = 0; p < 18; p++)
    for (int q = p; q < 18; q++)
      for (int a = 0; a < 18; a++)
        for (int b = a; b < 18; b++)
          for (int c = b; c < 18; c++) {
            whole w[5] = {lattice(p), lattice(q), lattice(a), lattice(b), lattice(c)};
            vec3 x[5];
            for (int k = 0; k < 5; k++) x[k] = placed(w[k], 1, 0);
            abut_meeting m = expected_meeting(w);
            check_meeting(x, m, &unsure);
            seen[m]++;
          }
  assert_int_equal(seen[0] + seen[1] + seen[2], 171 * 1140);
  assert_true(seen[ABUT_TOUCHING] > 10000 && seen[ABUT_CROSSING] > 1000);
}

/* Lattice figures with corners moved by single roundings, far from the origin: the figure in units
   of the last place is whole numbers again, so that the truth is known. */
static void one_rounding_next_to_touching_is_told_apart_far_from_the_origin(void **state)
{
  (void)state;
  int64_t unsure = 0, seen[3] = {0, 0, 0};
  const double unit[4] = {0x1p-43, 0x1p-33, 0x1p-52, 0x1p-23}, offset[4] = {1e3, 1e6, 1, 1e9};
  for (int n = 0; n < 60000; n++) {
    whole w[5];
    for (int k = 0; k < 5; k++)
      for (int d = 0; d < 3; d++) w[k].c[d] = 4096 * below(4) + (below(4) == 0 ? below(3) - 1 : 0);
    if (n % 4 == 0) w[4] = w[2 + below(2)];
    if (n % 4 == 1)
      for (int d = 0; d < 3; d++) w[1].c[d] = (w[2].c[d] + w[3].c[d]) / 2;
    if (n % 8 == 2)
      for (int k = 0; k < 5; k++) w[k].c[2] = below(8) == 0 ? 4096 : 4097;
    vec3 x[5], y[5];
    for (int k = 0; k < 5; k++) x[k] = placed(w[k], unit[n % 4], offset[n % 4]);
    abut_meeting m = expected_meeting(w);
    check_meeting(x, m, &unsure);
    seen[m]++;
    double scale = n % 2 ? 0x1p10 : 0x1p-10;
    for (int k = 0; k < 5; k++) y[k] = v3_scale(x[k], scale);
    assert_int_equal(abut_exact_segment_triangle(y[0], y[1], y[2], y[3], y[4]), m);
    assert_int_equal(abut_exact_segment_triangle(y[1], y[0], y[4], y[2], y[3]), m);
    assert_int_equal(abut_exact_segment_triangle(y[0], y[1], y[3], y[2], y[4]), m);
  }
  assert_true(seen[0] > 5000 && seen[1] > 3000 && seen[2] > 2000);
}

static void a_point_is_nearer_to_a_triangle_than_a_radius_exactly_when_its_square_says(void **state)
{
  (void)state;
  int64_t seen[3] = {0, 0, 0};
  for (int n = 0; n < 150000; n++) {
    int64_t r = below(6), step = n % 2 ? 1 : 64;
    whole w[4];
    for (int k = 0; k < 4; k++)
      for (int d = 0; d < 3; d++) w[k].c[d] = step * below(6) + (n % 2 ? 0 : below(3) - 1);
    vec3 x[4];
    for (int k = 0; k < 4; k++) x[k] = placed(w[k], 0x1p-40, n % 3 ? 1e3 : 0);
    double radius = (double)(r * step) * 0x1p-40;
    int sign = expected_reach(w, r * step * r * step);
    int filter = abut_exact_point_triangle_filter(x[0], x[1], x[2], x[3], radius);
    if (filter != ABUT_EXACT_UNSURE) assert_int_equal(filter, sign);
    assert_int_equal(abut_exact_point_triangle_rational(x[0], x[1], x[2], x[3], radius), sign);
    assert_int_equal(abut_exact_point_triangle(x[0], x[3], x[1], x[2], radius), sign);
    seen[sign + 1]++;

    /* against the plane through x[1] and the point alone */
    int64_t nn = 0, np = 0, pp = product(&w[0], &w[0], &w[1]), rr = r * r * step * step;
    for (int k = 0; k < 3; k++) {
      nn += w[2].c[k] * w[2].c[k];
      np += w[2].c[k] * (w[0].c[k] - w[1].c[k]);
    }
    vec3 normal =
        v3((double)w[2].c[0] * 0x1p40, (double)w[2].c[1] * 0x1p40, (double)w[2].c[2] * 0x1p40);
    int64_t excess = (np < 0 ? -np * np : np * np) - rr * nn;
    assert_int_equal(abut_exact_point_plane(x[0], x[1], normal, radius),
                     (excess > 0) - (excess < 0));
    assert_int_equal(abut_exact_point_point(x[0], x[1], radius), (pp > rr) - (pp < rr));
    assert_int_equal(abut_exact_spheres(x[0], x[1], radius / 4, radius / 4 * 3),
                     (pp > rr) - (pp < rr));
  }
  assert_true(seen[0] > 1000 && seen[1] > 1000 && seen[2] > 1000);
}

static double any_double(void)
{
  uint64_t b = bits();
  if ((b >> 52 & 0x7ff) == 0x7ff) b ^= UINT64_C(1) << 62;
  if (below(8) == 0) b &= UINT64_C(0x800fffffffffffff);
  double x;
  memcpy(&x, &b, sizeof x);
  return x;
}

/* answers of both ways for one set of points; counts what the filter leaves */
static void check_filters(const vec3 x[5], double radius, int64_t unsure[5])
{
  int filter[5] = {abut_exact_orientation_filter(x[0], x[1], x[2], x[3]),
                   abut_exact_segment_triangle_filter(x[0], x[1], x[2], x[3], x[4]),
                   abut_exact_point_triangle_filter(x[0], x[1], x[2], x[3], radius),
                   abut_exact_spheres_filter(x[0], x[1], radius, radius / 3),
                   abut_exact_point_plane_filter(x[0], x[1], x[2], radius)};
  int exact[5] = {abut_exact_orientation_rational(x[0], x[1], x[2], x[3]),
                  (int)abut_exact_segment_triangle_rational(x[0], x[1], x[2], x[3], x[4]).meeting,
                  abut_exact_point_triangle_rational(x[0], x[1], x[2], x[3], radius),
                  abut_exact_spheres_rational(x[0], x[1], radius, radius / 3),
                  abut_exact_point_plane_rational(x[0], x[1], x[2], radius)};
  for (int k = 0; k < 5; k++) {
    if (filter[k] != ABUT_EXACT_UNSURE) assert_int_equal(filter[k], exact[k]);
    unsure[k] += filter[k] == ABUT_EXACT_UNSURE;
  }
}

static void the_filters_decide_nearly_all_random_figures_and_never_wrongly(void **state)
{
  (void)state;
  int64_t unsure[5] = {0}, ignored[5] = {0}, decided = 0;
  for (int n = 0; n < 150000; n++) {
    vec3 x[5];
    for (int k = 0; k < 5; k++) x[k] = anywhere(1);
    check_filters(x, uniform(0, 1), unsure);
  }
  for (int k = 0; k < 5; k++) assert_true(unsure[k] <= 3);

  for (int n = 0; n < 1000000;
       n++) { /* from many roundings to half of one off flat, off touching */
    vec3 x[5];
    for (int k = 0; k < 3; k++) x[k] = anywhere(1);
    x[3] = v3_madd(v3_scale(x[0], 0.25), v3_madd(x[2], x[1], 0.5), 0.5);
    x[3] = v3_madd(x[3], anywhere(1), ldexp(1, -(int)below(14) - 42));
    int sign = abut_exact_orientation_filter(x[0], x[1], x[2], x[3]);
    decided += sign != ABUT_EXACT_UNSURE;
    if (sign != ABUT_EXACT_UNSURE)
      assert_int_equal(sign, abut_exact_orientation_rational(x[0], x[1], x[2], x[3]));
    if (n % 16) continue;
    x[4] = anywhere(1);
    check_filters(x, v3_norm(v3_sub(x[0], x[1])) * (n % 32 ? 1 : 0.75), ignored);
  }
  assert_true(decided > 100000 && decided < 900000);
}

/* exponents for three axes: all over; where the product of all three, or of two, underflows; where
   it underflows before a huge third factor brings it back */
static vec3 any_scale(int n)
{
  int e[3] = {(int)below(1800) - 900, (int)below(1000) - 500, 0}, axis = (int)below(3);
  int third = (n & 1 ? -1074 : -537 * 2 + 200) - e[0] % 400 - e[1] % 400 + (int)below(6) - 3;
  int all[4][3] = {{e[0], e[0], e[0]},
                   {-358 + (int)below(5), -358, -358},
                   {-537 + (int)below(5), -537, -537},
                   {e[0] % 400, e[1] % 400, third}};
  const int *a = all[n % 4];
  return v3(ldexp(1, a[axis]), ldexp(1, a[(axis + 1) % 3]), ldexp(1, a[(axis + 2) % 3]));
}

static void overflow_and_underflow_do_not_mislead_the_filters(void **state)
{
  (void)state;
  int64_t ignored[5] = {0};
  for (int n = 0; n < 20000; n++) {
    vec3 x[5];
    for (int k = 0; k < 5; k++) x[k] = v3(any_double(), any_double(), any_double());
    check_filters(x, fabs(any_double()), ignored);
  }
  for (int n = 0; n < 100000; n++) {
    vec3 x[5], scale = any_scale(n);
    for (int k = 0; k < 5; k++) {
      vec3 a = anywhere(1);
      x[k] = v3(a.x * scale.x, a.y * scale.y, a.z * scale.z);
    }
    check_filters(x, uniform(0, 1) * v3_max_abs(scale), ignored);
  }
}

static void what_is_not_finite_is_never_called_apart(void **state)
{
  (void)state;
  const vec3 o = {0, 0, 0}, a = {1, 0, 0}, b = {0, 1, 0}, far = {0, 0, 5};
  const vec3 bad[3] = {{NAN, 0, 9}, {0, INFINITY, 9}, {0, 0, -INFINITY}};
  for (int k = 0; k < 3; k++) {
    assert_int_equal(abut_exact_segment_triangle(far, bad[k], o, a, b), ABUT_TOUCHING);
    assert_int_equal(abut_exact_segment_triangle(far, far, o, a, bad[k]), ABUT_TOUCHING);
    assert_int_equal(abut_exact_orientation(o, a, b, bad[k]), 0);
    assert_int_equal(abut_exact_point_triangle(bad[k], o, a, b, 1), 0);
    assert_int_equal(abut_exact_point_point(bad[k], o, 1), 0);
    assert_int_equal(abut_exact_point_plane(far, o, bad[k], 1), 0);
  }
  assert_int_equal(abut_exact_point_point(o, far, NAN), 0);
}

/* the sum of the radii is not rounded: 1 + 2^-60 reaches beyond 1, a double sum would not */
static void radii_add_up_without_rounding(void **state)
{
  (void)state;
  const vec3 o = {0, 0, 0}, one = {0, 1, 0};
  assert_int_equal(abut_exact_spheres(o, one, 1, 0x1p-60), -1);
  assert_int_equal(abut_exact_spheres(o, one, 1, 0), 0);
  assert_int_equal(abut_exact_spheres(o, one, 1, -0x1p-60), 1);
  assert_int_equal(abut_exact_point_point(o, o, 0), 0);
  assert_int_equal(abut_exact_point_point(o, o, -1), 1);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(orientation_is_the_sign_of_the_volume_for_all_points_of_a_lattice),
      cmocka_unit_test(
          segment_and_triangle_meet_as_linear_algebra_says_for_all_points_of_a_lattice),
      cmocka_unit_test(one_rounding_next_to_touching_is_told_apart_far_from_the_origin),
      cmocka_unit_test(a_point_is_nearer_to_a_triangle_than_a_radius_exactly_when_its_square_says),
      cmocka_unit_test(the_filters_decide_nearly_all_random_figures_and_never_wrongly),
      cmocka_unit_test(overflow_and_underflow_do_not_mislead_the_filters),
      cmocka_unit_test(what_is_not_finite_is_never_called_apart),
      cmocka_unit_test(radii_add_up_without_rounding),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
