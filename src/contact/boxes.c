#include "contact/boxes.h"

#include <math.h>

#include "base/parallel.h"

static float round_down(double d)
{
  float f = (float)d;
  return (double)f > d ? nextafterf(f, -INFINITY) : f;
}

static float round_up(double d)
{
  float f = (float)d;
  return (double)f < d ? nextafterf(f, INFINITY) : f;
}

/* 4 units in the last place more for the sum x + p itself */
abut_box abut_box_of_path(vec3 x, vec3 p, double grow)
{
  const double a[3] = {x.x, x.y, x.z}, d[3] = {p.x, p.y, p.z};
  abut_box box;
  for (int k = 0; k < 3; k++) {
    double end = a[k] + d[k], g = grow + 4 * K_EPSILON * (fabs(a[k]) + fabs(d[k]));
    box.low[k] = round_down((d[k] < 0 ? end : a[k]) - g);
    box.high[k] = round_up((d[k] < 0 ? a[k] : end) + g);
  }
  return box;
}

abut_box abut_box_of_ball(const abut_box *center, double radius)
{
  abut_box box;
  for (int k = 0; k < 3; k++) {
    box.low[k] = round_down(center->low[k] - radius);
    box.high[k] = round_up(center->high[k] + radius);
  }
  return box;
}

bool abut_box_inside(const abut_box *a, const abut_box *b)
{
  bool inside = true;
  for (int k = 0; k < 3; k++) inside = inside && a->low[k] >= b->low[k] && a->high[k] <= b->high[k];
  return inside;
}

typedef struct corner_job {
  const abut_box *vertex_box;
  const int32_t *corner;
  int corners;
  abut_box *box;
} corner_job;

static abut_box box_around(const abut_box *vertex_box, const int32_t *v, int corners)
{
  abut_box box = vertex_box[v[0]];
  for (int c = 1; c < corners; c++)
    for (int k = 0; k < 3; k++) {
      const abut_box *b = &vertex_box[v[c]];
      box.low[k] = b->low[k] < box.low[k] ? b->low[k] : box.low[k];
      box.high[k] = b->high[k] > box.high[k] ? b->high[k] : box.high[k];
    }
  return box;
}

static void corner_range(void *arg, int64_t begin, int64_t end)
{
  const corner_job *job = arg;
  for (int64_t i = begin; i < end; i++)
    job->box[i] = box_around(job->vertex_box, job->corner + i * job->corners, job->corners);
}

void abut_boxes_of_primitives(const abut_context *ctx, const abut_box *vertex_box,
                              const int32_t *corner, int corners, int32_t count, abut_box *box)
{
  corner_job job = {vertex_box, corner, corners, box};
  abut_parallel_for(ctx, count, 2048, corner_range, &job);
}
