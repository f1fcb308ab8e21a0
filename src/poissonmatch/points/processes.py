"""Point processes: functions of a space, parameters and rng that return a Pattern. All randomness is here.

A new process is a function with the decorator @process, whose arguments describe it to studies. Its
parameters and defaults are those of its signature.

Intensities are expected points per unit volume. Points of color 0 come first. The same generator
state gives the same bytes on every machine. The order of the points of one color is not random:
uniform points come by rows of cells, those of a cluster together.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..theory.volumes import unit_ball_volume
from ..utils.errors import BadInput, quoted
from ..utils.memory import require_memory
from ..utils.validation import check_int, check_real, check_rng, check_unmasked
from .geometry import Geometry
from .mixed_processes import mixed, process_named
from .pattern import Pattern
from .process_registry import DENSITIES, PROCESSES, Process, from_zero, process, thinned
from .spaces import Cuboid, Euclidean, Torus

__all__ = [
    "DENSITIES", "PROCESSES", "Process", "binomial", "in_ball", "lattice", "matern", "mixed", "perturbed_lattice", "poisson", "process", "process_named",
    "thinned",
    "thomas", "two_color",
]  # fmt: skip


def __dir__() -> list[str]:
    return sorted(__all__)


MAX_BALL, MAX_BALL_DIM = 10**8, 100  # points and coordinates of in_ball


def _poisson_counts(
    torus: Cuboid, intensities: Sequence[float] = (), intensity: float = 0.0, *, parts: int, rng: np.random.Generator
) -> np.ndarray:
    means = [i * torus.volume / parts for i in intensities or (intensity,)]
    return np.array([rng.poisson(mean, parts) for mean in means])


def _fixed_counts(torus: Cuboid, counts: Sequence[int], *, parts: int, rng: np.random.Generator) -> np.ndarray:
    return np.array([rng.multinomial(count, np.full(parts, 1 / parts)) for count in counts])


@process(poisson=True, uniform=True, split=_poisson_counts, structure_factor=np.ones_like)
def poisson(torus: Geometry, intensity: float = 1.0, *, rng: np.random.Generator) -> Pattern:
    """Return points of a Poisson process on a torus: independent uniform points, in a Poisson number.

    Parameters
    ----------
    torus : Torus, MeanField or another space of finite volume
        Space of the points.
    intensity : float, default 1.0
        Expected number of points per unit volume.
    rng : NumPy generator or seed, optional
        Source of the random numbers; equal seeds give equal points. By default it is unpredictable.

    Returns
    -------
    Pattern
        Points on the torus, of one color.

    Raises
    ------
    ValueError
        If the intensity is negative or not finite.

    Examples
    --------
    >>> pm.processes.poisson(pm.Torus(10.0, 2), rng=1)
    Pattern(100 points: 100 of color 0; Torus(side=10.0, dim=2))
    """
    return two_color(torus, (intensity,), rng=rng)


@process(colored=True, poisson=True, uniform=True, split=_poisson_counts, structure_factor=np.ones_like)
def two_color(torus: Geometry, intensities: Sequence[float] = (1.0, 1.0), *, rng: np.random.Generator) -> Pattern:
    """Return points of independent Poisson processes, one for each color (Deijfen, Holroyd and Martin 2016, Thm 8).

    Parameters
    ----------
    torus : Torus, MeanField or another space of finite volume
        Space of the points.
    intensities : sequence of float, default (1.0, 1.0)
        Expected number of points of each color per unit volume.
    rng : NumPy generator or seed, optional
        Source of the random numbers; equal seeds give equal points. By default it is unpredictable.

    Returns
    -------
    Pattern
        Points on the torus, those of color 0 first.

    Raises
    ------
    ValueError
        If the intensities are not 1 to 255 finite numbers from 0.

    Examples
    --------
    >>> pm.processes.two_color(pm.Torus(10.0, 2), (1.0, 0.5), rng=1)
    Pattern(146 points: 100 of color 0, 46 of color 1; Torus(side=10.0, dim=2))
    """
    _check_space(torus)
    means = [from_zero("intensity", intensity) * torus.volume for intensity in np.atleast_1d(intensities).tolist()]
    _require(torus, sum(means))
    return binomial(torus, [int(rng.poisson(mean)) for mean in means], rng=rng)


@process(colored=True, uniform=True, split=_fixed_counts, structure_factor=np.ones_like)
def binomial(torus: Geometry, counts: int | Sequence[int], *, rng: np.random.Generator) -> Pattern:
    """Return a fixed number of independent uniform points, or a fixed number of each color.

    Parameters
    ----------
    torus : Torus, MeanField or another space of finite volume
        Space of the points.
    counts : int or sequence of int
        Number of points, or of points of each color 0, 1, ...
    rng : NumPy generator or seed, optional
        Source of the random numbers; equal seeds give equal points. By default it is unpredictable.

    Returns
    -------
    Pattern
        The points, those of color 0 first.

    Raises
    ------
    ValueError
        If a number is negative or not an integer.

    Examples
    --------
    >>> pm.processes.binomial(pm.Torus(1.0, 3), (4, 6), rng=1)
    Pattern(10 points: 4 of color 0, 6 of color 1; Torus(side=1.0, dim=3))
    """
    _check_space(torus)
    check_unmasked("counts", counts)
    per_color = np.atleast_1d(np.asarray(counts, object))
    what = "whole numbers, one for each color,"
    if per_color.ndim != 1 or not 1 <= len(per_color) <= 255:
        raise BadInput(f"counts must be {what} from 0, got {quoted(counts)}")
    numbers = [check_int("counts", count, 0, 2**62, what=what) for count in per_color.tolist()]
    n = sum(numbers)
    _require(torus, n)
    colors = np.repeat(np.arange(len(numbers), dtype=np.uint8), numbers)
    return Pattern._drawn(torus.uniform_points(numbers, rng), colors, torus)


def in_ball(count: int, dim: int = 2, intensity: float = 1.0, *, rng: Any = None) -> Pattern:
    """Return independent uniform points in a ball around the origin of volume count / intensity.

    For large counts the points near the origin are like those of a Poisson process (Deijfen,
    Holroyd, Martin 2016, sec. 2.1).

    Parameters
    ----------
    count : int
        Number of points.
    dim : int, default 2
        Dimension of the space.
    intensity : float, default 1.0
        Expected number of points per unit volume.
    rng : NumPy generator or seed, optional
        Source of the random numbers; equal seeds give equal points. By default it is unpredictable.

    Returns
    -------
    Pattern
        `count` points in Euclidean space, of one color.

    Raises
    ------
    ValueError
        If count is negative, or dim or intensity is not positive.

    Examples
    --------
    >>> pattern = pm.processes.in_ball(100, rng=1)
    >>> len(pattern), bool((np.linalg.norm(pattern.points, axis=1) <= (100 / np.pi) ** 0.5).all())
    (100, True)
    """
    count, dim = check_int("count", count, 0, MAX_BALL), check_int("dim", dim, 1, MAX_BALL_DIM)
    density = check_real("intensity", intensity, "a positive number", 1e-300, 1e300)
    rng = check_rng(rng)
    radius = float(count / density / unit_ball_volume(dim)) ** (1 / dim)
    directions = rng.standard_normal((count, dim))
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    return Pattern(radius * rng.random((count, 1)) ** (1 / dim) * directions, None, Euclidean(dim))


def _lattice_points(torus: Cuboid, intensity: float, spread: float = 0.0) -> float:
    _check_space(torus, flat=True)
    from_zero("spread", spread)
    return float(np.prod(_edges(torus, intensity)))


def _edges(torus: Cuboid, intensity: float) -> np.ndarray:
    """Return the numbers of points along the edges."""
    edges = torus.sides * from_zero("intensity", intensity) ** (1 / torus.dim)
    counts = np.round(edges)
    for edge, count in zip(edges.tolist(), counts.tolist(), strict=True):
        if count < 1 or abs(edge - count) > 1e-6 * count:
            raise BadInput(
                f"a lattice needs a whole number of points along each edge; side and intensity give {edge:g}"
            )
    return counts


@process(flat=True, whole_side=True, holds=_lattice_points, structure_factor=np.zeros_like)
def lattice(torus: Cuboid, intensity: float = 1.0, *, rng: np.random.Generator) -> Pattern:
    """Return the cubic lattice of this intensity, shifted uniformly, whose nearest distances are equal up to rounding.

    Parameters
    ----------
    torus : Torus
        Space of the points.
    intensity : float, default 1.0
        Expected number of points per unit volume.
    rng : NumPy generator or seed, optional
        Source of the random numbers; equal seeds give equal points. By default it is unpredictable.

    Returns
    -------
    Pattern
        Points on the torus, of one color.

    Raises
    ------
    ValueError
        Unless side * intensity^(1/d) is an integer for each edge.

    Examples
    --------
    >>> points = pm.processes.lattice(pm.Torus(4.0, 1), rng=1).points.ravel()
    >>> np.diff(np.sort(points)).round(6)
    array([1., 1., 1.])
    """
    return Pattern(_lattice_sites(torus, intensity, rng), None, torus)


def _perturbed_structure_factor(k: np.ndarray, spread: float) -> np.ndarray:
    return -np.expm1(-((spread * k) ** 2))


@process(flat=True, whole_side=True, holds=_lattice_points, structure_factor=_perturbed_structure_factor)
def perturbed_lattice(
    torus: Cuboid, intensity: float = 1.0, spread: float = 0.3, *, rng: np.random.Generator
) -> Pattern:
    """Return the shifted lattice with each point moved by an independent Gaussian.

    Parameters
    ----------
    torus : Torus
        Space of the points.
    intensity : float, default 1.0
        Expected number of points per unit volume.
    spread : float, default 0.3
        Standard deviation along each axis, in the unit of the side.
    rng : NumPy generator or seed, optional
        Source of the random numbers; equal seeds give equal points. By default it is unpredictable.

    Returns
    -------
    Pattern
        Points on the torus, of one color.

    Raises
    ------
    ValueError
        Unless side * intensity^(1/d) is an integer for each edge.

    Examples
    --------
    >>> len(pm.processes.perturbed_lattice(pm.Torus(10.0, 2), spread=0.1, rng=1))
    100
    """
    sites = _lattice_sites(torus, intensity, rng)
    return Pattern(torus.wrap(sites + rng.normal(0.0, from_zero("spread", spread), sites.shape)), None, torus)


def _thomas_points(torus: Cuboid, intensity: float, offspring: float, spread: float) -> float:
    _check_space(torus, flat=True)
    if from_zero("offspring", offspring) == 0:
        raise BadInput("offspring must be positive")
    expected = from_zero("intensity", intensity) * torus.volume
    from_zero("spread", spread)
    return max(expected / min(offspring, 1.0), offspring)  # parents, points, or those of one parent


def _thomas_structure_factor(k: np.ndarray, offspring: float, spread: float) -> np.ndarray:
    return 1 + offspring * np.exp(-((spread * k) ** 2))


@process(flat=True, holds=_thomas_points, structure_factor=_thomas_structure_factor)
def thomas(
    torus: Cuboid, intensity: float = 1.0, offspring: float = 5.0, spread: float = 0.2, *, rng: np.random.Generator
) -> Pattern:
    """Return points of the (modified) Thomas cluster process (Thomas 1949).

    The parents are a Poisson process with intensity / offspring.

    Each parent has a Poisson number of points with Gaussian displacements. The parents are not part
    of the pattern.

    Parameters
    ----------
    torus : Torus
        Space of the points.
    intensity : float, default 1.0
        Expected number of points per unit volume.
    offspring : float, default 5.0
        Mean number of points of a parent.
    spread : float, default 0.2
        Standard deviation of the displacement along each axis, in the unit of the side.
    rng : NumPy generator or seed, optional
        Source of the random numbers; equal seeds give equal points. By default it is unpredictable.

    Returns
    -------
    Pattern
        Points on the torus, of one color.

    Raises
    ------
    ValueError
        If a parameter is negative or not finite, or `offspring` is 0.

    Examples
    --------
    >>> pm.processes.thomas(pm.Torus(10.0, 2), offspring=20.0, rng=1)
    Pattern(155 points: 155 of color 0; Torus(side=10.0, dim=2))
    """
    _require(torus, _thomas_points(torus, intensity, offspring, spread))
    n_parents = rng.poisson(intensity / offspring * torus.volume)
    parents = torus.uniform_points([int(n_parents)], rng)
    sizes = rng.poisson(offspring, n_parents)
    points = np.repeat(parents, sizes, axis=0)
    points += rng.normal(0.0, spread, points.shape)
    return Pattern(torus.wrap(points), None, torus)


def _matern_proposals(torus: Cuboid, intensity: float, distance: float) -> float:
    _check_space(torus, flat=True)
    with np.errstate(over="ignore"):
        ball = float(torus.ball_volume(from_zero("distance", distance)))
    if from_zero("intensity", intensity) * ball >= 1:
        raise BadInput(
            f"a Matern II process with distance {distance:g} has intensity below {1 / ball:g}, not {intensity:g}"
        )
    if 2 * distance > torus.sides.min():
        raise BadInput(f"distance {distance:g} must be at most half the side {torus.sides.min():g}")
    return torus.volume * (-math.log1p(-intensity * ball) / ball if ball else intensity)


@process(flat=True, holds=_matern_proposals)
def matern(torus: Cuboid, intensity: float = 1.0, distance: float = 0.5, *, rng: np.random.Generator) -> Pattern:
    """Return points of the Matern type II hard-core process (Matern 1960) with this intensity.

    Poisson proposals have independent marks, and one is kept if no proposal within `distance` has a
    smaller mark.

    Parameters
    ----------
    torus : Torus
        Space of the points.
    intensity : float, default 1.0
        Expected number of points per unit volume.
    distance : float, default 0.5
        Minimum distance between two points, in the unit of the side.
    rng : NumPy generator or seed, optional
        Source of the random numbers; equal seeds give equal points. By default it is unpredictable.

    Returns
    -------
    Pattern
        Points on the torus, of one color.

    Raises
    ------
    ValueError
        Unless intensity times the volume of a ball of radius `distance` is below 1, and `distance`
        is at most half the side.

    Examples
    --------
    >>> pattern = pm.processes.matern(pm.Torus(10.0, 2), 0.5, distance=0.7, rng=1)
    >>> bool(pm.match(pattern).distance.min() >= 0.7)
    True
    """
    _require(torus, proposals := _matern_proposals(torus, intensity, distance))
    points = torus.uniform_points([int(rng.poisson(proposals))], rng)
    mark = rng.random(len(points))
    close = Torus(torus.side, torus.dim).tree(points - torus.low).query_pairs(distance, output_type="ndarray")
    keep = np.ones(len(points), dtype=bool)
    keep[np.where(mark[close[:, 0]] > mark[close[:, 1]], close[:, 0], close[:, 1])] = False
    return Pattern(points[keep], None, torus)


def _require(torus: Geometry, n: float) -> None:
    """Raise MemoryError if this number of points, with twice the coordinates or the table, does not fit into memory."""
    require_memory(16 * n * torus.numbers_per_point(n), f"{n:.4g} points in {torus}")


def _check_space(torus: Geometry, flat: bool = False) -> None:
    if not (isinstance(torus, Geometry) and torus.finite and (torus.is_flat or not flat)):
        needs = "coordinates in a finite volume, as on a Torus" if flat else "a space of finite volume, such as a Torus"
        raise BadInput(f"this process needs {needs}, not {quoted(torus)}")


def _lattice_sites(torus: Cuboid, intensity: float, rng: np.random.Generator) -> np.ndarray:
    _require(torus, _lattice_points(torus, intensity))
    edges = zip(torus.sides, _edges(torus, intensity).astype(int), strict=True)
    axes = np.meshgrid(*[np.arange(count) * (side / count) for side, count in edges], indexing="ij")
    sites = np.stack([axis.ravel() for axis in axes], axis=1)
    return torus.wrap(sites + rng.random(torus.dim) * torus.side)
