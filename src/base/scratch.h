/* scratch.h: short-lived memory of one thread of control. Take a mark, allocate, release to the
   mark. Blocks stay with the context, so a warm computation makes no call of the allocator.

     abut_mark mark = abut_scratch_mark(ctx);
     int32_t *degree = ABUT_SCRATCH(ctx, int32_t, n);
     if (!degree) return ABUT_NO_MEMORY;        leaving early is fine: an outer mark is released
     ...
     abut_scratch_release(ctx, mark);
*/
#ifndef ABUT_BASE_SCRATCH_H
#define ABUT_BASE_SCRATCH_H

#include "base/context.h"

typedef struct abut_mark {
  abut_scratch_block *block;
  size_t used;
} abut_mark;

abut_mark abut_scratch_mark(const abut_context *ctx);
void abut_scratch_release(abut_context *ctx, abut_mark mark);
/* uninitialised, 64-byte aligned; NULL (and abut_fail) when there is none; not inside a parallel
   region */
void *abut_scratch(abut_context *ctx, int64_t count, size_t size);
void abut_scratch_free(abut_context *ctx);

#define ABUT_SCRATCH(ctx, type, count) ((type *)abut_scratch((ctx), (count), sizeof(type)))

#endif
