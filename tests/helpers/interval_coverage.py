"""How often the 95 % intervals of small studies contain exact values: python -m helpers.interval_coverage prints the table (in tests/).

Each study has one cell and is repeated REPETITIONS times with independent tori. Estimates are made for each repetition alone.
The argument `reference`, with names of cases, writes the values of REFERENCE_TORI tori of their size to docs/data/coverage-reference.csv.
"""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from scipy.integrate import quad
from scipy.optimize import brentq

from helpers.tables import tables
from poissonmatch.rules.laws import Law
from poissonmatch.studies.sampling.cells import Block, Cell
from poissonmatch.studies.statistics import estimates, observables
from poissonmatch.studies.statistics.estimators import CellSample, Estimate
from poissonmatch.studies.statistics.observables import OBSERVABLES, quantities
from poissonmatch.studies.statistics.observables.distances import edges
from poissonmatch.studies.statistics.observables.point_sums import sums_of
from poissonmatch.studies.study_files import parameter_grid
from poissonmatch.studies.study_files.read import of_data
from poissonmatch.studies.tables.invariants import columns_of
from poissonmatch.studies.tables.tables import DISTANCES, REPLICATES, cell_columns
from poissonmatch.theory import intervals

REPETITIONS = 300
REFERENCE_TORI = 100_000
REFERENCE = Path(__file__).parents[2] / "docs/data/coverage-reference.csv"
SLACK = 1e-9  # relative, of the ends of a range of x


@dataclass(frozen=True)
class Kind:
    """A kind of quantity: its rows at some x, all compared with exact values.

    of_tori: with the value on tori of this size, of `REFERENCE` if it has the case, else the mean over all tori.
    """

    words: str
    quantity: str
    low: float = -math.inf
    high: float = math.inf
    color: int = 0
    of_tori: bool = False


@dataclass(frozen=True)
class Case:
    """A study of one cell, the tori of each repetition, and the kinds of quantities that are compared."""

    name: str
    rule: str
    size: float
    replicates: int
    kinds: tuple[Kind, ...]
    dim: float = 1
    ratio: float | None = None
    process: str = "two_color"
    observables: Sequence[str] = ()  # of the table `ratios`
    seed: int = 37
    numbers: Sequence[int] = ()  # of tori in a repetition, instead of `replicates`: a row for each

    def cell(self, repetitions: int) -> Cell:
        """Return the cell with the tori of all repetitions."""
        study = {"process": self.process, "rule": self.rule, "dims": "inf" if self.dim == math.inf else self.dim,
                 "sizes": self.size, "replicates": self.replicates * repetitions,
                 "observables": ["distances", *self.observables]}  # fmt: skip
        if self.ratio is not None:
            study["ratios"] = self.ratio
        name = re.sub(r"[^\w-]+", "-", self.name)
        (cell,) = parameter_grid.cells(of_data({"seed": self.seed, "studies": {name: study}}, name))
        return cell


U = "unmatched_fraction"


def _listed(kind: str) -> tuple[Case, ...]:
    """Return the cases of interval_coverage.toml of a kind."""
    rows = tables(__file__)[kind]
    return tuple(Case(**{**row, "kinds": tuple(Kind(**each) for each in row["kinds"])}) for row in rows)


CASES = _listed("cases")
SMALL = _listed("small")


def draw(case: Case, repetitions: int = REPETITIONS) -> dict[str, pd.DataFrame]:
    """Return the rows of each observable of all repetitions, numbered on."""
    cell = case.cell(repetitions)
    tori, bins = list[dict[str, Any]](), list[dict[str, Any]]()
    ratios: dict[str, list[dict[str, Any]]] = {name: [] for name in case.observables if name != "flow"}
    for replicate in range(cell.replicates):
        matching = observables.matched(cell, replicate)
        sums = sums_of(matching, edges())
        tori.append({name: values[0] for name, values in OBSERVABLES["unmatched"].measure(sums).items()})
        bins.append(_numbered(replicate, OBSERVABLES["distances"].measure(sums)))
        for name, rows in ratios.items():
            columns = observables.measure_matching(OBSERVABLES[name], matching, cell, replicate)
            rows.append(_numbered(replicate, columns))
    keys = cell_columns(cell)
    replicates = {"replicate": np.arange(cell.replicates), **pd.DataFrame(tori)}
    distances = pd.DataFrame({**keys, **_joined(bins)})[DISTANCES.names]
    return {
        "unmatched": pd.DataFrame({**keys, **replicates})[REPLICATES.names],
        "distances": distances,
        **({"flow": distances} if "flow" in case.observables else {}),
        **{name: pd.DataFrame({**keys, **_joined(rows)}) for name, rows in ratios.items()},
    }


def _numbered(replicate: int, columns: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    return {"replicate": np.full(len(next(iter(columns.values()))), replicate), **columns}


def _joined(rows: list[dict[str, np.ndarray]]) -> dict[str, np.ndarray]:
    return {name: np.concatenate([each[name] for each in rows]) for name in rows[0]}


def repeated(case: Case, tables: dict[str, pd.DataFrame]) -> Iterator[tuple[CellSample, list[Estimate]]]:
    """Yield the sample and the estimates of each repetition."""
    replicates = tables["unmatched"]
    starts = np.arange(0, len(replicates) + 1, case.replicates)
    ends = {name: np.searchsorted(table["replicate"], starts) for name, table in tables.items()}
    for k, (start, stop) in enumerate(zip(starts, starts[1:], strict=False)):
        sample, made = CellSample(replicates.iloc[start:stop]), list[Estimate]()
        for name, table in tables.items():
            if any(q.name == kind.quantity for q in OBSERVABLES[name].quantities for kind in case.kinds):
                rows = columns_of(table.iloc[ends[name][k] : ends[name][k + 1]])
                made += estimates_of(name, sample, rows)
        yield sample, [found for found in made if len(found.value)]


def estimates_of(name: str, sample: CellSample, rows: dict[str, np.ndarray]) -> list[Estimate]:
    """Return the estimates of an observable of one cell."""
    return [part for found in OBSERVABLES[name].estimates([sample], [rows]) for part in found.parts()]


def exact_quantile(law: Law, sample: CellSample, found: Estimate) -> np.ndarray:
    """Return the r at which the exact tail is 1 - q."""

    def above(logarithm: float, q: float) -> float:
        return float(law.tail(np.exp(logarithm), sample.dim, sample.intensities, found.color)) - (1 - q)

    return np.array([np.exp(brentq(above, -15, 15, args=(q,))) for q in found.x])


def exact_mean(law: Law, sample: CellSample, found: Estimate) -> np.ndarray:
    """Return the mean partner distance of matched points, from the exact tail."""
    about = sample.dim, sample.intensities, found.color
    alone = law.unmatched(*about)
    whole, _ = quad(lambda x: np.exp(x) * (float(law.tail(np.exp(x), *about)) - alone), -20, 12, limit=400)
    return np.array([whole / (1 - alone)])


EXACT: dict[str, Callable[[Law, CellSample, Estimate], Any]] = {"quantile": exact_quantile, "mean_distance": exact_mean}


def arguments(found: Estimate) -> np.ndarray:
    """Return x, with -1 in place of nan, which equals nothing."""
    return np.nan_to_num(found.x, nan=-1.0)


def truth_of(sample: CellSample, found: Estimate) -> dict[float, float]:
    """Return the exact value at each x."""
    exact = EXACT.get(found.quantity, lambda law, sample, found: quantities()[found.quantity].exact(sample, found))
    return dict(
        zip(arguments(found), np.broadcast_to(exact(sample.rule.law, sample, found), found.x.shape), strict=True)
    )


def covered(case: Case, repetitions: int = REPETITIONS) -> pd.DataFrame:
    """Return a row for each kind of quantity of a case: shares of intervals that contain the truth, and lie above and below it.

    The column `student` is the share of intervals of Student's t of the value itself, without a logit, a logarithm or clusters.
    """
    tables = draw(case, repetitions)
    if not case.numbers:
        return _covered(case, tables)
    found = []
    for number in case.numbers:  # all of the tori, in other repetitions
        rows = _covered(replace(case, replicates=number), tables)
        found.append(rows.assign(quantity=rows["quantity"] + f", {number} tori"))
    return pd.concat(found)


def _covered(case: Case, tables: dict[str, pd.DataFrame]) -> pd.DataFrame:
    rows = []
    for sample, made in repeated(case, tables):
        for kind in case.kinds:
            for found in made:
                if (found.quantity, found.color, found.order) == (kind.quantity, kind.color, 0):
                    rows += _compared(kind, sample, found, len(rows))
    table, lines, truths = pd.DataFrame(rows), [], {}
    reference = reference_of(case.name)
    for kind in case.kinds:
        mine = table[table["kind"] == kind.words]
        for one in mine.drop_duplicates("x").itertuples():  # once for each x, since exact values take long
            truths[kind.words, one.x] = (
                _of_tori(kind, one, reference, mine) if kind.of_tori else truth_of(one.sample, one.found)[one.x]
            )
        truth = np.array([truths[kind.words, x] for x in mine["x"]])
        above, below = (mine["lower"] > truth).mean(), (mine["upper"] < truth).mean()
        student = mine["student_lower"].le(truth) & mine["student_upper"].ge(truth)
        lines.append(
            (kind.words, mine["repetition"].nunique(), len(mine), 1 - above - below, above, below, student.mean())
        )
    return pd.DataFrame(lines, columns=["quantity", "repetitions", "intervals", "covered", "above", "below", "student"])


def _of_tori(kind: Kind, one: Any, reference: dict[tuple[str, int, float], float], rows: pd.DataFrame) -> float:
    """Return the value on tori of this size: the exact one, that of many tori, or the mean over all rows."""
    exact = quantities()[kind.quantity].exact_torus(one.sample, one.found)
    value = reference.get((kind.quantity, kind.color, round(one.x, 9)), rows.loc[rows["x"] == one.x, "value"].mean())
    return value if math.isnan(exact) else exact


def _compared(kind: Kind, sample: CellSample, found: Estimate, number: int) -> list[dict[str, Any]]:
    quantity, n, x = quantities()[kind.quantity], len(found.influence), arguments(found)
    lower, upper = estimates.with_ends(quantity, found).ends
    plain = intervals.student(found.value, found.error, n)
    if kind.quantity == U and not found.value.any():
        plain = (0.0, 3 / sample.replicates[f"points_{kind.color}"].sum())  # the rule of three, of independent points
    distance = {"": found.value * 0, "x": x, "value": found.value}[quantity.cut]
    some = (x >= kind.low * (1 - SLACK)) & (x <= kind.high * (1 + SLACK)) & (distance <= sample.cutoff)
    columns = {"x": x, "value": found.value, "lower": lower, "upper": upper}
    columns |= {"student_lower": np.maximum(plain[0], quantity.bounds[0]), "student_upper": plain[1]}
    same = {"kind": kind.words, "repetition": int(sample.row["replicate"]), "sample": sample, "found": found}
    columns = {name: np.broadcast_to(values, x.shape)[some] for name, values in columns.items()}
    return [{**same, **dict(zip(columns, values, strict=True))} for values in zip(*columns.values(), strict=True)]


def reference_of(name: str) -> dict[tuple[str, int, float], float]:
    """Return the values of many tori of a case by quantity, color and x; none if there are none."""
    rows = pd.read_csv(REFERENCE) if REFERENCE.exists() else pd.DataFrame({"case": []})
    rows = rows[rows["case"] == name]
    return {(row.quantity, row.color, round(row.x, 9)): row.value for row in rows.itertuples()}


def write_reference(case: Case) -> None:
    """Add the values of REFERENCE_TORI tori of a case to REFERENCE: ratios of the sums over all of them."""
    cell = replace(case, replicates=1, seed=case.seed + 1).cell(REFERENCE_TORI)
    tables = {
        name: columns_of(rows) for name, rows in observables.measure_block(Block(cell, 0, cell.replicates)).items()
    }
    sample = CellSample(tables["replicates"])
    rows = {"unmatched": sample.replicates, "distances": tables["distances"]}
    made = [found for name in rows for found in estimates_of(name, sample, rows[name])]
    wanted = {(kind.quantity, kind.color) for kind in case.kinds}
    lines = [
        (case.name, found.quantity, found.color, x, REFERENCE_TORI, value)
        for found in made
        if (found.quantity, found.color) in wanted and found.order == 0
        for x, value in zip(arguments(found), found.value, strict=True)
    ]
    table = pd.DataFrame(lines, columns=["case", "quantity", "color", "x", "tori", "value"])
    table.to_csv(REFERENCE, mode="a", header=not REFERENCE.exists(), index=False)


def printed(rows: pd.DataFrame) -> str:
    """Return the table of the page docs/error-bars.md as CSV."""
    titles = {"above": "interval above the exact value", "student": "covered by Student's t"}
    columns = ["quantity", "repetitions", "covered", "above", "below", "student"]
    return rows[columns].rename(columns=titles).to_csv(index=False, float_format="%.3f")


if __name__ == "__main__":
    names = sys.argv[1:]
    if names[:1] == ["reference"]:
        for each in SMALL:
            if (not names[1:] or each.name in names[1:]) and not reference_of(each.name):
                write_reference(each)
                print(each.name, flush=True)
    else:
        print(printed(pd.concat([covered(case) for case in (*CASES, *SMALL) if not names or case.name in names])))
