"""The source files of both packages, and what they import."""

from functools import cache
from pathlib import Path

import grimp

ROOT = Path(__file__).parents[2]
PACKAGES = ("poissonmatch", "poissonmatch_games")


def _name(path: Path) -> str:
    parts = path.relative_to(ROOT / "src").with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


FILES = {_name(path): path for package in PACKAGES for path in sorted((ROOT / "src" / package).rglob("*.py"))}


@cache
def imports() -> dict[str, set[str]]:
    """Return what each module imports, in functions and for type checkers as well; of other libraries the first name."""
    graph = grimp.build_graph(*PACKAGES, include_external_packages=True, cache_dir=None)
    return {module: graph.find_modules_directly_imported_by(module) for module in FILES}
