/* tables.h: every family that a scene can name. src/registry.c fills the one instance; floors
   below the interface get it passed in. Each list ends with NULL. */
#ifndef ABUT_IO_TABLES_H
#define ABUT_IO_TABLES_H

#include "energy/term.h"
#include "io/format.h"
#include "linear/linear.h"
#include "mesh/shapes.h"
#include "step/system.h"

typedef struct abut_tables {
  const abut_term_class *const *terms;
  const abut_law_class *const *laws;
  const abut_method_class *const *methods;
  const abut_linear_class *const *linears;
  const abut_shape_class *const *shapes;
  const abut_format_class *const *formats;
} abut_tables;

/* The format that reads mesh files with the suffix of path; NULL when it is no suffix of a mesh
   file. ABUT_UNSUPPORTED for those that a later version will read. */
abut_status abut_format_find(abut_context *ctx, const abut_tables *tables, const char *path,
                             const abut_format_class **out);

#endif
