"""Provenance of results: digests of the code of each stage, versions, the git commit."""

from __future__ import annotations

import ast
import hashlib
import platform
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from ..figures.kinds import KINDS
from ..utils import permissions
from .atomic_files import write_atomically

HERE = Path(__file__).parents[2]  # contains the import packages
PACKAGES = ("poissonmatch", "poissonmatch_games")
GIT_SECONDS = 10.0  # for git to answer on a slow disk

# The modules that make the result of each stage; a package means all of its modules. Their imports
# count as well.
STAGES = {
    "simulate": ("poissonmatch.statistics.observables", "poissonmatch.tables.parquet"),
    "aggregate": ("poissonmatch.statistics.estimates",),
    "draw": (
        "poissonmatch.figures.draw",
        *sorted({f"poissonmatch.figures.{kind.module}" for kind in KINDS.values() if kind.module}),
    ),
    "summarize": ("poissonmatch.figures.pages", "poissonmatch.pipeline.caveats"),
    "certify": ("poissonmatch.certificates.boxes",),
    "games": (  # values of exact games
        "poissonmatch_games.impartial",
        "poissonmatch_games.partisan",
        "poissonmatch_games.toads",
        "poissonmatch_games.checkers",
    ),
    "game-tables": ("poissonmatch_games.tables", "poissonmatch_games.figures.partisan_figures"),
}
# Modules that a result does not depend on although they are imported, and why.
NOT_COUNTED = {
    "poissonmatch": "a list of names, each imported when it is requested",
    "poissonmatch.pipeline.provenance": "computes the digest; a block records it, and no number depends on it",
    "poissonmatch.utils.errors": "messages, and kinds of errors",
    "poissonmatch.utils.memory": "refuses what does not fit into memory; no result depends on it",
    "poissonmatch.statistics.completeness": "checks numbers, and makes none",
    "poissonmatch.tables.invariants": "the same",
    "poissonmatch.utils.display": "draws existing objects",
    "poissonmatch.utils.drawing": "the same",
    "poissonmatch_games": "a list of names",
    "poissonmatch.utils.permissions": "chooses the folder of compiled code, and what other processes see of it",
}
# The same for single stages.
NOT_COUNTED_IN = {
    "simulate": {
        "poissonmatch.rules.laws": "exact values, which every rule carries; they are compared with estimates",
        "poissonmatch.theory": "a list of names of exact values",
        "poissonmatch.statistics.estimators": "estimates, which are made from blocks",
        "poissonmatch.statistics.distance_tails": "the same",
        "poissonmatch.statistics.infinite_volume": "the same",
        "poissonmatch.statistics.exact_values": "the same",
        "poissonmatch.statistics.flow": "the same",
        "poissonmatch.statistics.intervals": "the same",
        "poissonmatch.theory.finite_size": "thresholds of estimates",
    },
    "certify": {
        "poissonmatch.certificates": "a list of names",
        "poissonmatch.matching.match": "the stable matching is unique, whatever code finds it; the check of a certificate has code of its own",
        "poissonmatch.points.spaces": "the same",
        "poissonmatch.points.pattern": "the same",
    },
}


def file_of(module: str) -> Path | None:
    """Return the source file of a module of one of the packages, None if there is none."""
    path = HERE.joinpath(*module.split("."))
    for file in (path / "__init__.py", path.with_suffix(".py")):
        if file.is_file():
            return file
    return None


@cache
def imports(module: str) -> frozenset[str]:
    """Return the modules of the packages that a module imports, except for type checkers only, with their parents."""
    file = file_of(module)
    assert file is not None, module
    parents = module.split(".")
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
            if parts[0] in PACKAGES:  # a module and its parents; the last part may be a name in a module
                modules_found |= {".".join(parts[:end]) for end in range(1, len(parts) + 1)}
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


@cache
def bare(source: str) -> str:
    """Return source code as text without what changes no result: comments, docstrings and layout.

    Another version of Python may give another text, and thus other digests. Results record the
    version of Python anyway.
    """
    tree = _tree(source)
    for node in ast.walk(tree):
        if isinstance(node, DOCUMENTED) and ast.get_docstring(node) is not None:
            del node.body[0]
    return ast.dump(tree)


OBSERVABLES = "poissonmatch.statistics.observables."  # modules of which blocks depend on the measures only,
ESTIMATION = {"quantities", "estimate", "estimates"}  # and not on these attributes of classes


def without_estimates(source: str) -> str:
    """Return the source code of an observable without its quantities and estimator."""
    tree = ast.parse(source)
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            node.body = [part for part in node.body if not ESTIMATION & {getattr(part, "name", ""), *_assigned(part)}]
    return ast.unparse(tree)


def _assigned(statement: ast.stmt) -> list[str]:
    """Return the names that an assignment sets."""
    targets = statement.targets if isinstance(statement, ast.Assign) else []
    return [target.id for target in targets if isinstance(target, ast.Name)]


@cache
def sources() -> str:
    """Return the digest of the bytes of all source files and of the version of Python."""
    digest = hashlib.sha256(platform.python_version().encode())
    for package in PACKAGES:
        for file in sorted((HERE / package).rglob("*.py")):
            data = file.read_bytes()
            digest.update(f"\n{file.relative_to(HERE)} {len(data)}\n".encode() + data)
    return digest.hexdigest()


@cache
def code_digest(stage: str) -> str:
    """Return the digest of the code of a stage.

    Comments, docstrings and layout do not change it. To parse the sources takes as long as to import the package, so the digest is kept in the user's
    cache folder for as long as no byte of them changes.
    """
    try:
        path = permissions.private_folder(permissions.cache_home() / "poissonmatch") / f"code-{stage}.txt"
    except (OSError, RuntimeError):  # no home folder, one that others can write, or a full disk
        return _code_digest(stage)
    with suppress(OSError, ValueError):
        known, digest = path.read_text(encoding="ascii").split()
        if known == sources():
            return digest
    digest = _code_digest(stage)
    with suppress(OSError):
        write_atomically(path, f"{sources()} {digest}\n".encode())
    return digest


def _code_digest(stage: str) -> str:
    digest = hashlib.sha256()
    for module in modules(stage):
        file = file_of(module)
        assert file is not None
        source = file.read_text(encoding="utf-8")
        if stage == "simulate" and module.startswith(OBSERVABLES):
            source = without_estimates(source)
        source = bare(source)
        digest.update(f"{module} {len(source)}\n{source}\n".encode())
    return digest.hexdigest()[:16]


def commit() -> str:
    """Return the git commit of the checkout that contains the package, "" if there is none or git is missing.

    Later edits show in the digests of the code only.
    """
    root = HERE.parent
    if not (root / ".git").exists():  # an installed package, perhaps within another repository
        return ""
    try:
        command = ["git", "-C", str(root), "rev-parse", "--verify", "--quiet", "HEAD"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=GIT_SECONDS)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


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
