"""Refused calls of games, positions and values, with plain data as arguments."""

import builtins

import pytest

from helpers.plain_calls import frozen, refused, value_of
from helpers.tables import tables

CALLS = [pytest.param(error, *row.values, id=row.id) for error in tables(__file__) for row in refused(__file__, error)]


@pytest.mark.parametrize("error, call, words", CALLS)
def test_a_call_of_games_is_refused(error, call, words):
    with pytest.raises(getattr(builtins, error)) as refusal:
        value_of(frozen(call))
    (line,) = str(refusal.value).splitlines()
    assert words in line
