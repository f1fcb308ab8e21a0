"""Point processes: (space, parameters, rng) -> Pattern. The only randomness in the package.

A new process is a function under @process, which says what studies must know of it; its parameters and their defaults
stand in its signature alone.

Intensities are expected points per unit volume. Counts are Poisson where the process says so, never rounded means. Points of
color 0 come first. The same generator state gives the same bytes on every machine. The order of the points of a color is no part of
the law: uniform points come by rows of cells, those of a cluster one after the other.
"""

from __future__ import annotations

import functools
import inspect
import math
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .errors import BadInput, quoted
from .geometry import MeanField, Torus
from .given import generator, number, refuse_masked, whole
from .memory import require_memory
from .pattern import Pattern
from .uniform import uniform_points

Space = Torus | MeanField


@dataclass(frozen=True)
class Process:
    """A point process, as studies see it: the function that draws it, and what that can do.

    Parameters
    ----------
    draw : callable
        (space, its own parameters, rng) -> Pattern.
    holds : callable, optional
        How many points it is expected to hold at once while it is drawn, where these are not its own: a function of the
        same parameters, without rng, that raises BadInput where there is no such process.
    colored : bool, optional
        It gives its points their colors itself; all others are colored by independent thinning.
    poisson : bool, optional
        The points of each color are a Poisson process.
    uniform : bool, optional
        Independent uniform points, so that in infinite volume they are one, for which exact laws are known.
    ergodic : bool, optional
        Under translations, so that the laws hold that are about all such processes.
    split : callable, optional
        For a torus in tiles, how many points of each color lie in each of so many equal parts, (C, parts); the points themselves are
        uniform then.
    flat : bool, optional
        It needs coordinates, so has no mean-field model.
    whole_side : bool, optional
        It has a whole number of points along each edge of the torus.
    given : bool, optional
        Its points are as they are, whatever the torus.

    Examples
    --------
    >>> thomas = pm.processes.PROCESSES["thomas"]
    >>> thomas.parameters, thomas.poisson, thomas.flat
    ({'offspring': 5.0, 'spread': 0.2}, False, True)
    """

    draw: Callable[..., Pattern]
    holds: Callable[..., float] | None = None
    colored: bool = False
    poisson: bool = False
    uniform: bool = False
    ergodic: bool = True
    split: Callable[..., np.ndarray] | None = None
    flat: bool = False
    whole_side: bool = False
    given: bool = False

    def __call__(self, *arguments: Any, **named: Any) -> Pattern:
        """Draw the process, as its function does."""
        return self.draw(*arguments, **named)

    @property
    def name(self) -> str:
        """As a study calls it: the name of the function."""
        return self.draw.__name__

    @property
    def parameters(self) -> dict[str, float]:
        """The parameters of its own that a study may set, and their defaults."""
        signature = inspect.signature(self.draw).parameters
        return {key: p.default for key, p in signature.items() if key not in ("torus", "rng", *DENSITIES)}

    @property
    def intensities(self) -> tuple[float, ...]:
        """Of the colors, where a study says nothing."""
        wanted = inspect.signature(self.draw).parameters.get("intensities")
        return tuple(wanted.default) if wanted else (1.0,)

    def size(self, asked: float, dim: float) -> float:
        """The expected number of points that a torus of this dimension can have, nearest to the one asked for."""
        return float(max(1, round(asked ** (1 / dim))) ** dim) if self.whole_side else asked

    def pattern(
        self, space: Space, size: float, intensities: Sequence[float], rng: np.random.Generator, **parameters: Any
    ) -> Pattern:
        """Points with these intensities, or expected number, in the words of the process's own signature."""
        drawn = self.draw(space, **self._density(size, intensities), **parameters, rng=rng)
        return drawn if self.colored or len(intensities) == 1 else thinned(drawn, intensities, rng=rng)

    def counts(
        self, torus: Torus, size: float, intensities: Sequence[float], parts: int, rng: np.random.Generator
    ) -> np.ndarray:
        """How many points of each color lie in each of `parts` equal parts of the torus, a power of two: (C, parts) int64."""
        assert self.split is not None, f"{self.name} cannot be drawn in parts"
        counts = self.split(torus, **self._density(size, intensities), parts=parts, rng=rng)
        if self.colored or len(intensities) == 1:
            return counts
        return rng.multinomial(counts[0], np.array(intensities) / sum(intensities)).T

    def held(self, space: Space, size: float, intensities: Sequence[float], **parameters: Any) -> float:
        """Expected number of points that pattern, told the same, holds at once. Raises BadInput as pattern would."""
        if self.holds is None:
            return size
        return self.holds(space, **self._density(size, intensities), **{**self.parameters, **parameters})

    def _density(self, size: float, intensities: Sequence[float]) -> dict[str, Any]:
        wanted = inspect.signature(self.draw).parameters
        given = intensities if self.colored else (sum(intensities),)
        return {name: DENSITIES[name](size, given) for name in DENSITIES if name in wanted}


# How a process may be told how dense it is: the parameter's name, and its value for a size and intensities of a study.
DENSITIES: dict[str, Callable[[float, Sequence[float]], Any]] = {
    "intensity": lambda size, intensities: intensities[0],
    "intensities": lambda size, intensities: intensities,
    "counts": lambda size, intensities: [round(size * i / sum(intensities)) for i in intensities],
}
PROCESSES: dict[str, Process] = {}


def process(**kind: Any) -> Callable[[Callable[..., Pattern]], Callable[..., Pattern]]:
    """Enter a function as a point process of studies. Its rng may be a seed.

    Parameters
    ----------
    **kind
        What is to be said of it, see Process.

    Examples
    --------
    >>> @pm.processes.process()
    ... def corner(torus, intensity=1.0, *, rng):
    ...     points = rng.random((rng.poisson(intensity * torus.volume), torus.dim)) ** 2 * torus.side
    ...     return pm.Pattern(points, None, torus)
    >>> pm.processes.PROCESSES.pop("corner").name, len(corner(pm.Torus(10.0, 2), rng=1))
    ('corner', 100)
    """

    def enter(draw: Callable[..., Pattern]) -> Callable[..., Pattern]:
        @functools.wraps(draw)
        def drawn(*arguments: Any, rng: Any, **named: Any) -> Pattern:
            return draw(*arguments, rng=generator(rng), **named)

        PROCESSES[draw.__name__] = Process(drawn, **kind)
        return drawn

    return enter


def thinned(pattern: Pattern, intensities: Sequence[float], *, rng: Any) -> Pattern:
    """The points of a pattern with new colors: each point has color k with probability intensities[k] / sum, independently.

    Points of color 0 come first, those of one color in their old order. Of a Poisson process the colors are independent Poisson
    processes.

    Parameters
    ----------
    pattern : Pattern
    intensities : sequence of float
        From 1 to 255 numbers from 0, not all of them 0, or ValueError is raised.
    rng : NumPy generator or seed

    Returns
    -------
    Pattern

    Examples
    --------
    >>> lattice = pm.processes.lattice(pm.Torus(10.0, 2), rng=1)
    >>> pm.processes.thinned(lattice, (1.0, 3.0), rng=2)
    Pattern(100 points: 27 of color 0, 73 of color 1; Torus(side=10.0, dim=2))
    """
    shares = [_number("intensity", intensity) for intensity in np.atleast_1d(intensities).tolist()]
    if not (len(shares) <= 255 and 0 < sum(shares) < math.inf):
        raise BadInput(f"intensities must be numbers from 0, not all of them 0, not {quoted(intensities)}")
    bounds = np.cumsum(shares)
    colors = np.searchsorted(bounds[:-1] / bounds[-1], generator(rng).random(len(pattern)), side="right")
    order = np.argsort(colors, kind="stable")
    table = isinstance(pattern.geometry, MeanField) and pattern.geometry.table
    points = pattern.points[np.ix_(order, order)] if table else pattern.points[order]
    return Pattern(points, colors[order].astype(np.uint8), pattern.geometry)


def _poisson_counts(
    torus: Torus, intensities: Sequence[float] = (), intensity: float = 0.0, *, parts: int, rng: np.random.Generator
) -> np.ndarray:
    means = [i * torus.volume / parts for i in intensities or (intensity,)]
    return np.array([rng.poisson(mean, parts) for mean in means])


def _fixed_counts(torus: Torus, counts: Sequence[int], *, parts: int, rng: np.random.Generator) -> np.ndarray:
    return np.array([rng.multinomial(count, np.full(parts, 1 / parts)) for count in counts])


@process(poisson=True, uniform=True, split=_poisson_counts)
def poisson(torus: Space, intensity: float = 1.0, *, rng: np.random.Generator) -> Pattern:
    """A Poisson process: a Poisson number of points with mean intensity * volume, independent and uniform.

    Parameters
    ----------
    torus : Torus or MeanField
    intensity : float, optional
    rng : NumPy generator or seed

    Returns
    -------
    Pattern

    Examples
    --------
    >>> pm.processes.poisson(pm.Torus(10.0, 2), rng=1)
    Pattern(100 points: 100 of color 0; Torus(side=10.0, dim=2))
    """
    return two_color(torus, (intensity,), rng=rng)


@process(colored=True, poisson=True, uniform=True, split=_poisson_counts)
def two_color(torus: Space, intensities: Sequence[float] = (1.0, 1.0), *, rng: np.random.Generator) -> Pattern:
    """Independent Poisson processes, one for each color (Deijfen, Holroyd, Martin 2016, Thm 8).

    Parameters
    ----------
    torus : Torus or MeanField
    intensities : sequence of float, optional
    rng : NumPy generator or seed

    Returns
    -------
    Pattern

    Examples
    --------
    >>> pm.processes.two_color(pm.Torus(10.0, 2), (1.0, 0.5), rng=1)
    Pattern(146 points: 100 of color 0, 46 of color 1; Torus(side=10.0, dim=2))
    """
    _space(torus)
    means = [_number("intensity", intensity) * torus.volume for intensity in np.atleast_1d(intensities).tolist()]
    _require(torus, sum(means))
    return binomial(torus, [int(rng.poisson(mean)) for mean in means], rng=rng)


@process(colored=True, uniform=True, split=_fixed_counts)
def binomial(torus: Space, counts: int | Sequence[int], *, rng: np.random.Generator) -> Pattern:
    """A fixed number of independent uniform points, or a fixed number of each color.

    Parameters
    ----------
    torus : Torus or MeanField
    counts : int or sequence of int
    rng : NumPy generator or seed

    Returns
    -------
    Pattern

    Examples
    --------
    >>> pm.processes.binomial(pm.Torus(1.0, 3), (4, 6), rng=1)
    Pattern(10 points: 4 of color 0, 6 of color 1; Torus(side=1.0, dim=3))
    """
    _space(torus)
    refuse_masked("counts", counts)
    given = np.atleast_1d(np.asarray(counts, object))
    if given.ndim != 1 or not 1 <= len(given) <= 255:
        raise BadInput(f"counts must be whole numbers from 0, one for each color, not {quoted(counts)}")
    numbers = [whole("counts", count, 0, 2**62, what="whole numbers, one for each color,") for count in given.tolist()]
    n = sum(numbers)
    _require(torus, n)
    colors = np.repeat(np.arange(len(numbers), dtype=np.uint8), numbers)
    if isinstance(torus, MeanField) and not torus.table:
        points = np.zeros((n, 0))
    elif isinstance(torus, MeanField):
        points = np.zeros((n, n))
        for i in range(n):
            points[i, i + 1 :] = rng.exponential(torus.volume, n - 1 - i)
        points += points.T
    else:
        points = uniform_points(torus.sides, numbers, rng)
    return Pattern(points, colors, torus)


def _lattice_points(torus: Torus, intensity: float, spread: float = 0.0) -> float:
    _flat(torus)
    _number("spread", spread)
    return float(np.prod(_edges(torus, intensity)))


def _edges(torus: Torus, intensity: float) -> np.ndarray:
    """Numbers of points along the edges."""
    edges = torus.sides * _number("intensity", intensity) ** (1 / torus.dim)
    counts = np.round(edges)
    for edge, count in zip(edges.tolist(), counts.tolist(), strict=True):
        if count < 1 or abs(edge - count) > 1e-6 * count:
            raise BadInput(
                f"a lattice needs a whole number of points along each edge; side and intensity give {edge:g}"
            )
    return counts


@process(flat=True, whole_side=True, holds=_lattice_points)
def lattice(torus: Torus, intensity: float = 1.0, *, rng: np.random.Generator) -> Pattern:
    """The cubic lattice of this intensity, shifted uniformly. All its nearest distances are tied up to rounding.

    Parameters
    ----------
    torus : Torus
    intensity : float, optional
        ValueError is raised unless side * intensity^(1/d) is a whole number of points along each edge.
    rng : NumPy generator or seed

    Returns
    -------
    Pattern

    Examples
    --------
    >>> points = pm.processes.lattice(pm.Torus(4.0, 1), rng=1).points.ravel()
    >>> np.diff(np.sort(points)).round(6)
    array([1., 1., 1.])
    """
    return Pattern(_lattice_sites(torus, intensity, rng), None, torus)


@process(flat=True, whole_side=True, holds=_lattice_points)
def perturbed_lattice(
    torus: Torus, intensity: float = 1.0, spread: float = 0.3, *, rng: np.random.Generator
) -> Pattern:
    """The shifted lattice with each point moved by an independent Gaussian.

    Parameters
    ----------
    torus : Torus
    intensity : float, optional
        As of lattice.
    spread : float, optional
        Standard deviation an axis.
    rng : NumPy generator or seed

    Returns
    -------
    Pattern

    Examples
    --------
    >>> len(pm.processes.perturbed_lattice(pm.Torus(10.0, 2), spread=0.1, rng=1))
    100
    """
    sites = _lattice_sites(torus, intensity, rng)
    return Pattern(torus.wrap(sites + rng.normal(0.0, _number("spread", spread), sites.shape)), None, torus)


def _thomas_points(torus: Torus, intensity: float, offspring: float, spread: float) -> float:
    _flat(torus)
    if _number("offspring", offspring) == 0:
        raise BadInput("offspring must be positive")
    expected = _number("intensity", intensity) * torus.volume
    _number("spread", spread)
    return max(expected / min(offspring, 1.0), offspring)  # parents, points, or those of one parent


@process(flat=True, holds=_thomas_points)
def thomas(
    torus: Torus,
    intensity: float = 1.0,
    offspring: float = 5.0,
    spread: float = 0.2,
    *,
    rng: np.random.Generator,
) -> Pattern:
    """The (modified) Thomas cluster process (Thomas 1949): parents form a Poisson process of intensity / offspring.

    Each has a Poisson number of points, displaced from it by a Gaussian; the parents are not kept.

    Parameters
    ----------
    torus : Torus
    intensity : float, optional
    offspring : float, optional
        The mean of that number.
    spread : float, optional
        Standard deviation an axis of the displacement.
    rng : NumPy generator or seed

    Returns
    -------
    Pattern

    Examples
    --------
    >>> pm.processes.thomas(pm.Torus(10.0, 2), offspring=20.0, rng=1)
    Pattern(155 points: 155 of color 0; Torus(side=10.0, dim=2))
    """
    _require(torus, _thomas_points(torus, intensity, offspring, spread))
    n_parents = rng.poisson(intensity / offspring * torus.volume)
    parents = uniform_points(torus.sides, [int(n_parents)], rng)
    sizes = rng.poisson(offspring, n_parents)
    points = np.repeat(parents, sizes, axis=0)
    points += rng.normal(0.0, spread, points.shape)
    return Pattern(torus.wrap(points), None, torus)


def _matern_proposals(torus: Torus, intensity: float, distance: float) -> float:
    _flat(torus)
    with np.errstate(over="ignore"):
        ball = float(torus.ball_volume(_number("distance", distance)))
    if _number("intensity", intensity) * ball >= 1:
        raise BadInput(
            f"a Matern II process with distance {distance:g} has intensity below {1 / ball:g}, not {intensity:g}"
        )
    if 2 * distance > torus.sides.min():
        raise BadInput(f"distance {distance:g} must be at most half the side {torus.sides.min():g}")
    return torus.volume * (-math.log1p(-intensity * ball) / ball if ball else intensity)


@process(flat=True, holds=_matern_proposals)
def matern(torus: Torus, intensity: float = 1.0, distance: float = 0.5, *, rng: np.random.Generator) -> Pattern:
    """The Matern type II hard-core process (Matern 1960) with this intensity.

    Poisson proposals carry independent marks, and one is kept if no proposal within `distance` has a smaller mark.

    Parameters
    ----------
    torus : Torus
    intensity : float, optional
        Times the volume of the ball of this radius it must be below 1: ValueError is raised if the process cannot be so dense.
    distance : float, optional
        No two points are closer.
    rng : NumPy generator or seed

    Returns
    -------
    Pattern

    Examples
    --------
    >>> pattern = pm.processes.matern(pm.Torus(10.0, 2), 0.5, distance=0.7, rng=1)
    >>> bool(pm.match(pattern).distance.min() >= 0.7)
    True
    """
    _require(torus, proposals := _matern_proposals(torus, intensity, distance))
    from scipy.spatial import cKDTree  # here, because its import takes longer than most processes

    points = uniform_points(torus.sides, [int(rng.poisson(proposals))], rng)
    mark = rng.random(len(points))
    close = cKDTree(points, boxsize=torus.side).query_pairs(distance, output_type="ndarray")
    keep = np.ones(len(points), dtype=bool)
    keep[np.where(mark[close[:, 0]] > mark[close[:, 1]], close[:, 0], close[:, 1])] = False
    return Pattern(points[keep], None, torus)


def _number(name: str, value: Any) -> float:
    return number(name, value, "a number from 0", 0.0, sys.float_info.max)


def _require(torus: Space, n: float) -> None:
    """Refuse more points than fit into memory, before one is drawn: coordinates twice, or a table of distances twice; where there is
    none, what the matching takes."""
    row = torus.dim if isinstance(torus, Torus) else n if torus.table else 4
    require_memory(16 * n * row, f"{n:.4g} points in {torus}")


def _space(torus: Space) -> None:
    if not isinstance(torus, Torus | MeanField):
        raise BadInput(f"this process lives on a Torus or in a MeanField, not on {quoted(torus)}")


def _flat(torus: Space) -> None:
    if not isinstance(torus, Torus):
        raise BadInput(f"this process lives on a Torus, not on {quoted(torus)}")


def _lattice_sites(torus: Torus, intensity: float, rng: np.random.Generator) -> np.ndarray:
    _require(torus, _lattice_points(torus, intensity))
    edges = zip(torus.sides, _edges(torus, intensity).astype(int), strict=True)
    axes = np.meshgrid(*[np.arange(count) * (side / count) for side, count in edges], indexing="ij")
    sites = np.stack([axis.ravel() for axis in axes], axis=1)
    return torus.wrap(sites + rng.random(torus.dim) * torus.side)
