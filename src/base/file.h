/* file.h: the files of a run. Paths are bytes of any length; every failure names the path and the
   system's reason. */
#ifndef ABUT_BASE_FILE_H
#define ABUT_BASE_FILE_H

#include <stdio.h>

#include "base/context.h"

/* the whole file, followed by a zero byte that size does not count; freed with abut_free */
abut_status abut_file_read(abut_context *ctx, const char *path, char **data, int64_t *size);
/* For files of a run folder: writes to path.new, syncs, renames, so path is the old or the new
   file, never half of one; a path.new that a killed run left is overwritten. */
abut_status abut_file_replace(abut_context *ctx, const char *path, const void *data, int64_t size);
/* For a path that a user gave. The same, but a link is followed, the temporary name is one that no
   file had, and what is no plain file (a device, a pipe) is opened and written to. */
abut_status abut_file_write(abut_context *ctx, const char *path, const void *data, int64_t size);
/* an empty file of a name beside path that no file had, open; the name is freed with abut_free */
abut_status abut_file_create_beside(abut_context *ctx, const char *path, char **name, int *handle);
abut_status abut_file_append(abut_context *ctx, const char *path, const void *data, int64_t size);
/* what was written survives a power failure */
abut_status abut_file_sync(abut_context *ctx, const char *path);
abut_status abut_file_size(abut_context *ctx, const char *path, int64_t *size);
abut_status abut_file_truncate(abut_context *ctx, const char *path, int64_t size);
abut_status abut_file_remove(abut_context *ctx, const char *path); /* absent is fine */
bool abut_file_exists(const char *path);
/* are both there, and one file under whatever names? */
bool abut_file_same(const char *a, const char *b);
bool abut_folder_exists(const char *path);
/* the folder and those above it; there already is fine */
abut_status abut_folder_make(abut_context *ctx, const char *path);
/* names in a folder, sorted, without . and ..; freed with abut_names_free */
abut_status abut_folder_names(abut_context *ctx, const char *path, char ***names, int64_t *count);
void abut_names_free(abut_context *ctx, char **names, int64_t count);

/* folder/name in new memory; name alone when it is absolute or folder is empty */
char *abut_path_join(abut_context *ctx, const char *folder, const char *name);
/* everything before the last slash, "" when there is none, in new memory */
char *abut_path_folder(abut_context *ctx, const char *path);
/* the part after the last slash; points into path */
const char *abut_path_name(const char *path);
/* what follows the last dot of the name, "" when there is none; points into path */
const char *abut_path_suffix(const char *path);
/* without links, dots and relative parts, in new memory; a missing last part is fine */
char *abut_path_absolute(abut_context *ctx, const char *path);
/* what path is in the end when it is a link, there or not, in new memory; else path */
char *abut_path_follow(abut_context *ctx, const char *path);

/* Holds a file exclusively until released or the process ends; ABUT_BUSY when another process
   holds it. */
abut_status abut_lock_take(abut_context *ctx, const char *path, int *lock);
void abut_lock_release(int lock);

/* abut_fail for a failed system call: "PATH: cannot DO: REASON"; keeps the file as the place */
abut_status abut_fail_system(abut_context *ctx, const char *path, const char *what);

#endif
