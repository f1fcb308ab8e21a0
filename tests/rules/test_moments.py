"""Which moments of the partner distance are infinite, by rule and dimension."""

import math

import numpy as np
import pytest

from poissonmatch.rules.catalogue import rule_named

INFINITE = [  # rule, dimension, intensities, the smallest power of X with an infinite moment
    ("one-color", 1, (1.0,), 1),
    ("one-color", 2, (1.0,), 2),
    ("one-color", 3, (1.0, 2.0), 3),
    ("one-color", math.inf, (1.0,), 1),
    ("two-color", 1, (2.0, 2.0), 0.5),
    ("two-color", 2, (1.0, 1.0), 1),
    ("two-color", math.inf, (1.0, 1.0), 1),
    ("two-color", 1, (1.0, 1.1), math.inf),
    ("two-color", 2, (1.0, 0.5), math.inf),
    ("two-color", 3, (1.0, 1.0), 1.5),
    ("two-color", 4, (1.0, 1.0), 2),
    ("fussy", 1, (1.0, 1.0), math.inf),
    ("fussy", 2, (1.0, 0.0), 2),
    ("fussy", 3, (1.0, 0.1), math.inf),
    ("misere", 1, (1.0,), 1),
    ("misere", 3, (1.0,), 3),
    ("misere", math.inf, (1.0,), 1),
    ("labels(3)", 1, (1.0,), 1),
    ("labels(2)", 2, (1.0,), 2),
    ("multi(2)", 2, (1.0,), 2),
    ("multi(3)", 1, (1.0,), 1),
    ("custom(11/11; 1,2)", 1, (1.0, 1.0), math.nan),
    ("multi(1)", 1, (1.0,), 1),
    ("labels(1)", 2, (1.0,), 2),
    ("multi(2)", math.inf, (1.0,), 1),
    ("multi(3)", math.inf, (1.0,), 1 + 1e-9),
    ("multi(2)", 1, (1.0,), math.inf),
]


@pytest.mark.parametrize(("rule", "dim", "intensities", "smallest"), INFINITE)
def test_which_moments_are_known_to_be_infinite(rule, dim, intensities, smallest):
    law = rule_named(rule).law
    for power in (0.4, 0.5, 0.9, 1, 1.5, 2, 3, 4):
        assert law.infinite_moment(power, dim, intensities) == (power >= smallest)
    power, source, _ = law.moments(dim, intensities)
    assert math.isnan(power) == math.isnan(smallest) == (source == "not known") and source


@pytest.mark.parametrize("power", [0.5, 1])
@pytest.mark.parametrize(("rule", "dim", "intensities", "smallest"), [c for c in INFINITE if c[1] in (1, math.inf)])
def test_a_moment_is_infinite_if_each_decade_of_the_exact_tail_adds_to_it(rule, dim, intensities, smallest, power):
    """E X^q is the integral of q r^(q - 1) P(r < X < inf). Decade k adds a constant times 1/k in a mean field of multi(2), and 1/k^2 of multi(3)."""
    law = rule_named(rule).law
    if np.isnan(law.tail(np.array([1.0]), dim, intensities, 0)).any():
        pytest.skip("the tail is not known")
    alone = law.unmatched(dim, intensities, 0)
    alone = 0.0 if math.isnan(alone) else alone
    adds = []
    for decade in (5, 10):
        r = np.geomspace(10.0**decade, 10.0 ** (decade + 1), 400)
        adds.append(np.trapezoid(r ** (power - 1) * (law.tail(r, dim, intensities, 0) - alone), r))
    assert (adds[1] > 0.35 * adds[0] > 1e-9) == (smallest <= power)
