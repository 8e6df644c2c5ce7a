#include "mesh/mesh.h"

#include "base/memory.h"

void abut_mesh_free(abut_context *ctx, abut_mesh_data *mesh)
{
  for (int32_t i = 0; i < mesh->groups; i++) {
    abut_free(ctx, mesh->group[i].name);
    abut_free(ctx, mesh->group[i].vertex);
  }
  abut_free(ctx, mesh->group);
  abut_free(ctx, mesh->x);
  abut_free(ctx, mesh->triangle);
  abut_free(ctx, mesh->tet);
  abut_free(ctx, mesh->line);
  *mesh = (abut_mesh_data){0};
}
