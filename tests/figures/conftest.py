"""Shared by the tests of figures: the tables of both tiny studies."""

import pandas as pd
import pytest

import poissonmatch as pm


@pytest.fixture(scope="module")
def frames(tiny, frogs):
    return {
        name: pd.concat([pm.load(folder / f"{name}.parquet") for _, folder in (tiny, frogs)], ignore_index=True)
        for name in ("estimates", "realisations")
    }
