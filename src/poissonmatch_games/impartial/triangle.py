"""Triangle Game: outcomes in closed form, tables of nim-values.

Source: [G] *Combinatorial games and the golden ratio on digraphs*.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

from poissonmatch.utils.immutable import as_immutable

from .digraphs import StonesOnRing
from .position_checks import MAX_TABLE, MEMORY, as_count, require_memory
from .triangle_moves import Position, move_of_the_proof, moves_to_p, rotations

TRIANGLE_COLUMNS = {
    "x": "stones on vertex 0, int64",
    "y": "stones on vertex 1, int64; the first largest heap: positions are given up to rotation",
    "z": "stones on vertex 2, int64",
    "total": "x + y + z, int64",
    "excess": "y - (x + z), int64: 0 for the P-positions of normal play",
    "grundy": "nim-value in normal play, int64",
    "misere_grundy": "nim-value in misere play, int64",
    "p": "whether the position is P in normal play, bool",
    "misere_p": "whether the position is P in misere play, bool",
}
"""Columns of `TriangleGame.columns`."""


def golden(z: Any, x: Any) -> Any:
    """Return whether z >= phi * x, in exact integers, also of int64 arrays with entries below 10^9."""
    twice = 2 * z - x
    return (twice >= 0) & (twice * twice >= 5 * x * x)


def layer_index(total: int, x: Any, y: Any) -> Any:
    """Return the table index of the position (x, y, total - x - y), for integers or arrays."""
    return total * (total + 1) * (total + 2) // 6 + x * (total + 1) - x * (x - 1) // 2 + y


def layer(total: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return arrays x, y, z of the positions with this total, up to rotation.

    Of each class under rotation, the position with y as the first largest is taken.
    """
    x, y = np.divmod(np.arange((total + 1) ** 2), total + 1)
    z = total - x - y
    keep = (z >= 0) & (y > x) & (y >= z) | (x == y) & (y == z)
    return x[keep], y[keep], z[keep]


def triples(mask: np.ndarray, x: np.ndarray, y: np.ndarray, z: np.ndarray) -> list[Position]:
    """Return the positions (x, y, z) where the mask is true."""
    return list(zip(x[mask].tolist(), y[mask].tolist(), z[mask].tolist(), strict=True))


class TriangleGame(StonesOnRing):
    r"""Triangle Game: take stones from a vertex of a directed 3-cycle, put fewer on the next.

    A move takes s >= 1 stones from a vertex, and puts r < s of them on the next vertex.

    Normal play: the P-positions are :math:`(x, x + z, z)` with :math:`z \ge \varphi x`, and their
    rotations ([G] theorem 2.4). Misere play: the same, except that positions with at most one stone
    on each vertex are P if their number of stones is odd ([G] theorem 2.7). Winning moves are those
    of the proofs, for positions of any size. Nim-values have no known closed form; they come from a
    table up to the largest total requested, with 2 bytes for each of C(total + 3, 3) positions, and
    two layers of bitsets.

    Parameters
    ----------
    misere : bool, default False
        Whether the player who cannot move wins.
    memory : int, default 2**31
        Largest size of a table in bytes; a larger one raises MemoryError.

    Examples
    --------
    >>> game = pm.games.TriangleGame()
    >>> game.outcome((3, 8, 5)), game.winning_moves((3, 7, 5))
    ('P', [(2, 7, 5), (7, 7, 0)])
    >>> game.is_p((10**20, 3 * 10**20, 2 * 10**20)), game.grundy((3, 7, 5))
    (True, 15)
    """

    def __init__(self, *, misere: bool = False, memory: int = MEMORY) -> None:
        super().__init__(3, misere=misere)
        self.memory = as_count(memory, "memory", 1)
        self._tables: dict[bool, tuple[int, np.ndarray]] = {}
        self._tame_total = -1  # positions with at most this number of stones are tame

    def values(self, total: int, *, misere: bool | None = None) -> np.ndarray:
        """Return the nim-values of all positions with at most `total` stones.

        Parameters
        ----------
        total : int
            Largest number of stones.
        misere : bool, optional
            By default the convention of the game.

        Returns
        -------
        (C(total + 3, 3),) uint16
            Read-only; the index of a position is `layer_index`.

        Raises
        ------
        MemoryError
            If the table would exceed `memory` bytes; the message has an estimate.

        Examples
        --------
        >>> len(pm.games.TriangleGame().values(10)), pm.games.TriangleGame().values(10).dtype
        (286, dtype('uint16'))
        """
        play, total = self._play(misere), as_count(total, "the total", maximum=MAX_TABLE)
        size = layer_index(total + 1, 0, 0)
        if play not in self._tables or total > self._tables[play][0]:
            bitsets = 8 * ((total + 1) // 64 + 1) * (total + 1) * (total + 2)
            require_memory(2 * size + bitsets, f"the Triangle Game up to total {total}", self.memory)
            from . import heap_kernels  # Numba, which most games do not need

            self._tables[play] = total, as_immutable(heap_kernels.triangle_values(total, int(play)))
        return self._tables[play][1][:size]

    def _value(self, position: Position, misere: bool) -> int:
        total = sum(position)
        ahead = total if total > 300 else -(-total // 60) * 60  # so that the table is not enlarged for each position
        table = self.values(ahead, misere=misere)
        return int(table[layer_index(total, position[0], position[1])])

    def _is_p(self, position: Position, misere: bool) -> bool:
        if misere and max(position) <= 1:
            return sum(position) % 2 == 1
        return any(y == x + z and golden(z, x) for x, y, z in rotations(position))

    def _candidates(self, position: Position, misere: bool) -> Iterator[Position]:
        first = move_of_the_proof(position, misere)
        if first:
            yield first
            yield from moves_to_p(position, misere)

    def longest_play(self, position: Any) -> int:
        """Return the number of stones ([G] remark 2.2)."""
        return sum(self.validate(position))

    def is_tame(self, position: Any) -> bool:
        """Return whether the position is tame, from the tables of both plays."""
        total = sum(self.validate(position))
        if total > self._tame_total and not self.wild_positions(total):
            self._tame_total = total
        return total <= self._tame_total

    def wild_positions(self, total: int) -> list[Position]:
        """Return the wild positions with at most `total` stones, up to rotation.

        Their values are none of (0, 1), (1, 0), (k, k).

        Parameters
        ----------
        total : int
            Largest number of stones.

        Returns
        -------
        list of (int, int, int)
            Positions, up to rotation; empty if all are tame.
        """
        normal, misere = self.values(total, misere=False), self.values(total, misere=True)
        return self._where(total, (normal != misere) & ~((normal < 2) & (misere == 1 - normal)))

    def exceptions(self, total: int) -> list[Position]:
        """Return the positions whose outcomes in normal and misere play differ.

        They have at most `total` stones and are listed up to rotation.

        Parameters
        ----------
        total : int
            Largest number of stones.

        Returns
        -------
        list of (int, int, int)
            Positions, up to rotation.
        """
        return self._where(total, (self.values(total, misere=False) == 0) != (self.values(total, misere=True) == 0))

    def closed_form_failures(self, total: int, *, misere: bool | None = None) -> list[Position]:
        """Return the positions whose closed form and table disagree.

        They have at most `total` stones and are listed up to rotation. By theorems 2.4 and 2.7 of
        [G] there are none.

        Parameters
        ----------
        total : int
            Largest number of stones.
        misere : bool, optional
            Play convention, by default that of the game.

        Returns
        -------
        list of (int, int, int)
            Positions, up to rotation.
        """
        play, failures = self._play(misere), []
        table = self.values(total, misere=play)
        for n in range(total + 1):
            x, y, z = layer(n)
            p = (y == x + z) & golden(z, x)  # an unrotated P-position has its largest heap in the middle
            if play:
                p = np.where(y <= 1, n % 2 == 1, p)
            failures += triples(p != (table[layer_index(n, x, y)] == 0), x, y, z)
        return failures

    def _where(self, total: int, mask: np.ndarray) -> list[Position]:
        layers = [layer(n) for n in range(total + 1)] if mask.any() else []
        return [hit for n, (x, y, z) in enumerate(layers) for hit in triples(mask[layer_index(n, x, y)], x, y, z)]

    def columns(self, total: int) -> dict[str, np.ndarray]:
        """Return the positions with at most `total` stones as the columns `TRIANGLE_COLUMNS`.

        Positions are listed up to rotation.

        Parameters
        ----------
        total : int
            Largest number of stones.

        Returns
        -------
        dict of ndarray
            About total^3 / 18 rows, sorted by total, x, y.

        Raises
        ------
        MemoryError
            As `values`.

        Examples
        --------
        >>> table = pm.games.TriangleGame().columns(3)
        >>> table["y"].tolist(), table["grundy"].tolist()
        ([0, 1, 1, 2, 2, 3, 1, 2], [0, 1, 0, 2, 3, 3, 1, 3])
        """
        total = as_count(total, "the total", maximum=MAX_TABLE)
        require_memory(2 * 58 * layer_index(total + 1, 0, 0) // 3, f"the columns up to total {total}", self.memory)
        x, y, z = (np.concatenate(parts) for parts in zip(*map(layer, range(total + 1)), strict=True))
        index = layer_index(x + y + z, x, y)
        g, m = (self.values(total, misere=misere)[index].astype(np.int64) for misere in (False, True))
        return dict(zip(TRIANGLE_COLUMNS, (x, y, z, x + y + z, y - x - z, g, m, g == 0, m == 0), strict=True))
