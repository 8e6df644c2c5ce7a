#include "io/export.h"
#include "io/format.h"
#include "io/readers.h"

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
