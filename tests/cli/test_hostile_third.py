"""Hostile and clumsy input, third round: what is there, the command or the call, and the answer. Nothing is lost.

Each row is a case. The kinds: files that are overwritten, limits of axes, files that a figure names, names of files, output
without bound, and calls of functions with numbers beyond float, values of another type and nesting without bound.
"""

import os
import pickle
import re
import shlex
import shutil
import tempfile
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import poissonmatch as pm
from cli.test_hostile import call
from cli.test_hostile_cases import Case, check_case, finished, work  # noqa: F401  (fixtures)
from helpers.bad_files import GOOD
from helpers.hostile import device, folder, instead, nothing, pipe, text
from poissonmatch.cli.main import BAD_INPUT, ENVIRONMENT, INTEGRITY

FUSSY = "studies: {a: {rule: fussy, process: two_color, ratios: 0.5, dims: 1, sizes: 20, replicates: 2}}\n"
LONG = "x" * 5000
HEAD = "dim,ratio,log_u,standard_error\n"


def figure(options: str, kind: str = "fussy", study: str = FUSSY):
    return text("s.yaml", study + f"figures:\n  f: {{kind: {kind}, studies: a, {options}}}\n")


def with_octaves(make):
    return lambda home: (figure("octaves: o.csv")(home), make(home))


def large(name: str, size: int = 10**9):
    return instead(name, lambda path: os.truncate(os.open(path, os.O_CREAT | os.O_RDWR), size))


def stray(home: Path) -> None:
    for number in range(200):
        (home / f"results/s/blocks/stray-{number:03}").write_text("mine")


OVERWRITTEN = {
    f"{command} over {name}": Case(text(name, "mine"), command.format(name=f"../{name}"), BAD_INPUT, (said,))
    for command, name, said in (
        ("play --page {name}", "data.csv", "data.csv: the file must end in .html or .htm"),
        ("play --page {name}", "s.yaml", "s.yaml: the file must end in .html"),
        ("play --page {name}", "page", "page: the file must end in .html"),
        ("play --page {name}", "page.html", "page.html: exists, and is not a file of poissonmatch"),
        ("play nim --page {name}", "nim.html", "--force to overwrite it"),
        ("play nim '3 4' --html {name}", "nim.htm", "nim.htm: exists"),
        ("paper-figures --output ../paper", "paper/index.html", "index.html: exists, and is not a file of poissonmatch"),
        ("paper-figures --output ../paper", "paper/figure-1.pdf", "figure-1.pdf: exists"),
        ("paper-figures --output ../paper", "paper/figure-6.svg", "figure-6.svg: exists"),
        ("paper-figures --output ../paper", "paper/figure-3.txt", "figure-3.txt: exists"),
        ("paper-figures --output ../paper", "paper/pages.json", "pages.json: exists"),
        ("games triangle --output {name}", "t.csv", "the file must end in .parquet"),
        ("games nim-table --output {name}", "n.pdf", "n.pdf: exists"),
    )
}  # fmt: skip
AXES = {
    f"the limits {ends}": Case(figure(f"xlim: {ends}"), "validate ../s.yaml", BAD_INPUT, ("line 3: figures.f.xlim", said))
    for ends, said in (
        ("[1.0e-300, 1.0e+300]", "the limit of an axis must be"), ("[0, 1.0e+16]", "must be at most 1e+15"), ("[-1.0e+16, 0]", "at most 1e+15"),
        ("[1, 1.0000000000000002]", "differ by more than rounding"), ("[1.0e-16, 1]", "must be 0 or at least 1e-15"), ("[2, 1]", "the smaller one first"),
        ("[.nan, 1]", "finite"), ("[0, .inf]", "finite"), ("[1]", "at least 2"), ("[0, 'x']", "is text"),
        (f"[0, {10**400}]", "a number of more than 100 characters"),
    )
}  # fmt: skip
OCTAVES = {
    "octaves with text": Case(with_octaves(text("o.csv", HEAD + "1,0.5,-1,x\n")), "validate ../s.yaml", BAD_INPUT, ("o.csv must have numbers",)),
    "octaves of 1e300": Case(with_octaves(text("o.csv", HEAD + "1,0.5,1e300,0.1\n")), "validate ../s.yaml", BAD_INPUT, ("numbers up to 1e+15",)),
    "octaves of 400 digits": Case(with_octaves(text("o.csv", HEAD + f"1,0.5,{10**400},0.1\n")), "validate ../s.yaml", BAD_INPUT, ("o.csv",)),
    "a ratio of 1e-300": Case(with_octaves(text("o.csv", HEAD + "1,1e-300,-1,0.1\n")), "validate ../s.yaml", BAD_INPUT, ("ratios above 0",)),
    "a negative error": Case(with_octaves(text("o.csv", HEAD + "1,0.5,-1,-0.1\n")), "validate ../s.yaml", BAD_INPUT, ("standard errors from 0",)),
    "octaves without columns": Case(with_octaves(text("o.csv", "x\n1\n")), "validate ../s.yaml", BAD_INPUT, ("missing: dim",)),
    "empty octaves": Case(with_octaves(text("o.csv", "")), "validate ../s.yaml", BAD_INPUT, ("o.csv: cannot be read as csv",)),
    "octaves with semicolons": Case(with_octaves(text("o.csv", HEAD.replace(",", ";"))), "validate ../s.yaml", BAD_INPUT, ("semicolons",)),
    "octaves in Latin-1": Case(with_octaves(text("o.csv", b"dim,\xe9\n")), "validate ../s.yaml", BAD_INPUT, ("UTF-8",)),
    "no octaves": Case(figure("octaves: o.csv"), "validate ../s.yaml", BAD_INPUT, ("o.csv: No such file",)),
    "octaves from a pipe": Case(with_octaves(pipe("o.csv")), "validate ../s.yaml", BAD_INPUT, ("o.csv: not a regular file",)),
    "octaves from a pipe, drawn": Case(with_octaves(pipe("o.csv")), "draw ../s.yaml", BAD_INPUT, ("o.csv: not a regular file",)),
    "octaves from a device": Case(with_octaves(device("o.csv")), "validate ../s.yaml", BAD_INPUT, ("not a regular file",)),
    "a folder of octaves": Case(with_octaves(folder("o.csv")), "validate ../s.yaml", BAD_INPUT, ("not a regular file but a folder",)),
    "octaves of 1 GB": Case(with_octaves(large("o.csv")), "validate ../s.yaml", BAD_INPUT, ("1000000000 bytes is too large",)),
    "pads of 1 GB": Case(large("p.csv"), "play --points ../p.csv --human nobody", BAD_INPUT, ("bytes is too large",)),
    "points of 10 GB": Case(
        lambda home: (
            text("s.yaml", "studies: {a: {process: {name: points, files: p.csv, coords: [x]}, dims: 1, sizes: 2, replicates: 1}}\n")(home),
            large("p.csv", 10**10)(home)), "validate ../s.yaml", BAD_INPUT, ("p.csv: 10000000000 bytes is too large",)),
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
    f"a study named {name[:12]!r}": Case(text(name, GOOD), f"validate {shlex.quote('../' + name)}", BAD_INPUT, ("is not a name: use letters, digits, _ and -",))
    for name in ("-x.yaml", "a'b.yaml", 'a"b.yaml', "a b.yaml", "a\nb.yaml", "a;b.yaml", "$(x).yaml", "\u0131\u0130.yaml", "x" * 250 + ".yaml", "%s{0}.yaml")
}  # fmt: skip
BOUNDED = {  # with finished results
    "200 stray files, verified": Case(stray, "verify ../results/s", INTEGRITY, ("stray-019", "... and 180 more, 200 in all", "repair")),
    "200 stray files, repaired": Case(stray, "repair ../s.yaml --results ../results", 0, ("... and 180 more files moved, 200 in all",)),
    "20,000 heaps": Case(nothing, "games solve nim '" + "1 " * 20_000 + "'", BAD_INPUT, ("at most 5000 heaps",)),
}  # fmt: skip
CASES = OVERWRITTEN | AXES | OCTAVES | LONG_NAMES | STUDY_NAMES | BOUNDED


@pytest.mark.parametrize("case", CASES)
def test_a_case_of_the_command_line(work, request, case):  # noqa: F811
    there = request.getfixturevalue("finished") if case in BOUNDED else None
    check_case(work, CASES[case], there, unchanged=not case.endswith("repaired"))


@pytest.mark.slow
def test_what_is_ours_is_replaced_and_with_force_all(work):  # noqa: F811
    for command in ("play --page p.html --points 3", "paper-figures --output paper"):
        for _ in range(2):
            code, answer = call(*command.split())
            assert code == 0, answer
    for name in ("p.html", "paper/index.html"):
        Path(name).write_text("mine")
    for command in ("play --page p.html --points 3 --force", "paper-figures --output paper --force"):
        assert call(*command.split())[0] == 0
    assert all(b"poissonmatch" in Path(name).read_bytes() for name in ("p.html", "paper/index.html"))


def test_files_of_the_user_among_the_results_are_kept(work, finished):  # noqa: F811
    """A figure or a report that no manifest lists is moved aside; what the program made is replaced."""
    shutil.copytree(finished, work, dirs_exist_ok=True)
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


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "getuid") or os.getuid() != 0, reason="only root becomes another user")
@pytest.mark.parametrize("hidden", ("results/s/figures", "results/s/blocks", "results/s"))
def test_what_may_not_be_read_is_not_absent(finished, hidden):  # noqa: F811
    """As another user, who may not read a folder: never fewer verified files and exit 0."""
    with tempfile.TemporaryDirectory() as place:  # those of pytest are private
        Path(place).chmod(0o755)
        home = Path(shutil.copytree(finished, Path(place, "home")))
        assert call("verify", str(home / "results/s"))[0] == 0  # all libraries are imported as root
        (home / hidden).chmod(0)
        os.seteuid(65534)
        try:
            code, answer = call("verify", str(home / "results/s"))
        finally:
            os.seteuid(0)
    assert (code, len(answer.splitlines())) == (ENVIRONMENT, 1) and "Permission denied" in answer, answer


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


FUNCTIONS = {  # a call, the exception, words of its message
    "partners not mutual": (lambda: pm.Matching([1, 2, 3, 0], [1.0] * 4, "one-color"), ValueError, "does not have"),
    "an edited pickle": (edited_pickle, ValueError, "row "),
    "no process": (lambda: next(pm.replicates(None, TORUS)), ValueError, "process must be a name"),
    "no torus": (lambda: next(pm.replicates("poisson", None)), ValueError, "torus must be a Geometry"),
    "a number for a game": (lambda: pm.games.game_named(5), ValueError, "name must be a string"),
    "a torus thinned": (lambda: pm.processes.thinned(TORUS, (1.0,), rng=1), ValueError, "must be a Pattern"),
    "a distance to None": (lambda: PATTERN.distance(None, 0), ValueError, "indices of points"),
    "a distance to point 10^6": (lambda: PATTERN.distance(0, 10**6), ValueError, "j must be indices of the"),
    "progress that is an array": (lambda: pm.sweep(dims=1, sizes=9, replicates=1, progress=np.array([])), ValueError, "True or False"),
    "a side that contains itself": (lambda: pm.Torus(recursive()), ValueError, "side must be"),
    "a seed that contains itself": (lambda: pm.processes.poisson(TORUS, rng=recursive()), ValueError, "rng must be"),
    "a study that contains itself": (lambda: pm.sweep(recursive()), ValueError, "without end"),
    "a key that contains itself": (lambda: pm.sweep(rule=recursive(), dims=1, sizes=9, replicates=1), ValueError, "without end"),
    "10^12 cubes": (
        lambda: pm.mass_transport.mass_transport(pm.processes.binomial(TORUS, 3, rng=1), [0], [1], parts=10**6),
        ValueError,
        "parts must be a whole number from 1 to 10000, got 1000000",
    ),
    "a regular expression for a pattern": (lambda: pm.frogs.all_labels(re.compile("x")), ValueError, "must be a Pattern"),
    "a place of 10^400": (lambda: TORUS.distance([BEYOND, 0], [0.0, 0.0]), ValueError, "a must be coordinates"),
    "a place with one coordinate": (lambda: TORUS.distance([1.0], [0.0, 0.0]), ValueError, "2 coordinates"),
    "a dimension of 10^400": (lambda: pm.theory.first_round(BEYOND), ValueError, "dim must be a number from 1"),
    "a dimension of 0": (lambda: pm.theory.fussy_epsilon(0), ValueError, "dim must be a number from 1"),
    "ein of 10^400": (lambda: pm.theory.ein(BEYOND), ValueError, "z must be numbers"),
    "an intensity of 10^400": (lambda: pm.theory.one_color_tail(1.0, 1, BEYOND), ValueError, "intensity must be a number"),
    "own of 10^400": (lambda: pm.theory.two_color_tail(1.0, BEYOND, 1), ValueError, "own must be a number"),
    "m of 10^400": (lambda: pm.theory.multi_tail(1.0, BEYOND, 0), ValueError, "m must be a whole number"),
    "an order of m": (lambda: pm.theory.multi_tail(1.0, 2, 2), ValueError, "order must be a whole number from 0 to 1"),
    "a mean of 10^400": (lambda: pm.theory.imbalance(BEYOND), ValueError, "mean must be a number from 0"),
    "a bound of 10^400": (lambda: pm.theory.fussy_bounds(0.5, BEYOND), ValueError, "r must be a number"),
    "a label of 1e6": (lambda: pm.theory.label_tail(1.0, 1e6), ValueError, "label must be a whole number from 0 to 9"),
    "a label of 2^70": (lambda: pm.theory.label_tail(1.0, 2**70), ValueError, "label must be a whole number from 0 to 9"),
    "a tail of text": (lambda: pm.theory.fussy_line(1.0).tail("x", 0), ValueError, "r must be numbers"),
    "a largest distance of 10^400": (
        lambda: pm.lazy.LazyMatching(pm.infinite.InfinitePoisson(1, seed=1), max_distance=BEYOND), ValueError, "max_distance"),
    "a radius of 10^400": (lambda: pm.descending_chains.longest_chains(PATTERN, BEYOND), ValueError, "radius must be"),
    "10^6 steps": (lambda: pm.descending_chains.mean_field_tail(1.0, 10**6), ValueError, "max_steps must be"),
    "a window of 10^9": (lambda: pm.infinite.InfinitePoisson(1, seed=1).window([0.0], [1e9]), ValueError, "the window has"),
    "cell x": (lambda: pm.infinite.InfinitePoisson(1, seed=1).points("x"), ValueError, "a cell must be"),
    "5,000 braces": (lambda: pm.games.parse("{" * 5000), ValueError, "levels of nesting"),
    "5,000 minus signs": (lambda: pm.games.parse("-" * 5000 + "1"), ValueError, "levels of nesting"),
    "a denominator of 2^2000": (lambda: pm.games.parse("1/" + str(2**2000)), ValueError, r"at most 2\^200"),
    "a number of 2^-300": (lambda: pm.games.partisan.game([Fraction(1, 2**300)]), ValueError, r"at most 2\^200"),
    "10^9 survivors": (lambda: pm.octaves(6, 0.5, survivors=1e9), MemoryError, "a pool of 1e\\+09 survivors in d = 6 needs about"),
    "a certificate with a long name": (lambda: pm.certificates.read(LONG), OSError, "File name too long: 'x+ ... x+'$"),
    "a check of one": (lambda: pm.certificates.check(LONG), OSError, "File name too long: 'x+ ... x+'$"),
    "a table with one": (lambda: pm.load(LONG), OSError, "File name too long: 'x+ ... x+'$"),
    "axes that are none": (lambda: PATTERN.plot(ax=5), ValueError, "ax must be axes"),
    "limits as text": (lambda: pm.figures.nim_table("x"), ValueError, "size must be"),
}  # fmt: skip


@pytest.mark.parametrize("case", FUNCTIONS)
def test_a_case_of_a_function(case):
    function, error, message = FUNCTIONS[case]
    with pytest.raises(error, match=message) as caught:
        function()
    assert len(str(caught.value).splitlines()) == 1 and len(str(caught.value)) < 800


@pytest.mark.filterwarnings("error")
def test_long_work_is_announced(monkeypatch):
    from poissonmatch.survival import octaves as octave_runs

    monkeypatch.setattr(octave_runs, "_runs", lambda *_: [])
    monkeypatch.setattr(octave_runs, "_flow", lambda runs: runs)
    monkeypatch.setattr(octave_runs, "Octaves", lambda *parts: SimpleNamespace(error=0.0, flow=parts[-1]))
    assert pm.octaves(1, 0.5, survivors=1000).flow == []
    with pytest.raises(RuntimeWarning, match=r"following 1.2e\+13 points may take about .* hours"):
        pm.octaves(1, 0.5, survivors=1000, points=1e12)
