"""The fussy matching on the line: published values, what is proved of it, and a second solver that shares no code."""

import math
import re
from fractions import Fraction

import numpy as np
import pytest

from helpers import line_on_nodes
from helpers.sources import text_of
from helpers.tables import tables
from poissonmatch import theory
from poissonmatch.theory.fussy_line import LEVELS, MAX_RHO, MIN_RHO, SERIES, fussy_curve, survivors

RHO = (0.2, 0.7, 1, 1.5, 10, 100)


@pytest.mark.slow
@pytest.mark.long
def test_the_ends_of_the_range():
    low, high = theory.fussy_line(0.001), theory.fussy_line(100)
    assert 1e-35 < low.u < 1e-34 and max(low.error, high.error) < 1e-6
    assert 2.45 < math.sqrt(0.001) * math.log(1 / low.u) < 2.712  # on its way up to C_1 = 2.7118
    assert (
        99 < 100 * high.u < 99 + 1 / 100
    )  # nearly all greens take a red: a green sees others at 1 / 100 the rate of reds


@pytest.mark.slow
def test_the_table_of_the_docs():
    rows = re.findall(
        r"^\| ([\d.]+) \| ([\d.e-]+) \| ([\d.e]+) \|$", text_of("docs/definitions-and-exact-values.md"), re.M
    )
    assert len(rows) == 7
    for rho, u, crossing in rows:
        line = theory.fussy_line(float(rho))
        assert line.u == pytest.approx(float(u), rel=2e-6) and line.crossing == pytest.approx(float(crossing), rel=1e-5)


@pytest.mark.parametrize("rho", RHO)
def test_what_is_proved_of_the_line(rho):
    """Flip identity: X of a green has the law of the minimum of X of a red and another distance. G - R falls; R ends at rho u."""
    line = theory.fussy_line(rho)
    assert line.error < 1e-6 and line.r[0] == 0 and line.green[0] == line.red[0] == 1 and (np.diff(line.r) > 0).all()
    assert (line.green[1:] < line.red[1:]).all()
    surplus = rho * line.red - line.green
    assert (np.diff(surplus) > -1e-9 * rho).all() and surplus[-1] == pytest.approx(rho * line.u, rel=1e-6)
    assert (
        (np.diff(line.green) < 0).all()
        and (np.diff(line.red) < 0).all()
        and line.red[-1] > line.u > max(0, 1 - 1 / rho)
    )
    # the nearest points within r, of either color: 2 (1 + rho) r for a green, 2 r for a red
    np.testing.assert_allclose(-np.log([line.green[1], line.red[1]]) / line.r[1], [2 + 2 * rho, 2], rtol=0.1)


@pytest.mark.parametrize("rho", [pytest.param(0.1, marks=pytest.mark.slow), 1, 5])
def test_the_identity(rho):
    """rho u = (1 + rho) exp(-2 int_0^inf W_GG dr), the integral being taken beside the flow; an octave longer than u needs."""
    *_, octaves = survivors(rho, 100)
    ratios = []
    for steps in (100, 200, 400):
        _, green, red, contacts, _ = survivors(rho, steps, octaves + 1)
        ratios.append(math.log((1 + rho) / (red[-1] - green[-1])) - 2 * contacts.sum())
    first, second = (fine + (fine - coarse) / 3 for coarse, fine in zip(ratios, ratios[1:], strict=False))
    assert abs(ratios[-1]) < 1e-3 and abs(second + (second - first) / 7) < 1e-5


@pytest.mark.slow
@pytest.mark.long
def test_dispersion_tends_to_a_constant():
    found = [theory.fussy_dispersion(rho) for rho in (0.01, 0.003, 0.001)]
    assert found == sorted(found) and found[-1] == pytest.approx(3.588, abs=5e-3)
    assert theory.fussy_dispersion(0.001, fixed=True) == pytest.approx(3.588, abs=5e-3)


@pytest.mark.parametrize("rho, crosses", [(0.2, True), (0.7, True), (1, False), (10, False)])
def test_crossing(rho, crosses):
    """As many reds as greens are left; from the beginning where there are at least as many."""
    line = theory.fussy_line(rho)
    assert (line.crossing > 0) == crosses
    if crosses:
        assert rho * line.tail(line.crossing, 1) == pytest.approx(line.tail(line.crossing, 0), rel=1e-5)


@pytest.mark.parametrize("color", [0, 1])
@pytest.mark.parametrize("rho", [0.2, 10])
def test_tail_at_any_r(rho, color):
    line = theory.fussy_line(rho)
    known, end = (line.green, line.red)[color], line.r[-1]
    np.testing.assert_allclose(line.tail(line.r, color), known, rtol=1e-12)
    everywhere = line.tail(np.concatenate([[0], np.geomspace(1e-9 * end, 100 * end, 20_000)]), color)
    assert (np.diff(everywhere) <= 0).all() and everywhere[0] == 1
    assert line.tail(np.ones((2, 3)), color).shape == (2, 3)


def test_greens_die_out_beyond_the_last_radius():
    """The continuation against the flow itself, run an octave longer."""
    line = theory.fussy_line(1)
    *_, octaves = survivors(1, LEVELS[0])
    r, green, _, _, _ = survivors(1, 400, octaves + 1)
    place = np.searchsorted(r, 1.25 * line.r[-1])
    assert line.tail(r[place], 0) == pytest.approx(green[place], rel=0.1) and green[place] < 1e-9
    assert line.tail(r[place], 1) - line.u == pytest.approx(line.tail(r[place], 0), rel=0.01)


def test_a_line_is_solved_once():
    line = theory.fussy_line(0.2)
    assert all(theory.fussy_line(same) is line for same in (0.2, np.float64(0.2)))
    assert theory.fussy_line(Fraction(10)) is theory.fussy_line(np.int64(10)) is theory.fussy_line(10.0)


@pytest.mark.slow
@pytest.mark.parametrize("rho", [0.012, 0.1, 0.2, 0.8, 1, 3, 47, 100])
def test_the_series_is_that_of_the_solver(rho):
    assert fussy_curve([rho])[0] == pytest.approx(theory.fussy_line(rho).u, rel=2e-7)


@pytest.mark.slow
def test_the_series_is_found_again():
    """Chebyshev's polynomials through the solver at as many nodes; what they leave out is of the size of the solver's error."""
    low, high = math.log(MIN_RHO), math.log(MAX_RHO)

    def logarithm(x):
        return np.array(
            [math.log(-math.log(theory.fussy_line(math.exp(y)).u)) for y in (low + (high - low) * (x + 1) / 2)]
        )

    again = np.polynomial.chebyshev.chebinterpolate(logarithm, len(SERIES) - 1)
    np.testing.assert_allclose(again, SERIES, atol=2e-10)


def test_u_at_many_rho():
    many = np.geomspace(MIN_RHO, MAX_RHO, 500)
    assert (np.diff(fussy_curve(many)) > 0).all()  # u is increasing everywhere
    assert fussy_curve([]).shape == (0,)


@pytest.mark.slow
@pytest.mark.parametrize("rho, h, end, last", tables(__file__)["nodes"])
def test_a_second_solver_on_plain_nodes(rho, h, end, last):
    green, red, left, _ = line_on_nodes.extrapolated(rho, h, end)
    line = theory.fussy_line(rho)
    r = h * np.arange(len(green))
    np.testing.assert_allclose(line.tail(r, 0), np.exp(green), rtol=0, atol=5e-6)
    np.testing.assert_allclose(line.tail(r, 1), np.exp(red) / rho, rtol=0, atol=5e-6)
    if last:
        assert left[-1] - math.log(rho) == pytest.approx(math.log(line.u), abs=1e-6)
