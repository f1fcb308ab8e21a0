"""Bound of the work of a check, in steps: tests of signs, substitutions and pieces of text that are read, of about 1 microsecond each.

A step allocates little, so that a bound of steps is one of memory, too, and the same on every machine.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar


class TooLong(ValueError):
    """Check that takes more steps than it may."""


class _Steps:
    def __init__(self, allowed: float) -> None:
        self.allowed = self.left = allowed


_steps = ContextVar[_Steps | None]("_steps", default=None)


@contextmanager
def at_most(steps: float) -> Iterator[None]:
    """Raise TooLong from `spend` after this number of steps in the context."""
    token = _steps.set(_Steps(steps))
    try:
        yield
    finally:
        _steps.reset(token)


def spend(count: int = 1) -> None:
    """Count steps. Raises TooLong if no more are allowed."""
    steps = _steps.get()
    if steps is None:
        return
    steps.left -= count
    if steps.left < 0:
        raise TooLong(f"it takes more than {steps.allowed:,} steps".replace(",", " "))


def placed(error: ValueError, place: str) -> ValueError:
    """Return the error with the place before its message."""
    return (TooLong if isinstance(error, TooLong) else ValueError)(f"{place}: {error}")
