/* buffer.h: arrays that are made anew now and then, keep no content, and hold on to their memory.
 */
#ifndef ABUT_LINEAR_BUFFER_H
#define ABUT_LINEAR_BUFFER_H

#include "base/memory.h"

/* makes room for n items in array, whose content is lost when it must grow; returns from the
   caller when that fails. An eighth more than needed keeps slowly growing needs from asking
   every time. */
#define ABUT_RENEW(ctx, array, room, n)                                                            \
  do {                                                                                             \
    if ((int64_t)(n) > (room) || !(array)) {                                                       \
      abut_free((ctx), (array));                                                                   \
      (room) = 0;                                                                                  \
      (array) = abut_alloc((ctx), (int64_t)(n) + (int64_t)(n) / 8, sizeof *(array));               \
      if (!(array)) return ABUT_NO_MEMORY;                                                         \
      (room) = (int64_t)(n) + (int64_t)(n) / 8;                                                    \
    }                                                                                              \
  } while (0)

/* Doubles from an address that is a multiple of 64 bytes: dense kernels are quicker there, and
   could otherwise round differently from one run to the next. */
typedef struct abut_buffer {
  double *data;
  void *memory;
  int64_t room;
} abut_buffer;

abut_status abut_buffer_renew(abut_context *ctx, abut_buffer *buffer, int64_t count);
void abut_buffer_free(abut_context *ctx, abut_buffer *buffer);

/* count rounded up so that what follows in a buffer is aligned too */
static inline int64_t abut_buffer_pad(int64_t count)
{
  return (count + 7) / 8 * 8;
}

#endif
