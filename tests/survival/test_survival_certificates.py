"""Certificates of survival: counts, bounds, files, and the check that shares no code with the engine."""

import itertools
import json
import math
import re
import sys
from dataclasses import asdict
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import poissonmatch as pm
from poissonmatch.cli.main import app
from poissonmatch.studies.study_files import yamlfile
from poissonmatch.survival.certificates import bounds, boxes, certificate, independent_check
from poissonmatch.survival.certificates.survival import cover, planned
from poissonmatch.utils.errors import BadInput, IntegrityError

SMALL = {"dim": 1, "ratio": 0.8, "scale": 5.0, "box": 300.0, "boxes": 4, "threshold": 1, "seed": 3}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("dim", "side", "scale", "cases"), [(1, 60.0, 4.0, 500), (2, 14.0, 1.2, 350), (3, 9.5, 1.0, 150)]
)
def test_the_count_is_never_above_the_truth(dim, side, scale, cases):
    """In a torus that is cut open: the truth is that of the torus, the count knows the box alone."""
    rng = np.random.default_rng(34)
    counts, truths = [], []
    for _ in range(cases):
        ratio = float(rng.choice([0.3, 1.0]))
        colors = np.repeat([0, 1], [rng.poisson(side**dim), rng.poisson(ratio * side**dim)])
        places = rng.random((len(colors), dim)) * side
        distance = pm.match(pm.Pattern(places, colors, pm.Torus(side, dim)), "fussy").distance
        window = ((places > 4 * scale) & (places < side - 4 * scale)).all(axis=1) & (distance > scale)
        truths.append(int((window & (colors == 1)).sum()) - int((window & (colors == 0)).sum()))
        counts.append(boxes.difference(boxes.Boxes(dim, ratio, scale, side, 0), places, colors))
    assert (np.array(counts) <= truths).all()
    assert np.mean(np.array(counts) == truths) > 0.2 and max(counts) > 0  # the test sees boxes that say something


@pytest.mark.parametrize(
    "parameters", [(1, (0.5, 0.52), 10.0, 200.0), (2, (0.3, 0.302), 4.0, 40.0), (3, (0.5, 0.51), 1.5, 12.0)]
)
def test_the_independent_check_counts_the_same_for_an_interval(parameters):
    entry = dict(zip(("dim", "ratio", "scale", "box"), parameters, strict=True))
    one = certificate.checked(**entry, boxes=9, threshold=9, seed=7, name="a name")
    counts = [boxes.count(one.sample, number) for number in range(9)]
    assert counts == [independent_check.difference(one.to_dict(), number) for number in range(9)]
    other = certificate.checked(**entry, boxes=9, threshold=9, seed=7, name="another")
    assert counts != [boxes.count(other.sample, number) for number in range(9)] and max(counts) > 0


@pytest.mark.parametrize("parameters", [(1, 0.5, 10.0, 400.0), (2, 0.3, 3.0, 60.0), (3, 0.5, 1.5, 16.0)])
@pytest.mark.parametrize("tiles", [1, 2, 3])
def test_the_independent_check_counts_the_same(parameters, tiles, monkeypatch):
    dim, ratio, _, box = parameters
    monkeypatch.setattr(boxes, "MAX_POINTS", (box / (tiles - 0.01)) ** dim * (1 + ratio))
    sample = boxes.Boxes(*parameters, seed=7)
    assert sample.tiles == tiles
    for number in range(3):
        found = asdict(sample) | {"tiles": tiles}
        assert boxes.count(sample, number) == independent_check.difference(found, number)


def test_tiles_change_no_partner_of_the_whole_box(monkeypatch):
    """What is removed in tiles are pairs of the matching of the whole box."""
    monkeypatch.setattr(boxes, "MAX_POINTS", 700)
    sample = boxes.Boxes(2, 0.5, 3.0, 60.0, 5)
    drawn = [boxes.tile_points(sample, 0, tile) for tile in range(sample.tiles**2)]
    places, colors = (np.concatenate(part) for part in zip(*drawn, strict=True))
    whole = pm.match(pm.Pattern(places, colors, pm.Euclidean(2)), "fussy").distance
    rest, kinds = (np.concatenate(part) for part in zip(*boxes._uncertain(sample, 0), strict=True))
    alone = pm.match(pm.Pattern(rest, kinds, pm.Euclidean(2)), "fussy").distance
    where = {tuple(place): i for i, place in enumerate(places.tolist())}
    kept = [where[tuple(place)] for place in rest.tolist()]
    assert 0 < len(rest) < len(places) and np.array_equal(whole[kept], alone)


def test_packing_bounds_hold_for_the_densest_arrangements():
    """Points at distance r on a line, of a triangular lattice, and of the face-centered cubic lattice."""
    assert bounds.packing_bound(1, 10.0, 1.0) == 11
    for side in (1.0, 2.5, 7.0):
        rows = math.floor(side / (math.sqrt(3) / 2)) + 1
        triangular = sum(math.floor(side - 0.5 * (k % 2)) + 1 for k in range(rows))
        assert triangular <= bounds.packing_bound(2, side, 1.0) <= 1.5 * triangular + 3
        grid = np.stack(np.meshgrid(*[np.arange(0, 12)] * 3), axis=-1).reshape(-1, 3)
        cubic = grid[grid.sum(axis=1) % 2 == 0] / math.sqrt(2)
        assert (cubic <= side).all(axis=1).sum() <= bounds.packing_bound(3, side, 1.0)


def test_error_probability_and_lower_bound():
    assert bounds.error_probability(138, 100, 36) == Fraction(138, 238) ** 36
    counts, packing, volume = [5, 7, 9], 10, Fraction(1000)
    found = bounds.lower_bound(counts, packing, volume)
    assert found == pytest.approx(max(0, ((15 * 17 * 19 / 20) ** (1 / 3) - 10) / 1000), abs=1e-12)
    counts = [50] * 30
    found = bounds.lower_bound(counts, packing, volume)
    assert found == pytest.approx((60 / 20 ** (1 / 30) - 10) / 1000, rel=1e-9) and found < 0.05
    assert bounds.is_lower_bound(found, counts, packing, volume)
    assert not bounds.is_lower_bound(found * (1 + 1e-9), counts, packing, volume)
    assert bounds.lower_bound([-10, 500], packing, volume) == 0


def test_the_bound_is_below_the_exact_value_on_the_line():
    for ratio, scale in ((0.5, 40.0), (0.3, 60.0)):
        found = pm.certificates.survival(1, ratio, scale, 60 * scale, 40, 1, 11)
        exact = pm.theory.fussy_line(ratio).u
        assert found.error_probability < 0.5 and 0.5 * exact < found.lower_bound < exact


def test_a_run_that_was_stopped_goes_on(tmp_path, monkeypatch):
    whole = pm.certificates.survival(**SMALL, file=tmp_path / "a.json")
    drawn = []
    original = boxes.count
    monkeypatch.setattr(
        sys.modules["poissonmatch.survival.certificates.survival"],
        "count",
        lambda *a: drawn.append(a[1]) or original(*a),
    )

    def stop(found):
        if len(found.counts) == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        pm.certificates.survival(**SMALL, file=tmp_path / "b.json", progress=stop)
    assert pm.certificates.read(tmp_path / "b.json").counts == whole.counts[:2]
    assert pm.certificates.survival(**SMALL, file=tmp_path / "b.json") == whole and drawn == [0, 1, 2, 3]
    assert (tmp_path / "a.json").read_bytes() == (tmp_path / "b.json").read_bytes()
    with pytest.raises(IntegrityError, match="seed is 3, not 4"):
        pm.certificates.survival(**SMALL | {"seed": 4}, file=tmp_path / "b.json")


def test_a_failure_is_kept(tmp_path):
    file = tmp_path / "a.json"
    found = pm.certificates.survival(**SMALL | {"threshold": 10**6}, file=file)
    assert found.failed and len(found.counts) == 1 and found.error_probability is found.lower_bound is None
    assert pm.certificates.survival(**SMALL | {"threshold": 10**6}, file=file) == found
    assert "nothing is certified" in str(found)


@pytest.mark.slow
@pytest.mark.workflow
def test_workers_change_nothing():
    assert pm.certificates.survival(**SMALL, workers=2) == pm.certificates.survival(**SMALL)


PARTS = [{"ratio": [0.9, 0.902], "intervals": 2, "scale": 5.0, "box": 120.0}]
LINE = {"dim": 1, "boxes": 200, "threshold": 10**4, "seed": 3, "parts": PARTS}


def test_the_intervals_of_the_parts_join_and_a_run_that_was_stopped_goes_on(tmp_path):
    plan = planned("line", LINE)
    assert [one.sample.ratio for one in plan] == [(0.900998, 0.902), (0.9, 0.900998)]
    whole = cover("line", LINE, tmp_path / "a.json")
    assert whole.ranges == [(0.9, 0.902)] and whole.error_probability == pytest.approx(2e-4)
    assert all(one.e_value >= 10**4 > bounds.e_value(one.counts[:-1], 25) for one in whole.certificates)
    first = certificate.Intervals(whole.certificates[:1])
    (tmp_path / "b.json").write_text(json.dumps(first.to_dict()))
    assert cover("line", LINE, tmp_path / "b.json") == whole
    assert (tmp_path / "a.json").read_bytes() == (tmp_path / "b.json").read_bytes()
    with pytest.raises(IntegrityError, match="not ours: other parameters or code"):
        cover("line", LINE | {"seed": 4}, tmp_path / "b.json")
    with pytest.raises(IntegrityError, match="it has several intervals"):
        pm.certificates.survival(**SMALL, file=tmp_path / "b.json")


def test_the_registered_intervals_on_the_line_are_certified(tmp_path):
    done = CliRunner().invoke(app, ["certify", "d1-intervals", "--output", str(file := tmp_path / "d1-intervals.json")])
    assert done.stdout == f"{file}: d = 1: u > 0 for every \u03c1 in [0.9, 1] with error probability 1.0e-05\n"
    assert done.stderr.count("\n") == 10
    done = CliRunner().invoke(app, ["certify", "--check", str(file)])
    assert "drawn again: 37 of 145" in done.stdout and "not registered" not in done.stdout and done.exit_code == 5


def test_an_interval_that_is_too_wide_says_what_would_do():
    one = pm.certificates.survival(2, (0.3, 0.5), 4.0, 40.0, 5, 100, 1)
    assert one.failed and len(one.counts) == 1 and one.e_value == 0
    assert str(one).endswith("the e-value is 0 after 1 boxes; choose a narrower interval or a larger box")


def test_the_message_names_what_a_changed_count_contradicts_in_any_layout(tmp_path):
    file = tmp_path / "a.json"
    found = pm.certificates.survival(**SMALL, file=file)
    data = json.loads(file.read_text())
    file.write_text(json.dumps(data))
    assert pm.certificates.read(file) == found
    data["counts"][1] += 1
    file.write_text(json.dumps(data))
    done = CliRunner().invoke(app, ["certify", "--check", str(file)])
    expected = rf"a\.json: damaged: lower_bound is {found.lower_bound!r}, and 0\.\d+ follows from the rest$"
    assert re.search(expected, str(done.exception))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"box": 44.0}, "box must be at least 9 scale = 45"),
        ({"ratio": (0.5, 0.6), "box": 24.0}, "box must be at least 5 scale = 25"),
        ({"ratio": (0.5, 0.6), "box": 4e6}, r"must have at most 4e\+06 points: choose a smaller box"),
        ({"ratio": (0.6, 0.6)}, "must be a pair of numbers, the smaller first, got 0.6 and 0.6"),
        ({"ratio": (0.6, 0.7, 0.8)}, "ratio must be a number in"),
        ({"ratio": 0}, "ratio must be a number in"),
        ({"ratio": 1.5}, "ratio must be a number in"),
        ({"dim": 4}, "dim must be a whole number from 1 to 3"),
        ({"threshold": 0}, "threshold must be a whole number from 1"),
        ({"boxes": 0}, "boxes must be a whole number from 1"),
        ({"scale": math.nan}, "scale must be a positive number"),
        ({"workers": 0}, "workers must be a whole number from 1"),
    ],
)
def test_what_is_refused(change, words):
    with pytest.raises(BadInput, match=words):
        pm.certificates.survival(**SMALL | change)


def test_memory_is_checked_before_anything_is_drawn(monkeypatch):
    module = sys.modules["poissonmatch.survival.certificates.survival"]
    monkeypatch.setattr(module, "available_memory", lambda: 54e6)
    with pytest.raises(MemoryError, match=r"in 1 tiles of side 3e\+05, need about .* 1 tiles of side 1\.2e\+05 fit"):
        pm.certificates.survival(**SMALL | {"box": 3e5})
    monkeypatch.setattr(module, "available_memory", lambda: 20e9)
    with pytest.raises(
        MemoryError, match=r"1 boxes of side 200000 at a time, in \d{10} tiles of side 145, need about 1\d\d PB"
    ):
        pm.certificates.survival(3, 0.3, 1000.0, 200000.0, 3, 10, 1)


@pytest.mark.slow
def test_memory_of_what_is_left_of_the_tiles_is_no_less_than_it_takes(monkeypatch):
    """Of the points that are not certain within a tile, as they are drawn."""
    needed = []
    module = sys.modules["poissonmatch.survival.certificates.survival"]
    monkeypatch.setattr(module, "available_memory", lambda: 0)
    monkeypatch.setattr(module, "size_words", lambda size: needed.append(size) or "")
    monkeypatch.setattr(boxes, "MAX_POINTS", 40_000)
    for dim, scale, box in ((2, 30.0, 500.0), (3, 5.0, 90.0)):
        sample = boxes.Boxes(dim, 0.1, scale, box, 1)
        with pytest.raises(MemoryError):
            module._require_memory(sample, 100)
        left = [len(part.places) for part in boxes._uncertain(sample, 0)]
        tile = 250 * 1.1 * (box / sample.tiles) ** dim
        assert sample.tiles > 2 and 250 * sum(left) < needed[-2] / 100 - tile < 2 * 250 * sum(left)


def test_what_is_registered_in_the_plane_fits_into_four_gigabytes(monkeypatch):
    module = sys.modules["poissonmatch.survival.certificates.survival"]
    monkeypatch.setattr(module, "available_memory", lambda: 4e9)
    registered = yamlfile.read(Path(__file__).parents[2] / "config" / "certificates.yaml").data.items()
    plane = [planned(name, entry) for name, entry in registered if entry["dim"] == 2]
    assert len(plane) >= 5
    for part in itertools.chain(*plane):
        module._require_memory(part.sample, 1)
