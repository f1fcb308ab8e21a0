"""Point processes: (space, parameters, rng) -> Pattern. The only randomness in the package.

Intensities are expected points per unit volume. Counts are Poisson where the process says so, never rounded means. Points of
color 0 come first. The same generator state gives the same bytes on every machine.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from .geometry import MeanField, Pattern, Torus, unit_ball_volume
from .memory import require_memory

Space = Torus | MeanField


def poisson(torus: Space, intensity: float = 1.0, *, rng: np.random.Generator) -> Pattern:
    """A Poisson process: a Poisson number of points with mean intensity * volume, independent and uniform."""
    return two_color(torus, (intensity,), rng=rng)


def two_color(torus: Space, intensities: Sequence[float] = (1.0, 1.0), *, rng: np.random.Generator) -> Pattern:
    """Independent Poisson processes, one for each color (Deijfen, Holroyd, Martin 2016, Thm 8)."""
    means = [_number("intensity", intensity) * torus.volume for intensity in intensities]
    _require(torus, sum(means))
    return binomial(torus, [int(rng.poisson(mean)) for mean in means], rng=rng)


def binomial(torus: Space, counts: int | Sequence[int], *, rng: np.random.Generator) -> Pattern:
    """A fixed number of independent uniform points, or a fixed number of each color."""
    numbers = np.atleast_1d(np.asarray(counts))
    if numbers.ndim != 1 or numbers.dtype.kind not in "iu" or (numbers < 0).any() or not 1 <= len(numbers) <= 255:
        raise ValueError(f"counts must be whole numbers from 0, one for each color, not {counts!r}")
    n = int(numbers.sum())
    _require(torus, n)
    colors = np.repeat(np.arange(len(numbers), dtype=np.uint8), numbers)
    if isinstance(torus, MeanField):
        points = np.zeros((n, n))
        for i in range(n):
            points[i, i + 1 :] = rng.exponential(torus.volume, n - 1 - i)
        points += points.T
    else:
        points = rng.random((n, torus.dim))
        points *= torus.side
    return _pattern(points, colors, torus)


def lattice(torus: Torus, intensity: float = 1.0, *, rng: np.random.Generator) -> Pattern:
    """The cubic lattice of this intensity, shifted uniformly. All its nearest distances are tied up to rounding.

    Raises ValueError unless side * intensity^(1/d) is a whole number of points along each edge.
    """
    return _pattern(_lattice_sites(torus, intensity, rng), None, torus)


def perturbed_lattice(
    torus: Torus, intensity: float = 1.0, spread: float = 0.3, *, rng: np.random.Generator
) -> Pattern:
    """The shifted lattice with each point moved by an independent Gaussian of standard deviation `spread` an axis."""
    sites = _lattice_sites(torus, intensity, rng)
    return _pattern(torus.wrap(sites + rng.normal(0.0, _number("spread", spread), sites.shape)), None, torus)


def thomas(
    torus: Torus,
    intensity: float = 1.0,
    offspring: float = 5.0,
    spread: float = 0.2,
    *,
    rng: np.random.Generator,
) -> Pattern:
    """The (modified) Thomas cluster process (Thomas 1949): parents form a Poisson process of intensity / offspring.

    Each has a Poisson number of points with mean `offspring`, displaced from it by a Gaussian of standard deviation
    `spread` an axis; the parents are not kept.
    """
    _flat(torus)
    if _number("offspring", offspring) == 0:
        raise ValueError("offspring must be positive")
    _require(torus, intensity * torus.volume)
    n_parents = rng.poisson(_number("intensity", intensity) / offspring * torus.volume)
    parents = rng.random((n_parents, torus.dim)) * torus.side
    sizes = rng.poisson(offspring, n_parents)
    points = np.repeat(parents, sizes, axis=0)
    points += rng.normal(0.0, _number("spread", spread), points.shape)
    return _pattern(torus.wrap(points), None, torus)


def matern(torus: Torus, intensity: float = 1.0, distance: float = 0.5, *, rng: np.random.Generator) -> Pattern:
    """The Matern type II hard-core process (Matern 1960) with this intensity, no two points closer than `distance`.

    Poisson proposals carry independent marks, and one is kept if no proposal within `distance` has a smaller mark. Raises
    ValueError if the process cannot be so dense: intensity * (volume of the ball) must be below 1.
    """
    _flat(torus)
    ball = unit_ball_volume(torus.dim) * _number("distance", distance) ** torus.dim
    if _number("intensity", intensity) * ball >= 1:
        raise ValueError(
            f"a Matern II process with distance {distance:g} has intensity below {1 / ball:g}, not {intensity:g}"
        )
    if 2 * distance > torus.side:
        raise ValueError(f"distance {distance:g} must be at most half the side {torus.side:g}")
    _require(torus, intensity * torus.volume)
    proposed = -math.log1p(-intensity * ball) / ball if ball else intensity
    from scipy.spatial import cKDTree  # here, because its import takes longer than most processes

    points = rng.random((rng.poisson(proposed * torus.volume), torus.dim)) * torus.side
    mark = rng.random(len(points))
    close = cKDTree(points, boxsize=torus.side).query_pairs(distance, output_type="ndarray")
    keep = np.ones(len(points), dtype=bool)
    keep[np.where(mark[close[:, 0]] > mark[close[:, 1]], close[:, 0], close[:, 1])] = False
    return _pattern(points[keep], None, torus)


PROCESSES: dict[str, Callable[..., Pattern]] = {
    f.__name__: f for f in (poisson, two_color, binomial, lattice, perturbed_lattice, thomas, matern)
}


def parameters(name: str) -> dict[str, Any]:
    """The parameters of a process and their defaults."""
    signature = inspect.signature(PROCESSES[name]).parameters
    return {key: p.default for key, p in signature.items() if key not in ("torus", "rng")}


def _number(name: str, value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float | np.number) or not 0 <= value < math.inf:
        raise ValueError(f"{name} must be a number from 0, not {value!r}")
    return float(value)


def _require(torus: Space, n: float) -> None:
    """Refuse more points than fit into memory, before one is drawn: coordinates twice, or a table of distances twice."""
    row = n if isinstance(torus, MeanField) else torus.dim
    require_memory(16 * n * row, f"{n:.4g} points in {torus}")


def _flat(torus: Space) -> None:
    if not isinstance(torus, Torus):
        raise ValueError(f"this process lives on a Torus, not on {torus!r}")


def _lattice_sites(torus: Torus, intensity: float, rng: np.random.Generator) -> np.ndarray:
    _flat(torus)
    edge = torus.side * _number("intensity", intensity) ** (1 / torus.dim)
    count = round(edge)
    if count < 1 or abs(edge - count) > 1e-6 * count:
        raise ValueError(f"a lattice needs a whole number of points along each edge; side and intensity give {edge:g}")
    _require(torus, float(count) ** torus.dim)
    axes = np.meshgrid(*[np.arange(count) * (torus.side / count)] * torus.dim, indexing="ij")
    sites = np.stack([axis.ravel() for axis in axes], axis=1)
    return torus.wrap(sites + rng.random(torus.dim) * torus.side)


def _pattern(points: np.ndarray, colors: np.ndarray | None, torus: Space) -> Pattern:
    points.setflags(write=False)  # so that the pattern need not copy
    return Pattern(points, colors, torus)
