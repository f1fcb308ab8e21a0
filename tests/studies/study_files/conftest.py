import pytest


@pytest.fixture
def home(tmp_path, monkeypatch):
    """A folder with a study beside its module, and another one to stand in: where `mark` says that the module was imported."""
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    return tmp_path
