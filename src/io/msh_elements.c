#include "base/memory.h"
#include "io/msh.h"
#include "mesh/topology.h"

/* element types by Gmsh's number; those without a place in a mesh are refused by name */
typedef struct element_type {
  int corners; /* 0: refused */
  int dim;
  const char *name, *advice;
} element_type;

static const char first_order[] = "save first-order elements",
                  simplices[] = "save triangles and tetrahedra";

static const element_type element_types[] = {
    [1] = {2, 1, "lines", NULL},
    [2] = {3, 2, "triangles", NULL},
    [3] = {0, 2, "quadrangles", simplices},
    [4] = {4, 3, "tetrahedra", NULL},
    [5] = {0, 3, "hexahedra", simplices},
    [6] = {0, 3, "prisms", simplices},
    [7] = {0, 3, "pyramids", simplices},
    [8] = {0, 1, "second-order lines", first_order},
    [9] = {0, 2, "second-order triangles", first_order},
    [10] = {0, 2, "second-order quadrangles", first_order},
    [11] = {0, 3, "second-order tetrahedra", first_order},
    [12] = {0, 3, "second-order hexahedra", first_order},
    [13] = {0, 3, "second-order prisms", first_order},
    [14] = {0, 3, "second-order pyramids", first_order},
    [15] = {1, 0, "points", NULL},
    [16] = {0, 2, "second-order quadrangles", first_order},
    [17] = {0, 3, "second-order hexahedra", first_order},
    [18] = {0, 3, "second-order prisms", first_order},
    [19] = {0, 3, "second-order pyramids", first_order},
};

/* NULL when elements of that type are refused */
static const element_type *find_type(abut_msh *m, int64_t number)
{
  int64_t known = (int64_t)(sizeof element_types / sizeof *element_types);
  const element_type *type = number > 0 && number < known ? &element_types[number] : NULL;
  if (type && type->corners) return type;
  if (type)
    abut_fail(m->s.ctx, ABUT_UNSUPPORTED, "%s%s are not read (element type %lld): %s",
              abut_msh_where(m).text, type->name, (long long)number, type->advice);
  else
    abut_fail(m->s.ctx, ABUT_UNSUPPORTED,
              "%selement type %lld is not read: save first-order triangles and tetrahedra",
              abut_msh_where(m).text, (long long)number);
  abut_msh_fault(m, ABUT_UNSUPPORTED);
  return NULL;
}

/* makes room for a cell and returns where its corners go; points are no cells */
static abut_status add_cell(abut_msh *m, const element_type *type, int32_t **corner)
{
  abut_mesh_data *mesh = m->mesh;
  int32_t *counts[] = {NULL, &mesh->lines, &mesh->triangles, &mesh->tets};
  int32_t **arrays[] = {NULL, &mesh->line, &mesh->triangle, &mesh->tet};
  int64_t *rooms[] = {NULL, &m->line_room, &m->triangle_room, &m->tet_room};
  int32_t *count = counts[type->dim], **array = arrays[type->dim];
  if (*count == INT32_MAX)
    return abut_msh_fault(
        m, abut_fail(m->s.ctx, ABUT_UNSUPPORTED, "more %s than this version counts", type->name));
  int64_t begin = (int64_t)type->corners * *count;
  ABUT_RESERVE(m->s.ctx, *array, *rooms[type->dim], begin + type->corners);
  *corner = *array + begin;
  ++*count;
  return ABUT_OK;
}

static abut_status unknown_node(abut_msh *m, int64_t element, int64_t tag)
{
  return abut_msh_fault(m, abut_fail(m->s.ctx, ABUT_BAD_FORMAT,
                                     "%selement %lld: node %lld is not among the file's %d nodes",
                                     abut_msh_where(m).text, (long long)element, (long long)tag,
                                     m->mesh->vertices));
}

/* the nodes of one element; tags are sizes in 4.1 and ints in version 2 */
static abut_status read_corners(abut_msh *m, const element_type *type, int64_t element,
                                int32_t *corner)
{
  for (int k = 0; k < type->corners; k++) {
    int64_t tag;
    if (m->version == 2)
      ABUT_TRY(abut_msh_take_int(m, &tag));
    else
      ABUT_TRY(abut_msh_take_size(m, &tag));
    corner[k] = abut_msh_vertex(m, tag);
    if (corner[k] < 0) return unknown_node(m, element, tag);
  }
  return ABUT_OK;
}

static abut_status keep_cell(abut_msh *m, const element_type *type, const int32_t *corner)
{
  if (type->dim == 0) return ABUT_OK;
  int32_t *to = NULL;
  ABUT_TRY(add_cell(m, type, &to));
  for (int k = 0; k < type->corners; k++) to[k] = corner[k];
  return ABUT_OK;
}

static abut_status add_to_group(abut_msh *m, int32_t group, const element_type *type,
                                const int32_t *corner)
{
  for (int k = 0; k < type->corners; k++)
    ABUT_TRY(abut_group_add(m->s.ctx, &m->groups, group, corner[k]));
  return ABUT_OK;
}

/* version 2, what follows an element's header: tags, of which the first is the physical one, and
   nodes */
static abut_status read_element_2(abut_msh *m, const element_type *type, int64_t element,
                                  int64_t tags)
{
  int64_t tag, physical = 0;
  for (int64_t k = 0; k < tags; k++) {
    ABUT_TRY(abut_msh_take_int(m, &tag));
    if (k == 0) physical = tag < 0 ? -tag : tag;
  }
  int32_t corner[4];
  ABUT_TRY(read_corners(m, type, element, corner));
  ABUT_TRY(keep_cell(m, type, corner));
  int32_t group = physical ? abut_msh_physical_group(m, type->dim, physical) : -1;
  return group < 0 ? ABUT_OK : add_to_group(m, group, type, corner);
}

static abut_status check_tags(abut_msh *m, int64_t tags)
{
  if (tags >= 0) return ABUT_OK;
  return abut_msh_fault(m, abut_fail(m->s.ctx, ABUT_BAD_FORMAT,
                                     "%sthe number of tags is negative (%lld)",
                                     abut_msh_where(m).text, (long long)tags));
}

/* text: each element with its header, number type tags */
static abut_status read_text_2(abut_msh *m)
{
  int64_t element, number, tags;
  ABUT_TRY(abut_msh_take_int(m, &element));
  ABUT_TRY(abut_msh_take_int(m, &number));
  const element_type *type = find_type(m, number);
  if (!type) return ABUT_UNSUPPORTED;
  ABUT_TRY(abut_msh_take_int(m, &tags));
  ABUT_TRY(check_tags(m, tags));
  return read_element_2(m, type, element, tags);
}

static abut_status refuse_block(abut_msh *m, int64_t count, int64_t left)
{
  return abut_msh_fault(m, abut_fail(m->s.ctx, ABUT_BAD_FORMAT,
                                     "%sa block of %lld elements where %lld are left",
                                     abut_msh_where(m).text, (long long)count, (long long)left));
}

/* binary: type count tags, then that many elements without them */
static abut_status read_block_2(abut_msh *m, int64_t *left)
{
  int64_t number, count, tags, element;
  ABUT_TRY(abut_msh_take_int(m, &number));
  ABUT_TRY(abut_msh_take_int(m, &count));
  ABUT_TRY(abut_msh_take_int(m, &tags));
  const element_type *type = find_type(m, number);
  if (!type) return ABUT_UNSUPPORTED;
  ABUT_TRY(check_tags(m, tags));
  if (count < 1 || count > *left) return refuse_block(m, count, *left);
  for (int64_t i = 0; i < count; i++) {
    ABUT_TRY(abut_msh_take_int(m, &element));
    ABUT_TRY(read_element_2(m, type, element, tags));
  }
  *left -= count;
  return ABUT_OK;
}

/* version 2: a count, in text even in binary files, then elements */
static abut_status read_version_2(abut_msh *m)
{
  abut_word word = {"", 0};
  int64_t count;
  abut_scan_word_anywhere(&m->s, &word);
  ABUT_TRY(abut_word_int(&m->s, word, &count));
  if (m->binary) abut_scan_next_line(&m->s);
  ABUT_TRY(abut_msh_check_count(m, count, 4, 8, "elements"));
  while (m->binary && count > 0) ABUT_TRY(read_block_2(m, &count));
  for (; count > 0; count--) ABUT_TRY(read_text_2(m));
  return ABUT_OK;
}

static abut_status read_block_4(abut_msh *m, int64_t *left)
{
  int64_t dim, entity, number, count, element, groups;
  ABUT_TRY(abut_msh_take_int(m, &dim));
  ABUT_TRY(abut_msh_take_int(m, &entity));
  ABUT_TRY(abut_msh_take_int(m, &number));
  const element_type *type = find_type(m, number);
  if (!type) return ABUT_UNSUPPORTED;
  ABUT_TRY(abut_msh_take_size(m, &count));
  if (dim != type->dim)
    return abut_msh_fault(m, abut_fail(m->s.ctx, ABUT_BAD_FORMAT,
                                       "%s%s (element type %lld) on an entity of dimension %lld",
                                       abut_msh_where(m).text, type->name, (long long)number,
                                       (long long)dim));
  if (count > *left) return refuse_block(m, count, *left);
  const abut_msh_name *group = abut_msh_entity_groups(m, type->dim, entity, &groups);
  for (int64_t i = 0; i < count; i++) {
    int32_t corner[4];
    ABUT_TRY(abut_msh_take_size(m, &element));
    ABUT_TRY(read_corners(m, type, element, corner));
    ABUT_TRY(keep_cell(m, type, corner));
    for (int64_t g = 0; g < groups; g++) ABUT_TRY(add_to_group(m, group[g].group, type, corner));
  }
  *left -= count;
  return ABUT_OK;
}

static abut_status read_version_4(abut_msh *m)
{
  int64_t blocks, count, extreme;
  ABUT_TRY(abut_msh_take_size(m, &blocks));
  ABUT_TRY(abut_msh_take_size(m, &count));
  ABUT_TRY(abut_msh_take_size(m, &extreme));
  ABUT_TRY(abut_msh_take_size(m, &extreme));
  ABUT_TRY(abut_msh_check_count(m, count, 2, 2 * (int64_t)m->size_bytes, "elements"));
  for (; blocks > 0; blocks--) ABUT_TRY(read_block_4(m, &count));
  if (count == 0) return ABUT_OK;
  return abut_msh_fault(m, abut_fail(m->s.ctx, ABUT_BAD_FORMAT,
                                     "%s%lld elements fewer than the section's first line says",
                                     abut_msh_where(m).text, (long long)count));
}

/* removes cells with the corners of an earlier one; returns how many */
static abut_status drop_same(abut_msh *m, int32_t *cell, int32_t *cells, int corners,
                             int32_t *dropped)
{
  int32_t *same = ABUT_NEW(m->s.ctx, int32_t, *cells), kept = 0;
  if (!same) return ABUT_NO_MEMORY;
  abut_status status = abut_same_cells(m->s.ctx, cell, *cells, corners, same);
  for (int32_t i = 0; status == ABUT_OK && i < *cells; i++) {
    if (same[i] != i) continue;
    for (int k = 0; k < corners; k++)
      cell[(int64_t)corners * kept + k] = cell[(int64_t)corners * i + k];
    kept++;
  }
  abut_free(m->s.ctx, same);
  if (status != ABUT_OK) return status;
  *dropped += *cells - kept;
  *cells = kept;
  return ABUT_OK;
}

/* Version 2 lists an element once for each physical name it has. */
static abut_status merge_copies(abut_msh *m)
{
  abut_mesh_data *mesh = m->mesh;
  int32_t dropped = 0;
  ABUT_TRY(drop_same(m, mesh->line, &mesh->lines, 2, &dropped));
  ABUT_TRY(drop_same(m, mesh->triangle, &mesh->triangles, 3, &dropped));
  ABUT_TRY(drop_same(m, mesh->tet, &mesh->tets, 4, &dropped));
  if (dropped)
    abut_note(m->s.ctx, "%s: %d elements are listed twice or more and read once", m->s.path,
              dropped);
  return ABUT_OK;
}

abut_status abut_msh_read_elements(abut_msh *m)
{
  if (m->version == 2) {
    ABUT_TRY(read_version_2(m));
    ABUT_TRY(merge_copies(m));
  } else {
    ABUT_TRY(read_version_4(m));
  }
  return abut_msh_take_end(m, "$EndElements");
}
