"""A user's own function as a process of studies: found without importing, named by a digest of its source, imported if allowed.

A module is looked for beside the study, then where Python looks. One beside the study stands for itself alone: nothing else ever
finds it, and it finds no neighbor but those of its own package.
"""

from __future__ import annotations

import contextlib
import copy
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
from importlib.abc import SourceLoader
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from ..points.geometry import Torus
from ..points.pattern import Pattern
from ..points.processes import DENSITIES, Process
from ..utils.errors import BadInput, nearest, quoted

MOST_BYTES = 10**8  # of the sources of a package
_loaded: dict[str, str] = {}  # the digests of installed packages when they were imported


class UserBug(BadInput):
    """The user's own function, or module, does what it must not. Its cause is the exception there, if it raised one."""

    @property
    def traceback(self) -> str:
        """Of that exception, without what of it is ours; empty if there is none."""
        cause = self.__cause__
        if cause is None:
            return ""
        frames = traceback.extract_tb(cause.__traceback__)
        own = [frame for frame in frames if frame.filename != __file__ and "importlib" not in frame.filename]
        return "".join(
            [
                "Traceback (most recent call last):\n",
                *traceback.format_list(own),
                *traceback.format_exception_only(cause),
            ]
        )


@dataclass(frozen=True)
class Source:
    """The module in which a function is: its file, and that of its package (or folder of it), whose sources count as well."""

    name: str
    file: Path
    top: Path
    depth: int  # words of the module's name before those within the package
    beside: bool

    @property
    def module(self) -> str:
        return self.name.rpartition(".")[0]

    @property
    def function(self) -> str:
        return self.name.rpartition(".")[2]

    @functools.cached_property
    def digest(self) -> str:
        """Of the source of the module; of a package, of all Python files in it."""
        if self.top.is_file():
            return hashlib.sha256(self.top.read_bytes()).hexdigest()[:16]
        found = hashlib.sha256()
        files = sorted(path for path in self.top.rglob("*.py") if path.is_file())
        if sum(path.stat().st_size for path in files) > MOST_BYTES:
            raise BadInput(f"import: the sources in {self.top} are more than {MOST_BYTES:.0e} bytes")
        for path in files:
            sha = hashlib.sha256(path.read_bytes()).hexdigest()
            found.update(f"{path.relative_to(self.top).as_posix()} {sha}\n".encode())
        return found.hexdigest()[:16]


def find(name: str, folder: str) -> Source:
    """The source of a function, "module.function", without importing anything. Raises BadInput if there is none."""
    words = name.split(".")
    if len(words) < 2 or len(name) > 200 or not all(word.isidentifier() for word in words):
        raise BadInput(f"import: {quoted(name)} is not the name of a function in a module, such as mymodule.ginibre")
    importlib.invalidate_caches()
    for path in [[folder or os.getcwd()], None]:
        chain = _chain(words[:-1], path)
        if chain and chain[-1].origin:
            depth = next(k for k, spec in enumerate(chain) if spec.origin)
            file, top = Path(str(chain[-1].origin)), Path(str(chain[depth].origin))
            if file.suffix != ".py" or not file.is_file():
                raise BadInput(f"import: {name}: {file} is no Python source")
            return Source(name, file, top.parent if top.name == "__init__.py" else top, depth, path is not None)
    raise BadInput(
        f"import: {quoted(name)}: there is no module {'.'.join(words[:-1])} beside the study ({folder or os.getcwd()}), nor installed"
    )


def _chain(words: list[str], path: list[str] | None) -> list[ModuleSpec]:
    """Where a module is, and the packages around it: looked up in folders, by the last word of each name; none if it is not there."""
    found: list[ModuleSpec] = []
    for word in words:
        spec = PathFinder.find_spec(word, path)
        if spec is None and not found and path is None:
            with contextlib.suppress(ValueError, ImportError):  # installed in another way, as it is for development
                spec = importlib.util.find_spec(word)
        if spec is None or path == []:
            return []
        found.append(spec)
        path = list(spec.submodule_search_locations or [])
    return found


def refusal(source: Source) -> str:
    """What is said where a function may not be imported."""
    return f"the process would import {source.name} from {source.file}; nothing was imported: --allow-import if you trust it"


def process(name: str, folder: str, allowed: bool, digest: str, replicate: int) -> Process:
    """The function of a user as a process. Raises BadInput if it may not be imported, has changed, or is no process."""
    if not allowed:
        raise BadInput(refusal(find(name, folder)))
    function = load(name, folder, digest)

    @functools.wraps(function)
    def drawn(torus: Torus, *, rng: np.random.Generator, **named: Any) -> Pattern:
        what = f"{name}, replicate {replicate}"
        with _watched(what):
            found = function(copy.copy(torus), **named, rng=rng)  # a copy: no edit of it counts
        colors = next((len(named[key]) for key in ("intensities", "counts") if key in named), 1)
        return _checked(what, found, torus, colors)

    colored = bool({"intensities", "counts"} & set(inspect.signature(function).parameters))
    return Process(drawn, colored=colored, ergodic=False, flat=True)


def _checked(what: str, found: Any, torus: Torus, colors: int) -> Pattern:
    """What the function returned, as a pattern on the torus that it was given."""
    try:
        pattern = found if isinstance(found, Pattern) else Pattern(found, None, torus)
    except ValueError as error:
        raise UserBug(
            f"{what}: {str(error).replace('; wrap=True moves it', ', torus.wrap(points) moves it')}"
        ) from None
    if pattern.geometry != torus:
        raise UserBug(f"{what}: it returned points on {pattern.geometry}, not on the torus that it was given, {torus}")
    if len(pattern) and (most := int(pattern.colors.max())) >= colors:
        raise UserBug(f"{what}: it returned points of color {most}, and was asked for {colors} colors, from 0")
    return pattern


def check(name: str, function: Callable[..., Any], parameters: Mapping[str, Any]) -> None:
    """Raises BadInput unless this is a function of a torus, a density and these parameters of its own."""
    if inspect.isclass(function) or not callable(function):
        raise BadInput(f"import: {name} is {'a class' if callable(function) else quoted(function)}, not a function")
    try:
        signature = dict(inspect.signature(function).parameters)
    except (TypeError, ValueError):
        raise BadInput(f"import: the parameters of {name} cannot be read") from None
    form = f"{name}(torus, intensity=1.0, ..., *, rng), or with intensities or counts"
    kinds = {key: parameter.kind for key, parameter in signature.items()}
    first = next(iter(signature), "")
    positional = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    by_name = (inspect.Parameter.KEYWORD_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    density = [key for key in DENSITIES if key in kinds and key != first]
    if kinds.get(first) not in positional or kinds.get("rng") not in by_name or first == "rng" or not density:
        raise BadInput(f"import: {name}({', '.join(signature)}) is no process: it must be {form}")
    own = [key for key in signature if key not in (first, "rng", *DENSITIES) and kinds[key] in by_name]
    anything = inspect.Parameter.VAR_KEYWORD in kinds.values()
    for key in parameters:
        if key not in own and not anything:
            raise BadInput(f"import: {name} has no parameter {quoted(key)}{nearest(key, own) if own else ''}")
    for key, parameter in signature.items():
        given = key in parameters or key in (first, "rng", *DENSITIES)
        if parameter.default is parameter.empty and parameter.kind in (*by_name, *positional) and not given:
            raise BadInput(f"import: {name} needs the parameter {key!r}, which has no default")


@functools.lru_cache(maxsize=64)
def load(name: str, folder: str, digest: str) -> Callable[..., Any]:
    """The function with this digest of its source: what was read is what is executed. Raises BadInput."""
    source = find(name, folder)
    if source.digest != digest:
        raise BadInput(f"import: {source.file} has changed since: {name} was read before")
    with _watched(f"import of {name} from {source.file}", Path(folder) if source.beside else None):
        if source.top.is_file():
            module = _of_file(source, f"_study_{digest}_{source.top.stem}")
        elif source.beside:
            module = _of_package(source, f"_study_{digest}_{source.top.name}")
        else:
            module = _installed(source)
    try:
        return getattr(module, source.function)
    except AttributeError:
        there = [key for key, value in vars(module).items() if inspect.isfunction(value)]
        raise BadInput(
            f"import: {source.file} has no function {source.function!r}{nearest(source.function, there) if there else ''}"
        ) from None


class _Bytes(SourceLoader):
    """Loads a module from these bytes, whatever stands in its file by now."""

    def __init__(self, file: Path, data: bytes) -> None:
        self.file, self.data = file, data

    def get_filename(self, fullname: str) -> str:
        return str(self.file)

    def get_data(self, path: Any) -> bytes:
        return self.data


def _of_file(source: Source, name: str) -> ModuleType:
    """A module of one file, from the very bytes that have the digest."""
    data = source.top.read_bytes()
    if hashlib.sha256(data).hexdigest()[:16] != source.digest:
        raise BadInput(f"import: {source.file} has changed since")
    return _executed(importlib.util.spec_from_file_location(name, source.top, loader=_Bytes(source.top, data)))


def _executed(spec: ModuleSpec | None) -> ModuleType:
    """The new module of a spec, which is known by its name only if it could be executed."""
    assert spec is not None and spec.loader is not None
    sys.modules[spec.name] = module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[spec.name]
        raise
    return module


def _of_package(source: Source, name: str) -> ModuleType:
    """A module of a package beside the study, which is imported under a name of its own."""
    if name not in sys.modules:
        inside = [str(source.top)]
        init = source.top / "__init__.py"
        _executed(importlib.util.spec_from_file_location(name, init, submodule_search_locations=inside))
    return importlib.import_module(".".join([name, *source.module.split(".")[source.depth + 1 :]]))


def _installed(source: Source) -> ModuleType:
    """A module of an installed package. One that has changed since it was imported would not be what its digest says."""
    module = importlib.import_module(source.module)
    if _loaded.setdefault(str(source.top), source.digest) != source.digest:
        raise BadInput(f"import: {source.top} has changed since it was imported; start Python anew")
    return module


class _Shared:
    """A stream that may be closed at will, and stays open."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def close(self) -> None:
        """Nothing."""


@contextlib.contextmanager
def _watched(what: str, beside: Path | None = None) -> Iterator[None]:
    """Runs a user's code: what it prints goes to stderr, the current folder, sys.path and what numpy does of errors stay, and what it
    raises is a UserBug."""
    here, path, keep = os.getcwd(), list(sys.path), sys.dont_write_bytecode
    sys.dont_write_bytecode = True
    shared: Any = _Shared(sys.stderr)
    try:
        with contextlib.redirect_stdout(shared), contextlib.redirect_stderr(shared), np.errstate():
            yield
    except (Exception, SystemExit) as error:
        said = _words(error)
        missing = error.name.split(".")[0] if isinstance(error, ModuleNotFoundError) and error.name else ""
        if beside is not None and missing and ((beside / f"{missing}.py").exists() or (beside / missing).is_dir()):
            said += f": put both into a package, a folder with __init__.py, and write `from . import {missing}`"
        kind = "" if isinstance(error, BadInput) else f": {type(error).__name__}"
        raise UserBug(f"{what}{kind}{': ' if said else ''}{said}") from error
    finally:
        sys.dont_write_bytecode = keep
        sys.path[:] = path
        os.chdir(here)


def _words(error: BaseException) -> str:
    """What an exception says, in a line."""
    try:
        return " ".join(str(error).split())[:200]
    except Exception:  # of a user's own __str__
        return ""


def imported(torus: Torus, intensity: float = 1.0, *, rng: np.random.Generator) -> Pattern:
    """What is known of every imported process without importing it: see process."""
    raise NotImplementedError


PROCESS = Process(imported, ergodic=False, flat=True)
