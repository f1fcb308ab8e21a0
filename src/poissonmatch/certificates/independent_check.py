"""A check of certificates that shares no code with the engine: boxes are drawn again, matched and marked by SciPy and NumPy alone."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from scipy.spatial import cKDTree

from ..utils.errors import IntegrityError, Problem
from .survival import Certificate, read

quick_tree = partial(cKDTree, balanced_tree=False, compact_nodes=False)  # built in half the time


def check(file: str | Path, boxes: int = 1) -> tuple[Certificate, list[int]]:
    """Check a certificate: its arithmetic in exact rationals, and D of some of its boxes, drawn again from their seeds.

    Parameters
    ----------
    file : path
    boxes : int, optional
        Number of boxes to draw again, spread evenly over those of the certificate.

    Returns
    -------
    Certificate
    list of int
        The numbers, from 0, of the boxes that were drawn again.

    Raises
    ------
    IntegrityError
        If the file is damaged or edited, or a count or number is not right.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> file = pathlib.Path(tempfile.mkdtemp(), "line.json")
    >>> certificate = pm.certificates.survival(dim=1, ratio=0.9, scale=20, box=1600, boxes=20, threshold=20, seed=1, file=file)
    >>> certificate, drawn_again = pm.certificates.check(file, boxes=2)
    >>> drawn_again
    [0, 19]
    """
    certificate = read(file)
    values = certificate.to_dict()
    _check_arithmetic(Path(file), values)
    done = len(values["counts"])
    numbers = np.unique(np.linspace(0, done - 1, min(boxes, done)).astype(int)).tolist()
    for number in numbers:
        if (count := difference(values, number)) != values["counts"][number]:
            raise _wrong(Path(file), f"box {number}: D is {count}, the certificate has {values['counts'][number]}")
    return certificate, numbers


def _wrong(file: Path, why: str) -> IntegrityError:
    return IntegrityError(Problem(file, "damaged", why))


def _check_arithmetic(file: Path, values: dict[str, Any]) -> None:
    """Raise IntegrityError if window, packing bound, error probability or lower bound do not follow from the counts."""
    scale, window = Fraction(values["scale"]), Fraction(values["window"])
    if abs(window - (Fraction(values["box"]) - 8 * scale)) > window / 10**12:
        raise _wrong(file, "window is not box - 8 scale")
    x, packing = window / scale, values["packing_bound"]
    bound = {
        1: x + 1,
        2: Fraction(11547005383792517, 10**16) * x**2 + 2 * x + 1,
        3: (x + 1) ** 3 * Fraction(1909859317102744, 10**15),
    }
    if packing + 1 < bound[values["dim"]] * (1 - Fraction(1, 10**12)):
        raise _wrong(file, f"packing_bound is {packing}: too small")
    if values["error_probability"] is None:
        return
    if len(values["counts"]) != values["boxes"] or min(values["counts"]) < values["threshold"]:
        raise _wrong(file, "an error probability without all boxes at or above the threshold")
    chance = Fraction(packing, packing + values["threshold"]) ** values["boxes"]
    if Fraction(values["error_probability"]) < chance:
        raise _wrong(file, f"error_probability is {values['error_probability']}, less than {float(chance)}")
    mean = Fraction(values["lower_bound"]) * window ** values["dim"] * Fraction(values["ratio"])
    product = Fraction(1)
    for count in values["counts"]:
        product *= (count + packing) / (mean + packing)
    if values["lower_bound"] and product < 20:
        raise _wrong(file, f"lower_bound is {values['lower_bound']}: too large")


def difference(values: dict[str, Any], number: int) -> int:
    """Return D of a box: the red minus the green survivors that are not marked, minus the marked green points, in the window."""
    points, red = _drawn(values, number)
    _, distance, marked = _alone(points, red, 0.0, values["box"], values["scale"])
    edge = 4 * values["scale"]
    window = (points > edge).all(axis=1) & (points < values["box"] - edge).all(axis=1)
    alone = window & np.isinf(distance) & ~marked
    return int((alone & red).sum() - (alone & ~red).sum() - (window & marked & ~red).sum())


def _drawn(certificate: dict[str, Any], number: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the points of a box and which are red; if it has tiles, without the pairs that are certain in a tile alone."""
    dim, tiles = certificate["dim"], certificate["tiles"]
    side = certificate["box"] / tiles
    scale = min(certificate["scale"], side / 12)
    places, reds = [], []
    for tile, index in enumerate(np.ndindex(*[tiles] * dim)):
        rng = np.random.default_rng(np.random.SeedSequence(certificate["seed"], spawn_key=(number, tile)))
        greens, more = (int(rng.poisson(intensity * side**dim)) for intensity in (1.0, certificate["ratio"]))
        points = rng.random((greens + more, dim)) * side + np.array(index) * side
        red = np.arange(len(points)) >= greens
        order = quick_tree(points).indices  # points near each other are then near each other in memory
        points, red = points[order], red[order]
        if tiles > 1:
            _, distance, marked = _alone(points, red, np.array(index) * side, side, scale)
            points, red = points[np.isinf(distance) | marked], red[np.isinf(distance) | marked]
        places.append(points)
        reds.append(red)
    return np.concatenate(places), np.concatenate(reds)


def _alone(
    points: np.ndarray, red: np.ndarray, corner: np.ndarray | float, side: float, scale: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return partners and distances of the points of a cube alone, up to a scale, and which of them are marked."""
    partner, distance = stable_matching(points, red, scale)
    depth = np.minimum(points - corner, corner + side - points).min(axis=1)
    return partner, distance, _marked(points, red, partner, distance, depth, scale)


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


def _marked(
    points: np.ndarray, red: np.ndarray, partner: np.ndarray, distance: np.ndarray, depth: np.ndarray, scale: float
) -> np.ndarray:
    """Return which points could be changed from outside of the box: those that prefer it, and those that prefer a marked point."""
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
        reached = [partner[new]]
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
    return marked
