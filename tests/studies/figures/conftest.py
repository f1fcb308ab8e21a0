"""Shared by the tests of figures: the tables of both tiny studies, and of one of the open problem."""

import pandas as pd
import pytest
import yaml

import poissonmatch as pm

PROBLEM = """
seed: 7
laws: [reference_color, answer]
studies:
  reference_color: {process: binomial, rule: fussy, dims: [1, 2], sizes: [400, 3200], ratios: [0.2, 0.3, 0.4, 0.5, 0.7, 1.0], replicates: 12,
    observables: [distances, flow]}
  answer: {process: binomial, dims: [1, 2], sizes: 2000, replicates: 24, observables: [response]}
"""


@pytest.fixture(scope="session")
def problem():
    """A small study of the open problem."""
    return pm.sweep(yaml.safe_load(PROBLEM))


@pytest.fixture(scope="module")
def frames(tiny, frogs, problem):
    return {
        **problem.frames,
        **{
            name: pd.concat(
                [
                    *(pm.load(path) for _, folder in (tiny, frogs) if (path := folder / f"{name}.parquet").exists()),
                    *([problem.frames[name]] if name in problem.frames else []),
                ],
                ignore_index=True,
            )
            for name in ("estimates", "realizations")
        },
    }
