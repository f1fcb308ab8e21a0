"""The games in the terminal."""

import numpy as np
import pytest
import typer
from typer.testing import CliRunner

import poissonmatch as pm
from games.test_impartial_play import talk
from helpers.tables import tables
from poissonmatch.cli.main import app
from poissonmatch.frogs import VARIANTS, Move, Position, rules_of, solve
from poissonmatch_games.play.frog_play import play, random_pattern
from poissonmatch_games.play.frog_turns import parse, position_text

TABLES = tables(__file__)

EXTRA = {
    **dict.fromkeys(("shy", "shy-colored", "shy-ponds"), {"c": 0.4}),
    **dict.fromkeys(("stones", "fussy-stones"), {"k": 1}),
}
LINE = pm.Pattern([[0.0], [1.0], [3.0], [7.0]], [0, 1, 1, 0], pm.Euclidean(1))  # matched: 0-1, 2-3


def pond_or_ponds(variant, seed, n=7):
    rng = np.random.default_rng(seed)
    patterns = [random_pattern(min(n, 4) if variant == "misere-ponds" else n, 2, rng) for _ in range(2)]
    return patterns if VARIANTS[variant].many else patterns[0]


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_perfect_player_wins_against_any_human(variant):
    rng = np.random.default_rng(1)
    for seed in range(6):
        pattern, extra = pond_or_ponds(variant, seed, n=5 + seed % 2), EXTRA.get(variant, {})
        winner = solve(pattern, variant, **extra).winner
        assert play(pattern, variant, human="nobody", say=lambda text: None, **extra) == winner
        human = {"Alice": "Bob", "Bob": "Alice"}[winner]
        rules = rules_of(pattern, variant, **extra)
        said = []

        def ask(prompt, rules=rules, said=said):  # any legal move, as the list of moves names it
            if said[-1].startswith("+") or said[-1].startswith("pond"):
                return "moves"
            words = said[-1].split("; ")
            text = words[int(rng.integers(len(words)))]
            numbers = [word.strip(",") for word in text.split() if word.strip(",").isdigit()]
            if rules.many:
                places = text.count(" in pond ")
                if places > 1:
                    return f"{numbers[0]} {numbers[1]} {numbers[3]}"
                return " ".join([numbers[-1], *numbers[:-1]])
            return numbers[-1] if rules.owned else " ".join(numbers)

        assert play(pattern, variant, human=human, ask=ask, say=said.append, **extra) == winner
        assert not any(text.startswith("Not legal") for text in said)


@pytest.mark.parametrize("variant, frogs, stones, text, reason", TABLES["objections"])
def test_objections(variant, frogs, stones, text, reason):
    rules = rules_of(LINE, variant, **{"shy": {"c": 2}, "stones": {"k": 1}}.get(variant, {}))
    at = rules.position(Position(tuple(frogs), frozenset(stones)))
    move = Move(1, 3) if text == "1 3" and not at.frogs else parse(rules, at, text)
    assert reason in rules.objection(at, move)


def test_the_map_shows_pads_frogs_and_stones():
    rules = rules_of(LINE, "stones", k=1)
    text = position_text(rules, rules.position(Position((3, 0), frozenset([1]))), "Alice")
    row = text.splitlines()[1]
    assert row.index("[0 A]") < row.index("x1") < row.index("2") < row.index("[3 B]")
    colored = rules_of(LINE, "colored-points")
    row = position_text(colored, colored.position(()), "Alice").splitlines()[1]
    assert " ".join(row.split()) == "| 0a 1b 2b 3a |"
    crowd = pm.Pattern(np.zeros((30, 2)), geometry=pm.Torus(1.0, 2))
    text = position_text(rules_of(crowd, "friendly"), Position(), "Alice")
    assert all(str(pad) in text.split() + text.replace("|", " ").split() for pad in range(30))
    space = position_text(rules_of(random_pattern(3, 3, np.random.default_rng(1)), "friendly"), Position((1,)), "Bob")
    assert "[1 *]" in space and len(space.splitlines()) == 4
    table = pm.Pattern([[0.0, 1.0], [1.0, 0.0]], geometry=pm.MeanField(2.0))
    assert position_text(rules_of(table, "friendly"), Position(), "Alice").startswith("0  1\n")
    assert "(no pads)" in position_text(
        rules_of(random_pattern(0, 2, np.random.default_rng(1)), "friendly"), Position(), "Alice"
    )


def test_typed_lines():
    odd = pm.Pattern(LINE.points[:3], geometry=LINE.geometry)
    answers, said = talk("x", "9" * 5000, "-1", "4", "2", "hint", "2 1")
    assert play(odd, "friendly", human="Alice", **answers) == "Alice"
    replies = [line for line in said[2:] if line != "Alice> "]
    assert ["is not a move" in line and len(line) < 120 for line in replies[:3]] == [True] * 3
    assert replies[3].startswith("Not legal: there is no pad 4") and replies[4].startswith("Alice places a frog on 2")
    assert said[-1] == "Bob cannot jump: Alice wins."


def test_ponds_by_hand():
    rules = rules_of([LINE, LINE], "ponds")
    start = rules.position(())
    assert parse(rules, start, "0 3 2") == Move(None, ((0, 3), (2,)))
    assert rules.objection(start, Move(None, ((0, 3), (2,)))) == ""
    for to, reason in TABLES["openings"]:
        assert reason in rules.objection(start, Move(None, tuple(map(tuple, to))))
    assert "tuple of pads for each pond, got 3" in rules.objection(start, Move(None, 3))
    one = rules.position(((0, 3), (2,)))
    assert "last frog must be placed" in rules.objection(one, parse(rules, one, "0 0 1"))
    two = rules.after(one, parse(rules, one, "1 3"))
    assert rules.objection(two, parse(rules, two, "0 3 1")) == ""
    for at, text, message in (
        (start, "0 3", "the opening must list 3 pads"),
        (start, "0 3 1 2", "the opening must list 3 pads"),
        (two, "2 0 1", "there is no pond 2"),
        (two, "0 1", "which frog jumps"),
    ):
        with pytest.raises(ValueError, match=message):
            parse(rules, at, text)


def call(*words, **more):
    return CliRunner().invoke(app, ["play", *words], **more)


def test_the_command_line_explains_parameters_in_the_words_of_the_variants():
    options = {option.name: option for option in typer.main.get_command(app).commands["play"].params}
    for variant in VARIANTS.values():
        for name, parameter in variant.parameters.items():
            if parameter.required:
                assert (options[name].help, options[name].default) == (parameter.meaning, parameter.default)


def test_command_line(tmp_path):
    game = ("fussy", "--points", "12", "--seed", "3", "--human", "nobody")
    assert call(*game).stdout == call(*game).stdout
    quits = call("--points", "5", "--seed", "3", "--dim", "1", input="hint\nq\n")
    assert quits.exit_code == 0 and "places a frog on" in quits.stdout
    path = tmp_path / "pond.html"
    assert call("--html", str(path), "stones", "--points", "9", "--torus").exit_code == 0
    assert path.read_text().startswith("<!DOCTYPE html>")
