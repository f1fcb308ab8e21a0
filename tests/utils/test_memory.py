"""The memory guard: the smallest of what is free and of every limit that Linux may set, on trees of files as Linux shows them."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from helpers.tables import tables
from poissonmatch.utils import memory

FREE, MACHINE = 64_000_000_000, 128_000_000_000
V2 = "31 23 0:28 {part} {mount} rw,nosuid - cgroup2 cgroup2 rw,nsdelegate"
MOUNTED = V2.format(part="/", mount="/sys/fs/cgroup")


def v2(limit: object, used: int, idle: int = 0, high: object = "max") -> dict[str, str]:
    files = {"max": limit, "high": high, "current": used, "stat": f"anon 5\ninactive_file {idle}\nactive_file 7"}
    return {f"memory.{name}": f"{text}\n" for name, text in files.items()}


def limits(address: object = "unlimited", data: object = "unlimited") -> str:
    return (
        "Limit                     Soft Limit           Hard Limit           Units     \n"
        f"Max data size             {data:<20} unlimited            bytes     \n"
        "Max stack size            8388608              unlimited            bytes     \n"
        f"Max address space         {address:<20} unlimited            bytes     \n"
    )


GROUPS = tables(__file__)


@pytest.fixture
def tree(tmp_path, monkeypatch):
    """Writes files below a folder that is taken for the root of the system."""

    def write(**files: str) -> None:
        for name, text in files.items():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_text(text)

    monkeypatch.setattr(memory, "ROOT", tmp_path)
    monkeypatch.setattr(
        memory.psutil, "virtual_memory", lambda: type("Memory", (), {"available": FREE, "total": MACHINE})
    )
    return write


@pytest.mark.parametrize("case", GROUPS)
def test_control_groups(tree, case):
    row = GROUPS[case]
    mounts = row.get("mounts", "").format(mounted=MOUNTED)
    tree(**{"proc/self/cgroup": row.get("groups", ""), "proc/self/mountinfo": mounts, **row.get("files", {})})
    for folder, use in row.get("folders", {}).items():
        tree(**{f"{folder}/{name}": text for name, text in v2(**use).items()})
    found = memory.available_memory(), memory.total_memory()
    assert found == (row.get("available", FREE), row.get("total", MACHINE))


@pytest.mark.parametrize(
    "text, available",
    [
        (limits(), FREE),
        (limits(address=5_000_000_000), 4_000_000_000),
        (limits(data=900_000_000), 400_000_000),
        (limits(address=5_000_000_000, data=10**12), 4_000_000_000),
        (limits(address=1), 0),
        ("", FREE),
    ],
)
def test_limits_of_the_process(tree, text, available):
    status = "Name:\tpython\nVmPeak:\t 9999999 kB\nVmSize:\t  976562 kB\nVmData:\t  488281 kB\n"
    tree(**{"proc/self/limits": text, "proc/self/status": status})
    assert memory.available_memory() == pytest.approx(available, abs=1000)


def test_all_at_once(tree):
    """The smallest counts, wherever it comes from."""
    tree(**{"proc/self/cgroup": "0::/a", "proc/self/mountinfo": V2.format(part="/", mount="/g")})
    tree(**{f"g/a/{name}": text for name, text in v2(3 * 10**9, 0).items()})
    tree(**{"proc/self/limits": limits(address=2 * 10**9), "proc/self/status": "VmSize: 0 kB\nVmData: 0 kB\n"})
    assert memory.available_memory() == 2 * 10**9
    tree(**{"proc/self/limits": limits(address=4 * 10**9)})
    assert memory.available_memory() == 3 * 10**9


@pytest.mark.skipif(not Path("/proc/self/limits").exists(), reason="needs Linux")
@pytest.mark.parametrize("limit", ["RLIMIT_AS", "RLIMIT_DATA"])
def test_a_real_limit(limit):
    """Refused with the estimate, where the system would end the process or numpy would raise in the middle."""
    code = (
        f"import resource; resource.setrlimit(resource.{limit}, (3 * 10**9, 3 * 10**9))\n"
        "from poissonmatch.utils import memory; print(memory.available_memory()); memory.require_memory(3e9, 'a matching')"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env={**os.environ})
    assert 2.5e9 < int(done.stdout) < 3e9
    assert "MemoryError: a matching needs about 3 GB of memory; 2." in done.stderr
