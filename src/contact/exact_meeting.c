/* Where a closed segment and a closed triangle meet, in whole numbers. */
#include "contact/exact_rational.h"
#include "contact/exact_whole.h"

/* points p q a b c, d = q - p, the normal, scratch */
enum { P, Q, A, B, C, D, NORMAL, E, F, G, TUPLES };

typedef struct meeting_work {
  abut_whole3 v[TUPLES];
  vec3 x[5];
  int exponent;                   /* x = v 2^exponent */
  mpz_t above_p, above_q;         /* normal . (p - a), normal . (q - a) */
  mpz_t t_top, t_bottom;          /* the place along the segment */
  mpz_t weight[3], weight_bottom; /* the place in the triangle */
  mpz_t g, h;                     /* scratch */
} meeting_work;

static void work_init(meeting_work *w)
{
  abut_whole_init(w->v, TUPLES);
  mpz_inits(w->above_p, w->above_q, w->t_top, w->t_bottom, w->weight[0], w->weight[1], w->weight[2],
            w->weight_bottom, w->g, w->h, NULL);
  w->exponent = abut_whole_load(w->v, w->x, 5);
  abut_whole_sub(&w->v[D], &w->v[Q], &w->v[P]);
  abut_whole_sub(&w->v[E], &w->v[B], &w->v[A]);
  abut_whole_sub(&w->v[F], &w->v[C], &w->v[A]);
  abut_whole_cross(&w->v[NORMAL], &w->v[E], &w->v[F]);
}

static void work_clear(meeting_work *w)
{
  abut_whole_clear(w->v, TUPLES);
  mpz_clears(w->above_p, w->above_q, w->t_top, w->t_bottom, w->weight[0], w->weight[1],
             w->weight[2], w->weight_bottom, w->g, w->h, NULL);
}

/* r = direction . ((v[i] - v[from]) x (v[j] - v[from])) */
static void area(meeting_work *w, mpz_t r, int direction, int from, int i, int j)
{
  abut_whole_sub(&w->v[E], &w->v[i], &w->v[from]);
  abut_whole_sub(&w->v[F], &w->v[j], &w->v[from]);
  abut_whole_cross(&w->v[G], &w->v[E], &w->v[F]);
  abut_whole_dot(r, &w->v[direction], &w->v[G]);
}

/* Weights of the point in which the line through v[from] along v[direction] meets the plane, over
   their sum direction . normal, which is not 0. Returns the smallest of weight / sum in sign. */
static int weigh(meeting_work *w, int direction, int from)
{
  area(w, w->weight[0], direction, from, B, C);
  area(w, w->weight[1], direction, from, C, A);
  area(w, w->weight[2], direction, from, A, B);
  abut_whole_dot(w->weight_bottom, &w->v[direction], &w->v[NORMAL]);
  int least = 1;
  for (int k = 0; k < 3; k++) {
    int sign = mpz_sgn(w->weight[k]) * mpz_sgn(w->weight_bottom);
    if (sign < least) least = sign;
  }
  return least;
}

/* the segment leaves the plane of a proper triangle: one point to look at */
static abut_meeting meet_across(meeting_work *w)
{
  int sides = mpz_sgn(w->above_p) * mpz_sgn(w->above_q);
  if (sides > 0) return ABUT_APART;
  int inside = weigh(w, D, P);
  if (inside < 0) return ABUT_APART;
  mpz_set(w->t_top, w->above_p);
  mpz_sub(w->t_bottom, w->above_p, w->above_q);
  return sides < 0 && inside > 0 ? ABUT_CROSSING : ABUT_TOUCHING;
}

/* top / bottom where a linear function with values g and h at the ends is 0; false when it is 0
   nowhere between, or all along */
static bool root(const mpz_t g, const mpz_t h, mpz_t top, mpz_t bottom)
{
  if (mpz_sgn(g) * mpz_sgn(h) > 0 || mpz_cmp(g, h) == 0) return false;
  mpz_set(top, g);
  mpz_sub(bottom, g, h);
  return true;
}

/* within the plane: does the segment meet the edge i, j of the triangle, not along it? */
static bool meet_edge(meeting_work *w, int i, int j)
{
  area(w, w->g, NORMAL, i, j, P);
  area(w, w->h, NORMAL, i, j, Q);
  if (!root(w->g, w->h, w->t_top, w->t_bottom)) return false;
  area(w, w->g, NORMAL, P, Q, i);
  area(w, w->h, NORMAL, P, Q, j);
  for (int k = 0; k < 3; k++) mpz_set_ui(w->weight[k], 0);
  mpz_t *at_i = &w->weight[i - A], *at_j = &w->weight[j - A];
  if (!root(w->g, w->h, *at_j, w->weight_bottom)) return false;
  mpz_sub(*at_i, w->weight_bottom, *at_j);
  return true;
}

/* The segment lies in the plane of a proper triangle. If neither end is in the triangle, a segment
   that meets it enters and leaves through different edges, or through a corner of two; where it
   runs along one, it meets the other two at their corners. So two of the three edges are enough. */
static abut_meeting meet_flat(meeting_work *w)
{
  mpz_set_ui(w->t_bottom, 1);
  for (int end = P; end <= Q; end++) {
    mpz_set_ui(w->t_top, end == Q);
    if (weigh(w, NORMAL, end) >= 0) return ABUT_TOUCHING;
  }
  return meet_edge(w, A, B) || meet_edge(w, B, C) ? ABUT_TOUCHING : ABUT_APART;
}

static int lexical(vec3 a, vec3 b)
{
  if (a.x != b.x) return a.x < b.x ? -1 : 1;
  if (a.y != b.y) return a.y < b.y ? -1 : 1;
  return a.z == b.z ? 0 : a.z < b.z ? -1 : 1;
}

/* along a line the order of coordinates is the order of points */
static int first_of(const meeting_work *w, int i, int j)
{
  return lexical(w->x[i], w->x[j]) <= 0 ? i : j;
}

static int last_of(const meeting_work *w, int i, int j)
{
  return lexical(w->x[i], w->x[j]) >= 0 ? i : j;
}

/* 0 <= top <= bottom? */
static bool within(const mpz_t top, const mpz_t bottom)
{
  return mpz_sgn(top) >= 0 && mpz_cmp(top, bottom) <= 0;
}

/* top / bottom: place of the point `at` along the direction from `from`; 0 / 1 without direction */
static void along(meeting_work *w, int at, int from, int direction, mpz_t top, mpz_t bottom)
{
  abut_whole_sub(&w->v[G], &w->v[at], &w->v[from]);
  abut_whole_dot(top, &w->v[G], &w->v[direction]);
  abut_whole_dot(bottom, &w->v[direction], &w->v[direction]);
  if (mpz_sgn(bottom) == 0) mpz_set_ui(bottom, 1);
}

/* Segment against the segment lo, hi that the corners of a degenerate triangle span; E is its
   direction. The place along it goes into g / weight_bottom. */
static abut_meeting meet_segments(meeting_work *w, int lo, int hi)
{
  abut_whole_sub(&w->v[E], &w->v[hi], &w->v[lo]);
  abut_whole_sub(&w->v[F], &w->v[lo], &w->v[P]);
  abut_whole_cross(&w->v[NORMAL], &w->v[D], &w->v[E]);
  if (!abut_whole_zero(&w->v[NORMAL])) {
    abut_whole_dot(w->h, &w->v[F], &w->v[NORMAL]);
    if (mpz_sgn(w->h) != 0) return ABUT_APART; /* skew lines */
    abut_whole_cross(&w->v[G], &w->v[F], &w->v[E]);
    abut_whole_dot(w->t_top, &w->v[G], &w->v[NORMAL]);
    abut_whole_cross(&w->v[G], &w->v[F], &w->v[D]);
    abut_whole_dot(w->g, &w->v[G], &w->v[NORMAL]);
    abut_whole_dot(w->t_bottom, &w->v[NORMAL], &w->v[NORMAL]);
    mpz_set(w->weight_bottom, w->t_bottom);
    bool met = within(w->t_top, w->t_bottom) && within(w->g, w->weight_bottom);
    return met ? ABUT_TOUCHING : ABUT_APART;
  }
  abut_whole_cross(&w->v[G], &w->v[F], &w->v[D]);
  if (!abut_whole_zero(&w->v[G])) return ABUT_APART;
  abut_whole_cross(&w->v[G], &w->v[F], &w->v[E]);
  if (!abut_whole_zero(&w->v[G])) return ABUT_APART;
  /* all on one line: intervals */
  int start = last_of(w, first_of(w, P, Q), lo), end = first_of(w, last_of(w, P, Q), hi);
  if (lexical(w->x[start], w->x[end]) > 0) return ABUT_APART;
  along(w, start, P, D, w->t_top, w->t_bottom);
  along(w, start, lo, E, w->g, w->weight_bottom);
  return ABUT_TOUCHING;
}

static abut_meeting meet_degenerate(meeting_work *w)
{
  int lo = first_of(w, A, first_of(w, B, C)), hi = last_of(w, A, last_of(w, B, C));
  abut_meeting meeting = meet_segments(w, lo, hi);
  for (int k = 0; k < 3; k++) mpz_set_ui(w->weight[k], 0);
  mpz_set(w->weight[hi - A], w->g);
  mpz_sub(w->weight[lo - A], w->weight_bottom, w->g); /* all of it where lo is hi */
  return meeting;
}

/* p + (q - p) t, one coordinate */
static double coordinate(meeting_work *w, int k)
{
  mpz_mul(w->g, w->v[P].c[k], w->t_bottom);
  mpz_addmul(w->g, w->v[D].c[k], w->t_top);
  return abut_whole_ratio(w->g, w->t_bottom, w->exponent);
}

abut_exact_place abut_exact_segment_triangle_rational(vec3 p, vec3 q, vec3 a, vec3 b, vec3 c)
{
  abut_exact_place place = {.meeting = ABUT_TOUCHING};
  meeting_work w = {.x = {p, q, a, b, c}};
  if (!abut_whole_finite(w.x, 5)) return place;
  work_init(&w);
  abut_whole_sub(&w.v[E], &w.v[P], &w.v[A]);
  abut_whole_sub(&w.v[F], &w.v[Q], &w.v[A]);
  abut_whole_dot(w.above_p, &w.v[NORMAL], &w.v[E]);
  abut_whole_dot(w.above_q, &w.v[NORMAL], &w.v[F]);
  if (abut_whole_zero(&w.v[NORMAL]))
    place.meeting = meet_degenerate(&w);
  else if (mpz_cmp(w.above_p, w.above_q) != 0)
    place.meeting = meet_across(&w);
  else
    place.meeting = mpz_sgn(w.above_p) == 0 ? meet_flat(&w) : ABUT_APART;

  if (place.meeting != ABUT_APART) {
    place.position = v3(coordinate(&w, 0), coordinate(&w, 1), coordinate(&w, 2));
    place.parameter = abut_whole_ratio(w.t_top, w.t_bottom, 0);
    for (int k = 0; k < 3; k++) place.bary[k] = abut_whole_ratio(w.weight[k], w.weight_bottom, 0);
  }
  work_clear(&w);
  return place;
}
