"""A game as a record that can be drawn: the pads, the moves that were made, and who won; or what is legal in one position."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from ..points.pattern import Pattern
from ..utils.errors import BadInput
from .moves import Move
from .solutions import Strategy, solve

PLAYERS = ("Alice", "Bob")


def record(
    pattern: Any, variant: str = "friendly", moves: Iterable[tuple[int | None, int]] | None = None, **parameters: Any
) -> dict[str, Any]:
    """A game on a pattern, for `figures.game`: by default that of two perfect players.

    Parameters
    ----------
    pattern : Pattern
    variant : str, optional
        In one pond and without stones.
    moves : iterable of pairs, optional
        (from, to) each, from None for the placements.
    **parameters
        As for `solve`.

    Returns
    -------
    dict
        points (n, d), colors (n,) by name or None, the sides of the torus or None, moves with number, player, start and end, and the
        winner, or None where the game is not at its end.

    Raises
    ------
    ValueError
        For a move that is not legal, and for points that have no places.

    Examples
    --------
    >>> pattern = pm.Pattern([[0.0], [1.0], [3.0], [6.0], [9.5]], None, pm.Euclidean(1))
    >>> game = pm.frogs.record(pattern, moves=[(None, 0), (None, 4), (4, 2), (0, 1)])
    >>> [(move["player"], move["start"], move["end"]) for move in game["moves"]], game["winner"]
    ([('Alice', None, 0), ('Bob', None, 4), ('Alice', 4, 2), ('Bob', 0, 1)], None)
    """
    solution = solve(pattern, variant, **parameters)
    rules, strategy = solution.rules, Strategy(solution)
    if rules.many or rules.k:
        raise BadInput(f"{variant}: a game with stones or several ponds cannot be recorded")
    given = None if moves is None else iter(moves)
    position = rules.position(())
    made: list[dict[str, Any]] = []
    while next(rules.steps(position), None) is not None:
        if given is None:
            move = strategy.move(position)
        else:
            step = next(given, None)
            if step is None:
                break
            move = Move(*step)
            if objection := rules.objection(position, move):
                raise BadInput(f"move {len(made) + 1}, {step}, is not legal: {objection}")
        made.append(_move(len(made) + 1, PLAYERS[len(made) % 2], move))
        position = rules.after(position, move)
    else:
        stuck, other = PLAYERS[len(made) % 2], PLAYERS[(len(made) + 1) % 2]
        return {**_board(rules), "moves": made, "winner": stuck if rules.stuck_wins and len(made) > 1 else other}
    return {**_board(rules), "moves": made, "winner": None}


def options(pattern: Any, variant: str, alice: int, bob: int, **parameters: Any) -> dict[str, Any]:
    """What each player may do in one position, for `figures.game`.

    Parameters
    ----------
    pattern : Pattern
    variant : str
    alice, bob : int
        The pads of her frog and of his.
    **parameters
        As for `solve`.

    Returns
    -------
    dict
        As of record, but the moves have no numbers; those that both may make have the player "either".

    Raises
    ------
    ValueError
        For a position that there is not.

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


def deletion(pattern: Pattern, x: int, rule: str = "one-color") -> dict[str, Any]:
    """The proof of Theorem 7 (ii) at a point, for `figures.deletion`: who desires it, and what is deleted.

    Parameters
    ----------
    pattern : Pattern
    x : int
        Index of the point.
    rule : str or Rule, optional

    Returns
    -------
    dict
        points (n, d), colors (n,) by name or None; toward_partner and toward_x, (n, d), the short way from each point to its partner,
        and from each that desires x to x, nan where there is none; x; deleted, indices.

    Raises
    ------
    ValueError
        As deletion.without_desirers does.

    Examples
    --------
    >>> pattern = pm.Pattern([[0.0], [1.0], [3.0], [3.5]], None, pm.Euclidean(1))
    >>> found = pm.frogs.deletion(pattern, 1)
    >>> found["deleted"], found["toward_x"].ravel()
    (array([0]), array([ 1., nan, nan, nan]))
    """
    from ..matching.deletion import without_desirers  # here, because no game needs it

    found = without_desirers(pattern, x, rule)
    if not pattern.geometry.has_coordinates:
        raise BadInput("a mean-field pattern has no picture")
    partner = found.matching.partner
    some = np.flatnonzero(partner >= 0)
    names = [found.matching.rule.color_name(color) for color in pattern.colors.tolist()]
    return {
        "points": np.asarray(pattern.points),
        "colors": names if found.matching.rule.n_colors > 1 else None,
        "toward_partner": _toward(pattern, some, partner[some]),
        "toward_x": _toward(pattern, found.desirers, np.full(len(found.desirers), found.x)),
        "x": found.x,
        "deleted": found.deleted,
    }


def _toward(pattern: Pattern, start: np.ndarray, end: np.ndarray) -> np.ndarray:
    step = np.full(pattern.points.shape, np.nan)
    gap, periods = pattern.points[end] - pattern.points[start], pattern.geometry.periods
    with np.errstate(invalid="ignore"):  # of inf - inf
        step[start] = np.where(np.abs(gap) > periods / 2, gap - np.sign(gap) * periods, gap)
    return step


def _board(rules: Any) -> dict[str, Any]:
    names = [rules.pads[color] for color in rules.color] if rules.pads else None
    geometry = rules.pattern.geometry
    if not geometry.has_coordinates:
        raise BadInput("a game in the mean-field model cannot be drawn: its points have distances and no places")
    torus = tuple(geometry.sides.tolist()) if geometry.is_torus else None
    return {"points": np.asarray(rules.pattern.points), "colors": names, "sides": torus}


def _move(number: int | None, player: str, move: Move) -> dict[str, Any]:
    return {"number": number, "player": player, "start": move.frog, "end": move.to}
