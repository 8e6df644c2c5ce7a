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

static ccd_answer plane_pair(const abut_surface *s, uint64_t key, vec3 x, vec3 p)
{
  int32_t plane = abut_pair_second(key);
  vec3 n = s->plane_normal[plane], o = s->plane_point[plane];
  double floor = CCD_FLOOR * ccd_size(o, v3(0, 0, 0), ccd_size(x, p, 0));
  double gap = v3_dot(n, v3_sub(x, o)) - abut_pair_offset(s, key) - floor;
  double approach = -v3_dot(n, p);
  if (!(floor < K_INFINITY)) return ccd_make(CCD_HIT, 0);
  if (approach <= 0) return ccd_make(CCD_CLEAR, 1);
  if (gap <= 0) return ccd_make(CCD_HIT, 0);
  double ratio = gap / approach;
  return ratio > 1 ? ccd_make(CCD_CLEAR, 1) : ccd_make(CCD_HIT, 0.9 * ratio);
}

ccd_answer abut_ccd_pair(const abut_surface *s, uint64_t key, const vec3 *x, const vec3 *p,
                         double enough)
{
  int32_t v[4];
  abut_pair_kind pair = abut_pair_kind_of(key);
  int n = abut_pair_vertices(s, key, v);
  if (n == 1) return plane_pair(s, key, x[v[0]], p[v[0]]);
  quad qx, qp;
  for (int k = 0; k < 4; k++) {
    qx.p[k] = k < n ? x[v[k]] : v3(0, 0, 0);
    qp.p[k] = k < n ? p[v[k]] : v3(0, 0, 0);
  }
  int kind = kernel_kind(pair);
  double xi = abut_pair_offset(s, key) + ccd_floor(kind, qx, qp);
  if (!(xi < K_INFINITY)) return ccd_make(CCD_HIT, 0); /* a motion that is no number */
  if (ccd_clear_on_axes(kind, qx, qp, xi)) return ccd_make(CCD_CLEAR, 1);
  return ccd_walls(kind, qx, qp, xi, ITERATIONS, enough);
}

/* A quick yes for the pairs that are many; abut_ccd_pair would say the same. floor: that of the
   largest coordinate of all. */
static bool surely_clear(const abut_surface *s, uint64_t key, const vec3 *x, const vec3 *p,
                         double floor)
{
  int32_t a = abut_pair_first(key), b = abut_pair_second(key);
  switch (abut_pair_kind_of(key)) {
  case ABUT_VERTEX_FACE: {
    const int32_t v = s->point[a], *f = s->face + 3 * (int64_t)b;
    quad qx = {{x[v], x[f[0]], x[f[1]], x[f[2]]}}, qp = {{p[v], p[f[0]], p[f[1]], p[f[2]]}};
    return ccd_clear_on_axes(CCD_POINT_TRIANGLE, qx, qp, s->gap + floor);
  }
  case ABUT_EDGE_EDGE: {
    const int32_t *e = s->edge + 2 * (int64_t)a, *f = s->edge + 2 * (int64_t)b;
    quad qx = {{x[e[0]], x[e[1]], x[f[0]], x[f[1]]}}, qp = {{p[e[0]], p[e[1]], p[f[0]], p[f[1]]}};
    return ccd_clear_on_axes(CCD_EDGE_EDGE, qx, qp, s->gap + floor);
  }
  default: return false;
  }
}

typedef struct bound_job {
  const abut_surface *s;
  const uint64_t *key;
  const vec3 *x, *p;
  int64_t count;
  int chunks;
  double floor;
  abut_ccd_limit limit[ABUT_MAX_CHUNKS];
} bound_job;

/* smaller alpha first, then smaller key, so that ties do not depend on the order of candidates */
static bool tighter(double alpha, uint64_t pair, const abut_ccd_limit *than)
{
  return alpha < than->alpha || (alpha == than->alpha && alpha < 1 && pair < than->pair);
}

static void bound_chunks(void *arg, int64_t begin, int64_t end)
{
  bound_job *job = arg;
  for (int64_t chunk = begin; chunk < end; chunk++) {
    abut_ccd_limit limit = {1, 0, CCD_CLEAR};
    int64_t last = abut_chunk_begin(job->count, job->chunks, (int)chunk + 1);
    for (int64_t i = abut_chunk_begin(job->count, job->chunks, (int)chunk); i < last; i++) {
      if (surely_clear(job->s, job->key[i], job->x, job->p, job->floor)) continue;
      ccd_answer a = abut_ccd_pair(job->s, job->key[i], job->x, job->p, limit.alpha);
      if (a.status == CCD_CLEAR || !tighter(a.t, job->key[i], &limit)) continue;
      limit = (abut_ccd_limit){a.t, job->key[i], a.status};
    }
    job->limit[chunk] = limit;
  }
}

static double largest_coordinate(void *arg, int64_t begin, int64_t end)
{
  const bound_job *job = arg;
  double size = 0;
  for (int64_t v = begin; v < end; v++) size = ccd_size(job->x[v], job->p[v], size);
  return size;
}

abut_ccd_limit abut_ccd_bound(const abut_context *ctx, const abut_surface *s,
                              const abut_candidates *candidates, const vec3 *x, const vec3 *p)
{
  bound_job job = {.s = s, .key = candidates->key, .x = x, .p = p, .count = candidates->count};
  job.chunks = abut_chunk_count(job.count, 512);
  if (job.count > 0)
    job.floor = CCD_FLOOR * abut_parallel_max(ctx, s->vertices, 4096, largest_coordinate, &job);
  abut_parallel_for(ctx, job.chunks, 1, bound_chunks, &job);
  abut_ccd_limit limit = {1, 0, CCD_CLEAR};
  for (int c = 0; c < job.chunks; c++)
    if (tighter(job.limit[c].alpha, job.limit[c].pair, &limit)) limit = job.limit[c];
  return limit;
}
