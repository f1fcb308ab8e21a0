"""Which phases a matching has, from literal numbers: with phases that only return given numbers in place of those that match."""

from itertools import pairwise
from types import SimpleNamespace

import numpy as np
import pytest

from helpers.phases import APART, BOTH, ONE, record, task_of
from poissonmatch.engine import grids, phases, thread_pool

INF = np.inf
POINTS = np.linspace(0.05, 0.95, 100).reshape(50, 2)


def array(*values):
    return np.array(values)


class Script:
    """A matching whose phases return given numbers, and what it asks for.

    steps: for each phase its radius, work, number of pairs, whether it is done, and the numbers of active points after it.
    """

    def __init__(self, monkeypatch, task, *steps, state=None, presorted=False, folded=False):
        self.task, self.steps = task, steps
        self.layers = [
            SimpleNamespace(X=f"X{k}", Z=f"Z{k}", radius=step[0], color_of=f"colors {k}", count_active=lambda k=k: array(*steps[k][4]))
            for k, step in enumerate(steps)
        ]  # fmt: skip
        self.result = object()
        count = iter(range(99))
        layers, numbers = iter(self.layers), iter(step[1:4] for step in steps)
        self.first = record(monkeypatch, phases, "_presorted", lambda *a: next(layers) if presorted else None)
        self.grids = record(monkeypatch, grids, "choose_grid", lambda *a: (f"grid {next(count)}", 0.25))
        self.folded = record(monkeypatch, grids, "is_folded", lambda *a: folded)
        self.sorts = record(monkeypatch, phases, "sort_points", lambda *a: (next(layers), f"order of {a[3]}"))
        self.states = record(monkeypatch, phases, "_open_state", lambda *a: state)
        self.reordered = record(monkeypatch, phases, "_reordered", lambda state, order: f"{state}, {order}")
        self.results = record(monkeypatch, phases, "_empty_result", lambda *a: self.result)
        self.phases = record(monkeypatch, phases, "_phase", lambda *a: next(numbers))
        self.trees = record(monkeypatch, phases, "_match_in_tree", lambda *a: None)
        assert phases._run(task, ONE) is self.result

    @property
    def limits(self):
        """The largest work of each phase."""
        return [call[5] for call in self.phases]

    @property
    def widths(self):
        """The least width of the cells of each phase."""
        return [call[5] for call in self.grids]


@pytest.fixture
def no_limit(monkeypatch):
    """Leave out the limit of a single phase."""
    monkeypatch.setattr(phases, "PHASE_WORK", 1e9)


def test_what_the_first_phase_is_given(monkeypatch):
    task = task_of(POINTS, width=3)
    script = Script(monkeypatch, task, (INF, 1, 1, True, [0]))
    (first,) = script.grids
    assert np.array_equal(first[0], POINTS.T) and not first[0].flags.writeable
    assert first[1] == 50 and first[2] is task.sides and first[3].tolist() == [POINTS[0, 0], POINTS[0, 1]]
    assert first[4].tolist() == pytest.approx([POINTS[-1, 0] - POINTS[0, 0]] * 2) and first[5] == 0.0
    assert first[6] == 1.5 * 1.5 and first[7] is None and first[8] is task.compatible and first[9] is None
    assert script.first == [(task, "grid 0", 2.25, np.int32, ONE)]
    assert script.sorts == [(task, None, 50, "grid 0", 0.25, np.int32, ONE)]
    layer = script.layers[0]
    assert script.states == [(task, layer, ONE)] and script.results == [(task, layer, ONE)]
    assert script.phases == [(task, layer, None, script.result, ONE, 56.25, 22.5)]  # .05 * 22.5 * 50
    assert not script.folded and not script.trees and not script.reordered


def test_what_the_next_phases_are_given(monkeypatch):
    task = task_of(POINTS, [0, 1] * 25, compatible=APART)
    steps = (0.1, 1, 5, True, [20, 20]), (0.2, 1, 5, True, [15, 15]), (INF, 1, 5, True, [10, 10])
    script = Script(monkeypatch, task, *steps, state="open")
    first, second, third = script.grids
    assert first[7](array(2, 3)).tolist() == [0, 1] and first[6] == 3.0
    a, b, c = script.layers
    assert second == ("X0", 40, task.sides, *task.box, 0.1 * 3**0.5, 3.0, "colors 0", task.compatible, "Z0")
    assert third == ("X1", 30, task.sides, *task.box, 0.2 * 3**0.5, 3.0, "colors 1", task.compatible, "Z1")
    assert len(script.first) == 1 and len(script.states) == 1 and len(script.results) == 1
    assert script.sorts[1:] == [
        (task, a, 40, "grid 1", 0.25, np.int32, ONE),
        (task, b, 30, "grid 2", 0.25, np.int32, ONE),
    ]
    assert script.reordered == [("open", "order of grid 1"), ("open, order of grid 1", "order of grid 2")]
    states = "open", "open, order of grid 1", "open, order of grid 1, order of grid 2"
    assert [call[1:5] for call in script.phases] == [
        (layer, state, script.result, ONE) for layer, state in zip((a, b, c), states, strict=True)
    ]
    assert [call[6] for call in script.phases] == [22.5] * 3
    assert [call[0] for call in script.folded] == ["grid 0", "grid 1"]
    assert all(call[1] is task.box[1] for call in script.folded)


def test_without_a_state_none_is_reordered(monkeypatch):
    script = Script(monkeypatch, task_of(POINTS), (0.1, 1, 5, True, [40]), (INF, 1, 5, True, [10]))
    assert not script.reordered and script.phases[1][2] is None


def test_points_in_the_order_of_rows_are_not_sorted(monkeypatch):
    script = Script(
        monkeypatch, task_of(POINTS), (0.1, 1, 5, True, [40]), (INF, 1, 5, True, [10]), presorted=True, state="open"
    )
    assert len(script.first) == 1 and [call[1] for call in script.sorts] == [script.layers[0]]
    assert script.results == [(script.task, script.layers[0], ONE)] and script.states[0][1] is script.layers[0]


@pytest.mark.parametrize(("below", "kind"), [(100, np.int64), (101, np.int32)])
def test_index_types(below, kind, monkeypatch):
    """Of 50 points of one or two colors."""
    monkeypatch.setattr(phases, "INT32_BELOW", below)
    for options in ({}, {"colors": [0, 1] * 25, "compatible": APART}):
        script = Script(monkeypatch, task_of(POINTS, **options), (INF, 1, 1, True, [0]))
        assert script.first[0][3] == kind and script.sorts[0][5] == kind


def test_the_index_type_of_three_colors(monkeypatch):
    for below, kind in ((150, np.int64), (151, np.int32)):
        monkeypatch.setattr(phases, "INT32_BELOW", below)
        task = task_of(POINTS, [0, 1] * 25, compatible=np.ones((3, 3), bool))
        assert Script(monkeypatch, task, (INF, 1, 1, True, [0, 0, 0])).sorts[0][5] == kind


def test_phases_end_without_pairs(monkeypatch):
    """After a phase without limit that is done, or if no two points may match."""
    task = task_of(POINTS, [0, 1] * 25, compatible=APART)
    script = Script(monkeypatch, task, (0.1, 1, 5, True, [20, 20]), (0.1, 1, 5, True, [0, 10]))
    assert len(script.phases) == 2 and not script.trees
    script = Script(monkeypatch, task, (INF, 1, 5, True, [20, 20]), (0.1, 1, 5, True, [0, 10]))
    assert len(script.phases) == 1 and not script.trees
    alone = Script(monkeypatch, task_of(POINTS[:1]))
    assert alone.results == [(alone.task, None, ONE)] and not alone.phases and not alone.grids


@pytest.mark.parametrize(("dim", "factor"), [(1, 1), (2, 1 / 2), (3, 1 / 3)])
def test_growth_of_the_radius(dim, factor, monkeypatch):
    """At least 3 times the volume; 8 times after a phase that leaves 98 % or more of the points."""
    actives = [100, 97, 90, 90, 80, 79, 78]
    steps = [(float(k), 0, after, True, [after]) for k, after in enumerate(actives[1:], 1)]
    points = np.linspace(0, 1, 100 * dim).reshape(100, dim)
    script = Script(monkeypatch, task_of(points), *steps[:-1], (INF, 0, 1, True, [0]))
    volumes = [0 if b is None else 3 if b < 0.98 * a else 8 for a, b in pairwise([INF, *actives[:-1]])]
    assert volumes == [3, 3, 3, 8, 3, 8]
    assert script.widths == [0.0, *(k * volume**factor for k, volume in enumerate(volumes[1:], 1))]


def test_growth_after_exactly_two_percent(monkeypatch):
    points = np.linspace(0, 1, 200).reshape(100, 2)
    script = Script(monkeypatch, task_of(points), (1.0, 0, 9, True, [98]), (INF, 0, 9, True, [0]))
    assert script.widths == [0.0, 8**0.5]


@pytest.mark.parametrize(("dim", "price"), [(1, 12.5), (2, 22.5), (3, 52.5)])
def test_debt_and_limit(dim, price, monkeypatch, no_limit):
    """The debt begins at -2 for each point, and grows by the work, 2 for each active point, less the price of each pair."""
    points = np.linspace(0, 1, 100 * dim).reshape(100, dim)
    steps = (0.1, 700, 10, True, [80]), (0.1, 100, 8, True, [64]), (INF, 0, 9, True, [0])
    script = Script(monkeypatch, task_of(points), *steps)
    debts = [-200.0, -200 + 700 + 2 * 100 - 10 * price]
    debts.append(debts[1] + 100 + 2 * 80 - 8 * price)
    assert script.limits == [price * n - max(debt, -200) for n, debt in zip((100, 80, 64), debts, strict=True)]
    assert [call[6] for call in script.phases] == [price] * 3 and not script.trees


def test_debt_of_folded_cells(monkeypatch, no_limit):
    """250 more for each point of the sample, of at most 4096."""
    monkeypatch.setattr(grids, "SAMPLE_SIZE", 70)
    steps = (0.1, 1000, 800, True, [60]), (0.1, 10, 6, True, [30]), (INF, 0, 9, True, [0])
    points = np.linspace(0, 1, 200).reshape(100, 2)
    script = Script(monkeypatch, task_of(points), *steps, folded=True)
    debt = -200 + 1000 + 200 + 250 * 70 - 800 * 22.5
    after = debt + 10 + 120 + 250 * 60 - 6 * 22.5
    assert script.limits[:2] == [2450, 60 * 22.5 - debt] and after > 30 * 22.5
    assert len(script.phases) == 2 and len(script.trees) == 1


def test_work_counts_five_times_with_few_pairs(monkeypatch, no_limit):
    """With less than a tenth of the number of active points: 9 of 100, not 10."""
    for pairs, times in ((9, 5), (10, 1)):
        script = Script(
            monkeypatch, task_of(np.linspace(0, 1, 200).reshape(100, 2)), (0.1, 300, pairs, True, [80]), (INF, 0, 9, True, [0])
        )  # fmt: skip
        debt = max(-200, -200 + 300 * times + 200 - pairs * 22.5)
        assert script.limits[1] == 80 * 22.5 - debt


def test_the_least_debt(monkeypatch, no_limit):
    script = Script(
        monkeypatch, task_of(np.linspace(0, 1, 200).reshape(100, 2)), (0.1, 0, 30, True, [40]), (INF, 0, 9, True, [0])
    )
    assert script.limits[1] == 40 * 22.5 + 200


def test_the_limit_of_a_phase(monkeypatch):
    """5 % of the price of all points, not only of the active ones."""
    steps = (0.1, 10, 10, True, [80]), (INF, 0, 9, True, [0])
    assert Script(monkeypatch, task_of(np.linspace(0, 1, 200).reshape(100, 2)), *steps).limits == [112.5, 112.5]


@pytest.mark.parametrize(("work", "trees"), [(2025, 0), (2026, 1)])
def test_a_tree_matches_once_the_debt_exceeds_the_price(work, trees, monkeypatch, no_limit):
    """-200 + 2025 + 200 - 10 * 22.5 = 80 * 22.5."""
    steps = (0.1, work, 10, True, [80]), (INF, 0, 9, True, [0])
    script = Script(monkeypatch, task_of(np.linspace(0, 1, 200).reshape(100, 2)), *steps, state="open")
    assert len(script.trees) == trees and len(script.phases) == 2 - trees
    if trees:
        assert script.trees == [(script.task, script.layers[0], "open", script.result, ONE)]


def test_a_tree_matches_after_a_phase_that_is_stopped(monkeypatch):
    """Even if its radius is without limit."""
    for radius in (0.1, INF):
        script = Script(monkeypatch, task_of(POINTS), (radius, 0, 20, False, [10]), (INF, 0, 9, True, [0]))
        assert len(script.phases) == 1 and len(script.trees) == 1


@pytest.mark.parametrize(
    ("pairs", "phases_before"),
    [([1, 1], 2), ([2, 2], 3), ([1, 2], 3), ([2, 1, 1], 3), ([1, 2, 1, 1], 4)],
)
def test_a_tree_matches_after_two_phases_with_few_pairs(pairs, phases_before, monkeypatch, no_limit):
    """Of 80 points 2 pairs are a twentieth of all possible ones: 1 is less."""
    points = np.linspace(0, 1, 160).reshape(80, 2)
    steps = [(0.1, 0, number, True, [80]) for number in pairs]
    script = Script(monkeypatch, task_of(points), *steps, (INF, 0, 9, True, [0]))
    assert len(script.phases) == phases_before and len(script.trees) == (phases_before == len(pairs))


def test_possible_pairs_of_two_colors(monkeypatch, no_limit):
    """40 blue among 120 amber points have 40 pairs at most; 80 pairs if ambers match as well. A twentieth is 2 and 4."""
    points, colors = np.linspace(0, 1, 320).reshape(160, 2), np.repeat([0, 1], [120, 40])
    fussy = np.array([[True, True], [True, False]])
    for compatible, pairs, trees in ((APART, 1, 1), (APART, 2, 0), (fussy, 3, 1), (fussy, 4, 0)):
        task = task_of(points, colors, compatible=compatible)
        steps = [(0.1, 0, pairs, True, [120, 40])] * 2
        assert len(Script(monkeypatch, task, *steps, (INF, 0, 9, True, [0, 0])).trees) == trees


@pytest.mark.parametrize(
    ("active", "compatible", "expected"),
    [
        ([0], BOTH, False), ([1], BOTH, False), ([2], BOTH, True), ([5, 0], APART, False), ([1, 1], APART, True), ([0, 5], APART, False),
        ([2, 0], [[True, False], [False, False]], True), ([1, 9], [[True, False], [False, False]], False),
        ([0, 1, 1], [[False, True, False], [True, False, False], [False, False, False]], False),
    ],
)  # fmt: skip
def test_whether_there_is_a_pair(active, compatible, expected):
    assert phases._some_pair(np.array(compatible), np.array(active)) is expected


def test_memory_and_threads(monkeypatch):
    """At most one thread for each half of PARALLEL points."""
    estimates = record(monkeypatch, phases, "estimate_bytes", lambda *a: 7.0)
    required = record(monkeypatch, phases, "require_memory", lambda *a: None)
    runs = record(monkeypatch, phases, "_run", lambda task, threads: threads)
    monkeypatch.setattr(thread_pool, "PARALLEL", 25)
    task = task_of(POINTS, [0, 1] * 25, compatible=APART, width=3, threads=2)
    threads = phases.run(task)
    assert estimates == [(50, 2, 3, 2, True)] and required == [(7.0, "a matching of 50 points in dimension 2")]
    assert runs[0][0] is task and threads.count == 2 and threads.pool._max_workers == 2
    capacities = np.ones(24, np.uint64)
    for n, count in ((24, 1), (25, 2), (26, 2)):
        threads = phases.run(task_of(POINTS[:n], threads=2, remaining=capacities if n == 24 else None))
        assert threads.count == count and (threads.pool is None) == (count == 1)
        assert estimates[-1] == (n, 2, 1, 1, n > 24)
    assert phases.run(task_of(POINTS)).pool is None


def test_a_table_is_matched_without_cells(monkeypatch):
    calls = record(monkeypatch, phases, "_run_table", lambda *a: "matched")
    task = task_of(np.zeros((2, 1)), table=np.ones((2, 2)))
    assert phases._run(task, ONE) == "matched" and calls == [(task, ONE)]
