/* scene_def.h: a scene as its author wrote it, numbers checked one by one but not yet put together.
   A scene file or the C interface fills it; abut_model_build turns it into a model. Places of
   messages are kept as key paths (objects[2].material). */
#ifndef ABUT_SCENE_SCENE_DEF_H
#define ABUT_SCENE_SCENE_DEF_H

#include "mesh/mesh.h"
#include "scene/motion.h"
#include "step/system.h"

typedef struct abut_material_def {
  char *name;
  char *model;          /* of an energy: "stvk", .. */
  double young;         /* Pa; 0: not given, as below */
  double poisson;       /* NaN: not given */
  double density;       /* kg/m^3 */
  double thickness;     /* m, shells */
  double bending_scale; /* 1 */
  bool wrap;            /* hinge_angle "wrap" */
} abut_material_def;

typedef enum abut_selection_kind {
  ABUT_SELECT_ALL,
  ABUT_SELECT_INDICES,
  ABUT_SELECT_RANGE,
  ABUT_SELECT_BOX,
  ABUT_SELECT_SPHERE,
  ABUT_SELECT_GROUP
} abut_selection_kind;

typedef struct abut_selection {
  abut_selection_kind kind;
  int32_t count, *index; /* INDICES: of the mesh file; RANGE: first and last, inclusive */
  vec3 low, high;        /* BOX, m, world space at the start */
  vec3 center;           /* SPHERE, m */
  double radius;
  char *group; /* GROUP */
  bool brief;  /* written as "indices" beside the object, not inside "vertices" */
} abut_selection;

typedef enum abut_object_kind {
  ABUT_SHELL,
  ABUT_SOLID,
  ABUT_SPHERES,
  ABUT_OBSTACLE,
  ABUT_PLANE
} abut_object_kind;

typedef enum abut_rest_kind { ABUT_REST_INPUT, ABUT_REST_FLAT, ABUT_REST_MESH } abut_rest_kind;

typedef struct abut_object_def {
  char *name, *material; /* material may be NULL for spheres, obstacles, planes */
  char *file;            /* of the mesh, for messages; NULL: built in or from memory */
  abut_object_kind kind;
  abut_mesh_data mesh; /* shells, solids, obstacles; vertices as in the file */
  abut_rest_kind rest;
  abut_mesh_data rest_mesh;
  vec3 scale, axis, translate; /* transform: scale, then rotate, then translate */
  double angle;                /* rad about axis */
  vec3 velocity;               /* m/s */
  vec3 angular_velocity;       /* rad/s about the centre of mass */
  double weld;                 /* m; 0: off */
  int32_t spheres;
  vec3 *center;       /* m                                            (spheres) */
  double *radius;     /* m                                            (spheres) */
  double density;     /* kg/m^3 of spheres */
  abut_motion motion; /* of obstacles */
  vec3 point, normal; /* of planes; normal need not be unit */
} abut_object_def;

typedef enum abut_control_kind {
  ABUT_CONTROL_PIN,
  ABUT_CONTROL_SUPPORT,
  ABUT_CONTROL_TIE,
  ABUT_CONTROL_DRAG,
  ABUT_CONTROL_GRAVITY,
  ABUT_CONTROL_FORCE,
  ABUT_CONTROL_SOLVER,
  ABUT_CONTROL_REQUIRE
} abut_control_kind;

typedef struct abut_control_def {
  abut_control_kind kind;
  char *object; /* name, or "*"; NULL for solver */
  abut_selection vertices;
  double from, until;   /* s; until may be +infinity */
  abut_motion motion;   /* pin, support */
  double stiffness;     /* N/m: support, tie */
  int32_t pairs, *pair; /* vertices of the mesh file: tie, require           (pairs x 2) */
  bool relative;        /* tie: lengths are factors of the length at activation */
  abut_schedule length; /* tie, m or factor; NaN: the length at activation */
  double rate;          /* drag, 1/s */
  double scale;         /* gravity */
  vec3 force;           /* N on each vertex */
  double tolerance, position_tolerance; /* solver; NaN: not changed */
  int max_newton;                       /* solver; 0: not changed */
  double at;                            /* require, s */
} abut_control_def;

/* a row of contact.pairs; a and b name objects or materials */
typedef struct abut_pair_def {
  char *a, *b;
  bool has_friction, has_enabled, enabled;
  double friction;
} abut_pair_def;

typedef struct abut_scene_def {
  char *name;
  vec3 gravity;
  double step, end, frame_rate; /* s, s, 1/s; frame_rate 0: every step is a frame */
  abut_step_options options;    /* tolerance, friction_velocity 0: auto */
  double dhat;                  /* m; 0: auto */
  double gap;
  double friction;
  bool self_contact;
  int32_t pairs, materials, objects, controls;
  int64_t pair_room, material_room, object_room, control_room;
  abut_pair_def *pair;
  abut_material_def *material;
  abut_object_def *object;
  abut_control_def *control;
  int64_t checkpoint_every; /* steps; 0: only at the end */
  int threads;              /* 0: all */
} abut_scene_def;

/* every default of the scene file; no objects */
abut_scene_def abut_scene_def_default(void);
abut_object_def abut_object_def_default(abut_object_kind kind);
abut_material_def abut_material_def_default(void);
abut_control_def abut_control_def_default(abut_control_kind kind);
void abut_scene_def_free(abut_context *ctx, abut_scene_def *s);
void abut_object_def_free(abut_context *ctx, abut_object_def *o);
void abut_control_def_free(abut_context *ctx, abut_control_def *c);

/* appends an item and takes over what it owns, which is freed when there is no memory */
abut_status abut_scene_add_object(abut_context *ctx, abut_scene_def *s, abut_object_def *o);
abut_status abut_scene_add_material(abut_context *ctx, abut_scene_def *s, abut_material_def *m);
abut_status abut_scene_add_control(abut_context *ctx, abut_scene_def *s, abut_control_def *c);
abut_status abut_scene_add_pair(abut_context *ctx, abut_scene_def *s, abut_pair_def *p);

/* m; coordinates and distances of a scene are smaller: boxes around their sums are float32 */
#define ABUT_FARTHEST 1e37

/* what is wrong with the name of an object; NULL: nothing. Files of exports carry it and a suffix.
 */
enum { ABUT_LONGEST_NAME = 200 }; /* bytes */
const char *abut_scene_bad_name(const char *name);

/* index, or -1 */
int32_t abut_scene_find_object(const abut_scene_def *s, const char *name);
int32_t abut_scene_find_material(const abut_scene_def *s, const char *name);

/* s: a time that is nearer to a step's start than this is that start. Where frames cut steps,
   pieces shorter than a thousandth of a step are not made: they have no digits left for velocities.
 */
static inline double abut_step_slack(const abut_scene_def *def)
{
  return (def->frame_rate > 0 ? 1e-3 : 1e-9) * def->step;
}

#endif
