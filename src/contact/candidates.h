/* candidates.h: the broad phase. Finds every pair that may come near while the vertices move along
   straight paths. Any number of pairs; trees and lists are kept from call to call. */
#ifndef ABUT_CONTACT_CANDIDATES_H
#define ABUT_CONTACT_CANDIDATES_H

#include "base/parallel.h"
#include "contact/bvh.h"
#include "contact/surface.h"

typedef struct abut_key_list {
  uint64_t *key;
  int64_t count, room;
} abut_key_list;

typedef struct abut_candidates {
  uint64_t *key; /* abut_pair_key of each pair, in no particular order, no repeats  (count) */
  int64_t count, room;
  /* trees over deformable primitives [0] and obstacles [1] */
  abut_bvh point[2], edge[2], face[2], sphere;
  abut_box *vertex_box; /* swept and grown                                      (vertices) */
  int64_t box_room;
  bool obstacles_fresh; /* vertex_box has been filled before */
  abut_key_list list[ABUT_MAX_CHUNKS];
} abut_candidates;

void abut_candidates_free(abut_context *ctx, abut_candidates *c);

/* Pairs that may be nearer than their offset plus margin (m) at some x + a p, 0 <= a <= 1; p NULL:
   at x. Leaves out pairs that share a vertex, pairs whose vertices are all prescribed, and pairs
   that are switched off.  x, p, prescribed: (surface->vertices) */
abut_status abut_candidates_find(abut_context *ctx, abut_candidates *c, const abut_surface *s,
                                 const bool *prescribed, const vec3 *x, const vec3 *p,
                                 double margin);

#endif
