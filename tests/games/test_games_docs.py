"""The pages about games: their commands and their code run, what stands behind arrows is right, and what they name exists."""

import re
import shlex
from pathlib import Path

import pytest

from games.test_play_terminal import CSV
from helpers.command_line import call
from poissonmatch.frogs import VARIANTS
from poissonmatch_games.play.played_games import PARTISAN
from test_site import wrong

ROOT = Path(__file__).parents[2]
IMPARTIAL, PLAY, GAMES = (
    (ROOT / f"docs/{page}.md").read_text(encoding="utf-8")
    for page in ("impartial-games", "playing-the-games", "partisan-games")
)
COMMANDS = re.findall(r"^poissonmatch (.*?)(?:  +#.*)?$", IMPARTIAL + PLAY, re.M)


@pytest.mark.parametrize("words", COMMANDS)
def test_the_commands(here, words):
    Path("mine.txt").write_text("start: a b\na: b\nb:\n")
    Path("mine.csv").write_text(CSV)
    Path("mine.py").write_text(
        re.findall(r"```python\n(from poissonmatch_games.partisan import Ruleset.*?)```", GAMES, re.S)[0]
    )
    alone = ["--human", "nobody"] * words.startswith("play")
    code, text = call(*shlex.split(words.replace("sprouts 4", "sprouts 2").replace(" --human Bob", "")), *alone)
    assert code == 0 and text


def test_the_code_of_impartial_games():
    code = "\n".join(re.findall(r"^(?:    (.*))?$", IMPARTIAL, re.M))
    assert code.count("# -> ") > 20 and wrong([code], {}) == []


def test_the_code_of_partisan_games():
    space = {}
    for block in re.findall(r"```python\n(.*?)```", GAMES.partition("### Who wins")[0], re.S):
        exec(block, space)
    assert str(space["graph"].values[0]) == "*" and space["graph"].outcomes[0] == "N"
    assert space["play"].strips[:2] == ("TTT..FF", "TTT.F.F")


def test_what_is_named_is_there():
    assert all(f"`{name}`" in PLAY for name in (*VARIANTS, *PARTISAN))
    assert all((ROOT / path).exists() for path in re.findall(r"`(tests/[\w/]+\.py)`", PLAY))
