#!/usr/bin/env python3
"""Count crossings of the film in the saved frames of run_bag.py with abut's exact checker.

Every frame is written as an OBJ file (the saved 32-bit positions are exact in it) and given to `abut check
--json`; its findings of kind `crossing` are edge-face pairs without a common vertex. Each pair is classified
by its distance in the mesh: the fewest mesh edges between a vertex of the edge and a vertex of the face.
Writes DIR/crossings.json and prints the figures of the comparison table.
"""
import argparse
import collections
import json
import os
import re
import shutil
import subprocess
import tempfile

import numpy as np

NECK, RIM = slice(321, 353), slice(449, 481)
PAIR = re.compile(r"vertices (\d+), (\d+)\).*vertices (\d+), (\d+), (\d+)\)")


def neighbours(cells, count):
    """Sets of vertices joined to each vertex by a mesh edge."""
    near = [set() for _ in range(count)]
    for a, b, c in cells:
        near[a] |= {b, c}
        near[b] |= {a, c}
        near[c] |= {a, b}
    return near


def mesh_distance(near, one, other):
    """Fewest mesh edges between two vertex sets; 0 when they share a vertex."""
    reached, front, steps = set(one), set(one), 0
    while not reached & set(other):
        front = set().union(*(near[v] for v in front)) - reached
        reached |= front
        steps += 1
        if not front:
            return -1
    return steps


def write_obj(path, points, cells):
    """One frame as an OBJ file, coordinates in m with 17 digits."""
    with open(path, "w", encoding="utf-8") as out:
        out.writelines("v %.17g %.17g %.17g\n" % tuple(p) for p in points.astype(float))
        out.writelines("f %d %d %d\n" % tuple(c + 1) for c in cells)


def findings(abut, path):
    """What `abut check` says about every crossing in a mesh or scene file."""
    done = subprocess.run([abut, "check", path, "--json"], capture_output=True, text=True, check=False)
    if done.returncode not in (0, 3):
        raise SystemExit(f"count_crossings: {abut} check stopped with code {done.returncode}: {done.stderr.strip()}")
    return [item["message"] for item in json.loads(done.stdout)["findings"] if item["kind"] == "crossing"]


def crossings(abut, path):
    """Vertex numbers (edge, face) of every crossing in one OBJ file."""
    found = []
    for message in findings(abut, path):
        v = [int(n) for n in PAIR.search(message).groups()]
        found.append((tuple(v[:2]), tuple(v[2:])))
    return found


def classify(abut, film, cells, every):
    """Per examined frame: crossings by mesh distance."""
    near, rows = neighbours(cells, film.shape[1]), []
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "frame.obj")
        for n in range(0, len(film), every):
            write_obj(path, film[n], cells)
            classes = collections.Counter(mesh_distance(near, e, f) for e, f in crossings(abut, path))
            rows.append({"frame": n, "by_distance": {str(k): classes[k] for k in sorted(classes)}})
    return rows


def depth(film, spheres, cells, radii):
    """Largest depth (m) of the film inside a sphere over all frames: radius minus distance of centre and triangle."""
    worst = 0.0
    for x, centres in zip(film.astype(float), spheres.astype(float)):
        for c, r in zip(centres, radii):
            faces = cells[np.linalg.norm(x[cells].mean(1) - c, axis=1) < r + 0.02]
            if len(faces):
                worst = max(worst, r - nearest(c, x[faces]).min())
    return worst


def nearest(p, tri):
    """Distance (m) of point p to each of the triangles (n, 3, 3)."""
    a, b, c = tri[:, 0], tri[:, 1], tri[:, 2]
    best = np.full(len(tri), np.inf)
    for u, v in ((a, b), (b, c), (c, a)):
        d = v - u
        s = np.clip(np.einsum("ij,ij->i", p - u, d) / np.einsum("ij,ij->i", d, d), 0.0, 1.0)
        best = np.minimum(best, np.linalg.norm(p - u - s[:, None] * d, axis=1))
    n = np.cross(b - a, c - a)
    n /= np.linalg.norm(n, axis=1)[:, None]
    inside = np.ones(len(tri), bool)
    for u, v in ((a, b), (b, c), (c, a)):
        inside &= np.einsum("ij,ij->i", np.cross(v - u, p - u), n) >= 0.0
    height = np.abs(np.einsum("ij,ij->i", p - a, n))
    return np.where(inside, np.minimum(best, height), best)


def winding(p, tri):
    """Winding number of the triangles (n, 3, 3) about point p."""
    a, b, c = (tri[:, i] - p for i in range(3))
    la, lb, lc = (np.linalg.norm(v, axis=1) for v in (a, b, c))
    top = np.einsum("ij,ij->i", a, np.cross(b, c))
    low = la * lb * lc + sum(np.einsum("ij,ij->i", u, v) * w for u, v, w in ((a, b, lc), (b, c, la), (c, a, lb)))
    return np.arctan2(top, low).sum() / (2.0 * np.pi)


def inside(x, centres, cells):
    """Number of sphere centres inside the film below the neck ring, closed by a fan of triangles at the neck."""
    ring = x[NECK]
    cap = np.stack([ring, np.broadcast_to(ring.mean(0), ring.shape), np.roll(ring, -1, axis=0)], axis=1)
    closed = np.concatenate([x[cells[cells.max(axis=1) < NECK.stop]], cap])
    return sum(abs(winding(c, closed)) > 0.5 for c in centres)


def summary(rows, film, spheres, times, cells):
    """Figures of the table; lengths in mm, times in s."""
    hit = [r for r in rows if r["by_distance"]]
    only_one = sum(set(r["by_distance"]) == {"1"} for r in hit)
    totals = collections.Counter()
    for r in hit:
        totals.update(r["by_distance"])
    x, last = film[-1].astype(float) * 1e3, times >= times[-1] - 1.0 - 1e-9
    return {
        "time_s": float(times[-1]), "frames": len(rows), "frames_with_crossings": len(hit),
        "frames_with_crossings_only_one_edge_apart": only_one,
        "frames_with_other_crossings": len(hit) - only_one,
        "crossings_by_mesh_distance": {k: totals[k] for k in sorted(totals, key=int)},
        "first_frame_with_crossing": hit[0]["frame"] if hit else None,
        "neck_width_mm": [float(np.ptp(x[NECK, 0])), float(np.ptp(x[NECK, 1]))],
        "flap_height_mm": float(np.median(x[RIM, 2]) - x[NECK, 2].mean()),
        "spheres_inside": int(inside(film[-1].astype(float), spheres[-1].astype(float), cells)),
        "sphere_height_range_last_second_mm": float(np.ptp(spheres[last, :, 2], axis=0).max() * 1e3),
    }


def main():
    """Command line."""
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("folder", help="folder written by run_bag.py")
    p.add_argument("--abut", default=shutil.which("abut"), help="abut program (default: the one in PATH)")
    p.add_argument("--every", type=int, default=1, help="examine every n-th frame")
    p.add_argument("--radii", help="sphere radii in m, comma separated: also report the film's depth in spheres")
    args = p.parse_args()
    if not args.abut:
        raise SystemExit("count_crossings: no abut in PATH, use --abut")
    film, spheres, times, cells = (np.load(os.path.join(args.folder, n + ".npy"))
                                   for n in ("film", "spheres", "times", "cells"))
    rows = classify(args.abut, film, cells, args.every)
    result = summary(rows, film, spheres, times, cells)
    if args.radii:
        radii = [float(r) for r in args.radii.split(",")]
        result["largest_film_depth_in_sphere_mm"] = 1e3 * depth(film, spheres, cells, radii)
    with open(os.path.join(args.folder, "crossings.json"), "w", encoding="utf-8") as out:
        json.dump({"summary": result, "frames": [r for r in rows if r["by_distance"]]}, out, indent=1)
    print(json.dumps(result, indent=1))


if __name__ == "__main__":
    main()
