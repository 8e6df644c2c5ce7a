#include "io/records.h"

#include <math.h>

#include "io/json.h"

/* JSON has no infinity */
static abut_status number(abut_context *ctx, abut_text *out, const char *key, double value)
{
  ABUT_TRY(abut_text_add(ctx, out, "\"%s\": ", key));
  if (!isfinite(value)) return abut_text_add(ctx, out, "null");
  return abut_text_add_double(ctx, out, value);
}

static abut_status numbers(abut_context *ctx, abut_text *out, const char *const *key,
                           const double *value, int count)
{
  for (int k = 0; k < count; k++) {
    if (k > 0) ABUT_TRY(abut_text_add(ctx, out, ", "));
    ABUT_TRY(number(ctx, out, key[k], value[k]));
  }
  return ABUT_OK;
}

static abut_status vector(abut_context *ctx, abut_text *out, const char *key, vec3 v)
{
  const double c[3] = {v.x, v.y, v.z};
  ABUT_TRY(abut_text_add(ctx, out, ", \"%s\": [", key));
  for (int k = 0; k < 3; k++) {
    if (k > 0) ABUT_TRY(abut_text_add(ctx, out, ", "));
    ABUT_TRY(abut_text_add_double(ctx, out, c[k]));
  }
  return abut_text_add(ctx, out, "]");
}

static abut_status energies(abut_context *ctx, const abut_energies *e, abut_text *out)
{
  static const char *const key[] = {"kinetic", "elastic",  "bending", "gravity",
                                    "contact", "friction", "control"};
  const double value[] = {e->kinetic, e->elastic,  e->bending, e->gravity,
                          e->contact, e->friction, e->control};
  ABUT_TRY(abut_text_add(ctx, out, ", \"energy\": {"));
  ABUT_TRY(numbers(ctx, out, key, value, 7));
  return abut_text_add(ctx, out, "}");
}

static abut_status walls(abut_context *ctx, const abut_wall *w, abut_text *out)
{
  static const char *const key[] = {"assembly", "linear",      "factorization", "broad",
                                    "narrow",   "line_search", "total"};
  const double value[] = {w->assembly, w->linear,      w->factorization, w->broad,
                          w->narrow,   w->line_search, w->total};
  ABUT_TRY(abut_text_add(ctx, out, ", \"wall\": {"));
  ABUT_TRY(numbers(ctx, out, key, value, 7));
  return abut_text_add(ctx, out, "}");
}

abut_status abut_print_step(abut_context *ctx, const abut_step_report *r, abut_text *out)
{
  static const char *const when[] = {"time", "dt"};
  ABUT_TRY(abut_text_add(ctx, out, "{\"step\": %lld, ", (long long)r->step));
  ABUT_TRY(numbers(ctx, out, when, (double[]){r->time, r->dt}, 2));
  ABUT_TRY(abut_text_add(ctx, out,
                         ", \"status\": \"%s\", \"newton\": %lld, "
                         "\"linear_iterations\": %lld, \"factorizations\": %lld, "
                         "\"halvings\": %d, \"contacts\": %lld, \"constraints\": %lld, "
                         "\"candidates\": %lld, ",
                         abut_step_status_name(r->status), (long long)r->newton,
                         (long long)r->linear_iterations, (long long)r->factorizations, r->halvings,
                         (long long)r->contacts, (long long)r->constraints,
                         (long long)r->candidates));
  static const char *const key[] = {"min_gap", "step_fraction", "residual", "boundary_lag"};
  const double value[] = {r->min_gap, r->step_fraction, r->residual, r->boundary_lag};
  ABUT_TRY(numbers(ctx, out, key, value, 4));
  ABUT_TRY(energies(ctx, &r->energy, out));
  ABUT_TRY(vector(ctx, out, "momentum", r->momentum));
  ABUT_TRY(vector(ctx, out, "angular_momentum", r->angular_momentum));
  ABUT_TRY(walls(ctx, &r->wall, out));
  return abut_text_add(ctx, out, "}\n");
}

static abut_status text(abut_context *ctx, abut_text *out, const char *key, const char *value)
{
  ABUT_TRY(abut_text_add(ctx, out, "  \"%s\": ", key));
  ABUT_TRY(value ? abut_json_quote(ctx, value, out) : abut_text_add(ctx, out, "null"));
  return abut_text_add(ctx, out, ",\n");
}

abut_status abut_print_summary(abut_context *ctx, const abut_run_summary *s, abut_text *out)
{
  const abut_totals *t = &s->totals;
  ABUT_TRY(abut_text_add(ctx, out, "{\n"));
  ABUT_TRY(text(ctx, out, "version", ABUT_VERSION));
  ABUT_TRY(text(ctx, out, "scene", s->scene));
  ABUT_TRY(text(ctx, out, "method", s->method));
  ABUT_TRY(text(ctx, out, "status", s->status));
  ABUT_TRY(text(ctx, out, "reason", s->reason));
  ABUT_TRY(abut_text_add(ctx, out,
                         "  \"steps\": %lld,\n  \"capped\": %lld,\n  \"lagged\": %lld,\n  ",
                         (long long)s->steps, (long long)t->capped, (long long)t->lagged));
  ABUT_TRY(number(ctx, out, "time", s->time));
  ABUT_TRY(abut_text_add(ctx, out,
                         ",\n  \"newton\": %lld,\n"
                         "  \"linear_iterations\": %lld,\n  \"factorizations\": %lld,\n"
                         "  \"max_contacts\": %lld,\n  ",
                         (long long)t->newton, (long long)t->linear_iterations,
                         (long long)t->factorizations, (long long)t->max_contacts));
  ABUT_TRY(number(ctx, out, "min_gap", t->min_gap));
  ABUT_TRY(abut_text_add(ctx, out, ",\n  "));
  ABUT_TRY(number(ctx, out, "wall_seconds", t->wall_seconds));
  return abut_text_add(ctx, out,
                       ",\n  \"peak_memory_bytes\": %lld,\n  \"threads\": %d,\n"
                       "  \"state_hash\": \"%016llx\"\n}\n",
                       (long long)s->peak_memory, s->threads, (unsigned long long)s->state_hash);
}

void abut_totals_add(abut_totals *t, const abut_step_report *r)
{
  t->newton += r->newton;
  t->linear_iterations += r->linear_iterations;
  t->factorizations += r->factorizations;
  t->capped += r->status == ABUT_STEP_CAPPED;
  t->lagged += r->boundary_lag > 0;
  if (r->contacts > t->max_contacts) t->max_contacts = r->contacts;
  t->min_gap = fmin(t->min_gap, r->min_gap);
  t->wall_seconds += r->wall.total;
}
