/* frame_slice.h: which frames, as Python writes it: A:B:S. */
#ifndef ABUT_IO_FRAME_SLICE_H
#define ABUT_IO_FRAME_SLICE_H

#include "io/format.h"

/* Resolves text against that many frames: missing parts, negative numbers (from the end) and
   negative steps as in Python, a lone number is that frame. Out of range is empty, but for a lone
   number it is an error, as is step 0 (ABUT_BAD_ARGUMENT). NULL: all frames. */
abut_status abut_frame_slice_parse(abut_context *ctx, const char *text, int64_t frames,
                                   abut_frame_slice *slice);
/* how many frames it picks */
int64_t abut_frame_slice_count(abut_frame_slice slice);

#endif
