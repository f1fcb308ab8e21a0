"""`poissonmatch games`: values, tables and files of the exact games."""

import pytest

from helpers.command_line import call, run
from poissonmatch_games.checkers import certificates


def games(*words):
    return run("games", *words)


def test_value():
    assert games("value", "T^4 .. F^3", "--short").stdout == "{1*|v}\n"
    assert games("value", "TT..").stdout == "value: 4\noutcome: L, Left wins\nstops: 4, 4\nmean: 4\ntemperature: -1\n"
    assert games("value", "TT.FF + T.F - ^^", "--short").stdout == "vv\n"
    lines = games("value", "../.. - 2*(TT.FF) + nim(1 2)").stdout.splitlines()
    assert lines[0] == "value: +-(1*3)" and lines[2:] == ["stops: 1, -1", "mean: 0", "temperature: 1"]
    assert games("value", "^3*").stdout.endswith("temperature: 0\natomic weight: 3\n")
    assert games("value", "T^2□FF", "--latex").stdout == "T^{2}\\square F^{2} = {*}\n"
    explained = games("value", "T.T.FF", "--explain").stdout
    assert "Left's option {^|-1/4} is dominated by *" in explained


@pytest.mark.slow
def test_values_that_are_proved_at_any_length():
    assert games("value", "T^200 . F^199").stdout.startswith(
        "value: * (Theorem 1)\noutcome: N, the player who moves first wins\n"
    )
    assert games("value", "T^60 .. F^2").stdout.startswith("value: {115/2|0} (A22)\n")
    refused = games("value", "T^30 .^20 F^30")
    assert refused.returncode == 2 and "T^30 .^20 F^30: no certified family contains it" in refused.stderr


def test_certificates_are_accepted_or_refused(here):
    code, text = call("games", "check", "A11", "A12")
    assert code == 0 and [line.split(": ")[1] for line in text.splitlines()] == ["accepted"] * 2
    certificate = certificates.written(certificates.load("A11")).replace(b"{a-1|1}", b"{a-1|2}")
    (here / "a.json").write_bytes(certificate)
    code, text = call("games", "check", "a.json")
    assert code == 4 and text.startswith("a.json: damaged: rejected: words, .F: {a-1|2} is not the value where")
    assert len(text.splitlines()) == 1


@pytest.mark.slow
def test_the_table_from_the_command_line(here):
    words = ("toads-and-frogs", "--k", "0", "--a", "1..2", "--b", "1..3", "--memory", "1GB", "--time", "5min")
    done = games(*words, "--output", "out/t.parquet")
    assert done.returncode == 0, done.stderr
    assert done.stdout == "out/t.parquet: 6 cells, 6 with a value, 0 with bounds; 0 differ from print\n"
    assert done.stderr.splitlines()[0] == "T^1 .^1 F^1: *"
    assert sorted(p.name for p in (here / "out").iterdir()) == ["t.parquet", "t.pdf", "t.png", "t.txt"]
    again = games(*words, "--output", "out/t.parquet")
    assert again.returncode == 0 and again.stderr == ""  # nothing is worked out twice
    (here / "out" / "t.parquet").write_bytes(b"PAR1")
    broken = games(*words, "--output", "out/t.parquet")
    assert broken.returncode == 4 and len(broken.stderr.splitlines()) == 1 and "damaged" in broken.stderr


@pytest.mark.slow
def test_puzzle_and_thermograph_files(here):
    position = ["T.F", ".TF", "FT.", "F.T"]
    done = games("puzzle", "--toads", 1, "--frogs", 1, "--output", "p.png")
    assert done.stdout.splitlines() == [*position, "3 moves; solutions: 2; longest play: 3 moves"]
    assert games("value", "TT.FF", "--thermograph", "t.pdf").returncode == 0
    assert sorted(p.name for p in here.iterdir()) == ["p.pdf", "p.png", "p.txt", "t.pdf"]


def test_claims_are_checked_by_their_names_and_theorems_are_said_to_hold(here):
    assert games("check", "E2").stdout.startswith("A32: accepted: ")
    assert games("triangle", "--total", 12, "--output", "t.parquet").stdout.endswith(
        "positions; theorems 2.4 and 2.7 hold\n"
    )


@pytest.mark.parametrize(
    "words, message",
    [
        ("solve 0.77 5", "unknown game '0.77'; did you mean 'octal(0.77)'?"),
        ("value T^6.^12F^6", "certified: T^6 .^12 F^6 is neither 0 nor *"),
        ("toads-and-frogs --b 3..1", 'a range must be "first..last"'),
        ("toads-and-frogs --a=-1", 'a range must be "first..last"'),
        ("toads-and-frogs --k 1.5", 'a range must be "first..last"'),
        ("toads-and-frogs --memory 4horses", "a size must be written like 4GB"),
        ("toads-and-frogs --memory 1MB", "memory must be at least 512 MB"),
        ("toads-and-frogs --time soon", "a time must be written like"),
        ("toads-and-frogs --b 200", "at most 118 squares + pieces"),
        ("claims --memory lots", "a size must be written like 4GB"),
        ("value TXF", "character 1 of the strip 'TXF'"),
        ("value TT.FF --thermograph a.svg", "must end in .pdf or .png"),
        ("value T^30.^40F^30", "at most 63"),
        ("triangle --total 100000", "the limit is"),
        ("check nothing.json", "'nothing.json' is neither a file nor one of A11"),
    ],
)
def test_bad_input_is_one_message_and_exit_code_2(here, words, message):
    done = games(*words.split())
    assert done.returncode == 2 and message in done.stderr, done
    assert len(done.stderr.splitlines()) == 1 and done.stdout == "" and list(here.iterdir()) == []
