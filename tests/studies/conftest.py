"""Shared by the tests of studies: the finished results of the study of a module."""

import shutil

import pytest

from helpers.runs import finished
from poissonmatch.studies import study_files as studies


@pytest.fixture(scope="module")
def made(request, tmp_path_factory):
    """(study file, results folder) of STUDY, with BATCH_SIZE blocks in a batch. Do not write there."""
    return finished(
        tmp_path_factory.mktemp("made"), request.module.STUDY, size=getattr(request.module, "BATCH_SIZE", 3)
    )


@pytest.fixture
def copy(made, tmp_path):
    """The study, and a copy of its results."""
    shutil.copytree(made[1], tmp_path / "s")
    return studies.load(made[0]), tmp_path / "s"
