"""Arrays and dataclasses that cannot be changed, and properties that are computed once."""

from __future__ import annotations

import functools
from dataclasses import fields
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

Value = TypeVar("Value")


class cached_property(functools.cached_property[Value]):
    """A cached property without the lock that Python 3.11 holds for all objects: a forked child would wait for it for ever."""

    if not TYPE_CHECKING:

        def __get__(self, instance: Any, owner: Any = None) -> Any:
            """Return the value, which is the same object for all threads."""
            return self if instance is None else vars(instance).setdefault(self.attrname, self.func(instance))


def immutable_copy(array: np.ndarray) -> np.ndarray:
    """Return a read-only copy, in C order, that cannot be made writable."""
    return as_immutable(np.array(array, order="C"))


def as_immutable(array: np.ndarray) -> np.ndarray:
    """Return an array that no other object references, in C order, as one that cannot be made writable: without a copy."""
    return np.asarray(_Memory(np.ascontiguousarray(array)))


class _Memory:
    """The memory of an array of numbers, which is the base of an immutable array: the base has no flag to set."""

    def __init__(self, array: np.ndarray) -> None:
        array.setflags(write=False)
        self.__array_struct__ = array.__array_struct__  # holds the array, and gives no access to it


def readonly_view(array: np.ndarray) -> np.ndarray:
    """Return the memory of an immutable array as a new array, so that setting shape or strides of one changes no other."""
    return array.view()


class Rebuilt:
    """A frozen dataclass that is copied and unpickled through its constructor, which validates the fields."""

    def __reduce__(self) -> tuple:
        return type(self), tuple(getattr(self, part.name) for part in fields(self) if part.init)  # type: ignore[arg-type]
