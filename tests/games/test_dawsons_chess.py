"""Dawson's Chess as octal game against pawns on a board."""

import poissonmatch_games as g
from helpers.slow_games import both_plays, slow_win


def pawn_moves(board):
    """(who moves, squares of white, squares of black), three rows; captures must be made; the last row is the end of a pawn's way."""
    turn, white, black = board
    mine, theirs = (white, black) if turn == 0 else (black, white)
    step = 1 if turn == 0 else -1
    captures, quiet = [], []
    for row, column in mine:
        for to in ((row + step, column - 1), (row + step, column + 1)):
            if to in theirs:
                captures.append(((row, column), to))
        if 0 <= row + step <= 2 and (row + step, column) not in mine | theirs:
            quiet.append(((row, column), (row + step, column)))
    for start, to in captures or quiet:
        moved, left = mine - {start} | {to}, theirs - {to}
        yield (1 - turn, moved, left) if turn == 0 else (1 - turn, left, moved)


wins = slow_win(pawn_moves)


@both_plays
def test_against_pawns(misere):
    """Boards of up to 7 columns; Dawson's own game, *Caissa's Wild Roses* (1935), is misere play."""
    game = g.game_named("dawsons-chess", misere=misere).game
    for columns in range(8):
        board = (0, frozenset((0, c) for c in range(columns)), frozenset((2, c) for c in range(columns)))
        assert game.is_p(columns) != wins(board, misere), columns


def test_it_is_dawsons_kayles_one_place_later():
    """Guy and Smith 1956: 0.137, period 34 from 52."""
    chess, kayles = (g.game_named(name).game for name in ("dawsons-chess", "dawsons-kayles"))
    assert chess.values(500).tolist() == kayles.values(501)[1:].tolist()
    assert (chess.period().preperiod, chess.period().period, chess.period().proved) == (52, 34, True)
    first = "0112031103322405223301130211045274"  # *Winning Ways* ch. 4
    assert "".join(map(str, chess.values(33).tolist())) == first
