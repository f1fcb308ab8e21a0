"""Entries by name, to which users may add their own."""

from __future__ import annotations

from collections import UserDict
from collections.abc import Iterable
from typing import Any

from .errors import BadInput, quoted


class Registry(UserDict[str, Any]):
    """Entries by name. A new entry needs a valid, new name: none is replaced in silence.

    Parameters
    ----------
    what : str
        What the entries are, for messages.
    entries : iterable of (str, object), optional
    reserved : iterable of str, optional
        Names that no entry may have.
    """

    def __init__(self, what: str, entries: Iterable[tuple[str, Any]] = (), *, reserved: Iterable[str] = ()) -> None:
        self.what, self.reserved = what, frozenset(reserved)
        super().__init__(entries)

    def __setitem__(self, name: str, entry: Any) -> None:
        """Add an entry.

        Raises BadInput if the name is taken by another one, or is not an identifier (which may have
        hyphens).
        """
        if not isinstance(name, str) or not name.replace("-", "_").isidentifier():
            raise BadInput(f"{self.what}: {quoted(name)} is not a name; use letters, digits and _")
        if name in self.reserved or self.get(name, entry) is not entry:
            raise BadInput(f"{self.what}: there is {quoted(name)} already; choose another name")
        super().__setitem__(name, entry)

    def __ior__(self, entries: Any) -> Any:  # type: ignore[misc]
        self.update(entries)  # UserDict would add them unchecked
        return self
