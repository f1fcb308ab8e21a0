"""Extrapolation of u to small ratios by the flow of fussy matchings at larger ones (step scaling).

X is the partner distance, R and G the intensities of the reds and greens with X > r, eps = R / G,
and V the expected number of greens within r. With x = eps - rho the slope of the flow is d ln eps /
d ln V = sqrt(q x), where q changes slowly with eps and rho and is fitted on tori. At a small rho
the flow is followed from START to eps = 1, and then u = kappa / (rho V), where kappa, V rho u at
eps = 1, is fitted on the same tori.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..utils.errors import BadInput
from ..utils.libraries import pd
from ..utils.validation import TINY, check_int, check_real

START = 16.0  # V from which the flow is followed, by the form of q
MIN_RATIO, MAX_RATIO = 0.05, 0.2  # of the tori that are fitted
LAST = 1.5  # largest eps that is fitted
MIN_RATIOS = 4
NODES = 200  # of the integral over ln x
COLUMNS = ["dim", "rule", "ratio", "cell", "quantity", "color", "x", "value", "standard_error"]


@dataclass(frozen=True)
class _Cell:
    """Estimates at one ratio and size.

    flow, collapse: V, value and error, (3, n) each; eps: at the collapse; u: value and error, (2,).
    """

    ratio: float
    flow: np.ndarray
    collapse: np.ndarray
    eps: np.ndarray
    u: np.ndarray


def step_scaling(estimates: pd.DataFrame, dim: int, ratios: Any) -> pd.DataFrame:
    """Predict ln u of the fussy matching at small ratios, from estimates on tori with rho from 0.05 to 0.2.

    q(eps, rho) = b0 + b1 eps^.5 + b2 eps + b3 eps^1.5 + rho (b4 + b5 eps^.5 + b6 / eps) is fitted
    to the quantity `collapse` from V = 16 on and up to eps = 1.5, (eps / rho - 1) / rho at V = 16
    as a quadratic and kappa as a linear function of rho, all weighted by the errors.

    Parameters
    ----------
    estimates : DataFrame
        The table `estimates` of studies of the fussy rule with the observable `flow`.
    dim : int
        Dimension.
    ratios : float or sequence of float
        Each rho, in (0, 1], at which u is predicted.

    Returns
    -------
    DataFrame
        Columns `ratio`, `log_u`, `standard_error` (jackknife: each ratio of the tori is left out in
        turn) and `start_error`, the change of ln u if V = 32 takes the place of 16, which shows
        what the form of q leaves out. They are nan if the fitted q is not positive.

    Raises
    ------
    ValueError
        If the table has fewer than four ratios from 0.05 to 0.2 that can be fitted.

    Examples
    --------
    >>> sweep = pm.sweep(
    ...     rule="fussy",
    ...     dims=1,
    ...     ratios=[0.05, 0.1, 0.15, 0.2],
    ...     sizes=100_000,
    ...     replicates=8,
    ...     observables=["flow"],
    ... )
    >>> prediction = pm.step_scaling(sweep.estimates, 1, [0.04])
    >>> prediction.columns.tolist()
    ['ratio', 'log_u', 'standard_error', 'start_error']
    """
    dim = check_int("dim", dim, 1, 6)
    rho = np.array([check_real("ratios", one, "numbers in (0, 1]", TINY, 1) for one in np.ravel(ratios)])
    if missing := [name for name in COLUMNS if name not in estimates]:
        raise BadInput(f"this is not a table estimates: it has no column {', '.join(missing)}")
    cells = _cells(estimates, dim)
    tori = sorted({cell.ratio for cell in cells})
    if len(tori) < MIN_RATIOS:
        raise BadInput(
            f"estimates must have the flow of fussy matchings at {MIN_RATIOS} ratios from {MIN_RATIO} to {MAX_RATIO} or more "
            f"in d = {dim}, got {len(tori)}"
        )
    value = _log_u(cells, rho, START)
    without = np.array([_log_u([cell for cell in cells if cell.ratio != one], rho, START) for one in tori])
    error = np.sqrt((len(tori) - 1) * without.var(axis=0))
    start = abs(_log_u(cells, rho, 2 * START) - value)
    return pd.DataFrame({"ratio": rho, "log_u": value, "standard_error": error, "start_error": start})


def _cells(estimates: pd.DataFrame, dim: int) -> list[_Cell]:
    """Return the cells with a flow that passes from START to eps = 1, and with unmatched reds."""
    near = 1e-9
    rows = estimates[(estimates["rule"] == "fussy") & (estimates["dim"] == dim)]
    rows = rows[rows["ratio"].between(MIN_RATIO - near, MAX_RATIO + near)].drop_duplicates(
        ["cell", "quantity", "color", "x"]
    )
    cells = []
    for _, part in rows.groupby("cell"):
        flow, collapse = (_curve(part[part["quantity"] == name]) for name in ("red_green_ratio", "collapse"))
        red = part[(part["quantity"] == "unmatched_fraction") & (part["color"] == 1)]
        u = red[["value", "standard_error"]].to_numpy(float)
        if len(u) and u[0].all() and flow.shape[1] and flow[0, 0] <= START and flow[1].max() > 1:
            eps = np.interp(collapse[0], *flow[:2])
            cells.append(_Cell(float(part["ratio"].iloc[0]), flow, collapse, eps, u[0]))
    return cells


def _curve(rows: pd.DataFrame) -> np.ndarray:
    """Return V, value and standard error (3, n) of a quantity, where the error is known."""
    rows = rows[rows["standard_error"] > 0].sort_values("x")
    return rows[["x", "value", "standard_error"]].to_numpy(float).T


def _form(eps: np.ndarray, rho: np.ndarray | float) -> np.ndarray:
    """Return the functions of eps and rho, (n, 7), of which q is a linear combination."""
    one = np.ones(len(eps))
    columns = [one, eps**0.5, eps, eps**1.5, rho * one, rho * eps**0.5, rho / eps]
    return np.stack(columns, axis=1)


def _log_u(cells: list[_Cell], rho: np.ndarray, start: float) -> np.ndarray:
    """Return ln u at each rho from fits to these cells, with the flow from V = start on."""
    parts = [(cell, (cell.collapse[0] >= start) & (cell.eps <= LAST)) for cell in cells]
    form = np.concatenate([_form(cell.eps[keep], cell.ratio) for cell, keep in parts])
    value, error = np.concatenate([cell.collapse[1:, keep] for cell, keep in parts], axis=1)
    q = np.linalg.lstsq(form / error[:, None], value / error, rcond=None)[0]
    ratios = np.array([cell.ratio for cell in cells])
    first, first_error = np.array([_at(start, cell.flow) for cell in cells]).T
    growth = np.polynomial.Polynomial.fit(ratios, (first / ratios - 1) / ratios, 2, w=ratios**2 / first_error)
    volume = np.array([np.exp(np.interp(0, np.log(cell.flow[1]), np.log(cell.flow[0]))) for cell in cells])
    u, u_error = np.array([cell.u for cell in cells]).T
    kappa = np.polynomial.Polynomial.fit(ratios, volume * ratios * u, 1, w=1 / (volume * ratios * u_error))
    return np.array([np.log(kappa(one) / one) - np.log(start) - _way(one, growth(one), q) for one in rho])


def _at(volume: float, flow: np.ndarray) -> list[float]:
    """Return eps and its error at V."""
    return [float(np.interp(np.log(volume), np.log(flow[0]), row)) for row in flow[1:]]


def _way(rho: float, growth: float, q: np.ndarray) -> float:
    """Return the change of ln V from x = eps - rho = growth rho^2 to eps = 1; nan unless q is positive all the way."""
    low, high = np.log(growth * rho**2) if growth > 0 else np.nan, np.log1p(-rho)
    node, weight = np.polynomial.legendre.leggauss(NODES)
    x = np.exp(low + (high - low) * (node + 1) / 2)
    eps = x + rho
    value = _form(eps, rho) @ q
    if not (value > 0).all():
        return float("nan")
    return float((high - low) / 2 * weight @ (np.sqrt(x / value) / eps))
