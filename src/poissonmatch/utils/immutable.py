"""Arrays and dataclasses that cannot be changed."""

from __future__ import annotations

from dataclasses import fields

import numpy as np


def immutable_copy(array: np.ndarray) -> np.ndarray:
    """A copy that stays as it is: its memory is that of a bytes object, so no view of it can be made writable."""
    return np.ndarray(array.shape, array.dtype, array.tobytes())


def as_immutable(array: np.ndarray) -> np.ndarray:
    """An array that nobody else holds, in C order, as a sealed one: without a copy."""
    return np.frombuffer(array.reshape(-1).data.toreadonly(), array.dtype).reshape(array.shape)


def readonly_view(array: np.ndarray) -> np.ndarray:
    """The memory of a sealed array as a new array: whoever sets shape or strides of one does so for himself."""
    return np.ndarray(array.shape, array.dtype, array.base)


class Rebuilt:
    """A frozen dataclass whose copies and pickles are made by its constructor, which checks what they hold."""

    def __reduce__(self) -> tuple:
        return type(self), tuple(getattr(self, part.name) for part in fields(self) if part.init)  # type: ignore[arg-type]
