"""Hostile and clumsy input, third round: what is there, the command or the call, and the answer. Nothing is lost.

The cases are in test_hostile_third.toml. The kinds: files that are overwritten, limits of axes, files that a figure names, names of files, output
without bound, and calls of functions with numbers beyond float, values of another type and nesting without bound.
"""

import pickle
import re  # noqa: F401 (of a row)
from fractions import Fraction  # noqa: F401 (of a row)
from pathlib import Path

import numpy as np
import pytest

import poissonmatch as pm
from helpers.command_line import call
from helpers.hostile import cases, check_case, refused

LONG = "x" * 5000


def stray(home: Path) -> None:
    for number in range(200):
        (home / f"results/s/blocks/stray-{number:03}").write_text("mine")


CASES = cases(__file__, stray) | {"20,000 heaps": refused(f"games solve nim '{'1 ' * 20_000}'", "at most 5000 heaps")}


@pytest.mark.parametrize("case", CASES)
def test_a_case_of_the_command_line(work, case):
    check_case(work, CASES[case])


@pytest.mark.slow
def test_what_is_ours_is_replaced_and_with_force_all(work):
    for command in ("play --page p.html --points 3", "paper-figures --output paper"):
        for _ in range(2):
            code, answer = call(*command.split())
            assert code == 0, answer
    for name in ("p.html", "paper/index.html"):
        Path(name).write_text("mine")
    for command in ("play --page p.html --points 3 --force", "paper-figures --output paper --force"):
        assert call(*command.split())[0] == 0
    assert all(b"poissonmatch" in Path(name).read_bytes() for name in ("p.html", "paper/index.html"))


def test_files_of_the_user_among_the_results_are_kept(work):
    """A figure or a report that no manifest lists is moved aside; what the program made is replaced."""
    results = work / "results/s"
    for manifest, name, command in (
        ("figures/tail.json", "figures/tail.png", "draw"),
        ("pages.json", "report.html", "report"),
    ):
        (results / manifest).unlink()
        (results / name).write_text("mine")
        for moved in (True, False):
            code, answer = call(command, "../s.yaml", "--results", "../results")
            assert code == 0 and (f"quarantine/{name}" in answer) == moved, answer
        assert (results / "quarantine" / name).read_text() == "mine" != (results / name).read_text(errors="replace")


BEYOND = 10**400
TORUS = pm.Torus(4.0, 2)
PATTERN = pm.processes.poisson(TORUS, rng=1)


def recursive() -> list:
    values: list = []
    values.append(values)
    return values


def edited_pickle() -> pm.Matching:
    matching = pm.match(PATTERN)
    vars(matching)["partners"] = np.roll(np.array(matching.partners), 1, axis=0)
    return pickle.loads(pickle.dumps(matching))


# A call, the exception if it is not ValueError, and a pattern of its message.
CALLS = r"""
pm.Matching([1, 2, 3, 0], [1.0] * 4, "one-color") → does not have
edited_pickle() → row .
next(pm.replicates(None, TORUS)) → process must be a name
next(pm.replicates("poisson", None)) → torus must be a Geometry
pm.games.game_named(5) → name must be a string
pm.processes.thinned(TORUS, (1.0,), rng=1) → must be a Pattern
PATTERN.distance(None, 0) → indices of points
PATTERN.distance(0, 10**6) → j must be indices of the
pm.sweep(dims=1, sizes=9, replicates=1, progress=np.array([])) → True or False
pm.Torus(recursive()) → side must be
pm.processes.poisson(TORUS, rng=recursive()) → rng must be
pm.sweep(recursive()) → without end
pm.sweep(rule=recursive(), dims=1, sizes=9, replicates=1) → without end
pm.mass_transport.mass_transport(pm.processes.binomial(TORUS, 3, rng=1), [0], [1], parts=10**6) → parts must be a whole number from 1 to 10000, got 1000000
pm.frogs.all_labels(re.compile("x")) → must be a Pattern
TORUS.distance([BEYOND, 0], [0.0, 0.0]) → a must be coordinates
TORUS.distance([1.0], [0.0, 0.0]) → 2 coordinates
pm.theory.first_round(BEYOND) → dim must be a number from 1
pm.theory.fussy_epsilon(0) → dim must be a number from 1
pm.theory.ein(BEYOND) → z must be numbers
pm.theory.one_color_tail(1.0, 1, BEYOND) → intensity must be a number
pm.theory.two_color_tail(1.0, BEYOND, 1) → own must be a number
pm.theory.multi_tail(1.0, BEYOND, 0) → m must be a whole number
pm.theory.multi_tail(1.0, 2, 2) → order must be a whole number from 0 to 1
pm.theory.imbalance(BEYOND) → mean must be a number from 0
pm.theory.fussy_bounds(0.5, BEYOND) → r must be a number
pm.theory.label_tail(1.0, 1e6) → label must be a whole number from 0 to 9
pm.theory.label_tail(1.0, 2**70) → label must be a whole number from 0 to 9
pm.theory.fussy_line(1.0).tail("x", 0) → r must be numbers
pm.lazy.LazyMatching(pm.infinite.InfinitePoisson(1, seed=1), max_distance=BEYOND) → max_distance
pm.descending_chains.longest_chains(PATTERN, BEYOND) → radius must be
pm.descending_chains.mean_field_tail(1.0, 10**6) → max_steps must be
pm.infinite.InfinitePoisson(1, seed=1).window([0.0], [1e9]) → the window has
pm.infinite.InfinitePoisson(1, seed=1).points("x") → a cell must be
pm.games.parse("{" * 5000) → levels of nesting
pm.games.parse("-" * 5000 + "1") → levels of nesting
pm.games.parse("1/" + str(2**2000)) → at most 2\^200
pm.games.partisan.game([Fraction(1, 2**300)]) → at most 2\^200
pm.octaves(6, 0.5, survivors=1e9) → MemoryError → a pool of 1e\+09 survivors in d = 6 needs about
pm.certificates.read(LONG) → OSError → File name too long: 'x+ ... x+'$
pm.certificates.check(LONG) → OSError → File name too long: 'x+ ... x+'$
pm.load(LONG) → OSError → File name too long: 'x+ ... x+'$
PATTERN.plot(ax=5) → ax must be axes
pm.figures.nim_table("x") → size must be
"""


@pytest.mark.parametrize("row", CALLS.strip().splitlines())
def test_a_call_is_refused_in_a_line(row):
    call, *error, message = row.split(" → ")
    with pytest.raises(eval(*error or ["ValueError"]), match=message) as caught:
        eval(call)
    assert len(str(caught.value).splitlines()) == 1 and len(str(caught.value)) < 800


@pytest.mark.filterwarnings("error")
def test_long_work_is_announced():
    assert len(pm.octaves(1, 0.5, survivors=1000, points=2000, runs=1).runs) == 1
    with pytest.raises(RuntimeWarning, match=r"following 1.2e\+13 points may take about .* hours"):
        pm.octaves(1, 0.5, survivors=1000, points=1e12)
