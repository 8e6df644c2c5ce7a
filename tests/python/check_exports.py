"""Opens what tests/test_export.c wrote (ABUT_EXPORT_FOLDER) with VTK, pyvista, h5py and numpy.

    ABUT_EXPORT_FOLDER=DIR build/test_export && python tests/python/check_exports.py DIR
"""

import sys
from pathlib import Path

import h5py
import numpy as np
import pyvista
import vtk

NAMES = ["née cloth", "two tets", "beads", "thread", "nothing"]
FILES = ["n_e_cloth", "two_tets", "beads", "thread", "nothing"]
KINDS = ["shell", "solid", "spheres", "rod", "spheres"]
FIRST = [0, 4, 9, 11, 13, 13]
CELLS = [[[0, 1, 2], [1, 3, 2]], [[0, 1, 2, 3], [1, 2, 3, 4]], [[0], [1]], [[0, 1]], []]
TYPES = [5, 5, 10, 10, 1, 1, 3]
POINTS = 13


def points(frame):
    """positions of tests/frames.h, to the last bit"""
    f, p = float(frame), np.arange(POINTS, dtype=float)
    return np.stack([f + p / 7, (p * p - f) / 3, 1e-7 / (p + 1) + f * f], axis=1)


def velocities(frame):
    f, p = float(frame), np.arange(POINTS, dtype=float)
    return np.stack([np.full(POINTS, -f), p / 11, f / (p + 3)], axis=1)


def same(a, b):
    a, b = np.asarray(a), np.asarray(b)
    assert a.shape == b.shape and np.array_equal(a, b), (a, b)


def steps_of(path):
    """times that VTK announces, and the grid at each"""
    reader = vtk.vtkHDFReader()
    assert reader.CanReadFile(str(path))
    reader.SetFileName(str(path))
    reader.UpdateInformation()
    info, key = reader.GetOutputInformation(0), vtk.vtkStreamingDemandDrivenPipeline.TIME_STEPS()
    times = [info.Get(key, k) for k in range(info.Length(key))] if info.Has(key) else []
    grids = []
    for t in times:
        reader.UpdateTimeStep(t)
        grids.append(pyvista.wrap(reader.GetOutput()).copy())
    return times, grids


def check_grid(grid, frame):
    assert grid.points.dtype == np.float64
    same(grid.points, points(frame))
    same(grid.point_data["velocity"], velocities(frame))
    same(grid.point_data["prescribed"], ((frame + np.arange(POINTS)) % 3 == 0).astype(np.uint8))
    same(grid.point_data["object"], np.repeat(np.arange(5), np.diff(FIRST)).astype(np.int32))
    identity = np.arange(POINTS, dtype=np.int32)
    identity[12] = 3
    same(grid.point_data["identity"], identity)
    radius = np.zeros(POINTS)
    radius[9:11] = 0.026, 1 / 3
    same(grid.point_data["radius"], radius)
    same(grid.celltypes, TYPES)
    want = [[first + v for v in cell] for cells, first in zip(CELLS, FIRST) for cell in cells]
    same(grid.cells, np.concatenate([[len(cell), *cell] for cell in want]))


def check_trajectory(path, frames, room):
    times, grids = steps_of(path)
    same(times, [f * 0.01 for f in frames])
    for grid, frame in zip(grids, frames):
        check_grid(grid, frame)
    if path.suffix:  # pyvista goes by the suffix
        assert pyvista.read(path).n_points == POINTS
    with h5py.File(path) as file:
        steps = file["VTKHDF/Steps"]
        assert steps.attrs["NSteps"] == len(frames) == len(steps["Values"])
        assert len(steps["PointOffsets"]) == room
        assert file["VTKHDF/Points"].shape == (room * POINTS, 3)
        assert [name.decode() for name in file["abut/name"]] == NAMES
        assert [kind.decode() for kind in file["abut/kind"]] == KINDS
        for k, frame in enumerate(frames):
            start = steps["PointOffsets"][k]
            same(file["VTKHDF/Points"][start : start + POINTS], points(frame))


def check_obj(folder, frame):
    for o, name in enumerate(FILES):
        lines = (folder / f"{name}_{frame:06d}.obj").read_text().splitlines()
        x = [[float(w) for w in line.split()[1:]] for line in lines if line.startswith("v ")]
        same(np.array(x).reshape(-1, 3), points(frame)[FIRST[o] : FIRST[o + 1]])
    cloth = pyvista.read(folder / f"n_e_cloth_{frame:06d}.obj")
    solid = pyvista.read(folder / f"two_tets_{frame:06d}.obj")
    assert (cloth.n_points, cloth.n_cells, solid.n_points, solid.n_cells) == (4, 2, 5, 6)
    # the surface is closed and encloses what the tetrahedra do, with normals outwards
    x, volume = points(frame)[4:9], 0.0
    faces = solid.faces.reshape(-1, 4)[:, 1:]
    for a, b, c in faces:
        volume += np.dot(x[a], np.cross(x[b], x[c])) / 6
    tets = [np.linalg.det(x[t[1:]] - x[t[0]]) / 6 for t in np.array(CELLS[1])]
    if min(tets) > 0:
        assert abs(volume - sum(tets)) < 1e-12
    assert len({tuple(sorted((f[k], f[k - 1]))) for f in faces for k in range(3)}) == 9


def check_ply(folder, frame):
    cloth = pyvista.read(folder / f"n_e_cloth_{frame:06d}.ply")
    solid = pyvista.read(folder / f"two_tets_{frame:06d}.ply")
    assert (cloth.n_points, cloth.n_cells, solid.n_points, solid.n_cells) == (4, 2, 5, 6)
    # VTK reads doubles of a PLY as floats
    assert np.abs(cloth.points - points(frame)[0:4]).max() < 1e-6
    assert np.abs(solid.points - points(frame)[4:9]).max() < 1e-5
    assert pyvista.read(folder / f"nothing_{frame:06d}.ply").n_points == 0
    data = (folder / f"beads_{frame:06d}.ply").read_bytes().split(b"end_header\n", 1)[1]
    beads = np.frombuffer(data, dtype="<f8").reshape(2, 4)
    same(beads[:, :3], points(frame)[9:11])
    same(beads[:, 3], [0.026, 1 / 3])


def check_npy(folder, frames):
    same(np.load(folder / "times.npy"), [f * 0.01 for f in frames])
    for o, name in enumerate(FILES):
        x = np.load(folder / f"{name}_positions.npy")
        assert x.dtype == np.float64
        same(x, np.array([points(f)[FIRST[o] : FIRST[o + 1]] for f in frames]))
        if KINDS[o] == "spheres":
            assert not (folder / f"{name}_cells.npy").exists()
        else:
            cells = np.load(folder / f"{name}_cells.npy")
            assert cells.dtype == np.int32
            same(cells, CELLS[o])
    same(np.load(folder / "beads_radii.npy"), [0.026, 1 / 3])
    assert np.load(folder / "nothing_radii.npy").shape == (0,)


def main():
    folder = Path(sys.argv[1])
    check_trajectory(folder / "trajectory.vtkhdf", range(5), 8)
    check_trajectory(folder / "vtkhdf/some frames.vtkhdf", [0, 2, 4], 3)
    check_trajectory(folder / "vtkhdf/backwards.vtkhdf", [1, 4], 2)
    check_trajectory(folder / "starved/vtkhdf", [1, 2], 2)
    times, grids = steps_of(folder / "empty/vtkhdf")
    assert times == [0, 0.01] and all(g.n_points == g.n_cells == 0 for g in grids)
    assert steps_of(folder / "none/vtkhdf")[0] == []
    for frame in (1, 3):
        check_obj(folder / "obj", frame)
    for frame in range(5):
        check_ply(folder / "ply", frame)
    check_npy(folder / "npy", [4, 2, 0])
    assert np.load(folder / "none/npy/two_tets_positions.npy").shape == (0, 5, 3)
    print("exports: VTK", vtk.vtkVersion().GetVTKVersion(), "h5py", h5py.__version__, "agree")


main()
