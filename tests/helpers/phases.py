"""Tasks and threads for tests of the engine's phases."""

from types import SimpleNamespace

import numpy as np

from poissonmatch.engine.task import Task
from poissonmatch.engine.thread_pool import Threads

BOTH = np.array([[True]])
APART = np.array([[False, True], [True, False]])
ONE = Threads(None, 1)


def task_of(points, colors=None, side=np.inf, compatible=BOTH, **options):
    """Return a task for points (n, d) in a cube of this side; inf: in space."""
    points = np.array(points, dtype=float)
    colors = None if colors is None else np.array(colors, np.uint8)
    counts = np.array([len(points)]) if colors is None else np.bincount(colors, minlength=len(compatible))
    sides = np.full(points.shape[1], float(side))
    return Task(points, colors, sides, compatible, np.ones(len(compatible), bool), counts, **options)


class Recorded(Threads):
    """Threads, one after the other, that record the size of each range and whether it is split."""

    def __init__(self, count):
        super().__init__(SimpleNamespace(map=map), count)
        self.calls = []

    def __call__(self, function, size, *, split):
        self.calls.append((size, split))
        return super().__call__(function, size, split=split)


def record(monkeypatch, owner, name, result=None):
    """Replace a function by one that records its arguments, and calls `result` with them, or itself if that is None."""
    calls, function = [], result or getattr(owner, name)

    def recorded(*arguments, **named):
        calls.append((*arguments, *named.values()))
        return function(*arguments, **named)

    monkeypatch.setattr(owner, name, recorded)
    return calls
