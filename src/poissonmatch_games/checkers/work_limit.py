"""Bound of the work of a check, in steps.

Steps are tests of signs, substitutions and pieces of text that are read, of about 1 microsecond
each.

A step allocates little, so that a bound of steps is one of memory, too, and the same on every
machine.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar


class TooLong(ValueError):
    """Check that takes more steps than it may."""


class _Steps:
    def __init__(self, allowed: float) -> None:
        self.allowed = self.remaining = allowed


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
    steps.remaining -= count
    if steps.remaining < 0:
        raise TooLong(f"it takes more than {steps.allowed:,} steps".replace(",", " "))


# what a part of another type than expected leads to
DAMAGE = (KeyError, TypeError, AttributeError, IndexError, RecursionError, ArithmeticError, OSError)


@contextmanager
def placed(place: str | Callable[[], str]) -> Iterator[None]:
    """Put the place before the message of an error."""
    try:
        yield
    except TimeoutError:  # of the command
        raise
    except (ValueError, *DAMAGE) as error:
        text = str(error) if isinstance(error, ValueError) else f"damaged: {type(error).__name__} {error}"
        kind = TooLong if isinstance(error, TooLong) else ValueError
        raise kind(f"{place if isinstance(place, str) else place()}: {text}") from None
