"""Literal numbers of the solvers on the line with few steps, which take milliseconds.

They were found by the program. That the limit of many steps is right is tested in test_fussy_line.py and test_fussy_intervals.py.
"""

import importlib
import math
from functools import lru_cache

import numpy as np
import pytest

from poissonmatch.theory import fussy_intervals, response_line
from poissonmatch.utils.errors import BadInput

fussy_line = importlib.import_module("poissonmatch.theory.fussy_line")  # the package has a function of this name


def near(values):
    return pytest.approx(values, rel=1e-9, abs=1e-13, nan_ok=True)


@pytest.fixture
def coarse(monkeypatch):
    """Return the solver with 4, 8 and 16 steps in an octave."""
    for module, name, value in (
        (fussy_line, "LEVELS", (4, 8, 16)), (fussy_line, "FIRST", 8), (fussy_line, "ACCURACY", 0.01), (response_line, "LEVELS", (4, 8, 16)),
    ):  # fmt: skip
        monkeypatch.setattr(module, name, value)
    for module, name in ((fussy_line, "_line"), (response_line, "_curve")):
        monkeypatch.setattr(module, name, lru_cache(getattr(module, name).__wrapped__))
    return fussy_line


# rho: u, error, contact_moment, crossing, and r, green, red of places 1, 9 and the last
LINES = {
    1.0: (0.4183302134699719, 0.0018374607323324854, 1.441841882335174, 0, 25, [0.5, 5, 64],
          [0.2275287416481583, 0.003257449517981492, 5.40555619310237e-12], [0.5818521855950304, 0.4214663504804572, 0.418330211067041]),
    0.2: (0.040238953039104054, 0.0003521485864561263, 96.33089267653283, 12.098055914052788, 45, [0.5, 5, 2048],
          [0.39529088221371195, 0.042110078704162654, 3.8648508287135373e-10], [0.47974506387625127, 0.11956136545891931, 0.040238954910097734]),
    5.0: (0.8238877341676983, 1.7357872105887096e-05, 0.04242040440558451, 0, 25, [0.1, 1, 12.8],
          [0.33022818715576274, 0.0003570407558856805, 5.424875898829256e-17], [0.8850244098904098, 0.8239589856615263, 0.8238877341871406]),
}  # fmt: skip


@pytest.mark.parametrize("rho", LINES)
def test_a_line_of_few_steps(rho, coarse):
    u, error, moment, crossing, n, *curves = LINES[rho]
    line = coarse.fussy_line(rho)
    assert [line.u, line.error, line.contact_moment, line.crossing] == near([u, error, moment, crossing])
    for array, values in zip((line.r, line.green, line.red), curves, strict=True):
        assert array.shape == (n,) and array[[1, 9, -1]].tolist() == near(values) and not array.flags.writeable


@pytest.mark.parametrize(
    ("rho", "green", "red"),
    [
        (1.0, [0.375838173064118, 0.003257449517981492, 1.9632931157187484e-11, 1.0592352439261737e-49],
         [0.6775492648432095, 0.4214663504804572, 0.41833021100524365, 0.4183302134699719]),
        (0.2, [0.5437533552371421, 0.042110078704162654, 0.0019946731949825637, 7.53236236804555e-05],
         [0.6128846689187448, 0.11956136545891931, 0.047636196162736934, 0.04059966965734581]),
    ],
)  # fmt: skip
def test_tails_of_few_steps(rho, green, red, coarse):
    line, r = coarse.fussy_line(rho), [-1, 0, 0.3, 5, 60, 300, np.nan, np.inf]
    found = line.tail(r, 0)
    assert found == near([1, 1, *green, np.nan, 0]) and found[4:6] == pytest.approx(green[2:], rel=1e-9, abs=0)
    assert line.tail(r, 1) == near([1, 1, *red, np.nan, line.u])
    assert line.tail(line.r[-1], 1) == near(line.red[-1]) != near(line.u)


def test_a_tail_beyond_the_last_distance(coarse):
    """It falls exponentially, and reds with it."""
    line = coarse.fussy_line(1.0)
    first, second, third = line.tail(line.r[-1] * np.array([1, 2, 3]), 0)
    assert first == pytest.approx(line.green[-1], rel=1e-9, abs=0) and second**2 == pytest.approx(
        first * third, rel=1e-9, abs=0
    )
    red = line.tail(1.1 * line.r[-1], 1) - line.u
    assert red == pytest.approx(
        (line.red[-1] - line.u) * line.tail(1.1 * line.r[-1], 0) / line.green[-1], rel=1e-4, abs=0
    )


def test_colors_of_a_tail(coarse):
    with pytest.raises(BadInput) as error:
        coarse.fussy_line(1.0).tail(1, "red")
    assert str(error.value) == "color must be 0 (green) or 1 (red), got 'red'"


def test_the_range_of_rho():
    assert [fussy_line._checked(x) for x in (0.001, 1, np.float32(100))] == [0.001, 1, 100]
    for x, quoted in ((0.00099, "0.00099"), (100.1, "100.1"), (True, "True"), ("1", "'1'")):
        with pytest.raises(BadInput) as error:
            fussy_line._checked(x)
        text = "rho, the intensity of red over that of green points, must be a number from 0.001 to 100, got "
        assert str(error.value) == text + quoted


def test_levels_that_differ_too_much(coarse, monkeypatch):
    error = coarse.fussy_line(1.0).error
    for accuracy, good in ((error, True), (0.99 * error, False)):
        coarse._line.cache_clear()
        monkeypatch.setattr(coarse, "ACCURACY", accuracy)
        if good:
            coarse.fussy_line(1.0)
        else:
            with pytest.raises(ArithmeticError, match=r"^fussy_line\(1\.0\): the levels differ by 0\.002$"):
                coarse.fussy_line(1.0)


def test_the_series():
    """ln ln(1/u) and its derivatives by ln rho."""
    found = [float(fussy_line._series(0.3, n)) for n in (0, 1, 2)]
    assert found == near([0.8595785654536369, -0.7747175511326125, -0.09056889684032012])
    assert float(fussy_line._series(0.3)) == found[0]
    found = fussy_line.fussy_curve([0.001, 0.3, 100])
    assert found == pytest.approx([3.82875622718881e-35, 0.09421602585894859, 0.9900662895907683], rel=1e-9, abs=0)
    assert fussy_line.fussy_curve([1]).tolist() == fussy_line.fussy_curve(np.array([1.0])).tolist()


def test_indices_of_dispersion(coarse):
    """4 rho u M + rho u / (1 + rho), less (rho^2 s^2 + rho (u + s)^2) / (rho u) with s = rho u'."""
    u, _, moment, *_ = LINES[0.2]
    slope = u * math.log(u) * float(fussy_line._series(0.2, 1))
    index = 0.8 * u * moment + 0.2 * u / 1.2
    assert coarse.fussy_dispersion(0.2) == near(index)
    assert coarse.fussy_dispersion(0.2, fixed=True) == near(
        index - (0.04 * slope**2 + 0.2 * (u + slope) ** 2) / (0.2 * u)
    )


def test_crossings(coarse):
    assert [coarse.fussy_line(rho).crossing for rho in (0.2, 1.5)] == near([LINES[0.2][3], 0])


def test_survivors():
    for (rho, *steps), expected in (
        ((1.0, 4), (25, 64, 3.220344926390724e-11, 0.46048602869170513, 1.3584683297073672, 5)),
        ((5.0, 4, 2), (13, 1.6, 1.2238723353522561e-05, 4.139417291413237, 0.21624243843199398, 2)),
    ):
        r, green, red, contact, octaves = fussy_line.survivors(rho, *steps)
        assert (len(r), r[-1], green[-1], red[-1], contact, octaves) == near(expected)
        assert r[0] == 0 and [green[0], red[0]] == near([1, rho]) and len(green) == len(red) == len(r)


def test_too_few_steps():
    """With two, the numbers overflow at ratio 1/2, and no octave is the last."""
    with pytest.raises(BadInput, match=r"^steps must be a whole number from 3, got 2$"):
        fussy_line.survivors(0.5, 2)
    for rho in (0.4, 0.5, 1.0, 2.0, 3.8):
        assert 2 < fussy_line.survivors(rho, 3)[4] < 10


def test_a_flow():
    """Two octaves and a half, with the cells merged in between."""
    flow = fussy_line._Flow(0.5, 4)
    assert (flow.n, flow.h, flow.k.shape, flow.theta.shape, flow.skew.shape) == (8, 0.5, (3, 64), (64,), (9,))
    flow = fussy_line._Flow(2.0, 4)
    assert flow.h == 0.25 and flow.k[:, 0] == near([1, 2**0.5, 2])
    found = [flow.step(i) for i in range(8)]
    assert found == near([
        0.15625, 0.11694335937499999, 0.0788275829383305, 0.046133969793879015,
        0.030875259036310457, 0.0225603197570732, 0.017550468699029254, 0.01466928759602873,
    ])  # fmt: skip
    assert flow.roots == near([0.056858033723671014, 1.1382406575081156])
    flow.coarsen(first=True)
    assert flow.h == 0.5 and flow.theta[:9] == near([
        0.4825229993572232, 0.48942577396241727, 0.49644971727781156, 0.49848372912324757, 0.4991876266895445,
        0.49956625489723294, 0.49977111603669044, 0.49986351579731003, 0.5,
    ])  # fmt: skip
    assert flow.skew == near([
        0.060691615513392874, -0.02977835308421537, -0.021315280245731504, -0.005613778051853035, -0.0018788960665528675,
        -0.000989083204108154, -0.0005294953442034441, -0.0002376174094541605, -0.0003491121072743386,
    ])  # fmt: skip
    found = [flow.step(i) for i in range(4, 8)]
    assert found == near([0.022441404601146814, 0.01757504030542402, 0.014779767740047493, 0.013220579024359098])
    flow.coarsen(first=False)
    assert flow.theta[:9] == near([
        0.47137275311620036, 0.49517111776261347, 0.49881232512755735, 0.4996380653719348, 0.4998702133027015,
        0.49995192100579855, 0.4999821188839542, 0.49999291951105207, 0.5,
    ])  # fmt: skip
    found = [flow.step(i) for i in range(4, 8)]
    assert found == near([0.023891475473881464, 0.022016817469980597, 0.0210123401541059, 0.020332084332897814])
    assert flow.roots == near([0.003213167759914639, 1.1368978010403104])
    assert flow.k[2, ::15] == near([1.59902753939434, 1.2748164908104984, 1.2925227156657197, 1.2925359677675736, 1.2925359678636827])  # fmt: skip
    assert flow.k[1, ::15] == near([0, -8.062929980024469e-05, 0.003641164799864321, 0.003650797310863169, 0.00365080302105641])  # fmt: skip


# ---- the response -----------------------------------------------------------------------------------------------------


def test_a_curve_of_the_response(coarse):
    r, y = response_line._curve(1)
    assert r == near([0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4])
    expected = [0.97852154622, 1.83318550277, 2.56290876138, 3.18312766718, 3.71914834766, 4.18480587423, 4.59901200346, 4.97347733017]  # fmt: skip
    assert y == pytest.approx(expected, rel=1e-7)


@pytest.mark.parametrize("octaves", [2, 8])
def test_responses_on_the_line(octaves, coarse, monkeypatch):
    monkeypatch.setattr(response_line, "OCTAVES", octaves)
    volume = [-1, 0, 0.5, 1, 4, 8, 8.1, 16, 16.1, 100, np.nan]
    expected = [0.504153229673, 0.978521546220, 3.183127667180, 4.973477330173, 5.008922114104, 7.11265248625, 7.13338339492]  # fmt: skip
    last = {2: 14.35047714553, 8: 14.350477198304}[octaves]
    assert response_line.response_on_line(volume) == pytest.approx(
        [np.nan, 0, *expected, last, np.nan], rel=1e-9, abs=1e-9, nan_ok=True
    )


def test_the_range_of_the_response(coarse, monkeypatch):
    solved, curve = [], response_line._curve
    monkeypatch.setattr(response_line, "_curve", lambda octaves: (solved.append(octaves), curve(1))[1])
    for volume in (0.1, 8.0, 2.0**9, 2.0**9.1, 2.0**17.5, 2.0**33.5, 2.0**40):
        assert response_line.response_on_line(np.array([volume])).shape == (1,)
    assert solved == [8, 8, 8, 16, 24, 40, 40]
    assert np.isnan(response_line.response_on_line([2.0**40 * (1 + 1e-15), -1.0])).all() and len(solved) == 7
    monkeypatch.setattr(response_line, "OCTAVES", 1)
    assert response_line.response_on_line(0.0) == 0
    for volume in (3.9, 4.1, 8.1, 33.0):
        response_line.response_on_line(volume)
    assert solved[7:] == [1, 1, 2, 3, 5]


def test_the_steps_of_the_solvers():
    assert response_line.LEVELS == (50, 100, 200) and response_line.RHO == 1e-6
    assert fussy_line.LEVELS == (100, 200, 400) and fussy_line.FIRST == 200 and fussy_line.ACCURACY == 1e-6


# ---- bounds -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("low", "high", "r", "steps", "green", "red", "u"),
    [
        (0.5, 0.6, 1.0, 4, (0, 0.8562966518447633), (0, 0.5462987201576945), (-1.7125933036895271, 1)),
        (0.5, 0.6, 1.0, 8, (0, 0.6362772911393694), (0.017390615152687416, 0.4683786038282416), (-1.2377733519733645, 0.9367572076564833)),
        (0.9, 1.0, 0.5, 8, (0.07930215678172943, 0.4745621986601638), (0.37234959041780397, 0.7405899841665732), (-0.11356956471373318, 0.8228777601850814)),
        (0.3, 0.3, 4.0, 16, (0, 0.7572674623765618), (0, 0.2403938779649586), (-2.5242248745885405, 0.8013129265498621)),
    ],
)  # fmt: skip
def test_bounds_of_few_steps(low, high, r, steps, green, red, u):
    found = fussy_intervals.survivor_bounds(low, high, r, steps)
    for bounds, expected in zip(found, (green, red), strict=True):
        assert bounds.tolist() == pytest.approx(expected, rel=1e-13, abs=1e-17)
    assert fussy_intervals.fussy_bounds(low, high, r, steps) == pytest.approx(u, rel=1e-13)


@pytest.mark.parametrize("direction", ["up", "down"])
def test_roundings(direction):
    """Each rounded operation is followed by one step outwards, and by no more."""
    outward = {"up": fussy_intervals._up, "down": fussy_intervals._down}[direction]
    k = np.array([[0.1, 0.2], [0.3, 0.4], [0.5, 0.6]])
    v, w, h = 0.7, 0.9, 0.25
    cross = outward(w * k[1])
    expected = [
        h * 2 * outward(outward(v * k[0]) + cross),
        h * outward(outward(v * k[1]) + outward(w * outward(k[0] + k[2]))),
        h * 2 * cross,
    ]
    assert fussy_intervals._loss(v, w, h, k, outward).tolist() == np.array(expected).tolist()
    assert fussy_intervals._roots(v, w, h, 0.3, 0.8, outward) == (
        h * outward(outward(v * 0.3) + outward(w * 0.8)),
        h * outward(w * 0.3),
    )
    assert outward(0.3) == np.nextafter(0.3, {"up": 1, "down": 0}[direction])


def test_positive_and_certain_bounds(monkeypatch):
    """The surplus is divided by the end of the interval that makes the quotient smaller; u is at most 1."""
    for red, green, expected in ((0.4, 0.1, 0.3 / 0.8), (0.1, 0.4, -0.3 / 0.5), (0.1, 0.1, 0)):
        bounds = np.array([0, green]), np.array([red, 0.25])
        monkeypatch.setattr(fussy_intervals, "survivor_bounds", lambda *_, bounds=bounds: bounds)
        lower, upper = fussy_intervals.fussy_bounds(0.5, 0.8, 1.0, 4)
        assert (lower, upper) == pytest.approx((expected, 0.5)) and lower < expected and upper > 0.5
        assert type(lower) is type(upper) is float


def test_the_most_steps(monkeypatch):
    assert fussy_intervals.MAX_STEPS == 8192
    monkeypatch.setattr(fussy_intervals, "MAX_STEPS", 4)
    assert fussy_intervals.fussy_bounds(1, 1, 1, 4)[1] < 1
    with pytest.raises(BadInput):
        fussy_intervals.fussy_bounds(1, 1, 1, 8)


def test_bounds_of_bad_input():
    for words, text in (
        ((0, 0.5), "the ratios must be 0 < low <= high <= 1, got 0 and 0.5"),
        ((0.5, 1.1), "the ratios must be 0 < low <= high <= 1, got 0.5 and 1.1"),
        ((0.6, 0.5), "the ratios must be 0 < low <= high <= 1, got 0.6 and 0.5"),
        ((0.5, 0.5, 3.0, 8), "r and steps must be powers of 2, steps up to 8192, got 3.0 and 8"),
        ((0.5, 0.5, 2.0, 1), "r and steps must be powers of 2, steps up to 8192, got 2.0 and 1"),
        ((0.5, 0.5, 2.0, 2**14), "r and steps must be powers of 2, steps up to 8192, got 2.0 and 16384"),
    ):
        with pytest.raises(BadInput) as error:
            fussy_intervals.fussy_bounds(*words)
        assert str(error.value) == text
    assert fussy_intervals.fussy_bounds(1, 1, 1, 2)[1] == 1


def test_powers_of_two():
    power = fussy_intervals._power_of_two
    assert [power(x) for x in (1, 2, 0.25, np.int64(8), np.float64(4))] == [True] * 5
    assert [power(x) for x in (0, -2, 3, 0.3, math.inf, math.nan, "2", None)] == [False] * 8
