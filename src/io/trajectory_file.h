/* trajectory_file.h: how a trajectory lies in its file; for the trajectory's own sources.

     HDF5 metadata   superblock, groups, headers of all datasets: by the HDF5 library
     static data     times of the frames, index, topology, offsets, names
     frames          Points, velocity, prescribed: each contiguous, with room for all frames

   The library lays the file out once, in memory; after that nobody but us writes, with plain
   writes at known places. The file is an HDF5 file at any moment, and two numbers change while it
   grows: the attribute Steps/NSteps and the length of Steps/Values. VTK reads as many times as
   Values has entries into an array of NSteps, so the two must never differ: they lie within one
   sector and are changed by one write. */
#ifndef ABUT_IO_TRAJECTORY_FILE_H
#define ABUT_IO_TRAJECTORY_FILE_H

#include "base/disk.h"
#include "io/trajectory.h"

#define ABUT_INDEX_MAGIC UINT64_C(0x7472616a74756261) /* "abutjart" */
#define ABUT_INDEX_MAGIC_2 UINT64_C(0xd1a6f80b3c5e9247)

enum {
  ABUT_INDEX_VERSION = 1,
  ABUT_INDEX_SEARCH = 1 << 16, /* bytes at the start of the file that hold the index */
  ABUT_HEAD_ROOM = 512         /* bytes from NSteps to the length of Values, at most */
};

/* The dataset /abut/index: sizes, and where everything lies in the file (_at, bytes). It lets us
   read the file without HDF5, which has crashed on damaged files; the hash finds the damage. */
typedef struct abut_index {
  uint64_t magic, magic_2;
  int64_t version;
  uint64_t hash;  /* of the first prefix bytes, with what changes zeroed */
  int64_t size;   /* of the file */
  int64_t prefix; /* everything but the frames lies before this */
  int64_t index_at;
  int64_t room; /* frames */
  int64_t points, objects, cells, corners /* of all cells */, name_size, kind_size;
  int64_t count_at;  /* Steps/NSteps: int64, little endian */
  int64_t extent_at; /* Steps/Values: length and greatest length, the same */
  int64_t values_at; /* double      (room) */
  int64_t point_count_at, cell_count_at, corner_count_at; /* int64 (1) */
  int64_t connectivity_at, offsets_at, types_at; /* int64 (corners), int64 (cells + 1), uint8 */
  int64_t object_at, identity_at, radius_at;     /* int32, int32, double  (points) */
  int64_t parts_at, point_offsets_at;            /* int64       (room) */
  int64_t ranges_at;                 /* int32: first, points, corners, cells  (objects x 4) */
  int64_t names_at, kinds_at;        /* char        (objects x name_size, kind_size) */
  int64_t x_at, v_at, prescribed_at; /* vec3, vec3, uint8      (room x points) */
} abut_index;

/* numbers in HDF5's metadata are little endian everywhere */
static inline void abut_put_int(char *bytes, int64_t value)
{
  for (int k = 0; k < 8; k++) bytes[k] = (char)((uint64_t)value >> 8 * k);
}

static inline int64_t abut_get_int(const char *bytes)
{
  uint64_t value = 0;
  for (int k = 7; k >= 0; k--) value = value << 8 | (unsigned char)bytes[k];
  return (int64_t)value;
}

struct abut_trajectory {
  abut_disk disk;
  abut_index index;
  abut_layout layout;
  int64_t frames;
};

/* false when the numbers of a layout do not fit together */
bool abut_layout_sound(const abut_layout *layout);
/* sizes of the layout */
void abut_index_measure(const abut_layout *layout, int64_t room, abut_index *index);
/* static data to and from its places in the prefix */
void abut_layout_store(const abut_layout *layout, const abut_index *index, char *prefix);
abut_status abut_layout_load(abut_context *ctx, const abut_index *index, const char *prefix,
                             abut_layout *layout);

/* Fills in the places of index, whose sizes are measured, and makes the first index->prefix bytes
   of the file: its metadata, and zeros where the static data goes. Freed with abut_free. */
abut_status abut_vtkhdf_lay_out(abut_context *ctx, abut_index *index, char **prefix);
/* asks HDF5 whether the file at path is what we think it is, with no frames */
abut_status abut_vtkhdf_verify(abut_context *ctx, const char *path, const abut_index *index);

#endif
