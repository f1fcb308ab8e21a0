"""Hostile and clumsy input, third round: what is there, the command or the call, and the answer. Nothing is lost.

Each row is a case. The kinds: files that are overwritten, limits of axes, files that a figure names, names of files, output
without bound, and calls of functions with numbers beyond float, values of another type and nesting without bound.
"""

import pickle
import re  # noqa: F401 (of a row)
import shlex
from fractions import Fraction  # noqa: F401 (of a row)
from pathlib import Path

import numpy as np
import pytest

import poissonmatch as pm
from helpers.bad_files import GOOD
from helpers.command_line import call
from helpers.hostile import (
    Case,
    check_case,
    damaged,
    device,
    each,
    folder,
    large,
    nothing,
    pipe,
    refused,
    text,
    with_points,
)
from helpers.refusals import rows
from poissonmatch.cli.main import BAD_INPUT, ENVIRONMENT

FUSSY = "studies: {a: {rule: fussy, process: two_color, ratios: 0.5, dims: 1, sizes: 20, replicates: 2}}\n"
LONG = "x" * 5000
HEAD = "dim,ratio,log_u,standard_error\n"


def figure(options: str):
    return text("s.yaml", FUSSY + f"figures:\n  f: {{kind: fussy, studies: a, {options}}}\n")


def stray(home: Path) -> None:
    for number in range(200):
        (home / f"results/s/blocks/stray-{number:03}").write_text("mine")


# A command, the file of the user that it would overwrite, and words of the message.
WRITTEN = """
play --page ../data.csv → data.csv → data.csv: the file must end in .html or .htm
play --page ../s.yaml → s.yaml → s.yaml: the file must end in .html
play --page ../page → page → page: the file must end in .html
play --page ../page.html → page.html → page.html: exists, and is not a file of poissonmatch
play nim --page ../nim.html → nim.html → --force to overwrite it
play nim '3 4' --html ../nim.htm → nim.htm → nim.htm: exists
paper-figures --output ../paper → paper/index.html → index.html: exists, and is not a file of poissonmatch
paper-figures --output ../paper → paper/figure-1.pdf → figure-1.pdf: exists
paper-figures --output ../paper → paper/figure-6.svg → figure-6.svg: exists
paper-figures --output ../paper → paper/figure-3.txt → figure-3.txt: exists
paper-figures --output ../paper → paper/pages.json → pages.json: exists
games triangle --output ../t.csv → t.csv → the file must end in .parquet
games nim-table --output ../n.pdf → n.pdf → n.pdf: exists
"""
OVERWRITTEN = {
    f"{command} over {name}": refused(command, said, given=text(name, "mine")) for command, name, said in rows(WRITTEN)
}
AXES = {
    f"the limits {ends}": refused("validate ../s.yaml", "line 3: figures.f.xlim", said, given=figure(f"xlim: {ends}"))
    for ends, said in (
        ("[1.0e-300, 1.0e+300]", "the limit of an axis must be"), ("[0, 1.0e+16]", "must be at most 1e+15"), ("[-1.0e+16, 0]", "at most 1e+15"),
        ("[1, 1.0000000000000002]", "differ by more than rounding"), ("[1.0e-16, 1]", "must be 0 or at least 1e-15"), ("[2, 1]", "the smaller one first"),
        ("[.nan, 1]", "finite"), ("[0, .inf]", "finite"), ("[1]", "at least 2"), ("[0, 'x']", "is text"),
        (f"[0, {10**400}]", "a number of more than 100 characters"),
    )
}  # fmt: skip
OCTAVES = {
    f"octaves: {said}": refused("validate ../s.yaml", said, given=each(figure("octaves: o.csv"), given))
    for given, said in (
        (text("o.csv", HEAD + "1,0.5,-1,x\n"), "o.csv must have numbers"),
        (text("o.csv", HEAD + "1,0.5,1e300,0.1\n"), "numbers up to 1e+15"),
        (text("o.csv", HEAD + f"1,0.5,{10**400},0.1\n"), "o.csv"),
        (text("o.csv", HEAD + "1,1e-300,-1,0.1\n"), "ratios above 0"),
        (text("o.csv", HEAD + "1,0.5,-1,-0.1\n"), "standard errors from 0"),
        (text("o.csv", "x\n1\n"), "missing: dim"),
        (text("o.csv", ""), "o.csv: cannot be read as csv"),
        (text("o.csv", HEAD.replace(",", ";")), "semicolons"),
        (text("o.csv", b"dim,\xe9\n"), "UTF-8"),
        (nothing, "o.csv: No such file"),
        (pipe("o.csv"), "o.csv: not a regular file"),
        (device("o.csv"), "not a regular file"),
        (folder("o.csv"), "not a regular file but a folder"),
        (large("o.csv"), "1000000000 bytes is too large"),
    )
}
READ = {
    "octaves from a pipe, drawn": refused("draw ../s.yaml", "o.csv: not a regular file", given=each(figure("octaves: o.csv"), pipe("o.csv"))),
    "pads of 1 GB": refused("play --points ../p.csv --human nobody", "bytes is too large", given=large("p.csv")),
    "points of 10 GB": refused("validate ../s.yaml", "p.csv: 10000000000 bytes is too large", given=each(with_points(""), large("p.csv", 10**10))),
}  # fmt: skip
LONG_NAMES = {
    f"a long name: {command}": Case(nothing, command.format(LONG), code, said)
    for command, code, said in (
        ("validate {}.yaml", BAD_INPUT, ("is not a name",)),
        ("verify {}", ENVIRONMENT, ("File name too long", "xxx ... xxx")),
        ("games check {}", ENVIRONMENT, ("File name too long", "xxx ... xxx")),
        ("play --points {}.csv --human nobody", BAD_INPUT, ("File name too long",)),
        ("reproduce {}.json", ENVIRONMENT, ("File name too long",)),
        ("games graph nim 1 --output {}.svg", ENVIRONMENT, ("File name too long",)),
        ("play --page {}.html", ENVIRONMENT, ("File name too long",)),
    )
}
STUDY_NAMES = {
    f"{name[:12]!r}, {len(name)} letters": refused(f"validate {shlex.quote('../' + name)}", "is not a name: use letters, digits, _ and -",
        given=text(name, GOOD))
    for name in ("-x.yaml", "a'b.yaml", 'a"b.yaml', "a b.yaml", "a\nb.yaml", "a;b.yaml", "$(x).yaml", "\u0131\u0130.yaml", "x" * 250 + ".yaml", "%s{0}.yaml",
                 "a; touch x #.yaml", "{x}.yaml", "x" * 65 + ".yaml", ".yaml", ".hidden.yaml")
}  # fmt: skip
BOUNDED = {
    "200 stray files, verified": damaged(stray, "stray-019", "... and 180 more, 200 in all", "repair"),
    "200 stray files, repaired": Case(stray, "repair ../s.yaml --results ../results", 0, ("... and 180 more files moved, 200 in all",)),
    "20,000 heaps": refused("games solve nim '" + "1 " * 20_000 + "'", "at most 5000 heaps"),
}  # fmt: skip
CASES = OVERWRITTEN | AXES | OCTAVES | READ | LONG_NAMES | STUDY_NAMES | BOUNDED


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
    results = work / "results" / "s"
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
