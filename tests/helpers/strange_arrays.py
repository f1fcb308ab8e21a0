"""Examples of hypothesis on Pattern: python -m helpers.strange_arrays 2000, in a process of its own.

Each is points, and a way to give them: a dtype, a layout, a container. The pattern is refused with a ValueError, or it
is that of the numbers as a plain array: then and after whoever can write to the given array has done so.
"""

from __future__ import annotations

import copy
import pickle
import sys
import tempfile
from collections import Counter
from pathlib import Path

import numpy as np
import pandas as pd
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import poissonmatch as pm

FOLDER = tempfile.TemporaryDirectory()
SEEN: Counter[str] = Counter()
SPECIAL = (np.nan, np.inf, -np.inf, -1e-18, 1e-200, 5e-324, 1e149, -3.0, 7.0, 4.0, np.nextafter(4.0, 0), 2.0**53 + 2)


class Shouting(np.ndarray):
    """A subclass that lies about itself."""

    def __array_finalize__(self, obj):
        self.mood = "loud"

    def setflags(self, *arguments, **named):
        pass

    def copy(self, order="C"):
        return self

    def tobytes(self, order="C"):
        return b""

    def __len__(self):
        return 10**9


class Box:
    """Not an array, but it can make one."""

    def __init__(self, values):
        self.values = values

    def __array__(self, dtype=None, copy=None):
        return self.values if dtype is None else self.values.astype(dtype)


def mapped(values, mode):
    path = Path(FOLDER.name) / "points"
    path.write_bytes(np.ascontiguousarray(values).tobytes() or b"\0")
    if values.size == 0 or values.dtype.kind == "O":
        return values
    return np.memmap(path, values.dtype, mode, shape=values.shape)


def locked(values):
    view = values.view()
    view.setflags(write=False)
    return view


def spread(values):
    return np.repeat(np.repeat(values, 2, axis=0), 3, axis=-1)[::2, ..., ::3] if values.ndim else values


def frame(values):
    return pd.DataFrame(values) if values.ndim <= 2 else values


def nullable(values):
    return pd.DataFrame(values).convert_dtypes() if values.ndim <= 2 else values


def masked(values):
    mask = np.zeros(values.shape, bool)
    if values.size:
        mask.flat[values.size // 2] = True
    return np.ma.masked_array(values, mask=mask)


DTYPES = "f2 f4 f8 g >f8 <f4 >i4 i1 i2 i8 u1 u2 u8 ? F D O U8 S8 M8[s] m8[s]".split()
LAYOUTS = {
    "C": lambda a: a.copy(),
    "F": lambda a: np.asfortranarray(a) if a.ndim else a,
    "spread": spread,
    "backwards": lambda a: a[::-1].copy()[::-1] if a.ndim else a,
    "locked": locked,
    "of a locked": lambda a: locked(a.copy())[...],
    "shifted": lambda a: (
        np.frombuffer(b"\0" * 3 + a.tobytes(), np.uint8)[3:].view(a.dtype).reshape(a.shape)
        if a.dtype.kind not in "O" and a.size
        else a
    ),
    "broadcast": lambda a: np.broadcast_to(a[:1], a.shape) if a.ndim and len(a) else a,
    "flat": lambda a: a.ravel(),
    "a number": lambda a: a.reshape(-1)[0] if a.size else a,
    "wider": lambda a: np.concatenate([a, a], axis=-1) if a.ndim else a,
}
CONTAINERS = {
    "array": lambda a: a,
    "list": lambda a: a.tolist(),
    "frame": frame,
    "nullable frame": nullable,
    "column": lambda a: pd.DataFrame(a)[0].to_numpy()[:, None] if a.ndim == 2 and a.shape[1] else a,
    "Shouting": lambda a: a.view(Shouting),
    "Box": Box,
    "memory": lambda a: memoryview(a) if a.dtype.kind in "fiu" and a.dtype.isnative and a.size else a,
    "map r": lambda a: mapped(a, "r"),
    "map c": lambda a: mapped(a, "c"),
    "masked": lambda a: masked(a),
    "pickled": lambda a: pickle.loads(pickle.dumps(a)),
}
GEOMETRIES = {
    "torus": lambda dim: pm.Torus(4.0, dim),
    "space": pm.Euclidean,
    "table": lambda dim: pm.MeanField(1.0),
}


@st.composite
def values_of(draw, dim):
    """(n, dim) numbers: whole ones and halves, which every dtype has, or any; now and then a special one."""
    n = draw(st.integers(0, 12))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    values = rng.integers(0, 8, (n, dim)) / 2 if draw(st.booleans()) else 4 * rng.random((n, dim))
    for _ in range(draw(st.sampled_from([0, 0, 0, 1, 2])) if n else 0):
        values[rng.integers(0, n), rng.integers(0, dim)] = draw(st.sampled_from(SPECIAL))
    return values


def truth(given):
    """The numbers as a plain float64 array; None if they are no real numbers."""
    if isinstance(given, np.ma.MaskedArray) and np.ma.getmaskarray(given).any():
        return None
    if isinstance(given, pd.DataFrame):
        if any(getattr(dtype, "kind", "O") not in "fiu" for dtype in given.dtypes):
            return None
        if any(not exact(np.asarray(given.iloc[:, k])) for k in range(given.shape[1])):
            return None
        given = given.astype(float).to_numpy(na_value=np.nan)
    if isinstance(given, Box):
        given = given.values
    plain = np.array(given, subok=False)
    if plain.size == 0 and plain.dtype != object:
        return np.zeros(plain.shape)
    return plain.astype(float) if plain.dtype.kind in "fiu" and exact(plain) else None


def exact(plain):
    """Can float64 tell these whole numbers from their neighbors?"""
    return plain.dtype.kind not in "iu" or all(abs(number) <= 2**53 for number in plain.ravel().tolist())


def spoil(given):
    """Write to the given array, and to whatever it is a view of."""
    if isinstance(given, pd.DataFrame):
        given.iloc[:, :] = 77
        return
    given = given.values if isinstance(given, Box) else given
    owner = np.asarray(given) if isinstance(given, memoryview) else given
    while isinstance(owner, np.ndarray):
        if owner.flags.owndata:
            np.ndarray.setflags(owner, write=True)
        if owner.flags.writeable and owner.dtype.kind in "fiuc":
            owner[...] = 77
        owner = owner.base


def content(given):
    """What the user's data are, to be compared later."""
    if isinstance(given, pd.DataFrame):
        return repr(given.to_dict("list"))
    return np.asarray(given.values if isinstance(given, Box) else given).tobytes()


@st.composite
def cases(draw):
    kind, dim = draw(st.sampled_from(sorted(GEOMETRIES))), draw(st.integers(1, 3))
    values = draw(values_of(dim))
    if kind == "table":
        values = np.abs(values @ values.T)
    names = [draw(st.sampled_from(sorted(table))) for table in (LAYOUTS, CONTAINERS)]
    dtype = draw(st.sampled_from(DTYPES)) if draw(st.booleans()) else "f8"
    return GEOMETRIES[kind](dim), values, dtype, *names, draw(st.booleans())


def build(values, dtype, layout, container):
    """The array as it is given; None where there is no such thing."""
    try:
        with np.errstate(all="ignore"):
            return CONTAINERS[container](LAYOUTS[layout](values.astype(dtype)))
    except (TypeError, ValueError, OverflowError, IndexError, AttributeError):
        return None


def check(case):
    geometry, values, dtype, layout, container, wrap = case
    given = build(values, dtype, layout, container)
    if given is None:
        return "impossible"
    before, numbers = content(given), None
    try:
        numbers = truth(given)
    except (TypeError, ValueError, OverflowError):
        pass
    try:
        pattern = pm.Pattern(given, geometry=geometry, wrap=wrap)
    except ValueError as error:
        assert "\n" not in str(error) and len(str(error)) < 400, error
        assert content(given) == before
        if numbers is not None and container != "Shouting":
            try:
                pm.Pattern(numbers, geometry=geometry, wrap=wrap)
            except ValueError:
                return "refused"
            raise AssertionError(f"refused: {error}") from None
        return "refused"
    assert numbers is not None, "this is no array of real numbers"
    expected = pm.Pattern(numbers, geometry=geometry, wrap=wrap)
    matching = pm.match(expected)
    assert pattern == expected and pm.match(pattern) == matching and content(given) == before
    spoil(given)
    for twin in (pattern, copy.copy(pattern), copy.deepcopy(pattern), pickle.loads(pickle.dumps(pattern))):
        assert twin == expected and pm.match(twin) == matching
        assert not twin.points.flags.writeable and not twin.colors.flags.writeable
    return "accepted"


def main() -> None:
    count = int(sys.argv[1])

    @settings(
        max_examples=count, deadline=None, database=None, derandomize=True, suppress_health_check=list(HealthCheck)
    )
    @given(cases())
    def every(case):
        SEEN[check(case)] += 1

    every()
    for name, number in sorted(SEEN.items()):
        print(name, number)


if __name__ == "__main__":
    main()
