"""Points of several colors, those of each color from a process of their own."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from ..utils.errors import BadInput, nearest, quoted
from ..utils.validation import check_rng, checked
from .geometry import Geometry
from .pattern import Pattern
from .process_registry import PROCESSES, Process, from_zero

JOIN = "+"  # between the names of the processes in the name of a mixed process


@dataclass(frozen=True)
class MixedProcess(Process):
    """A process for each color. A parameter of the process of color k has the ending _k."""

    def size(self, size: float, dim: float, intensities: Sequence[float] = (1.0,)) -> float:
        """Return the nearest expected number of points at which the first lattice fits the torus."""
        for part, intensity in zip(self.parts, intensities, strict=False):
            if part.whole_side and intensity:
                share = intensity / sum(intensities)
                return part.size(size * share, dim) / share
        return size

    def pattern(
        self,
        space: Geometry,
        size: float,
        intensities: Sequence[float],
        rng: Any,
        **parameters: Any,
    ) -> Pattern:
        """Return the points of all colors. rng: one, from which that of each color is spawned, or one for each color."""
        rngs = rng.spawn(len(self.parts)) if isinstance(rng, np.random.Generator) else rng
        patterns = []
        for color, (intensity, of_color) in enumerate(zip(intensities, rngs, strict=True)):
            if intensity:
                part, own = self.of_color(color, **parameters)
                drawn = part.pattern(space, intensity * space.volume, (intensity,), of_color, **own)
                patterns.append((color, drawn.points))
        colors = np.repeat([color for color, _ in patterns], [len(points) for _, points in patterns])
        points = np.concatenate([points for _, points in patterns]) if patterns else np.empty((0, int(space.dim)))
        return Pattern(points, colors.astype(np.uint8), space)

    def of_color(self, color: int, **parameters: Any) -> tuple[Process, dict[str, Any]]:
        """Return the process whose points have this color, and its parameters."""
        end = f"_{color}"
        return self.parts[color], {key.removesuffix(end): v for key, v in parameters.items() if key.endswith(end)}

    def held(self, space: Geometry, size: float, intensities: Sequence[float], **parameters: Any) -> float:
        """Return the expected number of points in memory while the points are drawn."""
        held = 0.0
        for color, intensity in enumerate(intensities):
            part, own = self.of_color(color, **parameters)
            held += part.held(space, intensity * space.volume, (intensity,), **own) if intensity else 0.0
        return held


@checked()
def process_named(name: str) -> Process:
    """Return the process of studies with a name.

    Parameters
    ----------
    name : str
        Name of a process, or those of the processes of all colors, joined by "+".

    Returns
    -------
    Process
        The process. If it is mixed, a parameter of the process of color k has the ending _k.

    Raises
    ------
    ValueError
        If a process is not known.

    Examples
    --------
    >>> pm.processes.process_named("perturbed_lattice+poisson").parameters
    {'spread_0': 0.3}
    """
    for part in (names := name.split(JOIN)):
        if part not in PROCESSES:
            raise BadInput(f"{quoted(part)} is not known here{nearest(part, [*PROCESSES])}")
    return _mixed(name, tuple(PROCESSES[part] for part in names)) if len(names) > 1 else PROCESSES[name]


@lru_cache
def _mixed(name: str, parts: tuple[Process, ...]) -> MixedProcess:
    """Return the process with this name and these processes of the colors."""

    def draw(torus: Geometry, intensities: Sequence[float], *, rng: np.random.Generator, **parameters: Any) -> Pattern:
        return process.pattern(torus, 0.0, intensities, rng, **parameters)

    draw.__name__ = name
    draw.__module__ = next((part.draw.__module__ for part in parts if part.of_this_session), __name__)
    torus, intensities, rng = [*inspect.signature(draw).parameters.values()][:3]
    first = [torus, intensities.replace(default=(1.0,) * len(parts)), rng]
    own = [
        inspect.Parameter(f"{key}_{color}", inspect.Parameter.KEYWORD_ONLY, default=default)
        for color, part in enumerate(parts)
        for key, default in part.parameters.items()
    ]
    draw.__signature__ = inspect.Signature([*first, *own])  # type: ignore[attr-defined]
    process = MixedProcess(
        draw,
        colored=True,
        flat=True,
        parts=parts,
        whole_side=any(part.whole_side for part in parts),
        poisson=all(part.poisson for part in parts),
        uniform=all(part.uniform for part in parts),
        ergodic=all(part.ergodic for part in parts),
    )
    return process


@checked()
def mixed(
    torus: Geometry,
    processes: Sequence[str | Mapping[str, Any]],
    intensities: Sequence[float] | None = None,
    *,
    rng: Any = None,
) -> Pattern:
    """Return points of several colors, those of each color from a process of its own.

    The points of a color do not depend on the processes of the other colors.

    Parameters
    ----------
    torus : Torus or another space with coordinates
        Space of the points.
    processes : sequence of str or mapping
        Process of each color: its name, or a mapping with the key "name" and its parameters.
    intensities : sequence of float, optional
        Expected number of points of each color per unit volume, by default 1 each.
    rng : NumPy generator or seed, optional
        Source of the random numbers; equal seeds give equal points. By default it is unpredictable.

    Returns
    -------
    Pattern
        Points on the torus, those of color 0 first.

    Raises
    ------
    ValueError
        If a process is not known or cannot be drawn on the torus, or there are not as many
        intensities as processes.

    Examples
    --------
    >>> pm.processes.mixed(pm.Torus(10.0, 2), ("lattice", "poisson"), (1.0, 1.5), rng=1)
    Pattern(249 points: 100 of color 0, 149 of color 1; Torus(side=10.0, dim=2))
    """
    if isinstance(processes, str | Mapping) or not 1 <= len(processes) <= 255:
        raise BadInput(f"processes must be a list of 1 to 255 processes, one for each color, got {quoted(processes)}")
    specs = [{"name": each} if isinstance(each, str) else dict(each) for each in processes]
    shares = [1.0] * len(specs) if intensities is None else [from_zero("intensity", i) for i in intensities]
    if len(shares) != len(specs):
        raise BadInput(f"there are {len(specs)} processes and {len(shares)} intensities; each color needs one of both")
    names = tuple(str(spec.pop("name", "")) for spec in specs)
    process = _mixed(JOIN.join(names), tuple(process_named(name) for name in names))
    parameters = {f"{key}_{color}": value for color, spec in enumerate(specs) for key, value in spec.items()}
    if unknown := sorted(set(parameters) - set(process.parameters)):
        raise BadInput(
            f"the process of color {unknown[0].rpartition('_')[2]} has no parameter {unknown[0].rpartition('_')[0]}"
        )
    return process.pattern(torus, 0.0, shares, check_rng(rng), **parameters)
