"""Verification of a claimed set of P-positions by their definition (Deijfen, Holroyd and Martin 2016, sec. 2)."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from typing import Any, NamedTuple

from ..utils.errors import BadInput, quoted
from .moves import Move, Position
from .variants import rules_of

MAX_POINTS = 200  # 8 million jumps


class Violation(NamedTuple):
    """A position in which a claimed set of P-positions violates (N) or (P), and the reason."""

    position: tuple[int, int]  # of the frogs
    move: Move | None  # from a P-position to a P-position; None if a move is missing
    reason: str


def check(pattern: Any, variant: str, p_positions: Iterable[Any], **parameters: Any) -> Violation | None:
    """Verify a claimed set of P-positions with both frogs placed, by the rules of the game only, in time O(n^3).

    There is exactly one such set: (P) no move leads from a P-position to a P-position, and (N) some
    move leads from every other position to a P-position. In misere play a position without a jump
    is no P-position (N').

    Parameters
    ----------
    pattern : Pattern
        At most 200 points.
    variant : str
        A key of VARIANTS with one pond and no stones.
    p_positions : iterable of pairs of int
        Pads of the frogs: of the player who has just moved, of the player to move. If both players
        may move both frogs, each pair counts in both orders.
    **parameters
        Parameters of the variant, see `solve`.

    Returns
    -------
    Violation or None
        The first violation, with `position`, `move` and `reason`; None if the set is that of the
        P-positions.

    Raises
    ------
    ValueError
        If a pair cannot occur, the pattern has more than 200 points, or the variant has stones or
        several ponds.

    Examples
    --------
    >>> pattern = pm.Pattern([[0.0], [1.0], [3.0], [7.0]], None, pm.Euclidean(1))
    >>> pm.frogs.check(pattern, "friendly", [(0, 1), (2, 3)]) is None
    True
    >>> violation = pm.frogs.check(pattern, "friendly", [(0, 1)])
    >>> violation.position, violation.reason.partition(", but ")[2]
    ((2, 3), 'no move leads to a P-position')
    """
    rules = rules_of(pattern, variant, **parameters)
    if rules.many or rules.k:
        raise BadInput(
            f"{variant}: positions with stones or in several ponds are not checked; retrograde.Analysis decides them"
        )
    if rules.n > MAX_POINTS:
        raise BadInput(f"the pattern must have at most {MAX_POINTS} points, got {rules.n}")
    claimed: set[tuple[int, ...]] = set()
    for pads in p_positions:
        frogs = rules.position(pads).frogs
        if len(frogs) != 2:
            raise BadInput(f"a claimed P-position must have two frogs, got {quoted(pads)}")
        claimed |= {frogs} if rules.owned else {frogs, frogs[::-1]}
    order = itertools.permutations if rules.owned else itertools.combinations
    for pair in order(range(rules.n), 2):
        if not rules.impossible(*pair) and (violation := _violation(rules, pair, claimed)):
            return violation
    return None


def _violation(rules: Any, pair: tuple[int, int], claimed: set) -> Violation | None:
    """Return the violation in a position, if any."""
    position, claim, moves = Position(pair), f"the position with frogs on {pair} is claimed to be", 0
    for move in rules.steps(position):
        moves += 1
        frogs = rules.after(position, move).frogs
        if frogs in claimed:
            if pair not in claimed:
                return None
            jump = f"the jump from {move.frog} to {move.to} leads to one, {frogs}"
            return Violation(pair, move, f"{claim} a P-position, but {jump}")
    won = rules.stuck_wins and not moves  # by the player to move
    if pair in claimed:
        return Violation(pair, None, f"{claim} a P-position, but a player who cannot jump wins") if won else None
    return None if won else Violation(pair, None, f"{claim} an N-position, but no move leads to a P-position")
