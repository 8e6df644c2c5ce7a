#include "base/parallel.h"

#include <math.h>

#ifdef _OPENMP
#include <omp.h>
#endif

int abut_chunk_count(int64_t n, int64_t grain)
{
  int64_t chunks = (n + grain - 1) / grain;
  return chunks > ABUT_MAX_CHUNKS ? ABUT_MAX_CHUNKS : (int)chunks;
}

int64_t abut_chunk_begin(int64_t n, int chunks, int chunk)
{
  return n / chunks * chunk + n % chunks * chunk / chunks;
}

int abut_thread_index(void)
{
#ifdef _OPENMP
  return omp_get_thread_num();
#else
  return 0;
#endif
}

void abut_parallel_for(const abut_context *ctx, int64_t n, int64_t grain, abut_range_fn *fn,
                       void *arg)
{
  int chunks = abut_chunk_count(n, grain), threads = ctx->threads;
  if (chunks == 1 || threads == 1) {
    for (int c = 0; c < chunks; c++)
      fn(arg, abut_chunk_begin(n, chunks, c), abut_chunk_begin(n, chunks, c + 1));
    return;
  }
  (void)threads; /* without OpenMP */
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
  for (int c = 0; c < chunks; c++)
    fn(arg, abut_chunk_begin(n, chunks, c), abut_chunk_begin(n, chunks, c + 1));
}

void abut_parallel_chunks(const abut_context *ctx, int64_t n, int64_t grain, abut_chunk_fn *fn,
                          void *arg)
{
  int chunks = abut_chunk_count(n, grain), threads = chunks > 1 ? ctx->threads : 1;
  (void)threads; /* without OpenMP */
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads) if (threads > 1)
  for (int c = 0; c < chunks; c++)
    fn(arg, c, abut_chunk_begin(n, chunks, c), abut_chunk_begin(n, chunks, c + 1));
}

/* one result per chunk into part; returns how many there are */
static int reduce(const abut_context *ctx, int64_t n, int64_t grain, abut_sum_fn *fn, void *arg,
                  double part[ABUT_MAX_CHUNKS])
{
  int chunks = abut_chunk_count(n, grain), threads = ctx->threads;
  if (chunks <= 1) threads = 1;
  (void)threads;
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads) if (threads > 1)
  for (int c = 0; c < chunks; c++)
    part[c] = fn(arg, abut_chunk_begin(n, chunks, c), abut_chunk_begin(n, chunks, c + 1));
  return chunks;
}

double abut_parallel_sum(const abut_context *ctx, int64_t n, int64_t grain, abut_sum_fn *fn,
                         void *arg)
{
  double part[ABUT_MAX_CHUNKS], total = 0;
  int chunks = reduce(ctx, n, grain, fn, arg, part);
  for (int c = 0; c < chunks; c++) total += part[c];
  return total;
}

double abut_parallel_min(const abut_context *ctx, int64_t n, int64_t grain, abut_sum_fn *fn,
                         void *arg)
{
  double part[ABUT_MAX_CHUNKS], least = INFINITY;
  int chunks = reduce(ctx, n, grain, fn, arg, part);
  for (int c = 0; c < chunks; c++) least = part[c] < least ? part[c] : least;
  return least;
}

double abut_parallel_max(const abut_context *ctx, int64_t n, int64_t grain, abut_sum_fn *fn,
                         void *arg)
{
  double part[ABUT_MAX_CHUNKS], most = -INFINITY;
  int chunks = reduce(ctx, n, grain, fn, arg, part);
  for (int c = 0; c < chunks; c++) most = part[c] > most ? part[c] : most;
  return most;
}
