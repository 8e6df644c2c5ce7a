"""Compares abut with ipctk 1.6.1 (an independent implementation) pair by pair.

    python tests/python/check_ipctk.py build/pair_dump [pairs]

Distances, their derivatives by closest feature, the edge mollifier, the barrier, and times of impact
of random and nearly degenerate pairs. Prints a table and exits with 1 on a mismatch.

Where both round, each is allowed what the shape costs in double precision: with sine the smallest
sine of the angle between two edges and size the largest edge, directions are right to
eps / sine and lengths to eps size / sine. Exactly parallel edges and ties between features have more
than one right answer: there only the distance is compared.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

import ipctk
import numpy as np

EPS = np.finfo(float).eps
BATCH = 5000
FIELDS = [("d2", 1), ("mask", 1), ("parallel", 1), ("grad", 12), ("hess", 144), ("moll", 1),
          ("moll_grad", 12), ("moll_hess", 144), ("b", 1), ("b1", 1), ("b2", 1), ("status", 1),
          ("t", 1)]
CLEAR = 0
PT, EE = ipctk.PointTriangleDistanceType, ipctk.EdgeEdgeDistanceType
# our masks of closest features (bit k: vertex k takes part) in ipctk's words
PT_TYPES = {15: PT.P_T, 7: PT.P_E0, 13: PT.P_E1, 11: PT.P_E2, 3: PT.P_T0, 5: PT.P_T1, 9: PT.P_T2}
EE_TYPES = {15: EE.EA_EB, 13: EE.EA0_EB, 14: EE.EA1_EB, 7: EE.EA_EB0, 11: EE.EA_EB1,
            5: EE.EA0_EB0, 9: EE.EA0_EB1, 6: EE.EA1_EB0, 10: EE.EA1_EB1}


def log_uniform(rng, low, high, n):
    return np.exp(rng.uniform(np.log(low), np.log(high), n))


def unit(rng, n):
    v = rng.normal(size=(n, 3))
    return v / np.linalg.norm(v, axis=1, keepdims=True)


def make_pairs(rng, n):
    """kind (n), x, rest, end (n x 4 x 3), dhat, xi (n): half of them awkward"""
    kind = rng.integers(0, 2, n)
    x = rng.uniform(-1, 1, (n, 4, 3))
    thin, near = log_uniform(rng, 1e-8, 1, n), log_uniform(rng, 1e-8, 1, n)
    sort = rng.integers(0, 4, n)  # 0, 1: any; 2: thin; 3: thin and near
    for i in np.flatnonzero(sort >= 2):
        if kind[i]:  # b along a, turned a little
            a = x[i, 1] - x[i, 0]
            x[i, 2] = x[i, 0] + rng.uniform(-1, 1) * a + rng.normal(size=3) * near[i]
            x[i, 3] = x[i, 2] + rng.uniform(0.3, 1.5) * a + rng.normal(size=3) * thin[i]
        else:  # a sliver or a needle, the point somewhere over it
            s = rng.uniform(0, 1) if rng.random() < 0.7 else 1
            x[i, 3] = x[i, 1] + s * (x[i, 2] - x[i, 1]) + rng.normal(size=3) * thin[i]
            w = rng.dirichlet([1, 1, 1])
            x[i, 0] = w @ x[i, 1:] + rng.normal(size=3) * (near[i] if sort[i] == 3 else 1)
    pick = np.flatnonzero(sort == 1)  # near, of good shape
    for i in pick:
        if kind[i]:
            s, t = rng.uniform(-0.1, 1.1, 2)
            move = (1 - s) * x[i, 0] + s * x[i, 1] - (1 - t) * x[i, 2] - t * x[i, 3]
            x[i, 2:] += move + near[i] * unit(rng, 1)[0]
        else:
            w = rng.dirichlet([0.5, 0.5, 0.5])
            x[i, 0] = w @ x[i, 1:] + near[i] * unit(rng, 1)[0]
    scale = 10.0 ** rng.integers(-3, 4, n)
    x *= scale[:, None, None]
    rest = x * rng.uniform(0.7, 1.4, (n, 1, 1))
    move = log_uniform(rng, 1e-3, 10, n)[:, None, None] * rng.normal(size=(n, 4, 3))
    move[:, 1:] *= rng.choice([0, 1], (n, 1, 1))
    xi = np.where(rng.random(n) < 0.3, log_uniform(rng, 1e-6, 1, n), 0) * scale
    return kind, x, rest, x + move * scale[:, None, None], xi


def dump(tool, kind, x, rest, dhat, xi, end, folder):
    """one dictionary of arrays from pair_dump"""
    rows = np.concatenate([x.reshape(-1, 12), rest.reshape(-1, 12), dhat[:, None], xi[:, None],
                           end.reshape(-1, 12)], axis=1)
    lines = [f"{k} " + " ".join(map(repr, r)) for k, r in zip(kind, rows.tolist())]
    source, result = Path(folder, "pairs.txt"), Path(folder, "pairs.bin")
    source.write_text("\n".join(lines) + "\n")
    subprocess.run([tool, str(source), str(result)], check=True)
    data = np.fromfile(result).reshape(len(kind), -1)
    out, at = {}, 0
    for name, width in FIELDS:
        out[name] = data[:, at] if width == 1 else data[:, at : at + width]
        at += width
    assert at == data.shape[1]
    return out


def shape_of(kind, x):
    """largest edge, and the smallest sine of the angle between the edges"""
    a, b = (x[1] - x[0], x[3] - x[2]) if kind else (x[2] - x[1], x[3] - x[1])
    la, lb = np.linalg.norm(a), np.linalg.norm(b)
    sine = np.linalg.norm(np.cross(a, b)) / (la * lb)
    size = max(la, lb)
    if not kind:
        c = np.linalg.norm(b - a)
        sine *= min(la, lb) / max(la, lb, c)
    return size, sine


class Table:
    """worst error of each quantity in units of what is allowed"""

    def __init__(self):
        self.rows = {}

    def add(self, name, error, allowed, where):
        row = self.rows.setdefault(name, [0, 0.0, None])
        row[0] += 1
        if not error <= row[1] * allowed:  # also when it is no number
            row[1], row[2] = error / allowed, (error, where)

    def show(self):
        bad = False
        print(f"{'quantity':34s} {'pairs':>8s} {'worst/allowed':>14s} {'error':>10s}")
        for name, (count, worst, at) in self.rows.items():
            ok = worst <= 1
            bad |= not ok
            error = at[0] if at else 0.0
            print(f"{name:34s} {count:8d} {worst:14.3g} {error:10.2g} {'' if ok else at[1]}")
        return bad


def check_distance(table, kind, x, ours, i, where):
    call = (x[0], x[1], x[2], x[3])
    size, sine = shape_of(kind, x)
    name = "edge-edge" if kind else "point-triangle"
    distance = ipctk.edge_edge_distance if kind else ipctk.point_triangle_distance
    gradient = ipctk.edge_edge_distance_gradient if kind else ipctk.point_triangle_distance_gradient
    hessian = ipctk.edge_edge_distance_hessian if kind else ipctk.point_triangle_distance_hessian
    d, theirs = np.sqrt(ours["d2"][i]), np.sqrt(distance(*call))
    reach = max(size, d)
    if ours["parallel"][i]:
        table.add("parallel edges: distance", abs(d - theirs), 3e-8 * size, where)
        return
    table.add(name + ": distance", abs(d - theirs), 100 * EPS * reach / max(sine, EPS), where)
    types = EE_TYPES if kind else PT_TYPES
    kind_of = types[int(ours["mask"][i])]
    if sine < 1e-6 or d < 1e-7 * size:
        return
    by_type = np.sqrt(distance(*call, kind_of))
    g, h = gradient(*call, kind_of), hessian(*call, kind_of)
    table.add(name + ": feature", abs(by_type - theirs), 100 * EPS * reach / sine, where)
    turn = 300 * EPS * (1 / sine + size / d)
    table.add(name + ": gradient", np.abs(ours["grad"][i] - g).max(), turn * 2 * d / sine, where)
    lengths = (d / size) ** 2 / sine**2 + 1
    table.add(name + ": Hessian", np.abs(ours["hess"][i].reshape(12, 12) - h).max(),
              turn * lengths / sine, where)


def check_mollifier(table, x, rest, ours, i, where):
    eps = ipctk.edge_edge_mollifier_threshold(*rest)
    c = ipctk.edge_edge_cross_squarednorm(*x)
    if abs(c / eps - 1) < 1e-9:
        return  # the second derivative jumps there
    table.add("mollifier", abs(ours["moll"][i] - ipctk.edge_edge_mollifier(*x, eps)), 1e-10, where)
    g, h = ipctk.edge_edge_mollifier_gradient(*x, eps), ipctk.edge_edge_mollifier_hessian(*x, eps)
    steep = 1 / min(np.linalg.norm(x[1] - x[0]), np.linalg.norm(x[3] - x[2]))
    table.add("mollifier: gradient", np.abs(ours["moll_grad"][i] - g).max(), 1e-11 * steep, where)
    error = np.abs(ours["moll_hess"][i].reshape(12, 12) - h).max()
    table.add("mollifier: Hessian", error, 1e-10 * max(np.abs(h).max(), 1e-300), where)


def check_barrier(table, ours, dhat, xi, i, where):
    d = np.sqrt(ours["d2"][i])
    u, w = (d - xi) * (d + xi), dhat * (2 * xi + dhat)
    if u <= 0:
        return
    near = EPS * 100 * w / max(abs(w - u), EPS * w)
    for name, f in (("b", ipctk.barrier), ("b1", ipctk.barrier_first_derivative),
                    ("b2", ipctk.barrier_second_derivative)):
        theirs = f(u, w)
        table.add("barrier " + name, abs(ours[name][i] - theirs),
                  (1e-13 + near) * max(abs(theirs), 1e-300), where)


def gap_on_path(kind, x, end, upto, xi):
    """smallest distance over many times up to one, minus xi"""
    distance = ipctk.edge_edge_distance if kind else ipctk.point_triangle_distance
    times = np.linspace(0, upto, 400)
    return min(np.sqrt(distance(*(x + s * (end - x)))) for s in times) - xi


def check_impact(table, kind, x, end, xi, ours, i, where):
    size, _ = shape_of(kind, x)
    d, t = np.sqrt(ours["d2"][i]), ours["t"][i]
    if d - xi < 1e-6 * size:
        return
    left = 0 if ours["status"][i] == CLEAR else 0.05 * (d - xi)
    if xi > 0:  # theirs measures a minimum separation by the largest coordinate: look for ourselves
        if i % 10 == 0:
            table.add("impact: thick pairs that met", gap_on_path(kind, x, end, t, xi) <= left, 0.5, where)
        return
    ccd = ipctk.tight_inclusion.edge_edge_ccd if kind else ipctk.tight_inclusion.point_triangle_ccd
    hit, toi, tolerance = ccd(*x, *end, tolerance=1e-6 * size, max_iterations=100000)
    if tolerance > 1.01e-6 * size:
        table.add("impact: they ran out of iterations", 0, 1, where)
        return
    table.add("impact: compared", 0, 1, where)
    if not hit:
        return
    # toi is early by the tolerance over the speed, more for grazing paths: those keep a gap
    speed = np.linalg.norm(end - x, axis=1).max()
    late = t - toi - 2 * tolerance / speed
    if late > 0 and gap_on_path(kind, x, end, t, xi) > left:
        table.add("impact: they hit where a gap is left", 0, 1, where)
        return
    table.add("impact: ours minus theirs", max(late, 0), 1e-12, where)


def main():
    tool = str(Path(sys.argv[1]).resolve())
    total = int(sys.argv[2]) if len(sys.argv) > 2 else 100000
    rng, table = np.random.default_rng(7), Table()
    with tempfile.TemporaryDirectory() as folder:
        for start in range(0, total, BATCH):
            n = min(BATCH, total - start)
            kind, x, rest, end, xi = make_pairs(rng, n)
            first = dump(tool, kind, x, rest, np.ones(n), xi, end, folder)
            gap = np.maximum(np.sqrt(first["d2"]) - xi, 1e-12)
            dhat = gap / rng.uniform(0.02, 1.2, n)
            ours = dump(tool, kind, x, rest, dhat, xi, end, folder)
            for i in range(n):
                where = f"pair {start + i}"
                check_distance(table, kind[i], x[i], ours, i, where)
                if kind[i]:
                    check_mollifier(table, x[i], rest[i], ours, i, where)
                check_barrier(table, ours, dhat[i], xi[i], i, where)
                check_impact(table, kind[i], x[i], end[i], xi[i], ours, i, where)
    sys.exit(table.show())


if __name__ == "__main__":
    main()
