"""`poissonmatch games prove` and `games check`."""

from __future__ import annotations

import subprocess
import sys

import pytest


def games(*words, cwd=None):
    command = [sys.executable, "-m", "poissonmatch", "games", *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, cwd=cwd, timeout=600)


@pytest.mark.workflow
def test_prove_and_check(tmp_path):
    proved = games("prove", "A11", "--output", "a.json", cwd=tmp_path)
    assert proved.stdout.splitlines()[1] == "T^a . T^b F T^c = {a-1|1}   (a >= 2, b = 1)"
    assert proved.stdout.splitlines()[-1].endswith("2 words, 8 formulas, 18 cones")
    done = games("check", "a.json", "A12", cwd=tmp_path)
    assert done.returncode == 0 and [line.split(": ")[1] for line in done.stdout.splitlines()] == ["accepted"] * 2
    (tmp_path / "a.json").write_text((tmp_path / "a.json").read_text().replace("{a-1|1}", "{a-1|2}"))
    wrong = games("check", "a.json", cwd=tmp_path)
    assert "every strip of . F, in any order, with runs of T between" in done.stdout
    assert wrong.returncode == 4 and wrong.stdout == "" and len(wrong.stderr.splitlines()) == 1
    assert wrong.stderr.startswith("a.json: damaged: refused: words, .F: {a-1|2} is not the value where")
    (tmp_path / "a.json").write_text("{}")
    assert "is not a certificate" in games("check", "a.json", cwd=tmp_path).stderr
