"""The statements of the source documents, from the files in tests/statements, and the evaluation of their calls."""

from __future__ import annotations

import ast
import tomllib
from pathlib import Path
from typing import Any, NamedTuple

FOLDER = Path(__file__).parents[1] / "statements"
REASONS = ("open", "complexity", "skill", "list")  # why a row cannot be run; docs/statements.md explains them


class Statement(NamedTuple):
    """A row: what a document says, where, and how it is tested, or in one word why it is not."""

    document: str
    place: str  # section of the document, a colon, and the place in the section
    text: str
    call: str = ""  # Python: steps, and an expression as the last line
    result: str = ""  # the value of the call by the statement
    control: str = ""  # part of the statement → the same part of a wrong statement, in the call or in the result
    slow: bool = False  # more than five seconds
    not_run: str = ""


class Document(NamedTuple):
    """A source document: title, its sections that make statements, and the statements."""

    name: str
    title: str
    sections: list[str]
    statements: list[Statement]


def read(path: Path) -> Document:
    """Return the document of a file."""
    content = tomllib.loads(path.read_text(encoding="utf-8"))
    rows = [Statement(path.stem, **row) for row in content["statement"]]
    return Document(path.stem, content["title"], content["sections"], rows)


DOCUMENTS = [read(path) for path in sorted(FOLDER.glob("*.toml"))]


def evaluate(code: str, names: dict[str, Any]) -> Any:
    """Return the value of the last line of the code, an expression, after all lines before it."""
    *steps, last = ast.parse(code.strip()).body
    assert isinstance(last, ast.Expr)
    exec(compile(ast.Module(steps, []), "call", "exec"), names)
    return eval(compile(ast.Expression(last.value), "call", "eval"), names)
