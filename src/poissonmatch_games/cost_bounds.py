"""Errors of computations that exceed their memory or time, and of rulesets that users define."""

from collections.abc import Callable, Iterable
from itertools import islice
from typing import Any

from poissonmatch.utils.errors import BadInput, quoted, shorten


class MemoryBound(MemoryError):
    """A computation exceeds its memory; earlier results are kept."""


class CostBound(BadInput):
    """A computation is expected to take longer than it may; the message names what allows it."""


class TimeBound(TimeoutError):
    """A computation exceeds its time; earlier results are kept."""


class WrongRuleset(TypeError):
    """A method of a ruleset raises, or does not return hashable positions."""


def options_by(method: Callable[[Any], Iterable[Any]], position: Any, name: str, limit: int | None = None) -> list[Any]:
    """Return the options that a method of a ruleset returns, each once; at most `limit`, if given.

    `name` is that of the class and the method. Raises WrongRuleset, with the name and the position.
    """
    try:
        return list(dict.fromkeys(islice(method(position), limit)))
    except (MemoryError, RecursionError, WrongRuleset):
        raise
    except Exception as error:
        what = "must return hashable positions, but raises" if isinstance(error, TypeError) else "raises"
        reason = f"{type(error).__name__}: {shorten(str(error))}"
        raise WrongRuleset(f"{name}({quoted(position)}) {what} {reason}") from error
