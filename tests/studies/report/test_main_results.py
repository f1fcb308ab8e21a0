"""The first lines of a report: what they say, recomputed from the tables."""

import re

import numpy as np
import pytest

from helpers.drawn import table
from helpers.refusals import rows
from helpers.sweeps import swept
from poissonmatch.studies.report import main_results, pages
from poissonmatch.studies.tables.estimate_tables import ZERO


@pytest.fixture(scope="module")
def tables():
    """(transitions, estimates) of fussy matchings of two sizes and two ratios, in d = 1 and the mean field."""
    keys = (
        "rule: fussy, process: binomial, dims: [1, inf], sizes: [60, 480], ratios: [0.5, 1.0], replicates: 6, seed: 3"
    )
    found = swept(keys)
    return found.transitions, found.estimates


# A row of estimates, and its deviation.
DEVIATIONS = """
value=0.5, exact=0.49 → 1.96 * 0.01 / 0.02
value=0.5, exact=0.51 → -1.96 * 0.01 / 0.02
value=0.5, exact=0.4, lower=0.42, upper=0.51 → 1.96 * 0.1 / 0.08
value=0.5, exact=0.6, lower=0.42, upper=0.51 → -1.96 * 0.1 / 0.01
value=0.5, exact=0.4, exact_torus=0.495 → 1.96 * 0.005 / 0.02
value=0.5, note=ZERO → 1.96 * 0.5 / 0.02
value=0.5 → np.nan
value=0.5, exact=np.inf → np.nan
value=0.5, exact=0.4, standard_error=np.nan → np.nan
"""


@pytest.mark.parametrize("row, z", rows(DEVIATIONS))
def test_a_deviation_is_in_errors_of_the_side_of_the_exact_value(row, z):
    names = {"np": np, "ZERO": ZERO}
    assert main_results.deviations(table(eval(f"dict({row})", names))) == pytest.approx([eval(z, names)], nan_ok=True)


def test_the_sentences_say_what_the_tables_have(tables):
    transitions, estimates = tables
    first, of_rule, exact, sizes = main_results.sentences(transitions, estimates)
    assert first == "The study file has 8 cells and 48 replicates, 6 in each cell."
    red = transitions[(transitions["color"] == 1) & (transitions["size"] > 400)]
    ends = [red["unmatched_fraction"].min(), red["unmatched_fraction"].max()]
    said = [float(number) for number in re.findall(r"(0\.\d+)\(\d+\)", of_rule)]
    assert of_rule.startswith("In fussy matchings, the unmatched fraction of red points is from")
    assert said == pytest.approx(ends, abs=6e-3)
    known = estimates[(estimates["quantity"] == "unmatched_fraction") & (estimates["standard_error"] > 0)]
    assert exact.startswith(f"Of {len(known)} numbers with a known exact value, ")
    unconverged = int((red["size_converged"] == False).sum())  # noqa: E712
    assert sizes.endswith(f"on {unconverged} of the 2 largest tori.") or "negligible on all 2" in sizes


def test_a_table_has_a_row_for_each_ratio_and_a_column_for_each_dimension(tables):
    transitions, _ = tables
    fractions = main_results.tables(transitions)[0]
    assert fractions["caption"] == "Unmatched fraction u (fussy, 480 points)"
    assert fractions["first"] == ["ratio"] and fractions["columns"] == ["d = 1", "mean field"]
    assert [row["first"] for row in fractions["rows"]] == [["0.5"], ["1"]]
    red = transitions[(transitions["size"] == 480) & (transitions["color"] == 1)].set_index(["ratio", "dim"])
    for row, ratio in zip(fractions["rows"], (0.5, 1.0), strict=True):
        for cell, dim in zip(row["values"], (1.0, np.inf), strict=True):
            one = red.loc[(ratio, dim)]
            assert float(cell["value"].partition("(")[0]) == pytest.approx(one["unmatched_fraction"], rel=0.1)
            assert float(cell["exact"].split()[0]) == pytest.approx(one["unmatched_fraction_exact"], rel=1e-4)


def test_fractions_that_are_zero_by_theorem_have_no_row(tables):
    assert (tables[0].query("color == 0")["unmatched_fraction"] == 0).all()
    assert set(main_results.measured(tables[0]).query("quantity == 'unmatched_fraction'")["color"]) == {1}


NUMBERS = """
1.7(3)e-05 → 1.7(3) × 10⁻⁵
-1.3(3) → −1.3(3)
6.02e+23 → 6.02 × 10²³
one-color, 3-d → one-color, 3-d
2.07(4) → 2.07(4)
"""


@pytest.mark.parametrize("text, readable", rows(NUMBERS))
def test_numbers_are_printed_as_in_a_paper(text, readable):
    assert pages.readable(text) == readable
