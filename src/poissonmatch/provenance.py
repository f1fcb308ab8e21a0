"""Where a result comes from: random streams, the digest of the code that made it, versions, the git commit."""

from __future__ import annotations

import ast
import hashlib
import json
import platform
import subprocess
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np

HERE = Path(__file__).parent

# The rooms in which each stage's result is made; what they import counts as well.
STAGES = {
    "simulate": ("processes", "observables"),
    "aggregate": ("estimates",),
    "draw": ("figures",),
    "summarize": ("pages",),
    "games": ("games",),  # the folder: values of exact games
    "game-tables": ("gametables", "gamefigures"),
}


def canonical(value: Any) -> str:
    """The one JSON text of a value made of dicts, lists, strings and numbers."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=True)


def fingerprint(value: Any, length: int = 10) -> str:
    """A short name for a value: the first hexadecimal digits of the SHA-256 of its canonical JSON."""
    return hashlib.sha256(canonical(value).encode()).hexdigest()[:length]


def seed_sequence(seed: int, source: Any, replicate: int) -> np.random.SeedSequence:
    """The random stream of one replicate.

    It depends on the root seed, on the point process's own parameters (`source`) and on the replicate, and on nothing else: so more
    replicates or cells change no other, blocks do not matter, and all rules see the same points.
    """
    words = np.frombuffer(hashlib.sha256(canonical(source).encode()).digest()[:16], dtype="<u4")
    return np.random.SeedSequence(seed, spawn_key=(*(int(w) for w in words), replicate))


def _files(room: str) -> list[Path]:
    """The files of a room: one, or all of a folder; none if there is no such room."""
    path = HERE / f"{room}.py"
    return [path] if path.exists() else sorted((HERE / room).glob("*.py"))


@cache
def _imports(room: str) -> frozenset[str]:
    """The rooms of the package that a room imports; a folder is a leaf."""
    if (HERE / room).is_dir():
        return frozenset()
    tree = ast.parse((HERE / f"{room}.py").read_text(encoding="utf-8"))
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.level == 1:
            found |= {node.module.split(".")[0]} if node.module else {alias.name for alias in node.names}
    return frozenset(name for name in found if _files(name))


@cache
def rooms(stage: str) -> tuple[str, ...]:
    """The rooms that a stage's result depends on, sorted: those of STAGES and whatever they import."""
    todo, seen = list(STAGES[stage]), set()
    while todo:
        room = todo.pop()
        if room not in seen:
            seen.add(room)
            todo += _imports(room)
    return tuple(sorted(seen))


@cache
def code_digest(stage: str) -> str:
    """Digest of the source of the rooms of a stage: an edit there makes its results out of date."""
    digest = hashlib.sha256()
    for room in rooms(stage):
        for path in _files(room):
            source = path.read_bytes()
            name = path.relative_to(HERE).with_suffix("").as_posix()
            digest.update(f"{name} {len(source)}\n".encode() + source)
    return digest.hexdigest()[:16]


@cache
def commit() -> str:
    """The git commit of the source tree, with "+" if the package is edited; "" outside a checkout."""

    def git(*words: str) -> str:
        return subprocess.run(
            ["git", "-C", str(HERE), *words], capture_output=True, text=True, check=True, timeout=10
        ).stdout.strip()

    try:
        if not git("ls-files", "--", str(HERE / "provenance.py")):
            return ""
        return git("rev-parse", "HEAD") + ("+" if git("status", "--porcelain", "--", str(HERE)) else "")
    except (OSError, subprocess.SubprocessError):
        return ""


def package_version(name: str) -> str:
    """Installed version of a distribution, "" if it is not installed."""
    try:
        return version(name)
    except PackageNotFoundError:
        return ""


@cache
def environment() -> dict[str, str]:
    """Versions of what the numbers depend on, and the commit."""
    names = ("poissonmatch", "numpy", "numba", "scipy", "pandas", "pyarrow")
    return {"python": platform.python_version(), **{n: package_version(n) for n in names}, "commit": commit()}
