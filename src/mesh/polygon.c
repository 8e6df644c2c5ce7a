#include "mesh/polygon.h"

#include "base/scratch.h"

typedef struct point2 {
  double x, y;
} point2;

/* an angle is straight below this sine: three corners in line, but for rounding */
static const double STRAIGHT = 1e-9;

/* twice the signed area */
static double cross2(point2 a, point2 b, point2 c)
{
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

static double distance2(point2 a, point2 b)
{
  return (a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y);
}

/* 1 for the regular triangle, negative when clockwise: 4 sqrt(3) A / sum l^2 without the root */
static double shape2(point2 a, point2 b, point2 c)
{
  double l2 = distance2(a, b) + distance2(b, c) + distance2(c, a);
  return l2 > 0 ? cross2(a, b, c) / l2 : 0;
}

/* mean normal, Newell's method: robust for corners in line and slightly bent polygons */
static vec3 normal_of(const vec3 *x, const int32_t *corner, int32_t n)
{
  vec3 sum = v3(0, 0, 0), o = x[corner[0]];
  for (int32_t i = 1; i + 1 < n; i++)
    sum = v3_add(sum, v3_cross(v3_sub(x[corner[i]], o), v3_sub(x[corner[i + 1]], o)));
  return sum;
}

/* drops the coordinate along which the normal is longest, so that the polygon runs
   counter-clockwise */
static point2 flatten(vec3 p, vec3 n)
{
  double x = fabs(n.x), y = fabs(n.y), z = fabs(n.z);
  if (z >= x && z >= y) return n.z >= 0 ? (point2){p.x, p.y} : (point2){p.y, p.x};
  if (x >= y) return n.x >= 0 ? (point2){p.y, p.z} : (point2){p.z, p.y};
  return n.y >= 0 ? (point2){p.z, p.x} : (point2){p.x, p.z};
}

static bool turns_left(point2 a, point2 b, point2 c)
{
  return cross2(a, b, c) > STRAIGHT * sqrt(distance2(a, b) * distance2(b, c));
}

/* all corners turn left and so does the fan; together they leave no room for a second turn */
static bool is_convex(const point2 *p, int32_t n)
{
  for (int32_t i = 0; i < n; i++)
    if (!turns_left(p[i], p[(i + 1) % n], p[(i + 2) % n])) return false;
  for (int32_t i = 1; i + 1 < n; i++)
    if (!(cross2(p[0], p[i], p[i + 1]) > 0)) return false;
  return true;
}

static void write_triangle(int32_t *triangle, int32_t a, int32_t b, int32_t c)
{
  triangle[0] = a;
  triangle[1] = b;
  triangle[2] = c;
}

typedef struct ring {
  const point2 *p;
  const int32_t *corner;
  int32_t *next, *before; /* the corners still there, in a circle */
  double *shape;          /* of the ear at a corner; 0: not an ear */
  int32_t left, any;      /* how many are there, and one of them */
} ring;

/* the shape of the triangle at corner i when no other corner lies in it or on it */
static double ear_at(const ring *r, int32_t i)
{
  int32_t a = r->before[i], c = r->next[i];
  point2 pa = r->p[a], pi = r->p[i], pc = r->p[c];
  if (!turns_left(pa, pi, pc)) return 0;
  for (int32_t j = r->next[c]; j != a; j = r->next[j]) {
    point2 q = r->p[j];
    /* a vertex that the polygon visits twice does not block its own ear */
    if (r->corner[j] == r->corner[a] || r->corner[j] == r->corner[i] ||
        r->corner[j] == r->corner[c])
      continue;
    if (cross2(pa, pi, q) >= 0 && cross2(pi, pc, q) >= 0 && cross2(pc, pa, q) >= 0) return 0;
  }
  return shape2(pa, pi, pc);
}

static int32_t best_ear(const ring *r)
{
  int32_t best = r->any, i = r->any;
  for (int32_t k = 0; k < r->left; k++, i = r->next[i])
    if (r->shape[i] > r->shape[best] || (r->shape[i] == r->shape[best] && i < best)) best = i;
  return best;
}

/* takes corner i out and judges its neighbours anew */
static void cut_ear(ring *r, int32_t i, int32_t *triangle)
{
  int32_t a = r->before[i], c = r->next[i];
  write_triangle(triangle, r->corner[a], r->corner[i], r->corner[c]);
  r->next[a] = c;
  r->before[c] = a;
  r->any = a;
  r->left--;
  r->shape[a] = ear_at(r, a);
  r->shape[c] = ear_at(r, c);
}

static bool cut_ears(ring *r, int32_t n, int32_t *triangle)
{
  bool clean = true;
  for (int32_t i = 0; i < n; i++) r->shape[i] = ear_at(r, i);
  for (; r->left > 3; triangle += 3) {
    int32_t best = best_ear(r);
    clean = clean && r->shape[best] > 0;
    cut_ear(r, best, triangle);
  }
  int32_t i = r->any, a = r->before[i], c = r->next[i];
  write_triangle(triangle, r->corner[a], r->corner[i], r->corner[c]);
  return clean && cross2(r->p[a], r->p[i], r->p[c]) > 0;
}

static abut_status cut_concave(abut_context *ctx, const point2 *p, const int32_t *corner, int32_t n,
                               int32_t *triangle, bool *clean)
{
  ring r = {.p = p, .corner = corner, .left = n};
  r.next = ABUT_SCRATCH(ctx, int32_t, n);
  r.before = ABUT_SCRATCH(ctx, int32_t, n);
  r.shape = ABUT_SCRATCH(ctx, double, n);
  if (!r.next || !r.before || !r.shape) return ABUT_NO_MEMORY;
  for (int32_t i = 0; i < n; i++) {
    r.next[i] = i + 1 < n ? i + 1 : 0;
    r.before[i] = i > 0 ? i - 1 : n - 1;
  }
  *clean = cut_ears(&r, n, triangle);
  return ABUT_OK;
}

static abut_status cut(abut_context *ctx, const vec3 *x, const int32_t *corner, int32_t n,
                       int32_t *triangle, bool *clean)
{
  point2 *p = ABUT_SCRATCH(ctx, point2, n);
  if (!p) return ABUT_NO_MEMORY;
  vec3 normal = normal_of(x, corner, n);
  for (int32_t i = 0; i < n; i++) p[i] = flatten(v3_sub(x[corner[i]], x[corner[0]]), normal);
  if (is_convex(p, n)) {
    for (int32_t i = 1; i + 1 < n; i++)
      write_triangle(triangle + 3 * (i - 1), corner[0], corner[i], corner[i + 1]);
    return ABUT_OK;
  }
  if (n > ABUT_POLYGON_MOST)
    return abut_fail(
        ctx, ABUT_UNSUPPORTED,
        "a polygon of %d corners is not convex; cut it into smaller faces (at most %d)", n,
        ABUT_POLYGON_MOST);
  return cut_concave(ctx, p, corner, n, triangle, clean);
}

abut_status abut_polygon_cut(abut_context *ctx, const vec3 *x, const int32_t *corner, int32_t count,
                             int32_t *triangle, bool *clean)
{
  *clean = true;
  if (count == 3) {
    write_triangle(triangle, corner[0], corner[1], corner[2]);
    return ABUT_OK;
  }
  abut_mark mark = abut_scratch_mark(ctx);
  abut_status status = cut(ctx, x, corner, count, triangle, clean);
  abut_scratch_release(ctx, mark);
  return status;
}
