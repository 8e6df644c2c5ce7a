/* build.c: scenes put together piece by piece. */
#include <math.h>
#include <string.h>

#include "api/handle.h"
#include "base/memory.h"
#include "io/scene_read.h"
#include "registry.h"

enum { COOKIE = 0x6d617400 };

abut_material abut_material_default(const char *model)
{
  return (abut_material){.model = model,
                         .density = 1000,
                         .young = 1e5,
                         .poisson = 0.3,
                         .thickness = 1e-3,
                         .bending_scale = 1,
                         .cookie = COOKIE};
}

static abut_status can_add(abut_scene *s, const char *name)
{
  const char *bad = name ? abut_scene_bad_name(name) : "a body needs a name";
  if (bad) return abut_fail(&s->ctx, ABUT_BAD_ARGUMENT, "%s", bad);
  if (s->file.root)
    return abut_fail(&s->ctx, ABUT_BAD_ARGUMENT, "a scene from a file takes no further bodies");
  if (s->built)
    return abut_fail(&s->ctx, ABUT_BAD_ARGUMENT, "bodies must be added before the first step");
  if (abut_scene_find_object(&s->def, name) >= 0)
    return abut_fail(&s->ctx, ABUT_BAD_ARGUMENT, "there is a body \"%s\" already", name);
  abut_drop_sim(s);
  return ABUT_OK;
}

static abut_status check_mesh(abut_scene *s, const abut_mesh *m, int corners)
{
  abut_context *ctx = &s->ctx;
  if (!m || m->vertices < 0 || m->cells < 0 || (m->vertices > 0 && !m->x) ||
      (m->cells > 0 && !m->cell))
    return abut_fail(ctx, ABUT_BAD_ARGUMENT, "the mesh has no vertices or cells behind its counts");
  if (m->cells > INT32_MAX / 4)
    return abut_fail(ctx, ABUT_BAD_ARGUMENT, "%d cells are more than this version numbers",
                     m->cells);
  for (int64_t k = 0; k < 3 * (int64_t)m->vertices; k++)
    if (!isfinite(m->x[k]))
      return abut_fail(ctx, ABUT_BAD_ARGUMENT, "vertex %lld is not at a finite place",
                       (long long)(k / 3));
  for (int64_t k = 0; k < corners * (int64_t)m->cells; k++)
    if (m->cell[k] < 0 || m->cell[k] >= m->vertices)
      return abut_fail(ctx, ABUT_BAD_ARGUMENT, "cell %lld: vertex %d of %d; they count from 0",
                       (long long)(k / corners), m->cell[k], m->vertices);
  return ABUT_OK;
}

static abut_status copy_mesh(abut_context *ctx, const abut_mesh *m, int corners,
                             abut_mesh_data *out)
{
  out->vertices = m->vertices;
  ABUT_MAKE(ctx, out->x, m->vertices);
  for (int32_t v = 0; v < m->vertices; v++)
    out->x[v] = v3(m->x[3 * (int64_t)v], m->x[3 * (int64_t)v + 1], m->x[3 * (int64_t)v + 2]);
  int64_t n = (int64_t)m->cells * corners;
  int32_t *cell;
  ABUT_MAKE(ctx, cell, n);
  if (n) memcpy(cell, m->cell, (size_t)n * sizeof *cell);
  if (corners == 4)
    out->tet = cell, out->tets = m->cells;
  else
    out->triangle = cell, out->triangles = m->cells;
  return ABUT_OK;
}

static bool positive(double value)
{
  return value > 0 && isfinite(value);
}

static abut_status check_model(abut_scene *s, abut_carrier carrier, const char *model)
{
  abut_context *ctx = &s->ctx;
  if (abut_term_find(abut_registry.terms, model, carrier)) return ABUT_OK;
  abut_text known = {0};
  abut_status status = ABUT_OK;
  for (const abut_term_class *const *c = abut_registry.terms; *c && status == ABUT_OK; c++)
    if ((*c)->carrier == carrier)
      status = abut_text_add(ctx, &known, "%s%s", known.length ? ", " : "", (*c)->name);
  if (status == ABUT_OK)
    status = abut_fail(ctx, ABUT_UNSUPPORTED,
                       "the model \"%s\" is none that a %s can have; there are: %s", model,
                       carrier == ABUT_ON_SOLID ? "solid" : "shell", known.data);
  abut_text_free(ctx, &known);
  return status;
}

static abut_status check_material(abut_scene *s, abut_carrier carrier, const abut_material *m)
{
  abut_context *ctx = &s->ctx;
  const char *bad = NULL;
  if (!m || m->cookie != COOKIE || !m->model)
    return abut_fail(ctx, ABUT_BAD_ARGUMENT, "a material must come from abut_material_default");
  if (!positive(m->density)) bad = "density must be positive";
  if (!positive(m->young)) bad = "young must be positive";
  if (!(m->poisson > -1 && m->poisson < 0.5))
    bad = "poisson must be between -1 and 0.5, both excluded";
  if (carrier == ABUT_ON_SHELL && !positive(m->thickness)) bad = "thickness must be positive";
  if (carrier == ABUT_ON_SHELL && !(m->bending_scale >= 0 && isfinite(m->bending_scale)))
    bad = "bending_scale must be zero or more";
  return bad ? abut_fail(ctx, ABUT_BAD_ARGUMENT, "%s", bad) : check_model(s, carrier, m->model);
}

/* each body has a material of its own, under its own name */
static abut_status add_material(abut_scene *s, const char *name, const abut_material *m)
{
  abut_context *ctx = &s->ctx;
  abut_material_def d = abut_material_def_default();
  d.young = m->young;
  d.poisson = m->poisson;
  d.density = m->density;
  d.thickness = m->thickness;
  d.bending_scale = m->bending_scale;
  d.name = abut_copy_text(ctx, name);
  d.model = abut_copy_text(ctx, m->model);
  if (d.name && d.model) return abut_scene_add_material(ctx, &s->def, &d);
  abut_free(ctx, d.name);
  abut_free(ctx, d.model);
  return ABUT_NO_MEMORY;
}

static abut_status finish(abut_scene *s, const char *name, abut_status status, abut_object_def *o,
                          abut_body *out)
{
  abut_context *ctx = &s->ctx;
  if (status == ABUT_OK) {
    o->name = abut_copy_text(ctx, name);
    status = o->name ? abut_scene_add_object(ctx, &s->def, o) : ABUT_NO_MEMORY;
  }
  abut_object_def_free(ctx, o);
  if (status == ABUT_OK && out) out->index = s->def.objects;
  return status;
}

static abut_status add_body(abut_scene *s, abut_object_kind kind, const char *name,
                            const abut_mesh *mesh, const abut_material *material, abut_body *out)
{
  if (!s) return ABUT_BAD_ARGUMENT;
  abut_context *ctx = &s->ctx;
  int corners = kind == ABUT_SOLID ? 4 : 3;
  abut_begin_call(s);
  if (out) out->index = 0;
  ABUT_TRY(can_add(s, name));
  abut_status status = check_mesh(s, mesh, corners);
  if (status == ABUT_OK && kind != ABUT_OBSTACLE)
    status = check_material(s, kind == ABUT_SOLID ? ABUT_ON_SOLID : ABUT_ON_SHELL, material);
  if (status != ABUT_OK) abut_error_at_object(ctx, name);
  ABUT_TRY(status);
  abut_object_def o = abut_object_def_default(kind);
  status = copy_mesh(ctx, mesh, corners, &o.mesh);
  if (status == ABUT_OK && kind != ABUT_OBSTACLE) {
    status = add_material(s, name, material);
    if (status == ABUT_OK) o.material = abut_copy_text(ctx, name);
    if (status == ABUT_OK && !o.material) status = ABUT_NO_MEMORY;
  }
  return finish(s, name, status, &o, out);
}

abut_status abut_add_shell(abut_scene *s, const char *name, const abut_mesh *mesh,
                           const abut_material *material, abut_body *out)
{
  return add_body(s, ABUT_SHELL, name, mesh, material, out);
}

abut_status abut_add_solid(abut_scene *s, const char *name, const abut_mesh *mesh,
                           const abut_material *material, abut_body *out)
{
  return add_body(s, ABUT_SOLID, name, mesh, material, out);
}

abut_status abut_add_obstacle(abut_scene *s, const char *name, const abut_mesh *mesh,
                              abut_body *out)
{
  return add_body(s, ABUT_OBSTACLE, name, mesh, NULL, out);
}

static abut_status fill_spheres(abut_context *ctx, int32_t count, const double *centers,
                                const double *radii, double density, abut_object_def *o)
{
  if (count < 0 || (count > 0 && (!centers || !radii)) || !(density > 0 && isfinite(density)))
    return abut_fail(ctx, ABUT_BAD_ARGUMENT, "spheres need centers, radii and a positive density");
  ABUT_MAKE(ctx, o->center, count);
  ABUT_MAKE(ctx, o->radius, count);
  o->spheres = count;
  o->density = density;
  for (int32_t k = 0; k < count; k++) {
    const double *c = centers + 3 * (int64_t)k;
    o->center[k] = v3(c[0], c[1], c[2]);
    o->radius[k] = radii[k];
    if (!isfinite(c[0]) || !isfinite(c[1]) || !isfinite(c[2]) ||
        !(radii[k] > 0 && isfinite(radii[k])))
      return abut_fail(ctx, ABUT_BAD_ARGUMENT,
                       "sphere %d: the centre must be finite and the "
                       "radius positive",
                       k);
  }
  return ABUT_OK;
}

abut_status abut_add_spheres(abut_scene *s, const char *name, int32_t count, const double *centers,
                             const double *radii, double density, abut_body *out)
{
  if (!s) return ABUT_BAD_ARGUMENT;
  abut_begin_call(s);
  if (out) out->index = 0;
  ABUT_TRY(can_add(s, name));
  abut_object_def o = abut_object_def_default(ABUT_SPHERES);
  abut_status status = fill_spheres(&s->ctx, count, centers, radii, density, &o);
  if (status != ABUT_OK) abut_error_at_object(&s->ctx, name);
  return finish(s, name, status, &o, out);
}

abut_status abut_add_plane(abut_scene *s, const char *name, const double point[3],
                           const double normal[3], abut_body *out)
{
  if (!s || !point || !normal) return abut_refuse_call(s, "point and normal must not be NULL");
  abut_begin_call(s);
  if (out) out->index = 0;
  ABUT_TRY(can_add(s, name));
  abut_object_def o = abut_object_def_default(ABUT_PLANE);
  o.point = v3(point[0], point[1], point[2]);
  o.normal = v3(normal[0], normal[1], normal[2]);
  double size = v3_max_abs(o.normal);
  if (!(size > 0 && isfinite(size)) || !(v3_max_abs(o.point) < HUGE_VAL))
    return abut_fail(&s->ctx, ABUT_BAD_ARGUMENT,
                     "a plane needs a finite point and a normal that is not zero");
  return finish(s, name, ABUT_OK, &o, out);
}

/* a control of nothing would make a scene that can never be built */
static abut_status check_target(abut_scene *s, const json_t *control)
{
  const char *name = json_string_value(json_object_get(control, "object"));
  if (!name || strcmp(name, "*") == 0 || abut_scene_find_object(&s->def, name) >= 0) return ABUT_OK;
  const char *near = abut_nearest_name(name, s->def.object, s->def.objects, sizeof *s->def.object);
  abut_fail(&s->ctx, ABUT_BAD_ARGUMENT,
            "there is no body \"%s\" (nearest: %s); add it before its controls", name,
            near ? near : "none");
  abut_error_at_key(&s->ctx, NULL, "object");
  return ABUT_BAD_ARGUMENT;
}

static abut_status add_control(abut_scene *s, json_t *control)
{
  abut_scene_reader r = {
      .r = {.ctx = &s->ctx}, .file = &s->file, .tables = &abut_registry, .scene = &s->def};
  abut_status status = abut_read_control(&r, control);
  abut_text_free(&s->ctx, &r.r.path);
  return status;
}

abut_status abut_add_control(abut_scene *s, const char *json)
{
  if (!s || !json) return abut_refuse_call(s, "json must not be NULL");
  abut_begin_call(s);
  if (s->file.root || s->built)
    return abut_fail(&s->ctx, ABUT_BAD_ARGUMENT,
                     "controls are added to scenes built piece by piece, before the first step");
  json_error_t error;
  json_t *control = json_loads(json, JSON_REJECT_DUPLICATES, &error);
  if (!control)
    return abut_fail(&s->ctx, ABUT_BAD_FORMAT, "line %d, column %d: %s", error.line, error.column,
                     error.text);
  abut_drop_sim(s);
  abut_status status = check_target(s, control);
  if (status == ABUT_OK) status = add_control(s, control);
  json_decref(control);
  return status;
}
