#!/usr/bin/env python3
"""Compare runs of one scene: cost, iterations, crossings in every frame, error against a ten times smaller step.

A run is a folder of run_mujoco.py or of run_abut.py. Crossings: every frame becomes a scene of OBJ meshes with the
spheres and planes of the scene file, and `abut check`, abut's exact checker, examines it. Error: root mean square
over all vertices of the distance to the run with the smaller step, at frames both have; once as it is, once after
the mean displacement between the two is taken out. Prints a Markdown table; --json keeps the figures of every frame.
"""
import argparse
import json
import os
import shutil
import sys
import tempfile

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "newton_vbd"))
from count_crossings import findings, write_obj

LINES = [("simulated, s", "time_s"), ("steps", "steps"), ("wall s per simulated s", "wall_s_per_s"),
         ("processor s per simulated s", "cpu_s_per_s"), ("times faster than the first (processor)", "times_faster"),
         ("iterations", "iterations"), ("... of", "iterations_of"), ("frames examined", "frames"),
         ("... with crossings", "frames_with_crossings"), ("crossings", "crossings"),
         ("error compared until, s", "error_until_s"), ("error, rms over frames, m", "error_rms_m"),
         ("... at the end, m", "error_last_m"), ("... at the end, of the sheet's side", "error_last_of_sheet"),
         ("without mean displacement, rms over frames, m", "shape_error_rms_m"),
         ("... at the end, m", "shape_error_last_m")]


class Run:
    """Frames (m), times (s), cells and cost of one run folder."""

    def __init__(self, folder, names):
        with open(os.path.join(folder, "summary.json"), encoding="utf-8") as stream:
            s = json.load(stream)
        self.mujoco = "mujoco" in s
        arrays = folder if self.mujoco else os.path.join(folder, "export", "npy")
        suffix = "" if self.mujoco else "_positions"
        self.times = np.load(os.path.join(arrays, "times.npy"))
        self.sheets = [np.load(os.path.join(arrays, name + suffix + ".npy")).astype(float) for name in names]
        self.x = np.concatenate(self.sheets, axis=1)
        if self.mujoco:
            cells = np.load(os.path.join(arrays, "cells.npy"))
            first = np.cumsum([0] + [p.shape[1] for p in self.sheets])
            self.cells = [cells[(cells[:, 0] >= a) & (cells[:, 0] < b)] - a for a, b in zip(first, first[1:])]
            self.iterations, cost = s["solver_iterations"], s
        else:
            self.cells = [np.load(os.path.join(arrays, name + "_cells.npy")) for name in names]
            with open(os.path.join(folder, "cost.json"), encoding="utf-8") as stream:
                self.iterations, cost = s["newton"], json.load(stream)
        self.wall, self.cpu, self.steps = cost["wall_s"], cost["cpu_s"], s["steps"]
        self.what = f"{s['options']['solver']} iterations" if self.mujoco else "Newton iterations"


def frame_scene(scene, run, n, folder):
    """Path of a scene file with frame n of all shells as OBJ meshes and the scene's spheres and planes."""
    shells = iter(zip(run.sheets, run.cells))
    objects = []
    for o in scene["objects"]:
        if o["kind"] == "shell":
            x, cells = next(shells)
            write_obj(os.path.join(folder, o["name"] + ".obj"), x[n], cells)
            o = {"name": o["name"], "kind": "shell", "mesh": o["name"] + ".obj", "material": o["material"]}
        objects.append(o)
    path = os.path.join(folder, "frame.json")
    with open(path, "w", encoding="utf-8") as out:
        json.dump({"abut": 1, "contact": scene["contact"], "materials": scene["materials"], "objects": objects}, out)
    return path


def crossings(abut, scene, run, every):
    """Number of crossings of every examined frame."""
    with tempfile.TemporaryDirectory() as folder:
        return [(n, len(findings(abut, frame_scene(scene, run, n, folder)))) for n in range(0, len(run.x), every)]


def errors(run, fine):
    """(time, error, error without the mean displacement) in m at every frame that both runs have."""
    rows = []
    for i, t in enumerate(run.times):
        j = int(np.argmin(abs(fine.times - t)))
        if abs(fine.times[j] - t) < 1e-6:
            d = run.x[i] - fine.x[j]
            rms = [float(np.sqrt((e * e).sum(1).mean())) for e in (d, d - d.mean(0))]
            rows.append((float(t), *rms))
    return rows


def judge(label, run, fine, found):
    """Figures of one run for the table."""
    end, size = run.times[-1], float(np.ptp(run.sheets[0][0], axis=0).max())
    hit = [n for n, count in found if count]
    result = {"run": label, "time_s": float(end), "steps": run.steps, "wall_s_per_s": run.wall / end,
              "cpu_s_per_s": run.cpu / end, "iterations": run.iterations, "iterations_of": run.what,
              "frames": len(found), "frames_with_crossings": len(hit), "crossings": sum(c for _, c in found),
              "first_crossing_frame": hit[0] if hit else None}
    if fine:
        rows = errors(run, fine)
        every = np.array(rows)[:, 1:]
        result.update({"error_until_s": rows[-1][0], "error_rms_m": float(np.sqrt((every[:, 0] ** 2).mean())),
                       "error_last_m": rows[-1][1], "shape_error_last_m": rows[-1][2],
                       "shape_error_rms_m": float(np.sqrt((every[:, 1] ** 2).mean())), "sheet_size_m": size,
                       "fine_cpu_s_per_s": fine.cpu / float(fine.times[-1]), "error_frames": rows})
    return result


def table(results):
    """Markdown table, one column per run."""
    for r in results:
        r["times_faster"] = results[0]["cpu_s_per_s"] / r["cpu_s_per_s"]
        if "error_last_m" in r:
            r["error_last_of_sheet"] = r["error_last_m"] / r["sheet_size_m"]
    out = ["| | " + " | ".join(r["run"] for r in results) + " |", "| --- " * (len(results) + 1) + "|"]
    for text, key in LINES:
        out.append("| " + " | ".join([text] + [show(r.get(key)) for r in results]) + " |")
    return "\n".join(out)


def show(value):
    """A figure as the table writes it."""
    if value is None:
        return ""
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def main():
    """Command line."""
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("scene", help="abut scene file of all runs")
    p.add_argument("--run", nargs="+", action="append", required=True, metavar="WORD",
                   help="LABEL FOLDER [FOLDER of the run with the smaller step]; once per run")
    p.add_argument("--abut", default=shutil.which("abut"), help="abut program (default: the one in PATH)")
    p.add_argument("--every", type=int, default=1, help="examine every n-th frame for crossings; 0: none")
    p.add_argument("--json", help="file for all figures, those of every frame included")
    args = p.parse_args()
    if not args.abut:
        raise SystemExit("compare: no abut in PATH, use --abut")
    if any(len(words) not in (2, 3) for words in args.run):
        raise SystemExit("compare: --run takes a label, a folder and perhaps the folder of a smaller step")
    with open(args.scene, encoding="utf-8") as stream:
        scene = json.load(stream)
    names, results = [o["name"] for o in scene["objects"] if o["kind"] == "shell"], []
    for label, *folders in args.run:
        run, fine = Run(folders[0], names), Run(folders[1], names) if len(folders) == 2 else None
        found = crossings(args.abut, scene, run, args.every) if args.every else []
        results.append(judge(label, run, fine, found))
    print(table(results))
    if args.json:
        with open(args.json, "w", encoding="utf-8") as out:
            json.dump(results, out, indent=1)


if __name__ == "__main__":
    main()
