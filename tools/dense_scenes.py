"""Writes scenes/barrier_free/balls_in_a_box.json and cloth_stack.json.

    python tools/dense_scenes.py

Dense contact: 40 soft balls that a lid presses to 30 % of their height and lets go, and 20 layers
of cloth of which the tenth is pulled out.
"""

from pathlib import Path

from scene_text import text

FOLDER = Path(__file__).parent.parent / "scenes" / "barrier_free"
METHOD = {"name": "barrier_free", "stop": "toi", "epsilon": 1e-3, "k_min": 1}


def plane(name, point, normal):
    return {"name": name, "kind": "plane", "point": point, "normal": normal}


def scattered(i, a, b, c):
    """m, a place out of line that anybody can repeat"""
    return 0.006 * ((a * i[0] + b * i[1] + c * i[2]) % 5 - 2)


def balls_in_a_box():
    many, pitch, objects = (5, 4, 2), 0.13, []
    size = [round(pitch * n, 6) for n in many]
    for l in range(many[2]):
        for j in range(many[1]):
            for i in range(many[0]):
                k = len(objects)
                at = [(i + 0.5) * pitch - size[0] / 2 + scattered((i, j, l), 7, 3, 5),
                      (j + 0.5) * pitch - size[1] / 2 + scattered((i, j, l), 3, 5, 7),
                      (l + 0.5) * pitch]
                objects.append({
                    "name": f"ball {k}", "kind": "solid", "material": "jelly",
                    "mesh": {"shape": "ball", "radius": 0.05, "cells": 2},
                    "transform": {"rotate": [[0, 0, 1], 17 * k % 90],
                                  "translate": [round(v, 6) for v in at]}})
    x, y = size[0] / 2, size[1] / 2
    objects += [plane("floor", [0, 0, 0], [0, 0, 1]),
                plane("left", [-x, 0, 0], [1, 0, 0]), plane("right", [x, 0, 0], [-1, 0, 0]),
                plane("front", [0, -y, 0], [0, 1, 0]), plane("back", [0, y, 0], [0, -1, 0])]
    down, up = round(-0.7 * size[2], 6), round(0.2 * size[2], 6)
    objects.append({
        "name": "lid", "kind": "obstacle",
        "mesh": {"shape": "grid", "size": [size[0] - 0.01, size[1] - 0.01], "cells": [5, 4]},
        "transform": {"translate": [0, 0, size[2] + 0.005]},
        "motion": {"keys": [{"t": 0, "translate": [0, 0, 0]},
                            {"t": 0.5, "translate": [0, 0, down]},
                            {"t": 0.55, "translate": [0, 0, down]},
                            {"t": 0.65, "translate": [0, 0, up]}]}})
    jelly = {"model": "stable_neo_hookean", "youngs_modulus": 2e5, "poissons_ratio": 0.3,
             "density": 1000}
    return {"abut": 1, "name": "40 soft balls pressed to 30 % of their height and let go",
            "time": {"step": 0.01, "end": 1.0}, "method": METHOD, "linear_solver": "cholesky",
            "contact": {"dhat": 1e-3, "friction": 0.2}, "materials": {"jelly": jelly},
            "objects": objects}


def cloth_stack():
    layers, cells = 20, 14
    objects = [{"name": f"sheet {k}", "kind": "shell", "material": "cotton",
                "mesh": {"shape": "grid", "size": [0.4, 0.4], "cells": [cells, cells]},
                "transform": {"rotate": [[0, 0, 1], 3 * k % 11 - 5],
                              "translate": [0, 0, round(0.003 + 0.0022 * k, 6)]}}
               for k in range(layers)]
    objects.append(plane("floor", [0, 0, 0], [0, 0, 1]))
    pull = {"kind": "pin", "object": "sheet 10", "vertices": {"range": [0, cells]},
            "motion": {"keys": [{"t": 0.3, "translate": [0, 0, 0]},
                                {"t": 1.0, "translate": [0, -0.35, 0]}]}}
    cotton = {"model": "stvk", "youngs_modulus": 1e6, "poissons_ratio": 0.3, "density": 300,
              "thickness": 1e-3}
    return {"abut": 1, "name": "a stack of 20 layers of cloth, one of them pulled out",
            "time": {"step": 0.01, "end": 1.0}, "method": METHOD, "linear_solver": "cholesky",
            "contact": {"dhat": 1e-3, "friction": 0.3}, "materials": {"cotton": cotton},
            "objects": objects, "controls": [pull]}


for name, scene in (("balls_in_a_box", balls_in_a_box()), ("cloth_stack", cloth_stack())):
    (FOLDER / f"{name}.json").write_text(text(scene), encoding="utf-8")
