"""A file that does not come with the package is checked in less than 2 GB, or rejected if the check takes long."""

import json
import subprocess
import sys

import pytest

from helpers import false_theorems as forged
from helpers.costly_files import COSTLY
from poissonmatch_games.checkers import certificates, work_limit

MEASURED = """
import resource, subprocess, sys
code = subprocess.call(sys.argv[1:], stderr=subprocess.STDOUT)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, file=sys.stderr)
sys.exit(code)
"""  # a small process between: the peak of a child counts the memory of the process from which it is forked


@pytest.mark.slow
@pytest.mark.parametrize("name", COSTLY)
def test_a_costly_file_takes_2_gb_at_most_or_is_refused(tmp_path, name):
    """In a process of its own, as the command checks it."""
    certificate, words = COSTLY[name]
    path = tmp_path / "x.json"
    path.write_text(json.dumps(certificate))
    command = [sys.executable, "-m", "poissonmatch", "games", "check", str(path)]
    done = subprocess.run([sys.executable, "-c", MEASURED, *command], capture_output=True, text=True)
    found, peak = done.stdout, int(done.stderr)
    assert done.returncode == (0 if "accepted" in found else 4), found
    assert peak * (1 if sys.platform == "darwin" else 1024) < 2e9
    assert len([line for line in found.splitlines() if "still at work" not in line]) == 1
    on_a_slow_machine = "takes more than 9 seconds"
    assert len(found) < 900 and any(text in found for text in ("accepted", words, on_a_slow_machine))


@pytest.mark.slow
def test_a_stored_certificate_has_no_bound_and_a_changed_one_has(monkeypatch):
    for name, bound in (("A22", "MAX_STEPS"), ("row-3-29", "MAX_OPERATIONS")):
        monkeypatch.setattr(certificates, bound, 1000)
        stored = certificates.load(name)
        changed = {**stored, "statement": "another"}
        assert certificates.is_stored(stored) and not certificates.is_stored(changed)
        counts = certificates.check(stored)
        with pytest.raises(ValueError, match="more than 1 ?000 .*; --allow-long checks it nevertheless"):
            certificates.check(changed)
        assert certificates.check(changed, bounded=False) == counts


def test_a_file_that_is_equal_to_a_stored_one_but_for_types_is_not_stored():
    stored = certificates.load("row-3-14")
    assert not certificates.is_stored({**stored, "star": False})
    assert not certificates.is_stored({**stored, "name": ["row-3-14"]})
    assert certificates.is_stored(dict(reversed(stored.items())))


def test_the_bound_holds_for_the_tables_that_a_file_uses(tmp_path, monkeypatch):
    """Each table beside the file takes its steps from those of the file; stored ones do not."""
    monkeypatch.setattr(certificates, "MAX_STEPS", 5000)
    (tmp_path / "own.json").write_text(json.dumps({**certificates.load("A12"), "name": "own"}))
    (tmp_path / "second.json").write_text(json.dumps({**certificates.load("A12"), "name": "second"}))
    claim = forged.claim("c", "F .", forged.at("F . <= 0", by="jumps"))
    for uses, problem in ((["A22"], ""), (["own.json"], ""), (["own.json", "second.json"], "uses[1]: ")):
        file = forged.cases(claim, uses=uses)
        if problem:
            with pytest.raises(ValueError) as refused:
                certificates.check(file, tmp_path)
            assert str(refused.value).startswith(problem) and "--allow-long" in str(refused.value)
        else:
            assert certificates.check(file, tmp_path) == {"claims": 1, "nodes": 1}


@pytest.mark.parametrize("error", [TimeoutError("takes more than 9 seconds"), MemoryError()])
def test_bounds_of_the_command_are_not_called_damage(monkeypatch, error):
    def stop(*_):
        raise error

    monkeypatch.setattr(certificates, "check_cases", stop)
    with pytest.raises(type(error)):
        certificates.check(certificates.load("Theorem-2"))


def test_steps_are_counted_in_their_context_only():
    with work_limit.at_most(2):
        work_limit.spend(2)
        with work_limit.at_most(5):
            work_limit.spend(5)
        with pytest.raises(work_limit.TooLong, match="more than 2 steps"):
            work_limit.spend()
    work_limit.spend(10**9)
