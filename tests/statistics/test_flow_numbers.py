"""The flow of a fussy matching from literal numbers of survivors: values, influences, and which rows there are."""

import math

import numpy as np
import pandas as pd
import pytest

from poissonmatch.statistics import flow, intervals
from poissonmatch.statistics.estimators import Sample

GREENS = np.array([[100.0, 80, 60, 40, 20], [100, 70, 50, 30, 10]])  # with X >= 10^(k / 20), k = 0, 1, ..., on two tori
REDS = np.array([[60.0, 50, 42, 35, 25], [40, 34, 28, 22, 15]])
STEP = 10**0.2  # of V from bin to bin in d = 4
UNIT = math.pi**2 / 4  # V at r = 1: the ball of volume pi^2 / 2, half of whose points are green


def sample_of(side=100.0, red=(60, 40), green=(100, 100), rule="fussy", dim=4.0):
    columns = {
        "study": "s", "cell": "c", "process": "binomial", "rule": rule, "dim": dim, "geometry": "torus", "size": 200.0,
        "volume": 200.0, "side": side, "intensity_0": 0.5, "intensity_1": 0.25, "replicate": range(2),
        "points_0": green, "points_1": red, "unmatched_0": 0, "unmatched_1": 0,
    }  # fmt: skip
    return Sample(pd.DataFrame(columns, index=range(2)))


def distances(above, first=0):
    """Return rows of the table `distances` from points (2, k) with X >= r of both colors: greens, then reds."""
    rows = []
    for color, survivors in enumerate(above):
        for replicate, line in enumerate(survivors):
            for k, count in enumerate(line - np.append(line[1:], 0)):
                rows.append((replicate, color, first + k, 10 ** ((first + k) / 20), count))
    return pd.DataFrame(rows, columns=["replicate", "color", "bin", "r", "count"])


def flow_of(greens=GREENS, reds=REDS, first=0, **more):
    sample = sample_of(green=greens[:, 0], red=reds[:, 0], **more)
    return {e.quantity: e for e in flow._flow(sample, distances((greens, reds), first))}


def test_values_at_each_bin():
    found = flow_of()
    eps = np.array([100 / 200, 84 / 150, 70 / 110, 57 / 70, 40 / 30])
    volume = UNIT * STEP ** np.arange(5)
    assert found["red_green_ratio"].x == pytest.approx(volume) and found["red_green_ratio"].value == pytest.approx(eps)
    assert found["ratio_excess"].x == pytest.approx(volume) and found["ratio_excess"].value == pytest.approx(eps - 0.5)
    assert found["red_surplus"].x == pytest.approx(volume)
    assert found["red_surplus"].value == pytest.approx([-1, -0.66, -0.4, -0.13, 0.1])
    slope = np.log(eps[2:] / eps[:-2]) / (2 * math.log(STEP))
    assert found["ratio_slope"].x == pytest.approx(volume[1:-1]) and found["ratio_slope"].value == pytest.approx(slope)
    assert found["collapse"].x == pytest.approx(volume[1:-1])
    assert found["collapse"].value == pytest.approx(slope**2 / (eps[1:-1] - 0.5))


def values(weights):
    """Return the five quantities at bin 2 from sums over tori with these weights."""
    greens, reds = (weights @ above for above in (GREENS, REDS))
    eps, rho = reds / greens, reds[0] / greens[0]
    slope = math.log(eps[3] / eps[1]) / (2 * math.log(STEP))
    return np.array([(reds[2] - greens[2]) / reds[0], eps[2], eps[2] - rho, slope, slope**2 / (eps[2] - rho)])


def test_influences_are_derivatives_by_the_weight_of_a_torus():
    found, h = flow_of(), 1e-6
    for torus in range(2):
        shift = h * np.eye(2)[torus]
        derivative = 2 * (values(1 + shift) - values(1 - shift)) / (2 * h)
        for name, expected, k in zip(found, derivative, (2, 2, 2, 1, 1), strict=True):
            assert found[name].influence[torus, k] == pytest.approx(expected, rel=1e-6)


def test_intervals_of_positive_numbers_are_those_of_logarithms():
    found = flow_of()
    for name in ("red_green_ratio", "collapse"):
        expected = intervals.of_positive(found[name].value, found[name].error, 2)
        assert np.allclose(found[name].ends, expected, rtol=1e-12)
    assert found["ratio_excess"].ends is None and found["ratio_slope"].ends is None


def test_bounds_at_the_cutoff():
    """R = 57, G = 70 of 100 reds at the last bin below the cutoff; by weights 1, 1 of the tori."""
    sample = sample_of(side=8.001 * 10**0.15, green=GREENS[:, 0], red=REDS[:, 0])
    low, high = flow.bounds(sample, distances((GREENS, REDS)))
    assert low.x == high.x == pytest.approx(10**0.15)
    assert (low.quantity, high.quantity, high.color) == ("red_surplus", "tail", 1)
    assert low.value == pytest.approx(-0.13) and high.value == pytest.approx(0.57)
    assert low.influence[:, 0] == pytest.approx(2 * np.array([35 - 40 + 0.13 * 60, 22 - 30 + 0.13 * 40]) / 100)
    assert high.influence[:, 0] == pytest.approx(2 * np.array([35 - 0.57 * 60, 22 - 0.57 * 40]) / 100)
    assert flow.bounds(sample_of(side=7.9), distances((GREENS, REDS))) is None
    (first, _), (second, _) = (flow.bounds(sample_of(side=8 * r), distances((GREENS, REDS))) for r in (1.0, 10**0.05))
    assert first.x == 1.0 and second.x == 10**0.05  # the cutoff itself is included
    assert flow.bounds(sample_of(), distances((GREENS, REDS))[:0]) is None


def test_rows_need_16_points_of_each_color():
    few = np.array([[60.0, 50, 42, 8, 7], [40, 34, 28, 8, 8]])
    assert flow_of(reds=few)["red_green_ratio"].x == pytest.approx(UNIT * STEP ** np.arange(4))
    assert flow_of(greens=few)["red_green_ratio"].x == pytest.approx(UNIT * STEP ** np.arange(4))


def test_rows_end_at_the_cutoff_and_begin_at_an_eighth_of_a_green():
    """The cutoff is side / 8. V is .125 at r = .4744, between bins -7 and -6."""
    assert flow_of(side=8.001 * 10**0.1)["red_green_ratio"].x == pytest.approx(UNIT * STEP ** np.arange(3))
    assert flow_of(side=8.0)["red_green_ratio"].x == pytest.approx([UNIT])  # the cutoff itself is included
    assert flow_of(first=-8)["red_green_ratio"].x == pytest.approx(UNIT * STEP ** np.arange(-6, -3))


def test_the_smallest_volume_itself_has_a_row(monkeypatch):
    volume = flow_of()["red_green_ratio"].x
    monkeypatch.setattr(flow, "MIN_VOLUME", float(volume[1]))
    assert flow_of()["red_green_ratio"].x.tolist() == volume[1:].tolist()


def test_both_colors_are_counted_at_the_same_bins():
    """The first red pair is two bins after the first green one, and the last red one a bin before the last green one."""
    reds = np.array([[60.0, 60, 60, 45, 30], [40, 40, 40, 30, 20]])
    greens = np.column_stack([GREENS[:, :3], [30, 30], [20, 20]])
    rows = distances((greens, reds))
    rows = rows[(rows["count"] > 0) & ~((rows["color"] == 1) & (rows["bin"] == 4))]
    (eps,) = (e for e in flow._flow(sample_of(), rows) if e.quantity == "red_green_ratio")
    assert eps.value == pytest.approx([100 / 200, 100 / 150, 100 / 110, 75 / 60, 50 / 40])


def test_slopes_in_two_dimensions_are_over_four_bins():
    """V grows by 10^.1 from bin to bin; four bins have no slope, five have one."""
    found = flow_of(dim=2.0)
    assert found["ratio_slope"].value == pytest.approx([math.log((40 / 30) / (100 / 200)) / (0.4 * math.log(10))])
    assert (
        found["ratio_slope"].x == pytest.approx([math.pi / 2 * 10**0.2])
        and found["collapse"].x == found["ratio_slope"].x
    )
    assert {*flow_of(GREENS[:, :4], REDS[:, :4], dim=2.0)} == {"red_green_ratio", "ratio_excess", "red_surplus"}


def test_there_is_no_flow_without_rows():
    assert flow_of(side=7.9) == {}
    assert list(flow._flow(sample_of(), distances((GREENS, REDS))[:0])) == []
    assert {*flow_of(side=8.001 * 10**0.05)} == {
        "red_green_ratio",
        "ratio_excess",
        "red_surplus",
    }  # two bins have no slope
    assert flow_of(side=8.001 * 10**0.1)["ratio_slope"].x == pytest.approx([UNIT * STEP])  # three have one


def test_a_collapse_has_a_row_if_eps_rises_above_rho_and_its_relative_error_is_at_most_a_half(monkeypatch):
    falling = np.array([[60.0, 45, 30, 20, 10], [40, 30, 20, 10, 7]])
    assert len(flow_of(reds=falling)["ratio_slope"].x) == 3 and len(flow_of(reds=falling)["collapse"].x) == 0
    found = flow_of()["collapse"]
    relative = found.error / found.value
    assert len(found.x) == 3 and len(set(relative.round(9))) == 3 and relative.max() <= flow.MAX_ERROR
    assert flow.MAX_ERROR == 0.5
    monkeypatch.setattr(flow, "MAX_ERROR", np.sort(relative)[1] * (1 + 1e-9))
    assert flow_of()["collapse"].x == pytest.approx(
        found.x[np.argsort(relative)[:2]][np.argsort(np.argsort(relative)[:2])]
    )


@pytest.mark.parametrize(
    "reds", [[100, 84, 55, 57, 40], [100, 75, 70, 35, 40]], ids=["eps is rho at bin 2", "flat at bin 2"]
)
def test_a_collapse_of_0_or_over_0_has_no_row(reds):
    found = flow_of(reds=np.array([reds, reds]) / 2)
    assert UNIT * STEP**2 in [pytest.approx(x) for x in found["ratio_slope"].x]
    assert UNIT * STEP**2 not in [pytest.approx(x) for x in found["collapse"].x]


@pytest.mark.parametrize(("dim", "bins"), [(1, 3), (2, 2), (3, 1), (4, 1), (math.inf, 3)])
def test_slopes_of_the_flow_are_over_about_a_factor_of_two(dim, bins):
    assert flow.window(dim) == bins


def test_the_reference_color_is_red():
    """Color 1 for fussy, and for rules without one."""
    assert flow.green_and_red(sample_of()) == (0, 1) == flow.green_and_red(sample_of(rule="two-color"))
    assert flow.volumes(sample_of(), np.array([1.0, 2.0])) == pytest.approx([math.pi**2 / 4, 4 * math.pi**2])


def test_only_rules_with_a_reference_color_have_a_flow():
    rows = distances((GREENS, REDS)).assign(order=0)
    for rule, expected in (("fussy", True), ("two-color", False)):
        found = {e.quantity for e in flow.of_distances(sample_of(rule=rule), rows)}
        assert "tail" in found and ("collapse" in found) == expected
