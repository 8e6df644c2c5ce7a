"""Dense contact with barrier_free and with ipc.

    python bench/dense/compare.py ABUT [-o FOLDER] [--only NAME ...]

Runs five scenes with the Cholesky solver on one thread: barrier_free with `toi`, ipc with `toi` and
with `residual`, epsilon 1e-3, k_min 1. Prints Newton iterations (all of them, those of steps that
were made again in halves too), factorisations, the contacts of the fullest step, processor seconds,
crossings by `abut verify`, and the error: the mean over frames of the root mean square distance to
the same method with a tenth of the step, for as long as that takes little. ABUT is the program.
"""

import argparse
import array
import json
import resource
import subprocess
import tempfile
from pathlib import Path

SCENES = Path(__file__).parent.parent.parent / "scenes"
# name, scene, options of barrier_free, until, error until (s)
CASES = [
    ("balls_in_a_box", "barrier_free/balls_in_a_box.json", [], 1.0, 0.4),
    ("cloth_stack", "barrier_free/cloth_stack.json", [], 1.0, 0.2),
    ("crumple", "barrier_free/crumple.json", [], 0.9, 0.3),
    ("demo", "demo.json", [], 1.0, 0.3),
    ("bag", "bag.json", ["method.delta=1e-4"], 2.0, 0.0),
]
TOI = ["stop=toi", "epsilon=1e-3", "k_min=1"]
METHODS = [("barrier_free toi", "barrier_free", TOI), ("ipc toi", "ipc", TOI),
           ("ipc residual", "ipc", ["stop=residual"])]


def run(abut, scene, folder, method, options, until, fraction=1):
    """processor seconds and steps of a run"""
    settings = [f"method.{o}" for o in options] + ["linear_solver=cholesky"]
    step = json_step(scene) * fraction
    settings += [f"time.step={step:.17g}"]
    words = [w for s in settings for w in ("--set", s)]
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    done = subprocess.run([abut, "run", scene, "-o", folder, "--quiet", "--threads", "1",
                           "--method", method, "--until", f"{until:g}", *words],
                          capture_output=True, text=True)
    seconds = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    lines = (folder / "steps.jsonl").read_text(encoding="utf-8").splitlines()
    return done, seconds, [json.loads(line) for line in lines]


def json_step(scene):
    text = "\n".join(line.split("//")[0] for line in scene.read_text(encoding="utf-8").splitlines())
    return json.loads(text)["time"]["step"]


def positions(abut, folder, every):
    """frames 0, every, 2 every, ... of all moving objects, as lists of coordinates"""
    subprocess.run([abut, "export", folder, "--format", "npy", "--frames", f"::{every}"], check=True,
                   capture_output=True)
    frames = None
    for path in sorted((folder / "export" / "npy").glob("*_positions.npy")):
        raw = path.read_bytes()
        head = 10 + int.from_bytes(raw[8:10], "little")
        shape = eval(raw[10:head].split(b"'shape': ")[1].split(b")")[0] + b")")
        values = array.array("d", raw[head:])
        size = shape[1] * shape[2]
        parts = [values[k * size:(k + 1) * size] for k in range(shape[0])]
        frames = parts if frames is None else [a + b for a, b in zip(frames, parts)]
    return frames


def error(a, b):
    """m, mean over frames of the root mean square distance of vertices"""
    rms = [(sum((p - q) ** 2 for p, q in zip(x, y)) / (len(x) / 3)) ** 0.5 for x, y in zip(a, b)]
    return sum(rms[1:]) / max(1, len(rms) - 1)


def measure(abut, work, case, method):
    name, scene, options, until, known = case
    label, key, settings = method
    scene, folder = SCENES / scene, work / name / label.replace(" ", "_")
    own = [o.removeprefix("method.") for o in options if o.startswith("method.")]
    done, seconds, steps = run(abut, scene, folder, key,
                               settings + (own if key == "barrier_free" else []), until)
    verify = subprocess.run([abut, "verify", folder], capture_output=True, text=True)
    off = "-"
    if known > 0:
        fine = folder.with_name(folder.name + "_fine")
        run(abut, scene, fine, key, settings + (own if key == "barrier_free" else []), known, 0.1)
        off = f"{1e3 * error(positions(abut, folder, 1), positions(abut, fine, 10)):.3g}"
    total = {k: sum(s[k] for s in steps) for k in ("newton", "factorizations", "linear_iterations")}
    most = max(max(s["contacts"], s["constraints"]) for s in steps)
    state = "" if done.returncode == 0 else f" (ended at {steps[-1]['time']:.3g} s)"
    print(f"| {name} | {label} | {total['newton']} | {total['factorizations']} | {most} "
          f"| {seconds:.1f} | {verify.stdout.strip().split(', ')[1].split(' ')[0]} | {off} |{state}",
          flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("abut")
    parser.add_argument("-o", default=None)
    parser.add_argument("--only", nargs="*")
    args = parser.parse_args()
    work = Path(args.o or tempfile.mkdtemp())
    print("| scene | method | Newton | factorisations | contacts | processor s | crossings "
          "| error, mm |\n| --- | --- | --- | --- | --- | --- | --- | --- |")
    for case in CASES:
        if args.only and case[0] not in args.only:
            continue
        for method in METHODS:
            measure(args.abut, work, case, method)


if __name__ == "__main__":
    main()
