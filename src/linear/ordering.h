/* ordering.h: an elimination order that keeps the factor small. */
#ifndef ABUT_LINEAR_ORDERING_H
#define ABUT_LINEAR_ORDERING_H

#include "linear/graph.h"

/* Nested dissection of every connected part of the graph (METIS), the parts one after another.
   order[k] is the row eliminated at place k.  order: (rows) */
abut_status abut_ordering_make(abut_context *ctx, const abut_graph *g, int32_t *order);

#endif
