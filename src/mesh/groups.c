#include "mesh/groups.h"

#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "base/sort.h"

static const char *name_of(const abut_group_builder *b, int32_t group)
{
  return b->text.data + b->name[group];
}

/* the slot that holds the name or the free one where it belongs */
static int64_t find_slot(const abut_group_builder *b, const char *name, int64_t length)
{
  uint64_t hash = abut_hash_bytes(ABUT_HASH_START, name, (size_t)length);
  int64_t i = (int64_t)(hash & (uint64_t)(b->slots - 1));
  for (; b->slot[i]; i = (i + 1) & (b->slots - 1)) {
    const char *other = name_of(b, b->slot[i] - 1);
    if (strlen(other) == (size_t)length && memcmp(other, name, (size_t)length) == 0) break;
  }
  return i;
}

/* at most half of the slots are taken, so a search always ends */
static abut_status make_slots(abut_context *ctx, abut_group_builder *b)
{
  if (2 * ((int64_t)b->groups + 1) <= b->slots) return ABUT_OK;
  int64_t slots = b->slots ? 2 * b->slots : 16;
  int32_t *slot = ABUT_NEW_ZERO(ctx, int32_t, slots);
  if (!slot) return ABUT_NO_MEMORY;
  abut_free(ctx, b->slot);
  b->slot = slot;
  b->slots = slots;
  for (int32_t g = 0; g < b->groups; g++) {
    const char *name = name_of(b, g);
    b->slot[find_slot(b, name, (int64_t)strlen(name))] = g + 1;
  }
  return ABUT_OK;
}

abut_status abut_group_find(abut_context *ctx, abut_group_builder *b, const char *name,
                            int64_t length, int32_t *group)
{
  ABUT_TRY(make_slots(ctx, b));
  int64_t i = find_slot(b, name, length);
  if (!b->slot[i]) {
    if (b->groups == INT32_MAX - 1)
      return abut_fail(ctx, ABUT_UNSUPPORTED, "more than %d groups", INT32_MAX - 1);
    ABUT_RESERVE(ctx, b->name, b->name_room, b->groups + 1);
    b->name[b->groups] = b->text.length;
    ABUT_TRY(abut_text_append(ctx, &b->text, name, length));
    ABUT_TRY(abut_text_append(ctx, &b->text, "", 1));
    b->slot[i] = ++b->groups;
  }
  *group = b->slot[i] - 1;
  return ABUT_OK;
}

abut_status abut_group_add(abut_context *ctx, abut_group_builder *b, int32_t group, int32_t vertex)
{
  if (vertex >= b->last_room) {
    int64_t old = b->last_room;
    ABUT_RESERVE(ctx, b->last, b->last_room, (int64_t)vertex + 1);
    memset(b->last + old, 0, (size_t)(b->last_room - old) * sizeof *b->last);
  }
  /* neighbouring faces share vertices: most repeats end here */
  if (b->last[vertex] == group + 1) return ABUT_OK;
  b->last[vertex] = group + 1;
  ABUT_RESERVE(ctx, b->member, b->member_room, b->members + 1);
  b->member[b->members++] = (uint64_t)(uint32_t)group << 32 | (uint32_t)vertex;
  return ABUT_OK;
}

static abut_status sort_members(abut_context *ctx, abut_group_builder *b)
{
  uint64_t *other = ABUT_NEW(ctx, uint64_t, b->members);
  if (!other) return ABUT_NO_MEMORY;
  abut_sort_keys(b->member, other, b->members);
  abut_free(ctx, other);
  int64_t kept = 0;
  for (int64_t i = 0; i < b->members; i++)
    if (i == 0 || b->member[i] != b->member[i - 1]) b->member[kept++] = b->member[i];
  b->members = kept;
  return ABUT_OK;
}

abut_status abut_groups_finish(abut_context *ctx, abut_group_builder *b, abut_mesh_data *mesh)
{
  ABUT_TRY(sort_members(ctx, b));
  ABUT_MAKE_ZERO(ctx, mesh->group, b->groups);
  int64_t i = 0;
  for (int32_t g = 0; g < b->groups; g++) {
    int64_t begin = i;
    while (i < b->members && b->member[i] >> 32 == (uint32_t)g) i++;
    abut_group *group = &mesh->group[mesh->groups++];
    group->name = abut_copy_text(ctx, name_of(b, g));
    if (!group->name) return ABUT_NO_MEMORY;
    ABUT_MAKE(ctx, group->vertex, i - begin);
    for (; begin < i; begin++) group->vertex[group->count++] = (int32_t)(uint32_t)b->member[begin];
  }
  return ABUT_OK;
}

void abut_groups_free(abut_context *ctx, abut_group_builder *b)
{
  abut_free(ctx, b->name);
  abut_text_free(ctx, &b->text);
  abut_free(ctx, b->slot);
  abut_free(ctx, b->member);
  abut_free(ctx, b->last);
  *b = (abut_group_builder){0};
}
