#include "scene/motion.h"

#include <math.h>

#include "base/memory.h"

void abut_motion_free(abut_context *ctx, abut_motion *m)
{
  for (int32_t k = 0; k < m->keys; k++) abut_free(ctx, m->key[k].position);
  abut_free(ctx, m->key);
  *m = (abut_motion){0};
}

void abut_schedule_free(abut_context *ctx, abut_schedule *s)
{
  abut_free(ctx, s->t);
  abut_free(ctx, s->value);
  *s = (abut_schedule){0};
}

double abut_schedule_at(const abut_schedule *s, double t)
{
  int32_t k = 0;
  while (k < s->count && s->t[k] <= t) k++;
  if (k == 0) return s->value[0];
  if (k == s->count) return s->value[k - 1];
  double u = (t - s->t[k - 1]) / (s->t[k] - s->t[k - 1]);
  return s->value[k - 1] + u * (s->value[k] - s->value[k - 1]);
}

static double smooth(double u)
{
  return u * u * (3 - 2 * u);
}

/* the keys around t: t lies the fraction *u of the way from *a to *b */
static void locate(const abut_motion *m, double t, int32_t *a, int32_t *b, double *u)
{
  int32_t k = 0;
  while (k < m->keys && m->key[k].t <= t) k++;
  *a = k > 0 ? k - 1 : 0;
  *b = k < m->keys ? k : m->keys - 1;
  *u = 0;
  if (*a == *b) return;
  *u = (t - m->key[*a].t) / (m->key[*b].t - m->key[*a].t);
  if (m->key[*a].smooth) *u = smooth(*u);
}

/* ---- rigid motions ---- */

/* axis times angle of a rotation, the angle in [0, pi] */
static vec3 rotation_vector(mat3 r)
{
  vec3 w = v3(r.m[7] - r.m[5], r.m[2] - r.m[6], r.m[3] - r.m[1]); /* 2 sin(angle) axis */
  double c = 0.5 * (m3_trace(r) - 1), s = 0.5 * v3_norm(w);
  double angle = atan2(s, c);
  if (s > 1e-9) return v3_scale(w, angle / (2 * s));
  if (c > 0) return v3_scale(w, 0.5);
  /* half a turn: the axis is the longest column of (R + I)/2 */
  vec3 best = v3(0, 0, 0);
  for (int k = 0; k < 3; k++) {
    vec3 column = m3_column(r, k);
    if (k == 0) column.x += 1;
    if (k == 1) column.y += 1;
    if (k == 2) column.z += 1;
    if (v3_norm2(column) > v3_norm2(best)) best = column;
  }
  return v3_scale(v3_unit(best), angle);
}

static mat3 rotation_by(vec3 v)
{
  double angle = v3_norm(v);
  return angle > 0 ? m3_rotation(v3_scale(v, 1 / angle), angle) : m3_diagonal(1, 1, 1);
}

/* Orientation at key k. `turns` counts from the previous key, so it is summed from the start. */
static mat3 key_orientation(const abut_motion *m, int32_t k)
{
  mat3 r = m3_rotation(m->key[0].axis, m->key[0].angle);
  for (int32_t i = 1; i <= k; i++) {
    const abut_motion_key *key = &m->key[i];
    if (isnan(key->turns))
      r = m3_rotation(key->axis, key->angle);
    else
      r = m3_mul(m3_rotation(key->axis, 2 * K_PI * key->turns), r);
  }
  return r;
}

/* the rotation from key a on to key b, as axis times angle */
static vec3 turn_between(const abut_motion *m, int32_t a, int32_t b)
{
  if (a == b) return v3(0, 0, 0);
  if (!isnan(m->key[b].turns)) return v3_scale(m->key[b].axis, 2 * K_PI * m->key[b].turns);
  return rotation_vector(m3_mul(key_orientation(m, b), m3_transpose(key_orientation(m, a))));
}

abut_pose abut_motion_pose(const abut_motion *m, double t)
{
  abut_pose pose = {m3_diagonal(1, 1, 1), v3(0, 0, 0)};
  if (m->steady) {
    pose.turn = rotation_by(v3_scale(m->angular, t));
    pose.shift = v3_scale(m->linear, t);
  } else if (m->keys > 0) {
    int32_t a, b;
    double u;
    locate(m, t, &a, &b, &u);
    pose.turn = m3_mul(rotation_by(v3_scale(turn_between(m, a, b), u)), key_orientation(m, a));
    pose.shift = v3_add(v3_scale(m->key[a].translate, 1 - u), v3_scale(m->key[b].translate, u));
  }
  return pose;
}

static vec3 pose_apply(const abut_motion *m, abut_pose p, vec3 x)
{
  return v3_add(v3_add(m3_apply(p.turn, v3_sub(x, m->center)), m->center), p.shift);
}

static vec3 pose_undo(const abut_motion *m, abut_pose p, vec3 x)
{
  vec3 y = v3_sub(v3_sub(x, p.shift), m->center);
  return v3_add(m3_apply_transpose(p.turn, y), m->center);
}

/* ---- motions given by positions ---- */

static vec3 to_polar(const abut_motion *m, vec3 x)
{
  vec3 d = v3_sub(x, m->polar_center), side = v3_cross(m->polar_axis, m->polar_x);
  double a = v3_dot(d, m->polar_x), b = v3_dot(d, side);
  return v3(sqrt(a * a + b * b), atan2(b, a) * 180 / K_PI, v3_dot(d, m->polar_axis));
}

static vec3 from_polar(const abut_motion *m, vec3 q)
{
  vec3 side = v3_cross(m->polar_axis, m->polar_x);
  double angle = q.y * K_PI / 180;
  vec3 x = v3_madd(m->polar_center, m->polar_axis, q.z);
  return v3_madd(v3_madd(x, m->polar_x, q.x * cos(angle)), side, q.x * sin(angle));
}

/* position of vertex i at key k, in metres or polar; start: where it was at activation, likewise */
static vec3 key_position(const abut_motion *m, int32_t k, int32_t i, vec3 start)
{
  if (m->key[k].kind != ABUT_KEY_LIST) return start;
  vec3 q = m->key[k].position[i];
  return v3(isnan(q.x) ? start.x : q.x, isnan(q.y) ? start.y : q.y, isnan(q.z) ? start.z : q.z);
}

static vec3 listed_target(const abut_motion *m, int32_t i, vec3 x, double t)
{
  int32_t a, b;
  double u;
  locate(m, t, &a, &b, &u);
  vec3 start = m->polar ? to_polar(m, x) : x;
  vec3 p = key_position(m, a, i, start), q = key_position(m, b, i, start);
  if (m->polar) q.y -= 360 * round((q.y - p.y) / 360); /* the shorter way */
  vec3 r = v3_add(v3_scale(p, 1 - u), v3_scale(q, u));
  return m->polar ? from_polar(m, r) : r;
}

static bool is_listed(const abut_motion *m)
{
  return m->keys > 0 && m->key[0].kind != ABUT_KEY_RIGID;
}

vec3 abut_motion_target(const abut_motion *m, int32_t i, vec3 x, double from, double t)
{
  vec3 path = x;
  if (is_listed(m))
    path = listed_target(m, i, x, t);
  else if (!abut_motion_still(m))
    path = pose_apply(m, abut_motion_pose(m, t), pose_undo(m, abut_motion_pose(m, from), x));
  if (m->blend > 0 && t < from + m->blend) {
    double u = smooth(t > from ? (t - from) / m->blend : 0);
    path = v3_add(v3_scale(x, 1 - u), v3_scale(path, u));
  }
  return path;
}

/* ---- what a step must know ---- */

static double listed_angle(const abut_motion *m, double begin, double end)
{
  double largest = 0;
  if (!m->polar) return 0;
  for (int32_t k = 1; k < m->keys; k++) {
    double a = fmax(begin, m->key[k - 1].t), b = fmin(end, m->key[k].t);
    if (!(a < b)) continue;
    double share = (b - a) / (m->key[k].t - m->key[k - 1].t);
    /* the shorter way is at most half a turn; smooth easing is at most 1.5 times as fast */
    largest += (m->key[k - 1].smooth ? 1.5 : 1) * share * K_PI;
  }
  return largest;
}

double abut_motion_angle(const abut_motion *m, double begin, double end)
{
  if (m->steady) return v3_norm(m->angular) * (end - begin);
  if (is_listed(m)) return listed_angle(m, begin, end);
  double sum = 0;
  for (int32_t k = 1; k < m->keys; k++) {
    double a = fmax(begin, m->key[k - 1].t), b = fmin(end, m->key[k].t);
    if (!(a < b)) continue;
    double width = m->key[k].t - m->key[k - 1].t, from = m->key[k - 1].t;
    double ua = (a - from) / width, ub = (b - from) / width;
    if (m->key[k - 1].smooth) ua = smooth(ua), ub = smooth(ub);
    sum += v3_norm(turn_between(m, k - 1, k)) * (ub - ua);
  }
  return sum;
}

bool abut_motion_still(const abut_motion *m)
{
  if (m->steady) return v3_max_abs(m->linear) == 0 && v3_max_abs(m->angular) == 0;
  return m->keys == 0;
}
