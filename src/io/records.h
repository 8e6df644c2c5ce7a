/* records.h: what a run writes about itself: steps.jsonl and summary.json. */
#ifndef ABUT_IO_RECORDS_H
#define ABUT_IO_RECORDS_H

#include "base/text.h"
#include "io/checkpoint.h"
#include "step/report.h"

typedef struct abut_run_summary {
  const char *status; /* running, done, stopped, interrupted, failed */
  const char *reason; /* NULL without */
  const char *scene, *method;
  int64_t steps;
  double time;
  abut_totals totals;
  int64_t peak_memory; /* bytes */
  int threads;
  uint64_t state_hash;
} abut_run_summary;

/* one line, with its newline */
abut_status abut_print_step(abut_context *ctx, const abut_step_report *r, abut_text *out);
abut_status abut_print_summary(abut_context *ctx, const abut_run_summary *s, abut_text *out);

/* adds a step to the sums of its run */
void abut_totals_add(abut_totals *t, const abut_step_report *r);

#endif
