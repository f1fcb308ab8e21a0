"""Shared by the tests: runs of a tiny study and of a study of frog games."""

from pathlib import Path

import pytest

from helpers.runs import FROGS, run_study, write_study


@pytest.fixture(scope="session")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """(study file, results folder) of the tiny study, simulated and aggregated. Do not write there."""
    folder = tmp_path_factory.mktemp("tiny")
    path = write_study(folder)
    return path, run_study(path, folder / "results")


@pytest.fixture(scope="session")
def frogs(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """(study file, results folder) of studies of frog games and labels. Do not write there."""
    folder = tmp_path_factory.mktemp("frogs")
    path = write_study(folder, FROGS, "frogs")
    return path, run_study(path, folder / "results")
