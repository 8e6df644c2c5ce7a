/* contact.h: one record for every kind of contact and every method: the vertices, the weights of
   the closest points, the normal, the distance and its offset. */
#ifndef ABUT_CONTACT_CONTACT_H
#define ABUT_CONTACT_CONTACT_H

#include "contact/candidates.h"
#include "kernel/closest.h"

typedef struct abut_contact {
  uint64_t key;      /* see abut_pair_key */
  int32_t vertex[4]; /* -1: unused */
  closest at;        /* weights (0 for unused vertices), difference vector, features */
  vec3 n;            /* unit, from the second primitive to the first */
  double d;          /* distance of the features, m; the gap is d - offset */
  double offset;     /* m */
  double mollify;    /* eps_x of an edge pair, m^4; 0: no mollifier for this kind */
} abut_contact;

typedef struct abut_contact_set {
  abut_contact *item; /* ascending by key                                        (count) */
  int64_t count, room;
  struct abut_contact_list {
    abut_contact *item;
    int64_t count, room;
  } list[ABUT_MAX_CHUNKS]; /* found by each chunk */
} abut_contact_set;

void abut_contact_set_free(abut_context *ctx, abut_contact_set *c);

/* the record of one pair at x, whatever its distance; d is negative behind a plane */
abut_contact abut_contact_measure(const abut_surface *s, uint64_t key, const vec3 *x);

/* Those of the candidates that are nearer than offset + reach (m), sorted by key. */
abut_status abut_contact_set_find(abut_context *ctx, const abut_surface *s,
                                  const abut_candidates *candidates, const vec3 *x, double reach,
                                  abut_contact_set *contacts);

/* smallest d - offset, m; +infinity without contacts. pair: its key (may be NULL) */
double abut_contact_set_least_gap(const abut_contact_set *c, uint64_t *pair);

#endif
