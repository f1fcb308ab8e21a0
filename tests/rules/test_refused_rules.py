"""Rules and their names that are refused, with a message of one line."""

import pytest

from helpers.plain_calls import refused, value_of
from helpers.refusals import refusal


@pytest.mark.parametrize("call, words", refused(__file__))
def test_a_call_is_refused(call, words):
    assert words in refusal(value_of, call)
