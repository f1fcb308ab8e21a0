"""The registry of proofs has each stored certificate, and the command finds one."""

from __future__ import annotations

import subprocess
import sys

from poissonmatch_games.checkers import certificates
from toads_proofs.provers import PROOFS


def test_every_stored_certificate_has_a_finder():
    assert set(certificates.stored()) == set(PROOFS)


def prove(folder, *arguments):
    command = [sys.executable, "-m", "toads_proofs", *arguments]
    return subprocess.run(command, capture_output=True, text=True, cwd=folder, timeout=600)


def test_the_command(tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", ":".join(sys.path))
    proved = prove(tmp_path, "A11", "a.json")
    assert proved.stdout.splitlines()[1] == "T^a . T^b F T^c = {a-1|1}   (a >= 2, b = 1)"
    assert proved.stdout.splitlines()[-1].startswith("a.json: the value of every strip of . F, in any order")
    assert certificates.check(certificates.load(tmp_path / "a.json"))["words"] == 2
    assert "the claim must be one of A11, A12" in prove(tmp_path, "A99").stderr
