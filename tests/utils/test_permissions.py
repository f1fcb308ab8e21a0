"""What other processes see of the folder around."""

import os
import subprocess
import sys

import pytest

from helpers.tables import tables
from poissonmatch.utils import permissions


@pytest.mark.parametrize("before, after", tables(__file__)["variables"])
def test_an_empty_entry_of_a_path_is_left_out(tmp_path, monkeypatch, before, after):
    """It would be the current folder."""
    monkeypatch.chdir(tmp_path)
    for name, value in before.items():
        monkeypatch.setenv(name, value)
    found = permissions.environment()
    assert {name: found[name] for name in after} == {
        k: v.format(here=tmp_path, default=os.defpath) for k, v in after.items()
    }


@pytest.mark.parametrize(
    "words", [("-c", "import trap"), ("-m", "trap"), ("-c", "import sys; assert '' not in sys.path")]
)
def test_another_python_imports_nothing_from_its_folder(tmp_path, monkeypatch, words):
    (tmp_path / "trap.py").write_text("print('executed')")
    monkeypatch.setenv("PYTHONPATH", f"{os.environ.get('PYTHONPATH', '')}{os.pathsep}")
    done = subprocess.run(
        permissions.python(*words), cwd=tmp_path, env=permissions.environment(), capture_output=True, text=True
    )
    assert done.stdout == "" and (done.returncode != 0) == ("trap" in words[-1])


def test_where_caches_are_kept(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert permissions.cache_home() == tmp_path
    monkeypatch.setenv("XDG_CACHE_HOME", "not/absolute")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert permissions.cache_home() == tmp_path / ".cache"
