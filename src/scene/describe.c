/* describe.c: pairs in the words of the user's files. */
#include "base/memory.h"
#include "base/text.h"
#include "scene/sim.h"

static abut_status add_vertices(abut_context *ctx, const abut_model *m, const int32_t *v, int n,
                                abut_text *text)
{
  for (int k = 0; k < n; k++)
    ABUT_TRY(abut_text_add(ctx, text, "%s%d", k == 0 ? " (vertices " : ", ", m->file_vertex[v[k]]));
  return abut_text_add(ctx, text, ")");
}

static abut_status first_side(abut_context *ctx, const abut_model *m, abut_pair_kind kind,
                              int32_t a, int32_t object, abut_text *text)
{
  const abut_surface *s = &m->surface;
  const abut_model_object *o = &m->object[object];
  switch (kind) {
  case ABUT_VERTEX_FACE:
  case ABUT_VERTEX_PLANE: return abut_text_add(ctx, text, "vertex %d", m->file_vertex[s->point[a]]);
  case ABUT_EDGE_EDGE:
    ABUT_TRY(abut_text_add(ctx, text, "edge %d", a - o->edge));
    return add_vertices(ctx, m, s->edge + 2 * (int64_t)a, 2, text);
  default: return abut_text_add(ctx, text, "sphere %d", a - o->sphere);
  }
}

static abut_status second_side(abut_context *ctx, const abut_model *m, abut_pair_kind kind,
                               int32_t b, int32_t object, abut_text *text)
{
  const abut_surface *s = &m->surface;
  const abut_model_object *o = &m->object[object];
  switch (kind) {
  case ABUT_VERTEX_FACE:
  case ABUT_BALL_FACE:
    ABUT_TRY(abut_text_add(ctx, text, "face %d", b - o->face));
    return add_vertices(ctx, m, s->face + 3 * (int64_t)b, 3, text);
  case ABUT_EDGE_EDGE:
    ABUT_TRY(abut_text_add(ctx, text, "edge %d", b - o->edge));
    return add_vertices(ctx, m, s->edge + 2 * (int64_t)b, 2, text);
  case ABUT_BALL_BALL: return abut_text_add(ctx, text, "sphere %d", b - o->sphere);
  default: return abut_text_add(ctx, text, "the plane");
  }
}

void abut_explain_start(abut_context *ctx, const abut_sim *sim)
{
  if (!(sim->state.time > 0) || !ctx->error.message) return;
  abut_text text = {0};
  if (abut_text_add(ctx, &text,
                    "%s; a prescribed motion led it there while all of its vertices were "
                    "prescribed, which is no contact: let go of them where they are free",
                    ctx->error.message) == ABUT_OK) {
    abut_free(ctx, ctx->error.message);
    ctx->error.message = text.data;
  } else {
    abut_text_free(ctx, &text);
  }
}

abut_status abut_describe_pair(abut_context *ctx, const abut_model *m, uint64_t pair,
                               abut_text *text)
{
  int32_t object[2];
  abut_pair_kind kind = abut_pair_kind_of(pair);
  abut_pair_objects(&m->surface, pair, object);
  ABUT_TRY(first_side(ctx, m, kind, abut_pair_first(pair), object[0], text));
  ABUT_TRY(abut_text_add(ctx, text, " of %s and ", m->def->object[object[0]].name));
  ABUT_TRY(second_side(ctx, m, kind, abut_pair_second(pair), object[1], text));
  return abut_text_add(ctx, text, " of %s", m->def->object[object[1]].name);
}

abut_status abut_describe_culprit(abut_context *ctx, const abut_model *m, const abut_culprit *c,
                                  abut_text *text)
{
  const abut_object_def *o = &m->def->object[m->object_of[c->vertex[0]]];
  ABUT_TRY(abut_text_add(ctx, text, "%s of %s", c->quantity, c->class->name));
  ABUT_TRY(add_vertices(ctx, m, c->vertex, c->class->stencil, text));
  ABUT_TRY(abut_text_add(ctx, text, " of %s", o->name));
  return o->material ? abut_text_add(ctx, text, ", material %s", o->material) : ABUT_OK;
}
