/* abut.h: penetration-free simulation of film, cloth, soft solids and spheres in frictional
   contact. SI units, double precision. The library copies what it is given and keeps no pointer of
   the caller's. One scene may be used by one thread at a time; different scenes are independent.
   Every call that can fail returns abut_status, and abut_last_error then says what and where. */
#ifndef ABUT_H
#define ABUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define ABUT_API __attribute__((visibility("default")))
#else
#define ABUT_API
#endif

/* --- Outcomes --- */

/* After any status but ABUT_OK the simulated state is the last good one. */
typedef enum abut_status {
  ABUT_OK = 0,
  ABUT_BAD_ARGUMENT, /* a call or a command line that makes no sense (exit 2) */
  ABUT_BAD_FORMAT,   /* the content of a scene or mesh file is invalid (exit 2) */
  ABUT_UNSUPPORTED,  /* a feature or a name that this version does not have (exit 2) */
  ABUT_BAD_GEOMETRY, /* degenerate, touching or crossing geometry (exit 3) */
  ABUT_STOPPED,      /* the solver stopped with a named reason (exit 4) */
  ABUT_IO,           /* a file cannot be opened, read or written (exit 5) */
  ABUT_BUSY,         /* the run folder is in use by another run (exit 5) */
  ABUT_NO_MEMORY,    /* out of memory (exit 6) */
  ABUT_CANCELLED,    /* the caller asked to stop (exit 130) */
  ABUT_STATUS_COUNT
} abut_status;

ABUT_API const char *abut_version(void);         /* "0.1.0" */
ABUT_API int abut_exit_code(abut_status status); /* of the program, as above */
ABUT_API const char *abut_status_text(abut_status status);

/* What went wrong, in the words of the user's files; absent parts are NULL, 0 or false. */
typedef struct abut_error {
  abut_status code;
  const char *message; /* what is wrong and what to do; never NULL */
  const char *file;    /* scene or mesh file */
  int line;            /* in it, from 1 */
  const char *key;     /* path of a scene key: objects[2].material */
  const char *object;  /* name */
  const char *element; /* "face 3" */
  bool has_position;
  double position[3]; /* m */
} abut_error;

/* --- Scenes --- */

/* Memory comes from here; called from several threads, never at the same time. Both functions or
   neither. */
typedef struct abut_allocator {
  void *(*alloc)(void *ctx, size_t size);            /* NULL when there is none; 16-byte aligned */
  void (*free)(void *ctx, void *block, size_t size); /* size as it was asked for */
  void *ctx;
} abut_allocator;

typedef void abut_log_fn(void *ctx, int level, const char *text); /* 0: note, 1: warning */
typedef bool abut_poll_fn(void *ctx); /* asked between iterations; true: stop (ABUT_CANCELLED) */

typedef struct abut_scene abut_scene; /* opaque */
typedef struct abut_body {
  int32_t index;
} abut_body; /* by value; index 0 is none */

/* Fill with abut_settings_default and change what you need. 0 in a field marked auto: chosen. */
typedef struct abut_settings {
  double gravity[3];         /* m/s^2. Default 0 0 -9.81 */
  double step;               /* s, > 0. Default 0.01 */
  const char *method;        /* see abut_list. Default "ipc" */
  const char *linear_solver; /* Default "auto" */
  double tolerance;          /* m/s, largest speed of a Newton correction. Default auto: 1e-2 L/s */
  double
      position_tolerance;   /* m, largest Newton correction, instead of tolerance. Default 0: off */
  int max_newton;           /* Newton iterations of a step. Default auto: as in scene files */
  double dhat;              /* m, contact acts below this distance. Default auto: 1e-3 L */
  double gap;               /* m, minimum separation of midsurfaces, >= 0. Default 0 */
  double friction;          /* Coulomb coefficient of all pairs, >= 0. Default 0 */
  double friction_velocity; /* m/s, below it friction is smoothed. Default auto: 1e-3 L/s */
  double stiffness;         /* of the contact law, in its unit. Default auto */
  int threads;              /* >= 0. Default 0: one per processor. Results do not depend on it */
  abut_allocator allocator; /* Default: malloc */
  abut_log_fn *log;         /* Default NULL: silence */
  abut_poll_fn *poll;       /* Default NULL */
  void *log_ctx, *poll_ctx;
  uint32_t cookie; /* set by the default function */
} abut_settings;
ABUT_API abut_settings abut_settings_default(void);

ABUT_API abut_status abut_create(const abut_settings *settings, abut_scene **out);
ABUT_API void abut_destroy(abut_scene *s); /* NULL is fine */
/* of the last call on s that failed; NULL: of the last abut_create on this thread. Valid until the
   next call on s. */
ABUT_API abut_error abut_last_error(const abut_scene *s);

/* --- From a scene file --- */

/* Reads a scene file; the settings above but for threads, memory and callbacks come from it. */
ABUT_API abut_status abut_load(abut_scene *s, const char *path);
/* The same from text; relative paths start from folder. */
ABUT_API abut_status abut_parse(abut_scene *s, const char *text, const char *folder);
/* Changes a loaded scene before it is built: "contact.dhat=1e-3"; and its method. What is wrong by
   itself (an unknown key, a value out of range) is refused and changes nothing; what does not fit
   other keys is found when the scene is built, as a later setting may mend it. */
ABUT_API abut_status abut_set(abut_scene *s, const char *setting);
ABUT_API abut_status abut_set_method(abut_scene *s, const char *method);

/* --- Piece by piece --- */

typedef struct abut_material {
  const char *model;    /* "stvk", "neo_hookean", "stable_neo_hookean", "fixed_corotated" */
  double density;       /* kg/m^3, > 0. Default 1000 */
  double young;         /* Pa, > 0. Default 1e5 */
  double poisson;       /* (-1, 0.5). Default 0.3 */
  double thickness;     /* m, of shells alone, > 0. Default 1e-3 */
  double bending_scale; /* 1: 6 times a plate (docs/energies.md); 1/6: plate; 0: none. Default 1 */
  uint32_t cookie;
} abut_material;
ABUT_API abut_material abut_material_default(const char *model);

/* cells: triangles of a shell or obstacle, tetrahedra of a solid */
typedef struct abut_mesh {
  int32_t vertices;
  const double *x; /* m                                             (vertices x 3) */
  int32_t cells;
  const int32_t *cell; /* zero-based corners                        (cells x 3 or 4) */
} abut_mesh;

/* Names are unique, not "*", and 200 bytes long at most. A material that the body cannot have is
   refused at once, the error naming the body and the field. */
ABUT_API abut_status abut_add_shell(abut_scene *s, const char *name, const abut_mesh *mesh,
                                    const abut_material *material, abut_body *out);
ABUT_API abut_status abut_add_solid(abut_scene *s, const char *name, const abut_mesh *mesh,
                                    const abut_material *material, abut_body *out);
ABUT_API abut_status abut_add_obstacle(abut_scene *s, const char *name, const abut_mesh *mesh,
                                       abut_body *out);
/* centers: (count x 3), m; radii: (count), m; density: kg/m^3 */
ABUT_API abut_status abut_add_spheres(abut_scene *s, const char *name, int32_t count,
                                      const double *centers, const double *radii, double density,
                                      abut_body *out);
ABUT_API abut_status abut_add_plane(abut_scene *s, const char *name, const double point[3],
                                    const double normal[3], abut_body *out);
/* a control as in a scene file: {"kind": "pin", "object": "cloth", "vertices": {"indices": [0]}};
   its object must have been added, or be "*" */
ABUT_API abut_status abut_add_control(abut_scene *s, const char *json);

/* --- Stepping and reading --- */

typedef struct abut_report {
  int64_t steps;        /* made by this call */
  int64_t newton;       /* iterations in them */
  int64_t contacts;     /* pairs closer than dhat at the end */
  double step_fraction; /* smallest accepted fraction of a Newton direction */
  double time;          /* s, at the end */
  double min_gap;       /* m, smallest distance minus offset; +infinity without contacts */
  double kinetic, elastic, bending, gravity, contact; /* J, at the end */
  double momentum[3];                                 /* kg m/s, at the end */
  double seconds;                                     /* of wall time */
} abut_report;

/* Up to that many steps; a loaded scene ends at its time.end, then fewer are made. The first call
   checks the geometry: ABUT_BAD_GEOMETRY when it crosses or touches. out may be NULL. */
ABUT_API abut_status abut_step(abut_scene *s, int64_t steps, abut_report *out);
ABUT_API double abut_time(const abut_scene *s);
ABUT_API abut_body abut_find_body(abut_scene *s, const char *name); /* index 0 when there is none */
/* Vertices as in the mesh given or the file; views are valid until the next call on s. They are
   there after ABUT_BAD_GEOMETRY too, so that a faulty start can be drawn. */
ABUT_API int32_t abut_vertex_count(abut_scene *s, abut_body b);
ABUT_API const double *abut_positions(abut_scene *s, abut_body b);  /* m    (vertices x 3) */
ABUT_API const double *abut_velocities(abut_scene *s, abut_body b); /* m/s  (vertices x 3) */

/* What is near or pushed at a pair in the last step: the force on vertex[k] is weight[k] times the
   sum of normal_force * normal and tangential_force. */
typedef struct abut_contact_force {
  abut_body body[2];          /* of the first and of the second side; the same in self-contact */
  const char *element[2];     /* "vertex", "edge", "face", "sphere", "plane" */
  int32_t index[2];           /* of the element, in the body's own numbering */
  int32_t vertex[4];          /* of the first side, then of the second, likewise; -1: unused */
  double weight[4];           /* of the closest points; they sum to 1 and to -1 */
  double normal[3];           /* unit, from the second side to the first */
  double gap;                 /* m, distance minus offset, at the end of the step */
  double normal_force;        /* N, >= 0, on the first side along normal */
  double tangential_force[3]; /* N, friction on the first side; the second feels the opposite */
} abut_contact_force;

/* Contacts of the last step, in a fixed order: all pairs closer than dhat at its end, and those
   farther away on which a force acted. Forces are those that balance the step, within what its
   tolerance left; friction takes its normal forces from the step's start. Of a step that was
   halved: of its last part. ABUT_BAD_ARGUMENT before the first step and after one that failed. The
   list is valid until the next call on s. */
ABUT_API abut_status abut_contacts(abut_scene *s, const abut_contact_force **list, int64_t *count);
ABUT_API uint64_t abut_hash(abut_scene *s); /* of the state: equal bits, equal hash */

/* --- Whole runs: folders --- */

typedef struct abut_run_def {
  const char *folder; /* Default NULL: out/ and the scene's name */
  bool resume;        /* from the newest checkpoint. Default false: an old run is replaced */
  double until;       /* s, total, >= 0. Default infinity */
  int64_t steps;      /* total, >= -1. Default -1: no limit */
  /* before the first step and after each; frame: the number of the frame that the state is, -1
     when it is none */
  void (*progress)(void *ctx, const abut_report *now, double end, double seconds, int64_t frame);
  void *progress_ctx;
  uint32_t cookie;
} abut_run_def;
ABUT_API abut_run_def abut_run_def_default(void);

/* Runs a scene that was loaded or parsed, from its start or checkpoint. */
ABUT_API abut_status abut_run(abut_scene *s, const abut_run_def *def);

/* The next four use any scene, an empty one too, for memory, threads and errors. */
typedef struct abut_finding {
  bool error;                   /* or a warning */
  const char *kind;             /* crossing, touching, closer_than_gap, .. (docs/scene.md) */
  const char *object[2];        /* names; NULL: none */
  const char *element[2];       /* "vertex", "edge", "face", "tet", "sphere", "plane"; NULL: none */
  int32_t index[2];             /* in the object's own numbering */
  double position[3], distance; /* m; NaN: does not apply */
  int64_t frame;                /* of a run; -1: none */
  const char *message;
} abut_finding;

/* faults of a scene or mesh file before a run; weld: m, 0 for none; bad_obj: file for the offending
   elements, or NULL. Findings are valid until the next call on s. */
ABUT_API abut_status abut_check(abut_scene *s, const char *path, double weld, const char *bad_obj,
                                const abut_finding **list, int64_t *count);
/* crossings in the saved frames of a run; frames: how many were tested */
ABUT_API abut_status abut_verify(abut_scene *s, const char *folder, const abut_finding **list,
                                 int64_t *count, int64_t *frames);
/* what a run folder, scene or mesh file holds, for people; valid until the next call on s */
ABUT_API abut_status abut_info(abut_scene *s, const char *path, const char **text);
/* frames: a Python slice "A:B:S", or NULL for all; path NULL: FOLDER/export/FORMAT */
ABUT_API abut_status abut_export(abut_scene *s, const char *folder, const char *format,
                                 const char *frames, const char *path);

/* member i of methods, energies, linear, formats or shapes; false past the end or for another word
 */
ABUT_API bool abut_list(const char *family, int i, const char **name, const char **text);

#ifdef __cplusplus
}
#endif
#endif
