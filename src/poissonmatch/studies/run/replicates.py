"""Matchings of independent patterns of a process, as a study with the same seed makes them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from ...matching.match import match, match_sets
from ...matching.matching import Matching
from ...points.geometry import Geometry
from ...points.pattern import Pattern
from ...points.processes import PROCESSES
from ...points.sphere import Sphere
from ...rules.catalogue import rule_named
from ...rules.rule import Rule
from ...utils.errors import BadInput, quoted
from ...utils.validation import check_array, checked
from ..sampling.cells import Cell
from ..sampling.sources import StudyFolder
from ..study_files import parameter_grid
from .sweep import of_keywords


def replicates(
    process: str | Mapping[str, Any] | Sequence[str | Mapping[str, Any]],
    torus: Geometry,
    rule: str | Rule = "one-color",
    n: int = 1,
    seed: int = 1,
    *,
    intensities: Iterable[float] | None = None,
    allow_import: bool = False,
) -> Iterator[Matching]:
    """Yield the matchings of n independent patterns of a process: those of a study with this seed.

    Parameters
    ----------
    process : str, dict or list
        As in a study file, a name or a mapping of name and parameters, or a list of one for each color.
    torus : Torus, Box, Sphere or MeanField
        The space of the points.
    rule : str or Rule, optional
        As for `match`, by default "one-color".
    n : int, optional
        Number of replicates, by default 1.
    seed : int, optional
        Root seed, by default 1; the points also depend on the process and the number of the
        replicate.
    intensities : sequence of float, optional
        Expected number of points of each color per unit volume; by default that of the process.
    allow_import : bool, optional
        Import the function that the process names, by default False.

    Yields
    ------
    Matching
        The matching of each replicate, with its pattern, in the order of the replicates.

    Raises
    ------
    BadInput
        A ValueError, if the arguments are not valid in a study.

    Examples
    --------
    >>> [len(matching) for matching in pm.replicates("poisson", pm.Torus(10.0, 2), n=4, seed=1)]
    [54, 46, 47, 45]
    """
    cell, matched_by = _cell(process, torus, n, seed, intensities, allow_import), rule_named(rule)
    if cell.is_joined and cell.draws_counts_first and not matched_by.excludes_by_index:
        for together in cell.joined(range(n), matched_by.width):
            yield from match_sets(*cell.joined_points(together), rule).matchings()
    else:
        yield from (match(cell.pattern(k), rule, capacity=cell.capacity(k)) for k in range(n))


def patterns(
    process: str | Mapping[str, Any] | Sequence[str | Mapping[str, Any]],
    torus: Geometry,
    n: int = 1,
    seed: int = 1,
    *,
    intensities: Iterable[float] | None = None,
    allow_import: bool = False,
) -> Iterator[Pattern]:
    """Return an iterator over the patterns that `replicates` matches."""
    cell = _cell(process, torus, n, seed, intensities, allow_import)
    return (cell.pattern(k) for k in range(n))


@checked(seed=(0, 2**128 - 1))
def _cell(
    process: str | Mapping[str, Any] | Sequence[str | Mapping[str, Any]],
    torus: Geometry,
    n: int,
    seed: int,
    intensities: Iterable[float] | None,
    allow_import: bool,
) -> Cell:
    """Return the cell of a study with these patterns."""
    if not isinstance(process, str | Mapping | list | tuple):
        raise BadInput(f"process must be a name, a mapping or a list, as in a study, got {quoted(process)}")
    if not torus.in_studies:
        raise BadInput(
            f"replicates are those of a study, in a sphere, or in a torus or a box whose corner is 0; not in {torus}"
        )
    name = process.get("name") if isinstance(process, Mapping) else process
    colors = len(process) if isinstance(process, list | tuple) else 1
    own = PROCESSES[name].intensities if isinstance(name, str) and name in PROCESSES else (1.0,) * colors
    values = own if intensities is None else np.atleast_1d(check_array("intensities", intensities, "fiu", "numbers"))
    per_color = [float(i) for i in values]
    if not per_color:
        raise BadInput(f"intensities must be one number for each color, got {quoted(intensities)}")
    extent: dict[str, Any] = {"sizes": torus.volume * sum(per_color)}
    if isinstance(torus, Sphere):
        extent = {"radius": torus.radius}
    elif isinstance(torus.side, tuple):
        extent = {"side": list(torus.side)}
    study = {
        "process": process,
        "dims": torus.dim,
        **({"geometry": torus.name} if torus.has_coordinates else {}),
        **extent,
        "intensities": [per_color if len(per_color) > 1 else per_color[0]],
        "replicates": n,
    }
    if colors > 1:  # any rule with this number of colors gives the same points
        study["rule"] = {"compatible": (~np.eye(colors, dtype=bool)).tolist()}
    (cell,) = parameter_grid.cells(of_keywords(study, seed, StudyFolder(os.getcwd(), allow_import), "replicates"))
    return cell
