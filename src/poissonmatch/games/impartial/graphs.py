"""The graph of a game: positions, options, and all that can be read off them without knowing the rules.

Nothing here uses a theorem: outcomes come from the labelling procedure of [M], which is the retrograde analysis of games that
need not end as well; nim-values are the mex; a sum is the product of graphs. So these are also what the rulesets with closed
forms are checked against.

Source: [M] MIT SP.268, *Theory of impartial games*.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any, Protocol

from ...utils.errors import quoted
from ..pictures.digraph import MOST, Digraph
from ..pictures.drawn import Look, dot, svg
from .base import ImpartialGame, mex

FILL = {"P": "#9CC9F0", "N": "#FFFFFF", "D": "#D8D8D8"}
MOVES, WINS = Look("#999999", 0.9), Look("#0B4F9E", 2.2)


class Options(Protocol):
    """What a graph is made of."""

    def options(self, position: Any, /) -> Iterable[Any]:
        """The positions that one move leads to."""


@dataclass(frozen=True)
class Label:
    """A line of the labelling procedure: the position `place` is P or N, found in this round by this step of [M]."""

    round: int
    step: int
    place: int
    label: str


STEPS = {
    1: "terminal",
    2: "reaches a P-position",
    3: "reaches N-positions only",
}


@dataclass(frozen=True)
class OptionGraph(Digraph):
    """Positions, the first of which is the start, and for each the places of its options among them.

    Made by `option_graph`; two graphs have a sum.

    Parameters
    ----------
    positions : tuple
    followers : tuple of tuple of int
    misere : bool, default False
        Who cannot move wins.
    names : tuple of str
        What to call the positions.

    Examples
    --------
    >>> graph = pm.games.option_graph(pm.games.TwentyOne(), 4)
    >>> list(zip(graph.positions, graph.labels, graph.values, graph.remoteness))
    [((4,), 'P', 0, 2), ((3,), 'N', 3, 1), ((2,), 'N', 2, 1), ((1,), 'N', 1, 1), ((0,), 'P', 0, 0)]
    >>> len(graph + graph), graph.to_svg()[:4]
    (25, '<svg')
    """

    positions: tuple[Any, ...]
    followers: tuple[tuple[int, ...], ...]
    misere: bool = False
    names: tuple[str, ...] = ()

    @cached_property
    def rounds(self) -> tuple[Label, ...]:
        """The labelling procedure of [M], in its order, as a tuple of `Label`.

        1. Label every terminal position P (misere play: N).
        2. Label N what reaches a P-position.
        3. Label P what reaches N-positions only.
        4. Begin again at 2, until a round labels nothing.

        What is left is a draw: there is a move that loses nothing, again and again.

        Examples
        --------
        >>> pm.games.option_graph(pm.games.TwentyOne(), 4).rounds[-1]
        Label(round=1, step=3, place=0, label='P')
        """
        labels: list[str] = [""] * len(self)
        left = [len(after) for after in self.followers]  # options that are not yet N
        done: list[Label] = []
        fresh = [place for place, after in enumerate(self.followers) if not after]
        for place in fresh:
            labels[place] = "N" if self.misere else "P"
            done.append(Label(1, 1, place, labels[place]))
        number = 1
        while fresh:
            winning = {}
            for place in fresh:
                if labels[place] == "P":
                    winning.update(dict.fromkeys(before for before in self.leaders[place] if not labels[before]))
            for place in sorted(winning):
                labels[place] = "N"
                done.append(Label(number, 2, place, "N"))
            lost = []
            for place in [*(p for p in fresh if labels[p] == "N"), *sorted(winning)]:
                for before in self.leaders[place]:
                    left[before] -= 1
                    if not left[before] and not labels[before]:
                        lost.append(before)
            for place in sorted(lost):
                labels[place] = "P"
                done.append(Label(number, 3, place, "P"))
            fresh, number = lost, number + 1
        return tuple(done)

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """ "P", "N" or, where neither player can force an end, "D" for each position."""
        found = ["D"] * len(self)
        for line in self.rounds:
            found[line.place] = line.label
        return tuple(found)

    @cached_property
    def remoteness(self) -> tuple[int | None, ...]:
        """The number of moves to the end where the winner hurries and the loser does not; None for a draw."""
        found: list[int | None] = [None] * len(self)
        for line in self.rounds:  # the P-positions of a round are the farthest yet, and its N-positions one nearer
            found[line.place] = 2 * line.round - self.misere - (line.label == "N") if line.step > 1 else 0
        return tuple(found)

    @cached_property
    def values(self) -> tuple[int, ...]:
        """The nim-values, each the mex of those of the options; a position without options has 0, in misere play 1."""
        found = [0] * len(self)
        for place in self.upward:
            after = self.followers[place]
            found[place] = mex(found[option] for option in after) if after else int(self.misere)
        return tuple(found)

    def __add__(self, other: OptionGraph) -> OptionGraph:
        """The sum by its definition in [M]: pairs of positions, a move is a move in one of the two."""
        if self.misere != other.misere:
            raise ValueError("one summand is in misere play, the other in normal play")
        if len(self) * len(other) > MOST:
            raise MemoryError(f"the sum has {len(self) * len(other)} positions, more than {MOST}")
        pairs = list(product(range(len(self)), range(len(other))))
        followers = (
            (*(a * len(other) + j for a in self.followers[i]), *(i * len(other) + b for b in other.followers[j]))
            for i, j in pairs
        )
        return OptionGraph(
            tuple((self.positions[i], other.positions[j]) for i, j in pairs),
            tuple(followers),
            self.misere,
            tuple(f"{self.name(i)} + {other.name(j)}" for i, j in pairs),
        )

    def tree(self, most: int = MOST) -> OptionGraph:
        """The game tree: a node for each line of play from the start, called as the position that it comes to.

        Parameters
        ----------
        most : int
            So many nodes at most.

        Raises
        ------
        MemoryError
            There are more.

        Examples
        --------
        >>> graph = pm.games.option_graph(pm.games.TwentyOne(), 21, most=100)
        >>> len(graph), len(pm.games.option_graph(pm.games.TwentyOne(), 8).tree())
        (22, 177)
        """
        places, followers = self.unfolded(self.followers, most)
        names = tuple(self.name(place) for place in places)
        return OptionGraph(tuple(self.positions[p] for p in places), tuple(followers), self.misere, names)

    def trace(self) -> Iterator[str]:
        """The labelling procedure in words, a line for each label.

        Examples
        --------
        >>> for line in pm.games.option_graph(pm.games.TwentyOne(), 2).trace():
        ...     print(line)
        round 1, step 1: 0 is P, terminal
        round 1, step 2: 2 is N, reaches a P-position
        round 1, step 2: 1 is N, reaches a P-position
        """
        for line in self.rounds:
            yield f"round {line.round}, step {line.step}: {self.name(line.place)} is {line.label}, {STEPS[line.step]}"
        for place, label in enumerate(self.labels):
            if label == "D":
                yield f"left over: {self.name(place)} is a draw"

    # ---- how it is drawn: P-positions are blue boxes, N-positions white ones, draws grey ones; thick lines win ----

    def words(self, place: int) -> tuple[str, str]:
        """The two lines in a box: the position; its label and nim-value."""
        try:
            value = f" {self.values[place]}"
        except ValueError:
            value = ""
        return self.name(place), self.labels[place] + value

    def fill(self, place: int) -> str:
        """The color of a box."""
        return FILL[self.labels[place]]

    def look(self, place: int, option: int) -> Look:
        """How a move is drawn."""
        return WINS if self.labels[option] == "P" else MOVES

    @property
    def legend(self) -> str:
        """What the colors say."""
        draws = "; grey: draws" * ("D" in self.labels)
        return f"blue: P, the previous player wins; white: N; thick lines: moves that win{draws}"

    def to_dot(self, title: str = "") -> str:
        """The graph in the language of Graphviz, in layers, with labels and nim-values.

        Parameters
        ----------
        title : str

        Examples
        --------
        >>> print(pm.games.option_graph(pm.games.Nim(), 1).to_dot().splitlines()[-2])
          n0 -> n1 [color="#0B4F9E", penwidth=2.2];
        """
        return dot(self, title)

    def to_svg(self, title: str = "") -> str:
        """The graph as a picture, in layers, with labels and nim-values.

        Parameters
        ----------
        title : str
        """
        return svg(self, title)


def option_graph(
    game: Options | Mapping[Any, Sequence[Any]], *starts: Any, misere: bool | None = None, most: int = MOST
) -> OptionGraph:
    """All positions that can be reached from the starts, with their options: see `pm.games.option_graph`. Raises MemoryError for more
    than `most`."""
    table, ruleset = game if isinstance(game, Mapping) else None, game if isinstance(game, ImpartialGame) else None
    if misere is None:
        misere = bool(ruleset and ruleset.misere)
    roots = [ruleset.validate(start) for start in starts] if ruleset else list(starts)
    places: dict[Hashable, int] = {root: place for place, root in enumerate(dict.fromkeys(roots))}
    followers: list[tuple[int, ...]] = []
    todo = deque(places)
    while todo:
        position = todo.popleft()
        options = table.get(position, ()) if table is not None else game.options(position)  # type: ignore[union-attr]
        after = []
        for option in options:
            if option not in places:
                if len(places) >= most:
                    raise MemoryError(f"more than {most} positions can be reached from {quoted(roots[0])}")
                places[option] = len(places)
                todo.append(option)
            after.append(places[option])
        followers.append(tuple(dict.fromkeys(after)))
    names = tuple((ruleset.show if ruleset else str)(position) for position in places)
    return OptionGraph(tuple(places), tuple(followers), misere, names)
