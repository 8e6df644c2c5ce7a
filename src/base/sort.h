/* sort.h: stable sorting of 64-bit keys with a 32-bit companion. */
#ifndef ABUT_BASE_SORT_H
#define ABUT_BASE_SORT_H

#include "base/context.h"

typedef struct abut_keyed {
  uint64_t key;
  int32_t value;
} abut_keyed;

/* ascending by key, equal keys in their old order; other has room for n items too */
void abut_sort_keyed(abut_keyed *items, abut_keyed *other, int64_t n);
/* ascending, in place */
void abut_sort_keys(uint64_t *keys, uint64_t *other, int64_t n);
void abut_sort_ints(int32_t *values, int64_t n);

#endif
