"""What stands in the documents: sessions (```pycon) give what they show, Python runs, pieces of studies are right.

The Python of docs/partisan-games.md, impartial-games.md and playing-the-games.md is run by the tests of the games, cells of notebooks by test_site.
"""

import doctest
import os
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import matplotlib
import numpy as np
import pytest
import yaml
from jsonschema import Draft202012Validator

import poissonmatch as pm
from helpers.runs import run_study, write_study
from helpers.sources import ROOT, blocks, text_of, tracked
from poissonmatch.studies import study_files as studies
from poissonmatch.theory.finite_size import MIN_UNMATCHED
from poissonmatch.theory.scaling_laws import EXCLUDED, LAWS

SESSIONS = {
    str(path.relative_to(ROOT)): "\n".join(found)
    for path in tracked("README.md", "docs/*.md")
    if (found := blocks(path, "pycon"))
}


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.parametrize("page", SESSIONS)
def test_what_a_session_shows_is_what_it_gives(page):
    said: list[str] = []
    session = doctest.DocTestParser().get_doctest(SESSIONS[page], {}, page, page, 0)
    assert session.examples
    doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(session, out=said.append)
    assert not said, "".join(said)


VERIFICATION = text_of("docs/verification.md")


@pytest.mark.slow
@pytest.mark.parametrize("extent, command", re.findall(r"\| ([\d,]+) [\w ]+ \| `(.+)` \|", VERIFICATION))
def test_an_extent_is_what_its_command_counts(extent, command):
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    run = subprocess.run(
        command.replace("\\|", "|"),
        shell=True,
        cwd=ROOT,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
    )
    counted = int(re.findall(r"\d+", run.stdout.splitlines()[-1])[0])
    tolerance = 100 if "," in extent else 0  # thousands of tests are rounded
    assert abs(counted - int(extent.replace(",", ""))) <= tolerance


def test_every_name_on_a_page_exists():
    missing = []
    for path in tracked("README.md", "docs/*.md"):
        for names in re.findall(r"\bpm\.([A-Za-z_][\w.]*\w)", text_of(path)):
            value = pm
            for name in names.split("."):
                if not isinstance(value, type | ModuleType):
                    break
                if not hasattr(value, name):
                    missing.append(f"{path.name}: pm.{names}")
                    break
                value = getattr(value, name)
    assert missing == []


def test_the_measurements_have_the_laws_that_are_fitted():
    text = text_of("docs/measurements.md")
    rows = re.findall(r"^\| ([^|]+) \| \$(\\ln\(1/u\)|Y)\$ \| \$([^|]+)\$ \|$", text, re.M)
    assert rows == [(law.name, {"u": "\\ln(1/u)", "Y": "Y"}[law.of], law.latex) for law in LAWS.values()]
    assert f"at least {MIN_UNMATCHED:g} red points" in text and f"more than {EXCLUDED:g} above" in text


PAPER = text_of("docs/paper/theorem-on-the-line.md")
KINDS = "Theorem|Proposition|Lemma|Corollary|Conjecture"


def test_the_statements_of_the_paper_are_numbered_and_said_not_to_be_refereed():
    """Lemmas, theorems and propositions have one sequence of numbers; tables, figures and algorithms one each."""
    stated = re.findall(rf"^\((\w+)-(\d+)\)=\n\*\*({KINDS}|Table|Figure|Algorithm) (\d+)\b", PAPER, re.M)
    assert all((name, number) == (kind.lower(), again) for name, number, kind, again in stated)
    for kinds in (KINDS, "Table", "Figure", "Algorithm"):
        numbers = [int(number) for _, number, kind, _ in stated if kind in kinds.split("|")]
        assert numbers == [*range(1, len(numbers) + 1)] and numbers
    named = {(name, number) for name, number, *_ in stated}
    cited = re.findall(rf"\b({KINDS}|Table|Figure|Algorithm) (\d+)", PAPER)
    assert {(kind.lower(), number) for kind, number in cited} == named
    assert PAPER.count("refereed") == 1 and "[^referee]: This paper has not been refereed." in PAPER


def test_the_paper_names_no_other_page_and_no_test():
    """A server of preprints has the paper alone: `make paper`."""
    assert not re.search(r"\]\(\.\./|\]\(\w+\.md|tests/", PAPER)


def test_the_equations_and_references_of_the_paper_are_there_and_used():
    labels = re.findall(r"^ *\$\$ \(([a-z-]+)\)$", PAPER, re.M)
    assert len({*labels}) == len(labels) > 10 and {*re.findall(r"\{eq\}`([a-z-]+)`", PAPER)} <= {*labels}
    listed = re.findall(r"^\*\*\[(\w+)\]\*\*.*doi:10", (ROOT / "docs/paper/references.md").read_text(), re.M)
    assert {*re.findall(r"\[\[([A-Z]+\d+)", PAPER)} <= {*listed} and len(listed) > 8


QUICK = """
studies:
  one-color: {dims: [1, 2], sizes: 100, replicates: 4, observables: [distances]}
  fussy: {process: two_color, rule: fussy, dims: [1, 2], sizes: 100, ratios: [0.5, 1.0], replicates: 4}
  transition: {process: two_color, rule: two-color, dims: 2, sizes: 60, ratios: [0.5, 1.5], replicates: 4}
  two-color: {process: two_color, rule: two-color, dims: 2, sizes: 3000, ratios: 1, replicates: 16, observables: [distances]}
  picture: {dims: 2, sizes: 40, replicates: 1, observables: [realization]}
  winner: {process: binomial, dims: 2, sizes: 20, replicates: 4, observables: [winner]}
  multi: {rule: multi(3), dims: 2, sizes: 100, replicates: 4, observables: [distances]}
"""
FROG_STUDY = """
studies:
  winner: {process: binomial, dims: 2, sizes: 20, replicates: 4, observables: [winner]}
"""


TWO_RULES = """
studies:
  two: {process: binomial, rule: [two-color, fussy], dims: 2, sizes: 100, ratios: 1, replicates: 4}
"""


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    """A folder with results/quick, results/frogs and results/two-rules."""
    home = tmp_path_factory.mktemp("home")
    for name, text in (("quick", QUICK), ("frogs", FROG_STUDY), ("two-rules", TWO_RULES)):
        run_study(write_study(home, text, name), home / "results")
    return home


@pytest.mark.long
@pytest.mark.parametrize("page, number", [("results/README.md", 5), ("docs/gallery/figures.md", 1)])
def test_python_runs(home, monkeypatch, page, number):
    monkeypatch.chdir(home)
    matplotlib.use("Agg")
    pattern = pm.processes.two_color(pm.Torus(side=4.0, dim=2), intensities=(1.0, 0.5), rng=1)
    space = {
        "pattern": pattern,
        "matching": pm.match(pattern, "fussy"),
        "my_axes": matplotlib.figure.Figure().subplots(),
    }
    codes = blocks(page, "python")[:number]
    for code in codes:
        exec(code, space)
    assert len(codes) == number
    if "tail_error" in space:
        rows = pm.load("results/quick/estimates.parquet").query(
            "study == 'one-color' and dim == 2 and quantity == 'tail'"
        )
        row = rows[rows["x"] == 1].iloc[0]
        assert (space["tail"], space["tail_error"]) == pytest.approx((row["value"], row["standard_error"]))
        t = pm.load("results/two-rules/transitions.parquet").query("color == 1").set_index("rule")
        values = t[
            "unmatched_fraction"
        ]  # all tori have equal numbers of points, and no point is unmatched by two-color
        errors = t["unmatched_fraction_standard_error"]
        expected = values["fussy"] - values["two-color"], errors["fussy"]
        assert values["two-color"] == 0 and space["difference_and_error"] == pytest.approx(expected)


def of_cell(table, study, **values):
    """The rows of the first cell of a study, with these values."""
    rows = table[table["study"] == study]
    for name, value in values.items():
        rows = rows[rows[name] == value]
    return rows[rows["cell"] == rows["cell"].iloc[0]]


def tail_of(space, study, x, **values):
    """P(X > x) at the ends of bins, from the counts."""
    counts, tori = of_cell(space["d"], study, **values), of_cell(space["r"], study, dim=values["dim"])
    return np.array([1 - counts.loc[counts["r_upper"] < 1.01 * r, "count"].sum() / tori["points_0"].sum() for r in x])


def check_answers(answer, space):
    """Compare the answers to the questions of results/README.md, in order, with values computed in another way."""
    e, r, d = space["e"], space["r"], space["d"]
    assert answer[0]["value"].to_numpy() == pytest.approx(tail_of(space, "one-color", answer[0]["x"], dim=2))
    scaled = of_cell(answer[1], "one-color")
    expected = np.pi * scaled["x"] ** 2 * tail_of(space, "one-color", scaled["x"], dim=2)
    assert scaled["value"].to_numpy() == pytest.approx(expected)
    at = of_cell(answer[2], "two-color", color=0).iloc[-1]
    rows = of_cell(e, "two-color", quantity="tail", color=0)
    low, high = (rows.loc[np.isclose(rows["x"], at["x"] * 10**k), "value"].item() for k in (-0.1, 0.1))
    assert at["value"] == pytest.approx(np.log10(high / low) / 0.2)
    for rows, study, more in ((answer[3], "one-color", {"order": 0}), (answer[13], "multi", {"order": 2})):
        median = of_cell(rows, study, dim=2, color=0, **more)["value"].item()
        counts = of_cell(d, study, dim=2, color=0, **more)
        points = of_cell(r, study, dim=2)["points_0"].sum()
        below, up_to = (counts.loc[counts[name] <= median, "count"].sum() for name in ("r_upper", "r_lower"))
        assert below <= points / 2 <= up_to
    for _, row in answer[4].iterrows():
        tori = r[(r["study"] == row["study"]) & (r["cell"] == row["cell"])]
        assert row["value"] == pytest.approx((tori[f"unmatched_{row['color']}"] / tori["volume"]).mean())
    sums = r[r["study"] == "fussy"].groupby(["ratio", "dim"])[["unmatched_1", "points_1"]].sum()
    assert answer[5].stack().to_numpy() == pytest.approx(sums.eval("unmatched_1 / points_1").to_numpy())
    for rows, exact in ((answer[6], "exact"), (answer[7], "exact_torus")):
        assert ((rows["z"].abs() <= 1.96) == rows[exact].between(rows["lower"], rows["upper"])).all()
    assert answer[8]["count"].sum() == len(r) and answer[8]["max"].max() == r["unmatched_0"].max()
    fussy = [row for row in r.to_dict("records") if row["rule"] == "fussy"]
    assert len(answer[9]) == sum(row["unmatched_0"] == 0 and row["longest_0"] * 4 < row["side"] for row in fussy)
    matched = r.eval("points_0 + points_1 - unmatched_0 - unmatched_1")[r["study"] == "two-color"].sum()
    assert answer[10]["two-color"].sum() == matched
    picture = answer[11].set_index("point")
    matched = picture[picture["partner"] >= 0]
    assert (picture.loc[matched["partner"], "partner"].to_numpy() == matched.index).all()
    assert (answer[12]["value"] == 0).all() and (answer[14] == 0).all()  # an even number of points


@pytest.mark.long
def test_every_question_has_an_answer(home, monkeypatch):
    monkeypatch.chdir(home)
    space: dict = {}
    exec(blocks("results/README.md", "python")[1], space)
    text = text_of("results/README.md")
    questions = re.findall(r"^\| ([^|]+\?[^|]*) \| (\w+) \| `(.+)` \|$", text, re.M)
    assert len(questions) == 15
    answers = [eval(code, space) for _, _, code in questions]
    assert all(len(answer) for answer in answers)
    check_answers(answers, space)


PIECES = [
    (page, text)
    for page in ("docs/gallery/figures.md", "docs/studies.md", "docs/points-from-files.md", "docs/clusters.md")
    for text in blocks(page, "yaml")
]


@pytest.mark.parametrize("page, text", PIECES, ids=[f"{page} {k}" for k, (page, _) in enumerate(PIECES)])
def test_a_piece_of_a_study_is_right(page, text):
    study = {"dims": 1, "sizes": 10, "replicates": 2}
    piece = yaml.safe_load(text)
    file = {"studies": {"a": study}} | piece
    if not piece.keys() & studies.StudyFile.model_fields.keys():
        file = {"studies": {"a": study | piece}}
    assert list(Draft202012Validator(studies.for_editors()).iter_errors(file)) == []
