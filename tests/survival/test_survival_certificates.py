"""Certificates of survival: counts, bounds, files, and the check that shares no code with the engine."""

import json
import math
import re
import sys
from dataclasses import asdict, replace
from fractions import Fraction

import numpy as np
import pytest
from typer.testing import CliRunner

import poissonmatch as pm
from helpers.checkout import ROOT
from helpers.refusals import refusal
from helpers.tables import tables
from poissonmatch.cli.main import app
from poissonmatch.studies.study_files import yamlfile
from poissonmatch.survival.certificates import bounds, boxes, certificate, independent_check
from poissonmatch.survival.certificates.certificate_files import read
from poissonmatch.survival.certificates.cover import planned
from poissonmatch.survival.certificates.survival import cover
from poissonmatch.theory import lipschitz
from poissonmatch.utils.errors import IntegrityError

module = sys.modules["poissonmatch.survival.certificates.survival"]  # pm.certificates.survival is its function
TABLES = tables(__file__, "certificates.toml")
SMALL = TABLES["small"]


PARAMETERS = TABLES["boxes"]  # dimension, ratio, scale and side of a box


@pytest.mark.parametrize("parameters", PARAMETERS)
@pytest.mark.parametrize("tiles", [1, 2, 3])
def test_the_independent_check_counts_the_same(parameters, tiles, monkeypatch):
    dim, ratio, _, box = parameters
    monkeypatch.setattr(boxes, "MAX_POINTS", (box / (tiles - 0.01)) ** dim * (1 + ratio))
    sample = boxes.Boxes(*parameters, seed=7)
    assert sample.tiles == tiles
    for number in range(3):
        found = asdict(sample) | {"tiles": tiles, "margin": 4}
        del found["name"]
        assert boxes.count(sample, number) == independent_check.difference(found, number)


@pytest.mark.parametrize("parameters", PARAMETERS)
def test_the_independent_check_counts_the_same_for_a_cover(parameters):
    """The points depend on the name and the ratio, the window on the margin."""
    counts = []
    for name, margin, change in (("a", 2.0, 0.0), ("a", 1.5, 0.0), ("another", 2.0, 0.0), ("a", 2.0, 1e-9)):
        dim, ratio, scale, box = parameters
        sample = boxes.Boxes(dim, ratio + change, scale, box, 7, name, margin)
        counts.append([boxes.count(sample, number) for number in range(6)])
        assert counts[-1] == [independent_check.difference(asdict(sample), number) for number in range(6)]
    assert len({tuple(row) for row in counts}) == 4


def test_tiles_change_no_partner_of_the_whole_box(monkeypatch):
    """What is removed in tiles are pairs of the matching of the whole box."""
    monkeypatch.setattr(boxes, "MAX_POINTS", 700)
    sample = boxes.Boxes(2, 0.5, 3.0, 60.0, 5)
    drawn = [boxes.tile_points(sample, 0, tile) for tile in range(sample.tiles**2)]
    places, red = (np.concatenate(part) for part in zip(*drawn, strict=True))
    whole = pm.match(pm.Pattern(places, red.astype(int), pm.Euclidean(2)), "fussy").distance
    rest, reds = (np.concatenate(part) for part in zip(*boxes._uncertain(sample, 0), strict=True))
    alone = pm.match(pm.Pattern(rest, reds.astype(int), pm.Euclidean(2)), "fussy").distance
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
    alpha, counts, packing, volume = Fraction(1, 20), [5, 7, 9], 10, Fraction(1000)
    found = bounds.lower_bound(counts, packing, volume, alpha)
    assert found == pytest.approx(max(0, ((15 * 17 * 19 / 20) ** (1 / 3) - 10) / 1000), abs=1e-12)
    counts = [50] * 30
    found = bounds.lower_bound(counts, packing, volume, alpha)
    assert found == pytest.approx((60 / 20 ** (1 / 30) - 10) / 1000, rel=1e-9) and found < 0.05
    assert bounds.e_value(counts, packing, Fraction(found) * volume) >= 20
    assert bounds.e_value(counts, packing, Fraction(found * (1 + 1e-9)) * volume) < 20
    assert bounds.lower_bound([-10, 500], packing, volume, alpha) == 0
    assert bounds.e_value([-50, 5], 10, Fraction(2)) == 0 and bounds.e_value([2, 14], 10, Fraction(2)) == 2


def test_the_bound_is_below_the_exact_value_on_the_line():
    for ratio, scale in ((0.5, 40.0), (0.3, 60.0)):
        found = pm.certificates.survival(1, ratio, scale, 60 * scale, 40, 1, 11)
        exact = pm.theory.fussy_line(ratio).u
        assert found.error_probability < 0.5 and 0.5 * exact < found.lower_bound < exact


def test_a_run_that_was_stopped_goes_on(tmp_path, monkeypatch):
    whole = pm.certificates.survival(**SMALL, file=tmp_path / "a.json")
    drawn = []
    original = boxes.count
    monkeypatch.setattr(module, "count", lambda *a: drawn.append(a[1]) or original(*a))

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


PARTS = TABLES["line"]["parts"][:2]
LINE = TABLES["line"] | {"threshold": 10**4, "parts": PARTS}


def test_the_intervals_of_a_cover_join_and_a_run_that_was_stopped_goes_on(tmp_path):
    plan = planned("line", LINE)
    assert [one.interval for one in plan] == [(0.923650127, 0.95), (0.9, 0.923650127), (0.88, 0.9)]
    whole = cover("line", LINE, tmp_path / "a.json")
    assert whole.ranges == [(0.88, 0.95)] and whole.error_probability == pytest.approx(3e-4)
    assert str(whole) == (
        "d = 1: u > 0 for every \u03c1 in [0.88, 0.95] with error probability 3.0e-04; 3 of 3 registered intervals"
    )
    for one in whole.done:
        loss = one.volume * Fraction(one.loss)
        assert bounds.e_value(one.counts, one.packing_bound, loss) >= 10**4
        assert bounds.e_value(one.counts[:-1], one.packing_bound, loss) < 10**4
        assert one.covers == one.interval and one.counts == tuple(
            boxes.count(one.sample, number) for number in range(len(one.counts))
        )
    part = replace(whole.done[1], counts=whole.done[1].counts[:2], code="other")
    (tmp_path / "b.json").write_text(json.dumps(replace(whole, done=(whole.done[0], part)).to_dict()))
    assert "[0.923650127, 0.95]" in str(read(tmp_path / "b.json")) and "1 of 3" in str(read(tmp_path / "b.json"))
    assert cover("line", LINE, tmp_path / "b.json") == whole
    assert (tmp_path / "a.json").read_bytes() == (tmp_path / "b.json").read_bytes()
    with pytest.raises(IntegrityError, match="not ours: it has another design"):
        cover("line", LINE | {"seed": 4}, tmp_path / "b.json")
    with pytest.raises(IntegrityError, match="it has several intervals"):
        pm.certificates.survival(**SMALL, file=tmp_path / "b.json")


def test_an_interval_that_fails_leaves_a_gap(tmp_path):
    found = cover("line", LINE | {"boxes": 9}, tmp_path / "a.json")
    failed = [one for one in found.done if one.failed]
    assert failed and all(len(one.counts) == 9 and one.covers is None for one in failed)
    assert failed[0].shortfall.endswith("after 9 boxes; choose more intervals or a larger box")
    assert len(found.done) == 3 and read(tmp_path / "a.json") == found
    no_survivors = replace(failed[0], counts=(-failed[0].packing_bound,))  # no later box can change the product
    assert no_survivors.e_value == 0 and no_survivors.failed and no_survivors.covers is None


def test_a_single_certificate_covers_an_interval_with_its_error_probability():
    """At the ends the product of all (D + B)/(|Q| loss + B) is one over the error probability."""
    found = pm.certificates.survival(1, 0.5, 40.0, 2400.0, 30, 20, 11)
    low, high = found.covers
    assert 0 < low < 0.5 < high
    for end in (low, high):
        loss = lipschitz.loss(0.5, (min(end, 0.5), max(end, 0.5)))
        product = bounds.e_value(found.counts, found.packing_bound, found.volume * loss)
        assert (
            float(product * Fraction(found.error_probability)) == pytest.approx(1, abs=1e-6)
            and product * Fraction(found.error_probability) >= 1
        )
    assert pm.certificates.survival(1, 0.5, 40.0, 2400.0, 30, 2000, 11).covers is None


@pytest.mark.slow
def test_the_lower_bound_of_an_interval_certificate_has_its_confidence():
    """Lower bounds of rho u on the line with alpha = .2, after any number of boxes, are above it in at most .2 of 300 runs."""
    rng, ratio, truth = np.random.default_rng(1), 0.9, 0.9 * pm.theory.fussy_line(0.9).u
    sample = boxes.Boxes(1, ratio, 3.0, 24.0, 5, "confidence", 2.0)
    counts = [boxes.count(sample, number) for number in range(2000)]
    packing, wrong = bounds.packing_bound(1, sample.window, 3.0), 0
    for _ in range(300):
        drawn = rng.choice(counts, 40).tolist()
        found = [bounds.lower_bound(drawn[:n], packing, Fraction(sample.window), Fraction(1, 5)) for n in range(1, 41)]
        wrong += max(found) > truth
    assert wrong <= 60


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


@pytest.mark.parametrize("change, words", TABLES["refused_designs"])
def test_designs_that_are_refused(tmp_path, change, words):
    """A change of the design, or of its first part, without the second one."""
    design = change if "part" not in change else {"parts": [PARTS[0] | change["part"]]}
    assert words in refusal(cover, "line", LINE | design, tmp_path / "a.json")


def test_memory_is_checked_before_anything_is_drawn(monkeypatch):
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
    monkeypatch.setattr(module, "available_memory", lambda: 4e9)
    registered = yamlfile.read(ROOT / "config/certificates.yaml").data.items()
    for name, entry in registered:
        if entry["dim"] == 2:
            plan = planned(name, entry) if "parts" in entry else [certificate.checked(**entry)]
            assert [module._require_memory(one.sample, 1) for one in plan] == [None] * len(plan)
