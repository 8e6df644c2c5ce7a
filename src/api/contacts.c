/* contacts.c: what pushed in the last step, in the user's numbering. */
#include "api/handle.h"
#include "base/memory.h"

static void name_first(const abut_model *m, abut_pair_kind kind, int32_t a, abut_contact_force *c)
{
  const abut_model_object *o = &m->object[c->body[0].index - 1];
  switch (kind) {
  case ABUT_VERTEX_FACE:
  case ABUT_VERTEX_PLANE:
    c->element[0] = "vertex";
    c->index[0] = m->file_vertex[m->surface.point[a]];
    break;
  case ABUT_EDGE_EDGE:
    c->element[0] = "edge";
    c->index[0] = a - o->edge;
    break;
  default: c->element[0] = "sphere"; c->index[0] = a - o->sphere;
  }
}

static void name_second(const abut_model *m, abut_pair_kind kind, int32_t b, abut_contact_force *c)
{
  const abut_model_object *o = &m->object[c->body[1].index - 1];
  switch (kind) {
  case ABUT_VERTEX_FACE:
  case ABUT_BALL_FACE:
    c->element[1] = "face";
    c->index[1] = b - o->face;
    break;
  case ABUT_EDGE_EDGE:
    c->element[1] = "edge";
    c->index[1] = b - o->edge;
    break;
  case ABUT_BALL_BALL:
    c->element[1] = "sphere";
    c->index[1] = b - o->sphere;
    break;
  default: c->element[1] = "plane";
  }
}

static void copy(vec3 from, double to[3])
{
  to[0] = from.x;
  to[1] = from.y;
  to[2] = from.z;
}

static abut_contact_force contact_of(const abut_model *m, const abut_pair_force *f)
{
  abut_contact_force c = {.gap = f->gap, .normal_force = f->normal};
  abut_pair_kind kind = abut_pair_kind_of(f->key);
  int32_t object[2];
  abut_pair_objects(&m->surface, f->key, object);
  for (int k = 0; k < 2; k++) c.body[k] = (abut_body){object[k] + 1};
  name_first(m, kind, abut_pair_first(f->key), &c);
  name_second(m, kind, abut_pair_second(f->key), &c);
  for (int k = 0; k < 4; k++) {
    c.vertex[k] = f->vertex[k] < 0 ? -1 : m->file_vertex[f->vertex[k]];
    c.weight[k] = f->vertex[k] < 0 ? 0 : f->w[k];
  }
  copy(f->n, c.normal);
  copy(f->tangential, c.tangential_force);
  return c;
}

abut_status abut_contacts(abut_scene *s, const abut_contact_force **list, int64_t *count)
{
  if (!s || !list || !count) return abut_refuse_call(s, "list and count must not be NULL");
  abut_begin_call(s);
  *list = NULL;
  *count = 0;
  ABUT_TRY(abut_sim_pair_forces(&s->ctx, &s->sim, &s->forces));
  abut_free(&s->ctx, s->contact);
  s->contact = NULL;
  ABUT_MAKE(&s->ctx, s->contact, s->forces.count);
  for (int64_t i = 0; i < s->forces.count; i++)
    s->contact[i] = contact_of(&s->sim.model, &s->forces.item[i]);
  *list = s->contact;
  *count = s->forces.count;
  return ABUT_OK;
}
