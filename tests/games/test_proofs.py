"""`poissonmatch games prove` and `games check`."""

from __future__ import annotations

import subprocess
import sys

import pytest


def games(*words, cwd=None):
    command = [sys.executable, "-m", "poissonmatch", "games", *map(str, words)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=cwd, timeout=600)
    lines = done.stderr.splitlines(keepends=True)
    done.stderr = "".join(line for line in lines if "still at work after 2 seconds" not in line)  # of a slow machine
    return done


@pytest.mark.workflow
def test_values_that_are_proved_at_any_length():
    assert games("value", "T^200 . F^199").stdout == "T^200 . F^199 = *, Theorem 1\n"
    assert games("value", "T^60 .. F^2").stdout == "T^60 .^2 F^2 = {115/2|0}, A22\n"
    refused = games("value", "T^30 .^20 F^30")
    assert refused.returncode == 2 and len(refused.stderr.splitlines()) == 1
    assert "T^30 .^20 F^30: no certified family contains it" in refused.stderr and "10^35 positions" in refused.stderr


@pytest.mark.workflow
def test_prove_and_check(tmp_path):
    proved = games("prove", "A11", "--output", "a.json", cwd=tmp_path)
    assert proved.stdout.splitlines()[1] == "T^a . T^b F T^c = {a-1|1}   (a >= 2, b = 1)"
    assert proved.stdout.splitlines()[-1].endswith("2 words, 9 formulas, 18 cones")
    done = games("check", "a.json", "A12", cwd=tmp_path)
    assert done.returncode == 0 and [line.split(": ")[1] for line in done.stdout.splitlines()] == ["accepted"] * 2
    (tmp_path / "a.json").write_text((tmp_path / "a.json").read_text().replace("{a-1|1}", "{a-1|2}"))
    wrong = games("check", "a.json", cwd=tmp_path)
    assert "every strip of . F, in any order, with runs of T between" in done.stdout
    assert wrong.returncode == 4 and wrong.stdout == "" and len(wrong.stderr.splitlines()) == 1
    assert wrong.stderr.startswith("a.json: damaged: refused: words, .F: {a-1|2} is not the value where")
    (tmp_path / "a.json").write_text("{}")
    assert "not a certificate: kind, name or statement is missing" in games("check", "a.json", cwd=tmp_path).stderr
    (tmp_path / "a.json").write_text('{"kind": "cases", "kind": "table"}')
    twice = games("check", "a.json", cwd=tmp_path)
    assert twice.returncode == 4 and len(twice.stderr.splitlines()) == 1
    assert (
        "a.json: damaged: refused: not a certificate: the key 'kind' occurs twice in one object: line 1 column 19"
        in twice.stderr
    )
