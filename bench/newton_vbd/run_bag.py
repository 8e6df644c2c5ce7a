#!/usr/bin/env python3
"""Run the bag scene of abut with the VBD solver of NVIDIA Newton, as far as Newton can express it.

Reads an abut scene file, builds the closest Newton model and writes DIR/film.npy (frames, vertices, 3),
DIR/spheres.npy (frames, spheres, 3), DIR/times.npy, DIR/cells.npy and DIR/summary.json. Lengths are in
metres, times in seconds. README.md lists what is the same as in the scene and what differs.
"""
import argparse
import json
import math
import os
import time

os.environ.setdefault("OMP_NUM_THREADS", "1")
import numpy as np
import warp as wp
import newton

GRAVITY = 9.81                       # m/s2
COLUMNS = 32                         # vertices of one ring of the built-in bag
RINGS_MM = [(12.5, 0), (25, 0), (37.5, 0), (50, 0), (52, 16), (54, 34), (56, 52), (58, 70), (60, 88), (61, 106),
            (68, 114), (68.5, 121.48), (69, 128.97), (69.5, 136.45), (70, 143.93)]   # radius, height


# ---- scene ---------------------------------------------------------------------------------------

def smooth(u):
    """u^2 (3 - 2u) of a number clamped to [0, 1]."""
    u = min(max(u, 0.0), 1.0)
    return u * u * (3.0 - 2.0 * u)


def bag_mesh(folded):
    """The built-in shape `bag`: vertices (m) and triangles; folded: the flap mirrored in the neck's plane."""
    angle = 2.0 * np.pi * np.arange(COLUMNS) / COLUMNS
    vertices, faces = [np.zeros((1, 3))], [(0, 1 + j, 1 + (j + 1) % COLUMNS) for j in range(COLUMNS)]
    for k, (radius, height) in enumerate(RINGS_MM):
        z = 228.0 - height if folded and k > 10 else height
        vertices.append(np.stack([radius * np.cos(angle), radius * np.sin(angle), np.full(COLUMNS, z)], 1) / 1000.0)
    for k in range(len(RINGS_MM) - 1):
        for j in range(COLUMNS):
            a, b = 1 + COLUMNS * k + j, 1 + COLUMNS * k + (j + 1) % COLUMNS
            faces += [(a, a + COLUMNS, b + COLUMNS), (a, b + COLUMNS, b)]
    return np.vstack(vertices), np.array(faces)


def obj_mesh(path):
    """Vertices (file units) and triangles of an OBJ file."""
    vertices, faces = [], []
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            words = line.split()
            if words[:1] == ["v"]:
                vertices.append([float(w) for w in words[1:4]])
            elif words[:1] == ["f"]:
                faces.append([int(w.split("/")[0]) - 1 for w in words[1:4]])
    return np.array(vertices), np.array(faces)


def scene_mesh(mesh, folder):
    """Vertices and triangles of a scene's `mesh` entry: a path, or the built-in shapes `bag` and `tube`."""
    if isinstance(mesh, str):
        return obj_mesh(os.path.join(folder, mesh))
    if mesh.get("shape") == "bag":
        return bag_mesh(mesh.get("folded", False))
    if mesh.get("shape") == "tube" and mesh["cells"][1] == 1:
        return tube_mesh(mesh)
    raise SystemExit(f"run_bag: no reader for the mesh {mesh}")


def tube_mesh(mesh):
    """The built-in shape `tube` with one cell along its axis z: vertices (m) and triangles, two a panel."""
    count = mesh["cells"][0]
    angle = 2.0 * np.pi * np.arange(count) / count
    ring = np.stack([mesh["radius"] * np.cos(angle), mesh["radius"] * np.sin(angle), np.zeros(count)], 1)
    half = np.array([0.0, 0.0, mesh["height"] / 2])
    faces = []
    for j in range(count):
        k = (j + 1) % count
        faces += [(j, k, count + k), (j, count + k, count + j)]
    return np.concatenate([ring - half, ring + half]), np.array(faces)


def is_floor(item):
    """Whether an obstacle is a flat grid, which becomes a plane."""
    return not isinstance(item["mesh"], str) and item["mesh"].get("shape") == "grid"


def translation(item):
    """The translation (m) of a scene object; other transforms are refused."""
    transform = item.get("transform", {})
    if set(transform) - {"translate"}:
        raise SystemExit(f"run_bag: only translations are read, object {item['name']} has {sorted(transform)}")
    return np.array(transform.get("translate", [0.0, 0.0, 0.0]))


def selection(vertices, count):
    """Vertex numbers of a scene selection."""
    if vertices == "all":
        return np.arange(count)
    if "range" in vertices:
        return np.arange(vertices["range"][0], vertices["range"][1] + 1)
    return np.array(vertices["indices"])


class Scene:
    """The parts of an abut scene this script uses."""

    def __init__(self, path):
        folder = os.path.dirname(os.path.abspath(path))
        with open(path, encoding="utf-8") as stream:
            data = json.load(stream)
        objects = {item["kind"] + ":" + item["name"]: item for item in data["objects"]}
        film = next(o for k, o in objects.items() if k.startswith("shell:"))
        ball = next(o for k, o in objects.items() if k.startswith("spheres:"))
        self.start, self.faces = scene_mesh(film["mesh"], folder)
        self.start = self.start + translation(film)
        self.rest = scene_mesh(film["rest"]["mesh"], folder)[0]
        self.material = data["materials"][film["material"]]
        self.centers, self.radii = np.array(ball["centers"], float), np.array(ball["radii"], float)
        self.masses = ball["density"] * 4.0 / 3.0 * np.pi * self.radii ** 3
        self.walls = [self.wall(o, folder) for k, o in objects.items()
                      if k.startswith("obstacle:") and not is_floor(o)]
        self.floor = next(translation(o)[2] for k, o in objects.items()
                          if k.startswith("obstacle:") and is_floor(o))
        self.contact, self.end = data["contact"], data["time"]["end"]
        self.film, self.ball, self.controls = film["name"], ball["name"], data["controls"]

    @staticmethod
    def wall(item, folder):
        """Corners (panels, 4, 3) in m of a wall whose triangles come in pairs, each pair a flat panel."""
        vertices, faces = scene_mesh(item["mesh"], folder)
        quads = [list(dict.fromkeys([*faces[i], *faces[i + 1]])) for i in range(0, len(faces), 2)]
        return vertices[np.array(quads)] + translation(item)

    def of_kind(self, kind):
        """Controls of one kind, in file order."""
        return [c for c in self.controls if c["kind"] == kind]


def acts(control, t, eps):
    """Whether a control acts in a step that starts at t (s)."""
    until = control.get("until")
    return control.get("from", 0.0) <= t + eps and (until is None or t < until - eps)


# ---- moving targets --------------------------------------------------------------------------------

class Path:
    """Targets (m) of the vertices of one support, following the `motion` rules of the scene format."""

    def __init__(self, control, at):
        self.motion, self.begin, self.at = control["motion"], control.get("from", 0.0), at.copy()
        self.polar = self.motion.get("polar")
        self.keys = self.motion["keys"]
        self.own = self.to_polar(at) if self.polar else at
        self.absolute = "positions" in self.keys[0]
        if not self.absolute:
            self.shift0 = self.value(self.begin)

    def to_polar(self, x):
        """Radius (m), angle (degrees), height (m) about the vertical axis of the motion."""
        d = x - np.array(self.polar["center"])
        return np.stack([np.hypot(d[:, 0], d[:, 1]), np.degrees(np.arctan2(d[:, 1], d[:, 0])), d[:, 2]], 1)

    def to_space(self, p):
        """Inverse of to_polar."""
        a = np.radians(p[:, 1])
        return np.stack([p[:, 0] * np.cos(a), p[:, 0] * np.sin(a), p[:, 2]], 1) + np.array(self.polar["center"])

    def key_value(self, key):
        """Coordinates of one key, a null replaced by the vertex's own at activation."""
        if not self.absolute:
            return np.broadcast_to(np.array(key["translate"], float), self.at.shape)
        if key["positions"] == "current":
            return self.own
        rows = [[o if c is None else c for c, o in zip(row, own)] for row, own in zip(key["positions"], self.own)]
        return np.array(rows, float)

    def value(self, t):
        """Interpolated key coordinates at t (s)."""
        keys = self.keys
        if t <= keys[0]["t"]:
            return self.key_value(keys[0])
        for a, b in zip(keys, keys[1:]):
            if t <= b["t"]:
                u = (t - a["t"]) / (b["t"] - a["t"])
                u = smooth(u) if a.get("ease") == "smooth" else u
                va, vb = self.key_value(a), self.key_value(b)
                d = vb - va
                if self.polar:
                    d[:, 1] = (d[:, 1] + 180.0) % 360.0 - 180.0
                return va + u * d
        return self.key_value(keys[-1])

    def target(self, t):
        """Targets (vertices, 3) in m at t (s)."""
        if not self.absolute:
            return self.at + self.value(t) - self.shift0
        p = self.to_space(self.value(t)) if self.polar else self.value(t)
        blend = self.motion.get("blend", 0.0)
        s = smooth((t - self.begin) / blend) if blend > 0.0 else 1.0
        return self.at + s * (p - self.at)


# ---- model -----------------------------------------------------------------------------------------

def shape_config(args, scene):
    """Contact properties of every rigid shape."""
    config = newton.ModelBuilder.ShapeConfig()
    config.density, config.ke, config.kd = 0.0, args.ke, args.kd
    config.mu, config.mu_torsional, config.mu_rolling = scene.contact["friction"], 0.0, 0.0
    config.margin, config.gap = 0.0, args.gap
    return config


def add_film(builder, scene, args):
    """The film: membrane and hinges measured on the unfolded mesh, then moved to the start positions."""
    m = scene.material
    young, nu, h = m["youngs_modulus"], m["poissons_ratio"], m["thickness"]
    mu, lam = young * h / (2.0 * (1.0 + nu)), young * h * nu / (1.0 - nu * nu)         # N/m
    plate = young * h ** 3 / (12.0 * (1.0 - nu * nu))                                  # N m
    builder.add_cloth_mesh(pos=wp.vec3(0.0), rot=wp.quat_identity(), scale=1.0, vel=wp.vec3(0.0),
                           vertices=[wp.vec3(*p) for p in scene.rest], indices=scene.faces.ravel().tolist(),
                           density=m["density"] * h, tri_ke=mu, tri_ka=lam, tri_kd=0.0, tri_drag=0.0, tri_lift=0.0,
                           edge_ke=1.0, edge_kd=0.0, particle_radius=args.margin)
    x, scale = scene.rest, m.get("bending_scale", 1.0)
    for e, (i, j, k, l) in enumerate(builder.edge_indices):
        if i < 0 or j < 0:
            builder.edge_bending_properties[e] = (0.0, 0.0)
            continue
        length = np.linalg.norm(x[l] - x[k])
        area = sum(0.5 * np.linalg.norm(np.cross(x[k] - x[o], x[l] - x[o])) for o in (i, j))
        builder.edge_bending_properties[e] = (scale * 6.0 * plate * length / area, 0.0)   # N; times length: N m
    for i, p in enumerate(scene.start):
        builder.particle_q[i] = wp.vec3(*p)


def add_panel(builder, corners, thickness, config):
    """One flat panel of a wall as a box of the given thickness (m) centred on the panel."""
    u, v = corners[1] - corners[0], corners[2] - corners[1]
    axes = np.stack([u / np.linalg.norm(u), v / np.linalg.norm(v), np.zeros(3)], 1)
    axes[:, 2] = np.cross(axes[:, 0], axes[:, 1])
    frame = wp.transform(wp.vec3(*corners.mean(0)), wp.quat_from_matrix(wp.mat33(*axes.ravel())))
    builder.add_shape_box(-1, xform=frame, hx=np.linalg.norm(u) / 2, hy=np.linalg.norm(v) / 2, hz=thickness / 2,
                          cfg=config)


def add_anchors(builder, scene):
    """One anchor for each supported vertex, with a zero-length spring of stiffness 0; returns vertex -> slot."""
    count = len(scene.start)
    wanted = sorted({int(v) for c in scene.of_kind("support") for v in selection(c["vertices"], count)})
    for slot, v in enumerate(wanted):
        p = builder.particle_q[v]
        anchor = builder.add_particle(p, wp.vec3(0.0), 0.0, radius=0.0, flags=0)
        builder.add_spring(v, anchor, 0.0, 0.0, 0.0)
    return {v: slot for slot, v in enumerate(wanted)}


def build(scene, args):
    """Newton builder of the scene, the map from supported vertices to anchors and the tie springs' first number."""
    builder = newton.ModelBuilder(up_axis=newton.Axis.Z, gravity=(0.0, 0.0, -GRAVITY))
    builder.rigid_gap = args.gap
    config = shape_config(args, scene)
    add_film(builder, scene, args)
    anchors = add_anchors(builder, scene)
    for tie in scene.of_kind("tie"):
        for a, b in tie["pairs"]:
            builder.add_spring(a, b, 0.0, 0.0, 0.0)
    for p, r, mass in zip(scene.centers, scene.radii, scene.masses):
        inertia = np.eye(3) * 0.4 * mass * r * r
        body = builder.add_body(xform=wp.transform(wp.vec3(*p), wp.quat_identity()), mass=mass,
                                inertia=wp.mat33(*inertia.ravel()), lock_inertia=True)
        builder.add_shape_sphere(body, radius=r, cfg=config)
    for wall in scene.walls:
        for corners in wall:
            add_panel(builder, corners, args.wall, config)
    builder.add_shape_plane(plane=(0.0, 0.0, 1.0, -scene.floor), width=0.0, length=0.0, cfg=config)
    builder.color(include_bending=True)
    return builder, anchors


def make_solver(model, scene, args, anchor_ids):
    """The VBD solver with its own collision pipeline; anchors are filtered from every triangle."""
    friction = scene.contact["friction"]
    model.soft_contact_ke, model.soft_contact_kd, model.soft_contact_mu = args.ke, args.kd, friction
    pipeline = newton.CollisionPipeline(model, soft_contact_gap=args.gap,
                                        enable_rigid_soft_full_surface_contact=not args.vertices_only)
    everything = list(range(len(scene.faces)))
    return newton.solvers.SolverVBD(
        model, iterations=args.iterations, friction_epsilon=scene.contact["friction_velocity"],
        particle_enable_self_contact=True, particle_self_contact_margin=args.margin, particle_self_contact_gap=args.gap,
        particle_vertex_contact_buffer_size=128, particle_edge_contact_buffer_size=256,
        particle_topological_contact_filter_threshold=args.filter,
        particle_external_vertex_contact_filtering_map={a: everything for a in anchor_ids},
        rigid_soft_contact_use_log_barrier=True, rigid_soft_enable_dat=False, collision_pipeline=pipeline)


# ---- run -------------------------------------------------------------------------------------------

class Run:
    """State of a run: two Newton states, active supports and ties."""

    def __init__(self, scene, args):
        self.scene, self.args = scene, args
        self.film = len(scene.start)
        builder, self.slot = build(scene, args)
        self.model = builder.finalize()
        ids = [self.film + s for s in range(len(self.slot))]
        self.solver = make_solver(self.model, scene, args, ids)
        self.state, self.other = self.model.state(), self.model.state()
        self.control = self.model.control()
        self.mass = self.model.particle_mass.numpy()[:self.film]
        self.stiffness, self.length = self.model.spring_stiffness.numpy(), self.model.spring_rest_length.numpy()
        self.paths, self.ties = {}, {}
        self.graphs = None
        self.most = {"vertex_pairs": 0, "edge_pairs": 0, "soft_contacts": 0}

    def record(self, dt):
        """Record one step in each direction between the two states, to replay without Python's launch overhead."""
        self.graphs = []
        for a, b in ((self.state, self.other), (self.other, self.state)):
            with wp.ScopedCapture(device="cpu") as capture:
                self.solver.step(a, b, self.control, None, dt)
            self.graphs.append(capture.graph)

    def count(self):
        """Keep the largest fill of the contact buffers, to compare with their capacities."""
        info = self.solver.trimesh_collision_info
        found = {"vertex_pairs": info.vertex_colliding_triangles_count, "edge_pairs": info.edge_colliding_edges_count,
                 "soft_contacts": self.solver.contacts.soft_contact_count}
        self.most = {k: max(v, int(found[k].numpy().max())) for k, v in self.most.items()}

    def hold(self, t, dt):
        """Move the anchors of acting supports to their targets at the end of the step; switch the others off."""
        q, eps = self.state.particle_q.numpy(), 1e-9 * dt
        self.stiffness[:len(self.slot)] = 0.0
        for n, c in enumerate(self.scene.of_kind("support")):
            if not acts(c, t, eps):
                continue
            v = selection(c["vertices"], self.film)
            slots = np.array([self.slot[int(i)] for i in v])
            if n not in self.paths:
                self.paths[n] = Path(c, q[v].astype(float))
            if np.any(self.stiffness[slots]):
                raise SystemExit("run_bag: two supports act on one vertex at the same time")
            q[self.film + slots] = self.paths[n].target(t + dt)
            self.stiffness[slots] = c["stiffness"]

    def tie(self, t, dt):
        """Set stiffness (N/m) and length (m) of the tie springs for the step that starts at t."""
        q, first = self.state.particle_q.numpy(), len(self.slot)
        for n, c in enumerate(self.scene.of_kind("tie")):
            pairs = np.array(c["pairs"])
            here = slice(first, first + len(pairs))
            first += len(pairs)
            on = acts(c, t, 1e-9 * dt)
            self.stiffness[here] = c["stiffness"] if on else 0.0
            if on:
                if n not in self.ties:
                    self.ties[n] = np.linalg.norm(q[pairs[:, 0]] - q[pairs[:, 1]], axis=1)
                times, scales = np.array(c["length_scale"]).T
                self.length[here] = self.ties[n] * np.interp(t + dt, times, scales)

    def push(self, t, dt):
        """External forces (N): drag on the film, and lift that cancels the weight of spheres not yet dropped."""
        force, wrench = self.state.particle_f.numpy(), self.state.body_f.numpy()
        force[:], wrench[:] = 0.0, 0.0
        speed = self.state.particle_qd.numpy()[:self.film]
        for c in self.scene.of_kind("drag"):
            rate = c["rate"] / (1.0 + c["rate"] * dt)      # the same decay per step as a force of the end velocity
            force[:self.film] -= rate * self.mass[:, None] * speed
        for c in self.scene.of_kind("gravity"):
            if acts(c, t, 1e-9 * dt):
                i = np.array(c["indices"])
                wrench[i, 2] += (1.0 - c["scale"]) * GRAVITY * self.scene.masses[i]

    def step(self, t, dt):
        """One solver step of dt (s) that starts at t (s)."""
        self.hold(t, dt)
        self.tie(t, dt)
        self.push(t, dt)
        if self.graphs:
            wp.capture_launch(self.graphs[0])
            self.graphs.reverse()
        else:
            self.solver.step(self.state, self.other, self.control, None, dt)
        self.state, self.other = self.other, self.state

    def frame(self):
        """Film vertices and sphere centres (m) now."""
        return self.state.particle_q.numpy()[:self.film].copy(), self.state.body_q.numpy()[:, :3].copy()


def columns_up(scene, t0, t1, film):
    """Columns that point up at the time of a `require` control in (t0, t1], else None."""
    for c in scene.of_kind("require"):
        if t0 < c["at"] <= t1 + 1e-9:
            pairs = np.array(c["above"])
            return int((film[pairs[:, 0], 2] > film[pairs[:, 1], 2]).sum())
    return None


def save(folder, scene, frames, summary):
    """Write arrays and summary of what is done so far."""
    np.save(os.path.join(folder, "film.npy"), np.array([f for f, _ in frames], np.float32))
    np.save(os.path.join(folder, "spheres.npy"), np.array([s for _, s in frames], np.float32))
    np.save(os.path.join(folder, "times.npy"), np.arange(len(frames)) * summary["frame_step_s"])
    np.save(os.path.join(folder, "cells.npy"), scene.faces.astype(np.int32))
    with open(os.path.join(folder, "summary.json"), "w", encoding="utf-8") as out:
        json.dump(summary, out, indent=1)


def simulate(scene, args):
    """Run to args.until and save a frame each 1/240 s; what exists is saved about every 24 frames."""
    os.makedirs(args.output, exist_ok=True)
    run, dt = Run(scene, args), args.frame_step / args.substeps
    run.solver.step(run.model.state(), run.model.state(), run.control, None, dt)      # compile kernels, not timed
    run = Run(scene, args)
    frames, wall, cpu, up = [run.frame()], 0.0, 0.0, None
    total = round(min(args.until, scene.end) / args.frame_step)
    for n in range(total):
        begin, used = time.perf_counter(), time.process_time()
        for s in range(args.substeps):
            run.step(n * args.frame_step + s * dt, dt)
        wall, cpu = wall + time.perf_counter() - begin, cpu + time.process_time() - used
        if n == 0 and not args.no_graph:
            run.record(dt)
        run.count()
        frames.append(run.frame())
        found = columns_up(scene, n * args.frame_step, (n + 1) * args.frame_step, frames[-1][0])
        up = found if found is not None else up
        finite = bool(np.isfinite(frames[-1][0]).all())
        if (n + 1) % 24 == 0 or n + 1 == total or not finite:
            t = (n + 1) * args.frame_step
            options = {k: v for k, v in vars(args).items() if k not in ("scene", "output", "until")}
            save(args.output, scene, frames, {
                "newton": newton.__version__, "warp": wp.config.version, "options": options,
                "frame_step_s": args.frame_step,
                "time_s": t, "wall_s": wall, "wall_s_per_s": wall / t, "cpu_s_per_s": cpu / t,
                "most": run.most, "soft_contact_max": run.solver.contacts.soft_contact_max,
                "columns_up": up, "finite": finite, "panels": sum(len(w) for w in run.scene.walls)})
            print(f"t {t:.3f} s  wall {wall:.1f} s  {wall / t:.1f} s/s  processor {cpu / t:.1f} s/s", flush=True)
        if not finite:
            raise SystemExit("run_bag: positions are no longer finite")


def main():
    """Command line."""
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("scene", help="abut scene file of the bag")
    p.add_argument("-o", "--output", required=True, help="folder for the results")
    p.add_argument("--filter", type=int, default=2, help="particle_topological_contact_filter_threshold (Newton: 2)")
    p.add_argument("--until", type=float, default=math.inf, help="s")
    p.add_argument("--iterations", type=int, default=48, help="VBD iterations of a step")
    p.add_argument("--substeps", type=int, default=4, help="steps of a frame")
    p.add_argument("--frame-step", type=float, default=1.0 / 240.0, help="s")
    p.add_argument("--margin", type=float, default=1e-3, help="distance at which contact begins, m")
    p.add_argument("--gap", type=float, default=1e-3, help="further distance of contact detection, m")
    p.add_argument("--ke", type=float, default=1000.0, help="contact stiffness, N/m")
    p.add_argument("--kd", type=float, default=0.0, help="contact damping, N s/m")
    p.add_argument("--wall", type=float, default=1e-3, help="thickness of the panels of the bin, m")
    p.add_argument("--vertices-only", action="store_true", help="film meets rigid shapes with its vertices only")
    p.add_argument("--no-graph", action="store_true", help="launch every kernel from Python instead of a recording")
    args = p.parse_args()
    wp.init()
    with wp.ScopedDevice("cpu"):
        simulate(Scene(args.scene), args)


if __name__ == "__main__":
    main()
