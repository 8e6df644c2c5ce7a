/* scene_file.h: a scene file (format: docs/scene.md) as text, as a JSON tree that can still be
   changed, and as a scene. */
#ifndef ABUT_IO_SCENE_FILE_H
#define ABUT_IO_SCENE_FILE_H

#include "io/json.h"
#include "io/tables.h"
#include "scene/scene_def.h"

/* objects whose mesh files could not be read */
typedef struct abut_broken_list {
  struct abut_broken_object {
    abut_status code;
    abut_error_place place; /* owned */
  } * item;
  int64_t count, room;
} abut_broken_list;

typedef struct abut_scene_file {
  char *path;   /* of the file; "" for a scene from memory */
  char *folder; /* that relative paths start from */
  char *text;   /* comments blanked; NULL once the tree has been changed */
  json_t *root;
  char *method;   /* --method: set last; NULL without */
  bool no_meshes; /* leave meshes unread: their files may be gone */
  bool draft;     /* more settings may follow: what does not fit together yet is no error */
  /* NULL, or where objects with faulty mesh files go, so that the rest is still read; controls are
     left out then */
  abut_broken_list *broken;
} abut_scene_file;

void abut_broken_free(abut_context *ctx, abut_broken_list *list);
void abut_scene_file_free(abut_context *ctx, abut_scene_file *f);
abut_status abut_scene_file_load(abut_context *ctx, const char *path, abut_scene_file *f);
/* from text in memory; folder: where relative mesh paths start */
abut_status abut_scene_file_parse(abut_context *ctx, const char *text, const char *folder,
                                  abut_scene_file *f);

/* completes an error that names a key of the file, or nothing yet, with the file and the line */
void abut_scene_file_locate(abut_context *ctx, const abut_scene_file *f);

/* --set KEY=VALUE: VALUE is JSON, else text; short forms become objects first. A setting that is
   wrong by itself is refused and leaves no trace; what does not fit the rest of the scene is found
   when that is read, as another setting may follow. */
abut_status abut_scene_file_set(abut_context *ctx, abut_scene_file *f, const abut_tables *tables,
                                const char *setting);
/* --method M: keeps the options that M has too, with a note for the others */
abut_status abut_scene_file_set_method(abut_context *ctx, abut_scene_file *f,
                                       const abut_tables *tables, const char *method);

/* Checks the whole tree, reads and makes meshes, and fills the scene. The tree becomes the scene as
   run: every default written out, paths made absolute. */
abut_status abut_scene_file_read(abut_context *ctx, abut_scene_file *f, const abut_tables *tables,
                                 abut_scene_def *scene);

/* The options of a method, which there must be, as a scene file that names no other value has them.
 */
abut_status abut_scene_file_method_defaults(abut_context *ctx, const abut_tables *tables,
                                            const char *method, abut_scene_def *scene);

/* Do two scenes as run differ only in what a resumed run may change (time.end, threads, output and
   the name)? */
abut_status abut_scene_file_same(abut_context *ctx, const json_t *a, const json_t *b, bool *same);

#endif
