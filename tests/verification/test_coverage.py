"""How often the 95 % intervals of 300 repetitions of small studies contain the truth; docs/error-bars.md shows the table."""

import math

import pytest

from helpers import interval_coverage

pytestmark = pytest.mark.verification

LOW, HIGH = 0.92, 0.98
HIGHEST = 0.985  # of small tori, without a tolerance: each row has at least 300 repetitions
ERROR = math.sqrt(0.95 * 0.05 / interval_coverage.REPETITIONS)  # binomial, of one row of each repetition: 0.0126


@pytest.mark.parametrize("case", interval_coverage.CASES, ids=lambda case: case.name)
def test_intervals_contain_the_truth(case):
    """The share is from .92 to .98, to one binomial standard error, for each kind of quantity."""
    rows = interval_coverage.covered(case)
    assert len(rows) == len(case.kinds) and (rows["repetitions"] >= 0.9 * interval_coverage.REPETITIONS).all()
    outside = rows[~rows["covered"].between(LOW - ERROR, HIGH + ERROR)]
    assert outside.empty, interval_coverage.printed(outside)


@pytest.mark.parametrize("case", interval_coverage.SMALL, ids=lambda case: case.name)
def test_intervals_of_small_tori_contain_their_value(case):
    """With 4, 8 and 16 tori, against the exact value or that of 100,000 tori."""
    rows = interval_coverage.covered(case)
    assert len(rows) == len(case.kinds) * len(case.numbers) and (rows["repetitions"] >= 300).all()
    outside = rows[~rows["covered"].between(LOW, HIGHEST)]
    assert outside.empty, interval_coverage.printed(outside)
