#include "base/memory.h"
#include "io/msh.h"

static abut_status bad_node(abut_msh *m, const char *text, int64_t value)
{
  return abut_msh_fault(m, abut_fail(m->s.ctx, ABUT_BAD_FORMAT, "%s%s (%lld)",
                                     abut_msh_where(m).text, text, (long long)value));
}

/* x y z into the next vertex */
static abut_status read_place(abut_msh *m, int64_t vertex)
{
  vec3 p;
  ABUT_TRY(abut_msh_take_double(m, &p.x));
  ABUT_TRY(abut_msh_take_double(m, &p.y));
  ABUT_TRY(abut_msh_take_double(m, &p.z));
  m->mesh->x[vertex] = p;
  return ABUT_OK;
}

/* version 2: a count, then tag x y z of each node. The count is text in binary files too. */
static abut_status read_version_2(abut_msh *m, int64_t **tag)
{
  abut_word word = {"", 0};
  int64_t count;
  abut_scan_word_anywhere(&m->s, &word);
  ABUT_TRY(abut_word_int(&m->s, word, &count));
  if (m->binary) abut_scan_next_line(&m->s);
  ABUT_TRY(abut_msh_check_count(m, count, 4, 28, "nodes"));
  ABUT_MAKE(m->s.ctx, *tag, count);
  ABUT_MAKE(m->s.ctx, m->mesh->x, count);
  for (int64_t i = 0; i < count; i++) {
    ABUT_TRY(abut_msh_take_int(m, &(*tag)[i]));
    if ((*tag)[i] < 0) return bad_node(m, "a node number is negative", (*tag)[i]);
    ABUT_TRY(read_place(m, i));
  }
  m->mesh->vertices = (int32_t)count;
  return ABUT_OK;
}

/* 4.1, one block: all tags, then x y z and, when parametric, a parameter per dimension */
static abut_status read_block(abut_msh *m, int64_t total, int64_t *tag)
{
  int64_t dim, entity, parametric, count, begin = m->mesh->vertices;
  ABUT_TRY(abut_msh_take_int(m, &dim));
  ABUT_TRY(abut_msh_take_int(m, &entity));
  ABUT_TRY(abut_msh_take_int(m, &parametric));
  ABUT_TRY(abut_msh_take_size(m, &count));
  if (dim < 0 || dim > 3) return bad_node(m, "the dimension of a block is not 0 to 3", dim);
  if (parametric < 0 || parametric > 1)
    return bad_node(m, "the parametric mark of a block is not 0 or 1", parametric);
  if (count > total - begin)
    return bad_node(m, "the blocks hold more nodes than the section's first line says", total);
  for (int64_t i = begin; i < begin + count; i++) ABUT_TRY(abut_msh_take_size(m, &tag[i]));
  for (int64_t i = begin; i < begin + count; i++) {
    ABUT_TRY(read_place(m, i));
    if (parametric) ABUT_TRY(abut_msh_skip_doubles(m, dim));
  }
  m->mesh->vertices = (int32_t)(begin + count);
  return ABUT_OK;
}

static abut_status read_version_4(abut_msh *m, int64_t **tag)
{
  int64_t blocks, count, extreme;
  ABUT_TRY(abut_msh_take_size(m, &blocks));
  ABUT_TRY(abut_msh_take_size(m, &count));
  ABUT_TRY(abut_msh_take_size(m, &extreme));
  ABUT_TRY(abut_msh_take_size(m, &extreme));
  ABUT_TRY(abut_msh_check_count(m, count, 4, m->size_bytes + 24, "nodes"));
  ABUT_MAKE(m->s.ctx, *tag, count);
  ABUT_MAKE(m->s.ctx, m->mesh->x, count);
  for (; blocks > 0; blocks--) ABUT_TRY(read_block(m, count, *tag));
  if (m->mesh->vertices < count)
    return bad_node(m, "the blocks hold fewer nodes than the section's first line says", count);
  return ABUT_OK;
}

static abut_status repeated_tag(abut_msh *m, int64_t tag)
{
  abut_fail(m->s.ctx, ABUT_BAD_FORMAT, "%stwo nodes have the number %lld", abut_msh_where(m).text,
            (long long)tag);
  abut_error_at_line(m->s.ctx, m->s.path, m->section_line);
  return ABUT_BAD_FORMAT;
}

static abut_status map_direct(abut_msh *m, const int64_t *tag)
{
  ABUT_MAKE(m->s.ctx, m->direct, m->span);
  for (int64_t i = 0; i < m->span; i++) m->direct[i] = -1;
  for (int32_t i = 0; i < m->mesh->vertices; i++) {
    int32_t *place = &m->direct[tag[i] - m->low];
    if (*place >= 0) return repeated_tag(m, tag[i]);
    *place = i;
  }
  return ABUT_OK;
}

static abut_status map_sorted(abut_msh *m, const int64_t *tag)
{
  int32_t n = m->mesh->vertices;
  ABUT_MAKE(m->s.ctx, m->sorted, 2 * (int64_t)n);
  for (int32_t i = 0; i < n; i++) m->sorted[i] = (abut_keyed){(uint64_t)tag[i], i};
  abut_sort_keyed(m->sorted, m->sorted + n, n);
  for (int32_t i = 1; i < n; i++)
    if (m->sorted[i].key == m->sorted[i - 1].key) return repeated_tag(m, (int64_t)m->sorted[i].key);
  return ABUT_OK;
}

static abut_status map_tags(abut_msh *m, const int64_t *tag)
{
  int32_t n = m->mesh->vertices;
  int64_t high = 0;
  for (int32_t i = 0; i < n; i++) {
    if (i == 0 || tag[i] < m->low) m->low = tag[i];
    if (tag[i] > high) high = tag[i];
  }
  /* a table of four places a node costs no more than sorting pairs */
  bool near = n > 0 && high - m->low < 4 * (int64_t)n;
  m->span = near ? high - m->low + 1 : 0;
  return near ? map_direct(m, tag) : map_sorted(m, tag);
}

int32_t abut_msh_vertex(const abut_msh *m, int64_t tag)
{
  if (m->direct) {
    int64_t i = tag - m->low;
    return tag >= m->low && i < m->span ? m->direct[i] : -1;
  }
  int32_t low = 0, high = m->mesh->vertices;
  while (low < high) {
    int32_t middle = low + (high - low) / 2;
    if (m->sorted[middle].key < (uint64_t)tag)
      low = middle + 1;
    else
      high = middle;
  }
  bool found = low < m->mesh->vertices && m->sorted[low].key == (uint64_t)tag;
  return found ? m->sorted[low].value : -1;
}

abut_status abut_msh_read_nodes(abut_msh *m)
{
  int64_t *tag = NULL;
  abut_status status = m->version == 2 ? read_version_2(m, &tag) : read_version_4(m, &tag);
  if (status == ABUT_OK) status = abut_msh_take_end(m, "$EndNodes");
  if (status == ABUT_OK) status = map_tags(m, tag);
  abut_free(m->s.ctx, tag);
  return status;
}
