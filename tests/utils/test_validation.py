"""The number of threads: what is refused, and how many are started."""

import os

import numpy as np

import poissonmatch as pm
from poissonmatch.engine import phases
from poissonmatch.utils import thread_pool
from poissonmatch.utils.thread_pool import useful_threads


def test_no_more_threads_than_pieces_or_twice_the_cores(monkeypatch):
    monkeypatch.setattr(os, "cpu_count", lambda: 3)
    assert [useful_threads(threads, 100) for threads in (1, 2, 6, 7, 4096)] == [1, 2, 6, 6, 6]
    assert [useful_threads(4096, pieces) for pieces in (0, 1, 4)] == [1, 1, 4]
    started = []
    executor = phases.ThreadPoolExecutor
    monkeypatch.setattr(phases, "ThreadPoolExecutor", lambda threads: started.append(threads) or executor(threads))
    monkeypatch.setattr(thread_pool, "PARALLEL", 20)
    pattern = pm.Pattern(np.random.default_rng(0).random((45, 2)), geometry=pm.Torus(1.0, 2))
    assert (pm.match(pattern, threads=4096).partner == pm.match(pattern).partner).all()
    assert started == [4]
