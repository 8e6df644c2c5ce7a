/* memory.h: checked allocation. Every count * size goes through here. */
#ifndef ABUT_BASE_MEMORY_H
#define ABUT_BASE_MEMORY_H

#include "base/context.h"

/* count * size, or SIZE_MAX when that does not fit or count is negative */
size_t abut_size(int64_t count, size_t size);

/* Uninitialised memory for count items; NULL (and abut_fail) when there is none. count 0 gives a
   block too, so NULL always means failure. Freed with abut_free. Safe to call from any thread. */
void *abut_alloc(abut_context *ctx, int64_t count, size_t size);
void *abut_calloc(abut_context *ctx, int64_t count, size_t size);
/* the same without a word when there is none: for the wording of errors */
void *abut_alloc_quietly(abut_context *ctx, int64_t count, size_t size);
void abut_free(abut_context *ctx, void *block); /* NULL is fine */

/* Grows a block to hold at least needed items, by a factor of 3/2 or more, and keeps its content.
   On failure returns NULL and leaves block and *capacity as they were. */
void *abut_grow(abut_context *ctx, void *block, int64_t *capacity, int64_t needed, size_t size);

char *abut_copy_text(abut_context *ctx, const char *text); /* NULL on failure */

#define ABUT_NEW(ctx, type, count) ((type *)abut_alloc((ctx), (count), sizeof(type)))
#define ABUT_NEW_ZERO(ctx, type, count) ((type *)abut_calloc((ctx), (count), sizeof(type)))

/* makes room for n items in array, whose capacity is kept in cap; returns from the caller when
   that fails */
#define ABUT_RESERVE(ctx, array, cap, n)                                                           \
  do {                                                                                             \
    if ((int64_t)(n) > (cap) || !(array)) {                                                        \
      void *abut_grown_ = abut_grow((ctx), (array), &(cap), (n), sizeof *(array));                 \
      if (!abut_grown_) return ABUT_NO_MEMORY;                                                     \
      (array) = abut_grown_;                                                                       \
    }                                                                                              \
  } while (0)

/* the same for a new array of exactly n items */
#define ABUT_MAKE(ctx, array, n)                                                                   \
  do {                                                                                             \
    (array) = abut_alloc((ctx), (n), sizeof *(array));                                             \
    if (!(array)) return ABUT_NO_MEMORY;                                                           \
  } while (0)
#define ABUT_MAKE_ZERO(ctx, array, n)                                                              \
  do {                                                                                             \
    (array) = abut_calloc((ctx), (n), sizeof *(array));                                            \
    if (!(array)) return ABUT_NO_MEMORY;                                                           \
  } while (0)

#endif
