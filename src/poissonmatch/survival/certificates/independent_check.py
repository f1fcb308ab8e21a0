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
from .certificate import Certificate, Intervals, read

quick_tree = partial(cKDTree, balanced_tree=False, compact_nodes=False)  # built in half the time


def check(file: str | Path, boxes: int | str | None = None) -> tuple[Certificate | Intervals, int, int]:
    """Check a certificate: its arithmetic in exact rationals, and D of some of its boxes, drawn again from their seeds.

    Parameters
    ----------
    file : path
        File of the certificate.
    boxes : int or "all", optional
        Number of boxes to draw again, chosen at random. By default one changed count in ten is
        noticed with probability 0.99.

    Returns
    -------
    Certificate or Intervals
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
    parts = certificate.certificates if isinstance(certificate, Intervals) else (certificate,)
    every = [part.to_dict() for part in parts]
    for values in every:
        _check_arithmetic(file, values)
    for above, below in itertools.pairwise(every):
        if below["ratio"][1] > above["ratio"][0]:
            raise _wrong(file, f"the intervals {above['ratio']} and {below['ratio']} overlap")
    drawn = [(values, number) for values in every for number in range(len(values["counts"]))]
    sample = random.SystemRandom().sample(drawn, check_int("boxes", _enough(len(drawn), boxes), 0, len(drawn)))
    for values, number in sample:
        if (count := difference(values, number)) != values["counts"][number]:
            where = f"ratio {values['ratio']}, box {number + 1}"
            raise _wrong(file, f"{where}: D is {count}, the certificate has {values['counts'][number]}")
    return certificate, len(sample), len(drawn) - len(sample)


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
    scale, window, counts = Fraction(values["scale"]), Fraction(values["window"]), values["counts"]
    if abs(window - (Fraction(values["box"]) - 2 * _depth(values) * scale)) > window / 10**12:
        raise _wrong(file, f"window is not box - {2 * _depth(values)} scale")
    x, packing = window / scale, values["packing_bound"]
    bound = {
        1: x + 1,
        2: Fraction(11547005383792517, 10**16) * x**2 + 2 * x + 1,
        3: (x + 1) ** 3 * Fraction(1909859317102744, 10**15),
    }
    if packing + 1 < bound[values["dim"]] * (1 - Fraction(1, 10**12)):
        raise _wrong(file, f"packing_bound is {packing}: too small")
    ratio = max(values["ratio"]) if "e_value" in values else values["ratio"]
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
    if values["error_probability"] is None:
        return
    product = Fraction(math.prod(max(count + packing, 0) for count in counts), packing ** len(counts))
    if "e_value" not in values:
        if len(counts) != values["boxes"] or min(counts) < values["threshold"]:
            raise _wrong(file, "an error probability without all boxes at or above the threshold")
        chance = Fraction(packing, packing + values["threshold"]) ** values["boxes"]
    elif values["threshold"] <= values["e_value"] <= product:
        chance = Fraction(1, values["threshold"])
    else:
        raise _wrong(file, f"e_value is {values['e_value']}, the threshold {values['threshold']}")
    if Fraction(values["error_probability"]) < chance:
        raise _wrong(file, f"error_probability is {values['error_probability']}, less than {float(chance)}")
    mean = Fraction(values["lower_bound"]) * window ** values["dim"] * Fraction(ratio)
    if values["lower_bound"] and product * Fraction(packing, mean + packing) ** len(counts) < 20:
        raise _wrong(file, f"lower_bound is {values['lower_bound']}: too large")
    if values["lower_bound"] > 1:
        raise _wrong(file, f"lower_bound is {values['lower_bound']}, above 1")


def difference(values: dict[str, Any], number: int) -> int:
    """Return D of a box: the unmarked red minus the unmarked green survivors, minus the marked greens.

    Points of the window are counted. For an interval of ratios, the cells of a grid that have a marked green point are counted.
    """
    points, red, uncertain = _drawn(values, number)
    _, distance, marked = _alone(points, red, uncertain, 0.0, values["box"], values["scale"])
    edge = _depth(values) * values["scale"]
    window = (points > edge).all(axis=1) & (points < values["box"] - edge).all(axis=1)
    alone = window & np.isinf(distance) & ~marked
    lost = points[window & marked & ~red]
    if "e_value" in values:
        cells = math.floor(values["window"] / values["scale"] * math.sqrt(values["dim"])) + 1
        lost = np.unique(np.floor((lost - edge) / values["window"] * cells), axis=0)
    return int((alone & red).sum() - (alone & ~red).sum() - len(lost))


def _depth(values: dict[str, Any]) -> int:
    """Return the depth of the window in the box, in units of the scale."""
    return 2 if "e_value" in values else 4


def _drawn(certificate: dict[str, Any], number: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the points of a box, and which are red and uncertain.

    If it has tiles, they are without the pairs that are certain in a tile alone.
    """
    dim, tiles, ratio = certificate["dim"], certificate["tiles"], certificate["ratio"]
    side = certificate["box"] / tiles
    scale = min(certificate["scale"], side / 12)
    key, intensities = [], [1.0, ratio]
    if "e_value" in certificate:
        low, high = ratio
        key, intensities = [int(f"{certificate['name']} ({low}, {high})".encode().hex(), 16)], [1.0, low, high - low]
    parts = []
    for tile, index in enumerate(np.ndindex(*[tiles] * dim)):
        rng = np.random.default_rng(np.random.SeedSequence(certificate["seed"], spawn_key=(*key, number, tile)))
        kind = np.repeat([0, 1, 2][: len(intensities)], [rng.poisson(mean * side**dim) for mean in intensities])
        points = rng.random((len(kind), dim)) * side + np.array(index) * side
        order = quick_tree(points).indices  # points near each other are then near each other in memory
        points, red, uncertain = points[order], kind[order] > 0, kind[order] == 2
        if tiles > 1:
            _, distance, marked = _alone(points, red, uncertain, np.array(index) * side, side, scale)
            rest = np.isinf(distance) | marked
            points, red, uncertain = points[rest], red[rest], uncertain[rest]
        parts.append((points, red, uncertain))
    points, red, uncertain = (np.concatenate(part) for part in zip(*parts, strict=True))
    return points, red, uncertain


def _alone(
    points: np.ndarray, red: np.ndarray, uncertain: np.ndarray, corner: np.ndarray | float, side: float, scale: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return partners and distances of the points of a cube alone, up to a scale, and which of them are marked.

    Uncertain points have no partner, the distance 0, and a mark.
    """
    partner, distance = np.full(len(points), -1), np.zeros(len(points))
    base = np.flatnonzero(~uncertain)
    among, distance[base] = stable_matching(points[base], red[base], scale)
    partner[base] = np.where(among < 0, -1, base[among])
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
    new = np.flatnonzero((np.minimum(distance, scale) * (1 + 1e-9) >= depth) | (distance == 0))
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
    return marked
