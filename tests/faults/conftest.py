"""A small study, and its tables without a fault."""

import pytest

from helpers.faulty import TEXT, finished, work
from poissonmatch import studies


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
