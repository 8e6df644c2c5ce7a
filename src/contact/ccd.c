#include "contact/ccd.h"

#include "contact/contact.h"

enum { ITERATIONS = 256 };

static int kernel_kind(abut_pair_kind kind)
{
  switch (kind) {
  case ABUT_EDGE_EDGE: return CCD_EDGE_EDGE;
  case ABUT_BALL_BALL: return CCD_POINT_POINT;
  default: return CCD_POINT_TRIANGLE;
  }
}

/* what a pair that keeps apart by gap (m) may come down to */
static double lowest(double gap, double floor)
{
  return gap > 0 ? fmin(floor, 0.5 * gap) : 0;
}

static ccd_answer plane_pair(const abut_surface *s, uint64_t key, vec3 x, vec3 p, double least)
{
  int32_t plane = abut_pair_second(key);
  vec3 n = s->plane_normal[plane], o = s->plane_point[plane];
  double floor = CCD_FLOOR * ccd_size(o, v3(0, 0, 0), ccd_size(x, p, 0));
  double gap = v3_dot(n, v3_sub(x, o)) - abut_pair_offset(s, key);
  double approach = -v3_dot(n, p);
  if (!(floor < K_INFINITY)) return ccd_make(CCD_HIT, 0);
  gap -= fmax(floor, lowest(gap, least));
  if (approach <= 0) return ccd_make(CCD_CLEAR, 1);
  if (gap <= 0) return ccd_make(CCD_HIT, 0);
  double ratio = gap / approach;
  return ratio > 1 ? ccd_make(CCD_CLEAR, 1) : ccd_make(CCD_HIT, 0.9 * ratio);
}

ccd_answer abut_ccd_pair(const abut_surface *s, uint64_t key, const vec3 *x, const vec3 *p,
                         double floor, double enough)
{
  int32_t v[4];
  abut_pair_kind pair = abut_pair_kind_of(key);
  int n = abut_pair_vertices(s, key, v);
  if (n == 1) return plane_pair(s, key, x[v[0]], p[v[0]], floor);
  quad qx, qp;
  for (int k = 0; k < 4; k++) {
    qx.p[k] = k < n ? x[v[k]] : v3(0, 0, 0);
    qp.p[k] = k < n ? p[v[k]] : v3(0, 0, 0);
  }
  int kind = kernel_kind(pair);
  double offset = abut_pair_offset(s, key), rounding = ccd_floor(kind, qx, qp);
  if (!(rounding < K_INFINITY)) return ccd_make(CCD_HIT, 0); /* a motion that is no number */
  if (ccd_clear_on_axes(kind, qx, qp, offset + fmax(rounding, floor)))
    return ccd_make(CCD_CLEAR, 1);
  if (floor > 0) floor = lowest(sqrt(ccd_closest(kind, qx).d2) - offset, floor);
  return ccd_walls(kind, qx, qp, offset + fmax(rounding, floor), ITERATIONS, enough);
}

typedef struct bound_job {
  const abut_surface *s;
  const uint64_t *key;
  const vec3 *x, *p;
  int64_t count;
  int chunks;
  abut_ccd_limit limit[ABUT_MAX_CHUNKS];
} bound_job;

static void bound_chunks(void *arg, int64_t begin, int64_t end)
{
  bound_job *job = arg;
  for (int64_t chunk = begin; chunk < end; chunk++) {
    abut_ccd_limit limit = {1, 0, CCD_CLEAR};
    int64_t last = abut_chunk_begin(job->count, job->chunks, (int)chunk + 1);
    for (int64_t i = abut_chunk_begin(job->count, job->chunks, (int)chunk); i < last; i++) {
      ccd_answer a = abut_ccd_pair(job->s, job->key[i], job->x, job->p, 0, limit.alpha);
      if (a.status == CCD_CLEAR || !abut_ccd_tighter(a.t, job->key[i], &limit)) continue;
      limit = (abut_ccd_limit){a.t, job->key[i], a.status};
    }
    job->limit[chunk] = limit;
  }
}

abut_ccd_limit abut_ccd_bound(const abut_context *ctx, const abut_surface *s,
                              const abut_candidates *candidates, const vec3 *x, const vec3 *p)
{
  bound_job job = {.s = s, .key = candidates->key, .x = x, .p = p, .count = candidates->count};
  job.chunks = abut_chunk_count(job.count, 512);
  abut_parallel_for(ctx, job.chunks, 1, bound_chunks, &job);
  abut_ccd_limit limit = {1, 0, CCD_CLEAR};
  for (int c = 0; c < job.chunks; c++)
    if (abut_ccd_tighter(job.limit[c].alpha, job.limit[c].pair, &limit)) limit = job.limit[c];
  return limit;
}
