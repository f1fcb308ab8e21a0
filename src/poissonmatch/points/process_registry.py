"""The registry of point processes: how each is drawn, and its properties."""

from __future__ import annotations

import functools
import inspect
import math
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..utils.errors import BadInput, quoted
from ..utils.immutable import cached_property
from ..utils.registry import Registry
from ..utils.validation import check_real, check_rng
from .geometry import Geometry
from .pattern import Pattern, as_pattern

BELOW_PEAK = 0.75  # of the first peak of the structure factor of a lattice, up to which means over shells are known


@dataclass(frozen=True)
class Process:
    """A point process of studies: the function that draws it, and its properties.

    Parameters
    ----------
    draw : callable
        (space, parameters of the process, rng) -> Pattern.
    holds : callable, optional
        Function of the same arguments without rng that returns the expected number of points in
        memory while the process is drawn, if it exceeds that of the pattern. It raises BadInput for
        invalid parameters. By default the number of points in the pattern is used.
    colored : bool, default False
        Whether the process colors its points itself; otherwise they are colored by independent
        thinning.
    poisson : bool, default False
        Whether the points of each color are a Poisson process.
    uniform : bool, default False
        Whether the points are independent and uniform, so that the exact laws for Poisson processes
        hold in infinite volume.
    ergodic : bool, default True
        Whether the process is ergodic under translations, so that the exact laws for all such
        processes hold.
    split : callable, optional
        Function that returns the number of points of each color in each of `parts` equal parts of a
        torus, (C, parts), for tiles; the points in each part are uniform. Required for tiles only;
        by default there is none.
    flat : bool, default False
        Whether it needs coordinates, and so has no mean-field model.
    whole_side : bool, default False
        Whether it has an integer number of points along each edge of the torus.
    given : bool, default False
        Whether its points do not depend on the torus.
    structure_factor : callable, optional
        Function of the length of a wave vector, (n,), and of the parameters of the process, that
        returns the exact structure factor of its points; of a lattice, below its first peak.
    parts : tuple of Process, default ()
        The process of each color, if each color has its own.

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
    structure_factor: Callable[..., Any] | None = None
    parts: tuple[Process, ...] = ()

    def __call__(self, *arguments: Any, **keywords: Any) -> Pattern:
        """Draw the process."""
        return self.draw(*arguments, **keywords)

    @property
    def of_this_session(self) -> bool:
        """Whether a user registered it, so that other Python processes do not know it."""
        return self.draw.__module__.partition(".")[0] != __name__.partition(".")[0]

    @property
    def draws_counts_first(self) -> bool:
        """Whether `pattern` draws the numbers of points as `counts` does, and then uniform points."""
        return self.split is not None and not self.of_this_session

    @property
    def name(self) -> str:
        """Its name in studies, that of the function."""
        return self.draw.__name__

    @cached_property
    def _arguments(self) -> Mapping[str, inspect.Parameter]:
        return inspect.signature(self.draw).parameters

    @property
    def parameters(self) -> dict[str, float]:
        """Its parameters in studies, and their defaults."""
        return {key: p.default for key, p in self._arguments.items() if key not in ("torus", "rng", *DENSITIES)}

    @property
    def intensities(self) -> tuple[float, ...]:
        """The default intensities of the colors."""
        wanted = self._arguments.get("intensities")
        return tuple(wanted.default) if wanted else (1.0,)

    def size(self, size: float, dim: float, intensities: Sequence[float] = (1.0,)) -> float:
        """Return the possible expected number of points on a torus that is nearest to `size`.

        Parameters
        ----------
        size : float
            Requested expected number of points.
        dim : float
            Dimension.
        intensities : sequence of float, default (1.0,)
            Intensity of each color.

        Returns
        -------
        float
            Nearest possible expected number of points.
        """
        return float(max(1, round(size ** (1 / dim))) ** dim) if self.whole_side else size

    def pattern(
        self, space: Geometry, size: float, intensities: Sequence[float], rng: Any, **parameters: Any
    ) -> Pattern:
        """Return points with these intensities or this expected number, as the signature of the process demands.

        Parameters
        ----------
        space : Torus or another space
            Space of the points.
        size : float
            Expected number of points.
        intensities : sequence of float
            Intensity of each color.
        rng : numpy.random.Generator
            Source of the random numbers; a list with one for each color, if each has its own process.
        **parameters
            Parameters of the process.

        Returns
        -------
        Pattern
            The points.
        """
        drawn = self.draw(space, **self._density(size, intensities), **parameters, rng=rng)
        return drawn if self.colored or len(intensities) == 1 else thinned(drawn, intensities, rng=rng)

    def counts(
        self, torus: Geometry, size: float, intensities: Sequence[float], parts: int, rng: np.random.Generator
    ) -> np.ndarray:
        """Return the number of points of each color in each of `parts` equal parts of the torus.

        Parameters
        ----------
        torus : Torus
            Space of the points.
        size : float
            Expected number of points.
        intensities : sequence of float
            Intensity of each color.
        parts : int
            Number of parts, a power of two.
        rng : numpy.random.Generator
            Source of the random numbers.

        Returns
        -------
        (C, parts) int64
            Number of points of each color in each part.
        """
        assert self.split is not None, f"{self.name} cannot be drawn in parts"
        counts = self.split(torus, **self._density(size, intensities), parts=parts, rng=rng)
        if self.colored or len(intensities) == 1:
            return counts
        return rng.multinomial(counts[0], np.array(intensities) / sum(intensities)).T

    def held(self, space: Geometry, size: float, intensities: Sequence[float], **parameters: Any) -> float:
        """Return the expected number of points in memory during a call of `pattern`.

        Parameters
        ----------
        space : Torus or another space
            Space of the points.
        size : float
            Expected number of points.
        intensities : sequence of float
            Intensity of each color.
        **parameters
            Parameters of the process.

        Returns
        -------
        float
            Expected number of points.

        Raises
        ------
        ValueError
            If a parameter is invalid.
        """
        if self.holds is None:
            return size
        return self.holds(space, **self._density(size, intensities), **{**self.parameters, **parameters})

    def structure_factor_of_color(
        self, k: np.ndarray, dim: float, intensities: Sequence[float], color: int, **parameters: Any
    ) -> np.ndarray:
        """Return the exact structure factor of the points of a color, nan where it is not known.

        Parameters
        ----------
        k : ndarray
            Lengths of wave vectors.
        dim : float
            Dimension.
        intensities : sequence of float
            Intensity of each color.
        color : int
            Color of the points.
        **parameters
            Parameters of the process.

        Returns
        -------
        ndarray
            Structure factor at each k.
        """
        part, own = self.of_color(color, **parameters)
        if part.structure_factor is None:
            return np.full(np.shape(k), math.nan)
        exact = part.structure_factor(k, **{key: own.get(key, value) for key, value in part.parameters.items()})
        intensity = intensities[color]
        if not self.colored:  # each point has the color independently
            exact, intensity = 1 + intensity / sum(intensities) * (exact - 1), sum(intensities)
        peak = 2 * math.pi * intensity ** (1 / dim) if part.whole_side else math.inf
        return np.where(k < BELOW_PEAK * peak, exact, math.nan)

    def of_color(self, color: int, **parameters: Any) -> tuple[Process, dict[str, Any]]:
        """Return the process whose points have this color, and its parameters."""
        return self, parameters

    def _density(self, size: float, intensities: Sequence[float]) -> dict[str, Any]:
        of_colors = intensities if self.colored else (sum(intensities),)
        return {name: DENSITIES[name](size, of_colors) for name in DENSITIES if name in self._arguments}


# Parameters that determine the density of a process, and their values for a size and intensities of
# a study.
DENSITIES: dict[str, Callable[[float, Sequence[float]], Any]] = {
    "intensity": lambda size, intensities: intensities[0],
    "intensities": lambda size, intensities: intensities,
    "counts": lambda size, intensities: [round(size * i / sum(intensities)) for i in intensities],
}
PROCESSES = Registry("processes", reserved=["points"])  # the process of studies whose points come from files


def process(draw: Callable[..., Any] | None = None, /, **kind: Any) -> Any:
    """Register a function as a point process of studies.

    Use it as `@process` or `@process(...)`. The rng of the registered function may be a seed or None.

    The function returns a Pattern on the space that is its first argument, or an array of points
    there. A process that was registered earlier in this session is replaced; a process of the
    package is not.

    Parameters
    ----------
    draw : callable
        Function of a space, parameters and rng. Omitted if there are keyword arguments.
    **kind
        Properties of the process, see Process.

    Returns
    -------
    callable
        The function, unchanged; or a decorator, if only keyword arguments are given.

    Raises
    ------
    ValueError
        If the name of the function is that of a process of the package, or not an identifier.

    Examples
    --------
    >>> @pm.processes.process
    ... def corner(torus, intensity=1.0, *, rng):
    ...     return rng.random((rng.poisson(intensity * torus.volume), torus.dim)) ** 2 * torus.side
    >>> pm.processes.PROCESSES.pop("corner").name, len(corner(pm.Torus(10.0, 2), rng=1))
    ('corner', 100)
    """

    def enter(draw: Callable[..., Any]) -> Callable[..., Pattern]:
        signature = inspect.signature(draw)
        first = next(iter(signature.parameters), "")

        @functools.wraps(draw)
        def drawn(*arguments: Any, rng: Any = None, **keywords: Any) -> Pattern:
            result = draw(*arguments, rng=check_rng(rng), **keywords)
            space = arguments[0] if arguments else keywords[first]
            return result if isinstance(result, Pattern) else Pattern(result, None, space)

        optional = [
            p.replace(default=None, annotation="np.random.Generator | int | None") if p.name == "rng" else p
            for p in signature.parameters.values()
        ]
        drawn.__signature__ = signature.replace(parameters=optional)  # type: ignore[attr-defined]
        name = getattr(draw, "__name__", "")
        if name in PROCESSES and PROCESSES[name].of_this_session:
            del PROCESSES[name]
        PROCESSES[name] = Process(drawn, **kind)
        return drawn

    return enter if draw is None else enter(draw)


def thinned(pattern: Pattern, intensities: Sequence[float], *, rng: Any = None) -> Pattern:
    """Return a pattern with new, independent colors: color k with probability intensities[k] / sum.

    Points of color 0 come first, those of one color in their old order. The colors of a Poisson
    process are independent Poisson processes.

    Parameters
    ----------
    pattern : Pattern
        Points to color.
    intensities : sequence of float
        Weights of the colors: 1 to 255 numbers from 0, not all of them 0.
    rng : NumPy generator or seed, optional
        Source of the random numbers; equal seeds give equal points. By default it is unpredictable.

    Returns
    -------
    Pattern
        The same points, sorted by their new colors.

    Raises
    ------
    ValueError
        If the weights are invalid.

    Examples
    --------
    >>> lattice = pm.processes.lattice(pm.Torus(10.0, 2), rng=1)
    >>> pm.processes.thinned(lattice, (1.0, 3.0), rng=2)
    Pattern(100 points: 27 of color 0, 73 of color 1; Torus(side=10.0, dim=2))
    """
    shares = [from_zero("intensity", intensity) for intensity in np.atleast_1d(intensities).tolist()]
    if not (len(shares) <= 255 and 0 < sum(shares) < math.inf):
        raise BadInput(
            f"intensities must be nonnegative numbers, at least one of them positive, got {quoted(intensities)}"
        )
    bounds = np.cumsum(shares)
    colors = np.searchsorted(bounds[:-1] / bounds[-1], check_rng(rng).random(len(as_pattern(pattern))), side="right")
    order = np.argsort(colors, kind="stable")
    return Pattern(pattern.geometry.take(pattern.points, order), colors[order].astype(np.uint8), pattern.geometry)


def from_zero(name: str, value: Any) -> float:
    """Return a finite number from 0 as a float. Raises BadInput for any other value."""
    return check_real(name, value, "a nonnegative number", 0.0, sys.float_info.max)
