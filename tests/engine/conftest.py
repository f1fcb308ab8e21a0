"""Tests of the engine are about its phases for large sets, except where they ask for those of small sets as well."""

import pytest

from poissonmatch.engine import small_sets


@pytest.fixture(autouse=True)
def only_large_sets(monkeypatch):
    monkeypatch.setattr(small_sets, "MAX_POINTS", 0)
