"""Cached properties: one object for all threads, and no lock that a forked child would wait for."""

import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import poissonmatch as pm
from poissonmatch.utils.immutable import cached_property


class Slow:
    """What is computed while a thread waits."""

    inside, leave = threading.Event(), threading.Event()
    distances = np.ones((2, 1))

    @property
    def partners(self) -> np.ndarray:
        self.inside.set()
        assert self.leave.wait(60)
        return np.array([[1], [0]])

    @cached_property
    def value(self) -> np.ndarray:
        return self.partners


def matching() -> pm.Matching:
    return pm.match(pm.Pattern([[0.0], [1.0]], None, pm.Euclidean(1)), "one-color")


def slow_matching() -> pm.Matching:
    slow = matching()
    vars(slow)["_result"] = Slow()
    return slow


def other() -> Slow:
    other = Slow()
    other.leave = threading.Event()
    other.leave.set()
    return other


CASES: dict[str, tuple[Callable, Callable]] = {
    "Matching.partner": (lambda: slow_matching().partner, lambda: matching().partner),
    "Matching.pairs": (lambda: slow_matching().pairs, lambda: matching().pairs),
    "another class": (lambda: Slow().value, lambda: other().value),
}


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs a fork")
@pytest.mark.filterwarnings("ignore:.*multi-threaded:DeprecationWarning")
@pytest.mark.parametrize("case", CASES)
def test_a_forked_child_does_not_wait_for_a_thread_of_its_parent(case):
    in_thread, in_child = CASES[case]
    Slow.inside.clear()
    Slow.leave.clear()
    matching().pairs  # noqa: B018  (all kernels are compiled)
    with ThreadPoolExecutor(1) as pool:
        job = pool.submit(in_thread)
        assert Slow.inside.wait(60)
        try:
            if not (child := os.fork()):
                signal.signal(signal.SIGALRM, signal.SIG_DFL)
                signal.alarm(20)
                try:
                    os._exit(in_child().size - 2)
                finally:
                    os._exit(1)
            assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        finally:
            Slow.leave.set()
        assert job.result().size == 2


def test_threads_get_one_object():
    Slow.leave.clear()
    shared = Slow()
    with ThreadPoolExecutor(4) as pool:
        jobs = [pool.submit(lambda: shared.value) for _ in range(4)]
        Slow.leave.set()
        assert len({id(job.result()) for job in jobs}) == 1
    assert isinstance(Slow.value, cached_property)
