"""Impartial games by name, in the terminal: the perfect player wins every line, a new game is one entry."""

import itertools

import pytest

import poissonmatch_games as g
from helpers.command_line import call
from helpers.refusals import refusal
from helpers.slow_games import both_plays
from helpers.tables import tables
from poissonmatch_games.impartial.entries import FAMILIES, GAMES, Entry, game_named
from poissonmatch_games.impartial.impartial_play import play, reply

TABLES = tables(__file__)

NAMES = [*GAMES, *(family.example for family in FAMILIES.values()), "nim + kayles"]


def small_positions(name):
    """Lists of numbers within bounds, or what is reached from a few starts."""
    game, found = game_named(name).game, []
    for count, least, most, total in TABLES["numbers"].get(name, ()):
        found += [
            numbers for numbers in itertools.product(range(least, most + 1), repeat=count) if sum(numbers) <= total
        ]
    return found or g.option_graph(game, *map(game.read, TABLES["starts"][name])).positions


def lost_lines(game, position, misere):
    """Lines, from a position in which the perfect player is to move, that the other does not lose, or that come back."""
    found, path, done = [], [], set()

    def walk(at):
        if at in path:
            found.append((*path, at))
        elif at not in done and next(iter(game.options(at)), None) is None:
            found.extend([(*path, at)] * (not misere))
        elif at not in done:
            path.append(at)
            after = reply(game, at, misere)
            options = list(game.options(after))
            found.extend([(*path, after)] * (misere and not options))
            for option in options:
                walk(option)
            done.add(path.pop())

    walk(game.validate(position))
    return found


@both_plays
@pytest.mark.parametrize("name", NAMES)
def test_the_perfect_player_wins_every_line_from_every_won_position(name, misere):
    game, won = game_named(name, misere=misere).game, 0
    for position in small_positions(name):
        if game.outcome(position) == "N" and next(iter(game.options(game.validate(position))), None) is not None:
            assert lost_lines(game, position, misere) == [], position
            won += 1
        elif game.outcome(position) == "P":
            for option in game.options(game.validate(position)):
                end = next(iter(game.options(option)), None) is None
                assert not end or misere
                assert end or lost_lines(game, option, misere) == []
                won += 1
    assert won


@both_plays
@pytest.mark.parametrize("name", NAMES)
def test_who_is_to_win_wins_where_both_are_perfect(name, misere):
    named = game_named(name, misere=misere)
    said = []
    winner = play(named.game, named.read(""), rules=named.rules, human="nobody", say=said.append)
    outcome = named.game.outcome(named.read(""))
    assert winner == {"N": "Alice", "P": "Bob", "D": "nobody"}[outcome]
    assert named.rules in said[0] and ("draw" if outcome == "D" else "wins") in said[-1]
    if not misere:
        assert outcome == "N"  # the position to begin with can be won


@pytest.mark.parametrize("name", NAMES)
def test_positions_as_text(name):
    named = game_named(name)
    start = named.read("")
    assert named.game.show(start) == named.game.show(named.read(named.start))
    for position in [start, *itertools.islice(named.game.options(start), 40)]:
        assert named.game.read(named.game.show(position)) == position
    for wrong in ("x", "1 2 y", "-1", "1.5", "\x00", "9" * 5000, "(1, 2)"):
        with pytest.raises(ValueError):
            named.game.read(wrong)


def talk(*lines):
    said, answers = [], iter(lines)

    def ask(prompt):
        said.append(prompt)
        try:
            return next(answers)
        except StopIteration:
            raise EOFError from None

    return {"ask": ask, "say": said.append}, said


def test_a_person_sees_the_board_from_one_side():
    """Alice is X, on her turn and on Bob's; Bob's person types the board as it is seen."""
    words, said = talk("X..O")
    assert play(g.impartial.loopy.Northcott(), ((4, 0, 2),), human="both", **words) is None
    assert said[1] == "[X.O.]" and "Not legal: no move leads to X..O; moves lists them." in said
    words, said = talk(".XO.", ".X.O")
    assert play(g.impartial.loopy.Northcott(), ((4, 0, 2),), human="both", **words) is None
    assert "Alice moves to .XO." in said and "Bob moves to .X.O" in said and said[-2:] == ["[.X.O]", "Alice> "]


def test_a_hint_names_the_draws():
    words, said = talk("hint")
    play(g.impartial.loopy.PokerNim(misere=True), ((1,), 1, 0), **words)
    assert "2 | 0 | 0 draws\nValues of the options: 0 | 2 | 0: N; 2 | 0 | 0: D" in said


# ---- the command line ----


def test_a_new_game_is_one_entry(here, monkeypatch):
    """Options and nothing else: named, solved, traced, drawn, added and played."""

    class Halves(g.impartial.ImpartialGame):
        def options(self, position):
            return [position // 2, position - 1] if position else []

    monkeypatch.setitem(GAMES, "halves", Entry(Halves, "9", "Take one token, or half of them."))
    assert "Take one token, or half of them." in call("games", "list")[1]
    assert call("games", "solve", "halves", "9")[1].startswith("halves 9: ")
    assert call("games", "solve", "halves + nim", "9 + 1 2")[0] == 0
    assert call("games", "trace", "halves")[1].splitlines()[0] == "round 1, step 1: 0 is P, terminal"
    assert call("games", "graph", "halves", "--output", "h.svg") == (0, "h.svg: 10 positions\n")
    assert "wins" in call("play", "halves", "--human", "nobody")[1]
    game = game_named("halves").game
    assert all(lost_lines(game, n, False) == [] for n in range(1, 40) if game.outcome(n) == "N")


@both_plays
def test_a_record_has_the_outcome_and_the_nim_value_of_each_position(misere):
    rows = g.impartial.record(g.Nim(), (3, 4, 5), misere=misere)
    graph = g.option_graph(g.Nim(misere=misere), (3, 4, 5))
    index = {graph.name(k): k for k in range(len(graph))}
    assert [row["number"] for row in rows] == list(range(len(rows))) and rows[0]["player"] is None
    for before, row in zip(rows, rows[1:], strict=False):
        k = index[row["position"]]
        assert k in graph.followers[index[before["position"]]]
        assert (row["outcome"], row["nim_value"]) == (graph.labels[k], graph.values[k])
    assert {row["outcome"] for row in rows if row["player"] == "Alice"} == {"P"}
    assert rows[-1]["position"] == "0 0 0"


def test_a_game_that_the_human_wins():
    answers, said = talk("hint", "moves", "4", "1 4 5", "#999", "1 0 4 9", "undo", "undo", "1 5 4", "exit")
    assert play(g.Nim(), (3, 4, 5), **answers) is None
    text = "\n".join(said)
    for part in (
        "1 4 5 wins",
        "Take 2 from the heap of 3",
        "3 2 4 5",
        "Alice moves to 3 0 5.",
        "Values of the options: 0 4 5: 1; 1 4 5: 0",
        "'#999' is not a move: the list has moves 1 to",
        "Not legal: no move leads to 1 0 4 9",
        "Alice moves to 1 4 5.",  # heaps in another order are the same position
    ):
        assert part in text
    answers, said = talk("undo", "#1")  # of one heap a plain number is the heap that is left
    assert play(g.Nim(), 3, **answers) == "Alice" and said[-1] == "Bob cannot move: Alice wins."
    assert "You have no move to undo." in said
    answers, said = talk("1", "exit")
    assert play(g.Nim(), 3, **answers) == "Bob"
    assert "Alice could win before move 1: Alice moves to 1." in said
    answers, said = talk(*["0 2", "undo"] * 4, "0 0")  # a position that comes back by undo is no repeat
    assert play(g.Nim(misere=True), (2, 2), human="both", **answers) is None
    assert not any("a draw" in line for line in said)


def test_the_commands(here):
    code, text = call("games", "list")
    assert code == 0 and all(f"\n{name}\n" in f"\n{text}" for name in NAMES if "+" not in name)
    code, text = call("games", "graph", "nim", "1 3", "--tree", "--output", "g.dot")
    assert code == 0 and (here / "g.dot").stat().st_size > 500 and "28 positions" in text


def test_a_record_by_the_name_of_a_game_and_what_it_refuses():
    nim, northcott = game_named("nim"), game_named("northcott")
    assert [row["position"] for row in g.impartial.record(nim, "1 2", ["1 1", (0, 1)])] == ["1 2", "1 1", "0 1"]
    rows = g.impartial.record(northcott)
    assert rows[0]["position"] == northcott.start and {row["nim_value"] for row in rows} == {None}
    assert not list(northcott.game.options(northcott.game.read(rows[-1]["position"])))
    for game, start, moves, said in (
        ("nim", (3,), [], "a game must be an ImpartialGame or made by game_named, got 'nim'"),
        (nim, "three", [], "the start must be a position of Nim, got 'three'"),
        (nim, (1, 2), ["1 x"], "move 1 must be a position of Nim, got '1 x'"),
        (nim, "1 2", [(2, 2)], "move 1: no move leads from 1 2 to 2 2"),
    ):
        assert said in refusal(g.impartial.record, game, start, moves)
