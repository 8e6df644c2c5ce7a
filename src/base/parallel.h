/* parallel.h: loops over chunks. How work is cut depends on the number of items alone, never on
   the number of threads, so sums come out the same for any thread count. Chunk bodies must not
   use scratch memory or touch what another chunk writes. */
#ifndef ABUT_BASE_PARALLEL_H
#define ABUT_BASE_PARALLEL_H

#include "base/context.h"

enum { ABUT_MAX_CHUNKS = 256 };

/* Runs fn on the calling thread with ctx->threads - 1 others ready to help: loops and tasks inside
   share one team, and whoever waits for a loop only waits for chunks that others have begun.
   Helpers whose processor is busy with something else are not waited for. Nested calls are fine. */
typedef void abut_team_fn(void *arg);
void abut_team_run(const abut_context *ctx, abut_team_fn *fn, void *arg);

typedef void abut_range_fn(void *arg, int64_t begin, int64_t end);
typedef double abut_sum_fn(void *arg, int64_t begin, int64_t end);

/* Number of chunks that n items are cut into: about n / grain, at most ABUT_MAX_CHUNKS. Chunk c
   covers [abut_chunk_begin(c), abut_chunk_begin(c + 1)). */
int abut_chunk_count(int64_t n, int64_t grain);
int64_t abut_chunk_begin(int64_t n, int chunks, int chunk);

/* fn once per chunk, in any order, on any thread */
void abut_parallel_for(const abut_context *ctx, int64_t n, int64_t grain, abut_range_fn *fn,
                       void *arg);
/* the same, told which chunk it is, below ABUT_MAX_CHUNKS: a place for that chunk's results */
typedef void abut_chunk_fn(void *arg, int chunk, int64_t begin, int64_t end);
void abut_parallel_chunks(const abut_context *ctx, int64_t n, int64_t grain, abut_chunk_fn *fn,
                          void *arg);
/* the chunks' sums, added in order */
double abut_parallel_sum(const abut_context *ctx, int64_t n, int64_t grain, abut_sum_fn *fn,
                         void *arg);
/* the smallest (largest) of the chunks' results; INFINITY (-INFINITY) when n is 0 */
double abut_parallel_min(const abut_context *ctx, int64_t n, int64_t grain, abut_sum_fn *fn,
                         void *arg);
double abut_parallel_max(const abut_context *ctx, int64_t n, int64_t grain, abut_sum_fn *fn,
                         void *arg);

/* number of the calling thread inside a parallel loop, 0 .. ctx->threads - 1: an index into
   private scratch, never into results */
int abut_thread_index(void);

#endif
