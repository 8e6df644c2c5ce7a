#define _GNU_SOURCE
#include "base/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/text.h"

abut_status abut_fail_system(abut_context *ctx, const char *path, const char *what)
{
  int code = errno;
  abut_status status = code == ENOMEM ? ABUT_NO_MEMORY : ABUT_IO;
  abut_fail(ctx, status, "cannot %s: %s", what, strerror(code));
  abut_error_at_line(ctx, path, 0);
  return status;
}

static abut_status read_all(abut_context *ctx, FILE *file, const char *path, char **data,
                            int64_t *size)
{
  int64_t room = 1 << 16, length = 0;
  if (fseek(file, 0, SEEK_END) == 0) {
    long end = ftell(file);
    if (end > 0) room = end + 1;
    rewind(file);
  }
  ABUT_MAKE(ctx, *data, room);
  for (;;) {
    length += (int64_t)fread(*data + length, 1, (size_t)(room - length), file);
    if (length < room) break;
    char *grown = abut_grow(ctx, *data, &room, room + 1, 1);
    if (!grown) return ABUT_NO_MEMORY;
    *data = grown;
  }
  if (ferror(file)) return abut_fail_system(ctx, path, "read");
  (*data)[length] = '\0';
  *size = length;
  return ABUT_OK;
}

abut_status abut_file_read(abut_context *ctx, const char *path, char **data, int64_t *size)
{
  *data = NULL;
  *size = 0;
  if (abut_folder_exists(path)) {
    errno = EISDIR;
    return abut_fail_system(ctx, path, "open");
  }
  FILE *file = fopen(path, "rb");
  if (!file) return abut_fail_system(ctx, path, "open");
  abut_status status = read_all(ctx, file, path, data, size);
  fclose(file);
  if (status != ABUT_OK) {
    abut_free(ctx, *data);
    *data = NULL;
  }
  return status;
}

static abut_status write_all(abut_context *ctx, int file, const char *path, const char *data,
                             int64_t size)
{
  while (size > 0) {
    ssize_t n = write(file, data, (size_t)(size > INT_MAX ? INT_MAX : size));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return abut_fail_system(ctx, path, "write");
    data += n;
    size -= n;
  }
  return ABUT_OK;
}

/* the rename is safe from a crash only when the folder is synced too */
static void sync_folder(abut_context *ctx, const char *path)
{
  char *folder = abut_path_folder(ctx, path);
  int handle = folder ? open(folder[0] ? folder : ".", O_RDONLY | O_DIRECTORY) : -1;
  if (handle >= 0) {
    fsync(handle);
    close(handle);
  }
  abut_free(ctx, folder);
}

/* writes, syncs and closes an open file */
static abut_status fill(abut_context *ctx, int file, const char *path, const void *data,
                        int64_t size)
{
  abut_status status = write_all(ctx, file, path, data, size);
  if (status == ABUT_OK && fsync(file) != 0 && errno != EINVAL)
    status = abut_fail_system(ctx, path, "sync");
  if (close(file) != 0 && status == ABUT_OK) status = abut_fail_system(ctx, path, "close");
  return status;
}

static abut_status replace_through(abut_context *ctx, const char *path, const char *temporary,
                                   int file, const void *data, int64_t size)
{
  abut_status status = fill(ctx, file, path, data, size);
  if (status == ABUT_OK && rename(temporary, path) != 0)
    status = abut_fail_system(ctx, path, "replace");
  if (status != ABUT_OK) unlink(temporary);
  if (status == ABUT_OK) sync_folder(ctx, path);
  return status;
}

abut_status abut_file_replace(abut_context *ctx, const char *path, const void *data, int64_t size)
{
  abut_text temporary = {0};
  ABUT_TRY(abut_text_add(ctx, &temporary, "%s.new", path));
  int file = open(temporary.data, O_WRONLY | O_CREAT | O_TRUNC, 0666);
  abut_status status = file < 0 ? abut_fail_system(ctx, path, "create")
                                : replace_through(ctx, path, temporary.data, file, data, size);
  abut_text_free(ctx, &temporary);
  return status;
}

/* ---- paths that a user gave ---- */

char *abut_path_follow(abut_context *ctx, const char *path)
{
  enum { HOPS = 40 };
  struct stat info;
  char target[PATH_MAX], *at = abut_copy_text(ctx, path);
  for (int hop = 0; at && lstat(at, &info) == 0 && S_ISLNK(info.st_mode); hop++) {
    ssize_t n = hop < HOPS ? readlink(at, target, sizeof target - 1) : -1;
    if (n < 0) break;
    target[n] = '\0';
    char *folder = abut_path_folder(ctx, at);
    abut_free(ctx, at);
    at = folder ? abut_path_join(ctx, folder, target) : NULL;
    abut_free(ctx, folder);
  }
  return at;
}

/* tries names until one is new; short ones, as path may be as long as names can be */
static abut_status create_new(abut_context *ctx, const char *folder, abut_text *name, int *handle)
{
  enum { NAMES = 1000 };
  for (int k = 0; k < NAMES; k++) {
    name->length = 0;
    ABUT_TRY(abut_text_add(ctx, name, "%s%sabut-%lld-%d.new", folder, folder[0] ? "/" : "",
                           (long long)getpid(), k));
    *handle = open(name->data, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (*handle >= 0 || errno != EEXIST) break;
  }
  return ABUT_OK;
}

abut_status abut_file_create_beside(abut_context *ctx, const char *path, char **name, int *handle)
{
  struct stat old;
  abut_text text = {0};
  char *folder = abut_path_folder(ctx, path);
  *name = NULL;
  *handle = -1;
  abut_status status = folder ? create_new(ctx, folder, &text, handle) : ABUT_NO_MEMORY;
  if (status == ABUT_OK && *handle < 0) status = abut_fail_system(ctx, path, "create");
  abut_free(ctx, folder);
  if (status != ABUT_OK) {
    abut_text_free(ctx, &text);
    return status;
  }
  /* who may read it does not change with what is in it; where that cannot be kept, a new file's */
  if (stat(path, &old) == 0 && fchmod(*handle, old.st_mode & 07777) != 0) errno = 0;
  *name = text.data;
  return ABUT_OK;
}

static abut_status write_as_it_is(abut_context *ctx, const char *path, const void *data,
                                  int64_t size)
{
  int file = open(path, O_WRONLY | O_CLOEXEC);
  return file < 0 ? abut_fail_system(ctx, path, "open") : fill(ctx, file, path, data, size);
}

abut_status abut_file_write(abut_context *ctx, const char *path, const void *data, int64_t size)
{
  struct stat info;
  if (stat(path, &info) == 0 && !S_ISREG(info.st_mode))
    return write_as_it_is(ctx, path, data, size);
  char *target = abut_path_follow(ctx, path), *temporary = NULL;
  int file = -1;
  abut_status status =
      target ? abut_file_create_beside(ctx, target, &temporary, &file) : ABUT_NO_MEMORY;
  if (status == ABUT_OK) status = replace_through(ctx, target, temporary, file, data, size);
  abut_free(ctx, temporary);
  abut_free(ctx, target);
  return status;
}

/* ---- files of a run ---- */

abut_status abut_file_append(abut_context *ctx, const char *path, const void *data, int64_t size)
{
  int file = open(path, O_WRONLY | O_CREAT | O_APPEND, 0666);
  if (file < 0) return abut_fail_system(ctx, path, "open");
  abut_status status = write_all(ctx, file, path, data, size);
  if (close(file) != 0 && status == ABUT_OK) status = abut_fail_system(ctx, path, "close");
  return status;
}

abut_status abut_file_sync(abut_context *ctx, const char *path)
{
  int file = open(path, O_RDONLY);
  if (file < 0) return abut_fail_system(ctx, path, "open");
  abut_status status = ABUT_OK;
  if (fsync(file) != 0 && errno != EINVAL) status = abut_fail_system(ctx, path, "sync");
  close(file);
  return status;
}

abut_status abut_file_size(abut_context *ctx, const char *path, int64_t *size)
{
  struct stat info;
  if (stat(path, &info) != 0) return abut_fail_system(ctx, path, "examine");
  *size = info.st_size;
  return ABUT_OK;
}

abut_status abut_file_truncate(abut_context *ctx, const char *path, int64_t size)
{
  return truncate(path, size) == 0 ? ABUT_OK : abut_fail_system(ctx, path, "truncate");
}

abut_status abut_file_remove(abut_context *ctx, const char *path)
{
  return unlink(path) == 0 || errno == ENOENT ? ABUT_OK : abut_fail_system(ctx, path, "remove");
}

bool abut_file_exists(const char *path)
{
  struct stat info;
  return stat(path, &info) == 0 && !S_ISDIR(info.st_mode);
}

bool abut_file_same(const char *a, const char *b)
{
  struct stat x, y;
  return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

bool abut_folder_exists(const char *path)
{
  struct stat info;
  return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

static abut_status make_path(abut_context *ctx, char *path)
{
  if (!path[0]) {
    errno = ENOENT;
    return abut_fail_system(ctx, path, "create folder");
  }
  for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
    *slash = '\0';
    bool failed = mkdir(path, 0777) != 0 && errno != EEXIST && errno != EISDIR;
    if (failed && !abut_folder_exists(path)) return abut_fail_system(ctx, path, "create folder");
    *slash = '/';
  }
  if (mkdir(path, 0777) != 0 && !(errno == EEXIST && abut_folder_exists(path)))
    return abut_fail_system(ctx, path, "create folder");
  return ABUT_OK;
}

abut_status abut_folder_make(abut_context *ctx, const char *path)
{
  if (abut_folder_exists(path)) return ABUT_OK;
  char *copy = abut_copy_text(ctx, path);
  if (!copy) return ABUT_NO_MEMORY;
  abut_status status = make_path(ctx, copy);
  abut_free(ctx, copy);
  return status;
}

static int compare_names(const void *a, const void *b)
{
  return strcmp(*(char *const *)a, *(char *const *)b);
}

static abut_status collect_names(abut_context *ctx, DIR *folder, char ***names, int64_t *count)
{
  int64_t room = 0;
  for (struct dirent *entry; (entry = readdir(folder));) {
    if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
    ABUT_RESERVE(ctx, *names, room, *count + 1);
    char *name = abut_copy_text(ctx, entry->d_name);
    if (!name) return ABUT_NO_MEMORY;
    (*names)[(*count)++] = name;
  }
  if (*count) qsort(*names, (size_t)*count, sizeof **names, compare_names);
  return ABUT_OK;
}

abut_status abut_folder_names(abut_context *ctx, const char *path, char ***names, int64_t *count)
{
  *names = NULL;
  *count = 0;
  DIR *folder = opendir(path);
  if (!folder) return abut_fail_system(ctx, path, "open folder");
  abut_status status = collect_names(ctx, folder, names, count);
  closedir(folder);
  if (status != ABUT_OK) {
    abut_names_free(ctx, *names, *count);
    *names = NULL;
    *count = 0;
  }
  return status;
}

void abut_names_free(abut_context *ctx, char **names, int64_t count)
{
  for (int64_t i = 0; i < count; i++) abut_free(ctx, names[i]);
  abut_free(ctx, names);
}

char *abut_path_join(abut_context *ctx, const char *folder, const char *name)
{
  if (name[0] == '/' || folder[0] == '\0') return abut_copy_text(ctx, name);
  size_t a = strlen(folder), b = strlen(name);
  bool slash = folder[a - 1] != '/';
  char *path = abut_alloc(ctx, (int64_t)(a + b + 2), 1);
  if (!path) return NULL;
  memcpy(path, folder, a);
  if (slash) path[a++] = '/';
  memcpy(path + a, name, b + 1);
  return path;
}

char *abut_path_folder(abut_context *ctx, const char *path)
{
  const char *slash = strrchr(path, '/');
  size_t length = slash ? (size_t)(slash - path) : 0;
  if (slash == path) length = 1;
  char *folder = abut_alloc(ctx, (int64_t)length + 1, 1);
  if (!folder) return NULL;
  memcpy(folder, path, length);
  folder[length] = '\0';
  return folder;
}

const char *abut_path_name(const char *path)
{
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

const char *abut_path_suffix(const char *path)
{
  const char *dot = strrchr(abut_path_name(path), '.');
  return dot ? dot + 1 : "";
}

char *abut_path_absolute(abut_context *ctx, const char *path)
{
  char *real = realpath(path, NULL);
  if (real) {
    char *copy = abut_copy_text(ctx, real);
    free(real);
    return copy;
  }
  /* not there yet: resolve the folder and keep the last name */
  char *folder = abut_path_folder(ctx, path);
  if (!folder) return NULL;
  real = realpath(folder[0] ? folder : ".", NULL);
  char *joined = abut_path_join(ctx, real ? real : folder, abut_path_name(path));
  free(real);
  abut_free(ctx, folder);
  return joined;
}

abut_status abut_lock_take(abut_context *ctx, const char *path, int *lock)
{
  *lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (*lock < 0) return abut_fail_system(ctx, path, "create");
  if (flock(*lock, LOCK_EX | LOCK_NB) == 0) return ABUT_OK;
  bool busy = errno == EWOULDBLOCK;
  abut_status status = busy ? abut_fail(ctx, ABUT_BUSY,
                                        "the folder is in use by another run; wait for it or "
                                        "choose another with -o")
                            : abut_fail_system(ctx, path, "lock");
  abut_error_at_line(ctx, path, 0);
  close(*lock);
  *lock = -1;
  return status;
}

void abut_lock_release(int lock)
{
  if (lock >= 0) close(lock);
}
