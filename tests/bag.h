/* bag.h: scenes/bag.json run into a folder, and what is measured on it (docs/bag.md). */
#ifndef ABUT_TESTS_BAG_H
#define ABUT_TESTS_BAG_H

#include "program.h"

#include "io/trajectory.h"
#include "kernel/vec.h"

enum { FILM = 481, CONTENTS = 7, COLUMNS = 32, NECK = 321, RIM = 449 };
static const double sphere_radius[CONTENTS] = {.026, .026, .026, .012, .012, .012, .025};

typedef struct bag {
  abut_context ctx;
  abut_trajectory *t;
  vec3 x[FILM], sphere[CONTENTS]; /* of the frame read last, m */
} bag;

static inline const char *bag_scene(void)
{
  return ABUT_SOURCE_DIR "/scenes/bag.json";
}

static inline void bag_open(bag *b, const char *run)
{
  abut_context_init(&b->ctx, NULL, 1);
  assert_ok(
      abut_trajectory_open(&b->ctx, at(print_text("%s/trajectory.vtkhdf", run)), false, &b->t));
}

static inline void bag_close(bag *b)
{
  abut_trajectory_close(&b->ctx, b->t);
  abut_context_free(&b->ctx);
}

/* step: frames are steps */
static inline void bag_read(bag *b, int64_t step)
{
  assert_ok(abut_trajectory_read_points(&b->ctx, b->t, step, 0, FILM, b->x));
  assert_ok(abut_trajectory_read_points(&b->ctx, b->t, step, FILM, CONTENTS, b->sphere));
}

/* how many of the columns point up: rim above neck */
static inline int bag_columns_up(const bag *b)
{
  int up = 0;
  for (int j = 0; j < COLUMNS; j++) up += b->x[RIM + j].z > b->x[NECK + j].z;
  return up;
}

/* ---- inside ---- */

/* solid angle of a triangle seen from p, over 4 pi (van Oosterom and Strackee 1983) */
static inline double solid_angle(vec3 p, vec3 a, vec3 b, vec3 c)
{
  a = v3_sub(a, p), b = v3_sub(b, p), c = v3_sub(c, p);
  double la = v3_norm(a), lb = v3_norm(b), lc = v3_norm(c);
  double below = la * lb * lc + v3_dot(a, b) * lc + v3_dot(b, c) * la + v3_dot(c, a) * lb;
  return 2 * atan2(v3_dot(a, v3_cross(b, c)), below) / (4 * K_PI);
}

/* winding number of the film up to its neck, which is capped by a fan, about p */
static inline double bag_winding(const bag *b, vec3 p)
{
  const vec3 *x = b->x;
  double sum = 0;
  vec3 middle = v3(0, 0, 0);
  for (int j = 0; j < COLUMNS; j++) middle = v3_madd(middle, x[NECK + j], 1.0 / COLUMNS);
  for (int j = 0; j < COLUMNS; j++) {
    int next = (j + 1) % COLUMNS;
    sum += solid_angle(p, x[0], x[1 + j], x[1 + next]);
    for (int k = 0; k < 10; k++) {
      const vec3 *low = x + 1 + COLUMNS * k, *high = low + COLUMNS;
      sum += solid_angle(p, low[j], high[j], high[next]) +
             solid_angle(p, low[j], high[next], low[next]);
    }
    sum += solid_angle(p, x[NECK + next], x[NECK + j], middle);
  }
  return sum;
}

static inline int bag_spheres_inside(const bag *b)
{
  int inside = 0;
  for (int i = 0; i < CONTENTS; i++) inside += fabs(bag_winding(b, b->sphere[i])) > 0.5;
  return inside;
}

/* ---- shape ---- */

/* width of the neck along an axis, m */
static inline double bag_neck_width(const bag *b, int axis)
{
  double low = HUGE_VAL, high = -HUGE_VAL;
  for (int j = 0; j < COLUMNS; j++) {
    vec3 p = b->x[NECK + j];
    double c = axis == 0 ? p.x : p.y;
    low = fmin(low, c), high = fmax(high, c);
  }
  return high - low;
}

static inline int ascending(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* median height of the rim above the mean height of the neck, m */
static inline double bag_flap_height(const bag *b)
{
  double rim[COLUMNS], neck = 0;
  for (int j = 0; j < COLUMNS; j++) {
    rim[j] = b->x[RIM + j].z;
    neck += b->x[NECK + j].z / COLUMNS;
  }
  qsort(rim, COLUMNS, sizeof *rim, ascending);
  return 0.5 * (rim[COLUMNS / 2 - 1] + rim[COLUMNS / 2]) - neck;
}

/* largest range of a sphere's height over some steps, m */
static inline double bag_sphere_range(bag *b, int64_t first, int64_t last)
{
  double low[CONTENTS], high[CONTENTS], range = 0;
  for (int i = 0; i < CONTENTS; i++) low[i] = HUGE_VAL, high[i] = -HUGE_VAL;
  for (int64_t s = first; s <= last; s++) {
    bag_read(b, s);
    for (int i = 0; i < CONTENTS; i++) {
      low[i] = fmin(low[i], b->sphere[i].z);
      high[i] = fmax(high[i], b->sphere[i].z);
    }
  }
  for (int i = 0; i < CONTENTS; i++) range = fmax(range, high[i] - low[i]);
  return range;
}

#endif
