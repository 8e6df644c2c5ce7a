#!/usr/bin/env python3
"""Run an abut scene of cloth with MuJoCo's penetration-free contact (`ipc` flag), as far as MuJoCo can express it.

Reads an abut scene file and writes OUT/NAME.npy (frames, vertices, 3) for every shell, OUT/times.npy,
OUT/cells.npy (all shells one after another, as their vertices) and OUT/summary.json. Lengths are in metres, times
in seconds. README.md lists what is the same as in the scene and what differs.
"""
import argparse
import collections
import json
import math
import os
import time

for threads in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(threads, "1")
import mujoco
import numpy as np

KINDS = {"shell", "spheres", "plane"}


# ---- scene ---------------------------------------------------------------------------------------

def fail(text):
    """Stop with a sentence."""
    raise SystemExit(f"run_mujoco: {text}")


def grid_mesh(mesh):
    """abut's shape `grid`: vertices (m) row by row along x, and triangles whose diagonals alternate."""
    if mesh.get("shape") != "grid" or mesh.get("pattern", "alternate") != "alternate":
        fail(f"no reader for the mesh {mesh}")
    (a, b), (m, n) = mesh["size"], mesh["cells"]
    y, x = np.meshgrid(np.arange(n + 1) / n - 0.5, np.arange(m + 1) / m - 0.5, indexing="ij")
    vertices = np.stack([a * x.ravel(), b * y.ravel(), np.zeros(x.size)], 1)
    faces = []
    for j in range(n):
        for i in range(m):
            p = j * (m + 1) + i
            q, r, s = p + 1, p + m + 2, p + m + 1
            faces += [(p, q, r), (p, r, s)] if (i + j) % 2 == 0 else [(p, q, s), (q, r, s)]
    return vertices, np.array(faces, np.int32)


def selection(wanted, x):
    """Vertex numbers of a scene selection over the start positions x."""
    if wanted == "all":
        return np.arange(len(x))
    if "box" in wanted:
        low, high = np.array(wanted["box"])
        return np.flatnonzero(((x >= low) & (x <= high)).all(1))
    if "range" in wanted:
        return np.arange(wanted["range"][0], wanted["range"][1] + 1)
    if "indices" in wanted:
        return np.array(wanted["indices"])
    return fail(f"no reader for the selection {wanted}")


def lumped_masses(x, faces, density):
    """Masses (kg): density (kg/m2) times area, a third of each triangle to each of its vertices."""
    area = 0.5 * np.linalg.norm(np.cross(x[faces[:, 1]] - x[faces[:, 0]], x[faces[:, 2]] - x[faces[:, 0]]), axis=1)
    return np.bincount(faces.ravel(), np.repeat(density * area / 3.0, 3), len(x))


class Sheet:
    """One shell of the scene: mesh at its start, material, masses, pinned vertices."""

    def __init__(self, item, materials):
        if set(item) - {"name", "kind", "mesh", "material", "transform"}:
            fail(f"object {item['name']} has keys that are not read")
        if set(item.get("transform", {})) - {"translate"}:
            fail(f"only translations are read, object {item['name']} has another transform")
        self.name, self.mesh, self.material = item["name"], item["mesh"], materials[item["material"]]
        self.move = np.array(item.get("transform", {}).get("translate", [0.0, 0.0, 0.0]))
        self.start, self.faces = grid_mesh(item["mesh"])
        self.start = self.start + self.move
        self.mass = lumped_masses(self.start, self.faces, self.material["density"] * self.material["thickness"])
        self.pinned = np.zeros(0, int)


class Scene:
    """The parts of an abut scene this script uses; anything else is refused."""

    def __init__(self, path):
        with open(path, encoding="utf-8") as stream:
            data = json.load(stream)
        unknown = {o["kind"] for o in data["objects"]} - KINDS
        if unknown or data.get("contact", {}).get("friction", 0.0):
            fail(f"cannot be expressed: {sorted(unknown) or 'friction'}")
        self.name, self.gravity = data.get("name", ""), data.get("gravity", [0.0, 0.0, -9.81])
        self.step, self.end = data["time"]["step"], data["time"]["end"]
        objects = {kind: [o for o in data["objects"] if o["kind"] == kind] for kind in KINDS}
        self.sheets = [Sheet(o, data["materials"]) for o in objects["shell"]]
        self.spheres, self.planes = objects["spheres"], objects["plane"]
        fixed = self.pins(data.get("controls", []))
        if {o["name"] for o in self.spheres} - fixed:
            fail("only spheres that are pinned are read")

    def pins(self, controls):
        """Give every sheet its pinned vertices; names of the objects pinned as a whole."""
        fixed, sheets = set(), {s.name: s for s in self.sheets}
        for c in controls:
            if c["kind"] != "pin" or set(c) - {"kind", "object", "vertices"}:
                fail(f"cannot be expressed: the control {c}")
            wanted = c.get("vertices", "all")
            if c["object"] in sheets:
                sheets[c["object"]].pinned = np.union1d(sheets[c["object"]].pinned,
                                                        selection(wanted, sheets[c["object"]].start)).astype(int)
            elif wanted == "all":
                fixed.add(c["object"])
        return fixed


# ---- model ---------------------------------------------------------------------------------------

def words(values):
    """Numbers as MJCF writes them."""
    return " ".join(f"{v:.17g}" for v in np.ravel(values))


def elasticity(material, own_bending):
    """MJCF of the shell's elasticity.

    MuJoCo's hinge is that of abut with `bending_scale` 1/6. A thickness k times as large and a modulus k times
    smaller leave the membrane as it is and make bending k^2 times as stiff: k^2 = 6 bending_scale.
    """
    k = 1.0 if own_bending else math.sqrt(6.0 * material.get("bending_scale", 1.0))
    both = "both" if k > 0.0 else "stretch"
    k = k or 1.0
    return (f'<elasticity young="{material["youngs_modulus"] / k:.17g}" poisson="{material["poissons_ratio"]:.17g}" '
            f'thickness="{material["thickness"] * k:.17g}" damping="{material.get("damping", 0.0):.17g}" '
            f'elastic2d="{both}"/>')


def flexcomp(sheet, args):
    """MJCF of one sheet: the scene's own triangles, or MuJoCo's grid of the same size."""
    (a, b), (m, n) = sheet.mesh["size"], sheet.mesh["cells"]
    if args.own_grid:
        what = (f'type="grid" count="{m + 1} {n + 1} 1" spacing="{words([a / m, b / n, 1.0])}" '
                f'pos="{words(sheet.move)}"')
        row, column = np.divmod(sheet.pinned, m + 1)
        pinned = column * (n + 1) + row                       # MuJoCo numbers the grid along y first
    else:
        what = f'type="direct" point="{words(sheet.start)}" element="{words(sheet.faces)}"'
        pinned = sheet.pinned
    radius = sheet.material["thickness"] if args.radius is None else args.radius
    pin = f'<pin id="{words(pinned)}"/>' if len(pinned) else ""
    return (f'<flexcomp name="{sheet.name}" dim="2" {what} mass="{sheet.mass.sum():.17g}" radius="{radius:.17g}">'
            f'{elasticity(sheet.material, args.own_grid)}{pin}</flexcomp>')


def mjcf(scene, args):
    """The whole model as MJCF."""
    geoms = [f'<geom type="sphere" pos="{words(c)}" size="{r:.17g}"/>'
             for o in scene.spheres for c, r in zip(o["centers"], o["radii"])]
    geoms += [f'<geom type="plane" pos="{words(o["point"])}" zaxis="{words(o["normal"])}" size="10 10 1"/>'
              for o in scene.planes]
    return (f'<mujoco><option integrator="discrete" solver="{args.solver}" tolerance="{args.tolerance:.17g}" '
            f'iterations="{args.iterations}" timestep="{args.step:.17g}" gravity="{words(scene.gravity)}">'
            f'<flag ipc="enable"/></option><size memory="{args.memory}"/><worldbody>{"".join(geoms)}'
            f'{"".join(flexcomp(s, args) for s in scene.sheets)}</worldbody></mujoco>')


class Model:
    """Compiled model, its state, and where each sheet's vertices are in it."""

    def __init__(self, scene, args):
        self.model = mujoco.MjModel.from_xml_string(mjcf(scene, args))
        self.data = mujoco.MjData(self.model)
        m, self.parts, self.cells = self.model, [], []
        for i, sheet in enumerate(scene.sheets):
            first, count = m.flex_vertadr[i], m.flex_vertnum[i]
            body = m.flex_vertbodyid[first:first + count]
            if not args.own_grid:
                free = body > 0
                scale = sheet.mass[free] / m.body_mass[body[free]]
                m.body_mass[body[free]] *= scale
                m.body_inertia[body[free]] *= scale[:, None]
            elements = m.flex_elem[m.flex_elemdataadr[i]:m.flex_elemdataadr[i] + 3 * m.flex_elemnum[i]]
            self.parts.append((sheet.name, slice(first, first + count)))
            self.cells.append(elements.reshape(-1, 3) + first)
        mujoco.mj_setConst(m, self.data)
        mujoco.mj_resetData(m, self.data)
        mujoco.mj_forward(m, self.data)
        self.start = self.data.flexvert_xpos.copy()
        self.free = np.flatnonzero(m.flex_vertbodyid > 0)
        joints = m.body_jntadr[m.flex_vertbodyid[self.free]][:, None] + np.arange(3)
        self.address = m.jnt_qposadr[joints]                 # three slides along x, y, z

    def frame(self):
        """Vertices (m) of all sheets now."""
        x = self.start.copy()
        x[self.free] += self.data.qpos[self.address]
        return x


# ---- run -------------------------------------------------------------------------------------------

def save(folder, model, frames, step, summary):
    """Write arrays and summary of what is done so far."""
    x = np.array(frames)
    for name, part in model.parts:
        np.save(os.path.join(folder, name + ".npy"), x[:, part])
    np.save(os.path.join(folder, "times.npy"), np.arange(len(frames)) * step)
    np.save(os.path.join(folder, "cells.npy"), np.concatenate(model.cells).astype(np.int32))
    with open(os.path.join(folder, "summary.json"), "w", encoding="utf-8") as out:
        json.dump(summary, out, indent=1)


def simulate(scene, args):
    """Run to args.until and save a frame each step of the scene."""
    os.makedirs(args.output, exist_ok=True)
    warnings = collections.Counter()
    mujoco.set_mju_user_warning(lambda text: warnings.update([text.split(". Time =")[0]]))
    model, substeps = Model(scene, args), round(scene.step / args.step)
    if substeps < 1 or abs(substeps * args.step - scene.step) > 1e-9 * scene.step:
        fail("the scene's step must be a multiple of --step")
    frames, wall, cpu, iterations = [model.frame()], 0.0, 0.0, 0
    total = round(min(args.until, scene.end) / scene.step)
    for n in range(total):
        begin, used = time.perf_counter(), time.process_time()
        for _ in range(substeps):
            mujoco.mj_step(model.model, model.data)
            iterations += int(model.data.solver_niter.sum())
        wall, cpu = wall + time.perf_counter() - begin, cpu + time.process_time() - used
        frames.append(model.frame())
        finite = bool(np.isfinite(frames[-1]).all())
        if (n + 1) % 10 == 0 or n + 1 == total or not finite:
            t = (n + 1) * scene.step
            options = {k: v for k, v in vars(args).items() if k not in ("scene", "output", "until")}
            save(args.output, model, frames, scene.step, {
                "mujoco": mujoco.__version__, "scene": scene.name, "options": options, "time_s": t,
                "steps": (n + 1) * substeps, "wall_s": wall, "cpu_s": cpu, "wall_s_per_s": wall / t,
                "cpu_s_per_s": cpu / t, "solver_iterations": iterations, "warnings": warnings, "finite": finite})
            print(f"t {t:.3f} s  wall {wall / t:.1f} s/s  processor {cpu / t:.1f} s/s  {iterations} iterations",
                  flush=True)
        if not finite:
            fail("positions are no longer finite")


def main():
    """Command line."""
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("scene", help="abut scene file")
    p.add_argument("-o", "--output", required=True, help="folder for the results")
    p.add_argument("--step", type=float, help="s (default: the scene's)")
    p.add_argument("--until", type=float, default=math.inf, help="s")
    p.add_argument("--solver", choices=("CG", "Newton"), default="CG")
    p.add_argument("--iterations", type=int, default=100, help="of one solve, at most")
    p.add_argument("--tolerance", type=float, default=1e-6, help="of one solve")
    p.add_argument("--radius", type=float, help="of the sheets for contact, m (default: their thickness)")
    p.add_argument("--memory", default="4G", help="of MuJoCo's arena (its own guess can be too small for contact)")
    p.add_argument("--own-grid", action="store_true",
                   help="MuJoCo's own triangles, equal masses and hinges in place of the scene's")
    args = p.parse_args()
    scene = Scene(args.scene)
    args.step = args.step or scene.step
    simulate(scene, args)


if __name__ == "__main__":
    main()
