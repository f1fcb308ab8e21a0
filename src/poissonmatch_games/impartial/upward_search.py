"""Search of positions from the ends of plays upward, and errors of the rulesets that users define."""

from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from typing import Any

from poissonmatch.utils.errors import quoted, shorten

from ..cost_bounds import MemoryBound

MAX_PLAY = 500_000  # moves of a play
MAX_SHOWN = 8  # positions of a play that returns, in a message


class Returns(ValueError):
    """A play can return to a position, so that the positions have no values."""


class WrongRuleset(TypeError):
    """A method of a ruleset raises, or does not return hashable positions."""


def options_by(method: Callable[[Any], Iterable[Any]], position: Any, name: str, limit: int | None = None) -> list[Any]:
    """Return the options that a method of a ruleset returns, each once; at most `limit`, if given.

    `name` is that of the class and the method. Raises WrongRuleset, with the name and the position.
    """
    try:
        return list(dict.fromkeys(islice(method(position), limit)))
    except (MemoryError, RecursionError, TimeoutError, WrongRuleset):
        raise
    except Exception as error:
        what = "must return hashable positions, but raises" if isinstance(error, TypeError) else "raises"
        reason = f"{type(error).__name__}: {shorten(str(error))}"
        raise WrongRuleset(f"{name}({quoted(position)}) {what} {reason}") from error


def fold(
    memo: dict[Any, Any],
    start: Any,
    moves: Callable[[Any], Sequence[list[Any]]],
    combine: Callable[..., Any],
    *,
    show: Callable[[Any], str],
    max_positions: int,
    too_many: Callable[[int], str],
    ending: str,
) -> Any:
    """Return the result of a position from the results of its options, without recursion.

    `moves` returns a list of options for each kind of moves, and `combine` the result of a position from the position and a
    list of results for each kind. The results are kept in `memo`. Raises MemoryBound with the message `too_many(length of
    the play)`, and Returns with the play that returns to a position, and `ending`.
    """
    path: dict[Any, Sequence[list[Any]]] = {}  # the positions between the start and the current one, with their options
    stack = [start]
    while stack:
        position = stack[-1]
        if position in memo:
            stack.pop()
            continue
        if position not in path:
            path[position] = moves(position)
            missing = [option for options in path[position] for option in options if option not in memo]
            if returned := [option for option in missing if option in path]:
                play = list(map(show, list(path)[list(path).index(returned[0]) :]))
                shown = [*play[:MAX_SHOWN], *["..."] * (len(play) > MAX_SHOWN), play[0]]
                raise Returns(f"a play can return to {quoted(play[0])}: {' -> '.join(shown)}; {ending}")
            if len(memo) + len(path) > max_positions or len(path) > MAX_PLAY:
                raise MemoryBound(too_many(len(path)))
            stack += missing
            if missing:
                continue
        memo[position] = combine(position, *([memo[option] for option in options] for options in path.pop(position)))
        stack.pop()
    return memo[start]
