"""The observable `octaves`: which points are followed, its estimates on the line, and its own random numbers."""

import math

import numpy as np
import pytest

import poissonmatch as pm
from helpers.measured import numbers
from helpers.runs import cells_of, problems, run_study, write_study
from helpers.sweeps import swept
from poissonmatch.studies.statistics import observables
from poissonmatch.survival import octaves

STUDY = (
    "studies:\n  a: {{process: two_color, rule: {rule}, dims: {dims}, sizes: {sizes}, ratios: 0.5, replicates: {replicates}, "
    "observables: [octaves]{more}}}\n"
)
USUAL = dict(rule="fussy", dims="2", sizes="2000", replicates=2, more="")


def cell_of(tmp_path, **more):
    (cell,) = cells_of(write_study(tmp_path, STUDY.format(**{**USUAL, **more})))
    return cell


@pytest.mark.parametrize("dim", [1, 2])
def test_the_survivors_that_are_followed(tmp_path, monkeypatch, dim):
    """Points with X > r, at which V = 9.6; a red one is known if a red y has X(y) > |xy| and |xy| <= r, by all pairs."""
    found = {}
    monkeypatch.setattr(octaves, "followed", lambda pool, *rest: found.update(pool=pool, rest=rest) or (-1.5, []))
    cell = cell_of(tmp_path, dims=dim)
    matching = observables.matched(cell, 0)
    pattern = matching.pattern
    assert numbers("octaves", matching, cell, np.random.default_rng(1)) == {("log_inverse_octaves", None): (1.5, 1.0)}
    pool, r = found["pool"], 9.6 / 2 if dim == 1 else math.sqrt(9.6 / math.pi)
    left = np.flatnonzero(matching.distance > r)
    assert len(left) > 50 and np.allclose(pool.points * r, pattern.points[left])
    known = [
        pattern.colors[x] == 1
        and any(
            y != x
            and pattern.colors[y] == 1
            and pattern.distance(x, y) <= r
            and matching.distance[y] > pattern.distance(x, y)
            for y in range(len(pattern))
        )
        for x in left
    ]
    assert pool.known.tolist() == known and 5 < sum(known) < len(known)
    assert pool.side == pytest.approx(cell.side / r) and pool.volume == pytest.approx(9.6)
    assert found["rest"][:2] == (0.5, 125.0)


def test_on_the_line(tmp_path):
    """Within 3.5 standard errors of the exact value, and 0.05 for seams, few survivors, and the end at a green for 100 reds."""
    keys = "process: two_color, rule: fussy, dims: 1, sizes: 40000, ratios: [0.2, 0.5], replicates: 12, seed: 4"
    rows = swept(f"{keys}, observables: octaves").estimates
    found = rows[rows["quantity"] == "log_inverse_octaves"]
    exact = [-math.log(pm.theory.fussy_line(rho).u) for rho in (0.2, 0.5)]
    assert found["exact"].tolist() == pytest.approx(exact) and found["color"].tolist() == [1, 1]
    assert (abs(found["value"] - exact) < 3.5 * found["standard_error"] + 0.05).all()
    assert (found["standard_error"] < 0.1).all() and (found["n_replicates"] == 12).all()


def test_random_numbers_are_those_of_the_replicate(tmp_path):
    """The same again, and others in another replicate; not those of which the points are drawn."""
    cell = cell_of(tmp_path, dims="1")
    one, again, other = (observables.measure(cell, k)["ratios"]["numerator"][-1].as_py() for k in (0, 0, 1))
    assert one == again != other and one > 0 < other
    assert (cell.stream(0).random(4) != cell.stream(0).spawn(1)[0].random(4)).all()


def test_a_torus_with_too_few_survivors_has_no_row(tmp_path):
    """The rows of its replicates are 0 over 0, which verify accepts; any other number over 0 is reported."""
    folder = run_study(write_study(tmp_path, STUDY.format(**{**USUAL, "sizes": "60"})), tmp_path)
    rows = pm.load(folder / "ratios.parquet")
    assert (rows[["numerator", "denominator"]] == 0).all(axis=None) and len(rows) == 2
    assert "log_inverse_octaves" not in set(pm.load(folder / "estimates.parquet")["quantity"])
    assert problems(folder) == []
