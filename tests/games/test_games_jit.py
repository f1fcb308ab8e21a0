"""The compiled kernels of the games are kept no longer than all their files stay as they are."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import poissonmatch_games as games


@pytest.mark.slow
def test_an_edit_of_one_kernel_file_compiles_the_others_anew(tmp_path):
    """The search has the moves of strip_kernels.py inlined: without moves it finds another winner."""
    package, source = tmp_path / "copied", Path(games.__file__).parents[1]
    shutil.copytree(source / "games", package / "games", ignore=shutil.ignore_patterns("__pycache__"))
    (package / "engine").mkdir()
    shutil.copy(source / "engine" / "jit.py", package / "engine")
    shutil.copytree(source / "utils", package / "utils", ignore=shutil.ignore_patterns("__pycache__"))
    words = [sys.executable, "-c", "from copied import games; print(games.toads.OutcomeEngine(2**20).compare('TT.F'))"]

    def relation():
        return subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=True).stdout.strip()

    first, again = relation(), relation()
    edited = package / "games" / "toads" / "strip_kernels.py"
    text = edited.read_text(encoding="utf-8")
    head = "def move_piece(kind, gap, n, i, new_kind, new_gap):\n"
    assert first == again == "|" and text.count(head) == 1
    edited.write_text(text.replace(head, head + "    if n > 0:\n        return False\n"), encoding="utf-8")
    assert relation() != "|"
