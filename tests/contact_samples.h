/* contact_samples.h: pairs of every kind with a known closest feature, away from where it switches,
   for tests of distances, contact laws and continuous collision detection. */
#ifndef ABUT_TESTS_CONTACT_SAMPLES_H
#define ABUT_TESTS_CONTACT_SAMPLES_H

#include "differences.h"
#include "symmetric.h"

#include "contact/law.h"

/* a surface with one pair, and where its vertices are; its arrays live in the struct itself, so
   never copy one */
typedef struct pair_scene {
  abut_surface s;
  int32_t point[1], point_object[1], edge[4], edge_object[2], face[3], face_object[1], sphere[2],
      sphere_object[2], plane_object[1], class_of[2];
  double edge_rest2[2], radius[2], friction[1];
  bool enabled[1], self_enabled[1];
  vec3 plane_point[1], plane_normal[1];
  uint64_t key;
  int vertices, sides; /* sides: vertices of the first primitive */
  vec3 x[4];
  double length; /* size of the primitives, m */
  double angle;  /* of an edge pair: sine, when it is small */
} pair_scene;

/* in the order of the closest features: see pair_feature_count */
enum { FEATURES_TRIANGLE = 7, FEATURES_EDGES = 9 };

static inline int pair_feature_count(abut_pair_kind kind)
{
  if (kind == ABUT_VERTEX_FACE || kind == ABUT_BALL_FACE) return FEATURES_TRIANGLE;
  return kind == ABUT_EDGE_EDGE ? FEATURES_EDGES : 1;
}

static inline vec3 sample_vec(unsigned long long *seed, double size)
{
  double a = test_random(seed), b = test_random(seed), c = test_random(seed);
  return v3(a * size, b * size, c * size);
}

static inline vec3 sample_unit(unsigned long long *seed)
{
  for (;;) {
    vec3 v = sample_vec(seed, 1);
    double s = v3_norm(v);
    if (s > 0.1 && s <= 1) return v3_scale(v, 1 / s);
  }
}

/* from low to high */
static inline double sample_between(unsigned long long *seed, double low, double high)
{
  return low + (high - low) * 0.5 * (1 + test_random(seed));
}

/* a number whose exponent is uniform */
static inline double sample_size(unsigned long long *seed, double low, double high)
{
  return low * pow(high / low, 0.5 * (1 + test_random(seed)));
}

/* the surface of one pair of that kind; radius and gap in m */
static inline void pair_scene_surface(pair_scene *p, abut_pair_kind kind, double radius, double gap,
                                      double dhat)
{
  memset(p, 0, sizeof *p);
  bool ball = kind == ABUT_BALL_FACE || kind == ABUT_BALL_BALL || kind == ABUT_BALL_PLANE;
  bool edges = kind == ABUT_EDGE_EDGE, face = kind == ABUT_VERTEX_FACE || kind == ABUT_BALL_FACE;
  bool plane = kind == ABUT_VERTEX_PLANE || kind == ABUT_BALL_PLANE;
  for (int k = 0; k < 4; k++) p->edge[k] = k;
  for (int k = 0; k < 3; k++) p->face[k] = k + 1;
  p->sphere[1] = 1;
  p->radius[0] = radius;
  p->radius[1] = 0.5 * radius;
  p->enabled[0] = p->self_enabled[0] = true;
  p->plane_normal[0] = v3(0, 0, 1);
  p->vertices = face || edges ? 4 : kind == ABUT_BALL_BALL ? 2 : 1;
  p->sides = edges ? 2 : 1;
  p->key = abut_pair_key(kind, 0, edges || kind == ABUT_BALL_BALL);
  p->s = (abut_surface){.vertices = p->vertices, .dynamic = p->vertices, .dhat = dhat, .gap = gap};
  abut_surface *s = &p->s;
  s->points = s->dynamic_points = !edges && !ball;
  s->edges = s->dynamic_edges = edges ? 2 : 0;
  s->faces = s->dynamic_faces = face;
  s->spheres = kind == ABUT_BALL_BALL ? 2 : ball;
  s->planes = plane;
  s->point = p->point, s->point_object = p->point_object;
  s->edge = p->edge, s->edge_object = p->edge_object, s->edge_rest2 = p->edge_rest2;
  s->face = p->face, s->face_object = p->face_object;
  s->sphere = p->sphere, s->sphere_object = p->sphere_object, s->radius = p->radius;
  s->plane_point = p->plane_point, s->plane_normal = p->plane_normal;
  s->plane_object = p->plane_object;
  s->rules =
      (abut_pair_rules){1, 1, p->class_of, p->enabled, p->friction, p->self_enabled, p->friction};
}

/* a well-shaped triangle, and p at distance d from it with that feature closest: 0 the face, 1 to 3
   the edge from that corner to the next, 4 to 6 a corner */
static inline void place_point_triangle(unsigned long long *seed, int feature, double d, vec3 x[4])
{
  static const double corner[3][2] = {{0, 0}, {1, 0}, {0.3, 0.9}};
  for (int k = 0; k < 3; k++)
    x[k + 1] = v3_add(v3(corner[k][0], corner[k][1], 0), sample_vec(seed, 0.1));
  vec3 n = v3_unit(v3_cross(v3_sub(x[2], x[1]), v3_sub(x[3], x[1])));
  if (test_random(seed) < 0) n = v3_neg(n);
  if (feature == 0) {
    double a = sample_between(seed, 0.15, 0.4), b = sample_between(seed, 0.15, 0.4);
    vec3 foot = v3_madd(v3_madd(v3_scale(x[1], 1 - a - b), x[2], a), x[3], b);
    x[0] = v3_madd(foot, n, d);
    return;
  }
  int i = (feature - 1) % 3, j = (i + 1) % 3, k = (i + 2) % 3;
  vec3 a = x[i + 1], b = x[j + 1], c = x[k + 1], e = v3_sub(b, a), f = v3_sub(c, a);
  double turn = sample_between(seed, -1, 1);
  vec3 out, foot;
  if (feature < 4) {
    foot = v3_madd(a, e, sample_between(seed, 0.2, 0.8));
    out = v3_unit(v3_sub(v3_scale(e, v3_dot(e, f) / v3_norm2(e)), f));
  } else {
    foot = a;
    out = v3_unit(v3_neg(v3_add(v3_unit(e), v3_unit(f))));
  }
  x[0] = v3_madd(foot, v3_add(v3_scale(out, cos(turn)), v3_scale(n, sin(turn))), d);
}

/* two edges at distance d: feature 0 inside both, 1 to 4 an end of one and the inside of the other,
   5 to 8 two ends. small: sine of their angle, 0 for any. */
static inline void place_edges(unsigned long long *seed, int feature, double d, double small,
                               vec3 x[4])
{
  vec3 n = sample_unit(seed), u = v3_perpendicular(n), v = v3_cross(n, u);
  double turn = small > 0 ? asin(small) : sample_between(seed, 0.5, 2.6);
  double la = sample_between(seed, 0.7, 1.3), lb = sample_between(seed, 0.7, 1.3);
  vec3 eb = v3_scale(u, lb), ea, foot = v3(0, 0, 0), at;
  if (feature == 0) {
    ea = v3_scale(v3_add(v3_scale(u, cos(turn)), v3_scale(v, sin(turn))), la);
    at = v3_madd(v3_scale(n, d), ea, -sample_between(seed, 0.2, 0.8));
    foot = v3_scale(eb, -sample_between(seed, 0.2, 0.8));
  } else if (feature < 5) {
    /* a leaves b from its first end; n is at right angles to b */
    double away = small > 0 ? small : sample_between(seed, 0.3, 0.9), along = sqrt(1 - away * away);
    double side = small > 0 ? 0 : sample_between(seed, -0.5, 0.5) * along;
    vec3 dir = v3_add(v3_scale(n, away), v3_scale(v, side));
    ea = v3_scale(v3_madd(dir, u, sqrt(along * along - side * side)), la);
    at = v3_scale(n, d);
    foot = v3_scale(eb, -sample_between(seed, 0.2, 0.8));
  } else {
    /* both leave the line between their ends at an angle */
    double c = sample_between(seed, 0.3, 0.6), q = small > 0 ? small : sample_between(seed, 0, 2);
    vec3 out = v3_scale(n, c);
    ea = v3_scale(v3_madd(out, u, sqrt(1 - c * c)), la);
    vec3 w = v3_add(v3_scale(u, cos(q)), v3_scale(v, sin(q)));
    eb = v3_scale(v3_madd(v3_neg(out), w, -sqrt(1 - c * c)), lb);
    at = v3_scale(n, d);
  }
  bool flip_a = (feature - 1) % 2 == 1, flip_b = feature > 4 && (feature - 5) / 2 == 1;
  bool swap = feature == 3 || feature == 4;
  vec3 a0 = at, a1 = v3_add(at, ea), b0 = foot, b1 = v3_add(foot, eb);
  x[swap ? 2 : 0] = flip_a ? a1 : a0;
  x[swap ? 3 : 1] = flip_a ? a0 : a1;
  x[swap ? 0 : 2] = flip_b ? b1 : b0;
  x[swap ? 1 : 3] = flip_b ? b0 : b1;
}

typedef struct pair_options {
  double length; /* size of the primitives, m */
  double dhat;   /* in lengths */
  double part;   /* gap as a part of dhat */
  double gap;    /* of the surface, in lengths */
  double small;  /* sine of the angle of an edge pair; 0: large */
} pair_options;

/* a pair of the kind with that closest feature, turned and moved at random */
static inline void make_pair_scene(pair_scene *p, abut_pair_kind kind, int feature, unsigned number,
                                   pair_options o)
{
  unsigned long long seed = 0x9e3779b97f4a7c15ULL * (number + 1);
  for (int k = 0; k < 8; k++) test_random(&seed);
  double radius = sample_between(&seed, 0.05, 0.2);
  pair_scene_surface(p, kind, radius * o.length, o.gap * o.length, o.dhat * o.length);
  double d = abut_pair_offset(&p->s, p->key) / o.length + o.part * o.dhat;
  if (kind == ABUT_EDGE_EDGE)
    place_edges(&seed, feature, d, o.small, p->x);
  else if (p->vertices == 4)
    place_point_triangle(&seed, feature, d, p->x);
  else
    p->x[0] = v3_scale(p->vertices == 1 ? v3(0, 0, 1) : sample_unit(&seed), d);
  mat3 turn = m3_rotation(sample_unit(&seed), 3 * test_random(&seed));
  vec3 move = sample_vec(&seed, 2);
  for (int k = 0; k < p->vertices; k++)
    p->x[k] = v3_scale(v3_add(m3_apply(turn, p->x[k]), move), o.length);
  p->plane_normal[0] = v3_unit(m3_apply(turn, p->plane_normal[0]));
  p->plane_point[0] = v3_scale(move, o.length);
  for (int k = 0; k < 2 && kind == ABUT_EDGE_EDGE; k++)
    p->edge_rest2[k] = 1.1 * v3_norm2(v3_sub(p->x[2 * k + 1], p->x[2 * k]));
  p->length = o.length;
  p->angle = o.small;
}

static inline abut_contact measure_pair(const pair_scene *p, const vec3 *x)
{
  return abut_contact_measure(&p->s, p->key, x);
}

#endif
