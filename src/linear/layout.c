#include <string.h>

#include "base/scratch.h"
#include "linear/symbolic.h"

/* Who works on what changes nothing about the numbers, so it may depend on the number of threads:
   one does all in one job, which keeps the updates few and in the caches. A job of several takes
   at least so much estimated time (s), and PARTS of the largest make each thread's share. */
static const double LEAST_JOB = 1e-4;
enum { PARTS = 8 };

typedef struct plan {
  abut_symbolic *s;
  double grain;
  double *subtree;   /* cost of a front and all below it     (fronts) */
  int32_t *earliest; /* first front of the subtree           (fronts) */
  int32_t *job_of;   /* job whose last front it is, or -1    (fronts) */
} plan;

static int32_t add_job(plan *p, int32_t begin, int32_t end)
{
  abut_symbolic *s = p->s;
  s->job[s->jobs] = (abut_job){begin, end, -1, -1, -1, -1};
  return s->jobs++;
}

static void add_child(plan *p, int32_t parent, int32_t child)
{
  abut_job *job = p->s->job;
  job[child].parent = parent;
  job[child].sibling = job[parent].child;
  job[parent].child = child;
}

/* Cuts the small subtrees of c and the children after it into jobs of about the grain. They are
   neighbours in postorder, so a job is a range. */
static void group_small(plan *p, int32_t c)
{
  const abut_front *front = p->s->front;
  while (c >= 0) {
    int32_t begin = p->earliest[c], last = c;
    double sum = 0;
    for (; c >= 0 && sum < p->grain; c = front[c].sibling) {
      sum += p->subtree[c];
      last = c;
    }
    add_job(p, begin, last + 1);
  }
}

/* Gives the front at s, or all roots for s = fronts, to a job. Children come with the dearest
   subtree first: those above the grain have jobs already. */
static void place_front(plan *p, int32_t s, int32_t first_child)
{
  const abut_front *front = p->s->front;
  double small = 0;
  int32_t large = 0, c = first_child;
  for (; c >= 0 && p->job_of[c] >= 0; c = front[c].sibling) large++;
  for (int32_t i = c; i >= 0; i = front[i].sibling) small += p->subtree[i];

  /* one road only: whatever hangs on the way is done by the one who walks it */
  if (large <= 1 && small <= p->grain && s < p->s->fronts) {
    if (large == 0)
      p->job_of[s] = add_job(p, p->earliest[s], s + 1);
    else
      p->s->job[p->job_of[s] = p->job_of[first_child]].end = s + 1;
    return;
  }
  int32_t before = p->s->jobs;
  group_small(p, c);
  int32_t here = add_job(p, s, s < p->s->fronts ? s + 1 : s);
  for (int32_t j = here - 1; j >= before; j--) add_child(p, here, j);
  for (int32_t i = first_child; i != c; i = front[i].sibling) add_child(p, here, p->job_of[i]);
  if (s < p->s->fronts) p->job_of[s] = here;
}

static abut_status make_jobs(abut_context *ctx, const double *cost, abut_symbolic *s)
{
  int32_t n = s->fronts;
  plan p = {.s = s};
  p.subtree = ABUT_SCRATCH(ctx, double, n);
  p.earliest = ABUT_SCRATCH(ctx, int32_t, n);
  p.job_of = ABUT_SCRATCH(ctx, int32_t, n);
  if (!p.subtree || !p.earliest || !p.job_of) return ABUT_NO_MEMORY;
  ABUT_RENEW(ctx, s->job, s->job_room, 2 * (int64_t)n + 2);
  s->jobs = 0;

  double total = 0;
  int32_t root = -1, *tail = &root;
  for (int32_t i = 0; i < n; i++) {
    abut_front *f = &s->front[i];
    p.job_of[i] = -1;
    p.subtree[i] = cost[i];
    p.earliest[i] = i;
    for (int32_t c = f->child; c >= 0; c = s->front[c].sibling) p.subtree[i] += p.subtree[c];
    if (f->child >= 0) p.earliest[i] = p.earliest[f->child];
    if (f->parent >= 0) continue;
    total += p.subtree[i];
    *tail = i;
    tail = &f->sibling;
  }
  double part = total / (PARTS * ctx->threads);
  p.grain = ctx->threads == 1 ? 2 * total : part > LEAST_JOB ? part : LEAST_JOB;
  for (int32_t i = 0; i < n; i++)
    if (p.subtree[i] > p.grain) place_front(&p, i, s->front[i].child);
  place_front(&p, n, root);
  s->root = s->jobs - 1;
  return ABUT_OK;
}

/* Updates within a job: those of fronts at even depth on one stack, at odd depth on another, so
   that a front's update can be written while those of its children, on top of the other stack, are
   still there. Returns the doubles both take. */
static int64_t stack_updates(const abut_job *job, const int32_t *depth, abut_symbolic *s)
{
  int64_t size[2] = {0, 0}, most[2] = {0, 0};
  for (int32_t i = job->begin; i < job->end; i++) {
    abut_front *f = &s->front[i];
    int odd = depth[i] % 2;
    if (f->parent >= 0 && f->parent < job->end) {
      f->update = size[odd];
      size[odd] += abut_front_update_size(f);
      if (size[odd] > most[odd]) most[odd] = size[odd];
    }
    for (int32_t c = f->child; c >= 0; c = s->front[c].sibling)
      if (c >= job->begin) size[!odd] -= abut_front_update_size(&s->front[c]);
  }
  for (int32_t i = job->begin; i < job->end; i++)
    if (depth[i] % 2 && s->front[i].parent >= 0 && s->front[i].parent < job->end)
      s->front[i].update += most[0];
  return most[0] + most[1];
}

/* Memory in the arena: all updates that leave a job, or the stack of a job with children. */
typedef struct item {
  int32_t job, until; /* job it belongs to; it is dead after job until and all below that */
  int64_t begin, size;
} item;

static bool is_below(const int32_t *earliest, int32_t job, int32_t above)
{
  return earliest[above] <= job && job < above;
}

/* whether two items can be in use at the same time, whoever works on what */
static bool meet(const int32_t *earliest, const item *a, const item *b)
{
  return !(a->until >= 0 && is_below(earliest, a->until, b->job)) &&
         !(b->until >= 0 && is_below(earliest, b->until, a->job));
}

/* The lowest place free of all items that may be in use at the same time. placed holds count items
   by ascending begin; returns where item goes in. */
static int32_t fit_item(const int32_t *earliest, const item *placed, int32_t count, item *new)
{
  new->begin = 0;
  for (int32_t i = 0; i < count; i++) {
    if (!meet(earliest, &placed[i], new)) continue;
    if (new->begin + new->size <= placed[i].begin) break;
    int64_t end = placed[i].begin + placed[i].size;
    if (end > new->begin) new->begin = end;
  }
  int32_t at = count;
  while (at > 0 && placed[at - 1].begin > new->begin) at--;
  return at;
}

static void place_item(abut_symbolic *s, const int32_t *earliest, item *placed, int32_t *count,
                       item *new)
{
  if (new->size == 0) return;
  int32_t at = fit_item(earliest, placed, *count, new);
  memmove(placed + at + 1, placed + at, (size_t)(*count - at) * sizeof *placed);
  placed[at] = *new;
  ++*count;
  if (new->begin + new->size > s->arena_size) s->arena_size = new->begin + new->size;
}

/* updates of the job's fronts whose parents are in other jobs */
static void place_leaving(abut_symbolic *s, int32_t j, const int32_t *earliest, item *placed,
                          int32_t *count)
{
  const abut_job *job = &s->job[j];
  item out = {.job = j, .until = job->parent};
  for (int32_t i = job->begin; i < job->end; i++)
    if (s->front[i].parent >= job->end) out.size += abut_front_update_size(&s->front[i]);
  place_item(s, earliest, placed, count, &out);
  for (int32_t i = job->begin; i < job->end; i++)
    if (s->front[i].parent >= job->end) {
      s->front[i].update = out.begin;
      out.begin += abut_front_update_size(&s->front[i]);
    }
}

static abut_status place_updates(abut_context *ctx, abut_symbolic *s)
{
  int32_t *depth = ABUT_SCRATCH(ctx, int32_t, s->fronts), count = 0;
  int32_t *earliest = ABUT_SCRATCH(ctx, int32_t, s->jobs);
  item *placed = ABUT_SCRATCH(ctx, item, 2 * (int64_t)s->jobs);
  if (!depth || !earliest || !placed) return ABUT_NO_MEMORY;
  for (int32_t i = s->fronts; i-- > 0;)
    depth[i] = s->front[i].parent < 0 ? 0 : depth[s->front[i].parent] + 1;

  s->arena_size = s->stack_size = 0;
  for (int32_t j = 0; j < s->jobs; j++) {
    abut_job *job = &s->job[j];
    earliest[j] = j;
    for (int32_t c = job->child; c >= 0; c = s->job[c].sibling)
      if (earliest[c] < earliest[j]) earliest[j] = earliest[c];
    int64_t size = stack_updates(job, depth, s);
    if (job->child < 0) {
      if (size > s->stack_size) s->stack_size = size;
    } else {
      item own = {.job = j, .until = j, .size = size};
      place_item(s, earliest, placed, &count, &own);
      job->stack = own.begin;
    }
    place_leaving(s, j, earliest, placed, &count);
  }
  return ABUT_OK;
}

abut_status abut_layout_make(abut_context *ctx, const double *cost, abut_symbolic *s)
{
  s->factor_size = 0;
  for (int32_t i = 0; i < s->fronts; i++) {
    abut_front *f = &s->front[i];
    f->panel = s->factor_size;
    f->update = 0;
    s->factor_size += abut_band_size(3 * f->rows, 3 * f->columns);
  }
  ABUT_TRY(make_jobs(ctx, cost, s));
  return place_updates(ctx, s);
}
