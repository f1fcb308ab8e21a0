"""What stands in the documents: sessions (```pycon) give what they show, Python runs, pieces of studies are right.

The Python of docs/partisan-games.md, impartial-games.md and playing-the-games.md is run by the tests of the games, cells of notebooks by test_site.
"""

import doctest
import re
from pathlib import Path
from types import ModuleType

import matplotlib
import pytest
import yaml
from jsonschema import Draft202012Validator

import poissonmatch as pm
from helpers.runs import run_study, write_study
from helpers.sources import tracked
from poissonmatch.studies import study_files as studies
from poissonmatch.theory.finite_size import MIN_UNMATCHED
from poissonmatch.theory.scaling_laws import EXCLUDED, LAWS

ROOT = Path(__file__).parents[1]
SESSIONS = {
    str(path.relative_to(ROOT)): "\n".join(found)
    for path in tracked("README.md", "docs/*.md")
    if (found := re.findall(r"^```pycon\n(.*?)^```", path.read_text(encoding="utf-8"), re.M | re.S))
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


def test_every_name_on_a_page_exists():
    missing = []
    for path in tracked("README.md", "docs/*.md"):
        for names in re.findall(r"\bpm\.([A-Za-z_][\w.]*\w)", path.read_text(encoding="utf-8")):
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
    text = (ROOT / "docs/measurements.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ([^|]+) \| \$(\\ln\(1/u\)|Y)\$ \| \$([^|]+)\$ \|$", text, re.M)
    assert rows == [(law.name, {"u": "\\ln(1/u)", "Y": "Y"}[law.of], law.latex) for law in LAWS.values()]
    assert f"at least {MIN_UNMATCHED:g} red points" in text and f"more than {EXCLUDED:g} above" in text


PAPER = (ROOT / "docs/paper/theorem-on-the-line.md").read_text(encoding="utf-8")
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


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    """A folder with results/quick and results/frogs."""
    home = tmp_path_factory.mktemp("home")
    for name, text in (("quick", QUICK), ("frogs", FROG_STUDY)):
        run_study(write_study(home, text, name), home / "results")
    return home


def blocks(page: str, language: str) -> list[str]:
    text = (ROOT / page).read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.M | re.S)


@pytest.mark.long
@pytest.mark.parametrize(("page", "number"), [("results/README.md", 9), ("docs/gallery/figures.md", 1)])
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


@pytest.mark.long
def test_every_question_has_an_answer(home, monkeypatch):
    monkeypatch.chdir(home)
    space: dict = {}
    exec(blocks("results/README.md", "python")[1], space)
    text = (ROOT / "results/README.md").read_text(encoding="utf-8")
    questions = re.findall(r"^\| ([^|]+\?[^|]*) \| (\w+) \| `(.+)` \|$", text, re.M)
    assert len(questions) > 12
    for question, _, code in questions:
        answer = eval(code, space)
        assert len(answer), question


PIECES = [
    (page, text)
    for page in ("docs/gallery/figures.md", "docs/studies.md", "docs/points-from-files.md", "docs/clusters.md")
    for text in blocks(page, "yaml")
]


@pytest.mark.parametrize(("page", "text"), PIECES, ids=[f"{page} {k}" for k, (page, _) in enumerate(PIECES)])
def test_a_piece_of_a_study_is_right(page, text):
    study = {"dims": 1, "sizes": 10, "replicates": 2}
    piece = yaml.safe_load(text)
    file = {"studies": {"a": study}} | piece
    if not piece.keys() & studies.StudyFile.model_fields.keys():
        file = {"studies": {"a": study | piece}}
    assert list(Draft202012Validator(studies.for_editors()).iter_errors(file)) == []
