"""The number of threads: what is refused, and how many are started."""

import os

import numpy as np
import pytest

import poissonmatch as pm
from poissonmatch.engine import phases
from poissonmatch.utils import thread_pool
from poissonmatch.utils.errors import BadInput
from poissonmatch.utils.thread_pool import useful_threads


@pytest.mark.parametrize("threads", (0, -1, 2.5, 4097, 10**5, 10**9, True, "2"))
def test_what_is_no_number_of_threads(threads):
    pattern = pm.Pattern(np.zeros((2, 1)), geometry=pm.Euclidean(1))
    with pytest.raises(BadInput, match="threads must be a whole number from 1 to 4096, got"):
        pm.match(pattern, threads=threads)


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
