"""Values and calls that are written as plain data, in TOML files.

A table with one name, that of a public function or class of `pm`, is a call: its value is a list of arguments, or a table
of named ones.
"""

from operator import attrgetter
from typing import Any

import pytest

import poissonmatch as pm
from helpers.tables import tables


def frozen(value: Any) -> Any:
    """Return a value with tuples for its lists."""
    return tuple(map(frozen, value)) if isinstance(value, list) else value


def value_of(data: Any) -> Any:
    """Return plain data with the values of the calls in them."""
    if isinstance(data, list):
        return [value_of(part) for part in data]
    if not isinstance(data, dict):
        return data
    values = {name: value_of(part) for name, part in data.items()}
    name = next(iter(values), "")
    if not name.startswith("pm."):
        return values
    function, arguments = attrgetter(name.removeprefix("pm."))(pm), values[name]
    return function(**arguments) if isinstance(arguments, dict) else function(*arguments)


def refused(file: str) -> list:
    """Return the calls in the TOML file beside a test, and words of the messages with which they are refused."""
    return [
        pytest.param({table["call"]: table.get("common", {}) | arguments}, words, id=words)
        for table in tables(file)["refused"]
        for arguments, words in table["rows"]
    ]
