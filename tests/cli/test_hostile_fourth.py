"""Hostile and clumsy input, fourth round: what is there, the command, and the answer. Each row is a case."""

import pytest

from cli.test_hostile_cases import Case, check_case, work  # noqa: F401  (a fixture)
from helpers.hostile import nothing, text
from poissonmatch.cli import terminal
from poissonmatch.cli.main import BAD_INPUT
from poissonmatch_games.cli import play_command

MANY = "studies: {a: {ratios: {from: 0.1, to: 0.9, steps: 500}, dims: 1, sizes: {from: 100, to: 1000, steps: 10}, replicates: 1000000, block: 1}}\n"
BOARD = "/".join(["." * 8] * 8)
LONG_WORK = {  # of a second, in these tests
    f"{command} {position[:20]}": Case(nothing, f"{command} '{position}' {options}", BAD_INPUT, (said,))
    for command, position, options, said in (
        ("games solve 'digraph(0-1,1-0,2-0)'", "60 60 60", "", "2-0) 60 60 60 takes more than 1 seconds of processor time; use --allow-long"),
        ("games solve 'ring(4)'", "60 60 60 60", "", "takes more than 1 seconds"),
        ("games solve sprouts", "9", "", "sprouts 9 takes more than 1 seconds"),
        ("games solve kayles", "100 100 100", "--misere", "takes more than 1 seconds"),
        ("games value", BOARD, "", "takes more than 1 seconds"),
        ("games value", "T^7 .^7 F^7", "", "up to 4e+08 positions can follow"),
        ("games strip", "T^7 .^7 F^7", "--show play", "up to 4e+08 positions can follow"),
        ("play toads-and-frogs", "T^7 .^7 F^7", "--human nobody", "up to 4e+08 positions can follow"),
        ("play 'digraph(0-1,1-0,2-0)'", "60 60 60", "--human nobody", "takes more than 1 seconds"),
        ("play domineering", BOARD, "--human nobody", "takes more than 1 seconds"),
    )
}  # fmt: skip
MANY_BLOCKS = {
    f"5 10^9 blocks: {command}": Case(
        lambda home: (text("s.yaml", MANY)(home), (home / "r/s").mkdir(parents=True)),
        f"{command} ../s.yaml --results ../r", BAD_INPUT, ("asks for 5000000000 blocks of replicates, more than 2000000",),
    )
    for command in ("status", "run --dry-run", "plan", "simulate", "aggregate", "repair", "plan-round", "verify")
}  # fmt: skip
CASES = LONG_WORK | MANY_BLOCKS


@pytest.fixture
def a_second(monkeypatch):
    """A second for work that is not expected to be long."""
    monkeypatch.setattr(terminal, "LONG", 1.0)
    monkeypatch.setattr(play_command, "LONG", 1.0)


@pytest.mark.parametrize("case", CASES)
def test_a_case(work, a_second, case):  # noqa: F811
    check_case(work, CASES[case], None, unchanged=True)


def test_a_search_has_a_bound(work, monkeypatch):  # noqa: F811
    monkeypatch.setattr("poissonmatch_games.toads.ruleset.SEARCHED", 100)
    check_case(
        work,
        Case(nothing, "games strip 'T^5 .^5 F^4'", BAD_INPUT, ("more than 100 positions are searched",)),
        None,
        True,
    )
