"""Stated errors and intervals against the spread over 60 seeds, for every rule, observable and dimension."""

import pandas as pd
import pytest

from helpers import stated_errors

pytestmark = pytest.mark.verification

LOW, HIGH = 0.92, 0.985  # of all rows of a quantity
LOWEST = 0.85  # of each row: 51 of 60 seeds


@pytest.fixture(scope="module")
def rows():
    return pd.concat([stated_errors.summary(*case) for case in stated_errors.CASES])


def test_intervals_of_each_quantity_contain_the_mean_over_the_seeds(rows):
    covered = rows.groupby("quantity")["covered"].mean()
    assert len(covered) >= 30 and covered.between(LOW, HIGH).all(), covered[~covered.between(LOW, HIGH)]


def test_no_row_with_information_has_intervals_that_are_too_short(rows):
    assert (rows["covered"] >= LOWEST - 1e-9).all(), rows[rows["covered"] < LOWEST].to_string()


@pytest.mark.parametrize("case", [("fussy", 1), ("two-color", 2), ("one-color", "inf")], ids=str)
def test_what_varies_has_no_interval_of_length_zero(case):
    found = stated_errors.points_of_length_zero(*case)
    assert set(found["quantity"]) <= {"size_converged"}, found[["quantity", "x", "value"]].to_string()
