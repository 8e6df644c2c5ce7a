/* info.h: what a run folder, a scene or a mesh file holds, in words. */
#ifndef ABUT_IO_INFO_H
#define ABUT_IO_INFO_H

#include "base/text.h"
#include "io/scene_file.h"
#include "scene/check.h"
#include "scene/sim.h"

abut_status abut_info_run(abut_context *ctx, const char *folder, abut_text *out);
abut_status abut_info_mesh(abut_context *ctx, const char *path, const abut_mesh_data *mesh,
                           abut_text *out);
abut_status abut_info_scene(abut_context *ctx, const char *path, const abut_model *m,
                            abut_text *out);

/* the elements of all faults as a small mesh: vertices as p, edges as l, faces as f, tetrahedra as
   their four faces, one group per fault */
abut_status abut_faults_write_obj(abut_context *ctx, const abut_faults *f, const char *path);

#endif
