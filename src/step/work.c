#include "step/work.h"

#include <string.h>

#include "base/memory.h"

void abut_work_free(abut_context *ctx, abut_work *w)
{
  if (w->linear) w->linear->class->destroy(ctx, w->linear);
  void *blocks[] = {w->batch,          w->drive.y,     w->drive.prescribed,
                    w->drive.target,   w->x0,          w->x,
                    w->trial,          w->p,           w->g,
                    w->g_trial,        w->rhs,         w->memory,
                    w->vector_slot,    w->matrix_slot, w->loose_energy,
                    w->contact_vertex, w->loose,       w->held,
                    w->object_load,    w->anchor,      w->path,
                    w->diagonal,       w->earliest,    w->behind};
  for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) abut_free(ctx, blocks[i]);
  abut_assembly_free(ctx, &w->plan);
  abut_matrix_free(ctx, &w->a);
  abut_structure_free(ctx, &w->structure);
  abut_candidates_free(ctx, &w->candidates);
  abut_contact_set_free(ctx, &w->now);
  abut_contact_set_free(ctx, &w->next);
  abut_friction_free(ctx, &w->friction);
  abut_constraints_free(ctx, &w->constraints);
  abut_hits_free(ctx, &w->hits);
  abut_state_free(ctx, &w->saved);
  *w = (abut_work){0};
}

static abut_status make_vectors(abut_context *ctx, const abut_system *sys, abut_work *w)
{
  int64_t n = sys->vertices, m = sys->dynamic;
  ABUT_MAKE_ZERO(ctx, w->drive.y, m);
  ABUT_MAKE_ZERO(ctx, w->drive.prescribed, n);
  ABUT_MAKE_ZERO(ctx, w->drive.target, n);
  ABUT_MAKE_ZERO(ctx, w->x0, n);
  ABUT_MAKE_ZERO(ctx, w->x, n);
  ABUT_MAKE_ZERO(ctx, w->trial, n);
  ABUT_MAKE_ZERO(ctx, w->p, n);
  ABUT_MAKE_ZERO(ctx, w->g, m);
  ABUT_MAKE_ZERO(ctx, w->g_trial, m);
  ABUT_MAKE_ZERO(ctx, w->rhs, m);
  ABUT_MAKE_ZERO(ctx, w->held, n);
  ABUT_MAKE_ZERO(ctx, w->anchor, n);
  ABUT_MAKE_ZERO(ctx, w->path, n);
  ABUT_MAKE_ZERO(ctx, w->diagonal, m);
  ABUT_MAKE_ZERO(ctx, w->earliest, n);
  ABUT_MAKE_ZERO(ctx, w->behind, 2 * m);
  ABUT_MAKE_ZERO(ctx, w->object_load, 2 * (int64_t)sys->surface->rules.objects);
  return ABUT_OK;
}

static abut_status make_batches(abut_context *ctx, const abut_system *sys, abut_work *w)
{
  int64_t memories = 0;
  for (int b = 0; b < sys->batches; b++)
    memories += (int64_t)sys->batch[b].count * sys->batch[b].class->memory;
  ABUT_MAKE_ZERO(ctx, w->memory, memories);
  ABUT_MAKE(ctx, w->batch, sys->batches);
  for (int b = 0; b < sys->batches; b++) {
    w->batch[b] = sys->batch[b];
    w->batch[b].memory = w->memory + sys->memory[b];
  }
  return ABUT_OK;
}

static abut_status make_plan(abut_context *ctx, const abut_system *sys, abut_work *w)
{
  abut_element_set *set;
  ABUT_MAKE(ctx, set, sys->batches);
  for (int b = 0; b < sys->batches; b++)
    set[b] =
        (abut_element_set){sys->batch[b].count, sys->batch[b].class->stencil, sys->batch[b].vertex};
  abut_status status = abut_matrix_make(ctx, sys->dynamic, &w->a);
  if (status == ABUT_OK)
    status = abut_assembly_plan(ctx, sys->dynamic, set, sys->batches, &w->a, &w->plan);
  abut_free(ctx, set);
  return status;
}

abut_status abut_work_make(abut_context *ctx, const abut_system *sys,
                           const abut_step_options *options, abut_work *w)
{
  ABUT_TRY(make_vectors(ctx, sys, w));
  ABUT_TRY(make_batches(ctx, sys, w));
  ABUT_TRY(make_plan(ctx, sys, w));
  return options->linear->create(ctx, &options->linear_options, &w->linear);
}
