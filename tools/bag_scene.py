"""Writes scenes/bag.json: a bag of film is filled, lifted, gathered, tied and let go.

    python3 tools/bag_scene.py [-o FILE]

The scene is described in docs/bag.md. Lengths here are in mm and angles in degrees, times in s; the
file has metres. Needs the standard library only.
"""

import argparse
import math

from scene_text import text

COLUMNS = 32
NECK, RING_12, RIM = 11, 12, 15  # rings, from 1
PLACE = {"center": [0, 0.2, 0], "axis": [0, 0, 1]}  # where the bag is set down
ANGLES = [360 * j / COLUMNS for j in range(COLUMNS)]

# radius, start, time of the drop
SPHERES = [
    (26, (27, 0, 170), 0.89),
    (26, (-27, 0, 170), 1.008),
    (26, (0, 30, 235), 1.363),
    (12, (0, -32, 170), 1.127),
    (12, (0, 32, 170), 1.245),
    (12, (0, 0, 300), 1.60),
    (25, (0, -31, 250), 1.482),
]


def smooth(u):
    """u^2 (3 - 2u), u clamped to 0..1"""
    u = min(max(u, 0), 1)
    return u * u * (3 - 2 * u)


def metres(value):
    """mm to m, to a nanometre"""
    return round(value / 1000, 9)


def vertex(ring, column):
    """number of a vertex; columns go round"""
    return 1 + COLUMNS * (ring - 1) + column % COLUMNS


def ring(number):
    """selection of a ring"""
    return {"range": [vertex(number, 0), vertex(number, COLUMNS - 1)]}


def circle(radius, height):
    """polar positions of a ring"""
    return [[metres(radius), a, metres(height)] for a in ANGLES]


def support(vertices, stiffness, begin, end, keys, polar=True, blend=0.12):
    """springs of stiffness N/m to a moving target"""
    motion = {"keys": keys}
    if polar:
        motion["polar"] = PLACE
    if blend:
        motion["blend"] = blend
    return {"kind": "support", "object": "bag", "vertices": vertices, "stiffness": stiffness,
            "from": begin, "until": end, "motion": motion}


def placing():
    """into the bin, the flap over its rim"""
    keys = [{"t": 0, "translate": [0, 0, 0], "ease": "smooth"},
            {"t": 0.72, "translate": [0, 0, -0.03]}]
    return [support(ring(NECK), 20, 0, 0.72, keys, polar=False, blend=0),
            support(ring(RIM), 5, 0, 0.72, keys, polar=False, blend=0)]


def lifting():
    """two opposite points of the rim go up, over and down"""
    both = lambda y, z: [[None, y, metres(z)]] * 2
    keys = [{"t": 2.0, "positions": "current", "ease": "smooth"},
            {"t": 3.0, "positions": both(None, 300), "ease": "smooth"},
            {"t": 3.75, "positions": both(0.2, 300), "ease": "smooth"},
            {"t": 4.6, "positions": both(0.2, 84)}]
    points = {"indices": [vertex(RIM, 0), vertex(RIM, 16)]}
    return [support(points, 150, 2.0, 4.7, keys, polar=False)]


def unfolding():
    """the flap swings up column by column, from the two points just used to those between them"""
    controls = []
    for d in range(9):
        columns = [j for j in range(COLUMNS) if min(j, COLUMNS - j, abs(j - 16)) == d]
        begin = round(4.7 + 0.5 * d / 8, 6)
        at = lambda radius, height: [[metres(radius), ANGLES[j], metres(height)] for j in columns]
        keys = [{"t": begin, "positions": "current", "ease": "smooth"},
                {"t": round(begin + 0.325, 6), "positions": at(84, 115), "ease": "smooth"},
                {"t": round(begin + 0.65, 6), "positions": at(70, 146)}]
        if d > 0:
            keys.insert(0, {"t": 4.7, "positions": "current"})
        points = {"indices": [vertex(RIM, j) for j in columns]}
        controls.append(support(points, 200, 4.7, 6.05, keys))
    keys = [{"t": 4.7, "positions": circle(67, 113)}]
    controls.append(support(ring(NECK), 200, 4.7, 6.05, keys, blend=0.5))
    return controls


def star(t, up):
    """A ring as a star whose edges keep their length: even columns outside, odd ones inside."""
    shrink = smooth((t - 6.05) / 1.05)
    outer = 66 - STAR_SHRINKS * shrink - 2 * smooth(t - 7.4)
    edge, half = 136 * math.sin(math.pi / COLUMNS), math.pi / (COLUMNS // 2)
    inner = outer * math.cos(half) - math.sqrt(edge**2 - (outer * math.sin(half)) ** 2)
    inner = outer + (inner - outer) * smooth((t - 6.05) / 0.25)
    height = metres(113 - 6 * shrink + up)
    return [[metres(inner if j % 2 else outer), ANGLES[j], height] for j in range(COLUMNS)]


def gathering():
    """the neck into a star that shrinks, the rim following; then the rim is lowered and let go"""
    times = [round(6.05 + 0.05 * i, 6) for i in range(22)]
    times += [round(7.4 + 0.1 * i, 6) for i in range(11)]
    controls = []
    for number, stiffness, up in ((NECK, STAR_STIFFNESS, 0), (RING_12, STAR_STIFFNESS / 2, 7.4)):
        keys = [{"t": t, "positions": star(t, up)} for t in times]
        controls.append(support(ring(number), stiffness, 6.05, 8.75, keys))
    keys = [{"t": 6.05, "positions": circle(70, 143.5), "ease": "smooth"},
            {"t": 7.1, "positions": circle(34, 137.5)},
            {"t": 8.75, "positions": circle(34, 137.5), "ease": "smooth"},
            {"t": 9.35, "positions": circle(34, 127.5)}]
    controls.append(support(ring(RIM), 20, 6.05, 9.4, keys))
    return controls


def tying():
    """128 springs inside and between the two cinched rings, which shrink to 0.4"""
    pairs = []
    for number in (NECK, RING_12):
        pairs += [[vertex(number, j), vertex(number, j + 16)] for j in range(COLUMNS // 2)]
        pairs += [[vertex(number, j), vertex(number, j + 2)] for j in range(COLUMNS)]
    pairs += [[vertex(NECK, j), vertex(RING_12, j)] for j in range(COLUMNS)]
    return [{"kind": "tie", "object": "bag", "pairs": pairs, "stiffness": 250, "from": 8.4,
             "length_scale": [[8.4, 1.0], [8.75, 0.4]]}]


def dropping():
    """each sphere's gravity is off until its drop"""
    return [{"kind": "gravity", "object": "contents", "indices": [i], "scale": 0, "until": drop}
            for i, (_, _, drop) in enumerate(SPHERES)]


def others():
    """drag, the finer tolerance of the release, and what must hold before the gather"""
    up = [[vertex(RIM, j), vertex(NECK, j)] for j in range(COLUMNS)]
    return [{"kind": "drag", "object": "bag", "rate": 12},
            {"kind": "solver", "from": 9.4, "position_tolerance": 5e-7},
            {"kind": "require", "at": 6.05, "object": "bag", "above": up}]


def objects():
    """film, spheres, a bin of triangles without thickness, a floor"""
    return [
        {"name": "bag", "kind": "shell", "mesh": {"shape": "bag", "folded": True},
         "rest": {"mesh": {"shape": "bag"}}, "material": "film",
         "transform": {"translate": [0, 0, 0.0303]}},
        {"name": "contents", "kind": "spheres", "density": 250,
         "radii": [metres(r) for r, _, _ in SPHERES],
         "centers": [[metres(c) for c in start] for _, start, _ in SPHERES]},
        {"name": "bin", "kind": "obstacle",
         "mesh": {"shape": "tube", "radius": 0.064, "height": 0.1059, "cells": [COLUMNS, 1]},
         "transform": {"translate": [0, 0, 0.05305]}},
        {"name": "floor", "kind": "obstacle",
         "mesh": {"shape": "grid", "size": [0.8, 0.8], "cells": [2, 2]},
         "transform": {"translate": [0, 0.1, 0]}}]


def scene():
    """the whole of it"""
    film = {"model": "neo_hookean", "youngs_modulus": 315e6, "poissons_ratio": 0.45,
            "density": 925, "thickness": 3e-5, "bending_scale": 1.0}
    return {
        "abut": 1,
        "name": "a bag of film is filled, lifted, gathered, tied and let go",
        "time": {"step": 1 / 240, "end": 10.5},
        "method": {"name": "offset_ipc", "position_tolerance": 1.2e-5, "max_newton": 150},
        "contact": {"dhat": 1e-3, "gap": 3e-5, "friction": 0.35, "friction_velocity": 1e-3,
                    "stiffness": {"offset_ipc": 1000, "ipc": "auto"}},
        "materials": {"film": film},
        "objects": objects(),
        "controls": placing() + dropping() + lifting() + unfolding() + gathering() + tying()
        + others()}


STAR_STIFFNESS, STAR_SHRINKS = 1500, 50


def main():
    """command line"""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("-o", default="scenes/bag.json", help="the file to write")
    with open(parser.parse_args().o, "w", encoding="utf-8") as out:
        out.write(text(scene()))


if __name__ == "__main__":
    main()
