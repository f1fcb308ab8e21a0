"""The tables of a report: narrow enough for a phone and for paper, with words where infinite volume and a torus differ."""

import numpy as np
import pandas as pd
import pytest

from helpers.drawn import table
from helpers.refusals import rows
from poissonmatch.studies.report.caveats import _moving, _off_exact
from poissonmatch.studies.report.pages import differs_by_volume, narrow, page, tables
from poissonmatch.studies.tables.estimate_tables import INFINITE, ZERO

ABOUT = {"seed": 1, "versions": [], "code": {"simulate": "0" * 64}, "sha256": {"estimates": "0" * 64}, "commit": ""}


def report(*rows):
    """The page of these estimates, without figures."""
    estimates = table(*rows)
    shown = dict.fromkeys("sentences results figures caveats cutoffs asked".split(), [])
    shown |= {"study": "s.yaml", "name": "s", "text": "", "cells": 1, "about": ABOUT, "version": "0", "quantities": {}}
    return page({**shown, "tables": [*narrow(tables(estimates))], "two_volumes": differs_by_volume(estimates)})


@pytest.mark.parametrize(
    "exact, torus, note, said",
    [
        (np.nan, np.nan, None, ""),
        (0.5, np.nan, "", "0.5"),
        (0.5, 0.5, "", "0.5"),
        (0.5, 0.49, "", "0.5 in infinite volume, 0.49 on tori of this size"),
        (0.5, 0.501, "", "0.5"),  # a difference far below the width of the interval
        (0.0, 0.08, ZERO, f"0.08 on tori of this size, {ZERO}"),
        (np.nan, np.nan, INFINITE, INFINITE),
    ],
)
def test_a_number_says_what_infinite_volume_is(exact, torus, note, said):
    row = {"exact": exact, "exact_torus": torus, "note": note, "lower": 0.4, "upper": 0.6}
    (value,) = tables(table(row))[0]["rows"][0]["values"]
    assert value["exact"] == said


@pytest.mark.parametrize(
    "row, explained",
    [
        ({}, False),
        ({"exact": 0.5}, False),
        ({"exact": 0.5, "exact_torus": 0.49}, True),
        ({"note": ZERO}, True),
        ({"note": INFINITE}, True),
    ],
)
def test_rows_of_two_volumes_are_explained_where_there_are_any(row, explained):
    assert ('id="volumes"' in report(row)) == explained


def test_tables_are_narrow_on_the_page():
    """At most seven quantities beside each other, each in one of them; their names may be broken at underscores."""
    text = report(*({"quantity": f"q{k}", "value": k} for k in range(20)), {})
    parts = text.split('<table class="numbers">')[1:]
    heads = [part.split("</thead>")[0].count("<th>") - 3 for part in parts]  # without dimension, points and n
    assert sum(heads) == 21 and max(heads) <= 7
    assert "<th>unmatched_<wbr>fraction</th>" in text


# A row of estimates, and the end of the line about it, if there is one: not of a curve, nor of what the table has beside the number.
OFF = """
value=0.5, exact=0.49
value=0.5, exact=0.4 → ; 0.4 in infinite volume
value=0.5, exact=0.4, lower=0.42, upper=0.51
value=0.5, exact=0.4, lower=0.49, upper=0.6 → ; 0.4 in infinite volume
value=0.5, exact=0.4, exact_torus=0.499
value=0.5, exact=0.499, exact_torus=0.4 → ; 0.4 on tori of this size
value=0.5, exact_torus=0.499, note=ZERO
value=0.5, note=ZERO → ; 0 in infinite volume
value=0.5, exact=0.4, standard_error=np.nan
value=0.5, exact=0.4, quantity="alice_wins"
value=0.5, exact=0.4, quantity="tail"
"""


@pytest.mark.parametrize("row", rows(OFF))
def test_numbers_off_their_exact_value_are_listed(row):
    keys, *said = row
    found = [*_off_exact(table(eval(f"dict({keys})", {"np": np, "ZERO": ZERO})))]
    assert found == [f"s, d = 1, 100 points, ratio 1: unmatched_fraction[1] is 0.500(10){end}" for end in said]


def test_values_on_the_two_largest_tori_of_a_rule_are_compared():
    """Of the sizes 100, 200, 400 the last two; of another rule or study apart; an error of 0 and one size are left out."""

    def of(*values, **other):
        sizes = zip((100.0, 200.0, 400.0), values, strict=False)
        return [table({"size": size, "value": value, **other}) for size, value in sizes]

    rows = [*of(0.9, 0.5, 0.51), *of(0.5, 0.5, 0.6, rule="two-color"), *of(0.1, 0.8, study="t"), *of(0.3, study="u")]
    rows += of(0.1, 0.9, study="v", standard_error=0.0)
    for order in (1, -1):
        found = [*_moving(pd.concat(rows[::order], ignore_index=True))]
        assert sorted(found) == [
            "s, d = 1, ratio 1: unmatched_fraction[1] is 0.500(10) at 200 points and 0.600(10) at 400 points",
            "t, d = 1, ratio 1: unmatched_fraction[1] is 0.100(10) at 100 points and 0.800(10) at 200 points",
        ]
