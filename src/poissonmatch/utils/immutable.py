"""Arrays and dataclasses that cannot be changed."""

from __future__ import annotations

from dataclasses import fields

import numpy as np


def immutable_copy(array: np.ndarray) -> np.ndarray:
    """Return an immutable copy: its memory is a bytes object, so no view of it can be made writable."""
    return np.ndarray(array.shape, array.dtype, array.tobytes())


def as_immutable(array: np.ndarray) -> np.ndarray:
    """Return a C-ordered array without other references as an immutable one, without a copy."""
    return np.frombuffer(array.reshape(-1).data.toreadonly(), array.dtype).reshape(array.shape)


def readonly_view(array: np.ndarray) -> np.ndarray:
    """Return an immutable array as a new array object, whose shape and strides can be set independently."""
    return np.ndarray(array.shape, array.dtype, array.base)


class Rebuilt:
    """A frozen dataclass that is copied and unpickled through its constructor, which validates the fields."""

    def __reduce__(self) -> tuple:
        """Return the class and the fields of its constructor."""
        return type(self), tuple(getattr(self, part.name) for part in fields(self) if part.init)  # type: ignore[arg-type]
