"""Warnings about a study before it runs: finite-size effects, long replicates and few data.

Finite-size effects are negligible if the tori of a study have enough unmatched points.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from ...matching.match import LONG
from ...points.processes import DENSITIES
from ...theory.finite_size import MIN_COUNT, MIN_UNMATCHED, SIZE_FACTOR, compared_size, rounded
from ..statistics.convergence import reference_color_of
from ..statistics.observables import measured
from ..tables.estimate_tables import INFINITE, ONE_REPLICATE
from . import cost, parameter_grid, stopping

if TYPE_CHECKING:
    from .schema import Study, StudyFile


def finite_size_warnings(file: StudyFile) -> Iterator[str]:
    """Yield a warning for each study and dimension whose largest tori are too small, with the number of points needed."""
    for name, study in file.by_rule:
        # Survivors are followed to scales at which none of the torus would be left; with a largest distance more are.
        if "octaves" in study.observables or study.max_distance is not None:
            continue
        for dim in study.dims:
            if not (colored := pairs_with_reds(study, dim)):
                continue
            pair, color = min(colored, key=lambda entry: entry[0][entry[1]] / entry[0][1 - entry[1]])
            if warning := _warning(study, dim, pair, color):
                yield f"{name}, d = {dim}, ratio {pair[1] / pair[0]:g}: {warning}"


def pairs_with_reds(study: Study, dim: float) -> list[tuple[tuple[float, ...], int]]:
    """Return the intensities of the cells with a reference color, and this color."""
    rule = study.rule_entry
    colors = [(pair, reference_color_of(rule, dim, pair)) for pair in study.intensity_pairs]
    return [(pair, color) for pair, color in colors if color is not None]


def _warning(study: Study, dim: float, pair: tuple[float, ...], color: int) -> str:
    largest, law = max(study.sizes_of(dim)), study.rule_entry.law
    fraction = law.unmatched(dim, pair, color)
    is_bound = math.isnan(fraction)  # fewer are left in higher dimensions, by all that was measured
    unmatched = (law.unmatched(1, pair, color) if is_bound else fraction) * largest * pair[color] / sum(pair)
    if unmatched >= MIN_UNMATCHED:
        return ""
    or_fewer, or_more = (words * is_bound for words in (" or fewer", " or more"))
    found = f"{unmatched:.2g} unmatched red points per torus{or_fewer}, at least {MIN_UNMATCHED:g} needed"
    needed = f"about {rounded(largest * MIN_UNMATCHED / unmatched):.3g} points{or_more} are needed"
    return f"finite-size warning: {found}; {needed}"


def not_tested(file: StudyFile) -> Iterator[str]:
    """Yield a remark that names all sizes that are compared with no other size, with the size that is missing."""
    missing = []
    for name, study in file.by_rule:
        if study.most_replicates == 1:  # without an error nothing is compared
            continue
        dims_of_sizes: dict[tuple[float, ...], list[str]] = {}
        for dim in study.dims if "octaves" not in study.observables else ():
            if pairs_with_reds(study, dim) and (alone := _alone(study.sizes_of(dim))):
                dims_of_sizes.setdefault(alone, []).append(f"{dim}")
        for sizes, dims in dims_of_sizes.items():
            numbers = " and ".join(f"{size:,.0f}" for size in sizes)
            where = f"{name} in d = {', '.join(dims)} for {numbers} points"
            missing.append(f"{where} (add a size of at most {sizes[-1] / SIZE_FACTOR:,.0f})")
    if missing:
        yield f"size_converged will be null, since no size is small enough to compare with: {'; '.join(missing)}"


def _alone(sizes: Sequence[float]) -> tuple[float, ...]:
    """Return the sizes, in order, that are compared with no other size."""
    compared = {size: compared_size(np.array(sizes), size) for size in sizes}
    return tuple(sorted(size for size in sizes if math.isnan(compared[size]) and size not in compared.values()))


def long_replicates(file: StudyFile) -> Iterator[str]:
    """Yield a warning for each study and dimension in which a replicate is predicted to take more than an hour."""
    for name, study in file.by_rule:
        for dim in study.dims:
            size = max(study.sizes_of(dim))
            seconds = cost.replicate_seconds(dim, size, study.rule, measured(study.observables))
            if seconds > LONG:
                yield f"{name}, d = {dim}: one replicate of {size:.12g} points takes about {seconds / 3600:.2g} hours on a core of 2.5 GHz"


def few_data(file: StudyFile) -> Iterator[str]:
    """Yield a warning for each study whose estimates will have no error, no row, or no limit."""
    for name, study in file.by_rule:
        replicates = study.most_replicates
        if replicates == 1 and any(observable != "realization" for observable in study.observables):
            yield f"{name}: {ONE_REPLICATE}; at least 2 are needed"
        points = replicates * max(size for dim in study.dims for size in study.sizes_of(dim))
        if points < 2 * MIN_COUNT and "distances" in measured(study.observables):
            yield f"{name}: {points:.12g} points in all, so no tail, exponent or quantile has a row; at least {2 * MIN_COUNT} are needed"
        cells = parameter_grid.corners(study) if study.target_rel_se else []
        for dim in dict.fromkeys(cell.dim for cell in cells if stopping.mean_is_infinite(cell)):
            yield f"{name}, d = {dim}: target_rel_se has no meaning, since the mean partner distance is {INFINITE}"


def odd_numbers(file: StudyFile) -> Iterator[str]:
    """Yield a remark for each study of a fixed odd number of points, of which a rule such as fussy leaves one more unmatched."""
    for name, study in file.by_rule:
        counted = "counts" in study.process.entry._density(1.0, (1.0, 1.0))
        if study.rule_entry.reference_color is None or not counted:
            continue
        for size in study.sizes or []:
            if any(sum(DENSITIES["counts"](size, pair)) % 2 for pair in study.intensity_pairs):
                yield f"studies.{name}.sizes: {size:.12g} is an odd number of points, which leaves one more point unmatched: choose an even one"
                break
