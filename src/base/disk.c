#define _GNU_SOURCE
#include "base/disk.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"

/* one call of read or write moves at most 2 GiB on Linux; smaller pieces cost nothing */
enum { PIECE = 1 << 30 };

static abut_status open_as(abut_context *ctx, const char *name, int flags, abut_disk *disk)
{
  disk->handle = open(name, flags | O_CLOEXEC, 0666);
  if (disk->handle < 0)
    return abut_fail_system(ctx, disk->path, flags & O_CREAT ? "create" : "open");
  disk->open = true;
  return ABUT_OK;
}

/* a commit would put a plain file in the place of a device or a folder */
static abut_status check_replaceable(abut_context *ctx, const char *path)
{
  struct stat info;
  if (stat(path, &info) != 0 || S_ISREG(info.st_mode)) return ABUT_OK;
  abut_fail(ctx, ABUT_IO, "cannot replace: %s",
            S_ISDIR(info.st_mode) ? strerror(EISDIR) : "it is not a plain file");
  abut_error_at_line(ctx, path, 0);
  return ABUT_IO;
}

static abut_status create(abut_context *ctx, const char *path, abut_disk *disk)
{
  *disk = (abut_disk){.path = abut_copy_text(ctx, path)};
  if (!disk->path) return ABUT_NO_MEMORY;
  size_t length = strlen(path);
  char *temporary = abut_alloc(ctx, (int64_t)length + 5, 1);
  if (!temporary) return ABUT_NO_MEMORY;
  memcpy(temporary, path, length);
  memcpy(temporary + length, ".new", 5);
  abut_status status = open_as(ctx, temporary, O_RDWR | O_CREAT | O_TRUNC, disk);
  if (status == ABUT_OK)
    disk->temporary = temporary;
  else
    abut_free(ctx, temporary);
  return status;
}

abut_status abut_disk_create(abut_context *ctx, const char *path, abut_disk *disk)
{
  *disk = (abut_disk){0};
  ABUT_TRY(check_replaceable(ctx, path));
  abut_status status = create(ctx, path, disk);
  if (status != ABUT_OK) abut_disk_close(ctx, disk);
  return status;
}

abut_status abut_disk_create_for_user(abut_context *ctx, const char *path, abut_disk *disk)
{
  *disk = (abut_disk){0};
  ABUT_TRY(check_replaceable(ctx, path));
  disk->path = abut_path_follow(ctx, path);
  abut_status status =
      disk->path ? abut_file_create_beside(ctx, disk->path, &disk->temporary, &disk->handle)
                 : ABUT_NO_MEMORY;
  disk->open = status == ABUT_OK;
  if (status != ABUT_OK) abut_disk_close(ctx, disk);
  return status;
}

abut_status abut_disk_open(abut_context *ctx, const char *path, bool write, abut_disk *disk)
{
  *disk = (abut_disk){.path = abut_copy_text(ctx, path)};
  if (!disk->path) return ABUT_NO_MEMORY;
  abut_status status = open_as(ctx, path, write ? O_RDWR : O_RDONLY, disk);
  if (status != ABUT_OK) abut_disk_close(ctx, disk);
  return status;
}

abut_status abut_disk_read(abut_context *ctx, const abut_disk *disk, int64_t at, void *data,
                           int64_t size)
{
  char *p = data;
  while (size > 0) {
    ssize_t n = pread(disk->handle, p, (size_t)(size > PIECE ? PIECE : size), at);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return abut_fail_system(ctx, disk->path, "read");
    if (n == 0) {
      abut_fail(ctx, ABUT_BAD_FORMAT, "the file is cut short: it ends at byte %lld", (long long)at);
      abut_error_at_line(ctx, disk->path, 0);
      return ABUT_BAD_FORMAT;
    }
    p += n;
    at += n;
    size -= n;
  }
  return ABUT_OK;
}

abut_status abut_disk_write(abut_context *ctx, const abut_disk *disk, int64_t at, const void *data,
                            int64_t size)
{
  const char *p = data;
  while (size > 0) {
    ssize_t n = pwrite(disk->handle, p, (size_t)(size > PIECE ? PIECE : size), at);
    if (n < 0 && errno == EINTR) continue;
    if (n == 0) errno = ENOSPC;
    if (n <= 0) return abut_fail_system(ctx, disk->path, "write");
    p += n;
    at += n;
    size -= n;
  }
  return ABUT_OK;
}

abut_status abut_disk_size(abut_context *ctx, const abut_disk *disk, int64_t *size)
{
  struct stat info;
  if (fstat(disk->handle, &info) != 0) return abut_fail_system(ctx, disk->path, "examine");
  *size = info.st_size;
  return ABUT_OK;
}

abut_status abut_disk_resize(abut_context *ctx, const abut_disk *disk, int64_t size)
{
  int result;
  do {
    result = ftruncate(disk->handle, size);
  } while (result != 0 && errno == EINTR);
  return result == 0 ? ABUT_OK : abut_fail_system(ctx, disk->path, "make room in");
}

abut_status abut_disk_sync(abut_context *ctx, const abut_disk *disk)
{
  /* EINVAL: a pipe or a device, which has nothing to sync */
  if (fdatasync(disk->handle) == 0 || errno == EINVAL) return ABUT_OK;
  return abut_fail_system(ctx, disk->path, "sync");
}

static abut_status take_name(abut_context *ctx, abut_disk *disk)
{
  if (rename(disk->temporary, disk->path) != 0) return abut_fail_system(ctx, disk->path, "replace");
  abut_free(ctx, disk->temporary);
  disk->temporary = NULL;
  return ABUT_OK;
}

abut_status abut_disk_commit(abut_context *ctx, abut_disk *disk)
{
  ABUT_TRY(abut_disk_sync(ctx, disk));
  char *folder = abut_path_folder(ctx, disk->path);
  if (!folder) return ABUT_NO_MEMORY;
  abut_status status = take_name(ctx, disk);
  /* the new name survives a power failure only when the folder is synced too */
  int handle = -1;
  if (status == ABUT_OK)
    handle = open(folder[0] ? folder : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (handle >= 0) {
    fsync(handle);
    close(handle);
  }
  abut_free(ctx, folder);
  return status;
}

abut_status abut_disk_finish(abut_context *ctx, abut_disk *disk)
{
  /* network file systems report a full disk here */
  disk->open = false;
  abut_status status =
      close(disk->handle) == 0 ? ABUT_OK : abut_fail_system(ctx, disk->path, "close");
  if (status == ABUT_OK) status = take_name(ctx, disk);
  abut_disk_close(ctx, disk);
  return status;
}

void abut_disk_close(abut_context *ctx, abut_disk *disk)
{
  if (disk->open) close(disk->handle);
  if (disk->temporary) unlink(disk->temporary);
  abut_free(ctx, disk->temporary);
  abut_free(ctx, disk->path);
  *disk = (abut_disk){0};
}
