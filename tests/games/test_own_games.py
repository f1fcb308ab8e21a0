"""Ten small rulesets, written from the pages on partisan and impartial games alone: known values, solved, drawn, and played from a file."""

from __future__ import annotations

import importlib.util

import pytest

from poissonmatch_games import option_graph, parse
from poissonmatch_games.impartial import HeapGame, ImpartialGame
from poissonmatch_games.partisan import Ruleset
from poissonmatch_games.play.played_games import played_named

IMPARTIAL = (
    "from poissonmatch import games\n\n\nclass Own(games.impartial.ImpartialGame):\n    def options(self, position):\n"
)
PARTISAN = "from poissonmatch_games.partisan import Ruleset\n\n\nclass Own(Ruleset):\n    @staticmethod\n    def left_moves(position):\n"
RIGHT = "    @staticmethod\n    def right_moves(position):\n"

# name -> (moves, start, nim-values of positions): Winning Ways ch. 4, OEIS A001511, A030193; Chomp with two rows: Schuh (1952)
NIM_VALUES = {
    "take a divisor away": (
        "        return [position - d for d in range(1, position + 1) if position % d == 0]\n",
        12,
        dict(enumerate([0, 1, 2, 1, 3, 1, 2, 1, 4, 1, 2, 1, 3])),
    ),
    "take a square away": (
        "        return [position - d * d for d in range(1, position + 1) if d * d <= position]\n",
        9,
        dict.fromkeys([0, 2, 5, 7, 10, 12, 15, 17, 20, 22, 34, 39, 44], 0),
    ),
    "take two neighbors of a row": (
        "        rows = [(row, rest) for i, row in enumerate(position) for rest in [position[:i] + position[i + 1 :]]]\n"
        "        return [tuple(sorted((*rest, k, row - 2 - k))) for row, rest in rows for k in range(row - 1)]\n",
        (6,),
        {(n,): g for n, g in enumerate([0, 0, 1, 1, 2, 0, 3, 1, 1, 0])},
    ),
    "Chomp with two rows, the poisoned square left out": (
        "        low, high = position\n"
        "        return [(low, k) for k in range(high)] + [(k, min(k + 1, high)) for k in range(low)]\n",
        (3, 4),
        {(k, k): 0 for k in range(6)},
    ),
    "Nim with two heaps": (
        "        x, y = position\n        return [(k, y) for k in range(x)] + [(x, k) for k in range(y)]\n",
        (3, 5),
        {(x, y): x ^ y for x in range(6) for y in range(6)},
    ),
}

# name -> (moves of Left, moves of Right, start, values): Winning Ways ch. 2, 3 and 6; Albert, Nowakowski, Wolfe, Lessons in Play
VALUES = {
    "Clobber": (
        "        text = position\n"
        "        moves = [text[:i] + '.x' + text[i + 2 :] for i in range(len(text)) if text.startswith('xo', i)]\n"
        "        return moves + [text[:i] + 'x.' + text[i + 2 :] for i in range(len(text)) if text.startswith('ox', i)]\n",
        "        turned = str.maketrans('xo', 'ox')\n"
        "        return [move.translate(turned) for move in Own.left_moves(position.translate(turned))]\n",
        "'xxo'",
        {"": "0", "xo": "*", "xxo": "^", "xxxo": "^^*", "xxxxo": "^3", "oox": "v"},
    ),
    "Hackenbush strings": (
        "        return [position[:i] for i, color in enumerate(position) if color == 'L']\n",
        "        return [position[:i] for i, color in enumerate(position) if color == 'R']\n",
        "'LRR'",
        {"LL": "2", "LR": "1/2", "LRR": "1/4", "LRL": "3/4", "LLR": "3/2", "RL": "-1/2"},
    ),
    "Snort on a path": (
        "        free = [i for i, color in enumerate(position) if color == '.' and 'R' not in position[max(i - 1, 0) : i + 2]]\n"
        "        return [position[:i] + 'L' + position[i + 1 :] for i in free]\n",
        "        turned = str.maketrans('LR', 'RL')\n"
        "        return [move.translate(turned) for move in Own.left_moves(position.translate(turned))]\n",
        "'...'",
        {".": "*", "..": "+-1", "...": "+-2", "L.": "1", "L.R": "0"},
    ),
    "Elephants and Rhinos": (
        "        return [position[:i] + '.E' + position[i + 2 :] for i in range(len(position)) if position.startswith('E.', i)]\n",
        "        return [position[:i] + 'R.' + position[i + 2 :] for i in range(len(position)) if position.startswith('.R', i)]\n",
        "'E...R'",
        {"E.": "1", "E.R": "*", "E..R": "0", "E...R": "*", "E...": "3", "..R": "-2"},
    ),
    "Cutcake": (
        "        cakes = [(cake, position[:i] + position[i + 1 :]) for i, cake in enumerate(position)]\n"
        "        return [\n"
        "            tuple(sorted((*rest, (a, k), (a, b - k)))) for (a, b), rest in cakes for k in range(1, b)\n"
        "        ]\n",
        "        cakes = [(cake, position[:i] + position[i + 1 :]) for i, cake in enumerate(position)]\n"
        "        return [\n"
        "            tuple(sorted((*rest, (k, b), (a - k, b)))) for (a, b), rest in cakes for k in range(1, a)\n"
        "        ]\n",
        "((2, 3),)",
        {((1, 1),): "0", ((1, 4),): "3", ((2, 2),): "0", ((2, 4),): "1", ((3, 1),): "-2", ((2, 3),): "0"},
    ),
}


def module(path, text):
    path.write_text(text)
    spec = importlib.util.spec_from_file_location(path.stem, path)
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded


def play_a_move(path):
    """The winner before and after a move of a perfect player, in the game that `play FILE.py --allow-import` plays."""
    named = played_named(str(path), may_import=True)
    start = named.read("")
    before = named.game.outcome(start)
    won = named.game.winning_move(start)
    after = next(iter(named.game.options(start))) if won is None else won
    return before, named.game.outcome(after)


@pytest.mark.parametrize("name", NIM_VALUES)
def test_an_impartial_game_is_solved_drawn_and_played(tmp_path, name):
    moves, start, values = NIM_VALUES[name]
    path = tmp_path / "own.py"
    own = module(path, f"{IMPARTIAL}{moves}\n\ngame = Own(), {start!r}\n").Own()
    assert isinstance(own, ImpartialGame)
    assert {position: own.grundy(position) for position in values} == values
    graph = option_graph(own, start)
    assert graph.values[0] == own.grundy(start) and graph.to_svg(name).startswith("<svg")
    assert play_a_move(path) in (("N", "P"), ("P", "N"))


@pytest.mark.parametrize("name", VALUES)
def test_a_partisan_game_is_solved_drawn_and_played(tmp_path, name):
    left, right, start, values = VALUES[name]
    path = tmp_path / "own.py"
    own = module(path, f"{PARTISAN}{left}\n{RIGHT}{right}\n\ngame = Own({start})\n").Own
    assert issubclass(own, Ruleset)
    assert {position: own(position).value for position in values} == {p: parse(text) for p, text in values.items()}
    graph = option_graph(own(next(reversed(values))))
    assert graph.values[0] == own(next(reversed(values))).value and graph.to_svg(name).startswith("<svg")
    assert play_a_move(path) in (("N", "P"), ("P", "N"))


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
    assert played_named(str(tmp_path / "own.py"), may_import=True).rules.startswith("Alice is Left")
    (tmp_path / "both.py").write_text(
        f"{text}\n\nfrom poissonmatch_games import ToadsAndFrogs\n\ngame = ToadsAndFrogs('T.F') - ToadsAndFrogs('TT.F')\n"
    )
    named = played_named(str(tmp_path / "both.py"), may_import=True)
    assert named.rules.startswith("A move is a move in one of the terms.") and named.read("T.F - TT.F") == named.start
    with pytest.raises(TypeError, match=r"a position must be hashable, got \[1\]"):
        own([1])
