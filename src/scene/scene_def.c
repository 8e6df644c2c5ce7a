#include "scene/scene_def.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"

abut_scene_def abut_scene_def_default(void)
{
  return (abut_scene_def){
      .gravity = {0, 0, -9.81},
      .step = 0.01,
      .end = 1,
      .self_contact = true,
      .checkpoint_every = 100,
      .options = {.epsilon = 1e-3,
                  .k_min = 1,
                  .max_newton = 1000,
                  .max_subdivisions = 7,
                  .friction_iterations = 1,
                  .linear_options = {.tolerance = 1e-8, .max_iterations = 20000}},
  };
}

abut_object_def abut_object_def_default(abut_object_kind kind)
{
  return (abut_object_def){
      .kind = kind, .scale = {1, 1, 1}, .axis = {0, 0, 1}, .normal = {0, 0, 1}};
}

abut_material_def abut_material_def_default(void)
{
  return (abut_material_def){.poisson = NAN, .bending_scale = 1};
}

abut_control_def abut_control_def_default(abut_control_kind kind)
{
  return (abut_control_def){
      .kind = kind, .until = HUGE_VAL, .scale = 1, .tolerance = NAN, .position_tolerance = NAN};
}

static void selection_free(abut_context *ctx, abut_selection *s)
{
  abut_free(ctx, s->index);
  abut_free(ctx, s->group);
}

void abut_object_def_free(abut_context *ctx, abut_object_def *o)
{
  abut_free(ctx, o->name);
  abut_free(ctx, o->material);
  abut_free(ctx, o->file);
  abut_mesh_free(ctx, &o->mesh);
  abut_mesh_free(ctx, &o->rest_mesh);
  abut_free(ctx, o->center);
  abut_free(ctx, o->radius);
  abut_motion_free(ctx, &o->motion);
  *o = (abut_object_def){0};
}

void abut_control_def_free(abut_context *ctx, abut_control_def *c)
{
  abut_free(ctx, c->object);
  selection_free(ctx, &c->vertices);
  abut_motion_free(ctx, &c->motion);
  abut_free(ctx, c->pair);
  abut_schedule_free(ctx, &c->length);
  *c = (abut_control_def){0};
}

static void material_free(abut_context *ctx, abut_material_def *m)
{
  abut_free(ctx, m->name);
  abut_free(ctx, m->model);
  *m = (abut_material_def){0};
}

static void pair_free(abut_context *ctx, abut_pair_def *p)
{
  abut_free(ctx, p->a);
  abut_free(ctx, p->b);
  *p = (abut_pair_def){0};
}

void abut_scene_def_free(abut_context *ctx, abut_scene_def *s)
{
  for (int32_t i = 0; i < s->objects; i++) abut_object_def_free(ctx, &s->object[i]);
  for (int32_t i = 0; i < s->materials; i++) material_free(ctx, &s->material[i]);
  for (int32_t i = 0; i < s->controls; i++) abut_control_def_free(ctx, &s->control[i]);
  for (int32_t i = 0; i < s->pairs; i++) pair_free(ctx, &s->pair[i]);
  abut_free(ctx, s->object);
  abut_free(ctx, s->material);
  abut_free(ctx, s->control);
  abut_free(ctx, s->pair);
  abut_free(ctx, s->name);
  *s = (abut_scene_def){0};
}

#define ADD(what, type, list, count, room, release)                                                \
  static abut_status grow_##list(abut_context *ctx, abut_scene_def *s)                             \
  {                                                                                                \
    ABUT_RESERVE(ctx, s->list, s->room, s->count + 1);                                             \
    return ABUT_OK;                                                                                \
  }                                                                                                \
  abut_status abut_scene_add_##what(abut_context *ctx, abut_scene_def *s, type *item)              \
  {                                                                                                \
    abut_status status = grow_##list(ctx, s);                                                      \
    if (status == ABUT_OK)                                                                         \
      s->list[s->count++] = *item;                                                                 \
    else                                                                                           \
      release(ctx, item);                                                                          \
    *item = (type){0};                                                                             \
    return status;                                                                                 \
  }
ADD(object, abut_object_def, object, objects, object_room, abut_object_def_free)
ADD(material, abut_material_def, material, materials, material_room, material_free)
ADD(control, abut_control_def, control, controls, control_room, abut_control_def_free)
ADD(pair, abut_pair_def, pair, pairs, pair_room, pair_free)
#undef ADD

const char *abut_scene_bad_name(const char *name)
{
  if (!name[0]) return "an object needs a name that is not empty";
  if (strcmp(name, "*") == 0)
    return "\"*\" means every object where controls name one; choose another name";
  if (strlen(name) > ABUT_LONGEST_NAME)
    return "the name is longer than 200 bytes, too long for the files of an export; shorten it";
  return NULL;
}

int32_t abut_scene_find_object(const abut_scene_def *s, const char *name)
{
  for (int32_t i = 0; i < s->objects; i++)
    if (strcmp(s->object[i].name, name) == 0) return i;
  return -1;
}

int32_t abut_scene_find_material(const abut_scene_def *s, const char *name)
{
  for (int32_t i = 0; i < s->materials; i++)
    if (strcmp(s->material[i].name, name) == 0) return i;
  return -1;
}
