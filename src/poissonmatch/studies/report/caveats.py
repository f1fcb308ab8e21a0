"""Caveats of a study in the report: cutoffs, finite-size effects, errors larger than the target."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ...utils.libraries import pd
from ..figures.figure_rows import intensity_columns
from ..figures.figure_text import dim_name
from ..figures.text_format import estimate, number, plain
from ..statistics.context import Context
from ..statistics.convergence import Tori, lacking, reference_color_of, sentence
from ..statistics.estimators import CellSample
from ..study_files import parameter_grid, stopping
from ..study_files.window_checks import read_points
from ..tables.estimate_tables import INFINITE, INFINITE_VARIANCE, ONE_REPLICATE
from .main_results import deviations, exact_values, largest_tori, single_numbers

if TYPE_CHECKING:
    from .. import study_files

FEW = 8  # replicates, below which an error is hardly known
FAR = 3.0  # standard errors by which two sizes differ, or an estimate and its exact value
MAX_ITEMS = 8  # items of a list


@dataclass
class Caveat:
    """A limitation of numbers, and the items that it concerns."""

    words: str
    items: list[str]

    @property
    def lines(self) -> list[str]:
        """First items, and the number of further ones."""
        more = len(self.items) - MAX_ITEMS
        return self.items[:MAX_ITEMS] + [f"and {more} more"] * (more > 0)


def caveats(file: study_files.StudyFile, estimates: pd.DataFrame, replicates: pd.DataFrame) -> list[Caveat]:
    """Return the limitations of these results; those without items are left out."""
    possible: dict[str, Iterable[str]] = {
        "Cells whose relative standard error is still above what the study asks for (target_rel_se), although they have "
        "as many replicates as it allows.": _short(file, replicates),
        "Largest tori with finite-size effects: the unmatched fraction u of a fussy matching agrees with infinite volume only if "
        "size_converged is 1.": _felt(replicates),
        f"Quantities whose values on the two largest tori differ by more than {FAR:g} standard errors.": _moving(estimates),
        f"Numbers that differ by more than {FAR:g} standard errors from their exact value on tori of their size or, if that is unknown, in infinite "
        "volume. The cause is chance or, in the second case, the size of the torus.": _off_exact(estimates),
        "Means that are infinite in infinite volume: their value depends on the size of the torus, and has no error.":
            _noted(estimates, INFINITE),
        "Means whose variance is infinite in infinite volume: their value and error concern tori of this size. See infinite_volume_mean.":
            _noted(estimates, INFINITE_VARIANCE),
        "Quantiles beyond the cutoff, where finite-size effects matter.": _beyond(estimates),
        "Studies with a single size, for which finite-size effects cannot be assessed.": _single(file),
        f"Cells with fewer than {FEW} replicates: their standard errors are uncertain, and a single replicate has none.": _few(replicates),
        "Files whose coordinates may not be what they seem.": read_points(file),
    }  # fmt: skip
    found = [Caveat(words, [*items]) for words, items in possible.items()]
    return [caveat for caveat in found if caveat.items]


def cutoffs(estimates: pd.DataFrame) -> list[dict[str, str]]:
    """Return the cutoff of each torus of the tails."""
    tails = estimates[np.isfinite(estimates["cutoff"])]
    tori = tails.drop_duplicates(["dim", "side", "volume"]).sort_values(["dim", "size"])
    return [
        {
            "dimension": plain(dim_name(row["dim"])),
            "points": number(row["size"]),
            "side": "" if np.isnan(row["side"]) else f"{row['side']:.5g}",
            "cutoff": f"{row['cutoff']:.4g}",
        }
        for _, row in tori.iterrows()
    ]


def _cell(row: Mapping[str, Any] | pd.Series) -> str:
    """Return a cell as text."""
    return f"{row['study']}, {plain(dim_name(row['dim']))}, {number(row['size'])} points{_ratio(row)}"


def _ratio(row: Mapping[str, Any] | pd.Series) -> str:
    return "" if np.isnan(row["ratio"]) else f", ratio {row['ratio']:g}"


def _quantity(row: pd.Series) -> str:
    return f"{row['quantity']}[{row['color']}]" + (f" at {row['x']:g}" if row["x"] >= 0 else "")


def _by_cell(rows: pd.DataFrame) -> Iterator[tuple[str, pd.DataFrame]]:
    for _, part in rows.groupby(["study", "cell"], sort=False):
        yield _cell(part.iloc[0]), part


def _short(file: study_files.StudyFile, replicates: pd.DataFrame) -> Iterator[str]:
    by_cell = {cell: rows for (_, cell), rows in replicates.groupby(["study", "cell"], sort=False)}
    for cell in parameter_grid.cells(file):
        rows = by_cell.get(cell.id)
        if cell.target_rel_se is None or rows is None:
            continue
        quantity, value, error = stopping.main_estimate(cell, rows)
        relative = abs(error / value) if value else np.inf
        if not relative <= cell.target_rel_se:
            reached = f"{relative:.2%}" if np.isfinite(relative) else "not known"
            yield f"{_cell(rows.iloc[0])}: {quantity} to {reached}, {cell.target_rel_se:.2%} asked"


def _felt(replicates: pd.DataFrame) -> Iterator[str]:
    by_cell, columns = ["study", "cell"], {name: np.asarray(replicates[name]) for name in replicates}
    places = replicates.groupby(by_cell, sort=False).indices
    samples = {cell: CellSample({name: values[k] for name, values in columns.items()}) for cell, k in places.items()}
    context = Context(sample.summary for sample in samples.values())
    largest = largest_tori(replicates)  # smaller tori are there to be compared with
    for cell in largest.groupby(by_cell, sort=False).indices:
        sample = samples[cell]
        sample.context = context
        color = reference_color_of(sample.rule, sample.dim, sample.intensities)
        if color is not None and (warning := sentence([*lacking(Tori.of(sample.replicates, color), sample.smaller)])):
            yield f"{_cell(sample.row)}: {warning}"


def _moving(estimates: pd.DataFrame) -> Iterator[str]:
    single = single_numbers(estimates)
    keys = ["study", "rule", "dim", *intensity_columns(single), "quantity", "color", "order", "x"]
    series = single.groupby(keys, sort=False, dropna=False).ngroup()  # the sizes of a number
    rows = single.set_axis(series).sort_values("size", kind="stable")
    place = rows.groupby(level=0).cumcount(ascending=False)
    small = rows[place == 1].sort_index()
    large = rows[place == 0].loc[small.index]
    error = np.hypot(small["standard_error"], large["standard_error"])
    moves = (error > 0) & ((small["value"] - large["value"]).abs() > FAR * error)
    for (_, before), (_, row) in zip(small[moves].iterrows(), large[moves].iterrows(), strict=True):
        values = " and ".join(f"{estimate(one)} at {number(one['size'])} points" for one in (before, row))
        yield f"{row['study']}, {plain(dim_name(row['dim']))}{_ratio(row)}: {_quantity(row)} is {values}"


def _off_exact(estimates: pd.DataFrame) -> Iterator[str]:
    rows = single_numbers(estimates)
    rows = rows[rows["quantity"] != "alice_wins"]  # which is known on tori only
    rows = rows[np.abs(deviations(rows)) > FAR]
    for (_, row), exact in zip(rows.iterrows(), exact_values(rows), strict=True):
        where = "in infinite volume" if np.isnan(row["exact_torus"]) else "on tori of this size"
        yield f"{_cell(row)}: {_quantity(row)} is {estimate(row)}; {exact:.5g} {where}"


def _noted(estimates: pd.DataFrame, note: str) -> Iterator[str]:
    for name, part in _by_cell(estimates[estimates["note"] == note]):
        yield f"{name}: {', '.join(sorted(set(part['quantity'])))}"


def _beyond(estimates: pd.DataFrame) -> Iterator[str]:
    for name, part in _by_cell(estimates[(estimates["quantity"] == "quantile") & ~estimates["below_cutoff"]]):
        yield f"{name}: q = {', '.join(f'{q:g}' for q in sorted(set(part['x'])))}"


def _single(file: study_files.StudyFile) -> Iterator[str]:
    for name, study in file.studies.items():
        if len(study.sizes or [0]) == 1 and study.replicates > 1:
            yield name


def _few(replicates: pd.DataFrame) -> Iterator[str]:
    for name, rows in _by_cell(replicates):
        if len(rows) < FEW:
            yield f"{name}: {len(rows) if len(rows) > 1 else ONE_REPLICATE}"
