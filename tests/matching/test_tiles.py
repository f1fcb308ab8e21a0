"""The matching in tiles is that of the whole, and the points of tiles are the same for any number of tiles."""

import numpy as np
import pytest

import poissonmatch as pm
from helpers.plain_calls import value_of
from helpers.runs import peak_memory
from helpers.tables import tables
from helpers.tiles import match_in_tiles
from poissonmatch.matching import tiles
from poissonmatch.points import tiled
from poissonmatch.rules.catalogue import rule_named
from poissonmatch.studies.sampling import cells

RULES = ("one-color", "two-color", "fussy", "multi(1)")
SIDE = 8.0


def clusters(rng, n, dim):
    return (
        rng.random((n // 50 + 1, dim))[rng.integers(0, n // 50 + 1, n)] * SIDE + rng.normal(0, 0.02, (n, dim))
    ) % SIDE


def lattice(rng, n, dim):
    """Sites of a lattice with lines along the faces of the tiles, some twice: all distances tie."""
    edge = max(2, 2 ** round(np.log2(1.5 * (n + 1) ** (1 / dim))))
    return rng.integers(0, edge, (n, dim)) * (SIDE / edge)


KINDS = {"uniform": lambda rng, n, dim: rng.random((n, dim)) * SIDE, "clusters": clusters, "lattice": lattice}


def wrong(kind, dim, rule, n, parts=(1, 2, 4, 8), shape=None):
    """The numbers of tiles by which points of this kind are matched otherwise than in the whole."""
    rng, shape = np.random.default_rng(dim), shape or (SIDE,) * dim
    points = KINDS[kind](rng, n, dim) % SIDE * (np.array(shape) / SIDE)
    pattern = pm.Pattern(points, rng.random(n) < 0.4, pm.Torus(shape), wrap=True)
    whole = pm.match(pattern, rule)
    return [k for k in parts if match_in_tiles(pattern, rule, k) != whole]


@pytest.mark.parametrize("rule", RULES[:3])
@pytest.mark.parametrize("dim", [1, 2, 3])
@pytest.mark.parametrize("kind", KINDS)
def test_a_matching_in_tiles_is_that_of_the_whole(kind, dim, rule):
    assert [wrong(kind, dim, rule, n) for n in (0, 1, 2, 40, 600)] == [[]] * 5


@pytest.mark.slow
@pytest.mark.parametrize("rule", ["one-color", "fussy"])
@pytest.mark.parametrize("shape", [(8.0, 1.0), (1.0, 2.0**-30), (0.3, 1e3), (1.0, 4.0, 0.5)], ids=str)
@pytest.mark.parametrize("kind", KINDS)
def test_tori_may_have_a_side_for_each_axis(kind, shape, rule):
    assert [wrong(kind, len(shape), rule, n, shape=shape) for n in (2, 40, 1500)] == [[]] * 3


@pytest.mark.slow
@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("dim", [1, 2, 3])
@pytest.mark.parametrize("kind", KINDS)
def test_a_matching_of_many_points_in_tiles_is_that_of_the_whole(kind, dim, rule):
    assert wrong(kind, dim, rule, 100_000) == []


@pytest.mark.parametrize("side, dim", [(1e130, 3), (1e145, 2), (1e-120, 3), (1e-140, 2)])
def test_the_volume_of_a_torus_in_tiles_need_be_no_number(side, dim):
    pattern = pm.Pattern(np.random.default_rng(1).random((400, dim)) * side, None, pm.Torus(side, dim))
    assert match_in_tiles(pattern, "one-color", 2) == pm.match(pattern)


@pytest.mark.parametrize("rule, dim, said", value_of(tables(__file__)["refused"]))
def test_what_has_no_tiles_is_refused(rule, dim, said):
    assert said in tiles.incompatible(rule_named(rule), dim)
    assert tiles.incompatible(rule_named("fussy"), 4) == ""


# ---- points ----


def cell(process, dim, size, tiles=1, intensities=(1.0, 0.5), **more):
    intensities = intensities if process != "poisson" else (2.0,)
    about = dict(study="s", rule="one-color", observables=("unmatched",), replicates=1, block=1, seed=3, **more)
    return cells.Cell(process=(("name", process),), dim=dim, size=size, intensities=intensities, tiles=tiles, **about)


@pytest.mark.parametrize("process", ["poisson", "two_color", "binomial"])
@pytest.mark.parametrize("dim", [1, 2, 3, 4])
def test_tiles_hold_the_same_points_whatever_their_number(process, dim):
    points = cell(process, dim, 3000.0).tiled_points(0)
    whole, torus = points.pattern(), points.torus
    assert len(whole) == points.counts.sum() and np.array_equal(
        whole.count(len(points.counts)), points.counts.sum(axis=1)
    )
    for parts in (2, 4):
        seen = []
        for corner in np.ndindex((parts,) * dim):
            part = points.part(corner, parts)
            seen.append(part.names)
            assert np.array_equal(part.points, whole.points[part.names]) and np.array_equal(
                part.colors, whole.colors[part.names]
            )
            assert (np.floor(part.points / (torus.side / parts)) == corner).all()
        assert np.array_equal(np.sort(np.concatenate(seen)), np.arange(len(whole)))


@pytest.mark.parametrize(
    "dim, size, parts",
    [
        (2, 10.0, 16),
        (4, 1e5, 4),
        (1, 2.0**26, 1024),
        (2, 2.0**28, 64),
    ],
)
def test_fine_tiles_are_part_of_what_the_points_are(dim, size, parts):
    assert tiled.fine_tiles(dim, size) == parts


def test_counts_are_those_of_the_process():
    """binomial: exactly the number that was asked for. Poisson: mean and variance of fine tiles, 4 standard errors of 512 of them."""
    fixed = cell("binomial", 2, 3000.0).tiled_points(0).counts
    assert fixed.sum(axis=1).tolist() == [2000, 1000]
    counts = cell("two_color", 1, 30_000.0).tiled_points(0).counts
    mean = np.array([20_000, 10_000]) / counts.shape[1]
    assert (abs(counts.mean(axis=1) - mean) < 4 * np.sqrt(mean / counts.shape[1])).all()
    assert (abs(counts.var(axis=1) / mean - 1) < 4 * np.sqrt(2 / counts.shape[1])).all()


def test_points_are_uniform_and_streams_are_their_own():
    one, other = (cell("poisson", 2, 20_000.0).pattern(k) for k in (0, 1))
    assert len(one) != len(other) or not np.array_equal(one.points, other.points)
    for pattern in (one, other):
        counts = np.histogramdd(pattern.points % (pattern.geometry.side / 16), bins=8)[0]  # where in their fine tiles
        assert abs(((counts - counts.mean()) ** 2).sum() / counts.mean() - 63) < 4 * np.sqrt(2 * 63)


def test_a_cell_without_tiles_keeps_its_points_and_one_with_them_has_others():
    whole, tiled = cell("poisson", 2, 100.0, tiles=None), cell("poisson", 2, 100.0, tiles=1)
    assert "tiles" not in whole.source and whole.fingerprint != tiled.fingerprint
    assert (
        tiled.id == cell("poisson", 2, 100.0, tiles=4).id and tiled.record == cell("poisson", 2, 100.0, tiles=4).record
    )
    assert cells.Cell.of_record(tiled.record).tiles == 1 and cells.Cell.of_record(whole.record).tiles is None
    assert cells.Cell.of_record(cell("poisson", 2, 1e9).record).tiles == 16
    first = np.random.default_rng(cells.seed_sequence(3, whole.source, 0))
    assert whole.pattern(0) == pm.processes.poisson(whole.space(), 2.0, rng=first)


def test_a_tile_that_does_not_fit_into_memory_is_refused_before_it_is_made(monkeypatch):
    points = cell("poisson", 2, 3e6).tiled_points(0)
    monkeypatch.setattr("poissonmatch.utils.memory.available_memory", lambda: 2**25)
    with pytest.raises(MemoryError, match=r"a tile of \d+ points in dimension 2 needs about 7[0-9.]+ MB"):
        points.part((0, 0), 1)
    assert len(points.part((0, 0), 2).points) > 700_000


@pytest.mark.slow
@pytest.mark.long
def test_memory_is_that_of_a_tile():
    code = """
import poissonmatch as pm
from poissonmatch.studies.study_files import parameter_grid, read
from poissonmatch.studies.statistics import observables
study = {{"dims": 2, "sizes": {size}, "replicates": 1, "tiles": {tiles}}}
(cell,) = parameter_grid.cells(read.of_data({{"studies": {{"a": study}}}}, "a"))
observables.measure(cell, 0)
"""
    small, large = (peak_memory(code.format(size=size, tiles=tiles)) for size, tiles in ((2e5, 2), (3.2e6, 8)))
    assert large < small + 30e6  # in the whole it is 3 * 10^6 times 80 bytes more
