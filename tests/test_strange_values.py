"""Every public function, with each argument replaced by strange values.

A call returns, or raises ValueError, TypeError, OSError or MemoryError with a message of one line.
"""

import itertools
import math  # noqa: F401 (of a value)
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from decimal import Decimal  # noqa: F401 (of a value)
from fractions import Fraction  # noqa: F401 (of a value)

import numpy as np
import pandas as pd  # noqa: F401 (of a value)
import pytest

import poissonmatch as pm
from helpers.public_calls import CALLS

SECONDS = 20  # in which each call ends
ALLOWED = (ValueError, TypeError, OSError, MemoryError, pm.IntegrityError)


def recursive() -> list:
    values: list = []
    values.append(values)
    return values


PATTERN = pm.Pattern([[0.5], [1.0]], None, pm.Torus(3.0, 1))
STRANGE = r"""
None
NotImplemented
...
True
-1
0
3
255
10**6
2**31
2**63
-(2**70)
10**400
10**5000
0.0
-0.0
0.3
1e-320
1e6
1e300
math.nan
math.inf
-math.inf
1j
Fraction(1, 3)
Decimal("1e400")
np.int8(-128)
np.uint64(2**64 - 1)
np.float16(2.5)
np.bool_(True)
np.datetime64("NaT")
""
"one"
"a\0b"
"\x1b[31m\n"
"\ud800"
"x" * 5000
"{" * 5000
"1" * 5000
b"\xff"
[]
[1, 2]
["a", "b"]
[[1], [2, 3]]
recursive()
[10**400, 1]
[math.nan, math.inf]
()
{}
{"a": 1}
{1, 2}
np.array([])
np.array(2.0)
np.arange(6).reshape(2, 3)
np.array([None, "x"], object)
np.ma.array([1.0, 2.0], mask=[True, False])
pd.DataFrame({"x": [1.0]})
pd.Series(["a"])
int
len
object()
range(3)
PATTERN.geometry
PATTERN
pm.RULES["two-color"]
"""
VALUES = {text: eval(text) for text in STRANGE.strip().splitlines()}
LONG = {  # functions, and arguments that ask for long work: large numbers are left out
    "octaves": ("runs", "points"), "toads.lucas_plays": ("toads", "frogs", "blanks"), "impartial.GrundysGame": ("largest",),
    "replicates": ("intensities", "torus"), "Nim.genus": ("position",),
}  # fmt: skip
UNCHANGED = (
    "dims sizes replicates".split()
)  # keys of studies, whose schema is tested elsewhere; nor are processes started
# Public, and tested elsewhere: writers of files, abstract classes, and what they return.
NOT_CALLED = """
Geometry deletion.Deletion infinite.Point rules.Law rules.Moments theory.scaling_laws.FittedLaw
IntegrityError certificates.Certificate frogs.Move frogs.Position infinite.InfinitePattern infinite.DecreasingGaps
processes.Process processes.process games.tables.check_claims games.tables.toads_and_frogs games.tables.triangle
impartial.HeapGame impartial.ImpartialGame impartial.LoopyGame partisan.Game partisan.Ruleset
descending_chains.chains_within
""".split()
# Public for authors of observables and rules: plain numbers and arrays, which these functions do not check.
FOR_AUTHORS = ("rules.", "theory.finite_size.", "theory.intervals.", "theory.scaling_laws.", "theory.volumes.")


@contextmanager
def alarm() -> Iterator[None]:
    """Raise an error of its own if a call does not end."""

    def late(signum: int, frame: object) -> None:
        raise RuntimeError(f"no answer in {SECONDS} s")

    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(SECONDS)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def fault(function: object, arguments: dict) -> str:
    """What is wrong with the answer to these arguments."""
    import matplotlib.pyplot as plt

    try:
        with alarm(), np.errstate(all="ignore"):
            function(**arguments)  # type: ignore[operator]
    except ALLOWED as error:
        text = str(error)
        several = isinstance(error, pm.IntegrityError) or text.startswith(("sweep: ", "replicates: "))  # one line each
        if not text or "\n" in text.strip() and not several or max(map(len, text.splitlines())) > 1000:
            return f"a message of {len(text)} characters: {text[:200]!r}"
    except Exception as error:
        return f"{type(error).__name__}: {str(error)[:200]}"
    finally:
        plt.close("all")
    return ""


def left_out(name: str, argument: str, value: object) -> bool:
    """Whether a call is not made, because it would start processes or work for long, as it was asked to."""
    number = isinstance(value, int | float | np.number) and not isinstance(value, bool)
    large = number and 100 < float(min(value, 1e300)) < 1e13  # type: ignore[type-var, operator]
    workers = argument == "workers" and isinstance(value, int) and value > 0
    return argument in UNCHANGED or workers or large and argument in LONG.get(name, ())


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", CALLS)
def test_strange_values(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    function, arguments = CALLS[name]
    faults = {
        f"{argument}={what}": text
        for argument, (what, value) in itertools.product(arguments, VALUES.items())
        if not left_out(name, argument, value) and (text := fault(function, {**arguments, argument: value}))
    }
    assert not faults, "\n".join(f"{call}: {text}" for call, text in faults.items())


def public(module: object, prefix: str = "") -> Iterator[str]:
    for name in getattr(module, "__all__", ()):
        value = getattr(module, name)
        if hasattr(value, "__all__") and hasattr(value, "__path__") or type(value).__name__ == "module":
            yield from public(value, f"{name}." if name in ("impartial", "partisan", "toads") else f"{prefix}{name}.")
        elif callable(value):
            yield f"{prefix}{name}"


def test_every_public_function_has_a_row():
    names = {name for name in public(pm) if not name.startswith(FOR_AUTHORS)}
    short = {name.removeprefix("games.") for name in CALLS} | set(CALLS)
    assert {
        name for name in names if name not in short.union(NOT_CALLED) and name.rpartition(".")[2] not in short
    } == set()
