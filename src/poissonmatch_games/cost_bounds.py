"""Errors of computations that exceed their memory or time."""

from poissonmatch.utils.errors import BadInput


class MemoryBound(BadInput, MemoryError):
    """A computation exceeds its memory; earlier results are kept."""


class CostBound(BadInput):
    """A computation is expected to take longer than it may; the message names what allows it."""
