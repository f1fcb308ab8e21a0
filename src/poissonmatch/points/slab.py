"""Slabs: tori of which some axes have walls instead of a seam."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..utils.errors import BadInput, quoted
from .spaces import Cuboid


@dataclass(frozen=True)
class Slab(Cuboid):
    """A space with walls at both ends of some axes, and periodic along the others.

    Parameters
    ----------
    side : float or sequence of float
        Length of every edge, or the d lengths.
    dim : int, optional
        Number of coordinates d; by default the number of lengths in `side`.
    walls : sequence of int, optional
        The axes that have walls, by default the last.

    Raises
    ------
    ValueError
        If a side is not a number between 1e-150 and 1e150, or `walls` is not a list of axes.

    Examples
    --------
    >>> slab = pm.Slab(side=(10.0, 10.0, 2.0))
    >>> slab.distance([0.5, 5.0, 0.0], [9.5, 5.0, 2.0]).item()  # 1 across the seam, 2 from wall to wall
    2.23606797749979
    """

    side: float | tuple[float, ...]
    dim: int = 0
    walls: Sequence[int] = (-1,)
    name: ClassVar[str] = "slab"

    def __post_init__(self) -> None:
        super().__post_init__()
        walls = self.walls if isinstance(self.walls, tuple | list) else (self.walls,)
        if not all(type(axis) is int and -self.dim <= axis < self.dim for axis in walls):
            raise BadInput(f"walls must be axes from 0 to {self.dim - 1}, got {quoted(self.walls)}")
        object.__setattr__(self, "walls", tuple(sorted({axis % self.dim for axis in walls})))

    @property
    def in_studies(self) -> bool:
        """Whether a cell of a study may have this space."""
        return False

    @property
    def periods(self) -> np.ndarray:
        """The sides, (d,), twice as long along axes with walls: the way round is then never shorter."""
        periods = self.sides
        periods[list(self.walls)] *= 2
        return periods
