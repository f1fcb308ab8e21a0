"""Impartial games given as a graph in a text file.

The file has a line for each position, `vertex: follower follower ...`.
"""

from collections.abc import Iterable
from typing import Any

from poissonmatch.utils.errors import BadInput, lines, quoted
from poissonmatch.utils.files import read_regular
from poissonmatch.utils.validation import checked

from .base import ImpartialGame
from .entries import NamedGame
from .loopy import LoopyGame

MAX_BYTES = 10**7  # of a file with a graph


class GraphGame(LoopyGame):
    r"""Game on the vertices of a graph: a move follows an edge, and a play without end is a draw.

    Parameters
    ----------
    text : str
        A line `vertex: follower follower ...` for each vertex; none after the colon for a terminal
        one. Names have no spaces and colons; `#` begins a comment. The first vertex is the start.
    misere : bool, default False
        Whether the player who cannot move wins.

    Raises
    ------
    ValueError
        If a line has no colon, a vertex has two lines, or a follower has none; the message has the
        number of the line.

    Examples
    --------
    >>> game = pm.games.impartial.GraphGame("a: b c\nb: c d\nc: d\nd:")
    >>> [game.grundy(vertex) for vertex in "abcd"]
    [0, 2, 1, 0]
    """

    @checked()
    def __init__(self, text: str, *, misere: bool = False) -> None:
        super().__init__(misere=misere)
        self.followers: dict[str, tuple[str, ...]] = {}
        self.lines: dict[str, int] = {}
        for number, line in enumerate(text.splitlines(), 1):
            content = line.partition("#")[0]
            if not content.strip():
                continue
            vertex, colon, after = (part.strip() for part in content.partition(":"))
            if not colon or not vertex or len(vertex.split()) > 1 or ":" in after:
                raise ValueError(
                    f"line {number}: must be a vertex, a colon and its followers, as in 'a: b c', got {quoted(line)}"
                )
            if vertex in self.lines:
                raise ValueError(
                    f"line {number}: vertex {quoted(vertex)} has a line already, line {self.lines[vertex]}"
                )
            self.followers[vertex], self.lines[vertex] = tuple(dict.fromkeys(after.split())), number
        if not self.lines:
            raise ValueError("a graph must have a vertex: a line such as 'a: b c'")
        for vertex, options in self.followers.items():
            for option in options:
                if option not in self.lines:
                    message = f"unknown vertex {quoted(option)}; a vertex without followers has a line '{option}:'"
                    raise ValueError(f"line {self.lines[vertex]}: {message}")
        self.start = next(iter(self.lines))

    def validate(self, position: Any) -> str:
        """Return the vertex; raise ValueError if there is none of this name."""
        if position not in self.lines:
            raise ValueError(f"the graph has no vertex {quoted(position)}")
        return str(position)

    def options(self, position: Any) -> Iterable[str]:
        """Return the followers of a vertex."""
        return self.followers[self.validate(position)]

    def read(self, text: str) -> str:
        """Return the vertex of this name."""
        return self.validate(text.strip())

    def _value(self, position: str, misere: bool) -> int:
        return ImpartialGame._value(self, position, misere)


def game_in_file(path: str, misere: bool) -> NamedGame:
    """Return the game on the graph in a text file. Raises BadInput, with the file, if there is none."""
    try:
        game = GraphGame(read_regular(path, MAX_BYTES).decode("utf-8"), misere=misere)
    except OSError as error:
        raise BadInput(f"{path}: {error.strerror or error}") from None
    except ValueError as error:
        raise BadInput(f"{path}: {lines(str(error))}") from None
    return NamedGame(path, game, game.start, "A move follows an edge.")
