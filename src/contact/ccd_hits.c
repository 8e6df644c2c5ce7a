/* ccd_hits.c: collision detection that names every pair in the way, not only the first. */
#include "base/memory.h"
#include "contact/ccd.h"

void abut_hits_free(abut_context *ctx, abut_hits *hits)
{
  for (int k = 0; k < ABUT_MAX_CHUNKS; k++) abut_free(ctx, hits->list[k].item);
  abut_free(ctx, hits->item);
  *hits = (abut_hits){0};
}

typedef struct hit_job {
  abut_context *ctx;
  const abut_surface *s;
  const uint64_t *key;
  const vec3 *x, *p;
  double floor;
  int64_t count;
  int chunks;
  abut_hits *hits;
} hit_job;

static abut_status find_in(const hit_job *job, int chunk)
{
  struct abut_hit_list *list = &job->hits->list[chunk];
  int64_t end = abut_chunk_begin(job->count, job->chunks, chunk + 1);
  for (int64_t i = abut_chunk_begin(job->count, job->chunks, chunk); i < end; i++) {
    ccd_answer a = abut_ccd_pair(job->s, job->key[i], job->x, job->p, job->floor, 1);
    if (a.status == CCD_CLEAR) continue;
    ABUT_RESERVE(job->ctx, list->item, list->room, list->count + 1);
    list->item[list->count++] = (abut_hit){job->key[i], a.t};
  }
  return ABUT_OK;
}

static double find_chunks(void *arg, int64_t begin, int64_t end)
{
  double failed = 0;
  for (int64_t chunk = begin; chunk < end; chunk++)
    if (find_in(arg, (int)chunk) != ABUT_OK) failed = 1;
  return failed;
}

static abut_status gather(abut_context *ctx, abut_hits *hits)
{
  int64_t total = 0;
  for (int k = 0; k < ABUT_MAX_CHUNKS; k++) total += hits->list[k].count;
  if (total > INT32_MAX)
    return abut_fail(ctx, ABUT_STOPPED, "%lld collisions at once are more than can be numbered",
                     (long long)total);
  ABUT_RESERVE(ctx, hits->item, hits->room, total);
  hits->count = 0;
  for (int k = 0; k < ABUT_MAX_CHUNKS; k++)
    for (int64_t i = 0; i < hits->list[k].count; i++)
      hits->item[hits->count++] = hits->list[k].item[i];
  return ABUT_OK;
}

abut_status abut_ccd_hits(abut_context *ctx, const abut_surface *s,
                          const abut_candidates *candidates, const vec3 *x, const vec3 *p,
                          double floor, abut_hits *hits, abut_ccd_limit *limit)
{
  for (int k = 0; k < ABUT_MAX_CHUNKS; k++) hits->list[k].count = 0;
  hit_job job = {.ctx = ctx,
                 .s = s,
                 .key = candidates->key,
                 .x = x,
                 .p = p,
                 .floor = floor,
                 .count = candidates->count,
                 .hits = hits};
  job.chunks = abut_chunk_count(job.count, 512);
  if (abut_parallel_max(ctx, job.chunks, 1, find_chunks, &job) > 0) return ABUT_NO_MEMORY;
  ABUT_TRY(gather(ctx, hits));
  *limit = (abut_ccd_limit){1, 0, CCD_CLEAR};
  for (int64_t i = 0; i < hits->count; i++) {
    const abut_hit *h = &hits->item[i];
    if (abut_ccd_tighter(h->t, h->key, limit)) *limit = (abut_ccd_limit){h->t, h->key, CCD_HIT};
  }
  return ABUT_OK;
}
