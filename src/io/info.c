#include "io/info.h"

#include <math.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/scratch.h"
#include "io/trajectory.h"
#include "mesh/quality.h"
#include "mesh/topology.h"

/* ---- runs ---- */

static abut_status add_objects(abut_context *ctx, const abut_layout *layout, abut_text *out)
{
  static const char *const cells[] = {"", "spheres", "segments", "triangles", "tetrahedra"};
  for (int32_t i = 0; i < layout->objects; i++) {
    const abut_layout_object *o = &layout->object[i];
    ABUT_TRY(abut_text_add(ctx, out, "  %-20s %-9s %d vertices, %d %s\n", o->name, o->kind,
                           o->points, o->cells, cells[o->corners]));
  }
  return ABUT_OK;
}

static abut_status add_trajectory(abut_context *ctx, const char *path, abut_text *out)
{
  abut_trajectory *t = NULL;
  ABUT_TRY(abut_trajectory_open(ctx, path, false, &t));
  int64_t frames = abut_trajectory_frames(t);
  double last = 0;
  abut_status status = ABUT_OK;
  if (frames > 0) status = abut_trajectory_read(ctx, t, frames - 1, &last, NULL, NULL, NULL);
  if (status == ABUT_OK)
    status = abut_text_add(ctx, out, "frames: %lld, the last at %.6g s\n", (long long)frames, last);
  if (status == ABUT_OK) status = add_objects(ctx, abut_trajectory_layout(t), out);
  abut_trajectory_close(ctx, t);
  return status;
}

abut_status abut_info_run(abut_context *ctx, const char *folder, abut_text *out)
{
  char *summary = abut_path_join(ctx, folder, "summary.json"), *data = NULL;
  char *trajectory = abut_path_join(ctx, folder, "trajectory.vtkhdf");
  int64_t size;
  abut_status status = summary && trajectory ? ABUT_OK : ABUT_NO_MEMORY;
  if (status == ABUT_OK) status = abut_text_add(ctx, out, "run %s\n", folder);
  if (status == ABUT_OK) status = add_trajectory(ctx, trajectory, out);
  if (status == ABUT_OK && abut_file_exists(summary)) {
    status = abut_file_read(ctx, summary, &data, &size);
    if (status == ABUT_OK) status = abut_text_append(ctx, out, data, size);
  } else if (status == ABUT_OK) {
    status = abut_text_add(ctx, out, "no summary.json yet: the run has not reached a checkpoint\n");
  }
  abut_free(ctx, summary);
  abut_free(ctx, trajectory);
  abut_free(ctx, data);
  return status;
}

/* ---- meshes ---- */

static abut_status add_box(abut_context *ctx, const vec3 *x, int32_t n, abut_text *out)
{
  if (n == 0) return ABUT_OK;
  vec3 low = x[0], high = x[0];
  for (int32_t v = 1; v < n; v++) {
    low = v3(fmin(low.x, x[v].x), fmin(low.y, x[v].y), fmin(low.z, x[v].z));
    high = v3(fmax(high.x, x[v].x), fmax(high.y, x[v].y), fmax(high.z, x[v].z));
  }
  return abut_text_add(ctx, out, "box: (%.6g, %.6g, %.6g) to (%.6g, %.6g, %.6g), diagonal %.6g\n",
                       low.x, low.y, low.z, high.x, high.y, high.z, v3_norm(v3_sub(high, low)));
}

static abut_status add_cells(abut_context *ctx, const abut_mesh_data *mesh, int corners,
                             abut_text *out)
{
  int32_t n = corners == 4 ? mesh->tets : mesh->triangles;
  if (n == 0) return ABUT_OK;
  abut_mark mark = abut_scratch_mark(ctx);
  abut_cell_quality *q = ABUT_SCRATCH(ctx, abut_cell_quality, n);
  if (!q) return ABUT_NO_MEMORY;
  abut_cells_check(ctx, mesh->x, corners == 4 ? mesh->tet : mesh->triangle, n, corners, q);
  double sum = 0, worst = HUGE_VAL;
  int32_t at = 0;
  for (int32_t k = 0; k < n; k++) {
    sum += fabs(q[k].measure);
    if (q[k].quality < worst) {
      worst = q[k].quality;
      at = k;
    }
  }
  abut_scratch_release(ctx, mark);
  return abut_text_add(ctx, out, "%s: %d, %s %.6g, worst quality %.3g (number %d)\n",
                       corners == 4 ? "tetrahedra" : "triangles", n,
                       corners == 4 ? "volume" : "area", sum, worst, at);
}

static abut_status add_edges(abut_context *ctx, const abut_mesh_data *mesh, abut_text *out)
{
  int32_t *edge = NULL, edges = 0;
  bool solid = mesh->tets > 0;
  ABUT_TRY(abut_cell_edges_of(ctx, solid ? mesh->tet : mesh->triangle,
                              solid ? mesh->tets : mesh->triangles, solid ? 4 : 3, &edge, &edges));
  double low = HUGE_VAL, high = 0, sum = 0;
  for (int32_t e = 0; e < edges; e++) {
    double l = v3_norm(v3_sub(mesh->x[edge[2 * (int64_t)e]], mesh->x[edge[2 * (int64_t)e + 1]]));
    low = fmin(low, l);
    high = fmax(high, l);
    sum += l;
  }
  abut_free(ctx, edge);
  if (edges == 0) return ABUT_OK;
  return abut_text_add(ctx, out, "edges: %d, length %.6g to %.6g, mean %.6g\n", edges, low, high,
                       sum / edges);
}

abut_status abut_info_mesh(abut_context *ctx, const char *path, const abut_mesh_data *mesh,
                           abut_text *out)
{
  ABUT_TRY(abut_text_add(ctx, out, "mesh %s\nvertices: %d\n", path, mesh->vertices));
  ABUT_TRY(add_cells(ctx, mesh, 4, out));
  ABUT_TRY(add_cells(ctx, mesh, 3, out));
  if (mesh->lines) ABUT_TRY(abut_text_add(ctx, out, "lines: %d\n", mesh->lines));
  ABUT_TRY(add_edges(ctx, mesh, out));
  ABUT_TRY(add_box(ctx, mesh->x, mesh->vertices, out));
  for (int32_t g = 0; g < mesh->groups; g++)
    ABUT_TRY(abut_text_add(ctx, out, "group %s: %d vertices\n", mesh->group[g].name,
                           mesh->group[g].count));
  return ABUT_OK;
}

/* ---- scenes ---- */

abut_status abut_info_scene(abut_context *ctx, const char *path, const abut_model *m,
                            abut_text *out)
{
  static const char *const kind[] = {"shell", "solid", "spheres", "obstacle", "plane"};
  const abut_scene_def *def = m->def;
  double mass = 0;
  for (int32_t v = 0; v < m->system.dynamic; v++) mass += m->mass[v];
  ABUT_TRY(abut_text_add(ctx, out, "scene %s%s%s\n", path, def->name && def->name[0] ? ": " : "",
                         def->name ? def->name : ""));
  ABUT_TRY(abut_text_add(ctx, out,
                         "method %s, linear solver %s, %.6g s in steps of %.6g s, %lld frames\n",
                         m->options.method->name, m->options.linear->name, def->end, def->step,
                         (long long)abut_sim_frames(def)));
  ABUT_TRY(abut_text_add(ctx, out,
                         "L = %.6g m, dhat = %.6g m, gap = %.6g m, tolerance = %.6g m/s, "
                         "friction velocity = %.6g m/s\n",
                         m->system.length, m->surface.dhat, m->surface.gap, m->options.tolerance,
                         m->options.friction_velocity));
  ABUT_TRY(abut_text_add(ctx, out,
                         "%d unknowns, mass %.6g kg, surface of %d faces and %d edges, mean edge "
                         "%.6g m\n",
                         3 * m->system.dynamic, mass, m->surface.faces, m->surface.edges,
                         m->system.edge_length));
  for (int32_t i = 0; i < m->objects; i++)
    ABUT_TRY(abut_text_add(ctx, out, "  %-20s %-9s %d vertices, %d cells\n", def->object[i].name,
                           kind[def->object[i].kind], m->object[i].count, m->object[i].cells));
  return abut_text_add(ctx, out, "controls: %d\n", m->controls);
}
