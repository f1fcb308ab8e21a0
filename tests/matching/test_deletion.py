"""The proof of Theorem 7 (ii), on finite sets; and mass transport on cubes, counted point by point."""

import numpy as np
import pytest

import poissonmatch as pm
from helpers import oracles
from poissonmatch.matching.deletion import without_desirers
from poissonmatch.points.mass_transport import mass_transport


@pytest.mark.parametrize("rule", ["one-color", "two-color", "fussy"])
@pytest.mark.parametrize("geometry", [pm.Torus(1.0, 1), pm.Torus(1.0, 2), pm.Euclidean(2), pm.MeanField(1.0)])
def test_the_matching_of_what_is_left_is_the_old_one_restricted(rule, geometry):
    rng = np.random.default_rng(7)
    for n in (1, 2, 3, 8, 21):
        table = np.triu(rng.random((n, n)), 1)
        tables = [table + table.T]
        flat = (
            [rng.random((n, geometry.dim)), rng.integers(0, 4, (n, geometry.dim)) / 4]
            if geometry.dim < np.inf
            else tables
        )
        for points in flat:
            pattern = pm.Pattern(points, rng.integers(0, 2, n), geometry)
            partner, _ = oracles.all_pairs(pattern, pm.RULES[rule])
            wants = oracles.desires(pattern, pm.RULES[rule], partner)
            for x in range(n):
                desirers = np.flatnonzero(wants[:, x]).tolist()  # who would take x at once, or has it
                deletion = without_desirers(pattern, x, rule)
                gone = {z for y in desirers for z in (y, int(partner[y]))} - {x, -1}
                assert deletion.desirers.tolist() == desirers and deletion.deleted.tolist() == sorted(gone)
                kept = [z for z in range(n) if z not in gone]
                old = [kept.index(partner[z]) if partner[z] in kept else -1 for z in kept]
                after, _ = oracles.all_pairs(deletion.rest, pm.RULES[rule])
                assert deletion.remaining.tolist() == kept and deletion.restricted().tolist() == old == after.tolist()
                assert after[kept.index(x)] == -1
                mine = [z for z in kept if z != x]
                assert all(partner[z] in (*mine, -1) for z in mine)  # nobody else lost a partner


@pytest.mark.parametrize(
    "torus, parts",
    [(pm.Torus(3.0, 1), 4), (pm.Torus(3.0, 2), 3), (pm.Torus((3.0, 1.0), 2), 2), (pm.Torus(2.0, 3), 1)],
)
def test_mass_is_counted_cube_by_cube(torus, parts):
    rng = np.random.default_rng(parts)
    pattern = pm.processes.poisson(torus, 9.0, rng=parts)
    source, target = rng.integers(0, len(pattern), (2, 50))
    mass = rng.integers(1, 5, 50)  # whole numbers, so that sums are exact
    transport = mass_transport(pattern, source, target, mass, parts=parts)
    sent, received = np.zeros((2, *(parts,) * torus.dim))
    for x, y, m in zip(source, target, mass, strict=True):
        for table, end in ((sent, x), (received, y)):
            table[tuple(int(parts * c // s) for c, s in zip(pattern.points[end], torus.sides, strict=True))] += m
    assert (transport.sent == sent).all() and (transport.received == received).all()
    assert transport.sent.mean() == transport.received.mean() == mass.sum() / parts**torus.dim


@pytest.mark.slow
@pytest.mark.parametrize("dim", [1, 2, 3])
def test_partners_outside_a_ball(dim):
    """Against balls around many places of a torus; the share falls with the radius."""
    rng = np.random.default_rng(dim)
    pattern = pm.processes.two_color(pm.Torus(8.0, dim), (1.0, 1.0), rng=rng)
    matching, radii = pm.match(pattern, "two-color"), [0.5, 1.0, 2.0]
    amber = np.flatnonzero(pattern.colors == 0)
    shares = pm.mass_transport.partners_outside(pattern, matching.partner, radii, amber)
    assert (np.diff(shares) < 0).all()
    partner = matching.partner[amber]
    for r, share in zip(radii, shares, strict=True):
        inside = outside = 0
        for center in rng.random((3000, dim)) * 8.0:
            here = pattern.geometry.distance(pattern.points[amber], center) <= r
            there = (partner >= 0) & (pattern.geometry.distance(pattern.points[partner], center) <= r)
            inside, outside = inside + here.sum(), outside + (here & ~there).sum()
        assert outside / inside == pytest.approx(share, abs=0.03)
