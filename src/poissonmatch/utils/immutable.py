"""Arrays and dataclasses that cannot be changed."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import numpy as np


def immutable_copy(array: np.ndarray) -> np.ndarray:
    """Return a read-only copy, in C order, that cannot be made writable."""
    return as_immutable(np.array(array, order="C"))


def as_immutable(array: np.ndarray) -> np.ndarray:
    """Return an array that no other object references, in C order, as one that cannot be made writable: without a copy."""
    array = np.ascontiguousarray(array)
    owner: Any = array
    while isinstance(owner, np.ndarray):
        owner.setflags(write=False)
        owner = owner.base
    return array.view()  # NumPy refuses to make a view writable if the owner of the data is not


def readonly_view(array: np.ndarray) -> np.ndarray:
    """Return the memory of an immutable array as a new array, so that setting shape or strides of one changes no other."""
    return array.view()


class Rebuilt:
    """A frozen dataclass that is copied and unpickled through its constructor, which validates the fields."""

    def __reduce__(self) -> tuple:
        return type(self), tuple(getattr(self, part.name) for part in fields(self) if part.init)  # type: ignore[arg-type]
