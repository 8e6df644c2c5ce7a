/* frames.h: a small scene and its frames, for tests of what is written to disk. */
#ifndef ABUT_TESTS_FRAMES_H
#define ABUT_TESTS_FRAMES_H

#include "base/file.h"
#include "base/memory.h"
#include "io/trajectory.h"

/* a cloth of 4 vertices, two tetrahedra with 5, two beads, a thread; an object with nothing in it
 */
enum { FRAME_POINTS = 13, FRAME_OBJECTS = 5 };

static int32_t frame_cloth[] = {0, 1, 2, 1, 3, 2}, frame_tets[] = {0, 1, 2, 3, 1, 2, 3, 4},
               frame_beads[] = {0, 1}, frame_thread[] = {0, 1};
static abut_layout_object frame_object[FRAME_OBJECTS] = {
    {"n\xc3\xa9"
     "e cloth",
     "shell", 0, 4, 3, 2, frame_cloth},
    {"two tets", "solid", 4, 5, 4, 2, frame_tets},
    {"beads", "spheres", 9, 2, 1, 2, frame_beads},
    {"thread", "rod", 11, 2, 2, 1, frame_thread},
    {"nothing", "spheres", 13, 0, 1, 0, frame_beads},
};
static int32_t frame_identity[FRAME_POINTS] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 3};
static double frame_radius[FRAME_POINTS] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0.026, 1.0 / 3, 0, 0};
static const abut_layout frame_layout = {FRAME_OBJECTS, frame_object, FRAME_POINTS, frame_identity,
                                         frame_radius};

/* numbers without a short decimal form; the frame is in every one of them */
static inline vec3 frame_x(int64_t frame, int32_t p)
{
  double f = (double)frame, q = p;
  return v3(f + q / 7, (q * q - f) / 3, 1e-7 / (p + 1) + f * f);
}

static inline vec3 frame_v(int64_t frame, int32_t p)
{
  return v3(-(double)frame, p / 11.0, (double)frame / (p + 3));
}

static inline uint8_t frame_prescribed(int64_t frame, int32_t p)
{
  return (frame + p) % 3 == 0;
}

static inline double frame_time(int64_t frame)
{
  return (double)frame * 0.01;
}

/* room for a frame of any number of points */
typedef struct frame_data {
  vec3 *x, *v;
  uint8_t *prescribed;
} frame_data;

static inline frame_data frame_make(int32_t points)
{
  size_t n = (size_t)points + 1;
  return (frame_data){calloc(n, sizeof(vec3)), calloc(n, sizeof(vec3)), calloc(n, 1)};
}

static inline void frame_drop(frame_data f)
{
  free(f.x);
  free(f.v);
  free(f.prescribed);
}

static inline void frame_fill(frame_data f, int64_t frame, int32_t points)
{
  for (int32_t p = 0; p < points; p++) {
    f.x[p] = frame_x(frame, p);
    f.v[p] = frame_v(frame, p);
    f.prescribed[p] = frame_prescribed(frame, p);
  }
}

static inline abut_status frame_append(abut_context *ctx, abut_trajectory *t, int64_t frame)
{
  int32_t points = abut_trajectory_layout(t)->points;
  frame_data f = frame_make(points);
  frame_fill(f, frame, points);
  abut_status status = abut_trajectory_append(ctx, t, frame_time(frame), f.x, f.v, f.prescribed);
  frame_drop(f);
  return status;
}

/* frames holds the frames with the numbers first, first + step, ..: how many differ by a bit? */
static inline int64_t frames_wrong(abut_context *ctx, abut_trajectory *t, int64_t first,
                                   int64_t step)
{
  int32_t points = abut_trajectory_layout(t)->points;
  size_t n = (size_t)points;
  frame_data read = frame_make(points), right = frame_make(points);
  int64_t wrong = 0;
  for (int64_t k = 0; k < abut_trajectory_frames(t); k++) {
    double time = -1;
    int64_t frame = first + k * step;
    frame_fill(right, frame, points);
    wrong += abut_trajectory_read(ctx, t, k, &time, read.x, read.v, read.prescribed) != ABUT_OK ||
             time != frame_time(frame) || memcmp(read.x, right.x, n * sizeof(vec3)) != 0 ||
             memcmp(read.v, right.v, n * sizeof(vec3)) != 0 ||
             memcmp(read.prescribed, right.prescribed, n) != 0;
  }
  frame_drop(read);
  frame_drop(right);
  return wrong;
}

/* an allocator that has memory for so many blocks; -1: always */
typedef struct frame_memory {
  int64_t left;
} frame_memory;

static inline void *frame_memory_take(void *arg, size_t size)
{
  frame_memory *memory = arg;
  if (memory->left == 0) return NULL;
  if (memory->left > 0) memory->left--;
  return malloc(size);
}

static inline void frame_memory_give(void *arg, void *block, size_t size)
{
  (void)arg;
  (void)size;
  free(block);
}

/* Runs work with room for 0, 1, 2, .. blocks until it succeeds; each failure must be the lack of
   memory and leave nothing behind. Returns how many failed. */
static inline int64_t frame_starve(abut_status (*work)(abut_context *ctx, const char *folder),
                                   const char *folder)
{
  for (int64_t blocks = 0;; blocks++) {
    frame_memory memory = {blocks};
    abut_allocator allocator = {frame_memory_take, frame_memory_give, &memory};
    abut_context ctx;
    abut_context_init(&ctx, &allocator, 1);
    abut_status status = work(&ctx, folder);
    abut_context_free(&ctx);
    assert_int_equal(ctx.live, 0);
    assert_int_equal(ctx.bytes, 0);
    if (status == ABUT_OK) return blocks;
    assert_int_equal(status, ABUT_NO_MEMORY);
  }
}

#endif
