/* candidates.h: the broad phase. Finds every pair that may come near while the vertices move along
   straight paths. Any number of pairs; trees and lists are kept from call to call. */
#ifndef ABUT_CONTACT_CANDIDATES_H
#define ABUT_CONTACT_CANDIDATES_H

#include "base/parallel.h"
#include "contact/bvh.h"
#include "contact/cull.h"
#include "contact/surface.h"

/* A search of the trees is made with boxes grown by a skin, and its pairs are kept: as long as
   every vertex's path stays inside its grown box, later calls only go through those pairs. What
   is found is the same either way: it depends on the arguments of the call alone. */
typedef struct abut_candidates {
  uint64_t *key; /* abut_pair_key of each pair, in no particular order, no repeats  (count) */
  int64_t count, room;
  abut_key_list wide; /* pairs whose grown boxes overlap */
  bool searched;      /* wide and the boxes it was found with are whole */
  /* trees over deformable primitives [0] and obstacles [1], of grown boxes */
  abut_bvh point[2], edge[2], face[2], sphere;
  abut_box *grown;      /* of vertices, at the last search of the trees      (vertices) */
  abut_box *vertex_box; /* of vertices, now                                  (vertices) */
  bool *held;           /* prescribed, at the last search of the trees       (vertices) */
  int64_t grown_room, box_room, held_room;
  bool obstacles_fresh; /* the obstacles' trees are those of grown */
  abut_key_list list[ABUT_MAX_CHUNKS];
} abut_candidates;

void abut_candidates_free(abut_context *ctx, abut_candidates *c);

/* All pairs that are nearer than their offset plus margin (m) at some x + a p, 0 <= a <= 1, and
   some that are not; p NULL: at x. Leaves out pairs that share a vertex, pairs whose vertices are
   all prescribed, and pairs that are switched off. One abut_candidates serves one surface. x, p,
   prescribed: (surface->vertices) */
abut_status abut_candidates_find(abut_context *ctx, abut_candidates *c, const abut_surface *s,
                                 const bool *prescribed, const vec3 *x, const vec3 *p,
                                 double margin);

#endif
