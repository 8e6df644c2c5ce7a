#include "io/frame_slice.h"

#include <string.h>

#include "base/text.h"

/* up to three whole numbers between colons; returns how many parts there are, 0 when text is
   something else */
static int split(const char *text, int64_t value[3], bool given[3])
{
  const char *p = text, *end = text + strlen(text);
  for (int part = 0; part < 3; part++) {
    given[part] = p < end && *p != ':';
    if (given[part]) p = abut_parse_int(p, end, &value[part]);
    if (!p) return 0;
    if (p == end) return part + 1;
    if (*p++ != ':') return 0;
  }
  return 0;
}

/* as Python's slice.indices does it */
static int64_t resolve(int64_t value, int64_t frames, int64_t least, int64_t most)
{
  if (value < 0) value += frames;
  return value < least ? least : value > most ? most : value;
}

abut_status abut_frame_slice_parse(abut_context *ctx, const char *text, int64_t frames,
                                   abut_frame_slice *slice)
{
  int64_t value[3] = {0, 0, 1};
  bool given[3] = {false, false, false};
  *slice = (abut_frame_slice){0, frames, 1};
  if (!text) return ABUT_OK;
  int parts = split(text, value, given);
  if (parts == 0 || (parts == 1 && !given[0]))
    return abut_fail(ctx, ABUT_BAD_ARGUMENT,
                     "\"%s\" does not say which frames: write A:B:S as in Python, or one number",
                     text);
  if (parts == 1) {
    int64_t frame = value[0] < 0 ? value[0] + frames : value[0];
    if (frame < 0 || frame >= frames)
      return abut_fail(ctx, ABUT_BAD_ARGUMENT,
                       "there is no frame %s; the trajectory has %lld frames", text,
                       (long long)frames);
    *slice = (abut_frame_slice){frame, frame + 1, 1};
    return ABUT_OK;
  }
  int64_t step = given[2] ? value[2] : 1;
  if (step == 0)
    return abut_fail(ctx, ABUT_BAD_ARGUMENT, "the step of \"%s\" is 0; it must not be", text);
  bool back = step < 0;
  int64_t least = back ? -1 : 0, most = back ? frames - 1 : frames;
  slice->first = given[0] ? resolve(value[0], frames, least, most) : back ? most : least;
  slice->end = given[1] ? resolve(value[1], frames, least, most) : back ? least : most;
  slice->step = step;
  return ABUT_OK;
}

int64_t abut_frame_slice_count(abut_frame_slice slice)
{
  int64_t span = slice.step < 0 ? slice.first - slice.end : slice.end - slice.first;
  int64_t step = slice.step < 0 ? -slice.step : slice.step;
  return span <= 0 || step == 0 ? 0 : (span - 1) / step + 1;
}
