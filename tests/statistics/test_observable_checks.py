"""What is always true of a table: true of every honest study, and looked at before anything is averaged."""

import itertools

import numpy as np
import pandas as pd
import pytest

import poissonmatch as pm
import poissonmatch as pm
from helpers.forge import forge
from helpers.runs import write_study
from poissonmatch import studies
from poissonmatch.pipeline import blocks, stages
from poissonmatch.points.processes import PROCESSES
from poissonmatch.rules.catalogue import FAMILIES, RULES, rule_named
from poissonmatch.sampling.cells import Block
from poissonmatch.statistics import estimates
from poissonmatch.statistics.observables import OBSERVABLES, Observable
from poissonmatch.statistics.quantities import ESTIMATIONS, quantities
from poissonmatch.statistics.quantity import Estimation, Quantity
from poissonmatch.tables.tables import BLOCK_TABLES, NO_X, RATIOS, empty
from poissonmatch.utils.errors import IntegrityError

ALL_RULES = [*RULES, *(f"{family}({n})" for family in FAMILIES for n in (1, 3))]


def body(rule: str, process: str, dims: str, sizes: str) -> str:
    """A study of everything that can be measured there."""
    wanted = [float(dim) for dim in dims.strip("[]").split(",")]
    entries = [
        o
        for o in OBSERVABLES.values()
        if not (o.needs_capacity and "labels" in rule) and not (o.flat and dims == "inf")
    ]
    entries = [o for o in entries if not any(o.incompatible(rule_named(rule), dim) for dim in wanted)]
    ratios = "ratios: [0.4, 1], " if PROCESSES[process].colored else ""
    names = ", ".join(o.name for o in entries)
    return f"process: {process}, rule: {rule}, dims: {dims}, sizes: {sizes}, {ratios}replicates: 3, block: 2, observables: [{names}]"


STUDIES = {
    **{f"{rule}, d = {dims}": body(rule, "two_color", dims, "[0.01, 2, 50]")
       for rule, dims in itertools.product(ALL_RULES, ("1", "2", "7", "inf"))},
    **{f"{process}, d = {dims}": body("one-color", process, dims, "[3, 50]")
       for process, dims in itertools.product(PROCESSES, ("[1, 2, 3]", "inf"))
       if dims != "inf" or not PROCESSES[process].flat},
    "tiny lengths": body("fussy", "two_color", "2", "50").replace("ratios: [0.4, 1]", "intensities: [[1.0e+7, 3.0e+6]]"),
    "huge lengths": body("two-color", "two_color", "3", "50").replace("ratios: [0.4, 1]", "intensities: [[1.0e-12, 3.0e-13]]"),
}  # fmt: skip


@pytest.mark.parametrize("case", [pytest.param(c, marks=[] if "d = 2" in c else pytest.mark.slow) for c in STUDIES])
def test_honest_blocks_keep_every_law(tmp_path, case):
    """Every rule, process and observable; no points, a few, many; reading says nothing, and the estimates can be made."""
    file = studies.load(write_study(tmp_path, f"studies:\n  a: {{{STUDIES[case]}}}\n", "s"))
    parts = {name: [empty(table)] for name, table in BLOCK_TABLES.items()}
    for block in (block for cell in studies.cells(file) for block in cell.blocks()):
        _, found = blocks.read_block_files(blocks.simulate(block, tmp_path))
        for name, frame in found.items():
            parts[name].append(frame)
    made = estimates.estimate({name: pd.concat(frames) for name, frames in parts.items()})
    assert np.isfinite(made["value"]).all()


# ---- what goes into the estimates ----


SHORT = {  # table, rows that are left, words
    "a replicate too few": ("replicates", lambda f: f[f["replicate"] != 1], "expected: (no more rows|replicate 1)"),
    "winners of a torus too few": ("ratios", lambda f: f[f["replicate"] != 1], "ends before row"),
    "distances of a torus too few": ("distances", lambda f: f[f["replicate"] != 1], "the sum of its bins is even|its bins of order 0"),
    "half a picture": ("realizations", lambda f: f[::2], "points are numbered from 0|measured again"),
    "nan": ("replicates", lambda f: f.assign(sum_distance_0=np.nan), "sum_distance_0 = nan; expected: finite from 0"),
    "-5 unmatched": ("replicates", lambda f: f.assign(unmatched_0=-5), "unmatched_0 = -5"),
}  # fmt: skip


@pytest.mark.parametrize("case", SHORT)
def test_a_cell_with_short_or_wrong_rows_never_becomes_a_number(tmp_path, case):
    table, change, words = SHORT[case]
    text = (
        "studies:\n  a: {dims: 1, sizes: 50, replicates: 4, block: 2, observables: [distances, winner, realization]}\n"
    )
    file = studies.load(write_study(tmp_path, text, "s"))
    for cell in studies.cells(file):
        manifest, _ = (blocks.simulate(block, tmp_path) for block in cell.blocks())
    stages.aggregate(file, tmp_path)
    block = manifest.with_name(f"{manifest.stem}.{table}.parquet")
    forge(block, change, manifest=manifest)
    with pytest.raises(IntegrityError, match=words) as error:
        stages.aggregate(file, tmp_path)
    assert [(p.kind, p.path) for p in error.value.problems] == [("impossible", block)]


# ---- entries ----


def test_the_arguments_of_a_quantity_are_told_once():
    known = {
        name: list(quantity.arguments(pm.Torus(16.0, 2), np.array([5.0, 3.0])))
        for name, quantity in quantities().items()
    }
    assert known["alice_wins"] == [NO_X] and known["n_unmatched"] == [0.0, 1.0, 2.0]
    assert len(known["desirers"]) == 51 and known["desirers"][-1] == 2.0
    assert len(known["response"]) == 71 and known["response"][-1] == 2.0**3.5  # the ball within the cut-off has 4 pi
    assert known["tail"] == [3.0, 5.0]  # no one says so: what is found counts


KINDS = {  # kind of a quantity, what the measure gives, is that of its kind?
    "share": ((3, 7), True),
    "a share above 1": ((8, 7), False),
    "proportion": ((1, 1), True),
    "half a proportion": ((0.5, 1), False),
    "proportion of points": ((1, 7), False),
    "mean": ((9, 7), True),
    "mean of nothing": ((0, 0), True),
    "a mean below 0": ((-1, 7), False),
    "real": ((-1, 7), True),
    "real nan": ((np.nan, 7), False),
}


@pytest.mark.parametrize("case", KINDS)
def test_a_new_entry_is_held_to_the_kind_it_declares(tmp_path, monkeypatch, case):
    ratio, right = KINDS[case]
    kind = next(word for word in ("share", "proportion", "mean", "real") if word in case)
    quantity = Quantity("found", "what is found within r", kind, x="r")  # whose arguments no entry tells
    measure = lambda pattern, matching: {("found", 7.0): ratio}  # noqa: E731
    monkeypatch.setitem(OBSERVABLES, "found", Observable("found", RATIOS, measure))
    monkeypatch.setitem(ESTIMATIONS, "found", Estimation("found", (quantity,)))
    path = write_study(
        tmp_path, "studies:\n  a: {dims: 2, sizes: 9, replicates: 2, observables: [found, winner]}\n", "s"
    )
    cell = studies.cells(studies.load(path))[0]
    manifest = blocks.simulate(Block(cell, 0, 2), tmp_path)
    if right:
        assert len(blocks.read_block_files(manifest)[1]["ratios"]) == 12
    else:
        with pytest.raises(IntegrityError, match="impossible: table ratios, row"):
            blocks.read_block_files(manifest)
