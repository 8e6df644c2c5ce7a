#include "base/file.h"
#include "io/export.h"
#include "io/format.h"
#include "io/readers.h"
#include "io/tables.h"

const abut_format_class abut_format_obj = {
    .name = "obj",
    .text = "Wavefront OBJ: meshes with groups; one file per object and frame, as text",
    .suffix = "obj",
    .read = abut_obj_read,
    .export_frames = abut_obj_export,
};

const abut_format_class abut_format_msh = {
    .name = "msh",
    .text = "Gmsh MSH 2.2 and 4.1: triangle and tetrahedron meshes with physical names; read only",
    .suffix = "msh",
    .read = abut_msh_read,
};

const abut_format_class abut_format_ply = {
    .name = "ply",
    .text = "Polygon File Format: one file per object and frame, binary doubles",
    .export_frames = abut_ply_export,
};

const abut_format_class abut_format_npy = {
    .name = "npy",
    .text = "NumPy arrays: positions of each object in all frames, cells, radii, times",
    .export_frames = abut_npy_export,
};

const abut_format_class abut_format_vtkhdf = {
    .name = "vtkhdf",
    .text = "VTKHDF: all objects over time in one file, for ParaView, VTK and pyvista",
    .export_frames = abut_vtkhdf_export,
    .one_file = true,
};

/* suffixes are the same in capitals */
static bool same_suffix(const char *a, const char *b)
{
  for (; *a && *b; a++, b++) {
    char c = *a >= 'A' && *a <= 'Z' ? (char)(*a - 'A' + 'a') : *a;
    if (c != *b) return false;
  }
  return *a == *b;
}

abut_status abut_format_find(abut_context *ctx, const abut_tables *tables, const char *path,
                             const abut_format_class **out)
{
  static const char *const later[] = {"ply", "stl", "vtk", "vtu", "node", "ele"};
  const char *suffix = abut_path_suffix(path);
  *out = NULL;
  for (const abut_format_class *const *f = tables->formats; *f && !*out; f++)
    if ((*f)->read && (*f)->suffix && same_suffix(suffix, (*f)->suffix)) *out = *f;
  for (size_t k = 0; k < sizeof later / sizeof *later && !*out; k++)
    if (same_suffix(suffix, later[k]))
      return abut_fail(ctx, ABUT_UNSUPPORTED,
                       "reading .%s files is not available in this version; save the mesh as .obj "
                       "or .msh",
                       later[k]);
  return ABUT_OK;
}
