"""Writes a scene in which a soft bar is drawn through a funnel narrower than it.

    python3 tools/funnel_scene.py MESHES [-o FILE]

MESHES holds bar-2523.msh and funnel.obj (from the repository ipc-sim/IPC); FILE, funnel.json by
default, refers to them by their absolute paths. The bar, 0.5 m long, 25 x 50 mm, hangs in the mouth
of the funnel, a pipe of 40 mm in diameter. The middle of its lower end is pulled down at SPEED until
all of it has come out below. Needs the standard library only.
"""

import argparse
import json
from pathlib import Path

SPEED = 1  # m/s
END = 1.7  # s


def scene(meshes):
    """the whole of it"""
    jelly = {"model": "neo_hookean", "youngs_modulus": 1e5, "poissons_ratio": 0.4, "density": 1000}
    bar = {"name": "bar", "kind": "solid", "mesh": str(meshes / "bar-2523.msh"),
           "material": "jelly",
           "transform": {"scale": 0.05, "rotate": [[0, 0, 1], -90],
                         "translate": [-0.0125, 0.98, -0.025]}}
    funnel = {"name": "funnel", "kind": "obstacle", "mesh": str(meshes / "funnel.obj")}
    middle = {"box": [[-0.007, 0.4799, -0.013], [0.007, 0.4801, 0.013]]}
    return {"abut": 1, "name": "a soft bar is drawn through a funnel", "gravity": [0, 0, 0],
            "time": {"step": 0.01, "end": END}, "method": "barrier_free",
            "contact": {"dhat": 5e-4, "friction": 0.1}, "materials": {"jelly": jelly},
            "objects": [bar, funnel],
            "controls": [{"kind": "pin", "object": "bar", "vertices": middle,
                          "motion": {"linear_velocity": [0, -SPEED, 0]}}]}


def main():
    """command line"""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("meshes", help="folder of bar-2523.msh and funnel.obj")
    parser.add_argument("-o", default="funnel.json", help="the scene")
    args = parser.parse_args()
    tree = scene(Path(args.meshes).resolve())
    Path(args.o).write_text(json.dumps(tree, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
