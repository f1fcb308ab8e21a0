"""User functions as processes of studies: located without an import, identified by a digest, imported if allowed.

A module is searched for in the folder of the study, then on Python's path. A module in the folder
of the study is imported under a private name: no other code can import it, and it can import only
modules of its own package from that folder.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import importlib
import importlib.util
import inspect
import os
import sys
import traceback
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from ...points.pattern import Pattern
from ...points.processes import DENSITIES, Process
from ...points.spaces import Torus
from ...utils.errors import BadInput, nearest, quoted
from ...utils.immutable import cached_property

_loaded: dict[str, str] = {}  # digests of installed packages at the time of their import


class UserBug(BadInput):
    """Error in a user's function or module. Its cause is the exception raised there, if any."""

    @property
    def traceback(self) -> str:
        """Traceback of that exception without frames of this module; empty if there is none."""
        cause = self.__cause__
        if cause is None:
            return ""
        frames = traceback.extract_tb(cause.__traceback__)
        own = [frame for frame in frames if frame.filename != __file__ and "importlib" not in frame.filename]
        lines = ["Traceback (most recent call last):\n", *traceback.format_list(own)]
        return "".join([*lines, *traceback.format_exception_only(cause)])


@dataclass(frozen=True)
class FunctionSource:
    """The source of a function."""

    name: str  # of the function, dotted
    file: Path  # of its module
    top: Path  # that file, or the folder of its package, whose sources are part of the digest
    depth: int  # number of parts of the module's name before those within the package
    beside: bool  # whether the module is in the folder of the study

    @cached_property
    def digest(self) -> str:
        """Digest of the source of the module, or of all Python files of its package."""
        content = self.top.read_bytes() if self.top.is_file() else b""
        for path in sorted(path for path in self.top.rglob("*.py") if path.is_file()):
            sha = hashlib.sha256(path.read_bytes()).hexdigest()
            content += f"{path.relative_to(self.top).as_posix()} {sha}\n".encode()
        return hashlib.sha256(content).hexdigest()[:16]


def find(name: str, folder: str) -> FunctionSource:
    """Return the source of a function "module.function" without importing it.

    Raises BadInput if it does not exist.
    """
    parts = name.split(".")
    if len(parts) < 2 or len(name) > 200 or not all(part.isidentifier() for part in parts):
        raise BadInput(f"import: {quoted(name)} is not the name of a function in a module, such as mymodule.ginibre")
    importlib.invalidate_caches()
    for path in [[folder or os.getcwd()], None]:
        chain = _chain(parts[:-1], path)
        if chain and chain[-1].origin:
            depth = next(k for k, spec in enumerate(chain) if spec.origin)
            file, top = Path(str(chain[-1].origin)), Path(str(chain[depth].origin))
            if file.suffix != ".py" or not file.is_file():
                raise BadInput(f"import: {name}: {file} is not a Python source file")
            return FunctionSource(name, file, top.parent if top.name == "__init__.py" else top, depth, path is not None)
    raise BadInput(
        f"import: {quoted(name)}: there is no module {'.'.join(parts[:-1])} in the folder of the study "
        f"({folder or os.getcwd()}), nor installed"
    )


def _chain(parts: list[str], path: list[str] | None) -> list[ModuleSpec]:
    """Return the specs of a module and its enclosing packages without importing them; none if there is no module."""
    specs: list[ModuleSpec] = []
    for part in parts:
        spec = PathFinder.find_spec(part, path)
        if spec is None and not specs and path is None:
            with contextlib.suppress(ValueError, ImportError):  # another finder, as for editable installations
                spec = importlib.util.find_spec(part)
        if spec is None or path == []:
            return []
        specs.append(spec)
        path = list(spec.submodule_search_locations or [])
    return specs


def refusal(source: FunctionSource) -> str:
    """Return the message for a function that may not be imported."""
    return f"the process would import {source.name} from {source.file}; nothing was imported: --allow-import if you trust it"


def process(name: str, folder: str, may_import: bool, digest: str, replicate: int) -> Process:
    """Return the function of a user as a process.

    Raises BadInput if it may not be imported, has changed, or has another signature.
    """
    if not may_import:
        raise BadInput(refusal(find(name, folder)))
    function = load(name, folder, digest)

    @functools.wraps(function)
    def drawn(torus: Torus, *, rng: np.random.Generator, **parameters: Any) -> Pattern:
        what = f"{name}, replicate {replicate}"
        with _faults_named(what):
            points = function(torus, **parameters, rng=rng)
        try:
            pattern = points if isinstance(points, Pattern) else Pattern(points, None, torus)
        except ValueError as error:
            text = str(error).replace("; wrap=True moves it", ", torus.wrap(points) moves it")
            raise UserBug(f"{what}: {text}") from None
        if pattern.geometry != torus:
            raise UserBug(f"{what}: it returned points on {pattern.geometry}, not on its argument {torus}")
        colors = next((len(parameters[key]) for key in ("intensities", "counts") if key in parameters), 1)
        if (largest := int(pattern.colors.max(initial=0))) >= colors:
            raise UserBug(f"{what}: it returned points of color {largest}, and was asked for {colors} colors, from 0")
        return pattern

    colored = bool({"intensities", "counts"} & set(inspect.signature(function).parameters))
    return Process(drawn, colored=colored, ergodic=False, flat=True)


def check(name: str, function: Any, parameters: Mapping[str, Any]) -> None:
    """Raise BadInput unless an object can be called with a torus, a density, these parameters and a generator."""
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        raise BadInput(f"import: {name} is not a function whose parameters can be read") from None
    densities = [key for key in DENSITIES if key in signature.parameters]
    try:
        if not densities:
            raise TypeError("it has no density")
        signature.bind(None, **dict.fromkeys(densities), **parameters, rng=None)
    except TypeError as error:
        form = f"{name}(torus, intensity=1.0, ..., *, rng), or with intensities or counts"
        raise BadInput(f"import: {name}{signature} is not a process: {error}; it must be {form}") from None


@functools.lru_cache(maxsize=64)
def load(name: str, folder: str, digest: str) -> Callable[..., Any]:
    """Import the function.

    Raises BadInput if the source has no such function, or has another digest, also than when it was
    first imported.
    """
    source = find(name, folder)
    if source.digest != digest:
        raise BadInput(f"import: {source.file} has changed since: {name} was read before")
    module_name, _, function = name.rpartition(".")
    with _faults_named(f"import of {name} from {source.file}", Path(folder) if source.beside else None):
        if source.beside or source.top.is_file():
            module = _under_private_name(source, module_name.split(".")[source.depth + 1 :])
        else:
            module = importlib.import_module(module_name)
            if _loaded.setdefault(str(source.top), digest) != digest:
                raise BadInput(f"import: {source.top} has changed since it was imported; restart Python")
    try:
        return getattr(module, function)
    except AttributeError:
        names = [key for key, value in vars(module).items() if inspect.isfunction(value)]
        raise BadInput(
            f"import: {source.file} has no function {function!r}{nearest(function, names) if names else ''}"
        ) from None


def _under_private_name(source: FunctionSource, inside: list[str]) -> ModuleType:
    """Import a module under a name that contains the digest. inside: the parts of its name within its package."""
    name = f"_study_{source.digest}_{source.top.stem}"
    is_package = source.top.is_dir()
    if not is_package or name not in sys.modules:
        file = source.top / "__init__.py" if is_package else source.top
        folders = [str(source.top)] if is_package else None
        spec = importlib.util.spec_from_file_location(name, file, submodule_search_locations=folders)
        assert spec is not None and spec.loader is not None
        sys.modules[name] = module = importlib.util.module_from_spec(spec)
        try:
            spec.loader.exec_module(module)
        except BaseException:
            del sys.modules[name]
            raise
    return importlib.import_module(".".join([name, *inside]))


@contextlib.contextmanager
def _faults_named(what: str, beside: Path | None = None) -> Iterator[None]:
    """Run a user's code without writing bytecode into its folder; exceptions become UserBug.

    The current folder, to which paths of the command line are relative, and the recursion limit remain.
    """
    before, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    depth, folder = sys.getrecursionlimit(), os.open(os.curdir, os.O_RDONLY)
    try:
        yield
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        text = _text_of(error)
        missing = str(error.name).split(".")[0] if isinstance(error, ModuleNotFoundError) and error.name else ""
        if beside is not None and missing and ((beside / f"{missing}.py").exists() or (beside / missing).is_dir()):
            text += f": put both into a package, a folder with __init__.py, and write `from . import {missing}`"
        kind = "" if isinstance(error, BadInput) else f": {type(error).__name__}"
        raise UserBug(f"{what}{kind}{': ' if text else ''}{text}") from error
    finally:
        sys.dont_write_bytecode = before
        sys.setrecursionlimit(depth)
        os.fchdir(folder)
        os.close(folder)


def _text_of(error: BaseException) -> str:
    """Return the message of a user's exception on one line."""
    try:
        return " ".join(str(error).split())[:200]
    except Exception as failure:
        return f"it cannot be displayed, because of {type(failure).__name__}"


def imported(torus: Torus, intensity: float = 1.0, *, rng: np.random.Generator) -> Pattern:
    """Refuse to draw points without a study, which names the function; see `process`."""
    raise BadInput("points of a user function are those of a study: `process: {import: module.function}`")


PROCESS = Process(imported, ergodic=False, flat=True)
