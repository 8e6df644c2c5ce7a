/* disk.h: one open file, read and written at positions: for what is too large to hold in memory or
   must stay valid while it grows. Failures name the path and the system's reason. */
#ifndef ABUT_BASE_DISK_H
#define ABUT_BASE_DISK_H

#include "base/context.h"

/* a zeroed struct is a closed file */
typedef struct abut_disk {
  bool open;
  int handle;
  char *path;
  char *temporary; /* where it is until it is committed; NULL then */
} abut_disk;

/* An empty file under the name path.new; path itself is not touched until the commit, and refused
   when it is a folder or a device. For files of a run folder. */
abut_status abut_disk_create(abut_context *ctx, const char *path, abut_disk *disk);
/* The same for a path that a user gave: a link is followed, and the temporary name is one that no
   file had. */
abut_status abut_disk_create_for_user(abut_context *ctx, const char *path, abut_disk *disk);
abut_status abut_disk_open(abut_context *ctx, const char *path, bool write, abut_disk *disk);

/* fewer bytes than asked for: ABUT_BAD_FORMAT, the file is cut short */
abut_status abut_disk_read(abut_context *ctx, const abut_disk *disk, int64_t at, void *data,
                           int64_t size);
abut_status abut_disk_write(abut_context *ctx, const abut_disk *disk, int64_t at, const void *data,
                            int64_t size);
abut_status abut_disk_size(abut_context *ctx, const abut_disk *disk, int64_t *size);
/* bytes between the end and a larger size read as zero and take no room until they are written */
abut_status abut_disk_resize(abut_context *ctx, const abut_disk *disk, int64_t size);
/* what was written survives a power failure */
abut_status abut_disk_sync(abut_context *ctx, const abut_disk *disk);

/* gives a created file its name, replacing what was there; synced, and open for more */
abut_status abut_disk_commit(abut_context *ctx, abut_disk *disk);
/* the same without the sync (for results that can be made again), and closes the file */
abut_status abut_disk_finish(abut_context *ctx, abut_disk *disk);
/* removes a created file that was not committed */
void abut_disk_close(abut_context *ctx, abut_disk *disk);

#endif
