"""The frog games in the terminal: a frame that keeps its width, an opponent who errs, rules in words, ponds of one's own."""

import re

import numpy as np
import pytest

import poissonmatch as pm
from games.test_play import EXTRA, call, pond_or_ponds
from poissonmatch.frogs import VARIANTS, Strategy, solve
from poissonmatch.frogs.moves import PAPER
from poissonmatch.utils.display import PLAYERS
from poissonmatch.utils.errors import BadInput
from poissonmatch_games.play.frog_play import play, random_pattern


def perfect(pattern, variant, **extra):
    """Answers of a person who plays as the perfect player does."""
    solution = solve(pattern, variant, **extra)
    rules, strategy, at, said = solution.rules, Strategy(solution), [solution.rules.position(())], []

    def say(text):
        said.append(text)
        if made := re.match(r"(?:Alice|Bob) (?:places a frog on|jumps from (\d+) to) (\d+)", text):
            frog = int(made[1]) if made[1] else None
            at.append(
                rules.after(at[-1], next(m for m in rules.steps(at[-1]) if (m.frog, m.to) == (frog, int(made[2]))))
            )

    def ask(prompt):
        move = strategy.move(at[-1])
        return str(move.to) if move.frog is None else f"{move.frog} {move.to}"

    return ask, say, said


@pytest.mark.parametrize(
    "points, variant", [(13, "friendly"), (60, "colored-points"), (9, "stones"), (130, "fussy"), (8, "ponds")]
)
@pytest.mark.parametrize("dim", [1, 2])
def test_the_frame_keeps_its_width_and_pads_their_places(points, variant, dim):
    rng = np.random.default_rng(3)
    pattern = random_pattern(points, dim, rng)
    crowd = pm.Pattern(np.repeat(np.asarray(pattern.points)[::3], 3, axis=0)[:points], pattern.colors, pattern.geometry)
    for pond in (pattern, crowd):
        said = []
        play(
            [pond, pond] if variant == "ponds" else pond,
            variant,
            human="nobody",
            say=said.append,
            **EXTRA.get(variant, {}),
        )
        frames = [text for text in said if text.startswith(("+--", "pond 0"))]
        assert len(frames) > 2
        lines = [[line for line in text.splitlines() if line[0] in "|+"] for text in frames]
        assert {len(line) for shown in lines for line in shown} == {75}
        bare = {
            tuple(re.sub(r"[\[\]x]| [AB*](?=\])", lambda m: " " * len(m[0]), line) for line in shown) for shown in lines
        }
        assert len(bare) == 1  # frogs and stones apart, every drawing is the same
        numbers = re.findall(r"\d+", "\n".join(lines[0]))
        assert sorted(map(int, numbers)) == sorted([*range(points)] * (1 + (variant == "ponds")))


def test_an_opponent_who_errs_can_be_beaten():
    """Bob wins from an even number of pads; Alice's person plays well, and beats him only if he errs."""
    won = {}
    for errs in (0.0, 0.3, 1.0):
        winners = []
        for seed in range(30):
            pattern = random_pattern(8, 2, np.random.default_rng(seed))
            ask, say, _ = perfect(pattern, "friendly")
            winners.append(play(pattern, human="Alice", errs=errs, seed=seed, ask=ask, say=say))
        won[errs] = winners.count("Alice")
    assert won[0.0] == 0 < won[0.3] < won[1.0]
    for wrong in (-0.1, 1.1, float("nan"), "x", None):
        with pytest.raises(BadInput, match="errs must be a chance between 0 and 1"):
            play(pattern, human="nobody", errs=wrong, say=lambda text: None)


@pytest.mark.parametrize("variant", ["friendly", "ponds"])
def test_a_person_plays_the_side_that_can_win(variant):
    for seed in range(4):
        pattern, extra, said = pond_or_ponds(variant, seed, n=5 + seed % 2), EXTRA.get(variant, {}), []
        assert play(pattern, variant, human="winner", ask=lambda prompt: "quit", say=said.append, **extra) is None
        assert f"You are {solve(pattern, variant, **extra).winner}." in said
    game = call("--seed", "3", input="quit\n")  # as it begins: a person who can win, and may begin
    assert "You are Alice." in game.stdout and "Alice> " in game.stdout


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_rules_are_three_sentences(variant):
    text = VARIANTS[variant].about()
    *sentences, ties = re.split(r"(?<=\.) (?=[A-Z])", text)
    assert (
        len(sentences) == 3 and re.search(r"loses\.$|wins\.$", sentences[-1]) and ties.startswith("Of equal distances")
    )
    assert all(player in text for player in PLAYERS)
    assert call(variant, "--rules").stdout == f"{text}\nSource: {PAPER}\n"
    said, answers = [], iter(["help", "quit"])
    play(
        pond_or_ponds(variant, 1),
        variant,
        human="both",
        ask=lambda prompt: next(answers),
        say=said.append,
        **EXTRA.get(variant, {}),
    )
    assert said[-1] == said[0] and text in said[-1]


CSV = "x,y,color\n0,0,0\n1,0.2,1\n3,0,1\n7,1,0\n"


def test_ponds_of_ones_own_points(here):
    (here / "four.csv").write_text(CSV)
    pm.Pattern([[0.0], [1.0], [3.0]], None, pm.Euclidean(1)).to_frame(["x"]).to_parquet("three.parquet")
    game = call("--points", "four.csv", "fussy", "--human", "nobody").stdout
    assert {"0g", "1r", "2r", "3g"} <= set(re.sub(r"[\[\]|]", " ", game).split()) and game.endswith("Bob wins.\n")
    assert call("--points", "three.parquet", "--human", "nobody").stdout.endswith("Alice wins.\n")
    both = call("--points", "three.parquet", "--points", "four.csv", "ponds", "--human", "nobody")
    assert both.exit_code == 0 and "pond 1" in both.stdout and "pond 2" not in both.stdout
    many = call("--points", "5", "ponds", "--ponds", "3", "--human", "nobody", "--seed", "1")
    assert many.exit_code == 0 and "pond 2" in many.stdout
    assert (
        call("--points", "four.csv", "--page", "p.html").exit_code == 0 and "[7.0,1.0]" in (here / "p.html").read_text()
    )


def test_the_ratio_of_the_colors():
    for ratio, red in (("1", 10), ("0.25", 4), ("0", 0), ("4", 16)):
        said = call("fussy", "--points", "20", "--ratio", ratio, "--seed", "1", "--human", "nobody").stdout
        first = said.split("(sec", 1)[1].split("\n+")[1]
        assert len(re.findall(r"\d+r\b", first)) == red
