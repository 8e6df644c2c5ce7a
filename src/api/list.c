/* list.c: the members of the families, for people. */
#include <string.h>

#include "registry.h"

typedef struct entry {
  const char *name, *text;
} entry;

static bool term_at(int i, entry *out)
{
  for (const abut_term_class *const *c = abut_registry.terms; *c; c++)
    if (i-- == 0) {
      *out = (entry){(*c)->name, (*c)->text};
      return true;
    }
  return false;
}

#define FAMILY(function, type, table)                                                              \
  static bool function(int i, entry *out)                                                          \
  {                                                                                                \
    int n = 0;                                                                                     \
    while (abut_registry.table[n]) n++;                                                            \
    if (i < 0 || i >= n) return false;                                                             \
    const type *c = abut_registry.table[i];                                                        \
    *out = (entry){c->name, c->text};                                                              \
    return true;                                                                                   \
  }
FAMILY(method_at, abut_method_class, methods)
FAMILY(linear_at, abut_linear_class, linears)
FAMILY(format_at, abut_format_class, formats)
#undef FAMILY

static bool shape_at(int i, entry *out)
{
  int n = 0;
  while (abut_registry.shapes[n]) n++;
  if (i < 0 || i >= n) return false;
  *out = (entry){abut_registry.shapes[i]->name, abut_registry.shapes[i]->keys};
  return true;
}

bool abut_list(const char *family, int i, const char **name, const char **text)
{
  static const struct {
    const char *family;
    bool (*at)(int i, entry *out);
  } all[] = {{"methods", method_at},
             {"energies", term_at},
             {"linear", linear_at},
             {"formats", format_at},
             {"shapes", shape_at}};
  entry e = {0};
  for (size_t k = 0; family && k < sizeof all / sizeof *all; k++) {
    if (strcmp(all[k].family, family) != 0 || i < 0 || !all[k].at(i, &e)) continue;
    if (name) *name = e.name;
    if (text) *text = e.text;
    return true;
  }
  return false;
}
