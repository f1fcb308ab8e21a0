"""Measures of observables as dictionaries, and whether the rows of a cell are complete."""

from poissonmatch.studies.statistics.observables import OBSERVABLES


def numbers(name, matching, *more):
    """Return the numerator and denominator of an observable of the table `ratios` by (quantity, x), None for no argument."""
    columns = OBSERVABLES[name].measure(matching, *more)
    keys = zip(columns["quantity"].tolist(), (None if x != x else x for x in columns["x"].tolist()), strict=True)
    return dict(
        zip(keys, zip(columns["numerator"].tolist(), columns["denominator"].tolist(), strict=True), strict=True)
    )


def assert_complete(cell, replicates, frames):
    """Each replicate has a row, and a ratio for each quantity of the observables, at the same arguments as all others."""
    rows, ratios = (frames[name][frames[name]["cell"] == cell.id] for name in ("replicates", "ratios"))
    assert rows["replicate"].tolist() == list(replicates)
    measured = [entry for name in cell.observables if (entry := OBSERVABLES[name]).table.name == "ratios"]
    assert {entry.quantities[0].name for entry in measured} <= set(ratios["quantity"])
    keys = {k: str(part[["quantity", "x"]].to_numpy().tolist()) for k, part in ratios.groupby("replicate")}
    assert (set(keys) == set(replicates) and len(set(keys.values())) == 1) or not measured
