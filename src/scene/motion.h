/* motion.h: prescribed motions of obstacles, pins and supports, as functions of time. */
#ifndef ABUT_SCENE_MOTION_H
#define ABUT_SCENE_MOTION_H

#include "base/context.h"
#include "kernel/vec.h"

typedef enum abut_key_positions {
  ABUT_KEY_RIGID,  /* translate and rotate */
  ABUT_KEY_LIST,   /* one position per vertex; NaN: that coordinate at activation */
  ABUT_KEY_CURRENT /* where each vertex is at activation */
} abut_key_positions;

typedef struct abut_motion_key {
  double t;       /* s */
  vec3 translate; /* m */
  vec3 axis;      /* unit */
  double angle;   /* rad, about axis */
  double turns;   /* revolutions about axis since the previous key; NaN: shortest arc */
  bool smooth;    /* u^2 (3 - 2u) instead of u until the next key */
  abut_key_positions kind;
  int32_t count;
  vec3 *position; /* ABUT_KEY_LIST: metres, or radius m, degrees, height m when polar (count) */
} abut_motion_key;

typedef struct abut_motion {
  int32_t keys;         /* 0 and steady false: at rest */
  abut_motion_key *key; /* ascending in t                                     (keys) */
  vec3 center;          /* of rotation, m */
  bool steady;          /* constant velocities instead of keys */
  vec3 linear, angular; /* m/s, rad/s */
  bool polar;           /* positions are radius, angle, height about an axis */
  vec3 polar_center, polar_axis, polar_x; /* polar_x: unit, where the angle is 0 */
  double blend; /* s over which each vertex eases from where it is to the path */
} abut_motion;

void abut_motion_free(abut_context *ctx, abut_motion *m);

/* x -> turn (x - center) + center + shift */
typedef struct abut_pose {
  mat3 turn;
  vec3 shift;
} abut_pose;

/* rigid motions only (keys of kind ABUT_KEY_RIGID, or steady) */
abut_pose abut_motion_pose(const abut_motion *m, double t);

/* Where vertex i, which was at x when the motion became active at time from, must be at t. */
vec3 abut_motion_target(const abut_motion *m, int32_t i, vec3 x, double from, double t);

/* largest angle, rad, that the motion turns between two times; 0 for translations */
double abut_motion_angle(const abut_motion *m, double begin, double end);

/* does it stand still forever? */
bool abut_motion_still(const abut_motion *m);

/* a piecewise linear function of time, held before its first and after its last point */
typedef struct abut_schedule {
  int32_t count;
  double *t, *value; /* (count) */
} abut_schedule;

void abut_schedule_free(abut_context *ctx, abut_schedule *s);
double abut_schedule_at(const abut_schedule *s, double t);

#endif
