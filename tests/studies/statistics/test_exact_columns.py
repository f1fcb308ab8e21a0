"""Every exact value agrees with its estimate, for all pairs of a rule and an observable of the registries."""

import numpy as np
import pytest
from scipy import stats

from helpers import exact_columns
from helpers.sweeps import swept
from poissonmatch.rules import laws
from poissonmatch.studies.statistics import observables

COMPARISONS = 30_000  # at most, of a seed: with each of the two seeds about one row is beyond the limit by chance
REPLICATES = 16
LIMIT = stats.t.isf(1 / (2 * COMPARISONS), REPLICATES - 1)


@pytest.mark.parametrize("case", exact_columns.CASES, ids=" ".join)
def test_exact_values_agree_with_estimates(case):
    rows = exact_columns.wrong(*case, 200, REPLICATES, LIMIT)
    assert rows.empty, rows.to_string()


@pytest.mark.slow
@pytest.mark.parametrize("case", exact_columns.CASES, ids=" ".join)
def test_exact_values_agree_with_estimates_of_large_tori(case):
    rows = exact_columns.wrong(*case, 5000, REPLICATES, LIMIT)
    assert rows.empty, rows.to_string()


def test_a_wrong_law_is_found(monkeypatch):
    """The tail of one color instead of that of all points, which the exact value of `outside` once was."""
    (quantity,) = (q for q in observables.OBSERVABLES["balls"].quantities if q.name == "outside")
    tail = laws.FussyLaw.tail
    monkeypatch.setattr(laws.FussyLaw, "tail", lambda self, r, dim, i, color, order=0: tail(self, r, dim, i, 0, order))
    rows = exact_columns.wrong("fussy", "two_color", 200, REPLICATES, LIMIT)
    assert quantity.name in set(rows["quantity"]) and np.isfinite(LIMIT)


def test_fixed_numbers_that_are_rounded_have_the_tail_of_the_numbers():
    """40 points at the ratio .3 are 31 and 9."""
    keys = "process: binomial, rule: two-color, dims: 1, sizes: 40, ratios: 0.3, replicates: 2, observables: distances"
    rows = swept(keys).estimates.query("quantity == 'tail' and color == 0")
    volume = 40 / 1.3
    rounded, nominal = (
        laws.TwoColorLaw().tail(rows["x"].to_numpy(), 1, numbers, 0)
        for numbers in ((31 / volume, 9 / volume), (1, 0.3))
    )
    np.testing.assert_allclose(rows["exact"], rounded, rtol=1e-12)
    assert abs(rounded[-1] - nominal[-1]) > 0.005
