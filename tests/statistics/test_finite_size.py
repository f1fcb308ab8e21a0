"""size_converged of simulated studies: when the share of unmatched reds is that of infinite volume."""

import pytest

import poissonmatch as pm


def test_a_torus_that_is_too_small_is_flagged():
    """rho = 0.3 on the line, u = 0.094: 300 points have 6 unmatched reds, 2400 have 52, as 19200 have, which are eight times as many."""
    words = dict(process="binomial", rule="fussy", dims=1, ratios=0.3, replicates=24, observables=["unmatched"])
    found = pm.sweep(**words, sizes=[300, 2400, 19200]).estimates
    rows = found[found["quantity"] == "size_converged"].set_index("size")
    assert rows["value"].to_dict() == {300.0: 0.0, 2400.0: 1.0, 19200.0: 1.0}
    assert (rows["color"] == 1).all() and (rows["standard_error"] == 0).all() and (rows["lower"] == rows["value"]).all()
    single = pm.sweep(**words, sizes=19200).estimates  # nothing beside it
    assert single[single["quantity"] == "size_converged"]["value"].tolist() == [0.0]


@pytest.mark.parametrize(
    "more",
    [dict(rule="two-color", dims=1, ratios=0.5), dict(rule="fussy", dims="inf", ratios=0.5),
     dict(rule="fussy", dims=1, ratios=0.0), dict(rule="one-color", dims=2, ratios=0.5)],
)  # fmt: skip
def test_it_is_not_asked_of_other_rules(more):
    found = pm.sweep(process="binomial", sizes=[20, 160], replicates=2, observables=["unmatched"], **more).estimates
    assert "size_converged" not in set(found["quantity"])
