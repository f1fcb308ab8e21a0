"""The observables that a study may ask for, one entry each: what is measured, into which table, and what is estimated.

The schema of studies, the tables of a block, the estimates, the report and the table of quantities in results/README.md
all come from these entries. A new observable is a measure (measures.py) and an entry here.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

import numpy as np

from ..matching.match import match
from ..matching.matching import Matching
from ..points.pattern import Pattern
from ..points.uniform import drawn_by
from ..sampling.cells import Cell
from ..tables.tables import DISTANCES, RATIOS, REALIZATIONS, REPLICATES, cell_columns
from . import estimators, flow, locality, measures, observable_checks, responses, survivor_pairs
from .estimators import Estimate, Sample
from .measures import Columns
from .quantities import Observable, Quantity
from .sums import sums_in_tiles, sums_of

if TYPE_CHECKING:
    import pandas as pd


def _unmatched(sample: Sample, estimate: Estimate) -> float:
    law = sample.rule.law
    known = sample.process.uniform or (sample.process.ergodic and not law.poisson_only)
    return law.unmatched(sample.dim, sample.intensities, estimate.color) if known else math.nan


def _unmatched_density(sample: Sample, estimate: Estimate) -> float:
    return _unmatched(sample, estimate) * sample.intensities[estimate.color]


def _log_inverse_unmatched(sample: Sample, estimate: Estimate) -> float:
    exact = _unmatched(sample, estimate)
    return -np.log(exact) if exact > 0 else math.nan


def _tail(sample: Sample, estimate: Estimate) -> np.ndarray | float:
    if not sample.process.uniform:
        return math.nan
    return sample.rule.law.tail(estimate.x, sample.dim, sample.intensities, estimate.color, estimate.order)


def _alice_wins(sample: Sample, estimate: Estimate) -> float:
    return sample.rule.law.alice_wins(sample.means) if sample.process.poisson else math.nan


OBSERVABLES: dict[str, Observable] = {
    o.name: o
    for o in (
        Observable(
            "unmatched",
            REPLICATES,
            measures.moments,
            (
                Quantity(
                    "unmatched_fraction",
                    "share of the points of the color that are unmatched",
                    "share",
                    exact=_unmatched,
                ),
                Quantity(
                    "unmatched_density",
                    "unmatched points of the color per unit volume",
                    "mean",
                    exact=_unmatched_density,
                ),
                Quantity(
                    "log_inverse_unmatched",
                    "ln(1/u), u the unmatched fraction; no row where u is 0",
                    "real",
                    curve=True,
                    exact=_log_inverse_unmatched,
                ),
                Quantity(
                    "size_converged",
                    "1 if the unmatched fraction of the reference color of the rule (red) can be taken for that of infinite "
                    "volume, else 0: at least 15 of them are unmatched on a torus, none of the other color on any, the longest pair is "
                    "below a quarter of the side (d = 1: a fifth), and a torus of an eighth of the points has the same fraction",
                    "share",
                ),
                Quantity(
                    "mean_distance",
                    "mean partner distance of the matched points; in d = 1 it grows with the torus, E X being infinite",
                    "mean",
                ),
            ),
            estimators.unmatched,
            observable_checks.moments,
            always=True,
            bytes=300,
            summed=True,
        ),
        Observable(
            "distances",
            DISTANCES,
            measures.histogram,
            (
                Quantity(
                    "tail",
                    "P(X > r), X the partner distance, inf if unmatched",
                    "share",
                    x="r",
                    cut="x",
                    curve=True,
                    exact=_tail,
                ),
                Quantity(
                    "scaled_tail",
                    "(expected number of points of all colors in a ball of radius r) P(X > r)",
                    "mean",
                    x="r",
                    cut="x",
                    curve=True,
                    exact=lambda sample, estimate: sample.ball_points(estimate.x) * _tail(sample, estimate),
                ),
                Quantity(
                    "tail_exponent",
                    "local exponent d log P(X > r) / d log r, over a fifth of a decade",
                    "real",
                    x="r",
                    cut="x",
                    curve=True,
                ),
                Quantity("quantile", "the r with P(X > r) = 1 - q", "mean", x="q", cut="value"),
                *flow.QUANTITIES,
            ),
            flow.of_distances,
            observable_checks.histogram,
            bytes=900,
            summed=True,
        ),
        Observable(
            "realization",
            REALIZATIONS,
            measures.realization,
            laws=observable_checks.realization,
            first_only=True,
            flat=True,
            bytes_per_point=60,
            memory_per_point=500,
        ),
        Observable(
            "winner",
            RATIOS,
            measures.winner,
            (
                Quantity(
                    "alice_wins",
                    "share of the tori on which Alice wins the game that the rule solves: friendly (one-color), "
                    "colored-points (two-color), fussy, misere, stones(k) (multi(k + 1))",
                    "proportion",
                    exact=_alice_wins,
                ),
                Quantity(
                    "incomplete_fraction", "share of the points with room for another partner", "share", of_points=True
                ),
                Quantity(
                    "n_unmatched",
                    "share of the tori with just so many points that have room",
                    "proportion",
                    x="0, 1, 2",
                ),
            ),
            laws=observable_checks.winner,
            room=True,
        ),
        Observable(
            "desirers",
            RATIOS,
            measures.desirers,
            (
                Quantity(
                    "desirers",
                    "mean number of points within r that desire a point: that it may be matched to and that are no "
                    "farther from it than from their partners",
                    "mean",
                    x="r",
                    curve=True,
                    of_points=True,
                    at=lambda space: measures.radii_of(space.cutoff),
                ),
            ),
            room=True,
            table_of_pairs=True,
        ),
        Observable(
            "response",
            RATIOS,
            responses.measure,
            (
                Quantity(
                    "response",
                    "Y(V) = P(X <= r < X') / P(X > r), X the partner distance, X' that after the pair of the point, and no other, is "
                    "forbidden; V is the expected number of points within r",
                    "mean",
                    x="V",
                    curve=True,
                    exact=responses.exact,
                    at=responses.volumes_of,
                ),
                Quantity(
                    "response_slope",
                    "dY/d ln V, as (Y(2 V) - Y(V / 2)) / ln 4",
                    "real",
                    x="V",
                    curve=True,
                    exact=responses.exact_slope,
                ),
            ),
            responses.estimates,
            responses.laws,
            flat=True,
            torus=True,
            unfit=responses.unfit,
            bytes=1500,
            memory_per_point=responses.BYTES,
            microseconds=responses.microseconds,
        ),
        Observable(
            "survivor_pairs",
            RATIOS,
            survivor_pairs.measure,
            (
                Quantity(
                    "survivor_pairs",
                    "N(r), the mean number of reds (points of color 1, which may not be matched to each other) with X > r within r of one "
                    "with X > r; V is the expected number of greens within r",
                    "mean",
                    x="V",
                    curve=True,
                    at=survivor_pairs.grid,
                ),
            ),
            flow.survivor_pairs,
            survivor_pairs.laws,
            flat=True,
            torus=True,
            unfit=survivor_pairs.unfit,
            most_points=survivor_pairs.MOST_POINTS,
            bytes=1000,
            memory_per_point=survivor_pairs.BYTES,
            microseconds=survivor_pairs.microseconds,
        ),
        Observable(
            "components",
            RATIOS,
            measures.component_fractions,
            (
                Quantity(
                    "largest_component",
                    "share of the points in the largest component of the matching as a graph",
                    "share",
                    of_points=True,
                ),
                Quantity("second_component", "share of the points in the second largest", "share", of_points=True),
                Quantity("components", "number of components per point", "share", of_points=True),
            ),
            laws=observable_checks.component_fractions,
        ),
        *locality.ENTRIES,
    )
}


def measured(names: Iterable[str]) -> tuple[str, ...]:
    """The observables that are measured where these are listed: sorted, once each, and those that always are."""
    return tuple(sorted({*names, *(o.name for o in OBSERVABLES.values() if o.always)}))


def needs_table(names: Iterable[str]) -> bool:
    """Does one of these observables need the table of distances of a mean-field pattern?"""
    return any(OBSERVABLES[name].table_of_pairs for name in names)


def tables_of(names: Iterable[str], first: int) -> set[str]:
    """Names of the tables of a block that begins with replicate `first`."""
    observables = [OBSERVABLES[name] for name in measured(names)]
    return {o.table.name for o in observables if first == 0 or not o.first_only}


def quantities() -> dict[str, Quantity]:
    """All quantities by name, in the order of the entries."""
    return {q.name: q for o in OBSERVABLES.values() for q in o.quantities}


def markdown() -> str:
    """The table of quantities, for results/README.md."""
    rows = [f"| `{q.name}` | {q.x} | {q.meaning} |" for q in quantities().values()]
    return "\n".join(["| quantity | x | value |", "|---|---|---|", *rows]).replace("|  |", "| |")


def matched(cell: Cell, replicate: int, threads: int = 1) -> tuple[Pattern, Matching]:
    """Simulate one replicate of a cell, and match it."""
    rng = cell.stream(replicate)
    with drawn_by(threads):
        pattern = cell.pattern(replicate, rng, table=needs_table(cell.observables))
    return pattern, match(pattern, cell.rule, threads=threads, rng=None if pattern.geometry.has_distances else rng)


def measure(cell: Cell, replicate: int, threads: int = 1) -> dict[str, pd.DataFrame]:
    """Simulate one replicate of a cell, match it, and return its rows by table."""
    import pandas as pd

    columns_of = _measurer(cell, replicate, threads)
    keys = {**cell_columns(cell), "replicate": replicate}
    parts: dict[str, list[pd.DataFrame]] = {}
    for name in measured(cell.observables):
        observable = OBSERVABLES[name]
        if observable.first_only and replicate > 0:
            continue
        columns = columns_of(observable)
        table = observable.table.wide(len(cell.intensities))
        mine = {key: value for key, value in keys.items() if key in table.names}
        if table.name == REPLICATES.name:  # colors without points
            mine |= {c.name: 0 for c in table.columns if c.name not in {*mine, *columns}}
        parts.setdefault(table.name, []).append(_frame(mine, columns))
    return {name: pd.concat(frames, ignore_index=True) if frames[1:] else frames[0] for name, frames in parts.items()}


def _measurer(cell: Cell, replicate: int, threads: int) -> Callable[[Observable], Columns]:
    """What gives the columns of an observable on this replicate."""
    if cell.tiles is not None:
        sums = sums_in_tiles(cell, replicate, measures.edges(), threads)
        return lambda observable: observable.measure(sums)
    pattern, matching = matched(cell, replicate, threads)
    sums = sums_of(pattern, matching, measures.edges(), threads)

    def columns(observable: Observable) -> Columns:
        found = observable.measure(*((sums,) if observable.summed else (pattern, matching)))
        return measures.columns_of(found) if observable.table is RATIOS else found

    return columns


def _frame(keys: dict[str, object], columns: Columns) -> pd.DataFrame:
    import pandas as pd

    rows = len(next(iter(columns.values())))
    return pd.DataFrame(
        {**{k: np.full(rows, v, dtype=object if isinstance(v, str) else None) for k, v in keys.items()}, **columns}
    )
