/* groups.h: collects named vertex sets while a file is read. */
#ifndef ABUT_MESH_GROUPS_H
#define ABUT_MESH_GROUPS_H

#include "base/text.h"
#include "mesh/mesh.h"

/* zeroed: empty */
typedef struct abut_group_builder {
  int32_t groups;
  int64_t *name; /* start of each name in text; names are terminated  (groups) */
  int64_t name_room;
  abut_text text;
  int32_t *slot; /* hash table of names: group + 1, or 0  (slots, a power of 2) */
  int64_t slots;
  uint64_t *member; /* group << 32 | vertex, repeats allowed  (members) */
  int64_t members, member_room;
  int32_t *last; /* group + 1 that each vertex was last added to  (last_room) */
  int64_t last_room;
} abut_group_builder;

/* the group of that name, new or not */
abut_status abut_group_find(abut_context *ctx, abut_group_builder *b, const char *name,
                            int64_t length, int32_t *group);
abut_status abut_group_add(abut_context *ctx, abut_group_builder *b, int32_t group, int32_t vertex);
/* moves the sets into the mesh, in the order in which their names came; empty ones too */
abut_status abut_groups_finish(abut_context *ctx, abut_group_builder *b, abut_mesh_data *mesh);
void abut_groups_free(abut_context *ctx, abut_group_builder *b);

#endif
