/* control_build.c: the vertices that each control acts on. */
#include <string.h>

#include "base/memory.h"
#include "base/scratch.h"
#include "base/text.h"
#include "scene/model.h"

typedef struct control_build {
  abut_build *b;
  const abut_control_def *def;
  abut_model_control *c;
  char where[48]; /* controls[12345], for messages */
  int64_t room;
} control_build;

static abut_status bad(const control_build *k, const char *part, const char *text)
{
  abut_context *ctx = k->b->ctx;
  abut_status status = abut_fail(ctx, ABUT_BAD_FORMAT, "%s", text);
  abut_error_at_path(ctx, "%s%s", k->where, part);
  return status;
}

/* does the control act on each vertex once, however often the files list it? */
static bool once(abut_control_kind kind)
{
  return kind == ABUT_CONTROL_PIN || kind == ABUT_CONTROL_DRAG || kind == ABUT_CONTROL_GRAVITY;
}

static abut_status add_vertex(control_build *k, int32_t v)
{
  ABUT_RESERVE(k->b->ctx, k->c->vertex, k->room, k->c->count + 1);
  k->c->vertex[k->c->count++] = v;
  return ABUT_OK;
}

static abut_status add_object(control_build *k, int32_t object)
{
  abut_build *b = k->b;
  abut_mark mark = abut_scratch_mark(b->ctx);
  int32_t *vertex, count;
  bool all = strcmp(k->def->object, "*") == 0;
  ABUT_TRY(abut_select(b, object, &k->def->vertices, k->where, all, &vertex, &count));
  bool *seen = ABUT_SCRATCH(b->ctx, bool, b->m->system.vertices);
  if (!seen) return ABUT_NO_MEMORY;
  memset(seen, 0, (size_t)b->m->system.vertices * sizeof *seen);
  for (int32_t i = 0; i < count; i++) {
    int32_t v = b->m->solver_of[b->m->object[object].first + vertex[i]];
    /* vertices of no cell are held anyway */
    bool skip = v >= b->m->system.dynamic && k->def->kind != ABUT_CONTROL_PIN;
    if (skip || (seen[v] && once(k->def->kind))) continue;
    seen[v] = true;
    ABUT_TRY(add_vertex(k, v));
  }
  abut_scratch_release(b->ctx, mark);
  return ABUT_OK;
}

#define FIXED                                                                                      \
  "obstacles and planes move by their own motion; this control needs a shell, a solid or spheres"

static bool can_carry(abut_object_kind kind)
{
  return kind == ABUT_SHELL || kind == ABUT_SOLID || kind == ABUT_SPHERES;
}

static abut_status add_vertices(control_build *k)
{
  const abut_scene_def *def = k->b->def;
  if (strcmp(k->def->object, "*") == 0) {
    for (int32_t i = 0; i < def->objects; i++)
      if (can_carry(def->object[i].kind)) ABUT_TRY(add_object(k, i));
  } else {
    int32_t i = abut_scene_find_object(def, k->def->object);
    if (!can_carry(def->object[i].kind)) return bad(k, ".object", FIXED);
    ABUT_TRY(add_object(k, i));
  }
  if (k->c->count == 0)
    return bad(k, k->def->vertices.brief ? ".indices" : ".vertices",
               "the selection picks no vertex");
  return ABUT_OK;
}

static abut_status add_pairs(control_build *k)
{
  abut_build *b = k->b;
  const char *key = k->def->kind == ABUT_CONTROL_TIE ? "pairs" : "above";
  int32_t i = abut_scene_find_object(b->def, k->def->object);
  if (i < 0) return bad(k, ".object", "pairs need one object, not \"*\"");
  const abut_model_object *o = &b->m->object[i];
  if (k->def->kind == ABUT_CONTROL_TIE && !can_carry(b->def->object[i].kind))
    return bad(k, ".object", FIXED);
  for (int32_t p = 0; p < 2 * k->def->pairs; p++) {
    int32_t v = k->def->pair[p];
    if (v < 0 || v >= o->count) {
      abut_status status = abut_fail(b->ctx, ABUT_BAD_FORMAT,
                                     "vertex %d of %d; vertices are counted from 0", v, o->count);
      abut_error_at_path(b->ctx, "%s.%s[%d]", k->where, key, p / 2);
      abut_error_at_object(b->ctx, b->def->object[i].name);
      return status;
    }
    ABUT_TRY(add_vertex(k, b->m->solver_of[o->first + v]));
  }
  k->c->count = k->def->pairs;
  for (int32_t p = 0; p < k->c->count; p++)
    if (k->c->vertex[2 * p] == k->c->vertex[2 * p + 1]) {
      abut_status status = abut_fail(b->ctx, ABUT_BAD_FORMAT, "a pair joins a vertex with itself");
      abut_error_at_path(b->ctx, "%s.%s[%d]", k->where, key, p);
      return status;
    }
  return ABUT_OK;
}

/* one position per selected vertex */
static abut_status check_positions(const control_build *k)
{
  for (int32_t i = 0; i < k->def->motion.keys; i++) {
    const abut_motion_key *key = &k->def->motion.key[i];
    if (key->kind == ABUT_KEY_LIST && key->count != k->c->count)
      return bad(k, ".motion",
                 "positions must list one position per selected vertex, each vertex "
                 "once");
  }
  return ABUT_OK;
}

static abut_status build_control(abut_build *b, int32_t i)
{
  control_build k = {.b = b, .def = &b->def->control[i], .c = &b->m->control[i]};
  k.c->def = k.def;
  int n = 0;
  for (const char *p = "controls["; *p; p++) k.where[n++] = *p;
  char digits[16];
  int d = 0, value = i;
  do digits[d++] = (char)('0' + value % 10);
  while (value /= 10);
  while (d > 0) k.where[n++] = digits[--d];
  k.where[n++] = ']';
  if (k.def->kind == ABUT_CONTROL_SOLVER) return ABUT_OK;
  if (strcmp(k.def->object, "*") != 0 && abut_scene_find_object(b->def, k.def->object) < 0) {
    const char *near =
        abut_nearest_name(k.def->object, b->def->object, b->def->objects, sizeof *b->def->object);
    abut_status status =
        abut_fail(b->ctx, ABUT_BAD_FORMAT, "there is no object \"%s\" (nearest: %s)", k.def->object,
                  near ? near : "none");
    abut_error_at_path(b->ctx, "%s.object", k.where);
    return status;
  }
  bool pairs = k.def->kind == ABUT_CONTROL_TIE || k.def->kind == ABUT_CONTROL_REQUIRE;
  ABUT_TRY(pairs ? add_pairs(&k) : add_vertices(&k));
  ABUT_TRY(check_positions(&k));
  k.c->anchor = b->m->counts.anchors;
  bool anchored = k.def->kind == ABUT_CONTROL_PIN || k.def->kind == ABUT_CONTROL_SUPPORT ||
                  k.def->kind == ABUT_CONTROL_TIE;
  if (anchored) b->m->counts.anchors += k.c->count;
  return ABUT_OK;
}

/* two pins that hold a vertex at the same time contradict each other */
static abut_status check_pins(abut_build *b)
{
  abut_mark mark = abut_scratch_mark(b->ctx);
  abut_model *m = b->m;
  int32_t *holder = ABUT_SCRATCH(b->ctx, int32_t, m->system.vertices);
  if (!holder) return ABUT_NO_MEMORY;
  for (int32_t i = 0; i < m->controls; i++) {
    const abut_control_def *d = m->control[i].def;
    if (d->kind != ABUT_CONTROL_PIN) continue;
    for (int32_t v = 0; v < m->system.vertices; v++) holder[v] = -1;
    for (int32_t k = 0; k < m->control[i].count; k++) holder[m->control[i].vertex[k]] = i;
    for (int32_t j = 0; j < i; j++) {
      const abut_control_def *e = m->control[j].def;
      if (e->kind != ABUT_CONTROL_PIN || e->until <= d->from || d->until <= e->from) continue;
      for (int32_t k = 0; k < m->control[j].count; k++) {
        int32_t v = m->control[j].vertex[k];
        if (holder[v] != i) continue;
        abut_status status = abut_fail(b->ctx, ABUT_BAD_FORMAT,
                                       "controls[%d] and controls[%d] pin vertex %d at the same "
                                       "time",
                                       j, i, m->file_vertex[v]);
        abut_error_at_path(b->ctx, "controls[%d]", i);
        abut_error_at_object(b->ctx, b->def->object[m->object_of[v]].name);
        return status;
      }
    }
  }
  abut_scratch_release(b->ctx, mark);
  return ABUT_OK;
}

/* an obstacle's keys list one position per vertex of its mesh */
static abut_status check_obstacles(abut_build *b)
{
  for (int32_t i = 0; i < b->def->objects; i++) {
    const abut_motion *motion = &b->def->object[i].motion;
    for (int32_t k = 0; k < motion->keys; k++) {
      int32_t count = motion->key[k].count, n = b->m->object[i].count;
      if (motion->key[k].kind != ABUT_KEY_LIST || count == n) continue;
      abut_status status =
          abut_fail(b->ctx, ABUT_BAD_FORMAT, "motion.keys[%d] lists %d positions for %d vertices",
                    k, count, n);
      abut_error_at_path(b->ctx, "objects[%d].motion.keys[%d].positions", i, k);
      abut_error_at_object(b->ctx, b->def->object[i].name);
      return status;
    }
  }
  return ABUT_OK;
}

abut_status abut_build_controls(abut_build *b)
{
  abut_model *m = b->m;
  ABUT_TRY(check_obstacles(b));
  ABUT_MAKE_ZERO(b->ctx, m->control, b->def->controls);
  m->controls = b->def->controls;
  m->counts.controls = m->controls;
  for (int32_t i = 0; i < m->controls; i++) ABUT_TRY(build_control(b, i));
  return check_pins(b);
}
