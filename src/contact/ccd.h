/* ccd.h: the largest fraction of a displacement that keeps every candidate pair apart. */
#ifndef ABUT_CONTACT_CCD_H
#define ABUT_CONTACT_CCD_H

#include "contact/candidates.h"
#include "kernel/ccd.h"

typedef struct abut_ccd_limit {
  double alpha;  /* in [0, 1]: on [0, alpha] every pair stays above its offset and the floor of
                    kernel/ccd.h; pairs that alone would stop the motion keep a tenth of their gap */
  uint64_t pair; /* the tightest one, when alpha < 1 */
  int status;    /* of that pair: CCD_CLEAR when alpha is 1, CCD_HIT or CCD_UNDECIDED */
} abut_ccd_limit;

/* the same for any number of threads and any order of the candidates; x, p: (surface->vertices) */
abut_ccd_limit abut_ccd_bound(const abut_context *ctx, const abut_surface *s,
                              const abut_candidates *candidates, const vec3 *x, const vec3 *p);

/* One pair, which keeps more than the smaller of floor and half its distance minus offset (m).
   Answers with t above enough are good to that t, but may be cut short: the caller only wants to
   know whether the pair is tighter than that. */
ccd_answer abut_ccd_pair(const abut_surface *s, uint64_t key, const vec3 *x, const vec3 *p,
                         double floor, double enough);

/* smaller alpha first, then smaller key, so that ties do not depend on the order of candidates */
static inline bool abut_ccd_tighter(double alpha, uint64_t pair, const abut_ccd_limit *than)
{
  return alpha < than->alpha || (alpha == than->alpha && alpha < 1 && pair < than->pair);
}

/* every pair that would come too near, with the fraction of the motion at which it does */
typedef struct abut_hit {
  uint64_t key;
  double t; /* safe for this pair alone */
} abut_hit;

typedef struct abut_hits {
  abut_hit *item; /* in no particular order                                 (count) */
  int64_t count, room;
  struct abut_hit_list {
    abut_hit *item;
    int64_t count, room;
  } list[ABUT_MAX_CHUNKS]; /* found by each chunk */
} abut_hits;

void abut_hits_free(abut_context *ctx, abut_hits *hits);

/* All hits along p, and the largest safe fraction. On [0, alpha] a pair whose distance minus offset
   is g at x keeps more than the smaller of floor and g/2 (m). */
abut_status abut_ccd_hits(abut_context *ctx, const abut_surface *s,
                          const abut_candidates *candidates, const vec3 *x, const vec3 *p,
                          double floor, abut_hits *hits, abut_ccd_limit *limit);

#endif
