"""Values and calls that are written as plain data, in TOML files.

A table with one name, that of a function or class of one of PACKAGES, is a call: its value is a list of arguments, or a table
of named ones. A table with the name None is None.
"""

from importlib import import_module
from operator import attrgetter
from typing import Any

import pytest

from helpers.tables import tables

PACKAGES = {"pm": "poissonmatch", "games": "poissonmatch_games", "np": "numpy", "pd": "pandas"}
PACKAGES |= {name: name for name in ("decimal", "fractions", "operator")}


def frozen(value: Any) -> Any:
    """Return plain data with tuples for its lists."""
    if isinstance(value, dict):
        return {name: frozen(part) for name, part in value.items()}
    return tuple(map(frozen, value)) if isinstance(value, list) else value


def value_of(data: Any) -> Any:
    """Return plain data with the values of the calls in them."""
    if isinstance(data, list | tuple):
        return type(data)(map(value_of, data))
    if not isinstance(data, dict):
        return data
    if "None" in data:
        return None
    values = {name: value_of(part) for name, part in data.items()}
    name = next(iter(values), "")
    package, _, place = name.partition(".")
    if package not in PACKAGES or not place:
        return values
    function, arguments = attrgetter(place)(import_module(PACKAGES[package])), values[name]
    return function(**arguments) if isinstance(arguments, dict) else function(*arguments)


def refused(file: str, kind: str = "refused") -> list:
    """Return the calls in the TOML file beside a test, and words of the messages with which they are refused."""
    return [
        pytest.param({table["call"]: table["common"] | arguments if "common" in table else arguments}, words, id=words)
        for table in tables(file)[kind]
        for arguments, words in table["rows"]
    ]
