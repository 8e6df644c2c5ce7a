/* supernodes.h: which columns of the factor are eliminated together. */
#ifndef ABUT_LINEAR_SUPERNODES_H
#define ABUT_LINEAR_SUPERNODES_H

#include "linear/etree.h"

/* One supernode: a front of rows x rows blocks, of which the first columns are eliminated. */
typedef struct abut_supernode {
  int32_t first;   /* place of its first column */
  int32_t columns; /* block columns */
  int32_t rows;    /* block rows of the front, the columns' own included */
  int32_t parent;  /* supernode, or -1 at a root */
  double cost;     /* estimated time of its elimination, s */
} abut_supernode;

/* The supernodes in postorder, every parent after its children and the dearest child first, and
   the order of rows that belongs to them. In scratch memory. */
typedef struct abut_supernodes {
  int32_t count;
  abut_supernode *node; /* (count) */
  int32_t *order;       /* row eliminated at a place  (rows) */
  int32_t *place;       /* place of a row             (rows) */
} abut_supernodes;

/* Columns of equal structure go together, and so do a supernode and its parent where one larger
   front costs less time than two, zeros included. Depends on the tree alone. */
abut_status abut_supernodes_make(abut_context *ctx, const abut_etree *tree, abut_supernodes *out);

#endif
