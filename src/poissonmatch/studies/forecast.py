"""What is to be expected of the tori of a study before there are any: whether the share of unmatched reds can be trusted."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..points.processes import DENSITIES
from ..rules.catalogue import rule_named
from ..statistics.finite_size import judged_color
from ..theory.finite_size import EIGHTH, LEAST_LEFT, is_eighth, rounded
from . import parameter_grid

if TYPE_CHECKING:
    from .schema import Study, StudyFile


def untrusted(file: StudyFile) -> Iterator[str]:
    """Of each study and dimension, whether the largest tori with the fewest reds will be too small, and how many points it would take."""
    for name, study in file.studies.items():
        rule, pairs = rule_named(study.rule), parameter_grid.intensity_pairs(study)
        for dim in study.dims:
            asked = [(judged, pair) for pair in pairs if (judged := judged_color(rule, dim, pair)) is not None]
            if not asked:
                continue
            judged, pair = min(asked, key=lambda found: found[1][found[0]] / found[1][1 - found[0]])
            if said := _said(study, dim, pair, judged):
                yield f"{name}, d = {dim}, ratio {pair[1] / pair[0]:g}: {said}"


def _said(study: Study, dim: float, pair: tuple[float, ...], judged: int) -> str:
    sizes = parameter_grid.sizes_of(study, dim)
    largest, said, takes = max(sizes), [], math.nan
    law = rule_named(study.rule).law
    known = law.unmatched(dim, pair, judged)
    more = math.isnan(known)  # fewer are left in higher dimensions, by all that was measured
    left = (law.unmatched(1, pair, judged) if more else known) * largest * pair[judged] / sum(pair)
    if left < LEAST_LEFT:
        takes = largest * LEAST_LEFT / left
        said.append(f"{left:.2g} unmatched reds on a torus{' or fewer' * more}, and not {LEAST_LEFT:g}")
    if not any(is_eighth(size, largest) for size in sizes):
        said.append(f"no cell of {largest / EIGHTH:.12g} points is beside it")
    if not said:
        return ""
    needs = "" if math.isnan(takes) else f"; it would take about {rounded(takes):.3g} points{' or more' * more}"
    return f"u cannot be trusted ({'; '.join(said)}){needs}"


def odd_numbers(file: StudyFile) -> Iterator[str]:
    """Studies of fixed numbers of points of which a rule like fussy leaves one more, because they are odd in all."""
    for name, study in file.studies.items():
        if rule_named(study.rule).judged is None or "counts" not in study.process.entry._density(1.0, (1.0, 1.0)):
            continue
        for size in study.sizes:
            if any(sum(DENSITIES["counts"](size, pair)) % 2 for pair in parameter_grid.intensity_pairs(study)):
                yield f"studies.{name}.sizes: {size:.12g} points are an odd number of them, of which one more is left: take an even one"
                break
