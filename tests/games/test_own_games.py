"""Ten small rulesets, written from the pages on partisan and impartial games alone: known values, solved, drawn, and played from a file."""

import importlib.util

import pytest

from helpers.tables import tables
from poissonmatch_games import option_graph, parse
from poissonmatch_games.impartial import HeapGame, ImpartialGame
from poissonmatch_games.partisan import Ruleset
from poissonmatch_games.play.played_games import played_named

TABLES = tables(__file__)
PARTISAN = "from poissonmatch_games.partisan import Ruleset\n\n\nclass Own(Ruleset):\n    @staticmethod\n    def left_moves(position):\n"


def module(path, text):
    path.write_text(text)
    spec = importlib.util.spec_from_file_location(path.stem, path)
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded


def frozen(position):
    return tuple(map(frozen, position)) if isinstance(position, list) else position


def check_moves(path):
    """The game is read as `play FILE.py --allow-import` does; a winning move, or one from a P-position, changes the outcome."""
    named = played_named(str(path), may_import=True)
    start = named.read("")
    won = named.game.winning_move(start)
    after = next(iter(named.game.options(start))) if won is None else won
    assert {named.game.outcome(start), named.game.outcome(after)} == {"N", "P"}


@pytest.mark.parametrize("name", TABLES["impartial"])
def test_an_impartial_game_is_solved_drawn_and_played(tmp_path, name):
    text, values = TABLES["impartial"][name].values()
    path = tmp_path / "own.py"
    own, start = module(path, text).game
    assert isinstance(own, ImpartialGame)
    assert [own.grundy(frozen(position)) for position, _ in values] == [value for _, value in values]
    graph = option_graph(own, start)
    assert graph.values[0] == own.grundy(start) and graph.to_svg(name).startswith("<svg")
    check_moves(path)


@pytest.mark.parametrize("name", TABLES["partisan"])
def test_a_partisan_game_is_solved_drawn_and_played(tmp_path, name):
    text, values = TABLES["partisan"][name].values()
    path = tmp_path / "own.py"
    own = module(path, text).Own
    assert issubclass(own, Ruleset)
    for position, value in values:
        assert own(frozen(position)).value is parse(value)
    graph = option_graph(own(frozen(position)))
    assert graph.values[0] is parse(value) and graph.to_svg(name).startswith("<svg")
    check_moves(path)


def test_a_heap_is_replaced_by_smaller_heaps():
    """A negative heap would be read from the end of the table of values."""

    class Own(HeapGame):
        def replacements(self, heap):
            return [(heap - 1,)]

    for ask in (Own().grundy, Own().winning_moves, lambda heaps: list(Own().options(heaps))):
        with pytest.raises(
            (TypeError, ValueError), match=r"a heap of 0 must be replaced by tuples of smaller heaps, got \(-1,\)"
        ):
            ask((0,))


def test_names_and_texts_of_an_own_ruleset(tmp_path):
    """A helper may be called as many call it; rules come from the own docstring; a sum in a file is read as it is typed."""
    text = f"{PARTISAN}        return Own._moves(position)\n\n    right_moves = left_moves\n    _moves = staticmethod(range)\n"
    own = module(tmp_path / "own.py", f"{text}\n\ngame = Own(5)\n").Own
    assert own(5).value == parse("*5") and own(5).moves("Right") == [0, 1, 2, 3, 4]
    assert "Left moves to 0 = 0" in own(1).explain()
    assert played_named(str(tmp_path / "own.py"), may_import=True).rules.startswith("Alice is Left")
    (tmp_path / "both.py").write_text(
        f"{text}\n\nfrom poissonmatch_games import ToadsAndFrogs\n\ngame = ToadsAndFrogs('T.F') - ToadsAndFrogs('TT.F')\n"
    )
    named = played_named(str(tmp_path / "both.py"), may_import=True)
    assert named.rules.startswith("A move is a move in one of the terms.") and named.read("T.F - TT.F") == named.start
    with pytest.raises(TypeError, match=r"a position must be hashable, got \[1\]"):
        own([1])
