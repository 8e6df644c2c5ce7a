#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "io/msh.h"

static int compare_names(const void *a, const void *b)
{
  const abut_msh_name *p = a, *q = b;
  if (p->dim != q->dim) return p->dim < q->dim ? -1 : 1;
  if (p->tag != q->tag) return p->tag < q->tag ? -1 : 1;
  return (p->group > q->group) - (p->group < q->group);
}

/* the first of n sorted items that is not below (dim, tag) */
static int64_t lower_bound(const abut_msh_name *item, int64_t n, int dim, int64_t tag)
{
  int64_t low = 0, high = n;
  while (low < high) {
    int64_t middle = low + (high - low) / 2;
    bool below = item[middle].dim < dim || (item[middle].dim == dim && item[middle].tag < tag);
    if (below)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

int32_t abut_msh_physical_group(const abut_msh *m, int dim, int64_t tag)
{
  int64_t i = lower_bound(m->name, m->names, dim, tag);
  return i < m->names && m->name[i].dim == dim && m->name[i].tag == tag ? m->name[i].group : -1;
}

const abut_msh_name *abut_msh_entity_groups(const abut_msh *m, int dim, int64_t tag, int64_t *count)
{
  int64_t begin = lower_bound(m->entity, m->entities, dim, tag);
  int64_t end = lower_bound(m->entity, m->entities, dim, tag + 1);
  *count = end - begin;
  return end > begin ? m->entity + begin : NULL;
}

static abut_status bad_name(abut_msh *m)
{
  return abut_msh_fault(m, abut_fail(m->s.ctx, ABUT_BAD_FORMAT,
                                     "%sexpected: dimension (0 to 3) tag \"name\"",
                                     abut_msh_where(m).text));
}

/* dimension tag "name"; text even in binary files */
static abut_status read_name(abut_msh *m)
{
  abut_word word;
  int64_t dim, tag;
  if (!abut_scan_word_anywhere(&m->s, &word)) return bad_name(m);
  ABUT_TRY(abut_word_int(&m->s, word, &dim));
  if (dim < 0 || dim > 3 || !abut_scan_word(&m->s, &word)) return bad_name(m);
  ABUT_TRY(abut_word_int(&m->s, word, &tag));
  abut_word name = abut_scan_rest(&m->s);
  if (name.length >= 2 && name.text[0] == '"' && name.text[name.length - 1] == '"')
    name = (abut_word){name.text + 1, name.length - 2};
  if (name.length == 0 || memchr(name.text, 0, (size_t)name.length)) return bad_name(m);
  int32_t group;
  ABUT_TRY(abut_group_find(m->s.ctx, &m->groups, name.text, name.length, &group));
  ABUT_RESERVE(m->s.ctx, m->name, m->name_room, m->names + 1);
  m->name[m->names++] = (abut_msh_name){(int)dim, tag, group};
  return ABUT_OK;
}

abut_status abut_msh_read_names(abut_msh *m)
{
  abut_word word;
  int64_t count;
  if (m->has_entities || m->has_elements)
    return abut_msh_fault(m, abut_fail(m->s.ctx, ABUT_BAD_FORMAT,
                                       "%s$PhysicalNames must stand before $Entities and $Elements",
                                       abut_msh_where(m).text));
  if (!abut_scan_word_anywhere(&m->s, &word)) return bad_name(m);
  ABUT_TRY(abut_word_int(&m->s, word, &count));
  for (; count > 0; count--) ABUT_TRY(read_name(m));
  if (m->names) qsort(m->name, (size_t)m->names, sizeof *m->name, compare_names);
  return abut_msh_take_end(m, "$EndPhysicalNames");
}

/* one entity: its tag, its box (of a point its place), its physical tags, what bounds it */
static abut_status read_entity(abut_msh *m, int dim)
{
  int64_t tag, count, physical;
  ABUT_TRY(abut_msh_take_int(m, &tag));
  ABUT_TRY(abut_msh_skip_doubles(m, dim == 0 ? 3 : 6));
  ABUT_TRY(abut_msh_take_size(m, &count));
  for (; count > 0; count--) {
    ABUT_TRY(abut_msh_take_int(m, &physical));
    /* a negative tag means the reversed entity */
    int32_t group = abut_msh_physical_group(m, dim, physical < 0 ? -physical : physical);
    if (group < 0) continue;
    ABUT_RESERVE(m->s.ctx, m->entity, m->entity_room, m->entities + 1);
    m->entity[m->entities++] = (abut_msh_name){dim, tag, group};
  }
  if (dim == 0) return ABUT_OK;
  ABUT_TRY(abut_msh_take_size(m, &count));
  for (; count > 0; count--) ABUT_TRY(abut_msh_take_int(m, &physical));
  return ABUT_OK;
}

abut_status abut_msh_read_entities(abut_msh *m)
{
  int64_t count[4];
  m->has_entities = true;
  for (int dim = 0; dim < 4; dim++) ABUT_TRY(abut_msh_take_size(m, &count[dim]));
  for (int dim = 0; dim < 4; dim++)
    for (; count[dim] > 0; count[dim]--) ABUT_TRY(read_entity(m, dim));
  if (m->entities) qsort(m->entity, (size_t)m->entities, sizeof *m->entity, compare_names);
  return abut_msh_take_end(m, "$EndEntities");
}
