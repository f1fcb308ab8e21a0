"""Records of games and positions that `figures.game` draws: the pads, the moves, and the winner."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from ..utils.display import PLAYERS
from ..utils.errors import BadInput, quoted
from .moves import Move
from .solutions import Strategy, solve


def record(
    pattern: Any, variant: str = "friendly", moves: Iterable[tuple] | None = None, **parameters: Any
) -> dict[str, Any]:
    """Return the record of a game on a pattern, by default between two perfect players.

    Parameters
    ----------
    pattern : Pattern
        Points with coordinates.
    variant : str, optional
        A key of VARIANTS, by default "friendly".
    moves : iterable of tuples, optional
        (from, to) for each move, with from = None for the placements; with stones (from, to,
        stones). In several ponds Alice's opening is one move, a tuple of pads for each pond, and
        the others are (pond, from, to). By default none.
    **parameters
        Parameters of the variant, see `solve`.

    Returns
    -------
    dict
        points (n, d); colors (n,), names or None; sides, of the torus or None; moves, each with
        number, player, start, end and stones, a list of pads; winner, None if the game is not over.
        In several ponds {"pond 0": ...}, such a record for each.

    Raises
    ------
    ValueError
        If a move is illegal, or the points have no coordinates.

    Examples
    --------
    >>> pattern = pm.Pattern([[0.0], [1.0], [3.0], [6.0], [9.5]], None, pm.Euclidean(1))
    >>> game = pm.frogs.record(pattern, moves=[(None, 0), (None, 4), (4, 2), (0, 1)])
    >>> [(move["player"], move["start"], move["end"]) for move in game["moves"]], game["winner"]
    ([('Alice', None, 0), ('Bob', None, 4), ('Alice', 4, 2), ('Bob', 0, 1)], None)
    """
    solution = solve(pattern, variant, **parameters)
    rules, strategy = solution.rules, Strategy(solution)
    remaining = None if moves is None else iter(moves)
    position = rules.position(())
    made: list[tuple[int, str, Move]] = []
    while next(rules.steps(position), None) is not None:
        if remaining is None:
            move = strategy.move(position)
        else:
            step = next(remaining, None)
            if step is None:
                break
            move = _read(rules, step, not made)
            if objection := rules.objection(position, move):
                raise BadInput(f"move {len(made) + 1}, {step}, is illegal: {objection}")
        made.append((len(made) + 1, PLAYERS[len(made) % 2], move))
        position = rules.after(position, move)
    else:
        stuck, other = PLAYERS[len(made) % 2], PLAYERS[(len(made) + 1) % 2]
        return _records(rules, made, stuck if rules.stuck_wins and len(made) > 1 else other)
    return _records(rules, made, None)


def _read(rules: Any, step: Any, opening: bool) -> Move:
    """Return the move that a tuple describes. Raises BadInput if it has another form."""
    try:
        if rules.many:
            return Move(None, tuple(map(tuple, step))) if opening else Move(step[1], step[2], pond=step[0])
        frog, to, *stones = step
        return Move(frog, to, frozenset(*stones))
    except (TypeError, ValueError, IndexError):
        form = (
            "(pond, from, to), and the opening the pads of each pond"
            if rules.many
            else "(from, to) or (from, to, stones)"
        )
        raise BadInput(f"a move of {rules.name} must be {form}, got {quoted(step)}") from None


def _records(rules: Any, made: list[tuple[int, str, Move]], winner: str | None) -> dict[str, Any]:
    """Return the record of a game; in several ponds, one for each."""
    if not rules.many:
        return {**_board(rules), "moves": [_move(*each) for each in made], "winner": winner}
    records = {}
    for pond, board in enumerate(rules.ponds):
        moves = []
        for number, player, move in made:
            placed = move.to[pond] if isinstance(move.to, tuple) else (move.to,) * (move.pond == pond)
            moves += [_move(number, player, move._replace(to=to)) for to in placed]
        records[f"pond {pond}"] = {**_board(board), "moves": moves, "winner": winner}
    return records


def options(pattern: Any, variant: str, alice: int, bob: int, **parameters: Any) -> dict[str, Any]:
    """Return the legal moves of both players in a position, as a record.

    Parameters
    ----------
    pattern : Pattern
        Points with coordinates.
    variant : str
        A key of VARIANTS with one pond and no stones.
    alice, bob : int
        The pads of the frogs.
    **parameters
        Parameters of the variant, see `solve`.

    Returns
    -------
    dict
        As returned by `record`, but the moves have no numbers, and moves that both players may make
        have the player "either".

    Raises
    ------
    ValueError
        If the position cannot occur.

    Examples
    --------
    >>> pattern = pm.Pattern([[0.0], [1.0], [3.0]], None, pm.Euclidean(1))
    >>> position = pm.frogs.options(pattern, "colored", alice=0, bob=2)
    >>> [(move["player"], move["start"], move["end"]) for move in position["moves"]]
    [('Alice', 0, 1), ('Bob', 2, 1)]
    """
    rules = solve(pattern, variant, **parameters).rules
    if rules.many or rules.k:
        raise BadInput(f"{variant}: a game with stones or several ponds cannot be drawn")
    of = {
        player: {(m.frog, m.to) for m in rules.steps(rules.position(frogs))}
        for player, frogs in (("Alice", (bob, alice)), ("Bob", (alice, bob)))
    }
    both = of["Alice"] & of["Bob"]
    made = [_move(None, player, Move(*step)) for player in PLAYERS for step in sorted(of[player] - both)]
    made += [_move(None, "either", Move(*step)) for step in sorted(both)]
    return {**_board(rules), "moves": made, "winner": None, "frogs": {"Alice": alice, "Bob": bob}, "owned": rules.owned}


def _board(rules: Any) -> dict[str, Any]:
    names = [rules.pads[color] for color in rules.color] if rules.pads else None
    geometry = rules.pattern.geometry
    geometry.check_flat("a picture of a game")
    return {"points": np.asarray(rules.pattern.points), "colors": names, "sides": geometry.seams}


def _move(number: int | None, player: str, move: Move) -> dict[str, Any]:
    return {"number": number, "player": player, "start": move.frog, "end": move.to, "stones": sorted(move.stones)}
