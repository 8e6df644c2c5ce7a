/* physics.h: small scenes written as text, stepped and read, for tests against closed forms. A
   scene is a scene file with ' for " and may hold printf formats. The reports of single steps and
   the masses are read behind the public interface, which does not show them. */
#ifndef ABUT_TESTS_PHYSICS_H
#define ABUT_TESTS_PHYSICS_H

#include "cmocka_all.h"

#include <math.h>
#include <stdarg.h>

#include "api/handle.h"
#include "registry.h"

typedef struct physics {
  abut_scene *scene;
  abut_step_report r; /* of the last step */
  int64_t newton;     /* iterations of all steps */
} physics;

/* All methods. Those with a barrier come first: what is said of a barrier, its energy or its
   stiffness, is tested with these alone. */
enum { PHYSICS_BARRIERS = 2, PHYSICS_METHODS = 3 };

static inline const char *physics_method(int m)
{
  static const char *const name[PHYSICS_METHODS] = {"ipc", "offset_ipc", "barrier_free"};
  return name[m];
}

/* ---- a scene's life ---- */

static inline char *physics_text(const char *format, va_list args)
{
  va_list again;
  va_copy(again, args);
  int length = vsnprintf(NULL, 0, format, args);
  assert_true(length >= 0);
  char *text = malloc((size_t)length + 1);
  assert_non_null(text);
  vsnprintf(text, (size_t)length + 1, format, again);
  va_end(again);
  for (char *c = text; *c; c++)
    if (*c == '\'') *c = '"';
  return text;
}

static inline void physics_expect(const physics *p, abut_status status, abut_status expected)
{
  if (status != expected) print_error("%s\n", abut_last_error(p->scene).message);
  assert_int_equal(status, expected);
}

static inline physics physics_start(const abut_settings *settings, const char *text)
{
  physics p = {0};
  assert_ok(abut_create(settings, &p.scene));
  physics_expect(&p, abut_parse(p.scene, text, "."), ABUT_OK);
  physics_expect(&p, abut_need_sim(p.scene), ABUT_OK);
  return p;
}

/* one thread unless the text says otherwise */
static inline physics physics_open(const char *format, ...)
{
  va_list args;
  va_start(args, format);
  char *text = physics_text(format, args);
  va_end(args);
  abut_settings settings = abut_settings_default();
  settings.threads = strstr(text, "\"threads\"") ? 0 : 1;
  physics p = physics_start(&settings, text);
  free(text);
  return p;
}

static inline void physics_close(physics *p)
{
  abut_destroy(p->scene);
  *p = (physics){0};
}

/* ---- steps ---- */

static inline abut_sim *physics_sim(const physics *p)
{
  return &p->scene->sim;
}

/* One step; made: whether there is a new state. */
static inline abut_status physics_try(physics *p, bool *made)
{
  abut_model_tables tables = {abut_registry.terms};
  abut_begin_call(p->scene);
  p->scene->fresh = false;
  abut_status status = abut_sim_step(&p->scene->ctx, physics_sim(p), &tables, &p->r, made);
  p->newton += p->r.newton;
  return status;
}

static inline void physics_step(physics *p)
{
  bool made;
  physics_expect(p, physics_try(p, &made), ABUT_OK);
}

static inline void physics_steps(physics *p, int steps)
{
  for (int k = 0; k < steps; k++) physics_step(p);
}

/* ---- what is where ---- */

static inline int32_t physics_object(const physics *p, const char *name)
{
  int32_t i = abut_find_body(p->scene, name).index - 1;
  assert_true(i >= 0);
  return i;
}

static inline int32_t physics_count(const physics *p, const char *name)
{
  return physics_sim(p)->model.object[physics_object(p, name)].count;
}

/* solver's number of vertex i of an object's file */
static inline int32_t physics_vertex(const physics *p, const char *name, int32_t i)
{
  const abut_model *m = &physics_sim(p)->model;
  const abut_model_object *o = &m->object[physics_object(p, name)];
  assert_in_range(i, 0, o->count - 1);
  return m->solver_of[o->first + i];
}

static inline vec3 physics_x(const physics *p, const char *name, int32_t i)
{
  return physics_sim(p)->state.x[physics_vertex(p, name, i)];
}

static inline vec3 physics_v(const physics *p, const char *name, int32_t i)
{
  return physics_sim(p)->state.v[physics_vertex(p, name, i)];
}

static inline double physics_m(const physics *p, const char *name, int32_t i)
{
  int32_t v = physics_vertex(p, name, i);
  return v < physics_sim(p)->model.system.dynamic ? physics_sim(p)->model.mass[v] : 0;
}

static inline double physics_mass(const physics *p, const char *name)
{
  double m = 0;
  for (int32_t i = 0; i < physics_count(p, name); i++) m += physics_m(p, name, i);
  return m;
}

/* centre of mass and its velocity */
static inline vec3 physics_center(const physics *p, const char *name)
{
  vec3 sum = v3(0, 0, 0);
  for (int32_t i = 0; i < physics_count(p, name); i++)
    sum = v3_madd(sum, physics_x(p, name, i), physics_m(p, name, i));
  return v3_scale(sum, 1 / physics_mass(p, name));
}

static inline vec3 physics_velocity(const physics *p, const char *name)
{
  vec3 sum = v3(0, 0, 0);
  for (int32_t i = 0; i < physics_count(p, name); i++)
    sum = v3_madd(sum, physics_v(p, name, i), physics_m(p, name, i));
  return v3_scale(sum, 1 / physics_mass(p, name));
}

/* g: gradient of one contact at its vertices, N; added to the force on an object */
static inline void physics_add_push(const physics *p, int32_t object, uint64_t key,
                                    const int32_t *vertex, const vec3 *g, vec3 *sum)
{
  const abut_model *m = &physics_sim(p)->model;
  int32_t of[2];
  abut_pair_objects(&m->surface, key, of);
  for (int k = 0; k < 4 && vertex[k] >= 0; k++)
    if (m->object_of[vertex[k]] == object) *sum = v3_sub(*sum, g[k]);
  if (m->def->object[of[1]].kind == ABUT_PLANE && of[1] == object) *sum = v3_add(*sum, g[0]);
}

/* contact force on an object at the end of the last step, N; planes: what presses on them */
static inline vec3 physics_push(const physics *p, const char *name)
{
  const abut_sim *sim = physics_sim(p);
  const abut_work *w = &sim->work;
  const abut_law_class *law = sim->model.options.method->law;
  abut_law_at at = {w->x, sim->model.surface.dhat, w->stiffness};
  int32_t object = physics_object(p, name);
  vec3 sum = v3(0, 0, 0), g[4];
  for (int64_t i = 0; law && i < w->now.count; i++) {
    const abut_contact *c = &w->now.item[i];
    law->gradient(&at, c, 0, 1, g);
    physics_add_push(p, object, c->key, c->vertex, g, &sum);
  }
  for (int64_t i = 0; i < w->constraints.count; i++) {
    const abut_constraint *c = &w->constraints.item[i];
    for (int k = 0; k < 4; k++) g[k] = v3_scale(c->e.n, -c->e.w[k] * c->e.multiplier);
    physics_add_push(p, object, c->key, c->vertex, g, &sum);
  }
  return sum;
}

static inline uint64_t physics_hash(const physics *p)
{
  return abut_state_hash(&physics_sim(p)->state);
}

/* kinetic + elastic + bending + gravity + contact, J; friction and controls are left out */
static inline double physics_energy(const physics *p)
{
  const abut_energies *e = &p->r.energy;
  return e->kinetic + e->elastic + e->bending + e->gravity + e->contact;
}

/* a hard cube of 0.1 m, of that density in kg/m^3, on a soft one of 1000 kg/m^3 and 0.1 MPa, on a
   floor of triangles */
static inline physics physics_tower(const char *method, double density)
{
  return physics_open(
      "{'abut': 1, 'time': {'step': 0.01, 'end': 99}, 'method': '%s', 'contact': {'friction': "
      "0.3},"
      "'materials': {'soft': {'model': 'neo_hookean', 'youngs_modulus': 1e5, 'poissons_ratio': 0,"
      " 'density': 1000}, 'hard': {'model': 'neo_hookean', 'youngs_modulus': 1e9,"
      " 'poissons_ratio': 0, 'density': %g}}, 'objects': [{'name': 'low', 'kind': 'solid',"
      " 'material': 'soft', 'mesh': {'shape': 'box', 'size': [0.1, 0.1, 0.1], 'cells': [4, 4, "
      "4]},"
      " 'transform': {'translate': [0, 0, 0.0502]}}, {'name': 'high', 'kind': 'solid',"
      " 'material': 'hard', 'mesh': {'shape': 'box', 'size': [0.1, 0.1, 0.1], 'cells': [4, 4, "
      "4]},"
      " 'transform': {'translate': [0, 0, 0.1505]}}, {'name': 'floor', 'kind': 'obstacle', "
      "'mesh':"
      " {'shape': 'grid', 'size': [3, 3], 'cells': [2, 2]}}]}",
      method, density);
}

#endif
