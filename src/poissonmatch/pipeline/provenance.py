"""Where a result comes from: the digest of the code that made it, versions, the git commit."""

from __future__ import annotations

import ast
import hashlib
import platform
import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from ..figures.kinds import KINDS

HERE = Path(__file__).parents[1]
PACKAGE = HERE.name

# The modules in which each stage's result is made; a package stands for all of its modules. What they import counts too.
STAGES = {
    "simulate": ("pipeline.make_block",),
    "aggregate": ("statistics.estimates",),
    "draw": ("figures.draw", *sorted({f"figures.{kind.module}" for kind in KINDS.values() if kind.module})),
    "summarize": ("figures.pages", "pipeline.caveats"),
    "games": ("games",),  # values of exact games
    "game-tables": ("pipeline.game_tables", "figures.games"),
}
# Modules that are loaded while a result is made although it does not depend on them, and why.
NOT_COUNTED = {
    "": "a list of names, each imported when it is asked for",
    "pipeline.provenance": "finds the digest; what it writes is where a block comes from, not what is in it",
    "utils.errors": "words and kinds of what is said when nothing is made",
    "utils.memory": "refuses what does not fit; a result that is there does not depend on it",
    "statistics.observable_checks": "looks at numbers that are there, and makes none",
    "tables.invariants": "the same",
    "statistics.completeness": "the same",
    "utils.display": "draws what is there",
    "utils.permissions": "says where compiled code may be kept, and what other processes see of the folder around",
}
# The same for one stage: laid beside its numbers by a later one.
NOT_YET = {
    "simulate": {
        "theory": "exact values are laid beside estimates",
        "rules.laws": "the same",
        "theory.finite_size": "the same",
        "theory.formulas": "the same",
        "theory.fussy_line": "the same",
        "theory.response_line": "the same",
        "theory.scaling_laws": "the same",
        "tables.estimate_tables": "tables that are made from those of the blocks",
        "statistics.flow": "estimates",
        "statistics.influences": "the same",
        "statistics.finite_size": "the same",
        "statistics.estimators": "what is estimated stands beside what is measured in the entry of an observable",
    },
}


def file_of(module: str) -> Path | None:
    """The source file of a module of the package, named from below it ("" is the package itself); None if there is none."""
    path = HERE.joinpath(*module.split(".")) if module else HERE
    for file in (path / "__init__.py", path.with_suffix(".py")):
        if file.is_file():
            return file
    return None


@cache
def imports(module: str) -> frozenset[str]:
    """The modules of the package that a module imports, anywhere but for type checkers alone, with the packages around them."""
    file = file_of(module)
    assert file is not None, module
    parents = [PACKAGE, *module.split(".")] if module else [PACKAGE]
    if file.name != "__init__.py":
        parents = parents[:-1]
    found: set[str] = set()
    for node in _statements(_tree(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            base = parents[: len(parents) - node.level + 1] if node.level else []
            base += node.module.split(".") if node.module else []
            names = [".".join([*base, alias.name]) for alias in node.names]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        else:
            continue
        for name in names:
            words = name.split(".")
            if words[0] == PACKAGE:  # a module and the packages around it; the last word may be a name in one of them
                found |= {".".join(words[1:end]) for end in range(1, len(words) + 1)}
    return frozenset(name for name in found if name != module and file_of(name))


BLOCKS = ("body", "orelse", "finalbody", "handlers", "cases")  # where a statement holds others


COMMENT_OR_STRING = re.compile(
    r"""(?P<comment>\#[^\n]*)|(?P<quotes>\"{3}|'{3}|"|')(?:\\.|(?!(?P=quotes)).)*(?P=quotes)""", re.DOTALL
)


def _statements(tree: ast.AST, *, all_of_them: bool = False) -> Iterator[ast.AST]:
    """All statements, but for those below `if TYPE_CHECKING:`, which never run; what stands below its `else:` does."""
    for block in BLOCKS:
        unread = block == "body" and isinstance(tree, ast.If) and getattr(tree.test, "id", "") == "TYPE_CHECKING"
        for node in () if unread and not all_of_them else getattr(tree, block, ()):
            yield node
            yield from _statements(node, all_of_them=all_of_them)


@cache
def modules(stage: str) -> tuple[str, ...]:
    """The modules that a stage's result depends on, sorted: those of STAGES and whatever they import."""
    todo, seen, left_out = [], set(), {*NOT_COUNTED, *NOT_YET.get(stage, {})}
    for root in STAGES[stage]:
        file = file_of(root)
        assert file is not None, root
        inside = sorted(file.parent.rglob("*.py")) if file.name == "__init__.py" else []
        todo += [root, *(_name(path) for path in inside)]
    while todo:
        module = todo.pop()
        if module not in seen and module not in left_out:
            seen.add(module)
            todo += imports(module)
    return tuple(sorted(seen))


def _name(file: Path) -> str:
    words = file.relative_to(HERE).with_suffix("").parts
    return ".".join(words[:-1] if words[-1] == "__init__" else words)


_tree = cache(ast.parse)


@cache
def bare(source: str) -> str:
    """Source without comments, docstrings, blank lines and spaces at the ends of lines: what can change a result.

    Cut out of the text by place, so that it is the same on every version of Python that reads the text.
    """
    lines = source.split("\n")
    starts = [0, *(match.end() for match in re.finditer("\n", source))]
    inside: set[int] = set()  # lines that end within a string, where blanks and spaces count
    cuts: list[tuple[int, int, int, int]] = []  # first line and column, last line and column; lines from 0
    for match in COMMENT_OR_STRING.finditer(source):
        if match["comment"] or "\n" in match[0]:
            first, last = (bisect_right(starts, place) - 1 for place in match.span())
            if match["comment"]:
                cuts.append((first, match.start() - starts[first], last, match.end() - starts[last]))
            else:
                inside.update(range(first, last))
    for node in [tree := _tree(source), *_statements(tree, all_of_them=True)]:
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) and node.body:
            text = node.body[0]
            if (
                isinstance(text, ast.Expr)
                and isinstance(text.value, ast.Constant)
                and isinstance(text.value.value, str)
            ):
                first, last = text.lineno - 1, (text.end_lineno or text.lineno) - 1
                start = len(lines[first].encode()[: text.col_offset].decode())
                end = len(lines[last].encode()[: text.end_col_offset].decode())
                cuts.append((first, start, last, end))
    for first, start, last, end in sorted(cuts, reverse=True):
        lines[first : last + 1] = [lines[first][:start] + lines[last][end:], *[""] * (last - first)]
        inside -= set(range(first, last + 1))
    return "\n".join(
        line if k in inside else line.rstrip() for k, line in enumerate(lines) if k in inside or line.strip()
    )


@cache
def code_digest(stage: str) -> str:
    """Digest of the code of a stage: an edit there makes its results out of date, one of a comment or a docstring does not."""
    digest = hashlib.sha256()
    for module in modules(stage):
        file = file_of(module)
        assert file is not None
        source = bare(file.read_text(encoding="utf-8"))
        digest.update(f"{module} {len(source)}\n{source}\n".encode())
    return digest.hexdigest()[:16]


def commit() -> str:
    """The git commit of the checkout in which the package lies, "" if it lies in none: read from its files, since git may be missing
    or slow on a node. What is edited since then, only the digests of the code tell."""
    here = HERE.parents[1] / ".git"
    try:
        if here.is_file():  # of another worktree
            here = (here.parent / here.read_text(encoding="utf-8").removeprefix("gitdir:").strip()).resolve()
        common = here / "commondir"
        home = (here / common.read_text(encoding="utf-8").strip()).resolve() if common.is_file() else here
        kind, _, name = (here / "HEAD").read_text(encoding="utf-8").strip().rpartition(" ")
        if kind != "ref:":
            return name
        for place in (here / name, home / name):
            if place.is_file():
                return place.read_text(encoding="utf-8").strip()
        lines = (home / "packed-refs").read_text(encoding="utf-8").splitlines()
        return next((line.split()[0] for line in lines if line.endswith(f" {name}")), "")
    except (OSError, ValueError):
        return ""


def package_version(name: str) -> str:
    """Installed version of a distribution, "" if it is not installed."""
    try:
        return version(name)
    except PackageNotFoundError:
        return ""


@cache
def environment() -> dict[str, str]:
    """Versions of what the numbers depend on. Not the commit: git may be missing on a node, and the digest of the code says more."""
    names = ("poissonmatch", "numpy", "numba", "scipy", "pandas", "pyarrow")
    return {"python": platform.python_version(), **{n: package_version(n) for n in names}}
