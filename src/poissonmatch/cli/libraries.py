"""A process of the command line takes no settings of libraries from the folder in which it is called, nor a user's own.

They might change a figure or a number, and a broken file stops the library. So these libraries are imported in another
folder: that is when they look for matplotlibrc and .numba_config.yaml.
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
PLAIN = Path(__file__).parent / "plain"  # the folder, with a matplotlibrc that says nothing


class ImportsElsewhere:
    """Finds READERS as they are always found, and has them imported in another folder."""

    @staticmethod
    def find_spec(name: str, path: Sequence[str] | None = None, target: ModuleType | None = None) -> ModuleSpec | None:
        """How to import a module of that name; None, for the usual way, if it is none of READERS."""
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
    """In PLAIN, and without the variable that names a backend of matplotlib: ours draw into files."""
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
