"""Tables of what is refused, as text, and the message of a refusal."""

from collections.abc import Callable
from typing import Any

import pytest

from poissonmatch.utils.errors import BadInput


def rows(table: str) -> list[list[str]]:
    """Return the rows of a table, a line each, whose cells are separated by arrows."""
    return [row.split(" → ") for row in table.strip().splitlines()]


def refusal(call: Callable[..., object], *arguments: Any, **keywords: Any) -> str:
    """Return the message, of one line, with which a call is refused."""
    with pytest.raises(BadInput) as error:
        call(*arguments, **keywords)
    (line,) = str(error.value).splitlines()
    return line
