"""The frog games of Deijfen, Holroyd and Martin (2016), by their rules.

A variant is a class with attributes.

Two frogs sit on lily pads, the points of a pattern, numbered from 0. Alice places the first frog,
Bob the second; then they jump in turn, Alice first. A new variant is a class in one_pond.py or
many_ponds.py and an entry of VARIANTS; its attributes are described in moves.Variant. The rules are independent of the
matching: `rule` and `solved_by` only name the solution of a variant.

A player who cannot jump loses (misere: wins). In every variant a player who cannot place a frog
loses, which occurs on small sets only and is not specified in the paper. In misere too, since a
placement is not a jump: an empty set is a win for Bob and a single pad a win for Alice, consistent
with the parity in Theorem 1.
"""

from __future__ import annotations

from typing import Any

from ..utils.errors import BadInput, quoted
from . import many_ponds, one_pond
from .moves import OnePond

VARIANTS: dict[str, type[OnePond] | type[many_ponds.Ponds]] = {
    rules.name: rules
    for rules in (
        *(one_pond.Friendly, one_pond.Colored, one_pond.Shy, one_pond.ShyColored, one_pond.Confined),
        *(one_pond.ColoredPoints, one_pond.Fussy, one_pond.Misere, one_pond.MisereColored, one_pond.Stones),
        *(one_pond.FussyStones, many_ponds.Ponds, many_ponds.FussyPonds, many_ponds.ShyPonds, many_ponds.MiserePonds),
    )
}
UNSOLVED = {  # combinations that are no variants
    "misere-stones": "a stone can harm the player who puts it down, and no matching is known; the nearest are stones and misere-colored",
    "misere-fussy": "no proof is known that a matching decides it; the nearest are misere and fussy",
    "colored-ponds": "the players have different moves, so the ponds have no labels; the nearest are ponds and colored",
    "stones-ponds": "the paper does not state which ponds the stones block; the nearest are stones and ponds",
}


def variant_named(name: str) -> type[OnePond] | type[many_ponds.Ponds]:
    """Return the class of a variant.

    Raises ValueError, with the valid names, for an unknown name.
    """
    if name in UNSOLVED:
        raise BadInput(f"{name} is no variant: {UNSOLVED[name]}")
    if name not in VARIANTS:
        raise BadInput(f"unknown variant {quoted(name)}; the variants are {', '.join(VARIANTS)}")
    return VARIANTS[name]


def rules_of(pattern: Any, variant: str, **parameters: Any) -> Any:
    """Return the rules of a variant on a pattern: legal moves, positions, and objections to illegal moves.

    Parameters
    ----------
    pattern : Pattern or list of Pattern
        The pads; a list for the variant "ponds".
    variant : str
        A key of VARIANTS.
    **parameters
        Parameters of the variant, see `solve`.

    Returns
    -------
    Variant
        With the methods `moves(position)`, `after(position, move)`, `position(pads)` and
        `objection(position, move)`.

    Raises
    ------
    ValueError
        If the variant is unknown, a parameter is missing or unknown, or the colors do not fit the
        variant.

    Examples
    --------
    >>> pattern = pm.Pattern([[0.0], [1.0], [3.0]], None, pm.Euclidean(1))
    >>> rules = pm.frogs.rules_of(pattern, "friendly")
    >>> [(move.frog, move.to) for move in rules.moves(rules.position((0, 2)))]
    [(0, 1), (2, 1)]
    """
    return variant_named(variant)(pattern, **parameters)
