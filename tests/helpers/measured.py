"""Measures of observables as dictionaries."""

from poissonmatch.studies.statistics.observables import OBSERVABLES


def numbers(name, matching, *more):
    """Return the numerator and denominator of an observable of the table `ratios` by (quantity, x), None for no argument."""
    columns = OBSERVABLES[name].measure(matching, *more)
    keys = zip(columns["quantity"].tolist(), (None if x != x else x for x in columns["x"].tolist()), strict=True)
    return dict(
        zip(keys, zip(columns["numerator"].tolist(), columns["denominator"].tolist(), strict=True), strict=True)
    )
