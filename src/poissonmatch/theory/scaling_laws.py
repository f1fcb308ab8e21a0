"""Fitted laws of the open problem: one entry each, read by the table, the figure and the docs.

u(rho) is the unmatched fraction of red points in the fussy matching, and ln(1/u) is fitted. Y(V) is
the response of the one-color matching. Formally, if Y ~ a ln^2 V, then ln(1/u) ~ C_d / sqrt(rho) as
rho -> 0, with C_d = pi / (2 sqrt a).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

__all__ = ["EXCLUDED", "FIRST_A", "LAWS", "WINDOWS", "FittedLaw"]


def __dir__() -> list[str]:
    return sorted(__all__)


FIRST_A = 0.3355229  # a_1, from the exact equations on the line
EXCLUDED = 10.0  # difference of AIC to the smallest, above which a law is excluded


@dataclass(frozen=True)
class FittedLaw:
    """A law with parameters that are fitted.

    Parameters
    ----------
    name : str
        Name in tables and figures.
    of : str
        "u": of ln(1/u) as a function of rho; "Y": of Y as a function of ln V.
    words, latex : str
        The formula.
    parameters : tuple of str
        Names, in the order of the arguments of `function`.
    function : callable
        Of x and the parameters, linear in all parameters but the one named in `bent`.
    bent : tuple, optional
        Name of the nonlinear parameter, and a function from the fitted x to its (minimum, maximum,
        initial values).
    constant : callable, optional
        Function from the parameters to C_d and its derivatives.

    Examples
    --------
    >>> law = pm.theory.scaling_laws.LAWS["line"]
    >>> law.words, law.parameters, law.function(2.0, b=3.0, c=1.0)
    ('b l + c', ('b', 'c'), 7.0)
    """

    name: str
    of: str
    words: str
    latex: str
    parameters: tuple[str, ...]
    function: Callable[..., Any]
    bent: tuple[str, Callable[[np.ndarray], tuple[float, float, list[float]]]] | None = None
    constant: Callable[..., tuple[float, list[float]]] | None = None


@dataclass(frozen=True)
class FitWindow:
    """A range of data to fit: min_x <= x <= max_x, called `words` in a table."""

    of: str
    words: str
    min_x: float
    max_x: float


def _threshold(rho: np.ndarray) -> tuple[float, float, list[float]]:
    smallest = float(rho.min())
    return 0.0, 0.999 * smallest, [share * smallest for share in (0.02, 0.25, 0.5, 0.75, 0.95)]


def _square_constant(a: float, b: float, c: float) -> tuple[float, list[float]]:
    if not a > 0:
        return math.nan, [math.nan] * 3
    return math.pi / (2 * math.sqrt(a)), [-math.pi / (4 * a**1.5), 0.0, 0.0]


LAWS = {
    law.name: law
    for law in (
        FittedLaw(
            "inverse root", "u",
            "C / sqrt(rho) + a + b ln rho + c sqrt(rho)", r"C / \sqrt{\rho} + a + b \ln \rho + c \sqrt{\rho}",
            ("C", "a", "b", "c"), lambda rho, C, a, b, c: C / np.sqrt(rho) + a + b * np.log(rho) + c * np.sqrt(rho),
            constant=lambda C, a, b, c: (C, [1.0, 0.0, 0.0, 0.0]),
        ),
        FittedLaw(
            "power", "u", "C rho^-m + a", r"C \rho^{-m} + a",
            ("C", "m", "a"), lambda rho, C, m, a: C * rho**-m + a,
            ("m", lambda rho: (0.01, 5.0, [0.2, 0.5, 1.0, 2.0])),
        ),
        FittedLaw(
            "inverse", "u", "C / rho + a + b ln rho", r"C / \rho + a + b \ln \rho",
            ("C", "a", "b"), lambda rho, C, a, b: C / rho + a + b * np.log(rho),
        ),
        FittedLaw(
            "threshold, logarithm", "u", "a - b ln(rho - rc) + c rho", r"a - b \ln(\rho - \rho_c) + c \rho",
            ("a", "b", "rc", "c"), lambda rho, a, b, rc, c: a - b * np.log(rho - rc) + c * rho, ("rc", _threshold),
        ),
        FittedLaw(
            "threshold, root", "u", "C / sqrt(rho - rc) + a", r"C / \sqrt{\rho - \rho_c} + a",
            ("C", "rc", "a"), lambda rho, C, rc, a: C / np.sqrt(rho - rc) + a, ("rc", _threshold),
        ),
        FittedLaw(
            "square", "Y", "a l^2 + b l + c", "a l^2 + b l + c",
            ("a", "b", "c"), lambda x, a, b, c: a * x**2 + b * x + c, constant=_square_constant,
        ),
        FittedLaw("line", "Y", "b l + c", "b l + c", ("b", "c"), lambda x, b, c: b * x + c),
        FittedLaw(
            "line and inverse", "Y", "b l + c + e / l", "b l + c + e / l",
            ("b", "c", "e"), lambda x, b, c, e: b * x + c + e / x,
        ),
    )
}  # fmt: skip
WINDOWS = (
    FitWindow("u", "all rho", 0.0, math.inf),
    FitWindow("u", "rho <= 0.3", 0.0, 0.3),
    *(FitWindow("Y", f"V >= {v}", math.log(v), math.inf) for v in (8, 16, 32, 64)),
)
