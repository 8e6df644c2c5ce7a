/* law_ipc.c: the barrier of Li et al. 2020 on squared distance, with its edge-edge mollifier and
   the exact Hessian projected to positive semidefinite. Contacts with spheres and planes have the
   same form: xi is the pair's offset. */
#include "contact/law.h"
#include "kernel/contact_ipc.h"

static barrier barrier_of(const abut_law_at *at, const abut_contact *c)
{
  double w = barrier_ipc_width(at->dhat, c->offset);
  barrier b = barrier_ipc(barrier_ipc_argument(c->d, c->offset), w);
  /* behind a plane d is negative, and its square says nothing */
  if (c->d <= c->offset) b.b = K_INFINITY;
  b.b *= at->stiffness;
  b.b1 *= at->stiffness;
  b.b2 *= at->stiffness;
  return b;
}

/* e = 1 for all but nearly parallel edges */
static mollifier mollifier_of(const abut_law_at *at, const abut_contact *c)
{
  mollifier none = {0, 1, 0, 0};
  if (c->mollify == 0) return none;
  double cross2 = mollifier_cross2(abut_contact_quad(c, at->x));
  return cross2 < c->mollify ? mollifier_at(cross2, c->mollify) : none;
}

static void energy(const abut_law_at *at, const abut_contact *c, int64_t begin, int64_t end,
                   double *slot)
{
  for (int64_t i = begin; i < end; i++) {
    barrier b = barrier_of(at, &c[i]);
    /* +infinity times a mollifier of 0 must stay +infinity: the pair is closed */
    slot[i - begin] = b.b < K_INFINITY ? b.b * mollifier_of(at, &c[i]).e : K_INFINITY;
  }
}

static void gradient(const abut_law_at *at, const abut_contact *c, int64_t begin, int64_t end,
                     vec3 *slot)
{
  for (int64_t i = begin; i < end; i++) {
    barrier b = barrier_of(at, &c[i]);
    mollifier m = mollifier_of(at, &c[i]);
    grad4 g = m.e == 1 && m.e1 == 0
                  ? contact_ipc_gradient(c[i].at, c[i].n, c[i].d, b.b1)
                  : contact_ipc_mollified_gradient(abut_contact_quad(&c[i], at->x), c[i].at, c[i].n,
                                                   c[i].d, b, m);
    for (int k = 0; k < 4; k++) slot[4 * (i - begin) + k] = g.g[k];
  }
}

static distance_frame frame_of(const abut_contact *c, const quad *x)
{
  distance_frame none = {0};
  switch (abut_pair_kind_of(c->key)) {
  case ABUT_VERTEX_FACE:
  case ABUT_BALL_FACE: return distance_frame_triangle(*x, c->at);
  case ABUT_EDGE_EDGE: return c->at.parallel ? none : distance_frame_edges(*x, c->at);
  default: return none;
  }
}

/* A plane's distance is linear: only the normal direction has curvature. */
static hess4 plane_hessian(const abut_contact *c, barrier b, bool project)
{
  hess4 h = {{{{0}}}};
  double l = 4 * c->d * c->d * b.b2 + 2 * b.b1;
  if (project && l < 0) l = 0;
  h.k[0] = m3_scale(m3_outer(c->n, c->n), l);
  return h;
}

static hess4 hessian_of(const abut_law_at *at, const abut_contact *c, bool project)
{
  barrier b = barrier_of(at, c);
  abut_pair_kind kind = abut_pair_kind_of(c->key);
  if (kind == ABUT_VERTEX_PLANE || kind == ABUT_BALL_PLANE) return plane_hessian(c, b, project);
  quad x = abut_contact_quad(c, at->x);
  distance_frame f = frame_of(c, &x);
  mollifier m = mollifier_of(at, c);
  if (m.e1 == 0 && m.e == 1)
    return project ? contact_ipc_projected(c->at, f, c->n, c->d, b)
                   : contact_ipc_exact(c->at, f, c->n, c->d, b);
  hess4 h = contact_ipc_mollified_exact(x, c->at, f, c->n, c->d, b, m);
  return project ? hess4_project(h) : h;
}

static void hessian(const abut_law_at *at, const abut_contact *c, int64_t begin, int64_t end,
                    bool project, mat3 *slot)
{
  for (int64_t i = begin; i < end; i++)
    *(hess4 *)(slot + 10 * (i - begin)) = hessian_of(at, &c[i], project);
}

/* -dE/dd; a mollified pair presses with its share */
static double force(const abut_law_at *at, const abut_contact *c)
{
  return -2 * c->d * barrier_of(at, c).b1 * mollifier_of(at, c).e;
}

const abut_law_class abut_law_ipc = {
    .name = "ipc",
    .text = "barrier on squared distance, edge mollifier, adaptive stiffness",
    .adaptive = true,
    .unit = "J/m^4",
    .energy = energy,
    .gradient = gradient,
    .hessian = hessian,
    .force = force,
};
