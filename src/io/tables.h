/* tables.h: every family that a scene can name. src/registry.c fills the one instance; floors
   below the interface get it passed in. Each list ends with NULL. */
#ifndef ABUT_IO_TABLES_H
#define ABUT_IO_TABLES_H

#include "energy/term.h"

typedef struct abut_tables {
  const abut_term_class *const *terms;
} abut_tables;

#endif
