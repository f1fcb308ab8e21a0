"""Worker processes end with the process that started them, however it ends."""

import os
import signal
import subprocess
import sys
import time

import psutil
import pytest

from poissonmatch.utils.worker_processes import worker_processes

LOOP = """
import signal
import time
from poissonmatch.utils.worker_processes import worker_processes
signal.signal(signal.SIGINT, signal.default_int_handler)  # a job in the background may ignore it
with worker_processes(2) as executor:
    jobs = [executor.submit(time.sleep, 600) for _ in range(2)]
    while sum(job.running() for job in jobs) < 2:
        time.sleep(0.01)
    print("ready", flush=True)
    jobs[0].result()
"""


def ended(processes: list[psutil.Process], seconds: float = 60) -> bool:
    _, alive = psutil.wait_procs(processes, timeout=seconds)
    return not alive


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_workers_end_with_their_parent(number):
    process = subprocess.Popen(
        [sys.executable, "-c", LOOP], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    try:
        assert process.stdout.readline() == "ready\n"
        children = psutil.Process(process.pid).children(recursive=True)
        assert len(children) >= 2
        process.send_signal(number)
        process.wait(60)
        assert ended(children)
    finally:
        process.kill()


def test_workers_end_if_the_work_fails():
    with pytest.raises(ZeroDivisionError), worker_processes(2) as executor:
        numbers = set(executor.map(_number, range(8)))
        workers = [psutil.Process(number) for number in numbers]
        executor.submit(time.sleep, 600)
        executor.submit(divmod, 1, 0).result()
    assert ended(workers)


def test_workers_are_kept_for_the_next_call():
    with worker_processes(2) as executor:
        first = set(executor.map(_number, range(64)))
    with worker_processes(2) as executor:
        second = set(executor.map(_number, range(64)))
    assert first & second and os.getpid() not in first


def _number(_: int) -> int:
    return os.getpid()
