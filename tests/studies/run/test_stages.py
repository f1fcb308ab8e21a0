"""Random streams of replicates, and tables that are replaced."""

import itertools
import shutil
from functools import partial
from pathlib import Path

import pytest

import poissonmatch as pm
from helpers.faulty import Faulty, failed
from helpers.refusals import rows
from helpers.runs import TINY, cells_of, finished, load_study, problems, run_study, simulate_all, write_study
from poissonmatch.studies.run import stages
from poissonmatch.studies.sampling.cells import seed_sequence
from poissonmatch.utils import atomic_writer


@pytest.mark.slow
@pytest.mark.long
def test_a_replicate_does_not_depend_on_how_many_there_are(tiny, tmp_path):
    more = run_study(write_study(tmp_path, TINY.replace("replicates: 16", "replicates: 20")), tmp_path / "r")
    old, new = pm.load(tiny[1] / "replicates.parquet"), pm.load(more / "replicates.parquet")
    keys = ["study", "cell", "replicate"]
    kept = new.merge(old[keys], on=keys)
    assert len(old) < len(new) and kept[old.columns].equals(old)


def test_seeds_are_spread():
    """Those beyond 2^64 too."""
    seeds = (1, 2, 2**64 + 1, 2**127, 2**128 - 1)
    streams = itertools.product(seeds, ({"a": 1}, {"a": 2}), range(3))
    assert len({tuple(seed_sequence(*stream).generate_state(4)) for stream in streams}) == 30


# Of seeds below 2^63, drawn by the version that allowed no others: number, sum of the first point, first coordinate of
# the last, and the next number of the stream, for replicate 2.
DRAWS = """
1 → poisson →  → (65, 0.45782576694956856, 6.9043833406266915, 3687570398)
1 → {name: thomas, offspring: 3} → rule: fussy, ratios: 0.5 → (96, 2.2530097338677124, 5.678557737264212, 1213660707)
1 → lattice → geometry: box → (64, 6.928622578539194, 2.91449562820363, 4010194060)
1 → poisson → tiles: 1 → (73, 0.701161745413968, 7.594833550127581, 1274591694)
0 → poisson →  → (68, 0.47713976431166955, 7.079440313682374, 3232110176)
2**53 - 1 → poisson →  → (57, 1.34104373394993, 7.069855304117086, 724396259)
2**63 - 1 → poisson →  → (63, 3.5433411282097893, 7.093576963824817, 2241591782)
2**63 - 1 → {name: thomas, offspring: 3} → rule: fussy, ratios: 0.5 → (32, 3.530694369738459, 4.355483628423982, 896156996)
"""


@pytest.mark.parametrize("seed, process, keys, drawn", rows(DRAWS))
def test_seeds_have_the_streams_that_they_always_had(tmp_path, seed, process, keys, drawn):
    study = f"process: {process}, dims: 2, sizes: 64, replicates: 3{', ' * bool(keys)}{keys}"
    path = write_study(tmp_path, f"seed: {eval(seed)}\nstudies: {{a: {{{study}}}}}\n")
    (cell,) = cells_of(path)
    points = cell.pattern(2).points
    assert (len(points), points[0].sum(), points[-1, 0], cell.stream(2).integers(2**32)) == pytest.approx(
        eval(drawn), rel=1e-14
    )


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


@pytest.mark.parametrize("fault", ["ENOSPC", "half a write, then ENOSPC"])
def test_a_full_disk_leaves_the_old_tables_and_their_manifest(tmp_path, monkeypatch, fault):
    """At every call until all new files are on the disk: only then is something replaced."""
    text = "studies: {a: {dims: 1, sizes: 20, replicates: REPLICATES, observables: [distances]}}\n"
    _, folder = finished(tmp_path, text.replace("REPLICATES", "2"))
    new = load_study(tmp_path, text.replace("REPLICATES", "4"))
    simulate_all(new, folder)
    before = contents(folder)
    monkeypatch.setattr(atomic_writer, "os", faulty := Faulty(0, fault))
    stages.aggregate(new, shutil.copytree(folder, tmp_path / "copy"))
    at_end = range(faulty.calls - 25, faulty.calls)
    for n in (*range(1, at_end.start, 50), *at_end):
        assert failed(partial(stages.aggregate, new, folder), n, fault)
        if not (folder / "manifest.json").exists():
            break
        assert contents(folder) == before
    assert n in at_end[4:15]
    stages.aggregate(new, folder)
    assert problems(folder, new) == []
