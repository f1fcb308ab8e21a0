"""How often the 95 % intervals of small studies contain exact values: python -m helpers.interval_coverage prints the table (in tests/).

Each study is repeated REPETITIONS times with independent tori. Estimates are made for each repetition alone, as for a study of one cell.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy.integrate import quad
from scipy.optimize import brentq

from poissonmatch.rules.catalogue import rule_named
from poissonmatch.sampling.cells import Cell
from poissonmatch.statistics import estimates, measures, observables, sums
from poissonmatch.studies import parameter_grid
from poissonmatch.studies.read import of_data
from poissonmatch.tables.tables import DISTANCES, RATIOS, REALIZATIONS, REPLICATES, cell_columns, empty, intensities_of

REPETITIONS = 300
SLACK = 1e-9  # of the ends of a range of x


@dataclass(frozen=True)
class Case:
    """A study of one cell, and the tori of each repetition."""

    name: str
    rule: str
    size: float
    replicates: int = 16
    dim: float = 1
    ratio: float | None = None
    process: str = "two_color"
    seed: int = 37
    own_truth: bool = (
        False  # whether the truth is that of these tori, the mean over all repetitions, and not that of infinite volume
    )

    def cell(self, repetitions: int) -> Cell:
        """Return the cell with the tori of all repetitions."""
        study = {"process": self.process, "rule": self.rule, "dims": "inf" if self.dim == math.inf else self.dim,
                 "sizes": self.size, "replicates": self.replicates * repetitions}  # fmt: skip
        if self.ratio is not None:
            study["ratios"] = self.ratio
        (cell,) = parameter_grid.cells(of_data({"seed": self.seed, "studies": {self.name: study}}, self.name))
        return cell


CASES = (
    Case("one-color", "one-color", 1000, process="poisson"),
    Case("two-color", "two-color", 1000, ratio=1),
    Case("two-color-half", "two-color", 1000, ratio=0.5),
    Case("fussy", "fussy", 1000, ratio=0.5),
    Case("fussy-30", "fussy", 31700, 2, ratio=0.1),
    Case("fussy-few", "fussy", 4000, 4, ratio=0.1, own_truth=True),
    Case("fussy-none", "fussy", 1000, 4, ratio=0.1, own_truth=True),
    Case("mean-field", "one-color", 1000, dim=math.inf, process="poisson"),
    Case("mean-field-fussy", "fussy", 1000, dim=math.inf, ratio=0.5),
)


def draw(case: Case, repetitions: int = REPETITIONS) -> dict[str, pd.DataFrame]:
    """Return the tables `replicates` and `distances` of all repetitions, numbered on."""
    cell, tori, bins = case.cell(repetitions), [], []
    for replicate in range(cell.replicates):
        pattern, matching = observables.matched(cell, replicate)
        found = sums.sums_of(pattern, matching, measures.edges())
        tori.append({name: values[0] for name, values in measures.moments(found).items()})
        rows = measures.histogram(found)
        bins.append({"replicate": np.full(len(rows["bin"]), replicate), **rows})
    keys = cell_columns(cell)
    distances = {name: np.concatenate([rows[name] for rows in bins]) for name in bins[0]}
    columns = {REPLICATES: {"replicate": np.arange(cell.replicates), **pd.DataFrame(tori)}, DISTANCES: distances}
    return {table.name: pd.DataFrame({**keys, **values})[table.names] for table, values in columns.items()}


def repeated(case: Case, tables: dict[str, pd.DataFrame]) -> Iterator[pd.DataFrame]:
    """Yield the estimates of each repetition."""
    none = {table.name: empty(table) for table in (RATIOS, REALIZATIONS)}
    starts = np.arange(0, tables[REPLICATES.name]["replicate"].max() + 2, case.replicates)
    ends = {name: np.searchsorted(rows["replicate"], starts) for name, rows in tables.items()}
    for k, start in enumerate(starts[:-1]):
        parts = {name: rows.iloc[ends[name][k] : ends[name][k + 1]] for name, rows in tables.items()}
        parts = {name: rows.assign(replicate=rows["replicate"] - start) for name, rows in parts.items()}
        yield estimates.estimate({**none, **parts})


@dataclass(frozen=True)
class Kind:
    """A kind of quantity: rows of a case at some x, all compared with exact values, or with the mean over all tori if none is known."""

    words: str
    case: str
    quantity: str
    low: float = -1.0
    high: float = math.inf
    color: int = 0


KINDS = (
    Kind("share with many counts, two-color", "two-color-half", "unmatched_fraction"),
    Kind("share with many counts, fussy", "fussy", "unmatched_fraction", color=1),
    Kind("share with about 30 unmatched points in all, two tori", "fussy-30", "unmatched_fraction", color=1),
    Kind("share with about 8 unmatched points in all, four tori", "fussy-few", "unmatched_fraction", color=1),
    Kind("share with about 2 unmatched points in all, or none, four tori", "fussy-none", "unmatched_fraction", color=1),
    Kind("share with many counts, fussy in the mean field", "mean-field-fussy", "unmatched_fraction", color=1),
    Kind("tail, first bins", "one-color", "tail", 0, 0.003),
    Kind("tail, one-color, middle", "one-color", "tail", 0.1, 10),
    Kind("tail, one-color, to the cutoff", "one-color", "tail", 50, 160),
    Kind("tail, two-color at ratio 1", "two-color", "tail", 0.1, 3),
    Kind("tail, two-color, majority", "two-color-half", "tail", 0.1, 10),
    Kind("tail, two-color, minority", "two-color-half", "tail", 0.1, 10, 1),
    Kind("tail, red points of fussy", "fussy", "tail", 0.1, 10, 1),
    Kind("tail, mean field", "mean-field", "tail", 0.1, 20),
    Kind("tail_exponent, first bins", "one-color", "tail_exponent", 0, 0.004),
    Kind("tail_exponent, middle", "one-color", "tail_exponent", 0.1, 10),
    Kind("tail_exponent, mean field", "mean-field", "tail_exponent", 0.1, 10),
    Kind("quantile .1 to .9, one-color", "one-color", "quantile", 0.1, 0.9),
    Kind("quantile .99, one-color", "one-color", "quantile", 0.99, 0.99),
    Kind("quantile .1 to .75, red points of fussy", "fussy", "quantile", 0.1, 0.75, 1),
    Kind("red_green_ratio", "fussy", "red_green_ratio", 0.5, 50),
    Kind("ratio_slope", "fussy", "ratio_slope", 0.5, 50),
    Kind("collapse", "fussy", "collapse", 0.5, 50),
    Kind("mean_distance, two-color at ratio 1/2", "two-color-half", "mean_distance"),
)


def exact_quantile(rule: str, intensities: tuple[float, ...], color: int, dim: float, q: float) -> float:
    """Return the r at which the exact tail is 1 - q."""
    law = rule_named(rule).law
    return float(brentq(lambda x: float(law.tail(np.exp(x), dim, intensities, color)) - (1 - q), -15, 15))


def exact_mean(rule: str, intensities: tuple[float, ...], color: int, dim: float) -> float:
    """Return the mean partner distance of matched points, from the exact tail."""
    law = rule_named(rule).law
    alone = law.unmatched(dim, intensities, color)
    whole, _ = quad(
        lambda x: np.exp(x) * (float(law.tail(np.exp(x), dim, intensities, color)) - alone), -20, 12, limit=400
    )
    return whole / (1 - alone)


def covered(case: Case, found: pd.DataFrame) -> pd.DataFrame:
    """Return a row for each kind of quantity of a case: the shares of intervals that contain the truth, and lie above and below it."""
    rows = []
    for kind in (k for k in KINDS if k.case == case.name):
        mine = found[(found["quantity"] == kind.quantity) & (found["color"] == kind.color)]
        mine = mine[mine["x"].between(kind.low - SLACK, kind.high + SLACK) & mine["lower"].notna()]
        mine = mine[mine["below_cutoff"]]
        first = mine.iloc[0]
        about = case.rule, intensities_of(first), kind.color, case.dim
        if kind.quantity == "quantile":
            truth = mine["x"].map({q: exact_quantile(*about, q) for q in mine["x"].unique()})
        elif kind.quantity == "mean_distance":
            truth = exact_mean(*about)
        elif case.own_truth:
            truth = mine["value"].mean()
        else:
            truth = mine["exact"]
        above, below = (mine["lower"] > truth).mean(), (mine["upper"] < truth).mean()
        rows.append((kind.words, mine["repetition"].nunique(), len(mine), 1 - above - below, above, below))
    return pd.DataFrame(rows, columns=["quantity", "repetitions", "intervals", "covered", "above", "below"])


def table(case: Case) -> pd.DataFrame:
    """Return the table of the kinds of quantities of a case."""
    frames = [frame.assign(repetition=k) for k, frame in enumerate(repeated(case, draw(case)))]
    return covered(case, pd.concat(frames, ignore_index=True))


def markdown(rows: pd.DataFrame) -> str:
    """Return the table as Markdown."""
    lines = ["| quantity | repetitions | covered | interval above the truth | below |", "|---|---|---|---|---|"]
    for row in rows.itertuples():
        lines.append(f"| {row.quantity} | {row.repetitions} | {row.covered:.3f} | {row.above:.3f} | {row.below:.3f} |")
    return "\n".join(lines)


if __name__ == "__main__":
    print(markdown(pd.concat([table(case) for case in CASES])))
