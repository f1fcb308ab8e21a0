"""Spaces, patterns and processes that are refused, with a message of one line: those whose arguments are plain data."""

import pytest

import poissonmatch as pm
from helpers.plain_calls import refused, value_of
from helpers.refusals import refusal


@pytest.mark.parametrize(("call", "words"), refused(__file__))
def test_a_call_of_points_is_refused(call, words):
    assert words in refusal(value_of, call)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: pm.Torus(None, 2), "side must be a positive number"),
        (lambda: pm.Torus(1.0, None), "dim must be a whole number from 1 to 64"),
        (lambda: pm.Euclidean(None), "dim must be a whole number from 1 to 64"),
        (lambda: pm.Sphere(None), "radius must be a positive number"),
        (lambda: pm.processes.thinned(pm.processes.poisson(pm.Torus(2.0, 2), rng=1), [1] * 256, rng=1), "intensit"),
    ],
)
def test_what_is_no_plain_data_is_refused(call, words):
    assert words in refusal(call)
