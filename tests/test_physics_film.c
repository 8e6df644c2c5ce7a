/* Film of the bag's kind in small solves: 12 steps each with `offset_ipc`, a gap of 0.03 mm between
   midsurfaces and the bag's constants; and what is refused. */
#include "physics.h"

#include "differences.h"

#include "linear/linear.h"
#include "step/objective.h"

/* two sheets of film, the upper one given by its corners, falling at speed m/s */
static const char format[] =
    "{'abut': 1, 'time': {'step': 0.004166666666666667, 'end': 9}, 'method': {'name': '%s',"
    " 'position_tolerance': 1.2e-5, 'max_newton': 150}, 'contact': {'dhat': 1e-3,"
    " 'gap': 3e-5, 'friction': 0.35, 'friction_velocity': 1e-3, 'stiffness': {'offset_ipc': 1000}},"
    "'materials': {'film': {'model': 'neo_hookean', 'youngs_modulus': 315e6, 'poissons_ratio': "
    "0.45, 'density': 925, 'thickness': 3e-5}}, 'objects': ["
    "{'name': 'low', 'kind': 'shell', 'material': 'film', 'mesh': {'shape': 'grid', 'size': "
    "[0.02, 0.02], 'cells': [1, 1]}},"
    "{'name': 'high', 'kind': 'shell', 'material': 'film', 'velocity': [0, 0, %g], 'mesh': "
    "{'shape': 'grid', 'size': [0.02, 0.02], 'cells': [1, 1]}, 'transform': {'rotate': [[%g, %g, 0]"
    ", 90], 'translate': [%g, 0, %g]}}],"
    "'controls': [{'kind': 'pin', 'object': 'low'}]}";

/* smallest distance of the two sheets' midsurfaces, m: no pair is nearer than dhat: that */
static double distance(const physics *p)
{
  const abut_contact_set *now = &physics_sim(p)->work.now;
  double least = 1e-3;
  for (int64_t i = 0; i < now->count; i++) least = fmin(least, now->item[i].d);
  return least;
}

/* a contact nearer than dhat, or a constraint, which may have brought its pair back to dhat */
static bool meets(const physics *p, abut_pair_kind kind)
{
  const abut_work *w = &physics_sim(p)->work;
  for (int64_t i = 0; i < w->now.count; i++)
    if (abut_pair_kind_of(w->now.item[i].key) == kind) return true;
  for (int64_t i = 0; i < w->constraints.count; i++)
    if (abut_pair_kind_of(w->constraints.item[i].key) == kind) return true;
  return false;
}

/* a corner or an edge of the upper sheet, which stands upright, comes down on the lower one */
static void layers_keep_more_than_the_films_thickness(void **state)
{
  (void)state;
  static const struct {
    double axis[2], x;
    abut_pair_kind kind;
  } way[] = {{{1, 0.9}, 0.002, ABUT_VERTEX_FACE}, {{1, 0}, 0.001, ABUT_EDGE_EDGE}};
  for (int n = 0; n < 2 * PHYSICS_METHODS; n++) {
    int k = n % 2;
    physics p = physics_open(format, physics_method(n / 2), -1.0, way[k].axis[0], way[k].axis[1],
                             way[k].x, k ? 0.0115 : 0.0150);
    bool met = false;
    for (int i = 0; i < 12; i++) {
      physics_step(&p);
      assert_true(p.r.min_gap > 0);
      assert_true(distance(&p) > 3e-5);
      met = met || meets(&p, way[k].kind);
    }
    assert_true(met);
    physics_close(&p);
  }
}

/* J at y, with the contacts there */
static double energy_at(physics *p, const vec3 *y)
{
  abut_sim *sim = physics_sim(p);
  abut_context *ctx = &p->scene->ctx;
  const abut_system *sys = &sim->model.system;
  abut_candidates candidates = {0};
  abut_contact_set contacts = {0};
  abut_objective e;
  assert_ok(abut_candidates_find(ctx, &candidates, sys->surface, sim->work.drive.prescribed, y,
                                 NULL, sys->surface->dhat));
  assert_ok(
      abut_contact_set_find(ctx, sys->surface, &candidates, y, sys->surface->dhat, &contacts));
  assert_ok(abut_objective_energy(ctx, sys, &sim->model.options, &sim->work, y, &contacts, &e));
  abut_contact_set_free(ctx, &contacts);
  abut_candidates_free(ctx, &candidates);
  return e.total;
}

/* contacts, or constraints that push */
static int64_t pushing(const physics *p)
{
  const abut_work *w = &physics_sim(p)->work;
  int64_t n = physics_sim(p)->model.options.method->law ? w->now.count : 0;
  for (int64_t i = 0; i < w->constraints.count; i++) n += w->constraints.item[i].e.multiplier > 0;
  return n;
}

/* The gradient of everything at once: inertia, membrane, hinges, contacts and friction of a step
   that has just been made, at a place nearby; and the linear system there. */
static void check_gradient(const char *method)
{
  physics p = physics_open(format, method, -1.0, 1.0, 0.0, 0.001, 0.0115);
  for (int n = 0; n < 12 && !(n > 2 && pushing(&p) > 2); n++) physics_step(&p);
  assert_true(pushing(&p) > 2);
  abut_sim *sim = physics_sim(&p);
  abut_context *ctx = &p.scene->ctx;
  abut_work *w = &sim->work;
  const abut_system *sys = &sim->model.system;
  const double h = 1e-8;
  unsigned long long seed = 7;
  for (int32_t v = 0; v < sys->dynamic; v++)
    if (!w->drive.prescribed[v])
      w->x[v] =
          v3_madd(w->x[v], v3(test_random(&seed), test_random(&seed), test_random(&seed)), 1e-6);
  assert_ok(abut_candidates_find(ctx, &w->candidates, sys->surface, w->drive.prescribed, w->x, NULL,
                                 sys->surface->dhat));
  assert_ok(
      abut_contact_set_find(ctx, sys->surface, &w->candidates, w->x, sys->surface->dhat, &w->now));
  assert_ok(abut_objective_assemble(ctx, sys, &sim->model.options, w));
  double error = 0, size = 0;
  for (int32_t v = 0; v < sys->dynamic; v++)
    for (int k = 0; k < 3 && !w->drive.prescribed[v]; k++) {
      double *c = &(&w->x[v].x)[k], at = *c, e[2];
      for (int side = 0; side < 2; side++) {
        *c = side ? at + h : at - h;
        e[side] = energy_at(&p, w->x);
      }
      *c = at;
      double difference = (e[1] - e[0]) / (2 * h);
      error = fmax(error, fabs(difference - (&w->g[v].x)[k]));
      size = fmax(size, fabs((&w->g[v].x)[k]));
    }
  assert_below(error, 1e-5 * size);
  /* the direct solver on that matrix */
  vec3 *x = calloc((size_t)sys->dynamic, sizeof *x), *y = calloc((size_t)sys->dynamic, sizeof *y);
  assert_ok(w->linear->class->factor(ctx, w->linear, &w->a, &w->structure));
  assert_ok(w->linear->class->solve(ctx, w->linear, &w->a, w->rhs, x));
  abut_matrix_apply(ctx, &w->a, x, y);
  double wrong = 0, right = 0;
  for (int32_t v = 0; v < sys->dynamic; v++) {
    wrong += v3_norm2(v3_sub(y[v], w->rhs[v]));
    right += v3_norm2(w->rhs[v]);
  }
  assert_below(sqrt(wrong / right), 1e-7);
  free(x);
  free(y);
  physics_close(&p);
}

static void the_assembled_gradient_is_the_derivative_of_the_objective(void **state)
{
  (void)state;
  for (int m = 0; m < PHYSICS_METHODS; m++) check_gradient(physics_method(m));
}

/* a sheet through another, and one nearer than the gap: an error, and positions as they were */
static void overlap_is_refused_and_nothing_is_touched(void **state)
{
  (void)state;
  for (int n = 0; n < 2 * PHYSICS_METHODS; n++) {
    int k = n % 2;
    char quoted[4096], text[4096];
    if (k)
      snprintf(quoted, sizeof quoted, format, physics_method(n / 2), 0.0, 1.0, 0.0, 0.001, 0.0);
    else
      snprintf(quoted, sizeof quoted, format, physics_method(n / 2), 0.0, 1.0, 0.0, 0.001, 0.01002);
    for (size_t i = 0; i <= strlen(quoted); i++) text[i] = quoted[i] == '\'' ? '"' : quoted[i];
    abut_scene *s;
    abut_settings settings = abut_settings_default();
    assert_ok(abut_create(&settings, &s));
    assert_ok(abut_parse(s, text, "."));
    assert_int_equal(abut_step(s, 1, NULL), ABUT_BAD_GEOMETRY);
    assert_non_null(abut_last_error(s).object);
    const double *x = abut_positions(s, abut_find_body(s, "high"));
    assert_non_null(x);
    double z = 0;
    for (int v = 0; v < 4; v++) z += x[3 * v + 2] / 4;
    assert_near(z, k ? 0.0 : 0.01002, 1e-15);
    abut_destroy(s);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(layers_keep_more_than_the_films_thickness),
      cmocka_unit_test(the_assembled_gradient_is_the_derivative_of_the_objective),
      cmocka_unit_test(overlap_is_refused_and_nothing_is_touched),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
