"""The site's own pages: their code runs and gives what stands behind its arrows; the messages they quote are those of the source."""

import ast
import re
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[1] / "docs"
CELL = re.compile(r"^```\{code-cell\}[^\n]*\n((?::[^\n]*\n)*)(.*?)^```$", re.M | re.S)
ARROW = "  # -> "
NOTEBOOKS = sorted(
    str(path.relative_to(DOCS))
    for path in DOCS.rglob("*.md")
    if CELL.search(path.read_text(encoding="utf-8")) and not path.relative_to(DOCS).parts[0].startswith("_")
)
SHORT = {"variants.md"}  # others take more than a second or two


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
