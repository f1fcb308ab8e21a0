"""The errors of a question that goes beyond the memory or the time it was given."""


class MemoryBound(MemoryError):
    """A position does not fit into the memory it was given. What was known before is still known.

    Examples
    --------
    >>> pm.games.lucas_plays(3, 3, limit=3)
    Traceback (most recent call last):
        ...
    poissonmatch.games.limits.MemoryBound: more than 3 strips 2 moves after TTT.FFF
    """


class TimeBound(TimeoutError):
    """A question was not settled in the time it was given. What was known before is still known."""
