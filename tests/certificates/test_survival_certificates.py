"""Certificates of survival: counts, bounds, files, and the check that shares no code with the engine."""

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
from poissonmatch.certificates import bounds, boxes, independent_check
from poissonmatch.cli.main import app
from poissonmatch.studies import yamlfile
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
        sys.modules["poissonmatch.certificates.survival"], "count", lambda *a: drawn.append(a[1]) or original(*a)
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


@pytest.mark.workflow
def test_workers_change_nothing():
    assert pm.certificates.survival(**SMALL, workers=2) == pm.certificates.survival(**SMALL)


FORGED = {
    "a count": lambda data: data["counts"].__setitem__(1, data["counts"][1] + 1),
    "all counts": lambda data: data.update(counts=[900] * 4),
    "the seed": lambda data: data.update(seed=4),
    "a window": lambda data: data.update(window=data["window"] + 1),
    "a packing bound": lambda data: data.update(packing_bound=1),
    "the error probability": lambda data: data.update(error_probability=1e-30),
    "the lower bound": lambda data: data.update(lower_bound=0.9),
    "a key": lambda data: data.update(note="x"),
    "a key that is missing": lambda data: data.pop("counts"),
    "a fraction": lambda data: data["counts"].__setitem__(0, 1.5),
    "the ratio": lambda data: data.update(ratio=2.0),
    "a list": lambda data: data.update(dim=[1]),
}


@pytest.mark.parametrize("what", FORGED)
def test_an_edited_certificate_is_refused(tmp_path, what):
    file = tmp_path / "a.json"
    pm.certificates.survival(**SMALL, file=file)
    pm.certificates.check(file, 4)
    data = json.loads(file.read_text())
    FORGED[what](data)
    if "counts" in data and what.endswith(("count", "counts", "seed")):  # with all that follows from it
        honest = pm.certificates.read(file)
        changed = type(honest)(boxes.Boxes(1, 0.8, 5.0, 300.0, data["seed"]), 4, 1, tuple(data["counts"]), honest.code)
        data = changed.to_dict()
    file.write_text(json.dumps(data, indent=1, sort_keys=True) + "\n")
    with pytest.raises(IntegrityError, match=r"a\.json: damaged: ."):
        pm.certificates.check(file, 4)


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
    module = sys.modules["poissonmatch.certificates.survival"]
    monkeypatch.setattr(module, "available_memory", lambda: 54e6)
    with pytest.raises(MemoryError, match=r"in 1 tiles of side 3e\+05, need about .* 1 tiles of side 1\.2e\+05 fit"):
        pm.certificates.survival(**SMALL | {"box": 3e5})
    monkeypatch.setattr(module, "available_memory", lambda: 20e9)
    with pytest.raises(
        MemoryError, match=r"1 boxes of side 200000 at a time, in \d{10} tiles of side 145, need about 1\d\d PB"
    ):
        pm.certificates.survival(3, 0.3, 1000.0, 200000.0, 3, 10, 1)


def test_memory_of_what_is_left_of_the_tiles_is_no_less_than_it_takes(monkeypatch):
    """Of the points that are not certain within a tile, as they are drawn."""
    needed = []
    module = sys.modules["poissonmatch.certificates.survival"]
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
    module = sys.modules["poissonmatch.certificates.survival"]
    monkeypatch.setattr(module, "available_memory", lambda: 4e9)
    registered = yamlfile.read(Path(__file__).parents[2] / "config" / "certificates.yaml").data.items()
    plane = [pm.certificates.planned(name, entry) for name, entry in registered if entry["dim"] == 2]
    assert len(plane) >= 5
    for certificate in (certificate for plan in plane for certificate in plan):
        module._require_memory(certificate.sample, 1)
