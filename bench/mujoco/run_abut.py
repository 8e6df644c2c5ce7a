#!/usr/bin/env python3
"""Run a scene with abut on one thread, measure its processor time and export its frames for compare.py.

Writes the run folder DIR, DIR/export/npy and DIR/cost.json: wall and processor seconds of the whole program, reading
the scene and writing the frames included, and the wall seconds of the phases of all steps.
"""
import argparse
import json
import os
import resource
import shutil
import subprocess
import time


# barrier_free as the README measures it: no waiting for forces to settle, no pairs before they are hit, a step ends
# when at most a twentieth of it is missing
QUICK = ["settle=false", "seed=false", "k_min=1", "epsilon=0.05", "finish_iterations=0"]


def phases(folder):
    """Wall seconds of every phase, summed over the steps."""
    total = {}
    with open(os.path.join(folder, "steps.jsonl"), encoding="utf-8") as stream:
        for line in stream:
            for phase, seconds in json.loads(line)["wall"].items():
                total[phase] = total.get(phase, 0.0) + seconds
    return total


def settings(args):
    """Options of `abut run` for a step other than the scene's; frames stay at the scene's step."""
    if not args.step:
        return []
    with open(args.scene, encoding="utf-8") as stream:
        frame = json.load(stream)["time"]["step"]
    return ["--set", f"time.step={args.step:.17g}", "--set", f"time.frame_rate={1.0 / frame:.17g}"]


def main():
    """Command line."""
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("scene", help="abut scene file")
    p.add_argument("-o", "--output", required=True, help="run folder")
    p.add_argument("--abut", default=shutil.which("abut"), help="abut program (default: the one in PATH)")
    p.add_argument("--method", default="ipc")
    p.add_argument("--quick", action="store_true", help="barrier_free with " + ", ".join(QUICK))
    p.add_argument("--step", type=float, help="s (default: the scene's)")
    p.add_argument("--until", type=float, help="s")
    p.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="passed on to abut run")
    args = p.parse_args()
    if not args.abut:
        raise SystemExit("run_abut: no abut in PATH, use --abut")
    method = "barrier_free" if args.quick else args.method
    command = [args.abut, "run", args.scene, "-o", args.output, "--method", method, "--threads", "1", "--quiet"]
    command += [word for item in QUICK if args.quick for word in ("--set", "method." + item)]
    command += settings(args) + [word for item in args.set for word in ("--set", item)]
    command += ["--until", f"{args.until:.17g}"] if args.until else []
    calm = dict(os.environ, OMP_WAIT_POLICY="passive", OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")
    begin = time.perf_counter()
    subprocess.run(command, env=calm, check=True)
    wall, used = time.perf_counter() - begin, resource.getrusage(resource.RUSAGE_CHILDREN)
    cost = {"wall_s": wall, "cpu_s": used.ru_utime + used.ru_stime, "phases_wall_s": phases(args.output)}
    with open(os.path.join(args.output, "cost.json"), "w", encoding="utf-8") as out:
        json.dump(cost, out, indent=1)
    subprocess.run([args.abut, "export", args.output, "--format", "npy"], check=True)
    print(json.dumps(cost))


if __name__ == "__main__":
    main()
