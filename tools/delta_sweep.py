"""How many contacts a step holds as the distance grows at which they act.

    python tools/delta_sweep.py ABUT [-o PNG] [--ipc-until S] [--work FOLDER]

Runs scenes/barrier_free/crumple.json with `contact.dhat`, which is also delta of barrier_free, from
0.1 to 3 edge lengths, with barrier_free to the end and with ipc until a moment: with 3 edge lengths
that takes seconds a step. Prints the largest set of each run and draws them. ABUT is the program.
Needs matplotlib.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

try:
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
except ImportError as error:
    sys.exit(f"delta_sweep: {error}")

SCENE = Path(__file__).parent.parent / "scenes" / "barrier_free" / "crumple.json"
EDGE = 1 / 30  # m
EDGES = [0.1, 0.2, 0.3, 0.5, 1, 2, 3]


def steps(abut, folder, edges, *options):
    """the records of a run"""
    subprocess.run([abut, "run", SCENE, "-o", folder, "--quiet", "--threads", "1",
                    "--set", f"contact.dhat={edges * EDGE:.6g}", *options], check=True)
    lines = (Path(folder) / "steps.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def sweep(abut, work, until):
    """rows of edges, largest sets of barrier_free and of ipc until then, Newton iterations, s"""
    rows = []
    print("edges  constraints  until then  ipc until then  Newton   wall s  ipc wall s per step")
    for edges in EDGES:
        free = steps(abut, work, edges)
        ipc = steps(abut, work, edges, "--method", "ipc", "--until", str(until))
        largest = max(s["constraints"] for s in free)
        early = max(s["constraints"] for s in free[:len(ipc)])
        contacts = max(s["contacts"] for s in ipc)
        wall = sum(s["wall"]["total"] for s in free)
        slow = sum(s["wall"]["total"] for s in ipc) / len(ipc)
        newton = sum(s["newton"] for s in free)
        rows.append((edges, largest, early, contacts))
        print(f"{edges:5g} {largest:12d} {early:11d} {contacts:15d} {newton:7d} {wall:8.1f} {slow:8.3f}",
              flush=True)
    for column, name in ((1, "barrier_free"), (2, "barrier_free until then"), (3, "ipc until then")):
        values = [row[column] for row in rows]
        print(f"{name}: largest over smallest {max(values) / min(values):.2f}")
    return rows


def draw(rows, until, path):
    """both against delta"""
    edges = [row[0] for row in rows]
    figure, axes = plt.subplots(figsize=(5, 3.2), dpi=110)
    axes.loglog(edges, [row[3] for row in rows], "s-", color="#b5532a",
                label=f"ipc: pairs closer than dhat, until {until:g} s")
    axes.loglog(edges, [row[1] for row in rows], "o-", color="#2a6fb5",
                label="barrier_free: constraints, whole run")
    axes.set_xlabel("dhat and delta, edge lengths")
    axes.set_ylabel("most in a step")
    axes.set_ylim(300, None)
    axes.grid(True, which="major", color="#dddddd")
    axes.legend(frameon=False, fontsize=8)
    figure.tight_layout()
    figure.savefig(path)


def main():
    """command line"""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("abut", help="the program")
    parser.add_argument("-o", default="docs/delta.png", help="the PNG")
    parser.add_argument("--ipc-until", type=float, default=0.2, help="s")
    parser.add_argument("--work", help="folder for the runs (default: a temporary one)")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        rows = sweep(args.abut, args.work or folder, args.ipc_until)
    draw(rows, args.ipc_until, args.o)


if __name__ == "__main__":
    main()
