"""A pattern stays as it was made, wherever its numbers came from; what cannot be used is refused in one line."""

import copy
import operator
import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import poissonmatch as pm
from helpers.rules import RULES
from poissonmatch.matching.sprague_grundy import LabeledPairs

TORUS = pm.Torus(10.0, 2)
POINTS = np.random.default_rng(0).random((60, 2)) * 10
COLORS = np.random.default_rng(1).integers(0, 2, 60)


@pytest.mark.parametrize("kind", ("uint8", "int64"))
def test_a_pattern_does_not_see_later_changes_of_its_colors(kind):
    """Of its points: `helpers.strange_arrays`."""
    colors = COLORS.astype(kind)
    view = colors.view()
    view.setflags(write=False)
    for given in (colors, view, pd.Series(colors), colors[::1]):
        colors[:] = COLORS
        pattern = pm.Pattern(POINTS, given, TORUS)
        colors[:] = 100
        np.testing.assert_array_equal(pattern.colors, COLORS)
        pm.match(pattern, "fussy")


# ---- and nobody can write to it ----


def same(pattern):
    return pattern


def through_a_pickle(pattern):
    return pickle.loads(pickle.dumps(pattern))


def drawn(pattern):
    return pm.processes.two_color(TORUS, (0.3, 0.3), rng=np.random.default_rng(0))


ATTEMPTS = {
    "an item": lambda a: a.__setitem__(0, 0),
    "fill": lambda a: a.fill(0),
    "sort": lambda a: a.sort(axis=0),
    "flags": lambda a: a.setflags(write=True),
    "flag": lambda a: setattr(a.flags, "writeable", True),
    "a view's flags": lambda a: a.view().setflags(write=True),
    "the base": lambda a: operator.setitem(a.base, 0, 0),
    "the memory": lambda a: memoryview(a).__setitem__((0,) * a.ndim, 0),
    "out=": lambda a: np.add(a, 1, out=a),
    "copyto": lambda a: np.copyto(a, 0),
}


@pytest.mark.parametrize("attempt", ATTEMPTS)
@pytest.mark.parametrize("made", (same, copy.copy, through_a_pickle, drawn))
def test_no_array_of_a_pattern_can_be_written(made, attempt):
    pattern = made(pm.Pattern(POINTS, COLORS, TORUS))
    before = pattern.points.copy(), pattern.colors.copy(), pm.match(pattern, "fussy")
    for array in (pattern.points, pattern.colors):
        with pytest.raises((ValueError, TypeError, BufferError)):
            ATTEMPTS[attempt](array)
    np.testing.assert_array_equal(pattern.points, before[0])
    np.testing.assert_array_equal(pattern.colors, before[1])
    assert pm.match(pattern, "fussy") == before[2]


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_nor_can_its_arrays_be_exchanged_or_read_otherwise():
    pattern = pm.Pattern(POINTS, COLORS, TORUS)
    for name in ("points", "colors", "geometry"):
        with pytest.raises(AttributeError):
            setattr(pattern, name, np.full((60, 2), np.nan))
        with pytest.raises(AttributeError):
            delattr(pattern, name)
    expected = pm.match(pattern)
    pattern.points.shape = (2, 60)  # of an array that is made for the asking
    pattern.points.dtype = np.int64
    pattern.colors.strides = (0,)
    assert pattern.points.shape == (60, 2) and pattern.points.dtype == float and pm.match(pattern) == expected


@pytest.mark.parametrize("made", (copy.copy, copy.deepcopy, through_a_pickle))
@pytest.mark.parametrize(
    "value",
    [
        pm.Pattern(POINTS, COLORS, TORUS),
        pm.Pattern(POINTS * 1e-140, COLORS, pm.Euclidean(2)),
        pm.Pattern(np.zeros((0, 2)), None, TORUS),
        pm.Pattern([[np.nan, 1.0], [1.0, 0.0]], None, pm.MeanField(1.0)),
        pm.match(pm.Pattern(POINTS, COLORS, TORUS)),
        pm.match(pm.Pattern(POINTS, COLORS, TORUS), "multi(3)"),
        pm.match(pm.Pattern(POINTS, COLORS, TORUS), "labels(2)"),
        pm.sprague_grundy(pm.Pattern(POINTS, COLORS, TORUS), 2),
        pm.Rule(exclude=[[0, 1]], capacity=(2,)),
        RULES["fussy"],
        pm.Torus(2.0, 3),
        pm.Euclidean(2),
        pm.MeanField(3.0),
    ],
    ids=lambda value: type(value).__name__,
)
def test_copies_are_equal_and_as_fixed(value, made):
    twin = made(value)
    assert twin == value and hash(twin) == hash(value) and type(twin) is type(value)
    for name in ("points", "colors", "partners", "distances", "partner", "distance", "pairs", "label", "exclude"):
        array = getattr(twin, name, None)
        if isinstance(array, np.ndarray) and (name != "pairs" or isinstance(value, LabeledPairs)):
            assert not array.flags.writeable, name


@pytest.mark.parametrize(
    "arguments, words",
    [
        ((np.full((3, 2), np.nan), None, TORUS), "row 0, coordinate 0: nan is not finite"),
        ((np.full((3, 2), 10.0), None, TORUS), r"10.0 is outside \[0, 10\)"),
        ((np.zeros((3, 2)), [0, 1, 255], TORUS), "255 is not a color"),
    ],
)
def test_a_pickle_is_checked(arguments, words):
    """As one would be that somebody wrote by hand, or that was made on another machine."""
    make, _ = pm.Pattern(np.zeros((3, 2)), None, TORUS).__reduce__()
    with pytest.raises(ValueError, match=words):
        make(*arguments)


# ---- what is refused ----


@pytest.mark.parametrize("use", [list, np.asarray, lambda pattern: [0.5, 1.0] in pattern])
def test_a_pattern_is_no_sequence(use):
    with pytest.raises(TypeError, match="not a sequence of points: they are pattern.points"):
        use(pm.Pattern([[0.5, 1.0]], None, pm.Torus(2.0, 2)))


def test_masks_that_hide_nothing_are_fine():
    bare = pm.Pattern(np.ma.masked_array(POINTS), np.ma.masked_array(COLORS, mask=False), TORUS)
    assert bare == pm.Pattern(POINTS, COLORS, TORUS)


def examples(count):
    command = [sys.executable, "-X", "faulthandler", "-W", "ignore", "-m", "helpers.strange_arrays", str(count)]
    done = subprocess.run(command, cwd=Path(__file__).parents[1], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return dict(line.split() for line in done.stdout.splitlines())


@pytest.mark.slow
def test_two_thousand_strange_arrays():
    """Equal result or ValueError, the user's data unchanged; in a process of its own, which would show a crash."""
    counts = examples(2100)  # a few of them are drawn twice, and not run again
    accepted, refused = int(counts["accepted"]), int(counts["refused"])
    assert min(accepted, refused) >= 30 and accepted + refused >= 2000


def test_ties_are_the_equal_distances():
    """Against all pairs of pairs: as many chains of equal distances as there are distances that occur more than once."""
    rng = np.random.default_rng(3)
    for geometry in (pm.Euclidean(2), pm.Torus(4.0, 2)):
        pattern = pm.Pattern(rng.integers(0, 4, (9, 2)), geometry=geometry)
        pairs = [(i, j) for i in range(9) for j in range(i + 1, 9)]
        gaps = [float(pattern.squared_distance(i, j)) for i, j in pairs]
        assert len(ties := pattern.ties()) == len(gaps) - len(set(gaps)) > 0
        for i, j, k, m in ties.tolist():
            assert gaps[pairs.index((i, j))] == gaps[pairs.index((k, m))] and (i, j) < (k, m)
        tied = [pair for pair, gap in zip(pairs, gaps, strict=True) if gaps.count(gap) > 1]
        assert pattern.count_ties() == (len({point for pair in tied for point in pair}), len(tied))
    assert len(pm.Pattern([[0.0], [1.0], [3.0], [7.0]], geometry=pm.Euclidean(1)).ties()) == 0
