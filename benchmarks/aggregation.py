"""The time of the estimates of a cell compared with that of its replicates: `python benchmarks/aggregation.py` prints a table.

For each study of one cell, processor time in one process, the median of pairs measured one after the other: the block of its 16
replicates, without files; what of it is not drawing, matching and sums, for each replicate; the summary of the cell and its estimates, from
arrays, of CELLS cells that are estimated together. The bar: estimates take less than replicates.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from statistics import median
from typing import Any
from unittest.mock import patch

from poissonmatch.studies import study_files as studies
from poissonmatch.studies.sampling.cells import Block
from poissonmatch.studies.statistics import estimates, observables
from poissonmatch.studies.statistics.estimators import CellSample
from poissonmatch.studies.statistics.observables.distances import edges
from poissonmatch.studies.statistics.observables.point_sums import sums_of
from poissonmatch.studies.study_files.read import of_data
from poissonmatch.studies.tables.invariants import columns_of

REPLICATES, PAIRS, CELLS = 16, 15, 32
STUDIES: dict[str, dict[str, Any]] = {
    f"{rule}, d = {dim}, {size} points": {"process": process, "rule": rule, "dims": dim, "sizes": size}
    for process, rule in (("poisson", "one-color"), ("two_color", "two-color"), ("binomial", "fussy"))
    for dim, size in ((1, 300), (2, 300), (2, 3000), (3, 300))
}


def milliseconds(work: Callable[[], Any]) -> float:
    """Return the processor time of some work."""
    start = time.process_time()
    work()
    return 1e3 * (time.process_time() - start)


def measured(study: dict[str, Any]) -> list[float]:
    """Return the milliseconds of the block, around each replicate, of the summary and of the estimates."""
    ratios = {} if study["process"] == "poisson" else {"ratios": 0.5}
    (cell,) = studies.cells(of_data({"studies": {"a": {**study, **ratios, "replicates": REPLICATES}}}, "aggregation"))
    block = Block(cell, 0, REPLICATES)
    tables = {name: columns_of(frame) for name, frame in observables.measure_block(block).items()}
    context = estimates.Context([CellSample(tables["replicates"]).summary])
    estimates.columns_of_cells([tables], context)  # some exact values are solutions of equations, and kept
    tori = [sums_of(observables.matched(cell, k), edges()) for k in block.replicates]
    times = []
    for _ in range(PAIRS):
        whole = milliseconds(lambda: observables.measure_block(block))
        with patch.multiple(observables, matched=lambda cell, k, threads: k, sums_of=lambda k, *others: tori[k]):
            frames = milliseconds(lambda: observables.measure_block(block))
        around = (frames - milliseconds(lambda: [sums.totals() for sums in tori])) / REPLICATES
        summary = milliseconds(lambda: CellSample(tables["replicates"]).summary)
        estimate = milliseconds(lambda: estimates.columns_of_cells([tables] * CELLS, context)) / CELLS
        times.append((whole, around, summary, estimate, estimate / whole))
    return [median(column) for column in zip(*times, strict=True)]


if __name__ == "__main__":
    print(
        "| cell of 16 replicates | block, ms | around a replicate, ms | summary, ms | estimates, ms | estimates / block |"
    )
    print("|---|---|---|---|---|---|")
    for name, study in STUDIES.items():
        print(f"| {name} | {' | '.join(f'{number:.3g}' for number in measured(study))} |", flush=True)
