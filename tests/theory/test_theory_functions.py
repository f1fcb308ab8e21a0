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
from typing import Any

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
from helpers.plain_calls import frozen
from helpers.refusals import refusal
from helpers.tables import tables
from poissonmatch import theory
from poissonmatch.theory import scaling_laws
from poissonmatch.theory.formulas import mean_field_shares
from poissonmatch.theory.fussy_intervals import survivor_bounds
from poissonmatch.theory.fussy_line import FussyLine, fussy_curve, survivors

T_10, T_3 = 2.2621572 * 0.3125, 4.3026527 / 4  # quantiles of Student's t times errors


def tail_of_line(r, color, rho):
    return theory.fussy_line(rho).tail(r, color)


TABLES = tables(__file__)
WAYS: dict[str, list[Callable[..., Any]]] = {  # a way returns None where it does not apply
    "first_round": [union_of_balls, nearest_by_hand],
    "fussy_epsilon": [enough_reds(union_of_balls), enough_reds(nearest_by_hand)],
    "ein": [ein_by_quadrature, ein_by_series],
    "one_color_tail": [
        lambda r, dim, intensity: mp.exp(-ein_by_quadrature(2 * r * intensity)) if dim == 1 else 1 / (1 + r / 2),
        lambda r, dim, intensity: mp.exp(-ein_by_series(2 * r * intensity)) if dim == 1 else None,
        lambda r, dim, intensity: of_definition("one-color", (intensity,), r) if dim == math.inf else None,
        lambda r, dim, intensity: simulated("one-color", dim, (1,), r * intensity),
    ],
    "one_color_response": [responses, lambda v, dim: response_by_difference(v) if dim == 1 else mp.log1p(v)],
    "response_on_line": [responses, response_by_difference],
    "two_color_tail": [
        two_color_by_quadrature,
        as_many_of_both,
        lambda r, own, other: simulated("two-color", 1, (1, 0.3), r, int(own < other)) if own + other == 1.3 else None,
    ],
    "multi_tail": [
        multi_by_inversion,
        lambda t, m, order: of_definition(f"multi({m})", (1,), t, 0, order) if m < 100 else stats.poisson.cdf(order, t),
        lambda t, m, order: simulated(f"multi({m})", math.inf, (1,), t, 0, order) if m < 20 else None,
    ],
    "label_tail": [
        labels_by_sets,
        lambda t, label: of_definition(f"labels({label + 1})", (1,), t, 0, label) if label < 9 else None,
        lambda t, label: simulated(f"labels({label + 1})", math.inf, (1,), t, 0, label),
    ],
    "mean_excess": [excess_by_fourier, excess_by_sums],
    "structure_factor_limits": [limits_by_counts],
    "imbalance": [excess_by_bessel, lambda m: 2 * excess_by_fourier(m, m)],
    "fussy_line": [
        lambda rho: simulated("fussy", 1, (1, rho), 1e300, 1),
        lambda rho: u_on_nodes(rho) if rho >= 1 else None,
        lambda rho: u_by_contacts(rho) if rho >= 1 else None,
    ],
    "fussy_curve": [u_on_nodes, u_by_contacts],
    "FussyLine.tail": [tail_on_nodes, lambda r, color, rho: simulated("fussy", 1, (1, rho), r, color)],
    "fussy_dispersion": [dispersion_on_nodes, dispersion_by_simulation],
    "survivors": [tail_on_nodes, tail_of_line],
    "survivor_bounds": [tail_on_nodes, tail_of_line],
    "fussy_bounds": [lambda rho, *_: u_on_nodes(rho), lambda rho, *_: u_by_contacts(rho)],
    "loss": [loss_by_equation, loss_in_rationals],
    "covers": [covers_in_rationals, covers_by_losses],
    "center": [center_by_roots],
    "student": [student_interval(float, float, lambda value: 1)],
    "of_positive": [
        student_interval(math.log, math.exp, lambda value: 1 / value),
        lambda value, *_: Near((2 / math.exp(T_3), 2 * math.exp(T_3)), 1e-6),
    ],
    "of_share": [
        student_interval(special.logit, special.expit, lambda value: 1 / (value * (1 - value))),
        lambda value, *_: Near([1 / (1 + (1 / value - 1) * math.exp(times)) for times in (T_10, -T_10)], 1e-7),
    ],
    "of_count": [chi_square],
    "of_excess": [positive_parts],
    "of_proportion": [binomial_ends],
    "unit_ball_volume": [ball_by_recursion, ball_by_gamma],
    "ball_volume": [
        lambda dim, r: ball_by_recursion(dim) * r**dim,
        lambda dim, r: ball_by_gamma(dim) * r**dim,
    ],
    "rounded": [lambda x: float(Context(prec=2, rounding=ROUND_CEILING).create_decimal(repr(x)))],
}
CALLS: dict[str, Callable[..., Any]] = {  # what is compared, if it is not the value of the function
    "mean_field_shares": lambda *t: mean_field_shares(
        lambda y: -np.array([1, 2]) * y**2, np.array([1, 0.5]), np.array(t)
    ),
    "fussy_line": lambda rho: theory.fussy_line(rho).u,
    "fussy_curve": lambda rho: fussy_curve([rho])[0],
    "FussyLine.tail": tail_of_line,
    "survivors": lambda r, color, rho: survivors(rho, 200, 1)[1 + color][-1],
    "survivor_bounds": lambda r, color, rho: np.mean(survivor_bounds(rho, r, 512)[color]),
    "fussy_bounds": lambda *values: np.clip(0.41905156, *theory.fussy_bounds(*values)),
    "of_excess": lambda total, mean, *difference: theory.intervals.of_excess(total, np.array(difference), mean),
    "of_proportion": lambda n, *shares: np.squeeze(theory.intervals.of_proportion(np.array(shares), n)),
}
BAD = {"fussy_line": [(1 + 0j,), (10**400,)], "FussyLine.tail": [(1.0, None, 1)]}  # what TOML does not write


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
    assert sorted(FUNCTIONS) == sorted(TABLES)
    assert {name for name in theory.__all__ if callable(getattr(theory, name))} <= set(FUNCTIONS)


def cases(name):
    """Yield arguments of a function and their values, each with an absolute error."""
    row = TABLES[name]
    known = {frozen(arguments): Near(value, row["given_error"]) for arguments, value in row.get("given", [])}
    for arguments in map(frozen, row.get("arguments", [])):
        values = [known.get(arguments), *(way(*arguments) for way in WAYS[name])]
        values = [value if isinstance(value, Near) else Near(value, 0) for value in values if value is not None]
        assert len(values) >= 2, arguments
        yield arguments, values
    for arguments, value, *error in row.get("ends", []):
        yield frozen(arguments), [Near(value, sum(error))]


@pytest.mark.parametrize("name", TABLES)
def test_a_function_agrees_with_independent_computations(name):
    """And an array of numbers has the values of each."""
    function, relative = FUNCTIONS[name], TABLES[name].get("relative", 1e-12)
    first = next(iter(inspect.signature(function).parameters.values()))
    for arguments, values in cases(name):
        found = np.array(CALLS.get(name, function)(*arguments), float)
        for value, error in values:
            exact = np.array(value, float)
            np.testing.assert_allclose(found, exact, rtol=relative, atol=error, err_msg=f"{name}{arguments}")
        if first.annotation == "np.ndarray | float" and name not in CALLS:
            many = np.array(function(np.full((2, 1), arguments[0]), *arguments[1:]))
            np.testing.assert_allclose(many, np.broadcast_to(found[..., None, None], (*found.shape, 2, 1)), rtol=1e-9)


# ---- errors ----


@pytest.mark.parametrize("name", FUNCTIONS)
def test_errors_that_docstrings_name(name):
    """A clause of a section Raises, "if the dimension is below 1, or the intensity is negative", needs a bad call each."""
    text = " ".join(inspect.getdoc(FUNCTIONS[name]).split())
    clauses = re.findall(r"Raises (?:-+ )?(\w+) (.*?\.)(?: \w+ ---|$| [A-Z])", text)
    bad = [*TABLES[name].get("bad", []), *BAD.get(name, [])]
    assert bool(bad) == bool(clauses) and len(bad) >= sum(words.count(" or ") + 1 for _, words in clauses)
    for arguments in bad:
        assert re.fullmatch(".* must be .*, got .*", refusal(CALLS.get(name, FUNCTIONS[name]), *arguments))
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
