/* system.h: what a step solves, free of names and files: masses, elements, the surface, and the
   options. Const during a run. */
#ifndef ABUT_STEP_SYSTEM_H
#define ABUT_STEP_SYSTEM_H

#include "contact/law.h"
#include "energy/term.h"
#include "linear/linear.h"

struct abut_state;
struct abut_work;
struct abut_system;
struct abut_step_options;

/* A method: how a step is solved. */
typedef struct abut_method_class {
  const char *name;
  const char *text;
  const abut_law_class *law; /* of its barrier; NULL: it has none */
  /* From the entered work (x0, x, drive) to the end of the step: w->x, w->now, w->report.status;
     w->still when no iteration was needed. ABUT_STOPPED (abut_fail) names a reason that halving
     the step may cure. */
  abut_status (*solve)(abut_context *ctx, const struct abut_system *sys,
                       const struct abut_step_options *options, const struct abut_state *s,
                       struct abut_work *w);
} abut_method_class;

extern const abut_method_class abut_method_ipc, abut_method_offset_ipc, abut_method_barrier_free;

typedef enum abut_stop_rule { ABUT_STOP_RESIDUAL, ABUT_STOP_TOI } abut_stop_rule;

/* of barrier_free, see docs/barrier-free.md; the values are defaults of the scene file */
typedef struct abut_augmented_options {
  double c_mu;           /* literal stiffness: this share of the largest diagonal entry */
  double decay;          /* of a constraint's share per quiet iteration */
  double delta;          /* separation that constraints ask for, m; 0: dhat */
  double push_speed;     /* m/s at which a pair nearer than delta may be pushed out; 0: any */
  int k_max;             /* outer iterations */
  int finish_iterations; /* more of them, until a whole step comes through */
  bool multipliers;      /* false: they stay 0 */
  bool filter;           /* of new constraints: only the earliest of a vertex */
  bool local_stiffness;  /* of each pair by its mass and elasticity instead of c_mu's */
  bool settle;           /* wait for the multipliers to settle */
  bool seed;             /* pairs join before they are hit, see docs/barrier-free.md */
  bool floor;            /* collision detection stops at a fixed distance, not at a share */
  bool exact_boundaries; /* a boundary that lags fails the step */
} abut_augmented_options;

typedef struct abut_step_options {
  const abut_method_class *method;
  const abut_linear_class *linear;
  abut_linear_options linear_options;
  abut_stop_rule stop;
  double tolerance;          /* residual: m/s, largest speed of a Newton correction */
  double position_tolerance; /* residual: m, used instead when positive */
  double epsilon;            /* toi: share of the step that may be missing */
  int k_min;                 /* toi: Newton iterations before that share counts */
  int max_newton;
  int max_subdivisions;     /* a step may be halved this many times */
  int friction_iterations;  /* solves per step, friction refreshed between them */
  bool accept_at_cap;       /* keep a step that reached max_newton instead of halving it */
  double friction_velocity; /* m/s, smoothing of friction */
  double stiffness;         /* of the law, in its unit; 0: its own rule */
  bool inactive_stiffness;  /* barrier_free: inactive constraints stay in the matrix */
  abut_augmented_options augmented;
} abut_step_options;

typedef struct abut_system {
  int32_t vertices;
  int32_t dynamic;    /* vertices [0, dynamic) have mass and a row of the matrix */
  const double *mass; /* kg                                        (dynamic) */
  vec3 gravity;       /* m/s^2 */
  int batches;
  const abut_batch *batch; /* elements that are always there; memory is NULL here (batches) */
  const int64_t *memory;   /* where each batch's history starts in the state    (batches) */
  const abut_surface *surface;
  double length;      /* L, the scene's diagonal, m */
  double step;        /* the scene's nominal step, s */
  double mean_mass;   /* kg */
  double edge_length; /* mean rest length of an edge, m; 0 without edges */
} abut_system;

/* What the outside world does during a step or a part of it; filled by abut_boundary.prepare. */
typedef struct abut_drive {
  double begin, end;  /* s */
  vec3 *y;            /* inertial target of free vertices, m             (dynamic) */
  bool *prescribed;   /* vertices that are led, obstacles among them     (vertices) */
  vec3 *target;       /* where they must be at the end, m                (vertices) */
  bool turns_too_far; /* a motion turns so far that its arc leaves the straight paths: cut */
  int controls;
  abut_batch *control; /* supports, ties, drag, forces acting now         (controls) */
  double tolerance, position_tolerance; /* of the options, or of a solver control */
  int max_newton;
} abut_drive;

/* Asks the owner of motions and controls about a step and about each part of it. */
typedef struct abut_boundary {
  void *self;
  /* once, before the first part; may change what the state remembers of controls */
  abut_status (*begin_step)(abut_context *ctx, void *self, struct abut_state *s, double t);
  abut_status (*prepare)(abut_context *ctx, void *self, const struct abut_state *s, double begin,
                         double end, abut_drive *drive);
} abut_boundary;

#endif
