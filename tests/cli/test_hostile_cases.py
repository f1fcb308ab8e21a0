"""Hostile and clumsy input, second round: a specification. The rows are in test_hostile_cases.toml."""

import shlex
import time
from pathlib import Path

import pandas as pd
import pytest

import poissonmatch as pm
import poissonmatch_games as games
from helpers.command_line import call
from helpers.hostile import cases, check_case, refused, text
from poissonmatch.cli import terminal
from poissonmatch.cli.main import BAD_INPUT, ENVIRONMENT
from poissonmatch_games import tables as game_tables

ESCAPE = "a\x1b[31m\nb"


def renamed(home: Path) -> None:
    (home / "results/s").rename(home / ESCAPE)


def foreign_table(home: Path) -> None:
    """A table of another program."""
    pd.DataFrame({"x": [1]}).to_parquet(home / "t.parquet")


def table_of_games(home: Path) -> None:
    """A table of another kind than the one that is made."""
    game_tables.triangle(home / "t.parquet", 2)


SUM = "nim + " * 1999 + "nim"
CASES = cases(__file__, renamed, foreign_table, table_of_games) | {
    "a sum of 2,000 games": refused(
        f"games solve '{SUM}' 1", "a position of a sum of 2000 games must have 2000 entries, got 1"
    ),
    "a graph of 3,000 heaps": refused(f"games graph nim '{'1 ' * 3000}'", "more than 1000 positions can be reached"),
}


@pytest.mark.parametrize("case", CASES)
def test_a_hostile_case(work, case):
    check_case(work, CASES[case])


def test_a_profile_of_slurm_without_sbatch(work):
    text("profiles/mine/config.yaml", 'executor: "slurm"\n')(work)
    for profile, said in (
        ("slurm", "--profile slurm: no sbatch here: run this on the login node"),
        ("mine", "no sbatch here"),
    ):
        code, answer = call("run", "../s.yaml", "--profile", profile)
        assert code == ENVIRONMENT and said in answer and "Traceback" not in answer, answer


@pytest.mark.slow
def test_what_is_overwritten(work):
    """A table, a drawing and a certificate of this program, and with --force anything else."""
    for command in ("triangle --total 3 --output t.parquet", "toads-and-frogs --k 0 --a 1 --b 1 --memory 600MB --output u.parquet",
                    "nim-table --size 2 --output n.png", "strip T.F --output s.svg", "graph nim 1 --output g.dot",
                    "graph nim 1 --output g.svg", "strip T.F --show play --output m.svg", "value T.F --thermograph v.pdf"):  # fmt: skip
        for _ in range(2):
            code, answer = call("games", *command.split())
            assert code == 0, answer
    Path("t.parquet").write_bytes(b"mine")
    assert call("games", *"toads-and-frogs --k 0 --a 1 --b 1 --memory 600MB --output t.parquet --force".split())[0] == 0
    assert pm.load("t.parquet").attrs["table"] == "toads_and_frogs"


def test_the_option_that_tries_nevertheless(work, monkeypatch):
    monkeypatch.setattr(games.impartial.ImpartialGame, "max_steps", 10)
    monkeypatch.setattr(games.ToadsAndFrogs, "max_arrangements", 10)
    monkeypatch.setattr("poissonmatch_games.toads.ruleset.FEW", 3)
    for command in ("solve kayles 50", "solve 'nim + kayles' '3 + 50'", "value TT..FF"):
        assert call("games", *shlex.split(command))[0] == BAD_INPUT
        code, answer = call("games", *shlex.split(command), "--allow-long")
        assert code == 0, answer


def test_a_strip_with_few_positions_is_not_refused():
    """By count, however many arrangements its pieces have; the option of the class is named."""
    assert str(games.ToadsAndFrogs("F^12 .^12 T^12").value) == "0"
    with pytest.raises(ValueError, match="max_arrangements"):
        games.ToadsAndFrogs("T^12 .^12 F^12").value  # noqa: B018


def test_retrograde_analysis_of_many_points():
    pattern = pm.processes.binomial(pm.Torus(1.0, 2), 400, rng=1)
    with pytest.raises(
        ValueError,
        match=r"400 pads has up to 1.3e\+08 moves in all positions, more than max_steps=1e\+07.*max_steps=1.3e\+08",
    ):
        pm.frogs.retrograde.Analysis(pattern)
    assert pm.frogs.retrograde.Analysis(pattern, max_steps=1e9).rules


@pytest.mark.slow
def test_a_line_after_two_seconds(capsys):
    with terminal.at_work("kayles"):
        time.sleep(2.5)
    with terminal.at_work("nim"):
        pass
    assert capsys.readouterr().err == "kayles: still at work after 2 seconds; Ctrl-C stops it\n"


@pytest.mark.parametrize("bounds, error", [({"seconds": 0.2}, TimeoutError), ({"memory": 1e8}, MemoryError)])
def test_bounds_of_time_and_memory(bounds, error):
    """They hold within, and no longer afterwards."""
    with pytest.raises(error), terminal.bounded("it", **bounds):
        hoard = []
        while True:
            hoard.append(bytes(10**6) if "memory" in bounds else None)
            hoard = hoard[-500:]
    time.sleep(0.3)
    assert len(bytes(3 * 10**8)) == 3 * 10**8
