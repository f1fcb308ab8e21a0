"""The stops of a cooled game by their definition, at one temperature: no walls, no corners."""

from fractions import Fraction


def stops(g, t):
    """Left and right stop of g cooled by t: {L - t | R + t} for the options, frozen at the number where the two sides meet.

    Below that, the left stop is the largest right stop of L, less t, and the right one the other way round. Where the left would
    be below the right one, g is frozen: both are what they are at the least temperature at which they meet.
    """
    if g.number is not None:  # the tax on a number freezes it at once (t >= 0)
        return g.number, g.number
    left, right = taxed(g, t)
    if left >= right:
        return left, right
    low, high = Fraction(0), t
    for _ in range(60):  # the last temperature at which the game is not frozen
        middle = (low + high) / 2
        a, b = taxed(g, middle)
        low, high = (middle, high) if a >= b else (low, middle)
    a, b = taxed(g, low)
    mean = ((a + b) / 2).limit_denominator(1 << 12)
    return mean, mean


def taxed(g, t):
    """The two sides as if g were not frozen."""
    return max(stops(o, t)[1] for o in g.left) - t, min(stops(o, t)[0] for o in g.right) + t
