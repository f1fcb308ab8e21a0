"""What is measured on a torus, against the slow and obvious way."""

import math
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import poissonmatch as pm
from helpers.measured import assert_complete
from helpers.refusals import rows as rows_of_table
from helpers.runs import one_study
from poissonmatch.rules.catalogue import FAMILIES, RULES, rule_named
from poissonmatch.studies import study_files as studies
from poissonmatch.studies.results.batch_files import read_manifest
from poissonmatch.studies.run import batches
from poissonmatch.studies.sampling.cells import Block
from poissonmatch.studies.statistics import observables
from poissonmatch.studies.statistics.observables.distances import BINS, edges
from poissonmatch.studies.statistics.observables.interface import SumObservable
from poissonmatch.studies.statistics.observables.point_sums import sums_in_tiles, sums_of
from poissonmatch.studies.tables import parquet, tables


def cells(tmp_path, body):
    return studies.cells(one_study(tmp_path, body))


def test_edges_are_round():
    lowest = dict(zip(BINS, edges(), strict=True))
    assert lowest[-20] == 0.1 and lowest[0] == 1.0 and lowest[20] == 10.0 and lowest[60] == 1000.0
    np.testing.assert_allclose(list(lowest.values()), 10.0 ** (np.array(BINS) / 20), rtol=1e-14)


RULES_OF_ROWS = [
    *[(rule, "process: two_color, ratios: 0.6") for rule in ("one-color", "fussy", "two-color", "misere", "multi(2)")],
    ("'custom(011/101/110; 1,2,1)'", "intensities: [[1, 0.5, 0.25]]"),
    ("fussy", "process: thomas, ratios: 0.5"),
]


@pytest.mark.parametrize("rule, colors", RULES_OF_ROWS)
@pytest.mark.parametrize("dim", ["1", "2", "inf"])
def test_rows_of_a_replicate(tmp_path, rule, colors, dim):
    if "thomas" in colors and dim == "inf":
        pytest.skip("a Thomas process has no mean-field model")
    cell = cells(tmp_path, f"rule: {rule}, {colors}, dims: {dim}, sizes: 90, replicates: 9")[0]
    matching = observables.matched(cell, 4)
    pattern = matching.pattern
    assert dim == "inf" or (pattern == cell.pattern(4) and matching == pm.match(pattern, cell.rule))
    rows = {name: rows.to_pandas() for name, rows in observables.measure(cell, 4).items()}
    row = rows["replicates"].iloc[0]
    histogram = rows["distances"]
    for color in range(len(cell.intensities)):
        mine = matching.distances[pattern.colors == color].min(axis=1)
        matched = [x for x in mine if x < math.inf]
        assert row[f"points_{color}"] == len(mine)
        assert row[f"unmatched_{color}"] == len(mine) - len(matched)
        assert row[f"sum_distance_{color}"] == pytest.approx(math.fsum(matched))
        assert row[f"sum_square_{color}"] == pytest.approx(math.fsum(x * x for x in matched))
        volume = {"1": lambda x: 2 * x, "2": lambda x: math.pi * x * x, "inf": lambda x: x}[dim]
        assert row[f"sum_ball_{color}"] == pytest.approx(math.fsum(map(volume, matched)))
        assert row[f"longest_{color}"] == max(matched, default=0)
        for order in range(matching.distances.shape[1]):
            lengths = matching.distances[pattern.colors == color, order]
            found = histogram.query("color == @color and order == @order")
            assert found["count"].sum() == sum(x < math.inf for x in lengths)
            for _, bin in found.iterrows():
                expected = sum(10 ** (bin["bin"] / 20) <= x < 10 ** ((bin["bin"] + 1) / 20) for x in lengths)
                assert bin["count"] == expected


def encoded(name, frame):
    return parquet.encode(tables.BLOCK_TABLES[name], frame, {})


BLOCKS = {
    "two colors, all sums": "process: two_color, rule: two-color, dims: 2, sizes: 40, ratios: 0.5, observables: [distances, winner, realization]",
    "a color that is often absent": "process: two_color, rule: custom(011/101/110), dims: 1, sizes: 3, intensities: [[1, 0.4, 0.2]], observables: [distances]",
    "often no points": "dims: 2, sizes: 0.5, observables: [distances, rounds, components]",
    "random numbers of its own": "process: binomial, rule: fussy, dims: 1, sizes: 300, ratios: 0.5, observables: [octaves, flip]",
    "tiles": "process: poisson, dims: 2, sizes: 3000, tiles: 2, observables: [distances]",
    "thinned clusters": "process: thomas, rule: fussy, dims: 2, sizes: 200, ratios: 0.5, observables: [distances]",
    "more than are matched together": "dims: 2, sizes: 9000, observables: [distances]",
    "a box": "process: binomial, geometry: box, dims: 2, sizes: 60, observables: [distances]",
}  # fmt: skip


@pytest.mark.parametrize("case", BLOCKS)
def test_a_block_has_the_bytes_of_its_replicates_one_by_one(tmp_path, case):
    """Each observable of each replicate, row by row, with the columns of its cell."""
    cell = cells(tmp_path, BLOCKS[case] + ", replicates: 7")[0]
    block = Block(cell, 0, 7)
    made = observables.measure_block(block)
    rows = {name: [] for name in made}
    for replicate in block.replicates:
        matching = None if cell.tiles else observables.matched(cell, replicate)
        sums = sums_in_tiles(cell, replicate, edges()) if cell.tiles else sums_of(matching, edges())
        for name in observables.measured(cell.observables):
            entry = observables.OBSERVABLES[name]
            if entry.first_only and replicate:
                continue
            if isinstance(entry, SumObservable):
                columns = entry.measure(sums)
            else:
                columns = observables.measure_matching(entry, matching, cell, replicate)
            number = {} if name == "realization" else {"replicate": replicate}
            for values in zip(*columns.values(), strict=True):
                row = dict(zip(columns, values, strict=True))
                rows[entry.table.name].append({**tables.cell_columns(cell), **number, **row})
    for name, found in made.items():
        table = tables.BLOCK_TABLES[name].wide(len(cell.intensities))
        expected = pd.DataFrame(rows[name]).reindex(columns=table.names)
        expected = expected.fillna({column.name: 0 for column in table.columns if column.role == "sum"})
        expected = expected.fillna({column: 0 for column in table.names if column.startswith("longest")})
        assert encoded(name, found.to_pandas()) == encoded(name, expected)


def test_rules_see_the_same_points_and_replicates_differ(tmp_path):
    one, two = cells(tmp_path, "process: two_color, rule: [fussy, two-color], dims: 2, sizes: 50, replicates: 2")
    assert one.id != two.id
    assert (one.pattern(0).points == two.pattern(0).points).all()
    assert one.pattern(0).points.tobytes() != one.pattern(1).points.tobytes()
    assert one.pattern(0).points.tobytes() != replace(one, seed=9).pattern(0).points.tobytes()


# A process, and its number of points if it is fixed.
EVERY_PROCESS = """
binomial → 60
lattice → 64
{name: thomas, offspring: 3}
{name: matern, distance: 0.3}
perturbed_lattice → 64
"""


@pytest.mark.parametrize("row", rows_of_table(EVERY_PROCESS))
def test_every_process_can_be_studied(tmp_path, row):
    process, *number = row
    cell = cells(tmp_path, f"process: {process}, dims: 2, sizes: 60, replicates: 1")[0]
    assert [str(len(cell.pattern(0)))] == number or not number
    row = observables.measure(cell, 0)["replicates"].to_pandas().loc[0]
    assert row["points_0"] > 0 and row["size"] == cell.size == (64 if "lattice" in process else 60)


def test_realization(tmp_path):
    body = "dims: 2, sizes: 40, replicates: 2, observables: [realization]"
    cell = cells(tmp_path, body + ", rule: multi(2)")[0]
    rows = observables.measure(cell, 0)["realizations"].to_pandas()
    assert "realizations" not in observables.measure(cell, 1)
    pattern = cell.pattern(0)
    assert sorted(set(rows["point"])) == list(range(len(pattern)))
    for _, row in rows[rows["partner"] >= 0].iterrows():
        i, j = int(row["point"]), int(row["partner"])
        assert row["distance"] == pattern.distance(i, j) and (row["x"], row["y"]) == tuple(pattern.points[i])
        assert ((rows["point"] == j) & (rows["partner"] == i)).sum() == 1


def test_nobody_matched(tmp_path):
    """A torus without a matched point has a table of distances without rows, which can be written and read."""
    cell = cells(tmp_path, "dims: 2, sizes: 0.001, replicates: 1, observables: [distances, winner]")[0]
    rows = read_manifest(batches.make([Block(cell, 0, 1)], tmp_path)).read(0)["distances"]
    assert rows.num_rows == 0 and rows.column_names == [c.name for c in tables.DISTANCES.columns]


def test_every_quantity_has_a_name_of_its_own_and_is_estimated(tiny, frogs):
    names = [q.name for entry in observables.OBSERVABLES.values() for q in entry.quantities]
    assert len(names) == len(set(names))
    found = {q for _, folder in (tiny, frogs) for q in pm.load(folder / "estimates.parquet")["quantity"]}
    assert found == set(names)


RULE_NAMES = [*RULES, *(f"{family}({n})" for family in FAMILIES for n in (1, 3))]


@pytest.mark.parametrize(
    "dim", [2, pytest.param(1, marks=pytest.mark.slow), pytest.param(math.inf, marks=pytest.mark.slow)]
)
@pytest.mark.parametrize("rule", RULE_NAMES)
def test_every_rule_can_be_studied(rule, dim):
    """All observables that are defined, on tori without points, with a few and with many, have all rows and finite estimates."""
    space = pm.MeanField(1.0) if dim == math.inf else pm.Torus(1.0, dim)
    names = [name for name, entry in observables.OBSERVABLES.items() if not entry.incompatible(rule_named(rule), space)]
    study = dict(process="two_color", rule=rule, dims=dim, sizes=[0.01, 2, 50], ratios=0.4, replicates=3)
    sweep = pm.sweep(**study, observables=names)
    for cell in studies.cells(sweep.file):
        assert_complete(cell, range(3), sweep.frames)
    assert np.isfinite(sweep.estimates["value"]).all()
