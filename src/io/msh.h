/* msh.h: the parts of the MSH reader. The text and the binary form of a version hold the same
   numbers in the same order, so the parsers ask for the next number and do not see the form. */
#ifndef ABUT_IO_MSH_H
#define ABUT_IO_MSH_H

#include "base/sort.h"
#include "io/lines.h"
#include "mesh/groups.h"

typedef struct abut_msh_name {
  int dim;
  int64_t tag;
  int32_t group;
} abut_msh_name;

typedef struct abut_msh {
  abut_scanner s;
  const char *start; /* of the file */
  abut_mesh_data *mesh;
  int version; /* 2 or 4 */
  bool binary;
  bool swap;      /* the file's byte order is not ours */
  int size_bytes; /* of a count or tag of 4.1, binary */
  int section_line;
  bool has_entities, has_nodes, has_elements;

  /* physical names, sorted by dimension and tag once $PhysicalNames is read  (names) */
  abut_msh_name *name;
  int64_t names, name_room;
  abut_group_builder groups;
  /* the groups of each entity, an item per pair (4.1), sorted once $Entities is read */
  abut_msh_name *entity;
  int64_t entities, entity_room;

  /* node tags: direct[tag - low] is the vertex or -1; NULL when tags are too far apart, then
     sorted holds the pairs (vertices) */
  int64_t low, span;
  int32_t *direct;
  abut_keyed *sorted;

  int64_t triangle_room, tet_room, line_room; /* in indices */
} abut_msh;

/* --- msh_source.c: numbers --- */

/* "byte 120: " for binary files, "" for text, whose errors have a line */
abut_shown abut_msh_where(const abut_msh *m);
/* adds the place to an error, whose code it returns */
abut_status abut_msh_fault(abut_msh *m, abut_status code);

abut_status abut_msh_take_int(abut_msh *m, int64_t *value);   /* binary: 4 bytes */
abut_status abut_msh_take_size(abut_msh *m, int64_t *value);  /* not negative; 4.1 binary: size_t */
abut_status abut_msh_take_double(abut_msh *m, double *value); /* finite */
abut_status abut_msh_skip_doubles(abut_msh *m, int64_t count);
/* refuses a count of items of so many numbers (text) or bytes (binary) that the rest of the file
   cannot hold; before memory is asked for */
abut_status abut_msh_check_count(abut_msh *m, int64_t count, int64_t numbers, int64_t bytes,
                                 const char *what);
/* the next word must be this section's end */
abut_status abut_msh_take_end(abut_msh *m, const char *end);

/* --- msh_names.c: physical names and entities --- */

abut_status abut_msh_read_names(abut_msh *m);    /* $PhysicalNames */
abut_status abut_msh_read_entities(abut_msh *m); /* $Entities, 4.1 */
/* the first of the groups of an entity (4.1), and how many follow it */
const abut_msh_name *abut_msh_entity_groups(const abut_msh *m, int dim, int64_t tag,
                                            int64_t *count);
/* the group of a physical tag, or -1 */
int32_t abut_msh_physical_group(const abut_msh *m, int dim, int64_t tag);

/* --- msh_nodes.c, msh_elements.c --- */

abut_status abut_msh_read_nodes(abut_msh *m); /* $Nodes */
/* the vertex of a node tag, or -1 */
int32_t abut_msh_vertex(const abut_msh *m, int64_t tag);
abut_status abut_msh_read_elements(abut_msh *m); /* $Elements */

#endif
