"""Writes scenes/barrier_free/arch.json and arch.msh: an arch of 25 blocks without mortar.

    python3 tools/arch_scene.py [-o FOLDER]

The middle line is the catenary y = a cosh(x / a), upside down, of SPAN and RISE m, cut into blocks
of equal length at right angles to it; blocks are apart by GAP. The two end blocks are pinned. Each
block is CELLS hexahedra of six tetrahedra. Stone of 10 MPa gives way by 0.4 m, so a drag until
HELD s takes the bounce out of it. Needs the standard library only.
"""

import argparse
import math
from pathlib import Path

from scene_text import text

BLOCKS = 25
SPAN, RISE = 20, 8  # of the middle line, m
THICKNESS, DEPTH = 2, 4  # m; at a depth of 2 m so soft an arch buckles sideways
GAP = 1e-3  # between blocks, m
HELD = 3  # s
CELLS = (1, 2, 2)  # along the arch, through its thickness, across
# the six tetrahedra round a cell's diagonal; corner i is at (i & 1, i >> 1 & 1, i >> 2)
TETS = [(0, 1, 3, 7), (0, 3, 2, 7), (0, 2, 6, 7), (0, 6, 4, 7), (0, 4, 5, 7), (0, 5, 1, 7)]


def catenary():
    """a of the catenary with this span and rise, by bisection"""
    low, high = 0.1 * SPAN, 100 * SPAN
    for _ in range(200):
        a = 0.5 * (low + high)
        if a * (math.cosh(SPAN / (2 * a)) - 1) > RISE:
            low = a
        else:
            high = a
    return a


def joint(a, s):
    """place and unit tangent of the middle line at arc length s from its crown"""
    x = a * math.asinh(s / a)
    slope = -math.sinh(x / a)
    length = math.hypot(1, slope)
    return (x, RISE - a * (math.cosh(x / a) - 1)), (1 / length, slope / length)


def place(a, s, inset, u, v):
    """point of the joint at s, moved along the arch by inset; u outwards, v across, from -1/2 to 1/2"""
    (x, z), (tx, tz) = joint(a, s)
    out = u * THICKNESS
    return (x + inset * tx - out * tz, v * DEPTH, z + inset * tz + out * tx)


def block(a, number):
    """vertices and tetrahedra of a block"""
    length = 2 * a * math.sinh(SPAN / (2 * a)) / BLOCKS
    start = (number - BLOCKS / 2) * length
    l, m, n = CELLS
    index = lambda i, j, k: (i * (m + 1) + j) * (n + 1) + k
    vertices, tets = [], []
    for i in range(l + 1):
        for j in range(m + 1):
            for k in range(n + 1):
                ends = [place(a, start, 0.5 * GAP, j / m - 0.5, k / n - 0.5),
                        place(a, start + length, -0.5 * GAP, j / m - 0.5, k / n - 0.5)]
                vertices.append([p + i / l * (q - p) for p, q in zip(*ends)])
    for i in range(l):
        for j in range(m):
            for k in range(n):
                # every other cell is mirrored, so that the arch is the same on both its sides
                corner = [index(i + (c & 1), j + (c >> 1 & 1), k + ((c >> 2) ^ (k & 1)))
                          for c in range(8)]
                tets += [[corner[c] for c in t] for t in TETS]
    return vertices, [oriented(vertices, t) for t in tets]


def oriented(vertices, tet):
    """the tetrahedron with positive volume"""
    p, q, r, s = (vertices[v] for v in tet)
    u, v, w = ([b - a for a, b in zip(p, other)] for other in (q, r, s))
    volume = (u[0] * (v[1] * w[2] - v[2] * w[1]) + u[1] * (v[2] * w[0] - v[0] * w[2])
              + u[2] * (v[0] * w[1] - v[1] * w[0]))
    return tet if volume > 0 else [tet[0], tet[2], tet[1], tet[3]]


def msh():
    """all blocks as MSH 2.2, those at the ends in a group of their own"""
    a = catenary()
    vertices, tets = [], []
    for number in range(BLOCKS):
        places, cells = block(a, number)
        group = 2 if number in (0, BLOCKS - 1) else 1
        tets += [(group, [len(vertices) + v for v in t]) for t in cells]
        vertices += places
    lines = ["$MeshFormat", "2.2 0 8", "$EndMeshFormat"]
    lines += ["$PhysicalNames", "2", '3 1 "blocks"', '3 2 "feet"', "$EndPhysicalNames"]
    lines += ["$Nodes", str(len(vertices))]
    lines += [f"{i + 1} " + " ".join(f"{c:.9g}" for c in p) for i, p in enumerate(vertices)]
    lines += ["$EndNodes", "$Elements", str(len(tets))]
    lines += [f"{i + 1} 4 2 {g} {g} " + " ".join(str(v + 1) for v in t)
              for i, (g, t) in enumerate(tets)]
    return "\n".join(lines + ["$EndElements"]) + "\n"


def scene(friction, name):
    """the whole of it"""
    stone = {"model": "stable_neo_hookean", "youngs_modulus": 1e7, "poissons_ratio": 0.2,
             "density": 2300}
    return {"abut": 1, "name": name, "time": {"step": 0.01, "end": 5},
            "method": {"name": "barrier_free"},
            "contact": {"dhat": 1e-3, "friction": friction, "friction_velocity": 1e-3},
            "materials": {"stone": stone},
            "objects": [{"name": "arch", "kind": "solid", "mesh": "arch.msh", "material": "stone"}],
            "controls": [{"kind": "pin", "object": "arch", "vertices": {"group": "feet"}},
                         {"kind": "drag", "object": "arch", "rate": 8, "until": HELD}]}


def main():
    """command line"""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("-o", default="scenes/barrier_free", help="the folder to write into")
    folder = Path(parser.parse_args().o)
    (folder / "arch.msh").write_text(msh(), encoding="utf-8")
    for file, friction, name in (("arch", 0.5, "an arch of blocks without mortar stands"),
                                 ("arch_slippery", 0, "without friction it falls")):
        (folder / f"{file}.json").write_text(text(scene(friction, name)), encoding="utf-8")


if __name__ == "__main__":
    main()
