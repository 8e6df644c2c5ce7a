/* handle.h: what stands behind the interface's opaque abut_scene. */
#ifndef ABUT_API_HANDLE_H
#define ABUT_API_HANDLE_H

#include "io/run.h"
#include "io/verify.h"
#include "scene/sim.h"

struct abut_scene {
  abut_context ctx;
  abut_settings settings;
  abut_scene_file file; /* root NULL: built piece by piece */
  abut_scene_def def;
  bool read; /* def has been filled from the file */
  abut_sim sim;
  bool built;                  /* sim has been built from def */
  bool faulty;                 /* it has, but its start is not free of faults: for drawing alone */
  vec3 *x, *v;                 /* in the user's numbering, for views   (user_vertices) */
  bool fresh;                  /* x and v belong to the present state */
  abut_pair_forces forces;     /* of abut_contacts */
  abut_contact_force *contact; /* its list */
  abut_text text;              /* of abut_info */
  abut_scene_def checked;      /* of abut_check; names in findings are its */
  abut_faults faults;          /* of abut_check */
  abut_verdict verdict;
  abut_finding *finding;
};

/* every call on a scene begins here: forgets the last error and scratch memory */
void abut_begin_call(abut_scene *s);
/* ABUT_BAD_ARGUMENT for a call that makes no sense; s may be NULL */
abut_status abut_refuse_call(abut_scene *s, const char *why);
/* fills def from the file if that has not been done */
abut_status abut_need_def(abut_scene *s);
/* and builds and checks the simulation */
abut_status abut_need_sim(abut_scene *s);
/* forgets the simulation, before def changes */
void abut_drop_sim(abut_scene *s);
/* the public part of a report */
void abut_fill_report(const abut_step_report *r, abut_report *out);

#endif
