/* scene_base.h: a scene with one object of each kind, changed one key at a time. */
#ifndef ABUT_TESTS_SCENE_BASE_H
#define ABUT_TESTS_SCENE_BASE_H

#include "program.h"

static const char base_scene[] =
    "{'abut': 1, 'time': {'step': 0.01, 'end': 0.05},"
    " 'materials': {"
    "  'film': {'model': 'stvk', 'youngs_modulus': 1e5, 'poissons_ratio': 0.3, 'density': 150,"
    "           'thickness': 1e-3},"
    "  'jelly': {'model': 'neo_hookean', 'youngs_modulus': 1e5, 'poissons_ratio': 0.3,"
    "            'density': 1000}},"
    " 'objects': ["
    "  {'name': 'cloth', 'kind': 'shell', 'mesh': {'shape': 'grid', 'size': [1,1], 'cells': [2,2]},"
    "   'material': 'film'},"
    "  {'name': 'beads', 'kind': 'spheres', 'centers': [[0,0,3], [1,0,3]], 'radii': [0.1, 0.2],"
    "   'density': 250},"
    "  {'name': 'bin', 'kind': 'obstacle', 'mesh': {'shape': 'box', 'size': [1,1,1],"
    "   'cells': [1,1,1]}, 'transform': {'translate': [0,0,-2]}},"
    "  {'name': 'floor', 'kind': 'plane', 'point': [0,0,-5], 'normal': [0,0,1]},"
    "  {'name': 'cube', 'kind': 'solid', 'mesh': {'shape': 'box', 'size': [1,1,1],"
    "   'cells': [1,1,1]}, 'material': 'jelly', 'transform': {'translate': [0,0,6]}}]}";

/* a setting whose quotes are written as ' */
static inline abut_status try_setting(abut_scene *s, const char *setting)
{
  return abut_set(s, quoted("%s", setting));
}

static inline abut_scene *base(void)
{
  return parse_scene(quoted("%s", base_scene));
}

/* the base scene with settings up to a NULL, built */
static inline abut_scene *base_with(const char *setting, ...)
{
  abut_scene *s = base();
  va_list args;
  va_start(args, setting);
  for (const char *a = setting; a; a = va_arg(args, const char *)) must(s, try_setting(s, a));
  va_end(args);
  must(s, abut_step(s, 0, NULL));
  return s;
}

typedef struct refusal {
  const char *setting; /* of the base scene */
  abut_status code;
  const char *key, *said; /* where, and a part of the message */
} refusal;

static inline void assert_refused(const refusal *r)
{
  abut_scene *s = base();
  abut_status status = try_setting(s, r->setting);
  if (status == ABUT_OK) status = abut_step(s, 0, NULL);
  abut_error e = abut_last_error(s);
  const char *key = e.key ? e.key : "";
  if (status != r->code || strcmp(key, r->key) != 0 || !contains(e.message, r->said))
    fail_msg("%s: status %d, key \"%s\": %s\nexpected status %d, key \"%s\": .. %s ..", r->setting,
             (int)status, key, e.message, (int)r->code, r->key, r->said);
  abut_destroy(kept_scene[--kept_scenes]);
}

#define assert_all_refused(list)                                                                   \
  do {                                                                                             \
    for (size_t r_ = 0; r_ < sizeof(list) / sizeof *(list); r_++) assert_refused(&(list)[r_]);     \
  } while (0)

#endif
