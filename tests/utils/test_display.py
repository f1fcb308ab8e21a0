"""Numbers with errors, and tables."""

import math

import pytest

from poissonmatch.utils.display import counted, html_table, with_error


@pytest.mark.parametrize(
    "value, error, text",
    [
        (2.9776, 0.072, "2.98(7)"),
        (0.62052, 0.00131, "0.6205(13)"),
        (0.62052, 0.000996, "0.6205(10)"),
        (0.0, 0.012, "0.000(12)"),
        (-1.5, 0.26, "-1.5(3)"),
        (123456.0, 1234.0, "123500(1200)"),
        (12.34, 1.23, "12.3(1.2)"),
        (12.34, 3.2, "12(3)"),
        (3.2e-9, 1.1e-10, "3.20(11)e-09"),
        (0.5, 0.0, "0.5"),
        (0.5, None, "0.5"),
        (0.5, math.nan, "0.5"),
        (math.nan, 0.1, "nan"),
        (math.inf, 0.1, "inf"),
    ],
)
def test_with_error(value, error, text):
    assert with_error(value, error) == text


def test_an_html_table_escapes_its_text():
    assert html_table(["a", "<b>"], [[1, "x & y"]], "A < B") == (
        "<table><caption>A &lt; B</caption><thead><tr><th>a</th><th>&lt;b&gt;</th></tr></thead>"
        "<tbody><tr><td>1</td><td>x &amp; y</td></tr></tbody></table>"
    )


def test_counts_with_their_nouns():
    assert counted({"studies": 1, "cells": 2, "jobs": 1, "figures": 0}) == "1 study, 2 cells, 1 job, 0 figures"
    assert counted({"studies": 3}) == "3 studies"
