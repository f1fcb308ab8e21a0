"""The files of the repository, the source files of both packages, and what they import."""

import importlib
import re
import subprocess
import sys
from functools import cache
from pathlib import Path
from types import ModuleType

import grimp

ROOT = Path(__file__).parents[2]
PACKAGES = ("poissonmatch", "poissonmatch_games")


def docs_module(name: str) -> ModuleType:
    """Return a module of docs/, by which the site is made."""
    if str(ROOT / "docs") not in sys.path:
        sys.path.insert(0, str(ROOT / "docs"))
    return importlib.import_module(name)


@cache
def tracked(*patterns: str) -> tuple[Path, ...]:
    """Return the files of the repository that match patterns of git, sorted.

    What a newcomer leaves beside them does not count; in a copy without git all files do.
    """
    if not (ROOT / ".git").exists():
        return tuple(sorted(path for pattern in patterns for path in ROOT.rglob(pattern)))
    words = ["git", "ls-files", "-z", *patterns]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True)
    return tuple(path for name in sorted(done.stdout.split("\0")) if name and (path := ROOT / name).exists())


def text_of(path: Path | str) -> str:
    """Return the text of a file, whose path may be one in the repository."""
    return (ROOT / path).read_text(encoding="utf-8")


def blocks(page: Path | str, language: str) -> list[str]:
    """Return the pieces of code in a language on a page."""
    return re.findall(rf"^```{language}\n(.*?)^```", text_of(page), re.M | re.S)


def _name(path: Path) -> str:
    parts = path.relative_to(ROOT / "src").with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


FILES = {_name(path): path for package in PACKAGES for path in sorted((ROOT / "src" / package).rglob("*.py"))}


@cache
def imports() -> dict[str, set[str]]:
    """Return what each module imports, in functions and for type checkers as well; of other libraries the first name."""
    graph = grimp.build_graph(*PACKAGES, include_external_packages=True, cache_dir=None)
    return {module: graph.find_modules_directly_imported_by(module) for module in FILES}
