"""All words of figures are in figure_text, each once and each used."""

import ast
import re
from collections import Counter
from pathlib import Path

import pytest

from poissonmatch.studies.figures import figure_text
from poissonmatch.studies.figures.kinds import KINDS

SOURCES = {path.stem: path.read_text(encoding="utf-8") for path in Path(figure_text.__file__).parent.glob("*.py")}
# Docstrings of functions, conversions of text, and messages of errors: their words are in no figure.
NO_FIGURES = {"__init__", "text_format", "style", "figure_options", "kinds"}
ERRORS = {"BadInput", "OSError"}
# Arguments of matplotlib, of check_formulas, and of pandas, and the name of a law.
NO_TEXTS = r"""
outside upper center
upper right
offset points
the title
the format pgf
inverse root
\ge
order == 0
value == 0
value == 1
below_cutoff and order == 0
0 < low < high
""".splitlines()
TABLES = "AXES CAPTIONS CURVES ENTRIES ENTRIES_OF_KIND FACTS OF_RULES PARTS".split()


def strings(tree: ast.AST) -> list[ast.Constant]:
    """Return the strings in source code."""
    return [node for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)]


def texts(source: str) -> list[str]:
    """Return the strings of source code with several words or with LaTeX, except docstrings and messages of errors."""
    tree = ast.parse(source)
    hidden = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Raise) or (isinstance(node, ast.Call) and getattr(node.func, "id", "") in ERRORS):
            hidden |= {id(part) for part in ast.walk(node)}
    found = [node.value for node in strings(tree) if id(node) not in hidden]
    return [text for text in found if re.search(r"[a-z)] +[a-z(]|\$.*\w|\\\w", text) and text not in NO_TEXTS]


def strings_in(table: object) -> list[str]:
    """Return the texts in nested tables, without their keys."""
    if isinstance(table, str):
        return [table]
    return [text for part in (table.values() if isinstance(table, dict) else table) for text in strings_in(part)]


@pytest.mark.parametrize("module", sorted(SOURCES.keys() - NO_FIGURES - {"figure_text"}))
def test_no_other_module_has_a_sentence_or_a_label(module):
    assert texts(SOURCES[module]) == []


def test_texts_of_a_module_are_found():
    code = 'layout.say("Gray lines."); Aspect(ylabel="$r$"); raise BadInput("there is nothing to draw")'
    assert texts(code) == ["Gray lines.", "$r$"]


def test_each_text_occurs_once():
    """Names of aspects and labels of axes that several kinds share are constants."""
    tree = ast.parse(SOURCES["figure_text"])
    parts = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    long = Counter(node.value for node in strings(tree) if id(node) not in parts and " " in node.value.strip())
    assert [text for text, count in long.items() if count > 1] == []


def test_each_key_is_used_and_each_used_key_exists():
    others = SOURCES.keys() - {"figure_text"}
    used = {node.value for module in others for node in strings(ast.parse(SOURCES[module]))} | KINDS.keys()
    for name in ("FACTS", "PARTS", "CAPTIONS"):
        assert getattr(figure_text, name).keys() <= used, name
    said = re.findall(r"\.say\(\s*\"([^\"]*)\"", "".join(SOURCES.values()))
    parts = re.findall(r"PARTS\[\"([^\"]*)\"", "".join(SOURCES.values()))
    assert len(said) > 30 and {*said} <= figure_text.FACTS.keys() and {*parts} <= figure_text.PARTS.keys()
    assert {*figure_text.AXES, *figure_text.ENTRIES_OF_KIND} <= KINDS.keys()
    assert {kind for kind, _ in figure_text.OF_RULES} <= KINDS.keys()


def test_each_kind_with_axes_has_its_texts():
    for kind in KINDS.values():
        assert not kind.axes or (figure_text.AXES[kind.name] and figure_text.CAPTIONS[kind.name])


@pytest.mark.parametrize("table", TABLES)
def test_braces_of_templates_are_names_or_mathematics(table):
    for text in strings_in(getattr(figure_text, table)):
        outside = re.sub(r"\$[^${}]*(?:\{[^{}]*\}[^${}]*)*\$", "", text)
        assert re.sub(r"\{[a-z]+\}", "", outside).count("{") == 0, text
