/* scene_read.h: parts of reading a scene file, one file each. */
#ifndef ABUT_IO_SCENE_READ_H
#define ABUT_IO_SCENE_READ_H

#include "io/keys.h"
#include "io/scene_file.h"

typedef struct abut_scene_reader {
  abut_reader r;
  const abut_scene_file *file;
  const abut_tables *tables;
  abut_scene_def *scene;
} abut_scene_reader;

abut_status abut_read_options(abut_scene_reader *s, json_t *root); /* method, solver, contact */
/* false when there is no method of that name; then the nearest one */
bool abut_method_find(const abut_tables *tables, const char *name, const abut_method_class **out,
                      const char **nearest);
/* in words, why there is none */
abut_status abut_method_missing(abut_context *ctx, const char *name, const char *nearest,
                                abut_text *out);
abut_status abut_read_materials(abut_scene_reader *s, json_t *list);
abut_status abut_read_objects(abut_scene_reader *s, json_t *list);
abut_status abut_read_control(abut_scene_reader *s, json_t *object);
abut_status abut_read_controls(abut_scene_reader *s, json_t *list);

abut_status abut_read_mesh(abut_scene_reader *s, json_t *owner, const char *key, bool solid,
                           char **file, abut_mesh_data *mesh);
abut_status abut_read_motion(abut_reader *r, json_t *value, abut_motion *motion);
abut_status abut_read_selection(abut_reader *r, json_t *value, abut_selection *selection);
/* [axis, degrees] */
abut_status abut_read_turn(abut_reader *r, json_t *value, vec3 *axis, double *radians);
/* list of whole numbers, n per entry when n > 1 (then a list of lists) */
abut_status abut_read_indices(abut_reader *r, json_t *value, int n, int32_t **index,
                              int32_t *count);

/* runs read at .name of an object, when the key is there */
#define ABUT_READ_AT(r, object, name, call)                                                        \
  do {                                                                                             \
    json_t *value = json_object_get((object), (name));                                             \
    if (value) {                                                                                   \
      int64_t abut_length_ = (r)->path.length;                                                     \
      ABUT_TRY(abut_reader_enter((r), (name)));                                                    \
      ABUT_TRY(call);                                                                              \
      abut_reader_leave((r), abut_length_);                                                        \
    }                                                                                              \
  } while (0)

/* the method and its options; named: the method that the file names */
abut_status abut_read_method(abut_scene_reader *s, json_t *object, const char *named);

/* one of two words; second: it is b */
abut_status abut_read_one_of(abut_scene_reader *s, const char *key, const char *word, const char *a,
                             const char *b, bool *second);

#endif
