"""Provenance of results: digests of the code of each stage, versions, the git commit."""

from __future__ import annotations

import ast
import hashlib
import platform
from collections.abc import Iterator
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from ..figures.kinds import KINDS

HERE = Path(__file__).parents[1]
PACKAGE = HERE.name

# The modules that make the result of each stage; a package means all of its modules. Their imports count as well.
STAGES = {
    "simulate": ("pipeline.make_block",),
    "aggregate": ("statistics.estimates",),
    "draw": ("figures.draw", *sorted({f"figures.{kind.module}" for kind in KINDS.values() if kind.module})),
    "summarize": ("figures.pages", "pipeline.caveats"),
    "games": ("games",),  # values of exact games
    "game-tables": ("pipeline.game_tables", "figures.games"),
    "certify": ("certificates.boxes",),
}
# Modules that a result does not depend on although they are imported, and why.
NOT_COUNTED = {
    "": "a list of names, each imported when it is requested",
    "pipeline.provenance": "computes the digest; a block records it, and no number depends on it",
    "utils.errors": "messages, and kinds of errors",
    "utils.memory": "refuses what does not fit into memory; no result depends on it",
    "statistics.observable_checks": "checks numbers, and makes none",
    "statistics.ratio_checks": "the same",
    "statistics.completeness": "the same",
    "tables.invariants": "the same",
    "utils.display": "draws existing objects",
    "utils.permissions": "chooses the folder of compiled code, and what other processes see of it",
}
# The same for single stages.
NOT_COUNTED_IN = {
    "simulate": {
        "rules.laws": "exact values, which every rule carries; they are compared with estimates",
        "theory": "a list of names of exact values",
    },
    "certify": {
        "certificates": "a list of names",
        "matching.match": "the stable matching is unique, whatever code finds it; the check of a certificate has code of its own",
        "points.spaces": "the same",
        "points.pattern": "the same",
    },
}


def file_of(module: str) -> Path | None:
    """Return the source file of a module, named relative to the package ("" is the package itself); None if there is none."""
    path = HERE.joinpath(*module.split(".")) if module else HERE
    for file in (path / "__init__.py", path.with_suffix(".py")):
        if file.is_file():
            return file
    return None


@cache
def imports(module: str) -> frozenset[str]:
    """Return the modules of the package that a module imports, except for type checkers only, with their parent packages."""
    file = file_of(module)
    assert file is not None, module
    parents = [PACKAGE, *module.split(".")] if module else [PACKAGE]
    if file.name != "__init__.py":
        parents = parents[:-1]
    modules_found: set[str] = set()
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
            parts = name.split(".")
            if parts[0] == PACKAGE:  # a module and its parents; the last part may be a name in a module
                modules_found |= {".".join(parts[1:end]) for end in range(1, len(parts) + 1)}
    return frozenset(name for name in modules_found if name != module and file_of(name))


BLOCKS = ("body", "orelse", "finalbody", "handlers", "cases")  # fields of a statement that hold statements


def _statements(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield all statements except those below `if TYPE_CHECKING:`, which never run; those below its `else:` do."""
    for block in BLOCKS:
        unread = block == "body" and isinstance(tree, ast.If) and getattr(tree.test, "id", "") == "TYPE_CHECKING"
        for node in () if unread else getattr(tree, block, ()):
            yield node
            yield from _statements(node)


@cache
def modules(stage: str) -> tuple[str, ...]:
    """Return the modules that the result of a stage depends on, sorted: those of STAGES and all that they import."""
    todo, seen, left_out = [], set(), {*NOT_COUNTED, *NOT_COUNTED_IN.get(stage, {})}
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
    parts = file.relative_to(HERE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


_tree = cache(ast.parse)


DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
IMPLIED = ("ctx", "kind", "type_comment")  # fields that follow from the others, or change nothing


@cache
def bare(source: str) -> str:
    """Return source code as text without what changes no result: comments, docstrings and layout.

    The text is the same on every version of Python from 3.11. That of `ast.dump` is not: 3.12 adds the field type_params and splits
    some literals of f-strings, and 3.13 omits empty lists.
    """
    return _dump(_tree(source))


def _dump(node: object) -> str:
    """Return a syntax tree as text: the names of nodes, and their fields that are not empty."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Constant):
        return f"={node.value!a}"
    if isinstance(node, list):
        return f"[{','.join([_dump(item) for item in node])}]"
    if not isinstance(node, ast.AST):
        return ascii(node)
    parts = [type(node).__name__]
    for name in node._fields:
        value = getattr(node, name, None)
        if value is None or name in IMPLIED:
            continue
        if name == "body" and isinstance(node, DOCUMENTED) and _docstring(node):
            value = node.body[1:]
        elif isinstance(node, ast.JoinedStr):
            value = _joined(node.values)
        if value != []:
            parts.append(f"{name}:{_dump(value)}")
    return f"({' '.join(parts)})"


def _docstring(node: ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    first = node.body[0] if node.body else None
    return isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str)


def _joined(values: list[ast.expr]) -> list[ast.expr]:
    """Return the parts of an f-string with adjacent literals joined and empty ones removed."""
    parts: list[ast.expr] = []
    for value in values:
        if isinstance(value, ast.Constant) and parts and isinstance(parts[-1], ast.Constant):
            parts[-1] = ast.Constant(str(parts[-1].value) + str(value.value))
        elif not (isinstance(value, ast.Constant) and value.value == ""):
            parts.append(value)
    return parts


@cache
def code_digest(stage: str) -> str:
    """Return the digest of the code of a stage. Comments, docstrings and layout do not change it."""
    digest = hashlib.sha256()
    for module in modules(stage):
        file = file_of(module)
        assert file is not None
        source = bare(file.read_text(encoding="utf-8"))
        digest.update(f"{module} {len(source)}\n{source}\n".encode())
    return digest.hexdigest()[:16]


def commit() -> str:
    """Return the git commit of the checkout that contains the package, "" if there is none.

    It is read from files, since git may be missing or slow on a node. Later edits show in the digests of the code only.
    """
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
    """Return the installed version of a distribution, "" if it is not installed."""
    try:
        return version(name)
    except PackageNotFoundError:
        return ""


@cache
def environment() -> dict[str, str]:
    """Return the versions of the packages that results depend on."""
    names = ("poissonmatch", "numpy", "numba", "scipy", "pandas", "pyarrow")
    return {"python": platform.python_version(), **{n: package_version(n) for n in names}}
