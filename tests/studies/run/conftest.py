"""Shared by the tests of the workflow: a copy of the project in which Snakemake has run."""

import shutil

import pytest

from helpers.checkout import ALL, PLANNED, copy, run


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """A checkout in which a bare `snakemake` has run."""
    checkout = copy(tmp_path_factory.mktemp("checkout"))
    assert run(checkout, "-n") == PLANNED and run(checkout) == ALL
    return checkout


@pytest.fixture
def checkout(finished, tmp_path):
    """The finished checkout, to edit; it keeps its path, by which compiled code is kept."""
    shutil.copytree(finished, tmp_path / "before")
    yield finished
    shutil.rmtree(finished)
    shutil.copytree(tmp_path / "before", finished)
