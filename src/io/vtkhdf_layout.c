#include <hdf5.h>
#include <string.h>

#include "base/memory.h"
#include "io/trajectory_file.h"

/* Room that HDF5 gets for its metadata in one piece, so that all of it lies before the data. It
   uses 14 kB, whatever the sizes of the datasets. */
enum { METADATA_BLOCK = 20 << 10, METADATA_ROOM = 64 << 10 };

/* the file as HDF5 writes it: its metadata, in memory that cannot run out */
typedef struct image {
  char *data; /* (METADATA_ROOM) */
  size_t size;
} image;

static void *image_resize(void *block, size_t size, H5FD_file_image_op_t op, void *udata)
{
  image *file = udata;
  (void)block;
  (void)op;
  if (size > METADATA_ROOM) return NULL;
  file->size = size;
  return file->data;
}

static void *image_make(size_t size, H5FD_file_image_op_t op, void *udata)
{
  return image_resize(NULL, size, op, udata);
}

static herr_t image_free(void *block, H5FD_file_image_op_t op, void *udata)
{
  (void)block;
  (void)op;
  (void)udata;
  return 0;
}

static void *udata_same(void *udata)
{
  return udata;
}

static herr_t udata_keep(void *udata)
{
  (void)udata;
  return 0;
}

/* a file under construction; after a failure the other calls do nothing that matters */
typedef struct builder {
  hid_t file, link, contiguous, scalar;
  bool failed;
} builder;

static hid_t kept(builder *b, hid_t id)
{
  b->failed |= id < 0;
  return id;
}

/* all of these fail on an invalid identifier, so that one check at the end is enough */
static void must(builder *b, herr_t result)
{
  b->failed |= result < 0;
}

/* creates the file in memory, with metadata in one block and everything else in order of creation
   at multiples of eight bytes */
static void start(builder *b, image *file)
{
  H5FD_file_image_callbacks_t calls = {image_make, NULL,       image_resize, image_free,
                                       udata_same, udata_keep, file};
  hid_t access = kept(b, H5Pcreate(H5P_FILE_ACCESS));
  must(b, H5Pset_fapl_core(access, 4096, false));
  must(b, H5Pset_file_image_callbacks(access, &calls));
  /* old object headers carry no checksum that our changes would break */
  must(b, H5Pset_libver_bounds(access, H5F_LIBVER_EARLIEST, H5F_LIBVER_LATEST));
  must(b, H5Pset_meta_block_size(access, METADATA_BLOCK));
  must(b, H5Pset_small_data_block_size(access, 0));
  must(b, H5Pset_alignment(access, 1, 8));
  b->link = kept(b, H5Pcreate(H5P_LINK_CREATE));
  must(b, H5Pset_create_intermediate_group(b->link, 1));
  b->contiguous = kept(b, H5Pcreate(H5P_DATASET_CREATE));
  must(b, H5Pset_layout(b->contiguous, H5D_CONTIGUOUS));
  must(b, H5Pset_alloc_time(b->contiguous, H5D_ALLOC_TIME_EARLY));
  must(b, H5Pset_fill_time(b->contiguous, H5D_FILL_TIME_NEVER));
  must(b, H5Pset_obj_track_times(b->contiguous, false));
  b->scalar = kept(b, H5Screate(H5S_SCALAR));
  b->file = b->failed ? -1 : kept(b, H5Fcreate("abut", H5F_ACC_TRUNC, H5P_DEFAULT, access));
  if (access >= 0) H5Pclose(access);
}

static void finish(builder *b)
{
  if (b->scalar >= 0) H5Sclose(b->scalar);
  if (b->contiguous >= 0) H5Pclose(b->contiguous);
  if (b->link >= 0) H5Pclose(b->link);
  if (b->file >= 0) must(b, H5Fclose(b->file));
}

/* a dataset of rank 1 (columns 0) or 2; returns where its data lies, 0 when it has none */
static int64_t add(builder *b, const char *name, hid_t type, int64_t rows, int columns)
{
  if (b->failed) return 0;
  hsize_t extent[2] = {(hsize_t)rows, (hsize_t)columns};
  hid_t space = kept(b, H5Screate_simple(columns ? 2 : 1, extent, NULL));
  hid_t set = kept(b, H5Dcreate2(b->file, name, type, space, b->link, b->contiguous, H5P_DEFAULT));
  haddr_t at = b->failed || rows == 0 ? 0 : H5Dget_offset(set);
  b->failed |= at == HADDR_UNDEF;
  if (set >= 0) H5Dclose(set);
  if (space >= 0) H5Sclose(space);
  return b->failed ? 0 : (int64_t)at;
}

static int64_t add_text(builder *b, const char *name, int64_t size, int64_t rows)
{
  hid_t type = kept(b, H5Tcopy(H5T_C_S1));
  must(b, H5Tset_size(type, (size_t)size));
  must(b, H5Tset_strpad(type, H5T_STR_NULLPAD));
  must(b, H5Tset_cset(type, H5T_CSET_UTF8));
  int64_t at = add(b, name, type, rows, 0);
  if (type >= 0) H5Tclose(type);
  return at;
}

static void add_attribute(builder *b, const char *group, const char *name, hid_t type, hid_t space,
                          const void *value)
{
  if (b->failed) return;
  hid_t attribute = kept(b, H5Acreate_by_name(b->file, group, name, type, space, H5P_DEFAULT,
                                              H5P_DEFAULT, H5P_DEFAULT));
  must(b, H5Awrite(attribute, type, value));
  if (attribute >= 0) H5Aclose(attribute);
}

static void add_type(builder *b)
{
  static const int64_t version[2] = {2, 0};
  static const char type[] = "UnstructuredGrid";
  hsize_t two = 2;
  hid_t pair = kept(b, H5Screate_simple(1, &two, NULL)), text = kept(b, H5Tcopy(H5T_C_S1));
  must(b, H5Tset_size(text, sizeof type - 1));
  must(b, H5Tset_strpad(text, H5T_STR_NULLPAD));
  add_attribute(b, "/VTKHDF", "Version", H5T_NATIVE_INT64, pair, version);
  add_attribute(b, "/VTKHDF", "Type", text, b->scalar, type);
  if (pair >= 0) H5Sclose(pair);
  if (text >= 0) H5Tclose(text);
}

/* a number that occurs nowhere else in the metadata, to be found there */
#define NO_COUNT INT64_C(0x5e7f3a91c0d26b84)

/* the index, then the two numbers that change, next to each other */
static void add_head(builder *b, abut_index *x)
{
  int64_t none = NO_COUNT;
  x->index_at = add(b, "/abut/index", H5T_NATIVE_INT64, (int64_t)(sizeof *x / sizeof(int64_t)), 0);
  hid_t steps =
      b->failed ? -1
                : kept(b, H5Gcreate2(b->file, "/VTKHDF/Steps", b->link, H5P_DEFAULT, H5P_DEFAULT));
  add_attribute(b, "/VTKHDF/Steps", "NSteps", H5T_STD_I64LE, b->scalar, &none);
  x->values_at = add(b, "/VTKHDF/Steps/Values", H5T_NATIVE_DOUBLE, x->room, 0);
  if (steps >= 0) H5Gclose(steps);
}

static void add_static(builder *b, abut_index *x)
{
  hid_t i64 = H5T_NATIVE_INT64, i32 = H5T_NATIVE_INT32, f64 = H5T_NATIVE_DOUBLE;
  x->point_count_at = add(b, "/VTKHDF/NumberOfPoints", i64, 1, 0);
  x->cell_count_at = add(b, "/VTKHDF/NumberOfCells", i64, 1, 0);
  x->corner_count_at = add(b, "/VTKHDF/NumberOfConnectivityIds", i64, 1, 0);
  x->connectivity_at = add(b, "/VTKHDF/Connectivity", i64, x->corners, 0);
  x->offsets_at = add(b, "/VTKHDF/Offsets", i64, x->cells + 1, 0);
  x->types_at = add(b, "/VTKHDF/Types", H5T_NATIVE_UINT8, x->cells, 0);
  x->object_at = add(b, "/VTKHDF/PointData/object", i32, x->points, 0);
  x->identity_at = add(b, "/VTKHDF/PointData/identity", i32, x->points, 0);
  x->radius_at = add(b, "/VTKHDF/PointData/radius", f64, x->points, 0);
  x->parts_at = add(b, "/VTKHDF/Steps/NumberOfParts", i64, x->room, 0);
  x->point_offsets_at = add(b, "/VTKHDF/Steps/PointOffsets", i64, x->room, 0);
  add(b, "/VTKHDF/Steps/PartOffsets", i64, x->room, 0);
  x->ranges_at = add(b, "/abut/range", i32, x->objects, 4);
  x->names_at = add_text(b, "/abut/name", x->name_size, x->objects);
  x->kinds_at = add_text(b, "/abut/kind", x->kind_size, x->objects);
}

/* offsets that are the same numbers are one dataset under several names */
static void add_offsets(builder *b)
{
#define STEPS "/VTKHDF/Steps/"
  static const char *const same[][2] = {
      {STEPS "PartOffsets", STEPS "CellOffsets"},
      {STEPS "PartOffsets", STEPS "ConnectivityIdOffsets"},
      {STEPS "PartOffsets", STEPS "PointDataOffsets/object"},
      {STEPS "PartOffsets", STEPS "PointDataOffsets/identity"},
      {STEPS "PartOffsets", STEPS "PointDataOffsets/radius"},
      {STEPS "PointOffsets", STEPS "PointDataOffsets/velocity"},
      {STEPS "PointOffsets", STEPS "PointDataOffsets/prescribed"},
  };
#undef STEPS
  for (size_t k = 0; k < sizeof same / sizeof *same && !b->failed; k++)
    must(b, H5Lcreate_hard(b->file, same[k][0], b->file, same[k][1], b->link, H5P_DEFAULT));
}

static int64_t size_so_far(builder *b)
{
  hsize_t size = 0;
  if (!b->failed) must(b, H5Fget_filesize(b->file, &size));
  return (int64_t)size;
}

static void add_frames(builder *b, abut_index *x)
{
  int64_t rows = x->room * x->points;
  x->x_at = add(b, "/VTKHDF/Points", H5T_NATIVE_DOUBLE, rows, 3);
  x->v_at = add(b, "/VTKHDF/PointData/velocity", H5T_NATIVE_DOUBLE, rows, 3);
  x->prescribed_at = add(b, "/VTKHDF/PointData/prescribed", H5T_NATIVE_UINT8, rows, 0);
}

static bool matches(const char *data, int64_t number)
{
  char bytes[8];
  abut_put_int(bytes, number);
  return memcmp(data, bytes, 8) == 0;
}

/* Where the two numbers that change lie: NSteps by its value, the length of Values by the dataspace
   message that follows (version 1, rank 1, with greatest length; HDF5 format, IV.A.2.b). */
static bool find_numbers(const image *file, abut_index *x)
{
  static const char message[8] = {1, 1, 1};
  size_t k = 0;
  while (k + 8 <= file->size && !matches(file->data + k, NO_COUNT)) k += 8;
  x->count_at = (int64_t)k;
  for (k += 8; k + 24 <= file->size; k += 8)
    if (memcmp(file->data + k, message, 8) == 0 && matches(file->data + k + 8, x->room) &&
        matches(file->data + k + 16, x->room))
      break;
  x->extent_at = (int64_t)k + 8;
  /* within one sector */
  return k + 24 <= file->size &&
         x->count_at / ABUT_HEAD_ROOM == (x->extent_at + 15) / ABUT_HEAD_ROOM;
}

static bool build(abut_index *index, image *file)
{
  builder b = {-1, -1, -1, -1, false};
  start(&b, file);
  add_head(&b, index);
  add_type(&b);
  add_static(&b, index);
  add_offsets(&b);
  index->prefix = size_so_far(&b);
  add_frames(&b, index);
  index->size = size_so_far(&b);
  finish(&b);
  return !b.failed && find_numbers(file, index);
}

/* HDF5 prints its errors unless told not to, and has one state for all threads */
typedef struct quiet {
  H5E_auto2_t print;
  void *data;
} quiet;

static quiet quiet_begin(void)
{
  quiet before = {NULL, NULL};
  H5Eget_auto2(H5E_DEFAULT, &before.print, &before.data);
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  return before;
}

static void quiet_end(quiet before)
{
  H5Eclear2(H5E_DEFAULT);
  H5Eset_auto2(H5E_DEFAULT, before.print, before.data);
}

static abut_status fail_hdf5(abut_context *ctx, const char *what)
{
  unsigned a = 0, b = 0, c = 0;
  H5get_libversion(&a, &b, &c);
  return abut_fail(ctx, ABUT_IO, "%s with the HDF5 library %u.%u.%u; another version may help",
                   what, a, b, c);
}

abut_status abut_vtkhdf_lay_out(abut_context *ctx, abut_index *index, char **prefix)
{
  image file = {NULL, 0};
  ABUT_MAKE_ZERO(ctx, file.data, METADATA_ROOM);
  bool done;
#pragma omp critical(abut_hdf5)
  {
    quiet before = quiet_begin();
    done = build(index, &file);
    quiet_end(before);
  }
  *prefix = done ? abut_calloc(ctx, index->prefix, 1) : NULL;
  if (*prefix)
    memcpy(*prefix, file.data,
           file.size < (size_t)index->prefix ? file.size : (size_t)index->prefix);
  abut_free(ctx, file.data);
  if (!done) return fail_hdf5(ctx, "the trajectory cannot be laid out");
  return *prefix ? ABUT_OK : ABUT_NO_MEMORY;
}

/* a dataset has that many rows, and its data where we think */
static void expect(builder *b, const char *name, int64_t rows, int64_t at)
{
  hid_t set = b->failed ? -1 : kept(b, H5Dopen2(b->file, name, H5P_DEFAULT));
  hid_t space = b->failed ? -1 : kept(b, H5Dget_space(set));
  hsize_t extent[2] = {0, 0};
  b->failed |= space < 0 || H5Sget_simple_extent_ndims(space) > 2 ||
               H5Sget_simple_extent_dims(space, extent, NULL) < 0 || (int64_t)extent[0] != rows;
  haddr_t actual = b->failed || at == 0 ? 0 : H5Dget_offset(set);
  b->failed |= actual != (haddr_t)at;
  if (space >= 0) H5Sclose(space);
  if (set >= 0) H5Dclose(set);
}

static bool verify(const char *path, const abut_index *x)
{
  builder b = {-1, -1, -1, -1, false};
  int64_t count = -1;
  hid_t access = kept(&b, H5Pcreate(H5P_FILE_ACCESS));
#if H5_VERSION_GE(1, 10, 7)
  must(&b, H5Pset_file_locking(access, false, true));
#endif
  b.file = b.failed ? -1 : kept(&b, H5Fopen(path, H5F_ACC_RDONLY, access));
  hid_t attribute =
      b.failed
          ? -1
          : kept(&b, H5Aopen_by_name(b.file, "/VTKHDF/Steps", "NSteps", H5P_DEFAULT, H5P_DEFAULT));
  if (!b.failed) must(&b, H5Aread(attribute, H5T_NATIVE_INT64, &count));
  b.failed |= count != 0;
  expect(&b, "/VTKHDF/Steps/Values", 0, x->values_at);
  expect(&b, "/VTKHDF/Points", x->room * x->points, x->x_at);
  expect(&b, "/VTKHDF/PointData/prescribed", x->room * x->points, x->prescribed_at);
  expect(&b, "/abut/name", x->objects, x->names_at);
  if (attribute >= 0) H5Aclose(attribute);
  if (access >= 0) H5Pclose(access);
  finish(&b);
  return !b.failed;
}

abut_status abut_vtkhdf_verify(abut_context *ctx, const char *path, const abut_index *index)
{
  bool right;
#pragma omp critical(abut_hdf5)
  {
    quiet before = quiet_begin();
    right = verify(path, index);
    quiet_end(before);
  }
  return right ? ABUT_OK : fail_hdf5(ctx, "the trajectory cannot be laid out");
}
