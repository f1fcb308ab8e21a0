"""A check of certificates that shares no code with the engine: boxes are drawn again, matched and marked by SciPy and NumPy alone."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
from scipy.spatial import cKDTree

from ..utils.errors import IntegrityError, Problem
from .survival import Certificate, read


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
    >>> found = pm.certificates.survival(dim=1, ratio=0.9, scale=20, box=1600, boxes=20, threshold=20, seed=1, file=file)
    >>> certificate, drawn_again = pm.certificates.check(file, boxes=2)
    >>> drawn_again
    [0, 19]
    """
    certificate = read(file)
    found = certificate.to_dict()
    _check_arithmetic(Path(file), found)
    done = len(found["counts"])
    numbers = np.unique(np.linspace(0, done - 1, min(boxes, done)).astype(int)).tolist()
    for number in numbers:
        if (count := difference(found, number)) != found["counts"][number]:
            raise _wrong(Path(file), f"box {number}: D is {count}, the certificate has {found['counts'][number]}")
    return certificate, numbers


def _wrong(file: Path, why: str) -> IntegrityError:
    return IntegrityError(Problem(file, "damaged", why))


def _check_arithmetic(file: Path, found: dict[str, Any]) -> None:
    """Raise IntegrityError if window, packing bound, error probability or lower bound do not follow from the counts."""
    scale, window = Fraction(found["scale"]), Fraction(found["window"])
    if abs(window - (Fraction(found["box"]) - 8 * scale)) > window / 10**12:
        raise _wrong(file, "window is not box - 8 scale")
    x, packing = window / scale, found["packing_bound"]
    bound = {
        1: x + 1,
        2: Fraction(11547005383792517, 10**16) * x**2 + 2 * x + 1,
        3: (x + 1) ** 3 * Fraction(1909859317102744, 10**15),
    }
    if packing + 1 < bound[found["dim"]] * (1 - Fraction(1, 10**12)):
        raise _wrong(file, f"packing_bound is {packing}: too small")
    if found["error_probability"] is None:
        return
    if len(found["counts"]) != found["boxes"] or min(found["counts"]) < found["threshold"]:
        raise _wrong(file, "an error probability without all boxes at or above the threshold")
    chance = Fraction(packing, packing + found["threshold"]) ** found["boxes"]
    if Fraction(found["error_probability"]) < chance:
        raise _wrong(file, f"error_probability is {found['error_probability']}, less than {float(chance)}")
    mean = Fraction(found["lower_bound"]) * window ** found["dim"] * Fraction(found["ratio"])
    product = Fraction(1)
    for count in found["counts"]:
        product *= (count + packing) / (mean + packing)
    if found["lower_bound"] and product < 20:
        raise _wrong(file, f"lower_bound is {found['lower_bound']}: too large")


def difference(found: dict[str, Any], number: int) -> int:
    """Return D of a box: the red minus the green survivors that are not marked, minus the marked green points, in the window."""
    points, red = _drawn(found, number)
    _, distance, marked = _alone(points, red, 0.0, found["box"], found["scale"])
    edge = 4 * found["scale"]
    window = (points > edge).all(axis=1) & (points < found["box"] - edge).all(axis=1)
    alone = window & np.isinf(distance) & ~marked
    return int((alone & red).sum() - (alone & ~red).sum() - (window & marked & ~red).sum())


def _drawn(found: dict[str, Any], number: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the points of a box and which are red; if it has tiles, without the pairs that are certain in a tile alone."""
    dim, tiles = found["dim"], found["tiles"]
    side = found["box"] / tiles
    scale = min(found["scale"], side / 12)
    places, reds = [], []
    for tile, index in enumerate(np.ndindex(*[tiles] * dim)):
        rng = np.random.default_rng(np.random.SeedSequence(found["seed"], spawn_key=(number, tile)))
        greens, more = (int(rng.poisson(intensity * side**dim)) for intensity in (1.0, found["ratio"]))
        points = rng.random((greens + more, dim)) * side + np.array(index) * side
        red = np.arange(len(points)) >= greens
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

    Mutually nearest compatible points are matched in rounds. Each round looks for the nearest compatible free point of every free
    point in trees of the free points of each color.
    """
    partner, distance = np.full(len(points), -1), np.full(len(points), np.inf)
    free = np.arange(len(points))
    while len(free):
        colors = red[free]
        best, apart = np.full(len(free), -1), np.full(len(free), np.inf)
        trees = {color: cKDTree(points[free[colors == color]]) for color in (False, True) if (colors == color).any()}
        for own in (False, True):
            mine = np.flatnonzero(colors == own)
            for other in (False,) if own else (False, True):
                if not len(mine) or other not in trees:
                    continue
                theirs = np.flatnonzero(colors == other)
                k = 2 if own == other else 1  # the point itself is nearest
                d, j = trees[other].query(points[free[mine]], k=[k], distance_upper_bound=np.nextafter(scale, np.inf))
                d, j = d[:, 0], j[:, 0]
                better = d < apart[mine]
                apart[mine[better]], best[mine[better]] = d[better], theirs[j[better]]
        mutual = np.flatnonzero(best >= 0)
        mutual = mutual[best[best[mutual]] == mutual]
        if not len(mutual):
            break
        partner[free[mutual]], distance[free[mutual]] = free[best[mutual]], apart[mutual]
        free = free[(partner[free] < 0) & (best >= 0)]
    return partner, distance


def _marked(
    points: np.ndarray, red: np.ndarray, partner: np.ndarray, distance: np.ndarray, depth: np.ndarray, scale: float
) -> np.ndarray:
    """Return which points could be changed from outside of the box, one after the other, from a stack of marked points."""
    marked = np.zeros(len(points), bool)
    stack = np.flatnonzero(np.minimum(distance, scale) * (1 + 1e-9) >= depth).tolist()
    # A point x marks z with |xz| <= X(z): looked for among the points whose X is at least a power of two, in shells of |xz|.
    shells = []
    outer = scale
    while True:
        inner = outer / 2 if outer > 0.5 else 0.0
        members = np.flatnonzero(distance * (1 + 1e-9) >= inner)
        shells.append((outer, members, cKDTree(points[members]) if len(members) else None))
        if not inner:
            break
        outer = inner
    while stack:
        x = stack.pop()
        if marked[x]:
            continue
        marked[x] = True
        if np.isinf(distance[x]):
            continue
        stack.append(int(partner[x]))
        for outer, members, tree in shells:
            if tree is None or outer * (1 + 1e-9) < distance[x]:
                continue
            z = members[tree.query_ball_point(points[x], outer * (1 + 1e-9))]
            apart = np.sqrt(((points[z] - points[x]) ** 2).sum(axis=1))
            prefer = (
                (apart * (1 + 1e-9) >= distance[x])
                & (apart <= distance[z] * (1 + 1e-9))
                & ~(red[x] & red[z])
                & (z != x)
            )
            stack += z[prefer & ~marked[z]].tolist()
    return marked
