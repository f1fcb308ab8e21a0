"""The built wheel, in a fresh environment outside the checkout: new, run, report, verify."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import poissonmatch as pm
from helpers.checkout import ROOT


def call(*words: object, cwd: Path, **variables: str) -> str:
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "VIRTUAL_ENV"))} | variables
    done = subprocess.run(words, cwd=cwd, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.slow
def test_the_wheel_runs_a_study_in_any_folder(tmp_path):
    """In one with a space and a quote in its name, with results below it, and nothing of the checkout."""
    call(sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", tmp_path, ROOT, cwd=tmp_path)
    (wheel,) = tmp_path.glob("*.whl")
    call(sys.executable, "-m", "venv", tmp_path / "venv", cwd=tmp_path)
    python = tmp_path / "venv/bin/python"
    lock = ROOT / "requirements.lock"
    call(python, "-m", "pip", "install", "--quiet", "--require-hashes", "--requirement", lock, cwd=tmp_path)
    call(python, "-m", "pip", "install", "--quiet", "--no-deps", wheel, cwd=tmp_path)
    home = tmp_path / "a user's folder"
    home.mkdir()
    command = tmp_path / "venv/bin/poissonmatch"
    assert call(command, "new", "mine", cwd=home, HOME=str(home)) == "mine.yaml\n"
    text = (home / "mine.yaml").read_text().replace("10000", "100").replace("16", "4")
    (home / "mine.yaml").write_text(text)
    assert call(command, "new", "frogs", "--like", "frogs", cwd=home, HOME=str(home)) == "frogs.yaml\n"
    assert "cells" in call(command, "validate", "frogs.yaml", cwd=home)
    (home / "frogs.yaml").unlink()
    call(command, "run", "mine.yaml", cwd=home, HOME=str(home))
    call(command, "report", "mine.yaml", cwd=home)
    assert "files verified" in call(command, "verify", "results/mine", "--study", "mine.yaml", cwd=home)
    assert sorted(path.name for path in home.iterdir() if not path.name.startswith(".")) == ["mine.yaml", "results"]
    assert len(pm.load(home / "results/mine/estimates.parquet")) > 100
    assert str(tmp_path / "venv") in call(
        python, "-P", "-c", "import poissonmatch; print(poissonmatch.__file__)", cwd=home
    )
