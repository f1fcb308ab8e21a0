"""A check of certificates that shares no code with the engine: boxes are drawn again, matched and marked by SciPy and NumPy alone."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from scipy.spatial import cKDTree

from ...utils.errors import IntegrityError, Problem
from ...utils.validation import check_int
from .certificate import Certificate
from .certificate_files import read
from .cover import Cover

quick_tree = partial(cKDTree, balanced_tree=False, compact_nodes=False)  # built in half the time


def check(file: str | Path, boxes: int | str | None = None) -> tuple[Certificate | Cover, int, int]:
    """Check a certificate: its arithmetic in exact rationals, and D of some of its boxes, drawn again from their seeds.

    Parameters
    ----------
    file : path
        File of the certificate.
    boxes : int or "all", optional
        Number of boxes to draw again, chosen at random, of each interval of a cover one before any
        second one. By default one of each interval, and enough to notice one changed count in ten
        with probability 0.99.

    Returns
    -------
    Certificate or Cover
    int
        The number of boxes that were drawn again.
    int
        The number of boxes that were not.

    Raises
    ------
    IntegrityError
        If the file is damaged or edited, or a count or number is not right.
    ValueError
        If the certificate has fewer boxes.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> file = pathlib.Path(tempfile.mkdtemp(), "line.json")
    >>> certificate = pm.certificates.survival(dim=1, ratio=0.9, scale=20, box=1600, boxes=20, threshold=20, seed=1, file=file)
    >>> certificate, drawn_again, not_checked = pm.certificates.check(file, boxes=2)
    >>> drawn_again, not_checked
    (2, 18)
    """
    file, certificate = Path(file), read(file)
    values = {"margin": 4, **certificate.to_dict()}  # that of a single ratio, in units of the scale
    rows = [values]
    if "intervals" in values:
        _check_cover(file, values)
        rows = [{**values, **row} for row in values["intervals"]]
    for row in rows:
        _check_arithmetic(file, row)
    chosen, total = _chosen([len(row["counts"]) for row in rows], boxes)
    for place, number in chosen:
        row = rows[place]
        if (count := difference(row, number)) != row["counts"][number]:
            where = f"ratio {row['ratio']}, box {number + 1}"
            raise _wrong(file, f"{where}: D is {count}, the certificate has {row['counts'][number]}")
    return certificate, len(chosen), total - len(chosen)


def _chosen(lengths: list[int], boxes: int | str | None) -> tuple[list[tuple[int, int]], int]:
    """Return rows and boxes to draw, one of each row before any second one, and the number of all boxes."""
    chance, total = random.SystemRandom(), sum(lengths)
    every = [chance.sample([(row, number) for number in range(n)], n) for row, n in enumerate(lengths) if n]
    first, others = [row[0] for row in every], [box for row in every for box in row[1:]]
    order = [*chance.sample(first, len(first)), *chance.sample(others, len(others))]
    least = len(first) if boxes is None else 0
    return order[: check_int("boxes", max(least, _enough(total, boxes)), 0, total)], total


def _check_cover(file: Path, values: dict[str, Any]) -> None:
    """Raise IntegrityError if the intervals do not join, or the sum of the error probabilities is not that of all that are registered."""
    for above, below in itertools.pairwise(row["interval"] for row in values["intervals"]):
        if below[1] != above[0]:
            raise _wrong(file, f"the intervals {above} and {below} do not join")
    registered = Fraction(sum(part["intervals"] for part in values["parts"]), values["threshold"])
    if Fraction(values["error_probability"]) < registered:
        raise _wrong(file, f"error_probability is {values['error_probability']}, less than {float(registered)}")


def _enough(total: int, boxes: int | str | None) -> int | str:
    """Return the number of boxes, by default enough to notice a changed tenth with probability 0.99."""
    if boxes is not None:
        return total if boxes == "all" else boxes
    changed = math.ceil(total / 10)
    return next(n for n in range(total + 1) if 100 * math.comb(total - changed, n) <= math.comb(total, n) or n == total)


def _wrong(file: Path, why: str) -> IntegrityError:
    return IntegrityError(Problem(file, "damaged", why))


def _check_arithmetic(file: Path, values: dict[str, Any]) -> None:
    """Raise IntegrityError if a count is impossible, or a number does not follow from the counts."""
    scale, ratio, counts, packing = (values[key] for key in ("scale", "ratio", "counts", "packing_bound"))
    window = Fraction(values["box"]) - 2 * Fraction(values["margin"]) * Fraction(scale)
    if abs(Fraction(values.get("window", window)) - window) > window / 10**12:
        raise _wrong(file, f"window is not box - {2 * values['margin']:g} scale")
    x = window / Fraction(scale)
    bound = {
        1: x + 1,
        2: Fraction(11547005383792517, 10**16) * x**2 + 2 * x + 1,
        3: (x + 1) ** 3 * Fraction(1909859317102744, 10**15),
    }
    if packing + 1 < bound[values["dim"]] * (1 - Fraction(1, 10**12)):
        raise _wrong(file, f"packing_bound is {packing}: too small")
    greens = float(window) ** values["dim"]
    # A Poisson number above its mean m by 12 sqrt(m) + 60 has a probability below e**-40.
    least, most = (m + 12 * math.sqrt(m) + 60 for m in (greens, ratio * greens))
    for number, count in enumerate(counts):
        if not -least < count < most:
            raise _wrong(
                file, f"box {number + 1}: D is {count}, and a window has about {ratio * greens:.0f} red points"
            )
    if len(counts) >= 10 and len(set(counts)) == 1:
        raise _wrong(file, f"all {len(counts)} boxes have the same D")
    if values["lower_bound"] is None:
        return
    volume = window ** values["dim"]
    if "interval" in values:
        rho, (a, b) = Fraction(ratio), map(Fraction, values["interval"])
        loss = Fraction(values["loss"])
        if not 0 < a < rho < b or loss < (rho**2 - a**2) / (1 + rho) or loss < 2 * b * (b - rho) / (1 + b):
            raise _wrong(file, f"loss is {values['loss']}: too small for the interval {values['interval']}")
        if not values["threshold"] <= values["e_value"] <= _e_value(counts, packing, volume * loss):
            raise _wrong(file, f"e_value is {values['e_value']}, the threshold {values['threshold']}")
    else:
        if len(counts) != values["boxes"] or min(counts) < values["threshold"]:
            raise _wrong(file, "an error probability without all boxes at or above the threshold")
        chance = Fraction(packing, packing + values["threshold"]) ** values["boxes"]
        if Fraction(values["error_probability"]) < chance:
            raise _wrong(file, f"error_probability is {values['error_probability']}, less than {float(chance)}")
    mean = Fraction(values["lower_bound"]) * volume * Fraction(ratio)
    if values["lower_bound"] and _e_value(counts, packing, mean) < 20:
        raise _wrong(file, f"lower_bound is {values['lower_bound']}: too large")
    if values["lower_bound"] > 1:
        raise _wrong(file, f"lower_bound is {values['lower_bound']}, above 1")


def _e_value(counts: list[int], packing: int, mean: Fraction) -> Fraction:
    """Return the product of all (max(D, -B) + B)/(mean + B)."""
    return math.prod((max(count, -packing) + packing for count in counts), start=Fraction(1)) / (mean + packing) ** len(
        counts
    )


def difference(values: dict[str, Any], number: int) -> int:
    """Return D of a box: the unmarked red minus the unmarked green survivors, minus the marked greens.

    Points of the window are counted.
    """
    points, red = _drawn(values, number)
    distance, marked = _alone(points, red, 0.0, values["box"], values["scale"])
    edge = values["margin"] * values["scale"]
    window = (points > edge).all(axis=1) & (points < values["box"] - edge).all(axis=1)
    alone = window & np.isinf(distance) & ~marked
    return int((alone & red).sum() - (alone & ~red).sum() - (window & marked & ~red).sum())


def _drawn(values: dict[str, Any], number: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the points of a box, and which are red.

    If it has tiles, they are without the pairs that are certain in a tile alone.
    """
    dim, box, ratio = values["dim"], values["box"], values["ratio"]
    tiles = math.ceil((box**dim * (1 + ratio) / 4e6) ** (1 / dim)) if "name" in values else values["tiles"]
    side = box / tiles
    scale = min(values["scale"], side / 12)
    key = [int(f"{values['name']} {ratio}".encode().hex(), 16)] if "name" in values else []
    parts = []
    for tile, index in enumerate(np.ndindex(*[tiles] * dim)):
        rng = np.random.default_rng(np.random.SeedSequence(values["seed"], spawn_key=(*key, number, tile)))
        red = np.repeat([False, True], [rng.poisson(mean * side**dim) for mean in (1.0, ratio)])
        points = rng.random((len(red), dim)) * side + np.array(index) * side
        order = quick_tree(points).indices  # points near each other are then near each other in memory
        points, red = points[order], red[order]
        if tiles > 1:
            distance, marked = _alone(points, red, np.array(index) * side, side, scale)
            rest = np.isinf(distance) | marked
            points, red = points[rest], red[rest]
        parts.append((points, red))
    points, red = (np.concatenate(part) for part in zip(*parts, strict=True))
    return points, red


def stable_matching(points: np.ndarray, red: np.ndarray, scale: float) -> tuple[np.ndarray, np.ndarray]:
    """Return partners (-1: none) and distances (inf) of the stable matching up to a scale, in which red points do not match each other.

    All pairs of free points up to a radius are listed and matched greedily, from the shortest on.
    The radius then grows, until it is the scale.
    """
    partner, distance = np.full(len(points), -1), np.full(len(points), np.inf)
    volume, dim = np.ptp(points, axis=0).prod(), points.shape[1]
    free, radius = np.arange(len(points)), 0.0
    while radius < scale and len(free) > 1:
        radius = min(scale, max(1.5 * radius, 0.65 * (volume / len(free)) ** (1 / dim)))
        pairs = free[quick_tree(points[free]).query_pairs(radius, output_type="ndarray")]
        pairs = pairs[~(red[pairs[:, 0]] & red[pairs[:, 1]])]
        lengths = np.sqrt(((points[pairs[:, 0]] - points[pairs[:, 1]]) ** 2).sum(axis=1))
        for i, j, length in _greedy(pairs, lengths, len(points)):
            partner[i], partner[j] = j, i
            distance[i] = distance[j] = length
        free = free[partner[free] < 0]
    return partner, distance


def _greedy(pairs: np.ndarray, lengths: np.ndarray, n: int) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """Yield pairs and their lengths, those first that are the shortest left for both of their points."""
    order = np.argsort(lengths)
    pairs, lengths = pairs[order], lengths[order]
    shortest = np.empty(n, np.int64)  # of each point, the number of its shortest pair
    while len(pairs):
        numbers = np.arange(len(pairs))
        shortest[pairs[::-1].ravel()] = np.repeat(numbers[::-1], 2)  # the last of several values is kept
        mutual = (shortest[pairs] == numbers[:, None]).all(axis=1)
        yield *pairs[mutual].T, lengths[mutual]
        shortest[pairs[mutual].ravel()] = -1
        left = (shortest[pairs] >= 0).all(axis=1)
        pairs, lengths = pairs[left], lengths[left]


def _alone(
    points: np.ndarray, red: np.ndarray, corner: np.ndarray | float, side: float, scale: float
) -> tuple[np.ndarray, np.ndarray]:
    """Return the partner distances of the points of a cube alone, up to a scale, and which points are marked.

    Points from outside could change the marked ones: they prefer the outside, or a marked point.
    """
    partner, distance = stable_matching(points, red, scale)
    depth = np.minimum(points - corner, corner + side - points).min(axis=1)
    marked = np.zeros(len(points), bool)
    # A point x marks z with |xz| <= X(z): looked for among the points whose X is at least a power
    # of two, in shells of |xz|.
    shells = []
    outer = scale
    while True:
        inner = outer / 2 if outer > 0.5 else 0.0
        members = np.flatnonzero(distance * (1 + 1e-9) >= inner)
        shells.append((outer, members, quick_tree(points[members]) if len(members) else None))
        if not inner:
            break
        outer = inner
    new = np.flatnonzero(np.minimum(distance, scale) * (1 + 1e-9) >= depth)
    while len(new):
        marked[new] = True
        new = new[np.isfinite(distance[new])]
        reached = [partner[new[partner[new] >= 0]]]
        for outer, members, tree in shells:
            sources = new[distance[new] <= outer * (1 + 1e-9)]
            if tree is None or not len(sources):
                continue
            near = tree.query_ball_point(points[sources], outer * (1 + 1e-9))
            x = np.repeat(sources, [len(row) for row in near])
            z = members[np.concatenate([np.array(row, int) for row in near])]
            apart = np.sqrt(((points[z] - points[x]) ** 2).sum(axis=1))
            prefer = (
                (apart * (1 + 1e-9) >= distance[x])
                & (apart <= distance[z] * (1 + 1e-9))
                & ~(red[x] & red[z])
                & (z != x)
            )
            reached.append(z[prefer])
        new = np.unique(np.concatenate(reached))
        new = new[~marked[new]]
    return distance, marked
