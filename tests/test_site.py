"""The site's own pages: their code runs and gives what stands behind its arrows; the messages they quote are those of the source."""

import ast
import re
from pathlib import Path

import pytest

import poissonmatch as pm

DOCS = Path(__file__).parents[1] / "docs"
CELL = re.compile(r"^```\{code-cell\}[^\n]*\n((?::[^\n]*\n)*)(.*?)^```$", re.M | re.S)
ARROW = "  # -> "
SOURCE = Path(pm.__file__).parent
NOTEBOOKS = sorted(
    str(path.relative_to(DOCS))
    for path in DOCS.rglob("*.md")
    if CELL.search(path.read_text(encoding="utf-8")) and not path.relative_to(DOCS).parts[0].startswith("_")
)
SHORT = {"how-fast.md", "variants.md", "variants/labels.md", "variants/multi.md"}  # others take five seconds, or more


def run(code: str, space: dict) -> None:
    """Run the statements of a cell one by one, and compare what stands before an arrow with what stands behind it."""
    lines = code.splitlines()
    for node in ast.parse(code).body:
        _, arrow, result = lines[node.end_lineno - 1].partition(ARROW)
        if isinstance(node, ast.Expr):
            value = eval(ast.unparse(node), space)
            assert repr(value)
            assert not arrow or value == eval(result, space), f"{ast.unparse(node)} is {value!r}"
        else:
            assert not arrow, "an arrow stands behind a value"
            exec("\n".join(lines[node.lineno - 1 : node.end_lineno]), space)


def cells(page: str) -> list[tuple[bool, str]]:
    """(is it tagged slow?, code) for each cell of a page."""
    return [("slow" in options, code) for options, code in CELL.findall((DOCS / page).read_text(encoding="utf-8"))]


@pytest.mark.parametrize(
    "page", [pytest.param(page, marks=[pytest.mark.long] * (page not in SHORT)) for page in NOTEBOOKS]
)
def test_the_cells_of_a_page(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    space: dict = {"__name__": "__main__"}
    for slow, code in cells(page):
        if not slow:
            run(code, space)


@pytest.mark.slow
@pytest.mark.parametrize("page", [page for page in NOTEBOOKS if any(slow for slow, _ in cells(page))])
def test_with_its_slow_cells(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    space: dict = {"__name__": "__main__"}
    for _, code in cells(page):
        run(code, space)


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
    pattern = re.compile(".*".join(re.escape(part) for part in message.split("…")), re.S)
    word = re.fullmatch(r"[a-z ]+", message) and len(message) < 20  # a kind of trouble, which is a string of its own
    return message in strings if word else any(pattern.search(text) for text in strings)


MESSAGES = [
    message
    for row in re.findall(r"^\| (`.*?`+) \|", (DOCS / "troubleshooting.md").read_text(encoding="utf-8"), re.M)
    for message in [row.strip("` ") if not row.startswith("`` `") else row[3:-3]]
]


@pytest.mark.parametrize("message", MESSAGES)
def test_a_message_is_one_of_the_source(message, strings):
    assert occurs(message, strings)


def test_another_message_is_not():
    strings = {"unknown key …; did you mean …?", "missing"}
    assert occurs("unknown key …", strings) and occurs("missing", strings)
    assert not occurs("unknown keys …", strings) and not occurs("did you mean … key", strings)
    assert not occurs("miss", strings)
