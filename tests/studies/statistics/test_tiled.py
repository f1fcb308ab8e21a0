"""Studies in tiles: their tables, which do not depend on the number of tiles, and what is refused."""

import numpy as np
import pytest

import poissonmatch as pm
from helpers.runs import cells_of, load_study, run_study, write_study
from poissonmatch.engine import sums as kernels
from poissonmatch.studies import study_files as studies
from poissonmatch.studies.results import up_to_date
from poissonmatch.studies.results.results import Results
from poissonmatch.studies.statistics.observables import OBSERVABLES
from poissonmatch.studies.statistics.observables.distances import edges
from poissonmatch.studies.statistics.observables.point_sums import Sums, sums_in_tiles, sums_of
from poissonmatch.studies.study_files import plan
from poissonmatch.studies.tables.tables import BLOCK_TABLES

STUDY = """
seed: 2
studies:
  one: {{dims: [1, 2, 3], sizes: 3000, replicates: 2, block: {block}, tiles: {tiles}}}
  fussy: {{process: binomial, rule: fussy, dims: 2, sizes: 3000, ratios: [0.2, 1], replicates: 2, tiles: {tiles}}}
  two: {{process: two_color, rule: two-color, dims: [1, 2], sizes: 2000, ratios: 0.5, replicates: 2, tiles: {tiles}}}
  thinned: {{rule: fussy, dims: 2, sizes: 3000, intensities: [[1, 0.5]], replicates: 2, tiles: {tiles}}}
  three: {{rule: custom(011/101/110), dims: 2, sizes: 2000, intensities: [[1, 2, 3]], replicates: 2, tiles: {tiles}}}
"""


@pytest.mark.slow
def test_tables_are_the_same_bytes_for_any_number_of_tiles(tmp_path):
    folders = [
        run_study(write_study(tmp_path, STUDY.format(tiles=k, block=block), "s"), tmp_path / f"{k}")
        for k, block in ((1, 2), (2, 1), (4, 2), (8, 1))
    ]
    names = sorted(path.name for path in folders[0].glob("[!.]*.*"))
    assert "estimates.parquet" in names and "manifest.json" in names
    for other in folders[1:]:
        assert [name for name in names if (folders[0] / name).read_bytes() != (other / name).read_bytes()] == []
    file = load_study(tmp_path, STUDY.format(tiles=4, block=1))
    assert up_to_date.tables(file, folders[0]) == []  # another number of tiles is no other study
    results, cell = Results(folders[1]), studies.cells(file)[0]
    assert results.read_cell(results.blocks(cell))["replicates"].num_rows == 2


def test_tables_are_those_of_the_whole_matching(tmp_path):
    file = load_study(tmp_path, STUDY.format(tiles=4, block=1))
    for cell in studies.cells(file):
        matching = pm.match(cell.pattern(1), cell.rule)
        sums = [sums_of(matching, edges()), sums_in_tiles(cell, 1, edges())]
        whole, parts = map(OBSERVABLES["distances"].measure, sums)
        assert all(np.array_equal(whole[name], parts[name]) for name in whole) and list(whole) == list(parts)
        whole, parts = map(OBSERVABLES["unmatched"].measure, sums)
        assert list(whole) == list(parts)
        assert all(parts[name].dtype == values.dtype and parts[name] == values for name, values in whole.items())


def test_a_poisson_process_in_tiles_is_thinned(tmp_path):
    """The points are those that one color has, and each is of color k with probability intensity k / sum, whatever the others are."""
    body = "studies:\n  a: {{dims: 2, sizes: 40000, replicates: 1, tiles: 4, {}}}\n"
    (one,) = cells_of(write_study(tmp_path, body.format("intensities: 8"), "s"))
    (three,) = cells_of(write_study(tmp_path, body.format("intensities: [[2, 0, 6]]"), "s"))
    assert three.volume == one.volume == 5000
    counts = three.tiled_points(0).counts
    assert counts.shape == (3, 16**2) and not counts[1].any()
    assert np.array_equal(np.bincount(three.pattern(0).colors, minlength=3), counts.sum(axis=1))
    total = counts.sum()
    assert abs(total - 40000) < 4 * 200 and abs(counts[0].sum() - total / 4) < 4 * (total * 3 / 16) ** 0.5
    share = counts[0] - counts.sum(axis=0) / 4  # in each part by itself
    assert abs((share**2).sum() / (total * 3 / 16) - 1) < 4 * (2 / 256) ** 0.5


def test_sums_are_exact_in_any_order():
    rng = np.random.default_rng(0)
    distance = np.concatenate([10.0 ** rng.uniform(-150, 140, 500), [0.0, 5e-324, 1.0, 2.0**-53]])
    whole = None
    for cut in (0, 1, 250, 504):
        sums = Sums(edges(), pm.Torus(1.0, 2))
        order = rng.permutation(len(distance))
        for mine in (order[:cut], order[cut:]):
            sums.add(np.zeros(len(mine), np.uint8), distance[mine, None])
        found = sums.totals()[:, 0].tolist()
        assert found[:2] == [sum_exactly(distance), sum_exactly(distance * distance)]
        assert whole in (None, found)
        whole = found
    assert kernels.exact_sums(np.zeros((1, 3, 2, kernels.EXPONENTS), np.int64)).tolist() == [[0.0]] * 3


@pytest.mark.parametrize("rule", ["one-color", "two-color", "multi(3)", "labels(2)"])
def test_threads_share_the_points_and_lose_none(rule, monkeypatch):
    """Each counts a part."""
    monkeypatch.setattr("poissonmatch.utils.thread_pool.PARALLEL", 1)
    pattern = pm.processes.two_color(pm.Torus(30.0, 2), rng=5)
    matching = pm.match(pattern, rule)
    one, three = (sums_of(matching, edges(), threads=t) for t in (1, 3))
    for measure in (OBSERVABLES["unmatched"].measure, OBSERVABLES["distances"].measure):
        assert all(np.array_equal(values, measure(three)[name]) for name, values in measure(one).items())
    assert one.points.tolist() == pattern.count(2).tolist()
    assert one.bins.sum() == np.isfinite(matching.distances).sum()


def sum_exactly(values):
    from fractions import Fraction

    return float(sum(map(Fraction, values.tolist())))


def test_the_price_knows_tiles(tmp_path):
    def price(tiles, rule="fussy", ratio=0.1, dims="2"):
        text = f"studies:\n  a: {{process: two_color, rule: {rule}, dims: {dims}, sizes: 1e9, ratios: {ratio}, replicates: 1, tiles: {tiles}}}\n"
        return plan.count(load_study(tmp_path, text))

    assert price(16).memory < 2e9 < 20e9 < price(1).memory
    assert price(16, ratio=1).memory > 20 * price(16).memory  # unmatched points wait to the end
    assert price(16).points == price(1).points
    assert set(OBSERVABLES["unmatched"].measure(Sums(edges(), pm.Torus(1.0, 2)))) <= set(
        BLOCK_TABLES["replicates"].names
    )
