"""Draws and measures a run of scenes/bag.json.

    python tools/bag_picture.py RUN [-o PNG] [--times T1,T2,..] [--columns N]

The film is drawn see-through, so that the spheres inside are seen. Printed are the numbers of
docs/bag.md, in mm. Needs pyvista and works without a display.
"""

import argparse
import os
import sys
from pathlib import Path

if not os.environ.get("DISPLAY"):
    # VTK would try an X server first and complain
    os.environ.setdefault("VTK_DEFAULT_OPENGL_WINDOW", "vtkEGLRenderWindow")

try:
    import numpy as np
    import pyvista as pv
    from picture import Run
    from PIL import Image
except ImportError as error:
    sys.exit(f"bag_picture: {error}")

MOMENTS = [0.7, 1.6, 3.5, 6.0, 7.1, 8.4, 9.4, 10.5]
NECK, RIM = slice(321, 353), slice(449, 481)
FILM, CONTENTS, BIN, FLOOR = "#9cc3dd", "#d98b32", "#8d8d8d", "#efeae2"
SIZE = (400, 440)  # pixels of a moment


def named(run, grid):
    """{name: part of the grid}"""
    return {o["name"]: part for o, part in run.parts(grid)}


def draw(run, time):
    """one moment as an image"""
    parts = named(run, run.grid(time))
    plotter = pv.Plotter(off_screen=True, window_size=SIZE)
    film = parts["bag"].extract_surface(algorithm="dataset_surface")
    plotter.add_mesh(film, color=FILM, opacity=0.55)
    plotter.add_mesh(film.extract_all_edges(), color="#4a6f87", line_width=0.5, opacity=0.5)
    beads = parts["contents"]
    for center, radius in zip(beads.points, beads.point_data["radius"]):
        ball = pv.Sphere(radius=radius, center=center)
        plotter.add_mesh(ball, color=CONTENTS, smooth_shading=True)
    middle = np.asarray(film.points).mean(axis=0)
    if abs(middle[1]) < 0.1:  # still near the bin
        plotter.add_mesh(parts["bin"], color=BIN, opacity=0.2)
    plotter.add_mesh(parts["floor"], color=FLOOR)
    plotter.camera_position = [tuple(middle + (0.38, -0.34, 0.22)), tuple(middle), (0, 0, 1)]
    plotter.add_text(f"{time:.2f} s", font_size=9, color="black")
    image = Image.fromarray(plotter.screenshot(return_img=True))
    plotter.close()
    return image


def measure(run):
    """prints the numbers of the last frame and of the last second"""
    film = named(run, run.grid(run.times[-1]))["bag"].points
    neck, rim = film[NECK], film[RIM]
    width = 1000 * np.ptp(neck, axis=0)
    flap = 1000 * (np.median(rim[:, 2]) - neck[:, 2].mean())
    last = [t for t in run.times if t >= run.times[-1] - 1 - 1e-9]
    heights = np.array([named(run, run.grid(t))["contents"].points[:, 2] for t in last])
    print(f"neck        {width[0]:.2f} x {width[1]:.2f} mm")
    print(f"flap        {flap:.2f} mm above the neck")
    print(f"spheres     move by {1000 * np.ptp(heights, axis=0).max():.2f} mm in the last second")


def main():
    """command line"""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("run", help="run folder")
    parser.add_argument("-o", help="the PNG (default: RUN/picture.png)")
    parser.add_argument("--times", help="s, comma separated")
    parser.add_argument("--columns", type=int, default=4, help="moments in a row")
    args = parser.parse_args()
    run = Run(args.run)
    times = [float(t) for t in args.times.split(",")] if args.times else MOMENTS
    images = [draw(run, t) for t in times if t <= run.times[-1] + 1e-9]
    rows = -(-len(images) // args.columns)
    sheet = Image.new("RGB", (args.columns * SIZE[0], rows * SIZE[1]), "white")
    for k, image in enumerate(images):
        sheet.paste(image, (k % args.columns * SIZE[0], k // args.columns * SIZE[1]))
    sheet.save(args.o or Path(args.run) / "picture.png")
    measure(run)


if __name__ == "__main__":
    main()
