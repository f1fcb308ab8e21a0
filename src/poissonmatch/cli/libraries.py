"""Import of matplotlib and Numba without settings of the user or of the current folder.

Settings could change figures or numbers, and a broken file would stop the import. Both libraries read matplotlibrc and
.numba_config.yaml during their import, from the current folder first and whatever the environment says; so they are imported in
another folder.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from types import ModuleType

READERS = ("matplotlib", "numba")
PLAIN = Path(__file__).parent / "plain"  # contains an empty matplotlibrc


class ImportsElsewhere:
    """Finder of READERS that executes them in another folder."""

    @staticmethod
    def find_spec(name: str, path: Sequence[str] | None = None, target: ModuleType | None = None) -> ModuleSpec | None:
        """Return the spec of one of READERS, or None for other modules."""
        spec = PathFinder.find_spec(name, path, target) if name in READERS else None
        if spec is None or spec.loader is None:
            return None
        usual = spec.loader.exec_module

        def elsewhere(module: ModuleType) -> None:
            with _elsewhere():
                usual(module)

        spec.loader.exec_module = elsewhere  # type: ignore[method-assign]
        return spec


@contextmanager
def _elsewhere() -> Iterator[None]:
    """Change to PLAIN and unset MPLBACKEND, since figures are drawn into files."""
    back = os.open(".", getattr(os, "O_PATH", os.O_RDONLY))
    backend = os.environ.pop("MPLBACKEND", None)
    try:
        os.chdir(PLAIN)
        yield
    finally:
        os.chdir(back)
        os.close(back)
        if backend is not None:
            os.environ["MPLBACKEND"] = backend


sys.meta_path.insert(0, ImportsElsewhere)
