/* pair_dump IN OUT: what abut says about single pairs, for tests/python/check_ipctk.py to compare.
   IN: one pair a line: kind (0 point-triangle, 1 edge-edge), 12 coordinates, 12 at rest, dhat, xi,
   12 at the end of a straight motion. OUT: RECORD doubles a pair, see write_pair. */
#include <stdio.h>
#include <string.h>

#include "contact/ccd.h"
#include "kernel/contact_ipc.h"

enum { NUMBERS = 12 + 12 + 2 + 12, RECORD = 3 + 12 + 144 + 1 + 12 + 144 + 3 + 2 };

static void full(const hess4 *h, double *out)
{
  int m = 0;
  for (int p = 0; p < 4; p++)
    for (int q = p; q < 4; q++, m++)
      for (int k = 0; k < 9; k++) {
        int i = 3 * p + k / 3, j = 3 * q + k % 3;
        out[12 * i + j] = out[12 * j + i] = h->k[m].m[k];
      }
}

static quad quad_of(const double *v)
{
  quad q;
  memcpy(&q, v, sizeof q);
  return q;
}

/* squared distance, mask of the closest features, whether parallel; its gradient and Hessian */
static double *write_distance(double *o, int edges, quad x)
{
  closest c = edges ? closest_edge_edge(x.p[0], x.p[1], x.p[2], x.p[3])
                    : closest_point_triangle(x.p[0], x.p[1], x.p[2], x.p[3]);
  distance_frame f = edges ? distance_frame_edges(x, c) : distance_frame_triangle(x, c);
  vec3 n = v3_unit(c.r), g[4];
  hess4 h;
  int m = 0;
  for (int p = 0; p < 4; p++) {
    g[p] = v3_scale(c.r, 2 * c.w[p]);
    for (int q = p; q < 4; q++) h.k[m++] = distance_hessian_block(c, f, n, p, q);
  }
  *o++ = c.d2;
  *o++ = c.mask;
  *o++ = c.parallel;
  memcpy(o, g, sizeof g);
  full(&h, o + 12);
  return o + 12 + 144;
}

/* mollifier, its gradient and Hessian with respect to the vertices */
static double *write_mollifier(double *o, int edges, quad x, quad rest)
{
  memset(o, 0, (1 + 12 + 144) * sizeof *o);
  if (!edges) return o + 1 + 12 + 144;
  double a = v3_norm2(v3_sub(rest.p[1], rest.p[0])), b = v3_norm2(v3_sub(rest.p[3], rest.p[2]));
  mollifier m = mollifier_at(mollifier_cross2(x), 1e-3 * a * b);
  grad4 g = mollifier_gradient(x);
  hess4 h = mollifier_hessian(x);
  int k = 0;
  for (int p = 0; p < 4; p++)
    for (int q = p; q < 4; q++, k++)
      h.k[k] = m3_add_outer(m3_scale(h.k[k], m.e1), g.g[p], g.g[q], m.e2);
  for (int p = 0; p < 4; p++) g.g[p] = v3_scale(g.g[p], m.e1);
  *o++ = m.e;
  memcpy(o, &g, sizeof g);
  full(&h, o + 12);
  return o + 12 + 144;
}

static void write_pair(double *o, int edges, const double *v)
{
  quad x = quad_of(v), end = quad_of(v + 26), p;
  double dhat = v[24], xi = v[25], d2;
  for (int k = 0; k < 4; k++) p.p[k] = v3_sub(end.p[k], x.p[k]);
  double *at = write_distance(o, edges, x);
  at = write_mollifier(at, edges, x, quad_of(v + 12));
  d2 = o[0];
  barrier b = barrier_ipc(barrier_ipc_argument(sqrt(d2), xi), barrier_ipc_width(dhat, xi));
  *at++ = b.b;
  *at++ = b.b1;
  *at++ = b.b2;
  int kind = edges ? CCD_EDGE_EDGE : CCD_POINT_TRIANGLE;
  ccd_answer a = ccd_walls(kind, x, p, xi + ccd_floor(kind, x, p), 256, 1);
  *at++ = a.status;
  *at = a.t;
}

int main(int argc, char **argv)
{
  if (argc != 3) return fprintf(stderr, "usage: pair_dump IN OUT\n"), 2;
  FILE *in = fopen(argv[1], "r"), *out = fopen(argv[2], "wb");
  if (!in || !out) return fprintf(stderr, "pair_dump: cannot open the files\n"), 1;
  int edges, bad = 0;
  while (!bad && fscanf(in, "%d", &edges) == 1) {
    double v[NUMBERS], o[RECORD];
    for (int k = 0; k < NUMBERS; k++) bad |= fscanf(in, "%lf", &v[k]) != 1;
    write_pair(o, edges, v);
    bad |= fwrite(o, sizeof *o, RECORD, out) != RECORD;
  }
  bad |= fclose(out) != 0;
  fclose(in);
  if (bad)
    fprintf(stderr, "pair_dump: a line is not %d numbers, or the disk is full\n", NUMBERS + 1);
  return bad;
}
