"""No public array of the package that is kept can be changed from outside: what a property returns twice is read-only."""

import contextlib
import importlib
import pkgutil
from collections.abc import Iterator
from functools import cached_property
from typing import Any

import numpy as np
import pytest

import poissonmatch as pm
from helpers.refusals import rows
from poissonmatch.studies.statistics.observables import OBSERVABLES
from poissonmatch.studies.statistics.observables.distances import edges
from poissonmatch.utils.errors import BadInput

TORUS = pm.Torus(10.0, 2)
PATTERN = pm.processes.two_color(TORUS, (0.5, 0.5), rng=1)
OBJECTS = """
PATTERN
pm.processes.poisson(pm.MeanField(20.0), rng=1)
pm.match(PATTERN, "fussy")
pm.match(PATTERN, "multi(2)")
pm.match(PATTERN, "labels(3)")
pm.match(PATTERN, "fussy", max_distance=0.5)
pm.match(pm.processes.poisson(pm.MeanField(20.0, table=False), rng=1), max_distance=0.5, rng=1)
pm.Matching([1, 0, -1], [1.0, 1.0, np.inf], "one-color")
pm.Rule(exclude=np.array([[0, 1]]))
list(pm.RULES.values())
[TORUS, pm.Box(3.0, 2), pm.Euclidean(2), pm.MeanField(3.0)]
list(pm.processes.PROCESSES.values())
pm.theory.fussy_line(0.5)
pm.frogs.solve(PATTERN, "friendly")
pm.frogs.solve(PATTERN, "fussy")
pm.frogs.solve(PATTERN, "stones", k=2)
pm.infinite.InfinitePoisson(2, seed=1)
pm.deletion.without_desirers(PATTERN, 0)
pm.games.TriangleGame().values(5)
pm.sweep(dims=1, sizes=20, replicates=2)
"""


def arrays(thing: Any, path: str, depth: int = 3) -> Iterator[tuple[str, np.ndarray]]:
    """The arrays that can be read from an object, through public attributes, tuples, lists and dicts."""
    if isinstance(thing, np.ndarray):
        yield path, thing
    elif isinstance(thing, list | tuple):
        for k, part in enumerate(thing):
            yield from arrays(part, f"{path}[{k}]", depth)
    elif isinstance(thing, dict):
        for key, part in thing.items():
            yield from arrays(part, f"{path}[{key!r}]", depth)
    elif depth and type(thing).__module__.startswith("poissonmatch"):
        for name in (name for name in dir(thing) if not name.startswith(("_", "model_"))):  # model_: of pydantic
            try:
                value = getattr(thing, name)
            except (AttributeError, TypeError, ValueError, NotImplementedError, MemoryError):  # not for this object
                continue
            if not callable(value):
                yield from arrays(value, f"{path}.{name}", depth - 1)


def opened(array: np.ndarray) -> bool:
    """Whether the array can be written to, also after the flag of an array below it is set."""
    below = array
    while isinstance(below, np.ndarray):
        if below.flags.writeable:
            return True
        with contextlib.suppress(ValueError):
            below.setflags(write=True)
            below.setflags(write=False)
            return True
        below = below.base
    return False


def changeable(thing: Any, path: str) -> list[str]:
    """The arrays that can be written to, and are the same memory when they are read again."""
    again = dict(arrays(thing, path))
    return [name for name, found in arrays(thing, path) if opened(found) and np.shares_memory(found, again[name])]


@pytest.mark.parametrize("name", OBJECTS.strip().splitlines())
def test_no_array_that_is_kept_can_be_changed(name):
    assert changeable(eval(name), name) == []


def test_nor_one_of_a_module():
    names = [found.name for found in pkgutil.walk_packages(pm.__path__, "poissonmatch.")]
    modules = [
        importlib.import_module(name) for name in names if "__main__" not in name and "engine" not in name
    ]  # kernels are not public
    public = {f"{m.__name__}.{k}": v for m in modules for k, v in vars(m).items() if not k.startswith("_")}
    assert [name for name, value in public.items() if isinstance(value, np.ndarray) and opened(value)] == []
    assert not opened(edges())


def test_the_walk_finds_an_array_that_is_kept():
    """The test of the test: it would not pass over one."""

    class Keeper:
        __module__ = "poissonmatch.test"
        fresh = property(lambda self: np.zeros(3))
        inside = property(lambda self: (np.zeros(3), {"x": self.kept}))

        @cached_property
        def kept(self) -> np.ndarray:
            return np.zeros(3)

    assert changeable(Keeper(), "k") == ["k.inside[1]['x']", "k.kept"]


# A call, and a pattern of its message.
ENTRIES = r"""
pm.RULES.update(fussy=pm.Rule()) → rules: there is 'fussy' already
pm.RULES.__setitem__("my rule", pm.Rule()) → rules: 'my rule' is not a name
pm.RULES.__setitem__(3, pm.Rule()) → rules: 3 is not a name
pm.RULES.__setitem__("multi(3)", pm.Rule()) → rules: 'multi\(3\)' is not a name
pm.processes.process(_named("poisson")) → processes: there is 'poisson' already
pm.processes.process(_named("../x")) → processes: '../x' is not a name
OBSERVABLES.__setitem__("a\x1b[31m", 1) → observables: .* is not a name
"""


def _named(name: str):
    def draw(torus, intensity=1.0, *, rng):
        return rng.random((3, torus.dim))

    draw.__name__ = name
    return draw


@pytest.mark.parametrize("call, words", rows(ENTRIES))
def test_no_entry_is_replaced_in_silence(call, words):
    before = dict(pm.RULES), dict(pm.processes.PROCESSES), dict(OBSERVABLES)
    with pytest.raises(BadInput, match=words):
        eval(call)
    assert (dict(pm.RULES), dict(pm.processes.PROCESSES), dict(OBSERVABLES)) == before


def test_a_process_of_the_session_may_be_registered_again():
    """As a cell of a notebook is run twice."""
    try:
        first, second = (pm.processes.process(_named("mine")) for _ in range(2))
        assert pm.processes.PROCESSES["mine"].draw is second is not first
    finally:
        del pm.processes.PROCESSES["mine"]
