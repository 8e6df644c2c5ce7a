/* surface_scenes.h: small scenes made of sheets, loose triangles, balls, obstacles and planes, for
   tests of what works on whole surfaces. Deformable things are added first. */
#ifndef ABUT_TESTS_SURFACE_SCENES_H
#define ABUT_TESTS_SURFACE_SCENES_H

#include "contact_samples.h"

#include "base/memory.h"

enum { SCENE_OBJECTS = 8 };

typedef struct surface_scene {
  abut_surface s;
  vec3 *x, *p;      /* (vertices) */
  bool *prescribed; /* (vertices) */
  int64_t room;
} surface_scene;

/* room for that many vertices and, of each kind, twice as many primitives */
static inline void scene_init(abut_context *ctx, surface_scene *c, int64_t room, double dhat,
                              double gap)
{
  memset(c, 0, sizeof *c);
  abut_surface *s = &c->s;
  int64_t n = 2 * room;
  c->room = room;
  c->x = ABUT_NEW_ZERO(ctx, vec3, room);
  c->p = ABUT_NEW_ZERO(ctx, vec3, room);
  c->prescribed = ABUT_NEW_ZERO(ctx, bool, room);
  s->point = ABUT_NEW(ctx, int32_t, n), s->point_object = ABUT_NEW(ctx, int32_t, n);
  s->edge = ABUT_NEW(ctx, int32_t, 4 * n), s->edge_object = ABUT_NEW(ctx, int32_t, 2 * n);
  s->edge_rest2 = ABUT_NEW(ctx, double, 2 * n);
  s->face = ABUT_NEW(ctx, int32_t, 3 * n), s->face_object = ABUT_NEW(ctx, int32_t, n);
  s->sphere = ABUT_NEW(ctx, int32_t, n), s->sphere_object = ABUT_NEW(ctx, int32_t, n);
  s->radius = ABUT_NEW(ctx, double, n);
  s->plane_point = ABUT_NEW(ctx, vec3, 8), s->plane_normal = ABUT_NEW(ctx, vec3, 8);
  s->plane_object = ABUT_NEW(ctx, int32_t, 8);
  abut_pair_rules *r = &s->rules;
  r->objects = r->classes = SCENE_OBJECTS;
  r->class_of = ABUT_NEW(ctx, int32_t, SCENE_OBJECTS);
  r->enabled = ABUT_NEW(ctx, bool, SCENE_OBJECTS *SCENE_OBJECTS);
  r->friction = ABUT_NEW_ZERO(ctx, double, SCENE_OBJECTS *SCENE_OBJECTS);
  r->self_enabled = ABUT_NEW(ctx, bool, SCENE_OBJECTS);
  r->self_friction = ABUT_NEW_ZERO(ctx, double, SCENE_OBJECTS);
  for (int k = 0; k < SCENE_OBJECTS; k++) r->class_of[k] = k, r->self_enabled[k] = true;
  for (int k = 0; k < SCENE_OBJECTS * SCENE_OBJECTS; k++) r->enabled[k] = true;
  s->dhat = dhat;
  s->gap = gap;
}

static inline void scene_free(abut_context *ctx, surface_scene *c)
{
  abut_surface_free(ctx, &c->s);
  abut_free(ctx, c->x);
  abut_free(ctx, c->p);
  abut_free(ctx, c->prescribed);
}

static inline int32_t scene_vertex(surface_scene *c, vec3 x)
{
  c->x[c->s.vertices] = x;
  return c->s.vertices++;
}

static inline void scene_point(surface_scene *c, int32_t v, int32_t object)
{
  c->s.point_object[c->s.points] = object;
  c->s.point[c->s.points++] = v;
}

static inline void scene_edge(surface_scene *c, int32_t a, int32_t b, int32_t object)
{
  abut_surface *s = &c->s;
  s->edge[2 * s->edges] = a;
  s->edge[2 * s->edges + 1] = b;
  s->edge_rest2[s->edges] = v3_norm2(v3_sub(c->x[a], c->x[b]));
  s->edge_object[s->edges++] = object;
}

static inline void scene_face(surface_scene *c, int32_t a, int32_t b, int32_t d, int32_t object)
{
  abut_surface *s = &c->s;
  int32_t v[3] = {a, b, d};
  memcpy(s->face + 3 * s->faces, v, sizeof v);
  s->face_object[s->faces++] = object;
}

/* n x m vertices from origin along u and v */
static inline void scene_sheet(surface_scene *c, int n, int m, vec3 origin, vec3 u, vec3 v,
                               int32_t object)
{
  int32_t first = c->s.vertices;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      scene_point(c, scene_vertex(c, v3_madd(v3_madd(origin, u, i), v, j)), object);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      int32_t a = first + i * m + j;
      if (i + 1 < n) scene_edge(c, a, a + m, object);
      if (j + 1 < m) scene_edge(c, a, a + 1, object);
      if (i + 1 == n || j + 1 == m) continue;
      scene_edge(c, a, a + m + 1, object);
      scene_face(c, a, a + m, a + m + 1, object);
      scene_face(c, a, a + m + 1, a + 1, object);
    }
}

/* loose triangles of that size in a cube */
static inline void scene_soup(surface_scene *c, unsigned long long *seed, int count, vec3 center,
                              double cube, double size, int32_t object)
{
  for (int k = 0; k < count; k++) {
    vec3 at = v3_add(center, sample_vec(seed, cube));
    int32_t v[3];
    for (int i = 0; i < 3; i++) {
      v[i] = scene_vertex(c, v3_add(at, sample_vec(seed, size)));
      scene_point(c, v[i], object);
    }
    for (int i = 0; i < 3; i++) scene_edge(c, v[i], v[(i + 1) % 3], object);
    scene_face(c, v[0], v[1], v[2], object);
  }
}

static inline void scene_ball(surface_scene *c, vec3 x, double radius, int32_t object)
{
  abut_surface *s = &c->s;
  s->radius[s->spheres] = radius;
  s->sphere_object[s->spheres] = object;
  s->sphere[s->spheres++] = scene_vertex(c, x);
}

static inline void scene_plane(surface_scene *c, vec3 at, vec3 n, int32_t object)
{
  c->s.plane_point[c->s.planes] = at;
  c->s.plane_normal[c->s.planes] = v3_unit(n);
  c->s.plane_object[c->s.planes++] = object;
}

/* everything so far is deformable, everything after this an obstacle */
static inline void scene_end_of_deformables(surface_scene *c)
{
  abut_surface *s = &c->s;
  s->dynamic = s->vertices;
  s->dynamic_points = s->points;
  s->dynamic_edges = s->edges;
  s->dynamic_faces = s->faces;
}

static inline void scene_hold_obstacles(surface_scene *c)
{
  for (int32_t v = c->s.dynamic; v < c->s.vertices; v++) c->prescribed[v] = true;
}

static inline void scene_move_at_random(surface_scene *c, unsigned long long *seed, double size)
{
  for (int32_t v = 0; v < c->s.vertices; v++) c->p[v] = sample_vec(seed, size);
}

/* a bit of everything: two sheets, loose triangles, balls, an obstacle sheet, two planes. Lengths
   are about 1 across, edges 0.1. */
static inline void scene_of_everything(abut_context *ctx, surface_scene *c, unsigned number,
                                       vec3 away)
{
  unsigned long long seed = 0x9e3779b97f4a7c15ULL * (number + 1);
  for (int k = 0; k < 8; k++) test_random(&seed);
  scene_init(ctx, c, 600, 0.02, number % 2 ? 0.01 : 0);
  vec3 o = v3_add(away, v3(-0.4, -0.4, 0));
  scene_sheet(c, 9, 8, o, v3(.1, 0, .01), v3(0, .1, 0), 0);
  scene_sheet(c, 8, 7, v3_add(o, v3(.03, .02, .04)), v3(.11, .02, 0), v3(-.02, .1, .01), 1);
  scene_soup(c, &seed, 12, away, 0.3, 0.1, 2);
  for (int k = 0; k < 14; k++)
    scene_ball(c, v3_add(away, sample_vec(&seed, 0.4)), sample_between(&seed, 0.01, 0.06),
               3 + k % 2);
  scene_end_of_deformables(c);
  scene_sheet(c, 6, 6, v3_add(o, v3(0, 0, -.05)), v3(.15, 0, 0), v3(0, .15, .02), 5);
  scene_hold_obstacles(c);
  scene_plane(c, v3_add(away, v3(0, 0, -.1)), v3(.1, 0, 1), 6);
  scene_plane(c, v3_add(away, v3(-.3, 0, 0)), v3(1, .2, 0), 7);
  for (int32_t v = 0; v < c->s.vertices; v++) c->x[v] = v3_add(c->x[v], sample_vec(&seed, 0.02));
  /* a corner of the first sheet is held */
  for (int32_t v = 0; v < 20; v++) c->prescribed[v] = true;
}

#endif
