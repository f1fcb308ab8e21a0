"""The code on which blocks depend, and the commit of the checkout."""

import subprocess
import sys
from pathlib import Path

import pytest

from helpers.tables import tables
from poissonmatch.studies import study_files
from poissonmatch.studies.results import provenance
from poissonmatch.studies.statistics import observables
from poissonmatch.utils import code_digests


def cell_with(name):
    """A cell of the first study that may list an observable."""
    for study in tables(__file__)["studies"]:
        data = {"studies": {"a": {**study, "replicates": 2, "observables": [name]}}}
        try:
            return study_files.cells(study_files.of_data(data, "s"))[0]
        except ValueError:
            continue
    raise AssertionError(f"no study for {name}")


@pytest.mark.parametrize("name", observables.OBSERVABLES)
def test_a_block_is_made_by_code_that_counts(name):
    """Every function that takes part in a block is in a folder of the digest of blocks."""
    cell = cell_with(name)
    files = set()

    def trace(frame, event, _):
        files.add(frame.f_code.co_filename)

    sys.setprofile(trace)
    try:
        made = observables.measure_block(next(cell.blocks()), 1)
    finally:
        sys.setprofile(None)
    assert made
    package = code_digests.PACKAGE
    folders = [package / folder for folder in code_digests.STAGES["simulate"]]
    ours = {file for file in map(Path, files) if file.is_relative_to(package)}
    assert len(ours) > 5
    assert [file for file in ours if not any(file.is_relative_to(folder) for folder in folders)] == []


def git(folder, *words):
    identity = ("-c", "user.name=a", "-c", "user.email=a@b")
    return subprocess.run(
        ["git", "-C", folder, *identity, *words], capture_output=True, text=True, check=True
    ).stdout.strip()


def test_the_commit_of_the_checkout(tmp_path, monkeypatch):
    """On a branch, in another worktree, and "" if there is none, if git is missing or if it refuses."""
    repository, other = tmp_path / "a", tmp_path / "b"
    repository.mkdir()
    monkeypatch.setattr(provenance, "PACKAGE", repository / "src/poissonmatch")
    assert provenance.commit() == ""
    git(repository, "init", "--initial-branch", "x/y")
    assert provenance.commit() == ""
    git(repository, "commit", "--allow-empty", "-m", "one")
    head = git(repository, "rev-parse", "HEAD")
    git(repository, "worktree", "add", other, "-b", "z")
    for folder in (repository, other):
        monkeypatch.setattr(provenance, "PACKAGE", folder / "src/poissonmatch")
        assert provenance.commit() == head
    with monkeypatch.context() as patch:
        patch.setenv("PATH", "")
        assert provenance.commit() == ""
    (repository / ".git/HEAD").write_bytes(b"\xff\xfe")
    monkeypatch.setattr(provenance, "PACKAGE", repository / "src/poissonmatch")
    assert provenance.commit() == ""
