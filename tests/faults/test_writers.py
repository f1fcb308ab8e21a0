"""Faults of the writers of files whose names the user chooses (make test-faults)."""

import functools
from functools import partial

import pytest

import poissonmatch as pm
from helpers.faulty import FAULTS, failed, killed
from poissonmatch_games.play import page

pytestmark = pytest.mark.faults


@functools.cache
def sweep():
    return pm.sweep(rule="one-color", dims=1, sizes=10, replicates=2)


WRITERS = {  # of files whose names the user chooses
    "a page of games": lambda path: page.write_page(path, pm.Pattern([[0.0], [1.0]], None, pm.Euclidean(1))),
    "a study": lambda path: sweep().to_yaml(path),
    "a certificate": lambda path: pm.certificates.survival(1, 0.9, 10, 480, 1, 1, 1, file=path),
}


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("name", WRITERS)
def test_a_file_is_the_old_one_or_the_new_one(name, fault, tmp_path):
    """Whichever call fails."""
    path, write = tmp_path / "file", WRITERS[name]
    write(path)
    new, injected = path.read_bytes(), 0
    for n in range(1, 100):
        old = b"" if name == "a certificate" else b"old"  # an old certificate would be continued
        path.write_bytes(old) if old else path.unlink(missing_ok=True)
        work = partial(write, path)
        if not (killed(work, n) if fault == "kill -9" else failed(work, n, fault)):
            break
        assert (path.read_bytes() if path.exists() else b"") in (old, new)
        injected += 1
    assert injected >= 4 and path.read_bytes() == new
