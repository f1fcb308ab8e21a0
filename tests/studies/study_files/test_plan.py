"""plan says what will happen; targets stop where they should, and with honest intervals."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

import poissonmatch as pm
from helpers.processes import python
from helpers.refusals import rows
from helpers.runs import (
    blocks_of_study,
    finished,
    load_study,
    manifests,
    one_study,
    peak_memory,
    problems,
    simulate_all,
    table_of,
)
from helpers.tables import tables
from poissonmatch.studies import study_files as studies
from poissonmatch.studies.results import cell_records
from poissonmatch.studies.results.batch_files import Batch, read_manifest
from poissonmatch.studies.results.results import Results
from poissonmatch.studies.run import batches, runs, stages
from poissonmatch.studies.sampling.cells import Block, Cell
from poissonmatch.studies.study_files import cost, plan, stopping
from poissonmatch.utils.errors import BadInput, IntegrityError


def test_counting_is_listing_without_the_list(tmp_path):
    file = load_study(
        tmp_path,
        """
studies:
  a: {dims: [1, 2, 3], sizes: [100, 1000, 1.0e+5], replicates: 70, block: 16}
  b: {process: two_color, rule: fussy, dims: [2, inf], sizes: [100, 2000], ratios: {from: 0.1, to: 1, steps: 5}, replicates: 10000}
figures:
  f: {kind: fussy, studies: b}
""",
    )
    counted, cells = plan.count(file), studies.cells(file)
    assert counted.cells == len(cells)
    assert counted.blocks == sum(len(list(c.blocks())) for c in cells)
    assert counted.replicates == sum(c.replicates for c in cells)
    assert counted.points == pytest.approx(sum(c.replicates * c.size for c in cells))
    largest = max(cost.job_bytes(c, b.end - b.first) for c in cells for b in c.blocks())
    assert counted.memory == largest
    for cores in (1, 7):  # as `run` makes them
        dealt = batches.deal([*batches.missing(file, Results(tmp_path / "none"))], cost.JOB_MINUTES, cores)
        assert plan.count(file, cores).batches == len(dealt) and plan.count(file, cores).jobs == len(dealt) + 3


def test_what_is_left(tmp_path):
    """Of a study with some of its blocks; nothing of a finished one."""
    file = load_study(tmp_path, "studies: {a: {dims: [1, 2], sizes: 100, replicates: 8, block: 4}}")
    made = blocks_of_study(file)
    sums = []
    for number in (0, 3, 1):
        if number:
            batches.make(made[:number], tmp_path)
        del made[:number]
        left = batches.remaining(file, tmp_path, 2)
        sums.append((left.cells, left.blocks, left.replicates, left.points, left.jobs))
    assert sums == [(2, 4, 16, 1600.0, 3), (1, 1, 4, 400.0, 3), (0, 0, 0, 0.0, 0)]
    assert plan.count(file, 2).jobs == 3  # a batch, the tables and the report; there are no figures


def test_times_of_a_plan():
    """Three jobs of one kind on two cores: the jobs that simulate in parallel, the rest one after another."""
    made = plan.Plan(cores=2, figures=4, cells=1000, blocks=11, timing=plan.Timing({("a",): 2.0, ("b",): 3.0}, 1.0))
    made.work = made.longest = {("a",): 100.0, ("b",): 20.0}
    assert made.batches == 4 and made.jobs == 10 and made.work_seconds == 260.0
    tables = cost.aggregate_seconds(1000, 0)
    overhead = plan.BATCH * 4 + plan.AROUND + (plan.DRAWING + plan.FIGURE) * 4 + tables
    assert made.job_seconds == pytest.approx(overhead) and made.seconds == pytest.approx(260 + overhead)
    serial = plan.AROUND + (plan.DRAWING + plan.FIGURE) * 2 + tables
    assert made.wall_seconds == pytest.approx(max(130 + 2 * plan.BATCH, 200 + plan.BATCH) + serial)
    many = plan.Plan(figures=41, blocks=1, work={("a",): 1.0})
    assert many.drawing_jobs == 3 and many.jobs == 6  # twenty figures a job
    nothing = plan.Plan(timing=made.timing)
    assert (nothing.seconds, nothing.wall_seconds, nothing.jobs) == (0.0, 0.0, 0)


def test_what_the_process_draws_to_choose_from_is_counted(tmp_path):
    """A torus of 50 points, out of 10^9 clusters most of which are empty: as the process itself would ask for."""
    text = "studies: {a: {process: {name: thomas, offspring: %s}, dims: 2, sizes: 50, replicates: 1}}"
    few, many = (plan.count(load_study(tmp_path, text % offspring)).memory for offspring in ("1.0", "5.0e-8"))
    assert many - few > 1e9 * 16 * 2


def test_what_is_timed_is_small(tmp_path, monkeypatch):
    """However large the tori of a study are, those that plan measures take a part of its time, by the clock and not by the model."""
    file = load_study(tmp_path, "studies: {a: {dims: 2, sizes: 1.0e+12, replicates: 1}}")
    timed, clock = [], [0.0]

    def measure(block):
        timed.append(block.cell.size)
        clock[0] += 1e-6 * block.cell.size

    monkeypatch.setattr(plan.observables, "measure_block", measure)
    monkeypatch.setattr(plan.time, "process_time", lambda: clock[0])
    (cell,) = plan.count(file).largest.values()
    measured = plan.timing([cell])
    assert 0.1 * plan.MEASURE_SECONDS < 1e-6 * max(timed) < 0.5 * plan.MEASURE_SECONDS and len(timed) < 10
    assert measured.speed[plan.kind_of(cell)] * cost.cell_seconds(cell) == pytest.approx(1e6, rel=0.01)


def test_what_is_timed_can_be_drawn(tmp_path):
    """A hard-core process in d = 20 fits into its torus, and into none of half the points."""
    text = (
        "studies: {a: {process: {name: matern, distance: 3}, intensities: 1e-9, dims: 20, sizes: 4e6, replicates: 1}}"
    )
    (cell,) = plan.count(load_study(tmp_path, text)).largest.values()
    assert [sample.size for sample in plan._samples(cell)] == [4e6]


COMPILED = """
from poissonmatch.studies import study_files
from poissonmatch.studies.study_files import plan
two = {"a": {"dims": [2, 1], "sizes": 100, "replicates": 2}, "b": {"rule": "misere", "dims": 2, "sizes": 100, "replicates": 2}}
print(plan.calibrated(study_files.of_data({"studies": two}, "s")).timing.compile_seconds)
"""


@pytest.mark.slow
def test_kernels_that_a_run_needs_are_compiled_once(tmp_path):
    """In a fresh cache all of them, and in a second process none."""
    cache = {"XDG_CACHE_HOME": str(tmp_path)}
    first, second = (float(python("-c", COMPILED, variables=cache, check=True).stdout) for _ in range(2))
    assert first > 0 and second == 0


HUGE = "studies:\n  a: {dims: [1, 2], sizes: {from: 10, to: 1000, steps: 10000}, intensities: {from: 1, to: 2, steps: %d}, replicates: 1000000, block: 1}\n"


@pytest.mark.parametrize("text", [HUGE % 10000, HUGE % 2])
def test_ten_thousand_million_jobs_are_refused_at_once(tmp_path, text):
    """10^14 and 4 10^10 jobs, which would take days to list."""
    (tmp_path / "s.yaml").write_text(text)
    with pytest.raises(BadInput, match=r"[0-9]{9} (cells|blocks)"):
        plan.count(studies.load(tmp_path / "s.yaml")).refuse_if_large()


# Keys of a study, and what it takes too much of.
LARGE = """
sizes: 1.0e+3, replicates: 1000000, block: 1, intensities: [1, 2, 3] → blocks
sizes: 1.0e+12, replicates: 2 → memory
sizes: 1.0e+10, replicates: 2, observables: [realization] → disk
"""


@pytest.mark.parametrize("keys, what", rows(LARGE))
def test_ceilings_and_how_to_pass_them(tmp_path, keys, what):
    counted = plan.count(one_study(tmp_path, f"dims: 2, {keys}"))
    with pytest.raises(BadInput, match=f"{what}.*--allow-large"):
        counted.refuse_if_large()


def test_a_block_is_worth_its_files():
    """7 to 20 s of work by the model, unless a single replicate takes longer or the block is as long as it may be."""
    for dim in (1, 2, 3, 6, np.inf):
        for size in (100.0, 1e4, 1e6):
            for rule in ("one-color", "fussy", "misere", "multi(3)"):
                block = cost.block_size(dim, size, rule)
                seconds = block * cost.replicate_seconds(dim, size, rule)
                assert 5 < seconds <= 20 or block in (1, cost.LONGEST_BLOCK)


@pytest.mark.slow
@pytest.mark.long
def test_requests_cover_what_a_replicate_takes():
    """Peak memory of a fresh process against the request of its job."""
    cell = Cell("s", (("name", "poisson"),), "one-color", 2, 3e5, (1.0,), ("distances",), 1, 1, 1)
    peak = peak_memory(
        "from poissonmatch.studies.sampling.cells import Cell\nfrom poissonmatch.studies.statistics import observables\n"
        f"observables.measure({cell!r}, 0)"
    )
    asked = cost.job_bytes(cell)
    assert peak < 1.2 * asked and asked < 3 * peak


# ---- targets ----


# The replicates that are done, the value and its error, and the replicates of the next round.
@pytest.mark.parametrize("done, value, error, expected", tables(__file__)["rounds"])
def test_rounds_end_at_the_target_or_at_the_most(done, value, error, expected):
    assert stopping.next_replicates(done, value, error, 0.02, 100) == expected


def test_coverage_of_the_final_interval():
    """1000 synthetic sweeps of skewed replicates, stopped at the target: the 95 % interval holds the truth in 93 % or more."""
    rng = np.random.default_rng(20)
    hits = number = 0
    for _ in range(1000):
        x = rng.gamma(4.0, 0.25, 4000)  # mean 1, standard deviation 0.5
        done = 0
        more = 16
        while more > done:
            done = more
            mean, error = x[:done].mean(), x[:done].std(ddof=1) / np.sqrt(done)
            more = stopping.next_replicates(done, mean, error, 0.05, 4000)
            number += 1
        assert error / mean <= 0.05
        hits += abs(mean - 1) <= stats.t.ppf(0.975, done - 1) * error
    assert hits >= 930, hits
    assert number < 6000


TARGET = """
studies:
  red: {process: two_color, rule: fussy, dims: 2, sizes: 100, ratios: [0.5, 1], replicates: 8, block: %d,
        observables: [unmatched], target_rel_se: 0.06, max_replicates: 24}
"""


@pytest.mark.long
def test_replicates_of_a_target_do_not_depend_on_blocks(tmp_path):
    found = {}
    for block in (3, 8, 24):
        path, folder = finished(tmp_path, TARGET % block)
        folder = folder.rename(tmp_path / str(block))
        file = studies.load(path)
        found[block] = [(folder / f"{name}.parquet").read_bytes() for name in file.tables]
        estimates = pm.load(folder / "estimates.parquet")
        for record in cell_records.records(file, folder):
            query = "cell == @record['cell'] and quantity == 'unmatched_fraction' and color == 1"
            row, count = estimates.query(query).iloc[0], record["replicates"]
            assert record["replicates_left"] == 0 and row["n_replicates"] == count
            assert row["value"] == pytest.approx(record["value"])
            assert record["standard_error"] / record["value"] <= 0.06 or count == 24
    assert found[3] == found[8] == found[24]


def test_a_damaged_block_of_a_later_round_is_named(tmp_path):
    """The round is not left out in silence."""
    path, folder = finished(tmp_path, TARGET % 8)
    file = studies.load(path)
    later = next(m for m in manifests(folder) if all(first for *_, first, _ in read_manifest(m).keys))
    last = table_of(later, "replicates")
    last.write_bytes(last.read_bytes()[:-1])
    assert last in [problem.path for problem in problems(folder, file)]
    with pytest.raises(IntegrityError, match=last.name):
        stages.aggregate(file, folder)


def test_status_of_a_sweep_that_has_only_begun(tmp_path):
    file = load_study(tmp_path, TARGET % 4)
    first, second = studies.cells(file)
    batches.make([Block(first, 0, 4)], tmp_path)
    one, two = cell_records.records(file, tmp_path)
    keys = ("replicates", "replicates_needed", "replicates_left")
    assert [[record[key] for key in keys] for record in (one, two)] == [[4, 8, 4], [0, 8, 8]]
    assert two["value"] is None and one["value"] > 0


def test_records_of_status_are_kept_until_a_cell_has_other_blocks(tmp_path, monkeypatch):
    file = load_study(tmp_path, TARGET % 4)
    cell = studies.cells(file)[0]
    manifest = batches.make([Block(cell, 0, 4)], tmp_path)
    expected = list(cell_records.records(file, tmp_path))
    reads, read = [], Batch.read
    monkeypatch.setattr(Batch, "read", lambda *arguments: reads.append(arguments) or read(*arguments))
    assert list(cell_records.records(file, tmp_path)) == expected and reads == []
    for text in ("{", "[]\n", '{\n "a": 1\n}\n'):
        (tmp_path / runs.STATE / cell_records.STATUS).write_text(text)
        assert list(cell_records.records(file, tmp_path)) == expected
    table = table_of(manifest, "replicates")
    whole = table.read_bytes()
    table.write_bytes(whole[:-1])
    (tmp_path / runs.STATE / cell_records.STATUS).unlink()
    assert next(cell_records.records(file, tmp_path))["replicates"] == 0
    table.write_bytes(whole)  # as a repair does
    assert list(cell_records.records(file, tmp_path)) == expected
    batches.make([Block(cell, 4, 8)], tmp_path)
    assert next(cell_records.records(file, tmp_path))["replicates"] == 8


def test_records_have_bounds_and_are_the_same_when_they_are_stored(tmp_path, monkeypatch):
    """Those of cells with a smaller size to compare with, too."""
    text = "studies: {a: {process: two_color, rule: fussy, dims: 1, ratios: 0.5, sizes: [100, 800], replicates: 4, observables: [distances]}}"
    file = load_study(tmp_path, text)
    simulate_all(file, tmp_path)
    expected = list(cell_records.records(file, tmp_path))
    monkeypatch.setattr(cell_records, "record", None)
    assert list(cell_records.records(file, tmp_path)) == expected and expected[1]["bounds"] is not None


def test_an_error_needs_two_replicates(tmp_path):
    text = "studies: {a: {dims: 1, sizes: [10, 20, 30], replicates: 3}}"
    file = load_study(tmp_path, text)
    for cell, done in zip(studies.cells(file), (1, 2, 3), strict=True):
        batches.make([Block(cell, 0, done)], tmp_path)
    records = cell_records.records(file, tmp_path)
    assert [record["standard_error"] is not None for record in records] == [False, True, True]


def test_blocks_of_later_rounds_leave_the_earlier_ones(tmp_path):
    cell = studies.cells(load_study(tmp_path, TARGET % 5))[0]
    for count in (8, 13, 20):
        grown = replace(cell, replicates=count)
        assert grown.id == cell.id
        batches.make(Results(tmp_path).missing(grown), tmp_path)
    cut = [(block.first, block.end) for block in Results(tmp_path).blocks(grown)]
    assert cut == [(0, 5), (5, 8), (8, 13), (13, 18), (18, 20)]


def test_exact_tails_that_are_solved_are_counted(tmp_path):
    """Once for each ratio on the line, where the rule has such a law, and only if tails are estimated."""
    text = """
studies:
  a: {process: two_color, rule: fussy, dims: [1, 2], sizes: [100, 200], ratios: [0.5, 1.0], replicates: 2, observables: [distances]}
  b: {process: two_color, rule: fussy, dims: 1, sizes: 100, ratios: [0.5, 0.25], replicates: 2, observables: [unmatched]}
  c: {process: two_color, rule: two-color, dims: 1, sizes: 100, ratios: 0.125, replicates: 2, observables: [distances]}
"""
    counts = plan.count(load_study(tmp_path, text))
    assert counts.solutions == 2
    assert cost.aggregate_seconds(1, 2, 2) == cost.aggregate_seconds(1, 2) + 2 * cost.SOLUTION_SECONDS
    assert cost.drawing_bytes(3, 5.0) == cost.drawing_bytes(0, 0.0) + 3 * cost.ESTIMATE_BYTES + 50
