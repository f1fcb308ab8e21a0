"""A small study, and its tables without a fault."""

import pytest

from helpers.faulty import TEXT, finished, work
from poissonmatch.studies import study_files as studies
from poissonmatch.studies.statistics import observables


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    path = tmp_path_factory.mktemp("study") / "s.yaml"
    path.write_text(TEXT)
    return studies.load(path)


@pytest.fixture(scope="module")
def undisturbed(file, tmp_path_factory):
    folder = tmp_path_factory.mktemp("undisturbed")
    work(file, folder)
    return finished(folder)


@pytest.fixture
def study(tmp_path):
    path = tmp_path / "s.yaml"
    path.write_text(TEXT)
    return path


@pytest.fixture
def speedy(monkeypatch):
    """Blocks are simulated once; it is the writing that is tested."""
    made = {}
    real = observables.measure_block

    def measure_block(block, *options):
        if str(block) not in made:
            made[str(block)] = real(block, *options)
        return made[str(block)]

    monkeypatch.setattr(observables, "measure_block", measure_block)
