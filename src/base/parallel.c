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

/* ---- teams ---- */

static bool in_team(void)
{
#ifdef _OPENMP
  return omp_in_parallel() != 0;
#else
  return true;
#endif
}

void abut_team_run(const abut_context *ctx, abut_team_fn *fn, void *arg)
{
  int threads = ctx->threads;
  if (threads == 1 || in_team()) {
    fn(arg);
    return;
  }
#pragma omp parallel num_threads(threads)
#pragma omp master
  fn(arg);
}

/* ---- loops ---- */

typedef struct loop {
  abut_chunk_fn *fn;
  void *arg;
  int64_t n;
  int chunks, next; /* next: the first chunk that nobody has taken */
  int helpers;
} loop;

/* takes chunks until there are none left */
static void work(loop *l)
{
  for (;;) {
    int c;
#pragma omp atomic capture
    c = l->next++;
    if (c >= l->chunks) return;
    l->fn(l->arg, c, abut_chunk_begin(l->n, l->chunks, c),
          abut_chunk_begin(l->n, l->chunks, c + 1));
  }
}

/* One task per helper, not per chunk. A task that nobody has begun by the time the chunks are done
   finds nothing to do. */
static void work_together(void *arg)
{
  loop *l = arg;
  for (int k = 0; k < l->helpers; k++) {
#pragma omp task firstprivate(l)
    work(l);
  }
  work(l);
#pragma omp taskwait
}

void abut_parallel_chunks(const abut_context *ctx, int64_t n, int64_t grain, abut_chunk_fn *fn,
                          void *arg)
{
  loop l = {.fn = fn, .arg = arg, .n = n, .chunks = abut_chunk_count(n, grain)};
  l.helpers = (ctx->threads < l.chunks ? ctx->threads : l.chunks) - 1;
  if (l.helpers <= 0)
    work(&l);
  else
    abut_team_run(ctx, work_together, &l);
}

typedef struct range_loop {
  abut_range_fn *fn;
  void *arg;
} range_loop;

static void range_chunk(void *arg, int chunk, int64_t begin, int64_t end)
{
  const range_loop *r = arg;
  (void)chunk;
  r->fn(r->arg, begin, end);
}

void abut_parallel_for(const abut_context *ctx, int64_t n, int64_t grain, abut_range_fn *fn,
                       void *arg)
{
  range_loop r = {fn, arg};
  abut_parallel_chunks(ctx, n, grain, range_chunk, &r);
}

/* ---- reductions ---- */

typedef struct reduction {
  abut_sum_fn *fn;
  void *arg;
  double part[ABUT_MAX_CHUNKS];
} reduction;

static void reduce_chunk(void *arg, int chunk, int64_t begin, int64_t end)
{
  reduction *r = arg;
  r->part[chunk] = r->fn(r->arg, begin, end);
}

double abut_parallel_sum(const abut_context *ctx, int64_t n, int64_t grain, abut_sum_fn *fn,
                         void *arg)
{
  reduction r = {.fn = fn, .arg = arg};
  double total = 0;
  abut_parallel_chunks(ctx, n, grain, reduce_chunk, &r);
  for (int c = 0; c < abut_chunk_count(n, grain); c++) total += r.part[c];
  return total;
}

double abut_parallel_min(const abut_context *ctx, int64_t n, int64_t grain, abut_sum_fn *fn,
                         void *arg)
{
  reduction r = {.fn = fn, .arg = arg};
  double least = INFINITY;
  abut_parallel_chunks(ctx, n, grain, reduce_chunk, &r);
  for (int c = 0; c < abut_chunk_count(n, grain); c++)
    least = r.part[c] < least ? r.part[c] : least;
  return least;
}

double abut_parallel_max(const abut_context *ctx, int64_t n, int64_t grain, abut_sum_fn *fn,
                         void *arg)
{
  reduction r = {.fn = fn, .arg = arg};
  double most = -INFINITY;
  abut_parallel_chunks(ctx, n, grain, reduce_chunk, &r);
  for (int c = 0; c < abut_chunk_count(n, grain); c++) most = r.part[c] > most ? r.part[c] : most;
  return most;
}
