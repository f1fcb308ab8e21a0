"""The table `laws`: the laws of theory/scaling_laws.py fitted to u and Y by least squares, and which are excluded."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import scipy  # which imports scipy.optimize when it is first used

from ...rules.catalogue import rule_named
from ...theory.intervals import CONFIDENCE
from ...theory.scaling_laws import EXCLUDED, LAWS, WINDOWS, FittedLaw
from ...utils.libraries import pd
from ..tables.estimate_tables import COVARIANCES, LAW_TABLE
from ..tables.tables import empty
from .influences import ratio

FITTED = ("size_converged", "log_inverse_unmatched", "response")  # quantities
MEASURED, EXACT = "measured", "exact"
EXACT_DIM, ERRORS_DIM = 1.0, 2.0  # the exact u of the one is fitted as well, with the errors of the other
ROUNDING = 1e-9
TIGHT = 1e-14  # relative change at which a fit has ended
AT_END = 1e-6  # of chi2: by so little the end of a parameter's range may be worse than the best inside
STEP = 1e-4  # relative, of a derivative


@dataclass(frozen=True)
class Data:
    """Data of a fit: y at x with the inverse of its covariance, the studies and the source."""

    study: str
    dim: float
    of: str
    source: str
    x: np.ndarray
    y: np.ndarray
    weight: np.ndarray

    def within(self, min_x: float, max_x: float) -> Data:
        """Return the data in a window, with the covariance of these data."""
        keep = (self.x >= min_x - ROUNDING) & (self.x <= max_x + ROUNDING)
        weight = self.weight
        if not keep.all() and keep.any():
            weight = np.linalg.inv(np.linalg.inv(weight)[np.ix_(keep, keep)])
        return replace(self, x=self.x[keep], y=self.y[keep], weight=weight)


@dataclass(frozen=True)
class Fit:
    """A fitted law: its parameters, their covariance, nan for one at an end of its range, and the goodness of fit."""

    law: FittedLaw
    values: np.ndarray
    covariance: np.ndarray
    chi2: float
    dof: int

    @property
    def aic(self) -> float:
        """Akaike information criterion."""
        return self.chi2 + 2 * len(self.values)


def fit(law: FittedLaw, x: np.ndarray, y: np.ndarray, weight: np.ndarray) -> Fit | None:
    """Return the minimizer of (y - law(x)) weight (y - law(x)), None without more data than parameters.

    weight: inverse covariance.
    """
    dof = len(x) - len(law.parameters)
    if dof <= 0:
        return None
    white = np.linalg.cholesky(weight).T
    if law.bent is None:
        return _with_covariance(law, x, white, *_linear(law, x, y, white), dof)
    name, choose = law.bent
    lowest, highest, starts = choose(x)
    low = [lowest if p == name else -np.inf for p in law.parameters]
    high = [highest if p == name else np.inf for p in law.parameters]
    options = {"bounds": (low, high), "x_scale": "jac", "xtol": TIGHT, "ftol": TIGHT, "gtol": TIGHT}

    def residuals(parameters: np.ndarray) -> np.ndarray:
        return white @ (law.function(x, *parameters) - y)

    results = [
        scipy.optimize.least_squares(residuals, _linear(law, x, y, white, start)[0], **options) for start in starts
    ]
    result = min(results, key=lambda one: one.cost)
    at_end = min((_linear(law, x, y, white, end) for end in (lowest, highest)), key=lambda solution: solution[1])
    if at_end[1] <= 2 * result.cost * (1 + AT_END) + AT_END:  # then it is at an end of what it can be
        return _with_covariance(law, x, white, *at_end, dof)
    return _with_covariance(law, x, white, result.x, 2 * result.cost, np.ones(len(law.parameters), bool), dof)


def _linear(
    law: FittedLaw, x: np.ndarray, y: np.ndarray, white: np.ndarray, bent: float = 0.0
) -> tuple[np.ndarray, float, np.ndarray]:
    """Return the best parameters for a value of the nonlinear one, the sum of squares, and which were free."""
    free = np.array([law.bent is None or name != law.bent[0] for name in law.parameters])
    values = np.where(free, 0.0, bent)
    zero = law.function(x, *values) * np.ones(len(x))
    columns = white @ np.stack([law.function(x, *(values + one)) - zero for one in np.eye(len(free))[free]], axis=1)
    values[free] = np.linalg.lstsq(columns, white @ (y - zero), rcond=None)[0]
    return values, float(np.square(white @ (law.function(x, *values) - y)).sum()), free


def _with_covariance(
    law: FittedLaw, x: np.ndarray, white: np.ndarray, values: np.ndarray, chi2: float, free: np.ndarray, dof: int
) -> Fit:
    """Return the fit, with the covariance of the free parameters."""
    steps = np.diag(STEP * np.maximum(np.abs(values), STEP))[free]
    slopes = [(law.function(x, *(values + s)) - law.function(x, *(values - s))) / (2 * s.sum()) for s in steps]
    columns = white @ np.stack(slopes, axis=1)
    covariance = np.full((len(free), len(free)), np.nan)
    covariance[np.ix_(free, free)] = np.linalg.inv(columns.T @ columns)
    return Fit(law, values, covariance, float(chi2), dof)


# ---- what is fitted ----


def table(estimates: pd.DataFrame, ratios: pd.DataFrame, studies: Sequence[str]) -> pd.DataFrame:
    """Return the table `laws` of these studies, from their estimates.

    The covariances of Y follow from their rows of `ratios`. Rows that are not `needed` may be left
    out.
    """
    if not studies:
        return empty(LAW_TABLE)
    mine, tori = needed(estimates, studies), needed(ratios, studies)
    rows = [row for data in [*of_u(mine, studies), *of_y(tori, studies)] for row in _rows(data)]
    return pd.DataFrame(rows, columns=LAW_TABLE.names) if rows else empty(LAW_TABLE)


def needed(rows: pd.DataFrame, studies: Sequence[str]) -> pd.DataFrame:
    """Return the rows of `estimates` or `ratios`, of a cell or of all, from which the laws of these studies follow."""
    return rows[rows["study"].isin(studies) & rows["quantity"].isin(FITTED)]


def of_u(estimates: pd.DataFrame, studies: Sequence[str]) -> Iterator[Data]:
    """Return ln(1/u) of each dimension at each rho, from the largest converged torus, and the exact one in d = 1."""
    converged = estimates[(estimates["quantity"] == "size_converged") & (estimates["value"] == 1)]
    known = estimates[estimates["quantity"] == "log_inverse_unmatched"]
    known = known.merge(converged[["study", "cell", "color"]], on=["study", "cell", "color"])
    known = known[(known["standard_error"] > 0)].sort_values(["dim", "ratio", "size"], kind="stable")
    by_dim = {dim: rows.drop_duplicates("ratio", keep="last") for dim, rows in known.groupby("dim")}
    for rows in by_dim.values():
        names, dim = _names(rows, studies), rows["dim"].iloc[0]
        yield _independent(names, dim, MEASURED, rows["ratio"], rows["value"], rows["standard_error"])
    if ERRORS_DIM in by_dim:
        rows = by_dim[ERRORS_DIM]
        rule = rule_named(str(rows["rule"].iloc[0]))
        exact = -np.log(rule.law.unmatched_curve(rows["ratio"].to_numpy(), EXACT_DIM, int(rows["color"].iloc[0])))
        if np.isfinite(exact).all():
            yield _independent(_names(rows, studies), EXACT_DIM, EXACT, rows["ratio"], exact, rows["standard_error"])


def _independent(study: str, dim: float, source: str, x: Any, y: Any, error: Any) -> Data:
    x, y, error = (np.asarray(values, float) for values in (x, y, error))
    return Data(study, dim, "u", source, x, y, np.diag(error**-2.0))


def _names(rows: pd.DataFrame, studies: Sequence[str]) -> str:
    present = set(rows["study"])
    return ", ".join(name for name in studies if name in present)


def of_y(ratios: pd.DataFrame, studies: Sequence[str]) -> Iterator[Data]:
    """Return Y(ln V) of each dimension at octaves of V, with the covariance over the tori of the largest size.

    The inverse of a covariance that is itself estimated from n tori is too large by (n - 1) / (n -
    k - 2) on average, k values.
    """
    for _, part in ratios[ratios["quantity"] == "response"].groupby("dim"):
        part = part[part["cell"] == part.sort_values("size", kind="stable")["cell"].iloc[-1]]
        numerators, denominators = (
            part.pivot(index="replicate", columns="x", values=name) for name in ("numerator", "denominator")
        )
        intensity = float(np.nansum(part[["intensity_0", "intensity_1"]].iloc[0]))
        volume = numerators.columns.to_numpy(float) * intensity
        first = np.searchsorted(volume, 8 * (1 - ROUNDING))
        numerator, denominator = (frame.to_numpy(float)[:, first::2] for frame in (numerators, denominators))
        some = denominator.sum(axis=0) > 0
        numerator, denominator, volume = numerator[:, some], denominator[:, some], volume[first::2][some]
        n, k = numerator.shape
        if not 0 < k < n - 2:
            continue
        value, influence = ratio(numerator, denominator)
        weight = (n - k - 2) / (n - 1) * np.linalg.inv(influence.T @ influence / (n * (n - 1)))
        yield Data(_names(part, studies), float(part["dim"].iloc[0]), "Y", MEASURED, np.log(volume), value, weight)


# ---- rows ----


def _rows(data: Data) -> Iterator[dict[str, Any]]:
    """Return the rows of all laws in all windows."""
    laws = [law for law in LAWS.values() if law.of == data.of]
    fits: dict[str, dict[str, Fit]] = {}
    for window in (w for w in WINDOWS if w.of == data.of):
        mine = data.within(window.min_x, window.max_x)
        by_law = {law.name: fit(law, mine.x, mine.y, mine.weight) for law in laws}
        fits[window.words] = {name: one for name, one in by_law.items() if one is not None}
    for label, by_name in fits.items():
        for name, one in by_name.items():
            about = {
                "study": data.study, "dim": data.dim, "of": data.of, "data": data.source, "fit": name, "window": label,
                "points": one.dof + len(one.values), "chi2": one.chi2, "dof": one.dof, "aic": one.aic,
                "above": one.aic - _smallest_aic(by_name), "excluded": is_excluded(name, [f for f in fits.values() if f]),
            }  # fmt: skip
            for row in _of_fit(one):
                yield {**about, **row}


def _smallest_aic(fits: dict[str, Fit]) -> float:
    return min(one.aic for one in fits.values())


def is_excluded(name: str, fits: Iterable[dict[str, Fit]]) -> bool:
    """Return whether the AIC of a law exceeds the smallest by more than EXCLUDED in all windows."""
    return all(name in by_law and by_law[name].aic - _smallest_aic(by_law) > EXCLUDED for by_law in fits)


def _of_fit(one: Fit) -> Iterator[dict[str, Any]]:
    """Yield a row for each parameter, and for C_d if the law has it."""
    for k, name in enumerate(one.law.parameters):
        yield _row(name, one.values[k], one.covariance[k, k], one.covariance[k])
    if one.law.constant is not None:
        value, slopes = one.law.constant(*one.values)
        if math.isfinite(value):
            yield _row("C_d", value, np.array(slopes) @ one.covariance @ np.array(slopes), np.zeros(0))


def _row(name: str, value: float, variance: float, covariance: np.ndarray) -> dict[str, Any]:
    error = math.sqrt(variance)
    width = scipy.special.ndtri((1 + CONFIDENCE) / 2) * error
    ends = {"lower": value - width, "upper": value + width}
    covariances = dict(zip(COVARIANCES, [*covariance, *[math.nan] * len(COVARIANCES)], strict=False))
    return {"parameter": name, "value": float(value), "standard_error": error, **ends, **covariances}
