"""All values born by a day: {antichain | antichain} of the values born before."""

from functools import cache

from poissonmatch_games.partisan.values import Game, game


@cache
def born(day: int) -> tuple[Game, ...]:
    """Return the values of birthday at most `day`: 1, 4, 22 and 1474 of them (Siegel, III.1)."""
    if day == 0:
        return (game(),)
    sides: list[tuple[Game, ...]] = [()]
    for value in born(day - 1):
        sides += [(*side, value) for side in sides if all(value.confused(other) for other in side)]
    return tuple({new.index: new for left in sides for right in sides for new in [game(left, right)]}.values())
