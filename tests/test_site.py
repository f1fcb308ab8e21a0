"""The site's own pages: their code runs and gives what stands behind its arrows; the messages they quote are those of the source."""

import ast
import re
from pathlib import Path

import matplotlib
import pandas as pd
import pytest
from matplotlib import pyplot

import poissonmatch as pm
from helpers.sources import ROOT, text_of, tracked

DOCS = ROOT / "docs"
CELL = re.compile(r"^```\{code-cell\}[^\n]*\n((?::[^\n]*\n)*)(.*?)^```$", re.M | re.S)
ARROW = re.compile(r"\s*# -> (.*)")
SOURCE = Path(pm.__file__).parent
NOTEBOOKS = sorted(
    str(path.relative_to(DOCS))
    for path in tracked("docs/*.md")
    if CELL.search(text_of(path)) and not path.relative_to(DOCS).parts[0].startswith("_")
)
SHORT = (
    "performance.md gallery/matchings.md gallery/labels.md gallery/multi.md".split()
)  # others take five seconds, or more
SLOW = "measurements.md frog-games.md toads-and-frogs.md gallery/notebook-phase-transition.md".split()  # more than five
LIBRARIES = {
    "gallery/notebook-preference-lists.md": "matching.games",
    "paper/theorem-on-the-line.md": "IPython",
}  # of the extra `docs`, which the tests do without
MARKS = {page: [pytest.mark.slow] * (page in SLOW) + [pytest.mark.long] * (page not in SHORT) for page in NOTEBOOKS}


def wrong(codes: list[str], space: dict) -> list[str]:
    """Run cells, statement by statement: what is not as an arrow behind it says, on the same line or the next."""
    found = []
    for code in codes:
        lines = code.splitlines()
        for node in ast.parse(code).body:
            arrow = ARROW.match("\n".join(lines[node.end_lineno - 1 :])[node.end_col_offset :])
            if not isinstance(node, ast.Expr):
                exec("\n".join(lines[node.lineno - 1 : node.end_lineno]), space)
                found += ["an arrow behind what has no value"] * bool(arrow)
            elif repr(value := eval(ast.unparse(node), space)) and arrow and value != eval(arrow[1], space):
                found.append(f"{ast.unparse(node)} is {value!r}, not {arrow[1]}")
    return found


@pytest.mark.parametrize(
    "code, words",
    [
        ("x = 2\nx + 1  # -> 3", []),
        ("x = 2\nx + 1  # -> 4", ["x + 1 is 3, not 4"]),
        ("x = 2\n(\n    x\n    + 1\n)\n# -> 3\nx", []),
        ("x = 2\n(\n    x\n    + 1\n)\n# -> 4\nx", ["x + 1 is 3, not 4"]),
        ("x = 2  # -> 2", ["an arrow behind what has no value"]),
    ],
)
def test_arrows(code, words):
    assert wrong([code], {}) == words


def cells(page: str, slow: bool) -> list[str]:
    """The code of the cells of a page, with those that are tagged slow or without."""
    found = CELL.findall(text_of(DOCS / page))
    return [code for options, code in found if slow or "slow" not in options]


@pytest.fixture
def space(tmp_path, monkeypatch, page):
    """The names of a page whose cells run in a folder of their own, with the data of the pages and the studies, without a display."""
    folder = tmp_path / "docs"
    (folder / page).parent.mkdir(parents=True)
    (folder / "data").symlink_to(DOCS / "data")
    (tmp_path / "config").symlink_to(DOCS.parent / "config")
    monkeypatch.chdir((folder / page).parent)
    monkeypatch.syspath_prepend((DOCS / page).parent)  # modules of a page, beside it
    matplotlib.use("Agg")
    yield {"__name__": "__main__"}
    pyplot.close("all")
    pd.reset_option("^display")


@pytest.mark.slow
@pytest.mark.parametrize("page", [pytest.param(page, marks=MARKS[page]) for page in NOTEBOOKS])
def test_the_cells_of_a_page(page, space):
    if page in LIBRARIES:
        pytest.importorskip(LIBRARIES[page])
    assert wrong(cells(page, slow=False), space) == []


@pytest.mark.slow
@pytest.mark.parametrize("page", [page for page in NOTEBOOKS if cells(page, slow=True) != cells(page, slow=False)])
def test_with_its_slow_cells(page, space):
    assert wrong(cells(page, slow=True), space) == []


def said(node: ast.expr) -> str:
    """The text of a string or an f-string, with … for its values."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else ""
    return "".join(said(part) if isinstance(part, ast.Constant) else "…" for part in node.values)


@pytest.fixture(scope="module")
def strings() -> set[str]:
    """All strings of the source, but for those that are statements, as docstrings are."""
    found = set()
    for path in SOURCE.rglob("*.py"):
        nodes = list(ast.walk(ast.parse(path.read_bytes())))
        documents = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
        found |= {
            said(node) for node in nodes if isinstance(node, ast.JoinedStr | ast.Constant) and id(node) not in documents
        }
    return found


def occurs(message: str, strings: set[str]) -> bool:
    """Is there a string that holds the words of the message, those between its …, in their order?"""
    pattern = re.compile(".*".join(re.escape(part.strip()) for part in message.split("…")), re.S)
    word = re.fullmatch(r"[a-z ]+", message) and len(message) < 20  # a kind of trouble, which is a string of its own
    return message in strings if word else any(pattern.search(text) for text in strings)


MESSAGES = [
    message
    for row in re.findall(r"^\| (`.*?`+) \|", text_of(DOCS / "command-line.md"), re.M)
    for message in [row.strip("` ") if not row.startswith("`` `") else row[3:-3]]
]


@pytest.mark.parametrize("message", MESSAGES)
def test_a_message_is_one_of_the_source(message, strings):
    assert occurs(message, strings)


def test_another_message_is_not():
    assert len(MESSAGES) > 30
    strings = {"unknown key …; did you mean …?", "missing"}
    assert occurs("unknown key …", strings) and occurs("missing", strings)
    assert not occurs("unknown keys …", strings) and not occurs("did you mean … key", strings)
    assert not occurs("miss", strings)
