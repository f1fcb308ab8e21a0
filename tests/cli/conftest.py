"""Shared by the tests of hostile input: a study with finished results, and a folder to work in."""

import shutil

import pytest

from helpers.hostile import STUDY
from helpers.runs import problems, run_study
from poissonmatch.studies import study_files as studies
from poissonmatch.studies.report import reports
from poissonmatch.studies.run import stages


@pytest.fixture(scope="session")
def finished(tmp_path_factory):
    """A folder with a study file s.yaml, and its results with figures, the report, and the figures of the paper."""
    home = tmp_path_factory.mktemp("finished")
    (home / "s.yaml").write_text(STUDY)
    file, results = studies.load(home / "s.yaml"), run_study(home / "s.yaml", home / "results")
    stages.draw(file, results)
    reports.report(home / "s.yaml", file, results)
    reports.write_page(home / "paper-figures", "index.html", {"index.html": b"x", "figure-1.pdf": b"y"}, {})
    assert [problems(home / name) for name in ("results/s", "paper-figures")] == [[], []]
    return home


@pytest.fixture
def work(finished, tmp_path, monkeypatch):
    """A copy of the folder, below which an empty one is the current folder; no program can be found."""
    home = shutil.copytree(finished, tmp_path / "home", symlinks=True)
    (home / "work").mkdir()
    monkeypatch.chdir(home / "work")
    monkeypatch.setenv("PATH", str(tmp_path / "none"))
    return home
