"""What is known of a point process beside how it is drawn: an entry of PROCESSES."""

from __future__ import annotations

import functools
import inspect
import math
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..utils.errors import BadInput, quoted
from ..utils.validation import check_real, check_rng
from .pattern import Pattern
from .space import Geometry


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
    def of_this_session(self) -> bool:
        """Was it entered by a user, so that no other process of Python knows it?"""
        return self.draw.__module__.partition(".")[0] != __name__.partition(".")[0]

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
        self, space: Geometry, size: float, intensities: Sequence[float], rng: np.random.Generator, **parameters: Any
    ) -> Pattern:
        """Points with these intensities, or expected number, in the words of the process's own signature."""
        drawn = self.draw(space, **self._density(size, intensities), **parameters, rng=rng)
        return drawn if self.colored or len(intensities) == 1 else thinned(drawn, intensities, rng=rng)

    def counts(
        self, torus: Geometry, size: float, intensities: Sequence[float], parts: int, rng: np.random.Generator
    ) -> np.ndarray:
        """How many points of each color lie in each of `parts` equal parts of the torus, a power of two: (C, parts) int64."""
        assert self.split is not None, f"{self.name} cannot be drawn in parts"
        counts = self.split(torus, **self._density(size, intensities), parts=parts, rng=rng)
        if self.colored or len(intensities) == 1:
            return counts
        return rng.multinomial(counts[0], np.array(intensities) / sum(intensities)).T

    def held(self, space: Geometry, size: float, intensities: Sequence[float], **parameters: Any) -> float:
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


def process(draw: Callable[..., Any] | None = None, /, **kind: Any) -> Any:
    """Enter a function as a point process of studies: `@process`, or `@process(...)`. Its rng may be a seed.

    It gives a Pattern on the space that is its first argument, or an array of points there.

    Parameters
    ----------
    draw : callable
        The function; left out where words follow.
    **kind
        What is to be said of it, see Process.

    Examples
    --------
    >>> @pm.processes.process
    ... def corner(torus, intensity=1.0, *, rng):
    ...     return rng.random((rng.poisson(intensity * torus.volume), torus.dim)) ** 2 * torus.side
    >>> pm.processes.PROCESSES.pop("corner").name, len(corner(pm.Torus(10.0, 2), rng=1))
    ('corner', 100)
    """

    def enter(draw: Callable[..., Any]) -> Callable[..., Pattern]:
        @functools.wraps(draw)
        def drawn(space: Geometry, *arguments: Any, rng: Any, **named: Any) -> Pattern:
            found = draw(space, *arguments, rng=check_rng(rng), **named)
            return found if isinstance(found, Pattern) else Pattern(found, None, space)

        PROCESSES[draw.__name__] = Process(drawn, **kind)
        return drawn

    return enter if draw is None else enter(draw)


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
    shares = [from_zero("intensity", intensity) for intensity in np.atleast_1d(intensities).tolist()]
    if not (len(shares) <= 255 and 0 < sum(shares) < math.inf):
        raise BadInput(f"intensities must be numbers from 0, not all of them 0, not {quoted(intensities)}")
    bounds = np.cumsum(shares)
    colors = np.searchsorted(bounds[:-1] / bounds[-1], check_rng(rng).random(len(pattern)), side="right")
    order = np.argsort(colors, kind="stable")
    return Pattern(pattern.geometry.take(pattern.points, order), colors[order].astype(np.uint8), pattern.geometry)


def from_zero(name: str, value: Any) -> float:
    """A finite number from 0. Raises BadInput."""
    return check_real(name, value, "a number from 0", 0.0, sys.float_info.max)
