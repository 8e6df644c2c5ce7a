#include "step/objective.h"

#include <string.h>

#include "base/memory.h"
#include "base/parallel.h"

/* ---- energy ---- */

typedef struct energy_job {
  const abut_batch *batch;
  const abut_at *at;
  const abut_law_class *law;
  const abut_law_at *law_at;
  const abut_contact *contact;
  const abut_constraint *constraint;
  const vec3 *anchor; /* of the constraints */
  const abut_friction *friction;
  double sum[ABUT_MAX_CHUNKS], size[ABUT_MAX_CHUNKS];
} energy_job;

static void evaluate(const energy_job *job, int64_t begin, int64_t end, double *slot)
{
  if (job->batch)
    job->batch->class->energy(job->batch, job->at, (int)begin, (int)end, slot);
  else if (job->contact)
    job->law->energy(job->law_at, job->contact, begin, end, slot);
  else if (job->constraint)
    abut_constraints_energy(job->constraint, job->at->x, job->anchor, begin, end, slot);
  else
    abut_friction_energy(job->friction, job->at->x, job->at->x0, begin, end, slot);
}

static void energy_chunk(void *arg, int chunk, int64_t begin, int64_t end)
{
  enum { PART = 128 };
  energy_job *job = arg;
  double slot[PART], sum = 0, size = 0;
  for (int64_t i = begin; i < end; i += PART) {
    int64_t n = end - i < PART ? end - i : PART;
    evaluate(job, i, i + n, slot);
    for (int64_t k = 0; k < n; k++) {
      sum += slot[k];
      size += fabs(slot[k]);
    }
  }
  job->sum[chunk] = sum;
  job->size[chunk] = size;
}

/* adds count elements to the objective; returns their energy */
static double sum_energy(const abut_context *ctx, energy_job *job, int64_t count,
                         abut_objective *out)
{
  double sum = 0;
  abut_parallel_chunks(ctx, count, 1024, energy_chunk, job);
  for (int c = 0; c < abut_chunk_count(count, 1024); c++) {
    sum += job->sum[c];
    out->size += job->size[c];
  }
  out->total += sum;
  return sum;
}

abut_status abut_objective_energy(abut_context *ctx, const abut_system *sys,
                                  const abut_step_options *options, abut_work *w, const vec3 *x,
                                  const abut_contact_set *contacts, abut_objective *out)
{
  *out = (abut_objective){0};
  abut_at at = abut_work_at(w, x);
  abut_law_at law_at = {x, sys->surface->dhat, w->stiffness};
  energy_job job = {.at = &at, .law = options->method->law, .law_at = &law_at};
  for (int b = 0; b < sys->batches + w->drive.controls; b++) {
    job.batch = b < sys->batches ? &w->batch[b] : &w->drive.control[b - sys->batches];
    out->ledger[job.batch->class->ledger] += sum_energy(ctx, &job, job.batch->count, out);
  }
  job.batch = NULL;
  job.contact = contacts->item;
  if (options->method->law && contacts->count)
    out->contact = sum_energy(ctx, &job, contacts->count, out);
  job.contact = NULL;
  job.constraint = w->constraints.item;
  job.anchor = w->anchor;
  if (w->constraints.count) out->contact += sum_energy(ctx, &job, w->constraints.count, out);
  job.constraint = NULL;
  job.friction = &w->friction;
  out->friction = sum_energy(ctx, &job, w->friction.count, out);
  if (!(out->total < HUGE_VAL)) out->total = HUGE_VAL; /* NaN too */
  return ABUT_OK;
}

/* ---- gradient ---- */

typedef struct slot_job {
  const abut_batch *batch;
  const abut_at *at;
  int64_t first; /* element of slot 0 */
  vec3 *vector;
  mat3 *matrix; /* NULL: gradient only */
  const abut_law_class *law;
  const abut_law_at *law_at;
  const abut_contact *contact;
  const abut_constraint *constraint;
  const vec3 *anchor;
  bool inactive; /* matrix: inactive constraints too */
  const abut_friction *friction;
} slot_job;

static void batch_slots(void *arg, int64_t begin, int64_t end)
{
  const slot_job *job = arg;
  const abut_term_class *class = job->batch->class;
  int first = (int)job->first, b = first + (int)begin, e = first + (int)end;
  int blocks = abut_block_count(class->stencil);
  class->gradient(job->batch, job->at, b, e, job->vector + begin * class->stencil);
  if (job->matrix) class->hessian(job->batch, job->at, b, e, true, job->matrix + begin * blocks);
}

static void contact_slots(void *arg, int64_t begin, int64_t end)
{
  const slot_job *job = arg;
  job->law->gradient(job->law_at, job->contact, begin, end, job->vector + 4 * begin);
  if (job->matrix)
    job->law->hessian(job->law_at, job->contact, begin, end, true, job->matrix + 10 * begin);
}

static void constraint_slots(void *arg, int64_t begin, int64_t end)
{
  const slot_job *job = arg;
  const vec3 *x = job->at->x;
  abut_constraints_gradient(job->constraint, x, job->anchor, begin, end, job->vector + 4 * begin);
  if (job->matrix)
    abut_constraints_hessian(job->constraint, x, job->anchor, job->inactive, begin, end,
                             job->matrix + 10 * begin);
}

static void friction_slots(void *arg, int64_t begin, int64_t end)
{
  const slot_job *job = arg;
  const abut_at *at = job->at;
  abut_friction_gradient(job->friction, at->x, at->x0, begin, end, job->vector + 4 * begin);
  if (job->matrix)
    abut_friction_hessian(job->friction, at->x, at->x0, begin, end, job->matrix + 10 * begin);
}

/* elements that are always there, a block at a time */
static abut_status add_elements(abut_context *ctx, const abut_system *sys, abut_work *w,
                                const abut_at *at, bool matrix, vec3 *g)
{
  for (int s = 0; s < sys->batches; s++)
    for (int block = 0; block < w->plan.blocks[s]; block++) {
      const abut_batch *batch = &w->batch[s];
      int n = batch->class->stencil;
      int64_t first = (int64_t)block * ABUT_BLOCK, count = batch->count - first;
      if (count > ABUT_BLOCK) count = ABUT_BLOCK;
      ABUT_RESERVE(ctx, w->vector_slot, w->vector_room, count * n);
      if (matrix) ABUT_RESERVE(ctx, w->matrix_slot, w->matrix_room, count * abut_block_count(n));
      slot_job job = {.batch = batch,
                      .at = at,
                      .first = first,
                      .vector = w->vector_slot,
                      .matrix = matrix ? w->matrix_slot : NULL};
      abut_parallel_for(ctx, count, 256, batch_slots, &job);
      abut_assembly_add_vector(ctx, &w->plan, s, block, w->vector_slot, g);
      if (matrix) abut_assembly_add_matrix(ctx, &w->plan, s, block, w->matrix_slot, &w->a);
    }
  return ABUT_OK;
}

/* loose elements are few; their order is the order of addition */
static void scatter(const abut_system *sys, const int32_t *vertex, int64_t corners,
                    const vec3 *slot, vec3 *g)
{
  for (int64_t i = 0; i < corners; i++) {
    int32_t v = vertex[i];
    if (v >= 0 && v < sys->dynamic) g[v] = v3_add(g[v], slot[i]);
  }
}

static abut_status contact_vertices(abut_context *ctx, const abut_contact_set *contacts,
                                    abut_work *w)
{
  ABUT_RESERVE(ctx, w->contact_vertex, w->vertex_room, 4 * contacts->count);
  for (int64_t i = 0; i < contacts->count; i++)
    memcpy(w->contact_vertex + 4 * i, contacts->item[i].vertex, 4 * sizeof(int32_t));
  return ABUT_OK;
}

/* Room for the matrix slots of all loose sets at once, since abut_assembly_extra sums them
   together; empties the list of sets. */
static abut_status start_loose(abut_context *ctx, const abut_contact_set *contacts, abut_work *w)
{
  int64_t slots = 10 * (contacts->count + w->constraints.count + w->friction.count);
  for (int c = 0; c < w->drive.controls; c++) {
    const abut_batch *b = &w->drive.control[c];
    slots += (int64_t)b->count * abut_block_count(b->class->stencil);
  }
  ABUT_RESERVE(ctx, w->matrix_slot, w->matrix_room, slots);
  ABUT_RESERVE(ctx, w->loose, w->loose_room, w->drive.controls + 3);
  w->loose_sets = 0;
  return ABUT_OK;
}

/* one loose set: slots in parallel, then into the gradient and, for the matrix, onto the list */
static abut_status add_loose(abut_context *ctx, const abut_system *sys, abut_work *w, slot_job *job,
                             abut_range_fn *fn, abut_element_set set, mat3 **next, vec3 *g)
{
  ABUT_RESERVE(ctx, w->vector_slot, w->vector_room, (int64_t)set.count * set.corners);
  job->vector = w->vector_slot;
  job->matrix = next ? *next : NULL;
  abut_parallel_for(ctx, set.count, 64, fn, job);
  scatter(sys, set.vertex, (int64_t)set.count * set.corners, w->vector_slot, g);
  if (!next) return ABUT_OK;
  w->loose[w->loose_sets++] = (abut_loose_set){set, *next};
  *next += (int64_t)set.count * abut_block_count(set.corners);
  return ABUT_OK;
}

static abut_status add_contacts(abut_context *ctx, const abut_system *sys,
                                const abut_step_options *options, abut_work *w,
                                const abut_law_at *at, const abut_contact_set *contacts,
                                mat3 **next, vec3 *g)
{
  ABUT_TRY(contact_vertices(ctx, contacts, w));
  slot_job job = {.law = options->method->law, .law_at = at, .contact = contacts->item};
  abut_element_set set = {(int32_t)contacts->count, 4, w->contact_vertex};
  return add_loose(ctx, sys, w, &job, contact_slots, set, next, g);
}

/* methods have contacts or constraints, never both: contact_vertex serves either */
static abut_status add_constraints(abut_context *ctx, const abut_system *sys,
                                   const abut_step_options *options, abut_work *w,
                                   const abut_at *at, mat3 **next, vec3 *g)
{
  const abut_constraints *c = &w->constraints;
  if (c->count == 0) return ABUT_OK;
  ABUT_RESERVE(ctx, w->contact_vertex, w->vertex_room, 4 * c->count);
  for (int64_t i = 0; i < c->count; i++)
    memcpy(w->contact_vertex + 4 * i, c->item[i].vertex, 4 * sizeof(int32_t));
  slot_job job = {.at = at,
                  .constraint = c->item,
                  .anchor = w->anchor,
                  .inactive = options->inactive_stiffness};
  abut_element_set set = {(int32_t)c->count, 4, w->contact_vertex};
  return add_loose(ctx, sys, w, &job, constraint_slots, set, next, g);
}

static abut_status add_controls(abut_context *ctx, const abut_system *sys, abut_work *w,
                                const abut_at *at, mat3 **next, vec3 *g)
{
  for (int c = 0; c < w->drive.controls; c++) {
    const abut_batch *b = &w->drive.control[c];
    slot_job job = {.batch = b, .at = at};
    abut_element_set set = {b->count, b->class->stencil, b->vertex};
    ABUT_TRY(add_loose(ctx, sys, w, &job, batch_slots, set, next, g));
  }
  slot_job job = {.at = at, .friction = &w->friction};
  abut_element_set set = {(int32_t)w->friction.count, 4, w->friction.vertex};
  return add_loose(ctx, sys, w, &job, friction_slots, set, next, g);
}

static void clear_prescribed(const abut_system *sys, const abut_work *w, vec3 *g)
{
  for (int32_t v = 0; v < sys->dynamic; v++)
    if (w->drive.prescribed[v]) g[v] = v3(0, 0, 0);
}

abut_status abut_objective_gradient(abut_context *ctx, const abut_system *sys,
                                    const abut_step_options *options, abut_work *w, const vec3 *x,
                                    const abut_contact_set *contacts, double stiffness, int terms,
                                    vec3 *g)
{
  memset(g, 0, (size_t)sys->dynamic * sizeof *g);
  abut_at at = abut_work_at(w, x);
  abut_law_at law_at = {x, sys->surface->dhat, stiffness};
  if (terms & ABUT_SUM_ELEMENTS) {
    ABUT_TRY(add_elements(ctx, sys, w, &at, false, g));
    ABUT_TRY(add_controls(ctx, sys, w, &at, NULL, g));
  }
  if (terms & ABUT_SUM_CONTACTS)
    if (options->method->law)
      ABUT_TRY(add_contacts(ctx, sys, options, w, &law_at, contacts, NULL, g));
  if (terms & ABUT_SUM_CONTACTS) ABUT_TRY(add_constraints(ctx, sys, options, w, &at, NULL, g));
  clear_prescribed(sys, w, g);
  return ABUT_OK;
}

/* ---- matrix ---- */

/* -H p for vertices that have no row: obstacles, which only loose elements know */
static void push_from_obstacles(const abut_system *sys, const abut_loose_set *set, const vec3 *p,
                                vec3 *rhs)
{
  int n = set->elements.corners, blocks = abut_block_count(n);
  for (int32_t e = 0; e < set->elements.count; e++) {
    const int32_t *v = set->elements.vertex + (int64_t)e * n;
    const mat3 *k = set->slot + (int64_t)e * blocks;
    for (int i = 0; i < n; i++) {
      if (v[i] < 0 || v[i] >= sys->dynamic) continue;
      for (int j = 0; j < n; j++) {
        if (v[j] < sys->dynamic) continue;
        vec3 push = i <= j ? m3_apply(k[abut_block_at(n, i, j)], p[v[j]])
                           : m3_apply_transpose(k[abut_block_at(n, j, i)], p[v[j]]);
        rhs[v[i]] = v3_sub(rhs[v[i]], push);
      }
    }
  }
}

/* the displacement that prescribed vertices have left acts on their neighbours */
static void push_from_prescribed(const abut_context *ctx, const abut_system *sys, abut_work *w)
{
  /* rows of free vertices of H p, with p zero on free vertices */
  for (int32_t v = 0; v < sys->dynamic; v++)
    w->g_trial[v] = w->drive.prescribed[v] ? w->p[v] : v3(0, 0, 0);
  abut_matrix_apply(ctx, &w->a, w->g_trial, w->rhs);
  for (int32_t v = 0; v < sys->dynamic; v++) w->rhs[v] = v3_neg(v3_add(w->rhs[v], w->g[v]));
  for (int s = 0; s < w->loose_sets; s++) push_from_obstacles(sys, &w->loose[s], w->p, w->rhs);
}

abut_status abut_objective_assemble_elements(abut_context *ctx, const abut_system *sys,
                                             abut_work *w)
{
  abut_at at = abut_work_at(w, w->x);
  memset(w->g, 0, (size_t)sys->dynamic * sizeof *w->g);
  int64_t blocks = w->a.base.start[w->a.rows];
  memset(w->a.base.value, 0, (size_t)blocks * sizeof *w->a.base.value);
  return add_elements(ctx, sys, w, &at, true, w->g);
}

abut_status abut_objective_assemble_rest(abut_context *ctx, const abut_system *sys,
                                         const abut_step_options *options, abut_work *w)
{
  abut_at at = abut_work_at(w, w->x);
  abut_law_at law_at = {w->x, sys->surface->dhat, w->stiffness};
  ABUT_TRY(start_loose(ctx, &w->now, w));
  mat3 *next = w->matrix_slot;
  ABUT_TRY(add_controls(ctx, sys, w, &at, &next, w->g));
  if (options->method->law)
    ABUT_TRY(add_contacts(ctx, sys, options, w, &law_at, &w->now, &next, w->g));
  ABUT_TRY(add_constraints(ctx, sys, options, w, &at, &next, w->g));
  ABUT_TRY(abut_assembly_extra(ctx, w->loose, w->loose_sets, &w->a));

  if (w->moving)
    push_from_prescribed(ctx, sys, w);
  else
    for (int32_t v = 0; v < sys->dynamic; v++) w->rhs[v] = v3_neg(w->g[v]);
  clear_prescribed(sys, w, w->g);
  for (int32_t v = 0; v < sys->dynamic; v++)
    if (w->drive.prescribed[v]) w->rhs[v] = w->moving ? w->p[v] : v3(0, 0, 0);
  abut_matrix_fix(ctx, &w->a, w->drive.prescribed);
  return ABUT_OK;
}

abut_status abut_objective_assemble(abut_context *ctx, const abut_system *sys,
                                    const abut_step_options *options, abut_work *w)
{
  ABUT_TRY(abut_objective_assemble_elements(ctx, sys, w));
  return abut_objective_assemble_rest(ctx, sys, options, w);
}
