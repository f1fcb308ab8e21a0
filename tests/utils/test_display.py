"""Numbers with errors, and tables."""

import pytest

from helpers.tables import tables
from poissonmatch.utils.display import counted, html_table, with_error


@pytest.mark.parametrize("value, error, text", tables(__file__)["with_error"])
def test_with_error(value, error, text):
    assert with_error(value, error) == text


def test_a_number_without_an_error():
    assert with_error(0.5, None) == "0.5"


def test_an_html_table_escapes_its_text():
    assert html_table(["a", "<b>"], [[1, "x & y"]], "A < B") == (
        "<table><caption>A &lt; B</caption><thead><tr><th>a</th><th>&lt;b&gt;</th></tr></thead>"
        "<tbody><tr><td>1</td><td>x &amp; y</td></tr></tbody></table>"
    )


def test_counts_with_their_nouns():
    assert counted({"studies": 1, "cells": 2, "jobs": 1, "figures": 0}) == "1 study, 2 cells, 1 job, 0 figures"
    assert counted({"studies": 3}) == "3 studies"
