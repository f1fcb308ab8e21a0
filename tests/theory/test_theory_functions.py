"""Each function of pm.theory against independent computations, and each error that a docstring names.

A new function needs a row. Each argument of a row is computed in two ways at least, also at the ends of the domain; a function
that is a definition has literal values instead.
"""

import importlib
import inspect
import math
import pkgutil
import re
from collections.abc import Callable
from decimal import ROUND_CEILING, Context
from typing import Any, NamedTuple

import mpmath as mp
import numpy as np
import pytest
from scipy import special, stats

from helpers.other_ways import (
    Near,
    as_many_of_both,
    ball_by_gamma,
    ball_by_recursion,
    binomial_ends,
    center_by_roots,
    chi_square,
    covers_by_losses,
    covers_in_rationals,
    dispersion_by_simulation,
    dispersion_on_nodes,
    ein_by_quadrature,
    ein_by_series,
    enough_reds,
    excess_by_bessel,
    excess_by_fourier,
    excess_by_sums,
    given,
    labels_by_sets,
    limits_by_counts,
    loss_by_equation,
    loss_in_rationals,
    multi_by_inversion,
    nearest_by_hand,
    of_definition,
    positive_parts,
    response_by_difference,
    responses,
    simulated,
    student_interval,
    tail_on_nodes,
    two_color_by_quadrature,
    u_by_contacts,
    u_on_nodes,
    union_of_balls,
)
from poissonmatch import theory
from poissonmatch.theory import scaling_laws
from poissonmatch.theory.formulas import mean_field_shares
from poissonmatch.theory.fussy_intervals import survivor_bounds
from poissonmatch.theory.fussy_line import FussyLine, fussy_curve, survivors
from poissonmatch.utils.errors import BadInput

INF, NAN = math.inf, math.nan


class Row(NamedTuple):
    """Other ways to compute a function at some arguments; a way returns None where it does not apply."""

    arguments: list[tuple] = []
    ways: list[Callable[..., Any]] = []
    ends: dict[tuple, Any] = {}  # values at the ends of the domain, or of a definition
    bad: tuple[tuple, ...] = ()
    relative: float = 1e-12
    call: Callable[..., Any] | None = None  # what is compared, if it is not the value of the function


BAD_DIMS = ((0.5,), (NAN,), (-INF,))
T_10, T_3 = 2.2621572 * 0.3125, 4.3026527 / 4  # quantiles of Student's t times errors
RARE = [(0.4, 1, 1 - 1e-6), (0.2, 1e-9, 1), (3e-8, 7e6, 2)]
LINE = [(1.0, 0, 0.2), (16.0, 1, 0.2), (4.0, 0, 1), (4.0, 1, 1), (0.2, 0, 10), (0.2, 1, 10)]  # r, color, rho
ROWS = {
    "first_round": Row(
        [(1,), (2,), (3,), (1000.0,)], [union_of_balls, nearest_by_hand], {(1e300,): 0.5, (INF,): 0.5}, BAD_DIMS
    ),
    "fussy_epsilon": Row(
        [(1,), (2,), (3,), (INF,)], [enough_reds(union_of_balls), enough_reds(nearest_by_hand)], bad=BAD_DIMS
    ),
    "ein": Row(
        [(z,) for z in (-700.0, -1.0, -0.0501, -0.0499, -1e-9, 1e-9, 0.0499, 0.0501, 1.0, 30.0, 1e100)],
        [ein_by_quadrature, ein_by_series], {(0.0,): 0, (-1000.0,): -INF}, ((INF,), (NAN,)),
    ),
    "one_color_tail": Row(
        [(1e-9, 1, 1.0), (0.1, 1, 2.0), (10.0, 1, 1.0), (1e5, 1, 1.0), *((r, INF, 0.5) for r in (1e-9, 7.0, 100.0))],
        [lambda r, dim, intensity: mp.exp(-ein_by_quadrature(2 * r * intensity)) if dim == 1 else 1 / (1 + r / 2),
         lambda r, dim, intensity: mp.exp(-ein_by_series(2 * r * intensity)) if dim == 1 else None,
         lambda r, dim, intensity: of_definition("one-color", (intensity,), r) if dim == INF else None,
         lambda r, dim, intensity: simulated("one-color", dim, (1,), r * intensity)],
        {(-1.0, 1): 1, (INF, 1): 0, (3.0, 1, 0.0): 1, (2.0, 2): NAN, (-1.0, INF): 1, (INF, INF): 0},
        ((1.0, 0.5), (1.0, 1, -1.0), (1.0, 1, 1e151)),
    ),
    "one_color_response": Row(
        [*((v, 1) for v in (0.04, 2.0, 8.0)), *((v, INF) for v in (1e-9, 1.0, 1e9))],
        [responses, lambda v, dim: response_by_difference(v) if dim == 1 else mp.log1p(v)],
        {(0.0, 1): 0, (2.0**41, 1): NAN, (NAN, 1): NAN, (INF, INF): INF, (3.0, 2): NAN}, ((-1.0, INF), (1.0, 0.5)),
    ),
    "response_on_line": Row([(2.0,)], [responses, response_by_difference], {(-1.0,): NAN}),
    "two_color_tail": Row(
        [*RARE, *((r, a, b) for r in (1e-6, 0.4, 40.0) for a, b in ((1, 0.3), (0.3, 1), (1, 1)))],
        [two_color_by_quadrature, as_many_of_both,
         lambda r, own, other: simulated("two-color", 1, (1, 0.3), r, int(own < other)) if own + other == 1.3 else None],
        {(-1.0, 1, 1): 1, (0.0, 1, 0.3): 1, (INF, 1, 0.3): 0.7, (INF, 0.3, 1): 0, (INF, 1, 1): 0, (5.0, 1, 0): 1,
         (1.0, 1e300, 1e300): math.exp(-np.euler_gamma / 2) / 2e150},
        ((1.0, 0, 1), (1.0, 1, -1), (1.0, NAN, 1), (1.0, 1, INF)), 1e-11,
    ),
    "mean_field_shares": Row(  # dy/dt = -y^2 from 1 and -2 y^2 from 1/2 are 1 / (1 + t) and half of it
        ends={(0.5,): [[2 / 3], [1 / 3]], (3, NAN, -1): [[0.25, NAN, 1], [0.125, NAN, 0.5]], (NAN,): [[NAN], [NAN]],
              (1e300, 0): Near([[1e-15, 1], [5e-16, 0.5]], 1e-13)},
        call=lambda *t: mean_field_shares(lambda y: -np.array([1, 2]) * y**2, np.array([1, 0.5]), np.array(t)), relative=1e-9,
    ),
    "multi_tail": Row(
        [(1.0, 1, 0), (1e-6, 3, 0), (1.0, 2, 1), (30.0, 3, 1), (1e3, 20, 15), (5.0, 2**53, 3)],
        [multi_by_inversion,
         lambda t, m, order: of_definition(f"multi({m})", (1,), t, 0, order) if m < 100 else stats.poisson.cdf(order, t),
         lambda t, m, order: simulated(f"multi({m})", INF, (1,), t, 0, order) if m < 20 else None],
        {(-1.0, 2, 1): 1, (NAN, 2, 0): NAN}, ((1.0, 0, 0), (1.0, 2, 2), (1.0, 2, -1)), 1e-9,
    ),
    "label_tail": Row(
        [(1e-6, 0), (1.0, 1), (30.0, 1), (500.0, 2), (1.0, 4), (100.0, 9)],
        [labels_by_sets, lambda t, label: of_definition(f"labels({label + 1})", (1,), t, 0, label) if label < 9 else None,
         lambda t, label: simulated(f"labels({label + 1})", INF, (1,), t, 0, label)],
        {(-1.0, 2): 1, (NAN, 1): NAN}, ((1.0, -1), (1.0, 10)),
    ),
    "unknown": Row(ends={(1.0,): NAN}),
    "mean_excess": Row(
        [(3.0, 2.0), (1e-3, 1e-3), (50.0, 80.0)], [excess_by_fourier, excess_by_sums],
        {(0.0, 0.0): 0, (5.0, 0.0): 5, (0.0, 5.0): 0}, relative=1e-10,
    ),
    "structure_factor_limits": Row(
        [(0.5, 0), (1.5, 1), (1.5, 1, (0.0, 1.0)), (0.25, 0, (1.0, 0.0))],
        [limits_by_counts, given({(0.5, 0): (1, 3), (1.5, 1): (1, 5), (1.5, 1, (0.0, 1.0)): (0, 3), (0.25, 0, (1.0, 0.0)): (0, 4 / 3)}, 1e-12)],
        {(0.0, 0): (1, 1), (0.5, 1): (1, NAN), (1.0, 0): (1, NAN)}, ((-1.0, 0), (NAN, 0), (0.5, 2)),
    ),
    "imbalance": Row(
        [(1e-9,), (0.1,), (1.0,), (1e6,)], [excess_by_bessel, lambda m: 2 * excess_by_fourier(m, m)],
        {(0.0,): 0, (1e300,): math.sqrt(4e300 / math.pi)}, ((-1.0,), (1e301,)),
    ),
    "fussy_line": Row(
        [(0.1,), (1,), (10,), (100,)],
        [given({(0.1,): 5.2000946e-3, (1,): 0.41905156}, 1e-8), lambda rho: simulated("fussy", 1, (1, rho), 1e300, 1),
         lambda rho: u_on_nodes(rho) if rho >= 1 else None, lambda rho: u_by_contacts(rho) if rho >= 1 else None],
        bad=((0.000999,), (100.001,), (NAN,), (10**400,), (True,), ("1",), (1 + 0j,), ([0.5],)),
        call=lambda rho: theory.fussy_line(rho).u,
    ),
    "fussy_curve": Row([(1,), (100,)], [u_on_nodes, u_by_contacts], bad=((NAN,), (5e-4,)), call=lambda rho: fussy_curve([rho])[0]),
    "FussyLine.tail": Row(
        LINE,
        [tail_on_nodes, given({(1.0, 0, 0.2): 0.2230166, (16.0, 1, 0.2): 0.07009523}, 1e-7),
         lambda r, color, rho: simulated("fussy", 1, (1, rho), r, color)],
        {(-1.0, 0, 1): 1, (INF, 0, 1): 0, (NAN, 1, 1): NAN}, ((1.0, 2, 1), (1.0, -1, 1), (1.0, "red", 1), (1.0, None, 1)),
        call=lambda r, color, rho: theory.fussy_line(rho).tail(r, color),
    ),
    "fussy_dispersion": Row(
        [(rho, fixed) for rho in (1, 10) for fixed in (False, True)], [dispersion_on_nodes, dispersion_by_simulation],
        bad=((5e-4,), (101, True)),
    ),
    "survivors": Row(  # of the first octave
        [(4.0, 0, 1), (4.0, 1, 1)], [tail_on_nodes, lambda r, color, rho: theory.fussy_line(rho).tail(r, color)], relative=3e-3,
        call=lambda r, color, rho: survivors(rho, 200, 1)[1 + color][-1],
    ),
    "survivor_bounds": Row(  # first orders cancel in the middle
        [(0.5, 0, 1), (0.5, 1, 1)], [tail_on_nodes, lambda r, color, rho: theory.fussy_line(rho).tail(r, color)], relative=1e-4,
        call=lambda r, color, rho: np.mean(survivor_bounds(rho, r, 512)[color]),
    ),
    "fussy_bounds": Row(  # the number within the bounds that is closest to u
        [(1, 1.0, 128), (1, 2.0, 256)], [lambda rho, *_: u_on_nodes(rho), lambda rho, *_: u_by_contacts(rho)],
        bad=((0,), (1.1,), (NAN,), (0.5, 3.0), (0.5, 4.0, 100), (0.5, 4.0, 2**17), (0.5, INF)),
        call=lambda *values: np.clip(0.41905156, *theory.fussy_bounds(*values)),
    ),
    "loss": Row([(0.5, (0.4, 0.5)), (0.3, (0.3, 0.301)), (1.0, (0.0, 1.0))], [loss_by_equation, loss_in_rationals], {(0.5, (0.5, 0.5)): 0}),
    "covers": Row([(0.05, 1e-4), (0.05, 0.01), (1.0, 0.01)], [covers_in_rationals, covers_by_losses], {(0.3, 0.0): (0.3, 0.3)}),
    "center": Row([((0.3, 0.34),), ((1e-3, 2e-3),)], [center_by_roots, given({((0.3, 0.34),): 0.320766429, ((1e-3, 2e-3),): 0.001605465}, 1e-12)]),
    "student": Row(
        [(1.0, 0.1, 5), (0.0, 1.0, 2)],
        [student_interval(float, float, lambda value: 1),
         given({(1.0, 0.1, 5): (0.7223555, 1.2776445), (0.0, 1.0, 2): (-12.7062047, 12.7062047)}, 6e-8)],
        {(1.0, 0.1, 1): (NAN, NAN)},
    ),
    "of_positive": Row(
        [(2.0, 0.5, 3)],
        [student_interval(math.log, math.exp, lambda value: 1 / value), lambda value, *_: Near((2 / math.exp(T_3), 2 * math.exp(T_3)), 1e-6)],
        {(0.0, 0.0, 3): (0, 0), (2.0, 0.0, 3): (2, 2), (1e-300, 1.0, 3): (0, INF), (1.0, 0.1, 1): (NAN, NAN)},
    ),
    "of_share": Row(
        [(0.2, 0.05, 10), (0.8, 0.05, 10)],
        [student_interval(special.logit, special.expit, lambda value: 1 / (value * (1 - value))),
         lambda value, *_: Near([1 / (1 + (1 / value - 1) * math.exp(times)) for times in (T_10, -T_10)], 1e-7)],
        {(0.0, 0.0, 10): (0, 0), (1.0, 0.0, 2): (1, 1), (1.0, NAN, 1): (NAN, NAN), (0.0, 0.1, 3): (0, 0)},
    ),
    "of_count": Row(
        [(3, 1.0, INF), (6, 2.0, INF), (3, 1.0, 9)],
        [chi_square, given({(3, 1.0, INF): (0.618672, 8.767273), (6, 2.0, INF): (1.237344, 17.534546), (3, 1.0, 9): (0.464573, 9.813427)}, 1e-6)],
        {(0, 3.5, INF): (0, 10.5), (3, 1.0, 0.0): (NAN, NAN)},
    ),
    "of_excess": Row(
        [(3.0, 0.0, 3.0, -1.0, -2.0, 0.0), (0.0, 0.0, -1.0), (0.0, -10.0, -9.0, -11.0, -10.0)],
        [positive_parts, given({(3.0, 0.0, 3.0, -1.0, -2.0, 0.0): (1.788658, 8.578744), (0.0, 0.0, -1.0): (0, 12.73031),
                                (0.0, -10.0, -9.0, -11.0, -10.0): (0, 1.2314175e-3)}, 1e-5)],
        {(0.0, -2.0, -2.0, -2.0): (0, 0), (4.0, 2.0, 2.0, 2.0): (4, 4)},
        call=lambda total, mean, *difference: theory.intervals.of_excess(total, np.array(difference), mean), relative=1e-6,
    ),
    "dispersion": Row(
        ends={(100.0, 15.0, 12): (2.25, 11), (100.0, 5.0, 12): (1, 11), (100.0, 5.0, 9): (2, 9), (16.0, 8.0, 2): (4, 9), (15.0, 8.0, 12): (2, 9)}
    ),
    "of_proportion": Row(
        [(10, 0.3, 0.0)], [binomial_ends, given({(10, 0.3, 0.0): ((0.0667395, 0), (0.6524529, 0.3084971))}, 1e-7)], {(1, 1.0): (0.025, 1)},
        call=lambda n, *shares: np.squeeze(theory.intervals.of_proportion(np.array(shares), n)), relative=1e-8,
    ),
    "unit_ball_volume": Row([(1,), (2,), (3,), (300,), (301,), (1000,)], [ball_by_recursion, ball_by_gamma], {(INF,): 1, (1e300,): 0}),
    "ball_volume": Row(
        [(1, 3.0), (2, 1e9), (8, 1e-9)], [lambda dim, r: ball_by_recursion(dim) * r**dim, lambda dim, r: ball_by_gamma(dim) * r**dim],
        {(INF, 3.0): 3, (2, 0.0): 0},
    ),
    "ball_power": Row(ends={(1,): 1, (3,): 3, (INF,): 1}),
    "is_mean_field": Row(ends={(1,): False, (INF,): True}),
    "cutoff": Row(ends={(1, 10.0, 40.0): 2, (2, 10.0, 40.0): 1.25, (3, 10.0, NAN): 1.25, (INF, NAN, 40.0): 2}),
    "share_of_side": Row(ends={(1,): 0.2, (2,): 0.25, (INF,): 0.25}),
    "rounded": Row(
        [(1e-300,), (99.5,), (1000.0,), (1001.0,), (1e300,)],
        [lambda x: float(Context(prec=2, rounding=ROUND_CEILING).create_decimal(repr(x))),
         lambda x: {99.5: 100, 1001.0: 1100}.get(x, x)],
    ),
    "compared_size": Row(
        ends={((500, 990, 1010, 1011, 2000, 8000), 8000): 1010, ((500, 2000, 8000), 8000): 500, ((500, 2000), 2000): NAN, ((), 2000): NAN}
    ),
}  # fmt: skip


def functions():
    """Return the public functions of all modules of pm.theory, and the method of a result."""
    found = {"FussyLine.tail": FussyLine.tail}
    for part in pkgutil.iter_modules(theory.__path__):
        module = importlib.import_module(f"{theory.__name__}.{part.name}")
        for name, value in vars(module).items():
            own = callable(value) and getattr(value, "__module__", "") == module.__name__
            if own and not isinstance(value, type) and not name.startswith("_"):
                found[name] = value
    return found


FUNCTIONS = functions()


def test_each_function_has_a_row():
    assert sorted(FUNCTIONS) == sorted(ROWS)
    assert {name for name in theory.__all__ if callable(getattr(theory, name))} <= set(FUNCTIONS)


@pytest.mark.parametrize("name", ROWS)
def test_a_function_agrees_with_independent_computations(name):
    """And an array of numbers has the values of each."""
    row, function = ROWS[name], FUNCTIONS[name]
    first = next(iter(inspect.signature(function).parameters.values()))
    for arguments in [*row.arguments, *row.ends]:
        values = [row.ends[arguments]] if arguments in row.ends else [way(*arguments) for way in row.ways]
        values = [value for value in values if value is not None]
        assert arguments in row.ends or len(values) >= 2, arguments
        found = np.array((row.call or function)(*arguments), float)
        for value in values:
            exact, error = value if isinstance(value, Near) else (value, 0)
            exact = np.array(exact, float)
            np.testing.assert_allclose(found, exact, rtol=row.relative, atol=error, err_msg=f"{name}{arguments}")
        if first.annotation == "np.ndarray | float" and not row.call:
            many = np.array(function(np.full((2, 1), arguments[0]), *arguments[1:]))
            np.testing.assert_allclose(many, np.broadcast_to(found[..., None, None], (*found.shape, 2, 1)), rtol=1e-9)


# ---- errors ----


@pytest.mark.parametrize("name", FUNCTIONS)
def test_errors_that_docstrings_name(name):
    """A clause of a section Raises, "if the dimension is below 1, or the intensity is negative", needs a bad call each."""
    text = " ".join(inspect.getdoc(FUNCTIONS[name]).split())
    clauses = re.findall(r"Raises (?:-+ )?(\w+) (.*?\.)(?: \w+ ---|$| [A-Z])", text)
    bad, call = ROWS[name].bad, ROWS[name].call or FUNCTIONS[name]
    assert bool(bad) == bool(clauses) and len(bad) >= sum(words.count(" or ") + 1 for _, words in clauses)
    for arguments in bad:
        with pytest.raises(BadInput) as error:
            call(*arguments)
        assert isinstance(error.value, ValueError) and re.fullmatch(".* must be .*, got .*", str(error.value))
    assert {kind for kind, _ in clauses} <= {"ValueError", "BadInput"}


@pytest.mark.slow
def test_the_response_grows_like_the_square_of_the_logarithm():
    """a_1 = (pi / (2 C_1))^2 with C_1 = pi sqrt(1 - I/2): the formal law of docs and theory, to five digits."""
    integral = 0.50978875
    y = theory.one_color_response(2.0 ** np.array([20, 22, 24]), 1)
    assert np.diff(y, 2)[0] / np.log(4) ** 2 / 2 == pytest.approx(1 / (4 * (1 - integral / 2)), rel=1e-5)


@pytest.mark.parametrize("law", scaling_laws.LAWS.values(), ids=[*scaling_laws.LAWS])
def test_a_fitted_law_is_what_its_words_say(law):
    words = law.words.replace("ln rho", "log(rho)").replace("ln(", "log(").replace("^", "**")
    parameters = dict(zip(law.parameters, (3, 0.125, 0.0625, 11), strict=False))
    known = {"rho": 0.25, "l": 0.25, "sqrt": math.sqrt, "log": math.log} | parameters
    expected = eval(re.sub(r"(?<=[\w)]) (?=\w)", "*", words), known)
    assert law.function(0.25, **parameters) == pytest.approx(expected, rel=1e-12)


def test_constants_of_the_laws():
    """C_d is C, or pi / (2 sqrt a), with its derivatives."""
    constants = {name: law.constant for name, law in scaling_laws.LAWS.items() if law.constant}
    assert constants["inverse root"](3.0, 1.0, 2.0, 4.0) == (3.0, [1, 0, 0, 0]) and len(constants) == 2
    assert constants["square"](4.0, 1.0, 2.0) == (math.pi / 4, [-math.pi / 32, 0, 0])
    for a in (0.0, -1.0):
        assert np.isnan([constants["square"](a, 1.0, 2.0)[0], *constants["square"](a, 1.0, 2.0)[1]]).all()
    first = 2.7118071  # C_1, from the exact equations on the line
    assert constants["square"](scaling_laws.FIRST_A, 0, 0)[0] == pytest.approx(first, rel=1e-6)
