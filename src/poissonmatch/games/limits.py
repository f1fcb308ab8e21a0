"""The errors of a question that goes beyond the memory or the time it was given."""


class MemoryBound(MemoryError):
    """A position does not fit into the memory it was given. What was known before is still known."""


class TimeBound(TimeoutError):
    """A question was not settled in the time it was given. What was known before is still known."""
