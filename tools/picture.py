"""Draws moments of a run as one picture.

    python tools/picture.py RUN [-o PNG] [--times T1,T2,T3] [--size WIDTHxHEIGHT]

RUN is a run folder. Shells are drawn in red, solids in ochre, obstacles in striped blue, spheres in
grey; planes as floors. Needs pyvista and works without a display.
"""

import argparse
import json
import os
import sys
from pathlib import Path

if not os.environ.get("DISPLAY"):
    # VTK would try an X server first and complain
    os.environ.setdefault("VTK_DEFAULT_OPENGL_WINDOW", "vtkEGLRenderWindow")

try:
    import numpy as np
    import pyvista as pv
    import vtk
    from PIL import Image
except ImportError as error:
    sys.exit(f"picture: {error}")

CLOTH, STRIPES = ("#c23b2e", "#f3e3c8"), ("#2b5876", "#dde7ec")
SOLID, BALL = "#e0a63a", "#8b98a1"
GUTTER = 6  # pixels between moments
FLOOR, TOP, BOTTOM = "#e9e4dc", "#ffffff", "#eef1f4"


class Run:
    """frames of a run folder"""

    def __init__(self, folder):
        path = Path(folder)
        scene = json.loads((path / "scene.json").read_text())
        self.planes = [o for o in scene["objects"] if o["kind"] == "plane"]
        self.objects = [o for o in scene["objects"] if o["kind"] != "plane"]
        self.reader = vtk.vtkHDFReader()
        self.reader.SetFileName(str(path / "trajectory.vtkhdf"))
        self.reader.UpdateInformation()
        info = self.reader.GetOutputInformation(0)
        key = vtk.vtkStreamingDemandDrivenPipeline.TIME_STEPS()
        self.times = [info.Get(key, k) for k in range(info.Length(key))]

    def grid(self, time):
        """the grid at the frame nearest to a time"""
        nearest = min(self.times, key=lambda t: abs(t - time))
        self.reader.UpdateTimeStep(nearest)
        return pv.wrap(self.reader.GetOutput()).copy()

    def parts(self, grid):
        """(object, its grid) for every object with vertices"""
        for k, o in enumerate(self.objects):
            part = grid.extract_points(grid.point_data["object"] == k, adjacent_cells=False)
            if part.n_points:
                yield o, part


def surface(part):
    """its triangles"""
    return part.extract_surface(algorithm="dataset_surface")


def smooth(mesh, rounds=2):
    """a finer surface with the same shape, for the eye"""
    return mesh.triangulate().subdivide(rounds, "loop").compute_normals(split_vertices=False)


def middles(mesh):
    """of the cells"""
    return np.asarray(mesh.points)[mesh.faces.reshape(-1, 4)[:, 1:]].mean(axis=1)


def stripes(start):
    """a pattern that turns with an obstacle: sectors about its long axis; start: where it began"""
    x = middles(start) - np.asarray(start.points).mean(axis=0)
    axes = np.linalg.eigh(np.cov(np.asarray(start.points).T))[1]
    angle = np.arctan2(x @ axes[:, 1], x @ axes[:, 0])
    return (np.floor(angle / (np.pi / 4)).astype(int) % 2).astype(float)


def hem(start):
    """a band along the edges of a shell that began flat and square; 0 elsewhere"""
    x = middles(start)
    x = x - x.mean(axis=0)
    # the corner farthest away points along a diagonal; the edges are at 45 degrees to it
    corner = x[np.argmax(np.linalg.norm(x, axis=1))]
    normal = np.linalg.eigh(np.cov(x.T))[1][:, 0]
    if np.ptp(x @ normal) > 1e-6 * np.ptp(x):
        return np.zeros(len(x))
    diagonal = corner / np.linalg.norm(corner)
    u, v = diagonal + np.cross(normal, diagonal), diagonal - np.cross(normal, diagonal)
    reach = np.maximum(np.abs(x @ u), np.abs(x @ v))
    reach = reach / reach.max()
    return ((reach > 0.86) & (reach < 0.93)).astype(float)


def add_spheres(plotter, part):
    for x, r in zip(part.points, part.point_data["radius"]):
        ball = pv.Sphere(radius=r, center=x, theta_resolution=60, phi_resolution=60)
        plotter.add_mesh(ball, color=BALL, smooth_shading=True, specular=0.3)


def add_pattern(plotter, mesh, pattern, colors, **look):
    mesh.cell_data["pattern"] = pattern
    plotter.add_mesh(mesh, scalars="pattern", clim=[0, 1], cmap=list(colors), show_scalar_bar=False,
                     smooth_shading=True, **look)


def add_object(plotter, o, part, start):
    if o["kind"] == "spheres":
        add_spheres(plotter, part)
    elif o["kind"] == "obstacle":
        fine = surface(part).triangulate().subdivide(3, "linear").compute_normals(split_vertices=False)
        begun = surface(start).triangulate().subdivide(3, "linear")
        add_pattern(plotter, fine, stripes(begun), STRIPES, specular=0.25, specular_power=20, ambient=0.2)
    elif o["kind"] == "shell":
        begun = surface(start).triangulate().subdivide(3, "linear")
        add_pattern(plotter, smooth(surface(part), 3), hem(begun), CLOTH, specular=0.06,
                    specular_power=10, ambient=0.2, diffuse=0.85)
    else:
        plotter.add_mesh(smooth(surface(part)), color=SOLID, smooth_shading=True, specular=0.35,
                         specular_power=25, ambient=0.2, diffuse=0.85)


def add_floor(plotter, plane, bounds):
    low, high = np.array(bounds[0::2]), np.array(bounds[1::2])
    size = 14 * np.linalg.norm(high - low)
    normal = np.array(plane["normal"], dtype=float)
    normal /= np.linalg.norm(normal)
    center = (low + high) / 2
    center -= normal * np.dot(center - np.array(plane["point"], dtype=float), normal)
    # a hair lower, so that what lies on it does not flicker
    floor = pv.Plane(center=center - 1e-3 * normal, direction=normal, i_size=size, j_size=size)
    plotter.add_mesh(floor, color=FLOOR, ambient=0.35, diffuse=0.75, specular=0)


def add_lights(plotter, center, size):
    plotter.remove_all_lights()
    for direction, strength, shadow in (((-0.9, -1.0, 2.1), 0.85, True), ((1.6, -1.0, 0.9), 0.28, False),
                                        ((0.1, 1.5, 1.2), 0.22, False)):
        light = pv.Light(position=center + 3 * size * np.array(direction), focal_point=center,
                         intensity=strength, light_type="scene light")
        light.positional = shadow
        light.cone_angle = 35
        plotter.add_light(light)
    plotter.enable_shadows()


def fit(points, direction, aspect, angle=25):
    """camera that sees all points, looking along -direction"""
    back = np.array(direction) / np.linalg.norm(direction)
    right = np.cross((0, 0, 1), back)
    right /= np.linalg.norm(right)
    up = np.cross(back, right)
    high = 0.94 * np.tan(np.radians(angle / 2))
    focus, distance = points.mean(axis=0), 1.0
    for _ in range(20):
        x, y, z = (points - focus) @ right, (points - focus) @ up, (points - focus) @ back
        distance = max((np.abs(x) / (high * aspect) + z).max(), (np.abs(y) / high + z).max())
        depth = distance - z
        focus = focus + distance * ((x / depth).max() + (x / depth).min()) / 2 * right
        focus = focus + distance * ((y / depth).max() + (y / depth).min()) / 2 * up
    return focus + distance * back, focus, angle


def panel(run, grid, start, camera, box, size):
    """one moment; drawn at twice its size, for four samples a pixel"""
    plotter = pv.Plotter(off_screen=True, window_size=(2 * size[0], 2 * size[1]))
    plotter.set_background(BOTTOM, top=TOP)
    low, high = np.array(box[0::2]), np.array(box[1::2])
    for plane in run.planes:
        add_floor(plotter, plane, box)
    for o, part in run.parts(grid):
        add_object(plotter, o, part, start[o["name"]])
    add_lights(plotter, (low + high) / 2, np.linalg.norm(high - low))
    plotter.camera_position = [tuple(camera[0]), tuple(camera[1]), (0, 0, 1)]
    plotter.camera.view_angle = camera[2]
    image = plotter.screenshot(return_img=True).astype(float)
    plotter.close()
    return image.reshape(size[1], 2, size[0], 2, 3).mean(axis=(1, 3)).astype(np.uint8)


def draw(run, times, path, size, view):
    grids = [run.grid(t) for t in times]
    points = np.concatenate([np.asarray(g.points) for g in grids])
    box = np.stack([points.min(axis=0), points.max(axis=0)]).T.ravel()
    start = {o["name"]: part for o, part in run.parts(run.grid(run.times[0]))}
    width = (size[0] - GUTTER * (len(times) - 1)) // len(times)
    camera = fit(points, view, width / size[1])
    gutter = np.full((size[1], GUTTER, 3), 255, dtype=np.uint8)
    strip = []
    for grid in grids:
        strip += [panel(run, grid, start, camera, box, (width, size[1])), gutter]
    Image.fromarray(np.concatenate(strip[:-1], axis=1)).save(path, optimize=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("run")
    parser.add_argument("-o", dest="png")
    parser.add_argument("--times", help="moments, s; default: three")
    parser.add_argument("--size", default="1500x480")
    parser.add_argument("--view", default="0.3,-1,0.5", help="from the middle to the camera")
    a = parser.parse_args()
    run = Run(a.run)
    end = run.times[-1]
    times = [float(t) for t in a.times.split(",")] if a.times else [0.2 * end, 0.45 * end, end]
    png = a.png or str(Path(a.run) / "picture.png")
    draw(run, times, png, [int(n) for n in a.size.split("x")], [float(v) for v in a.view.split(",")])
    print("picture:", png)


main()
