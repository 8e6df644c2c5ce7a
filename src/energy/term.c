#include "energy/term.h"

#include <string.h>

const abut_term_class *abut_term_find(const abut_term_class *const *classes, const char *name,
                                      abut_carrier carrier)
{
  for (; *classes; classes++)
    if ((*classes)->carrier == carrier && strcmp((*classes)->name, name) == 0) return *classes;
  return NULL;
}
