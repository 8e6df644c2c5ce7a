/* rules.c: which objects may touch and how much friction they have with each other. */
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "scene/model.h"

static bool means(const char *word, const abut_object_def *o)
{
  return strcmp(word, o->name) == 0 || (o->material && strcmp(word, o->material) == 0);
}

/* obstacles, planes and spheres may carry a material that is only a label for pairs */
static bool known(const abut_scene_def *def, const char *word)
{
  for (int32_t i = 0; i < def->objects; i++)
    if (means(word, &def->object[i])) return true;
  return abut_scene_find_material(def, word) >= 0;
}

static abut_status check_names(abut_build *b)
{
  for (int32_t p = 0; p < b->def->pairs; p++) {
    const char *word[2] = {b->def->pair[p].a, b->def->pair[p].b};
    for (int k = 0; k < 2; k++) {
      if (known(b->def, word[k])) continue;
      const char *near =
          abut_nearest_name(word[k], b->def->object, b->def->objects, sizeof *b->def->object);
      if (!near)
        near = abut_nearest_name(word[k], b->def->material, b->def->materials,
                                 sizeof *b->def->material);
      abut_status status = abut_fail(b->ctx, ABUT_BAD_FORMAT,
                                     "\"%s\" is neither an object nor a material (nearest: %s)",
                                     word[k], near ? near : "none");
      abut_error_at_path(b->ctx, "contact.pairs[%d].%c", p, "ab"[k]);
      return status;
    }
  }
  return ABUT_OK;
}

static bool named(const abut_scene_def *def, int32_t i)
{
  for (int32_t p = 0; p < def->pairs; p++)
    if (strcmp(def->pair[p].a, def->object[i].name) == 0 ||
        strcmp(def->pair[p].b, def->object[i].name) == 0)
      return true;
  return false;
}

/* Objects that no pair names by themselves share a class with those of the same material. */
static abut_status make_classes(abut_build *b, int32_t *member)
{
  abut_pair_rules *r = &b->m->surface.rules;
  r->objects = b->m->objects;
  ABUT_MAKE(b->ctx, r->class_of, r->objects);
  for (int32_t i = 0; i < r->objects; i++) {
    int32_t class = -1;
    for (int32_t c = 0; c < r->classes && class < 0 && !named(b->def, i); c++) {
      const char *mine = b->def->object[i].material, *theirs = b->def->object[member[c]].material;
      bool same = mine && theirs ? strcmp(mine, theirs) == 0 : !mine && !theirs;
      if (same && !named(b->def, member[c])) class = c;
    }
    if (class < 0) {
      class = r->classes++;
      member[class] = i;
    }
    r->class_of[i] = class;
  }
  return ABUT_OK;
}

typedef struct rule {
  bool enabled;
  double friction;
  int32_t enabled_by, friction_by; /* rows of contact.pairs, -1: default */
} rule;

static abut_status contradiction(abut_build *b, int32_t p, int32_t q, const char *what)
{
  abut_status status =
      abut_fail(b->ctx, ABUT_BAD_FORMAT,
                "contradicts contact.pairs[%d].%s for the same two objects", q, what);
  abut_error_at_path(b->ctx, "contact.pairs[%d].%s", p, what);
  return status;
}

static abut_status find_rule(abut_build *b, int32_t i, int32_t j, bool self, rule *out)
{
  const abut_scene_def *def = b->def;
  *out = (rule){self ? def->self_contact : true, def->friction, -1, -1};
  for (int32_t p = 0; p < def->pairs; p++) {
    const abut_pair_def *d = &def->pair[p];
    const abut_object_def *x = &def->object[i], *y = &def->object[j];
    if (!(means(d->a, x) && means(d->b, y)) && !(means(d->a, y) && means(d->b, x))) continue;
    if (d->has_enabled) {
      if (out->enabled_by >= 0 && out->enabled != d->enabled)
        return contradiction(b, p, out->enabled_by, "enabled");
      out->enabled = d->enabled;
      out->enabled_by = p;
    }
    if (d->has_friction) {
      if (out->friction_by >= 0 && out->friction != d->friction)
        return contradiction(b, p, out->friction_by, "friction");
      out->friction = d->friction;
      out->friction_by = p;
    }
  }
  return ABUT_OK;
}

static abut_status fill(abut_build *b, const int32_t *member)
{
  abut_pair_rules *r = &b->m->surface.rules;
  int64_t n = r->classes;
  ABUT_MAKE(b->ctx, r->enabled, n * n);
  ABUT_MAKE(b->ctx, r->friction, n * n);
  ABUT_MAKE(b->ctx, r->self_enabled, n);
  ABUT_MAKE(b->ctx, r->self_friction, n);
  for (int32_t a = 0; a < n; a++) {
    rule self;
    ABUT_TRY(find_rule(b, member[a], member[a], true, &self));
    r->self_enabled[a] = self.enabled;
    r->self_friction[a] = self.friction;
    for (int32_t c = 0; c < n; c++) {
      rule two;
      ABUT_TRY(find_rule(b, member[a], member[c], false, &two));
      r->enabled[a * n + c] = two.enabled;
      r->friction[a * n + c] = two.friction;
    }
  }
  return ABUT_OK;
}

abut_status abut_build_rules(abut_build *b)
{
  ABUT_TRY(check_names(b));
  int32_t *member = abut_alloc(b->ctx, b->m->objects, sizeof *member);
  if (!member) return ABUT_NO_MEMORY;
  abut_status status = make_classes(b, member);
  if (status == ABUT_OK) status = fill(b, member);
  abut_free(b->ctx, member);
  return status;
}
