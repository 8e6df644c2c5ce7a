/* cmocka_all.h: cmocka wants these before it. */
#ifndef ABUT_TESTS_CMOCKA_ALL_H
#define ABUT_TESTS_CMOCKA_ALL_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* |a - b| <= tolerance, printing both when not */
#define assert_near(a, b, tolerance)                                                               \
  do {                                                                                             \
    double a_ = (a), b_ = (b), t_ = (tolerance);                                                   \
    if (!(fabs(a_ - b_) <= t_)) {                                                                  \
      print_error("%s = %.17g, expected %.17g within %g\n", #a, a_, b_, t_);                       \
      fail();                                                                                      \
    }                                                                                              \
  } while (0)

/* relative to b */
#define assert_close(a, b, relative) assert_near(a, b, (relative)*fabs(b))

#define assert_below(a, limit)                                                                     \
  do {                                                                                             \
    double a_ = (a), l_ = (limit);                                                                 \
    if (!(a_ <= l_)) {                                                                             \
      print_error("%s = %.17g, expected at most %g\n", #a, a_, l_);                                \
      fail();                                                                                      \
    }                                                                                              \
  } while (0)

#define assert_ok(call) assert_int_equal((call), ABUT_OK)

#endif
