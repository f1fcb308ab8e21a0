"""Worker processes, which end when the process that started them ends."""

from __future__ import annotations

import os
import threading
import time
import warnings
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from typing import Any

SECONDS = 1  # between two looks at the parent process


@contextmanager
def worker_processes(number: int) -> Iterator[Executor]:
    """Start worker processes, at most two for each core, and yield their executor.

    They are kept for the next call for a while. If an exception is raised in the block, they are
    ended. If this process is killed, they end soon after it.
    """
    from loky import cpu_count, get_reusable_executor  # needs no main guard in a script, and works in notebooks

    if number > (useful := 2 * cpu_count()):
        text = f"{number} workers are more than twice the number of cores: {useful} are started"
        warnings.warn(text, RuntimeWarning, stacklevel=5)
        number = useful
    executor = get_reusable_executor(max_workers=number, initializer=_end_with, initargs=(os.getpid(),))
    try:
        yield executor
    except BaseException:
        executor.shutdown(wait=False, kill_workers=True)
        raise


def in_order(function: Callable[[Any], Any], items: Iterable[Any], processes: int) -> Iterator[Any]:
    """Yield function(item) for each item, in order, computed by processes. Few items are in memory at the same time."""
    if processes < 2:
        yield from map(function, items)
        return
    waiting: deque[Future] = deque()
    with worker_processes(processes) as executor:
        for item in items:
            waiting.append(executor.submit(function, item))
            if len(waiting) == 2 * processes:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()


def _end_with(parent: int) -> None:
    """End this process soon after its parent process."""

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(SECONDS)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
