"""Step scaling gives back u of a flow that obeys its form, and the exact u of the line from tori with rho >= 0.05 alone."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy.integrate import solve_ivp

import poissonmatch as pm
from poissonmatch.utils.errors import BadInput

KEPT = Path(__file__).parents[2] / "docs" / "data" / "openproblem"
RATIOS = [0.05, 0.07, 0.1, 0.15, 0.2]
FORM = [1.2, 0.5, -0.3, 0.1, -0.4, 0.2, 0.03]


def slope(log_v, log_eps, rho):
    """d ln eps / d ln V of a made-up flow."""
    eps = np.exp(log_eps)
    a, b, c, d, e, f, g = FORM
    q = a + b * eps**0.5 + c * eps + d * eps**1.5 + rho * (e + f * eps**0.5 + g / eps)
    return np.sqrt(q * (eps - rho)), q


def made_up(rho):
    """ln V and ln eps of the flow from V = 4 to eps = 2, q on it, and u."""
    first = np.log(rho + rho**2 * (2 + 3 * rho))
    end = lambda _, log_eps: log_eps[0] - np.log(2)  # noqa: E731
    end.terminal = True
    flow = solve_ivp(lambda t, y: slope(t, y, rho)[0], (np.log(16), 400), [first], events=end, rtol=1e-10, atol=1e-12)
    back = solve_ivp(lambda t, y: slope(t, y, rho)[0], (np.log(16), np.log(8)), [first], rtol=1e-10, atol=1e-12)
    log_v = np.concatenate([back.t[:0:-1], flow.t])
    log_eps = np.concatenate([back.y[0][:0:-1], flow.y[0]])
    crossing = np.interp(0, log_eps, log_v)
    return log_v, log_eps, (0.2 - 0.1 * rho) / (rho * np.exp(crossing))


def table(ratios=RATIOS):
    """A table of estimates with this flow, on a fine grid."""
    rows = []
    for rho in ratios:
        log_v, log_eps, u = made_up(rho)
        at = np.linspace(log_v[0], log_v[-1], 4000)
        eps = np.interp(at, log_v, log_eps)
        cell = {"study": "s", "cell": f"r{rho}", "rule": "fussy", "dim": 2.0, "ratio": rho}
        for name, value in (("red_green_ratio", np.exp(eps)), ("collapse", slope(at, eps, rho)[1])):
            part = {"quantity": name, "color": -1, "x": np.exp(at), "value": value, "standard_error": 1e-3}
            rows.append(pd.DataFrame({**cell, **part}))
        red = {"quantity": "unmatched_fraction", "color": 1, "x": np.nan, "value": u, "standard_error": 0.01 * u}
        rows.append(pd.DataFrame({**cell, **red}, index=[0]))
    return pd.concat(rows, ignore_index=True)


def test_a_flow_of_the_fitted_form_gives_its_u():
    """The integrator is another one; what is left is linear interpolation in both."""
    small = [0.04, 0.03, 0.02, 0.01]
    found = pm.step_scaling(table(), 2, small)
    assert found["ratio"].tolist() == small
    exact = np.log([made_up(rho)[2] for rho in small])
    assert found["log_u"].to_numpy() == pytest.approx(exact, abs=0.02)
    assert (found["standard_error"] < 0.05).all() and (found["start_error"] < 0.05).all()


@pytest.mark.slow
def test_the_line_from_large_ratios():
    """Within three errors of the exact ln u, and at rho = 0.01 within 0.2, at which the largest torus has no unmatched red point."""
    ratios = [0.05, 0.04, 0.03, 0.02, 0.01, 0.005]
    found = pm.step_scaling(pm.load(KEPT / "estimates.parquet"), 1, ratios).set_index("ratio")
    exact = pd.Series({rho: np.log(pm.theory.fussy_line(rho).u) for rho in ratios})
    assert (abs(found["log_u"] - exact) < 3 * np.hypot(found["standard_error"], found["start_error"])).all()
    assert abs(found["log_u"] - exact)[0.01] < 0.2
    assert (found["standard_error"].diff().dropna() > 0).all()


@pytest.mark.slow
def test_errors_are_those_of_leaving_out_a_ratio():
    estimates = pm.load(KEPT / "estimates.parquet")
    estimates = estimates[(estimates["dim"] == 1) & estimates["ratio"].between(0.05, 0.2)]
    whole = pm.step_scaling(estimates, 1, 0.02)
    without = [pm.step_scaling(estimates[estimates["ratio"] != rho], 1, 0.02)["log_u"][0] for rho in RATIOS]
    assert whole["standard_error"][0] == pytest.approx(np.sqrt(4 / 5 * np.square(without - np.mean(without)).sum()))


def test_a_flow_that_stops_has_no_u():
    """If q falls below 0 before eps = 1, as with a threshold, ln u is nan."""
    estimates = table()
    collapse = estimates["quantity"] == "collapse"
    estimates.loc[collapse, "value"] = 0.5 - 20 * estimates["ratio"].max() + 60 * estimates.loc[collapse, "ratio"]
    assert np.isnan(pm.step_scaling(estimates, 2, 0.01)["log_u"][0])


@pytest.mark.parametrize(
    "words, said",
    [
        ({"dim": 0}, "dim must be"),
        ({"ratios": [0.02, 0]}, "ratios must be"),
        ({"ratios": 2}, "ratios must be"),
        ({"dim": 3}, "4 ratios from 0.05 to 0.2 or more in d = 3, got 0"),
        ({"estimates": table([0.05, 0.1, 0.2])}, "got 3"),
        ({"estimates": table().drop(columns="x")}, "no column x"),
    ],
)
def test_bad_input(words, said):
    with pytest.raises(BadInput, match=said):
        pm.step_scaling(**{"estimates": table(), "dim": 2, "ratios": 0.02, **words})
