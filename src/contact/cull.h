/* cull.h: the middle phase. Of the pairs whose boxes a search of the trees found, those that really
   may come near. */
#ifndef ABUT_CONTACT_CULL_H
#define ABUT_CONTACT_CULL_H

#include "contact/bvh.h"
#include "contact/surface.h"

typedef struct abut_key_list {
  uint64_t *key;
  int64_t count, room;
} abut_key_list;

enum { ABUT_CULL_GRAIN = 4096 };

/* Pairs of points, edges, faces and spheres, in the order given, by chunks of ABUT_CULL_GRAIN into
   list[chunk], which must have room. Kept are those whose boxes overlap, made of the vertices'
   boxes, and that no quickly found wall keeps farther apart than offset + margin (m) all along
   x + a p. p NULL: at x.  x, p, vertex_box: (surface->vertices) */
abut_status abut_cull(abut_context *ctx, const abut_surface *s, const abut_box *vertex_box,
                      const vec3 *x, const vec3 *p, double margin, const abut_key_list *pairs,
                      abut_key_list *list);

#endif
